"""What tp-import says to checkpoints and options that are wrong in a special way.

The common mistakes are in test_bad_input.py, the program itself is checked by
test/Import.
"""

import json
import re
import subprocess

import pytest
from compiled import BIN, need, rejected, run, succeed

from tp import tiny


@pytest.fixture
def checkpoint(tmp_path):
    need("tp-import")
    return tiny.make("one-head", tmp_path / "hf")


def edit_config(checkpoint, **changes):
    path = checkpoint / "config.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **changes}))


def read_header(path):
    """The header of a safetensors file as an object, and its data."""
    data = path.read_bytes()
    start = 8 + int.from_bytes(data[:8], "little")
    return json.loads(data[8:start]), data[start:]


def write_header(path, header, data):
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    path.write_bytes(len(text).to_bytes(8, "little") + text + data)


def split(checkpoint):
    """Deals the tensors to two files with an index; returns the index's path."""
    header, data = read_header(checkpoint / "model.safetensors")
    (checkpoint / "model.safetensors").unlink()
    header.pop("__metadata__", None)
    weight_map = {}
    for part in range(2):
        names = sorted(header)[part::2]
        entries, content = {}, b""
        for name in names:
            begin, end = header[name]["data_offsets"]
            place = [len(content), len(content) + end - begin]
            entries[name] = {**header[name], "data_offsets": place}
            content += data[begin:end]
            weight_map[name] = f"part{part}.safetensors"
        write_header(checkpoint / f"part{part}.safetensors", entries, content)
    path = checkpoint / "model.safetensors.index.json"
    path.write_text(json.dumps({"metadata": {}, "weight_map": weight_map}))
    return path


def edit_index(path, change):
    index = json.loads(path.read_text())
    change(index)
    path.write_text(json.dumps(index))


def fails(checkpoint, *parts):
    """Imports and expects one error line with these parts; its whole stderr."""
    output = checkpoint.parent / "out/model.mlir"
    output.parent.mkdir(exist_ok=True)
    result = run("tp-import", checkpoint, "-o", output)
    rejected(result, *parts)
    assert list(output.parent.iterdir()) == []
    return result.stderr


# --- config.json ------------------------------------------------------------


@pytest.mark.parametrize(
    "changes, parts",
    [
        ({"model_type": "mamba"}, ["model_type: supported are .*llama.*, found 'mamba'"]),
        ({"model_type": 7}, ["model_type: expected a string, found 7"]),
        ({"architectures": ["LlamaModel"]}, ["architectures.*LlamaForCausalLM.*LlamaModel"]),
        ({"architectures": "LlamaForCausalLM"}, ["architectures"]),
        ({"attention_bias": 3}, ["attention_bias: expected true or false, found 3"]),
        ({"mlp_bias": "x"}, ["mlp_bias: expected true or false"]),
        ({"sliding_window": 512}, ["sliding_window: .*512"]),
        ({"quantization_config": {"bits": 4}}, ["quantization_config: .*bits"]),
        ({"head_dim": 7}, ["head_dim: must be even, found 7"]),
        ({"head_dim": None, "hidden_size": 9, "num_attention_heads": 2}, ["hidden_size: .*9"]),
        ({"rope_parameters": {"rope_type": "llama3"}}, [r"rope_parameters\.factor: is missing"]),
        ({"rope_parameters": {"rope_theta": -1}}, [r"rope_parameters\.rope_theta: .*-1"]),
        ({"rope_parameters": 3}, ["rope_parameters: expected an object, found 3"]),
        ({"rope_theta": "big"}, ["rope_theta: expected a positive number.*big"]),
        ({"rope_interleaved": True}, ["rope_interleaved"]),
        ({"partial_rotary_factor": 0.5}, ["partial_rotary_factor: .*0.5"]),
        ({"rms_norm_eps": 0}, ["rms_norm_eps: expected a positive number, found 0"]),
        ({"num_attention_heads": 1.5}, ["num_attention_heads: .*1.5"]),
        ({"hidden_size": 2**31}, ["hidden_size: .*2147483648"]),
        ({"max_position_embeddings": None}, ["max_position_embeddings: is missing"]),
        ({"hidden_act": None}, ["hidden_act: is missing"]),
        ({"eos_token_id": [2, "x"]}, ["eos_token_id: expected token ids"]),
        ({"bos_token_id": -1}, ["bos_token_id: expected token ids, found -1"]),
        ({"tie_word_embeddings": "yes"}, ["tie_word_embeddings: expected true or false"]),
    ],
)
def test_config(checkpoint, changes, parts):
    edit_config(checkpoint, **changes)
    fails(checkpoint, "config.json: ", *parts)


@pytest.mark.parametrize("text", ["[]", "[" * 100_000, "", '{"a": "\xff"}', "{} x"])
def test_config_that_is_no_object(checkpoint, text):
    (checkpoint / "config.json").write_text(text, encoding="latin-1")
    fails(checkpoint, "config.json: ")


def test_config_is_a_directory(checkpoint):
    (checkpoint / "config.json").unlink()
    (checkpoint / "config.json").mkdir()
    fails(checkpoint, "config.json: cannot be read")


def test_file_in_place_of_the_directory(checkpoint):
    fails(checkpoint / "config.json", "config.json: is not a directory")


def test_more_layers_than_tensors(checkpoint):
    edit_config(checkpoint, num_hidden_layers=2**31 - 1)
    fails(checkpoint, "tensor 'model.layers.2.input_layernorm.weight' is missing")


# --- Tensors ----------------------------------------------------------------


def rename(checkpoint, old, new):
    header, data = read_header(checkpoint / "model.safetensors")
    header[new] = header.pop(old)
    write_header(checkpoint / "model.safetensors", header, data)


def test_near_name(checkpoint):
    name = "model.layers.1.mlp.up_proj.weight"
    rename(checkpoint, name, "model.layers.1.mlp.up.weight")
    stderr = fails(checkpoint, rf"model\.safetensors: tensor '{name}' is missing")
    assert "note: the nearest name is 'model.layers.1.mlp.up.weight'" in stderr


def test_no_near_name(checkpoint):
    write_header(checkpoint / "model.safetensors", {}, b"")
    assert "note:" not in fails(checkpoint, "tensor 'model.embed_tokens.weight' is missing")


@pytest.mark.parametrize(
    "name, wanted",
    [
        ("model.layers.0.self_attn.q_proj.bias", False),
        ("model.layers.x.self_attn.rotary_emb.inv_freq", False),
        ("model.layers.0.self_attn.rotary_emb.inv_freq", True),
        ("lm_head.weight", True),
    ],
)
def test_tensors_beside_the_parameters(checkpoint, name, wanted):
    header, data = read_header(checkpoint / "model.safetensors")
    place = [len(data), len(data) + 8]
    header[name] = {"dtype": "F32", "shape": [2], "data_offsets": place}
    write_header(checkpoint / "model.safetensors", header, data + bytes(8))
    if wanted:
        succeed("tp-import", checkpoint, "-o", checkpoint.parent / "model.mlir")
    else:
        fails(
            checkpoint,
            rf"model\.safetensors: tensor '{name}' is no part of a llama model with this config.json",
        )


@pytest.mark.parametrize(
    "changes, part",
    [
        ({"dtype": "F4"}, "unknown dtype 'F4'"),
        ({"dtype": None}, "dtype is missing"),
        ({"shape": [-8]}, "shape must be"),
        ({"shape": "8"}, "shape must be"),
        ({"shape": [8.0]}, r"has the number 8\.0, expected integers"),
        ({"shape": [8e0 * 1e30]}, r"has the number 8e\+30, expected integers"),
        ({"data_offsets": [0.5, 32]}, r"has the number 0\.5, expected integers"),
        ({"shape": [9]}, "dtype and shape need 36 bytes, data_offsets give 32"),
        ({"shape": [2**40, 2**40]}, "does not fit into 64 bits"),
        ({"data_offsets": [32]}, "data_offsets must be"),
        ({"data_offsets": [64, 32]}, "data_offsets must be"),
        ({"data_offsets": [0, 32]}, "begin at byte"),
    ],
)
def test_header_entry(checkpoint, changes, part):
    header, data = read_header(checkpoint / "model.safetensors")
    header["model.norm.weight"].update(changes)
    write_header(checkpoint / "model.safetensors", header, data)
    fails(checkpoint, "model.safetensors: is not a valid safetensors file", part)


def test_header_entry_is_no_object(checkpoint):
    header, data = read_header(checkpoint / "model.safetensors")
    header["model.norm.weight"] = 3
    write_header(checkpoint / "model.safetensors", header, data)
    fails(checkpoint, "tensor 'model.norm.weight': expected an object, found 3")


@pytest.mark.parametrize("header", [b"[]", b"[" * 100_000, b'{"\xff": 1}', b""])
def test_header_is_no_object(checkpoint, header):
    write_header(checkpoint / "model.safetensors", header, b"")
    fails(checkpoint, "model.safetensors: header: ")


@pytest.mark.parametrize(
    "key, again",
    [
        ("model.norm.weight", '"model.norm.weight"'),
        ("model.norm.weight", r'"model.norm.w\u0065ight"'),
        ("shape", '"shape"'),
    ],
)
def test_header_names_a_key_twice(checkpoint, key, again):
    header, data = read_header(checkpoint / "model.safetensors")
    entry = {"model.norm.weight": header.pop("model.norm.weight")}
    text = json.dumps({**entry, **header})
    text = text.replace(f'"{key}": ', f'{again}: 1, "{key}": ', 1)
    write_header(checkpoint / "model.safetensors", text.encode(), data)
    fails(checkpoint, rf'model\.safetensors: header: duplicate key "{re.escape(key)}"')


def test_bytes_behind_the_last_tensor(checkpoint):
    path = checkpoint / "model.safetensors"
    path.write_bytes(path.read_bytes() + b"x")
    fails(checkpoint, "model.safetensors: is not a valid safetensors file")


# --- Checkpoints in parts ---------------------------------------------------


def test_parts_are_the_same_model(checkpoint):
    whole = succeed("tp-import", checkpoint, "-o", "-")
    split(checkpoint)
    assert succeed("tp-import", checkpoint, "-o", "-") == whole


def test_index_names_a_missing_file(checkpoint):
    split(checkpoint)
    (checkpoint / "part1.safetensors").unlink()
    fails(checkpoint, r"index\.json: tensor '.*' is in 'part1\.safetensors', which does not exist")


@pytest.mark.parametrize("file", ["../part0.safetensors", "", "..", 3])
def test_index_names_no_file_of_the_directory(checkpoint, file):
    def change(index):
        index["weight_map"]["model.norm.weight"] = file

    edit_index(split(checkpoint), change)
    fails(
        checkpoint,
        r"index\.json: weight_map of tensor 'model\.norm\.weight': expected the name of a file in"
        " this directory, found ",
    )


def test_index_is_wrong_about_a_tensor(checkpoint):
    path = split(checkpoint)
    places = json.loads(path.read_text())["weight_map"]
    other = {"part0.safetensors": "part1.safetensors", "part1.safetensors": "part0.safetensors"}

    def change(index):
        index["weight_map"]["model.norm.weight"] = other[places["model.norm.weight"]]

    edit_index(path, change)
    fails(checkpoint, r"index\.json: tensor 'model\.norm\.weight' is not in")


def test_tensor_in_two_parts(checkpoint):
    split(checkpoint)
    header, data = read_header(checkpoint / "part0.safetensors")
    other, more = read_header(checkpoint / "part1.safetensors")
    name = sorted(header)[0]
    begin, end = header[name]["data_offsets"]
    place = [len(more), len(more) + end - begin]
    other[name] = {**header[name], "data_offsets": place}
    write_header(checkpoint / "part1.safetensors", other, more + data[begin:end])
    fails(checkpoint, rf"part1\.safetensors: tensor '{name}' is also in '.*part0\.safetensors'")


def test_index_names_a_tensor_twice(checkpoint):
    path = split(checkpoint)
    again = '"weight_map": {"model.norm.weight": "part0.safetensors", '
    path.write_text(path.read_text().replace('"weight_map": {', again, 1))
    fails(checkpoint, r'index\.json: duplicate key "model\.norm\.weight"')


@pytest.mark.parametrize("text", ["{", "{}", '{"weight_map": 3}'])
def test_broken_index(checkpoint, text):
    split(checkpoint).write_text(text)
    fails(checkpoint, r"model\.safetensors\.index\.json: ")


def test_missing_tensor_of_parts_names_the_index(checkpoint):
    path = split(checkpoint)
    edit_index(path, lambda index: index["weight_map"].clear())
    fails(checkpoint, r"index\.json: tensor 'model\.embed_tokens\.weight' is missing")


# --- Options ----------------------------------------------------------------


@pytest.mark.parametrize(
    "options, part",
    [
        (["--chunk", 0], "--chunk: expected a number from 1 to 64 .*found 0"),
        (["--chunk", 65], "--chunk: expected a number from 1 to 64 .*found 65"),
        (["--max-seq", 16, "--chunk", 17], "--chunk: expected a number from 1 to 16 .*found 17"),
        (["--max-seq", 65], "--max-seq: expected a number from 1 to 64 .*found 65"),
        (["--max-seq", -1], "--max-seq: .*found -1"),
        (["--batch", 0], "--batch: expected a number from 1 to 65536, found 0"),
        (["--batch", "two"], "--batch"),
        (["--chunk", "1.5"], "--chunk"),
        (["--dtype", "f8"], "--dtype: expected f32, bf16 or f16, found 'f8'"),
        (["--frobnicate"], "--frobnicate"),
        (["more"], "more"),
    ],
)
def test_options(checkpoint, options, part):
    output = checkpoint.parent / "model.mlir"
    rejected(run("tp-import", checkpoint, "-o", output, *options), part)
    assert not output.exists()


def test_usage(checkpoint):
    rejected(run("tp-import"), "DIR")
    rejected(run("tp-import", checkpoint), "--output")
    rejected(run("tp-import", checkpoint, "-o"), "--output")
    rejected(run("tp-import", checkpoint, "-o", "a", "-o", "b"), "--output")
    assert "usage: tp-import DIR" in run("tp-import").stderr


def test_standard_output_that_is_full(checkpoint):
    with open("/dev/full", "w") as full:
        command = [BIN / "tp-import", checkpoint, "-o", "-"]
        result = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True)
    rejected(result, "cannot write output '-': No space left on device", status=3)


def test_failure_keeps_the_old_output(checkpoint):
    output = checkpoint.parent / "model.mlir"
    output.write_text("old")
    (checkpoint / "config.json").unlink()
    rejected(run("tp-import", checkpoint, "-o", output), "config.json")
    assert output.read_text() == "old"
