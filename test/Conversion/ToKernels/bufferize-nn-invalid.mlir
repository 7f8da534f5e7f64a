// RUN: tp-opt %s --one-shot-bufferize="bufferize-function-boundaries=1 function-boundary-type-conversion=identity-layout-map" -verify-diagnostics

func.func @f(%x: tensor<?x3x4xf32>, %w: tensor<4xf32>) -> tensor<?x3x4xf32> {
  // expected-error @+2 {{'nn.rms_norm' op has no kernel and must be decomposed before bufferization}}
  // expected-error @+1 {{failed to bufferize op}}
  %0 = nn.rms_norm %x, %w epsilon 1.0e-5 : tensor<?x3x4xf32>, tensor<4xf32>
  return %0 : tensor<?x3x4xf32>
}
