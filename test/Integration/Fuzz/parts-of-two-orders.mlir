// RUN: tp-run %s --compare --poison --interpret | FileCheck %s
// Of 6 ranks, halves and parities are no coordinates of one group: a slice by one is not gathered by the other.
// CHECK: equal to the unsharded program
tp.mesh @mesh <"a"=6>
func.func @f(%arg2: tensor<6x6xf32>) -> tensor<6x2x3xf32> {
  %0 = tp.constraint %arg2 <[_, (a:(1)3*2, a:(3)2)]> : tensor<6x6xf32>
  %expanded = tensor.expand_shape %0 [[0], [1, 2]] output_shape [6, 2, 3] : tensor<6x6xf32> into tensor<6x2x3xf32>
  %1 = tp.constraint %expanded <[_, _, a:(3)2]> : tensor<6x2x3xf32>
  %2 = math.tanh %1 : tensor<6x2x3xf32>
  %3 = tp.constraint %2 <[a:(1)3, _, _]> : tensor<6x2x3xf32>
  return %3 : tensor<6x2x3xf32>
}
