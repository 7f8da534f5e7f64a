// RUN: tp-opt %s --tp-forward-branch-results | FileCheck %s

// CHECK-LABEL: func @one_known
func.func @one_known(%c: i1, %x: memref<4xf32>, %y: memref<4xf32>) -> (memref<4xf32>, memref<4xf32>, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: %[[R:.*]]:2 = scf.if %arg0 -> (memref<4xf32>, index) {
  // CHECK:   scf.yield %arg1, %{{.*}} : memref<4xf32>, index
  // CHECK: else
  // CHECK:   scf.yield %arg2, %{{.*}} : memref<4xf32>, index
  // CHECK: return %[[R]]#0, %arg2, %[[R]]#1
  %0:3 = scf.if %c -> (memref<4xf32>, memref<4xf32>, index) {
    scf.yield %x, %y, %c0 : memref<4xf32>, memref<4xf32>, index
  } else {
    scf.yield %y, %y, %c1 : memref<4xf32>, memref<4xf32>, index
  }
  return %0#0, %0#1, %0#2 : memref<4xf32>, memref<4xf32>, index
}

// The inner result is what the outer one yields; what a branch allocates is not known.
// CHECK-LABEL: func @nested
func.func @nested(%i: index, %c: i1, %y: memref<4xf32>) -> (memref<4xf32>, memref<4xf32>) {
  // CHECK: %[[R:.*]] = scf.index_switch %arg0 -> memref<4xf32>
  // CHECK: case 2
  // CHECK:   scf.if %arg1 {
  // CHECK: return %arg2, %[[R]]
  %0:2 = scf.index_switch %i -> memref<4xf32>, memref<4xf32>
  case 2 {
    %1 = scf.if %c -> (memref<4xf32>) {
      memref.copy %y, %y : memref<4xf32> to memref<4xf32>
      scf.yield %y : memref<4xf32>
    } else {
      scf.yield %y : memref<4xf32>
    }
    scf.yield %1, %1 : memref<4xf32>, memref<4xf32>
  }
  default {
    %1 = memref.alloc() : memref<4xf32>
    scf.yield %y, %1 : memref<4xf32>, memref<4xf32>
  }
  return %0#0, %0#1 : memref<4xf32>, memref<4xf32>
}

// A loop works in the buffer that it starts from; where it hands on another one, nothing is known.
// CHECK-LABEL: func @loops
func.func @loops(%n: index, %x: memref<4xf32>, %y: memref<4xf32>) -> (memref<4xf32>, memref<4xf32>, memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: %[[F:.*]]:2 = scf.for
  // CHECK: scf.while
  // CHECK: return %arg1, %[[F]]#1, %arg2
  %0:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %y) -> (memref<4xf32>, memref<4xf32>) {
    memref.copy %b, %a : memref<4xf32> to memref<4xf32>
    scf.yield %a, %x : memref<4xf32>, memref<4xf32>
  }
  %1:2 = scf.while (%a = %y, %i = %c0) : (memref<4xf32>, index) -> (memref<4xf32>, index) {
    %c = arith.cmpi slt, %i, %n : index
    scf.condition(%c) %a, %i : memref<4xf32>, index
  } do {
  ^bb0(%a: memref<4xf32>, %i: index):
    memref.copy %x, %a : memref<4xf32> to memref<4xf32>
    %j = arith.addi %i, %c1 : index
    scf.yield %a, %j : memref<4xf32>, index
  }
  return %0#0, %0#1, %1#0 : memref<4xf32>, memref<4xf32>, memref<4xf32>
}
