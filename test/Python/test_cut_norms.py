"""Norms of nn whose rows are cut: a sum or two per row are reduced, no row is gathered, and the
values are those of the unsharded program."""

import json

import numpy as np
import pytest
from compiled import need, succeed

TYPES = {"f32": 4, "bf16": 2, "f16": 2, "f64": 8}
PROGRAM = """
func.func @rms(%x: tensor<3x4x7xT>, %w: tensor<7xW>) -> tensor<3x4x7xT> {
  %0 = nn.rms_norm %x, %w epsilon 1.0e-05 weight_offset 1.0 : tensor<3x4x7xT>, tensor<7xW>
  return %0 : tensor<3x4x7xT>
}
func.func @layer(%x: tensor<3x4x7xT>, %w: tensor<7xW>, %b: tensor<7xW>) -> tensor<3x4x7xT> {
  %0 = nn.layer_norm %x, %w, %b epsilon 1.0e-05 : tensor<3x4x7xT>, tensor<7xW>
  return %0 : tensor<3x4x7xT>
}
"""
# Blocks of 3, 3 and 1; of 2, 2, 2 and 1 by two axes; of one element, and an empty one.
MESHES = ({"tp": 3}, {"dp": 2, "tp": 2}, {"tp": 8})


@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize("mesh", MESHES, ids=str)
def test_reduces_sums(mesh, kind, tmp_path):
    need("tp-run")
    program, plan, explain = (tmp_path / name for name in ("p.mlir", "plan.json", "e.json"))
    program.write_text(
        PROGRAM.replace("T>", kind + ">").replace("W>", ("f64" if kind == "f64" else "f32") + ">")
    )
    axes = "tp" if len(mesh) == 1 else "(dp, tp)"
    shard = {f"{entry}.arg0": f"[_, _, {axes}]" for entry in ("rms", "layer")}
    plan.write_text(json.dumps({"mesh": mesh, "shard": shard}))
    x = np.random.default_rng(5).standard_normal((3, 4, 7)).astype(np.float32)
    # Means that are large against the spread, by which sums of squares in f32 would lose digits.
    x[1] = x[1] + 20
    np.save(tmp_path / "x.npy", x.astype(np.float64) if kind == "f64" else x)
    for entry, numbers in (("rms", 1), ("layer", 2)):
        for mode in ("--check-collectives", "--interpret")[: 2 if kind == "bf16" else 1]:
            succeed(
                "tp-run",
                *(program, "--plan", plan, "--entry", entry, "--compare", "--poison", mode),
                *(f"--explain={explain}", "--input", f"0={tmp_path / 'x.npy'}"),
            )
        found = json.loads(explain.read_text())["entries"][entry]["collectives"]
        wide = "f64" if kind == "f64" or entry == "layer" else "f32"
        assert [(c["kind"], c["elements"], c["dtype"]) for c in found] == [
            ("all_reduce", 3 * 4 * numbers, wide)
        ]


def test_whole_rows_with_cut_weights(tmp_path):
    """Rows that are whole are summed where they are: blocks of the result need nothing."""
    need("tp-run")
    program, plan, explain = (tmp_path / name for name in ("p.mlir", "plan.json", "e.json"))
    program.write_text(PROGRAM.replace("T>", "f32>").replace("W>", "f32>"))
    shard = {"rms.arg0": "[_, _, _]", "rms.arg1": "[tp]", "rms.result0": "[_, _, tp]"}
    plan.write_text(json.dumps({"mesh": {"tp": 3}, "shard": shard}))
    succeed(
        "tp-run",
        *(program, "--plan", plan, "--entry", "rms", "--compare", "--poison"),
        f"--explain={explain}",
    )
    assert json.loads(explain.read_text())["entries"]["rms"]["collectives"] == []
