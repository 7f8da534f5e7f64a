"""The programs of test/Integration/Cases, run and compared with LLVM's own tools."""

import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from compiled import BIN, need
from conftest import ROOT

sys.path.insert(0, str(ROOT / "test/Integration/Cases"))

import check  # noqa: E402

# Those of which communication and values must be right; of the others the values
# only, or one located error.
EXACT = "01 03 04 08 10 12 13 14 15 16 21 25 28 29 32 34 35 36 41".split()
MODES = ((), ("--poison", "--check-collectives"), ("--interpret", "--poison"))


def entries(exact):
    """The entries, as parameters, of which communication does (not) matter."""
    return [
        pytest.param(entry, id=f"{entry['file']}-{entry['variant']}".rstrip("-"))
        for entry in check.load_entries()
        if (entry["file"][:2] in EXACT) == exact
    ]


def attempt(entry, mode, values_only):
    problem = check.attempt(entry, BIN / "tp-run", mode, values_only)
    return f"{' '.join(mode) or 'compiled'}: {problem}" if problem else None


@pytest.mark.parametrize("entry", entries(exact=True))
def test_values_and_collectives(entry):
    need("tp-run")
    with ThreadPoolExecutor(2) as pool:
        problems = pool.map(lambda mode: attempt(entry, mode, values_only=False), MODES)
    assert not list(filter(None, problems))


@pytest.mark.parametrize("entry", entries(exact=False))
def test_values_or_error(entry):
    need("tp-run")
    assert attempt(entry, (), values_only=True) is None
