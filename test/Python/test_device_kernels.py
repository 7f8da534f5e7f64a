"""Kernels of the library for GPUs on the emulated device, beside the CPU's values.

Rows that vectors of 16 bytes cover and rows that they do not, of all types.
"""

import os
import subprocess
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]
BIN = ROOT / "build" / "bin"
EMULATE = ROOT / "tools" / "emulate"
FLOATS = ["f32", "bf16", "f16"]


class Program:
    """A function of ops that do not use each other, each with its own arguments."""

    def __init__(self):
        self.arguments, self.lines, self.results, self.types = [], [], [], []
        self.inputs = {}

    def argument(self, type, value=None):
        name = f"%a{len(self.arguments)}"
        if value is not None:
            self.inputs[len(self.arguments)] = value
        self.arguments.append(f"{name}: {type}")
        return name

    def op(self, text, *types):
        names = [f"%r{len(self.results) + i}" for i in range(len(types))]
        self.lines.append(f"  {', '.join(names)} = {text}")
        self.results += names
        self.types += types

    def compare(self, directory, kernels, plan="replicated", mesh="tp=1"):
        """Values on an emulated device are those on the CPU, and `kernels` computed them."""
        types = ", ".join(self.types)
        path = directory / "program.mlir"
        path.write_text(
            f"func.func @f({', '.join(self.arguments)}) -> ({types}) {{\n"
            + "\n".join(self.lines)
            + f"\n  return {', '.join(self.results)} : {types}\n}}\n"
        )
        plan = ["--plan", plan, "--mesh", mesh]
        inputs = []
        for number, value in self.inputs.items():
            np.save(directory / f"{number}.npy", value)
            inputs += ["--input", f"{number}={directory / f'{number}.npy'}"]
        out = run(EMULATE, BIN / "tp-run", path, *plan, *inputs, "--target", "cuda", "--compare")
        assert out.endswith("equal to the unsharded program\n"), out
        lowered = directory / "rt.mlir"
        options = ["--target", "cuda:emulated", "--emit=rt", "-o", lowered]
        run(BIN / "tp-compile", path, *plan, *options)
        found = lowered.read_text()
        for kernel in kernels:
            assert f'rt.kernel_call "{kernel}"' in found, found


def run(*command):
    """What a command prints; the test fails where it does."""
    command = [str(part) for part in command]
    done = subprocess.run(command, capture_output=True, text=True, env=os.environ)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("element", FLOATS)
def test_norms(element, tmp_path):
    program = Program()
    for i, (rows, size) in enumerate([(3, 64), (2, 37), (1, 1), (5, 264), (1, 1030)]):
        x = f"tensor<{rows}x{size}x{element}>"
        w = f"tensor<{size}x{element if i % 2 else 'f32'}>"
        a, b, c = program.argument(x), program.argument(w), program.argument(w)
        program.op(f"nn.rms_norm {a}, {b} epsilon 1.0e-05 weight_offset {i}.0 : {x}, {w}", x)
        program.op(f"nn.layer_norm {a}, {b}, {c} epsilon 1.0e-05 : {x}, {w}", x)
    program.compare(tmp_path, ["rms_norm", "layer_norm"])


@pytest.mark.parametrize("element", FLOATS)
def test_residuals(element, tmp_path):
    """The addition before a norm is part of it; its sum is a result, too."""
    program = Program()
    for rows, size in [(3, 64), (2, 37)]:
        x, w = f"tensor<{rows}x{size}x{element}>", f"tensor<{size}x{element}>"
        for norm in ("rms_norm", "layer_norm"):
            a, b = program.argument(x), program.argument(x)
            factors = [program.argument(w) for _ in range(1 if norm == "rms_norm" else 2)]
            program.op(f"arith.addf {a}, {b} : {x}", x)
            operands = ", ".join([program.results[-1], *factors])
            program.op(f"nn.{norm} {operands} epsilon 1.0e-05 : {x}, {w}", x)
    program.compare(tmp_path, ["residual_rms_norm", "residual_layer_norm"])


@pytest.mark.parametrize("element", FLOATS)
def test_vectors(element, tmp_path):
    """Generic kernels whose threads take neighbours: elementwise, a row or a column that is
    broadcast, sums along rows; sizes that vectors divide and others."""
    program = Program()
    for rows, size in [(300, 64), (301, 66), (5, 8200), (7, 37)]:
        x, w, c = f"tensor<{rows}x{size}x{element}>", f"tensor<{size}xf32>", f"tensor<{rows}xf32>"
        a, b, d = program.argument(x), program.argument(w), program.argument(c)
        program.lines.append(f"""  %e{a[1:]} = tensor.empty() : {x}
  %z{a[1:]} = arith.constant 0.0 : f32
  %n{a[1:]} = tensor.empty() : {c}
  %f{a[1:]} = linalg.fill ins(%z{a[1:]} : f32) outs(%n{a[1:]} : {c}) -> {c}""")
        cast = "arith.extf %x : {0} to f32" if element != "f32" else "arith.mulf %x, %x : f32"
        wide = cast.format(element)
        narrow = (
            f"arith.truncf %s : f32 to {element}" if element != "f32" else "arith.negf %s : f32"
        )
        maps = "[affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i)>"
        program.op(
            f"""linalg.generic {{indexing_maps = {maps}, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}}
      ins({a}, {b}, {d} : {x}, {w}, {c}) outs(%e{a[1:]} : {x}) {{
  ^bb0(%x: {element}, %y: f32, %v: f32, %o: {element}):
    %i = {wide}
    %p = arith.mulf %i, %y : f32
    %s = arith.addf %p, %v : f32
    %t = {narrow}
    linalg.yield %t : {element}
  }} -> {x}""",
            x,
        )
        program.op(
            f"""linalg.generic {{indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
      iterator_types = ["parallel", "reduction"]}}
      ins({a} : {x}) outs(%f{a[1:]} : {c}) {{
  ^bb0(%x: {element}, %o: f32):
    %i = {wide}
    %s = arith.addf %i, %o : f32
    linalg.yield %s : f32
  }} -> {c}""",
            c,
        )
    program.compare(tmp_path, [])


def test_large_mean(tmp_path):
    """Differences from the mean are squared: a large mean costs no digits."""
    x, w = "tensor<2x96xf32>", "tensor<96xf32>"
    program = Program()
    values = 4096 + np.arange(192, dtype=np.float32).reshape(2, 96) % 7
    a, b, c = program.argument(x, values), program.argument(w), program.argument(w)
    program.op(f"nn.layer_norm {a}, {b}, {c} epsilon 1.0e-05 : {x}, {w}", x)
    program.compare(tmp_path, ["layer_norm"])


def test_embedding(tmp_path):
    """Rows of all widths; ids outside the table give zeros."""
    program = Program()
    ids = np.array([[0, 4, -1, 5, 2, 10**12, -(2**63)]], dtype=np.int64)
    for element, size in [
        ("f32", 8),
        ("f32", 3),
        ("bf16", 5),
        ("f16", 64),
        ("bf16", 6),
        ("f64", 7),
    ]:
        table, result = f"tensor<5x{size}x{element}>", f"tensor<1x7x{size}x{element}>"
        a, b = program.argument("tensor<1x7xi64>", ids), program.argument(table)
        program.op(f"nn.embedding {a}, {b} : tensor<1x7xi64>, {table} -> {result}", result)
    program.compare(tmp_path, ["embedding"])


def test_cut_table(tmp_path):
    """Ranks have blocks of rows, the last one with fewer."""
    program = Program()
    ids = np.array([0, 4, 2, 1, 3, 4], dtype=np.int64)
    a, b = program.argument("tensor<6xi64>", ids), program.argument("tensor<5x9xbf16>")
    program.op(
        f"nn.embedding {a}, {b} : tensor<6xi64>, tensor<5x9xbf16> -> tensor<6x9xbf16>",
        "tensor<6x9xbf16>",
    )
    plan = tmp_path / "plan.json"
    plan.write_text('{"mesh": {"tp": 3}, "shard": {"f.arg1": "[tp, _]"}}')
    program.compare(tmp_path, ["embedding"], plan, "tp=3")


@pytest.mark.parametrize("element", FLOATS)
def test_argmax(element, tmp_path):
    """Ties, NaN, -inf, both zeros, rows of nothing else; blocks, of which one is empty."""
    nan, inf = np.nan, np.inf
    special = np.array(
        [
            [1, 7, 7, nan, 3],
            [nan] * 5,
            [-inf, nan, -inf, -5, -5],
            [-inf] * 5,
            [-0.0, 0, nan, -1, 0],
        ],
        dtype=np.float32,
    )
    program = Program()
    for size, blocks, value in [(5, 1, special), (5, 4, special), (1, 1, None), (1030, 3, None)]:
        rows = 5 if value is not None else 2
        x, v = f"tensor<{rows}x{size}x{element}>", f"tensor<{rows}x{blocks}x{element}>"
        i = f"tensor<{rows}x{blocks}xi64>"
        a = program.argument(x, value)
        program.op(f"nn.argmax {a} : {x} -> {v}, {i}", v, i)
    program.compare(tmp_path, ["argmax"])


def test_cut_argmax(tmp_path):
    """Each rank has a candidate, with its index in the whole row."""
    program = Program()
    x, v, i = "tensor<2x100xf32>", "tensor<2x1xf32>", "tensor<2x1xi64>"
    a = program.argument(x)
    program.op(f"nn.argmax {a} : {x} -> {v}, {i}", v, i)
    plan = tmp_path / "plan.json"
    plan.write_text('{"mesh": {"tp": 3}, "shard": {"f.arg0": "[_, tp]"}}')
    program.compare(tmp_path, ["argmax"], plan, "tp=3")
