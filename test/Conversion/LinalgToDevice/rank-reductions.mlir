// RUN: tp-opt %s --tp-outline-device-kernels="images=ptx_90" | FileCheck %s

// One kernel for each reduction of collectives and number of ranks, by which the runtime reduces where ranks are on one
// device; none where the rank is alone.

module {
  rt.group @tp [0, 1, 3]
  rt.group @one [0, 1, 1]
  func.func @f(%a: memref<6x4xf32>, %b: memref<2x4xf32>, %c: memref<8xbf16>, %d: memref<4xi64>) attributes {rt.entry} {
    rt.all_reduce sum %a over @tp : memref<6x4xf32>
    rt.all_reduce sum %c over @tp : memref<8xbf16>
    rt.reduce_scatter sum %a into %b dim 0 over @tp : memref<6x4xf32>, memref<2x4xf32>
    rt.all_reduce maxu %d over @one : memref<4xi64>
    return
  }
}

// CHECK-NOT:     func.func private @reduce_maxu
// CHECK:         func.func private @reduce_sum_f32_3(%[[A:.*]]: i64, %[[B:.*]]: i64, %[[C:.*]]: i64,
// CHECK-SAME:        %[[TO:.*]]: memref<1xf32>, %[[COUNT:.*]]: i64) attributes {rt.device, rt.kernel} {
// CHECK-DAG:     %[[TABLE:.*]] = memref.alloca() : memref<3xi64>
// CHECK-DAG:     memref.store %[[A]], %[[TABLE]]
// CHECK-DAG:     memref.store %[[C]], %[[TABLE]]
// CHECK:         rt.kernel_call "reduce" blocks 1 threads 256 ({{.*}}, %[[TABLE]], {{.*}}, %[[TO]], %[[COUNT]])
// CHECK:         func.func private @reduce_sum_bf16_3(
// CHECK-NOT:     func.func private @reduce
