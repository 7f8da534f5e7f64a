// RUN: tp-run %s --interpret --compare --poison | FileCheck %s
// A cut over one device cuts nothing, whatever the op needs whole.
// CHECK: equal to the unsharded program
tp.mesh @mesh <"a"=1, "b"=2>
func.func @f(%x: tensor<4x6xf32>) -> (tensor<4x6xf32>, tensor<4x1xi64>) {
  %0 = tp.constraint %x <[b, a]> : tensor<4x6xf32>
  %row = tensor.extract_slice %x[1, 0] [2, 6] [1, 1] : tensor<4x6xf32> to tensor<2x6xf32>
  %1 = tp.constraint %0 <[a*3, _]> : tensor<4x6xf32>
  %2 = tensor.insert_slice %row into %1[0, 0] [2, 6] [1, 1] : tensor<2x6xf32> into tensor<4x6xf32>
  %v, %i = nn.argmax %0 : tensor<4x6xf32> -> tensor<4x1xf32>, tensor<4x1xi64>
  return %2, %i : tensor<4x6xf32>, tensor<4x1xi64>
}
