// RUN: tp-opt %s --tp-fuse-kernel-calls | FileCheck %s
// RUN: tp-opt %s --tp-fuse-kernel-calls --tp-outline-device-kernels | FileCheck %s --check-prefix=OUTLINED

// The new key is rotated on its way into the cache; queries are rotated beside it.
// CHECK-LABEL: func.func @layer(
// CHECK-SAME: %[[Q:[^ ]*]]: memref<1x1x2x64xf32>, %[[K:[^ ]*]]: memref<1x1x2x64xf32>, %[[COS:[^ ]*]]: memref<1x1x32xf32>
// CHECK: scf.execute_region
// CHECK-NEXT: rt.kernel_call "rope"
// CHECK-NEXT: rt.kernel_call "cache_write" {{.*}}(%{{[^ ]*}}, %{{[^ ]*}}, %[[K]], %[[COS]], %[[COS]], %{{[^ ]*}}, %{{[^ ]*}}, %c1_i64, %c1_i64, %c2_i64, %c64_i64, %c32_i64,
// CHECK-NEXT: scf.yield
// CHECK-NOT: rt.kernel_call
// OUTLINED-LABEL: func.func @layer
// OUTLINED: rt.launch @rope_cache_write blocks 3 threads 256
// OUTLINED-NOT: rt.launch
// OUTLINED: return
// OUTLINED: func.func private @rope_cache_write
// OUTLINED: rt.kernel_call "rope"
// OUTLINED-NEXT: rt.kernel_call "cache_write"
func.func @layer(%q: memref<1x1x2x64xf32>, %k: memref<1x1x2x64xf32>, %cos: memref<1x1x32xf32>, %pos: memref<1xi64>, %cache: memref<1x2x8x64xf32>, %out: memref<1x1x2x64xf32>) attributes {rt.entry} {
  %dtype = arith.constant 1 : i32
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %2 = arith.constant 2 : i64
  %8 = arith.constant 8 : i64
  %32 = arith.constant 32 : i64
  %64 = arith.constant 64 : i64
  %rotated = memref.alloc() : memref<1x1x2x64xf32>
  rt.kernel_call "rope" blocks 3 threads 256 (%dtype, %dtype, %q, %cos, %cos, %out, %1, %1, %2, %64, %32) : i32, i32, memref<1x1x2x64xf32>, memref<1x1x32xf32>, memref<1x1x32xf32>, memref<1x1x2x64xf32>, i64, i64, i64, i64, i64
  rt.kernel_call "rope" blocks 1 threads 256 (%dtype, %dtype, %k, %cos, %cos, %rotated, %1, %1, %2, %64, %32) : i32, i32, memref<1x1x2x64xf32>, memref<1x1x32xf32>, memref<1x1x32xf32>, memref<1x1x2x64xf32>, i64, i64, i64, i64, i64
  rt.kernel_call "cache_write" blocks 1 threads 256 (%dtype, %dtype, %rotated, %rotated, %rotated, %pos, %cache, %1, %1, %2, %64, %0, %8, %0, %8) : i32, i32, memref<1x1x2x64xf32>, memref<1x1x2x64xf32>, memref<1x1x2x64xf32>, memref<1xi64>, memref<1x2x8x64xf32>, i64, i64, i64, i64, i64, i64, i64, i64
  return
}

// A product that the calls do not need stands between them.
// CHECK-LABEL: func.func @around_product
// CHECK-NOT: rt.kernel_call
// CHECK: rt.gemm
// CHECK-NEXT: scf.execute_region
// CHECK-NEXT: rt.kernel_call "rope"
// CHECK-NEXT: rt.kernel_call "rope"
// CHECK-NEXT: scf.yield
func.func @around_product(%q: memref<1x1x2x64xf32>, %k: memref<1x1x2x64xf32>, %cos: memref<1x1x32xf32>, %out: memref<1x1x2x64xf32>, %other: memref<1x1x2x64xf32>, %x: memref<1x64xf32>, %w: memref<64x64xf32>, %y: memref<1x64xf32>) attributes {rt.entry} {
  %dtype = arith.constant 1 : i32
  %1 = arith.constant 1 : i64
  %2 = arith.constant 2 : i64
  %64 = arith.constant 64 : i64
  %32 = arith.constant 32 : i64
  rt.kernel_call "rope" blocks 3 threads 256 (%dtype, %dtype, %q, %cos, %cos, %out, %1, %1, %2, %64, %32) : i32, i32, memref<1x1x2x64xf32>, memref<1x1x32xf32>, memref<1x1x32xf32>, memref<1x1x2x64xf32>, i64, i64, i64, i64, i64
  rt.gemm %x, %w, %y {k = 64 : i64, lda = 64 : i64, ldb = 64 : i64, ldc = 64 : i64, m = 1 : i64, n = 64 : i64, trans_b} : memref<1x64xf32>, memref<64x64xf32>, memref<1x64xf32>
  rt.kernel_call "rope" blocks 1 threads 256 (%dtype, %dtype, %k, %cos, %cos, %other, %1, %1, %2, %64, %32) : i32, i32, memref<1x1x2x64xf32>, memref<1x1x32xf32>, memref<1x1x32xf32>, memref<1x1x2x64xf32>, i64, i64, i64, i64, i64
  return
}

// What is rotated is used by another call, too, which needs it first.
// CHECK-LABEL: func.func @needed_twice
// CHECK-NOT: scf.execute_region
// CHECK: rt.kernel_call "rope"
// CHECK: rt.kernel_call "rope"
// CHECK-NOT: rt.kernel_call
func.func @needed_twice(%q: memref<1x1x2x64xf32>, %cos: memref<1x1x32xf32>, %out: memref<1x1x2x64xf32>) attributes {rt.entry} {
  %dtype = arith.constant 1 : i32
  %1 = arith.constant 1 : i64
  %2 = arith.constant 2 : i64
  %32 = arith.constant 32 : i64
  %64 = arith.constant 64 : i64
  %rotated = memref.alloc() : memref<1x1x2x64xf32>
  rt.kernel_call "rope" blocks 1 threads 256 (%dtype, %dtype, %q, %cos, %cos, %rotated, %1, %1, %2, %64, %32) : i32, i32, memref<1x1x2x64xf32>, memref<1x1x32xf32>, memref<1x1x32xf32>, memref<1x1x2x64xf32>, i64, i64, i64, i64, i64
  rt.kernel_call "rope" blocks 1 threads 256 (%dtype, %dtype, %rotated, %cos, %cos, %out, %1, %1, %2, %64, %32) : i32, i32, memref<1x1x2x64xf32>, memref<1x1x32xf32>, memref<1x1x32xf32>, memref<1x1x2x64xf32>, i64, i64, i64, i64, i64
  return
}

// The key changes before it is written: it is rotated before.
// CHECK-LABEL: func.func @changed_between
// CHECK: rt.kernel_call "rope"
// CHECK: memref.store
// CHECK: rt.kernel_call "cache_write" {{.*}}(%{{[^ ]*}}, %{{[^ ]*}}, %[[ROTATED:[^ ]*]], %[[ROTATED]], %[[ROTATED]],
func.func @changed_between(%k: memref<1x1x2x64xf32>, %cos: memref<1x1x32xf32>, %pos: memref<1xi64>, %cache: memref<1x2x8x64xf32>, %x: f32) attributes {rt.entry} {
  %dtype = arith.constant 1 : i32
  %i = arith.constant 0 : index
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %2 = arith.constant 2 : i64
  %8 = arith.constant 8 : i64
  %32 = arith.constant 32 : i64
  %64 = arith.constant 64 : i64
  %rotated = memref.alloc() : memref<1x1x2x64xf32>
  rt.kernel_call "rope" blocks 1 threads 256 (%dtype, %dtype, %k, %cos, %cos, %rotated, %1, %1, %2, %64, %32) : i32, i32, memref<1x1x2x64xf32>, memref<1x1x32xf32>, memref<1x1x32xf32>, memref<1x1x2x64xf32>, i64, i64, i64, i64, i64
  memref.store %x, %k[%i, %i, %i, %i] : memref<1x1x2x64xf32>
  rt.kernel_call "cache_write" blocks 1 threads 256 (%dtype, %dtype, %rotated, %rotated, %rotated, %pos, %cache, %1, %1, %2, %64, %0, %8, %0, %8) : i32, i32, memref<1x1x2x64xf32>, memref<1x1x2x64xf32>, memref<1x1x2x64xf32>, memref<1xi64>, memref<1x2x8x64xf32>, i64, i64, i64, i64, i64, i64, i64, i64
  return
}
