// RUN: tp-opt %s --tp-plan-arena -split-input-file -verify-diagnostics

func.func @dynamic(%n: index) attributes {rt.entry} {
  // expected-error @below {{needs a static shape without a layout, found 'memref<?xf32>'}}
  %a = memref.alloc(%n) : memref<?xf32>
  return
}

// -----

func.func @stack() attributes {rt.entry} {
  // expected-error @below {{has no place in an entry}}
  %a = memref.alloca() : memref<4xf32>
  return
}
