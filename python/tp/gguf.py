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
from functools import cached_property
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


# Keys of an architecture that change no result: what is known of the training, and a number
# of a kind of scaling that is refused.
_HARMLESS_KEYS = ("rope.scaling.finetuned", "rope.scaling.original_context_length")

# Keys that change no result with this value.
_NEUTRAL_VALUES = {
    "attention.causal": True,
    "attention.clamp_kqv": 0,
    "attention.max_alibi_bias": 0,
    "attention.scale": 0,
    "attn_logit_softcapping": 0,
    "expert_count": 0,
    "expert_used_count": 0,
    "final_logit_softcapping": 0,
    "logit_scale": 1,
    "rope.scaling.attn_factor": 1,
    "use_parallel_residual": False,
}
_NEUTRAL_TOKENIZER_VALUES = {
    "tokenizer.ggml.add_eos_token": False,
    "tokenizer.ggml.remove_extra_whitespaces": False,
}

_NEEDED = object()


def _is_integer(value):
    return isinstance(value, int) and not isinstance(value, bool)


class Metadata:
    """The key-value part of a GGUF file. A value is asked for by its kind: one that is
    missing without a `default`, or is of another kind, is a UserError with its key."""

    def __init__(self, reader):
        self._fields = reader.fields
        self._read = set()

    def _get(self, key, default, kind, fits):
        self._read.add(key)
        if key not in self._fields:
            if default is _NEEDED:
                raise UserError(f"metadata key '{key}' is missing")
            return default
        try:
            value = self._fields[key].contents()
        except (ValueError, IndexError) as error:
            raise UserError(f"{key}: cannot be read: {error}") from error
        if not fits(value):
            shown = "an array" if isinstance(value, list) else repr(value)
            raise UserError(f"{key}: expected {kind}, found {shown}")
        return value

    def text(self, key, default=_NEEDED):
        return self._get(key, default, "a text", lambda value: isinstance(value, str))

    def flag(self, key, default=_NEEDED):
        return self._get(key, default, "true or false", lambda value: isinstance(value, bool))

    def size(self, key, default=_NEEDED):
        return self._get(
            key, default, "a positive integer", lambda value: _is_integer(value) and value > 0
        )

    def number(self, key, default=_NEEDED):
        """As an f32 has it."""

        def fits(value):
            return (isinstance(value, float) or _is_integer(value)) and 1e-38 < value < 1e38

        return _shortest(self._get(key, default, "a positive number", fits))

    def token(self, key, default=None):
        """The id of a token."""
        count = len(self.tokens)
        return self._get(
            key,
            default,
            f"a token id below {count}",
            lambda value: _is_integer(value) and 0 <= value < count,
        )

    def array(self, key, element, length=None, default=_NEEDED):
        """A list of what the type `element` says, one for each token where `length` is given."""

        def fits(value):
            # An array without elements has no kind.
            return value in (None, []) or (
                isinstance(value, list) and all(isinstance(part, element) for part in value)
            )

        what = {str: "texts", int: "integers", float: "numbers"}[element]
        value = self._get(key, default, f"an array of {what}", fits) or []
        if length is not None and key in self._fields and len(value) != length:
            raise UserError(f"{key}: expected one for each of {length} tokens, found {len(value)}")
        return value

    @cached_property
    def tokens(self):
        tokens = self.array("tokenizer.ggml.tokens", str)
        if not tokens:
            raise UserError("tokenizer.ggml.tokens: expected a token, found none")
        return tokens

    def expect(self, key, value):
        """UserError where the key says something else than this value."""
        self._get(key, value, f"{value!r} or no such key", lambda found: found == value)

    def ignore(self, keys):
        """What these keys say is of no interest."""
        self._read.update(keys)

    def expect_all_read(self, prefix):
        """UserError where a key that begins so was never asked for: what it says would be lost."""
        for key in self._fields:
            if key.startswith(prefix) and key not in self._read:
                raise UserError(f"{key}: is not supported")


def _shortest(value):
    """The shortest decimal that is this f32: 1e-05 rather than 9.99999974e-06."""
    return float(str(np.float32(value)))


def _common_config(metadata, architecture):
    """What the configurations of both architectures have."""

    def size(key, *default):
        return metadata.size(f"{architecture}.{key}", *default)

    hidden, heads = size("embedding_length"), size("attention.head_count")
    kv_heads = size("attention.head_count_kv", heads)
    if heads % kv_heads:
        raise UserError(
            f"{architecture}.attention.head_count_kv: expected a divisor of {heads} heads, "
            f"found {kv_heads}"
        )
    head_dim = size("attention.key_length", None)
    if head_dim is None:
        if hidden % heads:
            raise UserError(
                f"{architecture}.attention.head_count: expected a divisor of {hidden} elements, "
                f"found {heads}"
            )
        head_dim = hidden // heads
    for key in ("rope.dimension_count", "rope.dimension_count_swa", "attention.value_length"):
        found = size(key, head_dim)
        if found != head_dim:
            raise UserError(f"{architecture}.{key}: expected the head size {head_dim}, got {found}")
    if head_dim % 2:
        raise UserError(
            f"{architecture}.attention.head_count: heads of {head_dim} elements have no pairs to "
            "rotate"
        )
    return {
        "hidden_size": hidden,
        "intermediate_size": size("feed_forward_length"),
        "num_hidden_layers": size("block_count"),
        "num_attention_heads": heads,
        "num_key_value_heads": kv_heads,
        "head_dim": head_dim,
        "max_position_embeddings": size("context_length"),
        "rms_norm_eps": metadata.number(f"{architecture}.attention.layer_norm_rms_epsilon"),
        "vocab_size": size("vocab_size", len(metadata.tokens)),
        "rope_scaling": _rope_scaling(metadata, architecture),
        "bos_token_id": metadata.token("tokenizer.ggml.bos_token_id"),
        "eos_token_id": metadata.token("tokenizer.ggml.eos_token_id"),
        "pad_token_id": metadata.token("tokenizer.ggml.padding_token_id"),
        "torch_dtype": "float32",
    }


def _rope_scaling(metadata, architecture):
    """rope_scaling of config.json: a factor without a type is a linear scaling."""
    kind = metadata.text(f"{architecture}.rope.scaling.type", "linear")
    older = metadata.number(f"{architecture}.rope.scale_linear", 1.0)
    factor = metadata.number(f"{architecture}.rope.scaling.factor", older)
    if kind not in ("none", "linear"):
        raise UserError(
            f"{architecture}.rope.scaling.type: rope scaling '{kind}' is not supported "
            "(supported: linear, none)"
        )
    return None if kind == "none" or factor == 1 else {"rope_type": "linear", "factor": factor}


def _llama_config(metadata, tensor_names):
    # How the rows of q and k lie, which older converters say.
    metadata.expect("llama.tensor_data_layout", "Meta AI original pth")
    return {
        "architectures": ["LlamaForCausalLM"],
        "model_type": "llama",
        "hidden_act": "silu",
        **_common_config(metadata, "llama"),
        "rope_theta": metadata.number("llama.rope.freq_base", 10000.0),
        "rope_interleaved": False,
        "attention_bias": "blk.0.attn_q.bias" in tensor_names,
        "mlp_bias": "blk.0.ffn_gate.bias" in tensor_names,
        "tie_word_embeddings": "output.weight" not in tensor_names,
    }


# The 27B model, which has this many layers, divides scores by the root of another size
# than its heads'.
_GEMMA3_27B_LAYERS = 62


def _gemma3_config(metadata, tensor_names):
    common = _common_config(metadata, "gemma3")
    query_scalar = common["head_dim"]
    if common["num_hidden_layers"] == _GEMMA3_27B_LAYERS:
        query_scalar = common["hidden_size"] // common["num_attention_heads"]
    return {
        "architectures": ["Gemma3ForCausalLM"],
        "model_type": "gemma3_text",
        "hidden_activation": "gelu_pytorch_tanh",
        **common,
        "query_pre_attn_scalar": query_scalar,
        "rope_theta": metadata.number("gemma3.rope.freq_base", 1000000.0),
        "rope_local_base_freq": metadata.number("gemma3.rope.freq_base_swa", 10000.0),
        "sliding_window": metadata.size("gemma3.attention.sliding_window"),
        "sliding_window_pattern": metadata.size("gemma3.attention.sliding_window_pattern", 6),
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
    name = metadata.text("general.architecture")
    if name not in ARCHITECTURES:
        supported = ", ".join(sorted(ARCHITECTURES))
        raise UserError(f"architecture '{name}' is not supported (supported: {supported})")
    return ARCHITECTURES[name]


def config_of(metadata, tensor_names):
    """The config.json; UserError for a key that would change the result and is lost in it."""
    architecture = metadata.text("general.architecture")
    config = architecture_of(metadata).config(metadata, tensor_names)
    for key, value in _NEUTRAL_VALUES.items():
        metadata.expect(f"{architecture}.{key}", value)
    for key, value in _NEUTRAL_TOKENIZER_VALUES.items():
        metadata.expect(key, value)
    metadata.ignore(f"{architecture}.{key}" for key in _HARMLESS_KEYS)
    metadata.expect_all_read(f"{architecture}.")
    return config


# --- Tokenizer --------------------------------------------------------------


def build_tokenizer(metadata):
    """The tokenizer that the metadata describe."""
    kinds = {"gpt2": _byte_level_tokenizer, "llama": _sentencepiece_tokenizer}
    kind = metadata.text("tokenizer.ggml.model")
    if kind not in kinds:
        raise UserError(
            f"tokenizer.ggml.model: tokenizer '{kind}' is not supported (supported: {', '.join(kinds)})"
        )
    from tokenizers import AddedToken

    tokenizer = kinds[kind](metadata)
    tokens = metadata.tokens
    types = metadata.array("tokenizer.ggml.token_type", int, len(tokens), default=[])
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
    pre = metadata.text("tokenizer.ggml.pre", "gpt-2")
    if pre not in known:
        raise UserError(
            f"tokenizer.ggml.pre: pre-tokenizer '{pre}' is not supported (supported: {', '.join(sorted(known))})"
        )
    vocabulary = {token: i for i, token in enumerate(metadata.tokens)}
    merges = [tuple(merge.split(" ", 1)) for merge in metadata.array("tokenizer.ggml.merges", str)]
    for merge in merges:
        if len(merge) != 2 or not {*merge, "".join(merge)} <= vocabulary.keys():
            raise UserError(
                f"tokenizer.ggml.merges: '{' '.join(merge)}' does not make a token of two tokens"
            )
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
    tokens = metadata.tokens
    scores = metadata.array("tokenizer.ggml.scores", float, len(tokens))
    types = metadata.array("tokenizer.ggml.token_type", int, len(tokens))
    # Other tokens are no results of merges.
    plain = [i for i, kind in enumerate(types) if kind not in (_CONTROL, _BYTE)]
    merges = merges_of([tokens[i] for i in plain], [scores[i] for i in plain])
    tokenizer = Tokenizer(
        models.BPE(
            vocab={token: i for i, token in enumerate(tokens)},
            merges=merges,
            unk_token=tokens[metadata.token("tokenizer.ggml.unknown_token_id", 0)],
            fuse_unk=True,
            byte_fallback=_BYTE in types,
        )
    )
    replace = normalizers.Replace(" ", space)
    decoded = [decoders.Replace(space, " "), decoders.ByteFallback(), decoders.Fuse()]
    if metadata.flag("tokenizer.ggml.add_space_prefix", True):
        tokenizer.normalizer = normalizers.Sequence([normalizers.Prepend(space), replace])
        decoded.append(decoders.Strip(content=" ", left=1))
    else:
        tokenizer.normalizer = replace
    tokenizer.decoder = decoders.Sequence(decoded)
    return tokenizer


def tokenizer_config_of(metadata, config):
    """The tokenizer_config.json: special tokens by name and the chat template."""
    tokens = metadata.tokens
    # Of a file that does not say it, by the kind of its tokenizer.
    add_bos = metadata.flag(
        "tokenizer.ggml.add_bos_token", metadata.text("tokenizer.ggml.model") == "llama"
    )
    if add_bos and config["bos_token_id"] is None:
        raise UserError("metadata key 'tokenizer.ggml.bos_token_id' is missing")
    result = {"tokenizer_class": "PreTrainedTokenizerFast", "clean_up_tokenization_spaces": False}
    result["add_bos_token"] = add_bos
    result["model_max_length"] = config["max_position_embeddings"]
    ids = {
        "bos_token": config["bos_token_id"],
        "eos_token": config["eos_token_id"],
        "pad_token": config["pad_token_id"],
        "unk_token": metadata.token("tokenizer.ggml.unknown_token_id"),
    }
    result.update({name: tokens[i] for name, i in ids.items() if i is not None})
    template = metadata.text("tokenizer.chat_template", None)
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
        step = max(1, BLOCK_BYTES // (4 * int(np.prod(self.shape[1:]))))
        if self.heads:
            head = rows // self.heads
            step = max(1, step // head) * head
        if not self.shape[1:]:
            step, data = rows, data[None]  # a vector is one row of blocks, which are not cut
        for begin in range(0, rows, step):
            block = dequantize(data[begin : begin + step], self.tensor.tensor_type)
            block = np.asarray(block, dtype=np.float32).reshape(-1, *self.shape[1:])
            if self.heads:
                pairs = block.reshape(-1, head // 2, 2, *block.shape[1:])
                block = pairs.swapaxes(1, 2).reshape(block.shape)
            yield block - np.float32(self.offset) if self.offset else block


def _check_tensor(tensor):
    """UserError for a tensor that `Source` cannot read."""
    from gguf import dequantize

    if not len(tensor.shape) or not all(tensor.shape):
        shape = "x".join(map(str, tensor.shape[::-1])) or "no dimension"
        raise UserError(f"tensor '{tensor.name}' has no elements: its shape is {shape}")
    try:
        dequantize(tensor.data[:1] if len(tensor.shape) > 1 else tensor.data, tensor.tensor_type)
    except (NotImplementedError, ValueError) as error:
        raise UserError(
            f"tensor '{tensor.name}': type {tensor.tensor_type.name} cannot be converted to f32"
        ) from error


def sources_of(reader, config, architecture):
    """{checkpoint name: Source} in the order of their names."""
    heads = {"q_proj": config["num_attention_heads"], "k_proj": config["num_key_value_heads"]}
    sources = {}
    for tensor in reader.tensors:
        name = checkpoint_name(tensor.name, architecture.layer_names)
        _check_tensor(tensor)
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
    """The tensors, configuration, tokenizer and its configuration of a GGUF file."""
    import gguf

    try:
        reader = gguf.GGUFReader(path)
    except OSError as error:
        raise UserError(f"cannot read '{path}': {error.strerror}") from error
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise UserError(f"'{path}' is not a readable GGUF file: {error}") from error
    try:
        metadata = Metadata(reader)
        architecture = architecture_of(metadata)
        tensor_names = {tensor.name for tensor in reader.tensors}
        if "rope_freqs.weight" in tensor_names:
            raise UserError("tensor 'rope_freqs.weight': rope scaling by factors is not supported")
        config = config_of(metadata, tensor_names)
        sources = sources_of(reader, config, architecture)
        tokenizer = build_tokenizer(metadata)
        return sources, config, tokenizer, tokenizer_config_of(metadata, config)
    except UserError as error:
        raise UserError(f"'{path}': {error}") from error


def convert(path, target, progress=lambda done, total: None):
    """Converts the GGUF file `path` to the checkpoint directory `target`."""
    from gguf import dequantize

    sources, config, tokenizer, tokenizer_config = _open(path)
    with new_directory(target) as scratch:
        shapes = {name: source.shape for name, source in sources.items()}
        file = scratch / "model.safetensors"
        with SafetensorsWriter(file, shapes, metadata={"format": "pt"}) as writer:
            for done, (name, source) in enumerate(sources.items()):
                progress(done, len(sources))
                writer.write(name, source.blocks(dequantize))
        # Not by its `save`, whose failures are no OSError.
        (scratch / "tokenizer.json").write_text(tokenizer.to_str(pretty=True), encoding="utf-8")
        write_json(scratch / "tokenizer_config.json", tokenizer_config)
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
