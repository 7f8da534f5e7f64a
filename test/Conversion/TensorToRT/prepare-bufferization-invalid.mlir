// RUN: tp-opt %s --tp-prepare-bufferization -split-input-file -verify-diagnostics

func.func @gather(%x: tensor<7x3xf32>, %i: tensor<4x1xindex>) -> tensor<4x3xf32> {
  // expected-error @below {{'tensor.gather' is not supported on the CPU}}
  %0 = tensor.gather %x[%i] gather_dims([0]) : (tensor<7x3xf32>, tensor<4x1xindex>) -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

// -----

func.func @bitcast(%x: tensor<4xf32>) -> tensor<4xi32> {
  // expected-error @below {{'tensor.bitcast' is not supported on the CPU}}
  %0 = tensor.bitcast %x : tensor<4xf32> to tensor<4xi32>
  return %0 : tensor<4xi32>
}

// -----

func.func @pack(%x: tensor<4x8xf32>, %d: tensor<2x2x2x4xf32>) -> tensor<2x2x2x4xf32> {
  // expected-error @below {{'linalg.pack' is not supported on the CPU}}
  %0 = linalg.pack %x inner_dims_pos = [0, 1] inner_tiles = [2, 4] into %d : tensor<4x8xf32> -> tensor<2x2x2x4xf32>
  return %0 : tensor<2x2x2x4xf32>
}
