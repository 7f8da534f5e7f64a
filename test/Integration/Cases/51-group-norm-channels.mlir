// Case 51: each group of 4 of 16 channels is normalised.
// Sharding notation: [_, tp] = dim 0 whole, dim 1 split over mesh axis tp; [] = replicated.
// right: no collective where groups are whole on a rank (2, 4 ranks; 3 with the unit of 4); half a group on a rank: one
//        all-reduce of 4 numbers within pairs.
// trap: groups of 4 counted within the local channels; a sum over all ranks.

func.func @gn(%x: tensor<4x16xf32>, %w: tensor<16xf32>) -> tensor<4x16xf32> {
  %v1 = tensor.expand_shape %x [[0], [1, 2]] output_shape [4, 4, 4] : tensor<4x16xf32> into tensor<4x4x4xf32>
  %v2 = tensor.empty() : tensor<4x4x4xf32>
  %v3 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%v1 : tensor<4x4x4xf32>) outs(%v2 : tensor<4x4x4xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %r = arith.mulf %a0, %a0 : f32
      linalg.yield %r : f32
  } -> tensor<4x4x4xf32>
  %v4 = arith.constant 0.0 : f32
  %v5 = tensor.empty() : tensor<4x4xf32>
  %v6 = linalg.fill ins(%v4 : f32) outs(%v5 : tensor<4x4xf32>) -> tensor<4x4xf32>
  %v7 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%v3 : tensor<4x4x4xf32>) outs(%v6 : tensor<4x4xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %r = arith.addf %a0, %o : f32
      linalg.yield %r : f32
  } -> tensor<4x4xf32>
  %v8 = tensor.empty() : tensor<4x4x4xf32>
  %v9 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%v1, %v7 : tensor<4x4x4xf32>, tensor<4x4xf32>) outs(%v8 : tensor<4x4x4xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %n = arith.constant 4.0 : f32
      %eps = arith.constant 1.0e-05 : f32
      %m = arith.divf %a1, %n : f32
      %v = arith.addf %m, %eps : f32
      %i = math.rsqrt %v : f32
      %r = arith.mulf %a0, %i : f32
      linalg.yield %r : f32
  } -> tensor<4x4x4xf32>
  %v10 = tensor.collapse_shape %v9 [[0], [1, 2]] : tensor<4x4x4xf32> into tensor<4x16xf32>
  %v11 = tensor.empty() : tensor<4x16xf32>
  %v12 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%v10, %w : tensor<4x16xf32>, tensor<16xf32>) outs(%v11 : tensor<4x16xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %r = arith.mulf %a0, %a1 : f32
      linalg.yield %r : f32
  } -> tensor<4x16xf32>
  return %v12 : tensor<4x16xf32>
}
