"""python -m tp.gguf: layout, configuration, tokenizer and errors."""

import json

import numpy as np
import pytest
import synthetic
from safetensors.numpy import load_file, save_file

from tp import gguf
from tp.checkpoint import load_tensors
from tp.errors import UserError

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
        ({"architecture": "gemma3"}, "architecture 'gemma3' is not supported"),
        ({"rope_scaling": "yarn"}, "rope scaling 'yarn' is not supported"),
        ({"extra": ["rope_freqs.weight"]}, "rope scaling"),
        (
            {"extra": ["blk.0.ffn_gate_inp.weight"]},
            "tensor 'blk.0.ffn_gate_inp.weight' is not one of",
        ),
        (
            {"leave_out": ["feed_forward_length"]},
            "metadata key 'llama.feed_forward_length' is missing",
        ),
        ({"tokenizer": "llama"}, "tokenizer 'llama' is not supported"),
        ({"pre": "llama-bpe"}, "pre-tokenizer 'llama-bpe' is not supported"),
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
    assert "holds something else" in capsys.readouterr().err
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
