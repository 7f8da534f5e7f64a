"""Programs with dynamic dimensions run with the sizes of their inputs."""

import json

import numpy as np
import pytest
from compiled import need, rejected, run, succeed
from conftest import ROOT

PROGRAMS = ROOT / "test/Integration/DynamicShapes/programs.mlir"
CASE = ROOT / "test/Integration/Cases/38-dynamic-rows.mlir"

# Per entry what depends on the rows, what else is given, and how many collectives there may be.
ENTRIES = {
    "generic": (["generic.arg0={}x8"], [], 0),
    "shapes": (["shapes.arg0={}x6", "shapes.arg1=2x6"], [], None),
    "loops": (["loops.arg0={}x4"], ["--input", "1=2"], None),
    "rows": (["rows.arg0={}x4"], [], None),
    "embed": (
        ["embed.arg0={}x3", "embed.arg2=4", "embed.arg3={}"],
        [],
        0,
    ),
}


@pytest.fixture(scope="module", autouse=True)
def tools():
    need("tp-run", "tp-compile", "tp-check")


def shapes(texts):
    return [part for text in texts for part in ("--shape", text)]


@pytest.mark.parametrize("rows", [8, 7, 2, 0])
@pytest.mark.parametrize("entry", ENTRIES)
def test_values(entry, rows, tmp_path):
    """Blocks even, uneven, empty: the unsharded values, and no more communication than static ones."""
    sizes, inputs, collectives = ENTRIES[entry]
    plan = tmp_path / "plan.json"
    plan.write_text(json.dumps({"mesh": {"tp": 3}, "shard": {f"{entry}.arg0": "[tp, _]"}}))
    command = [PROGRAMS, "--plan", plan, "--entry", entry, "--compare", *inputs]
    command += shapes(size.format(rows) for size in sizes)
    explained = tmp_path / "explained.json"
    for mode in (["--check-collectives"], ["--interpret"]):
        out = succeed("tp-run", *command, "--poison", f"--explain={explained}", *mode)
        assert out.endswith("equal to the unsharded program\n")
    if collectives is not None:
        assert json.loads(explained.read_text())["entries"][entry]["totals"]["count"] == collectives


def test_rows_in_reverse(tmp_path):
    """Gather and scatter by indices that sizes give, loops over rows."""
    x = np.arange(28, dtype=np.float32).reshape(7, 4)
    np.save(tmp_path / "x.npy", x)
    plan = tmp_path / "plan.json"
    plan.write_text('{"mesh": {"tp": 2}, "shard": {"rows.arg0": "[tp, _]"}}')
    given = ["--input", f"0={tmp_path / 'x.npy'}", "--output", tmp_path]
    succeed("tp-run", PROGRAMS, "--plan", plan, "--entry", "rows", *given)
    rows = x.copy()
    rows[:2] = 2 * x[2:4]
    for k, right in enumerate((x[::-1], x[::-1], 2 * x, rows + 6 * x)):
        assert np.array_equal(np.load(tmp_path / f"result{k}.npy"), right), k


def test_shapes_of_reshapes(tmp_path):
    """A shape that is not the result's is an error where it is known, else when the program runs."""
    program = tmp_path / "reshape.mlir"
    body = """func.func @f(%x: tensor<6x4xf32>, %s: tensor<2xi64>) -> tensor<8x3xf32> {{
  %shape = {}
  %y = tensor.reshape %x(%shape) : (tensor<6x4xf32>, tensor<2xi64>) -> tensor<8x3xf32>
  return %y : tensor<8x3xf32>
}}
"""
    program.write_text(body.format("arith.constant dense<[3, 8]> : tensor<2xi64>"))
    plan = tmp_path / "plan.json"
    plan.write_text('{"mesh": {"tp": 2}, "shard": {"f.arg0": "[tp, _]"}}')
    command = ["tp-run", program, "--plan", plan]
    rejected(
        run(*command),
        r"reshape.mlir:3:8: error: 'tensor.reshape': the shape has 3 elements in dimension 0, "
        r"the result is 'tensor<8x3xf32>'",
    )
    program.write_text(body.format("arith.addi %s, %s : tensor<2xi64>"))
    x = np.arange(24, dtype=np.float32).reshape(6, 4)
    np.save(tmp_path / "x.npy", x)
    for half, mode in (((4, 1), []), ((3, 1), ["--interpret"]), ((3, 1), [])):
        np.save(tmp_path / "s.npy", np.array(half, np.int64))
        given = ["--input", f"0={tmp_path / 'x.npy'}", "--input", f"1={tmp_path / 's.npy'}"]
        rejected(
            run(*command, *given, *mode),
            r"size of dimension \d of 'tensor.reshape'.* \d",
            status=3,
        )
    right = body.replace("tensor<8x3xf32>", "tensor<12x2xf32>")
    program.write_text(right.format("arith.addi %s, %s : tensor<2xi64>"))
    np.save(tmp_path / "s.npy", np.array((6, 1), np.int64))
    explained = tmp_path / "explained.json"
    for mode in ([], ["--interpret"]):
        succeed(
            *command, *given, "--compare", "--output", tmp_path, f"--explain={explained}", *mode
        )
        assert np.array_equal(np.load(tmp_path / "result0.npy"), x.reshape(12, 2))
    # Blocks of three rows of four are blocks of six rows of two.
    assert json.loads(explained.read_text())["entries"]["f"]["totals"]["count"] == 0


def test_sizes_of_inputs(tmp_path):
    """Sizes come from the files; results have them; a compiled program takes no others."""
    plan = tmp_path / "plan.json"
    plan.write_text('{"mesh": {"tp": 2}, "shard": {"f.arg0": "[tp, _]"}}')
    w = np.arange(32, dtype=np.float32).reshape(8, 4)
    np.save(tmp_path / "w.npy", w)
    files = {}
    for rows in (7, 6):
        files[rows] = tmp_path / f"x{rows}.npy"
        np.save(files[rows], np.ones((rows, 8), np.float32))
        given = ["--input", f"f.arg0={files[rows]}", "--input", f"1={tmp_path / 'w.npy'}"]
        succeed("tp-run", CASE, "--plan", plan, *given, "--output", tmp_path)
        y, s = np.load(tmp_path / "result0.npy"), np.load(tmp_path / "result1.npy")
        assert np.array_equal(y, np.ones((rows, 8)) @ w) and np.array_equal(s, y.sum(axis=0))

    program, sharded = tmp_path / "program", tmp_path / "sharded.mlir"
    sized = [CASE, "--plan", plan, "--shape", "f.arg0=7x8"]
    succeed("tp-compile", *sized, "-o", program)
    succeed("tp-compile", *sized, "--emit=comm", "-o", sharded)
    assert succeed("tp-check", CASE, sharded) == "2 of 2 results proved\n"
    w_given = ["--input", f"f.arg1={tmp_path / 'w.npy'}"]
    succeed(program, "--input", f"f.arg0={files[7]}", *w_given)
    rejected(
        run(program, "--input", f"f.arg0={files[6]}", *w_given),
        r"x6.npy: expected shape \[7, 8\], found \[6, 8\]",
    )


def test_errors(tmp_path):
    """Sizes that are missing or do not fit are one error that says which."""
    mesh = ["--mesh", "tp=2"]
    missing = r"38-dynamic-rows.mlir:7:14: error: f.arg0 has a size that is not known .* --shape"
    rejected(run("tp-run", CASE, *mesh), missing)
    rejected(run("tp-compile", CASE, *mesh, "--emit=plan"), missing)
    for text, error in (
        ("f.arg0", r'expected NAME=SIZExSIZE, found "f.arg0"'),
        ("f.arg0=", r'expected NAME=SIZExSIZE, found "f.arg0="'),
        ("=7x8", r'expected NAME=SIZExSIZE, found "=7x8"'),
        ("f.arg0=7", "is of rank 2, found sizes for rank 1"),
        ("f.arg0=7x9", "dimension 1 of f.arg0, .* has 8 elements, found 9"),
        ("f.arg0=-1x8", r'a size of f.arg0 must be an integer of at least 0, or \?, found "-1"'),
        ("f.arg0=9999999999999x8", "f.arg0 has more than 1099511627776 elements"),
        ("f.result0=7x8", '"f.result0" names no argument of an entry'),
        ("f.arg0=?x8", "f.arg0 has a size that is not known"),
    ):
        rejected(run("tp-compile", CASE, *mesh, "--emit=plan", "--shape", text), error)
    unknown = run("tp-compile", CASE, *mesh, "--emit=plan", "--shape", "x=7x8")
    assert "note: arguments with sizes that are not known: f.arg0\n" in unknown.stderr
    twice = ["--shape", "f.arg0=7x8", "--shape", "f.arg0=7x8"]
    rejected(
        run("tp-compile", CASE, *mesh, *twice, "--emit=plan"), "the sizes of f.arg0 are given twice"
    )
    scalar = ["--shape", "loops.arg1=7"]
    rejected(run("tp-run", PROGRAMS, *mesh, "--entry", "loops", *scalar), "is no ranked tensor")

    for name, shape in (("x1.npy", (7,)), ("x9.npy", (7, 9)), ("x6.npy", (6, 8))):
        np.save(tmp_path / name, np.ones(shape, np.float32))
    given = lambda name: ["--input", f"0={tmp_path / name}"]
    rejected(
        run("tp-run", CASE, *mesh, *given("x1.npy")),
        "--input 0: expected rank 2, found rank 1 in .*x1.npy",
    )
    rejected(
        run("tp-run", CASE, *mesh, *given("x9.npy")), r"expected f32 \[7, 8\], found f32 \[7, 9\]"
    )
    rejected(run("tp-run", CASE, *mesh, *given("none.npy")), "none.npy: cannot be read")
    rejected(run("tp-run", CASE, *mesh, "--input", "0=3"), "expected a .npy file, found '3'")
    both = ["--shape", "f.arg0=7x8", *given("x6.npy")]
    rejected(run("tp-run", CASE, *mesh, *both), r"expected f32 \[7, 8\], found f32 \[6, 8\]")


def test_two_entries(tmp_path):
    """Each entry has its sizes; tp-compile needs those of all, tp-run those of the one that runs."""
    program = tmp_path / "two.mlir"
    body = """func.func @{0}(%x: tensor<?x4xf32> {{tp.name = "{0}_x"}}) -> tensor<?x4xf32> {{
  %y = math.exp %x : tensor<?x4xf32>
  return %y : tensor<?x4xf32>
}}
"""
    program.write_text(body.format("one") + body.format("other"))
    plan = tmp_path / "plan.json"
    plan.write_text('{"mesh": {"tp": 2}, "shard": {"one_x": "[tp, _]", "other_x": "[_, tp]"}}')
    command = [program, "--plan", plan]
    out = tmp_path / "out.mlir"
    succeed("tp-run", *command, "--entry", "one", "--shape", "one_x=5x4", "--compare")
    sized = [*command, "--emit=comm", "--shape", "one_x=5x4"]
    rejected(run("tp-compile", *sized, "-o", out), r"two.mlir:5:18: error: other.arg0 has a size")
    succeed("tp-compile", *sized, "--shape", "other_x=3x4", "-o", out)
    text = out.read_text()
    assert "@one(%arg0: tensor<3x4xf32>" in text and "@other(%arg0: tensor<3x2xf32>" in text
    assert succeed("tp-check", program, out) == "2 of 2 results proved\n"
