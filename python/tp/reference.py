"""A small forward pass of every family in numpy, to compare with.

Written for clarity and apart from the compiler: the whole sequence at once,
no cache, one head at a time. Formulas:

  rms norm    y = x / sqrt(mean(x^2) + eps) * w
  layer norm  y = (x - mean) / sqrt(variance + eps) * w + b
  rotary      pair (x[i], x[i + r/2]) of the first r elements turns by position * f[i],
              f[i] = theta^(-2i/r) unless it is scaled
  attention   softmax(scale * q k^T + mask) v, query head h reading key head
              h // (heads / kv_heads); causal, in a window of w positions the last w,
              and without a mask in an encoder, which sees the text and nothing else
  ffn         down(act(gate(x)) * up(x)), or down(act(up(x))) where there is no gate

The functions follow the published definitions of the models; names of fields
and tensors are those of their checkpoints.
"""

import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from .checkpoint import load_tensors, read_json


@dataclass
class Model:
    """A checkpoint in memory: its config.json and its tensors in `dtype`."""

    config: dict
    tensors: dict
    dtype: type = np.float32
    directory: Path | None = None

    def weight(self, name):
        return np.asarray(self.tensors[name], dtype=self.dtype)

    def rows(self, name, ids):
        return np.asarray(self.tensors[name][list(ids)], dtype=self.dtype)


def load(directory, dtype=np.float32):
    """Reads a Hugging Face directory; `dtype` is what the pass computes in."""
    directory = Path(directory)
    return Model(read_json(directory / "config.json"), load_tensors(directory), dtype, directory)


# --- Pieces -----------------------------------------------------------------


def _linear(model, name, x):
    y = x @ model.weight(f"{name}.weight").T
    bias = f"{name}.bias"
    return y + model.weight(bias) if bias in model.tensors else y


def _rms_norm(model, name, x, offset=0):
    scale = np.sqrt(np.mean(x * x, axis=-1, keepdims=True) + model.config["rms_norm_eps"])
    return x / scale * (offset + model.weight(f"{name}.weight"))


def _layer_norm(model, name, x, epsilon):
    x = x - np.mean(x, axis=-1, keepdims=True)
    x = x / np.sqrt(np.mean(x * x, axis=-1, keepdims=True) + x.dtype.type(epsilon))
    return x * model.weight(f"{name}.weight") + model.weight(f"{name}.bias")


def _activate(name, x):
    if name == "relu":
        return np.maximum(x, 0)
    if name == "silu":
        return x / (1 + np.exp(-x))
    if name == "gelu":
        return x * np.vectorize(lambda v: (1 + math.erf(v / math.sqrt(2))) / 2)(x).astype(x.dtype)
    assert name in ("gelu_new", "gelu_fast", "gelu_pytorch_tanh"), name
    return x / 2 * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))


def _frequencies(r, theta, scaling=None):
    f = float(theta) ** (-2.0 * np.arange(r // 2) / r)
    scaling = scaling or {}
    kind = scaling.get("rope_type", scaling.get("type", "default"))
    if kind == "default":
        return f
    slow = f / scaling["factor"]
    if kind == "linear":
        return slow
    assert kind == "llama3", kind
    # Waves that are long in the original context are stretched, short ones are
    # kept, those in between go from one to the other.
    context = scaling["original_max_position_embeddings"]
    low, high = scaling["low_freq_factor"], scaling["high_freq_factor"]
    length = 2 * np.pi / f
    share = (context / length - low) / (high - low)
    between = (1 - share) * slow + share * f
    return np.select([length < context / high, length > context / low], [f, slow], between)


def _rotate(x, frequencies):
    """Rotary embedding of x [positions, d], of as many elements as there are angles."""
    half = len(frequencies)
    angles = np.outer(np.arange(len(x)), frequencies)
    cos, sin = np.cos(angles).astype(x.dtype), np.sin(angles).astype(x.dtype)
    low, high, rest = x[:, :half], x[:, half : 2 * half], x[:, 2 * half :]
    return np.concatenate([low * cos - high * sin, high * cos + low * sin, rest], axis=1)


def _heads(x, count):
    """[positions, count * d] as a list of [positions, d]."""
    return np.split(x, count, axis=1)


def _attend(queries, keys, values, scale, window=None, causal=True):
    """Outputs of all query heads, side by side."""
    positions = np.arange(len(queries[0]))
    distance = positions[:, None] - positions[None, :]
    hidden = (distance < 0) & causal
    if window is not None:
        hidden |= distance >= window
    outputs = []
    for head, query in enumerate(queries):
        kv = head // (len(queries) // len(keys))
        scores = query @ keys[kv].T * query.dtype.type(scale)
        scores[hidden] = -np.inf
        scores = np.exp(scores - scores.max(axis=-1, keepdims=True))
        scores /= scores.sum(axis=-1, keepdims=True)
        outputs.append(scores @ values[kv])
    return np.concatenate(outputs, axis=1)


def _gated_ffn(model, prefix, x, activation):
    gate = _activate(activation, _linear(model, f"{prefix}.gate_proj", x))
    return _linear(model, f"{prefix}.down_proj", gate * _linear(model, f"{prefix}.up_proj", x))


# --- Llama, Mistral, Qwen2, Qwen3 -------------------------------------------


def _llama_window(config, layer):
    if config["model_type"] == "mistral":
        return config["sliding_window"]
    if config.get("use_sliding_window") and layer >= config["max_window_layers"]:
        return config["sliding_window"]
    return None


def _llama_attention(model, prefix, x, layer):
    config = model.config
    heads = config["num_attention_heads"]
    d = config.get("head_dim") or config["hidden_size"] // heads
    kv_heads = config.get("num_key_value_heads", heads)
    q = _heads(_linear(model, f"{prefix}.q_proj", x), heads)
    k = _heads(_linear(model, f"{prefix}.k_proj", x), kv_heads)
    v = _heads(_linear(model, f"{prefix}.v_proj", x), kv_heads)
    if config["model_type"] == "qwen3":
        q = [_rms_norm(model, f"{prefix}.q_norm", head) for head in q]
        k = [_rms_norm(model, f"{prefix}.k_norm", head) for head in k]
    f = _frequencies(d, config["rope_theta"], config.get("rope_scaling"))
    q, k = [_rotate(head, f) for head in q], [_rotate(head, f) for head in k]
    mixed = _attend(q, k, v, d**-0.5, _llama_window(config, layer))
    return _linear(model, f"{prefix}.o_proj", mixed)


def _llama(model, ids):
    x = model.rows("model.embed_tokens.weight", ids)
    for layer in range(model.config["num_hidden_layers"]):
        prefix = f"model.layers.{layer}"
        normed = _rms_norm(model, f"{prefix}.input_layernorm", x)
        x = x + _llama_attention(model, f"{prefix}.self_attn", normed, layer)
        normed = _rms_norm(model, f"{prefix}.post_attention_layernorm", x)
        x = x + _gated_ffn(model, f"{prefix}.mlp", normed, model.config["hidden_act"])
    return x


def _llama_head(model, x):
    x = _rms_norm(model, "model.norm", x)
    tied = model.config.get("tie_word_embeddings", False)
    return x @ model.weight("model.embed_tokens.weight" if tied else "lm_head.weight").T


# --- Gemma 3 ----------------------------------------------------------------


def _gemma3_attention(model, prefix, x, layer):
    config = model.config
    d = config["head_dim"]
    types = config.get("layer_types")
    pattern = config.get("sliding_window_pattern", 6)
    local = types[layer] == "sliding_attention" if types else (layer + 1) % pattern != 0
    if local:
        f, window = _frequencies(d, config["rope_local_base_freq"]), config["sliding_window"]
    else:
        f, window = _frequencies(d, config["rope_theta"], config.get("rope_scaling")), None
    q = _heads(_linear(model, f"{prefix}.q_proj", x), config["num_attention_heads"])
    k = _heads(_linear(model, f"{prefix}.k_proj", x), config["num_key_value_heads"])
    v = _heads(_linear(model, f"{prefix}.v_proj", x), config["num_key_value_heads"])
    q = [_rotate(_rms_norm(model, f"{prefix}.q_norm", head, 1), f) for head in q]
    k = [_rotate(_rms_norm(model, f"{prefix}.k_norm", head, 1), f) for head in k]
    mixed = _attend(q, k, v, config["query_pre_attn_scalar"] ** -0.5, window)
    return _linear(model, f"{prefix}.o_proj", mixed)


def _gemma3(model, ids):
    config = model.config
    x = model.rows("model.embed_tokens.weight", ids) * model.dtype(config["hidden_size"] ** 0.5)
    for layer in range(config["num_hidden_layers"]):
        prefix = f"model.layers.{layer}"
        y = _rms_norm(model, f"{prefix}.input_layernorm", x, 1)
        y = _gemma3_attention(model, f"{prefix}.self_attn", y, layer)
        x = x + _rms_norm(model, f"{prefix}.post_attention_layernorm", y, 1)
        y = _rms_norm(model, f"{prefix}.pre_feedforward_layernorm", x, 1)
        y = _gated_ffn(model, f"{prefix}.mlp", y, config["hidden_activation"])
        x = x + _rms_norm(model, f"{prefix}.post_feedforward_layernorm", y, 1)
    return x


def _gemma3_head(model, x):
    return _rms_norm(model, "model.norm", x, 1) @ model.weight("model.embed_tokens.weight").T


# --- GPT-2 ------------------------------------------------------------------


def _conv1d(model, name, x):
    return x @ model.weight(f"{name}.weight") + model.weight(f"{name}.bias")


def _gpt2(model, ids):
    config = model.config
    heads, epsilon = config["n_head"], config["layer_norm_epsilon"]
    x = model.rows("transformer.wte.weight", ids)
    x = x + model.rows("transformer.wpe.weight", range(len(ids)))
    for layer in range(config["n_layer"]):
        prefix = f"transformer.h.{layer}"
        y = _conv1d(
            model, f"{prefix}.attn.c_attn", _layer_norm(model, f"{prefix}.ln_1", x, epsilon)
        )
        q, k, v = (_heads(part, heads) for part in np.split(y, 3, axis=1))
        y = _attend(q, k, v, (config["n_embd"] // heads) ** -0.5)
        x = x + _conv1d(model, f"{prefix}.attn.c_proj", y)
        y = _conv1d(model, f"{prefix}.mlp.c_fc", _layer_norm(model, f"{prefix}.ln_2", x, epsilon))
        y = _activate(config["activation_function"], y)
        x = x + _conv1d(model, f"{prefix}.mlp.c_proj", y)
    return x


def _gpt2_head(model, x):
    x = _layer_norm(model, "transformer.ln_f", x, model.config["layer_norm_epsilon"])
    tied = model.config.get("tie_word_embeddings", True)
    return x @ model.weight("transformer.wte.weight" if tied else "lm_head.weight").T


# --- GPT-NeoX ---------------------------------------------------------------


def _neox_attention(model, prefix, x):
    config = model.config
    heads = config["num_attention_heads"]
    d = config["hidden_size"] // heads
    f = _frequencies(int(d * config["rotary_pct"]), config["rotary_emb_base"])
    # Each head has its query, key and value side by side.
    fused = _heads(_linear(model, f"{prefix}.query_key_value", x), heads)
    q = [_rotate(head[:, :d], f) for head in fused]
    k = [_rotate(head[:, d : 2 * d], f) for head in fused]
    v = [head[:, 2 * d :] for head in fused]
    return _linear(model, f"{prefix}.dense", _attend(q, k, v, d**-0.5))


def _plain_ffn(model, up, down, x, activation):
    return _linear(model, down, _activate(activation, _linear(model, up, x)))


def _neox(model, ids):
    config = model.config
    epsilon = config["layer_norm_eps"]
    x = model.rows("gpt_neox.embed_in.weight", ids)
    for layer in range(config["num_hidden_layers"]):
        prefix = f"gpt_neox.layers.{layer}"
        y = _layer_norm(model, f"{prefix}.input_layernorm", x, epsilon)
        mixed = x + _neox_attention(model, f"{prefix}.attention", y)
        source = x if config["use_parallel_residual"] else mixed
        y = _layer_norm(model, f"{prefix}.post_attention_layernorm", source, epsilon)
        up, down = (f"{prefix}.mlp.dense_{way}" for way in ("h_to_4h", "4h_to_h"))
        x = mixed + _plain_ffn(model, up, down, y, config["hidden_act"])
    return x


def _neox_head(model, x):
    x = _layer_norm(model, "gpt_neox.final_layer_norm", x, model.config["layer_norm_eps"])
    return x @ model.weight("embed_out.weight").T


# --- Phi --------------------------------------------------------------------


def _phi(model, ids):
    config = model.config
    heads, kv_heads = config["num_attention_heads"], config["num_key_value_heads"]
    d = config["hidden_size"] // heads
    r = int(d * config["partial_rotary_factor"])
    f = _frequencies(r, config["rope_theta"], config.get("rope_scaling"))
    x = model.rows("model.embed_tokens.weight", ids)
    for layer in range(config["num_hidden_layers"]):
        prefix = f"model.layers.{layer}"
        y = _layer_norm(model, f"{prefix}.input_layernorm", x, config["layer_norm_eps"])
        q, k, v = (
            _heads(_linear(model, f"{prefix}.self_attn.{name}_proj", y), count)
            for name, count in (("q", heads), ("k", kv_heads), ("v", kv_heads))
        )
        q, k = [_rotate(head, f) for head in q], [_rotate(head, f) for head in k]
        x = x + _linear(model, f"{prefix}.self_attn.dense", _attend(q, k, v, d**-0.5))
        up, down = f"{prefix}.mlp.fc1", f"{prefix}.mlp.fc2"
        x = x + _plain_ffn(model, up, down, y, config["hidden_act"])
    return x


def _phi_head(model, x):
    x = _layer_norm(model, "model.final_layernorm", x, model.config["layer_norm_eps"])
    return _linear(model, "lm_head", x)


# --- Falcon -----------------------------------------------------------------


def _falcon_attention(model, prefix, x):
    config = model.config
    heads = config["num_attention_heads"]
    groups = config.get("num_kv_heads", heads)
    if not config["new_decoder_architecture"]:
        groups = 1 if config["multi_query"] else heads
    d = config["hidden_size"] // heads
    f = _frequencies(d, config.get("rope_theta", 10000.0))
    q, k, v = [], [], []
    # Each group has its query heads, then a key, then a value.
    for group in _heads(_linear(model, f"{prefix}.query_key_value", x), groups):
        *queries, key, value = _heads(group, heads // groups + 2)
        q += [_rotate(head, f) for head in queries]
        k.append(_rotate(key, f))
        v.append(value)
    return _linear(model, f"{prefix}.dense", _attend(q, k, v, d**-0.5))


def _falcon(model, ids):
    config = model.config
    x = model.rows("transformer.word_embeddings.weight", ids)

    def norm(name, value):
        return _layer_norm(model, name, value, config["layer_norm_epsilon"])

    for layer in range(config["num_hidden_layers"]):
        prefix = f"transformer.h.{layer}"
        if config["new_decoder_architecture"] and config.get("num_ln_in_parallel_attn", 2) == 2:
            y, z = norm(f"{prefix}.ln_attn", x), norm(f"{prefix}.ln_mlp", x)
        else:
            y = z = norm(f"{prefix}.input_layernorm", x)
        x = x + _falcon_attention(model, f"{prefix}.self_attention", y)
        if not config["new_decoder_architecture"] and not config["parallel_attn"]:
            z = norm(f"{prefix}.post_attention_layernorm", x)
        up, down = (f"{prefix}.mlp.dense_{way}" for way in ("h_to_4h", "4h_to_h"))
        x = x + _plain_ffn(model, up, down, z, config.get("activation", "gelu"))
    return x


def _falcon_head(model, x):
    x = _layer_norm(model, "transformer.ln_f", x, model.config["layer_norm_epsilon"])
    tied = model.config.get("tie_word_embeddings", True)
    table = "transformer.word_embeddings.weight" if tied else "lm_head.weight"
    return x @ model.weight(table).T


# --- BERT -------------------------------------------------------------------


def _bert(model, ids):
    """Activations [positions, width] of one text of one segment."""
    config = model.config
    heads, epsilon = config["num_attention_heads"], config.get("layer_norm_eps", 1e-12)
    d = config["hidden_size"] // heads
    x = model.rows("embeddings.word_embeddings.weight", ids)
    x = x + model.rows("embeddings.token_type_embeddings.weight", [0] * len(ids))
    x = x + model.rows("embeddings.position_embeddings.weight", range(len(ids)))
    x = _layer_norm(model, "embeddings.LayerNorm", x, epsilon)
    for layer in range(config["num_hidden_layers"]):
        prefix = f"encoder.layer.{layer}"
        q, k, v = (
            _heads(_linear(model, f"{prefix}.attention.self.{name}", x), heads)
            for name in ("query", "key", "value")
        )
        y = _attend(q, k, v, d**-0.5, causal=False)
        y = _linear(model, f"{prefix}.attention.output.dense", y)
        x = _layer_norm(model, f"{prefix}.attention.output.LayerNorm", x + y, epsilon)
        up, down = f"{prefix}.intermediate.dense", f"{prefix}.output.dense"
        y = _plain_ffn(model, up, down, x, config["hidden_act"])
        x = _layer_norm(model, f"{prefix}.output.LayerNorm", x + y, epsilon)
    return x


def embedding(model, ids):
    """What the modules of a sentence-transformers directory make of a text [width], or,
    in a directory without them, all activations [positions, width]."""
    x = _bert(model, ids)
    modules = model.directory / "modules.json"
    if not modules.exists():
        return x
    for module in read_json(modules)[1:]:
        kind = module["type"].rsplit(".", 1)[1]
        if kind == "Pooling":
            modes = read_json(model.directory / module["path"] / "config.json")
            x = x[0] if modes["pooling_mode_cls_token"] else x.mean(axis=0)
        else:
            assert kind == "Normalize", kind
            x = x / max(np.sqrt((x * x).sum()), 1e-12)
    return x


# --- All --------------------------------------------------------------------

# model_type: (activations after the last layer, logits from activations)
FAMILIES = {
    "llama": (_llama, _llama_head),
    "mistral": (_llama, _llama_head),
    "qwen2": (_llama, _llama_head),
    "qwen3": (_llama, _llama_head),
    "gemma3_text": (_gemma3, _gemma3_head),
    "gpt2": (_gpt2, _gpt2_head),
    "gpt_neox": (_neox, _neox_head),
    "phi": (_phi, _phi_head),
    "falcon": (_falcon, _falcon_head),
}


def logits(model, ids, last_only=False):
    """Logits [positions, vocab] after each token of `ids` (or only the last)."""
    body, head = FAMILIES[model.config["model_type"]]
    x = body(model, ids)
    return head(model, x[-1:] if last_only else x)


def generate(model, ids, count, stop=()):
    """Greedy continuation of `ids` by `count` tokens, the lowest id at a tie."""
    ids = list(ids)
    start = len(ids)
    while len(ids) < start + count:
        ids.append(int(np.argmax(logits(model, ids, last_only=True)[0])))
        if ids[-1] in stop:
            break
    return ids[start:]
