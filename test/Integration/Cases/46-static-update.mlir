// Case 46: rows 0 to 2 of a value that is cut by rows are replaced.
// Sharding notation: [_, tp] = dim 0 whole, dim 1 split over mesh axis tp; [] = replicated.
// right: no collective: each rank writes what it has of the rows.
// trap: gathering the value to write into it.

func.func @put(%x: tensor<8x4xf32>, %u: tensor<3x4xf32>) -> tensor<8x4xf32> {
  %v1 = tensor.insert_slice %u into %x[0, 0] [3, 4] [1, 1] : tensor<3x4xf32> into tensor<8x4xf32>
  return %v1 : tensor<8x4xf32>
}
