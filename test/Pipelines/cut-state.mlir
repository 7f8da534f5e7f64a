// RUN: tp-opt %s --tp-plan-pipeline --tp-reshard-pipeline --tp-partition-pipeline --tp-optimize-comm-pipeline --tp-lower-to-rt-pipeline -verify-diagnostics | FileCheck %s

// A state that is cut where it is written at a run-time offset is written in place
// (a copy of it would be a remark), and read without being copied or gathered.
tp.mesh @mesh <"tp"=4>

// CHECK-LABEL: func.func @step
// CHECK-NOT: memref.copy
// CHECK: rt.check_index %arg2 in [0, 8) because "offset of tensor.insert_slice along dimension 1"
// CHECK: %[[ROW:.*]] = memref.subview %arg0{{.*}} to memref<2x1x4xf32
// CHECK: rt.parallel_for {{.*}}(%[[ROW]], %{{.*}}, %arg1)
// CHECK: rt.check_index %arg3 in [0, 6) because "offset of tensor.extract_slice along dimension 1"
// CHECK: rt.all_reduce sum %arg4 {{.*}} : memref<2x3x4xf32>
// CHECK-NEXT: return
func.func @step(%cache: tensor<2x8x4xf32> {tp.kind = "state", tp.name = "cache", tp.sharding = #tp.sharding<[_, tp, _]>}, %u: tensor<2x1x4xf32>, %pos: index, %at: index)
    -> (tensor<2x8x4xf32> {tp.alias = 0 : i64}, tensor<2x3x4xf32> {tp.sharding = #tp.sharding<[]>}) {
  %n = tensor.insert_slice %u into %cache[0, %pos, 0] [2, 1, 4] [1, 1, 1] : tensor<2x1x4xf32> into tensor<2x8x4xf32>
  %w = tensor.extract_slice %n[0, %at, 0] [2, 3, 4] [1, 1, 1] : tensor<2x8x4xf32> to tensor<2x3x4xf32>
  return %n, %w : tensor<2x8x4xf32>, tensor<2x3x4xf32>
}
