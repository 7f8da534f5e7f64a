// Case 52: even and odd elements are turned, the width is cut.
// Sharding notation: [_, tp] = dim 0 whole, dim 1 split over mesh axis tp; [] = replicated.
// right: pairs stay on a rank: no collective.
// trap: gathering x because of the strided slices.

func.func @ileave(%x: tensor<4x8xf32>, %c: tensor<4x4xf32>, %s: tensor<4x4xf32>) -> tensor<4x8xf32> {
  %v1 = tensor.extract_slice %x[0, 0] [4, 4] [1, 2] : tensor<4x8xf32> to tensor<4x4xf32>
  %v2 = tensor.extract_slice %x[0, 1] [4, 4] [1, 2] : tensor<4x8xf32> to tensor<4x4xf32>
  %v3 = tensor.empty() : tensor<4x4xf32>
  %v4 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%v1, %v2, %c, %s : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) outs(%v3 : tensor<4x4xf32>) {
    ^bb0(%a0: f32, %a1: f32, %a2: f32, %a3: f32, %o: f32):
      %p = arith.mulf %a0, %a2 : f32
      %q = arith.mulf %a1, %a3 : f32
      %r = arith.subf %p, %q : f32
      linalg.yield %r : f32
  } -> tensor<4x4xf32>
  %v5 = tensor.empty() : tensor<4x4xf32>
  %v6 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%v2, %v1, %c, %s : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) outs(%v5 : tensor<4x4xf32>) {
    ^bb0(%a0: f32, %a1: f32, %a2: f32, %a3: f32, %o: f32):
      %p = arith.mulf %a0, %a2 : f32
      %q = arith.mulf %a1, %a3 : f32
      %r = arith.addf %p, %q : f32
      linalg.yield %r : f32
  } -> tensor<4x4xf32>
  %v7 = arith.constant 0.0 : f32
  %v8 = tensor.empty() : tensor<4x8xf32>
  %v9 = linalg.fill ins(%v7 : f32) outs(%v8 : tensor<4x8xf32>) -> tensor<4x8xf32>
  %v10 = tensor.insert_slice %v4 into %v9[0, 0] [4, 4] [1, 2] : tensor<4x4xf32> into tensor<4x8xf32>
  %v11 = tensor.insert_slice %v6 into %v10[0, 1] [4, 4] [1, 2] : tensor<4x4xf32> into tensor<4x8xf32>
  return %v11 : tensor<4x8xf32>
}
