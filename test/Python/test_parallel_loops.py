"""scf.forall and scf.parallel: ranks share the trips, which give what they do one after the other."""

import json
import re

import numpy as np
import pytest
from compiled import need, succeed

# Each entry has loops whose bounds are constants of the program. With bounds that are known when
# the program runs the same loops run one trip after the other: what they yield is the right value.
ENTRIES = """
#twice = affine_map<(d0) -> (d0 * 2)>
#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @rows(%a: tensor<12x6xf32>, BOUNDS) -> tensor<12x6xf32> {
  %e = tensor.empty() : tensor<12x6xf32>
  %r = scf.forall (%i) in (12) shared_outs(%o = %e) -> tensor<12x6xf32> {
    %x = tensor.extract_slice %a[%i, 0] [1, 6] [1, 1] : tensor<12x6xf32> to tensor<1x6xf32>
    %y = math.exp %x : tensor<1x6xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %y into %o[%i, 0] [1, 6] [1, 1] : tensor<1x6xf32> into tensor<12x6xf32>
    }
  }
  return %r : tensor<12x6xf32>
}
func.func @tiles(%a: tensor<12x6xf32>, BOUNDS) -> tensor<12x12xf32> {
  %z = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<12x12xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<12x12xf32>) -> tensor<12x12xf32>
  %r = scf.forall (%i, %j) = (0, 0) to (12, 12) step (4, 6) shared_outs(%o = %f) -> tensor<12x12xf32> {
    %x = tensor.extract_slice %a[%i, 0] [4, 6] [1, 1] : tensor<12x6xf32> to tensor<4x6xf32>
    %w = tensor.extract_slice %a[%j, 0] [6, 6] [1, 1] : tensor<12x6xf32> to tensor<6x6xf32>
    %y = tensor.extract_slice %o[%i, %j] [4, 6] [1, 1] : tensor<12x12xf32> to tensor<4x6xf32>
    %p = linalg.matmul ins(%x, %w : tensor<4x6xf32>, tensor<6x6xf32>) outs(%y : tensor<4x6xf32>) -> tensor<4x6xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %p into %o[%i, %j] [4, 6] [1, 1] : tensor<4x6xf32> into tensor<12x12xf32>
    }
  }
  return %r : tensor<12x12xf32>
}
func.func @columns(%a: tensor<12x6xf32>, BOUNDS) -> (tensor<6x12xf32>, tensor<24xf32>) {
  %z = arith.constant 2.0 : f32
  %s = tensor.splat %z : tensor<6x12xf32>
  %t = tensor.splat %z : tensor<24xf32>
  %r:2 = scf.forall (%i) in (12) shared_outs(%o = %s, %p = %t) -> (tensor<6x12xf32>, tensor<24xf32>) {
    %x = tensor.extract_slice %a[%i, 0] [1, 6] [1, 1] : tensor<12x6xf32> to tensor<6xf32>
    %c = tensor.expand_shape %x [[0, 1]] output_shape [6, 1] : tensor<6xf32> into tensor<6x1xf32>
    %n = arith.index_cast %i : index to i32
    %g = arith.sitofp %n : i32 to f32
    %v = tensor.splat %g : tensor<6x1xf32>
    %y = arith.addf %c, %v : tensor<6x1xf32>
    %one = tensor.from_elements %g : tensor<1xf32>
    %at = affine.apply #twice(%i)
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %y into %o[0, %i] [6, 1] [1, 1] : tensor<6x1xf32> into tensor<6x12xf32>
      tensor.parallel_insert_slice %one into %p[%at] [1] [1] : tensor<1xf32> into tensor<24xf32>
    }
  }
  return %r#0, %r#1 : tensor<6x12xf32>, tensor<24xf32>
}
func.func @chosen(%a: tensor<12x6xf32>, BOUNDS) -> tensor<12x6xf32> {
  %ids = arith.constant dense<[3, 0, 11, 3, 7, 7, 2, 10, 9, 1, 0, 5]> : tensor<12xindex>
  %c5 = arith.constant 5 : index
  %e = tensor.empty() : tensor<12x6xf32>
  %r = scf.forall (%i) in (12) shared_outs(%o = %e) -> tensor<12x6xf32> {
    %k = tensor.extract %ids[%i] : tensor<12xindex>
    %x = tensor.extract_slice %a[%k, 0] [1, 6] [1, 1] : tensor<12x6xf32> to tensor<1x6xf32>
    %small = arith.cmpi slt, %k, %c5 : index
    %f = scf.if %small -> f32 {
      %one = tensor.extract %a[%i, %c5] : tensor<12x6xf32>
      scf.yield %one : f32
    } else {
      %two = arith.constant 2.0 : f32
      scf.yield %two : f32
    }
    %g = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%x : tensor<1x6xf32>) outs(%x : tensor<1x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %d = linalg.index 1 : index
      %n = arith.addi %d, %i : index
      %m = arith.index_cast %n : index to i32
      %h = arith.sitofp %m : i32 to f32
      %p = arith.mulf %in, %f : f32
      %q = arith.addf %p, %h : f32
      linalg.yield %q : f32
    } -> tensor<1x6xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %g into %o[%i, 0] [1, 6] [1, 1] : tensor<1x6xf32> into tensor<12x6xf32>
    }
  }
  return %r : tensor<12x6xf32>
}
func.func @windows(%a: tensor<12x6xf32>, BOUNDS) -> tensor<5x2x8xf32> {
  %z = arith.constant 0.5 : f32
  %one = arith.constant dense<1.0> : tensor<1x6xf32>
  %e = tensor.empty() : tensor<5x2x8xf32>
  %r = scf.forall (%i) in (5) shared_outs(%o = %e) -> tensor<5x2x8xf32> {
    %at = affine.apply #twice(%i)
    %x = tensor.extract_slice %a[%at, 0] [4, 6] [1, 1] : tensor<12x6xf32> to tensor<4x6xf32>
    %half = tensor.extract_slice %x[1, 0] [1, 6] [1, 1] : tensor<4x6xf32> to tensor<1x6xf32>
    %both = tensor.concat dim(0) %half, %one : (tensor<1x6xf32>, tensor<1x6xf32>) -> tensor<2x6xf32>
    %c = tensor.collapse_shape %both [[0, 1]] : tensor<2x6xf32> into tensor<12xf32>
    %b = tensor.expand_shape %c [[0, 1]] output_shape [2, 6] : tensor<12xf32> into tensor<2x6xf32>
    %p = tensor.pad %b low[0, 1] high[0, 1] {
    ^bb0(%d0: index, %d1: index):
      tensor.yield %z : f32
    } : tensor<2x6xf32> to tensor<2x8xf32>
    %w = tensor.insert_slice %half into %p[0, 2] [1, 6] [1, 1] : tensor<1x6xf32> into tensor<2x8xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %w into %o[%i, 0, 0] [1, 2, 8] [1, 1, 1] : tensor<2x8xf32> into tensor<5x2x8xf32>
    }
  }
  return %r : tensor<5x2x8xf32>
}
func.func @nested(%a: tensor<12x6xf32>, BOUNDS) -> tensor<12x6xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %z = arith.constant 0.0 : f32
  %r = scf.forall (%i) in (12) shared_outs(%o = %a) -> tensor<12x6xf32> {
    %x = tensor.extract_slice %o[%i, 0] [1, 6] [1, 1] : tensor<12x6xf32> to tensor<6xf32>
    %y = scf.forall (%k) in (6) shared_outs(%p = %x) -> tensor<6xf32> {
      %s = scf.parallel (%j) = (%c0) to (%c6) step (%c1) init (%z) -> f32 {
        %v = tensor.extract %x[%j] : tensor<6xf32>
        scf.reduce(%v : f32) {
        ^bb0(%l: f32, %m: f32):
          %t = arith.addf %l, %m : f32
          scf.reduce.return %t : f32
        }
      }
      %one = tensor.splat %s : tensor<1xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %one into %p[%k] [1] [1] : tensor<1xf32> into tensor<6xf32>
      }
    }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %y into %o[%i, 0] [1, 6] [1, 1] : tensor<6xf32> into tensor<12x6xf32>
    }
  }
  return %r : tensor<12x6xf32>
}
func.func @reductions(%a: tensor<12x6xf32>, BOUNDS) -> (f32, f32, tensor<6xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c12 = arith.constant 12 : index
  %c6 = arith.constant 6 : index
  %z = arith.constant 3.0 : f32
  %s = tensor.splat %z : tensor<6xf32>
  %r:3 = scf.parallel (%i, %j) = (%c0, %c1) to (%c12, %c6) step (%c1, %c2) init (%z, %z, %s) -> (f32, f32, tensor<6xf32>) {
    %v = tensor.extract %a[%i, %j] : tensor<12x6xf32>
    %n = arith.index_cast %j : index to i32
    %f = arith.sitofp %n : i32 to f32
    %w = arith.mulf %v, %f : f32
    %x = tensor.extract_slice %a[%i, 0] [1, 6] [1, 1] : tensor<12x6xf32> to tensor<6xf32>
    scf.reduce(%w, %v, %x : f32, f32, tensor<6xf32>) {
    ^bb0(%l: f32, %m: f32):
      %t = arith.addf %l, %m : f32
      scf.reduce.return %t : f32
    }, {
    ^bb0(%l: f32, %m: f32):
      %t = arith.maximumf %l, %m : f32
      scf.reduce.return %t : f32
    }, {
    ^bb0(%l: tensor<6xf32>, %m: tensor<6xf32>):
      %t = arith.addf %l, %m : tensor<6xf32>
      scf.reduce.return %t : tensor<6xf32>
    }
  }
  return %r#0, %r#1, %r#2 : f32, f32, tensor<6xf32>
}
"""
# What one block of rows needs of another: collectives of all ranks together, each at most once.
COLLECTIVES = {
    "rows": 0,
    "tiles": None,
    "columns": 1,
    "chosen": None,
    "windows": None,
    "nested": 0,
    "reductions": 3,
}


@pytest.fixture(scope="module")
def values(tmp_path_factory):
    """The program with loops that run one after the other, and what its entries yield."""
    need("tp-run")
    folder = tmp_path_factory.mktemp("loops")
    a = (np.arange(72) * 37 % 11 - 5).reshape(12, 6).astype(np.float32) / 4
    np.save(folder / "a.npy", a)
    text = re.sub(r"scf\.forall \((%\w+)\) in \((\d+)\)", r"scf.forall (\1) in (%b\2)", ENTRIES)
    text = text.replace("to (12, 12)", "to (%b12, %b12)").replace(
        "to (%c12, %c6)", "to (%b12, %b6)"
    )
    bounds = ", ".join(f"%b{n}: index" for n in (5, 6, 12))
    (folder / "one.mlir").write_text(text.replace("BOUNDS", bounds))
    (folder / "all.mlir").write_text(ENTRIES.replace("BOUNDS", bounds))
    return folder


def results(folder, program, entry, *options):
    given = [f"--input={k}={n}" for k, n in zip((1, 2, 3), (5, 6, 12))]
    out = folder / f"{program}-{entry}"
    succeed(
        "tp-run",
        folder / f"{program}.mlir",
        f"--entry={entry}",
        f"--input=0={folder / 'a.npy'}",
        *given,
        f"--output={out}",
        *options,
    )
    return [np.load(path) for path in sorted(out.glob("result*.npy"))]


@pytest.mark.parametrize("entry", COLLECTIVES)
def test_trips_are_shared(entry, values):
    right = results(values, "one", entry, "--mesh", "tp=1", "--interpret")
    assert right and all(np.isfinite(value).all() for value in right)
    plan, explained = values / f"{entry}.json", values / f"{entry}-explained.json"
    for cut, mode in (("[tp, _]", "--poison"), ("[_, tp]", "--interpret")):
        plan.write_text(json.dumps({"mesh": {"tp": 3}, "shard": {f"{entry}.arg0": cut}}))
        found = results(
            values, "all", entry, "--plan", plan, "--compare", mode, f"--explain={explained}"
        )
        for a, b in zip(right, found, strict=True):
            np.testing.assert_allclose(b, a, rtol=1e-6, atol=1e-6)
        rows = json.loads(explained.read_text())["entries"][entry]["collectives"]
        assert all(row["count"] == 1 for row in rows), rows
        if COLLECTIVES[entry] is not None and cut == "[tp, _]":
            assert len(rows) <= COLLECTIVES[entry], rows
