// RUN: tp-run %s --interpret --compare --poison | FileCheck %s
// The checker divides by no size of a dimension.
// CHECK: equal to the unsharded program
tp.mesh @mesh <"tp"=2>
func.func @f(%x: tensor<0x4xf32>, %d: tensor<3x4xf32>) -> (tensor<0x3x4xf32>, tensor<3x0x4xf32>, tensor<0x4xf32>, tensor<3x4xf32>) {
  %0 = tensor.expand_shape %x [[0, 1], [2]] output_shape [0, 3, 4] : tensor<0x4xf32> into tensor<0x3x4xf32>
  %1 = tensor.expand_shape %x [[0, 1], [2]] output_shape [3, 0, 4] : tensor<0x4xf32> into tensor<3x0x4xf32>
  %2 = tensor.collapse_shape %1 [[0, 1], [2]] : tensor<3x0x4xf32> into tensor<0x4xf32>
  // No slice is written.
  %i = arith.constant dense<0> : tensor<0x1xi32>
  %4 = tensor.scatter %x into %d[%i] scatter_dims([0]) unique : (tensor<0x4xf32>, tensor<3x4xf32>, tensor<0x1xi32>) -> tensor<3x4xf32>
  return %0, %1, %2, %4 : tensor<0x3x4xf32>, tensor<3x0x4xf32>, tensor<0x4xf32>, tensor<3x4xf32>
}
