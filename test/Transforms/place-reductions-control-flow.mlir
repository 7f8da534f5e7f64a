// RUN: tp-opt %s -split-input-file --tp-plan-pipeline --tp-reshard-pipeline | FileCheck %s

// A product that adds up in its destination, from zero: one reduction behind the loop.
tp.mesh @mesh <"tp"=4>

// CHECK-LABEL: func.func @destination
// CHECK: %[[Z:.*]] = arith.constant {tp.sharding = [#tp.sharding<[_, _] sum(tp)>]}
// CHECK-NOT: tp.reshard
// CHECK: %[[R:.*]] = scf.for {{.*}} iter_args(%[[A:.*]] = %[[Z]])
// CHECK-NEXT: %[[P:.*]] = linalg.matmul {tp.sharding = [#tp.sharding<[_, _] sum(tp)>]} {{.*}} outs(%[[A]]
// CHECK-NEXT: scf.yield %[[P]]
// CHECK-NEXT: } {tp.arg_sharding = [#tp.sharding<[]>, #tp.sharding<[_, _] sum(tp)>], tp.sharding = [#tp.sharding<[_, _] sum(tp)>]}
// CHECK-NEXT: tp.reshard %[[R]] from <[_, _] sum(tp)> to <[_, _]> because "scf.for yields [_, _] sum(tp), wanted as [_, _]"
func.func @destination(%x: tensor<4x8xf32> {tp.sharding = #tp.sharding<[_, tp]>}, %w: tensor<8x8xf32> {tp.sharding = #tp.sharding<[tp, _]>}, %n: index) -> tensor<4x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant dense<0.0> : tensor<4x8xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %z) -> (tensor<4x8xf32>) {
    %p = linalg.matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%a : tensor<4x8xf32>) -> tensor<4x8xf32>
    scf.yield %p : tensor<4x8xf32>
  }
  return %r : tensor<4x8xf32>
}

// -----

// Several sums, and an init that counts once.
tp.mesh @mesh <"tp"=4>

// CHECK-LABEL: func.func @sums
// CHECK: %[[I:.*]] = tp.reshard %arg2 from <[_, _]> to <[_, _] sum(tp)> because "needed as [_, _] sum(tp) by scf.for"
// CHECK: %[[R:.*]] = scf.for {{.*}} iter_args(%[[A:.*]] = %[[I]])
// CHECK-NOT: tp.reshard
// CHECK: arith.addf %[[A]]
// CHECK-NOT: tp.reshard
// CHECK: }
// CHECK: tp.reshard %[[R]] from <[_, _] sum(tp)> to <[_, _]>
func.func @sums(%x: tensor<4x8xf32> {tp.sharding = #tp.sharding<[_, tp]>}, %w: tensor<8x8xf32> {tp.sharding = #tp.sharding<[tp, _]>}, %init: tensor<4x8xf32>, %n: index) -> tensor<4x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant dense<0.0> : tensor<4x8xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %init) -> (tensor<4x8xf32>) {
    %p = linalg.matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%z : tensor<4x8xf32>) -> tensor<4x8xf32>
    %q = linalg.matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%z : tensor<4x8xf32>) -> tensor<4x8xf32>
    %s = arith.addf %a, %p : tensor<4x8xf32>
    %t = arith.addf %s, %q : tensor<4x8xf32>
    scf.yield %t : tensor<4x8xf32>
  }
  return %r : tensor<4x8xf32>
}

// -----

// Of any kind, through both halves of a while, and out of a loop in a loop.
tp.mesh @mesh <"tp"=4>

// CHECK-LABEL: func.func @nested
// CHECK: scf.while
// CHECK-NOT: tp.reshard
// CHECK: scf.condition
// CHECK-NOT: tp.reshard
// CHECK: scf.for
// CHECK-NOT: tp.reshard
// CHECK: } attributes {tp.arg_sharding = [#tp.sharding<[]>, #tp.sharding<[_] max(tp)>, #tp.sharding<[]>, #tp.sharding<[_] max(tp)>]
// CHECK: tp.reshard %{{.*}}#1 from <[_] max(tp)> to <[_]>
func.func @nested(%x: tensor<4x8xf32> {tp.sharding = #tp.sharding<[_, tp]>}, %init: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = arith.constant dense<0xFF800000> : tensor<4xf32>
  %r:2 = scf.while (%i = %c0, %a = %init) : (index, tensor<4xf32>) -> (index, tensor<4xf32>) {
    %c = arith.cmpi slt, %i, %n : index
    scf.condition(%c) %i, %a : index, tensor<4xf32>
  } do {
  ^bb0(%i: index, %a: tensor<4xf32>):
    %b = scf.for %j = %c0 to %n step %c1 iter_args(%e = %a) -> (tensor<4xf32>) {
      %k = linalg.reduce { arith.maximumf } ins(%x : tensor<4x8xf32>) outs(%m : tensor<4xf32>) dimensions = [1]
      %s = arith.maximumf %e, %k : tensor<4xf32>
      scf.yield %s : tensor<4xf32>
    }
    %j = arith.addi %i, %c1 : index
    scf.yield %j, %b : index, tensor<4xf32>
  }
  return %r#1 : tensor<4xf32>
}

// -----

// What a trip needs whole is carried whole.
tp.mesh @mesh <"tp"=4>

// CHECK-LABEL: func.func @needed
// CHECK: scf.for
// CHECK: tp.reshard %{{.*}} from <[_, _] sum(tp)> to <[_, _]>
// CHECK: scf.yield
// CHECK-NEXT: } {tp.arg_sharding = [#tp.sharding<[]>, #tp.sharding<[_, _]>, #tp.sharding<[_, _]>]
// CHECK-NOT: tp.reshard
func.func @needed(%x: tensor<4x8xf32> {tp.sharding = #tp.sharding<[_, tp]>}, %w: tensor<8x8xf32> {tp.sharding = #tp.sharding<[tp, _]>}, %init: tensor<4x8xf32>, %n: index)
    -> (tensor<4x8xf32> {tp.sharding = #tp.sharding<[]>}, tensor<4x8xf32> {tp.sharding = #tp.sharding<[]>}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %init, %b = %init) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
    %p = linalg.matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%a : tensor<4x8xf32>) -> tensor<4x8xf32>
    %t = math.tanh %a : tensor<4x8xf32>
    scf.yield %p, %t : tensor<4x8xf32>, tensor<4x8xf32>
  } {tp.sharding = [#tp.sharding<[]>, #tp.sharding<[]>]}
  return %r#0, %r#1 : tensor<4x8xf32>, tensor<4x8xf32>
}

// -----

// One trip saves nothing.
tp.mesh @mesh <"tp"=4>

// CHECK-LABEL: func.func @one_trip
// CHECK: } {tp.arg_sharding = [#tp.sharding<[]>, #tp.sharding<[_, _]>]
func.func @one_trip(%x: tensor<4x8xf32> {tp.sharding = #tp.sharding<[_, tp]>}, %w: tensor<8x8xf32> {tp.sharding = #tp.sharding<[tp, _]>}) -> tensor<4x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant dense<0.0> : tensor<4x8xf32>
  %r = scf.for %i = %c0 to %c1 step %c1 iter_args(%a = %z) -> (tensor<4x8xf32>) {
    %p = linalg.matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%a : tensor<4x8xf32>) -> tensor<4x8xf32>
    scf.yield %p : tensor<4x8xf32>
  }
  return %r : tensor<4x8xf32>
}

// -----

// Rows that trips take in turn: gathered once. What is not from outside of the loop is not.
tp.mesh @mesh <"tp"=4>

// CHECK-LABEL: func.func @in_turn
// CHECK: %[[G:.*]] = tp.reshard %arg0 from <[tp, _]> to <[_, _]> because "needed as [_, _] by tensor.extract_slice"
// CHECK: scf.for
// CHECK: tensor.extract_slice %[[G]]
// CHECK-NOT: tp.reshard
// CHECK: }
func.func @in_turn(%x: tensor<8x8xf32> {tp.sharding = #tp.sharding<[tp, _]>}, %init: tensor<1x8xf32>) -> tensor<1x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %r = scf.for %i = %c0 to %c8 step %c1 iter_args(%a = %init) -> (tensor<1x8xf32>) {
    %s = tensor.extract_slice %x[%i, 0] [1, 8] [1, 1] : tensor<8x8xf32> to tensor<1x8xf32>
    %t = arith.mulf %a, %s : tensor<1x8xf32>
    %u = math.tanh %t : tensor<1x8xf32>
    scf.yield %u : tensor<1x8xf32>
  }
  return %r : tensor<1x8xf32>
}

// -----

// One trip takes less than all rows.
tp.mesh @mesh <"tp"=4>

// CHECK-LABEL: func.func @few
// CHECK-NOT: tp.reshard
// CHECK: scf.for
// CHECK: %[[S:.*]] = tensor.extract_slice %arg0
// CHECK: tp.reshard %[[S]] from <[_, _] sum(tp)> to <[_, _]>
func.func @few(%x: tensor<65536x8xf32> {tp.sharding = #tp.sharding<[tp, _]>}, %init: tensor<1x8xf32>, %k: index) -> tensor<1x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %r = scf.for %i = %c0 to %c2 step %c1 iter_args(%a = %init) -> (tensor<1x8xf32>) {
    %j = arith.addi %i, %k : index
    %s = tensor.extract_slice %x[%j, 0] [1, 8] [1, 1] : tensor<65536x8xf32> to tensor<1x8xf32>
    %t = arith.mulf %a, %s : tensor<1x8xf32>
    %u = math.tanh %t : tensor<1x8xf32>
    scf.yield %u : tensor<1x8xf32>
  }
  return %r : tensor<1x8xf32>
}
