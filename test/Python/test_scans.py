"""Running reductions as programs write them, along a cut dimension: numpy's values and a row
per rank."""

import json

import numpy as np
import pytest
from compiled import need, run
from conftest import ROOT

PROGRAMS = ROOT / "test/Integration/Scans/programs.mlir"


def before(x):
    return np.cumsum(x, axis=0) - x


def with_ones(x):
    return np.cumsum(x, axis=0) + np.arange(len(x))[::-1, None]


# The input's and the result's sharding, numpy's values, and whether a row per rank is sent.
PROGRAM = {
    "sums_up_to": ("[tp, _]", lambda x: np.cumsum(x, axis=0), True),
    "maxima_from": ("[_, tp]", lambda x: np.maximum.accumulate(x.T[::-1])[::-1], True),
    "sums_before": ("[tp, _]", before, False),
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
            assert sent == [("all_gather", (ranks - 1) * 3 * 4)], made
