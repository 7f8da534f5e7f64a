"""Matrix products on the emulated device: what the compiler makes parts of them, their precision, how
their algorithms are chosen."""

import json
import re
import shutil
from collections import Counter

import numpy as np
import pytest
from compiled import need, rejected, run, succeed
from conftest import ROOT

from tp import tiny

EMULATE = ROOT / "tools" / "emulate"
BIN = ROOT / "build" / "bin"
GELU = """
    %half = arith.constant 0.5 : f32
    %unit = arith.constant 1.0 : f32
    %cubic = arith.constant 0.044715 : f32
    %scale = arith.constant 0.7978845608 : f32
    %g0 = arith.mulf SUM, SUM : f32
    %g1 = arith.mulf %g0, %cubic : f32
    %g2 = arith.addf %g1, %unit : f32
    %g3 = arith.mulf SUM, %scale : f32
    %g4 = arith.mulf %g3, %g2 : f32
    %g5 = math.tanh %g4 : f32
    %g6 = arith.addf %g5, %unit : f32
    %g7 = arith.mulf SUM, %half : f32
    %y = arith.mulf %g7, %g6 : f32"""
ERF = """
    %half = arith.constant 0.5 : f32
    %unit = arith.constant 1.0 : f32
    %root = arith.constant 0.70710678 : f32
    %g0 = arith.mulf SUM, %root : f32
    %g1 = math.erf %g0 : f32
    %g2 = arith.addf %g1, %unit : f32
    %g3 = arith.mulf SUM, %half : f32
    %y = arith.mulf %g3, %g2 : f32"""
RELU = """
    %zero32 = arith.constant 0.0 : f32
    %y = arith.maximumf SUM, %zero32 : f32"""


# What is added (v: a vector to each row, u: to each column, c: a matrix), what is done then, and
# the product that it becomes; of the last ones something is left for a kernel.
CASES = {
    "round": ("", "", "gemm"),
    "bias": ("v", "", "gemm_fused none"),
    "bias_relu": ("v", RELU, "gemm_fused relu"),
    "bias_gelu": ("v", GELU, "gemm_fused gelu_tanh"),
    "residual": ("c", "", "gemm_fused none"),
    "bias_residual": ("vc", "", "gemm_fused none"),
    "residual_bias_relu": ("cv", RELU, "gemm_fused relu"),
    "erf": ("v", ERF, "gemm"),
    "rows": ("u", "", "gemm"),
    "twice": ("cc", "", "gemm"),
}
TYPES = [("f32", "f32"), ("bf16", "bf16"), ("bf16", "f32"), ("f16", "f16")]
SHAPES = [(33, 40, 31), (64, 1, 257), (7, 56, 64)]


def case(name, kind, out, m, n, k, added, activation):
    """activation(a b + what is added) as a function, with sums in f32, and its types."""
    values, adding, total = [f"%{letter}{i}" for i, letter in enumerate(added)], "", "%t"
    for i, value in enumerate(values):
        if out != "f32":
            adding += f"    %w{i} = arith.extf {value}e : {out} to f32\n"
        wide = f"{value}e" if out == "f32" else f"%w{i}"
        adding += f"    %s{i} = arith.addf {total}, {wide} : f32\n"
        total = f"%s{i}"
    result = "%y" if activation else total
    adding += activation.replace("SUM", total) + "\n"
    if out != "f32":
        adding += f"    %r = arith.truncf {result} : f32 to {out}\n"
        result = "%r"
    d, product = f"tensor<{m}x{n}x{out}>", f"tensor<{m}x{n}xf32>"
    a, b = f"tensor<{m}x{k}x{kind}>", f"tensor<{n}x{k}x{kind}>"
    types = [{"v": f"tensor<{n}x{out}>", "u": f"tensor<{m}x{out}>", "c": d}[x] for x in added]
    maps = [{"v": "(i, j) -> (j)", "u": "(i, j) -> (i)", "c": "(i, j) -> (i, j)"}[x] for x in added]
    whole = "affine_map<(i, j) -> (i, j)>"
    maps = ", ".join([whole, *(f"affine_map<{m}>" for m in maps), whole])
    arguments = "".join(f", {value}: {type}" for value, type in zip(values, types, strict=True))
    elements = "".join(f", {value}e: {out}" for value in values)
    text = f"""
func.func private @{name}(%a: {a}, %b: {b}{arguments}) -> {d} {{
  %zero = arith.constant 0.0 : f32
  %none = tensor.empty() : {product}
  %start = linalg.fill ins(%zero : f32) outs(%none : {product}) -> {product}
  %p = linalg.contract indexing_maps = [affine_map<(i, j, k) -> (i, k)>,
      affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j)>]
    ins(%a, %b : {a}, {b}) outs(%start : {product}) -> {product}
  %empty = tensor.empty() : {d}
  %d = linalg.generic {{indexing_maps = [{maps}], iterator_types = ["parallel", "parallel"]}}
    ins({', '.join(['%p', *values])} : {', '.join([product, *types])}) outs(%empty : {d}) {{
  ^bb0(%t: f32{elements}, %o: {out}):
{adding}
    linalg.yield {result} : {out}
  }} -> {d}
  return %d : {d}
}}
"""
    return text, [a, b, *types], d


@pytest.mark.parametrize("kind, out", TYPES)
def test_epilogues(kind, out, tmp_path):
    """In odd shapes: they are parts of products, and what comes out is what the CPU has."""
    need("tp-compile")
    text = 'tp.mesh @mesh <"tp"=1>\n'
    calls, parameters, results, expected = "", [], [], Counter()
    for name, (added, activation, product) in CASES.items():
        for m, n, k in SHAPES:
            if name == "round" and out == "f32":
                continue  # nothing is done
            if (name == "rows" and n == 1) or (name == "twice" and n == 1):
                continue  # a matrix of one column
            function = f"{name}_{m}"
            body, types, result = case(function, kind, out, m, n, k, added, activation)
            text += body
            names = [f"%x{len(parameters) + i}" for i in range(len(types))]
            parameters += [f"{x}: {t}" for x, t in zip(names, types, strict=True)]
            calls += f"  %y{len(results)} = func.call @{function}({', '.join(names)}) : "
            calls += f"({', '.join(types)}) -> {result}\n"
            results.append(result)
            expected[product] += 1
            expected["launch"] += name in ("erf", "rows", "twice")
    text += f"func.func @main({', '.join(parameters)}) -> ({', '.join(results)}) {{\n{calls}"
    yielded = ", ".join(f"%y{i}" for i in range(len(results)))
    text += f"  return {yielded} : {', '.join(results)}\n}}\n"
    program = tmp_path / "epilogues.mlir"
    program.write_text(text)
    lowered = succeed("tp-compile", program, "--target", "cuda:ptx_90", "--emit=rt")
    found = Counter(re.findall(r"rt\.(gemm_fused \w+|gemm|launch)\b", lowered))
    assert found == expected
    out = succeed(EMULATE, BIN / "tp-run", program, "--target", "cuda", "--compare")
    assert out.endswith("equal to the unsharded program\n"), out


def test_epilogues_of_shards(tmp_path):
    """A product of column blocks has them; one of row blocks is summed over ranks before."""
    checkpoint = tiny.make("gpt2", tmp_path / "hf")
    model = tmp_path / "model.mlir"
    succeed("tp-import", checkpoint, "-o", model, "--dtype", "bf16")

    def products(ranks):
        text = succeed(
            *("tp-compile", model, "--plan", "megatron", "--mesh", f"tp={ranks}"),
            *("--target", "cuda:ptx_90", "--emit=rt"),
        )
        prefill = text[text.index("@prefill") : text.index("@decode")]
        return Counter(re.findall(r"rt\.gemm_fused \w+ .*?(plus)?(?: %\w+)? bias", prefill))

    # Of each of two layers: queries, keys, values, both halves of the feed-forward network and
    # the output of attention, of which two have the stream added.
    assert products(2) == {"": 8}
    assert products(1) == {"": 8, "plus": 4}


PRODUCT = """
tp.mesh @mesh <"tp"=1>
func.func @f(%a: tensor<33x40xf32>, %b: tensor<40x31xf32>) -> tensor<33x31xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<33x31xf32>
  %start = linalg.fill ins(%zero : f32) outs(%empty : tensor<33x31xf32>) -> tensor<33x31xf32>
  %c = linalg.matmul ins(%a, %b : tensor<33x40xf32>, tensor<40x31xf32>)
    outs(%start : tensor<33x31xf32>) -> tensor<33x31xf32>
  return %c : tensor<33x31xf32>
}
"""


def build(folder, *options):
    program = folder / "product.mlir"
    program.write_text(PRODUCT)
    succeed("tp-compile", program, "--target", "cuda:emulated", *options, "-o", folder / "product")
    return folder / "product"


def test_tf32(tmp_path):
    """Factors have 11 significant bits, sums those of f32."""
    generator = np.random.default_rng(1)
    a = generator.uniform(-1, 1, (33, 40)).astype(np.float32)
    b = generator.uniform(-1, 1, (40, 31)).astype(np.float32)
    np.save(tmp_path / "a.npy", a)
    np.save(tmp_path / "b.npy", b)
    exact = a.astype(np.float64) @ b.astype(np.float64)
    # Half a unit of each factor, or a whole one where bits are cut off, as devices do.
    bound = np.abs(a).astype(np.float64) @ np.abs(b).astype(np.float64) * 2.0**-9
    errors = []
    for options in ((), ("--tf32",)):
        program = build(tmp_path, *options)
        succeed(
            *(EMULATE, program, "--input", f"f.arg0={tmp_path}/a.npy"),
            *("--input", f"f.arg1={tmp_path}/b.npy", "--output", tmp_path),
        )
        error = np.abs(np.load(tmp_path / "result0.npy") - exact)
        assert np.all(error <= bound)
        errors.append(error.max())
    assert errors[0] < 1e-5 < 1e-4 < errors[1]


def test_tf32_of_the_cpu(tmp_path):
    (tmp_path / "product.mlir").write_text(PRODUCT)
    rejected(
        run("tp-compile", tmp_path / "product.mlir", "--tf32", "-o", tmp_path / "product"),
        "--tf32 is a precision of devices, which --target cuda has",
    )


def test_autotune(tmp_path):
    """What is measured is kept in a file, and taken from it, by all ranks."""
    checkpoint = tiny.make("gpt2", tmp_path / "hf")
    model, program = tmp_path / "model.mlir", tmp_path / "model"
    succeed("tp-import", checkpoint, "-o", model, "--chunk", "16", "--max-seq", "32")
    succeed(
        *("tp-compile", model, "--plan", "megatron", "--mesh", "tp=2"),
        *("--target", "cuda:emulated", "-o", program),
    )
    choices = tmp_path / "choices.json"

    def generate(*options):
        arguments = ("--weights", checkpoint, "--tokens", "3,1,4,1,5", "--generate", "4")
        return run(EMULATE, program, *arguments, *options)

    first = generate("--autotune", choices)
    assert first.returncode == 0, first.stderr
    assert first.stdout == generate().stdout
    (entry,) = json.loads(choices.read_text())
    assert entry["device"] == "emulated device"
    assert entry["cublasLt"] == "13.1.0"
    assert len(entry["products"]) == 2  # both halves of the feed-forward network
    assert any("gelu" in product for product in entry["products"])

    # Nothing is measured again, so nothing is written.
    shutil.copy(choices, tmp_path / "before.json")
    choices.chmod(0o444)
    again = generate("--autotune", choices)
    assert again.stdout == first.stdout and again.returncode == 0
    assert choices.read_text() == (tmp_path / "before.json").read_text()
    choices.chmod(0o644)
    # What is missing is measured and added.
    removed = sorted(entry["products"])[0]
    del entry["products"][removed]
    choices.write_text(json.dumps([entry]))
    assert generate("--autotune", choices).returncode == 0
    assert removed in json.loads(choices.read_text())[0]["products"]

    choices.write_text("[{")
    rejected(generate("--autotune", choices), f"{choices}: has no algorithms of matrix products")
    rejected(generate("--autotune", tmp_path), f"{tmp_path}: cannot be read: Is a directory")
    rejected(generate("--autotune", "/none/file"), "/none/file: cannot be written")

    # tp-run has it too.
    (tmp_path / "product.mlir").write_text(PRODUCT)
    (tmp_path / "choices.json").unlink()
    arguments = (BIN / "tp-run", tmp_path / "product.mlir", "--autotune", choices)
    for _ in range(2):
        assert succeed(EMULATE, *arguments, "--target", "cuda", "--compare")
        assert len(json.loads(choices.read_text())[0]["products"]) == 1


def test_autotune_on_the_cpu(tmp_path):
    (tmp_path / "product.mlir").write_text(PRODUCT)
    rejected(
        run("tp-run", tmp_path / "product.mlir", "--autotune", tmp_path / "choices.json"),
        "--autotune measures products on devices, which --target cuda has",
    )
    succeed("tp-compile", tmp_path / "product.mlir", "-o", tmp_path / "product")
    rejected(
        run(tmp_path / "product", "--autotune", tmp_path / "choices.json"),
        "products are measured on GPUs, and the program was compiled for CPUs",
    )
