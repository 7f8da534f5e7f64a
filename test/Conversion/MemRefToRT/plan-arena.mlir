// RUN: tp-opt %s --tp-plan-arena --canonicalize | FileCheck %s --implicit-check-not=rt.symmetric_bytes

func.func private @use(index, index, memref<256xf32>) attributes {rt.kernel}

// The third buffer takes the place of the first, whose last use has passed.
// CHECK-LABEL: func @chain
// CHECK-SAME: rt.arena_bytes = 2048 : i64, rt.arena_live_bytes = 2048 : i64
func.func @chain() attributes {rt.entry} {
  // CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
  // CHECK-DAG: %[[C1024:.*]] = arith.constant 1024 : index
  // CHECK: %[[ARENA:.*]] = rt.arena : memref<2048xi8>
  // CHECK: %[[A:.*]] = memref.view %[[ARENA]][%[[C0]]][] : memref<2048xi8> to memref<256xf32>
  // CHECK: %[[B:.*]] = memref.view %[[ARENA]][%[[C1024]]][]
  // CHECK: %[[C:.*]] = memref.view %[[ARENA]][%[[C0]]][]
  %a = memref.alloc() : memref<256xf32>
  %b = memref.alloc() : memref<256xf32>
  %c = memref.alloc() : memref<256xf32>
  rt.parallel_for @use range 1 grain 1 (%a) : memref<256xf32>
  linalg.copy ins(%a : memref<256xf32>) outs(%b : memref<256xf32>)
  linalg.copy ins(%b : memref<256xf32>) outs(%c : memref<256xf32>)
  rt.parallel_for @use range 1 grain 1 (%c) : memref<256xf32>
  return
}

// A use of a view keeps its buffer.
// CHECK-LABEL: func @views
// CHECK-SAME: rt.arena_bytes = 2048 : i64
func.func @views() attributes {rt.entry} {
  %a = memref.alloc() : memref<256xf32>
  %v = memref.expand_shape %a [[0, 1]] output_shape [16, 16] : memref<256xf32> into memref<16x16xf32>
  %w = memref.collapse_shape %v [[0, 1]] : memref<16x16xf32> into memref<256xf32>
  rt.parallel_for @use range 1 grain 1 (%a) : memref<256xf32>
  %b = memref.alloc() : memref<256xf32>
  rt.parallel_for @use range 1 grain 1 (%b) : memref<256xf32>
  rt.parallel_for @use range 1 grain 1 (%w) : memref<256xf32>
  return
}

// What lives around a loop lives in all of it, although its last use is early in
// the body; what is made and used up in the body shares memory.
// CHECK-LABEL: func @loop
// CHECK-SAME: rt.arena_bytes = 2048 : i64
func.func @loop(%n: index) attributes {rt.entry} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<256xf32>
  rt.parallel_for @use range 1 grain 1 (%a) : memref<256xf32>
  // CHECK-DAG: %[[C1024:.*]] = arith.constant 1024 : index
  // CHECK: scf.for
  // CHECK: memref.view %{{.*}}[%[[C1024]]]
  // CHECK: memref.view %{{.*}}[%[[C1024]]]
  scf.for %i = %c0 to %n step %c1 {
    rt.parallel_for @use range 1 grain 1 (%a) : memref<256xf32>
    %b = memref.alloc() : memref<256xf32>
    rt.parallel_for @use range 1 grain 1 (%b) : memref<256xf32>
    %c = memref.alloc() : memref<256xf32>
    rt.parallel_for @use range 1 grain 1 (%c) : memref<256xf32>
  }
  return
}

// A buffer that a loop carries lives on under the loop's names for it.
// CHECK-LABEL: func @carried
// CHECK-SAME: rt.arena_bytes = 2048 : i64
func.func @carried(%n: index) attributes {rt.entry} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<256xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%h = %a) -> (memref<256xf32>) {
    rt.parallel_for @use range 1 grain 1 (%h) : memref<256xf32>
    scf.yield %h : memref<256xf32>
  }
  %b = memref.alloc() : memref<256xf32>
  rt.parallel_for @use range 1 grain 1 (%b) : memref<256xf32>
  rt.parallel_for @use range 1 grain 1 (%r) : memref<256xf32>
  return
}

// Sizes are rounded up to 64 bytes, i1 takes a byte.
// CHECK-LABEL: func @sizes
// CHECK-SAME: rt.arena_bytes = 192 : i64
func.func @sizes() attributes {rt.entry} {
  %a = memref.alloc() : memref<65xi1>
  %b = memref.alloc() : memref<index>
  linalg.copy ins(%a : memref<65xi1>) outs(%a : memref<65xi1>)
  linalg.copy ins(%b : memref<index>) outs(%b : memref<index>)
  memref.copy %a, %a : memref<65xi1> to memref<65xi1>
  memref.copy %b, %b : memref<index> to memref<index>
  linalg.copy ins(%a : memref<65xi1>) outs(%a : memref<65xi1>)
  return
}

// CHECK-LABEL: func @nothing
// CHECK-SAME: rt.arena_bytes = 0 : i64
// CHECK-NOT: rt.arena :
func.func @nothing() attributes {rt.entry} {
  return
}

// A buffer of a collective that runs beside computation is in use until the wait.
// CHECK-LABEL: func @collective
// CHECK-SAME: rt.arena_bytes = 2048 : i64
rt.group @tp [0, 1, 2]
func.func @collective() attributes {rt.entry} {
  %a = memref.alloc() : memref<256xf32>
  %b = memref.alloc() : memref<256xf32>
  %t = rt.all_reduce sum %a over @tp : memref<256xf32> -> !rt.token
  rt.parallel_for @use range 1 grain 1 (%b) : memref<256xf32>
  rt.wait %t (%a) : memref<256xf32>
  return
}
