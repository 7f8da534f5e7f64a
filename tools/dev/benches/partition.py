"""Time from annotation to partitioned IR per decoder layer, and of the proof of it."""

import re
import statistics
import subprocess
import tempfile
from pathlib import Path

import model
from console import BIN, say

from .judge import judge

LAYERS = (8, 16, 32, 64, 128, 256, 512, 1024)
# A language model has two entries, prefill and decode, each with all layers.
ENTRIES = 2
MS_PER_LAYER_LIMIT = 1.0
# How much a layer may cost more at the largest depth than at 64 layers before
# the time no longer counts as linear.
LINEAR_LIMIT = 1.5
# How long the proof of the partitioned program may take, in times of partitioning.
CHECK_LIMIT = 1.0


def timing_seconds(report):
    """Seconds of the passes in a report of --mlir-timing: all but reading and writing.

    The report gives the wall time of everything, then in its list form one
    line per timer, with wall time as the last (or only) column before the name.
    """
    total = re.search(r"Total Execution Time: ([\d.]+) seconds", report)
    if not total:
        raise ValueError("no total in the timing report")
    rows = re.findall(r"(-?[\d.]+) \(\s*-?[\d.]+%\)\s+([^\s\d(].*)$", report, re.MULTILINE)
    times = {name.strip(): float(seconds) for seconds, name in rows}
    return float(total[1]) - times.get("Parser", 0.0) - times.get("Output", 0.0)


def layered_model(layers, folder):
    """Model IR with `layers` equal decoder layers, from a tiny checkpoint."""
    from tp import tiny

    checkpoint = tiny.make("even", folder / f"hf-{layers}", num_hidden_layers=layers)
    output = folder / f"model-{layers}.mlir"
    model.run_tool(f"importing {layers} layers", [BIN / "tp-import", checkpoint, "-o", output])
    return output


def partition_seconds(ir):
    """Seconds from the annotated module to partitioned IR, verifiers off."""
    command = [BIN / "tp-opt", ir, "--tp-apply-plan=plan=megatron mesh=tp=4", "--verify-each=false"]
    command += [f"--tp-{name}-pipeline=verify=false" for name in ("plan", "reshard", "partition")]
    command += ["--mlir-timing", "--mlir-timing-display=list", "-o", "/dev/null"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode:
        say(result.stderr)
        raise SystemExit(result.returncode)
    return timing_seconds(result.stderr)


def check_seconds(ir):
    """Seconds of partitioning and of proving the result, in one run of tp-compile."""
    command = [BIN / "tp-compile", ir, "--plan", "megatron", "--mesh", "tp=4", "--emit=comm"]
    command += ["-o", "/dev/null", "--mlir-timing", "--mlir-timing-display=list"]
    report = subprocess.run(command, capture_output=True, text=True, check=True).stderr
    # Wall time is the last column before the name.
    rows = re.findall(r"([\d.]+) \(\s*[\d.]+%\)\s+(\w+)$", report, re.MULTILINE)
    times = {name: float(seconds) for seconds, name in rows}
    return sum(times[phase] for phase in ("plan", "reshard", "partition")), times["check"]


def run(options):
    model.build("tp-import", "tp-opt", "tp-compile")
    print("layers    time   per layer  per layer and entry")
    per_layer = {}
    with tempfile.TemporaryDirectory() as folder:
        for layers in LAYERS:
            ir = layered_model(layers, Path(folder))
            seconds = statistics.median(partition_seconds(ir) for _ in range(options.runs))
            milliseconds = 1000 * seconds
            per_layer[layers] = milliseconds / layers / ENTRIES
            print(
                f"{layers:6}  {milliseconds:7.1f} ms  {milliseconds / layers:.3f} ms"
                f"   {per_layer[layers]:.3f} ms",
                flush=True,
            )
        partitioning, checking = check_seconds(ir)
    worst = max(per_layer[layers] for layers in LAYERS if layers >= 64)
    growth = per_layer[LAYERS[-1]] / per_layer[64]
    good = judge(
        "ms per layer and entry, from 64 layers on", worst, MS_PER_LAYER_LIMIT, at_most=True
    )
    good &= judge("growth of a layer's cost", growth, LINEAR_LIMIT, at_most=True)
    ratio = checking / partitioning
    return judge("proving to partitioning, one run", ratio, CHECK_LIMIT, at_most=True) and good
