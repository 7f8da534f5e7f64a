"""tp.Module: shared objects of tp-compile --shared against tp-run and the executable."""

import ctypes
import gc
import json
import os
import re
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest
from compiled import Model, need, rejected, run, succeed
from conftest import ROOT

import tp
from tp import module as tp_module
from tp import tiny

sys.path.insert(0, str(ROOT / "test/Integration/Cases"))

import check  # noqa: E402

LLVM_BIN = Path("/usr/lib/llvm-22/bin")
CASES = ("08", "10", "13", "16", "25", "27", "36")

# Every type, one argument cut over the ranks, and a state that counts calls.
VALUES = """
func.func @values(%d: tensor<5xf64> {tp.name = "d"}, %s: tensor<5x3xf32> {tp.name = "s"},
    %h: tensor<5xf16> {tp.name = "h"}, %b: tensor<5xbf16> {tp.name = "b"},
    %l: tensor<5xi64> {tp.name = "l"}, %i: tensor<5xi32> {tp.name = "i"},
    %c: tensor<5xi8> {tp.name = "c"}, %t: tensor<5xi1> {tp.name = "t"},
    %n: index {tp.name = "n"}, %calls: tensor<2xi64> {tp.kind = "state", tp.name = "calls"},
    %w: tensor<5xf32> {tp.kind = "parameter", tp.name = "w"})
    -> (tensor<5xf64>, tensor<5x3xf32>, tensor<5xf16>, tensor<5xbf16>, tensor<5xi64>,
        tensor<5xi32>, tensor<5xi8>, tensor<5xi1>, tensor<5xf32>, index, tensor<2xi64> {tp.alias = 9 : i64}) {
  %0 = arith.addf %d, %d : tensor<5xf64>
  %1 = arith.addf %s, %s : tensor<5x3xf32>
  %2 = arith.addf %h, %h : tensor<5xf16>
  %3 = arith.addf %b, %b : tensor<5xbf16>
  %4 = arith.addi %l, %l : tensor<5xi64>
  %5 = arith.addi %i, %i : tensor<5xi32>
  %6 = arith.addi %c, %c : tensor<5xi8>
  %7 = arith.xori %t, %t : tensor<5xi1>
  %8 = arith.addf %w, %w : tensor<5xf32>
  %9 = arith.addi %n, %n : index
  %one = arith.constant dense<1> : tensor<2xi64>
  %10 = arith.addi %calls, %one : tensor<2xi64>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10 : tensor<5xf64>, tensor<5x3xf32>, tensor<5xf16>,
    tensor<5xbf16>, tensor<5xi64>, tensor<5xi32>, tensor<5xi8>, tensor<5xi1>, tensor<5xf32>, index, tensor<2xi64>
}
"""
VALUES_PLAN = '{"mesh": {"tp": 3}, "shard": {"s": "[tp, _]", "b": "[tp]", "w": "[tp]"}}'

PICK = """\
func.func @pick(%x: tensor<9x4xf32> {tp.name = "x"}, %at: index {tp.name = "at"}) -> tensor<2x4xf32> {
  %0 = tensor.extract_slice %x[%at, 0] [2, 4] [1, 1] : tensor<9x4xf32> to tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}
"""


def library(source, output, *options):
    """Compiles a program to a shared object; the path of that."""
    succeed("tp-compile", source, *options, "--shared", "-o", output)
    return output


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    need("tp-import", "tp-compile", "tp-run")
    return tmp_path_factory.mktemp("module")


@pytest.fixture(scope="module")
def values(folder):
    """(program, plan, module) of VALUES."""
    (folder / "values.mlir").write_text(VALUES)
    (folder / "values.json").write_text(VALUES_PLAN)
    plan = ["--plan", folder / "values.json"]
    path = library(folder / "values.mlir", folder / "libvalues.so", *plan)
    return folder / "values.mlir", folder / "values.json", tp.Module(path)


@pytest.fixture(scope="module")
def pick(folder):
    (folder / "pick.mlir").write_text(PICK)
    (folder / "pick.json").write_text('{"mesh": {"tp": 2}, "shard": {"x": "[_, tp]"}}')
    plan = ["--plan", folder / "pick.json"]
    return tp.Module(library(folder / "pick.mlir", folder / "libpick.so", *plan))


@pytest.fixture(scope="module")
def model(folder):
    checkpoint = tiny.make("gqa9", folder / "hf")
    return Model(checkpoint, folder, "--max-seq", 32, "--chunk", 8, "--batch", 3)


@pytest.fixture(scope="module")
def modules(model):
    """The model's shared objects by numbers of ranks."""
    made = {}

    def get(ranks):
        if ranks not in made:
            mesh = ["--plan", "megatron", "--mesh", f"tp={ranks}"]
            made[ranks] = tp.Module(library(model.ir, model.folder / f"libtp{ranks}.so", *mesh))
        return made[ranks]

    return get


def example(value, k):
    """Reproducible elements for argument k, as numpy takes them."""
    kind = value.dtype
    at = np.arange(int(np.prod(value.shape, dtype=np.int64)))
    if kind == "index":
        return np.full(value.shape, 1, np.int64)
    if kind[0] in "fb":
        wide = np.float64 if kind == "f64" else np.float32
        return (((at + 31 * k) * 7919 % 23 - 11) * 0.26).astype(wide).reshape(value.shape)
    if kind == "i1":
        return (at % 2).astype(np.int8).reshape(value.shape)
    return ((at * 3 + k) % 8).astype(kind.replace("i", "int")).reshape(value.shape)


def tp_run(source, plan, entry, inputs, folder, calls=1):
    """(results, states) of tp-run for arrays by position; parameters are random."""
    options = ["--plan", plan, "--entry", entry, "--output", folder / "out", "--calls", calls]
    for position, array in inputs.items():
        np.save(folder / f"{position}.npy", array)
        options += ["--input", f"{position}={folder / f'{position}.npy'}"]
    succeed("tp-run", source, *options)

    def read(name):
        files = (folder / "out").glob(f"{name}*.npy")
        numbered = {int(file.stem.removeprefix(name)): file for file in files}
        return [np.load(numbered[number]) for number in sorted(numbered)]

    return read("result"), read("state")


def equal(found, wanted):
    assert found.dtype == wanted.dtype and found.shape == wanted.shape
    np.testing.assert_array_equal(found, wanted)


@pytest.mark.parametrize(
    "case",
    [
        pytest.param(case, id=f"{case['file']}-{case['variant']}".rstrip("-"))
        for case in check.load_entries()
        if case["file"][:2] in CASES and case.get("error") != "must"
    ],
)
def test_cases_equal_tp_run(case, tmp_path):
    need("tp-compile", "tp-run")
    source, plan = tmp_path / "case.mlir", tmp_path / "plan.json"
    source.write_text(check.read_program(case))
    plan.write_text(json.dumps(case["plan"]))
    module = tp.Module(library(source, tmp_path / "libcase.so", "--plan", plan))
    entry = module.entries[case["entry"]]
    arrays = {k: example(a, k) for k, a in enumerate(entry.arguments) if a.kind == "input"}
    wanted, states = tp_run(source, plan, entry.name, arrays, tmp_path)
    with module.session(random=True, threads=1, check_collectives=True) as session:
        found = session.call(entry.name, *arrays.values())
        kept = [r for r, v in zip(wanted, entry.results, strict=True) if v.state is None]
        for f, w in zip(found, kept, strict=True):
            equal(f, w)
        named = [a.name for a in entry.arguments if a.kind == "state"]
        for name, state in zip(named, states, strict=True):
            equal(session.get(name), state)


def test_every_type(values, tmp_path):
    source, plan, module = values
    entry = module.entries["values"]
    arrays = {k: example(a, k) for k, a in enumerate(entry.arguments) if a.kind == "input"}
    wanted, states = tp_run(source, plan, "values", arrays, tmp_path, calls=2)
    named = {entry.arguments[k].name: array for k, array in arrays.items()}
    with module.session(random=True, threads=1) as session:
        session.call("values", **named)
        for found, expected in zip(session.call("values", **named), wanted, strict=False):
            equal(found, expected)
        equal(session.get("calls"), states[0])
        equal(wanted[-1], states[0])
        session.reset()
        equal(session.get("calls"), np.zeros(2, np.int64))
        session.set("calls", [5, 7])
        session.call("values", **named)
        assert session.get("calls").tolist() == [6, 8]
        # Numbers and lists of no type, other layouts, bool; a parameter set by hand.
        other = {
            "d": [1, 2, 3, 4, 5],
            "s": np.asfortranarray(named["s"]),
            "h": named["h"].astype(np.float16),
            "l": named["l"].astype(">i8"),
            "i": list(range(5)),
            "t": named["t"].astype(bool),
            "n": 3,
        }
        session.set("w", np.arange(5, dtype=np.float32))
        found = session.call("values", **{**named, **other})
        assert found[0].tolist() == [2, 4, 6, 8, 10]
        equal(found[1], wanted[1])
        equal(found[2], (2 * named["h"].astype(np.float16)).astype(np.float32))
        equal(found[4], wanted[4])
        assert found[5].tolist() == [0, 2, 4, 6, 8]
        assert found[8].tolist() == [0, 2, 4, 6, 8] and found[9] == 6
        equal(session.get("w"), np.arange(5, dtype=np.float32))


def test_describes_itself(values, modules):
    module = values[2]
    assert module.mesh == {"tp": 3} and module.num_ranks == 3 and module.language_model is None
    entry = module.entries["values"]
    assert [v.name for v in entry.inputs] == list("dshblict") + ["n"]
    assert [(v.kind, v.dtype, v.shape) for v in entry.arguments[-2:]] == [
        ("state", "i64", (2,)),
        ("parameter", "f32", (5,)),
    ]
    assert entry.results[-1].state == 9 and len(entry.outputs) == 10
    assert entry.arguments[1].sharding == "[tp, _]"
    assert '"version":1' in module.manifest.replace(" ", "")
    language = modules(2).language_model
    assert (language.batch, language.chunk, language.max_seq) == (3, 8, 32)
    assert set(modules(2).entries) == {"prefill", "decode"}


# --- Language models --------------------------------------------------------

ROWS = [[3, 10, 17, 24, 31, 38, 45, 52, 59], [5], [9, 8, 7]]


@pytest.mark.parametrize("ranks", [1, 2, 3, 4])
@pytest.mark.parametrize(
    "sampling", [{}, {"temperature": 1.5, "top_k": 40, "top_p": 0.9, "seed": 2**64 - 1}]
)
def test_tokens_equal_the_executables(model, modules, tmp_path, ranks, sampling):
    options = ["--weights", model.checkpoint, "--generate", 6, "--logits", tmp_path / "l.npy"]
    for name, value in sampling.items():
        options.append(f"--{name.replace('_', '-')}={value}")
    text = ";".join(",".join(map(str, row)) for row in ROWS)
    lines = succeed(model.executable(ranks), "--tokens", text, *options).splitlines()
    with modules(ranks).session(weights=model.checkpoint, threads=1) as session:
        told = [[] for _ in ROWS]
        tokens, logits = session.generate(
            ROWS,
            count=6,
            logits=True,
            on_token=lambda row, token: told[row].append(token),
            **sampling,
        )
        assert [",".join(map(str, row)) for row in tokens] == lines
        assert told == tokens
        wanted = np.load(tmp_path / "l.npy")
        for row, new in enumerate(tokens):
            equal(logits[row, : len(new)], wanted[row, : len(new)])
        # A row by itself, and again: nothing is left of the call before.
        alone = session.generate(ROWS[:1], count=6, **sampling)
        assert alone == tokens[:1] == session.generate(ROWS[:1], count=6, **sampling)
        assert len(session.generate([[1, 2]])[0]) <= 16


def test_entries_and_generation_share_a_session(model, modules):
    """Calls by hand between generations neither disturb these nor are disturbed."""
    module = modules(2)
    with module.session(weights=model.checkpoint, threads=1) as session:
        before = session.generate([[5, 6, 7]], count=4)
        batch = module.language_model.batch
        tokens = np.zeros((batch, 8), np.int64)
        tokens[0, :3] = [5, 6, 7]
        session.reset()
        first, logits = session.call(
            "prefill", tokens=tokens, n_valid=[3] + [1] * (batch - 1), pos=[0] * batch
        )
        assert first[0] == before[0][0] == logits[0].argmax()
        assert session.generate([[5, 6, 7]], count=4) == before
        weight = session.get("model.norm.weight")
        session.set("model.norm.weight", np.zeros_like(weight))
        assert session.generate([[5, 6, 7]], count=2) == [[0, 0]]
        session.set("model.norm.weight", weight)
        assert session.generate([[5, 6, 7]], count=4) == before


def test_a_callback_ends_the_generation(model, modules):
    with modules(2).session(weights=model.checkpoint, threads=1) as session:
        whole = session.generate([[5, 6, 7]], count=4)

        def stop(row, token):
            raise StopIteration

        assert session.generate([[5, 6, 7]], count=4, on_token=stop) == [whole[0][:1]]

        def fail(row, token):
            raise KeyError("mine")

        with pytest.raises(KeyError, match="mine"):
            session.generate([[5, 6, 7]], count=4, on_token=fail)
        assert session.generate([[5, 6, 7]], count=4) == whole


def test_figures(model, modules):
    with modules(2).session(weights=model.checkpoint, stats=True) as session:
        new = session.generate([[5, 6, 7]], count=4)
        figures = session.activity("decode", rank=1)
        assert figures["calls"] == len(new[0]) - 1 == figures["tokens"]
        assert 0 < figures["wait_seconds"] + figures["copy_seconds"] <= figures["rank_seconds"]
        assert figures["collectives"] > 0 and figures["bytes_sent"] > 0
        memory = session.memory()
        parts = [memory[kind] for kind in ("weights", "state", "arena", "workspace")]
        assert min(parts) > 0 and sum(parts) == memory["peak"] and memory["load_seconds"] > 0


# --- What goes wrong --------------------------------------------------------


def test_other_attributes():
    with pytest.raises(AttributeError, match="module 'tp' has no attribute 'Modul'"):
        tp.Modul


def fails(function, *parts, status=2):
    """The error of a call, which must say what it is about."""
    with pytest.raises(tp.ModuleError) as caught:
        function()
    error = caught.value
    text = "\n".join([str(error), *error.notes])
    for part in parts:
        assert part in text, text
    assert error.status == status and "\n" not in str(error)
    return error


def test_wrong_calls(values):
    module = values[2]
    good = {v.name: example(v, k) for k, v in enumerate(module.entries["values"].inputs)}
    with module.session(random=True) as session:

        def call(**changes):
            given = {**good, **changes}
            return session.call("values", **{k: v for k, v in given.items() if v is not None})

        fails(lambda: call(s=good["s"].astype(np.float64)), "'s' of 'values'", "f32, found f64")
        fails(lambda: call(i=good["i"].astype(np.int64)), "'i' of 'values'", "i32, found i64")
        fails(lambda: call(s=good["s"].T), "expected shape [5, 3], found [3, 5]")
        fails(lambda: call(s=1.5), "expected shape [5, 3] of rank 2, found rank 0")
        fails(lambda: call(s=None), "input 's' of entry 'values' is not given")
        fails(lambda: call(z=good["s"]), "no argument 'z'", "inputs: 'd', 's'")
        fails(lambda: call(w=good["b"]), "'w' of 'values' is a parameter, not an input")
        fails(lambda: call(t=[0, 1, 2, 0, 1]), "'t'", "must be 0 or 1, found 2 at [2]")
        fails(lambda: call(c=[1, 2, 3, 4, 300]), "'c': 300 does not fit i8")
        fails(lambda: call(c=[np.array(-129), 0, 0, 0, 0]), "'c': -129 does not fit i8")
        fails(lambda: call(l=[2**63] * 5), f"'l': {2**63} does not fit i64")
        fails(lambda: call(l=[10**5000] * 5), "'l'", "i64")
        fails(lambda: call(s=[[1e300] * 3] * 5), "'s': 1e+300 does not fit f32")
        fails(lambda: call(h=[65520.0] * 5), "'h': 65520.0 does not fit f16")
        fails(lambda: call(b=[-3.4e38] * 5), "'b': -3.4e+38 does not fit bf16")
        fails(lambda: call(s=[[1, 2], [3]]), "'s': expected an array of shape [5, 3], found [[1, ")
        fails(lambda: call(s={}), "'s'", "f32", "object")
        fails(lambda: call(i=[1.5] * 5), "'i'", "i32, found f64")
        fails(
            lambda: call(d=np.array(["a"] * 5)),
            "'d': expected elements of type f64, found numpy's <U1",
        )
        fails(lambda: call(l=good["l"].astype(np.uint64)), "'l'", "uint64")
        fails(
            lambda: session.call("values", *good.values(), 1),
            "entry 'values' has 9 inputs, found 10",
        )
        fails(
            lambda: session.call("values", good["d"], d=good["d"]),
            "input 'd' of entry 'values' is given twice",
        )
        fails(lambda: session.call("value"), "no entry 'value'", "entries: 'values'")
        fails(lambda: session.get("ww"), "no parameter or state 'ww'", "near name: 'w'")
        fails(lambda: session.set("w", [1.0]), "'w': expected shape [5], found [1]")
        fails(lambda: session.get("w\0"), "'w\\x00' is no name")
        fails(lambda: session.get("\udc80"), r"'\udc80' is no name")
        fails(lambda: session.set(b"w", 1), "b'w' is no name")
        fails(lambda: session.set("w", [[1], 2]), "'w': expected an array of shape [5]")
        fails(lambda: session.call(["values"]), "['values'] is no name")
        fails(lambda: session.call("\udc80"), r"'\udc80' is no name")
        fails(lambda: call(**{"\udc80": 1}), r"'\udc80' is no name")
        fails(lambda: session.generate([[1]]), "no language model")
        fails(lambda: session.activity("values"), "measures nothing")
        fails(
            lambda: session.activity("values", 2**32),
            f"rank must be from {-(2**31)} to {2**31 - 1}, found {2**32}",
        )
        fails(lambda: session.activity("values", "a"), "rank must be an integer, found 'a'")
        assert len(call()) == 10
        # What rounds to a number of the type fits.
        found = call(h=[65519.0] * 5, s=[[3.4028235e38, -np.inf, np.nan]] * 5)
        assert found[2][0] == np.inf  # 2 x 65504
        equal(found[1][0], np.float32([np.inf, -np.inf, np.nan]))
    fails(lambda: session.call("values", **good), "the session is closed")
    session.close()
    with module.session() as session:
        fails(lambda: session.call("values", **good), "parameter 'w' of 'values' has no value")
    for options, part in [
        ({"threads": 1025}, "1025"),
        ({"threads": -1}, "-1"),
        ({"threads": 2**40}, str(2**40)),
        ({"seed": -1}, "seed"),
        ({"seed": 2**64}, str(2**64)),
        ({"timeout": -1.0}, "timeout_seconds"),
        ({"timeout": "a"}, "timeout must be a number, found 'a'"),
        ({"timeout": np.ones(2)}, "timeout must be a number, found array([1., 1.])"),
        ({"timeout": 10**5000}, "timeout must be a number, found an object of type int"),
        ({"timeout": np.nan}, "timeout_seconds"),
        ({"threads": 1.0}, "threads must be an integer, found 1.0"),
        ({"threads": 10**5000}, "threads must be from"),
        ({"random": "x"}, "random must be True or False, found 'x'"),
        ({"random": 2}, "random must be True or False, found 2"),
        ({"stats": None}, "stats must be True or False, found None"),
        ({"check_collectives": 0.0}, "check_collectives must be True or False, found 0.0"),
        ({"check_finite": np.ones(2)}, "check_finite must be True or False, found array("),
        ({"poison": "no " * 50}, "poison must be True or False, found 'no no"),
        ({"weights": 5}, "weights must be a path, found 5"),
        ({"weights": "a\0b"}, "weights must be a path, found 'a\\x00b'"),
        ({"weights": "\ud800"}, r"weights must be a path, found '\ud800'"),
        ({"weights": ""}, "no such directory"),
        ({"weights": "/nowhere"}, "/nowhere"),
        ({"weights": "/nowhere", "random": True}, "exclude"),
    ]:
        fails(lambda options=options: module.session(**options), part)
    fails(lambda: tp_module.Session(None), "module must be a tp.Module, found None")
    with module.session(random=np.True_, stats=1, timeout=np.float32(2)) as session:
        assert session.activity("values", rank=np.int64(1))["calls"] == 0


def test_wrong_prompts(model, modules):
    with modules(2).session(weights=model.checkpoint) as session:
        fails(lambda: session.generate([[1, 97]]), "token id 97 is out of range")
        fails(lambda: session.generate([[1, -1]]), "token id -1 is out of range")
        fails(lambda: session.generate([[]]), "no tokens")
        fails(lambda: session.generate([]), "rows of tokens, found 0")
        fails(lambda: session.generate([[1]] * 4), "compiled for 3 rows of tokens, found 4")
        fails(lambda: session.generate([[1] * 33]), "prompt of 33 tokens")
        fails(lambda: session.generate([[1]], count=32), "exceed the program's 32")
        fails(lambda: session.generate([[1]], count=-1), "count")
        fails(lambda: session.generate([[1]], temperature=-1), "temperature")
        fails(lambda: session.generate([[1]], top_p=0), "top_p")
        fails(lambda: session.generate([[1]], top_k=-1), "top_k")
        fails(lambda: session.generate([[1]], seed=2**64), "seed")
        fails(lambda: session.generate([["1"]]), "token id must be an integer")
        fails(lambda: session.generate([[2**63]]), f"token id must be from {-(2**63)}")
        fails(
            lambda: session.generate(None),
            "prompts must be rows of token ids, as [[1, 2], [3]], found None",
        )
        fails(lambda: session.generate([1, 2]), "prompts must be rows", "found [1, 2]")
        fails(lambda: session.generate([[1]], top_p="a"), "top_p must be a number, found 'a'")
        fails(lambda: session.generate([[1]], temperature=1j), "temperature must be a number")
        fails(lambda: session.generate([[1]], temperature=10**400), "temperature must be a number")
        fails(lambda: session.generate([[1]], top_k=1.0), "top_k must be an integer, found 1.0")
        fails(lambda: session.generate([[1]], count="4"), "count must be an integer, found '4'")
        fails(lambda: session.generate([[1]], logits="l"), "logits must be True or False")
        fails(lambda: session.generate([[1]], on_token=3), "on_token must be a function, found 3")
        rows = np.array([[1, 2], [3, 4]], np.int32)
        assert session.generate(rows, 3) == session.generate([[1, 2], [3, 4]], count=3)


def test_missing_weights(model, modules, tmp_path):
    from safetensors.numpy import load_file, save_file

    shutil.copytree(model.checkpoint, tmp_path / "hf")
    tensors = load_file(tmp_path / "hf/model.safetensors")
    del tensors["model.norm.weight"]
    save_file(tensors, tmp_path / "hf/model.safetensors")
    open_ = modules(2).session
    fails(lambda: open_(weights=tmp_path / "hf"), "model.safetensors", "'model.norm.weight'")
    fails(lambda: open_(weights=tmp_path), str(tmp_path))


def test_failure_at_run_time(pick, folder):
    x = np.arange(36, dtype=np.float32).reshape(9, 4)
    arguments = ["--plan", folder / "pick.json", "--input", "at=8"]
    message = run("tp-run", folder / "pick.mlir", *arguments).stderr
    with pick.session(threads=1) as session, pick.session(threads=1) as other:
        equal(session.call("pick", x, 7)[0], x[7:9])
        error = fails(lambda: session.call("pick", x, 8), "pick.mlir:2:8", "outside", status=3)
        assert f"error: {error}" in message
        fails(lambda: session.call("pick", x, 0), "reset the states", status=13)
        equal(other.call("pick", x, 1)[0], x[1:3])
        session.reset()
        equal(session.call("pick", x, 0)[0], x[0:2])


def test_check_finite(pick):
    x = np.zeros((9, 4), np.float32)
    x[3, 2] = np.nan
    with pick.session(check_finite=True) as session:
        equal(session.call("pick", x, 0)[0], x[0:2])
        fails(lambda: session.call("pick", x, 2), "nan at index [1, 2]", status=9)


def test_files_that_are_no_modules(pick, folder, tmp_path):
    fails(lambda: tp.Module(tmp_path / "none.so"), "none.so")
    for wrong in (None, 3, "a\0b", b"a\0b", "\ud800"):
        fails(lambda wrong=wrong: tp.Module(wrong), f"path must be a path, found {wrong!r}")
    fails(lambda: tp.Module(b"\xff.so"), r".so")
    (tmp_path / "text.so").write_text("text")
    fails(lambda: tp.Module(tmp_path / "text.so"), "text.so")
    source = tmp_path / "empty.c"
    source.write_text("int nothing;\n")
    compile_c(source, tmp_path / "empty.so", "-shared")
    fails(
        lambda: tp.Module(tmp_path / "empty.so"),
        "empty.so: no module that tp-compile --shared made (it has no tprt_api)",
    )
    source.write_text(
        "void *tprt_api(int version) { static int none; return version < 0 ? &none : 0; }\n"
    )
    compile_c(source, tmp_path / "old.so", "-shared")
    fails(lambda: tp.Module(tmp_path / "old.so"), "old.so: the module has no API version ")
    # A file that is compiled anew is not what the process has loaded.
    path = library(folder / "pick.mlir", tmp_path / "lib.so", "--plan", folder / "pick.json")
    tp.Module(path)
    assert tp.Module(path).num_ranks == 2
    library(folder / "pick.mlir", path, "--plan", "replicated", "--mesh", "tp=1")
    fails(lambda: tp.Module(path), ": the file has changed since this process loaded it")


def test_compiling_what_cannot_be(folder, pick, tmp_path):
    source = folder / "pick.mlir"
    plan = ["--plan", folder / "pick.json", "--shared"]
    rejected(run("tp-compile", source, *plan, "--emit=obj", "-o", tmp_path / "x"), "--shared")
    rejected(run("tp-compile", source, *plan), "no output file")
    rejected(run("tp-compile", source, *plan, "--report"), "no output file")
    rejected(run("tp-compile", source, *plan, *plan, "--report"), "--shared")
    rejected(run("tp-compile", source, *plan, "-o", tmp_path / "none/x.so"), "none/x.so")
    assert list(tmp_path.iterdir()) == []


# --- Processes, threads, symbols --------------------------------------------


def test_two_modules_and_threads(model, modules, pick):
    """Sessions of two modules in threads of one process; one session is one thread's."""
    x = np.arange(36, dtype=np.float32).reshape(9, 4)
    two, three = modules(2), modules(3)
    with two.session(weights=model.checkpoint, threads=1) as session:
        wanted = session.generate(ROWS, count=6)
    wrong = []

    def generate(module):
        with module.session(weights=model.checkpoint, threads=1) as session:
            wrong.extend(session.generate(ROWS, count=6) != wanted for _ in range(3))

    def slices():
        with pick.session(threads=1) as session:
            for at in [0, 3, 7] * 10:
                wrong.append((session.call("pick", x, at)[0] != x[at : at + 2]).any())

    work = [(generate, two), (generate, two), (generate, three), (slices,), (slices,)]
    threads = [threading.Thread(target=f, args=a) for f, *a in work]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(wrong) == 9 + 60 and not any(wrong)

    with two.session(weights=model.checkpoint, threads=1) as session:
        seen = []

        def other_thread(row, token):
            def use():
                seen.append(fails(session.reset, "in use", status=11))
                seen.append(fails(session.close, "in use", status=11))

            thread = threading.Thread(target=use)
            thread.start()
            thread.join()
            seen.append(fails(session.memory, "in use", status=11))

        session.generate([[1, 2]], count=1, on_token=other_thread)
        assert len(seen) == 3
        assert session.generate(ROWS, count=6) == wanted


def test_a_session_is_one_threads(pick):
    """Threads that share a session are told so or get what they asked for, never a mixture."""
    x = np.arange(36, dtype=np.float32).reshape(9, 4)
    told, right = [], []
    with pick.session(threads=1) as session:

        def use(at):
            for _ in range(100):
                try:
                    right.append((session.call("pick", x, at)[0] == x[at : at + 2]).all())
                except tp.ModuleError as error:
                    told.append(error.status)

        threads = [threading.Thread(target=use, args=(at,)) for at in (0, 3, 7)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert len(told) + len(right) == 300 and right and all(right) and set(told) <= {11}


def test_sessions_end_with_their_last_reference(pick):
    def threads():
        return len(os.listdir("/proc/self/task"))

    gc.collect()
    before = threads()
    session = pick.session(threads=1)
    assert threads() == before + 1  # rank 1
    del session
    gc.collect()
    assert threads() == before
    with tp.Module(pick.path) as module:
        session = module.session(threads=1)
    fails(session.reset, "closed")
    assert threads() == before


def test_forked_process(pick):
    session = pick.session(threads=1)
    child = os.fork()
    if not child:
        try:
            session.reset()
        except tp.ModuleError as error:
            os._exit(0 if "fork" in str(error) else 1)
        os._exit(2)
    assert os.waitpid(child, 0)[1] == 0
    session.close()


def api_functions():
    """{name: result type} of tprt/api.def."""
    text = (ROOT / "runtime/include/tprt/api.def").read_text()
    return {n: r for r, n in re.findall(r"^TPRT_FUNCTION\((.+?), (\w+), ", text, re.M)}


def test_exports_are_the_interface(pick):
    text = succeed(LLVM_BIN / "llvm-nm", "-D", "--defined-only", "-j", pick.path)
    functions = api_functions()
    assert sorted(text.split()) == sorted(["tprt_api", *(f"tprt_{name}" for name in functions)])
    needed = succeed(LLVM_BIN / "llvm-readelf", "-d", pick.path)
    libraries = set(re.findall(r"NEEDED.*\[(.*)\]", needed))
    assert all(re.match(r"lib(c|m|dl|pthread)\.so|ld-linux", name) for name in libraries)
    # The Python side knows every function.
    checked = {name for name, result in functions.items() if result == "tprt_status_t"}
    assert set(tp_module._FUNCTIONS) == checked


def test_structures_are_those_of_the_header(tmp_path):
    """Sizes and offsets in tp.module as C has them."""
    names = {
        "_Axis": "axis_info",
        "_Entry": "entry_info",
        "_Value": "value_info",
        "_LanguageModel": "language_model_info",
        "_Array": "array",
        "_SessionOptions": "session_options",
        "_GenerateOptions": "generate_options",
        "_Memory": "memory",
        "_Activity": "activity",
    }
    lines, wanted = [], []
    for python, c in names.items():
        structure = getattr(tp_module, python)
        wanted.append(ctypes.sizeof(structure))
        lines.append(f"sizeof(tprt_{c}_t)")
        for field, _ in structure._fields_:
            wanted.append(getattr(structure, field).offset)
            lines.append(f"offsetof(tprt_{c}_t, {field})")
    prints = "\n".join(f'  printf("%zu\\n", {line});' for line in lines)
    source = tmp_path / "sizes.c"
    source.write_text(
        f'#include "tprt/api.h"\n#include <stdio.h>\nint main(void) {{\n{prints}\n  return 0;\n}}\n'
    )
    compile_c(source, tmp_path / "sizes")
    assert [int(line) for line in succeed(tmp_path / "sizes").split()] == wanted
    status = (ROOT / "runtime/include/tprt/status.h").read_text()
    for name in ("BUSY", "STOPPED"):
        assert f"TPRT_{name} = {getattr(tp_module, f'_{name}')}," in status


def compile_c(source, output, *options):
    flags = ["-std=c99", "-Wall", "-Wextra", "-pedantic", "-Werror", f"-I{ROOT}/runtime/include"]
    succeed(Path("/usr/bin/clang-22"), *flags, source, *options, "-o", output)


def test_needs_nothing_else_of_the_project(pick, tmp_path):
    """One Python file, one shared object, elsewhere and with a bare environment."""
    shutil.copy(ROOT / "python/tp/module.py", tmp_path / "module.py")
    shutil.copy(pick.path, tmp_path / "moved.so")
    script = (
        "import module, numpy\n"
        "with module.Module('moved.so').session() as s:\n"
        "    print(s.call('pick', numpy.ones((9, 4), numpy.float32), 3)[0].sum())\n"
    )
    result = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, env={}, capture_output=True, text=True
    )
    assert result.stdout == "8.0\n", result.stderr
