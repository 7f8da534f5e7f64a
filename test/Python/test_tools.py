"""tp-compile and tp-run on an imported model."""

import json

import numpy as np
import pytest
from compiled import need, run, succeed

from tp import tiny

MESH = ("--mesh", "tp=2")


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    """(checkpoint, model IR) of a model whose heads and vocabulary two ranks cut unevenly."""
    need("tp-import", "tp-compile", "tp-run")
    folder = tmp_path_factory.mktemp("tools")
    checkpoint = tiny.make("mha", folder / "hf")
    ir = folder / "model.mlir"
    succeed("tp-import", checkpoint, "-o", ir, "--max-seq", 32, "--chunk", 8)
    return checkpoint, ir


def test_equal_input_gives_equal_files(model, tmp_path):
    files = [tmp_path / f"{i}.o" for i in range(4)]
    for file in files:
        succeed("tp-compile", model[1], "--plan", "megatron", *MESH, "--emit=obj", "-o", file)
    assert len({file.read_bytes() for file in files}) == 1


@pytest.mark.parametrize("name, chunk", [("megatron", 8), ("megatron-sp", 8), ("megatron-sp", 64)])
def test_written_plan_gives_the_same_program(model, tmp_path, name, chunk):
    plan, first, second = tmp_path / "plan.json", tmp_path / "first", tmp_path / "second"
    ir = tmp_path / "model.mlir"
    succeed("tp-import", model[0], "-o", ir, "--max-seq", max(32, chunk), "--chunk", chunk)
    succeed("tp-compile", ir, "--plan", name, *MESH, "--write-plan", plan, "-o", first)
    succeed("tp-compile", ir, "--plan", plan, "-o", second)
    assert first.read_bytes() == second.read_bytes()
    written = json.loads(plan.read_text())
    assert written["mesh"] == {"tp": 2}
    assert written["shard"]["model.layers.0.self_attn.o_proj.weight"] == "[_, tp, _, _]"
    residual = "prefill.model.layers.0.mlp.residual"
    is_cut = name == "megatron-sp"
    assert written["shard"][residual] == ("[_, tp, _]" if is_cut else "[_, _, _]")
    assert written.get("priority", {}).get(residual, 0) == is_cut


@pytest.mark.parametrize("mode", [("--jitter", "1", "--check-collectives"), ("--interpret",)])
def test_entry_with_weights_and_state(model, tmp_path, mode):
    arguments = ["--plan", "megatron", *MESH, "--entry", "decode", "--weights", model[0]]
    common = ["--calls", "3", "--compare", "--poison", "--output", tmp_path]
    token = tmp_path / "token.npy"
    np.save(token, np.array([5]))
    succeed("tp-run", model[1], *arguments, *common, "--input", f"token={token}", *mode)
    # One layer: a cache of keys and one of values, both written in the calls.
    caches = [np.load(tmp_path / f"state{i}.npy") for i in range(2)]
    assert all(cache.shape == (1, 3, 32, 10) and np.any(cache) for cache in caches)


def test_weights_decide(model, tmp_path):
    arguments = ["--plan", "replicated", *MESH, "--entry", "decode", "--interpret"]
    logits = []
    for name, weights in (("random", ()), ("checkpoint", ("--weights", model[0]))):
        succeed("tp-run", model[1], *arguments, *weights, "--output", tmp_path / name)
        logits.append(np.load(tmp_path / name / "result1.npy"))
    assert not np.array_equal(*logits)


def test_explained_value(model):
    arguments = ["--plan", "megatron", *MESH, "--emit=plan", "-o", "/dev/null"]
    weight = "model.layers.0.mlp.up_proj.weight"
    text = succeed("tp-compile", model[1], *arguments, f"--explain=value:{weight}")
    assert text.count("[tp, _]") >= 2, text
    result = run("tp-compile", model[1], *arguments, "--explain=value:model.layers.0.mlp.up_proj")
    assert result.returncode == 2 and weight in result.stderr
