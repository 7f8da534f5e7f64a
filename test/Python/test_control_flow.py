"""Loops and conditionals under many plans: the values of the unsharded program, and where
communication is counted, that it is where it should be."""

import itertools
import json

import pytest
from compiled import need, succeed
from conftest import ROOT

PROGRAMS = ROOT / "test/Integration/ControlFlow/programs.mlir"
# Ranks, and how to run: 5 over 4 leaves an empty block, 8 over 3 an uneven one.
MODES = ((4, ("--poison", "--check-collectives")), (3, ("--interpret", "--poison")))

# Arguments that are no tensors, and the shardings that are tried of the others: every
# combination of the entry's lists, argument by argument.
ENTRIES = {
    "carried": {
        "inputs": [{"4": "0"}, {"4": "3"}],
        "shard": {
            "arg0": ["[_, tp]", "[tp, _]"],
            "arg1": ["[tp]"],
            "arg2": ["[tp]"],
            "arg3": ["[tp, _]", "[_, tp]"],
        },
    },
    "nested": {
        "inputs": [{"3": "0"}, {"3": "2"}],
        "shard": {
            "arg0": ["[_, tp]", "[tp, _]"],
            "arg1": ["[tp, _]"],
            "result0": ["[]", "[_, tp]"],
        },
    },
    "until": {
        "inputs": [{"2": "-1"}, {"2": "500"}],
        "shard": {"arg0": ["[_, tp]", "[tp, _]"], "arg1": ["[tp, _]", "[_, tp]"]},
    },
    "branches": {
        "inputs": [{"3": "1", "4": "1"}, {"3": "0", "4": "5"}],
        "shard": {"arg0": ["[_, tp]"], "arg1": ["[tp, _]"], "arg2": ["[tp, _]", "[_, tp]", "[]"]},
    },
    "calls": {
        "inputs": [{"3": "{trips}", "4": "3"}],
        "shard": {"arg1": ["[_, tp]", "[tp, _]"], "arg2": ["[tp, _]"], "arg3": ["[tp]"]},
    },
    "state": {
        "inputs": [{"2": "1", "3": "2"}, {"2": "0", "3": "2"}],
        "shard": {"arg1": ["[tp, _]", "[_, tp]"], "result1": ["[]"]},
    },
}


def plans(entry):
    shard = ENTRIES[entry]["shard"]
    for values in itertools.product(*shard.values()):
        yield {f"{entry}.{key}": value for key, value in zip(shard, values)}


@pytest.fixture(scope="module")
def trips(tmp_path_factory):
    import numpy as np

    path = tmp_path_factory.mktemp("trips") / "trips.npy"
    np.save(path, np.array([2, 0, 1, 9]))
    return path


@pytest.mark.parametrize("ranks, mode", MODES)
@pytest.mark.parametrize("entry", ENTRIES)
def test_values(entry, ranks, mode, trips, tmp_path):
    need("tp-run")
    path = tmp_path / "plan.json"
    for shard in plans(entry):
        path.write_text(json.dumps({"mesh": {"tp": ranks}, "shard": shard}))
        for inputs in ENTRIES[entry]["inputs"]:
            arguments = [f"--input={k}={v.format(trips=trips)}" for k, v in inputs.items()]
            succeed(
                "tp-run",
                *(PROGRAMS, "--plan", path, "--entry", entry, "--compare", "--calls", "2"),
                *(*mode, *arguments),
            )


def count(entry, shard, tmp_path):
    """Collectives of the entry: (kind, count, whether the count is of one trip)."""
    (tmp_path / "plan.json").write_text(json.dumps({"mesh": {"tp": 2}, "shard": shard}))
    explained = tmp_path / "explained.json"
    succeed(
        "tp-compile",
        *(PROGRAMS, "--plan", tmp_path / "plan.json", "--emit=comm"),
        *(f"--explain={explained}", "-o", tmp_path / "comm.mlir"),
    )
    rows = json.loads(explained.read_text())["entries"][entry]["collectives"]
    return sorted((row["kind"], row["count"], row["dynamic"]) for row in rows)


def test_collectives(tmp_path):
    need("tp-compile")
    # One reduction for all trips of both loops, as it is wanted.
    shard = {"nested.arg0": "[_, tp]", "nested.arg1": "[tp, _]", "nested.result0": "[]"}
    assert count("nested", shard, tmp_path) == [("all_reduce", 1, False)]
    # Column and row parallel in a loop in a loop: one per trip.
    shard = {"calls.arg0": "[]", "calls.arg1": "[_, tp]", "calls.arg2": "[tp, _]"}
    assert count("calls", shard, tmp_path) == [("all_reduce", 1, True)]
    # In the branches that make partial values only.
    shard = {"branches.arg0": "[_, tp]", "branches.arg1": "[tp, _]", "branches.arg2": "[]"}
    assert count("branches", shard, tmp_path) == [("all_reduce", 1, False)] * 2
    # A state that is cut stays where it is.
    shard = {"state.arg1": "[_, tp]", "state.result1": "[tp]"}
    assert count("state", shard, tmp_path) == []
