"""Ranges of NVTX, by a profiler that writes them down, on processors and on emulated GPUs."""

import pytest
from compiled import BIN, output_of
from conftest import ROOT
from jobs import start

from tp import tiny

RECORDER = ROOT / "build/test/Emulator/RecordRanges.so"
EMULATE = ROOT / "tools/emulate"


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    folder = tmp_path_factory.mktemp("profiler")
    source = folder / "model.mlir"
    output_of(BIN / "tp-import", tiny.make("llama3", folder / "hf"), "-o", source)
    return source


def compiled(model, target, ranks):
    program = model.with_name(f"{target.replace(':', '-')}-{ranks}")
    if not program.exists():
        mesh = ("--plan", "megatron", "--mesh", f"tp={ranks}", "--target", target)
        output_of(BIN / "tp-compile", model, *mesh, "-o", program)
    return program


def generate(program, *options, prefix=(), **environment):
    """Tokens that a program generates: a prefill of three tokens and four steps."""
    how = ("--random-weights", 1, "--tokens", "1,2,3", "--generate", 5)
    return output_of(*prefix, program, *how, *options, **environment)


def ranges_of(path):
    """Per thread, the outermost ranges as (name, names of the ranges in it)."""
    threads = {}
    for line in path.read_text().splitlines():
        thread, what, *name = line.split(" ", 2)
        done, opened = threads.setdefault(thread, ([], []))
        if what == "push":
            (opened[-1][1] if opened else done).append((name[0], []))
            opened.append((opened[-1][1] if opened else done)[-1])
        else:
            opened.pop()  # what was never opened fails
    assert not any(opened for _, opened in threads.values())
    return [done for done, _ in threads.values()]


def names(entry):
    return [name for name, inner in entry[1]]


@pytest.mark.parametrize(
    "target, options, graphs",
    [
        ("cpu", (), False),
        ("cuda:emulated", (), True),
        ("cuda:emulated", ("--no-graphs",), False),
        ("cuda:emulated", ("--virtual-ranks", "2"), False),
    ],
)
def test_ranges(model, tmp_path, target, options, graphs):
    """Entries, and in them launches, products and collectives by their places in the program.

    A graph has those of its making; what launches it later is the range of the entry alone.
    """
    program = compiled(model, target, 2)
    prefix = () if target == "cpu" else (EMULATE,)
    expected = generate(program, *options, prefix=prefix)
    out = tmp_path / "ranges"
    profiler = {"NVTX_INJECTION64_PATH": str(RECORDER), "TP_RANGES": str(out)}
    assert generate(program, *options, prefix=prefix, **profiler) == expected
    ranks = [thread for thread in ranges_of(out) if thread]
    assert len(ranks) == 2
    for calls in ranks:
        assert [name for name, _ in calls] == ["prefill"] + 4 * ["decode"]
        first, second, third, last = calls[1:]
        # The sums over what is cut by rows; products of few rows become parts of kernels.
        for place in ("self_attn.o_proj", "mlp.down_proj"):
            place = f"model.layers.0.{place}"
            assert names(calls[0]).count(f"{place}.all_reduce") == 1
            assert f"{place}.gemm" in names(calls[0])
            assert names(first).count(f"{place}.all_reduce") == 1
        assert "model.layers.0.self_attn.kernel" in names(first)
        assert not any(inner for _, inner in first[1])
        assert names(second) == names(first)
        assert names(third) == names(last) == ([] if graphs else names(first))


@pytest.mark.parametrize("target", ["cpu", "cuda:emulated"])
def test_ranges_of_processes(model, tmp_path, target):
    """Each process has the ranges of its rank, as threads have, and its own profiler."""
    program = compiled(model, target, 2)
    prefix = () if target == "cpu" else (EMULATE,)
    expected = generate(program, prefix=prefix)
    profiler = {"NVTX_INJECTION64_PATH": RECORDER}
    how = ("--random-weights", 1, "--tokens", "1,2,3", "--generate", 5)
    done = start(
        *(2, *prefix, program, *how),
        of=lambda rank: {**profiler, "TP_RANGES": tmp_path / str(rank)},
    )
    assert (done.stdout, done.returncode) == (expected, 0), done.stderr
    threads = tmp_path / "threads"
    generate(
        program,
        prefix=prefix,
        **{name: str(value) for name, value in profiler.items()},
        TP_RANGES=str(threads),
    )
    for rank in range(2):
        (calls,) = (thread for thread in ranges_of(tmp_path / str(rank)) if thread)
        assert [name for name, _ in calls] == ["prefill"] + 4 * ["decode"]
        assert calls in ranges_of(threads)
        assert "model.layers.0.mlp.down_proj.all_reduce" in names(calls[0])


def test_profilers_that_do_not_attach(model, tmp_path):
    """No file, no profiler's library, one that refuses: the program runs as without."""
    program = compiled(model, "cpu", 2)
    expected, out = generate(program), tmp_path / "ranges"
    for path, more in (
        (tmp_path / "none.so", {}),
        ("libm.so.6", {}),
        (RECORDER, {"TP_RANGES_REFUSES": "1"}),
    ):
        more = {"NVTX_INJECTION64_PATH": str(path), "TP_RANGES": str(out), **more}
        assert generate(program, **more) == expected
    assert not out.exists()
