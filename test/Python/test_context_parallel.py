"""Attention of nn along cut positions: keys, values and their cache in blocks, and rows of queries;
what is communicated, and the values of the unsharded program."""

import json

import numpy as np
import pytest
from compiled import need, rejected, run

POSITIONS = 21
# A step of decoding, and attention of eight rows over all positions so far, within a window
# and in both directions.
PROGRAM = """
func.func @decode(%q: tensor<2x1x2x3x8xT>, %k: tensor<2x1x2x8xT>, %v: tensor<2x1x2x8xT>,
    %pos: tensor<2xi64>, %kc: tensor<2x2x21x8xT> {tp.kind = "state", tp.name = "kc"},
    %vc: tensor<2x2x21x8xT> {tp.kind = "state", tp.name = "vc"}) -> (tensor<2x1x2x3x8xT>,
    tensor<2x2x21x8xT> {tp.alias = 4 : i64}, tensor<2x2x21x8xT> {tp.alias = 5 : i64}) {
  %0 = nn.cache_update %kc, %k, %pos
    : tensor<2x2x21x8xT>, tensor<2x1x2x8xT>, tensor<2xi64>
  %1 = nn.cache_update %vc, %v, %pos
    : tensor<2x2x21x8xT>, tensor<2x1x2x8xT>, tensor<2xi64>
  %2 = nn.attention %q, %0, %1, %pos scale 0.5
    : tensor<2x1x2x3x8xT>, tensor<2x2x21x8xT>, tensor<2xi64>
  return %2, %0, %1 : tensor<2x1x2x3x8xT>, tensor<2x2x21x8xT>, tensor<2x2x21x8xT>
}
func.func @prefill(%q: tensor<2x8x2x3x8xT>, %k: tensor<2x8x2x8xT>, %v: tensor<2x8x2x8xT>,
    %pos: tensor<2xi64>, %kc: tensor<2x2x21x8xT> {tp.kind = "state", tp.name = "kc"},
    %vc: tensor<2x2x21x8xT> {tp.kind = "state", tp.name = "vc"}) -> (tensor<2x8x2x3x8xT>,
    tensor<2x2x21x8xT> {tp.alias = 4 : i64}, tensor<2x2x21x8xT> {tp.alias = 5 : i64}) {
  %0 = nn.cache_update %kc, %k, %pos
    : tensor<2x2x21x8xT>, tensor<2x8x2x8xT>, tensor<2xi64>
  %1 = nn.cache_update %vc, %v, %pos
    : tensor<2x2x21x8xT>, tensor<2x8x2x8xT>, tensor<2xi64>
  %2 = nn.attention %q, %0, %1, %pos scale 0.5
    : tensor<2x8x2x3x8xT>, tensor<2x2x21x8xT>, tensor<2xi64>
  return %2, %0, %1 : tensor<2x8x2x3x8xT>, tensor<2x2x21x8xT>, tensor<2x2x21x8xT>
}
func.func @window(%q: tensor<2x3x2x1x8xT>, %k: tensor<2x2x300x8xT>, %v: tensor<2x2x300x8xT>,
    %pos: tensor<2xi64>) -> tensor<2x3x2x1x8xT> {
  %0 = nn.attention %q, %k, %v, %pos scale 0.5 window 4
    : tensor<2x3x2x1x8xT>, tensor<2x2x300x8xT>, tensor<2xi64>
  return %0 : tensor<2x3x2x1x8xT>
}
func.func @both(%q: tensor<2x3x2x1x8xT>, %k: tensor<2x2x300x8xT>, %v: tensor<2x2x300x8xT>,
    %pos: tensor<2xi64>) -> tensor<2x3x2x1x8xT> {
  %0 = nn.attention %q, %k, %v, %pos bidirectional scale 0.5
    : tensor<2x3x2x1x8xT>, tensor<2x2x300x8xT>, tensor<2xi64>
  return %0 : tensor<2x3x2x1x8xT>
}
"""
# Blocks of 7; of 6, 5, 6 and 4; of 3. Of 300 there are several tiles of the kernel in a block.
MESHES = ({"cp": 3}, {"dp": 2, "cp": 2}, {"cp": 8})


def collectives(folder, entry, mesh, shard, *arguments, kind="f32", pos=(13, 5)):
    """Kind, elements and type of each collective of a run that equals the unsharded one."""
    program, plan, explain = (folder / name for name in ("p.mlir", "plan.json", "e.json"))
    program.write_text(PROGRAM.replace("xT>", f"x{kind}>"))
    plan.write_text(json.dumps({"mesh": mesh, "shard": shard}))
    np.save(folder / "pos.npy", np.array(pos))
    result = run(
        "tp-run",
        *(program, "--plan", plan, "--entry", entry, "--compare", "--poison", *arguments),
        *(f"--explain={explain}", "--input", f"3={folder / 'pos.npy'}"),
    )
    assert result.returncode == 0, result.stderr
    assert "not proved" not in result.stderr, result.stderr
    assert "copied" not in result.stderr, result.stderr
    found = json.loads(explain.read_text())["entries"][entry]["collectives"]
    return [(c["kind"], c["elements"], c["dtype"]) for c in found]


def axes_of(mesh):
    return "cp" if len(mesh) == 1 else "(dp, cp)"


@pytest.mark.parametrize("kind", ("f32", "bf16", "f64"))
@pytest.mark.parametrize("mesh", MESHES, ids=str)
def test_decoding_over_a_cut_cache(mesh, kind, tmp_path):
    """No key or value moves: a number per row and head is reduced, then the depth and one more."""
    need("tp-run")
    shard = {name: f"[_, _, {axes_of(mesh)}, _]" for name in ("kc", "vc")}
    modes = ("--check-collectives", "--interpret")[: 2 if kind == "bf16" else 1]
    rows, wide = 2 * 1 * 2 * 3, "f64" if kind == "f64" else "f32"
    for mode in modes:
        found = collectives(tmp_path, "decode", mesh, shard, "--calls=2", mode, kind=kind)
        assert found == [("all_reduce", rows, wide), ("all_reduce", rows * 9, wide)]


@pytest.mark.parametrize("entry", ("window", "both"))
@pytest.mark.parametrize("mesh", MESHES, ids=str)
def test_cut_keys(mesh, entry, tmp_path):
    need("tp-run")
    shard = {f"{entry}.arg1": f"[_, _, {axes_of(mesh)}, _]"}
    rows = 2 * 3 * 2
    # The first row sees positions of one block, or of all; the second one none of the last.
    for pos in ((250, 1), (70, 298)):
        found = collectives(tmp_path, entry, mesh, shard, "--check-collectives", pos=pos)
        assert found == [("all_reduce", rows, "f32"), ("all_reduce", rows * 9, "f32")]


def test_heads_and_positions(tmp_path):
    """Each on its own axis: what is reduced is that of the rank's heads."""
    need("tp-run")
    shard = {"kc": "[_, tp, cp, _]", "vc": "[_, tp, cp, _]", "decode.arg0": "[_, _, tp, _, _]"}
    found = collectives(tmp_path, "decode", {"tp": 2, "cp": 2}, shard, "--check-collectives")
    assert found == [("all_reduce", 6, "f32"), ("all_reduce", 6 * 9, "f32")]


@pytest.mark.parametrize("mesh", MESHES, ids=str)
def test_cut_queries(mesh, tmp_path):
    """Rows of queries are local; the keys, which are less, come to them where they are cut."""
    need("tp-run")
    queries = {"prefill.arg0": f"[_, {axes_of(mesh)}, _, _, _]"}
    assert collectives(tmp_path, "prefill", mesh, queries, "--check-collectives") == []
    assert collectives(tmp_path, "prefill", mesh, queries, "--interpret", kind="bf16") == []


def test_queries_and_keys_on_one_axis(tmp_path):
    """What is less moves: the keys of many rows, the rows of many keys."""
    need("tp-run")
    shard = {"window.arg0": "[_, cp, _, _, _]", "window.result0": "[_, cp, _, _, _]"}
    shard |= {"window.arg1": "[_, _, cp, _]", "window.arg2": "[_, _, cp, _]"}
    found = collectives(tmp_path, "window", {"cp": 3}, shard, "--check-collectives")
    assert [kind for kind, *_ in found] == ["all_gather", "all_reduce", "reduce_scatter"]
    assert found[0][1] == 2 * 3 * 2 * 8 and found[2][1] == 2 * 3 * 2 * 9


def test_a_position_outside_the_cache_is_an_error(tmp_path):
    need("tp-run")
    collectives(tmp_path, "decode", {"cp": 3}, {"kc": "[_, _, cp, _]"})
    np.save(tmp_path / "pos.npy", np.array([3, POSITIONS]))
    arguments = [tmp_path / "p.mlir", "--plan", tmp_path / "plan.json", "--entry", "decode"]
    result = run("tp-run", *arguments, f"--input=3={tmp_path / 'pos.npy'}")
    rejected(
        result, r"position of new keys or values in a cache is 21, outside \[0, 21\)", status=3
    )
