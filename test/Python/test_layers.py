"""Decoder layers and mixtures of experts, forward and backward: values and communication.

The programs are what a front end makes of a model (decoder.py); plans cut the weights, and the
stream where the sequence or the batch is cut, and nothing else.
"""

import json

import decoder
import pytest
from compiled import succeed
from conftest import ROOT

ROWS = "[_, tp, _]"
BATCH = "[dp, _, _]"
STREAM = 8 * 16 * 64  # b, s, d


def layer(mesh, fused=False, backward=False, sizes=(), **shard):
    text = decoder.decoder(fused, backward, sizes)
    return text, decoder.plan(text, mesh, **shard)


def decode(mesh):
    text = decoder.decode()
    return text, decoder.plan(text, mesh)


def experts(backward, **shard):
    plan = {**decoder.EXPERT_PLAN, "shard": {**decoder.EXPERT_PLAN["shard"], **shard}}
    return decoder.experts(backward), plan


# What goes where: {(kind, axis): (collectives at most, elements of all of them)}.
TWO_SUMS = {("all_reduce", "tp"): (2, 2 * STREAM)}
FOUR_SUMS = {("all_reduce", "tp"): (4, 4 * STREAM)}
# Per layer a gather and a scatter on either side of each half, and the gradients of two norms.
SEQUENCE = {
    ("all_gather", "tp"): (4, 4 * STREAM),
    ("reduce_scatter", "tp"): (4, 4 * STREAM),
    ("all_reduce", "tp"): (2, 2 * 64),
}
STREAM_BY_ROWS = {"x": ROWS, "middle": ROWS, "out": ROWS}
TRAINING_BY_ROWS = {**STREAM_BY_ROWS, "dout": ROWS, "main.result1": ROWS}
# Four ranks share two kv heads in pairs; the query heads of each are cut once more.
PAIRS = {
    "q": "[_, tp:(1)2, tp:(2)2, _]",
    "k": "[_, tp:(1)2, _]",
    "v": "[_, tp:(1)2, _]",
    "o": "[tp:(1)2, tp:(2)2, _, _]",
}
WEIGHTS = 64 * (4 * 2 * 8 + 2 * 4 * 8 + 3 * 128) + 4 * 2 * 8 * 64  # q, k, v, gate, up, down; o
CASES = {
    "two ranks": (layer({"tp": 2}), TWO_SUMS),
    "four ranks": (layer({"tp": 4}), TWO_SUMS),
    "fused weights": (layer({"tp": 2}, fused=True), TWO_SUMS),
    "three ranks, uneven": (layer({"tp": 3}), TWO_SUMS),
    "decode": (decode({"tp": 2}), {("all_reduce", "tp"): (2, 2 * 8 * 64)}),
    "pairs of ranks share a kv head": (
        layer({"tp": 4}, sizes={"n": 2, "g": 4}, **PAIRS),
        TWO_SUMS,
    ),
    "training": (layer({"tp": 2}, backward=True), FOUR_SUMS),
    "training, fused weights": (layer({"tp": 4}, fused=True, backward=True), FOUR_SUMS),
    "sequence": (
        layer({"tp": 2}, **STREAM_BY_ROWS),
        {("all_gather", "tp"): (2, 2 * STREAM), ("reduce_scatter", "tp"): (2, 2 * STREAM)},
    ),
    "training, sequence": (layer({"tp": 2}, backward=True, **TRAINING_BY_ROWS), SEQUENCE),
    "training, sequence, fused weights": (
        layer({"tp": 4}, fused=True, backward=True, **TRAINING_BY_ROWS),
        SEQUENCE,
    ),
    "training, batch and weights": (
        layer({"dp": 2, "tp": 2}, backward=True, x=BATCH, dout=BATCH),
        {
            ("all_reduce", "tp"): (4, 4 * STREAM // 2),
            ("all_reduce", "dp"): (9, WEIGHTS // 2 + 2 * 64),
        },
    ),
    "experts": (experts(False), {("all_to_all", "ep"): (2, 2 * 512)}),
    "training, experts": (
        experts(True, dout="[ep, _, _]"),
        {("all_to_all", "ep"): (4, 4 * 512), ("all_reduce", "ep"): (2, 16 * 4 + 16)},
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_communication(name, tmp_path):
    (text, plan), expected = CASES[name]
    (tmp_path / "layer.mlir").write_text(text)
    (tmp_path / "plan.json").write_text(json.dumps(plan))
    succeed(
        "tp-run", tmp_path / "layer.mlir", "--plan", tmp_path / "plan.json", "--compare",
        f"--explain={tmp_path / 'explain.json'}",
    )  # fmt: skip
    found = {}
    for row in json.loads((tmp_path / "explain.json").read_text())["entries"]["main"][
        "collectives"
    ]:
        key = (row["kind"], ",".join(row["axes"]))
        count, elements = found.get(key, (0, 0))
        found[key] = (count + row["count"], elements + row["elements"])
    assert found.keys() == expected.keys(), found
    for key, (most, elements) in expected.items():
        assert found[key][0] <= most and found[key][1] == elements, found


def test_experts_of_seeded_faults():
    """test/Unit/SeededBugsTest.cpp has a small mixture of experts."""
    sizes = {"g": 4, "s": 4, "d": 4, "e": 4, "u": 2, "f": 6}
    path = ROOT / "test/Integration/Layers/experts.mlir"
    assert path.read_text() == decoder.experts(sizes=sizes)
    assert json.loads(path.with_suffix(".json").read_text()) == decoder.EXPERT_PLAN
