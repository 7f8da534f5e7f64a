// Case 54: a weight of integers with a scale per group of rows, rows cut.
// Sharding notation: [_, tp] = dim 0 whole, dim 1 split over mesh axis tp; [] = replicated.
// right: groups whole on a rank: the all-reduce alone. 3 groups of 4 on 2 ranks: so too in units of 4 rows; in halves of
//        6 rows something of one group moves, and values stay right.
// trap: the scale of the wrong group where a block begins within one.

func.func @qmm(%x: tensor<4x12xf32>, %w: tensor<12x6xi32>, %s: tensor<3x6xf32>) -> tensor<4x6xf32> {
  %v1 = tensor.empty() : tensor<12x6xf32>
  %v2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%w : tensor<12x6xi32>) outs(%v1 : tensor<12x6xf32>) {
    ^bb0(%a0: i32, %o: f32):
      %r = arith.sitofp %a0 : i32 to f32
      linalg.yield %r : f32
  } -> tensor<12x6xf32>
  %v3 = tensor.expand_shape %v2 [[0, 1], [2]] output_shape [3, 4, 6] : tensor<12x6xf32> into tensor<3x4x6xf32>
  %v4 = tensor.empty() : tensor<3x4x6xf32>
  %v5 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%v3, %s : tensor<3x4x6xf32>, tensor<3x6xf32>) outs(%v4 : tensor<3x4x6xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %r = arith.mulf %a0, %a1 : f32
      linalg.yield %r : f32
  } -> tensor<3x4x6xf32>
  %v6 = tensor.collapse_shape %v5 [[0, 1], [2]] : tensor<3x4x6xf32> into tensor<12x6xf32>
  %v7 = arith.constant 0.0 : f32
  %v8 = tensor.empty() : tensor<4x6xf32>
  %v9 = linalg.fill ins(%v7 : f32) outs(%v8 : tensor<4x6xf32>) -> tensor<4x6xf32>
  %v10 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %v6 : tensor<4x12xf32>, tensor<12x6xf32>) outs(%v9 : tensor<4x6xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %m = arith.mulf %a0, %a1 : f32
      %r = arith.addf %m, %o : f32
      linalg.yield %r : f32
  } -> tensor<4x6xf32>
  return %v10 : tensor<4x6xf32>
}
