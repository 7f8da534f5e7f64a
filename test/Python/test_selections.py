"""Reductions that choose, along cut dimensions: the values of the unsharded program for ties,
NaN, short and empty blocks, and candidates instead of operands where that is less."""

import json

import numpy as np
import pytest
from compiled import need, succeed
from conftest import ROOT

PROGRAMS = ROOT / "test/Integration/Selections/programs.mlir"
MESHES = ({"tp": 4}, {"tp": 3}, {"dp": 2, "tp": 2})
# Few values, so that there are ties, and blocks of nothing else.
FLOATS = (np.nan, -np.inf, np.inf, -0.0, 0.0, 1.0, 1.0, 2.0, -2.0)
# Per program, its inputs (type, shape), the dimension that is cut, and whether blocks
# have candidates: of two or three results there is a gather each, at most.
PROGRAM = {
    "first_largest": ([("f4", (3, 13))], 1, 2),
    "nan_first": ([("f4", (3, 13))], 1, 2),
    "last_smallest": ([("i1", (11, 4)), ("i1", (4,)), ("i8", (4,))], 0, 0),
    "largest_magnitude": ([("f4", (26,)), ("i4", (26,))], 0, 3),
    "over_two": ([("f8", (9, 2, 3))], 0, 2),
    "nan_spreads": ([("f4", (3, 9))], 1, 0),
    "nan_spreads_wide": ([("f4", (3, 43))], 1, 2),
    "extent": ([("f4", (3, 13))], 1, 0),
    "alternates": ([("i4", (3, 13))], 1, 0),
}


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
            *(PROGRAMS, "--plan", plan, "--entry", name, "--compare", "--poison", mode),
            *(f"--explain={explain}", *arguments),
        )
    made = json.loads(explain.read_text())["entries"][name]["collectives"]
    gathered = [one for one in made if one["kind"] == "all_gather"]
    if gathers:
        # Candidates: not more than results, and smaller than what they are of; where they
        # have an element more, it is of the type of another.
        assert 1 <= len(gathered) <= gathers, made
        most = 24 if name == "nan_spreads_wide" else 12
        assert all(one["elements"] <= most for one in gathered), made
    else:
        assert len(gathered) == 1, made
