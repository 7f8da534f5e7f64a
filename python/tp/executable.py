"""Runs a compiled model and yields the ids that it prints, as they arrive."""

import argparse
import subprocess
from pathlib import Path

from .errors import UserError


class ModelFailed(Exception):
    """A compiled model exited non-zero; it has said why on its stderr."""

    def __init__(self, status):
        super().__init__(f"the model exited with status {status}")
        self.status = status if status > 0 else 3


def command_line(executable, weights, ids, count, extra=()):
    """The command line that makes `executable` continue `ids` by `count` tokens."""
    tokens = ",".join(str(token) for token in ids)
    return [
        str(executable),
        "--weights",
        str(weights),
        "--tokens",
        tokens,
        "--generate",
        str(count),
        *extra,
    ]


def stream_ids(command, stderr=None):
    """Yields the integers of the first line that `command` prints.

    An id is yielded as soon as the comma or line end behind it was read. When
    the program exits non-zero, ModelFailed is raised after its last id.
    """
    try:
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=stderr, bufsize=0
        )
    except OSError as error:
        raise UserError(f"cannot run '{command[0]}': {error.strerror}") from error
    pending = b""
    try:
        while chunk := process.stdout.read(4096):
            *complete, pending = (pending + chunk).replace(b"\n", b",").split(b",")
            for text in complete:
                if text.strip():
                    yield _id(text, command)
        if pending.strip():
            yield _id(pending, command)
        if process.wait() != 0:
            raise ModelFailed(process.returncode)
    finally:
        if process.poll() is None:
            process.terminate()
            process.wait()
        process.stdout.close()


def _id(text, command):
    try:
        return int(text)
    except ValueError:
        raise UserError(
            f"'{command[0]}' printed '{text.decode(errors='replace')}' where a token id was expected"
        ) from None


def split_options(arguments):
    """(our arguments, what stands behind `--` and goes to the executable)."""
    if "--" not in arguments:
        return arguments, []
    at = arguments.index("--")
    return arguments[:at], arguments[at + 1 :]


def argument_parser(prog, description):
    """A command line that begins with a compiled model and its checkpoint."""
    parser = argparse.ArgumentParser(
        prog=prog,
        description=description,
        epilog="what stands behind -- goes to the model's executable as it is",
    )
    parser.add_argument("model", type=Path, help="executable made by tp-compile")
    parser.add_argument("--weights", type=Path, required=True, help="Hugging Face directory")
    return parser
