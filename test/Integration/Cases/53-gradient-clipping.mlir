// Case 53: gradients are scaled by the norm of all: two are cut, one is replicated.
// Sharding notation: [_, tp] = dim 0 whole, dim 1 split over mesh axis tp; [] = replicated.
// right: one all-reduce of one number; what is replicated counts once.
// trap: the replicated gradient counted once per rank; a norm per gradient.

func.func @clip(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>, %c: tensor<6xf32>) -> (tensor<4x8xf32>, tensor<8x4xf32>, tensor<6xf32>) {
  %v1 = tensor.empty() : tensor<4x8xf32>
  %v2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<4x8xf32>) outs(%v1 : tensor<4x8xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %r = arith.mulf %a0, %a0 : f32
      linalg.yield %r : f32
  } -> tensor<4x8xf32>
  %v3 = arith.constant 0.0 : f32
  %v4 = tensor.empty() : tensor<f32>
  %v5 = linalg.fill ins(%v3 : f32) outs(%v4 : tensor<f32>) -> tensor<f32>
  %v6 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> ()>], iterator_types = ["reduction", "reduction"]}
      ins(%v2 : tensor<4x8xf32>) outs(%v5 : tensor<f32>) {
    ^bb0(%a0: f32, %o: f32):
      %r = arith.addf %a0, %o : f32
      linalg.yield %r : f32
  } -> tensor<f32>
  %v7 = tensor.empty() : tensor<8x4xf32>
  %v8 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%b : tensor<8x4xf32>) outs(%v7 : tensor<8x4xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %r = arith.mulf %a0, %a0 : f32
      linalg.yield %r : f32
  } -> tensor<8x4xf32>
  %v9 = arith.constant 0.0 : f32
  %v10 = tensor.empty() : tensor<f32>
  %v11 = linalg.fill ins(%v9 : f32) outs(%v10 : tensor<f32>) -> tensor<f32>
  %v12 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> ()>], iterator_types = ["reduction", "reduction"]}
      ins(%v8 : tensor<8x4xf32>) outs(%v11 : tensor<f32>) {
    ^bb0(%a0: f32, %o: f32):
      %r = arith.addf %a0, %o : f32
      linalg.yield %r : f32
  } -> tensor<f32>
  %v13 = tensor.empty() : tensor<f32>
  %v14 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []}
      ins(%v6, %v12 : tensor<f32>, tensor<f32>) outs(%v13 : tensor<f32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %r = arith.addf %a0, %a1 : f32
      linalg.yield %r : f32
  } -> tensor<f32>
  %v15 = tensor.empty() : tensor<6xf32>
  %v16 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%c : tensor<6xf32>) outs(%v15 : tensor<6xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %r = arith.mulf %a0, %a0 : f32
      linalg.yield %r : f32
  } -> tensor<6xf32>
  %v17 = arith.constant 0.0 : f32
  %v18 = tensor.empty() : tensor<f32>
  %v19 = linalg.fill ins(%v17 : f32) outs(%v18 : tensor<f32>) -> tensor<f32>
  %v20 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]}
      ins(%v16 : tensor<6xf32>) outs(%v19 : tensor<f32>) {
    ^bb0(%a0: f32, %o: f32):
      %r = arith.addf %a0, %o : f32
      linalg.yield %r : f32
  } -> tensor<f32>
  %v21 = tensor.empty() : tensor<f32>
  %v22 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []}
      ins(%v14, %v20 : tensor<f32>, tensor<f32>) outs(%v21 : tensor<f32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %r = arith.addf %a0, %a1 : f32
      linalg.yield %r : f32
  } -> tensor<f32>
  %v23 = tensor.empty() : tensor<f32>
  %v24 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []}
      ins(%v22 : tensor<f32>) outs(%v23 : tensor<f32>) {
    ^bb0(%a0: f32, %o: f32):
      %q = math.sqrt %a0 : f32
      %eps = arith.constant 1.0e-06 : f32
      %w = arith.addf %q, %eps : f32
      %one = arith.constant 1.0 : f32
      %d = arith.divf %one, %w : f32
      %r = arith.minimumf %d, %one : f32
      linalg.yield %r : f32
  } -> tensor<f32>
  %v25 = tensor.empty() : tensor<4x8xf32>
  %v26 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> ()>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%a, %v24 : tensor<4x8xf32>, tensor<f32>) outs(%v25 : tensor<4x8xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %r = arith.mulf %a0, %a1 : f32
      linalg.yield %r : f32
  } -> tensor<4x8xf32>
  %v27 = tensor.empty() : tensor<8x4xf32>
  %v28 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> ()>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%b, %v24 : tensor<8x4xf32>, tensor<f32>) outs(%v27 : tensor<8x4xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %r = arith.mulf %a0, %a1 : f32
      linalg.yield %r : f32
  } -> tensor<8x4xf32>
  %v29 = tensor.empty() : tensor<6xf32>
  %v30 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%c, %v24 : tensor<6xf32>, tensor<f32>) outs(%v29 : tensor<6xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %r = arith.mulf %a0, %a1 : f32
      linalg.yield %r : f32
  } -> tensor<6xf32>
  return %v26, %v28, %v30 : tensor<4x8xf32>, tensor<8x4xf32>, tensor<6xf32>
}
