"""The commands and programs of pages in docs/, run as they stand.

A block after `<!-- file: NAME -->` is written to a file, one after `<!-- run -->` is run by
sh in the order of the page, and one after `<!-- output -->` is what the last one prints.
"""

import os
import re
import subprocess
import sys

import pytest
from compiled import BIN, TIMEOUT_S, need, succeed
from conftest import ROOT

from tp import tiny

BLOCK = re.compile(r"^<!-- (file|run|output)(?:: (\S+))? -->\n```\w*\n(.*?)^```$", re.S | re.M)
PAGES = sorted(p.name for p in (ROOT / "docs").glob("*.md") if BLOCK.search(p.read_text()))


@pytest.fixture
def folder(tmp_path):
    """A folder with what pages take as given: a checkpoint `hf`, `python` and `cc`."""
    need("tp-import", "tp-compile")
    tiny.make("gqa9", tmp_path / "hf")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/python").write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    (tmp_path / "bin/python").chmod(0o755)
    (tmp_path / "bin/cc").symlink_to("/usr/bin/clang-22")
    return tmp_path


def need_option(tool, option):
    """Skips the calling test while a tool of ours has no such option yet."""
    if option not in succeed(tool, "--help"):
        pytest.skip(f"{tool} has no {option} yet")


@pytest.mark.parametrize("page", PAGES)
def test_page(page, folder):
    blocks = BLOCK.findall((ROOT / "docs" / page).read_text())
    if any("--report" in text for _, _, text in blocks):
        need_option("tp-compile", "--report")
    path = os.pathsep.join([str(folder / "bin"), str(BIN), os.environ["PATH"]])
    environment = {**os.environ, "PATH": path, "PYTHONPATH": str(ROOT / "python"), "TP": str(ROOT)}
    printed = None
    for kind, name, text in blocks:
        if kind == "file":
            (folder / name).write_text(text)
        elif kind == "output":
            assert printed == text
        else:
            result = subprocess.run(
                ["sh", "-euc", text],
                cwd=folder,
                env=environment,
                capture_output=True,
                text=True,
                timeout=TIMEOUT_S,
            )
            assert result.returncode == 0, f"{text}\n{result.stderr}"
            printed = result.stdout


@pytest.mark.parametrize("page", PAGES)
def test_blocks_are_marked(page):
    """A block of a page that is none of these would not be run."""
    text = (ROOT / "docs" / page).read_text()
    assert text.count("```") == 2 * len(BLOCK.findall(text))
