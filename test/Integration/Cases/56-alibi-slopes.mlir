// Case 56: a bias that depends on the head's number and on the distance of positions.
// Sharding notation: [_, tp] = dim 0 whole, dim 1 split over mesh axis tp; [] = replicated.
// right: no collective; the head's number is the global one, also for uneven blocks, and the query's with positions cut.
// trap: slopes of heads 0, 1, ... on every rank.

func.func @alibi(%s: tensor<4x5x5xf32>) -> tensor<4x5x5xf32> {
  %v1 = tensor.empty() : tensor<4x5x5xf32>
  %v2 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s : tensor<4x5x5xf32>) outs(%v1 : tensor<4x5x5xf32>) {
    ^bb0(%a0: f32, %o: f32):
      %h = linalg.index 0 : index
      %q = linalg.index 1 : index
      %k = linalg.index 2 : index
      %c1 = arith.constant 1 : index
      %h1 = arith.addi %h, %c1 : index
      %hi = arith.index_cast %h1 : index to i32
      %hf = arith.sitofp %hi : i32 to f32
      %m2 = arith.constant -2.0 : f32
      %ex = arith.mulf %hf, %m2 : f32
      %sl = math.exp2 %ex : f32
      %d = arith.subi %k, %q : index
      %di = arith.index_cast %d : index to i32
      %df = arith.sitofp %di : i32 to f32
      %b = arith.mulf %sl, %df : f32
      %r = arith.addf %a0, %b : f32
      linalg.yield %r : f32
  } -> tensor<4x5x5xf32>
  return %v2 : tensor<4x5x5xf32>
}
