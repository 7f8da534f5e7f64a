"""The numpy reference: against scalar loops, and against published tokens."""

import hashlib
import json
import math

import numpy as np
import pytest
from conftest import ROOT

from tp import reference, tiny
from tp.checkpoint import load_tensors
from tp.errors import UserError

GOLDEN = ROOT / "test/Integration/smollm2_golden.json"


def norm(x, w, eps):
    scale = math.sqrt(sum(v * v for v in x) / len(x) + eps)
    return [v / scale * g for v, g in zip(x, w)]


def matvec(w, x):
    return [sum(a * b for a, b in zip(row, x)) for row in w]


def rotated(x, position, theta):
    half = len(x) // 2
    result = [0.0] * len(x)
    for i in range(half):
        angle = position / theta ** (2 * i / len(x))
        turn = complex(x[i], x[i + half]) * complex(math.cos(angle), math.sin(angle))
        result[i], result[i + half] = turn.real, turn.imag
    return result


def scalar_logits(config, tensors, ids):
    """The last position's logits with Python floats, token by token with a cache."""
    w = {name: tensor.tolist() for name, tensor in tensors.items()}
    d, heads, kv_heads = (
        config["head_dim"],
        config["num_attention_heads"],
        config["num_key_value_heads"],
    )
    eps, theta = config["rms_norm_eps"], config["rope_theta"]
    cache = {}
    for position, token in enumerate(ids):
        x = w["model.embed_tokens.weight"][token]
        for layer in range(config["num_hidden_layers"]):
            p = f"model.layers.{layer}."
            h = norm(x, w[p + "input_layernorm.weight"], eps)
            q, k, v = (matvec(w[p + f"self_attn.{n}_proj.weight"], h) for n in "qkv")
            for g in range(kv_heads):
                part = slice(g * d, (g + 1) * d)
                cache.setdefault((layer, g), []).append(
                    (rotated(k[part], position, theta), v[part])
                )
            mixed = []
            for head in range(heads):
                query = rotated(q[head * d : (head + 1) * d], position, theta)
                past = cache[layer, head * kv_heads // heads]
                weights = [
                    math.exp(sum(a * b for a, b in zip(query, key)) / math.sqrt(d))
                    for key, _ in past
                ]
                total = sum(weights)
                mixed += [
                    sum(a * value[i] for a, (_, value) in zip(weights, past)) / total
                    for i in range(d)
                ]
            x = [a + b for a, b in zip(x, matvec(w[p + "self_attn.o_proj.weight"], mixed))]
            h = norm(x, w[p + "post_attention_layernorm.weight"], eps)
            gate, up = (matvec(w[p + f"mlp.{n}_proj.weight"], h) for n in ("gate", "up"))
            inner = [g / (1 + math.exp(-g)) * u for g, u in zip(gate, up)]
            x = [a + b for a, b in zip(x, matvec(w[p + "mlp.down_proj.weight"], inner))]
    head = "model.embed_tokens.weight" if config["tie_word_embeddings"] else "lm_head.weight"
    return np.array(matvec(w[head], norm(x, w["model.norm.weight"], eps)))


@pytest.mark.parametrize("name", ["gqa9", "gqa6", "mqa", "mha", "one-head", "wide-head"])
def test_against_scalar_loops(tmp_path, name):
    directory = tiny.make(name, tmp_path / "hf")
    model = reference.load(directory, np.float64)
    ids = [3, 1, 4, 1, 0, 2]
    expected = scalar_logits(model.config, load_tensors(directory), ids)
    found = reference.logits(model, ids)
    np.testing.assert_allclose(found[-1], expected, rtol=1e-9, atol=1e-9)
    # The mask is causal: what follows a position does not change it.
    np.testing.assert_allclose(reference.logits(model, ids[:3]), found[:3], rtol=1e-9, atol=1e-9)
    in_f32 = reference.logits(reference.load(directory), ids, last_only=True)
    assert in_f32.dtype == np.float32 and in_f32.shape == (1, model.config["vocab_size"])
    np.testing.assert_allclose(in_f32[0], expected, atol=1e-5 * np.abs(expected).max())


def test_generate_stops_and_is_greedy(tmp_path):
    model = reference.load(tiny.make("gqa9", tmp_path / "hf"))
    ids = reference.generate(model, [1, 2, 3], 5)
    assert len(ids) == 5
    assert ids[0] == int(np.argmax(reference.logits(model, [1, 2, 3])[-1]))
    assert reference.generate(model, [1, 2, 3], 5, stop=[ids[1]]) == ids[: ids.index(ids[1]) + 1]


def test_checkpoints_are_reproducible_and_awkward(tmp_path):
    first = tiny.make("gqa6", tmp_path / "a")
    second = tiny.make("gqa6", tmp_path / "b")
    other = tiny.make("gqa6", tmp_path / "c", seed=1)
    data = [(path / "model.safetensors").read_bytes() for path in (first, second, other)]
    assert data[0] == data[1] != data[2]
    assert any(tiny.config_of(name)["num_attention_heads"] % 2 for name in tiny.SHAPES)


def test_sharded_checkpoint_and_16_bit_floats(tmp_path):
    from safetensors.numpy import save_file

    half = np.array([1.5, -2.0, 0.25], np.float16)
    (tmp_path / "hf").mkdir()
    save_file({"a": half}, tmp_path / "hf/model-1.safetensors")
    save_file({"b": np.ones((2, 2), np.float32)}, tmp_path / "hf/model-2.safetensors")
    index = {"weight_map": {"a": "model-1.safetensors", "b": "model-2.safetensors"}}
    (tmp_path / "hf/model.safetensors.index.json").write_text(json.dumps(index))
    tensors = load_tensors(tmp_path / "hf")
    np.testing.assert_array_equal(tensors["a"], half.astype(np.float32))
    assert tensors["b"].shape == (2, 2)
    header = json.dumps({"x": {"dtype": "BF16", "shape": [2], "data_offsets": [0, 4]}}).encode()
    bits = np.array([0x3FC0, 0xC000], "<u2").tobytes()
    (tmp_path / "hf/model-1.safetensors").write_bytes(
        len(header).to_bytes(8, "little") + header + bits
    )
    np.testing.assert_array_equal(load_tensors(tmp_path / "hf")["x"], [1.5, -2.0])


def test_broken_checkpoint_is_named(tmp_path):
    directory = tiny.make("one-head", tmp_path / "hf")
    file = directory / "model.safetensors"
    file.write_bytes(file.read_bytes()[:-8])
    with pytest.raises(UserError, match="model.safetensors' is not a valid safetensors file"):
        load_tensors(directory)
    file.unlink()
    with pytest.raises(UserError, match="cannot read '.*model.safetensors'"):
        load_tensors(directory)


@pytest.mark.long
def test_published_model(tmp_path):
    """The converted model file, its config, top logits and greedy tokens."""
    import model
    from tp.text import Text

    golden = json.loads(GOLDEN.read_text())
    directory = model.checkpoint()
    digest = hashlib.sha256((directory / "model.safetensors").read_bytes()).hexdigest()
    assert digest == golden["safetensors_sha256"]
    assert json.loads((directory / "config.json").read_text()) == golden["config"]
    text = Text(directory)
    loaded = reference.load(directory)
    for case in golden["cases"]:
        rendered = text.render_chat(case["prompt"]) if case["kind"] == "chat" else case["prompt"]
        assert rendered == case["rendered"]
        assert text.encode(rendered) == case["prompt_ids"]
        assert text.decode(case["generated_ids"]) == case["text"]
        last = reference.logits(loaded, case["prompt_ids"], last_only=True)[0]
        top = np.argsort(-last)[:5]
        assert top.tolist() == [token for token, _ in case["top5"]]
        np.testing.assert_allclose(last[top], [value for _, value in case["top5"]], rtol=1e-4)
        assert reference.generate(loaded, case["prompt_ids"], 24) == case["generated_ids"]
