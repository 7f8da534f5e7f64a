"""python -m tp.generate, with programs that stand in for a compiled model."""

import os
import subprocess
import sys
import time

import pytest
from conftest import ROOT

from tp import generate
from tp.errors import UserError
from tp.executable import ModelFailed, command_line, describe, stream_ids
from tp.text import Text

ECHO_ARGUMENTS = """
import json, sys
json.dump(sys.argv[1:], open(sys.argv[0] + ".arguments", "w"))
"""


def test_command_line():
    assert command_line("m", "w", [1, 2], 3, ["--threads", "1"]) == [
        "m", "--weights", "w", "--tokens", "1,2", "--generate", "3", "--threads", "1",
    ]  # fmt: skip


def test_text_in_text_out(checkpoint_with_text, fake_program, capsys):
    import json

    ids = Text(checkpoint_with_text).encode("hello wörld")
    program = fake_program(ECHO_ARGUMENTS + f"print('{','.join(map(str, ids))}')")
    arguments = [
        str(program),
        "--weights",
        str(checkpoint_with_text),
        "--chat",
        "hello",
        "--tokens",
        "7",
    ]
    assert generate.main([*arguments, "--", "--threads", "2"]) == 0
    assert capsys.readouterr().out == "hello wörld\n"
    rendered = "<|im_start|>user\nhello<|im_end|>\n<|im_start|>assistant\n"
    prompt = ",".join(map(str, Text(checkpoint_with_text).encode(rendered)))
    with open(f"{program}.arguments") as file:
        assert json.load(file) == [
            "--weights", str(checkpoint_with_text), "--tokens", prompt, "--generate", "7", "--threads", "2",
        ]  # fmt: skip


def test_options_of_sampling_go_to_the_model(checkpoint_with_text, fake_program, capsys):
    import json

    program = fake_program(ECHO_ARGUMENTS + "print(5)")
    arguments = [str(program), "--weights", str(checkpoint_with_text), "--prompt", "hello"]
    sampling = ["--temperature", "0.5", "--top-k", "3", "--top-p", "0.9", "--seed", "7"]
    assert generate.main([*arguments, *sampling, "--", "--threads", "2"]) == 0
    with open(f"{program}.arguments") as file:
        passed = json.load(file)
    assert sorted(passed[-6:-2]) == ["--seed=7", "--temperature=0.5", "--top-k=3", "--top-p=0.9"]
    assert passed[-2:] == ["--threads", "2"]
    assert generate.main(arguments) == 0
    with open(f"{program}.arguments") as file:
        assert not any("seed" in argument for argument in json.load(file))
    capsys.readouterr()


def test_text_appears_while_the_model_still_runs(checkpoint_with_text, fake_program):
    ids = Text(checkpoint_with_text).encode("hello")
    program = fake_program(
        f"import sys, time\nprint('{ids[0]},', end='', flush=True)\ntime.sleep(15)\n"
    )
    command = [
        sys.executable,
        "-m",
        "tp.generate",
        program,
        "--weights",
        checkpoint_with_text,
        "--prompt",
        "x",
    ]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "python")}
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment) as process:
        start = time.monotonic()
        assert process.stdout.read1(5) == b"hello"
        assert time.monotonic() - start < 10
        process.terminate()


@pytest.mark.parametrize(
    "text, ids", [("1,22,333\n", [1, 22, 333]), ("5", [5]), ("7,8", [7, 8]), ("\n", [])]
)
def test_stream_ids(fake_program, text, ids):
    assert list(stream_ids([str(fake_program(f"print({text!r}, end='')"))])) == ids


def test_ids_that_arrive_in_pieces(fake_program):
    program = fake_program(
        "import sys, time\nfor part in ['1', '2,3', ',4', '5\\n']:\n"
        "  sys.stdout.write(part)\n  sys.stdout.flush()\n  time.sleep(0.02)\n"
    )
    assert list(stream_ids([str(program)])) == [12, 3, 45]


def test_failures(checkpoint_with_text, fake_program, tmp_path, capsys):
    failing = fake_program("import sys\nprint('4,5')\nsys.exit(3)", "failing")
    seen = []
    with pytest.raises(ModelFailed):
        for token in stream_ids([str(failing)]):
            seen.append(token)
    assert seen == [4, 5]

    def run(program, *arguments):
        status = generate.main([str(program), "--weights", str(checkpoint_with_text), *arguments])
        return status, capsys.readouterr().err

    assert run(failing, "--prompt", "a")[0] == 3
    status, error = run(tmp_path / "none", "--prompt", "a")
    assert status == 2 and "cannot run" in error and "none" in error
    status, error = run(fake_program("print('word')", "wordy"), "--prompt", "a")
    assert status == 2 and "printed 'word' where a token id was expected" in error
    status, error = run(failing, "--prompt", "")
    assert status == 2 and error == "error: the prompt is empty\n"
    silent = fake_program("print('no description')", "silent")
    with pytest.raises(UserError, match="silent' does not describe itself: "):
        describe(str(silent))
    with pytest.raises(SystemExit):
        run(failing, "--prompt", "a", "--tokens", "0")
    assert "--tokens: expected a positive number, got 0" in capsys.readouterr().err
    for bad in (["--prompt", "a", "--chat", "b"], []):
        with pytest.raises(SystemExit) as stop:
            run(failing, *bad)
        assert stop.value.code == 2
