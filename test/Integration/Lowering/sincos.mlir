// Sine and cosine of a vector that is put together from few elements, of one float and a narrow one.
// RUN: tp-run %s --mesh tp=2 --plan replicated --entry f --compare | FileCheck %s
// RUN: tp-run %s --mesh tp=2 --plan replicated --entry g --compare | FileCheck %s
// CHECK: equal to the unsharded program

func.func @f(%x: tensor<3x3xf32>) -> tensor<1x2x1x1x1xf32> {
  %wide = tensor.expand_shape %x [[0, 1], [2, 3, 4]] output_shape [1, 3, 1, 1, 3] : tensor<3x3xf32> into tensor<1x3x1x1x3xf32>
  %some = tensor.extract_slice %wide[0, 0, 0, 0, 0] [1, 2, 1, 1, 1] [1, 1, 1, 1, 1] : tensor<1x3x1x1x3xf32> to tensor<1x2x1x1x1xf32>
  %sin, %cos = math.sincos %some : tensor<1x2x1x1x1xf32>
  return %cos : tensor<1x2x1x1x1xf32>
}

func.func @g(%x: tensor<37xbf16>) -> (tensor<37xbf16>, tensor<37xbf16>) {
  %sin, %cos = math.sincos %x : tensor<37xbf16>
  return %sin, %cos : tensor<37xbf16>, tensor<37xbf16>
}
