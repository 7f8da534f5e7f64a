"""tools/test: reading the runners' summaries, and never a pass by omission."""

import json
import subprocess
import sys

import pytest
import run_tests
from run_tests import STAGES, Outcome, Presets, Stage

CTEST_GOOD = """
1/2 Test #1: Blocks.Uneven ....................   Passed    0.01 sec
2/2 Test #2: Blocks.Empty .....................***Skipped   0.01 sec

100% tests passed, 0 tests failed out of 2

Total Test time (real) =   0.03 sec
"""
CTEST_BAD = "67% tests passed, 1 tests failed out of 3\n\nThe following tests FAILED:\n\t  2 - Blocks.Empty (Failed)\n"
LIT_BAD = """
FAIL: tp :: a.mlir (1 of 4)
********************
Testing Time: 1.20s

Total Discovered Tests: 14
  Unsupported        :  1 (7.14%)
  Passed             : 10 (71.43%)
  Expectedly Failed  :  1 (7.14%)
  Failed             :  1 (7.14%)
  Timed Out          :  1 (7.14%)
"""


def test_ctest_summary():
    assert run_tests.parse_ctest(CTEST_GOOD)[:3] == (1, 0, 1)
    assert run_tests.parse_ctest(CTEST_GOOD)[3].startswith("100% tests passed")
    assert run_tests.parse_ctest(CTEST_BAD)[:3] == (2, 1, 0)
    assert "2 - Blocks.Empty" in run_tests.parse_ctest(CTEST_BAD)[3]
    assert run_tests.parse_ctest("No tests were found!!!\n") is None


def test_lit_summary():
    assert run_tests.parse_lit(LIT_BAD)[:3] == (11, 2, 1)
    assert run_tests.parse_lit(
        "Testing Time: 0.1s\n\nTotal Discovered Tests: 3\n  Passed: 3 (100.00%)\n"
    )[:3] == (3, 0, 0)
    assert run_tests.parse_lit("error: did not discover any tests for provided path(s)") is None


def test_pytest_summary():
    text = "F.\n=== short test summary info ===\nFAILED x\n=== 1 failed, 5 passed, 2 skipped, 1 error in 3.21s ===\n"
    assert run_tests.parse_pytest(text)[:3] == (5, 2, 2)
    assert run_tests.parse_pytest("=== 42 passed in 61.00s (0:01:01) ===\n")[:3] == (42, 0, 0)
    assert run_tests.parse_pytest("Traceback ...") is None


def test_summaries_of_the_runners_themselves(tmp_path):
    (tmp_path / "test_two.py").write_text("def test_a(): pass\ndef test_b(): assert False\n")
    command = [*run_tests.command_of(Stage("python", "pytest", "", 1), None, False)[:-1], tmp_path]
    result = subprocess.run(command, capture_output=True, text=True)
    assert run_tests.parse_pytest(result.stdout)[:3] == (1, 1, 0)
    (tmp_path / "lit.cfg.py").write_text(
        "import lit.formats\nconfig.name = 'x'\nconfig.test_format = lit.formats.ShTest()\nconfig.suffixes = ['.t']\n"
    )
    for name, line in (("a", "RUN: true"), ("b", "RUN: false"), ("c", "REQUIRES: x\nRUN: true")):
        (tmp_path / f"{name}.t").write_text(line + "\n")
    result = subprocess.run([run_tests.LIT, "-v", tmp_path], capture_output=True, text=True)
    assert run_tests.parse_lit(result.stdout)[:3] == (1, 1, 1)


def test_budgets_fit_forty_minutes():
    assert run_tests.SETUP_BUDGET_S + sum(stage.budget_s for stage in STAGES) <= 40 * 60
    names = [stage.name for stage in STAGES]
    assert len(set(names)) == len(names)
    assert all(
        stage.needs == "" or stage.needs in names[: names.index(stage.name)] for stage in STAGES
    )


def test_presets(tmp_path):
    presets = [
        {"name": "base", "hidden": True, "binaryDir": "${sourceDir}/out/${presetName}"},
        {"name": "release", "inherits": "base"},
        {"name": "asan", "inherits": ["base"], "binaryDir": "${sourceDir}/out-asan"},
    ]
    (tmp_path / "CMakePresets.json").write_text(json.dumps({"configurePresets": presets}))
    found = Presets(tmp_path)
    assert "release" in found and "tsan" not in found
    assert found.binary_dir("release") == tmp_path / "out/release"
    assert found.binary_dir("asan") == tmp_path / "out-asan"
    assert "release" not in Presets(tmp_path / "none")


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A project with a CMakeLists.txt whose stages run the commands of a dict."""
    for name in ("CMakeLists.txt", "test/lit.cfg.py", "test/Python/test_x.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")
    presets = [{"name": name, "binaryDir": "${sourceDir}/build"} for name in ("release", "asan")]
    (tmp_path / "CMakePresets.json").write_text(json.dumps({"configurePresets": presets}))
    monkeypatch.setattr(run_tests, "ROOT", tmp_path)
    monkeypatch.setattr(run_tests, "LOGS", tmp_path / "logs")

    def run(scripts, stages=STAGES):
        def command(stage, presets, all_tests):
            return [sys.executable, "-c", scripts[stage.name]]

        monkeypatch.setattr(run_tests, "command_of", command)
        return {outcome.stage.name: outcome for outcome in run_tests.run_stages(stages, False)}

    return run


GOOD = {
    "configure": "",
    "build": "",
    "unit": "print('100% tests passed, 0 tests failed out of 3')",
    "lit": "print('Testing Time: 1s\\n  Passed: 4 (100.00%)')",
    "python": "print('=== 5 passed in 1.00s ===')",
    "asan-configure": "",
    "asan-build": "",
    "asan-unit": "print('100% tests passed, 0 tests failed out of 3')",
    "asan-lit": "print('Testing Time: 1s\\n  Passed: 4 (100.00%)')",
}


def test_all_good(project, capsys):
    outcomes = project(GOOD)
    assert run_tests.report(list(outcomes.values())) == 0
    out = capsys.readouterr().out
    assert out.splitlines()[-1] == "19 passed, 0 failed"
    assert "Testing Time: 1s" in out and "5 passed in 1.00s" in out
    assert "tsan-unit" not in outcomes


def test_failed_build_fails_what_needs_it(project, capsys):
    outcomes = project({**GOOD, "build": "import sys; print('boom'); sys.exit(1)"})
    assert outcomes["build"].failed == outcomes["unit"].failed == outcomes["lit"].failed == 1
    assert outcomes["unit"].note == "not run: build failed"
    assert outcomes["python"].passed == 5
    assert "boom" in capsys.readouterr().err
    assert run_tests.report(list(outcomes.values())) == 1
    assert capsys.readouterr().out.splitlines()[-1] == "12 passed, 3 failed"


@pytest.mark.parametrize(
    "script, note",
    [
        ("", "printed no summary"),
        ("print('100% tests passed, 0 tests failed out of 0')", "ran no test"),
        (
            "import sys; print('100% tests passed, 0 tests failed out of 3'); sys.exit(1)",
            "failed with exit status 1",
        ),
        ("import sys; sys.exit(8)", "failed with exit status 8"),
    ],
)
def test_a_runner_that_did_not_do_its_work_failed(project, script, note):
    outcome = project({**GOOD, "unit": script})["unit"]
    assert outcome.failed == 1 and outcome.note == note


def test_budget(project):
    stage = Stage("unit", "ctest", "release", 1)
    script = "import time; print('100% tests passed, 0 tests failed out of 3', flush=True); time.sleep(60)"
    outcome = project({"unit": script}, [stage])["unit"]
    assert (
        outcome.failed == 1
        and outcome.note == "ran past 2 times its budget of 1 s"
        and outcome.seconds < 20
    )


def test_unknown_stage(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["run_tests.py", "--only", "lit,unti"])
    with pytest.raises(SystemExit) as stop:
        run_tests.main()
    assert stop.value.code == 2
    assert "unknown stage 'unti', there are " in capsys.readouterr().err


def test_nothing_run_is_a_failure(capsys):
    assert run_tests.report([]) == 1
    assert run_tests.report([Outcome(STAGES[0], 1.0)]) == 1
    assert capsys.readouterr().out.splitlines()[-1] == "0 passed, 1 failed"
