// RUN: tp-opt %s --tp-fuse-gemm-epilogues | FileCheck %s

#same = affine_map<(i, j) -> (i, j)>
#column = affine_map<(i, j) -> (j)>
#row = affine_map<(i, j) -> (i)>

// One rounding, of the result: the product has its type.
// CHECK-LABEL: func @rounded
func.func @rounded(%a: memref<4x6xbf16>, %b: memref<6x8xbf16>, %d: memref<4x8xbf16>) {
  %t = memref.alloc() : memref<4x8xf32>
  // CHECK: rt.gemm %arg0, %arg1, %arg2 {k = 6 : i64, lda = 6 : i64, ldb = 8 : i64, ldc = 8 : i64, m = 4 : i64, n = 8 : i64}
  // CHECK-NOT: linalg
  rt.gemm %a, %b, %t {m = 4, n = 8, k = 6, lda = 6, ldb = 8, ldc = 8} : memref<4x6xbf16>, memref<6x8xbf16>, memref<4x8xf32>
  linalg.generic {indexing_maps = [#same, #same], iterator_types = ["parallel", "parallel"]} ins(%t : memref<4x8xf32>) outs(%d : memref<4x8xbf16>) {
  ^bb0(%x: f32, %out: bf16):
    %0 = arith.truncf %x : f32 to bf16
    linalg.yield %0 : bf16
  }
  return
}

// CHECK-LABEL: func @bias_gelu
func.func @bias_gelu(%a: memref<4x6xbf16>, %b: memref<6x8xbf16>, %bias: memref<8xbf16>, %d: memref<4x8xbf16>) {
  %t = memref.alloc() : memref<4x8xf32>
  // CHECK: rt.gemm_fused gelu_tanh %arg0, %arg1, %arg3 bias %arg2 {k = 6 : i64, lda = 6 : i64, ldb = 8 : i64, ldd = 8 : i64, m = 4 : i64, n = 8 : i64} : memref<4x6xbf16>, memref<6x8xbf16>, memref<4x8xbf16> bias memref<8xbf16>
  // CHECK-NOT: linalg
  rt.gemm %a, %b, %t {m = 4, n = 8, k = 6, lda = 6, ldb = 8, ldc = 8} : memref<4x6xbf16>, memref<6x8xbf16>, memref<4x8xf32>
  linalg.generic {indexing_maps = [#same, #column, #same], iterator_types = ["parallel", "parallel"]} ins(%t, %bias : memref<4x8xf32>, memref<8xbf16>) outs(%d : memref<4x8xbf16>) {
  ^bb0(%p: f32, %q: bf16, %out: bf16):
    %half = arith.constant 0.5 : f32
    %one = arith.constant 1.0 : f32
    %cubic = arith.constant 0.044715 : f32
    %scale = arith.constant 0.7978845608 : f32
    %wide = arith.extf %q : bf16 to f32
    %x = arith.addf %p, %wide : f32
    %0 = arith.mulf %x, %x : f32
    %1 = arith.mulf %0, %x : f32
    %2 = arith.mulf %1, %cubic : f32
    %3 = arith.addf %x, %2 : f32
    %4 = arith.mulf %3, %scale : f32
    %5 = math.tanh %4 : f32
    %6 = arith.addf %5, %one : f32
    %7 = arith.mulf %6, %half : f32
    %8 = arith.mulf %x, %7 : f32
    %9 = arith.truncf %8 : f32 to bf16
    linalg.yield %9 : bf16
  }
  return
}

// The same function with the factors elsewhere, and in bf16, which is rounded once.
// CHECK-LABEL: func @narrow_gelu
func.func @narrow_gelu(%a: memref<4x6xbf16>, %b: memref<6x8xbf16>, %d: memref<4x8xbf16>) {
  %t = memref.alloc() : memref<4x8xbf16>
  // CHECK: rt.gemm_fused gelu_tanh %arg0, %arg1, %arg2 {
  // CHECK-NOT: linalg
  rt.gemm %a, %b, %t {m = 4, n = 8, k = 6, lda = 6, ldb = 8, ldc = 8} : memref<4x6xbf16>, memref<6x8xbf16>, memref<4x8xbf16>
  linalg.generic {indexing_maps = [#same, #same], iterator_types = ["parallel", "parallel"]} ins(%t : memref<4x8xbf16>) outs(%d : memref<4x8xbf16>) {
  ^bb0(%x: bf16, %out: bf16):
    %half = arith.constant 0.5 : bf16
    %one = arith.constant 1.0 : bf16
    %cubic = arith.constant 0.044715 : bf16
    %scale = arith.constant 0.7978845608 : bf16
    %0 = arith.mulf %x, %x : bf16
    %1 = arith.mulf %0, %cubic : bf16
    %2 = arith.addf %1, %one : bf16
    %3 = arith.mulf %x, %scale : bf16
    %4 = arith.mulf %3, %2 : bf16
    %5 = math.tanh %4 : bf16
    %6 = arith.addf %5, %one : bf16
    %7 = arith.mulf %x, %half : bf16
    %8 = arith.mulf %7, %6 : bf16
    linalg.yield %8 : bf16
  }
  return
}

// A matrix, a bias and relu; the matrix is the result's own memory.
// CHECK-LABEL: func @relu
func.func @relu(%a: memref<4x6xf32>, %b: memref<6x8xf32>, %bias: memref<8xf32>, %d: memref<4x8xf32>) {
  %t = memref.alloc() : memref<4x8xf32>
  // CHECK: rt.gemm_fused relu %arg0, %arg1, %arg3 plus %arg3 bias %arg2 {k = 6 : i64, lda = 6 : i64, ldb = 8 : i64, ldc = 8 : i64, ldd = 8 : i64, m = 4 : i64, n = 8 : i64}
  // CHECK-NOT: linalg
  rt.gemm %a, %b, %t {m = 4, n = 8, k = 6, lda = 6, ldb = 8, ldc = 8} : memref<4x6xf32>, memref<6x8xf32>, memref<4x8xf32>
  linalg.generic {indexing_maps = [#same, #column, #same], iterator_types = ["parallel", "parallel"]} ins(%t, %bias : memref<4x8xf32>, memref<8xf32>) outs(%d : memref<4x8xf32>) {
  ^bb0(%p: f32, %q: f32, %r: f32):
    %zero = arith.constant 0.0 : f32
    %0 = arith.addf %r, %p : f32
    %1 = arith.addf %0, %q : f32
    %2 = arith.maximumf %1, %zero : f32
    linalg.yield %2 : f32
  }
  return
}

// Rows of several dimensions, heads first in the product and rows first in the result; the bias is per head.
#hsd = affine_map<(s, h, d) -> (h, s, d)>
#shd = affine_map<(s, h, d) -> (s, h, d)>
#hd = affine_map<(s, h, d) -> (h, d)>
// CHECK-LABEL: func @heads
func.func @heads(%a: memref<5x6xf32>, %b: memref<3x6x4xf32>, %bias: memref<3x4xf32>, %d: memref<5x3x4xf32>) {
  %t = memref.alloc() : memref<3x5x4xf32>
  // CHECK: rt.gemm_fused none %arg0, %arg1, %arg3 bias %arg2 {batch = 3 : i64, k = 6 : i64, lda = 6 : i64, ldb = 4 : i64, ldd = 12 : i64, m = 5 : i64, n = 4 : i64, stride_b = 24 : i64, stride_bias = 4 : i64, stride_d = 4 : i64}
  // CHECK-NOT: linalg
  rt.gemm %a, %b, %t {m = 5, n = 4, k = 6, lda = 6, ldb = 4, ldc = 4, batch = 3, stride_b = 24, stride_c = 20} : memref<5x6xf32>, memref<3x6x4xf32>, memref<3x5x4xf32>
  linalg.generic {indexing_maps = [#hsd, #hd, #shd], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t, %bias : memref<3x5x4xf32>, memref<3x4xf32>) outs(%d : memref<5x3x4xf32>) {
  ^bb0(%p: f32, %q: f32, %out: f32):
    %0 = arith.addf %p, %q : f32
    linalg.yield %0 : f32
  }
  return
}

// What is read in between may be, what is written not.
// CHECK-LABEL: func @between
func.func @between(%a: memref<4x6xf32>, %b: memref<6x8xf32>, %c: memref<4x8xf32>, %d: memref<4x8xf32>, %e: memref<4x6xf32>) {
  %t = memref.alloc() : memref<4x8xf32>
  rt.gemm %a, %b, %t {m = 4, n = 8, k = 6, lda = 6, ldb = 8, ldc = 8} : memref<4x6xf32>, memref<6x8xf32>, memref<4x8xf32>
  // CHECK: linalg.exp
  // CHECK-NEXT: rt.gemm_fused none %arg0, %arg1, %arg3 plus %arg2
  // CHECK-NOT: linalg.add
  linalg.exp ins(%a : memref<4x6xf32>) outs(%e : memref<4x6xf32>)
  linalg.add ins(%t, %c : memref<4x8xf32>, memref<4x8xf32>) outs(%d : memref<4x8xf32>)
  // CHECK: rt.gemm %
  // CHECK: linalg.exp
  // CHECK: linalg.add
  %u = memref.alloc() : memref<4x8xf32>
  rt.gemm %a, %b, %u {m = 4, n = 8, k = 6, lda = 6, ldb = 8, ldc = 8} : memref<4x6xf32>, memref<6x8xf32>, memref<4x8xf32>
  linalg.exp ins(%e : memref<4x6xf32>) outs(%a : memref<4x6xf32>)
  linalg.add ins(%u, %c : memref<4x8xf32>, memref<4x8xf32>) outs(%d : memref<4x8xf32>)
  return
}

// Two readers, a bias along rows, one that is not at 16 bytes, a result over a factor, over part of the matrix.
// CHECK-LABEL: func @others
// CHECK-NOT: rt.gemm_fused
func.func @others(%a: memref<8x8xf32>, %b: memref<8x8xf32>, %c: memref<8x8xf32>, %v: memref<16xf32>, %long: memref<80xf32>,
                  %d: memref<8x8xf32>, %e: memref<8x8xf32>) {
  %two = memref.alloc() : memref<8x8xf32>
  rt.gemm %a, %b, %two {m = 8, n = 8, k = 8, lda = 8, ldb = 8, ldc = 8} : memref<8x8xf32>, memref<8x8xf32>, memref<8x8xf32>
  linalg.add ins(%two, %c : memref<8x8xf32>, memref<8x8xf32>) outs(%d : memref<8x8xf32>)
  linalg.exp ins(%two : memref<8x8xf32>) outs(%e : memref<8x8xf32>)

  %rows = memref.alloc() : memref<8x8xf32>
  rt.gemm %a, %b, %rows {m = 8, n = 8, k = 8, lda = 8, ldb = 8, ldc = 8} : memref<8x8xf32>, memref<8x8xf32>, memref<8x8xf32>
  %w = memref.subview %v[0] [8] [1] : memref<16xf32> to memref<8xf32, strided<[1]>>
  linalg.generic {indexing_maps = [#same, #row, #same], iterator_types = ["parallel", "parallel"]} ins(%rows, %w : memref<8x8xf32>, memref<8xf32, strided<[1]>>) outs(%d : memref<8x8xf32>) {
  ^bb0(%p: f32, %q: f32, %out: f32):
    %0 = arith.addf %p, %q : f32
    linalg.yield %0 : f32
  }

  %offset = memref.alloc() : memref<8x8xf32>
  rt.gemm %a, %b, %offset {m = 8, n = 8, k = 8, lda = 8, ldb = 8, ldc = 8} : memref<8x8xf32>, memref<8x8xf32>, memref<8x8xf32>
  %o = memref.subview %v[3] [8] [1] : memref<16xf32> to memref<8xf32, strided<[1], offset: 3>>
  linalg.generic {indexing_maps = [#same, #column, #same], iterator_types = ["parallel", "parallel"]} ins(%offset, %o : memref<8x8xf32>, memref<8xf32, strided<[1], offset: 3>>) outs(%d : memref<8x8xf32>) {
  ^bb0(%p: f32, %q: f32, %out: f32):
    %0 = arith.addf %p, %q : f32
    linalg.yield %0 : f32
  }

  %over = memref.alloc() : memref<8x8xf32>
  rt.gemm %a, %b, %over {m = 8, n = 8, k = 8, lda = 8, ldb = 8, ldc = 8} : memref<8x8xf32>, memref<8x8xf32>, memref<8x8xf32>
  linalg.add ins(%over, %c : memref<8x8xf32>, memref<8x8xf32>) outs(%a : memref<8x8xf32>)

  %part = memref.alloc() : memref<8x8xf32>
  rt.gemm %a, %b, %part {m = 8, n = 8, k = 8, lda = 8, ldb = 8, ldc = 8} : memref<8x8xf32>, memref<8x8xf32>, memref<8x8xf32>
  %low = memref.reinterpret_cast %long to offset: [0], sizes: [8, 8], strides: [8, 1] : memref<80xf32> to memref<8x8xf32, strided<[8, 1]>>
  %high = memref.reinterpret_cast %long to offset: [8], sizes: [8, 8], strides: [8, 1] : memref<80xf32> to memref<8x8xf32, strided<[8, 1], offset: 8>>
  linalg.add ins(%part, %low : memref<8x8xf32>, memref<8x8xf32, strided<[8, 1]>>) outs(%high : memref<8x8xf32, strided<[8, 1], offset: 8>>)
  return
}

// Bodies: what is added behind the activation, gelu by erf and almost gelu, roundings to another type, a bias of another.
// CHECK-LABEL: func @bodies
// CHECK-NOT: rt.gemm_fused
func.func @bodies(%a: memref<4x6xf32>, %b: memref<6x8xf32>, %c: memref<4x8xf32>, %d: memref<4x8xf32>,
                  %narrow: memref<4x8xbf16>, %x: memref<4x6xbf16>, %y: memref<6x8xbf16>) {
  %behind = memref.alloc() : memref<4x8xf32>
  rt.gemm %a, %b, %behind {m = 4, n = 8, k = 6, lda = 6, ldb = 8, ldc = 8} : memref<4x6xf32>, memref<6x8xf32>, memref<4x8xf32>
  linalg.generic {indexing_maps = [#same, #same, #same], iterator_types = ["parallel", "parallel"]} ins(%behind, %c : memref<4x8xf32>, memref<4x8xf32>) outs(%d : memref<4x8xf32>) {
  ^bb0(%p: f32, %q: f32, %out: f32):
    %zero = arith.constant 0.0 : f32
    %0 = arith.maximumf %p, %zero : f32
    %1 = arith.addf %0, %q : f32
    linalg.yield %1 : f32
  }

  %exact = memref.alloc() : memref<4x8xf32>
  rt.gemm %a, %b, %exact {m = 4, n = 8, k = 6, lda = 6, ldb = 8, ldc = 8} : memref<4x6xf32>, memref<6x8xf32>, memref<4x8xf32>
  linalg.generic {indexing_maps = [#same, #same], iterator_types = ["parallel", "parallel"]} ins(%exact : memref<4x8xf32>) outs(%d : memref<4x8xf32>) {
  ^bb0(%p: f32, %out: f32):
    %half = arith.constant 0.5 : f32
    %one = arith.constant 1.0 : f32
    %root = arith.constant 0.70710678 : f32
    %0 = arith.mulf %p, %root : f32
    %1 = math.erf %0 : f32
    %2 = arith.addf %1, %one : f32
    %3 = arith.mulf %p, %half : f32
    %4 = arith.mulf %3, %2 : f32
    linalg.yield %4 : f32
  }

  %almost = memref.alloc() : memref<4x8xf32>
  rt.gemm %a, %b, %almost {m = 4, n = 8, k = 6, lda = 6, ldb = 8, ldc = 8} : memref<4x6xf32>, memref<6x8xf32>, memref<4x8xf32>
  linalg.generic {indexing_maps = [#same, #same], iterator_types = ["parallel", "parallel"]} ins(%almost : memref<4x8xf32>) outs(%d : memref<4x8xf32>) {
  ^bb0(%p: f32, %out: f32):
    %half = arith.constant 0.5 : f32
    %one = arith.constant 1.0 : f32
    %scale = arith.constant 0.7978845608 : f32
    %0 = arith.mulf %p, %scale : f32
    %1 = math.tanh %0 : f32
    %2 = arith.addf %1, %one : f32
    %3 = arith.mulf %p, %half : f32
    %4 = arith.mulf %3, %2 : f32
    linalg.yield %4 : f32
  }

  %rounded = memref.alloc() : memref<4x8xf32>
  rt.gemm %a, %b, %rounded {m = 4, n = 8, k = 6, lda = 6, ldb = 8, ldc = 8} : memref<4x6xf32>, memref<6x8xf32>, memref<4x8xf32>
  linalg.generic {indexing_maps = [#same, #same, #same], iterator_types = ["parallel", "parallel"]} ins(%rounded, %c : memref<4x8xf32>, memref<4x8xf32>) outs(%d : memref<4x8xf32>) {
  ^bb0(%p: f32, %q: f32, %out: f32):
    %0 = arith.truncf %p : f32 to bf16
    %1 = arith.extf %0 : bf16 to f32
    %2 = arith.addf %1, %q : f32
    linalg.yield %2 : f32
  }

  %type = memref.alloc() : memref<4x8xf32>
  rt.gemm %x, %y, %type {m = 4, n = 8, k = 6, lda = 6, ldb = 8, ldc = 8} : memref<4x6xbf16>, memref<6x8xbf16>, memref<4x8xf32>
  linalg.generic {indexing_maps = [#same, #same, #same], iterator_types = ["parallel", "parallel"]} ins(%type, %narrow : memref<4x8xf32>, memref<4x8xbf16>) outs(%d : memref<4x8xf32>) {
  ^bb0(%p: f32, %q: bf16, %out: f32):
    %0 = arith.extf %q : bf16 to f32
    %1 = arith.addf %p, %0 : f32
    linalg.yield %1 : f32
  }
  return
}
