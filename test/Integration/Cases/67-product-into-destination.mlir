// Case 67: products are added to their destination, which is cut where the product is a sum over ranks.
// Sharding notation: [_, tp] = dim 0 whole, dim 1 split over mesh axis tp; [] = replicated.
// right: the destination is a part of the sum: one reduce-scatter, behind the loop.
// trap: gathering both factors because the destination is cut like the result.

func.func @grad(%x: tensor<3x8x8xf32>, %dy: tensor<3x8x8xf32>, %g: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%acc = %g) -> (tensor<8x8xf32>) {
    %xi = tensor.extract_slice %x[%i, 0, 0] [1, 8, 8] [1, 1, 1] : tensor<3x8x8xf32> to tensor<8x8xf32>
    %di = tensor.extract_slice %dy[%i, 0, 0] [1, 8, 8] [1, 1, 1] : tensor<3x8x8xf32> to tensor<8x8xf32>
    %e = tensor.empty() : tensor<8x8xf32>
    %t = linalg.transpose ins(%xi : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) permutation = [1, 0]
    %n = linalg.matmul ins(%t, %di : tensor<8x8xf32>, tensor<8x8xf32>) outs(%acc : tensor<8x8xf32>) -> tensor<8x8xf32>
    scf.yield %n : tensor<8x8xf32>
  }
  return %r : tensor<8x8xf32>
}

func.func @residual(%x: tensor<8x8xf32>, %w: tensor<8x8xf32>, %stream: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %y = linalg.matmul ins(%x, %w : tensor<8x8xf32>, tensor<8x8xf32>) outs(%stream : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %y : tensor<8x8xf32>
}
