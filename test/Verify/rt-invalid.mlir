// RUN: tp-opt %s --tp-verify-rt -split-input-file -verify-diagnostics

func.func @correct(%x: memref<4xf32>) attributes {rt.entry, rt.arena_bytes = 128 : i64} {
  %c64 = arith.constant 64 : index
  %arena = rt.arena : memref<128xi8>
  %a = memref.view %arena[%c64][] : memref<128xi8> to memref<16xf32>
  rt.parallel_for @kernel range 1 grain 1 (%a) : memref<16xf32>
  return
}
func.func private @kernel(%begin: index, %end: index, %a: memref<16xf32>) attributes {rt.kernel} {
  %c0 = arith.constant 0 : index
  %v = vector.load %a[%c0] : memref<16xf32>, vector<16xf32>
  vector.store %v, %a[%c0] : memref<16xf32>, vector<16xf32>
  return
}

// -----

// expected-error @below {{a function is an entry or a kernel}}
func.func @neither() {
  return
}

// -----

// expected-error @below {{a kernel is declared but not defined}}
func.func private @declared(index, index) attributes {rt.kernel}

// -----

// expected-error @below {{entries and kernels return nothing}}
func.func @returns(%x: memref<4xf32>) -> memref<4xf32> attributes {rt.entry} {
  return %x : memref<4xf32>
}

// -----

func.func @linalg(%x: memref<4xf32>) attributes {rt.entry} {
  // expected-error @below {{'linalg.exp' is left in an entry}}
  linalg.exp ins(%x : memref<4xf32>) outs(%x : memref<4xf32>)
  return
}

// -----

func.func @allocates() attributes {rt.entry} {
  // expected-error @below {{'memref.alloc' is left in an entry}}
  %0 = memref.alloc() : memref<4xf32>
  return
}

// -----

func.func private @talks(%begin: index, %end: index) attributes {rt.kernel} {
  // expected-error @below {{'rt.coordinate' is left in a kernel}}
  %0 = rt.coordinate axis 0 of 4
  return
}

// -----

func.func @tensors() attributes {rt.entry} {
  // expected-error @below {{a tensor is left in an entry}}
  %0 = arith.constant dense<0.0> : tensor<4xf32>
  return
}

// -----

// expected-error @below {{an entry needs rt.arena_bytes}}
func.func @unplanned() attributes {rt.entry} {
  return
}

// -----

func.func @too_large() attributes {rt.entry, rt.arena_bytes = 64 : i64} {
  // expected-error @below {{'memref<128xi8>' is more than the 64 bytes of the arena}}
  %0 = rt.arena : memref<128xi8>
  return
}

// -----

func.func @outside() attributes {rt.entry, rt.arena_bytes = 128 : i64} {
  %c64 = arith.constant 64 : index
  %0 = rt.arena : memref<128xi8>
  // expected-error @below {{a view of 68 bytes does not lie in the 128 bytes of the arena at a constant multiple of 64}}
  %1 = memref.view %0[%c64][] : memref<128xi8> to memref<17xf32>
  return
}

// -----

func.func @unaligned() attributes {rt.entry, rt.arena_bytes = 128 : i64} {
  %c4 = arith.constant 4 : index
  %0 = rt.arena : memref<128xi8>
  // expected-error @below {{a view of 16 bytes does not lie in}}
  %1 = memref.view %0[%c4][] : memref<128xi8> to memref<4xf32>
  return
}

// -----

func.func @library(%k: i32, %n: i64, %a: memref<4xi64>, %b: memref<8xf32>) attributes {rt.entry, rt.arena_bytes = 0 : i64} {
  // expected-error @below {{'rt.kernel_call' is left in an entry}}
  rt.kernel_call "reduce" blocks 4 threads 32 (%k, %k, %a, %k, %b, %n) : i32, i32, memref<4xi64>, i32, memref<8xf32>, i64
  return
}

// -----

rt.group @tp [0, 1, 2]
func.func @forgets(%a: memref<4xf32>) attributes {rt.entry, rt.arena_bytes = 0 : i64} {
  // expected-error @below {{begins and is never waited for}}
  %0 = rt.all_reduce sum %a over @tp : memref<4xf32> -> !rt.token
  return
}
