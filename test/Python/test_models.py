"""Whole models: checkpoint -> model IR -> executable on 1 to 4 ranks -> tokens.

Tiny random checkpoints are compared with the numpy reference, the published
model (long) with its golden tokens.
"""

import json

import numpy as np
import pytest
from compiled import Model, need
from conftest import ROOT

from tp import reference, tiny

RANKS = (1, 2, 3, 4)
# These run always, the other shapes of tp.tiny with the long tests.
QUICK = ("gqa9", "one-head")
SHAPES = [s if s in QUICK else pytest.param(s, marks=pytest.mark.long) for s in tiny.SHAPES]
CHUNK = 8


@pytest.fixture(scope="module")
def tiny_model(tmp_path_factory):
    """Makes, imports and remembers the tiny checkpoints by name."""
    need("tp-import", "tp-compile")
    made = {}

    def get(name):
        if name not in made:
            folder = tmp_path_factory.mktemp(name)
            checkpoint = tiny.make(name, folder / "hf")
            made[name] = Model(checkpoint, folder, "--max-seq", 32, "--chunk", CHUNK)
        return made[name]

    return get


def prompt_of(length, vocab):
    return [(7 * i + 3) % vocab for i in range(length)]


@pytest.mark.parametrize("tp", RANKS)
@pytest.mark.parametrize("name", SHAPES)
def test_logits_and_tokens(tiny_model, name, tp):
    model = tiny_model(name)
    expected = reference.load(model.checkpoint)
    vocab = expected.config["vocab_size"]
    # Below, at and over a multiple of the chunk, and several chunks.
    for length in (1, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK - 2):
        prompt = prompt_of(length, vocab)
        tokens, logits = model.generate(tp, prompt, 6)
        stop = [expected.config["eos_token_id"]]
        assert tokens == reference.generate(expected, prompt, 6, stop)
        wanted = reference.logits(expected, prompt + tokens[:-1])[length - 1 :]
        assert logits.shape == wanted.shape
        error = np.abs(logits - wanted).max() / np.abs(wanted).max()
        assert error < 1e-4, f"prompt of {length}: logits differ by {error:.2e}"


@pytest.mark.parametrize("tp", [2, 3, 4])
def test_collectives_of_the_megatron_plan(tiny_model, tp):
    """Two all-reduces a layer, one for the embedding, no logits exchanged."""
    model = tiny_model("gqa9")
    config = json.loads((model.checkpoint / "config.json").read_text())
    for entry in ("prefill", "decode"):
        rows = model.explanation(tp)["entries"][entry]["collectives"]
        for layer in range(config["num_hidden_layers"]):
            kinds = [r["kind"] for r in rows if f"layers.{layer}." in r["loc"]]
            assert kinds == ["all_reduce", "all_reduce"]
        assert sum(r["kind"] == "all_reduce" for r in rows) == 2 * config["num_hidden_layers"] + 1
        # Sampling: one candidate of each rank, as value and index.
        others = [(r["kind"], r["elements"]) for r in rows if r["kind"] != "all_reduce"]
        assert others == [("all_gather", tp), ("all_gather", tp)]


@pytest.mark.parametrize("name, tp", [("gqa6", 3), ("gqa6", 4), ("mqa", 2), ("mqa", 4)])
def test_fewer_kv_heads_than_ranks(tiny_model, name, tp):
    """Query heads of one kv head on several ranks: the same sums, nothing gathered."""
    model = tiny_model(name)
    layers = json.loads((model.checkpoint / "config.json").read_text())["num_hidden_layers"]
    for entry in ("prefill", "decode"):
        rows = model.explanation(tp)["entries"][entry]["collectives"]
        sampling = ["all_gather", "all_gather"]
        assert [r["kind"] for r in rows] == ["all_reduce"] * (2 * layers + 1) + sampling
    prompt = prompt_of(CHUNK + 1, 97)
    expected = reference.load(model.checkpoint)
    stop = [expected.config["eos_token_id"]]
    tokens, _ = model.generate(tp, prompt, 6)
    assert tokens == reference.generate(expected, prompt, 6, stop)


def test_one_rank_does_not_communicate(tiny_model):
    entries = tiny_model("gqa9").explanation(1)["entries"]
    assert [entry["collectives"] for entry in entries.values()] == [[], []]


def test_equal_input_gives_equal_output(tiny_model, tmp_path):
    model = tiny_model("gqa9")
    again = Model(model.checkpoint, tmp_path, "--max-seq", 32, "--chunk", CHUNK)
    assert again.ir.read_bytes() == model.ir.read_bytes()
    assert again.executable(3).read_bytes() == model.executable(3).read_bytes()


@pytest.mark.parametrize("threads", [1, 2])
def test_threads_do_not_change_tokens(tiny_model, threads):
    model = tiny_model("gqa9")
    prompt = prompt_of(CHUNK + 1, 97)
    assert model.generate(2, prompt, 6, "--threads", threads)[0] == model.generate(1, prompt, 6)[0]


def test_replicated_plan(tiny_model):
    model = tiny_model("gqa9")
    model.executable(2, "replicated")
    for entry in model.explanation(2, "replicated")["entries"].values():
        assert entry["collectives"] == []


# --- The published model ----------------------------------------------------

GOLDEN = json.loads((ROOT / "test/Integration/smollm2_golden.json").read_text())


@pytest.fixture(scope="module")
def published(tmp_path_factory):
    import model

    need("tp-import", "tp-compile")
    return Model(model.checkpoint(), tmp_path_factory.mktemp("smollm2"))


@pytest.mark.long
@pytest.mark.parametrize("tp", RANKS)
def test_published_model(published, tp):
    for case in GOLDEN["cases"]:
        tokens, logits = published.generate(tp, case["prompt_ids"], len(case["generated_ids"]))
        assert tokens == case["generated_ids"]
        assert logits.shape == (len(tokens), GOLDEN["config"]["vocab_size"])
        logits = logits[0]
        top = np.argsort(-logits)[:5]
        assert top.tolist() == [token for token, _ in case["top5"]]
        np.testing.assert_allclose(logits[top], [value for _, value in case["top5"]], rtol=1e-4)
