"""Kernels of models fit into registers: what ptxas says of those of SmolLM2's shapes."""

import json
import os
import re
import subprocess
import sys

import pytest
from compiled import BIN, output_of
from conftest import ROOT

from tp import tiny

TABLE = ROOT / "tools" / "dev" / "kernel-table"
# A layer with SmolLM2's sizes but for the vocabulary.
SIZES = {
    "num_hidden_layers": 1,
    "hidden_size": 576,
    "num_attention_heads": 9,
    "num_key_value_heads": 3,
    "head_dim": 64,
    "intermediate_size": 1536,
    "vocab_size": 4096,
    "max_position_embeddings": 512,
}


def has_ptxas():
    done = subprocess.run([TABLE, os.devnull, "--json"], capture_output=True, text=True)
    return "there is no ptxas" not in done.stderr


@pytest.mark.skipif(not has_ptxas(), reason="needs ptxas of the CUDA toolkit")
@pytest.mark.parametrize("dtype", ["f32", "bf16"])
def test_no_spills(dtype, tmp_path):
    """None spills; every row is there for both architectures."""
    checkpoint = tiny.make("gqa9", tmp_path / "hf", **SIZES)
    model, ptx = tmp_path / "model.mlir", tmp_path / "model.ptx"
    options = ["--max-seq", "512", "--chunk", "64", "--dtype", dtype]
    output_of(BIN / "tp-import", checkpoint, "-o", model, *options)
    target = ["--target", "cuda:ptx_80", "--emit=device"]
    output_of(BIN / "tp-compile", model, "--plan", "megatron", "--mesh", "tp=3", *target, "-o", ptx)
    done = subprocess.run([TABLE, ptx, "--json"], capture_output=True, text=True)
    rows = json.loads(done.stdout)
    assert done.stderr == ""
    assert {row["arch"] for row in rows} == {"sm_80", "sm_90"}
    assert any("rms_norm" in row["kernel"] for row in rows)
    for row in rows:
        assert row["spill_store_bytes"] == row["spill_load_bytes"] == 0, row
        assert row["registers"] <= 255, row


@pytest.mark.skipif(not has_ptxas(), reason="needs ptxas of the CUDA toolkit")
def test_rows_do_not_spill(tmp_path):
    """Kernels of several ops on the same rows: softmax, cross entropy, norms with what is around
    them, with the threads that they are launched with."""
    sys.path.insert(0, str(ROOT / "tools" / "dev"))
    from gpucheck import programs

    chosen = [
        programs.softmax("bf16", 32, 32768),
        programs.softmax("f32", 1024, 8192),
        programs.cross_entropy("bf16", 32, 16032),
        programs.cross_entropy("f32", 4, 4096),
        programs.biased_norm("layer_norm", "bf16", 64, 4096),
        programs.biased_norm("rms_norm", "f32", 64, 4096),
        programs.selection("top_k", "bf16", 1, 49152, 50),
        programs.selection("argmax", "f32", 1, 49152, 1),
    ]
    program, ptx, lowered = (tmp_path / name for name in ("rows.mlir", "rows.ptx", "rows.rt"))
    program.write_text(programs.module(chosen))
    options = ["--plan", "replicated", "--mesh", "tp=1", "--target", "cuda:ptx_80"]
    output_of(BIN / "tp-compile", program, *options, "--emit=device", "-o", ptx)
    output_of(BIN / "tp-compile", program, *options, "--emit=rt", "-o", lowered)
    launches = dict(re.findall(r"rt.launch @(\w+) blocks \d+ threads (\d+)", lowered.read_text()))
    done = subprocess.run([TABLE, ptx, "--json"], capture_output=True, text=True)
    rows = json.loads(done.stdout)
    assert len(rows) == 2 * len(launches) and any("layer_norm" in name for name in launches)
    for row in rows:
        assert row["spill_store_bytes"] == row["spill_load_bytes"] == 0, row
        name = next(name for name in launches if row["kernel"].endswith(name))
        # Allocated for a warp by 256.
        assert -(-row["registers"] // 8) * 8 * int(launches[name]) <= 65536, row


def test_spills_are_told(tmp_path):
    """A made-up ptxas spills: the table has it and the exit code is 1."""
    (tmp_path / "bin").mkdir()
    ptxas = tmp_path / "bin" / "ptxas"
    ptxas.write_text("""#!/bin/sh
cat >&2 <<'END'
ptxas info    : Compiling entry function 'tp_big' for 'sm_80'
ptxas info    : Function properties for tp_big
    16 bytes stack frame, 8 bytes spill stores, 12 bytes spill loads
ptxas info    : Used 255 registers, used 1 barriers, 16 bytes cumulative stack size, 128 bytes smem, 376 bytes cmem[0]
END
""")
    ptxas.chmod(0o755)
    environment = {**os.environ, "CUDA_HOME": str(tmp_path)}
    command = [TABLE, "x.ptx", "--arch", "sm_80"]
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert done.returncode == 1, done.stderr
    assert done.stdout.splitlines()[1].split() == ["tp_big", "sm_80", "255", "128", "16", "20"]
    ptxas.write_text("#!/bin/sh\necho 'ptxas fatal: no such file' >&2; exit 255\n")
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert (done.returncode, done.stderr) == (
        2,
        f"error: {ptxas} fails for sm_80: ptxas fatal: no such file\n",
    )
    ptxas.unlink()
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert (done.returncode, done.stderr) == (
        2,
        "error: there is no ptxas: have it on the PATH or set CUDA_HOME\n",
    )
