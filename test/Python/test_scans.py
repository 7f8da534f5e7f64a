"""Running reductions as programs write them, along a cut dimension: numpy's values and a row
per rank."""

import json

import numpy as np
import pytest
from compiled import need, run
from conftest import ROOT

PROGRAMS = ROOT / "test/Integration/Scans/programs.mlir"


def before(x):
    return np.concatenate([np.zeros_like(x[:1]), np.cumsum(x, axis=0)[:-1]])


def decayed(x):
    made = np.zeros_like(x)
    for i, row in enumerate(x):
        made[i] = (made[i - 1] / 2 if i else 0) + row
    return made


def with_ones(x):
    return np.cumsum(x, axis=0) + np.arange(len(x))[::-1, None]


# The input's and the result's sharding, numpy's values, and whether a row per rank is sent.
PROGRAM = {
    "sums_up_to": ("[tp, _]", lambda x: np.cumsum(x, axis=0), True),
    "maxima_from": ("[_, tp]", lambda x: np.maximum.accumulate(x.T[::-1])[::-1], True),
    "sums_before": ("[tp, _]", before, True),
    "sums_noted_before": ("[tp, _]", before, True),
    "decays_in_a_loop": ("[tp, _]", decayed, False),
    "sums_with_ones": ("[tp, _]", with_ones, False),
}


@pytest.mark.parametrize("name", PROGRAM)
def test_values_and_rows(name, tmp_path):
    need("tp-run")
    sharding, reference, sends_rows = PROGRAM[name]
    plan, explain = tmp_path / "plan.json", tmp_path / "explain.json"
    # Small integers, so that sums are exact; what is masked must not be seen, NaN neither.
    rng = np.random.default_rng(7)
    x = rng.integers(-9, 9, (3, 61) if sharding == "[_, tp]" else (61, 3)).astype(np.float32)
    if sends_rows:
        x[..., -1] = np.nan if name == "maxima_from" else x[..., -1]
        x[-1 if name == "sums_up_to" else 0, 0] = np.inf
    np.save(tmp_path / "in.npy", x)
    for ranks, mode in ((4, "--check-collectives"), (3, "--interpret")):
        shard = {f"{name}.arg0": sharding, f"{name}.result0": "[tp, _]"}
        plan.write_text(json.dumps({"mesh": {"tp": ranks}, "shard": shard}))
        result = run(
            "tp-run",
            *(PROGRAMS, "--plan", plan, "--entry", name, "--compare", "--poison", mode),
            *(f"--explain={explain}", f"--input=0={tmp_path / 'in.npy'}", "--output", tmp_path),
        )
        assert result.returncode == 0, result.stderr
        np.testing.assert_array_equal(np.load(tmp_path / "result0.npy"), reference(x))
        made = json.loads(explain.read_text())["entries"][name]["collectives"]
        if sends_rows:
            assert "is not proved" not in result.stderr
            sent = [(one["kind"], one["bytes_per_rank"]) for one in made]
            # Where a row itself does not count, one row of the block before.
            moved = [("permute", 3 * 4)] if "before" in name else []
            assert sorted(sent) == [("all_gather", (ranks - 1) * 3 * 4)] + moved, made


# Rows in two levels of blocks; per entry the shapes of inputs, their shardings and those of
# results, numpy's results, and the bytes of all rows that a rank sends in a gather.
LOOPS = {
    "sums_in_a_loop": (
        [((203, 3), "f4", "[tp, _]"), ((3,), "f4", "[]")],
        ["[tp, _]", "[]"],
        lambda x, b: (np.cumsum(x, axis=0) + b, np.sum(x, axis=0) + b),
    ),
    "maxima_in_a_loop": (
        [((3, 203), "f4", "[_, tp]"), ((203,), "i4", "[tp]")],
        ["[_, tp]", "[tp]", None],
        lambda x, v: (
            np.maximum.accumulate(x[:, ::-1], axis=1)[:, ::-1],
            np.cumsum(v) + 5,
            np.sum(v) + 5,
        ),
    ),
}


@pytest.mark.parametrize("name", LOOPS)
def test_loops(name, tmp_path):
    need("tp-run")
    inputs, results, reference = LOOPS[name]
    rng = np.random.default_rng(11)
    arrays, shard, arguments = [], {}, []
    for k, (shape, kind, sharding) in enumerate(inputs):
        arrays.append(rng.integers(-9, 9, shape).astype(kind))
        np.save(tmp_path / f"in{k}.npy", arrays[-1])
        arguments.append(f"--input={k}={tmp_path / f'in{k}.npy'}")
        shard[f"{name}.arg{k}"] = sharding
    shard.update({f"{name}.result{k}": one for k, one in enumerate(results) if one})
    plan, explain = tmp_path / "plan.json", tmp_path / "explain.json"
    for mesh, mode in (({"tp": 3}, "--check-collectives"), ({"tp": 2}, "--interpret")):
        plan.write_text(json.dumps({"mesh": mesh, "shard": shard}))
        result = run(
            "tp-run",
            *(PROGRAMS, "--plan", plan, "--entry", name, "--compare", "--poison", mode),
            *(f"--explain={explain}", *arguments, "--output", tmp_path),
        )
        assert result.returncode == 0, result.stderr
        for k, expected in enumerate(reference(*arrays)):
            np.testing.assert_array_equal(np.load(tmp_path / f"result{k}.npy"), expected)
        made = json.loads(explain.read_text())["entries"][name]["collectives"]
        # A row per rank, and what the loop carries at its end.
        assert sum(one["bytes_per_rank"] for one in made) <= 3 * 4 * 2 * 3, made
        assert {one["kind"] for one in made} <= {"all_gather", "permute", "all_reduce"}, made
