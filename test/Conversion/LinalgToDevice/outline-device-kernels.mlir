// RUN: tp-opt %s --tp-outline-device-kernels=images=sm_90,emulated --canonicalize --cse | FileCheck %s
// RUN: tp-opt %s --tp-outline-device-kernels=images=emulated | tp-opt | FileCheck %s --check-prefix=PARSES

// PARSES: rt.launch

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#column = affine_map<(i, j) -> (j)>

// CHECK: module attributes {rt.images = ["sm_90", "emulated"]}

// A thread per element, neighbours side by side; equal kernels are one.
// CHECK-LABEL: func @elementwise
// CHECK-NEXT: rt.launch @exp blocks 12 threads 256 (%arg0, %arg1) : memref<100x30xf32>, memref<100x30xf32>
// CHECK-NEXT: rt.launch @exp blocks 12 threads 256 (%arg1, %arg0)
// CHECK-NEXT: return
func.func @elementwise(%a: memref<100x30xf32>, %b: memref<100x30xf32>) attributes {rt.entry} {
  linalg.exp ins(%a : memref<100x30xf32>) outs(%b : memref<100x30xf32>)
  linalg.exp ins(%b : memref<100x30xf32>) outs(%a : memref<100x30xf32>)
  return
}

// A function of the library in a kernel of its own, which loads what only the device knows.
// CHECK-LABEL: func @library
// CHECK-NEXT: rt.launch @reduce blocks 8 threads 64 shared 128 (%arg0, %arg1, %arg2) : memref<2xi64>, memref<512xf32>, memref<i64>
// CHECK-NEXT: return
func.func @library(%sources: memref<2xi64>, %b: memref<512xf32>, %n: memref<i64>) attributes {rt.entry} {
  %sum = arith.constant 0 : i32
  %f32 = arith.constant 1 : i32
  %parts = arith.constant 2 : i32
  %count = memref.load %n[] : memref<i64>
  rt.kernel_call "reduce" blocks 8 threads 64 shared 128 (%sum, %f32, %sources, %parts, %b, %count)
    : i32, i32, memref<2xi64>, i32, memref<512xf32>, i64
  return
}

// Few long rows: a block each.
// CHECK-LABEL: func @rows
// CHECK-NEXT: rt.launch @[[ROWS:.*]] blocks 4 threads 128
func.func @rows(%a: memref<4x512xf32>, %b: memref<4xf32>) attributes {rt.entry} {
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%a : memref<4x512xf32>) outs(%b : memref<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %s = arith.addf %in, %out : f32
    linalg.yield %s : f32
  }
  return
}

// Many columns: a thread each, which read side by side. A difference has no order to choose.
// CHECK-LABEL: func @columns
// CHECK-NEXT: rt.launch @[[COLUMNS:.*]] blocks 16 threads 256
// CHECK-NEXT: rt.launch @[[INORDER:.*]] blocks 1 threads 32
func.func @columns(%a: memref<64x4096xf32>, %b: memref<4096xf32>, %c: memref<4x512xf32>, %d: memref<4xf32>) attributes {rt.entry} {
  linalg.generic {indexing_maps = [#id, #column], iterator_types = ["reduction", "parallel"]}
      ins(%a : memref<64x4096xf32>) outs(%b : memref<4096xf32>) {
  ^bb0(%in: f32, %out: f32):
    %s = arith.addf %in, %out : f32
    linalg.yield %s : f32
  }
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%c : memref<4x512xf32>) outs(%d : memref<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %s = arith.subf %in, %out : f32
    linalg.yield %s : f32
  }
  return
}

// The position is computed by the kernel that writes there; the check wants it on the host.
// CHECK-LABEL: func @position
// CHECK: %[[AT:.*]] = rt.read %arg2 : memref<i64> -> i64
// CHECK: rt.check_index %{{.*}} in [0, 128) because "position"
// CHECK: rt.launch @[[WRITE:.*]] blocks 1 threads 32 (%arg1, %arg0, %arg2) : memref<1x8xf32>, memref<128x8xf32>, memref<i64>
func.func @position(%cache: memref<128x8xf32>, %row: memref<1x8xf32>, %p: memref<i64>) attributes {rt.entry} {
  %at = memref.load %p[] : memref<i64>
  %pos = arith.index_cast %at : i64 to index
  rt.check_index %pos in [0, 128) because "position"
  %view = memref.subview %cache[%pos, 0] [1, 8] [1, 1] : memref<128x8xf32> to memref<1x8xf32, strided<[8, 1], offset: ?>>
  memref.copy %row, %view : memref<1x8xf32> to memref<1x8xf32, strided<[8, 1], offset: ?>>
  return
}

// A check that may be told later is a kernel of one thread, where the number still is what it was; what comes after
// uses the clamped one, and nothing is read.
// CHECK-LABEL: func @deferred
// CHECK-NOT: rt.read
// CHECK: rt.launch_check @[[CHECK:.*]] in [0, 128) because "position" (%arg2) : memref<i64>
// CHECK: rt.launch @[[CLAMPED:.*]] blocks 1 threads 32 (%arg1, %arg0, %arg2) : memref<1x8xf32>, memref<128x8xf32>, memref<i64>
// CHECK: rt.launch @[[SET:.*]] blocks
// CHECK: rt.launch_check @[[CHECK]] in [0, 4) because "another" (%arg2) : memref<i64>
// CHECK-NOT: rt.read
// CHECK: return
func.func @deferred(%cache: memref<128x8xf32>, %row: memref<1x8xf32>, %p: memref<i64>) attributes {rt.entry} {
  %c0 = arith.constant 0 : index
  %c127 = arith.constant 127 : index
  %three = arith.constant 3 : i64
  %at = memref.load %p[] : memref<i64>
  %pos = arith.index_cast %at : i64 to index
  rt.check_index %pos in [0, 128) deferred because "position"
  %low = arith.maxsi %pos, %c0 : index
  %clamped = arith.minsi %low, %c127 : index
  %view = memref.subview %cache[%clamped, 0] [1, 8] [1, 1] : memref<128x8xf32> to memref<1x8xf32, strided<[8, 1], offset: ?>>
  memref.copy %row, %view : memref<1x8xf32> to memref<1x8xf32, strided<[8, 1], offset: ?>>
  memref.store %three, %p[] : memref<i64>
  %again = memref.load %p[] : memref<i64>
  %next = arith.index_cast %again : i64 to index
  rt.check_index %next in [0, 4) deferred because "another"
  return
}

// What the loop writes may be another number in its next trip.
// CHECK-LABEL: func @written_in_loop
// CHECK: rt.read %arg0
// CHECK: scf.for
// CHECK: rt.check_index %{{.*}} in [0, 4) deferred because "index"
func.func @written_in_loop(%n: memref<i64>, %x: memref<i64>) attributes {rt.entry} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %at = memref.load %n[] : memref<i64>
  %i = arith.index_cast %at : i64 to index
  scf.for %j = %c0 to %c3 step %c1 {
    rt.check_index %i in [0, 4) deferred because "index"
    linalg.add ins(%n, %x : memref<i64>, memref<i64>) outs(%n : memref<i64>)
  }
  return
}

// A buffer that the entry writes may say something else later: the number is read when it is due.
// CHECK-LABEL: func @changes
// CHECK: %[[I:.*]] = rt.read %arg1
// CHECK: rt.launch @{{.*}} (%arg1)
// CHECK: rt.launch @elements{{.*}} blocks 1 threads 1 ({{.*}}%{{.*}}) : memref<8xf32>, index
func.func @changes(%x: memref<8xf32>, %n: memref<i64>) attributes {rt.entry} {
  %f = arith.constant 1.0 : f32
  %two = arith.constant 2 : i64
  %t = memref.load %n[] : memref<i64>
  %i = arith.index_cast %t : i64 to index
  memref.store %two, %n[] : memref<i64>
  memref.store %f, %x[%i] : memref<8xf32>
  return
}

// So is one in a buffer that the kernel itself writes: a thread may load it when another one has written.
// CHECK-LABEL: func @writes_itself
// CHECK: %[[FIRST:.*]] = memref.subview %arg0[0] [1] [1]
// CHECK: %[[F:.*]] = rt.read %[[FIRST]]
// CHECK: rt.launch @generic{{.*}} ({{.*}}%[[F]]{{.*}})
// CHECK: return
func.func @writes_itself(%x: memref<640xf32>) attributes {rt.entry} {
  %c0 = arith.constant 0 : index
  %f = memref.load %x[%c0] : memref<640xf32>
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%x : memref<640xf32>) {
  ^bb0(%o: f32):
    %s = arith.addf %o, %f : f32
    linalg.yield %s : f32
  }
  return
}

// What decides is read; a loop of elements is one thread's.
// CHECK-LABEL: func @decides
// CHECK: rt.read %arg0
// CHECK: scf.for
// CHECK: %[[ELEMENT:.*]] = memref.subview %arg2[%{{.*}}] [1] [1] : memref<3xi1> to memref<i1, strided<[], offset: ?>>
// CHECK: %[[ONE:.*]] = rt.read %[[ELEMENT]]
// CHECK: scf.if %[[ONE]]
// CHECK: rt.launch @elements{{.*}} blocks 1 threads 1 (%arg0, %arg1) : memref<i64>, memref<8xf32>
func.func @decides(%n: memref<i64>, %x: memref<8xf32>, %k: memref<3xi1>) attributes {rt.entry} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = memref.load %n[] : memref<i64>
  %end = arith.index_cast %t : i64 to index
  scf.for %i = %c0 to %end step %c1 {
    linalg.exp ins(%x : memref<8xf32>) outs(%x : memref<8xf32>)
    %one = memref.load %k[%i] : memref<3xi1>
    scf.if %one {
      linalg.abs ins(%x : memref<8xf32>) outs(%x : memref<8xf32>)
    }
  }
  %f = arith.constant 1.0 : f32
  scf.for %i = %c0 to %end step %c1 {
    memref.store %f, %x[%i] : memref<8xf32>
  }
  return
}

// A scalar argument is a buffer, too. Kernels have their own copy of a constant, of which collectives get one in memory;
// nothing is launched for nothing.
// CHECK-LABEL: func @constants(
// CHECK-SAME: %arg0: memref<8xf32>, %arg1: memref<8xf32>, %arg2: memref<f32>, %arg3: memref<0x4xf32>)
// CHECK-NEXT: rt.launch @add{{.*}} (%arg0) : memref<8xf32>
// CHECK-NEXT: rt.copy %arg0 into %arg1
// CHECK-NEXT: rt.launch @copy{{.*}} (%arg0)
// CHECK-NEXT: rt.launch @fill{{.*}} (%arg2, %arg1)
// CHECK-NEXT: %[[COPY:.*]] = memref.alloc() : memref<8xf32>
// CHECK-NEXT: rt.launch @copy{{.*}} (%[[COPY]])
// CHECK-NEXT: rt.all_reduce sum %[[COPY]]
// CHECK-NEXT: return
memref.global "private" constant @table : memref<8xf32> = dense<[0.,1.,2.,3.,4.,5.,6.,7.]>
rt.group @tp [0, 1, 2]
func.func @constants(%x: memref<8xf32>, %y: memref<8xf32>, %s: f32, %none: memref<0x4xf32>) attributes {rt.entry} {
  %t = memref.get_global @table : memref<8xf32>
  linalg.add ins(%x, %t : memref<8xf32>, memref<8xf32>) outs(%x : memref<8xf32>)
  memref.copy %x, %y : memref<8xf32> to memref<8xf32>
  memref.copy %t, %x : memref<8xf32> to memref<8xf32>
  linalg.fill ins(%s : f32) outs(%y : memref<8xf32>)
  linalg.exp ins(%none : memref<0x4xf32>) outs(%none : memref<0x4xf32>)
  rt.all_reduce sum %t over @tp : memref<8xf32>
  return
}

// CHECK: func.func private @exp(%arg0: memref<100x30xf32> {llvm.align = 64 : i64, llvm.noalias}, %arg1: memref<100x30xf32> {llvm.align = 64 : i64, llvm.noalias}) attributes {rt.device, rt.kernel}
// CHECK: nvvm.read.ptx.sreg.ctaid.x
// CHECK: nvvm.read.ptx.sreg.tid.x
// CHECK: arith.cmpi ult, %{{.*}}, %c3000
// CHECK: math.exp

// CHECK: func.func private @[[ROWS]](
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %c128 step %c128
// CHECK-NEXT: arith.muli %[[I]], %c4
// CHECK-COUNT-4: memref.load
// CHECK-COUNT-5: nvvm.shfl.sync bfly
// CHECK: memref.get_global @tp_block_scratch : memref<32xi64, 3>
// CHECK: nvvm.barrier0
// CHECK-COUNT-5: nvvm.shfl.sync bfly
// CHECK-NOT: nvvm.barrier0

// CHECK: func.func private @[[COLUMNS]](
// CHECK-NOT: shfl
// CHECK: scf.for %{{.*}} = %c0 to %c64 step %c1
// CHECK: func.func private @[[INORDER]](
// CHECK-NOT: shfl

// CHECK: func.func private @[[WRITE]](%arg0: memref<1x8xf32> {llvm.align = 64 : i64, llvm.noalias}, %arg1: memref<128x8xf32> {llvm.align = 64 : i64, llvm.noalias}, %arg2: memref<i64> {llvm.align = 64 : i64, llvm.noalias})
// CHECK: %[[P:.*]] = memref.load %arg2[] : memref<i64>
// CHECK: %[[POS:.*]] = arith.index_cast %[[P]]
// CHECK: memref.subview %arg1[%[[POS]], 0] [1, 8] [1, 1]
