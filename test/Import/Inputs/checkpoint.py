"""Writes a small Llama checkpoint of zeros, with the standard library only.

    checkpoint.py DIR [FIELD=JSON]... [dtype=NAME] [parts=N]

FIELD=JSON changes a field of config.json; dtype is that of all tensors; with
parts the tensors are dealt to so many files and an index.
"""

import json
import sys
from pathlib import Path

CONFIG = {
    "architectures": ["LlamaForCausalLM"],
    "model_type": "llama",
    "hidden_act": "silu",
    "hidden_size": 12,
    "intermediate_size": 10,
    "num_hidden_layers": 2,
    "num_attention_heads": 6,
    "num_key_value_heads": 3,
    "head_dim": 4,
    "max_position_embeddings": 64,
    "rms_norm_eps": 1e-05,
    "rope_theta": 100000,
    "vocab_size": 17,
    "bos_token_id": 1,
    "eos_token_id": [2, 3],
    "tie_word_embeddings": True,
}
BYTES = {"F32": 4, "F16": 2, "BF16": 2}


def shapes_of(config):
    hidden, ffn, vocab = (config[k] for k in ("hidden_size", "intermediate_size", "vocab_size"))
    q = config["num_attention_heads"] * config["head_dim"]
    kv = config["num_key_value_heads"] * config["head_dim"]
    shapes = {"model.embed_tokens.weight": [vocab, hidden], "model.norm.weight": [hidden]}
    if not config["tie_word_embeddings"]:
        shapes["lm_head.weight"] = [vocab, hidden]
    for layer in range(config["num_hidden_layers"]):
        prefix = f"model.layers.{layer}."
        shapes[prefix + "input_layernorm.weight"] = [hidden]
        shapes[prefix + "self_attn.q_proj.weight"] = [q, hidden]
        shapes[prefix + "self_attn.k_proj.weight"] = [kv, hidden]
        shapes[prefix + "self_attn.v_proj.weight"] = [kv, hidden]
        shapes[prefix + "self_attn.o_proj.weight"] = [hidden, q]
        shapes[prefix + "post_attention_layernorm.weight"] = [hidden]
        shapes[prefix + "mlp.gate_proj.weight"] = [ffn, hidden]
        shapes[prefix + "mlp.up_proj.weight"] = [ffn, hidden]
        shapes[prefix + "mlp.down_proj.weight"] = [hidden, ffn]
    return shapes


def write_file(path, shapes, dtype):
    header, end = {}, 0
    for name, shape in shapes.items():
        begin, end = end, end + BYTES[dtype] * shape[0] * (shape[1] if len(shape) > 1 else 1)
        header[name] = {"dtype": dtype, "shape": shape, "data_offsets": [begin, end]}
    text = json.dumps(header).encode()
    path.write_bytes(len(text).to_bytes(8, "little") + text + bytes(end))


def main(directory, *changes):
    config, dtype, parts = dict(CONFIG), "F32", 0
    for key, _, value in (change.partition("=") for change in changes):
        if key == "dtype":
            dtype = value
        elif key == "parts":
            parts = int(value)
        else:
            config[key] = json.loads(value)
    directory = Path(directory)
    directory.mkdir(parents=True, exist_ok=True)
    (directory / "config.json").write_text(json.dumps(config))
    shapes = shapes_of(config)
    if not parts:
        write_file(directory / "model.safetensors", shapes, dtype)
        return
    files = [f"model-{i + 1:05}-of-{parts:05}.safetensors" for i in range(parts)]
    places = {name: files[i % parts] for i, name in enumerate(shapes)}
    for file in files:
        part = {name: shape for name, shape in shapes.items() if places[name] == file}
        write_file(directory / file, part, dtype)
    index = {"metadata": {}, "weight_map": places}
    (directory / "model.safetensors.index.json").write_text(json.dumps(index))


main(*sys.argv[1:])
