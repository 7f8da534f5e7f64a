"""Programs that use a value at several places, and what they give again: nothing may double.

Each has so many levels that what doubled at each would not end.
"""

import pytest
from compiled import need, rejected, run

LEVELS = 40
MESH = 'tp.mesh @mesh <"tp"=3>\n'
T = "tensor<6x6xf32>"

# The lines of level `i`, which makes %v{i} of %v{i - 1}: {p}.
CHAINS = {
    "sums": f"%v{{i}} = arith.addf %{{p}}, %{{p}} : {T}",
    "named": f"%v{{i}} = linalg.max ins(%{{p}}, %{{p}} : {T}, {T}) outs(%e : {T}) -> {T}",
    "diamonds": f"""%s{{i}} = math.sin %{{p}} : {T}
  %n{{i}} = math.cos %{{p}} : {T}
  %v{{i}} = arith.mulf %s{{i}}, %n{{i}} : {T}""",
    "steps of Newton": f"""%a{{i}} = arith.mulf %{{p}}, %{{p}} : {T}
  %b{{i}} = math.tanh %a{{i}} : {T}
  %v{{i}} = arith.subf %{{p}}, %b{{i}} : {T}""",
    "transposed": f"""%v{{i}} = linalg.generic {{{{indexing_maps = [affine_map<(i, j) -> (i, j)>,
      affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}}}}
      ins(%{{p}}, %{{p}} : {T}, {T}) outs(%e : {T}) {{{{
  ^bb0(%l: f32, %r: f32, %o: f32):
    %m = arith.mulf %l, %r : f32
    linalg.yield %m : f32
  }}}} -> {T}""",
}

# Of a body whose accumulator is the first {p} and whose element is %in.
BODIES = {
    "sums": "%v{i} = arith.addf %{p}, %{p} : f32",
    "differences": "%w{i} = arith.addf %{p}, %{p} : f32\n    %v{i} = arith.subf %w{i}, %{p} : f32",
    "products": "%v{i} = arith.mulf %{p}, %{p} : f32",
    "sums and maxima": "%w{i} = arith.addf %{p}, %in : f32\n"
    "    %v{i} = arith.maximumf %w{i}, %{p} : f32",
    "maxima": "%w{i} = arith.maximumf %{p}, %in : f32\n    %v{i} = arith.maximumf %w{i}, %{p} : f32",
    "choices": "%c{i} = arith.cmpf ogt, %in, %acc : f32\n"
    "    %w{i} = arith.select %c{i}, %in, %{p} : f32\n"
    "    %v{i} = arith.maximumf %w{i}, %{p} : f32",
}


def levels(text, first):
    lines, value = [], first
    for i in range(LEVELS):
        lines.append(text.format(i=i, p=value))
        value = f"v{i}"
    return "\n  ".join(lines), value


def is_equal(tmp_path, text):
    need("tp-run")
    (tmp_path / "p.mlir").write_text(MESH + text)
    result = run("tp-run", tmp_path / "p.mlir", "--compare")
    assert result.returncode == 0, result.stderr
    assert result.stdout.splitlines()[-1] == "equal to the unsharded program"


@pytest.mark.parametrize("name", CHAINS)
def test_chain(name, tmp_path):
    lines, last = levels(CHAINS[name], "x")
    is_equal(
        tmp_path,
        f"""func.func @f(%x: {T} {{tp.sharding = #tp.sharding<[tp, _]>}}) -> {T} {{
  %e = tensor.empty() : {T}
  {lines}
  return %{last} : {T}
}}""",
    )


@pytest.mark.parametrize("name", BODIES)
def test_body_of_a_reduction(name, tmp_path):
    lines, last = levels(BODIES[name], "acc")
    is_equal(
        tmp_path,
        f"""func.func @f(%x: {T} {{tp.sharding = #tp.sharding<[_, tp]>}}) -> tensor<6xf32> {{
  %init = arith.constant dense<0.0> : tensor<6xf32>
  %r = linalg.generic {{indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
      iterator_types = ["parallel", "reduction"]}} ins(%x : {T}) outs(%init : tensor<6xf32>) {{
  ^bb0(%in: f32, %acc: f32):
    {lines}
    linalg.yield %{last} : f32
  }} -> tensor<6xf32>
  return %r : tensor<6xf32>
}}""",
    )


def test_calls_that_fan_out(tmp_path):
    need("tp-run")
    text = [MESH, f"func.func private @g0(%x: {T}) -> {T} {{ return %x : {T} }}"]
    for i in range(1, LEVELS):
        text.append(f"""func.func private @g{i}(%x: {T}) -> {T} {{
  %a = call @g{i - 1}(%x) : ({T}) -> {T}
  %b = call @g{i - 1}(%a) : ({T}) -> {T}
  return %b : {T}
}}""")
    text.append(f"""func.func @f(%x: {T}) -> {T} {{
  %a = call @g{LEVELS - 1}(%x) : ({T}) -> {T}
  return %a : {T}
}}""")
    (tmp_path / "p.mlir").write_text("\n".join(text))
    result = run("tp-run", tmp_path / "p.mlir")
    rejected(
        result,
        f"@f has {2**LEVELS} ops once its calls are inlined, at most 4000000 can be partitioned: "
        "write what it repeats as loops",
    )
