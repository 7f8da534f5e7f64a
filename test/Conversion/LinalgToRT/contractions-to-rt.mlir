// RUN: tp-opt %s --tp-convert-contractions-to-rt=min-multiplications=1 | FileCheck %s
// RUN: tp-opt %s --tp-convert-contractions-to-rt | FileCheck %s --check-prefix=SMALL

// SMALL-NOT: rt.gemm

// CHECK-LABEL: func @filled
func.func @filled(%a: memref<4x6xf32>, %b: memref<6x8xf32>, %c: memref<4x8xf32>, %d: memref<4x8xf32>) {
  %zero = arith.constant 0.0 : f32
  // CHECK-NOT: linalg.fill
  linalg.fill ins(%zero : f32) outs(%c : memref<4x8xf32>)
  // What uses other buffers may lie in between.
  linalg.exp ins(%d : memref<4x8xf32>) outs(%d : memref<4x8xf32>)
  // CHECK: rt.gemm %arg0, %arg1, %arg2 {k = 6 : i64, lda = 6 : i64, ldb = 8 : i64, ldc = 8 : i64, m = 4 : i64, n = 8 : i64}
  linalg.matmul ins(%a, %b : memref<4x6xf32>, memref<6x8xf32>) outs(%c : memref<4x8xf32>)
  return
}

// CHECK-LABEL: func @accumulated
func.func @accumulated(%a: memref<4x6xf32>, %b: memref<6x8xf32>, %c: memref<4x8xf32>) {
  %one = arith.constant 1.0 : f32
  // CHECK: linalg.fill
  linalg.fill ins(%one : f32) outs(%c : memref<4x8xf32>)
  // CHECK: rt.gemm {{.*}} {accumulate, k = 6
  linalg.matmul ins(%a, %b : memref<4x6xf32>, memref<6x8xf32>) outs(%c : memref<4x8xf32>)
  return
}

// A use of the buffer between the fill and the product keeps both.
// CHECK-LABEL: func @used_between
func.func @used_between(%a: memref<4x6xf32>, %b: memref<6x8xf32>, %c: memref<4x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %row = memref.subview %c[0, 0] [1, 8] [1, 1] : memref<4x8xf32> to memref<1x8xf32, strided<[8, 1]>>
  // CHECK: linalg.fill
  linalg.fill ins(%zero : f32) outs(%c : memref<4x8xf32>)
  linalg.exp ins(%row : memref<1x8xf32, strided<[8, 1]>>) outs(%row : memref<1x8xf32, strided<[8, 1]>>)
  // CHECK: rt.gemm {{.*}} {accumulate
  linalg.matmul ins(%a, %b : memref<4x6xf32>, memref<6x8xf32>) outs(%c : memref<4x8xf32>)
  return
}

#mk = affine_map<(m, n, k) -> (m, k)>
#km = affine_map<(m, n, k) -> (k, m)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>
#nm = affine_map<(m, n, k) -> (n, m)>
// CHECK-LABEL: func @transposed
func.func @transposed(%a: memref<6x4xf32>, %b: memref<8x6xf32>, %c: memref<4x8xf32>, %d: memref<8x4xf32>) {
  // CHECK: rt.gemm %arg0, %arg1, %arg2 {accumulate, k = 6 : i64, lda = 4 : i64, ldb = 6 : i64, ldc = 8 : i64, m = 4 : i64, n = 8 : i64, trans_a, trans_b}
  linalg.contract indexing_maps = [#km, #nk, #mn] ins(%a, %b : memref<6x4xf32>, memref<8x6xf32>) outs(%c : memref<4x8xf32>)
  // A result by columns: the operands change places.
  // CHECK: rt.gemm %arg1, %arg0, %arg3 {accumulate, k = 6 : i64, lda = 6 : i64, ldb = 4 : i64, ldc = 4 : i64, m = 8 : i64, n = 4 : i64}
  linalg.contract indexing_maps = [#km, #nk, #nm] ins(%a, %b : memref<6x4xf32>, memref<8x6xf32>) outs(%d : memref<8x4xf32>)
  return
}

// Weights of several dimensions; heads first in the result are a batch.
#x = affine_map<(s, h, d, e) -> (s, e)>
#w = affine_map<(s, h, d, e) -> (h, d, e)>
#y = affine_map<(s, h, d, e) -> (s, h, d)>
#t = affine_map<(s, h, d, e) -> (h, s, d)>
// CHECK-LABEL: func @heads
func.func @heads(%x: memref<5x16xf32>, %w: memref<3x8x16xf32>, %y: memref<5x3x8xf32>, %t: memref<3x5x8xf32>) {
  // CHECK: rt.gemm %arg0, %arg1, %arg2 {accumulate, k = 16 : i64, lda = 16 : i64, ldb = 16 : i64, ldc = 24 : i64, m = 5 : i64, n = 24 : i64, trans_b}
  linalg.contract indexing_maps = [#x, #w, #y] ins(%x, %w : memref<5x16xf32>, memref<3x8x16xf32>) outs(%y : memref<5x3x8xf32>)
  // CHECK: rt.gemm %arg0, %arg1, %arg3 {accumulate, batch = 3 : i64, k = 16 : i64, lda = 16 : i64, ldb = 16 : i64, ldc = 8 : i64, m = 5 : i64, n = 8 : i64, stride_b = 128 : i64, stride_c = 40 : i64, trans_b}
  linalg.contract indexing_maps = [#x, #w, #t] ins(%x, %w : memref<5x16xf32>, memref<3x8x16xf32>) outs(%t : memref<3x5x8xf32>)
  return
}

// CHECK-LABEL: func @batch
func.func @batch(%a: memref<2x4x6xbf16>, %b: memref<2x6x8xbf16>, %c: memref<2x4x8xf32, strided<[64, 16, 1], offset: 3>>) {
  // CHECK: rt.gemm {{.*}} {accumulate, batch = 2 : i64, k = 6 : i64, lda = 6 : i64, ldb = 8 : i64, ldc = 16 : i64, m = 4 : i64, n = 8 : i64, stride_a = 24 : i64, stride_b = 48 : i64, stride_c = 64 : i64}
  linalg.batch_matmul ins(%a, %b : memref<2x4x6xbf16>, memref<2x6x8xbf16>)
    outs(%c : memref<2x4x8xf32, strided<[64, 16, 1], offset: 3>>)
  return
}

// A vector is a matrix of one row.
// CHECK-LABEL: func @vector
func.func @vector(%a: memref<4x6xf32>, %x: memref<6xf32>, %y: memref<4xf32>) {
  // CHECK: rt.gemm {{.*}} {accumulate, k = 6 : i64, {{.*}} m = 4 : i64, n = 1 : i64
  linalg.matvec ins(%a, %x : memref<4x6xf32>, memref<6xf32>) outs(%y : memref<4xf32>)
  return
}

// Not products of matrices: integers, a body that is none, columns apart.
// CHECK-LABEL: func @others
// CHECK-NOT: rt.gemm
func.func @others(%a: memref<4x6xi32>, %b: memref<6x8xi32>, %c: memref<4x8xi32>,
                  %x: memref<4x6xf32>, %y: memref<6x8xf32>, %z: memref<4x8xf32>,
                  %s: memref<6x8xf32, strided<[32, 2]>>) {
  linalg.matmul ins(%a, %b : memref<4x6xi32>, memref<6x8xi32>) outs(%c : memref<4x8xi32>)
  linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, #mn],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %y : memref<4x6xf32>, memref<6x8xf32>) outs(%z : memref<4x8xf32>) {
  ^bb0(%p: f32, %q: f32, %r: f32):
    %0 = arith.mulf %p, %q : f32
    %1 = arith.maximumf %r, %0 : f32
    linalg.yield %1 : f32
  }
  linalg.matmul ins(%x, %s : memref<4x6xf32>, memref<6x8xf32, strided<[32, 2]>>) outs(%z : memref<4x8xf32>)
  return
}
