"""What the tools say to broken checkpoints, prompts and paths.

Always one `error:` line that names the thing, the status of the contracts and
no output file.
"""

import json
import os
import resource
import signal

import numpy as np
import pytest
from compiled import Model, need, rejected, run
from safetensors.numpy import load_file, save_file

from tp import tiny


@pytest.fixture
def checkpoint(tmp_path):
    need("tp-import")
    return tiny.make("one-head", tmp_path / "hf")


def edit_config(checkpoint, **changes):
    """Replaces fields of config.json; None removes one."""
    path = checkpoint / "config.json"
    config = {**json.loads(path.read_text()), **changes}
    path.write_text(json.dumps({k: v for k, v in config.items() if v is not None}))


def edit_tensors(checkpoint, change):
    path = checkpoint / "model.safetensors"
    tensors = {name: np.array(tensor) for name, tensor in load_file(path).items()}
    change(tensors)
    save_file(tensors, path, metadata={"format": "pt"})


def import_fails(checkpoint, *parts, output=None, status=2, **options):
    output = output or checkpoint.parent / "out/model.mlir"
    if output.parent == checkpoint.parent / "out":
        output.parent.mkdir(exist_ok=True)
    result = run("tp-import", checkpoint, "-o", output, **options)
    rejected(result, *parts, status=status)
    assert not output.exists() or not output.is_file()
    if output.parent.is_dir():
        assert list(output.parent.iterdir()) == [] or output.is_dir()


# --- tp-import --------------------------------------------------------------


@pytest.mark.parametrize(
    "field",
    [
        "model_type",
        "hidden_size",
        "intermediate_size",
        "num_hidden_layers",
        "num_attention_heads",
        "vocab_size",
        "rms_norm_eps",
    ],
)
def test_missing_config_field(checkpoint, field):
    edit_config(checkpoint, **{field: None})
    import_fails(checkpoint, "config.json", field)


@pytest.mark.parametrize(
    "changes, parts",
    [
        ({"model_type": "mamba"}, ["model_type", "mamba"]),
        ({"hidden_act": "relu6"}, ["hidden_act", "relu6"]),
        ({"rope_scaling": {"type": "yarn", "factor": 4.0}}, ["rope_scaling", "yarn"]),
        ({"rope_scaling": {"rope_type": "longrope"}}, ["rope_scaling", "longrope"]),
        ({"num_attention_heads": "nine"}, ["num_attention_heads"]),
        ({"hidden_size": -8}, ["hidden_size", "-8"]),
        ({"num_hidden_layers": 0}, ["num_hidden_layers"]),
        ({"num_attention_heads": 3, "num_key_value_heads": 2}, ["num_key_value_heads"]),
    ],
)
def test_unsupported_config(checkpoint, changes, parts):
    edit_config(checkpoint, **changes)
    import_fails(checkpoint, "config.json", *parts)


@pytest.mark.parametrize(
    "text, part",
    [
        ('{"model_type": "llama",', "config.json: is not JSON: "),
        ("[1]", "config.json: expected a JSON object, found "),
        ("[" * 5000 + "]" * 5000, "config.json: JSON is nested more than 64 deep"),
    ],
)
def test_config_that_is_not_a_json_object(checkpoint, text, part):
    (checkpoint / "config.json").write_text(text)
    import_fails(checkpoint, part)


@pytest.mark.parametrize(
    "family, changes, part",
    [
        ("mha", {"hidden_size": -8}, "hidden_size: expected a size from 1 to 2147483647, found -8"),
        (
            "mha",
            {"rope_scaling": {"rope_type": "longrope"}},
            "rope_type: supported are default, linear, llama3, found 'longrope'",
        ),
        (
            "mha",
            {"rope_scaling": {"type": "yarn"}},
            "type: supported are default, linear, llama3, found 'yarn'",
        ),
        (
            "mha",
            {"num_key_value_heads": 2},
            r"num_key_value_heads: must divide num_attention_heads \(3\), found 2",
        ),
        (
            "phi",
            {"hidden_size": 71},
            r"hidden_size: must be a multiple of num_attention_heads \(7\) where head_dim is not"
            " given, found 71",
        ),
        (
            "mha",
            {"quantization_config": 4},
            "quantization_config: a quantized checkpoint is not supported, found 4",
        ),
        (
            "gemma3",
            {"layer_types": ["full_attention", 1]},
            "layer_types: expected an array of strings, found ",
        ),
        (
            "neox",
            {"rotary_pct": 0.26},
            "rotary_pct: must rotate an even number of each head's 12 elements, found 3",
        ),
    ],
)
def test_config_error_says_what_is_expected(tmp_path, family, changes, part):
    need("tp-import")
    checkpoint = tiny.make(family, tmp_path / "hf")
    edit_config(checkpoint, **changes)
    import_fails(checkpoint, rf"config.json: (rope_scaling\.)?{part}")


@pytest.mark.parametrize(
    "changes, part",
    [
        ({"num_ln_in_parallel_attn": 3}, "expected 1, or 2 with new_decoder_architecture, found 3"),
        ({"parallel_attn": False}, "only true is supported with new_decoder_architecture"),
    ],
)
def test_unsupported_falcon(tmp_path, changes, part):
    need("tp-import")
    checkpoint = tiny.make("falcon-new", tmp_path / "hf")
    edit_config(checkpoint, **changes)
    import_fails(checkpoint, f"config.json: {next(iter(changes))}: {part}")


def test_no_config(checkpoint):
    (checkpoint / "config.json").unlink()
    import_fails(checkpoint, "config.json")


def test_no_directory(checkpoint):
    import_fails(
        checkpoint / "none", "none: does not exist", output=checkpoint.parent / "out/model.mlir"
    )


def test_no_weights(checkpoint):
    (checkpoint / "model.safetensors").unlink()
    import_fails(checkpoint, "has neither model.safetensors nor model.safetensors.index.json")


def test_index_without_weight_map(checkpoint):
    (checkpoint / "model.safetensors").unlink()
    (checkpoint / "model.safetensors.index.json").write_text("{}")
    import_fails(checkpoint, "model.safetensors.index.json: weight_map is missing")


def test_weights_that_are_a_directory(checkpoint):
    (checkpoint / "model.safetensors").unlink()
    (checkpoint / "model.safetensors").mkdir()
    import_fails(checkpoint, "model.safetensors: is not a file")


def test_missing_tensor(checkpoint):
    name = "model.layers.1.mlp.up_proj.weight"
    edit_tensors(checkpoint, lambda tensors: tensors.pop(name))
    import_fails(checkpoint, name)


def test_wrong_shape(checkpoint):
    name = "model.layers.0.self_attn.o_proj.weight"

    def change(tensors):
        tensors[name] = np.ascontiguousarray(tensors[name][:, :-1])

    edit_tensors(checkpoint, change)
    import_fails(checkpoint, name, "8x8|8, 8", "8x7|8, 7")


def test_wrong_dtype(checkpoint):
    name = "model.norm.weight"

    def change(tensors):
        tensors[name] = tensors[name].astype(np.int64)

    edit_tensors(checkpoint, change)
    import_fails(checkpoint, name, "(?i)i64|int64")


CORRUPT = {
    "empty": lambda data: b"",
    "half a header": lambda data: data[:100],
    "half the data": lambda data: data[: len(data) // 2],
    "one byte short": lambda data: data[:-1],
    "huge header length": lambda data: b"\xff" * 8 + data[8:],
    "header is no JSON": lambda data: data[:8] + b"x" + data[9:],
    "offsets beyond the end": lambda data: data.replace(
        b'"data_offsets":[0,', b'"data_offsets":[9,', 1
    ),
}


@pytest.mark.parametrize("how", CORRUPT)
def test_corrupt_safetensors(checkpoint, how):
    path = checkpoint / "model.safetensors"
    path.write_bytes(CORRUPT[how](path.read_bytes()))
    reason = (
        "header: is not JSON" if how == "header is no JSON" else "is not a valid safetensors file"
    )
    import_fails(checkpoint, f"model.safetensors: {reason}: ")


def test_output_that_cannot_be_written(checkpoint):
    import_fails(checkpoint, "none/model.mlir", output=checkpoint.parent / "none/model.mlir")
    (checkpoint.parent / "taken").mkdir()
    import_fails(checkpoint, "taken", output=checkpoint.parent / "taken")


def small_files_only():
    """In a child: files stop growing at 512 bytes, as on a full disk."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (512, 512))


def test_disk_full(checkpoint):
    import_fails(checkpoint, "model.mlir", status=3, preexec_fn=small_files_only)


# --- tp-compile -------------------------------------------------------------


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    need("tp-import", "tp-compile")
    folder = tmp_path_factory.mktemp("model")
    checkpoint = tiny.make("one-head", folder / "hf")
    model = Model(checkpoint, folder, "--max-seq", 16, "--chunk", 8)
    model.executable(2)
    return model


def test_compile_output_that_cannot_be_written(model, tmp_path):
    arguments = [model.ir, "--plan", "megatron", "--mesh", "tp=2", "-o"]
    rejected(run("tp-compile", *arguments, tmp_path / "none/out"), "none/out")
    rejected(run("tp-compile", *arguments, tmp_path), str(tmp_path))
    result = run("tp-compile", *arguments, tmp_path / "out", preexec_fn=small_files_only)
    rejected(result, "out|tmp", status=3)
    assert list(tmp_path.iterdir()) == []


def test_input_that_does_not_parse(model, tmp_path):
    (tmp_path / "bad.mlir").write_text("func.func @f( {\n")
    arguments = ["--plan", "megatron", "--mesh", "tp=2", "-o", tmp_path / "out"]
    rejected(run("tp-compile", tmp_path / "bad.mlir", *arguments), r"bad.mlir:1:\d+")
    rejected(run("tp-compile", tmp_path / "none.mlir", *arguments), "none.mlir")
    assert not (tmp_path / "out").exists()


def test_plan_without_mesh(model, tmp_path):
    result = run("tp-compile", model.ir, "--plan", "megatron", "-o", tmp_path / "out")
    rejected(result, "mesh")
    assert not (tmp_path / "out").exists()


def little_memory_only():
    """In a child: there is no more memory than 1 GiB."""
    resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))


def test_out_of_memory(tmp_path):
    """Where LLVM would print how it crashed."""
    need("tp-run")
    tensor = "tensor<60000000xf32>"
    text = f"func.func @f(%x: {tensor}) -> {tensor} {{\n  return %x : {tensor}\n}}\n"
    (tmp_path / "f.mlir").write_text(text)
    arguments = ["--plan", "replicated", "--mesh", "tp=1", "--interpret"]
    result = run("tp-run", tmp_path / "f.mlir", *arguments, preexec_fn=little_memory_only)
    rejected(result, "error: out of memory$", status=3)


# --- The executable ---------------------------------------------------------


def runs(model, tokens, *arguments, weights=None):
    weights = weights or model.checkpoint
    return run(model.executable(2), "--weights", weights, "--tokens", tokens, *arguments)


@pytest.mark.parametrize("token", [5, -1, 10**12])
def test_token_out_of_range(model, token):
    rejected(runs(model, f"1,{token}", "--generate", 2), str(token), "5")


@pytest.mark.parametrize("tokens", ["", "1,,2", "1,x", "1.5"])
def test_malformed_tokens(model, tokens):
    rejected(runs(model, tokens, "--generate", 2), "tokens")


def test_prompt_too_long(model):
    rejected(runs(model, ",".join(["1"] * 17), "--generate", 1), "17", "16")
    rejected(runs(model, ",".join(["1"] * 10), "--generate", 20), "16")


def test_weights_that_are_not_there(model, tmp_path):
    rejected(runs(model, "1,2", "--generate", 1, weights=tmp_path / "none"), "none")
    (tmp_path / "hf").mkdir()
    rejected(runs(model, "1,2", "--generate", 1, weights=tmp_path / "hf"), "hf")


@pytest.mark.parametrize("how", CORRUPT)
def test_corrupt_weights_at_run_time(model, tmp_path, how):
    broken = tiny.make("one-head", tmp_path / "hf")
    path = broken / "model.safetensors"
    path.write_bytes(CORRUPT[how](path.read_bytes()))
    rejected(runs(model, "1,2", "--generate", 1, weights=broken), "model.safetensors")


def test_weights_of_another_model(model, tmp_path):
    other = tiny.make("mha", tmp_path / "hf")
    rejected(runs(model, "1,2", "--generate", 1, weights=other), r"model\.")


def test_missing_weight_at_run_time(model, tmp_path):
    broken = tiny.make("one-head", tmp_path / "hf")
    name = "model.layers.1.mlp.up_proj.weight"
    edit_tensors(broken, lambda tensors: tensors.pop(name))
    rejected(runs(model, "1,2", "--generate", 1, weights=broken), name)


def test_logits_that_cannot_be_written(model, tmp_path):
    result = runs(model, "1,2", "--generate", 1, "--logits", tmp_path / "none/l.npy")
    rejected(result, "none/l.npy", status=(2 if result.returncode == 2 else 3))


def test_unknown_option(model):
    rejected(runs(model, "1,2", "--generate", 1, "--frobnicate"), "frobnicate")


def test_closed_standard_output(model):
    """A reader that goes away ends the program; it neither hangs nor crashes."""
    reader, writer = os.pipe()
    os.close(reader)
    import subprocess

    command = [
        model.executable(2),
        "--weights",
        model.checkpoint,
        "--tokens",
        "1,2",
        "--generate",
        "5",
    ]
    process = subprocess.run(command, stdout=writer, stderr=subprocess.PIPE, timeout=60)
    os.close(writer)
    assert process.returncode in (3, -signal.SIGPIPE)
