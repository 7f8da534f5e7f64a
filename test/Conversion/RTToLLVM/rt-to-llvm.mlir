// RUN: tp-opt %s --tp-convert-rt-to-llvm | FileCheck %s
// RUN: tp-opt %s --tp-lower-to-llvm-pipeline | FileCheck %s --check-prefix=FULL

// FULL-NOT: unrealized_conversion_cast
// FULL-NOT: memref
// FULL-NOT: = rt.

tp.mesh @m <"tp"=4>
rt.group @tp [0, 1, 4]
rt.group @pair [0, 2, 2]
// CHECK-NOT: tp.mesh
// CHECK-NOT: rt.group

// CHECK-DAG: llvm.func @tprt_all_reduce(!llvm.ptr, i32, i32, i32, i32, i32, !llvm.ptr, !llvm.ptr, i64) -> i32
// CHECK-DAG: llvm.func @tprt_coordinate(!llvm.ptr, i32) -> i64
// CHECK-DAG: llvm.mlir.global internal constant @tprt.permutation.0(dense<[1, 0]> : tensor<2xi32>)

// CHECK-LABEL: llvm.func internal @entry.collectives(
// CHECK-SAME: %[[CTX:.*]]: !llvm.ptr, %[[BUFFERS:.*]]: !llvm.ptr) -> i32
func.func @collectives(%a: memref<4x2xf32>, %b: memref<4x8xf32>, %out: memref<4x2xf32> {rt.result = 1 : i64})
    attributes {rt.entry, rt.results = [{state = 0 : i64, type = tensor<4x2xf32>}, {type = tensor<4x2xf32>}]} {
  // Arguments 0 and 1, then the slot of result 1: the state's is empty.
  // CHECK: %[[A:.*]] = llvm.load %[[BUFFERS]]
  // CHECK: %[[B_SLOT:.*]] = llvm.getelementptr %[[BUFFERS]][1]
  // CHECK: %[[B:.*]] = llvm.load %[[B_SLOT]]
  // CHECK: %[[OUT_SLOT:.*]] = llvm.getelementptr %[[BUFFERS]][3]
  // CHECK: %[[OUT:.*]] = llvm.load %[[OUT_SLOT]]
  // CHECK: %[[STATUS:.*]] = llvm.call @tprt_all_reduce(%[[CTX]],
  // CHECK: %[[FAILED:.*]] = llvm.icmp "ne" %[[STATUS]]
  // CHECK: cf.cond_br %[[FAILED]], ^[[EXIT:.*]](%[[STATUS]] : i32), ^[[NEXT:.*]]
  rt.all_reduce sum %a over @tp : memref<4x2xf32>
  // CHECK: ^[[NEXT]]:
  // CHECK: %[[OUTER:.*]] = llvm.mlir.constant(4 : i64)
  // CHECK: %[[INNER:.*]] = llvm.mlir.constant(2 : i64)
  // CHECK: llvm.call @tprt_all_gather({{.*}}%[[OUTER]], %[[INNER]])
  rt.all_gather %a into %b dim 1 over @tp : memref<4x2xf32>, memref<4x8xf32>
  // CHECK: llvm.call @tprt_reduce_scatter
  rt.reduce_scatter max %b into %out dim 1 over @tp : memref<4x8xf32>, memref<4x2xf32>
  // CHECK: %[[COUNT:.*]] = llvm.mlir.constant(2 : i64)
  // CHECK: llvm.call @tprt_all_to_all({{.*}}%[[COUNT]])
  rt.all_to_all %a into %out over @tp : memref<4x2xf32>, memref<4x2xf32>
  // CHECK: %[[TABLE:.*]] = llvm.mlir.addressof @tprt.permutation.0
  // CHECK: llvm.call @tprt_permute({{.*}}%[[TABLE]])
  rt.permute %a into %out from [1, 0] over @pair : memref<4x2xf32>, memref<4x2xf32>
  // CHECK: llvm.call @tprt_gemm
  rt.gemm %a, %a, %b {m = 4, n = 4, k = 2, lda = 2, ldb = 2, ldc = 8, trans_b} : memref<4x2xf32>, memref<4x2xf32>, memref<4x8xf32>
  // What is not added is a null pointer.
  // CHECK: %[[NONE:.*]] = llvm.mlir.zero : !llvm.ptr
  // CHECK: llvm.call @tprt_gemm_fused({{.*}}, %[[NONE]], {{.*}})
  rt.gemm_fused relu %a, %a, %b bias %a {m = 4, n = 4, k = 2, lda = 2, ldb = 2, ldd = 8, trans_b} : memref<4x2xf32>, memref<4x2xf32>, memref<4x8xf32> bias memref<4x2xf32>
  // CHECK: cf.cond_br
  // CHECK: %[[OK:.*]] = llvm.mlir.constant(0 : i32)
  // CHECK: llvm.return %[[OK]] : i32
  // CHECK: ^[[EXIT]](%[[FIRST:.*]]: i32):
  // CHECK: llvm.return %[[FIRST]] : i32
  return
}

// A collective with a token has the lowest stream that is free, which its wait names.
// CHECK-LABEL: llvm.func internal @entry.beside
func.func @beside(%a: memref<4xf32>, %b: memref<4xf32>, %c: memref<4xf32>) attributes {rt.entry, rt.results = []} {
  // CHECK: %[[ONE:.*]] = llvm.mlir.constant(1 : i32)
  // CHECK: llvm.call @tprt_all_reduce(%{{.*}}, %[[ONE]], %[[OP:.*]], %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}})
  %0 = rt.all_reduce sum %a over @tp : memref<4xf32> -> !rt.token
  // CHECK: %[[TWO:.*]] = llvm.mlir.constant(2 : i32)
  // CHECK: llvm.call @tprt_all_reduce(%{{.*}}, %[[TWO]],
  %1 = rt.all_reduce sum %b over @tp : memref<4xf32> -> !rt.token
  // CHECK: %[[FIRST:.*]] = llvm.mlir.constant(1 : i32)
  // CHECK: llvm.call @tprt_wait(%{{.*}}, %{{.*}}, %[[FIRST]]) : (!llvm.ptr, i32, i32) -> i32
  rt.wait %0 (%a) : memref<4xf32>
  // CHECK: %[[AGAIN:.*]] = llvm.mlir.constant(1 : i32)
  // CHECK: llvm.call @tprt_all_reduce(%{{.*}}, %[[AGAIN]],
  %2 = rt.all_reduce sum %c over @tp : memref<4xf32> -> !rt.token
  // CHECK: llvm.call @tprt_wait
  rt.wait %1 (%b) : memref<4xf32>
  // CHECK: llvm.call @tprt_wait
  rt.wait %2 (%c) : memref<4xf32>
  return
}

// CHECK-LABEL: llvm.func internal @entry.scalars
func.func @scalars(%n: index, %flag: i1, %x: memref<8xf32>, %out: memref<index> {rt.result = 0 : i64})
    attributes {rt.entry, rt.results = [{type = index}]} {
  // CHECK: llvm.alloca %{{.*}} x i64 {alignment = 8 : i64}
  // CHECK: llvm.load %{{.*}} : !llvm.ptr -> i64
  // CHECK: %[[BYTE:.*]] = llvm.load %{{.*}} : !llvm.ptr -> i8
  // CHECK: llvm.trunc %[[BYTE]] : i8 to i1
  // CHECK: %[[C:.*]] = llvm.call @tprt_coordinate
  %c = rt.coordinate axis 0 of 4
  // CHECK: llvm.call @tprt_check_index(
  rt.check_index %n in [0, 8) because "offset"
  %view = memref.subview %x[%n] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: ?>>
  // The kernel gets the address of the view's first element.
  // CHECK: %[[TASK:.*]] = llvm.mlir.addressof @task.scale
  // CHECK: %[[FIRST:.*]] = llvm.getelementptr %{{.*}}[%{{.*}}] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  // CHECK: llvm.store %[[FIRST]]
  // CHECK: llvm.store %{{.*}} : i8, !llvm.ptr
  // CHECK: llvm.call @tprt_parallel_for(%{{.*}}, %{{.*}}, %{{.*}}, %[[TASK]],
  rt.parallel_for @scale range 4 grain 4 (%view, %flag) : memref<4xf32, strided<[1], offset: ?>>, i1
  memref.store %c, %out[] : memref<index>
  return
}

// CHECK-LABEL: llvm.func internal @kernel.scale(
// CHECK-SAME: %{{.*}}: i64, %{{.*}}: i64, %{{.*}}: !llvm.ptr {llvm.noalias}, %{{.*}}: i1)
// CHECK-SAME: no_inline
// CHECK: llvm.func internal @task.scale(%[[SLOTS:.*]]: !llvm.ptr, %[[BEGIN:.*]]: i64, %[[END:.*]]: i64)
// CHECK: %[[P:.*]] = llvm.load %[[SLOTS]] : !llvm.ptr -> !llvm.ptr
// CHECK: llvm.call @kernel.scale(%[[BEGIN]], %[[END]], %[[P]],
func.func private @scale(%begin: index, %end: index, %x: memref<4xf32> {llvm.noalias}, %flag: i1) attributes {rt.kernel} {
  return
}

// CHECK-LABEL: llvm.func internal @entry.launches(
// CHECK: %[[ELEMENT:.*]] = llvm.alloca
// CHECK: llvm.call @tprt_launch(%{{.*}}) : (!llvm.ptr, i32, i32, i32, i64, i32, i32, !llvm.ptr, i32) -> i32
// CHECK: %[[READ:.*]] = llvm.call @tprt_read(%{{.*}}, %[[ELEMENT]], %{{.*}}) : (!llvm.ptr, i32, !llvm.ptr, !llvm.ptr, i64) -> i32
// CHECK: llvm.load %[[ELEMENT]] : !llvm.ptr -> i64
// CHECK: %[[STATUS:.*]] = llvm.call @tprt_status(%{{.*}}) : (!llvm.ptr) -> !llvm.ptr
// CHECK: llvm.store %[[STATUS]], %[[SLOTS:.*]] : !llvm.ptr, !llvm.ptr
// CHECK: llvm.call @tprt_launch(%{{.*}}, %[[SLOTS]], %{{.*}}) : (!llvm.ptr, i32, i32, i32, i64, i32, i32, !llvm.ptr, i32) -> i32
// CHECK: llvm.call @tprt_copy(
func.func @launches(%x: memref<8xf32>, %n: memref<i64>, %y: memref<8xf32> {rt.result = 0 : i64})
    attributes {rt.entry, rt.results = [{type = tensor<8xf32>}]} {
  rt.launch @device_kernel blocks 4 threads 128 (%x, %n) : memref<8xf32>, memref<i64>
  %i = rt.read %n : memref<i64> -> i64
  %at = arith.index_cast %i : i64 to index
  rt.check_index %at in [0, 8) because "offset"
  rt.launch_check @check in [0, 8) because "offset" (%n) : memref<i64>
  rt.copy %x into %y : memref<8xf32>, memref<8xf32>
  return
}

// CHECK: llvm.func @tp_device_kernel(%{{.*}}: !llvm.ptr {llvm.noalias}, %{{.*}}: !llvm.ptr) attributes {{.*}}nvvm.kernel, nvvm.maxntid = array<i32: 128>
func.func private @check(memref<5xi64>, index, index, index, memref<i64>) attributes {rt.kernel, rt.device} {
^bb0(%status: memref<5xi64>, %row: index, %lower: index, %upper: index, %n: memref<i64>):
  return
}
func.func private @device_kernel(%x: memref<8xf32> {llvm.noalias}, %n: memref<i64>) attributes {rt.kernel, rt.device} {
  return
}

// CHECK: llvm.mlir.global internal constant @tprt.manifest("{
// CHECK: llvm.mlir.global internal constant @tprt.entries()
// CHECK:   llvm.mlir.addressof @entry.collectives
// CHECK:   llvm.mlir.addressof @entry.scalars
// CHECK: llvm.mlir.global external constant @tprt_module()
