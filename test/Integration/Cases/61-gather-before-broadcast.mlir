// Case 61: a vector that is cut is repeated 16 times and multiplied with a whole matrix.
// Sharding notation: [_, tp] = dim 0 whole, dim 1 split over mesh axis tp; [] = replicated.
// right: one all-gather of the 8 numbers.
// trap: a gather of the repeated vector or of the product, 16 times as much.

func.func @bcast(%b: tensor<8xf32>, %x: tensor<16x8xf32>) -> tensor<16x8xf32> {
  %v1 = tensor.empty() : tensor<16x8xf32>
  %v2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%b : tensor<8xf32>) outs(%v1 : tensor<16x8xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %r = math.exp %a0 : f32
      linalg.yield %r : f32
  } -> tensor<16x8xf32>
  %v3 = tensor.empty() : tensor<16x8xf32>
  %v4 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%v2, %x : tensor<16x8xf32>, tensor<16x8xf32>) outs(%v3 : tensor<16x8xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %r = arith.mulf %a0, %a1 : f32
      linalg.yield %r : f32
  } -> tensor<16x8xf32>
  return %v4 : tensor<16x8xf32>
}
