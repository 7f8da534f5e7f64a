// RUN: tp-opt %s --tp-select-kernels=device | FileCheck %s
// RUN: tp-opt %s --tp-lower-to-device-pipeline | FileCheck %s --check-prefix=RT

// CHECK-LABEL: func.func @selected
// RT-LABEL: func.func @selected
// RT: rt.launch @rms_norm_copy blocks 2 threads 128 (%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) : memref<2x1000xbf16>, memref<1000xf32>, memref<2x1000xbf16>, memref<2x1000xbf16>
// RT: rt.launch @top_k
// RT: func.func private @rms_norm_copy(
// RT: rt.kernel_call "rms_norm" blocks 2 threads 128
func.func @selected(%x: tensor<2x1000xbf16>, %w: tensor<1000xf32>) -> tensor<2x1000xbf16> {
  // CHECK: nn.rms_norm {{.*}} {nn.kernel = "device"}
  %0 = nn.rms_norm %x, %w epsilon 1.0e-05 : tensor<2x1000xbf16>, tensor<1000xf32>
  return %0 : tensor<2x1000xbf16>
}

// A type that the library does not have, sums of whole rows, no rows.
// CHECK-LABEL: func.func @not_selected
// CHECK-NOT: nn.kernel
func.func @not_selected(%x: tensor<2x8xf64>, %w: tensor<8xf64>, %y: tensor<2x8xf32>, %v: tensor<8xf32>, %s: tensor<2x1xf32>, %e: tensor<0x8xf32>) -> (tensor<2x8xf64>, tensor<2x8xf32>, tensor<0x8xf32>) {
  %0 = nn.rms_norm %x, %w epsilon 1.0e-05 : tensor<2x8xf64>, tensor<8xf64>
  %1 = nn.rms_norm %y, %v sums %s of 16 epsilon 1.0e-05 : tensor<2x8xf32>, tensor<8xf32>, tensor<2x1xf32>
  %2 = nn.rms_norm %e, %v epsilon 1.0e-05 : tensor<0x8xf32>, tensor<8xf32>
  return %0, %1, %2 : tensor<2x8xf64>, tensor<2x8xf32>, tensor<0x8xf32>
}

// The best elements along any dimension, of which the library has those of floats.
// CHECK-LABEL: func.func @best
// CHECK: nn.top_k {{.*}} {nn.kernel = "device"}
// CHECK: nn.top_k
// CHECK-NOT: nn.kernel
func.func @best(%x: tensor<2x30x7xbf16>, %n: tensor<30xi32>) -> (tensor<2x4x7xbf16>, tensor<2x4x7xi64>, tensor<2xi32>, tensor<2xi64>) {
  %v, %i = nn.top_k %x dim 1 bound 0xFF80 : bf16 : tensor<2x30x7xbf16> -> tensor<2x4x7xbf16>, tensor<2x4x7xi64>
  %w, %j = nn.top_k %n dim 0 bound -9 : i32 : tensor<30xi32> -> tensor<2xi32>, tensor<2xi64>
  return %v, %i, %w, %j : tensor<2x4x7xbf16>, tensor<2x4x7xi64>, tensor<2xi32>, tensor<2xi64>
}
