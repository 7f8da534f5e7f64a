"""Kernels of the library for GPUs on the emulated device, beside the CPU's values.

Rows that vectors of 16 bytes cover and rows that they do not, of all types.
"""

import numpy as np
import pytest
from compiled import BIN, output_of
from conftest import ROOT

EMULATE = ROOT / "tools" / "emulate"
FLOATS = ["f32", "bf16", "f16"]


class Program:
    """A function of ops that do not use each other, each with its own arguments."""

    def __init__(self):
        self.arguments, self.lines, self.results, self.types = [], [], [], []
        self.inputs = {}

    def argument(self, type, value=None):
        name = f"%a{len(self.arguments)}"
        if value is not None:
            self.inputs[len(self.arguments)] = value
        self.arguments.append(f"{name}: {type}")
        return name

    def op(self, text, *types):
        names = [f"%r{len(self.results) + i}" for i in range(len(types))]
        self.lines.append(f"  {', '.join(names)} = {text}")
        self.results += names
        self.types += types

    def compare(self, directory, kernels, plan="replicated", mesh="tp=1", launches=None):
        """Values on an emulated device are those on the CPU, and `kernels` computed them, in as
        many launches as are given."""
        types = ", ".join(self.types)
        path = directory / "program.mlir"
        path.write_text(
            f"func.func @f({', '.join(self.arguments)}) -> ({types}) {{\n"
            + "\n".join(self.lines)
            + f"\n  return {', '.join(self.results)} : {types}\n}}\n"
        )
        plan = ["--plan", plan, "--mesh", mesh]
        inputs = []
        for number, value in self.inputs.items():
            np.save(directory / f"{number}.npy", value)
            inputs += ["--input", f"{number}={directory / f'{number}.npy'}"]
        how = ["--target", "cuda", "--compare"]
        out = output_of(EMULATE, BIN / "tp-run", path, *plan, *inputs, *how)
        assert out.endswith("equal to the unsharded program\n"), out
        lowered = directory / "rt.mlir"
        options = ["--target", "cuda:emulated", "--emit=rt", "-o", lowered]
        output_of(BIN / "tp-compile", path, *plan, *options)
        found = lowered.read_text()
        for kernel in kernels:
            assert f'rt.kernel_call "{kernel}"' in found, found
        if launches is not None:
            assert found.count("rt.launch @") == launches, found


@pytest.mark.parametrize("element", FLOATS)
def test_norms(element, tmp_path):
    program = Program()
    for i, (rows, size) in enumerate([(3, 64), (2, 37), (1, 1), (5, 264), (1, 1030)]):
        x = f"tensor<{rows}x{size}x{element}>"
        w = f"tensor<{size}x{element if i % 2 else 'f32'}>"
        a, b, c = program.argument(x), program.argument(w), program.argument(w)
        program.op(f"nn.rms_norm {a}, {b} epsilon 1.0e-05 weight_offset {i}.0 : {x}, {w}", x)
        program.op(f"nn.layer_norm {a}, {b}, {c} epsilon 1.0e-05 : {x}, {w}", x)
    program.compare(tmp_path, ["rms_norm", "layer_norm"])


@pytest.mark.parametrize("element", FLOATS)
def test_residuals(element, tmp_path):
    """The addition before a norm is part of it; its sum is a result, too."""
    program = Program()
    for rows, size in [(3, 64), (2, 37)]:
        x, w = f"tensor<{rows}x{size}x{element}>", f"tensor<{size}x{element}>"
        for norm in ("rms_norm", "layer_norm"):
            a, b = program.argument(x), program.argument(x)
            factors = [program.argument(w) for _ in range(1 if norm == "rms_norm" else 2)]
            program.op(f"arith.addf {a}, {b} : {x}", x)
            operands = ", ".join([program.results[-1], *factors])
            program.op(f"nn.{norm} {operands} epsilon 1.0e-05 : {x}, {w}", x)
    program.compare(tmp_path, ["residual_rms_norm", "residual_layer_norm"])


@pytest.mark.parametrize("element", FLOATS)
def test_vectors(element, tmp_path):
    """Generic kernels whose threads take neighbours: elementwise, a row or a column that is
    broadcast, sums along rows; sizes that vectors divide and others."""
    program = Program()
    for rows, size in [(300, 64), (301, 66), (5, 8200), (7, 37)]:
        x, w, c = f"tensor<{rows}x{size}x{element}>", f"tensor<{size}xf32>", f"tensor<{rows}xf32>"
        a, b, d = program.argument(x), program.argument(w), program.argument(c)
        program.lines.append(f"""  %e{a[1:]} = tensor.empty() : {x}
  %z{a[1:]} = arith.constant 0.0 : f32
  %n{a[1:]} = tensor.empty() : {c}
  %f{a[1:]} = linalg.fill ins(%z{a[1:]} : f32) outs(%n{a[1:]} : {c}) -> {c}""")
        cast = "arith.extf %x : {0} to f32" if element != "f32" else "arith.mulf %x, %x : f32"
        wide = cast.format(element)
        narrow = (
            f"arith.truncf %s : f32 to {element}" if element != "f32" else "arith.negf %s : f32"
        )
        maps = "[affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i)>"
        program.op(
            f"""linalg.generic {{indexing_maps = {maps}, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}}
      ins({a}, {b}, {d} : {x}, {w}, {c}) outs(%e{a[1:]} : {x}) {{
  ^bb0(%x: {element}, %y: f32, %v: f32, %o: {element}):
    %i = {wide}
    %p = arith.mulf %i, %y : f32
    %s = arith.addf %p, %v : f32
    %t = {narrow}
    linalg.yield %t : {element}
  }} -> {x}""",
            x,
        )
        program.op(
            f"""linalg.generic {{indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
      iterator_types = ["parallel", "reduction"]}}
      ins({a} : {x}) outs(%f{a[1:]} : {c}) {{
  ^bb0(%x: {element}, %o: f32):
    %i = {wide}
    %s = arith.addf %i, %o : f32
    linalg.yield %s : f32
  }} -> {c}""",
            c,
        )
    program.compare(tmp_path, [])


def test_large_mean(tmp_path):
    """Differences from the mean are squared: a large mean costs no digits."""
    x, w = "tensor<2x96xf32>", "tensor<96xf32>"
    program = Program()
    values = 4096 + np.arange(192, dtype=np.float32).reshape(2, 96) % 7
    a, b, c = program.argument(x, values), program.argument(w), program.argument(w)
    program.op(f"nn.layer_norm {a}, {b}, {c} epsilon 1.0e-05 : {x}, {w}", x)
    program.compare(tmp_path, ["layer_norm"])


def test_embedding(tmp_path):
    """Rows of all widths; ids outside the table give zeros."""
    program = Program()
    ids = np.array([[0, 4, -1, 5, 2, 10**12, -(2**63)]], dtype=np.int64)
    for element, size in [
        ("f32", 8),
        ("f32", 3),
        ("bf16", 5),
        ("f16", 64),
        ("bf16", 6),
        ("f64", 7),
    ]:
        table, result = f"tensor<5x{size}x{element}>", f"tensor<1x7x{size}x{element}>"
        a, b = program.argument("tensor<1x7xi64>", ids), program.argument(table)
        program.op(f"nn.embedding {a}, {b} : tensor<1x7xi64>, {table} -> {result}", result)
    program.compare(tmp_path, ["embedding"])


def test_cut_table(tmp_path):
    """Ranks have blocks of rows, the last one with fewer."""
    program = Program()
    ids = np.array([0, 4, 2, 1, 3, 4], dtype=np.int64)
    a, b = program.argument("tensor<6xi64>", ids), program.argument("tensor<5x9xbf16>")
    program.op(
        f"nn.embedding {a}, {b} : tensor<6xi64>, tensor<5x9xbf16> -> tensor<6x9xbf16>",
        "tensor<6x9xbf16>",
    )
    plan = tmp_path / "plan.json"
    plan.write_text('{"mesh": {"tp": 3}, "shard": {"f.arg1": "[tp, _]"}}')
    program.compare(tmp_path, ["embedding"], plan, "tp=3")


@pytest.mark.parametrize("element", FLOATS)
def test_argmax(element, tmp_path):
    """Ties, NaN, -inf, both zeros, rows of nothing else; blocks, of which one is empty."""
    nan, inf = np.nan, np.inf
    special = np.array(
        [
            [1, 7, 7, nan, 3],
            [nan] * 5,
            [-inf, nan, -inf, -5, -5],
            [-inf] * 5,
            [-0.0, 0, nan, -1, 0],
        ],
        dtype=np.float32,
    )
    program = Program()
    for size, blocks, value in [(5, 1, special), (5, 4, special), (1, 1, None), (1030, 3, None)]:
        rows = 5 if value is not None else 2
        x, v = f"tensor<{rows}x{size}x{element}>", f"tensor<{rows}x{blocks}x{element}>"
        i = f"tensor<{rows}x{blocks}xi64>"
        a = program.argument(x, value)
        program.op(f"nn.argmax {a} : {x} -> {v}, {i}", v, i)
    program.compare(tmp_path, ["argmax"])


def test_cut_argmax(tmp_path):
    """Each rank has a candidate, with its index in the whole row."""
    program = Program()
    x, v, i = "tensor<2x100xf32>", "tensor<2x1xf32>", "tensor<2x1xi64>"
    a = program.argument(x)
    program.op(f"nn.argmax {a} : {x} -> {v}, {i}", v, i)
    plan = tmp_path / "plan.json"
    plan.write_text('{"mesh": {"tp": 3}, "shard": {"f.arg0": "[_, tp]"}}')
    program.compare(tmp_path, ["argmax"], plan, "tp=3")


IDENTITY, ROW = "affine_map<(i, j) -> (i, j)>", "affine_map<(i, j) -> (i)>"
LOOPS = {"row": '["parallel", "reduction"]', "all": '["parallel", "parallel"]'}


def generic(program, inputs, init, body, result):
    """A linalg.generic on [rows, size] of (value, type) with `body`, whose arguments are %0, %1
    and so on; what has one dimension is a row's. Not a result of the program."""
    types = [type for _, type in (*inputs, (init, result))]
    is_row = [type.count("x") == 1 for type in types]
    maps = ", ".join(ROW if row else IDENTITY for row in is_row)
    loops = LOOPS["row" if is_row[-1] and not all(is_row) else "all"]
    if all(is_row):
        maps = ", ".join(["affine_map<(i) -> (i)>"] * len(types))
        loops = '["parallel"]'
    scalars = [type.rstrip(">").split("x")[-1] for type in types]
    arguments = ", ".join(f"%{n}: {scalar}" for n, scalar in enumerate(scalars))
    name = f"%g{len(program.lines)}"
    operands = ", ".join(value for value, _ in inputs)
    kinds = ", ".join(type for _, type in inputs)
    program.lines.append(
        f"  {name} = linalg.generic {{indexing_maps = [{maps}], iterator_types = {loops}}} "
        f"ins({operands} : {kinds}) outs({init} : {result}) {{\n  ^bb0({arguments}):\n{body}\n"
        f"  }} -> {result}"
    )
    return name


class Rows:
    """Ops on rows of [rows, size] elements of a type, computed in f32."""

    def __init__(self, program, rows, size, element):
        self.program, self.element = program, element
        self.x, self.r = f"tensor<{rows}x{size}x{element}>", f"tensor<{rows}xf32>"
        self.wide = f"tensor<{rows}x{size}xf32>"

    def widen(self, number):
        if self.element == "f32":
            return f"    %w = arith.addf %{number}, %zero : f32"
        return f"    %w = arith.extf %{number} : {self.element} to f32"

    def init(self, type, value=None):
        name = f"%i{len(self.program.lines)}"
        self.program.lines.append(f"  {name} = tensor.empty() : {type}")
        if value is None:
            return name
        self.program.lines.append(
            f"  {name}f = linalg.fill ins({value} : f32) outs({name} : {type}) -> {type}"
        )
        return name + "f"

    def largest(self, value, type):
        widen = self.widen(0) if type == self.x else "    %w = arith.addf %0, %zero : f32"
        body = widen + "\n    %m = arith.maximumf %w, %1 : f32\n    linalg.yield %m : f32"
        start = self.init(self.r, "%low")
        return generic(self.program, [(value, type)], start, body, self.r)

    def difference(self, value, type, largest):
        widen = self.widen(0) if type == self.x else "    %w = arith.addf %0, %zero : f32"
        body = widen + "\n    %d = arith.subf %w, %1 : f32\n    linalg.yield %d : f32"
        inputs = [(value, type), (largest, self.r)]
        return generic(self.program, inputs, self.init(self.wide), body, self.wide)

    def sum_of_powers(self, difference):
        body = "    %e = math.exp %0 : f32\n    %s = arith.addf %e, %1 : f32\n    linalg.yield %s : f32"
        start = self.init(self.r, "%zero")
        return generic(self.program, [(difference, self.wide)], start, body, self.r)

    def finish(self, inputs, body, type):
        """A result of the program: `body` gives %v of f32."""
        if type.endswith("xf32>"):
            body += "\n    linalg.yield %v : f32"
        else:
            body += f"\n    %t = arith.truncf %v : f32 to {self.element}\n    linalg.yield %t : {self.element}"
        self.program.results.append(generic(self.program, inputs, self.init(type), body, type))
        self.program.types.append(type)


def start():
    program = Program()
    program.lines += [
        "  %low = arith.constant 0xFF800000 : f32",
        "  %zero = arith.constant 0.0 : f32",
    ]
    return program


SPECIAL = np.array(
    [
        [1, 2, np.nan, 3, 4],
        [-np.inf, 2, -np.inf, 3, 4],
        [-np.inf] * 5,
        [np.inf, 0, 1, -np.inf, 2],
        [200, -200, 0, -0.0, 1],
    ],
    dtype=np.float32,
)


@pytest.mark.parametrize("element", FLOATS)
@pytest.mark.parametrize("rows,size", [(3, 64), (5, 1031), (1, 4099), (7, 37), (2, 8200), (5, 5)])
def test_softmax(element, rows, size, tmp_path):
    """Softmax, also of a masked row, as the decomposed form of imported programs: one launch."""
    program = start()
    x = f"tensor<{rows}x{size}x{element}>"
    a = program.argument(x, SPECIAL if size == 5 else None)
    wide = f"tensor<{rows}x{size}xf32>"
    loops = Rows(program, rows, size, element)
    largest = loops.largest(a, x)
    difference = loops.difference(a, x, largest)
    total = loops.sum_of_powers(difference)
    body = "    %e = math.exp %0 : f32\n    %v = arith.divf %e, %1 : f32"
    loops.finish([(difference, wide), (total, loops.r)], body, x)
    program.compare(tmp_path, [], launches=1)


@pytest.mark.parametrize("element", FLOATS)
def test_named_softmax(element, tmp_path):
    """linalg.softmax in the elements' type is one launch, with rows of all heads."""
    program = Program()
    x = f"tensor<2x3x4x65x{element}>"
    a = program.argument(x)
    program.lines.append(f"  %e = tensor.empty() : {x}")
    program.op(f"linalg.softmax dimension(3) ins({a} : {x}) outs(%e : {x}) -> {x}", x)
    program.compare(tmp_path, [], launches=1)


@pytest.mark.parametrize("element", FLOATS)
@pytest.mark.parametrize("rows,size", [(3, 97), (4, 2048), (5, 5)])
def test_cross_entropy(element, rows, size, tmp_path):
    """The logarithm of softmax, the loss of a target per row and its gradient: one
    launch, one that finds the numbers to check, which small rows have in it, and one for the
    logits of the targets that have been checked."""
    program = start()
    x, ids = f"tensor<{rows}x{size}x{element}>", f"tensor<{rows}xi64>"
    a = program.argument(x, SPECIAL if size == 5 else None)
    targets = program.argument(ids, np.arange(rows, dtype=np.int64) * 17 % size)
    loops = Rows(program, rows, size, element)
    difference = loops.difference(a, x, loops.largest(a, x))
    total = loops.sum_of_powers(difference)
    body = "    %l = math.log %1 : f32\n    %v = arith.subf %0, %l : f32"
    loops.finish([(difference, loops.wide), (total, loops.r)], body, x)
    # Softmax minus one where the target is.
    body = """    %e = math.exp %0 : f32
    %p = arith.divf %e, %1 : f32
    %j = linalg.index 1 : index
    %k = arith.index_cast %j : index to i64
    %is = arith.cmpi eq, %k, %2 : i64
    %one = arith.uitofp %is : i1 to f32
    %v = arith.subf %p, %one : f32"""
    loops.finish([(difference, loops.wide), (total, loops.r), (targets, ids)], body, x)
    # The target's own logit, loaded by its number.
    body = """    %j = arith.index_cast %0 : i64 to index
    %i = linalg.index 0 : index
    %x = tensor.extract %s[%i, %j] : %t
    %l = math.log %1 : f32
    %v = arith.subf %l, %x : f32""".replace("%s[", difference + "[").replace("%t", loops.wide)
    loops.finish([(targets, ids), (total, loops.r)], body, loops.r)
    program.compare(tmp_path, [], launches=3 if size == 2048 else 2)


@pytest.mark.parametrize("element", FLOATS)
def test_rounded_norm(element, tmp_path):
    """A bias and a residual before a norm, and rounding of its result: one launch."""
    program = Program()
    rows, size = 3, 72
    x, w = f"tensor<{rows}x{size}x{element}>", f"tensor<{size}xf32>"
    wide = f"tensor<{rows}x{size}xf32>"
    a, b = program.argument(wide), program.argument(wide)
    c, d, e = (program.argument(w) for _ in range(3))
    program.lines += [
        f"  %e0 = tensor.empty() : {wide}",
        f"""  %s = linalg.generic {{indexing_maps = [{IDENTITY}, {IDENTITY}, affine_map<(i, j) -> (j)>, {IDENTITY}],
      iterator_types = ["parallel", "parallel"]}} ins({a}, {b}, {c} : {wide}, {wide}, {w}) outs(%e0 : {wide}) {{
  ^bb0(%x: f32, %y: f32, %z: f32, %o: f32):
    %p = arith.addf %x, %z : f32
    %q = arith.addf %p, %y : f32
    linalg.yield %q : f32
  }} -> {wide}""",
        f"  %n = nn.layer_norm %s, {d}, {e} epsilon 1.0e-05 : {wide}, {w}",
    ]
    if element == "f32":
        program.op(f"arith.mulf %n, %n : {wide}", wide)
    else:
        program.op(f"arith.truncf %n : {wide} to {x}", x)
    program.results.append("%s")
    program.types.append(wide)
    program.compare(tmp_path, ["layer_norm"], launches=1)


@pytest.mark.parametrize("element", FLOATS)
def test_top_k(element, tmp_path):
    """Ties, NaN, infinities, both zeros and rows that have too few; the smallest, NaN first;
    blocks, of which one is empty; any dimension; candidates with indices."""
    nan, inf = np.nan, np.inf
    special = np.array(
        [
            [1, 7, 7, nan, 3, 7],
            [nan] * 6,
            [-inf, nan, -inf, -5, -5, inf],
            [-inf] * 6,
            [-0.0, 0, nan, -1, 0, -0.0],
        ],
        dtype=np.float32,
    )
    program = Program()
    low, high = {"f32": ("0xFF800000", "0x7F800000"), "bf16": ("0xFF80", "0x7F80")}.get(
        element, ("0xFC00", "0x7C00")
    )
    for shape, dim, k, options, value in [
        ((5, 6), 1, 4, f"bound {low}", special),
        ((5, 6), 1, 6, f"nan_first bound {low} : {element} missing_index -1", special),
        ((5, 6), 1, 4, f"smallest bound {high}", special),
        ((5, 6), 1, 3, "bound 0.5", special),
        ((5, 6), 1, 2, f"blocks 5 bound {low}", special),
        ((5, 6), 0, 3, f"smallest nan_first bound {high}", special),
        ((2, 2100), 1, 40, f"bound {low}", None),
        ((1, 1030), 1, 7, f"blocks 3 bound {low}", None),
        ((3, 130, 2), 1, 5, f"blocks 2 bound {low}", None),
    ]:
        blocks = int(options.split()[1]) if options.startswith("blocks") else 1
        if ":" not in options:
            options += f" : {element}"
        x = "tensor<" + "".join(f"{size}x" for size in shape) + f"{element}>"
        made = [*shape]
        made[dim] = k * blocks
        sizes = "tensor<" + "".join(f"{size}x" for size in made)
        a = program.argument(x, value)
        v, i = sizes + f"{element}>", sizes + "i64>"
        program.op(f"nn.top_k {a} dim {dim} {options} : {x} -> {v}, {i}", v, i)
    x, i, v, o = (
        f"tensor<5x{n}x{t}>" for n, t in ((6, element), (6, "i64"), (3, element), (3, "i64"))
    )
    a = program.argument(x, special)
    b = program.argument(i, np.arange(30, dtype=np.int64).reshape(5, 6) * 10**10)
    program.op(
        f"nn.top_k {a} indices {b} dim 1 bound {low} : {element} : {x}, {i} -> {v}, {o}", v, o
    )
    program.compare(tmp_path, ["top_k"])


@pytest.mark.parametrize("ranks", [2, 3, 4])
def test_cut_top_k(ranks, tmp_path):
    """Each rank has candidates, of which the best are taken, with their indices in the row: one
    launch on either side of the gather."""
    program = Program()
    x, v, i = "tensor<2x1001xf32>", "tensor<2x20xf32>", "tensor<2x20xi64>"
    values = np.random.default_rng(7).integers(0, 300, (2, 1001)).astype(np.float32)
    a = program.argument(x, values)
    program.op(f"nn.top_k {a} dim 1 bound 0xFF800000 : f32 : {x} -> {v}, {i}", v, i)
    plan = tmp_path / "plan.json"
    plan.write_text(f'{{"mesh": {{"tp": {ranks}}}, "shard": {{"f.arg0": "[_, tp]"}}}}')
    program.compare(tmp_path, ["top_k"], plan, f"tp={ranks}", launches=2)


@pytest.mark.parametrize("ranks", [2, 3, 4])
@pytest.mark.parametrize("element", ["f32", "bf16"])
def test_cut_cross_entropy(element, ranks, tmp_path):
    """The loss of rows whose vocabulary is cut: a launch for the maximum of a rank's block, one for
    its sum and the target's logit, one behind the sums over ranks."""
    program = start()
    rows, size = 6, 1001
    x, ids = f"tensor<{rows}x{size}x{element}>", f"tensor<{rows}xi64>"
    a = program.argument(x)
    targets = program.argument(ids, np.arange(rows, dtype=np.int64) * 199 % size)
    loops = Rows(program, rows, size, element)
    largest = loops.largest(a, x)
    difference = loops.difference(a, x, largest)
    total = loops.sum_of_powers(difference)
    body = """    %j = linalg.index 1 : index
    %k = arith.index_cast %j : index to i64
    %is = arith.cmpi eq, %k, %1 : i64
    %x = arith.select %is, %0, %zero : f32
    %s = arith.addf %x, %2 : f32
    linalg.yield %s : f32"""
    picked = [(difference, loops.wide), (targets, ids)]
    own = generic(program, picked, loops.init(loops.r, "%zero"), body, loops.r)
    body = "    %l = math.log %0 : f32\n    %v = arith.subf %l, %1 : f32"
    loops.finish([(total, loops.r), (own, loops.r)], body, loops.r)
    plan = tmp_path / "plan.json"
    plan.write_text(f'{{"mesh": {{"tp": {ranks}}}, "shard": {{"f.arg0": "[_, tp]"}}}}')
    program.compare(tmp_path, [], plan, f"tp={ranks}", launches=3)


def make_sampling(program, logits, temperature, top_k, top_p, seed=0):
    """nn.sample with a number of its own for each row."""
    rows, size = logits.shape
    random = np.random.default_rng(seed)
    uniform = random.random(rows)
    uniform[0] = 0
    arguments = [
        program.argument(f"tensor<{rows}x{size}xf32>", logits.astype(np.float32)),
        program.argument(f"tensor<{rows}xf64>", uniform),
        program.argument("tensor<f64>", np.array(temperature, dtype=np.float64)),
        program.argument("tensor<i64>", np.array(top_k, dtype=np.int64)),
        program.argument("tensor<f64>", np.array(top_p, dtype=np.float64)),
    ]
    program.op(
        f"nn.sample {', '.join(arguments)} : tensor<{rows}x{size}xf32>", f"tensor<{rows}xi64>"
    )


SAMPLINGS = [(1.0, 0, 1.0), (0.7, 5, 1.0), (2.0, 0, 0.5), (1.5, 40, 0.9), (1e-9, 3, 0.999)]


@pytest.mark.parametrize("size", [1, 2, 31, 37, 300, 1030])
def test_sample(size, tmp_path):
    """Each kind of choice; logits of which some are equal, in rows of all sizes."""
    program = Program()
    random = np.random.default_rng(size)
    for seed, sampling in enumerate(SAMPLINGS):
        make_sampling(program, random.normal(0, 3, (3, size)), *sampling, seed)
        make_sampling(program, random.integers(0, 4, (5, size)), *sampling, seed)
    program.compare(tmp_path, ["sample"])


def test_sample_special(tmp_path):
    """Infinities, NaN, both zeros, logits very far from each other, the smallest numbers; more
    than there are, less than one, probabilities that are nothing."""
    nan, inf = np.nan, np.inf
    rows = np.array(
        [
            [1, 2, 3, 4, 5, 6],
            [1, nan, 3, 4, 5, 6],
            [-inf, 2, 3, 4, 5, 6],
            [1, 2, 3, 4, 5, inf],
            [-0.0, 0, -0.0, 0, 0, -0.0],
            [3e38, -3e38, 3e38, 0, 1, 2],
            [-3e38, -3e38, -3e38, -2e38, -1e38, -1e38],
            [1e-45, 0, -1e-45, 1e-40, 0, 2],
            [-700, 0, -746, -745, -744, -1000],
        ]
    )
    program = Program()
    for seed, sampling in enumerate(
        SAMPLINGS + [(1.0, -3, 2.0), (1.0, 6, 1e-300), (1.0, 100, 0.9999999), (1e300, 1, 1.0)]
    ):
        make_sampling(program, rows, *sampling, seed)
    program.compare(tmp_path, ["sample"])


@pytest.mark.parametrize("ranks", [2, 3, 4])
def test_cut_sample(ranks, tmp_path):
    """Logits that ranks have parts of are gathered; rows that are cut are sampled where they are."""
    random = np.random.default_rng(3)
    for cut in ("[_, tp]", "[tp, _]"):
        program = Program()
        make_sampling(program, random.normal(0, 3, (5, 101)), 1.5, 40, 0.9)
        plan = tmp_path / "plan.json"
        plan.write_text(f'{{"mesh": {{"tp": {ranks}}}, "shard": {{"f.arg0": "{cut}"}}}}')
        program.compare(tmp_path, ["sample"], plan, f"tp={ranks}")
