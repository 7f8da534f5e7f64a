"""What imported programs compute, run by the reference interpreter, beside numpy.

The entries are called from a generated `main` that holds the checkpoint's
tensors as constants; which tensor belongs to which argument, and in which
shape, is read off the program's own attributes.
"""

import json
import re
import subprocess
from dataclasses import dataclass

import numpy as np
import pytest
from compiled import BIN, need, succeed

from tp import reference, tiny
from tp.checkpoint import load_tensors, write_json

CHUNK = 8


@dataclass
class Argument:
    kind: str
    name: str
    type: str
    source: dict

    @property
    def shape(self):
        return [int(size) for size in self.type[len("tensor<") :].split("x")[:-1]]

    def read(self, tensors):
        """The value of a parameter: its tensor, or the part of it that its source names."""
        array = tensors[self.source["tensor"]]
        assert list(array.shape) == self.source["shape"]
        if "view" in self.source:
            array = array.reshape(self.source["view"])
            slices = zip(self.source["offset"], self.source["size"])
            array = array[tuple(slice(first, first + size) for first, size in slices)]
            array = array.transpose(self.source["permutation"])
        return array.reshape(self.shape)


ARGUMENT = re.compile(
    r'%[^ :]+: (tensor<[^>]+>) \{tp\.kind = "(\w+)", tp\.name = "([^"]+)"'
    r'(?:, tp\.role = "\w+")?(?:, tp\.source = \{([^}]*)\})?\}'
)


def source_of(text):
    """The entries of a tp.source, its arrays as lists."""
    entries = re.findall(r"(\w+) = (\[[^\]]*\]|\"[^\"]*\")", text)
    return {name: json.loads(value) for name, value in entries}


def signature(program, entry):
    """The arguments of an entry and the types of its results."""
    line = re.search(rf"func\.func @{entry}\((.*)\) -> \((.*)\) \{{", program)
    arguments = []
    for type_, kind, name, source in ARGUMENT.findall(line[1]):
        arguments.append(Argument(kind, name, type_, source_of(source)))
    assert len(arguments) == line[1].count("tp.kind")
    return arguments, re.findall(r"tensor<[^>]+>", line[2])


def constant(name, array, type_):
    values = np.ascontiguousarray(array)
    data = f'"0x{values.tobytes().hex()}"' if values.size > 1 else repr(values.item())
    return f"  %{name} = arith.constant dense<{data}> : {type_}\n"


class Session:
    """Writes the calls of one run; `values` executes them and returns all logits."""

    def __init__(self, checkpoint, *options):
        self.program = succeed("tp-import", checkpoint, "-o", "-", *options)
        self.entries = {name: signature(self.program, name) for name in ("prefill", "decode")}
        self.body = ""
        self.logits = []
        self.next = []
        self.values = {}
        tensors = load_tensors(checkpoint)
        arguments, _ = self.entries["prefill"]
        for argument in arguments:
            if argument.kind == "input":
                continue
            array = np.zeros(argument.shape, np.float32)
            if argument.kind == "parameter":
                array = argument.read(tensors)
            self.define(argument, array)

    def define(self, argument, array):
        name = f"v{self.body.count('arith.constant')}"
        self.body += constant(name, array, argument.type)
        self.values[argument.name] = name

    def call(self, entry, **inputs):
        """Calls an entry with these inputs, on the states of the calls before."""
        arguments, results = self.entries[entry]
        for argument in arguments:
            if argument.kind == "input":
                array = np.array(inputs[argument.name], np.int64)
                assert list(array.shape) == argument.shape
                self.define(argument, array)
        call = f"c{self.body.count('func.call')}"
        operands = ", ".join(f"%{self.values[a.name]}" for a in arguments)
        types = ", ".join(a.type for a in arguments)
        self.body += f"  %{call}:{len(results)} = func.call @{entry}({operands})"
        self.body += f" : ({types}) -> ({', '.join(results)})\n"
        self.next.append((f"%{call}#0", results[0]))
        self.logits.append((f"%{call}#1", results[1]))
        states = [a.name for a in arguments if a.kind == "state"]
        for i, state in enumerate(states):
            self.values[state] = f"{call}#{i + 2}"

    def run(self, folder):
        """(next ids, logits) of every call in order."""
        values = self.next + self.logits
        names = ", ".join(name for name, _ in values)
        types = ", ".join(type_ for _, type_ in values)
        main = f"func.func @main() -> ({types}) {{\n{self.body}  return {names} : {types}\n}}\n"
        path = folder / "session.mlir"
        program = self.program.replace("func.func @", "func.func private @")
        head, module, rest = program.partition("module attributes")
        opening, brace, rest = rest.partition(" {\n")
        path.write_text(head + module + opening + brace + main + rest)
        command = [BIN / "tp-test-opt", path, "--test-interpret=poison=true", "-o", "/dev/null"]
        result = subprocess.run(command, capture_output=True, text=True, timeout=300)
        assert result.returncode == 0, result.stderr
        found = re.findall(r"^  result \d+: (.*)$", result.stdout, re.M)
        arrays = [np.array(json.loads(text)) for text in found]
        return arrays[: len(self.next)], arrays[len(self.next) :]


def check(model, prefixes, found_next, found):
    """Logits and next id of each row after its prefix, against the reference."""
    for ids, next_id, logits in zip(prefixes, found_next, found, strict=True):
        wanted = reference.logits(model, ids, last_only=True)[0]
        error = np.abs(logits - wanted).max() / np.abs(wanted).max()
        assert error < 1e-4, f"after {ids}: logits differ by {error:.2e}"
        assert next_id == np.argmax(logits)


def prompt_of(length, vocab, seed=3):
    return [(7 * i + seed) % vocab for i in range(length)]


def generate(checkpoint, folder, lengths, *options):
    """Prefills rows of these lengths chunk by chunk, decodes two tokens, checks."""
    model = reference.load(checkpoint)
    vocab = model.config["vocab_size"]
    rows = [prompt_of(length + 2, vocab, seed) for seed, length in enumerate(lengths, 2)]
    session = Session(checkpoint, "--max-seq", 32, "--chunk", CHUNK, *options)
    expected = []
    done = [0] * len(rows)
    while any(d < length for d, length in zip(done, lengths)):
        # A row that has nothing left repeats its last token.
        starts = [min(d, length - 1) for d, length in zip(done, lengths)]
        chunks = [row[s : min(s + CHUNK, n)] for row, s, n in zip(rows, starts, lengths)]
        session.call(
            "prefill",
            tokens=[chunk + [0] * (CHUNK - len(chunk)) for chunk in chunks],
            n_valid=[len(chunk) for chunk in chunks],
            pos=starts,
        )
        done = [start + len(chunk) for start, chunk in zip(starts, chunks)]
        expected.append([row[:d] for row, d in zip(rows, done)])
    for step in range(2):
        tokens = [row[n + step] for row, n in zip(rows, lengths)]
        session.call("decode", token=tokens, pos=[n + step for n in lengths])
        expected.append([row[: n + step + 1] for row, n in zip(rows, lengths)])
    next_ids, logits = session.run(folder)
    for prefixes, found_next, found in zip(expected, next_ids, logits, strict=True):
        check(model, prefixes, found_next, found)


@pytest.fixture(autouse=True)
def tools():
    need("tp-import")
    assert (BIN / "tp-test-opt").exists()


# These families run always, the others with the long tests.
QUICK_FAMILIES = ("gemma3", "gpt2", "neox")
FAMILIES = [
    name if name in QUICK_FAMILIES else pytest.param(name, marks=pytest.mark.long)
    for name in tiny.FAMILIES
]


@pytest.mark.parametrize("name", [*tiny.SHAPES, *FAMILIES])
def test_prefill_and_decode(tmp_path, name):
    checkpoint = tiny.make(name, tmp_path / "hf")
    generate(checkpoint, tmp_path, [CHUNK + 3])


def test_rows_of_different_lengths(tmp_path):
    checkpoint = tiny.make("gqa9", tmp_path / "hf")
    generate(checkpoint, tmp_path, [1, CHUNK, 2 * CHUNK - 3], "--batch", 3)


def test_rotary_base_and_epsilon(tmp_path):
    checkpoint = tiny.make("mqa", tmp_path / "hf", rope_theta=500.0, rms_norm_eps=0.25)
    generate(checkpoint, tmp_path, [CHUNK])


def test_heads_and_head_size_from_defaults(tmp_path):
    checkpoint = tiny.make("mha", tmp_path / "hf")
    config = json.loads((checkpoint / "config.json").read_text())
    for field in ("head_dim", "num_key_value_heads"):
        config.pop(field)
    write_json(checkpoint / "config.json", config)
    generate(checkpoint, tmp_path, [3])


ON_RANKS = [
    ("gqa9", "megatron", 1),
    ("gqa9", "megatron", 2),
    ("gqa9", "megatron", 3),
    ("gqa6", "megatron", 4),
    ("gqa9", "megatron-sp", 3),
    ("gqa6", "megatron-sp", 4),
    ("mqa", "megatron-sp", 3),
    ("one-head", "megatron-sp", 5),
]
ON_RANKS += [
    pytest.param(name, plan, 3, marks=pytest.mark.long)
    for name in tiny.FAMILIES
    for plan in ("megatron", "megatron-sp")
]


@pytest.mark.parametrize("name, plan, ranks", ON_RANKS)
def test_checkpoint_on_ranks(tmp_path, name, plan, ranks):
    """Partitioned, with parameters that tp-run reads from the checkpoint itself."""
    need("tp-run")
    checkpoint = tiny.make(name, tmp_path / "hf")
    program = tmp_path / "model.mlir"
    succeed("tp-import", checkpoint, "-o", program, "--chunk", CHUNK)
    model = reference.load(checkpoint)
    prompt = prompt_of(CHUNK - 3, model.config["vocab_size"])
    inputs = {"tokens": [prompt + [0] * 3], "n_valid": [len(prompt)], "pos": [0]}
    arguments = ["--entry", "prefill", "--weights", checkpoint, "--output", tmp_path / "out"]
    for name, value in inputs.items():
        np.save(tmp_path / f"{name}.npy", np.array(value, np.int64))
        arguments += ["--input", f"{name}={tmp_path / name}.npy"]
    mesh = ["--plan", plan, "--mesh", f"tp={ranks}"]
    succeed("tp-run", program, *mesh, *arguments, "--interpret", "--poison", "--compare")
    results = [np.load(tmp_path / f"out/result{i}.npy") for i in range(2)]
    check(model, [prompt], *results)
