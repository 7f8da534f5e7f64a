"""Synthetic GGUF files: the Llama family with a byte-level tokenizer, and Gemma 3."""

import gguf
import numpy as np

CONTROL = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
MERGES = ["h e", "l l", "he ll", "hell o", "Ġ w"]
CHAT_TEMPLATE = (
    "{% for message in messages %}{{'<|im_start|>' + message['role'] + '\n' + message['content'] + '<|im_end|>\n'}}"
    "{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}"
)
LAYERS, HEADS, KV_HEADS, HEAD_DIM, HIDDEN, FFN = 2, 4, 2, 8, 32, 64

SUFFIXES = {
    "attn_norm": (HIDDEN,),
    "ffn_norm": (HIDDEN,),
    "attn_q": (HEADS * HEAD_DIM, HIDDEN),
    "attn_k": (KV_HEADS * HEAD_DIM, HIDDEN),
    "attn_v": (KV_HEADS * HEAD_DIM, HIDDEN),
    "attn_output": (HIDDEN, HEADS * HEAD_DIM),
    "ffn_gate": (FFN, HIDDEN),
    "ffn_up": (FFN, HIDDEN),
    "ffn_down": (HIDDEN, FFN),
}


def byte_alphabet():
    """The printable stand-ins of the 256 bytes, in the order of the bytes."""
    from tokenizers.pre_tokenizers import ByteLevel

    pretokenizer = ByteLevel(add_prefix_space=False, use_regex=False)
    plain = {b: pretokenizer.pre_tokenize_str(chr(b))[0][0] for b in range(128)}
    rest = sorted(set(ByteLevel.alphabet()) - set(plain.values()))
    return list(plain.values()) + rest


def vocabulary():
    """All tokens in the order of their ids."""
    return CONTROL + byte_alphabet() + [merge.replace(" ", "") for merge in MERGES]


def tensors(seed=0, tied=True):
    """{GGUF name: f32 array} before any reordering or quantization."""
    generator = np.random.default_rng(seed)
    shapes = {"token_embd.weight": (len(vocabulary()), HIDDEN), "output_norm.weight": (HIDDEN,)}
    if not tied:
        shapes["output.weight"] = shapes["token_embd.weight"]
    for layer in range(LAYERS):
        shapes.update({f"blk.{layer}.{name}.weight": shape for name, shape in SUFFIXES.items()})
    return {
        name: generator.standard_normal(shape).astype(np.float32) for name, shape in shapes.items()
    }


def interleave(rows, heads):
    """The row order that the converter to GGUF gives q and k."""
    d = rows.shape[0] // heads
    result = np.empty_like(rows)
    for head in range(heads):
        for i in range(d // 2):
            for j in range(2):
                result[head * d + 2 * i + j] = rows[head * d + j * (d // 2) + i]
    return result


def write_gguf(path, tied=True, quantized=False, extra=(), leave_out=(), keys=(), **changes):
    """Writes the file; `changes` replace metadata, `keys` are more of it or other values, as
    they are in the file, `extra` adds tensors: a name, or name and array."""
    metadata = {
        "block_count": LAYERS,
        "context_length": 64,
        "embedding_length": HIDDEN,
        "feed_forward_length": FFN,
        "attention.head_count": HEADS,
        "attention.head_count_kv": KV_HEADS,
        "rope.dimension_count": HEAD_DIM,
    }
    architecture = changes.pop("architecture", "llama")
    writer = gguf.GGUFWriter(path, architecture)
    keys = dict(keys)
    for key, value in metadata.items():
        if key not in leave_out:
            writer.add_uint32(f"llama.{key}", changes.pop(key, value))
    writer.add_float32("llama.attention.layer_norm_rms_epsilon", 1e-5)
    writer.add_float32("llama.rope.freq_base", 100000.0)
    if "rope_scaling" in changes:
        writer.add_string("llama.rope.scaling.type", changes.pop("rope_scaling"))
    tokens = vocabulary()
    writer.add_tokenizer_model(changes.pop("tokenizer", "gpt2"))
    writer.add_tokenizer_pre(changes.pop("pre", "smollm"))
    writer.add_token_list(tokens)
    writer.add_token_types([3 if token in CONTROL else 1 for token in tokens])
    writer.add_token_merges(MERGES)
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)
    writer.add_pad_token_id(2)
    writer.add_add_bos_token(changes.pop("add_bos", False))
    if changes.pop("template", True):
        writer.add_chat_template(CHAT_TEMPLATE)
    assert not changes, changes
    for key in leave_out:
        writer.kv_data[0].pop(key, None)
    for key, value in keys.items():
        writer.kv_data[0].pop(key, None)
        if isinstance(value, list):
            writer.add_array(key, value)
        else:
            add = {bool: writer.add_bool, int: writer.add_int64, float: writer.add_float64,
                   str: writer.add_string}[type(value)]  # fmt: skip
            add(key, value)
    plain = np.ones(4, np.float32)
    extra = dict(item if isinstance(item, tuple) else (item, plain) for item in extra)
    for name, tensor in tensors(tied=tied).items():
        if name in extra:
            continue
        if ".attn_q." in name:
            tensor = interleave(tensor, HEADS)
        elif ".attn_k." in name:
            tensor = interleave(tensor, KV_HEADS)
        if quantized and tensor.ndim == 2:
            kind = gguf.GGMLQuantizationType.Q8_0
            writer.add_tensor(name, gguf.quantize(tensor, kind), raw_dtype=kind)
        else:
            writer.add_tensor(name, tensor)
    for name, tensor in extra.items():
        tensor, kind = tensor if isinstance(tensor, tuple) else (tensor, None)
        writer.add_tensor(name, tensor, raw_dtype=kind)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


# --- Gemma 3 ----------------------------------------------------------------

GEMMA3_CONFIG = {
    "hidden_size": 64,
    "intermediate_size": 96,
    "num_hidden_layers": 7,
    "num_attention_heads": 3,
    "num_key_value_heads": 1,
    "head_dim": 32,
    "sliding_window": 5,
}
# Pieces with their scores; merges with a higher score come first.
PIECES = ["l", "o", "w", "e", "r", "\u2581", "lo", "ow", "low", "er", "\u2581lo", "\u2581low"]
NEWLINES = "\n\n"


def gemma3_vocabulary():
    """(token, score, type) in the order of their ids."""
    special = [(token, -1000.0, 3) for token in ("<pad>", "<eos>", "<bos>", "<unk>")]
    byte_tokens = [(f"<0x{value:02X}>", -1000.0, 6) for value in range(256)]
    pieces = [(piece, -float(i), 1) for i, piece in enumerate(PIECES)]
    return special + [(NEWLINES, -1000.0, 4)] + byte_tokens + pieces


GEMMA3_NAMES = {
    "input_layernorm": "attn_norm",
    "post_attention_layernorm": "post_attention_norm",
    "pre_feedforward_layernorm": "ffn_norm",
    "post_feedforward_layernorm": "post_ffw_norm",
    "self_attn.q_proj": "attn_q",
    "self_attn.k_proj": "attn_k",
    "self_attn.v_proj": "attn_v",
    "self_attn.o_proj": "attn_output",
    "self_attn.q_norm": "attn_q_norm",
    "self_attn.k_norm": "attn_k_norm",
    "mlp.gate_proj": "ffn_gate",
    "mlp.up_proj": "ffn_up",
    "mlp.down_proj": "ffn_down",
}


def gemma3_checkpoint():
    """config.json and tensors that the file is made of."""
    from tp import tiny

    config = {**tiny.config_of("gemma3"), **GEMMA3_CONFIG, "vocab_size": len(gemma3_vocabulary())}
    config.update(bos_token_id=2, eos_token_id=1, pad_token_id=0)
    config.update(query_pre_attn_scalar=32, rope_local_base_freq=10000.0, sliding_window_pattern=6)
    config["rope_scaling"] = {"rope_type": "linear", "factor": 8.0}
    return config, tiny.random_tensors(config)


def write_gemma3(path, kind=None, extra=()):
    """Writes the file, its matrices in the quantization `kind` where there is one."""
    config, tensors = gemma3_checkpoint()
    writer = gguf.GGUFWriter(path, "gemma3")
    for key, field in {
        "block_count": "num_hidden_layers",
        "context_length": "max_position_embeddings",
        "embedding_length": "hidden_size",
        "feed_forward_length": "intermediate_size",
        "attention.head_count": "num_attention_heads",
        "attention.head_count_kv": "num_key_value_heads",
        "attention.key_length": "head_dim",
        "attention.value_length": "head_dim",
        "attention.sliding_window": "sliding_window",
    }.items():
        writer.add_uint32(f"gemma3.{key}", config[field])
    writer.add_float32("gemma3.attention.layer_norm_rms_epsilon", config["rms_norm_eps"])
    writer.add_float32("gemma3.rope.freq_base", config["rope_theta"])
    writer.add_string("gemma3.rope.scaling.type", "linear")
    writer.add_float32("gemma3.rope.scaling.factor", 8.0)
    for key, value in extra:
        writer.add_float32(f"gemma3.{key}", value)
    tokens, scores, types = zip(*gemma3_vocabulary())
    writer.add_tokenizer_model("llama")
    writer.add_tokenizer_pre("default")
    writer.add_token_list(tokens)
    writer.add_token_scores(scores)
    writer.add_token_types(types)
    for name, value in (("bos", 2), ("eos", 1), ("unk", 3), ("pad", 0)):
        getattr(writer, f"add_{name}_token_id")(value)
    writer.add_add_bos_token(True)
    writer.add_add_space_prefix(False)
    for name, tensor in tensors.items():
        parts = name.removesuffix(".weight").split(".", 3)
        if parts[1] == "layers":
            short = f"blk.{parts[2]}.{GEMMA3_NAMES[parts[3]]}"
        else:
            short = {"embed_tokens": "token_embd", "norm": "output_norm"}[parts[1]]
        if tensor.ndim == 1:
            writer.add_tensor(f"{short}.weight", tensor + np.float32(1))
        elif kind is None:
            writer.add_tensor(f"{short}.weight", tensor)
        else:
            writer.add_tensor(f"{short}.weight", gguf.quantize(tensor, kind), raw_dtype=kind)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path
