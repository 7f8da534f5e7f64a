"""Unsharded linalg programs as a front end would write them, and their gradients.

A Program is built value by value; a value names its dimensions by letters, as in an einsum,
and letters have sizes. `gradients` walks the program backwards (reverse mode) and adds the
adjoint of each op with the same ops, so that training steps come out as linalg, too.

    p = Program({"s": 4, "d": 8, "f": 16})
    x, w = p.argument("x", "sd"), p.argument("w", "df")
    y = p.einsum("sd,df->sf", x, w)
    p.gradients({y: p.argument("dy", "sf")})[w]
"""

from dataclasses import dataclass, field

# --- Scalars: what an elementwise op computes of one element of each operand -----------------


class Scalar:
    """A scalar expression of the operands (`Of(0)`, ...), constants and indices."""

    def __init__(self, op, *arguments):
        self.op, self.arguments = op, arguments

    def __add__(self, other):
        return Scalar("addf", self, wrap(other))

    def __sub__(self, other):
        return Scalar("subf", self, wrap(other))

    def __mul__(self, other):
        return Scalar("mulf", self, wrap(other))

    def __truediv__(self, other):
        return Scalar("divf", self, wrap(other))

    def __neg__(self):
        return Scalar("negf", self)

    def derivative(self, operand):
        """By operand number `operand`; None where it does not depend on it."""
        a = self.arguments
        if self.op == "operand":
            return wrap(1.0) if a[0] == operand else None
        if self.op == "constant":
            return None
        if self.op == "later_than":
            then, otherwise = (x.derivative(operand) for x in a[2:])
            if then or otherwise:
                return later_than(*a[:2], then or 0.0, otherwise or 0.0)
            return None
        parts = [x.derivative(operand) for x in a]
        if not any(parts):
            return None
        if self.op in ("addf", "subf"):
            if not parts[1]:
                return parts[0]
            second = parts[1] if self.op == "addf" else -parts[1]
            return parts[0] + second if parts[0] else second
        if self.op == "mulf":
            terms = [
                d if other.is_constant(1.0) else d * other
                for d, other in ((parts[0], a[1]), (parts[1], a[0]))
                if d
            ]
            return terms[0] if len(terms) == 1 else terms[0] + terms[1]
        if self.op == "divf":
            first = parts[0] and parts[0] / a[1]
            second = parts[1] and -(parts[1] * self / a[1])
            return first + second if first and second else first or second
        return (
            parts[0]
            * {
                "negf": lambda: wrap(-1.0),
                "exp": lambda: self,
                "rsqrt": lambda: self * self * self * -0.5,
                "log": lambda: wrap(1.0) / a[0],
            }[self.op]()
        )

    def is_constant(self, value):
        return self.op == "constant" and self.arguments[0] == value


def wrap(value):
    return value if isinstance(value, Scalar) else Scalar("constant", value)


def Of(operand):
    """An operand's element."""
    return Scalar("operand", operand)


def exp(x):
    return Scalar("exp", x)


def rsqrt(x):
    return Scalar("rsqrt", x)


def log(x):
    return Scalar("log", x)


def later_than(first, second, then, otherwise):
    """`then` where the index of dimension `first` is above that of `second`."""
    return Scalar("later_than", first, second, wrap(then), wrap(otherwise))


MATH = {"exp", "rsqrt", "log"}


# --- Tensors -------------------------------------------------------------------------------


@dataclass(eq=False)
class Value:
    """A tensor: its SSA name and the letters of its dimensions."""

    name: str
    dims: str
    needs_gradient: bool = True
    # Adds what the gradient of this value contributes to those of its operands.
    back: object = field(default=None, repr=False)


class Program:
    """A function under construction. `sizes` gives letters their sizes."""

    def __init__(self, sizes, name="main"):
        self.sizes, self.name = dict(sizes), name
        self.arguments, self.lines, self.values = [], [], []
        self.adjoints = {}

    # --- Text ---

    def type(self, dims):
        return "tensor<" + "".join(f"{self.sizes[d]}x" for d in dims) + "f32>"

    def line(self, text):
        self.lines.append("  " + text)

    def fresh(self, dims, back=None):
        value = Value(f"%v{len(self.values)}", dims, back=back)
        self.values.append(value)
        return value

    def text(self, *results):
        """The module with `results` as what the function returns."""
        arguments = ", ".join(
            f'{v.name}: {self.type(v.dims)} {{tp.name = "{v.name[1:]}"}}' for v in self.arguments
        )
        types = ", ".join(self.type(v.dims) for v in results)
        values = ", ".join(v.name for v in results)
        body = "\n".join(self.lines)
        return (
            f"func.func @{self.name}({arguments}) -> ({types}) {{\n{body}\n"
            f"  return {values} : {types}\n}}\n"
        )

    # --- Ops ---

    def argument(self, name, dims, gradient=True):
        value = Value(f"%{name}", dims, gradient)
        self.arguments.append(value)
        return value

    def named(self, value, name):
        """The same value, of a generic, with a name that plans may use."""
        at = next(i for i, line in enumerate(self.lines) if f"{value.name} = linalg" in line)
        self.lines[at] = self.lines[at].replace("generic {", f'generic {{tp.name = "{name}", ', 1)
        return value

    def generic(self, result, loops, operands, initial, body):
        """linalg.generic over `loops`; those that `result` lacks are reduced."""

        def use(dims):
            letters = ", ".join(loops)
            return f"affine_map<({letters}) -> ({', '.join(dims)})>"

        kinds = ", ".join('"parallel"' if d in result.dims else '"reduction"' for d in loops)
        maps = ", ".join(use(v.dims) for v in (*operands, result))
        empty, start = f"{result.name}_e", f"{result.name}_e"
        self.line(f"{empty} = tensor.empty() : {self.type(result.dims)}")
        if initial is not None:
            start = f"{result.name}_i"
            self.line(f"{result.name}_c = arith.constant {initial} : f32")
            self.line(
                f"{start} = linalg.fill ins({result.name}_c : f32)"
                f" outs({empty} : {self.type(result.dims)}) -> {self.type(result.dims)}"
            )
        inputs = ""
        if operands:
            names = ", ".join(v.name for v in operands)
            inputs = f"ins({names} : {', '.join(self.type(v.dims) for v in operands)}) "
        block = ", ".join(f"%a{i}: f32" for i in range(len(operands) + 1))
        self.line(
            f"{result.name} = linalg.generic {{indexing_maps = [{maps}],"
            f" iterator_types = [{kinds}]}} {inputs}"
            f"outs({start} : {self.type(result.dims)}) {{"
        )
        self.line(f"^bb0({block}):")
        for text in body:
            self.line("  " + text)
        self.line(f"}} -> {self.type(result.dims)}")
        return result

    def einsum(self, spec, a, b):
        """A contraction of two values."""
        left, out = spec.split("->")
        x, y = left.split(",")
        loops = out + "".join(dict.fromkeys(d for d in x + y if d not in out))
        result = self.fresh(out)
        ins = [Value(a.name, x), Value(b.name, y)]
        reduces = len(loops) > len(out)
        body = ["%p = arith.mulf %a0, %a1 : f32"]
        body += ["%s = arith.addf %a2, %p : f32"] if reduces else []
        body += [f"linalg.yield {'%s' if reduces else '%p'} : f32"]
        self.generic(result, loops, ins, "0.0" if reduces else None, body)

        def back(gradient):
            if a.needs_gradient:
                self.add_adjoint(a, self.einsum(f"{out},{y}->{x}", gradient, b))
            if b.needs_gradient:
                self.add_adjoint(b, self.einsum(f"{x},{out}->{y}", a, gradient))

        result.back = back
        return result

    def elementwise(self, dims, operands, scalar):
        """`scalar` of operands whose dimensions are among `dims`."""
        result = self.fresh(dims)
        body, number = [], [0]

        def emit(x):
            if x.op == "operand":
                return f"%a{x.arguments[0]}"
            name = f"%s{number[0]}"
            number[0] += 1
            if x.op == "constant":
                body.append(f"{name} = arith.constant {x.arguments[0]:.9e} : f32")
            elif x.op == "later_than":
                first, second, *rest = x.arguments
                then, otherwise = map(emit, rest)
                body.append(f"{name}i = linalg.index {dims.index(first)} : index")
                body.append(f"{name}j = linalg.index {dims.index(second)} : index")
                body.append(f"{name}k = arith.cmpi ugt, {name}i, {name}j : index")
                body.append(f"{name} = arith.select {name}k, {then}, {otherwise} : f32")
            else:
                arguments = ", ".join(emit(a) for a in x.arguments)
                dialect = "math" if x.op in MATH else "arith"
                body.append(f"{name} = {dialect}.{x.op} {arguments} : f32")
            return name

        body.append(f"linalg.yield {emit(scalar)} : f32")
        self.generic(result, dims, operands, None, body)

        def back(gradient):
            for i, operand in enumerate(operands):
                slope = scalar.derivative(i) if operand.needs_gradient else None
                if slope is None:
                    continue
                last = Of(len(operands))
                full = self.elementwise(
                    dims,
                    [*operands, gradient],
                    last if slope.is_constant(1.0) else last * slope,
                )
                missing = "".join(d for d in dims if d not in operand.dims)
                self.add_adjoint(operand, self.reduce(full, missing) if missing else full)

        result.back = back
        return result

    def reduce(self, value, over, kind="addf"):
        """Sum or maximum over dimensions; a maximum has no gradient."""
        dims = "".join(d for d in value.dims if d not in over)
        result = self.fresh(dims)
        start = {"addf": "0.0", "maximumf": "0xFF800000"}[kind]
        body = [f"%r = arith.{kind} %a0, %a1 : f32", "linalg.yield %r : f32"]
        self.generic(result, value.dims, [value], start, body)
        if kind == "addf":
            result.back = lambda gradient: self.add_adjoint(
                value, self.elementwise(value.dims, [gradient], Of(0))
            )
        else:
            result.needs_gradient = False
        return result

    def slice(self, value, dim, letter, at):
        """Elements from `at` along `dim`, as many as `letter` has."""
        dims = value.dims.replace(dim, letter)
        offsets = ", ".join(str(at if d == dim else 0) for d in value.dims)
        sizes = ", ".join(str(self.sizes[d]) for d in dims)
        ones = ", ".join("1" for _ in dims)
        result = self.fresh(dims)
        self.line(
            f"{result.name} = tensor.extract_slice {value.name}[{offsets}] [{sizes}] [{ones}]"
            f" : {self.type(value.dims)} to {self.type(dims)}"
        )

        def back(gradient):
            whole = self.fresh(value.dims)
            self.line(f"{whole.name}_e = tensor.empty() : {self.type(value.dims)}")
            self.line(f"{whole.name}_c = arith.constant 0.0 : f32")
            self.line(
                f"{whole.name}_i = linalg.fill ins({whole.name}_c : f32)"
                f" outs({whole.name}_e : {self.type(value.dims)}) -> {self.type(value.dims)}"
            )
            self.line(
                f"{whole.name} = tensor.insert_slice {gradient.name} into {whole.name}_i"
                f"[{offsets}] [{sizes}] [{ones}] : {self.type(dims)} into {self.type(value.dims)}"
            )
            self.add_adjoint(value, whole)

        result.back = back
        return result

    def concat(self, values, letter, dim):
        """Values side by side along their dimension `letter`, which becomes `dim`."""
        dims = values[0].dims.replace(letter, dim)
        result = self.fresh(dims)
        names = ", ".join(v.name for v in values)
        types = ", ".join(self.type(v.dims) for v in values)
        at = dims.index(dim)
        self.line(
            f"{result.name} = tensor.concat dim({at}) {names} : ({types}) -> {self.type(dims)}"
        )

        def back(gradient):
            for i, value in enumerate(values):
                part = self.slice(gradient, dim, letter, i * self.sizes[letter])
                self.add_adjoint(value, part)

        result.back = back
        return result

    def drop(self, value, dim):
        """The value without a dimension of size 1."""
        return self.reshape(value, value.dims.replace(dim, ""), value.dims.index(dim))

    def reshape(self, value, dims, unit):
        """Without the dimension of size 1 at position `unit` of the larger, or with it."""
        result = self.fresh(dims)
        larger = max(value.dims, dims, key=len)
        groups = [[i] for i in range(len(larger)) if i != unit]
        groups[max(unit - 1, 0)] = sorted([*groups[max(unit - 1, 0)], unit])
        text = ", ".join(str(g) for g in groups)
        types = f": {self.type(value.dims)} into {self.type(dims)}"
        if larger == dims:
            shape = ", ".join(str(self.sizes[d]) for d in dims)
            self.line(
                f"{result.name} = tensor.expand_shape {value.name} [{text}]"
                f" output_shape [{shape}] {types}"
            )
        else:
            self.line(f"{result.name} = tensor.collapse_shape {value.name} [{text}] {types}")
        result.back = lambda gradient: self.add_adjoint(
            value, self.reshape(gradient, value.dims, unit)
        )
        return result

    # --- Gradients ---

    def add_adjoint(self, value, gradient):
        """Sums what several users contribute, as front ends do: one addition per user."""
        known = self.adjoints.get(value)
        self.adjoints[value] = (
            self.elementwise(value.dims, [known, gradient], Of(0) + Of(1)) if known else gradient
        )

    def gradients(self, seeds):
        """{value: its gradient}, given those of the results."""
        self.adjoints = dict(seeds)
        for value in reversed(list(self.values)):
            gradient = self.adjoints.get(value)
            if gradient and value.back:
                value.back(gradient)
        return self.adjoints
