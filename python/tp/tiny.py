"""Tiny random checkpoints of awkward shapes, one at least for every family, for tests.

    python -m tp.tiny NAME -o DIR        (NAME is one of SHAPES, FAMILIES or ENCODERS)

Sizes are chosen so that most of them do not divide among 2, 3 or 4 ranks.
"""

import argparse
import sys
from pathlib import Path

import numpy as np

from .checkpoint import SafetensorsWriter, new_directory, read_json, write_json
from .errors import report

# name: (layers, heads, kv_heads, head_dim, hidden, ffn, vocab, tied), all Llama
SHAPES = {
    "gqa9": (2, 9, 3, 8, 72, 50, 97, True),
    "gqa6": (3, 6, 2, 8, 48, 50, 131, False),
    "mqa": (2, 6, 1, 16, 40, 50, 97, False),
    "mha": (1, 3, 3, 10, 30, 34, 131, True),
    "one-head": (2, 1, 1, 8, 8, 6, 5, True),
    "wide-head": (2, 2, 2, 64, 24, 20, 131, False),
    "even": (2, 12, 12, 8, 96, 144, 144, False),
}
MAX_POSITIONS = 64
EMBEDDINGS = ("embeddings.", "embed_tokens", "embed_in", "word_embeddings", "wte", "wpe")
COMMON = {"bos_token_id": 1, "eos_token_id": 2, "torch_dtype": "float32"}


def _llama(shape, **changes):
    layers, heads, kv_heads, head_dim, hidden, ffn, vocab, tied = shape
    return {
        "architectures": ["LlamaForCausalLM"],
        "model_type": "llama",
        "hidden_act": "silu",
        "hidden_size": hidden,
        "intermediate_size": ffn,
        "num_hidden_layers": layers,
        "num_attention_heads": heads,
        "num_key_value_heads": kv_heads,
        "head_dim": head_dim,
        "max_position_embeddings": MAX_POSITIONS,
        "rms_norm_eps": 1e-05,
        "rope_theta": 10000.0,
        "rope_scaling": None,
        "vocab_size": vocab,
        "attention_bias": False,
        "mlp_bias": False,
        "tie_word_embeddings": tied,
        **COMMON,
        **changes,
    }


def _like_llama(model_type, architecture, shape, without=(), **changes):
    config = _llama(shape, model_type=model_type, architectures=[architecture], **changes)
    return {k: v for k, v in config.items() if k not in (*without, "mlp_bias")}


LLAMA3 = {
    "rope_type": "llama3",
    "factor": 8.0,
    "low_freq_factor": 1.0,
    "high_freq_factor": 4.0,
    "original_max_position_embeddings": 32,
}
# name: config.json
FAMILIES = {
    "llama3": _llama(
        (1, 6, 3, 16, 36, 50, 97, True),
        rope_scaling=LLAMA3,
        attention_bias=True,
        mlp_bias=True,
        rope_theta=50.0,
    ),
    "mistral": _like_llama(
        "mistral",
        "MistralForCausalLM",
        (2, 6, 2, 8, 40, 50, 97, False),
        without=("attention_bias",),
        sliding_window=5,
    ),
    "qwen2": _like_llama(
        "qwen2",
        "Qwen2ForCausalLM",
        (2, 14, 2, 4, 56, 34, 131, True),
        without=("attention_bias", "head_dim"),
        use_sliding_window=True,
        sliding_window=6,
        max_window_layers=1,
    ),
    "qwen3": _like_llama(
        "qwen3",
        "Qwen3ForCausalLM",
        (2, 6, 3, 16, 40, 50, 97, False),
        use_sliding_window=False,
        sliding_window=None,
        max_window_layers=2,
    ),
    "gemma3": _like_llama(
        "gemma3_text",
        "Gemma3ForCausalLM",
        (3, 7, 1, 16, 36, 50, 131, True),
        without=("hidden_act",),
        hidden_activation="gelu_pytorch_tanh",
        rms_norm_eps=1e-06,
        query_pre_attn_scalar=24,
        sliding_window=6,
        sliding_window_pattern=2,
        rope_theta=1000.0,
        rope_local_base_freq=50.0,
        rope_scaling={"rope_type": "linear", "factor": 4.0},
        attn_logit_softcapping=None,
        final_logit_softcapping=None,
    ),
    "gpt2": {
        "architectures": ["GPT2LMHeadModel"],
        "model_type": "gpt2",
        "activation_function": "gelu_new",
        "n_embd": 36,
        "n_head": 9,
        "n_layer": 2,
        "n_positions": MAX_POSITIONS,
        "n_inner": None,
        "layer_norm_epsilon": 1e-05,
        "vocab_size": 97,
        **COMMON,
    },
    "neox": {
        "architectures": ["GPTNeoXForCausalLM"],
        "model_type": "gpt_neox",
        "hidden_act": "gelu",
        "hidden_size": 60,
        "intermediate_size": 50,
        "num_hidden_layers": 2,
        "num_attention_heads": 5,
        "max_position_embeddings": MAX_POSITIONS,
        "layer_norm_eps": 1e-05,
        "rotary_pct": 0.34,
        "rotary_emb_base": 50.0,
        "use_parallel_residual": True,
        "tie_word_embeddings": False,
        "vocab_size": 131,
        **COMMON,
    },
    "phi": {
        "architectures": ["PhiForCausalLM"],
        "model_type": "phi",
        "hidden_act": "gelu_new",
        "hidden_size": 70,
        "intermediate_size": 50,
        "num_hidden_layers": 2,
        "num_attention_heads": 7,
        "num_key_value_heads": 7,
        "max_position_embeddings": MAX_POSITIONS,
        "layer_norm_eps": 1e-05,
        "partial_rotary_factor": 0.4,
        "rope_theta": 50.0,
        "qk_layernorm": False,
        "tie_word_embeddings": False,
        "vocab_size": 97,
        **COMMON,
    },
    "falcon": {
        "architectures": ["FalconForCausalLM"],
        "model_type": "falcon",
        "alibi": False,
        "bias": False,
        "hidden_size": 142,
        "num_hidden_layers": 1,
        "num_attention_heads": 71,
        "multi_query": True,
        "new_decoder_architecture": False,
        "parallel_attn": True,
        "layer_norm_epsilon": 1e-05,
        "max_position_embeddings": MAX_POSITIONS,
        "vocab_size": 131,
        **COMMON,
    },
    "falcon-new": {
        "architectures": ["FalconForCausalLM"],
        "model_type": "falcon",
        "alibi": False,
        "bias": False,
        "hidden_size": 48,
        "ffn_hidden_size": 50,
        "num_hidden_layers": 2,
        "num_attention_heads": 6,
        "num_kv_heads": 2,
        "new_decoder_architecture": True,
        "rope_theta": 50.0,
        "layer_norm_epsilon": 1e-05,
        "max_position_embeddings": MAX_POSITIONS,
        "tie_word_embeddings": False,
        "vocab_size": 97,
        **COMMON,
    },
}
# The encoders: name: config.json
ENCODERS = {
    "bert": {
        "architectures": ["BertModel"],
        "model_type": "bert",
        "hidden_act": "gelu",
        "hidden_size": 36,
        "intermediate_size": 50,
        "num_hidden_layers": 2,
        "num_attention_heads": 9,
        "max_position_embeddings": MAX_POSITIONS,
        "layer_norm_eps": 1e-12,
        "position_embedding_type": "absolute",
        "type_vocab_size": 2,
        "vocab_size": 97,
        "pad_token_id": 0,
    },
}


def config_of(name):
    """The config.json of a name."""
    configs = FAMILIES | ENCODERS
    return dict(configs[name]) if name in configs else _llama(SHAPES[name])


def _llama_shapes(config):
    kind = config["model_type"]
    hidden, ffn, vocab = config["hidden_size"], config["intermediate_size"], config["vocab_size"]
    head_dim = config.get("head_dim") or hidden // config["num_attention_heads"]
    q = config["num_attention_heads"] * head_dim
    kv = config.get("num_key_value_heads", config["num_attention_heads"]) * head_dim
    shapes = {"model.embed_tokens.weight": (vocab, hidden), "model.norm.weight": (hidden,)}
    if not config["tie_word_embeddings"]:
        shapes["lm_head.weight"] = (vocab, hidden)
    for layer in range(config["num_hidden_layers"]):
        prefix = f"model.layers.{layer}"
        linear = {
            "self_attn.q_proj": (q, hidden),
            "self_attn.k_proj": (kv, hidden),
            "self_attn.v_proj": (kv, hidden),
            "self_attn.o_proj": (hidden, q),
            "mlp.gate_proj": (ffn, hidden),
            "mlp.up_proj": (ffn, hidden),
            "mlp.down_proj": (hidden, ffn),
        }
        norms = {"input_layernorm": hidden, "post_attention_layernorm": hidden}
        if kind == "gemma3_text":
            norms.update({f"{when}_feedforward_layernorm": hidden for when in ("pre", "post")})
        if kind in ("qwen3", "gemma3_text"):
            norms.update({"self_attn.q_norm": head_dim, "self_attn.k_norm": head_dim})
        biased = []
        if kind == "qwen2" or config.get("attention_bias"):
            biased += ["self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj"]
        if config.get("attention_bias"):
            biased += ["self_attn.o_proj"]
        if config.get("mlp_bias"):
            biased += ["mlp.gate_proj", "mlp.up_proj", "mlp.down_proj"]
        shapes.update({f"{prefix}.{name}.weight": shape for name, shape in linear.items()})
        shapes.update({f"{prefix}.{name}.weight": (size,) for name, size in norms.items()})
        shapes.update({f"{prefix}.{name}.bias": linear[name][:1] for name in biased})
    return shapes


def _layer_norms(names, size):
    return {f"{name}.{kind}": (size,) for name in names for kind in ("weight", "bias")}


def _linears(layers, biased):
    shapes = {f"{name}.weight": shape for name, shape in layers.items()}
    return shapes | (
        {f"{name}.bias": shape[:1] for name, shape in layers.items()} if biased else {}
    )


def _gpt2_shapes(config):
    hidden = config["n_embd"]
    ffn = config["n_inner"] or 4 * hidden
    shapes = {
        "transformer.wte.weight": (config["vocab_size"], hidden),
        "transformer.wpe.weight": (config["n_positions"], hidden),
        **_layer_norms(["transformer.ln_f"], hidden),
    }
    if not config.get("tie_word_embeddings", True):
        shapes["lm_head.weight"] = (config["vocab_size"], hidden)
    for layer in range(config["n_layer"]):
        prefix = f"transformer.h.{layer}"
        shapes.update(_layer_norms([f"{prefix}.ln_1", f"{prefix}.ln_2"], hidden))
        # Weights are [in, out], unlike everywhere else.
        sizes = {
            "attn.c_attn": (hidden, 3 * hidden),
            "attn.c_proj": (hidden, hidden),
            "mlp.c_fc": (hidden, ffn),
            "mlp.c_proj": (ffn, hidden),
        }
        shapes.update({f"{prefix}.{name}.weight": shape for name, shape in sizes.items()})
        shapes.update({f"{prefix}.{name}.bias": shape[1:] for name, shape in sizes.items()})
    return shapes


def _neox_shapes(config):
    hidden, ffn, vocab = config["hidden_size"], config["intermediate_size"], config["vocab_size"]
    shapes = {
        "gpt_neox.embed_in.weight": (vocab, hidden),
        "embed_out.weight": (vocab, hidden),
        **_layer_norms(["gpt_neox.final_layer_norm"], hidden),
    }
    for layer in range(config["num_hidden_layers"]):
        prefix = f"gpt_neox.layers.{layer}"
        norms = [f"{prefix}.{name}" for name in ("input_layernorm", "post_attention_layernorm")]
        attention = {
            f"{prefix}.attention.query_key_value": (3 * hidden, hidden),
            f"{prefix}.attention.dense": (hidden, hidden),
        }
        mlp = {
            f"{prefix}.mlp.dense_h_to_4h": (ffn, hidden),
            f"{prefix}.mlp.dense_4h_to_h": (hidden, ffn),
        }
        shapes.update(_layer_norms(norms, hidden))
        shapes.update(_linears(attention, config.get("attention_bias", True)))
        shapes.update(_linears(mlp, True))
    return shapes


def _phi_shapes(config):
    hidden, ffn, vocab = config["hidden_size"], config["intermediate_size"], config["vocab_size"]
    kv = hidden // config["num_attention_heads"] * config["num_key_value_heads"]
    shapes = {
        "model.embed_tokens.weight": (vocab, hidden),
        **_linears({"lm_head": (vocab, hidden)}, True),
        **_layer_norms(["model.final_layernorm"], hidden),
    }
    for layer in range(config["num_hidden_layers"]):
        prefix = f"model.layers.{layer}"
        linears = {
            f"{prefix}.self_attn.q_proj": (hidden, hidden),
            f"{prefix}.self_attn.k_proj": (kv, hidden),
            f"{prefix}.self_attn.v_proj": (kv, hidden),
            f"{prefix}.self_attn.dense": (hidden, hidden),
            f"{prefix}.mlp.fc1": (ffn, hidden),
            f"{prefix}.mlp.fc2": (hidden, ffn),
        }
        shapes.update(_layer_norms([f"{prefix}.input_layernorm"], hidden))
        shapes.update(_linears(linears, True))
    return shapes


def _falcon_shapes(config):
    hidden, heads, vocab = (
        config["hidden_size"],
        config["num_attention_heads"],
        config["vocab_size"],
    )
    ffn = config.get("ffn_hidden_size") or 4 * hidden
    kv_heads = config.get("num_kv_heads", heads)
    norms = ["input_layernorm"]
    if not config["new_decoder_architecture"]:
        kv_heads = 1 if config["multi_query"] else heads
        if not config["parallel_attn"]:
            norms += ["post_attention_layernorm"]
    elif config.get("num_ln_in_parallel_attn", 2) == 2:
        norms = ["ln_attn", "ln_mlp"]
    shapes = {
        "transformer.word_embeddings.weight": (vocab, hidden),
        **_layer_norms(["transformer.ln_f"], hidden),
    }
    if not config.get("tie_word_embeddings", True):
        shapes["lm_head.weight"] = (vocab, hidden)
    for layer in range(config["num_hidden_layers"]):
        prefix = f"transformer.h.{layer}"
        linears = {
            f"{prefix}.self_attention.query_key_value": (
                hidden // heads * (heads + 2 * kv_heads),
                hidden,
            ),
            f"{prefix}.self_attention.dense": (hidden, hidden),
            f"{prefix}.mlp.dense_h_to_4h": (ffn, hidden),
            f"{prefix}.mlp.dense_4h_to_h": (hidden, ffn),
        }
        shapes.update(_layer_norms([f"{prefix}.{name}" for name in norms], hidden))
        shapes.update(_linears(linears, config["bias"]))
    return shapes


def _bert_shapes(config):
    hidden, ffn = config["hidden_size"], config["intermediate_size"]
    shapes = {
        "embeddings.word_embeddings.weight": (config["vocab_size"], hidden),
        "embeddings.token_type_embeddings.weight": (config.get("type_vocab_size", 2), hidden),
        "embeddings.position_embeddings.weight": (config["max_position_embeddings"], hidden),
        **_layer_norms(["embeddings.LayerNorm"], hidden),
        **_linears({"pooler.dense": (hidden, hidden)}, True),
    }
    for layer in range(config["num_hidden_layers"]):
        prefix = f"encoder.layer.{layer}"
        square = ("attention.self.query", "attention.self.key", "attention.self.value",
                  "attention.output.dense")  # fmt: skip
        linears = {f"{prefix}.{name}": (hidden, hidden) for name in square}
        linears[f"{prefix}.intermediate.dense"] = (ffn, hidden)
        linears[f"{prefix}.output.dense"] = (hidden, ffn)
        norms = [f"{prefix}.{name}.LayerNorm" for name in ("attention.output", "output")]
        shapes.update(_layer_norms(norms, hidden))
        shapes.update(_linears(linears, True))
    return shapes


TENSORS = {
    "bert": _bert_shapes,
    "llama": _llama_shapes,
    "mistral": _llama_shapes,
    "qwen2": _llama_shapes,
    "qwen3": _llama_shapes,
    "gemma3_text": _llama_shapes,
    "gpt2": _gpt2_shapes,
    "gpt_neox": _neox_shapes,
    "phi": _phi_shapes,
    "falcon": _falcon_shapes,
}


def shapes_of(config):
    """{tensor name: shape} of a checkpoint with this configuration."""
    return dict(sorted(TENSORS[config["model_type"]](config).items()))


def random_tensors(config, seed=0):
    """Seeded tensors, scaled so that activations stay near one and logits differ."""
    generator = np.random.default_rng(seed)
    # Gemma stores the weights of its norms around 0.
    centre = 0 if config["model_type"] == "gemma3_text" else 1
    tensors = {}
    for name, shape in shapes_of(config).items():
        values = generator.standard_normal(shape)
        if name.endswith(".bias"):
            values *= 0.5
        elif len(shape) == 1:
            values = centre + 0.1 * values
        elif not any(table in name for table in EMBEDDINGS):
            values *= 1.5 / np.sqrt(shape[1])
        tensors[name] = values.astype(np.float32)
    return tensors


def write_checkpoint(directory, config, tensors):
    """Writes config.json and model.safetensors into a new directory."""
    with new_directory(directory) as scratch:
        shapes = {name: tensor.shape for name, tensor in tensors.items()}
        with SafetensorsWriter(
            scratch / "model.safetensors", shapes, metadata={"format": "pt"}
        ) as writer:
            for name, tensor in tensors.items():
                writer.write(name, [tensor])
        write_json(scratch / "config.json", config)
    return Path(directory)


def write_sentence_modules(directory, pooling="mean_tokens", normalize=True, max_seq=None):
    """Makes an encoder's directory one of sentence-transformers: what follows the encoder."""
    directory = Path(directory)
    width = read_json(directory / "config.json")["hidden_size"]
    kinds = ["Transformer", "Pooling"] + ["Normalize"] * normalize
    modules = [
        {"idx": i, "name": str(i), "path": f"{i}_{kind}" if i else "",
         "type": f"sentence_transformers.models.{kind}"}
        for i, kind in enumerate(kinds)
    ]  # fmt: skip
    write_json(directory / "modules.json", modules)
    (directory / "1_Pooling").mkdir()
    kinds = ("cls_token", "mean_tokens", "max_tokens", "mean_sqrt_len_tokens")
    modes = {f"pooling_mode_{kind}": kind == pooling for kind in kinds}
    write_json(directory / "1_Pooling/config.json", {"word_embedding_dimension": width, **modes})
    if max_seq is not None:
        write_json(directory / "sentence_bert_config.json", {"max_seq_length": max_seq})
    return directory


def make(name, directory, seed=0, **changes):
    """Writes the checkpoint of a name, with `changes` to its config."""
    config = {**config_of(name), **changes}
    return write_checkpoint(directory, config, random_tensors(config, seed))


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="tp.tiny", description="tiny random checkpoint")
    parser.add_argument("name", choices=sorted([*SHAPES, *FAMILIES, *ENCODERS]))
    parser.add_argument("-o", dest="output", type=Path, required=True, help="directory to write")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args(arguments)
    return report(lambda: make(options.name, options.output, options.seed) and 0)


if __name__ == "__main__":
    sys.exit(main())
