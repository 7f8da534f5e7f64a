"""Builds the project and runs its tests; started by tools/test.

Every stage has a time budget (STAGES below). One that takes longer on a busy
machine is marked in the table; one that takes twice as long is ended and has
failed. A stage that fails does not stop the others, but those that need its build then count as
failed too: what was not run never counts as passed. At the end come the
runners' own summaries and one line with the totals.
"""

import argparse
import json
import os
import re
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from console import BUILD, ROOT, Progress, run_logged, say, tail

LIT = "/usr/lib/llvm-22/bin/lit"
LOGS = BUILD / "test-logs"
JOBS = os.cpu_count() or 2


@dataclass(frozen=True)
class Stage:
    """One step of the run.

    `kind` says what it does (see `command_of`), `preset` the CMake preset it
    works on, `budget_s` how long it may take on two cores from a cold start,
    `needs` the stage that must have succeeded before, `part` the folder of
    the project that is built and tested (all of it where empty).
    """

    name: str
    kind: str
    preset: str
    budget_s: int
    needs: str = ""
    part: str = ""


# Budgets in seconds; together at most 40 minutes with setup.
SETUP_BUDGET_S = 200
STAGES = (
    Stage("configure", "configure", "release", 30),
    Stage("build", "build", "release", 480, "configure"),
    Stage("unit", "ctest", "release", 150, "build"),
    Stage("lit", "lit", "release", 90, "build"),
    Stage("python", "pytest", "release", 400),
    Stage("asan-configure", "configure", "asan", 30),
    Stage("asan-build", "build", "asan", 560, "asan-configure"),
    Stage("asan-unit", "ctest", "asan", 140, "asan-build"),
    Stage("asan-lit", "lit", "asan", 110, "asan-build"),
    Stage("tsan-configure", "configure", "tsan", 20),
    Stage("tsan-build", "build", "tsan", 100, "tsan-configure", "runtime"),
    Stage("tsan-unit", "ctest", "tsan", 90, "tsan-build", "runtime"),
)
# A stage is ended after this many times its budget.
PATIENCE = 2
# With --all the long tests run too, without sanitizers, under which the exhaustive
# ones take hours: each runner gets this many seconds.
LONG_BUDGET_S = 3600


class Presets:
    """The configure presets of a CMakePresets.json and their build folders."""

    def __init__(self, source):
        self.source = source
        path = source / "CMakePresets.json"
        self.path = path
        text = json.loads(path.read_text()) if path.exists() else {}
        self._presets = {p["name"]: p for p in text.get("configurePresets", [])}

    def __contains__(self, name):
        return name in self._presets

    def binary_dir(self, name):
        """The build folder of preset `name`, its own or inherited."""
        text = self._inherited(name, "binaryDir")
        for variable, value in (("sourceDir", str(self.source)), ("presetName", name)):
            text = text.replace(f"${{{variable}}}", value)
        return Path(text)

    def _inherited(self, name, key):
        preset = self._presets[name]
        if key in preset:
            return preset[key]
        parents = preset.get("inherits", [])
        for parent in [parents] if isinstance(parents, str) else parents:
            if found := self._inherited(parent, key):
                return found
        return ""


@dataclass
class Outcome:
    """What a stage did; `summary` is the runner's own, from its output."""

    stage: Stage
    seconds: float
    passed: int = 0
    failed: int = 0
    skipped: int = 0
    summary: str = ""
    note: str = ""


# --- Runners' summaries -----------------------------------------------------


def parse_ctest(text):
    """(passed, failed, skipped, summary) of a ctest run; None if it has none."""
    found = re.search(r"^\d+% tests passed, (\d+) tests? failed out of (\d+)$", text, re.M)
    if not found:
        return None
    failed, total = int(found[1]), int(found[2])
    skipped = len(re.findall(r"\*\*\*(?:Skipped|Not Run \(Disabled\))", text))
    return total - failed - skipped, failed, skipped, text[found.start() :].strip()


LIT_PASSED = ("Passed", "Expectedly Failed", "Passed With Retry")
LIT_FAILED = ("Failed", "Unresolved", "Timed Out", "Unexpectedly Passed")
LIT_SKIPPED = ("Unsupported", "Skipped", "Excluded")


def parse_lit(text):
    """(passed, failed, skipped, summary) of a lit run; None if it has none."""
    start = text.rfind("Testing Time:")
    if start < 0:
        return None
    counts = {}
    for name, count in re.findall(
        r"^\s*([A-Z][A-Za-z ]+?)\s*:\s*(\d+)(?: \(|$)", text[start:], re.M
    ):
        counts[name] = int(count)

    def total(names):
        return sum(counts.get(name, 0) for name in names)

    return total(LIT_PASSED), total(LIT_FAILED), total(LIT_SKIPPED), text[start:].strip()


def parse_pytest(text):
    """(passed, failed, skipped, summary) of a pytest run; None if it has none."""
    lines = re.findall(r"^=+ (.* in [\d.]+s.*?) =+$", text, re.M)
    if not lines:
        return None
    counts = {name: int(n) for n, name in re.findall(r"(\d+) ([a-z]+)", lines[-1])}
    failed = counts.get("failed", 0) + counts.get("error", 0) + counts.get("errors", 0)
    passed = counts.get("passed", 0) + counts.get("xfailed", 0)
    return passed, failed, counts.get("skipped", 0), lines[-1]


PARSERS = {"ctest": parse_ctest, "lit": parse_lit, "pytest": parse_pytest}


# --- Stages -----------------------------------------------------------------


def absent(stage, presets):
    """Why the sources have no such stage (yet), or an empty string."""
    if stage.kind == "pytest":
        return "" if (ROOT / "test/Python").is_dir() else "no test/Python"
    if not (ROOT / "CMakeLists.txt").exists():
        return "no CMakeLists.txt"
    if stage.preset not in presets:
        return f"no preset '{stage.preset}'"
    if stage.kind == "lit" and not (ROOT / "test/lit.cfg.py").exists():
        return "no test/lit.cfg.py"
    return ""


def command_of(stage, presets, all_tests):
    """The command line of a stage."""
    if stage.kind == "pytest":
        marks = [] if all_tests else ["-m", "not long"]
        # A file keeps to one worker: what its tests share is made once.
        workers = [f"-n{JOBS}", "--dist=loadfile"]
        return [
            sys.executable,
            "-m",
            "pytest",
            "-ra",
            "--tb=short",
            *workers,
            *marks,
            "test/Python",
        ]
    if stage.kind == "configure":
        return ["cmake", "--preset", stage.preset]
    folder = presets.binary_dir(stage.preset)
    if stage.kind == "build":
        target = ["--target", f"{stage.part}/all"] if stage.part else []
        return ["cmake", "--build", folder, "-j", JOBS, *target]
    if stage.kind == "ctest":
        labels = [] if all_tests else ["-LE", "long"]
        return [
            "ctest",
            "--test-dir",
            folder / stage.part,
            "-j",
            JOBS,
            "--no-tests=error",
            "--output-on-failure",
            *labels,
        ]
    return [LIT, "-v", "-j", JOBS, *(["-D", "long=1"] if all_tests else []), folder / "test"]


def environment():
    """The environment of every stage.

    LLVM's arenas mark memory for the address sanitizer in code that is compiled
    with it, and not in the packaged library that shares them: such marks say
    nothing and are not looked at.
    """
    options = os.environ.get("ASAN_OPTIONS")
    return {
        **os.environ,
        "ASAN_OPTIONS": ":".join(filter(None, ["allow_user_poisoning=0", options])),
    }


def run_stage(stage, presets, all_tests):
    """Runs one stage and reads its counts."""
    log = LOGS / f"{stage.name}.log"
    log.unlink(missing_ok=True)
    runner = PARSERS.get(stage.kind)
    budget = LONG_BUDGET_S if all_tests and runner else stage.budget_s
    start = time.monotonic()
    with Progress(f"{stage.name:<15} (budget {budget} s)"):
        command = command_of(stage, presets, all_tests)
        status = run_logged(command, log, PATIENCE * budget, env=environment())
    outcome = Outcome(stage, time.monotonic() - start)
    counts = None
    if runner:
        counts = runner(log.read_text(errors="replace"))
    if counts:
        outcome.passed, outcome.failed, outcome.skipped, outcome.summary = counts
    if status is None:
        outcome.note = f"ran past {PATIENCE} times its budget of {budget} s"
    elif status != 0:
        outcome.note = f"failed with exit status {status}"
    elif runner and not counts:
        outcome.note = "printed no summary"
    elif runner and outcome.passed + outcome.failed == 0:
        outcome.note = "ran no test"
    if outcome.note:
        outcome.failed = max(outcome.failed, 1)
    if outcome.failed:
        say(tail(log, 200))
        say(f"--- {stage.name} {outcome.note or 'has failures'}; the whole output is in {log}")
    return outcome


def run_stages(stages, all_tests):
    """Runs the stages in order; returns their outcomes."""
    presets = Presets(ROOT)
    outcomes = {}
    for stage in stages:
        reason = absent(stage, presets)
        needed = outcomes.get(stage.needs)
        if reason:
            say(f"{stage.name:<15} left out: {reason}")
        elif stage.needs and needed and needed.failed:
            outcomes[stage.name] = Outcome(
                stage, 0.0, failed=1, note=f"not run: {stage.needs} failed"
            )
            say(f"{stage.name:<15} not run: {stage.needs} failed")
        else:
            with_long = all_tests and stage.preset == "release"
            outcomes[stage.name] = run_stage(stage, presets, with_long)
    return list(outcomes.values())


def report(outcomes):
    """Prints summaries and totals; returns the exit status."""
    print("\nstage             seconds  budget  result")
    for outcome in outcomes:
        result = outcome.note or "ok"
        if outcome.stage.kind in PARSERS and not outcome.note:
            result = f"{outcome.passed} passed, {outcome.failed} failed, {outcome.skipped} skipped"
        if outcome.seconds > outcome.stage.budget_s and not outcome.note:
            result += " (over its budget)"
        print(
            f"{outcome.stage.name:<15} {outcome.seconds:9.1f} {outcome.stage.budget_s:7}  {result}"
        )
    for outcome in outcomes:
        if outcome.summary:
            print(f"\n--- {outcome.stage.name}\n{outcome.summary}")
    passed = sum(outcome.passed for outcome in outcomes)
    failed = sum(outcome.failed for outcome in outcomes)
    skipped = sum(outcome.skipped for outcome in outcomes)
    if passed + failed == 0:
        print("\nno test was run")
        failed = 1
    print(
        f"\n{passed} passed, {failed} failed" + (f", {skipped} skipped" if skipped else ""),
        flush=True,
    )
    return 1 if failed else 0


def main():
    parser = argparse.ArgumentParser(
        prog="tools/test", description="Builds the project and runs its tests."
    )
    parser.add_argument(
        "--all", action="store_true", help="run the long tests too (in the release build)"
    )
    parser.add_argument(
        "--only",
        metavar="STAGES",
        help="comma-separated stages to run: " + ", ".join(s.name for s in STAGES),
    )
    options = parser.parse_args()
    stages = STAGES
    if options.only:
        names = options.only.split(",")
        unknown = [name for name in names if name not in {stage.name for stage in STAGES}]
        if unknown:
            known = ", ".join(stage.name for stage in STAGES)
            parser.error(f"unknown stage '{unknown[0]}', there are {known}")
        stages = [stage for stage in STAGES if stage.name in names]
    return report(run_stages(stages, options.all))


if __name__ == "__main__":
    sys.exit(main())
