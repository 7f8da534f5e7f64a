// Case 57: x@w + (x@a)@b.
// Sharding notation: [_, tp] = dim 0 whole, dim 1 split over mesh axis tp; [] = replicated.
// right: row-parallel: both sums meet before one all-reduce of 4x6; column-parallel with a whole: none; a cut by rank:
//        one gather of 4x2.
// trap: an all-reduce between the two products of the adapter beside that of w.

func.func @lora(%x: tensor<4x8xf32>, %w: tensor<8x6xf32>, %a: tensor<8x2xf32>, %b: tensor<2x6xf32>) -> tensor<4x6xf32> {
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
  %v5 = arith.constant 0.0 : f32
  %v6 = tensor.empty() : tensor<4x2xf32>
  %v7 = linalg.fill ins(%v5 : f32) outs(%v6 : tensor<4x2xf32>) -> tensor<4x2xf32>
  %v8 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %a : tensor<4x8xf32>, tensor<8x2xf32>) outs(%v7 : tensor<4x2xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %m = arith.mulf %a0, %a1 : f32
      %r = arith.addf %m, %o : f32
      linalg.yield %r : f32
  } -> tensor<4x2xf32>
  %v9 = arith.constant 0.0 : f32
  %v10 = tensor.empty() : tensor<4x6xf32>
  %v11 = linalg.fill ins(%v9 : f32) outs(%v10 : tensor<4x6xf32>) -> tensor<4x6xf32>
  %v12 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%v8, %b : tensor<4x2xf32>, tensor<2x6xf32>) outs(%v11 : tensor<4x6xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %m = arith.mulf %a0, %a1 : f32
      %r = arith.addf %m, %o : f32
      linalg.yield %r : f32
  } -> tensor<4x6xf32>
  %v13 = tensor.empty() : tensor<4x6xf32>
  %v14 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%v4, %v12 : tensor<4x6xf32>, tensor<4x6xf32>) outs(%v13 : tensor<4x6xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %r = arith.addf %a0, %a1 : f32
      linalg.yield %r : f32
  } -> tensor<4x6xf32>
  return %v14 : tensor<4x6xf32>
}
