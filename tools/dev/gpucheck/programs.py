"""The programs whose results tools/gpu-check compares: one entry for each kernel and shape.

All entries are one module, since each executable carries a runtime. An entry has inputs
that are drawn from ranges, and results whose types say how far they may differ.
"""

from dataclasses import dataclass, field

FLOATS = ("f64", "f32", "bf16", "f16")


def tensor(shape, dtype):
    return "tensor<" + "".join(f"{size}x" for size in shape) + dtype + ">"


@dataclass
class Input:
    """An argument; its elements are uniform in [low, high)."""

    name: str
    shape: tuple
    dtype: str
    low: float = -1.0
    high: float = 1.0
    kind: str = "input"

    @property
    def argument(self):
        return f'%{self.name}: {self.type} {{tp.kind = "{self.kind}", tp.name = "{self.name}"}}'

    @property
    def type(self):
        return tensor(self.shape, self.dtype)


@dataclass
class Entry:
    name: str
    group: str
    inputs: list
    body: list = field(default_factory=list)
    results: list = field(default_factory=list)  # (value, type)
    small: bool = False  # part of the test that runs on emulated devices

    def text(self):
        arguments = ", ".join(i.argument for i in self.inputs)
        types = ", ".join(kind for _, kind in self.results)
        values = ", ".join(value for value, _ in self.results)
        lines = [f"func.func @{self.name}({arguments}) -> ({types}) {{", *self.body]
        return "\n  ".join([*lines, f"return {values} : {types}"]) + "\n}\n"

    def fill(self, shape, dtype, value="zero"):
        """A new tensor of one value, and its type."""
        number = len(self.body)
        kind = tensor(shape, dtype)
        if value == "zero":
            value = "0.0" if dtype in FLOATS else "0"
        self.body += [
            f"%one{number} = arith.constant {value} : {dtype}",
            f"%empty{number} = tensor.empty() : {kind}",
            f"%start{number} = linalg.fill ins(%one{number} : {dtype}) outs(%empty{number} : {kind})"
            f" -> {kind}",
        ]
        return f"%start{number}", kind

    def widen(self, x):
        """An input as f32 where it is narrow, and its type."""
        if x.dtype not in ("bf16", "f16"):
            return f"%{x.name}", x.type
        kind = tensor(x.shape, "f32")
        return self.add(f"arith.extf %{x.name} : {x.type} to {kind}", kind, result=False), kind

    def add(self, text, kind, result=True):
        """Appends an operation with one result of type `kind`."""
        value = f"%v{len(self.body)}"
        self.body.append(f"{value} = {text}")
        if result:
            self.results.append((value, kind))
        return value


def contract(entry, a, b, batch=(), layout="nn", out=None, place=None):
    """Appends the product of two inputs as a result; `layout` tells of each whether it is
    transposed. Narrow floats are multiplied in f32, and rounded where `out` is narrow. `place`
    names the operation."""
    dtype = a.dtype
    wide = {"bf16": "f32", "f16": "f32"}.get(dtype, dtype)
    m = a.shape[-2 if layout[0] == "n" else -1]
    n = b.shape[-1 if layout[1] == "n" else -2]
    start, kind = entry.fill((*batch, m, n), wide)
    lead = [f"d{i}" for i in range(len(batch))]

    def map_of(names):
        return f"affine_map<({', '.join([*lead, *'mnk'])}) -> ({', '.join([*lead, *names])})>"

    maps = [map_of("mk" if layout[0] == "n" else "km"), map_of("kn" if layout[1] == "n" else "nk")]
    kinds = ", ".join(['"parallel"'] * (len(batch) + 2) + ['"reduction"'])
    letter = "i" if dtype[0] == "i" else "f"
    wider, w = "", "0"
    if dtype != wide:
        wider = "".join(f"    %{x}w = arith.extf %{x}0 : {dtype} to {wide}\n" for x in "ab")
        w = "w"
    value = entry.add(
        f"linalg.generic {{indexing_maps = [{', '.join([*maps, map_of('mn')])}], "
        f"iterator_types = [{kinds}]}} ins(%{a.name}, %{b.name} : {a.type}, {b.type}) "
        f"outs({start} : {kind}) {{\n"
        f"  ^bb0(%a0: {dtype}, %b0: {dtype}, %c0: {wide}):\n{wider}"
        f"    %p = arith.mul{letter} %a{w}, %b{w} : {wide}\n"
        f"    %s = arith.add{letter} %c0, %p : {wide}\n"
        f"    linalg.yield %s : {wide}\n  }} -> {kind}" + (f' loc("{place}")' if place else ""),
        kind,
        result=out in (None, wide),
    )
    if out not in (None, wide):
        narrow = tensor((*batch, m, n), out)
        entry.add(f"arith.truncf {value} : {kind} to {narrow}", narrow)


def product(dtype, m, n, k, batch=(), layout="nn", out=None, small=False):
    """A matrix product of m x k and k x n, see `contract`."""
    span = (-9, 9) if dtype[0] == "i" else (-1, 1)
    a = Input("a", (*batch, *((m, k) if layout[0] == "n" else (k, m))), dtype, *span)
    b = Input("b", (*batch, *((k, n) if layout[1] == "n" else (n, k))), dtype, *span)
    sizes = "x".join(str(size) for size in (*batch, m, n, k))
    name = f"product_{dtype}_{out or 'wide'}_{layout}_{sizes}"
    entry = Entry(name, "products", [a, b], small=small)
    contract(entry, a, b, batch, layout, out)
    return entry


def norm(op, dtype, rows, width, small=False):
    inputs = [Input("x", (1, rows, width), dtype, -2, 3), Input("w", (width,), "f32", 0.5, 1.5)]
    inputs += [Input("b", (width,), "f32")] if op == "layer_norm" else []
    entry = Entry(f"{op}_{dtype}_{rows}x{width}", "norms", inputs, small=small)
    operands = ", ".join(f"%{i.name}" for i in inputs)
    entry.add(
        f"nn.{op} {operands} epsilon 1.0e-05 : {inputs[0].type}, {inputs[1].type}", inputs[0].type
    )
    return entry


def softmax(dtype, rows, width, small=False):
    x = Input("x", (rows, width), dtype, -4, 4)
    entry = Entry(f"softmax_{dtype}_{rows}x{width}", "softmax", [x], small=small)
    value, wide = entry.widen(x)
    empty = entry.add(f"tensor.empty() : {wide}", wide, result=False)
    softmax = entry.add(
        f"linalg.softmax dimension(1) ins({value} : {wide}) outs({empty} : {wide}) -> {wide}",
        wide,
        result=wide == x.type,
    )
    if wide != x.type:
        entry.add(f"arith.truncf {softmax} : {wide} to {x.type}", x.type)
    return entry


def cross_entropy(dtype, rows, width, small=False):
    """The logarithm of the sum of exponentials of each row, and its gradient less one where the
    target is."""
    x = Input("x", (rows, width), dtype, -9, 9)
    targets = Input("t", (rows,), "i64", 0, width)
    entry = Entry(f"cross_entropy_{dtype}_{rows}x{width}", "softmax", [x, targets], small=small)
    value, wide = entry.widen(x)
    row = tensor((rows,), "f32")

    def reduce(op, value, start):
        return entry.add(
            f"linalg.reduce {{ arith.{op} }} ins({value} : {wide}) outs({start} : {row}) "
            f"dimensions = [1]",
            row,
            result=False,
        )

    largest = reduce("maximumf", value, entry.fill((rows,), "f32", "0xFF800000")[0])
    empty = entry.add(f"tensor.empty() : {wide}", wide, result=False)
    spread = entry.add(
        f"linalg.broadcast ins({largest} : {row}) outs({empty} : {wide}) dimensions = [1]",
        wide,
        result=False,
    )
    less = entry.add(f"arith.subf {value}, {spread} : {wide}", wide, result=False)
    powers = entry.add(f"math.exp {less} : {wide}", wide, result=False)
    total = reduce("addf", powers, entry.fill((rows,), "f32")[0])
    logarithm = entry.add(f"math.log {total} : {row}", row, result=False)
    entry.add(f"arith.addf {logarithm}, {largest} : {row}", row)
    narrow = ""
    if dtype != "f32":
        narrow = f"    %n = arith.truncf %s : f32 to {dtype}\n"
    entry.add(
        "linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, "
        "affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], "
        'iterator_types = ["parallel", "parallel"]} '
        f"ins({powers}, {total}, %t : {wide}, {row}, {targets.type}) outs(%x : {x.type}) {{\n"
        f"  ^bb0(%e: f32, %z: f32, %k: i64, %o: {dtype}):\n"
        "    %p = arith.divf %e, %z : f32\n"
        "    %j = linalg.index 1 : index\n"
        "    %at = arith.index_cast %j : index to i64\n"
        "    %is = arith.cmpi eq, %at, %k : i64\n"
        "    %one = arith.uitofp %is : i1 to f32\n"
        f"    %s = arith.subf %p, %one : f32\n{narrow}"
        f"    linalg.yield {'%n' if narrow else '%s'} : {dtype}\n  }} -> {x.type}",
        x.type,
    )
    return entry


def biased_norm(op, dtype, rows, width, small=False):
    """What a sum over ranks becomes: a bias, the residual, a norm, each rounded."""
    wide = Input("x", (1, rows, width), "f32", -2, 3)
    residual = Input("r", wide.shape, dtype)
    vectors = [Input(name, (width,), "f32", 0.5, 1.5) for name in "cwb"]
    vectors = vectors if op == "layer_norm" else vectors[:2]
    entry = Entry(
        f"biased_{op}_{dtype}_{rows}x{width}", "norms", [wide, residual, *vectors], small=small
    )
    every, last = "affine_map<(i, j, k) -> (i, j, k)>", "affine_map<(i, j, k) -> (k)>"
    widen = f"    %rw = arith.extf %r0 : {dtype} to f32\n" if dtype != "f32" else ""
    narrow = f"    %n = arith.truncf %s : f32 to {dtype}\n" if dtype != "f32" else ""
    total = entry.add(
        f"linalg.generic {{indexing_maps = [{every}, {last}, {every}, {every}], "
        'iterator_types = ["parallel", "parallel", "parallel"]} '
        f"ins(%x, %c, %r : {wide.type}, {vectors[0].type}, {residual.type}) "
        f"outs(%r : {residual.type}) {{\n"
        f"  ^bb0(%x0: f32, %c0: f32, %r0: {dtype}, %o: {dtype}):\n{widen}"
        "    %p = arith.addf %x0, %c0 : f32\n"
        f"    %s = arith.addf %p, {'%rw' if widen else '%r0'} : f32\n{narrow}"
        f"    linalg.yield {'%n' if narrow else '%s'} : {dtype}\n  }} -> {residual.type}",
        residual.type,
    )
    operands = ", ".join([total, *(f"%{v.name}" for v in vectors[1:])])
    kinds = f"{residual.type}, {vectors[1].type}"
    entry.add(f"nn.{op} {operands} epsilon 1.0e-05 : {kinds}", residual.type)
    return entry


def attention(dtype, steps, heads, group, dim, length, position, window=0, both=False, small=False):
    """Queries [1, steps, heads, group, dim] at `position` against a cache of `length`."""
    shape = (1, heads, length, dim)
    inputs = [
        Input("q", (1, steps, heads, group, dim), dtype),
        Input("k", shape, dtype),
        Input("v", shape, dtype),
        Input("p", (1,), "i64", position, position + 1),
    ]
    kind = "decode" if steps == 1 else "prefill"
    name = f"attention_{kind}_{dtype}_{steps}x{heads}x{group}x{dim}_{position}of{length}"
    options = (" bidirectional" if both else "") + f" scale {dim ** -0.5:.6e}"
    if window:
        name += f"_window{window}"
        options += f" window {window}"
    entry = Entry(name + ("_both" if both else ""), "attention", inputs, small=small)
    entry.add(
        f"nn.attention %q, %k, %v, %p{options} : {inputs[0].type}, {inputs[1].type}, "
        f"{inputs[3].type}",
        inputs[0].type,
    )
    return entry


def rope_and_cache(dtype, steps, heads, dim, length, position, small=False):
    """Rotated keys, written into a cache."""
    inputs = [
        Input("c", (1, heads, length, dim), dtype),
        Input("x", (1, steps, heads, dim), dtype),
        Input("p", (1,), "i64", position, position + 1),
    ]
    entry = Entry(f"rope_cache_{dtype}_{steps}x{heads}x{dim}", "rope", inputs, small=small)
    table = tensor((1, steps, dim // 2), "f32")
    entry.body.append(
        f"%cos, %sin = nn.rotary_table %p theta 10000.0 : {inputs[2].type} -> {table}"
    )
    turned = entry.add(f"nn.rope %x, %cos, %sin : {inputs[1].type}, {table}", inputs[1].type)
    entry.add(
        f"nn.cache_update %c, {turned}, %p : {inputs[0].type}, {inputs[1].type}, "
        f"{inputs[2].type}",
        inputs[0].type,
    )
    return entry


def embedding(dtype, rows, width, count, small=False):
    inputs = [Input("i", (1, count), "i64", 0, rows), Input("t", (rows, width), dtype)]
    entry = Entry(f"embedding_{dtype}_{rows}x{width}", "selection", inputs, small=small)
    kind = tensor((1, count, width), dtype)
    entry.add(f"nn.embedding %i, %t : {inputs[0].type}, {inputs[1].type} -> {kind}", kind)
    return entry


def selection(op, dtype, rows, width, count, small=False):
    x = Input("x", (rows, width), dtype)
    entry = Entry(f"{op}_{dtype}_{rows}x{width}", "selection", [x], small=small)
    values, indices = tensor((rows, count), dtype), tensor((rows, count), "i64")
    options = "" if op == "argmax" else f" dim 1 bound {_lowest(dtype)} : {dtype}"
    entry.body.append(f"%v, %i = nn.{op} %x{options} : {x.type} -> {values}, {indices}")
    entry.results = [("%v", values), ("%i", indices)]
    return entry


def _lowest(dtype):
    return {"f32": "0xFF800000", "bf16": "0xFF80", "f16": "0xFC00", "f64": "0xFFF0000000000000"}[
        dtype
    ]


def reductions(dtype, shape, small=False):
    """Sums and extremes along each dimension, and along all."""
    is_float = dtype in FLOATS
    x = Input("x", shape, dtype, *((0.25, 1) if is_float else (-5, 6)))
    name = "reduce_" + dtype + "_" + "x".join(map(str, shape))
    entry = Entry(name, "reductions", [x], small=small)
    # A sum in a narrow type would stop growing; models sum in f32.
    value, wide = entry.widen(x)
    sum_type = "f32" if wide != x.type else dtype
    if is_float:
        ops = (("addf", value, sum_type, "zero"), ("maximumf", "%x", dtype, _lowest(dtype)))
    else:
        ops = (("addi", "%x", dtype, "zero"), ("minsi", "%x", dtype, "99"))
    for dims in [*([d] for d in range(len(shape))), list(range(len(shape)))]:
        rest = tuple(size for d, size in enumerate(shape) if d not in dims)
        for op, operand, element, start in ops:
            init, kind = entry.fill(rest, element, start)
            entry.add(
                f"linalg.reduce {{ arith.{op} }} ins({operand} : {tensor(shape, element)}) "
                f"outs({init} : {kind}) dimensions = {dims}",
                kind,
            )
    return entry


UNARY = (
    "absf acos asin asinh atan atanh cbrt ceil cos cosh erf erfc exp exp2 expm1 floor log log10 "
    "log1p log2 round roundeven rsqrt sin sinh sqrt tan tanh trunc"
).split()
BINARY = "math.atan2 math.copysign math.powf arith.remf arith.maximumf arith.minimumf arith.divf"
INTEGERS = "addi subi muli divsi remsi ceildivsi floordivsi andi ori xori maxsi minsi maxui minui"


def functions(dtype, shape, names=tuple(UNARY), small=False):
    """Each mathematical function of numbers in (0.05, 0.95), and one chain of several."""
    x, y = Input("x", shape, dtype, 0.05, 0.95), Input("y", shape, dtype, 0.5, 2)
    entry = Entry(f"functions_{dtype}", "elementwise", [x, y], small=small)
    for name in names:
        entry.add(f"math.{name} %x : {x.type}", x.type)
    for name in BINARY.split():
        entry.add(f"{name} %x, %y : {x.type}", x.type)
    product = entry.add(f"arith.mulf %x, %y : {x.type}", x.type, result=False)
    power = entry.add(f"math.exp {product} : {x.type}", x.type, result=False)
    total = entry.add(f"arith.addf {power}, %y : {x.type}", x.type, result=False)
    entry.add(f"math.fma {total}, %x, {product} : {x.type}", x.type)
    return entry


def integers(dtype, shape, small=False):
    x, y = Input("x", shape, dtype, -50, 50), Input("y", shape, dtype, 1, 7)
    entry = Entry(f"functions_{dtype}", "elementwise", [x, y], small=small)
    for name in INTEGERS.split():
        entry.add(f"arith.{name} %x, %y : {x.type}", x.type)
    for name in ("shli", "shrsi", "shrui"):
        entry.add(f"arith.{name} %x, %y : {x.type}", x.type)
    for name in ("absi", "ctlz", "cttz", "ctpop"):
        entry.add(f"math.{name} %x : {x.type}", x.type)
    bits = tensor(shape, "i1")
    less = entry.add(f"arith.cmpi slt, %x, %y : {x.type}", bits)
    entry.add(f"arith.select {less}, %x, %y : {bits}, {x.type}", x.type)
    return entry


def casts(shape, small=False):
    f = Input("f", shape, "f32", -90, 90)
    d = Input("d", shape, "f64", -90, 90)
    i = Input("i", shape, "i32", -90, 90)
    j = Input("j", shape, "i8", -9, 9)
    entry = Entry("casts", "elementwise", [f, d, i, j], small=small)
    for op, source, target in (
        ("truncf", f, "bf16"),
        ("truncf", f, "f16"),
        ("truncf", d, "f32"),
        ("extf", f, "f64"),
        ("fptosi", f, "i32"),
        ("fptosi", d, "i64"),
        ("fptosi", f, "i8"),
        ("sitofp", i, "f32"),
        ("sitofp", i, "bf16"),
        ("sitofp", i, "f64"),
        ("uitofp", j, "f32"),
        ("extsi", j, "i64"),
        ("extui", j, "i32"),
        ("trunci", i, "i8"),
        ("bitcast", f, "i32"),
    ):
        kind = tensor(shape, target)
        entry.add(f"arith.{op} %{source.name} : {source.type} to {kind}", kind)
    return entry


def movement(dtype, rows, columns, small=False):
    """Pads, slices with steps, concatenations, transposes, insertions, broadcasts."""
    x, y = Input("x", (rows, columns), dtype), Input("y", (rows, 3), dtype)
    entry = Entry(f"movement_{dtype}_{rows}x{columns}", "windows", [x, y], small=small)
    both = tensor((rows, columns + 3), dtype)
    joined = entry.add(f"tensor.concat dim(1) %x, %y : ({x.type}, {y.type}) -> {both}", both)
    entry.body.append(f"%pad = arith.constant 0.5 : {dtype}")
    padded = tensor((rows + 3, columns + 5), dtype)
    entry.add(
        f"tensor.pad {joined} low[1, 2] high[2, 0] {{\n  ^bb0(%i: index, %j: index):\n"
        f"    tensor.yield %pad : {dtype}\n  }} : {both} to {padded}",
        padded,
    )
    sliced = tensor((rows // 2, columns // 3), dtype)
    part = entry.add(
        f"tensor.extract_slice %x[1, 0] [{rows // 2}, {columns // 3}] [1, 3] : {x.type} to "
        f"{sliced}",
        sliced,
    )
    entry.add(
        f"tensor.insert_slice {part} into %x[0, 1] [{rows // 2}, {columns // 3}] [2, 1] : "
        f"{sliced} into {x.type}",
        x.type,
    )
    turned = tensor((columns, rows), dtype)
    empty = entry.add(f"tensor.empty() : {turned}", turned, result=False)
    entry.add(
        f"linalg.transpose ins(%x : {x.type}) outs({empty} : {turned}) permutation = [1, 0]",
        turned,
    )
    return entry


def windows(dtype, length, channels, filters, taps, small=False):
    """A convolution and a maximum over windows."""
    x = Input("x", (1, length, channels), dtype)
    w = Input("w", (taps, channels, filters), dtype)
    entry = Entry(f"windows_{dtype}_{length}x{channels}", "windows", [x, w], small=small)
    init, kind = entry.fill((1, length - taps + 1, filters), dtype)
    entry.add(
        f"linalg.conv_1d_nwc_wcf ins(%x, %w : {x.type}, {w.type}) outs({init} : {kind}) -> {kind}",
        kind,
    )
    init, kind = entry.fill((1, (length - taps) // 2 + 1, channels), dtype, _lowest(dtype))
    window = entry.add(f"tensor.empty() : {tensor((taps,), dtype)}", "", result=False)
    entry.add(
        f"linalg.pooling_nwc_max {{strides = dense<2> : tensor<1xi64>, "
        f"dilations = dense<1> : tensor<1xi64>}} ins(%x, {window} : {x.type}, "
        f"{tensor((taps,), dtype)}) outs({init} : {kind}) -> {kind}",
        kind,
    )
    return entry


def entries():
    """All of them, the most used first."""
    result = [
        product("f32", 33, 65, 40, layout="nt", small=True),
        product("bf16", 17, 66, 40, layout="nt", out="bf16", small=True),
        product("f32", 1, 640, 576, layout="nt"),
        product("bf16", 1, 640, 576, layout="nt", out="bf16"),
        product("bf16", 129, 257, 576, layout="nt", out="bf16"),
        product("f16", 129, 130, 72, layout="nt", out="f16"),
        product("bf16", 64, 1000, 576, layout="nt"),
        product("f32", 128, 128, 128),
        product("f32", 129, 257, 63),
        product("f32", 257, 1, 300),
        product("f32", 37, 41, 53, layout="tn"),
        product("bf16", 37, 48, 53, layout="tt"),
        product("f32", 17, 33, 9, batch=(5,), small=True),
        product("bf16", 24, 40, 64, batch=(3,), layout="nt"),
        product("f32", 9, 12, 16, batch=(2, 3), layout="nt"),
        product("f64", 33, 31, 40),
        product("i32", 19, 23, 29),
    ]
    for dtype in ("f32", "bf16", "f16"):
        for rows, width in ((1, 576), (5, 4099), (7, 72)):
            small = (dtype, rows) == ("bf16", 7)
            result.append(norm("rms_norm", dtype, rows, width, small))
        result.append(norm("layer_norm", dtype, 3, 769, small=dtype == "f32"))
        result.append(softmax(dtype, 5, 1031, small=False))
    result.append(softmax("f32", 3, 37, small=True))
    result.append(cross_entropy("f32", 3, 4099))
    result.append(cross_entropy("bf16", 7, 520, small=True))
    result.append(biased_norm("layer_norm", "bf16", 5, 768, small=True))
    result.append(biased_norm("rms_norm", "f16", 3, 577))
    for arguments in (
        ("f32", 17, 1, 1, 64, 40, 5),
        ("f32", 9, 2, 3, 20, 32, 0),
        ("bf16", 64, 3, 3, 64, 128, 31),
        ("bf16", 33, 2, 4, 128, 96, 50, 20),
        ("f16", 48, 1, 5, 80, 64, 7),
        ("bf16", 130, 1, 2, 256, 200, 0),
        ("f32", 19, 2, 2, 32, 19, 19, 0, True),
        ("bf16", 1, 3, 3, 64, 300, 257),
        ("bf16", 1, 1, 4, 128, 2048, 1999),
        ("f32", 1, 3, 3, 64, 513, 400),
        ("f16", 1, 1, 8, 80, 77, 76),
        ("bf16", 1, 2, 2, 96, 640, 600, 128),
        ("f32", 1, 2, 1, 20, 33, 0),
    ):
        result.append(attention(*arguments))
    result += [
        attention("f32", 5, 2, 3, 16, 24, 7, small=True),
        attention("bf16", 1, 1, 3, 16, 40, 30, 9, small=True),
        rope_and_cache("f32", 5, 3, 16, 24, 7, small=True),
        rope_and_cache("bf16", 64, 3, 64, 128, 31),
        rope_and_cache("bf16", 1, 8, 128, 200, 150),
        embedding("f32", 97, 72, 7, small=True),
        embedding("bf16", 997, 576, 33),
        selection("argmax", "f32", 1, 49153, 1),
        selection("argmax", "f32", 3, 97, 1, small=True),
        selection("top_k", "f32", 2, 1000, 5),
        selection("top_k", "bf16", 1, 16384, 50),
    ]
    for dtype in ("f32", "bf16", "f16", "f64", "i32", "i64"):
        result.append(reductions(dtype, (5, 33, 18), small=dtype in ("f32", "i32")))
    result.append(reductions("f32", (3, 4097)))
    result += [
        functions("f32", (301,), small=True),
        functions("f64", (301,)),
        functions("bf16", (301,), ("exp", "tanh", "erf", "rsqrt", "log", "sqrt", "sin")),
        functions("f16", (301,), ("exp", "tanh", "erf", "rsqrt", "log", "sqrt", "sin")),
        integers("i32", (301,), small=True),
        integers("i64", (301,)),
        casts((301,), small=True),
        movement("f32", 20, 31, small=True),
        movement("bf16", 9, 48),
        windows("f32", 40, 5, 7, 3),
    ]
    return result


def module(chosen):
    """The text of a module with these entries."""
    return "\n".join(entry.text() for entry in chosen)
