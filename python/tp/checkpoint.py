"""Hugging Face checkpoint directories: config.json, model.safetensors, tokenizer.

Reading is by memory map, writing is tensor by tensor, so that a model larger
than memory can pass through.
"""

import json
import os
import shutil
import tempfile
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from .errors import UserError

# safetensors names of the dtypes that the writer can produce.
_DTYPE_NAMES = {np.dtype("float32"): "F32", np.dtype("float16"): "F16", np.dtype("int64"): "I64"}


class SafetensorsWriter:
    """Writes a .safetensors file one tensor at a time.

    `shapes` maps every tensor name to its shape, in the order in which the
    data lie in the file and in which `write` must be called. The header is
    complete before the first tensor, as the format demands: eight bytes of
    length, JSON padded with spaces to a multiple of eight, then the data.
    """

    def __init__(self, path, shapes, dtype=np.float32, metadata=None):
        self._dtype = np.dtype(dtype)
        self._pending = list(shapes.items())[::-1]
        header = {"__metadata__": metadata} if metadata else {}
        offset = 0
        for name, shape in shapes.items():
            size = int(np.prod(shape, dtype=np.int64)) * self._dtype.itemsize
            header[name] = {
                "dtype": _DTYPE_NAMES[self._dtype],
                "shape": list(shape),
                "data_offsets": [offset, offset + size],
            }
            offset += size
        text = json.dumps(header, separators=(",", ":")).encode()
        text += b" " * (-len(text) % 8)
        self._file = open(path, "wb")
        self._file.write(len(text).to_bytes(8, "little") + text)

    def write(self, name, blocks):
        """Appends tensor `name`, given as its consecutive blocks of rows."""
        expected, shape = self._pending.pop()
        if name != expected:
            raise ValueError(f"expected tensor {expected}, got {name}")
        rows = 0
        for block in blocks:
            if block.shape[1:] != tuple(shape[1:]):
                raise ValueError(
                    f"{name}: expected rows of shape {tuple(shape[1:])}, got {block.shape[1:]}"
                )
            rows += block.shape[0]
            # Not `tofile`, whose errors do not say why.
            block = np.ascontiguousarray(block, dtype=self._dtype.newbyteorder("<"))
            self._file.write(block.reshape(-1).view(np.uint8))
        if rows != shape[0]:
            raise ValueError(f"{name}: expected {shape[0]} rows, got {rows}")

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        self._file.close()
        if kind is None and self._pending:
            raise ValueError(f"tensor {self._pending[-1][0]} was never written")


@contextmanager
def new_directory(target):
    """A scratch directory that becomes `target` when the body succeeds.

    Whatever fails inside leaves no trace, and a reader never sees a half
    written directory. An existing `target` is replaced, if it is a checkpoint
    directory or empty; anything else is an error.
    """
    target = Path(target)
    if target.exists():
        if not target.is_dir():
            raise UserError(f"output '{target}' exists and is not a directory")
        if any(target.iterdir()) and not (target / "config.json").exists():
            raise UserError(
                f"output '{target}' is a directory that holds something else than a checkpoint"
            )
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        scratch = Path(tempfile.mkdtemp(prefix=f".{target.name}.", dir=target.parent))
    except OSError as error:
        raise UserError(f"cannot write output '{target}': {error.strerror}") from error
    try:
        yield scratch
        scratch.chmod(0o777 & ~_umask())
        if target.exists():
            shutil.rmtree(target)
        scratch.rename(target)
    except OSError as error:
        raise UserError(f"cannot write output '{target}': {error.strerror}") from error
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


@contextmanager
def new_file(path):
    """A scratch file, open for bytes, that becomes `path` when the body succeeds: whatever
    fails leaves what stood there before, and is an OSError with the name of `path`. What is
    no plain file, such as a pipe, is written as it is."""
    path = Path(path)
    try:
        if path.exists() and not path.is_file():
            with open(path, "wb") as file:
                yield file
            return
        target = path.resolve()
        handle, scratch = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
        try:
            with open(handle, "wb") as file:
                yield file
            os.chmod(scratch, 0o666 & ~_umask())
            os.replace(scratch, target)
        except BaseException:
            os.unlink(scratch)
            raise
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from error


def _umask():
    mask = os.umask(0)
    os.umask(mask)
    return mask


def write_json(path, value):
    """Writes `value` as readable JSON, the keys in their order."""
    Path(path).write_text(json.dumps(value, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def read_json(path):
    """Reads a JSON file; a missing or broken one is a UserError with its name."""
    try:
        return json.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise UserError(f"cannot read '{path}': {error.strerror}") from error
    except (UnicodeDecodeError, json.JSONDecodeError) as error:
        raise UserError(f"'{path}' is not JSON: {error}") from error


def load_tensors(directory):
    """All tensors of a checkpoint directory: {name: array}, bf16 and f16 as f32.

    Arrays of other dtypes are views of the memory-mapped file. Follows
    model.safetensors.index.json where the checkpoint is in parts.
    """
    directory = Path(directory)
    index = directory / "model.safetensors.index.json"
    if index.exists():
        names = sorted(set(read_json(index)["weight_map"].values()))
    else:
        names = ["model.safetensors"]
    tensors = {}
    for name in names:
        tensors.update(_load_file(directory / name))
    return tensors


def _load_file(path):
    try:
        data = np.memmap(path, dtype=np.uint8, mode="r")
        start = 8 + int.from_bytes(data[:8].tobytes(), "little")
        header = json.loads(data[8:start].tobytes())
        header.pop("__metadata__", None)
        tensors = {}
        for name, entry in header.items():
            begin, end = entry["data_offsets"]
            raw = data[start + begin : start + end]
            tensors[name] = _to_array(raw, entry["dtype"]).reshape(entry["shape"])
        return tensors
    except OSError as error:
        raise UserError(f"cannot read '{path}': {error.strerror}") from error
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise UserError(f"'{path}' is not a valid safetensors file: {error}") from error


def _to_array(raw, dtype):
    if dtype == "BF16":
        return (raw.view("<u2").astype(np.uint32) << 16).view(np.float32)
    if dtype == "F16":
        return raw.view("<f2").astype(np.float32)
    for known, name in _DTYPE_NAMES.items():
        if name == dtype:
            return raw.view(known.newbyteorder("<"))
    raise ValueError(f"dtype {dtype} is not supported")
