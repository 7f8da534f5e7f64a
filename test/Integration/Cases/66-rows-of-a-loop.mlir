// Case 66: a loop multiplies one row per trip, contraction cut, and stores it.
// Sharding notation: [_, tp] = dim 0 whole, dim 1 split over mesh axis tp; [] = replicated.
// right: one all-reduce of all rows behind the loop; in blocks of columns a reduce-scatter per row, or one.
// trap: an all-reduce per row.

func.func @rows(%x: tensor<5x8xf32>, %w: tensor<8x6xf32>) -> tensor<5x6xf32> {
  %v1 = arith.constant 0.0 : f32
  %v2 = tensor.empty() : tensor<5x6xf32>
  %v3 = linalg.fill ins(%v1 : f32) outs(%v2 : tensor<5x6xf32>) -> tensor<5x6xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %l = scf.for %i = %c0 to %c5 step %c1 iter_args(%acc = %v3) -> (tensor<5x6xf32>) {
  %xi = tensor.extract_slice %x[%i, 0] [1, 8] [1, 1] : tensor<5x8xf32> to tensor<1x8xf32>
  %v4 = arith.constant 0.0 : f32
  %v5 = tensor.empty() : tensor<1x6xf32>
  %v6 = linalg.fill ins(%v4 : f32) outs(%v5 : tensor<1x6xf32>) -> tensor<1x6xf32>
  %v7 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%xi, %w : tensor<1x8xf32>, tensor<8x6xf32>) outs(%v6 : tensor<1x6xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %m = arith.mulf %a0, %a1 : f32
      %r = arith.addf %m, %o : f32
      linalg.yield %r : f32
  } -> tensor<1x6xf32>
  %n = tensor.insert_slice %v7 into %acc[%i, 0] [1, 6] [1, 1] : tensor<1x6xf32> into tensor<5x6xf32>
  scf.yield %n : tensor<5x6xf32>
  }
  return %l : tensor<5x6xf32>
}
