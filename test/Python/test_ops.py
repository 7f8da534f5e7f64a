"""The programs of test/Integration/Ops compiled: on three ranks what they are on one."""

import json
import re

import numpy as np
import pytest
from compiled import need, succeed
from conftest import ROOT

import tp

OPS = ROOT / "test/Integration/Ops"
FILES = sorted(path.stem for path in OPS.glob("*.mlir") if path.stem != "refused")
FUNCTION = re.compile(r"func\.func @([\w.]+)\(%a: tensor<((?:\d+x)+)")


def whole_number(value, k):
    """Small integers, so that sums have no rounding, in what numpy takes for the type."""
    at = np.arange(int(np.prod(value.shape, dtype=np.int64)))
    numbers = ((at + 13 * k) * 7919 % 7 - 3).reshape(value.shape)
    if value.dtype in ("i1", "index"):
        return (numbers % 2).astype(np.int8 if value.dtype == "i1" else np.int64)
    if value.dtype[0] in "fb":
        return numbers.astype(np.float64 if value.dtype == "f64" else np.float32)
    return numbers.astype(value.dtype.replace("i", "int"))


@pytest.mark.parametrize("file", FILES)
def test_compiled_ops_on_three_ranks(file, tmp_path):
    need("tp-compile")
    source = OPS / f"{file}.mlir"
    shard = {}
    for name, dims in FUNCTION.findall(source.read_text()):
        shard[f"{name}.arg0"] = "[" + ", ".join(["tp"] + ["_"] * (dims.count("x") - 1)) + "]"
    modules = []
    for ranks in (1, 3):
        plan, library = tmp_path / f"{ranks}.json", tmp_path / f"lib{ranks}.so"
        plan.write_text(json.dumps({"mesh": {"tp": ranks}, "shard": shard}))
        succeed("tp-compile", source, "--plan", plan, "--shared", "-o", library)
        modules.append(tp.Module(library))
    one, three = modules
    assert one.entries
    with one.session(threads=1) as whole, three.session(threads=1) as parts:
        for name, entry in one.entries.items():
            arrays = [whole_number(value, k) for k, value in enumerate(entry.arguments)]
            wanted, found = whole.call(name, *arrays), parts.call(name, *arrays)
            assert len(wanted) == len(found) > 0
            for a, b in zip(wanted, found, strict=True):
                np.testing.assert_allclose(b, a, rtol=1e-5, atol=1e-5, err_msg=name)
