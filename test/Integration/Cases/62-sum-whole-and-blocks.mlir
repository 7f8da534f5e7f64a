// Case 62: a sum over ranks is returned whole and in blocks.
// Sharding notation: [_, tp] = dim 0 whole, dim 1 split over mesh axis tp; [] = replicated.
// right: one all-reduce; blocks are cut from it. Rows and columns: a reduce-scatter and an all-to-all.
// trap: a reduce-scatter and an all-reduce.

func.func @two(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %v1 = arith.constant 0.0 : f32
  %v2 = tensor.empty() : tensor<4x8xf32>
  %v3 = linalg.fill ins(%v1 : f32) outs(%v2 : tensor<4x8xf32>) -> tensor<4x8xf32>
  %v4 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%v3 : tensor<4x8xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %m = arith.mulf %a0, %a1 : f32
      %r = arith.addf %m, %o : f32
      linalg.yield %r : f32
  } -> tensor<4x8xf32>
  return %v4, %v4 : tensor<4x8xf32>, tensor<4x8xf32>
}
