"""Cost of the compiler core, from annotations to the program of one rank.

CPU time of tp-opt with the four phases, verifiers off, less that of reading and
writing alone: it is the same whatever else the machine does. Then that of the proof:
tp-compile with it less tp-compile without. Beside them MLIR's own `shard` passes on the
programs that both can do, and JAX's propagation and partitioner on the layers, where
JAX is installed.
"""

import functools
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import model
from console import BIN

from . import programs
from .judge import judge

LAYERS = (64, 256, 1024, 2048)
USERS = (512, 4096)
BLOCKS = (16, 128)
JAX_LAYERS = (8, 64)
MS_PER_LAYER_LIMIT = 1.0
US_PER_OP_LIMIT = 20.0
PROOF_LIMIT = 1.0
# How much a layer, or a use, may cost more in the largest program than in the smallest.
LINEAR_LIMIT = 2.0
PHASES = [
    f"--tp-{phase}-pipeline=verify=false"
    for phase in ("plan", "reshard", "partition", "optimize-comm")
]
SHARD = [
    "--pass-pipeline=builtin.module(func.func(sharding-propagation{traversal=backward-forward},"
    "shard-partition,canonicalize,cse))"
]
SHARD_TOOL = shutil.which("mlir-opt", path="/usr/lib/llvm-22/bin:" + os.environ.get("PATH", ""))


def cost(command):
    """CPU seconds and peak memory in MiB of a command."""
    with tempfile.TemporaryFile() as log:
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=log)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            log.seek(0)
            raise SystemExit(log.read().decode(errors="replace"))
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def passes_alone(tool, passes):
    """Commands of which the second does the passes, too."""

    def commands(path):
        command = [tool, path, "--verify-each=false", "-o", os.devnull]
        return command, command + passes

    return commands


def proof_alone(path):
    command = [BIN / "tp-compile", path, "--emit=comm", "-o", os.devnull]
    return command + ["--no-check"], command


def measure(commands, text, folder, runs):
    """CPU seconds of what the second command does beyond the first, MiB that it adds."""
    path = Path(folder) / "program.mlir"
    path.write_text(text, encoding="utf-8")
    without, complete = commands(path)
    pairs = [(cost(without), cost(complete)) for _ in range(runs)]
    return (
        statistics.median(full[0] - plain[0] for plain, full in pairs),
        statistics.median(full[1] - plain[1] for plain, full in pairs),
    )


def count_ops(text):
    """Ops of the functions, without those in bodies of linalg.generic."""
    return sum(line.startswith(("%", "    %")) for line in text.splitlines())


def has_jax(python):
    command = [python, "-c", "import jax"]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def jax_seconds(python, layers):
    """Seconds that JAX takes to partition the layers."""
    script = Path(__file__).with_name("jax_layers.py")
    sizes = (layers, programs.RANKS, programs.ROWS, programs.WIDTH, programs.HIDDEN)
    command = [python, script, *(str(size) for size in sizes)]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode:
        raise SystemExit(result.stderr)
    return float(result.stdout)


def row(name, count, ops, seconds, mebibytes):
    print(
        f"{name:24} {count:6} {ops:7} {1000 * seconds:9.1f} ms"
        f" {1000 * seconds / count:8.3f} ms {1e6 * seconds / ops:7.1f} us"
        f" {1024 * mebibytes / count:8.1f} KiB",
        flush=True,
    )


def series(name, write, counts, commands, folder, runs):
    """Prints a row per size; the cost of one unit and of one op, and the memory of a unit."""
    found = []
    for count in counts:
        text = write(count)
        ops = count_ops(text)
        seconds, mebibytes = measure(commands, text, folder, runs)
        row(name, count, ops, seconds, mebibytes)
        found.append((seconds / count, seconds / ops, mebibytes / count))
    return found


def run(options):
    model.build("tp-opt", "tp-compile")
    print("program                  layers     ops       time  per layer    per op   memory")
    print("                        or uses                       or use            per layer")
    good = True
    with tempfile.TemporaryDirectory() as folder:
        ours = passes_alone(BIN / "tp-opt", PHASES)
        for name, write, counts, per_unit in (
            ("layers", programs.layers, LAYERS, True),
            ("users of one value", programs.users, USERS, False),
            ("gathers of one value", programs.gathers, USERS, False),
            ("blocks of JAX", programs.foreign, BLOCKS, False),
        ):
            found = series(name, write, counts, ours, folder, options.runs)
            proofs = series("  their proof", write, counts, proof_alone, folder, options.runs)
            if per_unit:
                worst = max(unit for unit, _, _ in found) * 1000
                good &= judge(f"{name}: ms each", worst, MS_PER_LAYER_LIMIT, at_most=True)
            worst = max(op for _, op, _ in found) * 1e6
            good &= judge(f"{name}: us per op", worst, US_PER_OP_LIMIT, at_most=True)
            ratio = max(proof / op for (_, op, _), (_, proof, _) in zip(found, proofs))
            good &= judge(f"{name}: proof to partitioning", ratio, PROOF_LIMIT, at_most=True)
            growth = found[-1][0] / found[0][0]
            good &= judge(f"{name}: growth of the cost of one", growth, LINEAR_LIMIT, at_most=True)
            growth = found[-1][2] / found[0][2]
            good &= judge(f"{name}: growth of its memory", growth, LINEAR_LIMIT, at_most=True)
        if SHARD_TOOL:
            theirs = passes_alone(SHARD_TOOL, SHARD)
            for name, write, counts in (
                ("layers, shard dialect", programs.layers, LAYERS),
                ("users, shard dialect", programs.users, USERS),
            ):
                in_shard = functools.partial(write, dialect=programs.SHARD)
                series(name, in_shard, counts, theirs, folder, options.runs)
        else:
            print("no mlir-opt: nothing to compare with")
    python = options.jax or sys.executable
    if has_jax(python):
        for layers in JAX_LAYERS:
            seconds = statistics.median(jax_seconds(python, layers) for _ in range(options.runs))
            print(
                f"layers, JAX {layers:20} {1000 * seconds:17.1f} ms"
                f" {1000 * seconds / layers:8.3f} ms"
            )
    else:
        print(f"JAX is not installed for {python}: not compared with (--jax PYTHON)")
    return good
