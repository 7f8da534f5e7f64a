"""Attention, rope and caches on the emulated device, by the library's kernels or without, have the
CPU's values."""

import os
import re
import shutil
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


PTXAS = shutil.which("ptxas") or "/usr/local/cuda/bin/ptxas"


@pytest.mark.skipif(not os.path.exists(PTXAS), reason="needs ptxas")
@pytest.mark.parametrize("arch", [80, 90])
def test_registers(arch, tmp_path):
    """Kernels of several shapes keep all in registers, each made for its own."""
    shapes = [
        (1, steps, 8, 4, depth, 8192, dtype, "scale 0.1")
        for depth in (64, 128)
        for dtype in ("f32", "bf16")
        for steps in (1, 512)
    ]
    program, text = tmp_path / "program.mlir", tmp_path / "program.ptx"
    functions = [attention(*shape).replace("@f", f"@f{i}") for i, shape in enumerate(shapes)]
    program.write_text("".join(functions))
    compiler = ROOT / "build" / "bin" / "tp-compile"
    options = ("--mesh", "tp=1", "--target", f"cuda:sm_{arch}", "--emit=device", "-o", text)
    subprocess.run([compiler, program, *options], check=True)
    command = [PTXAS, "-v", f"-arch=sm_{arch}", text, "-o", tmp_path / "program.cubin"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    # A kernel for each, and one that merges parts per type and depth.
    assert done.stderr.count("Compiling entry function") == 12
    in_registers = "0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads"
    assert done.stderr.count(in_registers) == 12, done.stderr


def test_layer(tmp_path):
    """Rows of a batch at positions of their own; elements that are not rotated."""
    types = {
        "Q": "tensor<2x3x2x2x80xbf16>",
        "U": "tensor<2x3x2x80xbf16>",
        "C": "tensor<2x2x40x80xbf16>",
        "T": "tensor<2x3x16xf32>",
        "P": "tensor<2xi64>",
    }
    source = """
func.func @f(%q: Q, %k: U, %v: U, %pos: P, %kc: C, %vc: C) -> (Q, C, C) {
  %c, %s = nn.rotary_table %pos theta 100.0 : P -> T
  %q1 = nn.rope %q, %c, %s : Q, T
  %k1 = nn.rope %k, %c, %s : U, T
  %kc1 = nn.cache_update %kc, %k1, %pos : C, U, P
  %vc1 = nn.cache_update %vc, %v, %pos : C, U, P
  %o = nn.attention %q1, %kc1, %vc1, %pos scale 0.1 : Q, C, P
  return %o, %kc1, %vc1 : Q, C, C
}
"""
    for name, text in types.items():
        source = re.sub(rf"\b{name}\b", text, source)
    compare(source, tmp_path, [37, 0], "--mesh", "tp=1")


def test_position_outside(tmp_path):
    """No row is written, and the check tells."""
    types = "tensor<2x1x8x32xf32>, tensor<2x3x1x32xf32>, tensor<2xi64>"
    cache, update, pos = types.split(", ")
    program, positions = tmp_path / "program.mlir", tmp_path / "pos.npy"
    program.write_text(f"""
func.func @f(%c: {cache}, %u: {update}, %pos: {pos}) -> {cache} {{
  %o = nn.cache_update %c, %u, %pos : {types}
  return %o : {cache}
}}
""")
    np.save(positions, np.array([2, 6], dtype=np.int64))
    options = ("--mesh", "tp=1", "--target", "cuda", "--input", f"2={positions}")
    done = subprocess.run([*RUN, program, *options], capture_output=True, text=True)
    assert done.returncode != 0
    reason = "position of new keys or values in a cache is 6, outside [0, 6)"
    assert reason in done.stderr, done.stderr
