"""A small forward pass of the Llama family in numpy, to compare with.

Written for clarity and apart from the compiler: the whole sequence at once,
no cache, one head at a time. Formulas:

  rms norm    y = x / sqrt(mean(x^2) + eps) * w
  rotary      pair (x[i], x[i + d/2]) turns by position / theta^(2i/d)
  attention   softmax(q k^T / sqrt(d) + causal mask) v, query head h reading
              key head h // (heads / kv_heads)
  ffn         down(silu(gate(x)) * up(x)),  silu(x) = x / (1 + exp(-x))
"""

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

    def weight(self, name):
        return np.asarray(self.tensors[name], dtype=self.dtype)


def load(directory, dtype=np.float32):
    """Reads a Hugging Face directory; `dtype` is what the pass computes in."""
    directory = Path(directory)
    return Model(read_json(directory / "config.json"), load_tensors(directory), dtype)


def _linear(model, name, x):
    y = x @ model.weight(f"{name}.weight").T
    bias = f"{name}.bias"
    return y + model.weight(bias) if bias in model.tensors else y


def _rms_norm(model, name, x):
    scale = np.sqrt(np.mean(x * x, axis=-1, keepdims=True) + model.config["rms_norm_eps"])
    return x / scale * model.weight(f"{name}.weight")


def _rotate(x, theta):
    """Rotary embedding of x [positions, d]."""
    positions, d = x.shape
    half = d // 2
    angles = np.outer(np.arange(positions), float(theta) ** (-2.0 * np.arange(half) / d))
    cos, sin = np.cos(angles).astype(x.dtype), np.sin(angles).astype(x.dtype)
    low, high = x[:, :half], x[:, half:]
    return np.concatenate([low * cos - high * sin, high * cos + low * sin], axis=1)


def _attention(model, prefix, x):
    config = model.config
    heads = config["num_attention_heads"]
    kv_heads = config.get("num_key_value_heads", heads)
    d = config.get("head_dim") or config["hidden_size"] // heads
    q = _linear(model, f"{prefix}.q_proj", x)
    k = _linear(model, f"{prefix}.k_proj", x)
    v = _linear(model, f"{prefix}.v_proj", x)
    future = np.triu(np.ones((len(x), len(x)), dtype=bool), 1)
    outputs = []
    for head in range(heads):
        kv = head // (heads // kv_heads)
        query = _rotate(q[:, head * d : (head + 1) * d], config["rope_theta"])
        key = _rotate(k[:, kv * d : (kv + 1) * d], config["rope_theta"])
        scores = query @ key.T / np.sqrt(d).astype(x.dtype)
        scores[future] = -np.inf
        scores = np.exp(scores - scores.max(axis=-1, keepdims=True))
        scores /= scores.sum(axis=-1, keepdims=True)
        outputs.append(scores @ v[:, kv * d : (kv + 1) * d])
    return _linear(model, f"{prefix}.o_proj", np.concatenate(outputs, axis=1))


def _ffn(model, prefix, x):
    gate = _linear(model, f"{prefix}.gate_proj", x)
    return _linear(
        model,
        f"{prefix}.down_proj",
        gate / (1 + np.exp(-gate)) * _linear(model, f"{prefix}.up_proj", x),
    )


def logits(model, ids, last_only=False):
    """Logits [positions, vocab] after each token of `ids` (or only the last)."""
    x = np.asarray(model.tensors["model.embed_tokens.weight"][list(ids)], dtype=model.dtype)
    for layer in range(model.config["num_hidden_layers"]):
        prefix = f"model.layers.{layer}"
        x = x + _attention(
            model, f"{prefix}.self_attn", _rms_norm(model, f"{prefix}.input_layernorm", x)
        )
        x = x + _ffn(
            model, f"{prefix}.mlp", _rms_norm(model, f"{prefix}.post_attention_layernorm", x)
        )
    if last_only:
        x = x[-1:]
    x = _rms_norm(model, "model.norm", x)
    tied = model.config.get("tie_word_embeddings", False)
    return x @ model.weight("model.embed_tokens.weight" if tied else "lm_head.weight").T


def generate(model, ids, count, stop=()):
    """Greedy continuation of `ids` by `count` tokens, the lowest id at a tie."""
    ids = list(ids)
    start = len(ids)
    while len(ids) < start + count:
        ids.append(int(np.argmax(logits(model, ids, last_only=True)[0])))
        if ids[-1] in stop:
            break
    return ids[start:]
