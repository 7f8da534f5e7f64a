"""A synthetic GGUF file of the Llama family with a byte-level tokenizer."""

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


def write_gguf(path, tied=True, quantized=False, extra=(), leave_out=(), **changes):
    """Writes the file; `changes` replace metadata, `extra` adds tensors by name."""
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
    for name, tensor in tensors(tied=tied).items():
        if ".attn_q." in name:
            tensor = interleave(tensor, HEADS)
        elif ".attn_k." in name:
            tensor = interleave(tensor, KV_HEADS)
        if quantized and tensor.ndim == 2:
            kind = gguf.GGMLQuantizationType.Q8_0
            writer.add_tensor(name, gguf.quantize(tensor, kind), raw_dtype=kind)
        else:
            writer.add_tensor(name, tensor)
    for name in extra:
        writer.add_tensor(name, np.ones(4, np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path
