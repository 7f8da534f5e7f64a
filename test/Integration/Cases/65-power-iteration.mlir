// Case 65: a loop that ends by a norm: v = a@v while |v|^2 is small.
// Sharding notation: [_, tp] = dim 0 whole, dim 1 split over mesh axis tp; [] = replicated.
// right: per test an all-reduce of one number, per trip a gather of 8; all ranks end together.
// trap: ranks that test their own part.

func.func @power(%a: tensor<8x8xf32>, %x: tensor<8xf32>) -> tensor<8xf32> {
  %lim = arith.constant 3 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %w:2 = scf.while (%v = %x, %i = %c0) : (tensor<8xf32>, index) -> (tensor<8xf32>, index) {
  %v1 = tensor.empty() : tensor<8xf32>
  %v2 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%v, %v : tensor<8xf32>, tensor<8xf32>) outs(%v1 : tensor<8xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %r = arith.mulf %a0, %a1 : f32
      linalg.yield %r : f32
  } -> tensor<8xf32>
  %v3 = arith.constant 0.0 : f32
  %v4 = tensor.empty() : tensor<f32>
  %v5 = linalg.fill ins(%v3 : f32) outs(%v4 : tensor<f32>) -> tensor<f32>
  %v6 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]}
      ins(%v2 : tensor<8xf32>) outs(%v5 : tensor<f32>) {
    ^bb0(%a0: f32, %o: f32):
      %r = arith.addf %a0, %o : f32
      linalg.yield %r : f32
  } -> tensor<f32>
    %nn = tensor.extract %v6[] : tensor<f32>
    %big = arith.constant 1.0e+06 : f32
    %c = arith.cmpf olt, %nn, %big : f32
    %d = arith.cmpi slt, %i, %lim : index
    %e = arith.andi %c, %d : i1
    scf.condition(%e) %v, %i : tensor<8xf32>, index
  } do {
  ^bb0(%u: tensor<8xf32>, %j: index):
  %v7 = arith.constant 0.0 : f32
  %v8 = tensor.empty() : tensor<8xf32>
  %v9 = linalg.fill ins(%v7 : f32) outs(%v8 : tensor<8xf32>) -> tensor<8xf32>
  %v10 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]}
      ins(%a, %u : tensor<8x8xf32>, tensor<8xf32>) outs(%v9 : tensor<8xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %m = arith.mulf %a0, %a1 : f32
      %r = arith.addf %m, %o : f32
      linalg.yield %r : f32
  } -> tensor<8xf32>
    %jn = arith.addi %j, %c1 : index
    scf.yield %v10, %jn : tensor<8xf32>, index
  }
  return %w#0 : tensor<8xf32>
}
