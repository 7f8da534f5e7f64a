// RUN: tp-opt %s --tp-prepare-bufferization | FileCheck %s

// Each product has a destination and a fill of its own, right before it.
// CHECK-LABEL: func @fills
func.func @fills(%x: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x4xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  // CHECK: %[[E1:.*]] = tensor.empty()
  // CHECK: %[[Z1:.*]] = linalg.fill ins(%{{.*}}) outs(%[[E1]]
  // CHECK: linalg.matmul {{.*}} outs(%[[Z1]]
  %0 = linalg.matmul ins(%x, %x : tensor<4x4xf32>, tensor<4x4xf32>) outs(%z : tensor<4x4xf32>) -> tensor<4x4xf32>
  // CHECK: %[[E2:.*]] = tensor.empty()
  // CHECK: %[[Z2:.*]] = linalg.fill ins(%{{.*}}) outs(%[[E2]]
  // CHECK: linalg.matmul {{.*}} outs(%[[Z2]]
  %1 = linalg.matmul ins(%0, %x : tensor<4x4xf32>, tensor<4x4xf32>) outs(%z : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0, %1 : tensor<4x4xf32>, tensor<4x4xf32>
}

// A large splat is not data, a small one may be.
// CHECK-LABEL: func @splats
func.func @splats() -> (tensor<100xf32>, tensor<4xf32>) {
  // CHECK-DAG: arith.constant dense<2.000000e+00> : tensor<4xf32>
  // CHECK-DAG: linalg.fill ins(%{{.*}} : f32) outs(%{{.*}} : tensor<100xf32>)
  %0 = arith.constant dense<1.0> : tensor<100xf32>
  %1 = arith.constant dense<2.0> : tensor<4xf32>
  return %0, %1 : tensor<100xf32>, tensor<4xf32>
}

// CHECK-LABEL: func @loop
func.func @loop(%x: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: scf.for {{.*}} iter_args(%[[H:.*]] = %arg0)
  // CHECK:   %[[V:.*]] = linalg.generic
  // CHECK:   %[[IN:.*]] = bufferization.materialize_in_destination %[[V]] in %[[H]]
  // CHECK:   scf.yield %[[IN]]
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%h = %x) -> tensor<4xf32> {
    %1 = math.exp %h : tensor<4xf32>
    scf.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// Values that change places are read before either is overwritten.
// CHECK-LABEL: func @swap
func.func @swap(%x: tensor<4xf32>, %y: tensor<4xf32>, %n: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: scf.for {{.*}} iter_args(%[[A:.*]] = %arg0, %[[B:.*]] = %arg1)
  // CHECK:   %[[OLD_B:.*]] = bufferization.alloc_tensor() copy(%[[B]])
  // CHECK:   %[[OLD_A:.*]] = bufferization.alloc_tensor() copy(%[[A]])
  // CHECK-DAG: bufferization.materialize_in_destination %[[OLD_B]] in %[[A]]
  // CHECK-DAG: bufferization.materialize_in_destination %[[OLD_A]] in %[[B]]
  %0:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %y) -> (tensor<4xf32>, tensor<4xf32>) {
    scf.yield %b, %a : tensor<4xf32>, tensor<4xf32>
  }
  return %0#0, %0#1 : tensor<4xf32>, tensor<4xf32>
}

// Both branches end in one tensor, except where both update one.
// CHECK-LABEL: func @branches
func.func @branches(%x: tensor<4xf32>, %y: tensor<4xf32>, %v: f32, %flag: i1) -> (tensor<4xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  // CHECK: %[[D:.*]] = bufferization.alloc_tensor() : tensor<4xf32>
  // CHECK: scf.if
  // CHECK:   %[[T:.*]] = linalg.generic {{.*}} ins(%arg0 : tensor<4xf32>) outs(%[[D]]
  // CHECK:   scf.yield %[[T]], %arg1
  // CHECK: else
  // CHECK:   %[[I:.*]] = tensor.insert %{{.*}} into %arg1
  // CHECK:   %[[E:.*]] = linalg.generic {{.*}} ins(%arg1 : tensor<4xf32>) outs(%[[D]]
  // CHECK:   scf.yield %[[E]], %[[I]]
  %0:2 = scf.if %flag -> (tensor<4xf32>, tensor<4xf32>) {
    scf.yield %x, %y : tensor<4xf32>, tensor<4xf32>
  } else {
    %1 = tensor.insert %v into %y[%c0] : tensor<4xf32>
    scf.yield %y, %1 : tensor<4xf32>, tensor<4xf32>
  }
  return %0#0, %0#1 : tensor<4xf32>, tensor<4xf32>
}

// They end where the result is to be, unless the old contents are read later; what
// is yielded twice is computed once.
// CHECK-LABEL: func @branches_to_destinations
func.func @branches_to_destinations(%x: tensor<4xf32> {bufferization.writable = false}, %z: tensor<4xf32>, %flag: i1, %d: tensor<4xf32>, %e: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  // CHECK: %[[T:.*]] = bufferization.alloc_tensor() : tensor<4xf32>
  // CHECK: %[[R:.*]]:2 = scf.if
  // CHECK:   %[[V:.*]] = linalg.generic
  // CHECK:   %[[A:.*]] = bufferization.materialize_in_destination %[[V]] in %arg3
  // CHECK:   %[[B:.*]] = bufferization.materialize_in_destination %[[A]] in %[[T]]
  // CHECK:   scf.yield %[[A]], %[[B]]
  // CHECK: else
  // CHECK:   %[[C:.*]] = linalg.generic {{.*}} ins(%arg0 : tensor<4xf32>) outs(%arg3
  // CHECK: %[[OLD:.*]] = linalg.generic {{.*}} ins(%arg4
  // CHECK: %[[M:.*]] = bufferization.materialize_in_destination %[[R]]#1 in %arg4
  // CHECK: return %[[R]]#0, %[[M]], %[[OLD]]
  %0:2 = scf.if %flag -> (tensor<4xf32>, tensor<4xf32>) {
    %1 = arith.addf %x, %z : tensor<4xf32>
    scf.yield %1, %1 : tensor<4xf32>, tensor<4xf32>
  } else {
    scf.yield %x, %x : tensor<4xf32>, tensor<4xf32>
  }
  %old = math.exp %e : tensor<4xf32>
  %2 = bufferization.materialize_in_destination %0#0 in %d : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %3 = bufferization.materialize_in_destination %0#1 in %e : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %2, %3, %old : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// A loop that starts from the tensor in which its result ends works in it, unless the old contents are read in the
// loop, behind it, or the result ends elsewhere: then it works in a copy.
// CHECK-LABEL: func @loop_in_destination
// CHECK: linalg.generic {{.*}} ins(%arg0, %arg0
// CHECK: %[[R:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %arg0)
// CHECK: return %[[R]]
func.func @loop_in_destination(%s: tensor<4xf32>, %n: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %old = arith.mulf %s, %s : tensor<4xf32>
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %s) -> (tensor<4xf32>) {
    %1 = arith.addf %a, %a : tensor<4xf32>
    scf.yield %1 : tensor<4xf32>
  }
  %2 = bufferization.materialize_in_destination %0 in %s : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %2, %old : tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func @loops_in_copies
// CHECK: %[[A:.*]] = bufferization.alloc_tensor() copy(%arg0)
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %[[A]])
// CHECK: %[[B:.*]] = bufferization.alloc_tensor() copy(%arg1)
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %[[B]])
// CHECK: %[[C:.*]] = bufferization.alloc_tensor() copy(%arg2)
// CHECK: scf.while (%{{.*}} = %[[C]]
// CHECK: materialize_in_destination {{.*}} in %arg0
// CHECK: materialize_in_destination {{.*}} in %arg1
// CHECK: materialize_in_destination {{.*}} in %arg2
func.func @loops_in_copies(%s: tensor<4xf32>, %t: tensor<4xf32>, %u: tensor<4xf32>, %n: index)
    -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %s) -> (tensor<4xf32>) {
    %1 = arith.addf %a, %s : tensor<4xf32>
    scf.yield %1 : tensor<4xf32>
  }
  %2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t) -> (tensor<4xf32>) {
    %3 = arith.addf %a, %a : tensor<4xf32>
    scf.yield %3 : tensor<4xf32>
  }
  %old = arith.mulf %t, %t : tensor<4xf32>
  %4:2 = scf.while (%a = %u, %i = %c0) : (tensor<4xf32>, index) -> (tensor<4xf32>, index) {
    %c = arith.cmpi slt, %i, %n : index
    scf.condition(%c) %a, %i : tensor<4xf32>, index
  } do {
  ^bb0(%a: tensor<4xf32>, %i: index):
    %5 = arith.addf %a, %a : tensor<4xf32>
    %j = arith.addi %i, %c1 : index
    scf.yield %5, %j : tensor<4xf32>, index
  }
  %6 = arith.addf %4#0, %2 : tensor<4xf32>
  %7 = bufferization.materialize_in_destination %0 in %s : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %8 = bufferization.materialize_in_destination %2 in %t : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %9 = bufferization.materialize_in_destination %6 in %u : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %7, %8, %9, %old : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// What is read after the value that is computed from it is kept: the update works in a copy.
// CHECK-LABEL: func @read_later
// CHECK: %[[V:.*]] = linalg.exp
// CHECK: %[[C:.*]] = bufferization.alloc_tensor() copy(%[[V]])
// CHECK: %[[U:.*]] = tensor.insert %{{.*}} into %[[C]]
// CHECK-DAG: bufferization.materialize_in_destination %[[U]] in %arg1
// CHECK-DAG: bufferization.materialize_in_destination %[[V]] in %arg2
func.func @read_later(%x: tensor<4xf32>, %d: tensor<4xf32>, %e: tensor<4xf32>, %v: f32) -> (tensor<4xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %empty = tensor.empty() : tensor<4xf32>
  %0 = linalg.exp ins(%x : tensor<4xf32>) outs(%empty : tensor<4xf32>) -> tensor<4xf32>
  %1 = tensor.insert %v into %0[%c0] : tensor<4xf32>
  %2 = bufferization.materialize_in_destination %1 in %d : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %3 = bufferization.materialize_in_destination %0 in %e : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %2, %3 : tensor<4xf32>, tensor<4xf32>
}

// What the condition hands on has a buffer of its own where its type is another one.
// CHECK-LABEL: func @other_types
// CHECK: %[[E:.*]] = bufferization.alloc_tensor() : tensor<2x4xf32>
// CHECK: scf.while (%[[A:.*]] = %{{.*}}, %[[B:.*]] = %[[E]]) : (tensor<4xf32>, tensor<2x4xf32>) -> (tensor<4xf32>, tensor<2x4xf32>)
// CHECK:   %[[V:.*]] = linalg.broadcast
// CHECK:   %[[M:.*]] = bufferization.materialize_in_destination %[[V]] in %[[B]]
// CHECK:   scf.condition(%{{.*}}) %[[A]], %[[M]]
// CHECK: ^bb0(%[[C:.*]]: tensor<4xf32>, %[[D:.*]]: tensor<2x4xf32>):
// CHECK:   %[[S:.*]] = linalg.reduce
// CHECK:   %[[N:.*]] = bufferization.materialize_in_destination %[[S]] in %[[C]]
// CHECK:   scf.yield %[[N]], %[[D]]
func.func @other_types(%x: tensor<4xf32>, %c: i1) -> tensor<2x4xf32> {
  %0 = scf.while (%a = %x) : (tensor<4xf32>) -> tensor<2x4xf32> {
    %e = tensor.empty() : tensor<2x4xf32>
    %b = linalg.broadcast ins(%a : tensor<4xf32>) outs(%e : tensor<2x4xf32>) dimensions = [0]
    scf.condition(%c) %b : tensor<2x4xf32>
  } do {
  ^bb0(%b: tensor<2x4xf32>):
    %e = tensor.empty() : tensor<4xf32>
    %s = linalg.reduce { arith.maximumf } ins(%b : tensor<2x4xf32>) outs(%e : tensor<4xf32>) dimensions = [0]
    scf.yield %s : tensor<4xf32>
  }
  return %0 : tensor<2x4xf32>
}

// A loop that starts from nothing works in the destination of its result.
// CHECK-LABEL: func @from_empty
// CHECK: %[[R:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %arg1)
// CHECK: return %[[R]]
func.func @from_empty(%x: tensor<4xf32> {bufferization.writable = false}, %d: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<4xf32>
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %e) -> tensor<4xf32> {
    scf.yield %x : tensor<4xf32>
  }
  %1 = bufferization.materialize_in_destination %0 in %d : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// What a branch hands on is read before it is overwritten; of two that change places,
// one is kept.
// CHECK-LABEL: func @order
// CHECK: scf.if
// CHECK:   %[[I:.*]] = tensor.insert
// CHECK:   linalg.generic {{.*}} ins(%arg0 : tensor<4xf32>) outs(%arg2
// CHECK:   bufferization.materialize_in_destination %[[I]] in %arg0
// CHECK: else
// CHECK:   %[[K:.*]] = bufferization.alloc_tensor() copy(%arg0)
// CHECK:   linalg.generic {{.*}} ins(%arg2 : tensor<4xf32>) outs(%arg0
// CHECK:   bufferization.materialize_in_destination %[[K]] in %arg2
func.func @order(%s: tensor<4xf32>, %v: f32, %d: tensor<4xf32>, %c: i1) -> (tensor<4xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %0:2 = scf.if %c -> (tensor<4xf32>, tensor<4xf32>) {
    %1 = tensor.insert %v into %s[%c0] : tensor<4xf32>
    scf.yield %s, %1 : tensor<4xf32>, tensor<4xf32>
  } else {
    scf.yield %s, %d : tensor<4xf32>, tensor<4xf32>
  }
  %2 = bufferization.materialize_in_destination %0#0 in %d : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %3 = bufferization.materialize_in_destination %0#1 in %s : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %2, %3 : tensor<4xf32>, tensor<4xf32>
}
