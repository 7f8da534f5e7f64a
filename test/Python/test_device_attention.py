"""Attention on the emulated device, by the library's kernels or without, has the CPU's values."""

import subprocess
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]
RUN = (ROOT / "tools" / "emulate", ROOT / "build" / "bin" / "tp-run")


def compare(source, tmp_path, positions, *options):
    """Runs a function whose argument 3 is the positions; it fails where values differ."""
    program, pos = tmp_path / "program.mlir", tmp_path / "pos.npy"
    program.write_text(source)
    np.save(pos, np.array(positions, dtype=np.int64))
    options = ("--input", f"3={pos}", "--target", "cuda", "--compare", *options)
    done = subprocess.run([*RUN, program, *options], capture_output=True, text=True)
    assert done.returncode == 0, source + done.stdout + done.stderr
    assert done.stdout.endswith("equal to the unsharded program\n"), done.stdout


def attention(batch, steps, heads, group, depth, capacity, dtype, how):
    query = f"tensor<{batch}x{steps}x{heads}x{group}x{depth}x{dtype}>"
    cache = f"tensor<{batch}x{heads}x{capacity}x{depth}x{dtype}>"
    pos = f"tensor<{batch}xi64>"
    return f"""
func.func @f(%q: {query}, %k: {cache}, %v: {cache}, %pos: {pos}) -> {query} {{
  %o = nn.attention %q, %k, %v, %pos {how} : {query}, {cache}, {pos}
  return %o : {query}
}}
"""


# Batch, steps, heads, group, depth, capacity; positions.
SHAPES = [
    ((1, 70, 2, 1, 64, 71, "f32", "scale 0.125"), [1]),
    ((2, 9, 1, 5, 96, 130, "bf16", "scale -0.2 window 33"), [0, 121]),
    ((1, 1, 2, 7, 128, 300, "bf16", "scale 0.09"), [217]),
    ((1, 2, 1, 3, 80, 257, "f16", "scale 0.0 window 100"), [255]),
    ((1, 17, 1, 2, 256, 65, "f16", "bidirectional scale 0.06"), [64]),
    ((3, 1, 1, 1, 32, 100, "f32", "scale 0.2 window 1"), [0, 99, 50]),
    ((1, 3, 2, 2, 20, 40, "bf16", "scale 0.2"), [30]),
]


@pytest.mark.parametrize("shape,positions", SHAPES)
def test_shapes(shape, positions, tmp_path):
    compare(attention(*shape), tmp_path, positions, "--mesh", "tp=1")


@pytest.mark.parametrize("axis", ["query", "positions"])
def test_cut(axis, tmp_path):
    """Ranks that have some of the steps, or of the positions."""
    source = attention(1, 6, 2, 3, 64, 150, "bf16", "scale 0.125")
    sharding = {"query": ("f.arg0", "[_, tp, _, _, _]"), "positions": ("f.arg1", "[_, _, tp, _]")}
    plan = tmp_path / "plan.json"
    name, value = sharding[axis]
    plan.write_text(f'{{"mesh": {{"tp": 4}}, "shard": {{"{name}": "{value}"}}}}')
    compare(source, tmp_path, [133], "--plan", plan)
