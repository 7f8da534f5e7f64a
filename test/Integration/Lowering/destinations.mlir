// Results, states and what conditionals and loops yield: every value arrives in its
// place, however often it is returned and whatever else reads it.
// RUN: echo '{"mesh": {"tp": 2}, "shard": {"*.arg0": "[_, tp]"}}' > %t.json
// RUN: for f in twice parts running_sum state_in_layout branches switch gated nested region loop before; do for x in 0 1; do for plan in "replicated --mesh tp=2" %t.json; do \
// RUN:   tp-run %s --plan $plan --entry $f --input flag=$x --calls 3 --compare 2>&1 || exit 1; done; done; done | FileCheck %s
// CHECK-COUNT-44: equal to the unsharded program

func.func @twice(%x: tensor<4x6xf32>, %flag: index {tp.name = "flag"}) -> (tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>) {
  %a = math.exp %x : tensor<4x6xf32>
  return %a, %x, %a : tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>
}

// A value, a part of it and another shape of it.
func.func @parts(%x: tensor<4x6xf32>, %flag: index {tp.name = "flag"}) -> (tensor<4x6xf32>, tensor<2x6xf32>, tensor<24xf32>) {
  %a = math.exp %x : tensor<4x6xf32>
  %p = tensor.extract_slice %a[1, 0] [2, 6] [1, 1] : tensor<4x6xf32> to tensor<2x6xf32>
  %c = tensor.collapse_shape %a [[0, 1]] : tensor<4x6xf32> into tensor<24xf32>
  return %a, %p, %c : tensor<4x6xf32>, tensor<2x6xf32>, tensor<24xf32>
}

func.func @running_sum(%x: tensor<4x6xf32>, %s: tensor<4x6xf32> {tp.kind = "state", tp.name = "acc"}, %flag: index {tp.name = "flag"})
    -> (tensor<4x6xf32>, tensor<4x6xf32> {tp.alias = 1 : i64}, tensor<4x6xf32>) {
  %a = arith.addf %s, %x : tensor<4x6xf32>
  return %a, %a, %s : tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>
}

// The state is whole on every rank, what is computed with it is cut.
func.func @state_in_layout(%x: tensor<4x6xf32>, %s: tensor<4x6xf32> {tp.kind = "state", tp.name = "acc"}, %flag: index {tp.name = "flag"})
    -> (tensor<4x6xf32> {tp.alias = 1 : i64}, tensor<4x6xf32>) {
  %a = arith.addf %s, %x : tensor<4x6xf32>
  %b = arith.mulf %a, %a : tensor<4x6xf32>
  return %a, %b : tensor<4x6xf32>, tensor<4x6xf32>
}

func.func @branches(%x: tensor<4x6xf32>, %y: tensor<4x6xf32>, %flag: index {tp.name = "flag"}) -> (tensor<4x6xf32>, tensor<4x6xf32>, tensor<2x6xf32>) {
  %c1 = arith.constant 1 : index
  %c = arith.cmpi eq, %flag, %c1 : index
  %r:2 = scf.if %c -> (tensor<4x6xf32>, tensor<2x6xf32>) {
    %a = arith.addf %x, %y : tensor<4x6xf32>
    %p = tensor.extract_slice %a[1, 0] [2, 6] [1, 1] : tensor<4x6xf32> to tensor<2x6xf32>
    scf.yield %a, %p : tensor<4x6xf32>, tensor<2x6xf32>
  } else {
    %p = tensor.extract_slice %x[0, 0] [2, 6] [1, 1] : tensor<4x6xf32> to tensor<2x6xf32>
    scf.yield %x, %p : tensor<4x6xf32>, tensor<2x6xf32>
  }
  return %r#0, %r#0, %r#1 : tensor<4x6xf32>, tensor<4x6xf32>, tensor<2x6xf32>
}

func.func @switch(%x: tensor<4x6xf32>, %flag: index {tp.name = "flag"}) -> (tensor<4x6xf32>, tensor<4x6xf32>) {
  %r:2 = scf.index_switch %flag -> tensor<4x6xf32>, tensor<4x6xf32>
  case 0 {
    %a = arith.addf %x, %x : tensor<4x6xf32>
    scf.yield %a, %a : tensor<4x6xf32>, tensor<4x6xf32>
  }
  default {
    %a = math.exp %x : tensor<4x6xf32>
    scf.yield %x, %a : tensor<4x6xf32>, tensor<4x6xf32>
  }
  %b = arith.mulf %r#0, %x : tensor<4x6xf32>
  return %b, %r#1 : tensor<4x6xf32>, tensor<4x6xf32>
}

// The state changes, or does not, in place.
func.func @gated(%x: tensor<4x6xf32>, %s: tensor<4x6xf32> {tp.kind = "state", tp.name = "acc"}, %flag: index {tp.name = "flag"})
    -> (tensor<4x6xf32> {tp.alias = 1 : i64}, tensor<4x6xf32>) {
  %c1 = arith.constant 1 : index
  %c = arith.cmpi eq, %flag, %c1 : index
  %t = arith.subf %s, %x : tensor<4x6xf32>
  %r = scf.if %c -> tensor<4x6xf32> {
    %a = arith.addf %s, %x : tensor<4x6xf32>
    scf.yield %a : tensor<4x6xf32>
  } else {
    scf.yield %s : tensor<4x6xf32>
  }
  return %r, %t : tensor<4x6xf32>, tensor<4x6xf32>
}

func.func @nested(%x: tensor<4x6xf32>, %y: tensor<4x6xf32>, %flag: index {tp.name = "flag"}) -> (tensor<4x6xf32>, tensor<4x6xf32>) {
  %c1 = arith.constant 1 : index
  %c = arith.cmpi eq, %flag, %c1 : index
  %e = math.exp %x : tensor<4x6xf32>
  %r:2 = scf.index_switch %flag -> tensor<4x6xf32>, tensor<4x6xf32>
  case 1 {
    %i:2 = scf.if %c -> (tensor<4x6xf32>, tensor<4x6xf32>) {
      %a = arith.addf %e, %y : tensor<4x6xf32>
      scf.yield %a, %y : tensor<4x6xf32>, tensor<4x6xf32>
    } else {
      scf.yield %e, %e : tensor<4x6xf32>, tensor<4x6xf32>
    }
    scf.yield %i#1, %i#0 : tensor<4x6xf32>, tensor<4x6xf32>
  }
  default {
    scf.yield %e, %x : tensor<4x6xf32>, tensor<4x6xf32>
  }
  return %r#0, %r#1 : tensor<4x6xf32>, tensor<4x6xf32>
}

func.func @region(%x: tensor<4x6xf32>, %flag: index {tp.name = "flag"}) -> (tensor<4x6xf32>, tensor<4x6xf32>) {
  %r = scf.execute_region -> tensor<4x6xf32> {
    %a = math.exp %x : tensor<4x6xf32>
    scf.yield %a : tensor<4x6xf32>
  }
  return %r, %x : tensor<4x6xf32>, tensor<4x6xf32>
}

// One value in two carried places, and a part of it in a third.
func.func @loop(%x: tensor<4x6xf32>, %flag: index {tp.name = "flag"}) -> (tensor<4x6xf32>, tensor<4x6xf32>, tensor<2x6xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %z = tensor.extract_slice %x[0, 0] [2, 6] [1, 1] : tensor<4x6xf32> to tensor<2x6xf32>
  %r:3 = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %x, %b = %x, %p = %z) -> (tensor<4x6xf32>, tensor<4x6xf32>, tensor<2x6xf32>) {
    %s = arith.addf %a, %b : tensor<4x6xf32>
    %q = tensor.extract_slice %s[1, 0] [2, 6] [1, 1] : tensor<4x6xf32> to tensor<2x6xf32>
    scf.yield %s, %s, %q : tensor<4x6xf32>, tensor<4x6xf32>, tensor<2x6xf32>
  }
  return %r#0, %r#1, %r#2 : tensor<4x6xf32>, tensor<4x6xf32>, tensor<2x6xf32>
}

// What was computed before is returned, and one branch hands it on.
func.func @before(%x: tensor<4x6xf32>, %flag: index {tp.name = "flag"}) -> (tensor<4x6xf32>, tensor<4x6xf32>) {
  %e = math.exp %x : tensor<4x6xf32>
  %r = scf.index_switch %flag -> tensor<4x6xf32>
  case 0 {
    scf.yield %x : tensor<4x6xf32>
  }
  default {
    scf.yield %e : tensor<4x6xf32>
  }
  return %e, %r : tensor<4x6xf32>, tensor<4x6xf32>
}
