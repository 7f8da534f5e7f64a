"""Builds the compiler and makes executables of the demo's model, with a cache.

Shared by tools/demo, tools/bench and the model tests. Each step is skipped
while its inputs are what they were: a `.key` file beside the output holds
them together with how long the step took.
"""

import json
import subprocess
from dataclasses import dataclass
from pathlib import Path

from console import BIN, BUILD, ROOT, Progress, fail, ninja_step, run_logged, say, tail

MODELS = BUILD / "models"
WORK = BUILD / "demo"
# name: (what tools/dev/setup --model=NAME puts into build/models, the checkpoint
# directory there)
PUBLISHED = {
    "smollm2": ("SmolLM2-135M-Instruct.Q4_1.gguf", "SmolLM2-135M-Instruct"),
    "gemma3-270m": ("gemma-3-270m-q4_k_m.gguf", "gemma-3-270m"),
    "minilm": ("all-MiniLM-L6-v2", "all-MiniLM-L6-v2"),
}
GGUF = MODELS / PUBLISHED["smollm2"][0]


def _state(path):
    """What changes when a file does: name, size and time."""
    status = path.stat()
    return [str(path), status.st_size, status.st_mtime_ns]


class Cached:
    """A file or directory made from inputs: `fresh` tells whether it still is."""

    def __init__(self, output, inputs, options=()):
        self.output = output
        self._key_path = output.with_name(output.name + ".key")
        self._key = {"inputs": [_state(path) for path in inputs], "options": list(options)}
        self.seconds = 0.0

    @property
    def fresh(self):
        if not self.output.exists() or not self._key_path.exists():
            return False
        try:
            saved = json.loads(self._key_path.read_text())
        except json.JSONDecodeError:
            return False
        self.seconds = saved.pop("seconds", 0.0)
        return saved == self._key

    def done(self, seconds):
        self.seconds = seconds
        self._key_path.write_text(json.dumps({**self._key, "seconds": seconds}))


def build(*targets):
    """Configures and builds the release preset's `targets`."""
    if not (ROOT / "CMakeLists.txt").exists():
        fail("nothing to build: the checkout has no CMakeLists.txt")
    log = BUILD / "demo-build.log"
    log.unlink(missing_ok=True)
    steps = []
    if not (BUILD / "build.ninja").exists():
        steps.append(("configuring", ["cmake", "--preset", "release"]))
    steps.append(
        ("building " + " ".join(targets), ["cmake", "--build", BUILD, "--target", *targets])
    )
    for title, command in steps:
        with Progress(title, detail=lambda: ninja_step(log), quiet=True):
            status = run_logged(command, log)
        if status != 0:
            say(tail(log, 60))
            fail(f"{title} failed", status=3, notes=[f"the whole output is in {log}"])


METRICS = (
    "weight_bytes_per_rank",
    "peak_bytes_per_rank",
    "process_peak_rss_bytes",
    "prefill_tokens_per_s",
    "decode_tokens_per_s",
)


def read_metrics(path):
    """The figures that an executable wrote with --metrics; all of METRICS."""
    values = json.loads(Path(path).read_text())
    missing = [name for name in METRICS if name not in values]
    if missing:
        fail(f"'{path}' lacks {', '.join(missing)}", status=3)
    return values


def run_tool(title, command, status_on_signal=3):
    """Runs one of our tools; ends this one with its status when it fails.

    What the tool says on stderr goes through, with its own `error:` line.
    Returns the seconds it took.
    """
    with Progress(title) as progress:
        process = subprocess.run(
            [str(part) for part in command],
            stdin=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
    if process.stderr:
        say(process.stderr.rstrip("\n"))
    if process.returncode < 0:
        fail(
            f"{Path(command[0]).name} was ended by signal {-process.returncode}",
            status=status_on_signal,
        )
    if process.returncode:
        say(f"note: the command was: {' '.join(map(str, command))}")
        raise SystemExit(process.returncode)
    return progress.seconds


def checkpoint(name="smollm2"):
    """A published model as a Hugging Face directory."""
    from tp import checkpoint as checkpoint_module
    from tp import errors, gguf

    source, target = (MODELS / part for part in PUBLISHED[name])
    if not source.exists():
        fail(
            f"the model {name} is not there: '{source}' does not exist",
            notes=[f"get it with: tools/dev/setup --local --model={name}"],
        )
    if source == target:
        return target
    cached = Cached(target, [source, Path(gguf.__file__), Path(checkpoint_module.__file__)])
    if not cached.fresh:
        with Progress("converting the model") as progress:
            status = errors.report(lambda: gguf.convert(source, target) or 0)
        if status:
            raise SystemExit(status)
        cached.done(progress.seconds)
    return target


def imported(directory, name="smollm2", options=()):
    """The model IR of a Hugging Face directory."""
    output = WORK / f"{name}.mlir"
    tool = BIN / "tp-import"
    inputs = [tool, directory / "config.json", *sorted(directory.glob("*.safetensors"))]
    cached = Cached(output, inputs, options)
    if not cached.fresh:
        WORK.mkdir(parents=True, exist_ok=True)
        cached.done(run_tool("importing the model", [tool, directory, *options, "-o", output]))
    return output


@dataclass
class Compiled:
    """An executable, its explanation and how long tp-compile took."""

    executable: Path
    explain: Path
    seconds: float
    reused: bool


def compiled(model, tp, name="smollm2"):
    """The executable of model IR for `tp` ranks under the megatron plan."""
    output = WORK / f"{name}-tp{tp}"
    explain = WORK / f"{name}-tp{tp}.explain.json"
    tool = BIN / "tp-compile"
    options = ["--plan", "megatron", "--mesh", f"tp={tp}", f"--explain={explain}"]
    libraries = sorted((BUILD / "lib").glob("libtprt*"))
    cached = Cached(output, [tool, model, *libraries], options)
    reused = cached.fresh and explain.exists()
    if not reused:
        cached.done(run_tool(f"compiling for tp={tp}", [tool, model, *options, "-o", output]))
    return Compiled(output, explain, cached.seconds, reused)
