"""Reductions whose bodies compute, along cut dimensions: the values of the unsharded program,
also for NaN, infinities, short and empty blocks, and a few parts per rank instead of operands
where it is proved that blocks compose."""

import json

import numpy as np
import pytest
from compiled import need, run, succeed
from conftest import ROOT

PROGRAMS = ROOT / "test/Integration/Selections/associative.mlir"
# Short blocks and empty ones; what elements are beside small numbers.
RUNS = (
    ({"tp": 3}, "--check-collectives", None),
    ({"dp": 3, "tp": 3}, "--interpret", -np.inf),
    ({"tp": 2}, "--check-collectives", np.nan),
)
# Of each program its inputs (type, shape), whose only dimension of size N is cut, and the bytes
# of a block's parts.
N = 43
PROGRAM = {
    "online_softmax": ([("f4", (3, N)), ("f4", (N,))], 3 * 12),
    "log_sum": ([("f4", (3, N))], 3 * 4),
    "log_sum_of_any": ([("f4", (3, N))], 3 * 4),
    "moments": ([("f4", (N, 3))], 3 * 12),
    "complex_product": ([("f8", (N,)), ("f8", (N,))], 2 * 8),
    "recurrence": ([("f4", (3, N)), ("f4", (3, N)), ("f4", (3,))], 3 * 8),
    "fibonacci": ([("i4", (23, 2))], 4 * 4),
    "largest_tail": ([("f4", (3, N))], 3 * 8),
    "clamped": ([("i4", (3, N)), ("i4", (3, N))], 3 * 8),
    "growth": ([("f8", (3, N))], 3 * 8),
}
# Replacements after which nothing is proved: all is gathered, which is told.
NEAR_MISSES = {
    "other_maximum": ("online_softmax", "%da = arith.subf %a, %n", "%da = arith.subf %a, %m"),
    "scaled_maximum": ("online_softmax", "%tc = arith.mulf %t, %c", "%tc = arith.mulf %t, %p"),
    "no_absolute": ("log_sum", "math.absf", "math.ceil"),
    "old_mean": ("moments", "%d1 = arith.subf %a, %m1", "%d1 = arith.subf %a, %m"),
    "step_of_two": ("moments", "%one = arith.constant 1", "%one = arith.constant 2"),
    "squared": ("recurrence", "%m = arith.mulf %c, %s", "%m = arith.mulf %s, %s"),
    "divided": ("recurrence", "%m = arith.mulf %c, %s", "%m = arith.divf %c, %s"),
    "on_two_ways": ("recurrence", "%n = arith.subf %m, %d", "%n = arith.subf %m, %s"),
    "wraps": ("clamped", "arith.maxsi", "arith.addi"),
    "relu": ("growth", "%p = arith.mulf %m, %a", "%p = arith.maximumf %m, %a"),
}


def make_input(kind, shape, special, rng):
    if kind[0] == "i":
        return rng.integers(-3, 4, shape).astype(kind)
    values = rng.uniform(-1, 1, shape)
    if special is not None:
        # Whole blocks of it, and single elements.
        values = np.where(rng.random(shape) < 0.3, special, values)
        values[..., : shape[-1] // 3] = special if rng.random() < 0.5 else 0.5
        values[..., shape[-1] // 2 :] = special
        values[..., 0] = 0.25
    return values.astype(kind)


def run_cut(source, name, inputs, mesh, folder, mode, special, seed, *options):
    axes = "tp" if len(mesh) == 1 else "(dp, tp)"
    shard, arguments = {}, []
    rng = np.random.default_rng(seed)
    for k, (kind, shape) in enumerate(inputs):
        np.save(folder / f"in{k}.npy", make_input(kind, shape, special, rng))
        arguments.append(f"--input={k}={folder / f'in{k}.npy'}")
        largest = max(shape)
        if largest > 3:
            shard[f"{name}.arg{k}"] = (
                "[" + ", ".join(axes if size == largest else "_" for size in shape) + "]"
            )
    plan, explain = folder / "plan.json", folder / "explain.json"
    plan.write_text(json.dumps({"mesh": mesh, "shard": shard}))
    result = run(
        "tp-run",
        *(source, "--plan", plan, "--entry", name, "--compare", "--poison", mode),
        *(f"--explain={explain}", *arguments, *options),
    )
    assert result.returncode == 0, result.stderr
    return result, json.loads(explain.read_text())["entries"][name]["collectives"]


@pytest.mark.parametrize("name", PROGRAM)
def test_values_and_parts(name, tmp_path):
    need("tp-run")
    inputs, parts = PROGRAM[name]
    for seed, (mesh, mode, special) in enumerate(RUNS):
        result, made = run_cut(PROGRAMS, name, inputs, mesh, tmp_path, mode, special, seed)
        assert "are gathered" not in result.stderr
        # Rows of blocks that nested axes cut elsewhere.
        sent = [(one["kind"], one["bytes_per_rank"]) for one in made if one["kind"] != "permute"]
        ranks = int(np.prod(list(mesh.values())))
        assert sent == [("all_gather", (ranks - 1) * parts)], made


@pytest.mark.parametrize("case", NEAR_MISSES)
def test_not_proved(case, tmp_path):
    need("tp-run")
    name, old, new = NEAR_MISSES[case]
    text = PROGRAMS.read_text()
    assert old in text
    source = tmp_path / "near.mlir"
    source.write_text(text.replace(old, new))
    inputs, _ = PROGRAM[name]
    result, made = run_cut(source, name, inputs, {"tp": 3}, tmp_path, "--interpret", None, 0)
    assert "by no kind of reduction: they are gathered" in result.stderr
    assert sum(one["bytes_per_rank"] for one in made) > 100, made


def test_each_by_itself(tmp_path):
    need("tp-run")
    inputs = [("f4", (3, N))]
    for seed, (mesh, mode, special) in enumerate(RUNS):
        result, made = run_cut(PROGRAMS, "sum_and_max", inputs, mesh, tmp_path, mode, special, seed)
        kinds = sorted((one["kind"], one["elements"], one["dtype"]) for one in made)
        ranks = int(np.prod(list(mesh.values())))
        # Values and indices of the largest go together.
        assert kinds[1:] == 2 * [("all_reduce", 3, "f32")], made
        assert kinds[0][:2] == ("all_gather", 2 * 3 * ranks), made
