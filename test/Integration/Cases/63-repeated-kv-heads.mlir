// Case 63: 2 heads of keys serve 6 of queries by broadcast and reshape.
// Sharding notation: [_, tp] = dim 0 whole, dim 1 split over mesh axis tp; [] = replicated.
// right: no collective, with keys cut by head or whole on every rank, also where ranks share a head.
// trap: a query head with the keys of another; a gather of repeated keys.

func.func @rkv(%k: tensor<2x5x4xf32>, %q: tensor<6x5x4xf32>) -> tensor<6x5x5xf32> {
  %v1 = tensor.empty() : tensor<2x3x5x4xf32>
  %v2 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%k : tensor<2x5x4xf32>) outs(%v1 : tensor<2x3x5x4xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %r = arith.negf %a0 : f32
      linalg.yield %r : f32
  } -> tensor<2x3x5x4xf32>
  %v3 = tensor.collapse_shape %v2 [[0, 1], [2], [3]] : tensor<2x3x5x4xf32> into tensor<6x5x4xf32>
  %v4 = arith.constant 0.0 : f32
  %v5 = tensor.empty() : tensor<6x5x5xf32>
  %v6 = linalg.fill ins(%v4 : f32) outs(%v5 : tensor<6x5x5xf32>) -> tensor<6x5x5xf32>
  %v7 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %v3 : tensor<6x5x4xf32>, tensor<6x5x4xf32>) outs(%v6 : tensor<6x5x5xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %m = arith.mulf %a0, %a1 : f32
      %r = arith.addf %m, %o : f32
      linalg.yield %r : f32
  } -> tensor<6x5x5xf32>
  return %v7 : tensor<6x5x5xf32>
}
