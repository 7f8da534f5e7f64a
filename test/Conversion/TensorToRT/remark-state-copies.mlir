// RUN: tp-opt %s --tp-drop-results --tp-remark-state-copies -split-input-file -verify-diagnostics | FileCheck %s

// CHECK-LABEL: func @updated_in_place
// CHECK-SAME: attributes {rt.entry} {
func.func @updated_in_place(%s: memref<4x8xf32> {tp.kind = "state"}, %row: memref<1x8xf32>, %i: index, %out: memref<4x8xf32> {rt.result = 0 : i64})
    -> (memref<4x8xf32>, memref<4x8xf32>) attributes {rt.entry} {
  %0 = memref.subview %s[%i, 0] [1, 8] [1, 1] : memref<4x8xf32> to memref<1x8xf32, strided<[8, 1], offset: ?>>
  memref.copy %row, %0 : memref<1x8xf32> to memref<1x8xf32, strided<[8, 1], offset: ?>>
  // A copy that the program asks for is no temporary.
  memref.copy %s, %out : memref<4x8xf32> to memref<4x8xf32>
  // CHECK: return{{$}}
  return %s, %out : memref<4x8xf32>, memref<4x8xf32>
}

// -----

func.func @copied(%s: memref<4x8xf32> {tp.kind = "state", tp.name = "cache"}) attributes {rt.entry} {
  %0 = memref.alloc() : memref<4x8xf32>
  // expected-remark @below {{the value of cache is copied to a temporary: 'memref<4x8xf32>'}}
  memref.copy %s, %0 : memref<4x8xf32> to memref<4x8xf32>
  // expected-remark @below {{the new value of cache is computed elsewhere and copied: 'memref<4x8xf32>'}}
  memref.copy %0, %s : memref<4x8xf32> to memref<4x8xf32>
  return
}

// -----

// A part of a larger temporary, from which nothing comes back.
func.func @used(%s: memref<4x8xf32> {tp.kind = "state", tp.name = "cache"}) attributes {rt.entry} {
  %0 = memref.alloc() : memref<4x9xf32>
  %1 = memref.subview %0[0, 0] [4, 8] [1, 1] : memref<4x9xf32> to memref<4x8xf32, strided<[9, 1]>>
  // expected-remark @below {{the value of cache is copied to a temporary: 'memref<4x8xf32>'}}
  memref.copy %s, %1 : memref<4x8xf32> to memref<4x8xf32, strided<[9, 1]>>
  return
}

// -----

func.func @elsewhere(%s: memref<4x8xf32> {tp.kind = "state"}) attributes {rt.entry} {
  %0 = memref.alloc() : memref<32xf32>
  %1 = memref.expand_shape %0 [[0, 1]] output_shape [4, 8] : memref<32xf32> into memref<4x8xf32>
  // expected-remark @below {{the new value of elsewhere.arg0 is computed elsewhere and copied: 'memref<4x8xf32>'}}
  memref.copy %1, %s : memref<4x8xf32> to memref<4x8xf32>
  return
}

// -----

// expected-error @below {{result is not in its destination}}
func.func @not_in_place() -> memref<4xf32> attributes {rt.entry} {
  %0 = memref.alloc() : memref<4xf32>
  return %0 : memref<4xf32>
}
