"""What the tools print while they work, and how they run other programs.

Shared by tools/test, tools/demo and tools/bench. Standard library only.
"""

import os
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build"
BIN = BUILD / "bin"

# A step that lasts longer than this shows that it is still alive.
PROGRESS_AFTER_S = 2.0
# How often it says so where the output is not a terminal.
PROGRESS_EVERY_S = 30.0


def say(text=""):
    """Prints one line on stderr; stdout belongs to a tool's results."""
    print(text, file=sys.stderr, flush=True)


def fail(message, status=2, notes=()):
    """Ends the tool with one `error:` line, then notes."""
    say(f"error: {message}")
    for note in notes:
        say(f"note: {note}")
    raise SystemExit(status)


class Progress:
    """Shows `title ... 12 s` while the body of a `with` runs.

    On a terminal the line is rewritten in place once the step has lasted two
    seconds; elsewhere a line appears after two seconds and then now and then.
    `detail`, a function, gives what to show behind the title at that moment.
    `seconds` is the time that the body took. With `quiet`, a body that was
    done in two seconds prints nothing.
    """

    def __init__(self, title, detail=None, quiet=False, stream=None):
        self.title = title
        self.detail = detail or (lambda: "")
        self.quiet = quiet
        self.seconds = 0.0
        self._stream = stream or sys.stderr
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._show, daemon=True)

    def __enter__(self):
        self._start = time.monotonic()
        self._thread.start()
        return self

    def __exit__(self, kind, value, trace):
        self.seconds = time.monotonic() - self._start
        self._done.set()
        self._thread.join()
        if kind is None and not (self.quiet and self.seconds < PROGRESS_AFTER_S):
            self._write(f"{self.title}: {self.seconds:.1f} s", final=True)
        elif kind is not None and self._stream.isatty():
            self._stream.write("\n")

    def _show(self):
        wait = PROGRESS_AFTER_S
        while not self._done.wait(wait):
            seconds = f"{time.monotonic() - self._start:.0f} s"
            self._write(" ".join(filter(None, [self.title, "...", self.detail(), seconds])))
            wait = 0.5 if self._stream.isatty() else PROGRESS_EVERY_S

    def _write(self, text, final=False):
        if self._stream.isatty():
            self._stream.write("\r\033[K" + text + ("\n" if final else ""))
        else:
            self._stream.write(text + "\n")
        self._stream.flush()


def end_group(process):
    """Stops a process started with `start_new_session` and its children."""
    for what, patience in ((signal.SIGTERM, 5), (signal.SIGKILL, 5)):
        try:
            os.killpg(process.pid, what)
        except ProcessLookupError:
            return
        try:
            process.wait(patience)
        except subprocess.TimeoutExpired:
            pass


def run_logged(command, log, timeout=None, cwd=ROOT, env=None):
    """Runs `command` with both output streams appended to the file `log`.

    Returns the exit status, or None when it ran past `timeout` seconds and
    was stopped with all its children.
    """
    log.parent.mkdir(parents=True, exist_ok=True)
    with open(log, "ab") as out:
        out.write(f"$ {' '.join(map(str, command))}\n".encode())
        out.flush()
        process = subprocess.Popen(
            [str(part) for part in command],
            cwd=cwd,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            return process.wait(timeout)
        except subprocess.TimeoutExpired:
            end_group(process)
            return None
        except BaseException:
            end_group(process)
            raise


def tail(log, lines):
    """The last `lines` lines of a file."""
    text = Path(log).read_text(errors="replace").splitlines()
    return "\n".join(text[-lines:])


def ninja_step(log):
    """The last `[12/345]` that ninja wrote to `log`, or an empty string."""
    if not log.exists():
        return ""
    steps = re.findall(r"^\[\d+/\d+\]", log.read_text(errors="replace"), re.M)
    return steps[-1] if steps else ""
