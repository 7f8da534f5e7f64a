// Case 64: an image is cut in patches by reshape, transpose, reshape.
// Sharding notation: [_, tp] = dim 0 whole, dim 1 split over mesh axis tp; [] = replicated.
// right: rows cut: none. Columns in, rows of patches out: an all-to-all. Columns in, whole out: one gather.
// trap: a gather of all because the second reshape cannot keep the cut.

func.func @pixel(%x: tensor<8x8xf32>) -> tensor<16x4xf32> {
  %v1 = tensor.expand_shape %x [[0, 1], [2, 3]] output_shape [4, 2, 4, 2] : tensor<8x8xf32> into tensor<4x2x4x2xf32>
  %v2 = tensor.empty() : tensor<4x4x2x2xf32>
  %v3 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d2, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%v1 : tensor<4x2x4x2xf32>) outs(%v2 : tensor<4x4x2x2xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %r = arith.negf %a0 : f32
      linalg.yield %r : f32
  } -> tensor<4x4x2x2xf32>
  %v4 = tensor.collapse_shape %v3 [[0, 1], [2, 3]] : tensor<4x4x2x2xf32> into tensor<16x4xf32>
  return %v4 : tensor<16x4xf32>
}
