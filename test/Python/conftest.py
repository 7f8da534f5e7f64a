"""Fixtures: small GGUF files and checkpoints made on the spot."""

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "python"), str(ROOT / "tools/dev"), str(ROOT / "test/Python")]

import synthetic  # noqa: E402


@pytest.fixture
def write_gguf(tmp_path):
    """Writes a synthetic GGUF file; keyword arguments change its metadata."""

    def write(name="tiny.gguf", **changes):
        return synthetic.write_gguf(tmp_path / name, **changes)

    return write


@pytest.fixture(scope="session")
def checkpoint_with_text(tmp_path_factory):
    """A checkpoint directory with tokenizer and chat template."""
    from tp import gguf

    folder = tmp_path_factory.mktemp("with_text")
    synthetic.write_gguf(folder / "tiny.gguf")
    gguf.convert(folder / "tiny.gguf", folder / "hf")
    return folder / "hf"


@pytest.fixture
def fake_program(tmp_path):
    """Writes an executable Python script with the given body."""

    def write(body, name="program"):
        path = tmp_path / name
        path.write_text(f"#!{sys.executable}\n{body}")
        path.chmod(0o755)
        return path

    return write
