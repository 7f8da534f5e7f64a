// The work of products, copies and launches is in the manifest's operations: operations of
// all threads and trips, bytes of buffers that are at most those of the whole buffer.
//
// RUN: tp-opt %s --tp-convert-rt-to-llvm | python3 %S/Inputs/print_manifest.py | tr '}' '\n' | FileCheck %s

module attributes {rt.images = ["sm_90"]} {
func.func @f(%a: memref<2x3x5xf32>, %b: memref<5x7xf32>, %c: memref<2x3x7xf32>, %table: memref<1000x8xbf16>,
             %ids: memref<4xi64>, %rows: memref<4x8xbf16>, %x: memref<6x40xf32>, %y: memref<6xf32>, %n: memref<index>, %z: memref<6xf32>)
    attributes {rt.entry, rt.results = []} {
  // 2 * 2 * 3 * 7 * 5 operations; A once per batch, B once, C read and written.
  // CHECK: "bytes": 596, "flops": 420, "loc": "product", "name": "gemm"
  rt.gemm %a, %b, %c {m = 3, n = 7, k = 5, lda = 5, ldb = 7, ldc = 7, batch = 2, stride_a = 15, stride_c = 21, accumulate}
    : memref<2x3x5xf32>, memref<5x7xf32>, memref<2x3x7xf32> loc("product")
  // CHECK: "bytes": 48, "flops": 0, "loc": "copy", "name": "copy"
  rt.copy %y into %z : memref<6xf32>, memref<6xf32> loc("copy")
  // 32 threads load an id each, of which there are 4, and an element of the table, and store one.
  // CHECK: "bytes": 160, "flops": 0, "loc": "look-up", "name": "launch"
  rt.launch @look_up blocks 1 threads 32 (%ids, %table, %rows) : memref<4xi64>, memref<1000x8xbf16>, memref<4x8xbf16> loc("look-up")
  // 60 threads with four trips each: 240 loads, as many additions; then 60 loads and stores of 6 elements, and 60
  // multiplications with additions.
  // CHECK: "bytes": 1008, "flops": 360, "loc": "sum", "name": "launch"
  rt.launch @sum blocks 6 threads 10 (%x, %y) : memref<6x40xf32>, memref<6xf32> loc("sum")
  // Of a loop whose end is loaded the trips are not known.
  // CHECK: "bytes": 1016, "loc": "open", "name": "launch"
  rt.launch @open blocks 6 threads 1 (%x, %y, %n) : memref<6x40xf32>, memref<6xf32>, memref<index> loc("open")
  return
}

func.func private @look_up(%ids: memref<4xi64>, %table: memref<1000x8xbf16>, %rows: memref<4x8xbf16>) attributes {rt.device, rt.kernel} {
  %c8 = arith.constant 8 : index
  %0 = nvvm.read.ptx.sreg.tid.x : i32
  %thread = arith.index_castui %0 : i32 to index
  %row = arith.divui %thread, %c8 : index
  %column = arith.remui %thread, %c8 : index
  %id = memref.load %ids[%row] : memref<4xi64>
  %at = arith.index_cast %id : i64 to index
  %value = memref.load %table[%at, %column] : memref<1000x8xbf16>
  memref.store %value, %rows[%row, %column] : memref<4x8xbf16>
  return
}

func.func private @sum(%x: memref<6x40xf32>, %y: memref<6xf32>) attributes {rt.device, rt.kernel} {
  %c10 = arith.constant 10 : index
  %c35 = arith.constant 35 : index
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %0 = nvvm.read.ptx.sreg.ctaid.x : i32
  %row = arith.index_castui %0 : i32 to index
  %1 = nvvm.read.ptx.sreg.tid.x : i32
  %thread = arith.index_castui %1 : i32 to index
  %sum = scf.for %i = %thread to %c35 step %c10 iter_args(%s = %zero) -> f32 {
    %value = memref.load %x[%row, %i] : memref<6x40xf32>
    %next = arith.addf %s, %value : f32
    scf.yield %next : f32
  }
  %first = arith.cmpi eq, %thread, %c0 : index
  scf.if %first {
    %old = memref.load %y[%row] : memref<6xf32>
    %fused = math.fma %sum, %old, %old : f32
    memref.store %fused, %y[%row] : memref<6xf32>
  }
  return
}

func.func private @open(%x: memref<6x40xf32>, %y: memref<6xf32>, %n: memref<index>) attributes {rt.device, rt.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %0 = nvvm.read.ptx.sreg.ctaid.x : i32
  %row = arith.index_castui %0 : i32 to index
  %end = memref.load %n[] : memref<index>
  %sum = scf.for %i = %c0 to %end step %c1 iter_args(%s = %zero) -> f32 {
    %value = memref.load %x[%row, %i] : memref<6x40xf32>
    %next = arith.addf %s, %value : f32
    scf.yield %next : f32
  }
  %old = memref.load %y[%row] : memref<6xf32>
  memref.store %sum, %y[%row] : memref<6xf32>
  return
}
}
