// Case 44: gate and up projection are halves of one weight, whose columns are cut.
// Sharding notation: [_, tp] = dim 0 whole, dim 1 split over mesh axis tp; [] = replicated.
// right: values as unsharded: rank 0 has all of the gate. Two ranks exchange halves of blocks, then one all-reduce.
// trap: pairing columns of the local block as if it were [gate, up] of the rank.

func.func @mlp(%x: tensor<4x8xf32>, %w: tensor<8x16xf32>, %d: tensor<8x8xf32>) -> tensor<4x8xf32> {
  %v1 = arith.constant 0.0 : f32
  %v2 = tensor.empty() : tensor<4x16xf32>
  %v3 = linalg.fill ins(%v1 : f32) outs(%v2 : tensor<4x16xf32>) -> tensor<4x16xf32>
  %v4 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<4x8xf32>, tensor<8x16xf32>) outs(%v3 : tensor<4x16xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %m = arith.mulf %a0, %a1 : f32
      %r = arith.addf %m, %o : f32
      linalg.yield %r : f32
  } -> tensor<4x16xf32>
  %v5 = tensor.extract_slice %v4[0, 0] [4, 8] [1, 1] : tensor<4x16xf32> to tensor<4x8xf32>
  %v6 = tensor.extract_slice %v4[0, 8] [4, 8] [1, 1] : tensor<4x16xf32> to tensor<4x8xf32>
  %v7 = tensor.empty() : tensor<4x8xf32>
  %v8 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%v5, %v6 : tensor<4x8xf32>, tensor<4x8xf32>) outs(%v7 : tensor<4x8xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %z = arith.constant 0.0 : f32
      %p = arith.maximumf %a0, %z : f32
      %r = arith.mulf %p, %a1 : f32
      linalg.yield %r : f32
  } -> tensor<4x8xf32>
  %v9 = arith.constant 0.0 : f32
  %v10 = tensor.empty() : tensor<4x8xf32>
  %v11 = linalg.fill ins(%v9 : f32) outs(%v10 : tensor<4x8xf32>) -> tensor<4x8xf32>
  %v12 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%v8, %d : tensor<4x8xf32>, tensor<8x8xf32>) outs(%v11 : tensor<4x8xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %m = arith.mulf %a0, %a1 : f32
      %r = arith.addf %m, %o : f32
      linalg.yield %r : f32
  } -> tensor<4x8xf32>
  return %v12 : tensor<4x8xf32>
}
