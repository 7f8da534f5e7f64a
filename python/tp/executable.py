"""Runs a compiled model: ids as it prints them, requests that it serves."""

import argparse
import json
import signal
import subprocess
from pathlib import Path

from .errors import UserError


class ModelFailed(Exception):
    """A compiled model exited non-zero; it has said why on its stderr."""

    def __init__(self, status):
        super().__init__(f"the model exited with status {status}")
        self.status = status if status > 0 else 3


CRASHES = (signal.SIGSEGV, signal.SIGBUS, signal.SIGILL, signal.SIGABRT)


def failure(model, status):
    """The exception for a model that exited with `status`: one that says so where the model
    cannot have said anything itself."""
    if -status in CRASHES:
        return UserError(
            f"'{model}' was ended by signal {-status}: is it an executable that tp-compile made,"
            " without --shared?"
        )
    return ModelFailed(status)


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
            raise failure(command[0], process.returncode)
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


def describe(model):
    """What an executable says about itself."""
    try:
        result = subprocess.run([str(model), "--describe"], stdout=subprocess.PIPE, check=False)
    except OSError as error:
        raise UserError(f"cannot run '{model}': {error.strerror}") from error
    if result.returncode != 0:
        raise failure(model, result.returncode)
    try:
        return json.loads(result.stdout)
    except ValueError as error:
        raise UserError(f"'{model}' does not describe itself: {error}") from error


class Serving:
    """A running `MODEL --serve`."""

    def __init__(self, model, weights, extra=()):
        self.model = model
        command = [str(model), "--weights", str(weights), "--serve", *extra]
        try:
            self.process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
            )
        except OSError as error:
            raise UserError(f"cannot run '{command[0]}': {error.strerror}") from error

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        try:
            self.process.stdin.close()
        except BrokenPipeError:
            pass  # it has ended, and its status says why
        if kind is not None:
            self.process.terminate()
        status = self.process.wait()
        self.process.stdout.close()
        if kind is None and status != 0:
            raise failure(self.model, status)

    def ask(self, request, member):
        """A member of the answer to a request; a UserError where that is an error."""
        try:
            self.process.stdin.write(json.dumps(request) + "\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            pass
        line = self.process.stdout.readline()
        if not line:
            # It has said why on its stderr.
            raise failure(self.model, self.process.wait() or 3)
        try:
            answer = json.loads(line)
            if "error" in answer:
                raise UserError(answer["error"])
            return answer[member]
        except (ValueError, TypeError, KeyError):
            # Options behind -- that make it do something else than serve.
            raise UserError(
                f"'{self.model}' printed '{line.strip()[:60]}' where '{member}' was expected"
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
