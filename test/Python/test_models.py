"""Whole models: checkpoint -> model IR -> executable on 1 to 4 ranks -> tokens.

Tiny random checkpoints are compared with the numpy reference, the published
model (long) with its golden tokens.
"""

import json

import numpy as np
import pytest
from compiled import Model, need, rejected, run, succeed
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


# The other plan on one rank is the same program.
PLANS = [("megatron", tp) for tp in RANKS] + [("megatron-sp", tp) for tp in RANKS[1:]]


@pytest.mark.parametrize("plan, tp", PLANS)
@pytest.mark.parametrize("name", SHAPES)
def test_logits_and_tokens(tiny_model, name, plan, tp):
    model = tiny_model(name)
    expected = reference.load(model.checkpoint)
    vocab = expected.config["vocab_size"]
    # Below, at and over a multiple of the chunk, and several chunks.
    for length in (1, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK - 2):
        prompt = prompt_of(length, vocab)
        tokens, logits = model.generate(tp, prompt, 6, plan=plan)
        stop = [expected.config["eos_token_id"]]
        assert tokens == reference.generate(expected, prompt, 6, stop)
        wanted = reference.logits(expected, prompt + tokens[:-1])[length - 1 :]
        assert logits.shape == wanted.shape
        error = np.abs(logits - wanted).max() / np.abs(wanted).max()
        assert error < 1e-4, f"prompt of {length}: logits differ by {error:.2e}"


# Largest error of logits, as a part of the largest one: roundings of 8 and 11 bits
# through the layers of a tiny model.
NARROW = {"bf16": 8e-2, "f16": 1e-2}


@pytest.mark.parametrize("dtype", NARROW)
def test_narrow_types(tmp_path, dtype):
    need("tp-import", "tp-compile")
    checkpoint = tiny.make("gqa9", tmp_path / "hf")
    model = Model(checkpoint, tmp_path, "--max-seq", 32, "--chunk", CHUNK, "--dtype", dtype)
    text = model.ir.read_text()
    assert f"x{dtype}>" in text
    expected = reference.load(checkpoint)
    prompt = prompt_of(CHUNK + 3, expected.config["vocab_size"])
    wanted = reference.logits(expected, prompt)[-1]
    for tp in RANKS:
        _, logits = model.generate(tp, prompt, 1)
        error = np.abs(logits[0] - wanted).max() / np.abs(wanted).max()
        assert error < NARROW[dtype], f"tp={tp}: logits differ by {error:.2e}"
        # Half the memory; sums over ranks are not rounded before they are taken.
        for entry in model.explanation(tp)["entries"].values():
            kinds = {(r["kind"], r["dtype"]) for r in entry["collectives"]}
            assert kinds <= {("all_reduce", "f32"), ("all_reduce", dtype), ("all_gather", "i32")}
            reduced = [r["dtype"] for r in entry["collectives"] if "layers." in r["loc"]]
            assert set(reduced) <= {"f32"}


@pytest.mark.parametrize("plan", ["megatron", "megatron-sp"])
def test_reductions_in_a_narrower_type(tmp_path, plan):
    """Every sum of a layer is sent in two bytes; half of what f32 sends, and less exact."""
    need("tp-import", "tp-compile")
    checkpoint = tiny.make("gqa9", tmp_path / "hf")
    sizes = ["--max-seq", 32, "--chunk", CHUNK, "--dtype", "bf16"]
    narrow = ["--reduce-dtype", "bf16"]
    model = Model(checkpoint, tmp_path, *sizes, compile_options=narrow)
    wide = Model(checkpoint, tmp_path, *sizes)
    expected = reference.load(checkpoint)
    prompt = prompt_of(CHUNK + 3, expected.config["vocab_size"])
    wanted = reference.logits(expected, prompt)[-1]
    for tp in RANKS[1:]:
        _, logits = model.generate(tp, prompt, 1, plan=plan)
        error = np.abs(logits[0] - wanted).max() / np.abs(wanted).max()
        assert error < NARROW["bf16"], f"tp={tp}: logits differ by {error:.2e}"
        before = wide.explain(tp, plan)["entries"]
        for name, entry in model.explanation(tp, plan)["entries"].items():
            pairs = list(zip(before[name]["collectives"], entry["collectives"], strict=True))
            sums = [(a, b) for a, b in pairs if "reduce" in b["kind"] and "layers." in b["loc"]]
            assert sums
            for a, b in sums:
                assert (a["dtype"], b["dtype"]) == ("f32", "bf16")
                assert b["bytes_per_rank"] in (
                    a["bytes_per_rank"] // 2,
                    -(-a["bytes_per_rank"] // 2),
                )


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
        # Sampling: one candidate of each rank, as value and index: 4 and 8 bytes.
        others = [(r["kind"], r["dtype"], r["elements"]) for r in rows if r["kind"] != "all_reduce"]
        assert others == [("all_gather", "i32", 3 * tp)]


@pytest.mark.parametrize("name, tp", [("gqa6", 3), ("gqa6", 4), ("mqa", 2), ("mqa", 4)])
def test_fewer_kv_heads_than_ranks(tiny_model, name, tp):
    """Query heads of one kv head on several ranks: the same sums, nothing gathered."""
    model = tiny_model(name)
    layers = json.loads((model.checkpoint / "config.json").read_text())["num_hidden_layers"]
    for entry in ("prefill", "decode"):
        rows = model.explanation(tp)["entries"][entry]["collectives"]
        assert [r["kind"] for r in rows] == ["all_reduce"] * (2 * layers + 1) + ["all_gather"]
    prompt = prompt_of(CHUNK + 1, 97)
    expected = reference.load(model.checkpoint)
    stop = [expected.config["eos_token_id"]]
    tokens, _ = model.generate(tp, prompt, 6)
    assert tokens == reference.generate(expected, prompt, 6, stop)


def in_layers(rows):
    return [row for row in rows if ".layers." in row["loc"]]


@pytest.mark.parametrize("tp", [2, 3, 4])
@pytest.mark.parametrize("name, chunk", [("gqa9", 8), ("gqa9", 5), ("gqa9", 1024), ("mqa", 5)])
def test_collectives_of_the_sequence_parallel_plan(tmp_path, name, chunk, tp):
    """Two gathers and two scatters a layer, of the layer's activations; decode as before."""
    need("tp-import", "tp-compile")
    checkpoint = tiny.make(name, tmp_path / "hf", max_position_embeddings=1024)
    config = json.loads((checkpoint / "config.json").read_text())
    layers, hidden = config["num_hidden_layers"], config["hidden_size"]
    model = Model(checkpoint, tmp_path, "--max-seq", 1024, "--chunk", chunk, "--batch", 2)
    explanation = model.explain(tp, "megatron-sp")["entries"]
    prefill, decode = (explanation[entry]["collectives"] for entry in ("prefill", "decode"))

    blocks = tp * -(-chunk // tp)  # positions, with the padding of the last blocks
    elements = 2 * blocks * hidden
    sent = -(-elements * 4 * (tp - 1) // tp)
    expected = {("all_gather", elements, sent), ("reduce_scatter", elements, sent)}
    rows = in_layers(prefill)
    assert {(r["kind"], r["elements"], r["bytes_per_rank"]) for r in rows} == expected
    for layer in range(layers):
        kinds = [r["kind"] for r in rows if f"layers.{layer}." in r["loc"]]
        assert kinds == ["all_gather", "reduce_scatter"] * 2
    # The embedding's sum, the last positions of the rows, one candidate of each rank.
    others = [(r["kind"], r["loc"]) for r in prefill if r not in rows]
    assert others == [
        ("reduce_scatter", "model.embed_tokens"),
        ("all_reduce", "last_position"),
        ("all_gather", "next"),
    ]
    assert [r["kind"] for r in in_layers(decode)] == ["all_reduce"] * 2 * layers
    assert decode == model.explain(tp, "megatron")["entries"]["decode"]["collectives"]


WEIGHTS = {
    "model.embed_tokens.weight": "[tp, _]",
    "*.q_proj.weight": "[tp, _, _, _]",
    "*.k_proj.weight": "[tp, _, _]",
    "*.v_proj.weight": "[tp, _, _]",
    "*.o_proj.weight": "[_, tp, _, _]",
    "*.gate_proj.weight": "[tp, _]",
    "*.up_proj.weight": "[tp, _]",
    "*.down_proj.weight": "[_, tp]",
    "*_cache": "[_, tp, _, _]",
}


@pytest.mark.parametrize("priority", [0, 1])
@pytest.mark.parametrize("key", ["prefill.*.residual", "prefill.model.embed_tokens.residual"])
def test_one_annotation_shards_the_sequence(tiny_model, tmp_path, key, priority):
    """A plan file that cuts weights, and the residual stream in one place or in all."""
    model = tiny_model("gqa9")
    plan = tmp_path / "sequence.json"
    shard = {**WEIGHTS, key: "[_, tp, _]"}
    content = {"mesh": {"tp": 3}, "shard": shard, "priority": {key: priority}}
    plan.write_text(json.dumps(content))
    rows = in_layers(model.explain(3, plan)["entries"]["prefill"]["collectives"])
    assert [r["kind"] for r in rows] == ["all_gather", "reduce_scatter"] * 4


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


# --- Several rows -----------------------------------------------------------


@pytest.fixture(scope="module")
def batched(tmp_path_factory):
    """A model of three rows whose second prompt ends early, by its end of sequence."""
    need("tp-import", "tp-compile")
    folder = tmp_path_factory.mktemp("batched")
    tiny.make("gqa9", folder / "plain")
    eos = reference.generate(reference.load(folder / "plain"), ROWS[1], 4)[3]
    checkpoint = tiny.make("gqa9", folder / "hf", eos_token_id=eos)
    return Model(checkpoint, folder, "--max-seq", 40, "--chunk", CHUNK, "--batch", 3)


# They end in different chunks: in the first, at the end of the third, in the second.
ROWS = [prompt_of(3, 97), prompt_of(3 * CHUNK, 80), prompt_of(CHUNK + 1, 96)]


@pytest.mark.parametrize("tp", RANKS)
@pytest.mark.parametrize("count", [2, 3, 1])
def test_rows_are_as_alone(batched, tmp_path, tp, count):
    """`count` rows of different lengths, each equal to the numpy reference."""
    expected = reference.load(batched.checkpoint)
    stop = [expected.config["eos_token_id"]]
    rows = ROWS[-count:]
    texts = [",".join(map(str, row)) for row in rows]
    arguments = ["--weights", batched.checkpoint, "--generate", 9, "--check-collectives"]
    arguments += ["--logits", tmp_path / "l.npy"]
    lines = succeed(batched.executable(tp), "--tokens", ";".join(texts), *arguments).splitlines()
    wanted = [reference.generate(expected, row, 9, stop) for row in rows]
    assert [[int(token) for token in line.split(",")] for line in lines] == wanted
    if count > 1:
        assert len(wanted[-2]) == 4 and len(wanted[-1]) == 9  # one stops, the others go on
    found = np.load(tmp_path / "l.npy")
    for row, (prompt, tokens) in enumerate(zip(rows, wanted)):
        logits = reference.logits(expected, prompt + tokens[:-1])[len(prompt) - 1 :]
        error = np.abs(found[row, : len(logits)] - logits).max() / np.abs(logits).max()
        assert error < 1e-4, f"row {row}: logits differ by {error:.2e}"

    separate = [part for text in texts for part in ("--tokens", text)]
    assert succeed(batched.executable(tp), *separate, *arguments).splitlines() == lines


def test_sampled_rows(batched):
    """Rows have random numbers of their own, whatever runs beside them."""
    same = ["--tokens", "5,6,7;5,6,7;5,6,7", "--weights", batched.checkpoint, "--generate", 8]
    same += ["--temperature", 2, "--seed", 11]
    outputs = {succeed(batched.executable(tp), *same) for tp in RANKS}
    assert len(outputs) == 1
    lines = outputs.pop().splitlines()
    assert len(set(lines)) == 3
    same[1] = "5,6,7"
    assert succeed(batched.executable(2), *same).splitlines() == lines[:1]


@pytest.mark.parametrize("tp", RANKS)
def test_serve(batched, tp):
    """Requests of one process, in any order, as the reference answers them."""
    expected = reference.load(batched.checkpoint)
    stop = [expected.config["eos_token_id"]]
    answers = [reference.generate(expected, row, 6, stop) for row in ROWS]
    reasons = ["stop" if answer[-1] in stop else "length" for answer in answers]
    texts = [",".join(map(str, row)) for row in ROWS]
    requests = [
        json.dumps({"id": 1, "tokens": ROWS}),
        texts[1],
        "3,x",
        json.dumps({"tokens": ROWS[2]}),
        ";".join(texts[::-1]),
        json.dumps({"tokens": [7] * 41}),
        json.dumps({"tokens": ROWS[0], "max_tokens": 1}),
    ]
    arguments = ["--weights", batched.checkpoint, "--serve", "--generate", 6]
    output = succeed(batched.executable(tp), *arguments, input="\n".join(requests))
    lines = output.splitlines()
    assert len(lines) == len(requests)
    ids = [",".join(map(str, answer)) for answer in answers]
    assert json.loads(lines[0]) == {"id": 1, "tokens": answers, "finish_reason": reasons}
    assert lines[1] == ids[1]
    assert lines[2] == "error: 'x' is no token id"
    assert json.loads(lines[3]) == {"tokens": answers[2], "finish_reason": reasons[2]}
    assert lines[4] == ";".join(ids[::-1])
    assert "prompt of 41 tokens and 6 to generate exceed" in json.loads(lines[5])["error"]
    assert json.loads(lines[6]) == {"tokens": answers[0][:1], "finish_reason": "length"}


def test_wrong_rows(batched):
    def wrong(rows, *parts):
        command = ["--weights", batched.checkpoint, "--tokens", rows, "--generate", 2]
        rejected(run(batched.executable(2), *command), *parts)

    wrong("1;2;3;4", "compiled for 3 rows of tokens, found 4")
    wrong("1;;3", "no token id")
    wrong("1;97", "row 1: token id 97 is out of range")
    wrong("1;" + ",".join(["1"] * 39), "row 1: prompt of 39 tokens and 2 to generate exceed")


# --- Sampling ---------------------------------------------------------------


def sampled(logits, temperature, top_k, top_p, uniform):
    """What the executable's options say, on the logits of one position."""
    logits = logits.astype(np.float64)
    order = np.lexsort((np.arange(len(logits)), -logits))[:top_k]
    weights = np.exp((logits[order] - logits[order[0]]) / temperature)
    kept = np.searchsorted(np.cumsum(weights), top_p * weights.sum()) + 1
    ids = np.sort(order[:kept])
    weights = np.exp((logits[ids] - logits[order[0]]) / temperature)
    return int(ids[np.searchsorted(np.cumsum(weights), uniform * weights.sum(), side="right")])


def uniform_at(seed, row, position):
    """splitmix64 (Steele, Lea and Flood 2014), two levels."""
    mask = (1 << 64) - 1

    def output(state, index):
        value = (state + (index + 1) * 0x9E3779B97F4A7C15) & mask
        value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9 & mask
        value = (value ^ (value >> 27)) * 0x94D049BB133111EB & mask
        return value ^ (value >> 31)

    return (output(output(seed, row), position) >> 11) * 2.0**-53


def test_sampling_gives_the_same_tokens_on_all_ranks(tiny_model):
    model = tiny_model("gqa9")
    prompt = prompt_of(CHUNK + 1, 97)
    options = ["--temperature", 1.5, "--top-k", 40, "--top-p", 0.9, "--seed"]
    answers = set()
    for seed in range(4):
        tokens, logits = model.generate(1, prompt, 10, *options, seed)
        for step, token in enumerate(tokens):
            uniform = uniform_at(seed, 0, len(prompt) + step)
            assert token == sampled(logits[step], 1.5, 40, 0.9, uniform)
        for tp in RANKS[1:]:
            assert model.generate(tp, prompt, 10, *options, seed)[0] == tokens
        answers.add(tuple(tokens))
    assert len(answers) == 4


# --- What a run tells about itself ------------------------------------------


@pytest.mark.parametrize("tp", [1, 3, 4])
def test_trace_and_statistics(tiny_model, tmp_path, tp):
    """Collectives as explained: names, order, bytes, the same on every rank."""
    model = tiny_model("gqa9")
    trace = tmp_path / "trace.json"
    result = model.run(
        tp, prompt_of(2 * CHUNK + 1, 97), "--generate", 5, "--stats", "--trace", trace
    )
    assert result.returncode == 0, result.stderr
    calls = {"prefill": 3, "decode": len(result.stdout.split(",")) - 1}
    entries = model.explanation(tp)["entries"]
    wanted = []
    for entry, count in calls.items():
        rows = entries[entry]["collectives"]
        wanted += count * [(f"{r['loc']}.{r['kind']}", r["bytes_per_rank"]) for r in rows]
    spans = [e for e in json.loads(trace.read_text())["traceEvents"] if e["ph"] == "X"]
    for rank in range(tp):
        mine = [e for e in spans if e["tid"] == rank and e["cat"] == "collective"]
        assert [(e["name"], e["args"]["bytes"]) for e in mine] == wanted
        names = [e["name"] for e in spans if e["tid"] == rank and e["cat"] == "entry"]
        assert names == [entry for entry, count in calls.items() for _ in range(count)]
    assert {e["tid"] for e in spans} == set(range(tp))
    computed = {e["name"] for e in spans if e["cat"] == "compute"}
    assert {"model.norm.kernel", "model.layers.1.self_attn.kernel"} <= computed
    assert not {"kernel", "gemm"} & computed  # every one has its place

    lines = [line.split() for line in result.stderr.splitlines()]
    for entry, count in calls.items():
        speed = next(line for line in lines if line[:1] == [entry])
        assert speed[1] == str(count)
        assert speed[3] == str(2 * CHUNK + 1 if entry == "prefill" else count)
        ranks = [line for line in lines if line[:1] == [entry] and line is not speed]
        totals = entries[entry]["totals"]
        figures = [str(count * totals["count"]), str(count * totals["bytes_per_rank"])]
        assert [line[-2:] for line in ranks] == tp * [figures]


# --- Other plans ------------------------------------------------------------


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
@pytest.mark.parametrize("plan, tp", PLANS)
def test_published_model(published, plan, tp):
    for case in GOLDEN["cases"]:
        count = len(case["generated_ids"])
        tokens, logits = published.generate(tp, case["prompt_ids"], count, plan=plan)
        assert tokens == case["generated_ids"]
        assert logits.shape == (len(tokens), GOLDEN["config"]["vocab_size"])
        logits = logits[0]
        top = np.argsort(-logits)[:5]
        assert top.tolist() == [token for token, _ in case["top5"]]
        np.testing.assert_allclose(logits[top], [value for _, value in case["top5"]], rtol=1e-4)


@pytest.mark.long
def test_published_model_in_bf16(tmp_path):
    import model

    need("tp-import", "tp-compile")
    narrow = Model(model.checkpoint(), tmp_path, "--dtype", "bf16")
    for case in GOLDEN["cases"]:
        for tp in (1, 3):
            tokens, logits = narrow.generate(tp, case["prompt_ids"], 1)
            top = [token for token, _ in case["top5"]]
            wanted = np.array([value for _, value in case["top5"]])
            assert tokens[0] == top[0]
            assert np.abs(logits[0][top] - wanted).max() < 3e-2 * np.abs(wanted).max()


def test_cut_positions_of_the_cache(tiny_model, tmp_path):
    """Context parallelism by one line of a plan, beside heads on their own axis: decoding reduces
    what attention of each block gives, twice per layer, and no cache moves."""
    model = tiny_model("gqa9")
    expected = reference.load(model.checkpoint)
    prompt = prompt_of(CHUNK + 1, expected.config["vocab_size"])
    for mesh, shard in (
        ({"cp": 3}, {"*_cache": "[_, _, cp, _]"}),
        ({"tp": 3, "cp": 2}, {**WEIGHTS, "*_cache": "[_, tp, cp, _]"}),
    ):
        plan, output = tmp_path / "plan.json", tmp_path / "model"
        plan.write_text(json.dumps({"mesh": mesh, "shard": shard}))
        explain, logits = tmp_path / "explain.json", tmp_path / "logits.npy"
        compiled = run("tp-compile", model.ir, "--plan", plan, f"--explain={explain}", "-o", output)
        assert compiled.returncode == 0 and "not proved" not in compiled.stderr, compiled.stderr
        ids = ",".join(map(str, prompt))
        common = ["--weights", model.checkpoint, "--tokens", ids, "--generate", 6]
        tokens = succeed(output, *common, "--logits", logits, "--check-collectives")
        stop = [expected.config["eos_token_id"]]
        assert [int(t) for t in tokens.split(",")] == reference.generate(expected, prompt, 6, stop)
        rows = json.loads(explain.read_text())["entries"]["decode"]["collectives"]
        over = [r for r in rows if r["axes"] == ["cp"]]
        assert [r["kind"] for r in over] == ["all_reduce"] * 2 * expected.config[
            "num_hidden_layers"
        ]
