// RUN: tp-opt %s --tp-fuse-kernel-calls | FileCheck %s

#id = affine_map<(i, j) -> (i, j)>
#column = affine_map<(i, j) -> (j)>

// The stream is bf16, what is added f32: both types are told, and the sum is stored.
// CHECK-LABEL: func @residual
// CHECK-NOT: linalg.generic
// CHECK: %[[F32:.*]] = arith.constant 1 : i32
// CHECK: rt.kernel_call "residual_rms_norm" blocks 4 threads 128 (%[[BF16:.*]], %[[F32]], %[[BF16]], %[[BF16]], %arg0, %arg1, %arg2, %arg3, %arg4, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}})
// CHECK-NOT: rt.kernel_call
func.func @residual(%x: memref<4x576xbf16>, %a: memref<4x576xf32>, %w: memref<576xbf16>, %sum: memref<4x576xbf16>, %y: memref<4x576xbf16>) {
  %bf16 = arith.constant 3 : i32
  %rows = arith.constant 4 : i64
  %size = arith.constant 576 : i64
  %e = arith.constant 1.0e-05 : f32
  linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a, %x : memref<4x576xf32>, memref<4x576xbf16>) outs(%sum : memref<4x576xbf16>) {
  ^bb0(%p: f32, %q: bf16, %out: bf16):
    %wide = arith.extf %q : bf16 to f32
    %s = arith.addf %p, %wide : f32
    %n = arith.truncf %s : f32 to bf16
    linalg.yield %n : bf16
  }
  rt.kernel_call "rms_norm" blocks 4 threads 128 (%bf16, %bf16, %bf16, %sum, %w, %y, %rows, %size, %e, %e)
    : i32, i32, i32, memref<4x576xbf16>, memref<576xbf16>, memref<4x576xbf16>, i64, i64, f32, f32
  return
}

// In place, and with a bias.
// CHECK-LABEL: func @layer
// CHECK: rt.kernel_call "residual_layer_norm" blocks 4 threads 128 (%[[F32:.*]], %{{.*}}, %[[F32]], %[[F32]], %arg0, %arg1, %arg2, %arg2, %arg0, %arg3, %{{.*}}, %{{.*}}, %{{.*}})
func.func @layer(%x: memref<4x576xf32>, %a: memref<4x576xf32>, %w: memref<576xf32>, %y: memref<4x576xf32>) {
  %f32 = arith.constant 1 : i32
  %rows = arith.constant 4 : i64
  %e = arith.constant 1.0e-05 : f32
  linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %a : memref<4x576xf32>, memref<4x576xf32>) outs(%x : memref<4x576xf32>) {
  ^bb0(%p: f32, %q: f32, %out: f32):
    %s = arith.addf %p, %q : f32
    linalg.yield %s : f32
  }
  rt.kernel_call "layer_norm" blocks 4 threads 128 (%f32, %f32, %f32, %x, %w, %w, %y, %rows, %rows, %e)
    : i32, i32, i32, memref<4x576xf32>, memref<576xf32>, memref<576xf32>, memref<4x576xf32>, i64, i64, f32
  return
}

// Another op than an addition, one of a row that is broadcast, one whose sum something else reads before.
// CHECK-LABEL: func @others
// CHECK: linalg.generic
// CHECK: rt.kernel_call "rms_norm"
// CHECK: linalg.generic
// CHECK: rt.kernel_call "rms_norm"
// CHECK: linalg.generic
// CHECK: rt.copy
// CHECK: rt.kernel_call "rms_norm"
func.func @others(%x: memref<4x576xf32>, %b: memref<576xf32>, %sum: memref<4x576xf32>, %y: memref<4x576xf32>, %z: memref<4x576xf32>) {
  %f32 = arith.constant 1 : i32
  %rows = arith.constant 4 : i64
  %e = arith.constant 1.0e-05 : f32
  linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %z : memref<4x576xf32>, memref<4x576xf32>) outs(%sum : memref<4x576xf32>) {
  ^bb0(%p: f32, %q: f32, %out: f32):
    %s = arith.mulf %p, %q : f32
    linalg.yield %s : f32
  }
  rt.kernel_call "rms_norm" blocks 4 threads 128 (%f32, %f32, %f32, %sum, %b, %y, %rows, %rows, %e, %e)
    : i32, i32, i32, memref<4x576xf32>, memref<576xf32>, memref<4x576xf32>, i64, i64, f32, f32
  linalg.generic {indexing_maps = [#id, #column, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %b : memref<4x576xf32>, memref<576xf32>) outs(%sum : memref<4x576xf32>) {
  ^bb0(%p: f32, %q: f32, %out: f32):
    %s = arith.addf %p, %q : f32
    linalg.yield %s : f32
  }
  rt.kernel_call "rms_norm" blocks 4 threads 128 (%f32, %f32, %f32, %sum, %b, %y, %rows, %rows, %e, %e)
    : i32, i32, i32, memref<4x576xf32>, memref<576xf32>, memref<4x576xf32>, i64, i64, f32, f32
  linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %z : memref<4x576xf32>, memref<4x576xf32>) outs(%sum : memref<4x576xf32>) {
  ^bb0(%p: f32, %q: f32, %out: f32):
    %s = arith.addf %p, %q : f32
    linalg.yield %s : f32
  }
  rt.copy %sum into %x : memref<4x576xf32>, memref<4x576xf32>
  rt.kernel_call "rms_norm" blocks 4 threads 128 (%f32, %f32, %f32, %sum, %b, %y, %rows, %rows, %e, %e)
    : i32, i32, i32, memref<4x576xf32>, memref<576xf32>, memref<4x576xf32>, i64, i64, f32, f32
  return
}
