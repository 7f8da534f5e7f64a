// Case 42: a matmul whose contracted dimension is cut by two axes, in one order on the left and in the other on the right.
// Sharding notation: [_, tp] = dim 0 whole, dim 1 split over mesh axis tp; [] = replicated.
// right: one all-reduce over both axes; where the orders differ, one operand is permuted, never gathered; result cut
//        over one axis: reduce-scatter over it, then all-reduce of the block over the other.
// trap: multiplying blocks that do not belong together; leaving out the second axis of the sum.

func.func @mm(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>) -> tensor<4x4xf32> {
  %v1 = arith.constant 0.0 : f32
  %v2 = tensor.empty() : tensor<4x4xf32>
  %v3 = linalg.fill ins(%v1 : f32) outs(%v2 : tensor<4x4xf32>) -> tensor<4x4xf32>
  %v4 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<4x8xf32>, tensor<8x4xf32>) outs(%v3 : tensor<4x4xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %m = arith.mulf %a0, %a1 : f32
      %r = arith.addf %m, %o : f32
      linalg.yield %r : f32
  } -> tensor<4x4xf32>
  return %v4 : tensor<4x4xf32>
}
