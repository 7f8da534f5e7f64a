// RUN: tp-opt %s --tp-convert-to-kernels --split-input-file | FileCheck %s
// RUN: tp-opt %s --tp-convert-to-kernels=vector-bits=256 --split-input-file | FileCheck %s --check-prefix=NARROW
// RUN: tp-opt %s --tp-convert-to-kernels=bf16-dot --split-input-file | FileCheck %s --check-prefix=PAIRS

#a = affine_map<(b, s, c, k, h) -> (b, s, c)>
#w = affine_map<(b, s, c, k, h) -> (k, h, c)>
#y = affine_map<(b, s, c, k, h) -> (b, s, k, h)>

// Weights of several dimensions are a matrix; the zero fill goes into the kernel.
// CHECK-LABEL: func.func @heads
// CHECK-SAME: (%[[X:.*]]: memref<1x1x40xf32>, %[[W:.*]]: memref<3x6x40xf32>, %[[C:.*]]: memref<1x1x3x6xf32>)
func.func @heads(%x: memref<1x1x40xf32>, %w: memref<3x6x40xf32>, %c: memref<1x1x3x6xf32>) {
  // CHECK-NOT: linalg
  // CHECK: rt.parallel_for @tp_matvec_1x40_f32_18_f32_f32 range 5 grain 5 (
  // CHECK-SAME: memref<1x40xf32>, memref<18x40xf32>, memref<1x18xf32>
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<1x1x3x6xf32>)
  linalg.contract indexing_maps = [#a, #w, #y] ins(%x, %w : memref<1x1x40xf32>, memref<3x6x40xf32>) outs(%c : memref<1x1x3x6xf32>)
  return
}

// Four rows of weights at a time, one of each quarter of the chunk, and two sums
// each; the 8 columns left over, then the two rows left over.
// CHECK: func.func private @tp_matvec_1x40_f32_18_f32_f32(%[[BEGIN:.*]]: index, %[[END:.*]]: index, {{.*}}) attributes {rt.kernel}
// CHECK: %[[FIRST:.*]] = arith.muli %[[BEGIN]], %{{.*}}
// CHECK: %[[PART:.*]] = arith.subi %{{.*}}, %[[BEGIN]]
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %[[PART]]
// CHECK: %[[ROW0:.*]] = arith.addi %[[FIRST]], %[[I]]
// CHECK: %[[ROW1:.*]] = arith.addi %[[ROW0]], %[[PART]]
// CHECK: scf.for {{.*}} -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>)
// CHECK: vector.load {{.*}} vector<8xf32>
// CHECK: scf.if
// NARROW: scf.for {{.*}} -> (vector<8xf32>,

// -----

#a = affine_map<(m, n, k) -> (m, k)>
#w = affine_map<(m, n, k) -> (n, k)>
#y = affine_map<(m, n, k) -> (m, n)>

// The old value of the result counts: no fill, or one that something else reads.
// CHECK-LABEL: func.func @accumulate
func.func @accumulate(%x: memref<2x8xf32>, %w: memref<12x8xf32>, %c: memref<2x12xf32>, %d: memref<2x12xf32>, %copy: memref<2x12xf32>) {
  // CHECK: rt.parallel_for @tp_matvec_2x8_f32_12_f32_f32_add
  linalg.contract indexing_maps = [#a, #w, #y] ins(%x, %w : memref<2x8xf32>, memref<12x8xf32>) outs(%c : memref<2x12xf32>)
  // CHECK: linalg.fill
  // CHECK: memref.copy
  // CHECK: rt.parallel_for @tp_matvec_2x8_f32_12_f32_f32_add
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%d : memref<2x12xf32>)
  memref.copy %d, %copy : memref<2x12xf32> to memref<2x12xf32>
  linalg.contract indexing_maps = [#a, #w, #y] ins(%x, %w : memref<2x8xf32>, memref<12x8xf32>) outs(%d : memref<2x12xf32>)
  return
}

// CHECK-LABEL: func.func @weights_first
func.func @weights_first(%w: memref<12x8xbf16>, %x: memref<8xf32>, %c: memref<12xf32>) {
  // CHECK: rt.parallel_for @tp_matvec_1x8_f32_12_bf16_f32_add {{.*}} : memref<1x8xf32>, memref<12x8xbf16>, memref<1x12xf32>
  linalg.contract indexing_maps = [affine_map<(n, k) -> (n, k)>, affine_map<(n, k) -> (k)>, affine_map<(n, k) -> (n)>]
    ins(%w, %x : memref<12x8xbf16>, memref<8xf32>) outs(%c : memref<12xf32>)
  return
}

// Many rows, rows of weights that are not contiguous, batches, other bodies.
// CHECK-LABEL: func.func @not_here
func.func @not_here(%x: memref<5x8xf32>, %x1: memref<1x8xf32>, %w: memref<12x8xf32>, %wt: memref<8x12xf32>, %c: memref<5x12xf32>, %c1: memref<1x12xf32>,
                    %u: memref<12x8xf32, strided<[16, 1]>>, %bx: memref<2x1x8xf32>, %bw: memref<2x12x8xf32>, %bc: memref<2x1x12xf32>) {
  // CHECK-NOT: rt.parallel_for
  // CHECK: return
  linalg.contract indexing_maps = [#a, #w, #y] ins(%x, %w : memref<5x8xf32>, memref<12x8xf32>) outs(%c : memref<5x12xf32>)
  linalg.matmul ins(%x1, %wt : memref<1x8xf32>, memref<8x12xf32>) outs(%c1 : memref<1x12xf32>)
  linalg.contract indexing_maps = [#a, #w, #y] ins(%x1, %u : memref<1x8xf32>, memref<12x8xf32, strided<[16, 1]>>) outs(%c1 : memref<1x12xf32>)
  linalg.contract indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, n, k)>, affine_map<(b, m, n, k) -> (b, m, n)>]
    ins(%bx, %bw : memref<2x1x8xf32>, memref<2x12x8xf32>) outs(%bc : memref<2x1x12xf32>)
  linalg.generic {indexing_maps = [#a, #w, #y], iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%x1, %w : memref<1x8xf32>, memref<12x8xf32>) outs(%c1 : memref<1x12xf32>) {
  ^bb0(%p: f32, %q: f32, %s: f32):
    %0 = arith.mulf %p, %q : f32
    %1 = arith.subf %s, %0 : f32
    linalg.yield %1 : f32
  }
  return
}

// -----

#a = affine_map<(m, n, k) -> (m, k)>
#w = affine_map<(m, n, k) -> (n, k)>
#y = affine_map<(m, n, k) -> (m, n)>

// Neighbours that read the same rows are one call, with their own fills.
// CHECK-LABEL: func.func @together
func.func @together(%x: memref<1x8xf32>, %w1: memref<12x8xf32>, %w2: memref<6x8xbf16>, %c1: memref<1x12xf32>) -> memref<1x6xf32> {
  // CHECK-NOT: linalg
  // CHECK: rt.parallel_for @[[KERNEL:tp_matvec_1x8_f32_12_f32_f32_6_bf16_f32]] range 5 grain 5 (%arg0, %arg1, %arg3, %arg2, %{{.*}})
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c1 : memref<1x12xf32>)
  linalg.contract indexing_maps = [#a, #w, #y] ins(%x, %w1 : memref<1x8xf32>, memref<12x8xf32>) outs(%c1 : memref<1x12xf32>)
  %c2 = memref.alloc() : memref<1x6xf32>
  linalg.fill ins(%zero : f32) outs(%c2 : memref<1x6xf32>)
  linalg.contract indexing_maps = [#a, #w, #y] ins(%x, %w2 : memref<1x8xf32>, memref<6x8xbf16>) outs(%c2 : memref<1x6xf32>)
  return %c2 : memref<1x6xf32>
}

// A result that the next product, or an op in between, reads: two calls.
// CHECK-LABEL: func.func @apart
func.func @apart(%x: memref<1x8xf32>, %w1: memref<8x8xf32>, %w2: memref<6x8xf32>, %c1: memref<1x8xf32>, %c2: memref<1x6xf32>, %copy: memref<1x8xf32>) {
  // CHECK: rt.parallel_for @tp_matvec_1x8_f32_8_f32_f32_add
  // CHECK: rt.parallel_for @tp_matvec_1x8_f32_6_f32_f32_add
  // CHECK: rt.parallel_for @tp_matvec_1x8_f32_8_f32_f32_add
  // CHECK: memref.copy
  // CHECK: rt.parallel_for @tp_matvec_1x8_f32_6_f32_f32_add
  linalg.contract indexing_maps = [#a, #w, #y] ins(%x, %w1 : memref<1x8xf32>, memref<8x8xf32>) outs(%c1 : memref<1x8xf32>)
  linalg.contract indexing_maps = [#a, #w, #y] ins(%c1, %w2 : memref<1x8xf32>, memref<6x8xf32>) outs(%c2 : memref<1x6xf32>)
  linalg.contract indexing_maps = [#a, #w, #y] ins(%x, %w1 : memref<1x8xf32>, memref<8x8xf32>) outs(%c1 : memref<1x8xf32>)
  memref.copy %c1, %copy : memref<1x8xf32> to memref<1x8xf32>
  linalg.contract indexing_maps = [#a, #w, #y] ins(%x, %w2 : memref<1x8xf32>, memref<6x8xf32>) outs(%c2 : memref<1x6xf32>)
  return
}

// CHECK: func.func private @[[KERNEL]](%[[BEGIN:.*]]: index, %[[END:.*]]: index,
// The second part starts at block 3.
// CHECK: arith.constant 3 : index

// -----

#a = affine_map<(m, n, k) -> (m, k)>
#w = affine_map<(m, n, k) -> (n, k)>
#y = affine_map<(m, n, k) -> (m, n)>

// Pairs of bf16 where both operands are: 77 columns are two vectors of 32 in one step, then 8, 4 and 1.
// CHECK-LABEL: func.func @pairs
// PAIRS-LABEL: func.func @pairs
func.func @pairs(%x: memref<1x77xbf16>, %z: memref<1x77xf32>, %w: memref<4x77xbf16>, %c: memref<1x4xf32>) {
  linalg.contract indexing_maps = [#a, #w, #y] ins(%x, %w : memref<1x77xbf16>, memref<4x77xbf16>) outs(%c : memref<1x4xf32>)
  linalg.contract indexing_maps = [#a, #w, #y] ins(%z, %w : memref<1x77xf32>, memref<4x77xbf16>) outs(%c : memref<1x4xf32>)
  return
}
// CHECK-NOT: x86vector
// PAIRS: func.func private @tp_matvec_1x77_bf16_4_bf16_f32_add
// PAIRS: scf.for {{.*}} -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>)
// PAIRS-COUNT-8: x86vector.avx512.dot {{.*}} : vector<32xbf16> -> vector<16xf32>
// PAIRS-NOT: x86vector
// PAIRS: vector.load {{.*}} vector<8xbf16>
// PAIRS: arith.extf {{.*}} vector<8xbf16> to vector<8xf32>
// PAIRS: func.func private @tp_matvec_1x77_f32_4_bf16_f32_add
// PAIRS-NOT: x86vector
