#!/usr/bin/env python3
"""Runs programs that another front end wrote, sharded, and checks what tp-run makes of them.

usage: foreign.py --tp-run PATH [--only NAME,NAME] [--with="--poison"] [--verbose]

README.md describes the programs and the fields of expect.json. Needs numpy.

  --with  options for each tp-run

Exit code 1 when an entry fails.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

try:
    import numpy as np
except ModuleNotFoundError:
    sys.exit("error: this needs numpy; run it with build/venv/bin/python")

HERE = Path(__file__).resolve().parent
TIMEOUT_S = 120
# Of the largest value of a result.
TOLERANCE = 5e-5


def load_entries():
    """The entries of expect.json."""
    return json.loads((HERE / "expect.json").read_text())


def check_values(folder, arrays):
    """What is wrong with the results in `folder`, or None."""
    for j in range(sum(name.startswith("out") for name in arrays)):
        wanted = arrays[f"out{j}"]
        got = np.load(folder / f"result{j}.npy").astype(np.float64)
        if got.shape != wanted.shape:
            return f"result {j} has shape {got.shape}, not {wanted.shape}"
        finite = np.abs(wanted[np.isfinite(wanted)].astype(np.float64))
        is_float = np.issubdtype(wanted.dtype, np.floating)
        tolerance = TOLERANCE * float(np.max(finite, initial=0.0)) if is_float else 0
        if not np.allclose(got, wanted, rtol=0, atol=tolerance, equal_nan=True):
            return f"result {j} is wrong: {got.reshape(-1)[:8]} should be {wanted.reshape(-1)[:8]}"
    return None


def check_collectives(entry, collectives):
    """What is wrong with the communication, or None."""
    counts, sent = {}, 0
    for collective in collectives:
        kind = collective["kind"]
        counts[kind] = counts.get(kind, 0) + collective["count"]
        sent += collective["bytes_per_rank"] * collective["count"]
    for kind, count in counts.items():
        most = entry["collectives"].get(kind, 0)
        if count > most:
            return f"{count} {kind}, right: at most {most} (all: {counts})"
    if sent > entry["bytes"]:
        return f"a rank sends {sent} bytes, right: at most {entry['bytes']}"
    return None


def attempt(entry, tp_run, options=()):
    """Tries one entry; what is wrong, or None."""
    arrays = np.load(HERE / f"{entry['file']}.npz")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        plan = folder / "plan.json"
        plan.write_text(json.dumps(entry["plan"]))
        command = [tp_run, HERE / f"{entry['file']}.mlir", "--plan", plan, "--entry", "main"]
        command += ["--output", folder, f"--explain={folder / 'explain.json'}", *options]
        for key in arrays:
            if key.startswith("in"):
                np.save(folder / f"{key}.npy", arrays[key])
                command += ["--input", f"{key[2:]}={folder / key}.npy"]
        try:
            run = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT_S)
        except subprocess.TimeoutExpired:
            return f"hang ({TIMEOUT_S} s)"
        if run.returncode:
            return f"exit code {run.returncode}: {run.stderr.strip()[-300:]}"
        problem = check_values(folder, arrays)
        explanation = json.loads((folder / "explain.json").read_text())
    return problem or check_collectives(entry, explanation["entries"]["main"]["collectives"])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tp-run", required=True)
    parser.add_argument("--only", default="", help="names of programs, flip,gqa")
    parser.add_argument("--with", dest="options", default="", help="options for each tp-run")
    parser.add_argument("--verbose", action="store_true")
    arguments = parser.parse_args()
    tp_run = Path(arguments.tp_run).resolve()
    tried = failed = 0
    for entry in load_entries():
        if arguments.only and entry["file"] not in arguments.only.split(","):
            continue
        tried += 1
        problem = attempt(entry, tp_run, arguments.options.split())
        failed += problem is not None
        if problem or arguments.verbose:
            status = "FAIL" if problem else "ok  "
            print(f"{status} {entry['file']} {entry['plan']}: {problem or ''}", flush=True)
    print(f"{tried - failed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
