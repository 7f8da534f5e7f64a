"""tools/gpu-check: what it packs and what it finds, on emulated devices."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from conftest import ROOT

sys.path[:0] = [str(ROOT / "tools/dev"), str(ROOT / "tools/dev/gpucheck")]

import arrays  # noqa: E402
import pack  # noqa: E402
import rates  # noqa: E402
import speed  # noqa: E402
import steps  # noqa: E402

EMULATE = ROOT / "tools/emulate"


def run(*command, **environment):
    return subprocess.run(
        [str(part) for part in command],
        capture_output=True,
        text=True,
        env={**os.environ, **environment},
    )


@pytest.fixture(scope="module")
def packed(tmp_path_factory):
    folder = tmp_path_factory.mktemp("gpu-check") / "pack"
    done = run(sys.executable, ROOT / "tools/dev/gpu_pack.py", "--pack", folder, "--small")
    assert done.returncode == 0, done.stderr
    return folder


def check(folder, *options, **environment):
    """The exit code, the page and the rows by name of a run by the folder's own checker."""
    # tools/emulate sets the libraries; what is given here counts.
    command = [EMULATE, "env", *(f"{name}={value}" for name, value in environment.items())]
    done = run(*command, folder / "gpu-check", *options)
    found = json.loads((folder / "found/gpu-check.json").read_text())
    assert done.stdout == (folder / "found/gpu-check.txt").read_text()
    return done.returncode, done.stdout, {row["name"]: row for row in found["rows"]}


def test_everything(packed):
    """Each row of the small pack is right on the emulated device; tools that lack are rows."""
    code, page, rows = check(packed)
    assert code == 0, page
    states = {name: row["state"] for name, row in rows.items() if row["state"] != "ok"}
    assert all(state == "skipped" for state in states.values()), states
    entries = json.loads((packed / "pack.json").read_text())["entries"]
    assert len(entries) > 15 and all(rows[e["name"]]["state"] == "ok" for e in entries)
    assert {"products", "attention", "norms", "reductions"} <= {e["group"] for e in entries}
    for name in ("small decoder f32, 1 rank", "small decoder bf16, 3 ranks"):
        assert rows[name]["state"] == "ok" and rows[name]["found"] < 4e-2
    for title in ("decode", "prefill", "trace", "other kernels", "products", "launch gaps"):
        assert rows[f"small, chunk 8: {title}"]["state"] == "ok", page
    assert "small, chunk 8, step, kernels by time" in page
    found = json.loads((packed / "found/gpu-check.json").read_text())
    # Each kernel and each collective has its work and the time that this predicts.
    for part, collectives in (
        ("small, chunk 8, prefill", 0),
        ("small, chunk 8, step", 0),
        ("small decoder bf16, 3 ranks, decode", 4),
        ("small decoder bf16, 3 virtual ranks, prefill", 4),
    ):
        rows = found["kernels"][part]
        assert len(rows) > 5
        assert all(row["flops"] is not None and row["bytes"] is not None for row in rows), rows
        sums = [row for row in rows if row["what"] in speed.COLLECTIVES]
        assert len(sums) >= collectives
        # The link between emulated devices is not known.
        for row in rows:
            assert (row["predicted"] is None) == ("3 ranks" in part and row in sums), row
    assert found["rates"]["memory"]["source"] == "copies in its memory, measured"
    assert "  memory: " in page and "(copies in its memory, measured)" in page
    names = ["device", "decoder", "entries", "ranks", "speed", "times of ranks", "sanitizer"]
    assert [phase["name"] for phase in found["phases"]] == names
    size = sum(path.stat().st_size for path in packed.rglob("*") if path.is_file())
    assert size < 64 << 20


def test_wrong_values_are_found(packed, tmp_path):
    """One element of one result, and one logit, that processors gave otherwise."""
    folder = tmp_path / "pack"
    shutil.copytree(packed, folder, ignore=shutil.ignore_patterns("found"))
    name = "product_f32_wide_nt_33x65x40"
    for file in (f"{name}.0.npy", "small-decoder-f32.npy"):
        golden = np.load(folder / "golden" / file)
        golden.flat[golden.size // 2] += 1e-3 * abs(golden).max()
        np.save(folder / "golden" / file, golden)
    code, page, rows = check(folder, "--only", "product_f32", "--only", "decoder f32, 1")
    assert code == 1
    assert rows[name]["state"] == "failed", page
    assert re.fullmatch(
        r"element \[16, 32\] is .*, expected .*: differs by 0.001 of the largest, 2e-05 is allowed",
        rows[name]["detail"],
    )
    assert "of step 2 differs by 0.001" in rows["small decoder f32, 1 rank"]["detail"]
    assert rows["product_f32_wide_nn_5x17x33x9"]["state"] == "ok"
    assert f"{name}: failed: element" in page


def test_programs_that_fail_are_rows(packed, tmp_path):
    """A program that is missing, or ends by a signal, does not end the check."""
    folder = tmp_path / "pack"
    shutil.copytree(packed, folder, ignore=shutil.ignore_patterns("found"))
    (folder / "programs/small-decoder-f32-1").unlink()
    program = folder / "programs/small-decoder-bf16-1"
    program.write_text("#!/bin/sh\nkill -SEGV $$\n")
    (folder / "programs/entries").chmod(0o644)
    (folder / "programs/small-decoder-bf16-2").write_text("#!/bin/sh\necho a help of little\n")
    code, page, rows = check(
        folder, "--only", "1 rank", "--only", "2 virtual", "--only", "casts", "--only", "memory",
        TPRT_CUDA="libc.so.6",
    )  # fmt: skip
    assert code == 1
    assert rows["copies in the device's memory"]["detail"].startswith("the driver is too old: ")
    skipped = rows["small decoder bf16, 2 virtual ranks"]
    assert (skipped["state"], skipped["detail"]) == (
        "skipped",
        "the program has no --virtual-ranks",
    )
    assert "No such file" in rows["small decoder f32, 1 rank"]["detail"]
    assert rows["small decoder bf16, 1 rank"]["detail"].startswith("ended by signal 11")
    assert "no device" in page and rows["casts"]["state"] == "failed"


def test_budget_ends_it(packed):
    """Steps without time are rows, and no failures."""
    code, page, rows = check(packed, "--seconds", "0.01")
    assert code == 0, page
    assert (rows["casts"]["state"], rows["casts"]["detail"]) == ("no time", "no time was left")
    assert rows["small, chunk 8: decode"]["state"] == "no time"
    assert rows["small, chunk 8: launch gaps"]["detail"] == "speed was not measured"


def test_sanitizers(packed, tmp_path):
    """compute-sanitizer runs one entry of each kind; what it finds is a failed row."""
    fake = tmp_path / "compute-sanitizer"
    fake.write_text(
        "#!/bin/sh\n"
        'case $2 in racecheck) echo "ERROR SUMMARY: 3 hazards" >&2; exit 99 ;; esac\n'
        'shift 4\nexec "$@"\n'
    )
    fake.chmod(0o755)
    only = ("--only", "memcheck", "--only", "racecheck")
    code, page, rows = check(packed, *only, PATH=f"{tmp_path}:{os.environ['PATH']}")
    assert code == 1
    assert rows["memcheck"]["state"] == "ok" and "4 entries" in rows["memcheck"]["detail"], page
    assert "exit code 99: ERROR SUMMARY: 3 hazards" in rows["racecheck"]["detail"]
    python = Path(sys.executable).parent
    code, page, rows = check(packed, *only, PATH=f"{python}:/usr/bin:/bin", CUDA_HOME=tmp_path)
    assert code == 0, page
    assert rows["memcheck"]["detail"] == "compute-sanitizer is not installed"


def test_usage(tmp_path):
    tool = ROOT / "tools/gpu-check"
    assert "usage:" in run(tool, "--help").stdout
    assert run(tool).returncode == 2
    done = run(tool, tmp_path)
    assert done.returncode == 2
    assert "has no pack.json: make it with tools/gpu-check --pack" in done.stderr
    (tmp_path / "pack.json").write_text("{}")
    done = run(tool, tmp_path, "--jobs", "0")
    assert done.returncode == 2 and "--seconds and --jobs must be positive" in done.stderr
    done = run(sys.executable, ROOT / "tools/dev/gpu_pack.py", "--pack", tmp_path)
    assert done.returncode == 2 and done.stderr == f"error: '{tmp_path}' exists\n"


def test_size(tmp_path, monkeypatch, capsys):
    """More than may travel is an error, and no folder."""

    def write(packer):
        (packer.folder / "programs/large").write_bytes(b"x" * 100)

    monkeypatch.setattr(pack.Packer, "pack", write)
    monkeypatch.setattr(pack, "LIMIT_BYTES", 99)
    with pytest.raises(SystemExit):
        pack.pack(tmp_path / "made", "cuda:ptx_90", True)
    assert "error: the folder has 100 bytes, at most 99 may travel" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_comparisons(tmp_path):
    """Differences are those of tp-run: a part of the largest element, NaN equal to NaN."""

    def save(name, values, dtype=np.float32):
        np.save(tmp_path / name, np.array(values, dtype=dtype))
        return tmp_path / name

    golden = save("golden.npy", [[1, np.nan], [-2, np.inf]])
    assert arrays.compare(save("a.npy", [[1.00002, np.nan], [-2, np.inf]]), golden, "f32") < 2e-5
    for values in (
        [[1.0001, np.nan], [-2, np.inf]],
        [[1, 5], [-2, np.inf]],
        [[1, np.nan], [-2, -np.inf]],
        [[1, np.nan], [np.nan, np.inf]],
        [1, np.nan, -2, np.inf],
    ):
        with pytest.raises(arrays.Failed):
            arrays.compare(save("b.npy", values), golden, "f32")
    integers = save("i.npy", [3, -1], np.int64)
    assert arrays.compare(save("j.npy", [3, -1], np.int64), integers, "i64") == 0
    with pytest.raises(arrays.Failed, match=r"element \[1\] is -2, expected -1"):
        arrays.compare(save("k.npy", [3, -2], np.int64), integers, "i64")
    with pytest.raises(arrays.Failed, match="no result"):
        arrays.compare(tmp_path / "none.npy", golden, "f32")
    data = golden.read_bytes()
    for content, message in (
        (b"PK" + data, "b.npy is no .npy file of version 1"),
        (data[:-1], "b.npy is cut off"),
        (data.replace(b"<f4", b"<c8"), "b.npy has an order or a type that is not read: {"),
        (data.replace(b"False", b"True "), "b.npy has an order or a type that is not read: {"),
    ):
        (tmp_path / "b.npy").write_bytes(content)
        with pytest.raises(arrays.Failed, match=re.escape(message)):
            arrays.compare(tmp_path / "b.npy", golden, "f32")


def test_tokens_may_part_at_a_tie(tmp_path):
    golden = tmp_path / "golden.npy"
    np.save(golden, np.array([[0, 1, 0.9999], [0, 2, 1], [3, 0, 0]], dtype=np.float32))

    def compare(tokens, values):
        np.save(tmp_path / "found.npy", np.array(values, dtype=np.float32))
        return arrays.compare_tokens(tokens, tmp_path / "found.npy", [1, 1, 0], golden, 1e-3)

    assert compare([1, 1, 0], [[0, 1, 0.9999], [0, 2, 1], [3, 0, 0]]) == 0
    # What follows a token that is as good has another input.
    assert compare([2, 0, 0], [[0, 1, 1.0001], [9, 9, 9], [9, 9, 9]]) < 1e-3
    with pytest.raises(arrays.Failed, match="token 1 is 2, expected 1"):
        compare([1, 2, 0], [[0, 1, 0.9999], [0, 2, 1], [3, 0, 0]])
    with pytest.raises(
        arrays.Failed, match="logit 2 of step 1 differs by 0.5 of the largest, 0.001 is allowed"
    ):
        compare([1, 1, 0], [[0, 1, 0.9999], [0, 2, 2], [3, 0, 0]])
    with pytest.raises(arrays.Failed, match=r"2 tokens, logits \(2, 3\); expected 3, \(3, 3\)"):
        compare([1, 1], [[0, 1, 0.9999], [0, 2, 2]])


def test_limits_of_programs():
    """A program that does not end is ended; one that fails says why."""
    with pytest.raises(steps.OutOfTime, match="did not end within 0 s"):
        steps.run(["sleep", "60"], 0.1)
    with pytest.raises(arrays.Failed, match="exit code 3: error: no"):
        steps.run(["sh", "-c", "echo error: no >&2; echo more >&2; exit 3"], 10)
    with steps.Server(["sleep", "60"], os.devnull) as server:
        with pytest.raises(steps.OutOfTime, match="no answer within 0 s"):
            server.ask("1", 0.1)


def test_speeds_that_cannot_be_told(tmp_path):
    """A server that answers otherwise, a trace without spans, products of other names."""
    server = ["sh", "-c", 'while read line; do echo \'{"error": "no"}\'; done']
    bench = {"tokens": [1], "generate": 2, "runs": 1}
    with pytest.raises(arrays.Failed, match=r"asked for 1 tokens, answered \{'error': 'no'\}"):
        speed.measure(server, bench, steps.Clock(60), tmp_path / "log")
    trace = tmp_path / "trace.json"
    event = {"ph": "X", "tid": 0, "cat": "entry", "name": "decode", "ts": 0, "dur": 1}
    trace.write_text(json.dumps({"traceEvents": [event]}))
    with pytest.raises(arrays.Failed, match="trace.json has no spans in calls of 'decode'"):
        speed.spans_of(trace, "decode")
    span = speed.Span("layers.0.q_proj", "gemm", "", 2e-3, None, None)
    assert speed.products_share([span], {"q_proj": 1e-3}) == 0.5
    with pytest.raises(steps.Skipped, match="the model has no product that was measured alone"):
        speed.products_share([span], {"k_proj": 1e-3})


H200 = {"name": "NVIDIA H200", "capability": "9.0"}


def test_rates():
    """By the data sheet, else by the clock; memory as it was measured, where it was."""
    known = rates.rates_of(H200, None)
    assert (known.products.value, known.memory.value, known.link.value) == (989e12, 4.8e12, 450e9)
    assert known.others.source == "NVIDIA's data sheet of H200 SXM"
    measured = rates.rates_of(H200, 4e12).memory
    assert (measured.value, measured.source) == (4e12, "copies in its memory, measured")
    other = {
        "name": "NVIDIA A30",
        "capability": "8.0",
        "multiprocessors": 56,
        "clock_hz": 1440e6,
    }
    clocked = rates.rates_of(other, None)
    assert clocked.products.value == 56 * 1440e6 * 2048
    assert clocked.others.source == "56 multiprocessors at 1440 MHz"
    assert clocked.memory is None and clocked.link is None
    assert rates.rates_of({"name": "another", "capability": "7.0"}, None).json() == {}
    assert rates.rates_of(None, None).json() == {}


def test_predictions():
    """A product or kernel takes the longer of its operations and its bytes."""
    spans = [
        speed.Span("model.layers.0.q_proj", "gemm", "", 1e-3, 989e9, 4e6),
        speed.Span("model.layers.1.q_proj", "gemm", "", 1e-3, 989e6, 4e9),
        speed.Span("model.norm", "kernel", "rms_norm", 5e-4, 0, 4e6),
        speed.Span("model.sum", "kernel", "sum", 2e-4, 67e8, 4e6),
        speed.Span("model.next", "kernel", "argmax", 1e-4, None, None),
        speed.Span("model.next", "copy", "", 5e-5, 0, 4e6),
    ]

    def table(device, most=12):
        known = rates.rates_of(device, 4e12)
        return speed.kernels_table(spans, lambda span: rates.predicted(span, known), most)

    product, norm, total, argmax, copy = table(H200)
    assert product["place"] == "model.layers.q_proj" and product["count"] == 2
    assert product["predicted"] == pytest.approx(2e-3 + 2 * rates.LAUNCH_SECONDS)
    assert (product["flops"], product["bytes"]) == (989e9 + 989e6, 4e9 + 4e6)
    assert norm["predicted"] == pytest.approx(1e-6 + rates.LAUNCH_SECONDS)
    assert total["predicted"] == pytest.approx(1e-4 + rates.LAUNCH_SECONDS)
    assert argmax["predicted"] is None
    assert copy["predicted"] == pytest.approx(1e-6 + rates.LAUNCH_SECONDS)
    assert table({"name": "another"})[2]["predicted"] < 1e-5
    assert len(table(H200, most=2)) == 2


def test_predictions_of_collectives():
    """By the link what a rank sends; on one device what all ranks read and write."""
    known = rates.rates_of(H200, 4e12)

    def times(kind, sent, **how):
        span = speed.Span("model.sum", kind, "", 1e-3, 0, sent)
        return rates.predicted(span, known, **how) - rates.LAUNCH_SECONDS

    # Of an operand of 300 bytes, three ranks send 400 each for a sum.
    assert times("all_reduce", 400, ranks=3, virtual=False) == pytest.approx(400 / 450e9)
    for kind, sent, moved in (
        ("all_reduce", 400, 3 * (3 * 300 + 300)),  # each reads all operands, writes its sum
        ("all_gather", 200, 3 * (300 + 300)),  # of a result of 300
        ("reduce_scatter", 200, 3 * (300 + 100)),  # of an operand of 300
        ("all_to_all", 200, 3 * (300 + 300)),
        ("permute", 300, 3 * (300 + 300)),
    ):
        assert times(kind, sent, ranks=3) == pytest.approx(moved / 4e12), kind
    nothing = rates.rates_of({"name": "another"}, 4e12)
    span = speed.Span("model.sum", "all_reduce", "", 1e-3, 0, 400)
    assert rates.predicted(span, nothing, 3, virtual=False) is None
    # Collectives are in the table whatever their time.
    spans = [speed.Span("a.norm", "kernel", "rms_norm", 2e-3, 0, 1), span]
    assert [r["what"] for r in speed.kernels_table(spans, lambda s: 1, 1)] == [
        "rms_norm",
        "all_reduce",
    ]


def test_attention_counts_what_it_sees():
    """The work of attention is that over the whole cache; a step sees a part of it."""
    spans = [
        speed.Span("a", "kernel", name, 1e-3, 800, 400)
        for name in ("attention", "attention_parts_12", "attention_merge", "rms_norm")
    ]
    assert [(s.flops, s.bytes) for s in speed.of_seen(spans, 0.25)] == [
        (200, 100),
        (200, 100),
        (800, 400),
        (800, 400),
    ]


def test_phases_have_parts_of_the_time(monkeypatch):
    """A phase ends when its part is used; what it leaves is for those behind it."""
    now = [100.0]
    monkeypatch.setattr(steps.time, "monotonic", lambda: now[0])
    clock = steps.Clock(600)
    clock.begin(0.1)
    assert clock.limit(90) == 60
    now[0] += 70
    with pytest.raises(steps.OutOfTime, match="no time was left"):
        clock.limit(90)
    clock.begin(0.2)
    assert (clock.limit(90), clock.used) == (50, 70)
    clock.begin(1)
    assert clock.limit(90) == 90 and clock.left == 530


def test_phases_that_fail(packed, tmp_path):
    """A description without what a phase needs, and a driver that crashes, are rows."""
    folder = tmp_path / "pack"
    shutil.copytree(packed, folder, ignore=shutil.ignore_patterns("found"))
    values = json.loads((folder / "pack.json").read_text())
    del values["decoders"]
    values["benchmarks"] = [{"name": "half a benchmark", "small": True}]
    (folder / "pack.json").write_text(json.dumps(values))
    driver = folder / "checker/driver.py"
    text = driver.read_text()
    assert "main(int(sys.argv[1]))" in text
    driver.write_text(text.replace("main(int(sys.argv[1]))", "os.kill(os.getpid(), 11)"))
    code, page, rows = check(folder, "--only", "casts", "--only", "half", "--only", "memory")
    assert code == 1
    assert rows["copies in the device's memory"]["detail"].startswith("ended by signal 11")
    for name in ("decoder", "ranks", "times of ranks"):
        assert rows[name]["detail"] == "the phase ended early: KeyError: 'decoders'"
    assert rows["speed"]["detail"] == "the phase ended early: KeyError: 'program'"
    assert rows["casts"]["state"] == "ok", page


def test_what_was_found_stays(packed, tmp_path):
    """A run that is ended has its rows so far, and leaves no program behind."""
    folder = tmp_path / "pack"
    shutil.copytree(packed, folder, ignore=shutil.ignore_patterns("found"))
    mark = tmp_path / "began"
    program = folder / "programs/small-decoder-f32-1"
    program.write_text(f"#!/bin/sh\necho $$ > {mark}.new && mv {mark}.new {mark}\nsleep 600\n")
    process = subprocess.Popen([EMULATE, folder / "gpu-check"], stderr=subprocess.PIPE)
    try:
        deadline = time.monotonic() + 120
        while not mark.exists() and time.monotonic() < deadline:
            time.sleep(0.05)
        process.terminate()
        assert process.wait(60) == 128 + signal.SIGTERM
    finally:
        process.kill()
        process.stderr.close()
    found = json.loads((folder / "found/gpu-check.json").read_text())
    assert [row["name"] for row in found["rows"]] == ["copies in the device's memory"]
    assert "copies in the device's memory" in (folder / "found/gpu-check.txt").read_text()
    with pytest.raises(ProcessLookupError):
        os.kill(int(mark.read_text()), 0)
