#!/usr/bin/env python3
"""Runs programs on which sharding goes wrong elsewhere, and checks what tp-run makes of them.

usage: check.py --tp-run PATH [--only 01,15] [--with="--poison"] [--values-only] [--verbose]

Each entry of expect.json is a program of this folder with a plan and the communication
that is right for it; README.md describes the fields. The results must be those of the
unsharded program run by LLVM's own tools. Needs numpy and LLVM 22 (LLVM_BIN).

  --with         options for each tp-run
  --values-only  accept one clear error for any entry, and do not count collectives

Exit code 1 when an entry fails.
"""

import argparse
import functools
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

try:
    import numpy as np
except ModuleNotFoundError:
    sys.exit("error: this needs numpy; run it with build/venv/bin/python")

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import unsharded  # noqa: E402

TIMEOUT_S = 120
# Rows of a dynamic dimension where the entry says nothing.
DEFAULT_ROWS = 7
NUMPY_TYPES = {
    "f32": np.float32,
    "bf16": np.float32,
    "f16": np.float32,
    "i64": np.int64,
    "i32": np.int32,
    "i1": np.int8,
    "index": np.int64,
}


def load_entries():
    """The entries of expect.json."""
    return json.loads((HERE / "expect.json").read_text())


def read_program(entry):
    """The text of the entry's program, with its replacements."""
    text = (HERE / f"{entry['file']}.mlir").read_text()
    for old, new in entry.get("replace", []):
        text = text.replace(old, new)
    return text


def read_signature(text, function):
    """Argument and result types of a function; none when there is no such function."""
    match = re.search(rf"func\.func @{function}\((.*?)\) -> (.*?) \{{\n", text)
    if not match:
        return [], []
    arguments = re.split(r", (?=%)", match[1]) if match[1] else []
    types = [argument.split(": ")[1] for argument in arguments]
    return types, re.findall(r"tensor<[^>]*>", match[2])


def default_value(element, k, i):
    """Element i of argument k where the program gives no formula."""
    if element == "index":
        return 1
    if element[0] in "fb":
        return ((((i + 31 * k) * 2654435761 % 2**32) >> 15) % 17 - 8) * 0.25
    return (i * 3 + k) % 8


def make_inputs(text, types, overrides, rows):
    """The arguments as arrays. `// INPUT k: formula` in the program, over i and n, gives the
    elements of argument k; `overrides` of the entry come first."""
    formulas = dict(re.findall(r"^// INPUT (\d+): (.*)$", text, re.M))
    formulas.update({key: str(value) for key, value in overrides.items() if key.isdigit()})
    arrays = []
    for k, type_text in enumerate(types):
        shape, element = unsharded.parse_type(type_text, rows)
        n = unsharded.count(shape)
        if str(k) in formulas:
            values = [eval(formulas[str(k)], {"i": i, "n": n}) for i in range(n)]
        else:
            values = [default_value(element, k, i) for i in range(n)]
        arrays.append(np.array(values, dtype=NUMPY_TYPES[element]).reshape(shape))
    return arrays


@functools.lru_cache(maxsize=None)
def reference_results(text, function, types, result_types, values, rows):
    """Results of the unsharded program; many entries ask for the same ones."""
    return unsharded.run_unsharded(text, function, types, result_types, values, rows)


def check_failure(entry, run):
    """What is wrong with a run that failed, or None."""
    stderr = run.stderr.strip()
    if run.returncode not in (2, 3):
        return f"exit code {run.returncode}, an error is 2 or 3: {stderr[-300:]}"
    if not entry.get("error"):
        return f"error: {stderr[:300]}"
    errors = len(re.findall(r"error:", stderr))
    if errors != 1:
        return f"{errors} error messages: {stderr[:300]}"
    if not re.search(r"\.(mlir|json)(:\d+)?", stderr):
        return f"error without a place: {stderr[:300]}"
    return None


def check_values(folder, expected):
    """What is wrong with the results in `folder`, or None."""
    for j, values in enumerate(expected):
        wanted = np.array(values)
        got = np.load(folder / f"result{j}.npy").astype(np.float64).reshape(-1)
        if got.size != wanted.size:
            return f"result {j} has {got.size} elements, not {wanted.size}"
        largest = float(np.max(np.abs(wanted[np.isfinite(wanted)]), initial=0.0))
        tolerance = 2e-5 * max(1.0, largest)
        same = np.isclose(got, wanted, rtol=0, atol=tolerance, equal_nan=True)
        if not same.all():
            i = int(np.argmax(~same))
            return f"result {j} differs at flat index {i}: {got[i]} should be {wanted[i]}"
    return None


def check_collectives(entry, collectives):
    """What is wrong with the communication, or None."""
    counts = {}
    for collective in collectives:
        kind = collective["kind"]
        counts[kind] = counts.get(kind, 0) + collective["count"]
    for kind in sorted(set(counts) | set(entry["collectives"])):
        least, most = entry["collectives"].get(kind, [0, 0])
        if not least <= counts.get(kind, 0) <= most:
            return f"{counts.get(kind, 0)} {kind}, right: {least} to {most} (all: {counts})"
    total = sum(counts.values())
    if "total" in entry and not entry["total"][0] <= total <= entry["total"][1]:
        return f"{total} collectives, right: {entry['total']} (all: {counts})"
    largest = max((collective["elements"] for collective in collectives), default=0)
    if largest > entry.get("max_elements", largest):
        return f"a collective of {largest} elements, right: at most {entry['max_elements']}"
    return None


def run_entry(entry, tp_run, options, folder, arrays, text):
    """One tp-run on the entry; results and explanation lie in `folder`."""
    plan = folder / "plan.json"
    plan.write_text(json.dumps(entry["plan"]))
    program = folder / f"{entry['file']}.mlir"
    program.write_text(text)
    command = [tp_run, program, "--plan", plan, "--entry", entry["entry"]]
    command += ["--output", folder, f"--explain={folder / 'explain.json'}", *options]
    for k, array in enumerate(arrays):
        path = folder / f"in{k}.npy"
        np.save(path, array)
        command += ["--input", f"{k}={path}"]
    return subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT_S)


def attempt(entry, tp_run, options=(), values_only=False):
    """Tries one entry; what is wrong, or None."""
    if values_only:
        entry = {"error": "may", **entry, "collectives": None}
    text = read_program(entry)
    types, result_types = read_signature(text, entry["entry"])
    overrides = entry.get("inputs", {})
    rows = overrides.get("rows", DEFAULT_ROWS)
    arrays = make_inputs(text, types, overrides, rows)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        try:
            run = run_entry(entry, tp_run, options, folder, arrays, text)
        except subprocess.TimeoutExpired:
            return f"hang ({TIMEOUT_S} s)"
        crashed = run.returncode < 0 or run.returncode >= 126
        if crashed or "Assertion" in run.stderr or "PLEASE submit a bug" in run.stderr:
            return f"crash, exit code {run.returncode}: {run.stderr[-300:]}"
        if run.returncode != 0:
            return check_failure(entry, run)
        if entry.get("error") == "must":
            return "accepted, should be an error"
        values = tuple(tuple(array.reshape(-1).tolist()) for array in arrays)
        expected = reference_results(
            text, entry["entry"], tuple(types), tuple(result_types), values, rows
        )
        problem = check_values(folder, expected)
        if problem or entry["collectives"] is None:
            return problem
        explanation = json.loads((folder / "explain.json").read_text())
    return check_collectives(entry, explanation["entries"][entry["entry"]]["collectives"])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tp-run", required=True)
    parser.add_argument("--only", default="", help="numbers of programs, 01,15")
    parser.add_argument("--with", dest="options", default="", help="options for each tp-run")
    parser.add_argument("--values-only", action="store_true")
    parser.add_argument("--verbose", action="store_true")
    arguments = parser.parse_args()
    tp_run = Path(arguments.tp_run).resolve()
    tried = failed = 0
    for entry in load_entries():
        if arguments.only and entry["file"][:2] not in arguments.only.split(","):
            continue
        tried += 1
        problem = attempt(entry, tp_run, arguments.options.split(), arguments.values_only)
        failed += problem is not None
        if problem or arguments.verbose:
            status = "FAIL" if problem else "ok  "
            print(f"{status} {entry['file']} {entry['variant']}: {problem or ''}", flush=True)
    print(f"{tried - failed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
