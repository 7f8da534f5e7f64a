// RUN: tp-opt %s --tp-join-launches | FileCheck %s
// RUN: tp-opt %s --tp-join-launches --tp-outline-device-kernels --canonicalize --cse | FileCheck %s --check-prefix=OUT

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#column = affine_map<(i, j) -> (j)>
#turned = affine_map<(i, j) -> (j, i)>
#one = affine_map<(i) -> (i)>

// A softmax: each op touches the rows of its block only.
// CHECK-LABEL: func @softmax
// CHECK: memref.alloc
// CHECK: scf.execute_region
// CHECK-COUNT-2: linalg.fill
// CHECK-COUNT-4: linalg.generic
// CHECK: } {rt.rows = 8 : i64}
// CHECK-NEXT: return
// OUT-LABEL: func @softmax
// OUT: rt.launch @[[SOFTMAX:fill_generic[^ ]*]] blocks 8 threads 64 (%{{.*}}, %{{.*}}, %{{.*}}, %arg1)
// OUT-NOT: rt.launch
// OUT: return
func.func @softmax(%x: memref<2x4x500xf32>, %y: memref<8x500xf32>) attributes {rt.entry} {
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %max = memref.alloc() : memref<8xf32>
  %sum = memref.alloc() : memref<8xf32>
  linalg.fill ins(%low : f32) outs(%max : memref<8xf32>)
  linalg.fill ins(%zero : f32) outs(%sum : memref<8xf32>)
  %flat = memref.collapse_shape %x [[0, 1], [2]] : memref<2x4x500xf32> into memref<8x500xf32>
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%flat : memref<8x500xf32>) outs(%max : memref<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.maximumf %a, %o : f32
    linalg.yield %m : f32
  }
  linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%flat, %max : memref<8x500xf32>, memref<8xf32>) outs(%y : memref<8x500xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %d = arith.subf %a, %b : f32
    %e = math.exp %d : f32
    linalg.yield %e : f32
  }
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%y : memref<8x500xf32>) outs(%sum : memref<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.addf %a, %o : f32
    linalg.yield %m : f32
  }
  linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]} ins(%sum : memref<8xf32>) outs(%y : memref<8x500xf32>) {
  ^bb0(%a: f32, %o: f32):
    %d = arith.divf %o, %a : f32
    linalg.yield %d : f32
  }
  return
}

// Another addition than a norm takes itself, the norm, rounding: with a weight that all rows read.
// CHECK-LABEL: func @norm
// CHECK: scf.execute_region
// CHECK-NEXT: linalg.generic
// CHECK: rt.kernel_call "rms_norm"
// CHECK-NEXT: linalg.generic
// CHECK: } {rt.rows = 4 : i64}
// CHECK-NEXT: return
// OUT-LABEL: func @norm
// OUT: rt.launch @[[NORM:generic_rms_norm[^ ]*]] blocks 4 threads 128
// OUT-NEXT: return
func.func @norm(%x: memref<4x576xf32>, %b: memref<576xf32>, %w: memref<576xf32>, %sum: memref<4x576xf32>, %wide: memref<4x576xf32>, %y: memref<4x576xbf16>) attributes {rt.entry} {
  %f32 = arith.constant 1 : i32
  %rows = arith.constant 4 : i64
  %size = arith.constant 576 : i64
  %e = arith.constant 1.0e-05 : f32
  linalg.generic {indexing_maps = [#id, #column, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %b : memref<4x576xf32>, memref<576xf32>) outs(%sum : memref<4x576xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %s = arith.addf %p, %q : f32
    linalg.yield %s : f32
  }
  rt.kernel_call "rms_norm" blocks 4 threads 128 (%f32, %f32, %f32, %sum, %w, %wide, %rows, %size, %e, %e)
    : i32, i32, i32, memref<4x576xf32>, memref<576xf32>, memref<4x576xf32>, i64, i64, f32, f32
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%wide : memref<4x576xf32>) outs(%y : memref<4x576xbf16>) {
  ^bb0(%p: f32, %o: bf16):
    %s = arith.truncf %p : f32 to bf16
    linalg.yield %s : bf16
  }
  return
}

// Not joined: what other rows have written, too much for one block; a write of what all blocks have read.
// CHECK-LABEL: func @across
// CHECK-NOT: scf.execute_region
// CHECK: return
func.func @across(%x: memref<300x300xf32>, %y: memref<300x300xf32>, %w: memref<300xf32>) attributes {rt.entry} {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : memref<300x300xf32>) outs(%y : memref<300x300xf32>) {
  ^bb0(%a: f32, %o: f32):
    %e = math.exp %a : f32
    linalg.yield %e : f32
  }
  linalg.generic {indexing_maps = [#turned, #id], iterator_types = ["parallel", "parallel"]} ins(%y : memref<300x300xf32>) outs(%x : memref<300x300xf32>) {
  ^bb0(%a: f32, %o: f32):
    %e = math.exp %a : f32
    linalg.yield %e : f32
  }
  linalg.generic {indexing_maps = [#column, #id], iterator_types = ["parallel", "parallel"]} ins(%w : memref<300xf32>) outs(%y : memref<300x300xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  }
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : memref<300x300xf32>) outs(%w : memref<300xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.addf %a, %o : f32
    linalg.yield %m : f32
  }
  return
}

// Few elements are one row, in which one op may read what another one has written anywhere, and a view of a buffer is
// copied. What runs elsewhere lies in between.
// CHECK-LABEL: func @small
// CHECK: scf.execute_region
// CHECK-NEXT: linalg.generic
// CHECK: linalg.copy
// CHECK-NEXT: scf.yield
// CHECK-NEXT: } {rt.rows = 1 : i64}
// CHECK-NEXT: rt.all_reduce
// CHECK-NEXT: linalg.generic
// OUT-LABEL: func @small
// OUT: rt.launch @generic_copy blocks 1 threads 32 (%arg0, %{{.*}})
// OUT-NEXT: rt.all_reduce
// OUT-NEXT: rt.launch
// OUT-NEXT: return
rt.group @tp [0, 1, 2]
func.func @small(%x: memref<3x5xf32>, %y: memref<5x6xf32>) attributes {rt.entry} {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : memref<3x5xf32>) outs(%x : memref<3x5xf32>) {
  ^bb0(%a: f32, %o: f32):
    %e = math.exp %a : f32
    linalg.yield %e : f32
  }
  %part = memref.subview %y[0, 0] [3, 5] [1, 1] : memref<5x6xf32> to memref<3x5xf32, strided<[6, 1]>>
  memref.copy %x, %part : memref<3x5xf32> to memref<3x5xf32, strided<[6, 1]>>
  rt.all_reduce sum %y over @tp : memref<5x6xf32>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%y : memref<5x6xf32>) outs(%y : memref<5x6xf32>) {
  ^bb0(%a: f32, %o: f32):
    %e = math.exp %a : f32
    linalg.yield %e : f32
  }
  return
}

// A number that kernels load is not written by the launch, whose blocks load it at any time.
// CHECK-LABEL: func @loaded
// CHECK-NOT: scf.execute_region
// CHECK: return
func.func @loaded(%x: memref<400x800xf32>, %n: memref<400xf32>) attributes {rt.entry} {
  %c3 = arith.constant 3 : index
  %f = memref.load %n[%c3] : memref<400xf32>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : memref<400x800xf32>) outs(%x : memref<400x800xf32>) {
  ^bb0(%a: f32, %o: f32):
    %e = arith.mulf %a, %f : f32
    linalg.yield %e : f32
  }
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : memref<400x800xf32>) outs(%n : memref<400xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.addf %a, %o : f32
    linalg.yield %m : f32
  }
  return
}

// The same in one block, whose threads load it before the first of them waits for others.
// CHECK-LABEL: func @loaded_by_a_block
// CHECK-NOT: scf.execute_region
// CHECK: return
func.func @loaded_by_a_block(%x: memref<64xf32>, %y: memref<64xf32>, %n: memref<64xf32>) attributes {rt.entry} {
  %c3 = arith.constant 3 : index
  %f = memref.load %n[%c3] : memref<64xf32>
  linalg.exp ins(%x : memref<64xf32>) outs(%n : memref<64xf32>)
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%n : memref<64xf32>) outs(%y : memref<64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %e = arith.mulf %a, %f : f32
    linalg.yield %e : f32
  }
  return
}

// Short rows are worth no block each: few of them are one row, many have launches of their own.
// CHECK-LABEL: func @short
// CHECK: scf.execute_region
// CHECK-COUNT-2: linalg.exp
// CHECK: } {rt.rows = 1 : i64}
// CHECK-NOT: scf.execute_region
// CHECK: return
func.func @short(%x: memref<60x7xf32>, %y: memref<60x7xf32>, %z: memref<20000x7xf32>, %n: memref<i64>) attributes {rt.entry} {
  linalg.exp ins(%x : memref<60x7xf32>) outs(%y : memref<60x7xf32>)
  linalg.exp ins(%y : memref<60x7xf32>) outs(%x : memref<60x7xf32>)
  %read = rt.read %n : memref<i64> -> i64
  linalg.exp ins(%z : memref<20000x7xf32>) outs(%z : memref<20000x7xf32>)
  linalg.exp ins(%z : memref<20000x7xf32>) outs(%z : memref<20000x7xf32>)
  return
}

// Blocks take rows in turn, and what another thread may have written is not known to be apart.
// OUT: func.func private @[[SOFTMAX]](%arg0: memref<8xf32> {llvm.align = 64 : i64}, %arg1: memref<8xf32> {llvm.align = 64 : i64}, %arg2: memref<8x500xf32> {llvm.align = 64 : i64, llvm.noalias}, %arg3: memref<8x500xf32> {llvm.align = 64 : i64})
// OUT: nvvm.barrier0
// OUT: math.exp
// OUT: func.func private @[[NORM]](
// OUT: arith.addf
// OUT: nvvm.barrier0
// OUT-NEXT: rt.kernel_call "rms_norm"
// OUT-NEXT: nvvm.barrier0
// OUT: arith.truncf
