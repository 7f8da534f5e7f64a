"""Winograd transforms around a product of tiles are the convolution, however they are cut."""

import json

import numpy as np
import pytest
from compiled import need, succeed

# m x m outputs of an r x r filter per tile; the size of the image; its filter may be a row.
CASES = {
    "F_2_3": (2, 3, (8, 10), (3, 3)),
    "F_4_3": (4, 3, (14, 10), (3, 3)),
    "F_2_5": (2, 5, (8, 12), (5, 5)),
    "row": (4, 3, (1, 14), (1, 3)),
    "column": (4, 3, (14, 1), (3, 1)),
}


def program(name):
    m, r, image, kernel = CASES[name]
    fmr = f"fmr(F_{m}_{r})"
    out = [n - k + 1 for n, k in zip(image, kernel)]
    alpha = [m + r - 1 if k > 1 else 1 for k in kernel]
    tiles = [n // m if k > 1 else n for n, k in zip(out, kernel)]
    tensor = lambda *shape: f"tensor<{'x'.join(map(str, shape))}xf32>"
    x, w, y = tensor(2, *image, 3), tensor(4, *kernel, 3), tensor(2, *out, 4)
    u, v = tensor(*alpha, 3, 4), tensor(*alpha, *tiles, 2, 3)
    product = tensor(*alpha, *tiles, 2, 4)
    return f"""
#in = affine_map<(a, b, t, u, n, f, c) -> (a, b, t, u, n, c)>
#w = affine_map<(a, b, t, u, n, f, c) -> (a, b, c, f)>
#out = affine_map<(a, b, t, u, n, f, c) -> (a, b, t, u, n, f)>
func.func @f(%x: {x}, %w: {w}, %before: {y}) -> {y} {{
  %z = arith.constant 0.0 : f32
  %e0 = tensor.empty() : {u}
  %u = linalg.winograd_filter_transform {fmr} ins(%w : {w}) outs(%e0 : {u}) -> {u}
  %e1 = tensor.empty() : {v}
  %v = linalg.winograd_input_transform {fmr} ins(%x : {x}) outs(%e1 : {v}) -> {v}
  %e2 = tensor.empty() : {product}
  %f = linalg.fill ins(%z : f32) outs(%e2 : {product}) -> {product}
  %p = linalg.contract indexing_maps = [#in, #w, #out] ins(%v, %u : {v}, {u}) outs(%f : {product}) -> {product}
  %y = linalg.winograd_output_transform {fmr} ins(%p : {product}) outs(%before : {y}) -> {y}
  return %y : {y}
}}
"""


@pytest.mark.parametrize("name", CASES)
def test_is_a_convolution(name, tmp_path):
    need("tp-run")
    _, _, image, kernel = CASES[name]
    random = np.random.default_rng(5)
    draw = lambda *shape: random.integers(-3, 4, shape).astype(np.float32)
    out = [n - k + 1 for n, k in zip(image, kernel)]
    x, w, before = draw(2, *image, 3), draw(4, *kernel, 3), draw(2, *out, 4)
    views = np.lib.stride_tricks.sliding_window_view(x, kernel, axis=(1, 2))
    right = before + np.einsum("nhwckl,fklc->nhwf", views, w)
    given = []
    for k, array in enumerate((x, w, before)):
        np.save(tmp_path / f"{k}.npy", array)
        given.append(f"--input={k}={tmp_path / f'{k}.npy'}")
    (tmp_path / "f.mlir").write_text(program(name))
    # Rows of neighbours, no sums, where rows are cut; nothing where batch or filters are.
    cuts = [
        (0, "[_, tp, _, _]", {"permute"}),
        (0, "[_, _, tp, _]", {"permute"}),
        (0, "[tp, _, _, _]", set()),
        (1, "[tp, _, _, _]", set()),
        (0, "[_, _, _, tp]", {"all_reduce"}),
    ]
    for argument, cut, kinds in cuts if name == "F_4_3" else cuts[:2]:
        plan, explained = tmp_path / "plan.json", tmp_path / "explained.json"
        shard = {f"f.arg{argument}": cut}
        plan.write_text(json.dumps({"mesh": {"tp": 2}, "shard": shard}))
        options = [*given, "--output", tmp_path, "--compare", "--poison"]
        options += [] if name == "F_4_3" else ["--interpret"]
        succeed("tp-run", tmp_path / "f.mlir", "--plan", plan, *options, f"--explain={explained}")
        np.testing.assert_allclose(np.load(tmp_path / "result0.npy"), right, rtol=0, atol=2e-4)
        rows = json.loads(explained.read_text())["entries"]["f"]["collectives"]
        if 1 not in image:
            assert {row["kind"] for row in rows} == kinds, (cut, rows)
