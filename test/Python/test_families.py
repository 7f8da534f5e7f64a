"""Every model family: tiny random checkpoints against numpy, on 1 to 4 ranks."""

import json
import re

import numpy as np
import pytest
from compiled import Model, need, rejected, run

from tp import reference, tiny

RANKS = (1, 2, 3, 4)
CHUNK = 8


# On two ranks these are always run, the others with the long tests.
QUICK_ON_TWO = ("gemma3", "gpt2")
CASES = [
    pytest.param(name, tp, marks=[pytest.mark.long] if tp == 2 and name not in QUICK_ON_TWO else [])
    for name in tiny.FAMILIES
    for tp in RANKS
]


@pytest.fixture(scope="module")
def family_model(tmp_path_factory):
    """Makes, imports and remembers the checkpoints by name."""
    need("tp-import", "tp-compile")
    made = {}

    def get(name, **changes):
        key = name + json.dumps(changes, sort_keys=True)
        if key not in made:
            folder = tmp_path_factory.mktemp(name)
            checkpoint = tiny.make(name, folder / "hf", **changes)
            made[key] = Model(checkpoint, folder, "--max-seq", 30, "--chunk", CHUNK)
        return made[key]

    return get


def check(model, tp, lengths=(1, CHUNK + 3)):
    """Prefills, decodes and compares all logits with the reference."""
    expected = reference.load(model.checkpoint)
    for length in lengths:
        prompt = [(7 * i + 3) % expected.config["vocab_size"] for i in range(length)]
        tokens, logits = model.generate(tp, prompt, 6)
        wanted = reference.logits(expected, prompt + tokens[:-1])[length - 1 :]
        error = np.abs(logits - wanted).max() / np.abs(wanted).max()
        assert error < 1e-4, f"prompt of {length}: logits differ by {error:.2e}"
        assert tokens == np.argmax(logits, axis=-1).tolist()


@pytest.mark.parametrize("name, tp", CASES)
def test_logits(family_model, name, tp):
    check(family_model(name), tp)


# All-reduces in a layer under megatron: one where attention and feed-forward
# network are side by side, else one for each.
ONE_SUM = ("neox", "phi", "falcon", "falcon-new")


@pytest.mark.parametrize("name, tp", [case for case in CASES if case.values[1] != 1])
def test_collectives(family_model, name, tp):
    model = family_model(name)
    config = tiny.config_of(name)
    layers = config.get("num_hidden_layers") or config["n_layer"]
    for entry in ("prefill", "decode"):
        rows = model.explanation(tp)["entries"][entry]["collectives"]
        sums = [row["loc"] for row in rows if row["kind"] == "all_reduce"]
        for layer in range(layers):
            count = sum(f".{layer}." in loc for loc in sums)
            assert count == (1 if name in ONE_SUM else 2), rows
        assert len(sums) == (1 if name in ONE_SUM else 2) * layers + 1
        # Sampling: one candidate of each rank, as value and index: 4 and 8 bytes.
        others = [(r["kind"], r["dtype"], r["elements"]) for r in rows if r["kind"] != "all_reduce"]
        assert others == [("all_gather", "i32", 3 * tp)]


def test_fused_weights_are_parts_of_their_tensor(family_model):
    """Sources, not operations on values, take fused weights apart."""
    parts = {
        "gpt2": [36, 3, 9, 1, 4],
        "neox": [5, 3, 12, 60],
        "falcon": [1, 73, 2, 142],
        "falcon-new": [2, 5, 8, 48],
    }
    for name, view in parts.items():
        program = family_model(name).ir.read_text()
        assert f"view = {view}" in program
        assert not re.search(r"tensor\.(extract_slice|concat)|linalg\.transpose", program)


def test_bare_gpt2(family_model, tmp_path):
    """Checkpoints of the model without its head have shorter names."""
    model = family_model("gpt2")
    config = tiny.config_of("gpt2")
    tensors = tiny.random_tensors(config)
    bare = {name.removeprefix("transformer."): tensor for name, tensor in tensors.items()}
    bare["h.0.attn.bias"] = np.zeros((1, 1, 4, 4), np.float32)
    other = Model(
        tiny.write_checkpoint(tmp_path / "hf", config, bare),
        tmp_path,
        "--max-seq",
        30,
        "--chunk",
        CHUNK,
    )
    ids, logits = other.generate(1, [3, 1, 4], 3)
    wanted, expected = model.generate(1, [3, 1, 4], 3)
    assert ids == wanted
    np.testing.assert_array_equal(logits, expected)


def test_rotary_parameters_by_kind_of_layer(family_model):
    """The newer form of Gemma's configuration is the same model."""
    old = family_model("gemma3")
    new = family_model(
        "gemma3",
        rope_theta=None,
        rope_local_base_freq=None,
        rope_scaling=None,
        rope_parameters={
            "full_attention": {"rope_type": "linear", "factor": 4.0, "rope_theta": 1000.0},
            "sliding_attention": {"rope_type": "default", "rope_theta": 50.0},
        },
    )
    assert new.ir.read_text() == old.ir.read_text()


# --- What the configurations say --------------------------------------------

# The first of each kind run always, the others with the long tests.
QUICK_VARIANTS = [
    ("llama3", {"rope_scaling": {"type": "linear", "factor": 3.0, "rope_type": "linear"}}),
    (
        "gemma3",
        {"layer_types": ["full_attention", "sliding_attention", "full_attention"]},
    ),
    # Fewer learned positions than the chunks of a prompt take.
    ("gpt2", {"n_positions": 30}),
    ("gpt2", {"tie_word_embeddings": False, "n_inner": 50, "activation_function": "silu"}),
    ("neox", {"use_parallel_residual": False, "attention_bias": False}),
    ("falcon", {"multi_query": False, "parallel_attn": False, "bias": True}),
]
LONG_VARIANTS = [
    ("llama3", {"hidden_act": "gelu"}),
    ("llama3", {"hidden_act": "gelu_pytorch_tanh"}),
    ("mistral", {"sliding_window": None}),
    ("mistral", {"sliding_window": 1, "attention_bias": False}),
    ("qwen2", {"use_sliding_window": False}),
    ("qwen3", {"attention_bias": True, "tie_word_embeddings": True}),
    ("gemma3", {"head_dim": 256, "num_attention_heads": 4}),
    ("gpt2", {"activation_function": "relu"}),
    ("phi", {"hidden_act": "gelu", "rope_scaling": {"type": "linear", "factor": 2.0}}),
    ("falcon", {"num_ln_in_parallel_attn": 1, "ffn_hidden_size": 30}),
    ("falcon-new", {"num_ln_in_parallel_attn": 1, "bias": True}),
]
VARIANTS = QUICK_VARIANTS + [pytest.param(*v, marks=pytest.mark.long) for v in LONG_VARIANTS]


@pytest.mark.parametrize("name, changes", VARIANTS)
def test_variant(family_model, name, changes):
    check(family_model(name, **changes), 1, [CHUNK + 3, 3 * CHUNK])


UNSUPPORTED = [
    ("llama3", {"rope_scaling": {"rope_type": "llama3"}}, "rope_scaling.factor: is missing"),
    (
        "llama3",
        {"rope_scaling": {**tiny.LLAMA3, "high_freq_factor": 1.0}},
        "rope_scaling.high_freq_factor: must be larger than low_freq_factor",
    ),
    (
        "llama3",
        {"rope_scaling": {**tiny.LLAMA3, "beta_fast": 32}},
        "rope_scaling.beta_fast: is not known here",
    ),
    (
        "llama3",
        {"rope_parameters": {"rope_type": "default"}},
        "rope_parameters: an object beside rope_scaling is not supported",
    ),
    # Fields of other families.
    ("llama3", {"query_pre_attn_scalar": 8}, "query_pre_attn_scalar: has no meaning for .*'llama'"),
    ("llama3", {"n_embd": 8}, "n_embd: has no meaning"),
    ("llama3", {"layer_types": ["full_attention"]}, "layer_types: has no meaning"),
    ("llama3", {"num_local_experts": 8}, "num_local_experts: has no meaning"),
    ("mistral", {"attention_bias": True}, "attention_bias: has no meaning for .*'mistral'"),
    ("mistral", {"use_sliding_window": True}, "use_sliding_window: has no meaning"),
    ("qwen2", {"mlp_bias": True}, "mlp_bias: has no meaning"),
    ("qwen2", {"layer_types": ["full_attention"]}, "layer_types: expected 2 layers, found 1"),
    (
        "qwen2",
        {"layer_types": ["full_attention", "chunked_attention"]},
        "layer_types: supported are full_attention, sliding_attention, found 'chunked_attention'",
    ),
    (
        "qwen3",
        {"layer_types": ["full_attention", "sliding_attention"]},
        "layer_types: has sliding_attention, but there is no sliding_window",
    ),
    ("qwen3", {"head_dim": 15}, "head_dim: must be even, found 15"),
    ("gemma3", {"head_dim": 15}, "head_dim: must be even, found 15"),
    ("gemma3", {"attn_logit_softcapping": 50.0}, "attn_logit_softcapping: capping of .*50"),
    ("gemma3", {"final_logit_softcapping": 30.0}, "final_logit_softcapping: capping of .*30"),
    ("gemma3", {"use_bidirectional_attention": True}, "use_bidirectional_attention: only false"),
    ("gemma3", {"hidden_act": "silu"}, "hidden_act: has no meaning"),
    ("gpt2", {"scale_attn_by_inverse_layer_idx": True}, "scale_attn_by_inverse_layer_idx: only"),
    ("gpt2", {"add_cross_attention": True}, "add_cross_attention: only false"),
    ("gpt2", {"n_head": 7}, r"n_embd: must be a multiple of n_head \(7\) .*found 36"),
    ("gpt2", {"rope_theta": 1e4}, "rope_theta: has no meaning for .*'gpt2'"),
    ("gpt2", {"activation_function": "tanh"}, "activation_function: supported are .*'tanh'"),
    ("neox", {"rotary_pct": 0.05}, "rotary_pct: must rotate an even number .* 12 .*found 0"),
    ("neox", {"rope_theta": 1e4}, "rope_theta: must be that of rotary_emb_base, found 1e4|10000"),
    ("neox", {"num_key_value_heads": 1}, "num_key_value_heads: has no meaning"),
    ("phi", {"qk_layernorm": True}, "qk_layernorm: only false is supported, found true"),
    ("phi", {"sliding_window": 8}, "sliding_window: has no meaning"),
    ("falcon", {"alibi": True}, "alibi: only false is supported, found true"),
    ("falcon", {"num_ln_in_parallel_attn": 2}, "num_ln_in_parallel_attn: expected 1.*found 2"),
    ("falcon-new", {"parallel_attn": False}, "parallel_attn: only true"),
    ("falcon-new", {"num_kv_heads": 4}, r"num_kv_heads: must divide num_attention_heads \(6\)"),
    ("falcon", {"quantization_config": {"bits": 4}}, "quantization_config: .*bits"),
    (
        "gemma3",
        {"rope_scaling": None, "rope_parameters": {"full_attention": {"rope_type": "yarn"}}},
        "rope_parameters.full_attention.rope_type: supported are .*yarn",
    ),
    (
        "gemma3",
        {"rope_scaling": None, "rope_parameters": {"full_attention": {}, "other": {}}},
        "rope_parameters.other: is not known here",
    ),
]


@pytest.mark.parametrize("name, changes, message", UNSUPPORTED)
def test_unsupported(tmp_path, name, changes, message):
    need("tp-import")
    config = {**tiny.config_of(name), **changes}
    tiny.write_checkpoint(tmp_path / "hf", config, {"x": np.zeros(1, np.float32)})
    result = run("tp-import", tmp_path / "hf", "-o", tmp_path / "model.mlir")
    rejected(result, "config.json: " + message)
    assert not (tmp_path / "model.mlir").exists()
