// RUN: tp-opt %s -split-input-file --tp-plan-pipeline | FileCheck %s

// What a loop carries is one value: init, argument, result, and what the body yields.
tp.mesh @mesh <"tp"=4>

// CHECK-LABEL: func.func @loop
// CHECK-SAME: -> (tensor<4x8xf32> {tp.sharding = #tp.sharding<[_, tp]>})
// CHECK: scf.for
// CHECK: math.tanh {{.*}} {tp.sharding = [#tp.sharding<[_, tp]>]}
// CHECK: } {tp.arg_sharding = [#tp.sharding<[]>, #tp.sharding<[_, tp]>], tp.sharding = [#tp.sharding<[_, tp]>]}
func.func @loop(%h: tensor<4x8xf32> {tp.sharding = #tp.sharding<[_, tp]>}, %n: index) -> tensor<4x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %h) -> (tensor<4x8xf32>) {
    %t = math.tanh %a : tensor<4x8xf32>
    scf.yield %t : tensor<4x8xf32>
  }
  return %r : tensor<4x8xf32>
}

// -----

// Trips that never come tie the values all the same. Two values are two.
tp.mesh @mesh <"tp"=4>

// CHECK-LABEL: func.func @no_trip
// CHECK-SAME: %arg1: tensor<8xf32> {tp.sharding = #tp.sharding<[_]>}
// CHECK: } {tp.arg_sharding = [#tp.sharding<[]>, #tp.sharding<[tp]>, #tp.sharding<[_]>], tp.sharding = [#tp.sharding<[tp]>, #tp.sharding<[_]>]}
func.func @no_trip(%x: tensor<8xf32> {tp.sharding = #tp.sharding<[tp]>}, %y: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %c0 step %c1 iter_args(%a = %x, %b = %y) -> (tensor<8xf32>, tensor<8xf32>) {
    %t = math.tanh %b : tensor<8xf32>
    scf.yield %a, %t : tensor<8xf32>, tensor<8xf32>
  }
  return %r#0, %r#1 : tensor<8xf32>, tensor<8xf32>
}

// -----

// From a value that the body uses out to the init; what the condition hands on is a
// value of its own, with the argument after it and the result.
tp.mesh @mesh <"tp"=4>

// CHECK-LABEL: func.func @from_within
// CHECK-SAME: %arg1: tensor<8xf32> {tp.sharding = #tp.sharding<[tp]>}
// CHECK-SAME: -> (tensor<4x8xf32> {tp.sharding = #tp.sharding<[_, tp]>})
// CHECK: attributes {tp.arg_sharding = [#tp.sharding<[tp]>, #tp.sharding<[_, tp]>], tp.sharding = [#tp.sharding<[_, tp]>]}
func.func @from_within(%b: tensor<8xf32> {tp.sharding = #tp.sharding<[tp]>}, %init: tensor<8xf32>, %c: i1) -> tensor<4x8xf32> {
  %r = scf.while (%a = %init) : (tensor<8xf32>) -> tensor<4x8xf32> {
    %e = tensor.empty() : tensor<4x8xf32>
    %w = linalg.broadcast ins(%a : tensor<8xf32>) outs(%e : tensor<4x8xf32>) dimensions = [0]
    scf.condition(%c) %w : tensor<4x8xf32>
  } do {
  ^bb0(%w: tensor<4x8xf32>):
    %z = arith.constant dense<0.0> : tensor<8xf32>
    %s = linalg.reduce { arith.addf } ins(%w : tensor<4x8xf32>) outs(%z : tensor<8xf32>) dimensions = [0]
    %t = arith.addf %s, %b : tensor<8xf32>
    scf.yield %t : tensor<8xf32>
  }
  return %r : tensor<4x8xf32>
}

// -----

// The branches and the result are one value, whatever the kind of conditional.
tp.mesh @mesh <"tp"=4>

// CHECK-LABEL: func.func @branches
// CHECK-SAME: %arg3: tensor<8xf32> {tp.sharding = #tp.sharding<[tp]>}
// CHECK: scf.if
// CHECK: } {tp.sharding = [#tp.sharding<[tp]>]}
// CHECK: scf.index_switch %arg1 {tp.sharding = [#tp.sharding<[tp]>]}
// CHECK: scf.execute_region
// CHECK: } {tp.sharding = [#tp.sharding<[tp]>]}
func.func @branches(%c: i1, %i: index, %x: tensor<8xf32> {tp.sharding = #tp.sharding<[tp]>}, %y: tensor<8xf32>) -> tensor<8xf32> {
  %r = scf.if %c -> (tensor<8xf32>) {
    %t = math.tanh %x : tensor<8xf32>
    scf.yield %t : tensor<8xf32>
  } else {
    scf.yield %y : tensor<8xf32>
  }
  %s = scf.index_switch %i -> tensor<8xf32>
  case 3 {
    scf.yield %r : tensor<8xf32>
  }
  default {
    %e = scf.execute_region -> tensor<8xf32> {
      scf.yield %r : tensor<8xf32>
    }
    scf.yield %e : tensor<8xf32>
  }
  return %s : tensor<8xf32>
}

// -----

// Annotations within: of an op in the body, of a block argument, of a result.
tp.mesh @mesh <"tp"=2>

// CHECK-LABEL: func.func @annotated
// CHECK-SAME: %arg0: tensor<8x4xf32> {tp.sharding = #tp.sharding<[tp, _]>}, %arg1: tensor<8xf32> {tp.sharding = #tp.sharding<[tp]>}, %arg2: tensor<6xf32> {tp.sharding = #tp.sharding<[tp]>}
func.func @annotated(%x: tensor<8x4xf32>, %y: tensor<8xf32>, %z: tensor<6xf32>, %n: index) -> (tensor<8x4xf32>, tensor<8xf32>, tensor<6xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %y, %c = %z) -> (tensor<8x4xf32>, tensor<8xf32>, tensor<6xf32>) {
    %t = math.tanh %a {tp.sharding = [#tp.sharding<[tp, _]>]} : tensor<8x4xf32>
    scf.yield %t, %b, %c : tensor<8x4xf32>, tensor<8xf32>, tensor<6xf32>
  } {tp.arg_sharding = [#tp.sharding<[]>, #tp.sharding<[?, ?]>, #tp.sharding<[tp]>, #tp.sharding<[?]>],
     tp.sharding = [#tp.sharding<[?, ?]>, #tp.sharding<[?]>, #tp.sharding<[tp]>]}
  return %r#0, %r#1, %r#2 : tensor<8x4xf32>, tensor<8xf32>, tensor<6xf32>
}

// -----

// Each use of a constant has its own, in whatever region it is.
tp.mesh @mesh <"tp"=2>

// CHECK-LABEL: func.func @constants
// CHECK-DAG: arith.constant {tp.sharding = [#tp.sharding<[tp]>]} dense<1.0
// CHECK-DAG: arith.constant {tp.sharding = [#tp.sharding<[_]>]} dense<1.0
func.func @constants(%x: tensor<8xf32> {tp.sharding = #tp.sharding<[tp]>}, %y: tensor<8xf32> {tp.sharding = #tp.sharding<[]>}, %c: i1)
    -> (tensor<8xf32>, tensor<8xf32> {tp.sharding = #tp.sharding<[]>}) {
  %one = arith.constant dense<1.0> : tensor<8xf32>
  %r:2 = scf.if %c -> (tensor<8xf32>, tensor<8xf32>) {
    %a = arith.addf %x, %one : tensor<8xf32>
    %b = arith.addf %y, %one : tensor<8xf32>
    scf.yield %a, %b : tensor<8xf32>, tensor<8xf32>
  } else {
    scf.yield %x, %y : tensor<8xf32>, tensor<8xf32>
  }
  return %r#0, %r#1 : tensor<8xf32>, tensor<8xf32>
}

// -----

// Cuts of a later priority are known of block arguments, too.
tp.mesh @mesh <"tp"=2>

// CHECK-LABEL: func.func @priority
// CHECK: } {tp.arg_cut_priority = [array<i64>, array<i64: 1>], tp.arg_sharding = [#tp.sharding<[]>, #tp.sharding<[tp]>], tp.cut_priority = [array<i64: 1>]
func.func @priority(%x: tensor<8xf32> {tp.sharding = #tp.sharding<[tp]>, tp.priority = 1 : i64}, %n: index) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (tensor<8xf32>) {
    %t = math.tanh %a : tensor<8xf32>
    scf.yield %t : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// -----

// Call sites in a loop follow their own operands.
tp.mesh @mesh <"tp"=2>

// CHECK-LABEL: func.func @calls
// CHECK: scf.for
// CHECK: math.tanh {{.*}} {tp.sharding = [#tp.sharding<[tp]>]}
// CHECK: math.tanh {{.*}} {tp.sharding = [#tp.sharding<[_]>]}
func.func private @step(%x: tensor<8xf32>) -> tensor<8xf32> {
  %t = math.tanh %x : tensor<8xf32>
  return %t : tensor<8xf32>
}
func.func @calls(%x: tensor<8xf32> {tp.sharding = #tp.sharding<[tp]>}, %y: tensor<8xf32> {tp.sharding = #tp.sharding<[]>}, %n: index)
    -> (tensor<8xf32>, tensor<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %y) -> (tensor<8xf32>, tensor<8xf32>) {
    %s = func.call @step(%a) : (tensor<8xf32>) -> tensor<8xf32>
    %t = func.call @step(%b) : (tensor<8xf32>) -> tensor<8xf32>
    scf.yield %s, %t : tensor<8xf32>, tensor<8xf32>
  }
  return %r#0, %r#1 : tensor<8xf32>, tensor<8xf32>
}

// -----

// What ops of a loop gather in each trip is carried whole: gathered once before it.
tp.mesh @mesh <"tp"=4>

// CHECK-LABEL: func.func @whole_in_each_trip
// CHECK: scf.for
// CHECK: } {tp.arg_sharding = [#tp.sharding<[]>, #tp.sharding<[_]>], tp.sharding = [#tp.sharding<[_]>]}
func.func @whole_in_each_trip(%x: tensor<8xf32> {tp.sharding = #tp.sharding<[tp]>}, %n: index) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (tensor<8xf32>) {
    %t = math.tanh %a : tensor<8xf32>
    %e = tensor.empty() : tensor<1xf32>
    %s = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (0)>], iterator_types = ["reduction"]}
        ins(%t : tensor<8xf32>) outs(%e : tensor<1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %sum = arith.mulf %out, %in : f32
      %next = math.sin %sum : f32
      linalg.yield %next : f32
    } -> tensor<1xf32>
    %c = tensor.collapse_shape %s [] : tensor<1xf32> into tensor<f32>
    %v = tensor.extract %c[] : tensor<f32>
    %f = tensor.splat %v : tensor<8xf32>
    %u = arith.addf %t, %f : tensor<8xf32>
    scf.yield %u : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// -----

// The condition of a while needs it whole, by an op without a rule; what the condition
// hands on is whole with it.
tp.mesh @mesh <"tp"=4>

// CHECK-LABEL: func.func @whole_in_each_condition
// CHECK: attributes {tp.arg_sharding = [#tp.sharding<[_]>, #tp.sharding<[_]>], tp.sharding = [#tp.sharding<[_]>]}
func.func @whole_in_each_condition(%x: tensor<8xf32> {tp.sharding = #tp.sharding<[tp]>}, %c: i1) -> tensor<8xf32> {
  %c1 = arith.constant 1 : index
  %r = scf.while (%a = %x) : (tensor<8xf32>) -> tensor<8xf32> {
    %w = tensor.generate {
    ^bb0(%i: index):
      %j = arith.xori %i, %c1 : index
      %v = tensor.extract %a[%j] : tensor<8xf32>
      tensor.yield %v : f32
    } : tensor<8xf32>
    %s = arith.addf %w, %a : tensor<8xf32>
    scf.condition(%c) %s : tensor<8xf32>
  } do {
  ^bb0(%w: tensor<8xf32>):
    %t = math.tanh %w : tensor<8xf32>
    scf.yield %t : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// -----

// Not where trips cut it anew, nor where they scatter what they sum: a reduction would
// cost more than the gather saves. Not in one trip.
tp.mesh @mesh <"tp"=4>

// CHECK-LABEL: func.func @cut_in_each_trip
// CHECK: } {tp.arg_sharding = [#tp.sharding<[]>, #tp.sharding<[tp, _]>], tp.sharding = [#tp.sharding<[tp, _]>]}
// CHECK: } {tp.arg_sharding = [#tp.sharding<[]>, #tp.sharding<[_, tp]>], tp.sharding = [#tp.sharding<[_, tp]>]}
// CHECK: } {tp.arg_sharding = [#tp.sharding<[]>, #tp.sharding<[tp, _]>], tp.sharding = [#tp.sharding<[tp, _]>]}
func.func @cut_in_each_trip(%x: tensor<8x8xf32> {tp.sharding = #tp.sharding<[tp, _]>}, %y: tensor<8x8xf32> {tp.sharding = #tp.sharding<[_, tp]>},
                            %up: tensor<8x16xf32> {tp.sharding = #tp.sharding<[_, tp]>}, %down: tensor<16x8xf32> {tp.sharding = #tp.sharding<[tp, _]>},
                            %w: tensor<8x8xf32> {tp.sharding = #tp.sharding<[_, tp]>}, %n: index)
    -> (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : tensor<8x8xf32>
  %wide = arith.constant dense<0.0> : tensor<8x16xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (tensor<8x8xf32>) {
    %t = math.tanh %a : tensor<8x8xf32>
    %h = linalg.matmul ins(%t, %up : tensor<8x8xf32>, tensor<8x16xf32>) outs(%wide : tensor<8x16xf32>) -> tensor<8x16xf32>
    %g = linalg.matmul ins(%h, %down : tensor<8x16xf32>, tensor<16x8xf32>) outs(%zero : tensor<8x8xf32>) -> tensor<8x8xf32>
    %u = arith.addf %a, %g : tensor<8x8xf32>
    scf.yield %u : tensor<8x8xf32>
  }
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%a = %y) -> (tensor<8x8xf32>) {
    %h = linalg.matmul ins(%a, %w : tensor<8x8xf32>, tensor<8x8xf32>) outs(%zero : tensor<8x8xf32>) -> tensor<8x8xf32>
    scf.yield %h : tensor<8x8xf32>
  }
  %q = scf.for %i = %c0 to %c1 step %c1 iter_args(%a = %x) -> (tensor<8x8xf32>) {
    %h = tensor.generate {
    ^bb0(%k: index, %l: index):
      %v = tensor.extract %a[%l, %k] : tensor<8x8xf32>
      tensor.yield %v : f32
    } : tensor<8x8xf32>
    %u = arith.addf %a, %h : tensor<8x8xf32>
    scf.yield %u : tensor<8x8xf32>
  }
  return %r, %s, %q : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>
}

// -----

// From an outer loop through an inner one: whole in both.
tp.mesh @mesh <"tp"=4>

// CHECK-LABEL: func.func @whole_in_inner_trips
// CHECK: } {tp.arg_sharding = [#tp.sharding<[]>, #tp.sharding<[_]>], tp.sharding = [#tp.sharding<[_]>]}
// CHECK: } {tp.arg_sharding = [#tp.sharding<[]>, #tp.sharding<[_]>], tp.sharding = [#tp.sharding<[_]>]}
func.func @whole_in_inner_trips(%x: tensor<8xf32> {tp.sharding = #tp.sharding<[tp]>}, %n: index) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (tensor<8xf32>) {
    %s = scf.for %j = %c0 to %n step %c1 iter_args(%b = %a) -> (tensor<8xf32>) {
      %w = tensor.generate {
      ^bb0(%k: index):
        %l = arith.xori %k, %c1 : index
        %v = tensor.extract %b[%l] : tensor<8xf32>
        tensor.yield %v : f32
      } : tensor<8xf32>
      scf.yield %w : tensor<8xf32>
    }
    %t = math.tanh %s : tensor<8xf32>
    scf.yield %t : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// -----

// A weight that a while carries stays cut: nothing gathers it, the product is scattered.
tp.mesh @mesh <"tp"=4>

// CHECK-LABEL: func.func @weight_through_a_while
// CHECK: attributes {tp.arg_sharding = [#tp.sharding<[tp, _]>, #tp.sharding<[_, tp]>, #tp.sharding<[tp, _]>, #tp.sharding<[_, tp]>]
func.func @weight_through_a_while(%w: tensor<8x8xf32> {tp.sharding = #tp.sharding<[tp, _]>}, %x: tensor<4x8xf32> {tp.sharding = #tp.sharding<[_, tp]>}, %c: i1)
    -> (tensor<4x8xf32> {tp.sharding = #tp.sharding<[_, tp]>}) {
  %zero = arith.constant dense<0.0> : tensor<4x8xf32>
  %r:2 = scf.while (%a = %w, %b = %x) : (tensor<8x8xf32>, tensor<4x8xf32>) -> (tensor<8x8xf32>, tensor<4x8xf32>) {
    scf.condition(%c) %a, %b : tensor<8x8xf32>, tensor<4x8xf32>
  } do {
  ^bb0(%a: tensor<8x8xf32>, %b: tensor<4x8xf32>):
    %h = linalg.matmul ins(%b, %a : tensor<4x8xf32>, tensor<8x8xf32>) outs(%zero : tensor<4x8xf32>) -> tensor<4x8xf32>
    %t = math.tanh %h : tensor<4x8xf32>
    scf.yield %a, %t : tensor<8x8xf32>, tensor<4x8xf32>
  }
  return %r#1 : tensor<4x8xf32>
}
