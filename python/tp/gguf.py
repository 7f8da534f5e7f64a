"""Converts a GGUF file of the Llama family to a Hugging Face directory.

    python -m tp.gguf GGUF_FILE -o DIR

DIR then holds config.json, model.safetensors (f32; quantized tensors are
dequantized by the `gguf` package), tokenizer.json and tokenizer_config.json
with the chat template. It appears whole or not at all. Tensors pass through
in blocks of rows, so memory stays small whatever the model's size.

The converter that made the file stores the rows of the q and k projections
in another order: for each head of size d, row 2i + j is the checkpoint's row
j * d/2 + i (pairs for an interleaved rotary embedding). That is undone here.
"""

import argparse
import re
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from .checkpoint import SafetensorsWriter, new_directory, write_json
from .errors import UserError, report

# Dequantized bytes of one block of rows that passes through memory.
BLOCK_BYTES = 16 << 20

# GGUF tensor name (of layer {i}) -> checkpoint name.
_TOP_NAMES = {
    "token_embd": "model.embed_tokens",
    "output_norm": "model.norm",
    "output": "lm_head",
}
_LAYER_NAMES = {
    "attn_norm": "input_layernorm",
    "attn_q": "self_attn.q_proj",
    "attn_k": "self_attn.k_proj",
    "attn_v": "self_attn.v_proj",
    "attn_output": "self_attn.o_proj",
    "ffn_norm": "post_attention_layernorm",
    "ffn_gate": "mlp.gate_proj",
    "ffn_up": "mlp.up_proj",
    "ffn_down": "mlp.down_proj",
}

# Token types of GGUF that are added tokens of a tokenizer.
_CONTROL, _USER_DEFINED = 3, 4


def checkpoint_name(name):
    """The checkpoint's name of a GGUF tensor; UserError for one we do not know."""
    layer = re.fullmatch(r"blk\.(\d+)\.(\w+)\.(weight|bias)", name)
    if layer and layer[2] in _LAYER_NAMES:
        return f"model.layers.{layer[1]}.{_LAYER_NAMES[layer[2]]}.{layer[3]}"
    top = re.fullmatch(r"(\w+)\.(weight|bias)", name)
    if top and top[1] in _TOP_NAMES:
        return f"{_TOP_NAMES[top[1]]}.{top[2]}"
    raise UserError(f"tensor '{name}' is not one of the Llama family")


class Metadata:
    """The key-value part of a GGUF file."""

    def __init__(self, reader):
        self._fields = reader.fields

    def get(self, key, default=None):
        field = self._fields.get(key)
        return default if field is None else field.contents()

    def need(self, key):
        if key not in self._fields:
            raise UserError(f"metadata key '{key}' is missing")
        return self.get(key)


def _shortest(value):
    """The shortest decimal that is this f32: 1e-05 rather than 9.99999974e-06."""
    return float(str(np.float32(value)))


def config_of(metadata, tensor_names):
    """The config.json of a GGUF file."""
    architecture = metadata.need("general.architecture")
    if architecture != "llama":
        raise UserError(f"architecture '{architecture}' is not supported (supported: llama)")
    if metadata.get("llama.expert_count", 0):
        raise UserError("llama.expert_count: mixture of experts is not supported")
    scaling = metadata.get("llama.rope.scaling.type", "none")
    if scaling != "none" or "rope_freqs.weight" in tensor_names:
        raise UserError(f"llama.rope.scaling.type: rope scaling '{scaling}' is not supported")
    hidden = metadata.need("llama.embedding_length")
    heads = metadata.need("llama.attention.head_count")
    head_dim = metadata.get("llama.attention.key_length", hidden // heads)
    rotated = metadata.get("llama.rope.dimension_count", head_dim)
    if rotated != head_dim:
        raise UserError(
            f"llama.rope.dimension_count: expected the head size {head_dim}, got {rotated}"
        )
    bias = "blk.0.attn_q.bias" in tensor_names
    tokens = metadata.need("tokenizer.ggml.tokens")
    return {
        "architectures": ["LlamaForCausalLM"],
        "model_type": "llama",
        "hidden_act": "silu",
        "hidden_size": hidden,
        "intermediate_size": metadata.need("llama.feed_forward_length"),
        "num_hidden_layers": metadata.need("llama.block_count"),
        "num_attention_heads": heads,
        "num_key_value_heads": metadata.get("llama.attention.head_count_kv", heads),
        "head_dim": head_dim,
        "max_position_embeddings": metadata.need("llama.context_length"),
        "rms_norm_eps": _shortest(metadata.need("llama.attention.layer_norm_rms_epsilon")),
        "rope_theta": _shortest(metadata.get("llama.rope.freq_base", 10000.0)),
        "rope_scaling": None,
        "rope_interleaved": False,
        "vocab_size": metadata.get("llama.vocab_size", len(tokens)),
        "bos_token_id": metadata.get("tokenizer.ggml.bos_token_id"),
        "eos_token_id": metadata.get("tokenizer.ggml.eos_token_id"),
        "pad_token_id": metadata.get("tokenizer.ggml.padding_token_id"),
        "attention_bias": bias,
        "mlp_bias": "blk.0.ffn_gate.bias" in tensor_names,
        "tie_word_embeddings": "output.weight" not in tensor_names,
        "torch_dtype": "float32",
    }


# --- Tokenizer --------------------------------------------------------------


def build_tokenizer(metadata):
    """The byte-level BPE tokenizer that the metadata describe."""
    from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers

    kind = metadata.need("tokenizer.ggml.model")
    if kind != "gpt2":
        raise UserError(
            f"tokenizer.ggml.model: tokenizer '{kind}' is not supported (supported: gpt2)"
        )
    byte_level = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True)
    known = {
        "gpt-2": byte_level,
        "smollm": pre_tokenizers.Sequence(
            [pre_tokenizers.Digits(individual_digits=True), byte_level]
        ),
    }
    pre = metadata.get("tokenizer.ggml.pre", "gpt-2")
    if pre not in known:
        raise UserError(
            f"tokenizer.ggml.pre: pre-tokenizer '{pre}' is not supported (supported: {', '.join(sorted(known))})"
        )
    tokens = metadata.need("tokenizer.ggml.tokens")
    merges = [tuple(merge.split(" ", 1)) for merge in metadata.need("tokenizer.ggml.merges")]
    vocabulary = {token: i for i, token in enumerate(tokens)}
    tokenizer = Tokenizer(models.BPE(vocab=vocabulary, merges=merges))
    tokenizer.pre_tokenizer = known[pre]
    tokenizer.decoder = decoders.ByteLevel()
    types = metadata.get("tokenizer.ggml.token_type", [])
    special = [t for t, kind in zip(tokens, types) if kind in (_CONTROL, _USER_DEFINED)]
    tokenizer.add_special_tokens([AddedToken(t, special=True, normalized=False) for t in special])
    return tokenizer


def tokenizer_config_of(metadata, config):
    """The tokenizer_config.json: special tokens by name and the chat template."""
    tokens = metadata.need("tokenizer.ggml.tokens")
    result = {"tokenizer_class": "PreTrainedTokenizerFast", "clean_up_tokenization_spaces": False}
    result["add_bos_token"] = bool(metadata.get("tokenizer.ggml.add_bos_token", False))
    result["model_max_length"] = config["max_position_embeddings"]
    ids = {
        "bos_token": config["bos_token_id"],
        "eos_token": config["eos_token_id"],
        "pad_token": config["pad_token_id"],
        "unk_token": metadata.get("tokenizer.ggml.unknown_token_id"),
    }
    result.update({name: tokens[i] for name, i in ids.items() if i is not None})
    template = metadata.get("tokenizer.chat_template")
    if template is not None:
        result["chat_template"] = template
    return result


# --- Tensors ----------------------------------------------------------------


@dataclass
class Source:
    """A tensor in the GGUF file and how many heads its rows interleave (0: none)."""

    tensor: object
    shape: tuple
    heads: int

    def blocks(self, dequantize):
        """The checkpoint's tensor as consecutive f32 blocks of rows."""
        rows = self.shape[0]
        data = self.tensor.data
        step = max(1, BLOCK_BYTES // (4 * max(1, int(np.prod(self.shape[1:])))))
        if self.heads:
            head = rows // self.heads
            step = max(1, step // head) * head
        for begin in range(0, rows, step):
            block = dequantize(data[begin : begin + step], self.tensor.tensor_type)
            block = np.asarray(block, dtype=np.float32)
            if self.heads:
                pairs = block.reshape(-1, head // 2, 2, *block.shape[1:])
                block = pairs.swapaxes(1, 2).reshape(block.shape)
            yield block


def sources_of(reader, config):
    """{checkpoint name: Source} in the order of their names."""
    heads = {"q_proj": config["num_attention_heads"], "k_proj": config["num_key_value_heads"]}
    sources = {}
    for tensor in reader.tensors:
        name = checkpoint_name(tensor.name)
        shape = tuple(int(size) for size in tensor.shape[::-1])
        count = heads.get(name.split(".")[-2], 0)
        if count and shape[0] != count * config["head_dim"]:
            raise UserError(
                f"tensor '{tensor.name}': expected {count} heads of {config['head_dim']} rows, got {shape[0]} rows"
            )
        sources[name] = Source(tensor, shape, count)
    return dict(sorted(sources.items()))


def _open(path):
    """The tensors, metadata, configuration and tokenizer of a GGUF file."""
    import gguf

    try:
        reader = gguf.GGUFReader(path)
    except OSError as error:
        raise UserError(f"cannot read '{path}': {error.strerror}") from error
    except (ValueError, IndexError, KeyError, AttributeError) as error:
        raise UserError(f"'{path}' is not a readable GGUF file: {error}") from error
    try:
        metadata = Metadata(reader)
        config = config_of(metadata, {tensor.name for tensor in reader.tensors})
        return sources_of(reader, config), metadata, config, build_tokenizer(metadata)
    except UserError as error:
        raise UserError(f"'{path}': {error}") from error


def convert(path, target, progress=lambda done, total: None):
    """Converts the GGUF file `path` to the checkpoint directory `target`."""
    from gguf import dequantize

    sources, metadata, config, tokenizer = _open(path)
    with new_directory(target) as scratch:
        shapes = {name: source.shape for name, source in sources.items()}
        file = scratch / "model.safetensors"
        with SafetensorsWriter(file, shapes, metadata={"format": "pt"}) as writer:
            for done, (name, source) in enumerate(sources.items()):
                progress(done, len(sources))
                writer.write(name, source.blocks(dequantize))
        tokenizer.save(str(scratch / "tokenizer.json"))
        write_json(scratch / "tokenizer_config.json", tokenizer_config_of(metadata, config))
        write_json(scratch / "config.json", config)


def main(arguments=None):
    parser = argparse.ArgumentParser(
        prog="tp.gguf", description="GGUF file -> Hugging Face directory"
    )
    parser.add_argument("file", type=Path, help="the GGUF file")
    parser.add_argument("-o", dest="output", type=Path, required=True, help="directory to write")
    options = parser.parse_args(arguments)

    def show(done, total):
        if sys.stderr.isatty():
            print(f"\r{options.file.name}: tensor {done + 1} of {total}", end="", file=sys.stderr)

    def run():
        convert(options.file, options.output, show)
        if sys.stderr.isatty():
            print(file=sys.stderr)
        return 0

    return report(run)


if __name__ == "__main__":
    sys.exit(main())
