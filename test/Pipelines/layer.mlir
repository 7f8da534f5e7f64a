// The feed-forward half of a decoder layer, two weights annotated, through the
// phases; docs/Architecture.md shows each.
//
// RUN: tp-opt %s --tp-plan-pipeline --tp-reshard-pipeline | FileCheck %s --check-prefix=RESHARD
// RUN: tp-opt %s --tp-plan-pipeline --tp-reshard-pipeline --tp-partition-pipeline --tp-optimize-comm-pipeline | FileCheck %s --check-prefix=COMM

tp.mesh @mesh <"tp"=4>

// RESHARD: tp.reshard
// RESHARD-SAME: from <[_, _] sum(tp)> to <[_, _]>
// RESHARD-NOT: tp.reshard

// COMM-COUNT-1: comm.all_reduce sum
// COMM-NOT: comm.
func.func @ffn(%x: tensor<64x512xf32> {tp.name = "x"},
               %up: tensor<512x2048xf32> {tp.kind = "parameter", tp.name = "up", tp.sharding = #tp.sharding<[_, tp]>},
               %down: tensor<2048x512xf32> {tp.kind = "parameter", tp.name = "down", tp.sharding = #tp.sharding<[tp, _]>})
    -> tensor<64x512xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x2048xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x2048xf32>) -> tensor<64x2048xf32>
  %h = linalg.matmul ins(%x, %up : tensor<64x512xf32>, tensor<512x2048xf32>) outs(%f : tensor<64x2048xf32>) -> tensor<64x2048xf32>
  %a = math.tanh %h : tensor<64x2048xf32>
  %e1 = tensor.empty() : tensor<64x512xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<64x512xf32>) -> tensor<64x512xf32>
  %y = linalg.matmul ins(%a, %down : tensor<64x2048xf32>, tensor<2048x512xf32>) outs(%f1 : tensor<64x512xf32>) -> tensor<64x512xf32>
  %z = arith.addf %y, %x : tensor<64x512xf32>
  return %z : tensor<64x512xf32>
}
