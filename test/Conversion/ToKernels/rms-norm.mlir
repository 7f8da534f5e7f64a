// RUN: tp-opt %s --one-shot-bufferize="bufferize-function-boundaries=1 function-boundary-type-conversion=identity-layout-map" --tp-convert-to-kernels | FileCheck %s

// CHECK-LABEL: func.func @norm
// CHECK-SAME: (%[[X:.*]]: memref<2x3x40xf32>, %[[W:.*]]: memref<40xf32>)
func.func @norm(%x: tensor<2x3x40xf32>, %w: tensor<40xf32>) -> tensor<2x3x40xf32> {
  // CHECK: %[[R:.*]] = memref.alloc() {{.*}} : memref<2x3x40xf32>
  // CHECK: rt.parallel_for @[[KERNEL:.*]] range 6 grain 6 (%{{.*}}, %[[W]], %{{.*}}) : memref<6x40xf32>, memref<40xf32>, memref<6x40xf32>
  // CHECK: return %[[R]]
  %0 = nn.rms_norm %x, %w epsilon 1.0e-05 : tensor<2x3x40xf32>, tensor<40xf32>
  return %0 : tensor<2x3x40xf32>
}

// A slice of a larger buffer is copied where its rows do not follow each other.
// CHECK-LABEL: func.func @strided
func.func @strided(%x: tensor<4x80xf32>, %w: tensor<40xf32>) -> tensor<4x40xf32> {
  // CHECK: memref.copy
  // CHECK: rt.parallel_for
  %s = tensor.extract_slice %x[0, 8] [4, 40] [1, 1] : tensor<4x80xf32> to tensor<4x40xf32>
  %0 = nn.rms_norm %s, %w epsilon 1.0e-05 : tensor<4x40xf32>, tensor<40xf32>
  return %0 : tensor<4x40xf32>
}

// CHECK: func.func private @[[KERNEL]](%[[BEGIN:.*]]: index, %[[END:.*]]: index, {{.*}}) attributes {rt.kernel} {
// CHECK: scf.for %[[ROW:.*]] = %[[BEGIN]] to %[[END]]
// CHECK: vector.fma
// CHECK: math.sqrt
// CHECK: vector.store
