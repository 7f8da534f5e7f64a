// Case 43: the mean of all elements, rows cut unevenly or one row for two ranks.
// Sharding notation: [_, tp] = dim 0 whole, dim 1 split over mesh axis tp; [] = replicated.
// right: one all-reduce of one element, divided by the global count.
// trap: the mean of the ranks' means; 0/0 on the rank without rows.

func.func @mean(%x: tensor<3x4xf32>) -> tensor<f32> {
  %v1 = arith.constant 0.0 : f32
  %v2 = tensor.empty() : tensor<f32>
  %v3 = linalg.fill ins(%v1 : f32) outs(%v2 : tensor<f32>) -> tensor<f32>
  %v4 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> ()>], iterator_types = ["reduction", "reduction"]}
      ins(%x : tensor<3x4xf32>) outs(%v3 : tensor<f32>) {
    ^bb0(%a0: f32, %o: f32):
      %r = arith.addf %a0, %o : f32
      linalg.yield %r : f32
  } -> tensor<f32>
  %v5 = tensor.empty() : tensor<f32>
  %v6 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []}
      ins(%v4 : tensor<f32>) outs(%v5 : tensor<f32>) {
    ^bb0(%a0: f32, %o: f32):
      %n = arith.constant 12.0 : f32
      %r = arith.divf %a0, %n : f32
      linalg.yield %r : f32
  } -> tensor<f32>
  return %v6 : tensor<f32>
}
