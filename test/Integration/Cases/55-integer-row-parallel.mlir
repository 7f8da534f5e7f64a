// Case 55: integers are multiplied and summed, then scaled as floats.
// Sharding notation: [_, tp] = dim 0 whole, dim 1 split over mesh axis tp; [] = replicated.
// INPUT 0: (i * 37) % 251 - 125
// INPUT 1: (i * 53) % 251 - 125
// right: the integers are summed over ranks, 4x6, exactly; one all-reduce.
// trap: converting parts to floats first; scaling before the sum twice.

func.func @qrow(%x: tensor<4x8xi32>, %w: tensor<8x6xi32>, %s: tensor<6xf32>) -> tensor<4x6xf32> {
  %v1 = arith.constant 0 : i32
  %v2 = tensor.empty() : tensor<4x6xi32>
  %v3 = linalg.fill ins(%v1 : i32) outs(%v2 : tensor<4x6xi32>) -> tensor<4x6xi32>
  %v4 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<4x8xi32>, tensor<8x6xi32>) outs(%v3 : tensor<4x6xi32>) {
    ^bb0(%a0: i32, %a1: i32, %o: i32):
      %m = arith.muli %a0, %a1 : i32
      %r = arith.addi %m, %o : i32
      linalg.yield %r : i32
  } -> tensor<4x6xi32>
  %v5 = tensor.empty() : tensor<4x6xf32>
  %v6 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%v4, %s : tensor<4x6xi32>, tensor<6xf32>) outs(%v5 : tensor<4x6xf32>) {
    ^bb0(%a0: i32, %a1: f32, %o: f32):
      %f = arith.sitofp %a0 : i32 to f32
      %r = arith.mulf %f, %a1 : f32
      linalg.yield %r : f32
  } -> tensor<4x6xf32>
  return %v6 : tensor<4x6xf32>
}
