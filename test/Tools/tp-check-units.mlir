// Dimensions of one element: which one a tensor's is says nothing, and a cut leaves ranks without any.
// RUN: tp-compile %s --emit=comm -o %t.mlir 2> %t.remarks
// RUN: not tp-check %s %t.mlir --verbose 2>&1 | FileCheck %s
// RUN: tp-run %s --entry scalar --interpret --compare 2>&1 | FileCheck %s --check-prefix=VALUES

tp.mesh @mesh <"a"=2, "b"=2>

// CHECK-DAG: @one_row result 0: proved
func.func @one_row(%x: tensor<1x8xf32> {tp.sharding = #tp.sharding<[_, a]>}) -> tensor<1xi64> {
  %v, %i = nn.argmax %x : tensor<1x8xf32> -> tensor<1x1xf32>, tensor<1x1xi64>
  %r = tensor.collapse_shape %i [[0, 1]] : tensor<1x1xi64> into tensor<1xi64>
  return %r : tensor<1xi64>
}

// CHECK-DAG: result 0 of @other_cuts is not proved: {{.*}} ranks have different elements of a dimension that was sliced away
func.func @other_cuts(%x: tensor<1x2x1x2xf32> {tp.sharding = #tp.sharding<[a, _, b, _]>})
    -> (tensor<1x2x1x2xf32> {tp.sharding = #tp.sharding<[b, a, _, _]>}) {
  return %x : tensor<1x2x1x2xf32>
}

// A scalar is not made a block of two.
// VALUES: equal to the unsharded program
func.func @scalar(%x: tensor<f32>) -> (tensor<1xf32> {tp.sharding = #tp.sharding<[a*2]>}) {
  %r = tensor.expand_shape %x [] output_shape [1] : tensor<f32> into tensor<1xf32>
  return %r : tensor<1xf32>
}
