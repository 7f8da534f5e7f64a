// RUN: tp-opt %s -canonicalize | FileCheck %s

tp.mesh @m <"a"=2>

// CHECK-LABEL: func @same
func.func @same(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK-NOT: tp.reshard
  // CHECK: return %arg0
  %0 = tp.reshard %x from <[a]> to <[a]> : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func @different
func.func @different(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: %[[Y:.*]] = tp.reshard %arg0 from <[a]> to <[_]>
  // CHECK: return %[[Y]]
  %0 = tp.reshard %x from <[a]> to <[_]> : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// A constraint says something about its place, so it stays while it is used.
// CHECK-LABEL: func @constraint
func.func @constraint(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: tp.constraint %arg0 <[a]>
  // CHECK-NOT: tp.constraint
  %0 = tp.constraint %x <[a]> : tensor<4xf32>
  %dead = tp.constraint %x <[_]> : tensor<4xf32>
  return %0 : tensor<4xf32>
}
