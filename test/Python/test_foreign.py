"""The programs of test/Integration/Foreign: values, collectives and bytes."""

import sys
from concurrent.futures import ThreadPoolExecutor

from compiled import BIN, need
from conftest import ROOT

sys.path.insert(0, str(ROOT / "test/Integration/Foreign"))

import foreign  # noqa: E402


def test_values_and_collectives():
    need("tp-run")

    def attempt(entry):
        problem = foreign.attempt(entry, BIN / "tp-run", ("--poison", "--check-collectives"))
        return problem and f"{entry['file']} {entry['plan']}: {problem}"

    with ThreadPoolExecutor(2) as pool:
        problems = list(filter(None, pool.map(attempt, foreign.load_entries())))
    assert not problems
