// RUN: tp-opt %s --tp-outline-device-kernels -split-input-file -verify-diagnostics

func.func @tensors(%a: tensor<8xf32>) attributes {rt.entry} {
  // expected-error @below {{cannot become a kernel: not on static memrefs}}
  %0 = linalg.exp ins(%a : tensor<8xf32>) outs(%a : tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @strides(%a: memref<8xf32, strided<[?], offset: ?>>) attributes {rt.entry} {
  // expected-error @below {{cannot become a kernel: strides of 'memref<8xf32, strided<[?], offset: ?>>' are not static}}
  linalg.exp ins(%a : memref<8xf32, strided<[?], offset: ?>>) outs(%a : memref<8xf32, strided<[?], offset: ?>>)
  return
}
