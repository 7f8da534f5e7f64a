// Case 47: y[i] = x[i, index[i]], the row by linalg.index.
// Sharding notation: [_, tp] = dim 0 whole, dim 1 split over mesh axis tp; [] = replicated.
// INPUT 1: (i*5)%6
// right: rows cut: the row index is rebased, no collective (or one gather of the 8 results); columns cut: masked look-up
//        and one all-reduce of 8.
// trap: reading row i of the local block; gathering x.

func.func @take(%x: tensor<8x6xf32>, %i: tensor<8xi64>) -> tensor<8xf32> {
  %v1 = tensor.empty() : tensor<8xf32>
  %v2 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%i : tensor<8xi64>) outs(%v1 : tensor<8xf32>) {
    ^bb0(%a0: i64, %o: f32):
      %c = arith.index_cast %a0 : i64 to index
      %row = linalg.index 0 : index
      %r = tensor.extract %x[%row, %c] : tensor<8x6xf32>
      linalg.yield %r : f32
  } -> tensor<8xf32>
  return %v2 : tensor<8xf32>
}
