// RUN: tp-opt %s --tp-outline-kernels --canonicalize | FileCheck %s
// RUN: tp-opt %s --tp-outline-kernels | tp-opt | FileCheck %s --check-prefix=PARSES

// PARSES: rt.parallel_for

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// Equal kernels of two layers, one of them at an offset, are one function.
// CHECK-LABEL: func @layers
func.func @layers(%a: memref<128x64xf32>, %b: memref<128x64xf32>, %c: memref<256x64xf32>) attributes {rt.entry} {
  // CHECK: rt.parallel_for @exp range 128 grain 43 (%arg0, %arg1) : memref<128x64xf32>, memref<128x64xf32>
  linalg.exp ins(%a : memref<128x64xf32>) outs(%b : memref<128x64xf32>)
  %half = memref.subview %c[128, 0] [128, 64] [1, 1] : memref<256x64xf32> to memref<128x64xf32, strided<[64, 1], offset: 8192>>
  // CHECK: rt.parallel_for @exp range 128 grain 43 (%arg1, %[[HALF:.*]]) : memref<128x64xf32>, memref<128x64xf32, strided<[64, 1], offset: 8192>>
  linalg.exp ins(%b : memref<128x64xf32>) outs(%half : memref<128x64xf32, strided<[64, 1], offset: 8192>>)
  // CHECK-NOT: linalg
  return
}

// In place: one argument. Two views of one buffer may be the same memory, what
// is only read may not be written.
// CHECK-LABEL: func @aliases
func.func @aliases(%a: memref<128x64xf32>, %c: memref<256x64xf32>) attributes {rt.entry} {
  // CHECK: rt.parallel_for @[[IN_PLACE:.*]] range 128 grain 43 (%arg0) : memref<128x64xf32>
  linalg.exp ins(%a : memref<128x64xf32>) outs(%a : memref<128x64xf32>)
  %low = memref.subview %c[0, 0] [128, 64] [1, 1] : memref<256x64xf32> to memref<128x64xf32, strided<[64, 1]>>
  %high = memref.subview %c[128, 0] [128, 64] [1, 1] : memref<256x64xf32> to memref<128x64xf32, strided<[64, 1], offset: 8192>>
  // CHECK: rt.parallel_for @[[VIEWS:.*]] range
  linalg.exp ins(%low : memref<128x64xf32, strided<[64, 1]>>) outs(%high : memref<128x64xf32, strided<[64, 1], offset: 8192>>)
  // CHECK: rt.parallel_for @[[READ:.*]] range
  linalg.add ins(%low, %high : memref<128x64xf32, strided<[64, 1]>>, memref<128x64xf32, strided<[64, 1], offset: 8192>>)
    outs(%a : memref<128x64xf32>)
  return
}

// Sums may be reassociated, other results are exact; values from outside and
// constants come along.
// CHECK-LABEL: func @captures
func.func @captures(%x: memref<64x1024xf32>, %y: memref<64xf32>, %s: f32, %t: memref<8xf32>, %i: index) attributes {rt.entry} {
  %c2 = arith.constant 2.0 : f32
  // CHECK: rt.parallel_for @[[SUM:.*]] range 64 grain {{.*}} (%arg0, %arg1, %arg3, %arg4, %arg2)
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<64x1024xf32>) outs(%y : memref<64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %v = memref.load %t[%i] : memref<8xf32>
    %0 = arith.mulf %in, %s : f32
    %1 = arith.subf %0, %c2 : f32
    %2 = arith.divf %1, %v : f32
    %3 = arith.addf %out, %2 : f32
    linalg.yield %3 : f32
  }
  return
}

// A short outer loop is shared out with the next; without enough rows, elements.
// CHECK-LABEL: func @ranges
func.func @ranges(%a: memref<4x32x512xf32>, %b: memref<2x65536xf32>, %c: memref<f32>, %d: memref<512x512xf32>, %e: memref<512xf32>) attributes {rt.entry} {
  // CHECK: rt.parallel_for @[[COLLAPSED:.*]] range 128 grain 6
  linalg.exp ins(%a : memref<4x32x512xf32>) outs(%a : memref<4x32x512xf32>)
  // CHECK: rt.parallel_for @[[LONG:.*]] range 65536 grain 1408
  linalg.exp ins(%b : memref<2x65536xf32>) outs(%b : memref<2x65536xf32>)
  // CHECK: rt.parallel_for @[[SCALAR:.*]] range 1 grain 1
  linalg.exp ins(%c : memref<f32>) outs(%c : memref<f32>)
  // Sums over rows share out columns.
  // CHECK: rt.parallel_for @[[COLUMNS:.*]] range 512 grain 64
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>], iterator_types = ["reduction", "parallel"]}
      ins(%d : memref<512x512xf32>) outs(%e : memref<512xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %out, %in : f32
    linalg.yield %0 : f32
  }
  return
}

// Chunks of a loop on which a result does not depend would write the same elements.
// CHECK-LABEL: func @overwrites
func.func @overwrites(%a: memref<512x512xf32>, %b: memref<512xf32>, %c: memref<1023xf32>) attributes {rt.entry} {
  // CHECK: rt.parallel_for @{{.*}} range 512 grain 64
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>], iterator_types = ["parallel", "parallel"]}
      ins(%a : memref<512x512xf32>) outs(%b : memref<512xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  }
  // CHECK: rt.parallel_for @{{.*}} range 1 grain 1
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i + j)>], iterator_types = ["parallel", "parallel"]}
      ins(%a : memref<512x512xf32>) outs(%c : memref<1023xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  }
  return
}

// CHECK-LABEL: func @copies
func.func @copies(%a: memref<8x8xf32>, %b: memref<8x8xf32>) attributes {rt.entry} {
  // CHECK-NEXT: rt.parallel_for @copy
  memref.copy %a, %b : memref<8x8xf32> to memref<8x8xf32>
  // CHECK-NEXT: return
  memref.copy %a, %a : memref<8x8xf32> to memref<8x8xf32>
  return
}

// A short innermost loop goes on into the one around it where all operands do: not
// in a transpose, and not past what is long enough.
// CHECK-LABEL: func @short
func.func @short(%x: memref<20x9x12x8xf32>, %b: memref<12x8xf32>, %y: memref<20x9x12x8xf32>, %t: memref<20x12x9x8xf32>) attributes {rt.entry} {
  // CHECK: rt.parallel_for @[[SHORT:.*]] range 20 grain
  linalg.generic {
      indexing_maps = [affine_map<(i, j, k, l) -> (i, j, k, l)>, affine_map<(i, j, k, l) -> (k, l)>, affine_map<(i, j, k, l) -> (i, j, k, l)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%x, %b : memref<20x9x12x8xf32>, memref<12x8xf32>) outs(%y : memref<20x9x12x8xf32>) {
    ^bb0(%p: f32, %q: f32, %o: f32):
      %s = arith.addf %p, %q : f32
      linalg.yield %s : f32
  }
  // CHECK: rt.parallel_for @[[APART:.*]] range 20 grain
  linalg.generic {
      indexing_maps = [affine_map<(i, j, k, l) -> (i, k, j, l)>, affine_map<(i, j, k, l) -> (i, j, k, l)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%x : memref<20x9x12x8xf32>) outs(%t : memref<20x12x9x8xf32>) {
    ^bb0(%p: f32, %o: f32):
      linalg.yield %p : f32
  }
  return
}

// CHECK: func private @exp(%[[B:.*]]: index, %[[E:.*]]: index, %[[X:.*]]: memref<128x64xf32> {llvm.noalias}, %[[Y:.*]]: memref<128x64xf32> {llvm.noalias}) attributes {rt.kernel}
// CHECK:   scf.for %[[I:.*]] = %[[B]] to %[[E]]
// CHECK:     scf.for %[[J:.*]] = %c0 to %c64
// CHECK:       %[[V:.*]] = memref.load %[[X]][%[[I]], %[[J]]]
// CHECK:       %[[W:.*]] = math.exp %[[V]] : f32
// CHECK:       memref.store %[[W]], %[[Y]][%[[I]], %[[J]]]
// CHECK: func private @[[IN_PLACE]](%{{.*}}: index, %{{.*}}: index, %{{.*}}: memref<128x64xf32> {llvm.noalias})
// CHECK: func private @[[VIEWS]](
// CHECK-NOT: llvm.noalias
// CHECK: func private @[[READ]](
// CHECK-SAME: llvm.noalias{{.*}}llvm.noalias{{.*}}llvm.noalias
// CHECK: func private @[[SUM]](
// CHECK:   arith.constant 2.000000e+00
// CHECK:   arith.mulf %{{.*}}, %{{.*}} fastmath<contract>
// CHECK:   arith.divf %{{.*}}, %{{.*}} : f32
// CHECK:   arith.addf %{{.*}}, %{{.*}} fastmath<reassoc,contract>
// CHECK: func private @[[COLLAPSED]](
// CHECK:   scf.for %[[P:.*]] = %arg0 to %arg1
// CHECK:     %[[R:.*]] = arith.remui %[[P]], %c32
// CHECK:     %[[Q:.*]] = arith.divui %[[P]], %c32
// CHECK:     scf.for %[[K:.*]] = %c0 to %c512
// CHECK:       memref.load %{{.*}}[%[[Q]], %[[R]], %[[K]]]
// CHECK: func private @[[LONG]](
// CHECK:   scf.for %{{.*}} = %c0 to %c2
// CHECK:     scf.for %{{.*}} = %arg0 to %arg1
// CHECK: func private @[[COLUMNS]](
// CHECK:   scf.for %{{.*}} = %c0 to %c512
// CHECK:     scf.for %{{.*}} = %arg0 to %arg1

// CHECK: func.func private @[[SHORT]]({{.*}}: memref<20x9x12x8xf32>
// CHECK: memref.collapse_shape {{.*}} : memref<20x9x12x8xf32> into memref<20x9x96xf32>
// CHECK: scf.for {{.*}} to %c9
// CHECK: scf.for {{.*}} to %c96
// CHECK-NOT: scf.for
// CHECK: func.func private @[[APART]](
// CHECK-NOT: collapse_shape
// CHECK: scf.for {{.*}} to %c12
// CHECK: scf.for {{.*}} to %c9
// CHECK: scf.for {{.*}} to %c8
