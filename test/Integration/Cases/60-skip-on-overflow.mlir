// Case 60: a step is taken unless a gradient on any rank is too large.
// Sharding notation: [_, tp] = dim 0 whole, dim 1 split over mesh axis tp; [] = replicated.
// INPUT 1: 1.0
// right: one all-reduce of a bool, so that all ranks take the same branch, in which there is another of 4.
// trap: ranks that branch on their own gradients and wait for each other.

func.func @skip(%w: tensor<8x4xf32>, %gr: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %v1 = arith.constant false
  %v2 = tensor.empty() : tensor<i1>
  %v3 = linalg.fill ins(%v1 : i1) outs(%v2 : tensor<i1>) -> tensor<i1>
  %v4 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> ()>], iterator_types = ["reduction", "reduction"]}
      ins(%gr : tensor<8x4xf32>) outs(%v3 : tensor<i1>) {
    ^bb0(%a0: f32, %o: i1):
      %x = math.absf %a0 : f32
      %l = arith.constant 1.0e+30 : f32
      %c = arith.cmpf ugt, %x, %l : f32
      %r = arith.ori %c, %o : i1
      linalg.yield %r : i1
  } -> tensor<i1>
  %bad = tensor.extract %v4[] : tensor<i1>
  %y = scf.if %bad -> (tensor<8x4xf32>) {
    scf.yield %w : tensor<8x4xf32>
  } else {
  %v5 = tensor.empty() : tensor<8x4xf32>
  %v6 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%w, %gr : tensor<8x4xf32>, tensor<8x4xf32>) outs(%v5 : tensor<8x4xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %r = arith.subf %a0, %a1 : f32
      linalg.yield %r : f32
  } -> tensor<8x4xf32>
  %v7 = arith.constant 0.0 : f32
  %v8 = tensor.empty() : tensor<4xf32>
  %v9 = linalg.fill ins(%v7 : f32) outs(%v8 : tensor<4xf32>) -> tensor<4xf32>
  %v10 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]}
      ins(%v6 : tensor<8x4xf32>) outs(%v9 : tensor<4xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %r = arith.addf %a0, %o : f32
      linalg.yield %r : f32
  } -> tensor<4xf32>
  %v11 = tensor.empty() : tensor<8x4xf32>
  %v12 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%v6, %v10 : tensor<8x4xf32>, tensor<4xf32>) outs(%v11 : tensor<8x4xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %r = arith.subf %a0, %a1 : f32
      linalg.yield %r : f32
  } -> tensor<8x4xf32>
    scf.yield %v12 : tensor<8x4xf32>
  }
  return %y : tensor<8x4xf32>
}
