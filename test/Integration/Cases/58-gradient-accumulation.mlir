// Case 58: a loop adds the weight gradients of 3 micro-batches, tokens cut.
// Sharding notation: [_, tp] = dim 0 whole, dim 1 split over mesh axis tp; [] = replicated.
// right: one reduction behind the loop, whole or scattered.
// trap: one reduction per micro-batch.

func.func @acc(%x: tensor<3x4x8xf32>, %y: tensor<3x4x6xf32>) -> tensor<8x6xf32> {
  %v1 = arith.constant 0.0 : f32
  %v2 = tensor.empty() : tensor<8x6xf32>
  %v3 = linalg.fill ins(%v1 : f32) outs(%v2 : tensor<8x6xf32>) -> tensor<8x6xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %l = scf.for %i = %c0 to %c3 step %c1 iter_args(%acc = %v3) -> (tensor<8x6xf32>) {
  %xi = tensor.extract_slice %x[%i, 0, 0] [1, 4, 8] [1, 1, 1] : tensor<3x4x8xf32> to tensor<4x8xf32>
  %yi = tensor.extract_slice %y[%i, 0, 0] [1, 4, 6] [1, 1, 1] : tensor<3x4x6xf32> to tensor<4x6xf32>
  %v4 = arith.constant 0.0 : f32
  %v5 = tensor.empty() : tensor<8x6xf32>
  %v6 = linalg.fill ins(%v4 : f32) outs(%v5 : tensor<8x6xf32>) -> tensor<8x6xf32>
  %v7 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d2, d0)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%xi, %yi : tensor<4x8xf32>, tensor<4x6xf32>) outs(%v6 : tensor<8x6xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %m = arith.mulf %a0, %a1 : f32
      %r = arith.addf %m, %o : f32
      linalg.yield %r : f32
  } -> tensor<8x6xf32>
  %v8 = tensor.empty() : tensor<8x6xf32>
  %v9 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%v7, %acc : tensor<8x6xf32>, tensor<8x6xf32>) outs(%v8 : tensor<8x6xf32>) {
    ^bb0(%a0: f32, %a1: f32, %o: f32):
      %r = arith.addf %a0, %a1 : f32
      linalg.yield %r : f32
  } -> tensor<8x6xf32>
  scf.yield %v9 : tensor<8x6xf32>
  }
  return %l : tensor<8x6xf32>
}
