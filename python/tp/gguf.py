"""Converts a GGUF file of the Llama family or of Gemma 3 to a Hugging Face directory.

    python -m tp.gguf GGUF_FILE -o DIR

DIR then holds config.json, model.safetensors (f32; quantized tensors are
dequantized by the `gguf` package), tokenizer.json and tokenizer_config.json
with the chat template. It appears whole or not at all. Tensors pass through
in blocks of rows, so memory stays small whatever the model's size.

What the converter that made the file changed is undone here:

- Llama: it stores the rows of the q and k projections in another order: for each
  head of size d, row 2i + j is the checkpoint's row j * d/2 + i (pairs for an
  interleaved rotary embedding).
- Gemma 3: it stores 1 + w for the weights w of norms.
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
_GEMMA3_NAMES = _LAYER_NAMES | {
    "attn_q_norm": "self_attn.q_norm",
    "attn_k_norm": "self_attn.k_norm",
    "post_attention_norm": "post_attention_layernorm",
    "ffn_norm": "pre_feedforward_layernorm",
    "post_ffw_norm": "post_feedforward_layernorm",
}

# Token types of GGUF.
_CONTROL, _USER_DEFINED, _BYTE = 3, 4, 6


def checkpoint_name(name, layer_names=_LAYER_NAMES):
    """The checkpoint's name of a GGUF tensor; UserError for one we do not know."""
    layer = re.fullmatch(r"blk\.(\d+)\.(\w+)\.(weight|bias)", name)
    if layer and layer[2] in layer_names:
        return f"model.layers.{layer[1]}.{layer_names[layer[2]]}.{layer[3]}"
    top = re.fullmatch(r"(\w+)\.(weight|bias)", name)
    if top and top[1] in _TOP_NAMES:
        return f"{_TOP_NAMES[top[1]]}.{top[2]}"
    raise UserError(f"tensor '{name}' is not one of its architecture")


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


def _common_config(metadata, architecture, head_dim):
    """What the configurations of both architectures have."""
    tokens = metadata.need("tokenizer.ggml.tokens")
    heads = metadata.need(f"{architecture}.attention.head_count")
    epsilon = metadata.need(f"{architecture}.attention.layer_norm_rms_epsilon")
    return {
        "hidden_size": metadata.need(f"{architecture}.embedding_length"),
        "intermediate_size": metadata.need(f"{architecture}.feed_forward_length"),
        "num_hidden_layers": metadata.need(f"{architecture}.block_count"),
        "num_attention_heads": heads,
        "num_key_value_heads": metadata.get(f"{architecture}.attention.head_count_kv", heads),
        "head_dim": head_dim,
        "max_position_embeddings": metadata.need(f"{architecture}.context_length"),
        "rms_norm_eps": _shortest(epsilon),
        "vocab_size": metadata.get(f"{architecture}.vocab_size", len(tokens)),
        "bos_token_id": metadata.get("tokenizer.ggml.bos_token_id"),
        "eos_token_id": metadata.get("tokenizer.ggml.eos_token_id"),
        "pad_token_id": metadata.get("tokenizer.ggml.padding_token_id"),
        "torch_dtype": "float32",
    }


def _head_dim(metadata, architecture):
    hidden = metadata.need(f"{architecture}.embedding_length")
    heads = metadata.need(f"{architecture}.attention.head_count")
    head_dim = metadata.get(f"{architecture}.attention.key_length", hidden // heads)
    for key in ("rope.dimension_count", "attention.value_length"):
        found = metadata.get(f"{architecture}.{key}", head_dim)
        if found != head_dim:
            raise UserError(f"{architecture}.{key}: expected the head size {head_dim}, got {found}")
    return head_dim


def _llama_config(metadata, tensor_names):
    if metadata.get("llama.expert_count", 0):
        raise UserError("llama.expert_count: mixture of experts is not supported")
    scaling = metadata.get("llama.rope.scaling.type", "none")
    if scaling != "none" or "rope_freqs.weight" in tensor_names:
        raise UserError(f"llama.rope.scaling.type: rope scaling '{scaling}' is not supported")
    return {
        "architectures": ["LlamaForCausalLM"],
        "model_type": "llama",
        "hidden_act": "silu",
        **_common_config(metadata, "llama", _head_dim(metadata, "llama")),
        "rope_theta": _shortest(metadata.get("llama.rope.freq_base", 10000.0)),
        "rope_scaling": None,
        "rope_interleaved": False,
        "attention_bias": "blk.0.attn_q.bias" in tensor_names,
        "mlp_bias": "blk.0.ffn_gate.bias" in tensor_names,
        "tie_word_embeddings": "output.weight" not in tensor_names,
    }


# The 27B model, which has this many layers, divides scores by the root of another size
# than its heads'.
_GEMMA3_27B_LAYERS = 62


def _gemma3_config(metadata, tensor_names):
    for key in ("attn_logit_softcapping", "final_logit_softcapping"):
        if metadata.get(f"gemma3.{key}"):
            raise UserError(f"gemma3.{key}: capping is not supported")
    scaling = metadata.get("gemma3.rope.scaling.type", "none")
    if scaling not in ("none", "linear"):
        raise UserError(f"gemma3.rope.scaling.type: rope scaling '{scaling}' is not supported")
    rope_scaling = None
    if scaling == "linear":
        factor = _shortest(metadata.need("gemma3.rope.scaling.factor"))
        rope_scaling = {"rope_type": "linear", "factor": factor}
    common = _common_config(metadata, "gemma3", _head_dim(metadata, "gemma3"))
    query_scalar = common["head_dim"]
    if common["num_hidden_layers"] == _GEMMA3_27B_LAYERS:
        query_scalar = common["hidden_size"] // common["num_attention_heads"]
    return {
        "architectures": ["Gemma3ForCausalLM"],
        "model_type": "gemma3_text",
        "hidden_activation": "gelu_pytorch_tanh",
        **common,
        "query_pre_attn_scalar": query_scalar,
        "rope_theta": _shortest(metadata.get("gemma3.rope.freq_base", 1000000.0)),
        "rope_local_base_freq": 10000.0,
        "rope_scaling": rope_scaling,
        "sliding_window": metadata.need("gemma3.attention.sliding_window"),
        "sliding_window_pattern": 6,
        "attention_bias": False,
        "tie_word_embeddings": "output.weight" not in tensor_names,
    }


@dataclass
class Architecture:
    """What differs between the architectures of GGUF files that we read."""

    config: object  # (metadata, tensor names) -> config.json
    layer_names: dict
    interleaved: bool = False  # rows of q and k, see above
    norm_offset: float = 0.0  # added to the weights of norms


ARCHITECTURES = {
    "gemma3": Architecture(_gemma3_config, _GEMMA3_NAMES, norm_offset=1.0),
    "llama": Architecture(_llama_config, _LAYER_NAMES, interleaved=True),
}


def architecture_of(metadata):
    name = metadata.need("general.architecture")
    if name not in ARCHITECTURES:
        supported = ", ".join(sorted(ARCHITECTURES))
        raise UserError(f"architecture '{name}' is not supported (supported: {supported})")
    return ARCHITECTURES[name]


# --- Tokenizer --------------------------------------------------------------


def build_tokenizer(metadata):
    """The tokenizer that the metadata describe."""
    kinds = {"gpt2": _byte_level_tokenizer, "llama": _sentencepiece_tokenizer}
    kind = metadata.need("tokenizer.ggml.model")
    if kind not in kinds:
        raise UserError(
            f"tokenizer.ggml.model: tokenizer '{kind}' is not supported (supported: {', '.join(kinds)})"
        )
    from tokenizers import AddedToken

    tokenizer = kinds[kind](metadata)
    tokens = metadata.need("tokenizer.ggml.tokens")
    types = metadata.get("tokenizer.ggml.token_type", [])
    added = {
        _CONTROL: tokenizer.add_special_tokens,
        # They stand for text, in the one kind of tokenizer that has them.
        _USER_DEFINED: tokenizer.add_tokens if kind == "llama" else tokenizer.add_special_tokens,
    }
    for wanted, add in added.items():
        special = add == tokenizer.add_special_tokens
        add(
            [
                AddedToken(token, special=special, normalized=False)
                for token, found in zip(tokens, types)
                if found == wanted
            ]
        )
    return tokenizer


def _byte_level_tokenizer(metadata):
    """Byte-level BPE with its merges."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers

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
    return tokenizer


def merges_of(tokens, scores):
    """Merges of pairs of tokens, those of the tokens with the highest scores first: a
    SentencePiece model always merges the pair whose token has the highest score."""
    places = {token: i for i, token in enumerate(tokens)}
    merges = []
    for i in sorted(range(len(tokens)), key=lambda i: (-scores[i], i)):
        token = tokens[i]
        pairs = [(token[:at], token[at:]) for at in range(1, len(token))]
        known = [pair for pair in pairs if pair[0] in places and pair[1] in places]
        merges += sorted(known, key=lambda pair: (places[pair[0]], places[pair[1]]))
    return merges


def _sentencepiece_tokenizer(metadata):
    """BPE of SentencePiece: a space is `\u2581`, unknown characters are bytes."""
    from tokenizers import Tokenizer, decoders, models, normalizers

    space = "\u2581"
    tokens = metadata.need("tokenizer.ggml.tokens")
    scores = metadata.need("tokenizer.ggml.scores")
    types = metadata.need("tokenizer.ggml.token_type")
    # Other tokens are no results of merges.
    plain = [i for i, kind in enumerate(types) if kind not in (_CONTROL, _BYTE)]
    merges = merges_of([tokens[i] for i in plain], [scores[i] for i in plain])
    tokenizer = Tokenizer(
        models.BPE(
            vocab={token: i for i, token in enumerate(tokens)},
            merges=merges,
            unk_token=tokens[metadata.get("tokenizer.ggml.unknown_token_id", 0)],
            fuse_unk=True,
            byte_fallback=_BYTE in types,
        )
    )
    replace = normalizers.Replace(" ", space)
    decoded = [decoders.Replace(space, " "), decoders.ByteFallback(), decoders.Fuse()]
    if metadata.get("tokenizer.ggml.add_space_prefix", True):
        tokenizer.normalizer = normalizers.Sequence([normalizers.Prepend(space), replace])
        decoded.append(decoders.Strip(content=" ", left=1))
    else:
        tokenizer.normalizer = replace
    tokenizer.decoder = decoders.Sequence(decoded)
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
    """A tensor in the GGUF file, how many heads its rows interleave (0: none) and what was
    added to its elements."""

    tensor: object
    shape: tuple
    heads: int
    offset: float

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
            yield block - np.float32(self.offset) if self.offset else block


def sources_of(reader, config, architecture):
    """{checkpoint name: Source} in the order of their names."""
    heads = {"q_proj": config["num_attention_heads"], "k_proj": config["num_key_value_heads"]}
    sources = {}
    for tensor in reader.tensors:
        name = checkpoint_name(tensor.name, architecture.layer_names)
        shape = tuple(int(size) for size in tensor.shape[::-1])
        count = heads.get(name.split(".")[-2], 0)
        if count and shape[0] != count * config["head_dim"]:
            raise UserError(
                f"tensor '{tensor.name}': expected {count} heads of {config['head_dim']} rows, got {shape[0]} rows"
            )
        is_norm = name.endswith("norm.weight")
        sources[name] = Source(
            tensor,
            shape,
            count if architecture.interleaved else 0,
            architecture.norm_offset if is_norm else 0.0,
        )
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
        architecture = architecture_of(metadata)
        config = architecture.config(metadata, {tensor.name for tensor in reader.tensors})
        sources = sources_of(reader, config, architecture)
        return sources, metadata, config, build_tokenizer(metadata)
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
