// RUN: tp-opt %s --tp-select-kernels | FileCheck %s

// CHECK-LABEL: func.func @selected
func.func @selected(%x: tensor<1x4x2x3x8xbf16>, %c: tensor<1x2x32x8xbf16>, %p: tensor<1xi64>, %y: tensor<2x8xbf16>, %w: tensor<8xf32>) -> (tensor<1x4x2x3x8xbf16>, tensor<2x8xbf16>) {
  // CHECK: nn.attention {{.*}} {nn.kernel}
  %0 = nn.attention %x, %c, %c, %p scale 0.125 : tensor<1x4x2x3x8xbf16>, tensor<1x2x32x8xbf16>, tensor<1xi64>
  // CHECK: nn.rms_norm {{.*}} {nn.kernel}
  %1 = nn.rms_norm %y, %w epsilon 1.0e-05 : tensor<2x8xbf16>, tensor<8xf32>
  // CHECK: nn.layer_norm {{.*}} {nn.kernel}
  %2 = nn.layer_norm %1, %w, %w epsilon 1.0e-05 : tensor<2x8xbf16>, tensor<8xf32>
  return %0, %2 : tensor<1x4x2x3x8xbf16>, tensor<2x8xbf16>
}

// A rank's first step is in the positions; blocks that are several have no kernel.
// CHECK-LABEL: func.func @blocks
func.func @blocks(%q: tensor<2x4x2x3x8xf32>, %c: tensor<2x2x32x8xf32>, %p: tensor<2xi64>, %o: index) -> (tensor<2x4x2x3x8xf32>, tensor<2x4x2x3x8xf32>, tensor<1x2x4x2x3x9xf32>, tensor<2x2x4x2x3x9xf32>) {
  // CHECK: %[[POS:.*]] = linalg.generic {{.*}} ins(%arg2 : tensor<2xi64>)
  // CHECK: nn.attention %arg0, %arg1, %arg1, %[[POS]] scale 1.250000e-01 {nn.kernel}
  %0 = nn.attention %q, %c, %c, %p step_offset %o scale 0.125 : tensor<2x4x2x3x8xf32>, tensor<2x2x32x8xf32>, tensor<2xi64>
  // CHECK: nn.attention %arg0, %arg1, %arg1, %arg2 bidirectional scale 1.250000e-01 {nn.kernel}
  %1 = nn.attention %q, %c, %c, %p step_offset %o bidirectional scale 0.125 : tensor<2x4x2x3x8xf32>, tensor<2x2x32x8xf32>, tensor<2xi64>
  // CHECK: nn.attention_blocks {{.*}} position_offset %arg3 scale 1.250000e-01 {nn.kernel}
  %2, %3 = nn.attention_blocks %q, %c, %c, %p position_offset %o scale 0.125 : tensor<2x4x2x3x8xf32>, tensor<2x2x32x8xf32>, tensor<2xi64> -> tensor<1x2x4x2x3x9xf32>, tensor<1x2x4x2x3xf32>
  // CHECK: nn.attention_blocks {{.*}} scale 1.250000e-01 :
  %4, %5 = nn.attention_blocks %q, %c, %c, %p scale 0.125 : tensor<2x4x2x3x8xf32>, tensor<2x2x32x8xf32>, tensor<2xi64> -> tensor<2x2x4x2x3x9xf32>, tensor<2x2x4x2x3xf32>
  return %0, %1, %2, %4 : tensor<2x4x2x3x8xf32>, tensor<2x4x2x3x8xf32>, tensor<1x2x4x2x3x9xf32>, tensor<2x2x4x2x3x9xf32>
}

// A depth beyond what is written out in the code, a weight wider than the sums,
// no rows, ops without kernels.
// CHECK-LABEL: func.func @not_selected
func.func @not_selected(%x: tensor<1x4x2x3x600xf32>, %c: tensor<1x2x32x600xf32>, %p: tensor<1xi64>, %y: tensor<2x8xf32>, %w: tensor<8xf64>, %e: tensor<0x8xf32>, %v: tensor<8xf32>) -> (tensor<1x4x2x3x600xf32>, tensor<2x8xf32>, tensor<0x8xf32>, tensor<1x1x4xf32>, tensor<1x1x4xf32>) {
  // CHECK-NOT: nn.kernel
  // CHECK: return
  %0 = nn.attention %x, %c, %c, %p scale 0.125 : tensor<1x4x2x3x600xf32>, tensor<1x2x32x600xf32>, tensor<1xi64>
  %1 = nn.rms_norm %y, %w epsilon 1.0e-05 : tensor<2x8xf32>, tensor<8xf64>
  %2 = nn.rms_norm %e, %v epsilon 1.0e-05 : tensor<0x8xf32>, tensor<8xf32>
  %cos, %sin = nn.rotary_table %p theta 10000.0 : tensor<1xi64> -> tensor<1x1x4xf32>
  return %0, %1, %2, %cos, %sin : tensor<1x4x2x3x600xf32>, tensor<2x8xf32>, tensor<0x8xf32>, tensor<1x1x4xf32>, tensor<1x1x4xf32>
}

// Kernels are made for the sizes that they work on.
// CHECK-LABEL: func @dynamic
// CHECK-NOT: nn.kernel
func.func @dynamic(%x: tensor<?x4xf32>, %w: tensor<4xf32>) -> tensor<?x4xf32> {
  %0 = nn.rms_norm %x, %w epsilon 0.0 : tensor<?x4xf32>, tensor<4xf32>
  return %0 : tensor<?x4xf32>
}
