// Case 59: momentum cut over data ranks, weights whole before and after.
// Sharding notation: [_, tp] = dim 0 whole, dim 1 split over mesh axis tp; [] = replicated.
// right: the gradient is scattered, the weights' change is gathered: as many bytes as one all-reduce.
// trap: an all-reduce of the gradient and a gather of the momentum.

func.func @zero(%x: tensor<4x8xf32>, %dy: tensor<4x6xf32>, %w: tensor<8x6xf32>, %mo: tensor<8x6xf32>) -> (tensor<8x6xf32>, tensor<8x6xf32>) {
  %v1 = arith.constant 0.0 : f32
  %v2 = tensor.empty() : tensor<8x6xf32>
  %v3 = linalg.fill ins(%v1 : f32) outs(%v2 : tensor<8x6xf32>) -> tensor<8x6xf32>
  %v4 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d2, d0)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %dy : tensor<4x8xf32>, tensor<4x6xf32>) outs(%v3 : tensor<8x6xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %m = arith.mulf %a0, %a1 : f32
      %r = arith.addf %m, %o : f32
      linalg.yield %r : f32
  } -> tensor<8x6xf32>
  %v5 = tensor.empty() : tensor<8x6xf32>
  %v6 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%mo, %v4 : tensor<8x6xf32>, tensor<8x6xf32>) outs(%v5 : tensor<8x6xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %b = arith.constant 0.9 : f32
      %c = arith.constant 0.1 : f32
      %p = arith.mulf %a0, %b : f32
      %q = arith.mulf %a1, %c : f32
      %r = arith.addf %p, %q : f32
      linalg.yield %r : f32
  } -> tensor<8x6xf32>
  %v7 = tensor.empty() : tensor<8x6xf32>
  %v8 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%w, %v6 : tensor<8x6xf32>, tensor<8x6xf32>) outs(%v7 : tensor<8x6xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %l = arith.constant 0.01 : f32
      %p = arith.mulf %a1, %l : f32
      %r = arith.subf %a0, %p : f32
      linalg.yield %r : f32
  } -> tensor<8x6xf32>
  return %v8, %v6 : tensor<8x6xf32>, tensor<8x6xf32>
}
