"""Reductions that choose, along cut dimensions: the values of the unsharded program for ties,
NaN, short and empty blocks, and candidates instead of operands where that is less."""

import json

import numpy as np
import pytest
from compiled import need, run, succeed
from conftest import ROOT

SELECTIONS = ROOT / "test/Integration/Selections"
MESHES = ({"tp": 4}, {"tp": 3}, {"dp": 2, "tp": 2})
# Few values, so that there are ties, and blocks of nothing else.
FLOATS = (np.nan, -np.inf, np.inf, -0.0, 0.0, 1.0, 1.0, 2.0, -2.0)
# Per program, its inputs (type, shape), the dimension that is cut, and the bytes of a
# block's candidates; 0: the operand is gathered.
PROGRAM = {
    "first_largest": ([("f4", (3, 13))], 1, 3 * 12),
    "nan_first": ([("f4", (3, 13))], 1, 3 * 8),
    "last_smallest": ([("i1", (11, 4)), ("i1", (4,)), ("i8", (4,))], 0, 0),
    "largest_magnitude": ([("f4", (26,)), ("i4", (26,))], 0, 14),
    "over_two": ([("f8", (9, 2, 3))], 0, 2 * 12),
    "nan_spreads": ([("f4", (3, 9))], 1, 0),
    "nan_spreads_wide": ([("f4", (3, 43))], 1, 3 * 16),
    "extent": ([("f4", (3, 13))], 1, 0),
    "alternates": ([("i4", (3, 13))], 1, 0),
}
# Programs of topk.mlir, also with replacements: the one that they are of, its input, the
# dimension that is cut, and how many elements each rank's block gives; None: the input is
# gathered.
TOP_K = {
    "loop": ("loop", (), ("f4", (3, 50)), 1, 3 * 4),
    "written_out": ("written_out", (), ("i2", (44, 2)), 0, 2 * 2),
    "nan_first": ("nan_first", (), ("f4", (61,)), 0, 3),
    # NaN is never taken.
    "nan_never": (
        "nan_first",
        [("%nan = arith.cmpf une", "%nan = arith.cmpf one")],
        ("f4", (61,)),
        0,
        3,
    ),
    # Blocks of fewer elements than are taken: the blocks themselves.
    "few": ("nan_first", [("61", "7")], ("f4", (7,)), 0, None),
    # Not proved: the last of equal ones, which is what is masked, too; integers without
    # signs; a mask by something else.
    "last": ("nan_first", [("cmpf ogt", "cmpf oge")], ("f4", (61,)), 0, None),
    "unsigned": ("written_out", [("cmpi sle", "cmpi ule")], ("i2", (44, 2)), 0, None),
    "masks_higher": ("nan_first", [("%eq, %low, %v", "%eq, %v, %low")], ("f4", (61,)), 0, None),
}


def best(x, k, name):
    """The k best along the last dimension, one after the other as the programs say."""
    smallest, nan_first = name == "written_out", name == "nan_first"
    bound, missing = (100, -1) if smallest else (-np.inf, 0)
    values, indices = np.full((len(x), k), bound, x.dtype), np.full((len(x), k), missing)
    for row, line in enumerate(x):
        order = [
            (not np.isnan(v), 0 if np.isnan(v) else v if smallest else -v, i)
            for i, v in enumerate(line.astype(float))
            if (nan_first if np.isnan(v) else (v < bound if smallest else v > bound))
        ]
        for place, (_, _, i) in enumerate(sorted(order)[:k]):
            values[row, place], indices[row, place] = line[i], i
    return values, indices


def make_inputs(folder, inputs, seed):
    rng = np.random.default_rng(seed)
    for k, (kind, shape) in enumerate(inputs):
        values = rng.choice(FLOATS[: 3 + 3 * seed], shape) if kind[0] == "f" else None
        array = rng.integers(-3, 3, shape) if values is None else values
        np.save(folder / f"in{k}.npy", array.astype(kind))
        yield f"--input={k}={folder / f'in{k}.npy'}"


@pytest.mark.parametrize("mesh", MESHES, ids=str)
@pytest.mark.parametrize("name", PROGRAM)
def test_values_and_candidates(name, mesh, tmp_path):
    need("tp-run")
    inputs, dim, gathers = PROGRAM[name]
    axes = "tp" if len(mesh) == 1 else "(dp, tp)"
    shard = {
        f"{name}.arg{k}": "["
        + ", ".join(axes if d == dim else "_" for d in range(len(shape)))
        + "]"
        for k, (_, shape) in enumerate(inputs)
        if len(shape) > 1 or name == "largest_magnitude"
    }
    plan, explain = tmp_path / "plan.json", tmp_path / "explain.json"
    plan.write_text(json.dumps({"mesh": mesh, "shard": shard}))
    for seed, mode in ((0, "--interpret"), (1, "--check-collectives"), (2, "--check-collectives")):
        arguments = list(make_inputs(tmp_path, inputs, seed))
        succeed(
            "tp-run",
            *(
                SELECTIONS / "programs.mlir",
                "--plan",
                plan,
                "--entry",
                name,
                "--compare",
                "--poison",
                mode,
            ),
            *(f"--explain={explain}", *arguments),
        )
    made = json.loads(explain.read_text())["entries"][name]["collectives"]
    gathered = [one for one in made if one["kind"] == "all_gather"]
    assert len(gathered) == 1, made
    if gathers:
        # Candidates of all results at once, also where they are of several types.
        ranks = int(np.prod(list(mesh.values())))
        assert gathered[0]["bytes_per_rank"] == (ranks - 1) * gathers, made


def loop(x, order):
    values, indices = best(x, 4, order)
    return values, indices.T


def written_out(x, order):
    values, indices = best(x.T, 2, order)
    return indices[:, 0], indices[:, 1], values[:, 1]


def vector(x, order):
    values, indices = best(x[None], 3, order)
    return values[0], indices[0]


PROVED = ("loop", "written_out", "nan_first", "nan_never", "few")
REFERENCE = {"loop": loop, "written_out": written_out, "nan_first": vector}


@pytest.mark.parametrize("name", TOP_K)
def test_best_of_blocks(name, tmp_path):
    need("tp-run")
    entry, replacements, (kind, shape), dim, candidates = TOP_K[name]
    text = (SELECTIONS / "topk.mlir").read_text()
    for old, new in replacements:
        assert old in text
        text = text.replace(old, new)
    source, plan, explain = (tmp_path / f for f in ("top.mlir", "plan.json", "explain.json"))
    source.write_text(text)
    is_proved = name in PROVED
    meshes = MESHES if is_proved else MESHES[:1]
    for seed, (mesh, mode) in enumerate(zip(meshes, ("--check-collectives", "--interpret") * 2)):
        axes = "tp" if len(mesh) == 1 else "(dp, tp)"
        cut = ", ".join(axes if d == dim else "_" for d in range(len(shape)))
        plan.write_text(json.dumps({"mesh": mesh, "shard": {f"{entry}.arg0": f"[{cut}]"}}))
        arguments = list(make_inputs(tmp_path, [(kind, shape)], seed))
        result = run(
            "tp-run",
            *(source, "--plan", plan, "--entry", entry, "--compare", "--poison", mode),
            *(f"--explain={explain}", "--output", tmp_path / "out", *arguments),
        )
        assert result.returncode == 0, result.stderr
        made = json.loads(explain.read_text())["entries"][entry]["collectives"]
        gathered = [one for one in made if one["kind"] == "all_gather"]
        # Values and indices (8 bytes) of k elements of each block, at once.
        ranks = int(np.prod(list(mesh.values())))
        size = 2 if entry == "nan_first" else int(kind[1])
        if candidates:
            sent = [one["bytes_per_rank"] for one in gathered]
            assert sent == [(ranks - 1) * candidates * (size + 8)], made
        else:
            assert sum(one["elements"] for one in gathered) >= np.prod(shape), made
        if is_proved:
            assert "is not proved" not in result.stderr
            # What is raised is so in the program to which is compared, too: values by numpy.
            x = np.load(tmp_path / "in0.npy")
            order = "nan_first" if name == "few" else name
            for r, wanted in enumerate(REFERENCE[entry](x, order)):
                np.testing.assert_array_equal(np.load(tmp_path / f"out/result{r}.npy"), wanted)
