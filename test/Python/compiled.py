"""Running the built tools from tests: import, compile, run, and what failed."""

import json
import os
import re
import subprocess
from pathlib import Path

import numpy as np
import pytest
from conftest import ROOT

BIN = ROOT / "build/bin"
# A tool that is here and does not answer in this time hangs.
TIMEOUT_S = 300


def need(*tools):
    """Skips the calling test while the project has no such tools yet.

    Once tools/CMakeLists.txt lists a tool, its absence from build/bin is a
    failure: what was not built must not look like a pass.
    """
    listed = (ROOT / "tools/CMakeLists.txt").read_text()
    for tool in tools:
        if not re.search(rf"\b{re.escape(tool)}\b", listed):
            pytest.skip(f"the project has no {tool} yet")
        assert (BIN / tool).exists(), f"{tool} is not built"


def run(program, *arguments, **options):
    """Runs a program of ours; its streams as text. `input` is its stdin."""
    command = [str(BIN / program) if isinstance(program, str) else str(program)]
    command += [str(argument) for argument in arguments]
    return subprocess.run(
        command,
        **({} if "input" in options else {"stdin": subprocess.DEVNULL}),
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
        **options,
    )


def succeed(program, *arguments, **options):
    """Runs a program that must exit 0; its standard output."""
    result = run(program, *arguments, **options)
    assert result.returncode == 0, f"{program} {arguments}\n{result.stderr}"
    return result.stdout


def output_of(*command, **environment):
    """What a command that must exit 0 prints, with these variables beside those that are set."""
    return succeed(*command, env={**os.environ, **environment})


def rejected(result, *parts, status=2):
    """Checks a failure: its status, one `error:` line, and what the line names."""
    assert result.returncode == status, (result.returncode, result.stderr)
    errors = [line for line in result.stderr.splitlines() if "error:" in line]
    assert len(errors) == 1, result.stderr
    for part in parts:
        assert re.search(part, errors[0]), f"no {part!r} in: {errors[0]}"


class Model:
    """A checkpoint with its model IR, compiled on demand for numbers of ranks."""

    def __init__(self, checkpoint, folder, *import_options, compile_options=()):
        self.checkpoint = Path(checkpoint)
        self.folder = Path(folder)
        self.ir = self.folder / "model.mlir"
        self.compile_options = compile_options
        succeed("tp-import", self.checkpoint, "-o", self.ir, *import_options)

    def executable(self, tp, plan="megatron"):
        output = self.folder / f"{plan}-tp{tp}"
        if not output.exists():
            explain = f"--explain={output}.json"
            mesh = ["--mesh", f"tp={tp}", *self.compile_options]
            command = ["tp-compile", self.ir, "--plan", plan, *mesh, explain, "-o", output]
            result = run(*command)
            assert result.returncode == 0, f"{command}\n{result.stderr}"
            assert "is not proved" not in result.stderr, result.stderr
        return output

    def explanation(self, tp, plan="megatron"):
        return json.loads(Path(f"{self.executable(tp, plan)}.json").read_text())

    def explain(self, tp, plan):
        """The explanation of a plan, without the executable."""
        output = self.folder / "explanation.json"
        mesh = ["--mesh", f"tp={tp}", "--emit=comm", "-o", "/dev/null", *self.compile_options]
        succeed("tp-compile", self.ir, "--plan", plan, *mesh, f"--explain={output}")
        return json.loads(output.read_text())

    def run(self, tp, tokens, *arguments, plan="megatron"):
        """Runs the executable on a prompt; the result of the process."""
        ids = ",".join(map(str, tokens))
        executable = self.executable(tp, plan)
        return run(executable, "--weights", self.checkpoint, "--tokens", ids, *arguments)

    def generate(self, tp, tokens, count, *arguments, plan="megatron"):
        """The ids that follow a prompt, and the logits [ids, vocab] that gave each."""
        path = self.folder / f"logits-{plan}-tp{tp}.npy"
        path.unlink(missing_ok=True)
        common = ["--generate", count, "--logits", path, "--check-collectives"]
        result = self.run(tp, tokens, *common, *arguments, plan=plan)
        assert result.returncode == 0, result.stderr
        line = result.stdout.strip()
        return [int(token) for token in line.split(",")], np.load(path)
