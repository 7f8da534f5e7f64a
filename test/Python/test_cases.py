"""The programs of test/Integration/Cases, run and compared with LLVM's own tools."""

import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from compiled import BIN, need
from conftest import ROOT

sys.path.insert(0, str(ROOT / "test/Integration/Cases"))

import check  # noqa: E402

# Those that run in every mode; the others run compiled.
IN_ALL_MODES = "01 03 04 08 10 12 13 14 15 16 21 25 28 29 32 34 35 36 41".split()
MODES = ((), ("--poison", "--check-collectives"), ("--interpret", "--poison"))


def entries():
    """The entries, as parameters."""
    return [
        pytest.param(entry, id=f"{entry['file']}-{entry['variant']}".rstrip("-"))
        for entry in check.load_entries()
    ]


def attempt(entry, mode):
    problem = check.attempt(entry, BIN / "tp-run", mode)
    return f"{' '.join(mode) or 'compiled'}: {problem}" if problem else None


@pytest.mark.parametrize("entry", entries())
def test_values_and_collectives(entry):
    need("tp-run")
    modes = MODES if entry["file"][:2] in IN_ALL_MODES else MODES[:1]
    with ThreadPoolExecutor(2) as pool:
        problems = pool.map(lambda mode: attempt(entry, mode), modes)
    assert not list(filter(None, problems))
