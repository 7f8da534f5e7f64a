"""Programs for CUDA on the emulated device, kernels, streams, products and NCCL included.

Their values are those of the CPU; what a device would hide ends them.
"""

import json
import os
import re
import subprocess
import sys

import numpy as np
import pytest
from compiled import BIN, output_of
from conftest import ROOT

from tp import tiny

CASES = ROOT / "test" / "Integration" / "Cases"
EMULATE = ROOT / "tools" / "emulate"
TOKENS = "1,2,3,4,5,6,7"


def test_cases():
    """All programs and plans of the cases, with NaN in memory that nobody wrote."""
    out = output_of(
        EMULATE,
        sys.executable,
        CASES / "check.py",
        "--tp-run",
        BIN / "tp-run",
        "--with=--target cuda --poison",
        TP_EMULATED_DEVICES="16",
    )
    assert " passed, 0 failed" in out, out


def test_random_programs():
    """Ops, plans, loops and calls that the fuzzer makes."""
    out = output_of(
        EMULATE, BIN / "tp-fuzz", "--compiled", "--target", "cuda", "--seed", 1, "--count", 25
    )
    assert ": 25 programs, 25 passed" in out, out


class Built:
    """A tiny model, imported; its programs by target and number of ranks."""

    def __init__(self, family, folder, *options):
        self.folder = folder
        self.checkpoint = tiny.make(family, folder / "hf")
        self.model = folder / "model.mlir"
        output_of(BIN / "tp-import", self.checkpoint, *options, "-o", self.model)

    def compile(self, target, ranks):
        program = self.folder / f"{target.partition(':')[0]}{ranks}"
        mesh = ("--plan", "megatron", "--mesh", f"tp={ranks}")
        output_of(BIN / "tp-compile", self.model, *mesh, "--target", target, "-o", program)
        return program


@pytest.mark.parametrize("family", tiny.FAMILIES)
def test_families(family, tmp_path):
    """A tiny model generates on 1 to 4 devices what it generates on the CPU."""
    built = Built(family, tmp_path)
    generate = ("--weights", built.checkpoint, "--tokens", TOKENS, "--generate", "5")
    expected = output_of(built.compile("cpu", 1), *generate)
    for ranks in (1, 2, 3, 4):
        assert output_of(EMULATE, built.compile("cuda:emulated", ranks), *generate) == expected


def test_sampling(tmp_path):
    """Tokens that are sampled, of the most likely ones and of all, are those of the CPU on 1 to 4
    devices."""
    built = Built("llama3", tmp_path)
    generate = ("--weights", built.checkpoint, "--tokens", TOKENS, "--generate", "8")
    ways = [
        (*generate, "--temperature", "9", "--seed", "5"),
        (*generate, "--temperature", "13", "--top-k", "20", "--top-p", "0.8", "--seed", "6"),
    ]
    program = built.compile("cpu", 1)
    expected = [output_of(program, *way) for way in ways]
    assert expected[0] != expected[1] != output_of(program, *generate)
    for ranks in (1, 2, 3, 4):
        program = built.compile("cuda:emulated", ranks)
        assert [output_of(EMULATE, program, *way) for way in ways] == expected
        done = subprocess.run(
            [EMULATE, program, *ways[1], "--stats"], capture_output=True, text=True
        )
        # A step more, which is a graph and does not wait, either.
        for line in ("launched +as a graph", "host waits +0"):
            assert re.search(f"^sample +{line}$", done.stderr, re.M), done.stderr


def test_sampling_of_rows(tmp_path):
    """Fewer rows than the program has, of several lengths, one after the other in a server; on
    virtual ranks; with logits that a plan shards in another way in each entry."""
    built = Built("llama3", tmp_path, "--batch", "3")
    rows = ("--weights", built.checkpoint, "--tokens", "3,10,17,24;5", "--generate", "6")
    ways = [(*rows, "--temperature", str(4 + seed), "--seed", str(seed)) for seed in range(3)]
    program = built.compile("cpu", 1)
    expected = [output_of(program, *way) for way in ways]
    program = built.compile("cuda:emulated", 3)
    assert [output_of(EMULATE, program, *way) for way in ways] == expected
    assert output_of(EMULATE, program, *ways[1], "--virtual-ranks", "3") == expected[1]
    plan = tmp_path / "plan.json"
    plan.write_text("""{"mesh": {"dp": 2, "tp": 2}, "shard": {"*embed_tokens.weight": "[tp, _]",
        "prefill.result1": "[]", "decode.result1": "[dp, tp]"}}""")
    program = tmp_path / "other"
    options = ("--target", "cuda:emulated", "--explain", "-o", program)
    told = output_of(BIN / "tp-compile", built.model, "--plan", plan, *options)
    # A rank samples the rows that it has.
    sample = told[told.index("\nsample: ") :]
    assert sample.count("all_gather (tp)") == sample.count("all_") == 1, told
    assert [output_of(EMULATE, program, *way) for way in ways] == expected


def test_plan_of_sampling(tmp_path):
    """The logits stay cut in every step, they are gathered where tokens are sampled; a plan that
    is written is one for all targets."""
    built = Built("llama3", tmp_path)
    plan = tmp_path / "written.json"
    told = output_of(
        *(BIN / "tp-compile", built.model, "--plan", "megatron", "--mesh", "tp=2", "--explain"),
        *("--target", "cuda:emulated", "--emit=rt", "-o", tmp_path / "rt.mlir"),
        *("--write-plan", plan),
    )
    steps, sample = told.split("\nsample: ")
    assert sample.startswith("1 collective, 98 elements"), told
    steps += "\n"
    cpu = (BIN / "tp-compile", built.model, "--emit=rt", "-o", tmp_path / "rt.mlir", "--explain")
    assert steps == output_of(*cpu, "--plan", "megatron", "--mesh", "tp=2")
    assert steps == output_of(*cpu, "--plan", plan)


def test_encoders(tmp_path):
    """Embeddings of texts of several lengths, on 1 to 4 devices as on the CPU."""
    built = Built("bert", tmp_path, "--max-seq", 13, "--batch", 3)

    def embed(program, *prefix):
        path = tmp_path / "embeddings.npy"
        texts = ("--tokens", "1,2,3,4,5,6,7,8,9,10,11,12,13;4;5,6,7", "--embedding", path)
        output_of(*prefix, program, "--weights", built.checkpoint, *texts)
        return np.load(path)

    expected = embed(built.compile("cpu", 1))
    for ranks in (1, 2, 3, 4):
        found = embed(built.compile("cuda:emulated", ranks), EMULATE)
        assert np.abs(found - expected).max() <= 1e-5 * np.abs(expected).max()


def test_steps_do_not_wait(tmp_path):
    """No step waits for the device: what is checked is told behind it. Steps are launched
    as graphs from the second on, unless one does not want that."""
    built = Built("llama3", tmp_path)
    plan = ("--plan", "megatron", "--mesh", "tp=2")
    target = ("--target", "cuda:emulated", "--emit=rt")
    steps = output_of(BIN / "tp-compile", built.model, *plan, *target)
    assert "rt.launch_check" in steps and "rt.read" not in steps
    program = built.compile("cuda:emulated", 2)
    command = (EMULATE, program, "--weights", built.checkpoint, "--tokens", TOKENS)
    for options, how in (((), "as a graph"), (("--no-graphs",), "one by one: --no-graphs")):
        done = subprocess.run(
            [*command, "--generate", "5", "--stats", *options], capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        assert re.search(f"^decode +launched +{how}$", done.stderr, re.M), done.stderr
        # No step waits for the device.
        for entry in ("prefill", "decode"):
            assert re.search(f"^{entry} +host waits +0$", done.stderr, re.M), done.stderr


@pytest.mark.long
@pytest.mark.parametrize("ranks", [1, 3])
def test_published_smollm2(ranks, tmp_path):
    """The first golden tokens of SmolLM2-135M, which the prompt's 5 tokens give."""
    case = json.loads((ROOT / "test/Integration/smollm2_golden.json").read_text())["cases"][0]
    expected = case["generated_ids"][:4]
    import model

    checkpoint = model.checkpoint()
    program, source = tmp_path / "smollm2", tmp_path / "model.mlir"
    output_of(BIN / "tp-import", checkpoint, "--max-seq", 32, "--chunk", 8, "-o", source)
    options = ("--mesh", f"tp={ranks}", "--target", "cuda:emulated", "-o", program)
    output_of(BIN / "tp-compile", source, "--plan", "megatron", *options)
    prompt = ",".join(map(str, case["prompt_ids"]))
    options = ("--tokens", prompt, "--generate", len(expected))
    out = output_of(EMULATE, program, "--weights", checkpoint, *options)
    assert [int(token) for token in out.split(",")] == expected


INDICES = """
func.func @f(%x: tensor<8x4xf32>, %rows: tensor<3xi64>, %p: tensor<i64>, %d: tensor<i64>)
    -> (tensor<3x4xf32>, tensor<2x4xf32>, tensor<i64>) {
  %e = tensor.empty() : tensor<3x4xf32>
  %g = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%rows : tensor<3xi64>) outs(%e : tensor<3x4xf32>) {
  ^bb0(%id: i64, %out: f32):
    %row = arith.index_cast %id : i64 to index
    %column = linalg.index 1 : index
    %v = tensor.extract %x[%row, %column] : tensor<8x4xf32>
    linalg.yield %v : f32
  } -> tensor<3x4xf32>
  %q = tensor.extract %p[] : tensor<i64>
  %k = arith.index_cast %q : i64 to index
  %s = tensor.extract_slice %x[%k, 0] [2, 4] [1, 1] : tensor<8x4xf32> to tensor<2x4xf32>
  %t = math.tanh %s : tensor<2x4xf32>
  %n = tensor.extract %d[] : tensor<i64>
  %m = arith.divsi %q, %n : i64
  %r = tensor.from_elements %m : tensor<i64>
  return %g, %t, %r : tensor<3x4xf32>, tensor<2x4xf32>, tensor<i64>
}
"""


@pytest.mark.parametrize(
    "rows, place, divisor",
    [
        ((0, 7, 3), 6, 2),
        ((0, -7, 3), 6, 2),
        ((0, 7, 300), 6, 2),
        ((0, 7, 3), 7, 2),
        ((0, 7, 3), -(2**40), 2),
        ((0, 7, 3), 6, 0),
        ((8, 7, 3), 7, 0),
    ],
)
def test_indices(rows, place, divisor, tmp_path):
    """An index outside its tensor is the CPU's error, told behind the step; nothing is touched
    outside of memory meanwhile."""
    program = tmp_path / "indices.mlir"
    program.write_text(INDICES)
    np.save(tmp_path / "rows.npy", np.array(rows))
    command = (EMULATE, BIN / "tp-run", program, "--mesh", "tp=2", "--compare")
    inputs = ("--input", f"1={tmp_path / 'rows.npy'}", "--input", f"2={place}")
    inputs += ("--input", f"3={divisor}")
    (tmp_path / "plan.json").write_text('{"shard": {"f.arg0": "[_, tp]"}}')
    inputs += ("--plan", tmp_path / "plan.json")
    done = [
        subprocess.run([*command, *inputs, *target], capture_output=True, text=True)
        for target in ((), ("--target", "cuda"))
    ]
    is_good = set(rows) <= set(range(8)) and 0 <= place <= 6 and divisor
    assert done[0].returncode == done[1].returncode == (0 if is_good else 3), done
    assert done[0].stderr == done[1].stderr
    if not is_good:
        assert "outside" in done[1].stderr or "below" in done[1].stderr, done[1].stderr


def test_products_of_doubles(tmp_path):
    """They are the library's, as those of narrower floats."""
    program = tmp_path / "doubles.mlir"
    program.write_text("""
func.func @f(%a: tensor<33x40xf64>, %b: tensor<40x61xf64>) -> tensor<33x61xf64> {
  %zero = arith.constant 0.0 : f64
  %empty = tensor.empty() : tensor<33x61xf64>
  %start = linalg.fill ins(%zero : f64) outs(%empty : tensor<33x61xf64>) -> tensor<33x61xf64>
  %c = linalg.matmul ins(%a, %b : tensor<33x40xf64>, tensor<40x61xf64>)
    outs(%start : tensor<33x61xf64>) -> tensor<33x61xf64>
  return %c : tensor<33x61xf64>
}
""")
    (tmp_path / "plan.json").write_text('{"mesh": {"tp": 3}, "shard": {"f.arg1": "[tp, _]"}}')
    plan = ("--plan", tmp_path / "plan.json")
    lowered = output_of(BIN / "tp-compile", program, *plan, "--target", "cuda:ptx_90", "--emit=rt")
    assert "rt.gemm " in lowered
    out = output_of(EMULATE, BIN / "tp-run", program, *plan, "--target", "cuda", "--compare")
    assert out.endswith("equal to the unsharded program\n"), out


def test_without_a_device():
    """The program is compiled for the device that is there, of which there must be one."""
    done = subprocess.run(
        [BIN / "tp-run", ROOT / "test" / "Pipelines" / "layer.mlir", "--target", "cuda"],
        capture_output=True,
        text=True,
        env={**os.environ, "TPRT_CUDA": "/no/such/libcuda.so.1"},
    )
    assert done.returncode == 3
    assert done.stderr.startswith("error: the CUDA driver"), done.stderr


def test_fuzz_target():
    """Only compiled programs run on devices."""
    done = subprocess.run(
        [EMULATE, BIN / "tp-fuzz", "--target", "cuda", "--count", "1"],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2
    assert (
        "error: --target is what --compiled programs run on, which is not asked for" in done.stderr
    )
