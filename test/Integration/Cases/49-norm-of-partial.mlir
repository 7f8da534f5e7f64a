// Case 49: the norm of a product whose contraction is cut.
// Sharding notation: [_, tp] = dim 0 whole, dim 1 split over mesh axis tp; [] = replicated.
// right: the product is summed first: one all-reduce of 4x6, or a reduce-scatter and one element.
// trap: the sum of the norms of the parts.

func.func @pn(%x: tensor<4x8xf32>, %w: tensor<8x6xf32>) -> tensor<f32> {
  %v1 = arith.constant 0.0 : f32
  %v2 = tensor.empty() : tensor<4x6xf32>
  %v3 = linalg.fill ins(%v1 : f32) outs(%v2 : tensor<4x6xf32>) -> tensor<4x6xf32>
  %v4 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<4x8xf32>, tensor<8x6xf32>) outs(%v3 : tensor<4x6xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %m = arith.mulf %a0, %a1 : f32
      %r = arith.addf %m, %o : f32
      linalg.yield %r : f32
  } -> tensor<4x6xf32>
  %v5 = tensor.empty() : tensor<4x6xf32>
  %v6 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%v4 : tensor<4x6xf32>) outs(%v5 : tensor<4x6xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %r = arith.mulf %a0, %a0 : f32
      linalg.yield %r : f32
  } -> tensor<4x6xf32>
  %v7 = arith.constant 0.0 : f32
  %v8 = tensor.empty() : tensor<f32>
  %v9 = linalg.fill ins(%v7 : f32) outs(%v8 : tensor<f32>) -> tensor<f32>
  %v10 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> ()>], iterator_types = ["reduction", "reduction"]}
      ins(%v6 : tensor<4x6xf32>) outs(%v9 : tensor<f32>) {
    ^bb0(%a0: f32, %o: f32):
      %r = arith.addf %a0, %o : f32
      linalg.yield %r : f32
  } -> tensor<f32>
  %v11 = tensor.empty() : tensor<f32>
  %v12 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []}
      ins(%v10 : tensor<f32>) outs(%v11 : tensor<f32>) {
    ^bb0(%a0: f32, %o: f32):
      %r = math.sqrt %a0 : f32
      linalg.yield %r : f32
  } -> tensor<f32>
  return %v12 : tensor<f32>
}
