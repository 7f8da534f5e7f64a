// RUN: tp-opt %s -split-input-file -verify-diagnostics --tp-bufferize | FileCheck %s

// In place: a result is computed in its destination.
// CHECK-LABEL: func @in_place
// CHECK-SAME: %[[X:.*]]: memref<4xf32>, %[[R:.*]]: memref<4xf32> {rt.result = 0 : i64}
// CHECK: linalg.exp ins(%[[X]] : memref<4xf32>) outs(%[[R]] : memref<4xf32>)
// CHECK-NOT: memref.alloc
// CHECK: return %[[R]]
func.func @in_place(%x: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.exp ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %f : tensor<4xf32>
}

// -----

// The loop starts from what is to be %s, hands on what %s was, and ends in %t: no order
// is found, so each value is kept until all have been read.
// CHECK-LABEL: func @copied
// CHECK-SAME: %{{.*}}: memref<4xf32>, %[[S:.*]]: memref<4xf32> {tp.kind = "state", tp.name = "s"}, %[[T:.*]]: memref<4xf32> {tp.kind = "state", tp.name = "t"}
// CHECK: linalg.fill ins(%{{.*}}) outs(%[[F:.*]] : memref<4xf32>)
// CHECK: %[[R:.*]] = scf.for
// CHECK: memref.copy %[[R]], %[[KEPT_R:.*]] :
// CHECK: memref.copy %[[F]], %[[KEPT_F:.*]] :
// CHECK: memref.copy %[[KEPT_F]], %[[S]]
// CHECK: memref.copy %[[KEPT_R]], %[[T]]
func.func @copied(%x: tensor<4xf32>, %s: tensor<4xf32> {tp.kind = "state", tp.name = "s"}, %t: tensor<4xf32> {tp.kind = "state", tp.name = "t"},
                  %k: f32, %n: index) -> (tensor<4xf32> {tp.alias = 2 : i64}, tensor<4xf32> {tp.alias = 1 : i64}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<4xf32>
  // expected-remark @below {{values that loops and conditionals hand on are copied: no order was found in which all of them are in place}}
  %f = linalg.fill ins(%k : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %f) -> tensor<4xf32> {
    scf.yield %s : tensor<4xf32>
  }
  return %r, %f : tensor<4xf32>, tensor<4xf32>
}

// -----

// What neither way can take is one error.
func.func @not_supported(%x: tensor<4x4xf32>, %i: tensor<2x1xindex>) -> tensor<2x4xf32> {
  // expected-error @below {{'tensor.gather' is not supported on the CPU}}
  %g = tensor.gather %x[%i] gather_dims([0]) : (tensor<4x4xf32>, tensor<2x1xindex>) -> tensor<2x4xf32>
  return %g : tensor<2x4xf32>
}
