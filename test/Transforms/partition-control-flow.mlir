// RUN: tp-opt %s -split-input-file --tp-plan-pipeline --tp-reshard-pipeline --tp-partition-pipeline | FileCheck %s
// RUN: tp-opt %s -split-input-file --tp-plan-pipeline --tp-reshard-pipeline --tp-partition-pipeline=poison=true | FileCheck %s --check-prefix=POISON

// Loops and conditionals on blocks: no attribute of global values is left.
tp.mesh @mesh <"tp"=4>

// CHECK-LABEL: func.func @loop
// CHECK: scf.for {{.*}} iter_args(%[[H:.*]] = %arg0) -> (tensor<4x2xf32>)
// CHECK: %[[M:.*]] = linalg.matmul ins(%[[H]], %arg1 : tensor<4x2xf32>, tensor<2x8xf32>)
// CHECK: %[[S:.*]] = comm.reduce_scatter sum %[[M]] dim 1 over (tp) because {{.*}} : tensor<4x8xf32> -> tensor<4x2xf32>
// CHECK: scf.yield %[[S]]
// CHECK-NEXT: }
// CHECK-NEXT: scf.if
// CHECK-NOT: tp.sharding
// CHECK: return
func.func @loop(%h: tensor<4x8xf32> {tp.sharding = #tp.sharding<[_, tp]>}, %w: tensor<8x8xf32> {tp.sharding = #tp.sharding<[tp, _]>}, %n: index, %c: i1)
    -> (tensor<4x8xf32> {tp.sharding = #tp.sharding<[_, tp]>}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %h) -> (tensor<4x8xf32>) {
    %z = arith.constant dense<0.0> : tensor<4x8xf32>
    %p = linalg.matmul ins(%a, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%z : tensor<4x8xf32>) -> tensor<4x8xf32>
    scf.yield %p : tensor<4x8xf32>
  }
  %y = scf.if %c -> (tensor<4x8xf32>) {
    scf.yield %r : tensor<4x8xf32>
  } else {
    scf.yield %h : tensor<4x8xf32>
  }
  return %y : tensor<4x8xf32>
}

// -----

// What the padding of a carried value holds is not known: it is masked where it
// matters. Values from outside the loop are masked outside, once.
tp.mesh @mesh <"tp"=2>

// CHECK-LABEL: func.func @padding
// CHECK: %[[X:.*]] = math.exp %arg0
// CHECK: %[[XM:.*]] = linalg.generic {{.*}} ins(%[[X]] : tensor<3xf32>)
// CHECK: scf.for {{.*}} iter_args(%[[A:.*]] = %arg1)
// CHECK: %[[AM:.*]] = linalg.generic {{.*}} ins(%[[A]] : tensor<3xf32>)
// CHECK: linalg.dot ins(%[[XM]], %[[AM]]
// POISON-LABEL: func.func @padding
// POISON: scf.for {{.*}} iter_args(%[[A:.*]] = %arg1)
// POISON: arith.constant 0x7FC00000 : f32
// POISON: %[[P:.*]] = linalg.generic {{.*}} ins(%[[A]] : tensor<3xf32>)
// POISON: linalg.generic {{.*}} ins(%[[P]] : tensor<3xf32>)
func.func @padding(%x: tensor<5xf32> {tp.sharding = #tp.sharding<[tp]>}, %y: tensor<5xf32> {tp.sharding = #tp.sharding<[tp]>}, %n: index) -> tensor<5xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = math.exp %x : tensor<5xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %y) -> (tensor<5xf32>) {
    %z = arith.constant dense<0.0> : tensor<f32>
    %s = linalg.dot ins(%e, %a : tensor<5xf32>, tensor<5xf32>) outs(%z : tensor<f32>) -> tensor<f32>
    %o = tensor.empty() : tensor<5xf32>
    %b = linalg.broadcast ins(%s : tensor<f32>) outs(%o : tensor<5xf32>) dimensions = [0]
    scf.yield %b : tensor<5xf32>
  }
  return %r : tensor<5xf32>
}

// -----

// A mask that a branch needs first serves uses behind it: it stands where the value does.
tp.mesh @mesh <"tp"=2>

// CHECK-LABEL: func.func @mask_once
// CHECK: %[[X:.*]] = math.exp %arg0
// CHECK: %[[M:.*]] = linalg.generic {{.*}} ins(%[[X]] : tensor<3xf32>)
// CHECK: scf.if
// CHECK: linalg.reduce { arith.addf } ins(%[[M]]
// CHECK: linalg.reduce { arith.addf } ins(%[[M]]
func.func @mask_once(%x: tensor<5xf32> {tp.sharding = #tp.sharding<[tp]>}, %c: i1) -> (tensor<f32>, tensor<f32>) {
  %z = arith.constant dense<0.0> : tensor<f32>
  %e = math.exp %x : tensor<5xf32>
  %r = scf.if %c -> (tensor<f32>) {
    %s = linalg.reduce { arith.addf } ins(%e : tensor<5xf32>) outs(%z : tensor<f32>) dimensions = [0]
    scf.yield %s : tensor<f32>
  } else {
    scf.yield %z : tensor<f32>
  }
  %t = linalg.reduce { arith.addf } ins(%e : tensor<5xf32>) outs(%z : tensor<f32>) dimensions = [0]
  return %r, %t : tensor<f32>, tensor<f32>
}

// -----

// Branches that agree on their padding: the result needs no mask.
tp.mesh @mesh <"tp"=2>

// CHECK-LABEL: func.func @known_padding
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @known_padding(%x: tensor<5xf32> {tp.sharding = #tp.sharding<[tp]>}, %y: tensor<5xf32> {tp.sharding = #tp.sharding<[tp]>}, %c: i1) -> tensor<f32> {
  %z = arith.constant dense<0.0> : tensor<f32>
  %r = scf.if %c -> (tensor<5xf32>) {
    scf.yield %x : tensor<5xf32>
  } else {
    %s = arith.addf %x, %y : tensor<5xf32>
    scf.yield %s : tensor<5xf32>
  }
  %t = linalg.reduce { arith.addf } ins(%r : tensor<5xf32>) outs(%z : tensor<f32>) dimensions = [0]
  return %t : tensor<f32>
}
