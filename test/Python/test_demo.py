"""tools/demo: its figures, its table and the whole run with stand-in tools."""

import json
import os
import sys

import pytest

import demo
import model
from tp.text import Text

ALL_REDUCE = {"kind": "all_reduce", "count": 1}


def explanation(rows, bytes_per_rank=0):
    totals = {"bytes_per_rank": bytes_per_rank}
    return {"version": 1, "entries": {"decode": {"collectives": rows, "totals": totals}}}


def test_collectives_per_layer():
    rows = [{**ALL_REDUCE, "loc": '"model.embed_tokens"'}]
    for layer in range(12):
        rows.append({**ALL_REDUCE, "loc": f'"model.layers.{layer}.self_attn.o_proj"'})
        rows.append(
            {**ALL_REDUCE, "loc": f'"model.layers.{layer}.mlp.down_proj"("model.mlir":3:4)'}
        )
    assert demo.collectives_per_layer(explanation(rows), 12) == {"all_reduce": 2}
    rows.append({"kind": "all_gather", "count": 3, "loc": '"model.layers.7.mlp"'})
    assert demo.collectives_per_layer(explanation(rows), 12) == {"all_gather": 3, "all_reduce": 2}
    assert demo.collectives_per_layer(explanation([]), 12) == {}


def test_identical():
    def rows(*ids, dtype="f32"):
        return [{"dtype": dtype, "token_ids": list(i)} for i in ids]

    assert demo.identical(rows([1, 2], [1, 2]))
    assert not demo.identical(rows([1, 2], [1, 3]))
    assert not demo.identical(rows([1, 2], [1, 2, 3]))
    assert demo.identical(rows([1, 2], [1, 2]) + rows([1, 9], dtype="bf16"))


def test_options(capsys):
    options = demo.parse([])
    assert (options.tp, options.tokens, options.prompt, options.chat) == (
        [1, 2, 3],
        24,
        None,
        demo.DEFAULT_CHAT,
    )
    assert demo.parse(["--tp", "1,3", "--prompt", "x"]).tp == [1, 3]
    for bad in (
        ["--tp", "0"],
        ["--tp", "1,,2"],
        ["--tp", "a"],
        ["--tokens", "0"],
        ["--prompt", "a", "--chat", "b"],
    ):
        with pytest.raises(SystemExit) as stop:
            demo.parse(bad)
        assert stop.value.code == 2
    error = capsys.readouterr().err
    assert "--tp: expected positive numbers with commas between, got '1,,2'" in error
    assert "--tokens: expected a positive number, got 0" in error


def test_what_is_not_there(tmp_path, monkeypatch, capsys):
    def error(function, *arguments):
        with pytest.raises(SystemExit):
            function(*arguments)
        return capsys.readouterr().err

    monkeypatch.setattr(model, "ROOT", tmp_path)
    assert "error: nothing to build: the checkout has no CMakeLists.txt" in error(model.build)
    monkeypatch.setattr(model, "MODELS", tmp_path)
    message = error(model.checkpoint, "smollm2")
    assert "error: the model smollm2 is not there: '" in message and "' does not exist" in message
    assert "note: get it with: tools/dev/setup --local --model=smollm2" in message
    killed = error(model.run_tool, "tool", ["/bin/sh", "-c", "kill -9 $$"])
    assert "error: sh was ended by signal 9" in killed


# Stand-ins for the tools: they follow the contracts and note that they ran.
IMPORT = """
import sys
open(sys.argv[0] + ".ran", "a").write("x")
open(sys.argv[sys.argv.index("-o") + 1], "w").write("module {}")
"""
COMPILE = """
import json, os, sys
tp = int(sys.argv[sys.argv.index("--mesh") + 1].split("=")[1])
open(sys.argv[0] + ".ran", "a").write(str(tp))
explain = next(a for a in sys.argv if a.startswith("--explain=")).split("=", 1)[1]
rows = [] if tp == 1 else [
    {"kind": "all_reduce", "count": 1, "loc": '"model.layers.%d.%s"' % (layer, part)}
    for layer in range(2) for part in ("self_attn.o_proj", "mlp.down_proj")]
json.dump({"version": 1, "entries": {"decode": {"collectives": rows, "totals": {"bytes_per_rank": 100 * tp}}}}, open(explain, "w"))
out = sys.argv[sys.argv.index("-o") + 1]
ids = IDS[:-1] if tp == DIFFERENT else IDS
open(out, "w").write(f'''#!{sys.executable}
import json, sys
assert sys.argv[1] == "--weights"
if {tp} == {FAILING}:
    print("error: rank 1: no such weight", file=sys.stderr)
    sys.exit(3)
json.dump({{"weight_bytes_per_rank": 2 ** 20, "peak_bytes_per_rank": 2 ** 21, "process_peak_rss_bytes": 2 ** 22,
           "prefill_tokens_per_s": 10.5, "decode_tokens_per_s": 20.25}}, open(sys.argv[sys.argv.index("--metrics") + 1], "w"))
print({ids!r})
''')
os.chmod(out, 0o755)
"""


@pytest.fixture
def stand_ins(checkpoint_with_text, tmp_path, monkeypatch):
    """Puts stand-in tools in place of the built ones; returns how to set them up."""
    (tmp_path / "bin").mkdir()
    monkeypatch.setattr(model, "BIN", tmp_path / "bin")
    monkeypatch.setattr(model, "BUILD", tmp_path)
    monkeypatch.setattr(model, "WORK", tmp_path / "demo")
    monkeypatch.setattr(model, "build", lambda *targets: None)
    monkeypatch.setattr(model, "checkpoint", lambda name: checkpoint_with_text)
    monkeypatch.setattr(demo, "REPORT", tmp_path / "demo/demo.json")

    def setup(different=0, failing=0):
        ids = ",".join(map(str, Text(checkpoint_with_text).encode("hello")))
        values = f"IDS, DIFFERENT, FAILING = {ids + ',5'!r}, {different}, {failing}\n"
        for name, text in (("tp-import", IMPORT), ("tp-compile", values + COMPILE)):
            path = tmp_path / "bin" / name
            path.write_text(f"#!{sys.executable}\n{text}")
            path.chmod(0o755)
            os.utime(path, ns=(different, failing))
        return tmp_path

    return setup


def run_demo(monkeypatch, capfd, *arguments):
    monkeypatch.setattr(sys, "argv", ["tools/demo", *arguments])
    status = demo.main()
    captured = capfd.readouterr()
    return status, captured.out, captured.err


def test_whole_run(stand_ins, monkeypatch, capfd):
    folder = stand_ins()
    status, out, _ = run_demo(
        monkeypatch, capfd, "--prompt", "hello", "--tp", "1,2", "--tokens", "2"
    )
    assert status == 0
    lines = out.splitlines()
    assert lines[-1] == str(folder / "demo/demo.json")
    report = json.loads((folder / "demo/demo.json").read_text())
    assert report["identical"] is True
    assert [row["tp"] for row in report["runs"]] == [1, 2]
    second = report["runs"][1]
    assert second["collectives_per_layer"] == {"all_reduce": 2}
    assert second["bytes_per_rank_per_token"] == 200
    assert (second["weight_bytes_per_rank"], second["peak_bytes_per_rank"]) == (2**20, 2**21)
    assert (second["prefill_tokens_per_s"], second["decode_tokens_per_s"]) == (10.5, 20.25)
    assert second["dtype"] == "f32" and second["prompt"] == "hello" and second["compile_s"] > 0
    assert second["text"].startswith("hello")
    assert set(second) == {
        "tp", "dtype", "prompt", "prompt_ids", "token_ids", "text", "collectives_per_layer",
        "bytes_per_rank_per_token", "weight_bytes_per_rank", "peak_bytes_per_rank",
        "process_peak_rss_bytes", "compile_s", "prefill_tokens_per_s", "decode_tokens_per_s",
    }  # fmt: skip
    assert "2 all_reduce" in out and "2.0 MiB" in out and "identical" in out


def test_second_run_reuses(stand_ins, monkeypatch, capfd):
    folder = stand_ins()
    run_demo(monkeypatch, capfd, "--tp", "1,2")
    first = json.loads((folder / "demo/demo.json").read_text())
    status, _, err = run_demo(monkeypatch, capfd, "--tp", "2")
    assert status == 0 and "reusing the executables of tp=2" in err
    assert (folder / "bin/tp-import.ran").read_text() == "x"
    assert (folder / "bin/tp-compile.ran").read_text() == "12"
    second = json.loads((folder / "demo/demo.json").read_text())
    assert second["runs"][0]["compile_s"] == first["runs"][1]["compile_s"]
    os.utime(folder / "bin/tp-compile", ns=(7, 7))
    run_demo(monkeypatch, capfd, "--tp", "2")
    assert (folder / "bin/tp-compile.ran").read_text() == "122"


def test_different_tokens_are_an_error(stand_ins, monkeypatch, capfd):
    folder = stand_ins(different=2)
    status, out, err = run_demo(monkeypatch, capfd, "--tp", "1,2,3")
    assert status == 1
    assert "DIFFERENT" in out and err.count("error:") == 1
    assert out.splitlines()[-1] == str(folder / "demo/demo.json")
    assert json.loads((folder / "demo/demo.json").read_text())["identical"] is False


def test_failing_run(stand_ins, monkeypatch, capfd):
    stand_ins(failing=2)
    status, _, err = run_demo(monkeypatch, capfd, "--tp", "1,2")
    assert status == 3
    assert err.count("error:") == 1 and "error: rank 1: no such weight" in err


def test_failing_tool(stand_ins, monkeypatch, capfd):
    folder = stand_ins()
    (folder / "bin/tp-compile").write_text("#!/bin/sh\necho 'error: plan: no axis' >&2\nexit 2\n")
    with pytest.raises(SystemExit) as stop:
        run_demo(monkeypatch, capfd, "--tp", "2")
    err = capfd.readouterr().err
    assert stop.value.code == 2 and err.count("error:") == 1 and "error: plan: no axis" in err
