// RUN: tp-opt %s --tp-narrow-reductions -split-input-file 2>%t.notes | FileCheck %s
// RUN: FileCheck %s --check-prefix=NOTE < %t.notes
// RUN: tp-opt %s --tp-narrow-reductions=dtype=f16 -split-input-file 2>%t.f16 | FileCheck %s --check-prefix=F16
// RUN: FileCheck %s --check-prefix=F16NOTE < %t.f16
// RUN: tp-opt %s --tp-narrow-reductions=dtype=f32 -split-input-file 2>/dev/null | FileCheck %s --check-prefix=F32
// RUN: not tp-opt %s --tp-narrow-reductions=dtype=f8 -split-input-file 2>&1 | FileCheck %s --check-prefix=TYPE

// F16NOTE: up to 2^-11 of the sum of the parts' magnitudes, and a part beyond 65504 becomes infinite: 1
// F32-COUNT-7: comm.{{all_reduce|reduce_scatter}} sum {{.*}}f32>
// TYPE: error: no element type 'f8' to reduce in, give bf16, f16 or f32

// NOTE: warning: sums over ranks done in bf16, {{.*}} up to 2^-8 of the sum of the parts' magnitudes: 1
// NOTE: warning: sums over ranks done in bf16, {{.*}}: 1
// NOTE: warning: sums over ranks kept in a wider type than bf16, {{.*}}: 4
// NOTE: warning: sums over ranks kept in a wider type than bf16, {{.*}}: 1

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
tp.mesh @mesh <"tp"=4>

// The sum goes into a residual stream of bf16, through f32 on the way.
// CHECK-LABEL: func.func @rounded
// CHECK: %[[N:.*]] = linalg.generic {{.*}} ins(%arg0 : tensor<4x8xf32>) outs({{.*}} : tensor<4x8xbf16>)
// CHECK: arith.truncf
// CHECK: %[[S:.*]] = comm.all_reduce sum %[[N]] over (tp) because "why" : tensor<4x8xbf16>
// CHECK: %[[W:.*]] = linalg.generic {{.*}} ins(%[[S]] : tensor<4x8xbf16>) outs({{.*}} : tensor<4x8xf32>)
// CHECK: arith.extf
// CHECK: arith.mulf %[[W]], %[[W]]
func.func @rounded(%p: tensor<4x8xf32>, %h: tensor<4x8xbf16>) -> tensor<4x8xbf16> {
  %s = comm.all_reduce sum %p over (tp) because "why" : tensor<4x8xf32>
  %m = arith.mulf %s, %s : tensor<4x8xf32>
  %e = tensor.empty() : tensor<4x8xbf16>
  %r = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%h, %m : tensor<4x8xbf16>, tensor<4x8xf32>) outs(%e : tensor<4x8xbf16>) {
  ^bb0(%a: bf16, %b: f32, %o: bf16):
    %0 = arith.extf %a : bf16 to f32
    %1 = arith.addf %0, %b : f32
    %2 = arith.truncf %1 : f32 to bf16
    linalg.yield %2 : bf16
  } -> tensor<4x8xbf16>
  return %r : tensor<4x8xbf16>
}

// CHECK-LABEL: func.func @scattered
// CHECK: comm.reduce_scatter sum %{{.*}} dim 0 over (tp) : tensor<8x8xbf16> -> tensor<2x8xbf16>
func.func @scattered(%p: tensor<8x8xf32>) -> tensor<1x8xbf16> {
  %s = comm.reduce_scatter sum %p dim 0 over (tp) : tensor<8x8xf32> -> tensor<2x8xf32>
  %0 = tensor.extract_slice %s[0, 0] [1, 8] [1, 1] : tensor<2x8xf32> to tensor<1x8xf32>
  %r = arith.truncf %0 : tensor<1x8xf32> to tensor<1x8xbf16>
  return %r : tensor<1x8xbf16>
}

// Returned, read by a reduction, read by both kinds, unused; and a maximum and integers,
// which are no sums of floats.
// CHECK-LABEL: func.func @kept
// CHECK-NOT: bf16>{{$}}
// CHECK-COUNT-4: comm.all_reduce sum %{{.*}} : tensor<4x8xf32>
// CHECK: comm.all_reduce max %{{.*}} : tensor<4x8xf32>
// CHECK: comm.all_reduce sum %{{.*}} : tensor<4x8xi64>
func.func @kept(%p: tensor<4x8xf32>, %q: tensor<4x8xf32>, %i: tensor<4x8xi64>, %z: tensor<4xf32>)
    -> (tensor<4x8xf32>, tensor<4xf32>, tensor<4x8xbf16>, tensor<4x8xbf16>, tensor<4x8xi64>) {
  %a = comm.all_reduce sum %p over (tp) : tensor<4x8xf32>
  %b = comm.all_reduce sum %p over (tp) : tensor<4x8xf32>
  %c = comm.all_reduce sum %q over (tp) : tensor<4x8xf32>
  %d = comm.all_reduce sum %q over (tp) : tensor<4x8xf32>
  %m = comm.all_reduce max %q over (tp) : tensor<4x8xf32>
  %n = comm.all_reduce sum %i over (tp) : tensor<4x8xi64>
  %bc = arith.addf %b, %c : tensor<4x8xf32>
  %r = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%bc : tensor<4x8xf32>) outs(%z : tensor<4xf32>) {
  ^bb0(%x: f32, %o: f32):
    %0 = arith.addf %o, %x : f32
    linalg.yield %0 : f32
  } -> tensor<4xf32>
  %cn = arith.truncf %c : tensor<4x8xf32> to tensor<4x8xbf16>
  %mn = arith.truncf %m : tensor<4x8xf32> to tensor<4x8xbf16>
  return %a, %r, %cn, %mn, %n : tensor<4x8xf32>, tensor<4xf32>, tensor<4x8xbf16>, tensor<4x8xbf16>, tensor<4x8xi64>
}

// Neither bf16 nor f16 has all values of the other one: the sum is not rounded to the narrow type anyway.
// CHECK-LABEL: func.func @to_f16
// CHECK: comm.all_reduce sum %{{.*}} : tensor<4x8xf32>
// F16-LABEL: func.func @to_f16
// F16: comm.all_reduce sum %{{.*}} : tensor<4x8xf16>
func.func @to_f16(%p: tensor<4x8xf32>) -> tensor<4x8xf16> {
  %s = comm.all_reduce sum %p over (tp) : tensor<4x8xf32>
  %r = arith.truncf %s : tensor<4x8xf32> to tensor<4x8xf16>
  return %r : tensor<4x8xf16>
}

// F32-LABEL: func.func @from_f64
// F32: comm.all_reduce sum %{{.*}} : tensor<4x8xf32>
func.func @from_f64(%p: tensor<4x8xf64>) -> tensor<4x8xf16> {
  %s = comm.all_reduce sum %p over (tp) : tensor<4x8xf64>
  %r = arith.truncf %s : tensor<4x8xf64> to tensor<4x8xf16>
  return %r : tensor<4x8xf16>
}
