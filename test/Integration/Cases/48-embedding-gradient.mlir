// Case 48: rows of dy are added to the rows of the table that the ids name, some twice.
// Sharding notation: [_, tp] = dim 0 whole, dim 1 split over mesh axis tp; [] = replicated.
// INPUT 0: [1,6,1,1,6,0][i]
// right: tokens and vocabulary cut by one axis: one reduce-scatter of the table's gradient; vocabulary alone: none; by
//        two axes: one all-reduce of a block.
// trap: reducing local blocks of different rows; losing ids that collide.

func.func @demb(%ids: tensor<6xi64>, %dy: tensor<6x4xf32>) -> tensor<8x4xf32> {
  %v1 = arith.constant 0.0 : f32
  %v2 = tensor.empty() : tensor<8x4xf32>
  %v3 = linalg.fill ins(%v1 : f32) outs(%v2 : tensor<8x4xf32>) -> tensor<8x4xf32>
  %v4 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%ids, %dy : tensor<6xi64>, tensor<6x4xf32>) outs(%v3 : tensor<8x4xf32>) {
    ^bb0(%a0: i64, %a1: f32, %o: f32):
      %v = linalg.index 0 : index
      %v64 = arith.index_cast %v : index to i64
      %e = arith.cmpi eq, %a0, %v64 : i64
      %z = arith.constant 0.0 : f32
      %s = arith.select %e, %a1, %z : f32
      %r = arith.addf %o, %s : f32
      linalg.yield %r : f32
  } -> tensor<8x4xf32>
  return %v4 : tensor<8x4xf32>
}
