"""docs/AddAFamily.md is true: its blocks, put where it says, make a family that works."""

import re
import shlex
import subprocess

import pytest
from compiled import BIN, ROOT, need

import compiled
import test_families
from tp import reference, tiny

PAGE = (ROOT / "docs/AddAFamily.md").read_text()


def blocks():
    """{the comment before a block: its text}"""
    found = re.findall(r"<!-- (.*?) -->\n```[\w+]+\n(.*?)```", PAGE, re.DOTALL)
    assert len(found) == PAGE.count("<!--")
    return dict(found)


def insert(place, text):
    """The file that `place` names with `text` in it."""
    marker, path = re.fullmatch(r'before "(.*)" in (\S+)', place).groups()
    lines = (ROOT / path).read_text().splitlines(keepends=True)
    at = next(i for i, line in enumerate(lines) if marker in line)
    return path, "".join([*lines[:at], text, *lines[at:]])


def commands():
    """What compiles lib/Import/Families.cpp and what links tp-import."""
    lines = subprocess.run(
        ["ninja", "-C", ROOT / "build", "-t", "commands", "tp-import"],
        capture_output=True, text=True, check=True,
    ).stdout.splitlines()  # fmt: skip
    (compile_,) = [line for line in lines if line.endswith("lib/Import/Families.cpp")]
    return compile_, lines[-1]


@pytest.fixture(scope="module")
def tool(tmp_path_factory):
    """A directory of tools whose tp-import knows the family of the page."""
    need("tp-import", "tp-compile")
    folder = tmp_path_factory.mktemp("family")
    sources = folder / "lib/Import"
    sources.mkdir(parents=True)
    for place, text in blocks().items():
        if place.startswith("file: "):
            (folder / place.removeprefix("file: ")).write_text(text)
        elif place.startswith("before "):
            path, whole = insert(place, text)
            (folder / path).write_text(whole)
    compile_, link = commands()
    objects = []
    for source in sorted(sources.glob("*.cpp")):
        objects.append(str(source.with_suffix(".o")))
        command = compile_.replace(str(ROOT / "lib/Import/Families.cpp"), str(source))
        words = shlex.split(command)
        words[words.index("-o") + 1] = objects[-1]
        words[words.index("-MF") + 1] = str(source.with_suffix(".d"))
        # Headers beside the source first, then those of the tree.
        words[words.index("-o") : words.index("-o")] = ["-I", str(ROOT / "lib/Import")]
        subprocess.run(words, cwd=ROOT / "build", check=True, capture_output=True)
    (folder / "bin").mkdir()
    words = shlex.split(link.removeprefix(": && ").removesuffix(" && :"))
    place = words.index("-o")
    words[place + 1 : place + 2] = [str(folder / "bin/tp-import"), *objects]
    subprocess.run(words, cwd=ROOT / "build", check=True, capture_output=True)
    (folder / "bin/tp-compile").symlink_to(BIN / "tp-compile")
    return folder / "bin"


@pytest.mark.parametrize("tp", [1, 3])
def test_the_family_works(tool, tmp_path, monkeypatch, tp):
    for module in (tiny, reference):
        for table in ("FAMILIES", "TENSORS"):
            if hasattr(module, table):
                monkeypatch.setattr(module, table, dict(getattr(module, table)))
        (text,) = [
            text for place, text in blocks().items()
            if place == f"in python/tp/{module.__name__.removeprefix('tp.')}.py"
        ]  # fmt: skip
        exec(text, vars(module))
    monkeypatch.setattr(compiled, "BIN", tool)
    checkpoint = tiny.make("stablelm", tmp_path / "hf")
    model = compiled.Model(checkpoint, tmp_path, "--max-seq", 30, "--chunk", test_families.CHUNK)
    test_families.check(model, tp)
    if tp > 1:
        rows = model.explanation(tp)["entries"]["decode"]["collectives"]
        sums = [row["loc"] for row in rows if row["kind"] == "all_reduce"]
        assert sum("layers.1." in loc for loc in sums) == 2


def test_the_page_names_what_is_there():
    """Files that the page sends its reader to."""
    for path in set(re.findall(r"`((?:lib|python|test)/[\w/]+\.\w+)`", PAGE)):
        assert path == "lib/Import/StableLm.cpp" or (ROOT / path).exists(), path
