// Case 45: one weight holds queries, keys and values of two-wide heads, its columns are cut.
// Sharding notation: [_, tp] = dim 0 whole, dim 1 split over mesh axis tp; [] = replicated.
// right: values as unsharded; the projections move, the weight does not; one all-reduce after the output projection.
// trap: splitting the local block in three.

func.func @qkv(%x: tensor<4x8xf32>, %w: tensor<8x24xf32>, %wo: tensor<8x8xf32>) -> tensor<4x8xf32> {
  %v1 = arith.constant 0.0 : f32
  %v2 = tensor.empty() : tensor<4x24xf32>
  %v3 = linalg.fill ins(%v1 : f32) outs(%v2 : tensor<4x24xf32>) -> tensor<4x24xf32>
  %v4 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<4x8xf32>, tensor<8x24xf32>) outs(%v3 : tensor<4x24xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %m = arith.mulf %a0, %a1 : f32
      %r = arith.addf %m, %o : f32
      linalg.yield %r : f32
  } -> tensor<4x24xf32>
  %v5 = tensor.extract_slice %v4[0, 0] [4, 8] [1, 1] : tensor<4x24xf32> to tensor<4x8xf32>
  %v6 = tensor.extract_slice %v4[0, 8] [4, 8] [1, 1] : tensor<4x24xf32> to tensor<4x8xf32>
  %v7 = tensor.extract_slice %v4[0, 16] [4, 8] [1, 1] : tensor<4x24xf32> to tensor<4x8xf32>
  %v8 = tensor.expand_shape %v5 [[0], [1, 2]] output_shape [4, 4, 2] : tensor<4x8xf32> into tensor<4x4x2xf32>
  %v9 = tensor.expand_shape %v6 [[0], [1, 2]] output_shape [4, 4, 2] : tensor<4x8xf32> into tensor<4x4x2xf32>
  %v10 = tensor.expand_shape %v7 [[0], [1, 2]] output_shape [4, 4, 2] : tensor<4x8xf32> into tensor<4x4x2xf32>
  %v11 = arith.constant 0.0 : f32
  %v12 = tensor.empty() : tensor<4x4x4xf32>
  %v13 = linalg.fill ins(%v11 : f32) outs(%v12 : tensor<4x4x4xf32>) -> tensor<4x4x4xf32>
  %v14 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d1, d0, d3)>, affine_map<(d0, d1, d2, d3) -> (d2, d0, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%v8, %v9 : tensor<4x4x2xf32>, tensor<4x4x2xf32>) outs(%v13 : tensor<4x4x4xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %m = arith.mulf %a0, %a1 : f32
      %r = arith.addf %m, %o : f32
      linalg.yield %r : f32
  } -> tensor<4x4x4xf32>
  %v15 = arith.constant 0.0 : f32
  %v16 = tensor.empty() : tensor<4x4x2xf32>
  %v17 = linalg.fill ins(%v15 : f32) outs(%v16 : tensor<4x4x2xf32>) -> tensor<4x4x2xf32>
  %v18 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d1, d0, d3)>, affine_map<(d0, d1, d2, d3) -> (d3, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%v14, %v10 : tensor<4x4x4xf32>, tensor<4x4x2xf32>) outs(%v17 : tensor<4x4x2xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %m = arith.mulf %a0, %a1 : f32
      %r = arith.addf %m, %o : f32
      linalg.yield %r : f32
  } -> tensor<4x4x2xf32>
  %v19 = tensor.collapse_shape %v18 [[0], [1, 2]] : tensor<4x4x2xf32> into tensor<4x8xf32>
  %v20 = arith.constant 0.0 : f32
  %v21 = tensor.empty() : tensor<4x8xf32>
  %v22 = linalg.fill ins(%v20 : f32) outs(%v21 : tensor<4x8xf32>) -> tensor<4x8xf32>
  %v23 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%v19, %wo : tensor<4x8xf32>, tensor<8x8xf32>) outs(%v22 : tensor<4x8xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %m = arith.mulf %a0, %a1 : f32
      %r = arith.addf %m, %o : f32
      linalg.yield %r : f32
  } -> tensor<4x8xf32>
  return %v23 : tensor<4x8xf32>
}
