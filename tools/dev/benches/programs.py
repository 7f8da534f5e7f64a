"""Programs that the compiler core is measured on, for ours and for MLIR's `shard` dialect."""

import re
import subprocess

from console import BIN, ROOT

OURS, SHARD = "ours", "shard"
RANKS = 4
ROWS, WIDTH, HIDDEN = 32, 64, 256


def tensor(*sizes):
    return f"tensor<{'x'.join(str(size) for size in sizes)}xf32>"


STREAM = tensor(ROWS, WIDTH)
INNER = tensor(ROWS, HIDDEN)
COLUMN = tensor(ROWS)
SCALE = tensor(WIDTH)
UP = tensor(WIDTH, HIDDEN)
DOWN = tensor(HIDDEN, WIDTH)

HEAD = """#all = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#col = affine_map<(i, j) -> (j)>"""


class Writer:
    """Lines of one function; a fresh name for every value."""

    def __init__(self):
        self.lines = []
        self.count = 0

    def value(self, text):
        self.count += 1
        self.lines.append(f"%v{self.count} = {text}")
        return f"%v{self.count}"

    def filled(self, kind):
        empty = self.value(f"tensor.empty() : {kind}")
        return self.value(f"linalg.fill ins(%zero : f32) outs({empty} : {kind}) -> {kind}")

    def generic(self, maps, iterators, operands, kinds, out, kind, body):
        """A linalg.generic of one result; `body` is lines of text on %a0, %a1, ... and %o."""
        names = ", ".join(f"%a{i}: f32" for i in range(len(operands)))
        text = (
            f"linalg.generic {{indexing_maps = [{', '.join(maps)}], iterator_types ="
            f" [{', '.join(chr(34) + name + chr(34) for name in iterators)}]}}"
            f" ins({', '.join(operands)} : {', '.join(kinds)}) outs({out} : {kind}) {{\n"
            f"^bb0({names}, %o: f32):\n{body}\n}} -> {kind}"
        )
        return self.value(text)

    def product(self, left, right, kinds, kind):
        return self.value(
            f"linalg.matmul ins({left}, {right} : {', '.join(kinds)})"
            f" outs({self.filled(kind)} : {kind}) -> {kind}"
        )


def layer(write, stream, scale, up, down):
    """A root-mean-square norm and a feed-forward network, cut by columns and rows, on a residual."""
    squares = write.generic(
        ["#all", "#row"],
        ["parallel", "reduction"],
        [stream],
        [STREAM],
        write.filled(COLUMN),
        COLUMN,
        "%p = arith.mulf %a0, %a0 : f32\n%s = arith.addf %p, %o : f32\nlinalg.yield %s : f32",
    )
    normed = write.generic(
        ["#all", "#row", "#col", "#all"],
        ["parallel", "parallel"],
        [stream, squares, scale],
        [STREAM, COLUMN, SCALE],
        write.value(f"tensor.empty() : {STREAM}"),
        STREAM,
        "%m = arith.divf %a1, %width : f32\n%n = arith.addf %m, %eps : f32\n"
        "%r = math.rsqrt %n : f32\n%t = arith.mulf %a0, %r : f32\n%u = arith.mulf %t, %a2 : f32\n"
        "linalg.yield %u : f32",
    )
    hidden = write.product(normed, up, [STREAM, UP], INNER)
    active = write.generic(
        ["#all", "#all"],
        ["parallel", "parallel"],
        [hidden],
        [INNER],
        write.value(f"tensor.empty() : {INNER}"),
        INNER,
        "%g = arith.negf %a0 : f32\n%e = math.exp %g : f32\n%d = arith.addf %one, %e : f32\n"
        "%q = arith.divf %a0, %d : f32\nlinalg.yield %q : f32",
    )
    back = write.product(active, down, [INNER, DOWN], STREAM)
    empty = write.value(f"tensor.empty() : {STREAM}")
    return write.value(
        f"linalg.add ins({stream}, {back} : {STREAM}, {STREAM}) outs({empty} : {STREAM}) -> {STREAM}"
    )


def module(arguments, write, result, dialect):
    constants = [
        f"%{name} = arith.constant {value} : f32"
        for name, value in (("zero", 0.0), ("one", 1.0), ("width", float(WIDTH)), ("eps", "1.0e-5"))
    ]
    mesh = {
        OURS: f'tp.mesh @mesh <"tp"={RANKS}>',
        SHARD: f"shard.grid @mesh(shape = {RANKS})",
    }[dialect]
    return "\n".join(
        [HEAD, mesh, f"func.func @main({', '.join(arguments)}) -> {STREAM} {{"]
        + constants
        + write.lines
        + [f"return {result} : {STREAM}", "}", ""]
    )


def annotated(name, kind, axes, dialect, write):
    """The argument's text and the name under which it is used; `axes` per dimension."""
    if dialect == OURS:
        dims = ", ".join("tp" if axis else "_" for axis in axes)
        return f"{name}: {kind} {{tp.sharding = #tp.sharding<[{dims}]>}}", name
    lists = ", ".join("[0]" if axis else "[]" for axis in axes)
    sharding = write.value(f"shard.sharding @mesh split_axes = [{lists}] : !shard.sharding")
    return (
        f"{name}: {kind}",
        write.value(f"shard.shard {name} to {sharding} annotate_for_users : {kind}"),
    )


def layers(count, dialect=OURS):
    """A stack of layers of which the weights are annotated."""
    write, arguments, stream = Writer(), [f"%x: {STREAM}"], "%x"
    for i in range(count):
        up_text, up = annotated(f"%u{i}", UP, (0, 1), dialect, write)
        down_text, down = annotated(f"%d{i}", DOWN, (1, 0), dialect, write)
        arguments += [f"%s{i}: {SCALE}", up_text, down_text]
        stream = layer(write, stream, f"%s{i}", up, down)
    return module(arguments, write, stream, dialect)


def users(count, dialect=OURS):
    """One value that is cut, used `count` times."""
    write = Writer()
    text, cut = annotated("%x", STREAM, (1, 0), dialect, write)
    total = cut
    for _ in range(count):
        empty = write.value(f"tensor.empty() : {STREAM}")
        total = write.value(
            f"linalg.add ins({total}, {cut} : {STREAM}, {STREAM}) outs({empty} : {STREAM}) -> {STREAM}"
        )
    return module([text], write, total, dialect)


def gathers(count):
    """One value that is cut, gathered for each of `count` products that want it whole."""
    write = Writer()
    arguments = [f"%x: {STREAM} {{tp.sharding = #tp.sharding<[tp, _]>}}"]
    total = write.filled(STREAM)
    for i in range(count):
        arguments.append(f"%w{i}: {tensor(WIDTH, WIDTH)} {{tp.sharding = #tp.sharding<[_, tp]>}}")
        product = write.product("%x", f"%w{i}", [STREAM, tensor(WIDTH, WIDTH)], STREAM)
        empty = write.value(f"tensor.empty() : {STREAM}")
        total = write.value(
            f"linalg.add ins({total}, {product} : {STREAM}, {STREAM})"
            f" outs({empty} : {STREAM}) -> {STREAM}"
        )
    return module(arguments, write, total, OURS)


def foreign(count):
    """`count` decoder blocks that JAX wrote as linalg, one behind the other, with equal weights."""
    text = (ROOT / "test/Integration/Foreign/block.mlir").read_text(encoding="utf-8")
    text = text.replace("func.func public @main", "func.func private @block")
    types = re.findall(r"%arg\d+: (tensor<[\dx]+xf32>)", re.search(r"@block\((.*?)\) ->", text)[1])
    cuts = dict.fromkeys((2, 6), "[tp, _]") | dict.fromkeys((3, 4, 5, 7, 8), "[_, tp]")
    arguments = [
        f"%w{i}: {kind}" + (f" {{tp.sharding = #tp.sharding<{cuts[i]}>}}" if i in cuts else "")
        for i, kind in enumerate(types)
    ]
    weights = ", ".join(f"%w{i}" for i in range(len(types) - 1))
    lines = [f"func.func @main({', '.join(arguments)}) -> {types[-1]} {{"]
    value = f"%w{len(types) - 1}"
    for i in range(count):
        call = f"call @block({weights}, {value}) : ({', '.join(types)}) -> {types[-1]}"
        value = f"%y{i}"
        lines.append(f"  {value} = {call}")
    lines += [f"  return {value} : {types[-1]}", "}"]
    head, body = text[: text.index("module")], text[text.index("{", text.index("module")) :]
    body = body[body.index("\n") + 1 :]
    program = f'{head}module {{\ntp.mesh @mesh <"tp"=2>\n' + "\n".join(lines) + "\n" + body
    return subprocess.run(
        [BIN / "tp-opt", "--inline"], input=program, capture_output=True, text=True, check=True
    ).stdout
