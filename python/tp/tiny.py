"""Tiny random Llama checkpoints of awkward shapes, for tests.

    python -m tp.tiny NAME -o DIR        (NAME is one of SHAPES)

Sizes are chosen so that most of them do not divide among 2, 3 or 4 ranks.
"""

import argparse
import sys
from pathlib import Path

import numpy as np

from .checkpoint import SafetensorsWriter, new_directory, write_json
from .errors import report

# name: (layers, heads, kv_heads, head_dim, hidden, ffn, vocab, tied)
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


def config_of(name):
    """The config.json of a named shape."""
    layers, heads, kv_heads, head_dim, hidden, ffn, vocab, tied = SHAPES[name]
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
        "bos_token_id": 1,
        "eos_token_id": 2,
        "attention_bias": False,
        "mlp_bias": False,
        "tie_word_embeddings": tied,
        "torch_dtype": "float32",
    }


def shapes_of(config):
    """{tensor name: shape} of a Llama checkpoint with this configuration."""
    hidden, ffn, vocab = config["hidden_size"], config["intermediate_size"], config["vocab_size"]
    q = config["num_attention_heads"] * config["head_dim"]
    kv = config["num_key_value_heads"] * config["head_dim"]
    shapes = {"model.embed_tokens.weight": (vocab, hidden), "model.norm.weight": (hidden,)}
    if not config["tie_word_embeddings"]:
        shapes["lm_head.weight"] = (vocab, hidden)
    for layer in range(config["num_hidden_layers"]):
        prefix = f"model.layers.{layer}"
        shapes.update(
            {
                f"{prefix}.input_layernorm.weight": (hidden,),
                f"{prefix}.self_attn.q_proj.weight": (q, hidden),
                f"{prefix}.self_attn.k_proj.weight": (kv, hidden),
                f"{prefix}.self_attn.v_proj.weight": (kv, hidden),
                f"{prefix}.self_attn.o_proj.weight": (hidden, q),
                f"{prefix}.post_attention_layernorm.weight": (hidden,),
                f"{prefix}.mlp.gate_proj.weight": (ffn, hidden),
                f"{prefix}.mlp.up_proj.weight": (ffn, hidden),
                f"{prefix}.mlp.down_proj.weight": (hidden, ffn),
            }
        )
    return dict(sorted(shapes.items()))


def random_tensors(config, seed=0):
    """Seeded tensors, scaled so that activations stay near one and logits differ."""
    generator = np.random.default_rng(seed)
    tensors = {}
    for name, shape in shapes_of(config).items():
        values = generator.standard_normal(shape)
        if len(shape) == 1:
            values = 1 + 0.1 * values
        elif "embed_tokens" not in name:
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


def make(name, directory, seed=0, **changes):
    """Writes the checkpoint of a named shape, with `changes` to its config."""
    config = {**config_of(name), **changes}
    return write_checkpoint(directory, config, random_tensors(config, seed))


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="tp.tiny", description="tiny random Llama checkpoint")
    parser.add_argument("name", choices=sorted(SHAPES))
    parser.add_argument("-o", dest="output", type=Path, required=True, help="directory to write")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args(arguments)
    return report(lambda: make(options.name, options.output, options.seed) and 0)


if __name__ == "__main__":
    sys.exit(main())
