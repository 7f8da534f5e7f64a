// RUN: tp-opt %s --tp-lower-to-rt-pipeline | FileCheck %s

// A step of training: weights, momentum and a counter are updated in place by
// one loop each; the only temporary is the gradient.

// CHECK-LABEL: func.func @step
// CHECK-SAME: rt.arena_bytes = 8192 : i64
// CHECK: rt.gemm %{{.*}}, %[[W:.*]], %{{.*}} {k = 64
// CHECK: %[[GRADIENT:.*]] = memref.view
// CHECK: rt.gemm %{{.*}}, %{{.*}}, %[[GRADIENT]] {k = 16
// CHECK: rt.parallel_for @{{.*}} (%[[M:.*]], %[[GRADIENT]])
// CHECK: rt.parallel_for @{{.*}} (%[[W]], %[[M]])
// CHECK: rt.parallel_for @{{.*}} (%{{.*}}) : memref<i64>
// CHECK-NEXT: return
func.func @step(%w: tensor<64x32xf32> {tp.kind = "state"}, %m: tensor<64x32xf32> {tp.kind = "state"},
                %n: tensor<i64> {tp.kind = "state"}, %x: tensor<16x64xf32>, %dy: tensor<16x32xf32>)
    -> (tensor<16x32xf32>, tensor<64x32xf32> {tp.alias = 0 : i64}, tensor<64x32xf32> {tp.alias = 1 : i64},
        tensor<i64> {tp.alias = 2 : i64}) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant dense<1> : tensor<i64>
  %rate = arith.constant dense<0.1> : tensor<64x32xf32>
  %decay = arith.constant dense<0.9> : tensor<64x32xf32>
  %e = tensor.empty() : tensor<16x32xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<16x32xf32>) -> tensor<16x32xf32>
  %y = linalg.matmul ins(%x, %w : tensor<16x64xf32>, tensor<64x32xf32>) outs(%z : tensor<16x32xf32>) -> tensor<16x32xf32>
  %e2 = tensor.empty() : tensor<64x32xf32>
  %z2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<64x32xf32>) -> tensor<64x32xf32>
  %g = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
    ins(%x, %dy : tensor<16x64xf32>, tensor<16x32xf32>) outs(%z2 : tensor<64x32xf32>) -> tensor<64x32xf32>
  %m1 = arith.mulf %m, %decay : tensor<64x32xf32>
  %m2 = arith.addf %m1, %g : tensor<64x32xf32>
  %d = arith.mulf %m2, %rate : tensor<64x32xf32>
  %w2 = arith.subf %w, %d : tensor<64x32xf32>
  %n2 = arith.addi %n, %one : tensor<i64>
  return %y, %w2, %m2, %n2 : tensor<16x32xf32>, tensor<64x32xf32>, tensor<64x32xf32>, tensor<i64>
}
