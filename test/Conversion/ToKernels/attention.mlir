// RUN: tp-opt %s --one-shot-bufferize="bufferize-function-boundaries=1 function-boundary-type-conversion=identity-layout-map" | FileCheck %s --check-prefix=DECLARED
// RUN: tp-opt %s --one-shot-bufferize="bufferize-function-boundaries=1 function-boundary-type-conversion=identity-layout-map" --tp-convert-to-kernels | FileCheck %s

// Bufferization allocates the result and calls a kernel that is only declared;
// equal shapes share it.
// DECLARED-LABEL: func.func @layers
// DECLARED-SAME: (%[[Q:.*]]: memref<1x4x2x3x8xf32>, %[[K:.*]]: memref<1x2x32x8xf32>, %[[V:.*]]: memref<1x2x32x8xf32>, %[[P:.*]]: memref<1xi64>)
// DECLARED: %[[O:.*]] = memref.alloc() {{.*}} : memref<1x4x2x3x8xf32>
// DECLARED: rt.parallel_for @[[KERNEL:.*]] range 6 grain 1 (%[[Q]], %[[K]], %[[V]], %[[P]], %[[O]])
// DECLARED: %[[O2:.*]] = memref.alloc()
// DECLARED: rt.parallel_for @[[KERNEL]] range 6 grain 1 (%[[O]], %[[K]], %[[V]], %[[P]], %[[O2]])
// Another window is another kernel.
// DECLARED-LABEL: func.func @window
// DECLARED: rt.parallel_for @[[KERNEL]]_window5 range 6
// DECLARED-DAG: func.func private @[[KERNEL]]({{.*}}) attributes {nn.attention_bidirectional = false, nn.attention_scale = 1.250000e-01 : f64, nn.attention_window = 0 : i64, rt.kernel}
// DECLARED-DAG: func.func private @[[KERNEL]]_window5({{.*}}) attributes {nn.attention_bidirectional = false, nn.attention_scale = 1.250000e-01 : f64, nn.attention_window = 5 : i64, rt.kernel}
// DECLARED-NOT: func.func

// CHECK: func.func private @tp_attention{{.*}} attributes {rt.kernel} {
// CHECK: scf.for
func.func @layers(%q: tensor<1x4x2x3x8xf32>, %k: tensor<1x2x32x8xf32>, %v: tensor<1x2x32x8xf32>, %p: tensor<1xi64>) -> tensor<1x4x2x3x8xf32> {
  %0 = nn.attention %q, %k, %v, %p scale 0.125 : tensor<1x4x2x3x8xf32>, tensor<1x2x32x8xf32>, tensor<1xi64>
  %1 = nn.attention %0, %k, %v, %p scale 0.125 : tensor<1x4x2x3x8xf32>, tensor<1x2x32x8xf32>, tensor<1xi64>
  return %1 : tensor<1x4x2x3x8xf32>
}

func.func @window(%q: tensor<1x4x2x3x8xf32>, %k: tensor<1x2x32x8xf32>, %v: tensor<1x2x32x8xf32>, %p: tensor<1xi64>) -> tensor<1x4x2x3x8xf32> {
  %0 = nn.attention %q, %k, %v, %p scale 0.125 window 5 : tensor<1x4x2x3x8xf32>, tensor<1x2x32x8xf32>, tensor<1xi64>
  return %0 : tensor<1x4x2x3x8xf32>
}
