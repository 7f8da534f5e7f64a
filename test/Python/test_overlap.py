"""Collectives that run beside computation on GPUs, in programs that have room for it.

The GPUs are emulated, which tells a wait that is missing.
"""

import json
import re

import numpy as np
import pytest
from compiled import BIN, output_of
from conftest import ROOT

EMULATE = ROOT / "tools/emulate"

# Two linear layers, backward: the sum of the second weight's gradient over the batch has the
# whole of the first layer beside it. Where weights are cut, the second is gathered for the
# first product of the backward pass while the forward pass goes on.
STEP = """
#rows = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
#turned = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
func.func @step(%x: tensor<32x64xf32>, %w1: tensor<64x64xf32>, %w2: tensor<64x64xf32>, %dy: tensor<32x64xf32>)
    -> (tensor<64x64xf32>, tensor<64x64xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32x64xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<32x64xf32>) -> tensor<32x64xf32>
  %f = tensor.empty() : tensor<64x64xf32>
  %v = linalg.fill ins(%zero : f32) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  %h = linalg.matmul ins(%x, %w1 : tensor<32x64xf32>, tensor<64x64xf32>) outs(%z : tensor<32x64xf32>) -> tensor<32x64xf32>
  %t = math.tanh %h : tensor<32x64xf32>
  %d2 = linalg.matmul indexing_maps = #rows ins(%t, %dy : tensor<32x64xf32>, tensor<32x64xf32>) outs(%v : tensor<64x64xf32>) -> tensor<64x64xf32>
  %dh = linalg.matmul indexing_maps = #turned ins(%dy, %w2 : tensor<32x64xf32>, tensor<64x64xf32>) outs(%z : tensor<32x64xf32>) -> tensor<32x64xf32>
  %d1 = linalg.matmul indexing_maps = #rows ins(%x, %dh : tensor<32x64xf32>, tensor<32x64xf32>) outs(%v : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %d1, %d2 : tensor<64x64xf32>, tensor<64x64xf32>
}
"""
BATCH = {"step.arg0": "[dp, _]", "step.arg3": "[dp, _]"}
PLANS = {
    "gradients": {**BATCH, "step.arg1": "[]", "step.arg2": "[]"},
    "weights": {**BATCH, "step.arg1": "[dp, _]", "step.arg2": "[dp, _]"},
}


@pytest.fixture(params=PLANS)
def program(request, tmp_path):
    source, plan = tmp_path / "step.mlir", tmp_path / "plan.json"
    source.write_text(STEP)
    shard = {**PLANS[request.param], "step.result0": "[]", "step.result1": "[]"}
    plan.write_text(json.dumps({"mesh": {"dp": 2}, "shard": shard}))
    return source, "--plan", plan


def lowered(program, target="cuda:emulated"):
    text = output_of(BIN / "tp-compile", *program, "--target", target, "--emit=rt")
    return text[text.index("func.func @step") :]


def work_beside(entry):
    """Per collective with a token, the operations between it and the wait for it."""
    beside = []
    lines = entry.splitlines()
    for i, line in enumerate(lines):
        if begun := re.match(r"\s*(%\w+) = (rt\.\w+) .*-> !rt\.token", line):
            end = next(j for j in range(i, len(lines)) if f"rt.wait {begun[1]} " in lines[j])
            names = re.findall(r"^\s*(rt\.\w+)", "\n".join(lines[i + 1 : end]), re.M)
            beside.append((begun[2], [n for n in names if n in ("rt.gemm", "rt.launch")]))
    return beside


def test_work_lies_between_beginning_and_wait(program):
    beside = work_beside(lowered(program))
    assert beside and all(work for _, work in beside), beside
    kinds = {kind for kind, _ in beside}
    is_cut = json.loads(program[2].read_text())["shard"]["step.arg1"] != "[]"
    assert ("rt.all_gather" in kinds) == is_cut, beside
    # On processors ranks wait where they are.
    assert "rt.token" not in lowered(program, "cpu")


def test_values(program):
    """One by one and as graphs, on a GPU each and as virtual ranks."""
    check = (BIN / "tp-run", *program, "--target", "cuda", "--compare", "--calls", "3", "--poison")
    for options in ((), ("--virtual-ranks", "2"), ("--check-collectives",), ("--repeat", "2")):
        out = output_of(EMULATE, *check, *options)
        assert out.endswith("equal to the unsharded program\n"), out


def test_trace_has_work_beside_collectives(program, tmp_path):
    executable = tmp_path / "step"
    output_of(BIN / "tp-compile", *program, "--target", "cuda:emulated", "-o", executable)
    inputs = []
    for i, shape in enumerate([(32, 64), (64, 64), (64, 64), (32, 64)]):
        np.save(tmp_path / f"{i}.npy", np.full(shape, 0.01, np.float32))
        inputs += ["--input", f"{i}={tmp_path / f'{i}.npy'}"]
    trace = tmp_path / "trace.json"
    output_of(EMULATE, executable, "--entry", "step", *inputs, "--trace", trace)
    events = json.loads(trace.read_text())["traceEvents"]
    names = {e["tid"]: e["args"]["name"] for e in events if e["name"] == "thread_name"}
    assert [names[t] for t in range(4)] == [
        "rank 0",
        "rank 1",
        "rank 0, communication",
        "rank 1, communication",
    ]
    expected = len(work_beside(lowered(program)))
    for rank in (0, 1):
        mine = [e for e in events if e["ph"] == "X" and e["tid"] == rank]
        begun = [e["ts"] for e in events if e["ph"] == "X" and e["tid"] == 2 + rank]
        waits = [e["ts"] for e in mine if e["cat"] == "wait"]
        assert len(begun) == len(waits) == expected
        work = [e["ts"] for e in mine if e["cat"] == "compute"]
        # Collectives are waited for in the order in which they began, here.
        for begin, end in zip(begun, waits):
            assert any(begin <= ts <= end for ts in work), (begin, end, work)


def test_chains_are_as_they_were():
    """A decoder layer has its sums in one chain with what follows."""
    entry = output_of(
        *(BIN / "tp-compile", ROOT / "test/Pipelines/layer.mlir", "--target", "cuda:emulated"),
        "--emit=rt",
    )
    assert "rt.all_reduce" in entry and "rt.token" not in entry
