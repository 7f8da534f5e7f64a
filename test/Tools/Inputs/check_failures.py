"""Runs a tool with wrong input and compares the one error that it prints.

usage: check_failures.py TOOL CASES

A case is a paragraph of CASES: `command:` with the arguments, `error:` with what
the error line must contain (`{{.*}}` stands for any text), and maybe `note:` and
`exit:` (the exit code, by default 2). Nothing may be printed on standard output
and no file may be left behind.
"""

import os
import re
import shlex
import subprocess
import sys


def read_cases(path):
    """Yields one dictionary per paragraph."""
    for paragraph in open(path).read().strip("\n").split("\n\n"):
        yield dict(line.split(":", 1) for line in paragraph.split("\n"))


def contains(text, wanted):
    """Whether `wanted`, in which `{{.*}}` is any text, occurs in `text`."""
    parts = (re.escape(part) for part in wanted.strip().split("{{.*}}"))
    return re.search(".*".join(parts), text) is not None


def check(tool, case):
    """Returns what is wrong with the answer to this case, or None."""
    before = set(os.listdir("."))
    command = [tool, *shlex.split(case["command"])]
    run = subprocess.run(command, capture_output=True, text=True, timeout=60)
    lines = run.stderr.split("\n")
    errors = [line for line in lines if "error: " in line]
    notes = [line for line in lines if "note: " in line]
    left = sorted(set(os.listdir(".")) - before)
    if run.returncode != int(case.get("exit", 2)):
        return f"exit code {run.returncode}\n{run.stderr}"
    if len(errors) != 1:
        return f"{len(errors)} errors\n{run.stderr}"
    if not contains(errors[0], case["error"]):
        return f"wanted {case['error']}\n{run.stderr}"
    if "note" in case and not any(contains(note, case["note"]) for note in notes):
        return f"wanted note {case['note']}\n{run.stderr}"
    if run.stdout:
        return f"printed on standard output\n{run.stdout}"
    return f"left {left} behind" if left else None


def main():
    tool, cases = sys.argv[1:]
    bad = 0
    for case in read_cases(cases):
        problem = check(tool, case)
        if problem:
            bad += 1
            print(f"{tool} {case['command']}\n{problem}")
    return bad > 0


if __name__ == "__main__":
    sys.exit(main())
