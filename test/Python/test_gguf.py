"""python -m tp.gguf: layout, configuration, tokenizer and errors."""

import hashlib
import json
import os
import subprocess
import sys

import numpy as np
import pytest
import synthetic
from compiled import Model, need
from safetensors.numpy import load_file, save_file

import model as models
from tp import gguf, reference
from tp.checkpoint import SafetensorsWriter, load_tensors
from tp.errors import UserError
from tp.text import Text

LAYER_NAMES = {
    "attn_norm": "input_layernorm",
    "ffn_norm": "post_attention_layernorm",
    "attn_q": "self_attn.q_proj",
    "attn_k": "self_attn.k_proj",
    "attn_v": "self_attn.v_proj",
    "attn_output": "self_attn.o_proj",
    "ffn_gate": "mlp.gate_proj",
    "ffn_up": "mlp.up_proj",
    "ffn_down": "mlp.down_proj",
}


def expected_tensors(tied=True):
    source = synthetic.tensors(tied=tied)
    result = {
        "model.embed_tokens.weight": source["token_embd.weight"],
        "model.norm.weight": source["output_norm.weight"],
    }
    if not tied:
        result["lm_head.weight"] = source["output.weight"]
    for layer in range(synthetic.LAYERS):
        for old, new in LAYER_NAMES.items():
            result[f"model.layers.{layer}.{new}.weight"] = source[f"blk.{layer}.{old}.weight"]
    return result


@pytest.mark.parametrize("tied", [True, False])
@pytest.mark.parametrize("block_bytes", [1, 1000, 16 << 20])
def test_tensors_names_and_row_order(write_gguf, tmp_path, monkeypatch, tied, block_bytes):
    monkeypatch.setattr(gguf, "BLOCK_BYTES", block_bytes)
    gguf.convert(write_gguf(tied=tied), tmp_path / "hf")
    found = load_file(tmp_path / "hf/model.safetensors")
    expected = expected_tensors(tied)
    assert sorted(found) == sorted(expected)
    for name, tensor in expected.items():
        np.testing.assert_array_equal(found[name], tensor, err_msg=name)


def test_file_equals_what_the_safetensors_library_writes(write_gguf, tmp_path):
    gguf.convert(write_gguf(), tmp_path / "hf")
    save_file(expected_tensors(), tmp_path / "library.safetensors", metadata={"format": "pt"})
    assert (tmp_path / "hf/model.safetensors").read_bytes() == (
        tmp_path / "library.safetensors"
    ).read_bytes()


def test_quantized_tensors_are_dequantized(write_gguf, tmp_path):
    gguf.convert(write_gguf(quantized=True), tmp_path / "hf")
    found = load_tensors(tmp_path / "hf")
    for name, tensor in expected_tensors().items():
        assert found[name].dtype == np.float32
        # Q8_0: 8 bits per block of 32 values.
        np.testing.assert_allclose(
            found[name], tensor, atol=np.abs(tensor).max() / 120, err_msg=name
        )


def test_config(write_gguf, tmp_path):
    gguf.convert(write_gguf(), tmp_path / "hf")
    config = json.loads((tmp_path / "hf/config.json").read_text())
    assert config["model_type"] == "llama"
    assert config["hidden_size"] == synthetic.HIDDEN
    assert config["head_dim"] == synthetic.HEAD_DIM
    assert config["num_key_value_heads"] == synthetic.KV_HEADS
    assert config["rms_norm_eps"] == 1e-05
    assert config["rope_theta"] == 100000.0
    assert config["vocab_size"] == len(synthetic.vocabulary())
    assert config["tie_word_embeddings"] is True
    assert (config["bos_token_id"], config["eos_token_id"], config["pad_token_id"]) == (1, 2, 2)


def test_untied_head(write_gguf, tmp_path):
    gguf.convert(write_gguf(tied=False), tmp_path / "hf")
    assert json.loads((tmp_path / "hf/config.json").read_text())["tie_word_embeddings"] is False


@pytest.mark.parametrize(
    "changes, message",
    [
        (
            {"architecture": "mamba"},
            "architecture 'mamba' is not supported (supported: gemma3, llama)",
        ),
        # What a file says it is and what it has do not agree.
        ({"architecture": "gemma3"}, "metadata key 'gemma3.embedding_length' is missing"),
        (
            {"rope_scaling": "yarn"},
            "llama.rope.scaling.type: rope scaling 'yarn' is not supported (supported: linear, none)",
        ),
        (
            {"extra": ["rope_freqs.weight"]},
            "tensor 'rope_freqs.weight': rope scaling by factors is not supported",
        ),
        (
            {"extra": ["blk.0.ffn_gate_inp.weight"]},
            "tensor 'blk.0.ffn_gate_inp.weight' is not one of its architecture",
        ),
        (
            {"leave_out": ["feed_forward_length"]},
            "metadata key 'llama.feed_forward_length' is missing",
        ),
        (
            {"tokenizer": "bert"},
            "tokenizer.ggml.model: tokenizer 'bert' is not supported (supported: gpt2, llama)",
        ),
        (
            {"attention.head_count": 32, "rope.dimension_count": 1},
            "llama.attention.head_count: heads of 1 elements have no pairs to rotate",
        ),
        (
            {"leave_out": ["tokenizer.ggml.bos_token_id"], "add_bos": True},
            "metadata key 'tokenizer.ggml.bos_token_id' is missing",
        ),
        ({"tokenizer": "llama"}, "metadata key 'tokenizer.ggml.scores' is missing"),
        (
            {"pre": "llama-bpe"},
            "tokenizer.ggml.pre: pre-tokenizer 'llama-bpe' is not supported (supported: gpt-2, smollm)",
        ),
        (
            {"attention.head_count": 2},
            "llama.rope.dimension_count: expected the head size 16, got 8",
        ),
    ],
)
def test_unsupported_input_is_named_and_leaves_nothing(
    write_gguf, tmp_path, capsys, changes, message
):
    path = write_gguf(**changes)
    assert gguf.main([str(path), "-o", str(tmp_path / "hf")]) == 2
    error = capsys.readouterr().err
    assert error.startswith("error: ") and error.count("error:") == 1
    assert message in error and "tiny.gguf" in error
    assert [p.name for p in tmp_path.iterdir()] == ["tiny.gguf"]


VOCAB = len(synthetic.vocabulary())
LOST = "is not supported"


@pytest.mark.parametrize(
    "key, value, message",
    [
        # What would change the result and has no place in the configuration.
        ("llama.logit_scale", 2.0, "expected 1 or no such key, found 2.0"),
        ("llama.attention.scale", 0.5, "expected 0 or no such key, found 0.5"),
        ("llama.attention.max_alibi_bias", 8.0, "expected 0 or no such key"),
        ("llama.attention.clamp_kqv", 8.0, "expected 0 or no such key"),
        ("llama.attention.causal", False, "expected True or no such key, found False"),
        ("llama.expert_count", 8, "expected 0 or no such key, found 8"),
        ("llama.rope.scaling.attn_factor", 1.5, "expected 1 or no such key"),
        ("llama.rope.scaling.yarn_log_multiplier", 0.1, LOST),
        ("llama.attention.sliding_window", 16, LOST),
        ("llama.embedding_scale", 2.0, LOST),
        ("llama.invented", "x", LOST),
        ("llama.tensor_data_layout", "rows", "expected 'Meta AI original pth' or no such key"),
        ("tokenizer.ggml.add_eos_token", True, "expected False or no such key"),
        ("llama.rope.scaling.type", "yarn", "rope scaling 'yarn' is not supported"),
        # What is no value of the key.
        ("general.architecture", ["llama"], "expected a text, found an array"),
        ("llama.attention.head_count", 0, "expected a positive integer, found 0"),
        ("llama.attention.head_count", [4, 4], "expected a positive integer, found an array"),
        ("llama.attention.head_count", 64, "expected a divisor of 32 elements, found 64"),
        ("llama.attention.head_count_kv", 0, "expected a positive integer, found 0"),
        ("llama.attention.head_count_kv", 3, "expected a divisor of 4 heads, found 3"),
        ("llama.embedding_length", -32, "expected a positive integer, found -32"),
        ("llama.block_count", 2.0, "expected a positive integer, found 2.0"),
        ("llama.rope.freq_base", "10000", "expected a positive number, found '10000'"),
        ("llama.rope.freq_base", float("nan"), "expected a positive number, found nan"),
        ("llama.rope.scaling.factor", 0.0, "expected a positive number, found 0.0"),
        ("llama.rope.scaling.type", 3, "expected a text, found 3"),
        ("tokenizer.ggml.bos_token_id", 999999, f"expected a token id below {VOCAB}, found 999999"),
        ("tokenizer.ggml.eos_token_id", VOCAB, f"expected a token id below {VOCAB}, found {VOCAB}"),
        ("tokenizer.ggml.padding_token_id", -1, f"expected a token id below {VOCAB}, found -1"),
        ("tokenizer.ggml.unknown_token_id", VOCAB, f"expected a token id below {VOCAB}"),
        ("tokenizer.ggml.tokens", [1, 2], "expected an array of texts, found an array"),
        ("llama.rope.freq_base", 10**60 * 1.0, "expected a positive number, found"),
        ("tokenizer.ggml.tokens", "abc", "expected an array of texts, found 'abc'"),
        ("tokenizer.ggml.token_type", [1], f"expected one for each of {VOCAB} tokens, found 1"),
        ("tokenizer.ggml.merges", ["q zz"], "'q zz' does not make a token of two tokens"),
        ("tokenizer.ggml.merges", ["q"], "'q' does not make a token of two tokens"),
        ("tokenizer.ggml.merges", ["q h"], "'q h' does not make a token of two tokens"),
        ("tokenizer.ggml.add_bos_token", 1, "expected true or false, found 1"),
        ("tokenizer.chat_template", [1], "expected a text, found an array"),
    ],
)
def test_key_that_cannot_be_kept(write_gguf, tmp_path, capsys, key, value, message):
    path = write_gguf(keys={key: value})
    assert gguf.main([str(path), "-o", str(tmp_path / "hf")]) == 2
    error = capsys.readouterr().err
    assert error.startswith("error: ") and error.count("\n") == 1
    assert message in error
    assert f"tiny.gguf': {key}: " in error
    assert [p.name for p in tmp_path.iterdir()] == ["tiny.gguf"]


@pytest.mark.parametrize(
    "name, tensor, message",
    [
        (
            "blk.1.ffn_up.weight",
            np.ones((64, 32)),
            "tensor 'blk.1.ffn_up.weight': type F64 cannot be converted to f32",
        ),
        ("blk.1.ffn_up.weight", np.ones((64, 32), np.int8), "type I8 cannot be converted to f32"),
        ("output_norm.weight", np.ones(32), "type F64 cannot be converted to f32"),
        (
            "output_norm.weight",
            np.ones(0, np.float32),
            "tensor 'output_norm.weight' has no elements: its shape is 0",
        ),
        ("output_norm.weight", np.float32([])[None], "has no elements: its shape is 1x0"),
        (
            "blk.0.attn_q.weight",
            np.ones((30, 32), np.float32),
            "tensor 'blk.0.attn_q.weight': expected 4 heads of 8 rows, got 30 rows",
        ),
    ],
)
def test_tensor_that_cannot_be_converted(write_gguf, tmp_path, capsys, name, tensor, message):
    path = write_gguf(extra=[(name, tensor)])
    assert gguf.main([str(path), "-o", str(tmp_path / "hf")]) == 2
    error = capsys.readouterr().err
    assert error.startswith("error: ") and error.count("\n") == 1
    assert f"tiny.gguf': tensor '{name}'" in error and message in error
    assert [p.name for p in tmp_path.iterdir()] == ["tiny.gguf"]


@pytest.mark.parametrize(
    "keys, expected",
    [
        # A factor without a type is linear, and the older name of a factor counts where the
        # newer one is missing.
        ({"rope.scaling.factor": 4.0}, 4.0),
        ({"rope.scale_linear": 4.0}, 4.0),
        ({"rope.scale_linear": 4.0, "rope.scaling.factor": 2.0}, 2.0),
        ({"rope.scaling.type": "linear", "rope.scaling.factor": 2.5}, 2.5),
        ({"rope.scaling.type": "linear"}, None),
        ({"rope.scaling.type": "none", "rope.scaling.factor": 4.0}, None),
        ({"rope.scaling.factor": 1.0, "rope.scaling.finetuned": True}, None),
    ],
)
def test_linear_rope_scaling(write_gguf, tmp_path, keys, expected):
    path = write_gguf(keys={f"llama.{key}": value for key, value in keys.items()})
    gguf.convert(path, tmp_path / "hf")
    found = json.loads((tmp_path / "hf/config.json").read_text())["rope_scaling"]
    assert found == (None if expected is None else {"rope_type": "linear", "factor": expected})


def test_scaled_positions_run(write_gguf, tmp_path):
    """The logits of a file with a scaling are those of the reference, and not those without."""
    need("tp-import", "tp-compile")
    prompt, logits = [5, 6, 7, 8, 9, 10, 11], []
    for factor in (1.0, 4.0):
        folder = tmp_path / str(factor)
        path = write_gguf(keys={"llama.rope.scaling.factor": factor})
        gguf.convert(path, folder / "hf")
        found = Model(folder / "hf", folder, "--max-seq", 16).generate(2, prompt, 1)[1]
        wanted = reference.logits(reference.load(folder / "hf"), prompt, last_only=True)
        assert np.abs(found - wanted).max() < 1e-4 * np.abs(wanted).max()
        logits.append(found)
    assert np.abs(logits[0] - logits[1]).max() > 1e-2 * np.abs(logits[0]).max()


def test_neutral_keys(write_gguf, tmp_path):
    """Keys that say what is so anyway are no errors and change nothing."""
    gguf.convert(write_gguf(), tmp_path / "plain")
    keys = {
        "llama.attention.causal": True,
        "llama.attention.max_alibi_bias": 0.0,
        "llama.logit_scale": 1.0,
        "llama.expert_count": 0,
        "llama.rope.scaling.original_context_length": 32,
        "llama.tensor_data_layout": "Meta AI original pth",
        "general.invented": "x",
        "tokenizer.ggml.add_eos_token": False,
    }
    gguf.convert(write_gguf(keys=keys), tmp_path / "hf")
    for file in ("config.json", "tokenizer.json", "tokenizer_config.json", "model.safetensors"):
        assert (tmp_path / "hf" / file).read_bytes() == (tmp_path / "plain" / file).read_bytes()


def test_quantized_vector(write_gguf, tmp_path, monkeypatch):
    """A vector is dequantized as a whole, also where a block of rows holds less."""
    import gguf as library

    monkeypatch.setattr(gguf, "BLOCK_BYTES", 1)
    values = np.linspace(-1, 1, synthetic.HIDDEN, dtype=np.float32)
    kind = library.GGMLQuantizationType.Q8_0
    path = write_gguf(extra=[("output_norm.weight", (library.quantize(values, kind), kind))])
    gguf.convert(path, tmp_path / "hf")
    found = load_tensors(tmp_path / "hf")["model.norm.weight"]
    np.testing.assert_allclose(found, values, rtol=0, atol=1 / 120)


def test_no_tokens(write_gguf, tmp_path, monkeypatch):
    # The library writes no empty array.
    monkeypatch.setattr(gguf.Metadata, "array", lambda *arguments, **options: [])
    with pytest.raises(UserError, match="tokenizer.ggml.tokens: expected a token, found none"):
        gguf.convert(write_gguf(), tmp_path / "hf")


def test_tensor_of_an_unknown_type(tmp_path):
    header = b'{"x": {"dtype": "F8_E4M3", "shape": [1], "data_offsets": [0, 1]}}'
    (tmp_path / "model.safetensors").write_bytes(len(header).to_bytes(8, "little") + header + b"x")
    with pytest.raises(UserError, match="dtype F8_E4M3 is not supported"):
        load_tensors(tmp_path)


def test_writer_wants_what_was_announced(tmp_path):
    """The tensors in their order, each with its rows, and all of them."""
    rows = np.zeros((2, 3), np.float32)
    for name, blocks, message in (
        ("b", [rows], "expected tensor a, got b"),
        ("a", [rows.T], r"a: expected rows of shape \(3,\), got \(2,\)"),
        ("a", [rows, rows], "a: expected 2 rows, got 4"),
        (None, None, "tensor a was never written"),
    ):
        with pytest.raises(ValueError, match=message):
            with SafetensorsWriter(tmp_path / "x", {"a": (2, 3)}) as writer:
                if name:
                    writer.write(name, blocks)


@pytest.mark.parametrize("keep", [0, 3, 40, 2000, -100])
def test_truncated_file(write_gguf, tmp_path, capsys, keep):
    path = write_gguf()
    data = path.read_bytes()
    path.write_bytes(data[:keep])
    assert gguf.main([str(path), "-o", str(tmp_path / "hf")]) == 2
    assert "is not a readable GGUF file" in capsys.readouterr().err
    assert not (tmp_path / "hf").exists()


def test_missing_file(tmp_path, capsys):
    assert gguf.main([str(tmp_path / "none.gguf"), "-o", str(tmp_path / "hf")]) == 2
    assert "none.gguf': No such file" in capsys.readouterr().err


def test_output_is_not_overwritten_unless_a_checkpoint(write_gguf, tmp_path, capsys):
    path = write_gguf()
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/letter.txt").write_text("dear")
    assert gguf.main([str(path), "-o", str(tmp_path / "mine")]) == 2
    message = f"output '{tmp_path}/mine' is a directory that holds something else than a checkpoint"
    assert message in capsys.readouterr().err
    assert gguf.main([str(path), "-o", str(path)]) == 2
    assert f"output '{path}' exists and is not a directory" in capsys.readouterr().err
    assert (tmp_path / "mine/letter.txt").read_text() == "dear"
    assert gguf.main([str(path), "-o", str(tmp_path / "hf")]) == 0
    (tmp_path / "hf/config.json").write_text("{}")
    assert gguf.main([str(path), "-o", str(tmp_path / "hf")]) == 0
    assert json.loads((tmp_path / "hf/config.json").read_text())["model_type"] == "llama"


def test_output_that_cannot_be_written(write_gguf, tmp_path, capsys):
    (tmp_path / "file").write_text("")
    assert gguf.main([str(write_gguf()), "-o", str(tmp_path / "file/hf")]) == 2
    assert "cannot write output" in capsys.readouterr().err


def test_failure_while_writing_leaves_nothing(write_gguf, tmp_path, monkeypatch):
    path = write_gguf()
    calls = []

    def progress(done, total):
        calls.append((done, total))
        if done == 5:
            raise OSError(28, "No space left on device")

    with pytest.raises(UserError, match="No space left"):
        gguf.convert(path, tmp_path / "hf", progress)
    assert calls[0] == (0, len(synthetic.tensors()))
    assert [p.name for p in tmp_path.iterdir()] == ["tiny.gguf"]


@pytest.mark.parametrize("blocks", [8, 40, 120])
def test_full_disk(write_gguf, tmp_path, blocks):
    """Whichever file it meets, the message says why and nothing is left."""
    path = write_gguf()
    command = ["sh", "-c", f'ulimit -f {blocks}; exec "$@"', "sh"]
    command += [sys.executable, "-m", "tp.gguf", str(path), "-o", str(tmp_path / "hf")]
    environment = {**os.environ, "PYTHONPATH": str(models.ROOT / "python")}
    result = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert result.returncode == 2
    assert result.stderr == f"error: cannot write output '{tmp_path}/hf': File too large\n"
    assert [p.name for p in tmp_path.iterdir()] == ["tiny.gguf"]


# --- Gemma 3 ----------------------------------------------------------------


def test_gemma3(tmp_path):
    """The checkpoint that the file was made of, its norms' weights around 0 again."""
    gguf.convert(synthetic.write_gemma3(tmp_path / "tiny.gguf"), tmp_path / "hf")
    config, tensors = synthetic.gemma3_checkpoint()
    found = load_tensors(tmp_path / "hf")
    assert sorted(found) == sorted(tensors)
    for name, tensor in tensors.items():
        np.testing.assert_allclose(found[name], tensor, rtol=0, atol=1e-7, err_msg=name)
    written = json.loads((tmp_path / "hf/config.json").read_text())
    for field in ("architectures", "model_type", "hidden_activation", "head_dim", "rope_theta",
                  "query_pre_attn_scalar", "rope_local_base_freq", "rope_scaling", "sliding_window",
                  "sliding_window_pattern", "rms_norm_eps", "tie_word_embeddings", "vocab_size",
                  "num_key_value_heads", "bos_token_id", "eos_token_id"):  # fmt: skip
        assert written[field] == config[field], field


@pytest.mark.parametrize("kind, tp", [("Q8_0", 1), ("Q5_0", 2)])
def test_gemma3_runs(tmp_path, kind, tp):
    """Quantized file to executable: the logits of the reference on what was stored."""
    import gguf as library

    need("tp-import", "tp-compile")
    kind = library.GGMLQuantizationType[kind]
    gguf.convert(synthetic.write_gemma3(tmp_path / "tiny.gguf", kind), tmp_path / "hf")
    expected = reference.load(tmp_path / "hf")
    model = Model(tmp_path / "hf", tmp_path, "--max-seq", 30, "--chunk", 8)
    prompt = [2, 261, 262, 263, 264, 265, 266, 267, 268, 269]
    tokens, logits = model.generate(tp, prompt, 6)
    wanted = reference.logits(expected, prompt + tokens[:-1])[len(prompt) - 1 :]
    assert np.abs(logits - wanted).max() < 1e-4 * np.abs(wanted).max()


def test_sentencepiece_tokenizer(tmp_path):
    gguf.convert(synthetic.write_gemma3(tmp_path / "tiny.gguf"), tmp_path / "hf")
    text = Text(tmp_path / "hf")
    ids = {token: i for i, (token, _, _) in enumerate(synthetic.gemma3_vocabulary())}

    def check(string, *tokens):
        assert text.encode(string) == [ids["<bos>"], *(ids[token] for token in tokens)]
        assert text.decode(text.encode(string)) == string

    # "lo" has a higher score than "ow": "l o w" is "lo w", which "low" is made of.
    check("low", "low")
    check(" lower low", "\u2581low", "er", "\u2581low")
    check("ower", "ow", "er")
    # A space is a piece of its own where no merge has it; a byte for what is no piece.
    check("o  w", "o", "\u2581", "\u2581", "w")
    check("lo\n\nq\u00e9", "lo", synthetic.NEWLINES, "<0x71>", "<0xC3>", "<0xA9>")
    assert text.decode([ids["<bos>"], ids["low"], ids["<eos>"]]) == "low"


def test_gemma3_capping_is_an_error(tmp_path, capsys):
    path = synthetic.write_gemma3(tmp_path / "tiny.gguf", extra=[("final_logit_softcapping", 30.0)])
    assert gguf.main([str(path), "-o", str(tmp_path / "hf")]) == 2
    error = capsys.readouterr().err
    assert error.startswith("error: ") and "tiny.gguf" in error
    assert "gemma3.final_logit_softcapping: expected 0 or no such key, found 30.0" in error


def test_gemma3_keys_of_sliding_layers(tmp_path):
    extra = [("rope.freq_base_swa", 5000.0), ("rope.scale_linear", 3.0)]
    gguf.convert(synthetic.write_gemma3(tmp_path / "tiny.gguf", extra=extra), tmp_path / "hf")
    config = json.loads((tmp_path / "hf/config.json").read_text())
    assert config["rope_local_base_freq"] == 5000.0
    assert config["rope_scaling"] == {"rope_type": "linear", "factor": 8.0}


@pytest.mark.long
def test_published_gemma3(tmp_path):
    """Gemma 3 270M: the converted file, top logits, and greedy tokens on 1 to 4 ranks."""
    need("tp-import", "tp-compile")
    golden = json.loads((models.ROOT / "test/Integration/gemma3_golden.json").read_text())
    directory = models.checkpoint("gemma3-270m")
    digest = hashlib.sha256((directory / "model.safetensors").read_bytes()).hexdigest()
    assert digest == golden["safetensors_sha256"]
    assert json.loads((directory / "config.json").read_text()) == golden["config"]
    text, expected = Text(directory), reference.load(directory)
    model = Model(directory, tmp_path, "--max-seq", 640)
    for case in golden["cases"]:
        assert text.encode(case["prompt"]) == case["prompt_ids"]
        assert text.decode(case["generated_ids"]) == case["text"]
        top, values = zip(*case["top5"])
        last = reference.logits(expected, case["prompt_ids"], last_only=True)[0]
        assert np.argsort(-last)[:5].tolist() == list(top)
        np.testing.assert_allclose(last[list(top)], values, rtol=1e-4)
        for tp in (1, 2, 3, 4):
            count = len(case["generated_ids"])
            tokens, logits = model.generate(tp, case["prompt_ids"], count)
            assert tokens == case["generated_ids"]
            np.testing.assert_allclose(logits[0, list(top)], values, rtol=1e-4)
    # Longer than the window of the local layers, in several chunks.
    prompt = [2] + [(7919 * i) % 200000 + 1000 for i in range(600)]
    wanted = reference.logits(expected, prompt, last_only=True)[0]
    for tp in (1, 3):
        _, logits = model.generate(tp, prompt, 1)
        assert np.abs(logits[0] - wanted).max() < 1e-4 * np.abs(wanted).max()
