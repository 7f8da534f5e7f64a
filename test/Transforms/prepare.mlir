// RUN: tp-opt --tp-prepare %s | FileCheck %s

// Private functions are inlined, whatever dialect their ops are of.
tp.mesh @mesh <"tp"=2>
// CHECK-NOT: @norm
// CHECK-LABEL: func.func @calls
// CHECK: tp.constraint
// CHECK: nn.rms_norm
func.func private @norm(%x: tensor<4x8xf32>, %w: tensor<8xf32>) -> tensor<4x8xf32> {
  %0 = tp.constraint %x <[tp, _]> : tensor<4x8xf32>
  %1 = nn.rms_norm %0, %w epsilon 1.0e-05 : tensor<4x8xf32>, tensor<8xf32>
  return %1 : tensor<4x8xf32>
}
func.func @calls(%x: tensor<4x8xf32>, %w: tensor<8xf32>) -> tensor<4x8xf32> {
  %0 = call @norm(%x, %w) : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}
