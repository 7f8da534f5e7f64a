"""Compiled models and what the machine can do, measured."""

import json
import re
import subprocess
import tempfile
from collections import Counter
from pathlib import Path

import model
from console import BIN, fail


def measure(executable, weights, prompt, new_tokens, threads):
    """What a compiled model's --metrics say of one run; its tokens are not looked at."""
    from tp.executable import command_line, stream_ids

    with tempfile.NamedTemporaryFile(suffix=".json") as metrics:
        extra = ["--threads", str(threads), "--metrics", metrics.name]
        for _ in stream_ids(command_line(executable, weights, prompt, new_tokens, extra)):
            pass
        return model.read_metrics(metrics.name)


def spans(executable, weights, prompt, threads):
    """Milliseconds that rank 0 spent while it read a prompt, by what stands last in a span's
    name (gemm, kernel, all_reduce, ...), kernels by their whole name without the layer."""
    from tp.executable import command_line, stream_ids

    with tempfile.NamedTemporaryFile(suffix=".json") as trace:
        extra = ["--threads", str(threads), "--trace", trace.name]
        for _ in stream_ids(command_line(executable, weights, prompt, 1, extra)):
            pass
        events = json.loads(Path(trace.name).read_text())["traceEvents"]
    totals = Counter()
    for event in events:
        if event.get("ph") == "X" and event["pid"] == 0 and event["cat"] != "entry":
            name = re.sub(r"^.*layers\.\d+\.", "", event["name"])
            kind = name.rsplit(".", 1)[-1]
            totals[name if kind == "kernel" else kind] += event["dur"] / 1000
    return totals


def lines_of(*command):
    """The JSON lines that a measuring tool of build/bin prints."""
    result = subprocess.run(
        [str(BIN / command[0]), *map(str, command[1:])], capture_output=True, text=True, check=False
    )
    if result.returncode:
        fail(f"{command[0]} failed: {result.stderr.strip()}", status=3)
    return [json.loads(line) for line in result.stdout.splitlines()]


def streams(threads):
    """GB/s of `threads` threads by type of the weights: (product of one row, plain reading)."""
    rows = lines_of("tp-bench-kernels", "stream", threads)
    return {row["weights"]: (row["product_gb_s"], row["read_gb_s"]) for row in rows}


def published(dtype, tp):
    """The demo's model: its checkpoint and its executable for `tp` ranks."""
    directory = model.checkpoint()
    name = "smollm2" if dtype == "f32" else f"smollm2-{dtype}"
    ir = model.imported(directory, name, ["--dtype", dtype])
    return directory, model.compiled(ir, tp, name).executable


def ordinary_prompt(count):
    """Tokens of the demo model's vocabulary, none of them special."""
    return [1000 + 97 * i for i in range(count)]
