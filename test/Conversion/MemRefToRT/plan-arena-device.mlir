// Buffers of a program for GPUs begin at multiples of 256 bytes.
//
// RUN: tp-opt %s --tp-plan-arena --canonicalize | FileCheck %s

module attributes {rt.images = ["sm_90"]} {
func.func private @use(memref<65xf32>, memref<3xi8>, memref<64xf32>) attributes {rt.device, rt.kernel}

// CHECK-LABEL: func @three
// CHECK-SAME: rt.arena_bytes = 1024 : i64
func.func @three() attributes {rt.entry} {
  // CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
  // CHECK-DAG: %[[C512:.*]] = arith.constant 512 : index
  // CHECK-DAG: %[[C768:.*]] = arith.constant 768 : index
  // CHECK: %[[ARENA:.*]] = rt.arena : memref<1024xi8>
  // CHECK-DAG: memref.view %[[ARENA]][%[[C0]]][] : memref<1024xi8> to memref<65xf32>
  // CHECK-DAG: memref.view %[[ARENA]][%[[C512]]][] : memref<1024xi8>
  // CHECK-DAG: memref.view %[[ARENA]][%[[C768]]][] : memref<1024xi8>
  %a = memref.alloc() : memref<65xf32>
  %b = memref.alloc() : memref<3xi8>
  %c = memref.alloc() : memref<64xf32>
  rt.launch @use blocks 1 threads 32 (%a, %b, %c) : memref<65xf32>, memref<3xi8>, memref<64xf32>
  return
}
}
