"""A Llama-style decoder layer, whole or for one token, and a mixture of experts, of tape.py.

Sizes: b rows, s positions, d wide, n kv heads of g query heads each, e per head (two halves of
h), f inside the feed-forward network. Weights carry the names that `megatron` cuts.
"""

from tape import Of, Program, exp, later_than, rsqrt

SIZES = {"b": 8, "s": 16, "t": 16, "d": 64, "n": 4, "g": 2, "e": 8, "h": 4, "f": 128, "o": 1}
# Which weights are cut on what dimension: columns or rows.
CUT = {
    "q": "_, {}, _, _", "k": "_, {}, _", "v": "_, {}, _", "o": "{}, _, _, _",
    "gate": "_, {}", "up": "_, {}", "down": "{}, _",
    "qkv": "_, {}, _, _", "gateup": "_, _, {}",
}  # fmt: skip


def rms_norm(p, x, weight):
    """RMSNorm over d, as a front end writes it: square, mean, scale."""
    d = p.sizes["d"]
    rows = x.dims.replace("d", "")
    square = p.elementwise(x.dims, [x], Of(0) * Of(0))
    mean = p.elementwise(rows, [p.reduce(square, "d")], Of(0) * (1.0 / d))
    scale = p.elementwise(rows, [mean], rsqrt(Of(0) + 1e-5))
    return p.elementwise(x.dims, [x, scale, weight], Of(0) * Of(1) * Of(2))


def rope(p, x, cos, sin):
    """Rotates the halves of e against each other."""
    first, second = p.slice(x, "e", "h", 0), p.slice(x, "e", "h", p.sizes["h"])
    low = p.elementwise(first.dims, [first, second, cos, sin], Of(0) * Of(2) - Of(1) * Of(3))
    high = p.elementwise(first.dims, [first, second, cos, sin], Of(1) * Of(2) + Of(0) * Of(3))
    return p.concat([low, high], "h", "e")


def softmax(p, x, over, causal=None):
    """Over dimension `over`; `causal` gives the dimensions (key, query) of the mask."""
    rest = x.dims.replace(over, "")
    if causal:
        x = p.elementwise(x.dims, [x], later_than(*causal, -1e30, Of(0)))
    largest = p.reduce(x, over, "maximumf")
    shifted = p.elementwise(x.dims, [x, largest], exp(Of(0) - Of(1)))
    total = p.reduce(shifted, over)
    assert total.dims == rest
    return p.elementwise(x.dims, [shifted, total], Of(0) / Of(1))


def silu(x):
    return x / (exp(-x) + 1.0)


class Layer:
    """A layer under construction, with its weights as arguments of the program."""

    def __init__(self, p, fused=False):
        self.p, self.fused = p, fused
        self.norms = [p.argument("norm1", "d"), p.argument("norm2", "d")]
        if fused:
            # Per kv head its query heads, its key and its value.
            p.sizes["c"] = p.sizes["g"] + 2
            p.sizes["w"] = 2
            self.qkv = p.argument("qkv", "dnce")
            self.gateup = p.argument("gateup", "dwf")
        else:
            self.q = p.argument("q", "dnge")
            self.k, self.v = p.argument("k", "dne"), p.argument("v", "dne")
            self.gate, self.up = p.argument("gate", "df"), p.argument("up", "df")
        self.o, self.down = p.argument("o", "nged"), p.argument("down", "fd")

    def weights(self):
        return [v for v in self.p.arguments if v.name[1:] in CUT or v in self.norms]

    def heads(self, x, cos, sin):
        """Queries and keys, rotated, and values of the rows of x."""
        p, rows = self.p, x.dims.replace("d", "")
        if self.fused:
            both = p.einsum(f"{x.dims},dnce->{rows}nce", x, self.qkv)
            q = p.slice(both, "c", "g", 0)
            k = p.drop(p.slice(both, "c", "o", p.sizes["g"]), "o")
            v = p.drop(p.slice(both, "c", "o", p.sizes["g"] + 1), "o")
        else:
            q = p.einsum(f"{x.dims},dnge->{rows}nge", x, self.q)
            k = p.einsum(f"{x.dims},dne->{rows}ne", x, self.k)
            v = p.einsum(f"{x.dims},dne->{rows}ne", x, self.v)
        return rope(p, q, cos, sin), rope(p, k, cos, sin), v

    def attend(self, q, k, v, causal):
        """Attention of rows of q over positions t of k and v."""
        p, rows = self.p, q.dims[:-3]
        scores = p.einsum(f"{q.dims},btne->{rows}ngt", q, k)
        scaled = p.elementwise(scores.dims, [scores], Of(0) * p.sizes["e"] ** -0.5)
        weights = softmax(p, scaled, "t", causal)
        mixed = p.einsum(f"{weights.dims},btne->{q.dims}", weights, v)
        return p.einsum(f"{q.dims},nged->{rows}d", mixed, self.o)

    def feed_forward(self, x):
        p, rows = self.p, x.dims.replace("d", "")
        if self.fused:
            both = p.einsum(f"{x.dims},dwf->{rows}wf", x, self.gateup)
            gate = p.drop(p.slice(both, "w", "o", 0), "o")
            up = p.drop(p.slice(both, "w", "o", 1), "o")
        else:
            gate = p.einsum(f"{x.dims},df->{rows}f", x, self.gate)
            up = p.einsum(f"{x.dims},df->{rows}f", x, self.up)
        inner = p.elementwise(gate.dims, [gate, up], silu(Of(0)) * Of(1))
        return p.einsum(f"{inner.dims},fd->{x.dims}", inner, self.down)

    def __call__(self, x, cos, sin):
        p = self.p
        q, k, v = self.heads(rms_norm(p, x, self.norms[0]), cos, sin)
        keys, values = self.as_positions(k), self.as_positions(v)
        x = self.add(x, self.attend(q, keys, values, causal=("t", "s")), "middle")
        return self.add(x, self.feed_forward(rms_norm(p, x, self.norms[1])), "out")

    def add(self, x, y, name):
        p = self.p
        return p.named(p.elementwise(x.dims, [x, y], Of(0) + Of(1)), name)

    def as_positions(self, value):
        """The same value with its positions named t, as what is attended to."""
        p = self.p
        alias = type(value)(value.name, value.dims.replace("s", "t"))
        alias.back = lambda gradient: p.add_adjoint(
            value, type(value)(gradient.name, gradient.dims.replace("t", "s"))
        )
        p.values.append(alias)
        return alias


def plan(text, mesh, axis="tp", **shard):
    """Megatron's cuts of the program's weights on one axis of a mesh, and what `shard` adds."""
    cuts = {
        name: f"[{cut.format(axis)}]" for name, cut in CUT.items() if f'tp.name = "{name}"' in text
    }
    return {"mesh": mesh, "shard": {**cuts, **shard}}


def decoder(fused=False, backward=False, sizes=()):
    """A layer on b rows of s positions, as text: out, or out and all gradients."""
    p = Program({**SIZES, **dict(sizes)})
    x = p.argument("x", "bsd")
    cos, sin = p.argument("cos", "sh", False), p.argument("sin", "sh", False)
    layer = Layer(p, fused)
    out = layer(x, cos, sin)
    if not backward:
        return p.text(out)
    gradients = p.gradients({out: p.argument("dout", "bsd")})
    return p.text(out, *[gradients[v] for v in (x, *layer.weights())])


def decode():
    """One token of each of b rows, over a cache of t positions before it."""
    p = Program({**SIZES, "h": 4})
    x = p.argument("x", "bd")
    cos, sin = p.argument("cos", "h", False), p.argument("sin", "h", False)
    keys, values = p.argument("keys", "btne"), p.argument("values", "btne")
    layer = Layer(p)
    q, k, v = layer.heads(rms_norm(p, x, layer.norms[0]), cos, sin)
    keys, values = update(p, keys, k), update(p, values, v)
    y = p.elementwise("bd", [x, layer.attend(q, keys, values, None)], Of(0) + Of(1))
    y = p.elementwise("bd", [y, layer.feed_forward(rms_norm(p, y, layer.norms[1]))], Of(0) + Of(1))
    return p.text(y, keys, values)


def update(p, cache, row, at=5):
    """The cache with `row` at position `at`."""
    result = p.fresh(cache.dims)
    sizes = ", ".join("1" if d == "t" else str(p.sizes[d]) for d in cache.dims)
    offsets = ", ".join(str(at) if d == "t" else "0" for d in cache.dims)
    ones = ", ".join("1" for _ in cache.dims)
    p.line(
        f"{result.name} = tensor.insert_slice {row.name} into {cache.name}[{offsets}] [{sizes}]"
        f" [{ones}] : {p.type(row.dims)} into {p.type(cache.dims)}"
    )
    return result


def experts(backward=False, sizes=()):
    """A mixture of experts after a norm, for g groups of s tokens, each expert taking u of a group.

    Tokens are dispatched and combined by einsums over the mask that a router's top choices made.
    """
    p = Program({"g": 4, "s": 16, "d": 16, "e": 4, "u": 8, "f": 32, **dict(sizes)})
    x, norm = p.argument("x", "gsd"), p.argument("norm", "d")
    router, mask = p.argument("router", "de"), p.argument("mask", "gseu", False)
    up, down = p.argument("expert_up", "edf"), p.argument("expert_down", "efd")
    inner = rms_norm(p, x, norm)
    chances = softmax(p, p.einsum("gsd,de->gse", inner, router), "e")
    combine = p.elementwise("gseu", [mask, chances], Of(0) * Of(1))
    taken = p.einsum("gseu,gsd->egud", mask, inner)
    hidden = p.einsum("egud,edf->eguf", taken, up)
    hidden = p.elementwise("eguf", [hidden], silu(Of(0)))
    given = p.einsum("eguf,efd->egud", hidden, down)
    mixed = p.einsum("gseu,egud->gsd", combine, given)
    out = p.named(p.elementwise("gsd", [x, mixed], Of(0) + Of(1)), "out")
    if not backward:
        return p.text(out)
    gradients = p.gradients({out: p.argument("dout", "gsd")})
    return p.text(out, *[gradients[v] for v in (x, norm, router, up, down)])


EXPERT_PLAN = {
    "mesh": {"ep": 4},
    "shard": {
        "x": "[ep, _, _]", "mask": "[ep, _, _, _]", "out": "[ep, _, _]",
        "expert_up": "[ep, _, _]", "expert_down": "[ep, _, _]",
    },
}  # fmt: skip
