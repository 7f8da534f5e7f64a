"""Steps of a check: each has a limit of time and becomes a row, whatever happens."""

import os
import select
import signal
import subprocess
import time
from arrays import Failed
from dataclasses import asdict, dataclass


class Skipped(Exception):
    """A step that this machine or program cannot do; the text says why."""


class OutOfTime(Exception):
    """The step or the whole check has used its time."""


@dataclass
class Row:
    name: str
    group: str
    state: str  # ok, below (an aim), failed, skipped, no time
    detail: str = ""
    seconds: float = 0.0
    found: float | None = None
    aim: str = ""

    def json(self):
        values = asdict(self)
        values["seconds"] = round(self.seconds, 3)
        return {key: value for key, value in values.items() if value not in ("", None)}


class Clock:
    """The time that is left of the budget, and of that of a phase."""

    def __init__(self, seconds):
        self._begin = time.monotonic()
        self._seconds = seconds
        self._end = self._begin + seconds

    def begin(self, until):
        """A phase that ends, at the latest, when the part `until` of the budget is used.

        What earlier phases have left is the phase's, too.
        """
        self._end = self._begin + until * self._seconds

    @property
    def used(self):
        return time.monotonic() - self._begin

    @property
    def left(self):
        return self._end - time.monotonic()

    def limit(self, seconds):
        """How long a step of at most `seconds` may take now."""
        limit = min(seconds, self.left)
        if limit <= 0:
            raise OutOfTime("no time was left")
        return limit


def last_error(text):
    """The error line of a program, or its last line."""
    lines = [line for line in text.splitlines() if line.strip()]
    errors = [line for line in lines if "error" in line.lower()]
    return (errors or lines or ["it said nothing"])[0 if errors else -1]


_processes = set()  # that run


def begin(command, **streams):
    """Starts a program, which end_all ends, too."""
    process = subprocess.Popen([str(part) for part in command], start_new_session=True, **streams)
    _processes.add(process)
    return process


def end(process):
    """Ends a process that we started, with all that it started."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()
    _processes.discard(process)


def end_all():
    """Ends all that run."""
    for process in list(_processes):
        end(process)


def run(command, seconds):
    """Runs a program to its end; its standard output. Raises Failed or OutOfTime."""
    process = begin(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
    )
    try:
        out, err = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired as error:
        end(process)
        raise OutOfTime(f"did not end within {seconds:.0f} s") from error
    except BaseException:
        end(process)
        raise
    _processes.discard(process)
    if process.returncode < 0:
        raise Failed(f"ended by signal {-process.returncode}: {last_error(err)}")
    if process.returncode:
        raise Failed(f"exit code {process.returncode}: {last_error(err or out)}")
    return out


class Server:
    """A program that answers lines by lines (--serve), with its log in a file."""

    def __init__(self, command, log):
        self._log = log
        with open(log, "w") as errors:
            self._process = begin(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors
            )
        self._pending = b""

    def ask(self, line, seconds):
        """The answer to `line` and the seconds that it took."""
        begin = time.monotonic()
        try:
            self._process.stdin.write(line.encode() + b"\n")
            self._process.stdin.flush()
        except BrokenPipeError as error:
            raise self._failure() from error
        while b"\n" not in self._pending:
            left = begin + seconds - time.monotonic()
            if left <= 0 or not select.select([self._process.stdout], [], [], left)[0]:
                raise OutOfTime(f"no answer within {seconds:.0f} s")
            piece = os.read(self._process.stdout.fileno(), 1 << 16)
            if not piece:
                raise self._failure()
            self._pending += piece
        answer, self._pending = self._pending.split(b"\n", 1)
        return answer.decode(), time.monotonic() - begin

    def _failure(self):
        self._process.wait()
        with open(self._log, errors="replace") as text:
            return Failed(f"exit code {self._process.returncode}: {last_error(text.read())}")

    def finish(self, seconds):
        """Ends the input and waits for the program, which writes its reports."""
        self._process.stdin.close()
        try:
            self._process.wait(timeout=max(seconds, 0.1))
        except subprocess.TimeoutExpired as error:
            raise OutOfTime(f"did not end within {seconds:.0f} s") from error
        if self._process.returncode:
            raise self._failure()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        end(self._process)
        self._process.stdin.close()
        self._process.stdout.close()
