// RUN: tp-opt %s --tp-plan-arena --canonicalize | FileCheck %s

module attributes {rt.images = ["emulated"]} {
rt.group @tp [0, 1, 2]
func.func private @use(memref<131072xf32>) attributes {rt.kernel, rt.device}
func.func private @read(memref<64xf32>) attributes {rt.kernel, rt.device}

// What small collectives take comes first, larger buffers behind; those of large collectives
// are as others.
// CHECK-LABEL: func @small
// CHECK-SAME: rt.arena_bytes = 1049344 : i64
// CHECK-SAME: rt.symmetric_bytes = 768 : i64
func.func @small() attributes {rt.entry} {
  // CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
  // CHECK-DAG: %[[C512:.*]] = arith.constant 512 : index
  // CHECK-DAG: %[[C768:.*]] = arith.constant 768 : index
  // CHECK-DAG: %[[C525056:.*]] = arith.constant 525056 : index
  // CHECK: memref.view %{{.*}}[%[[C768]]][] : {{.*}} to memref<131072xf32>
  // CHECK: memref.view %{{.*}}[%[[C525056]]][] : {{.*}} to memref<131072xf32>
  // CHECK: memref.view %{{.*}}[%[[C512]]][] : {{.*}} to memref<64xf32>
  // CHECK: memref.view %{{.*}}[%[[C0]]][] : {{.*}} to memref<128xf32>
  %large = memref.alloc() : memref<131072xf32>
  %summed = memref.alloc() : memref<131072xf32>
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<128xf32>
  rt.launch @use blocks 1 threads 32 (%large) : memref<131072xf32>
  rt.all_reduce sum %summed over @tp : memref<131072xf32>
  rt.all_gather %a into %b dim 0 over @tp : memref<64xf32>, memref<128xf32>
  rt.launch @use blocks 1 threads 32 (%large) : memref<131072xf32>
  return
}

// Where no collective is small there is none of it.
// CHECK-LABEL: func @none
// CHECK-NOT: rt.symmetric_bytes
// CHECK: return
func.func @none(%a: memref<64xf32>) attributes {rt.entry} {
  %b = memref.alloc() : memref<64xf32>
  rt.all_reduce sum %a over @tp : memref<64xf32>
  rt.launch @read blocks 1 threads 32 (%b) : memref<64xf32>
  return
}
}
