// RUN: tp-opt %s --tp-convert-comm-to-rt --canonicalize | FileCheck %s

// CHECK: tp.mesh
tp.mesh @m <"dp"=2, "tp"=4, "one"=1>
// CHECK-DAG: rt.group @tp [1, 1, 4]
// CHECK-DAG: rt.group @tp_dp [1, 1, 4, 0, 1, 2]
// CHECK-DAG: rt.group @tp_2_2 [1, 2, 2]
// CHECK-DAG: rt.group @one [2, 1, 1]

// CHECK-LABEL: func @collectives
func.func @collectives(%x: tensor<4x2xf32>) -> tensor<4x2xf32> {
  // CHECK: %[[R:.*]] = rt.all_reduce maxnum %arg0 over @tp because "why" : tensor<4x2xf32> -> tensor<4x2xf32>
  %0 = comm.all_reduce maxnum %x over (tp) because "why" : tensor<4x2xf32>
  // CHECK: %[[E:.*]] = tensor.empty() : tensor<4x16xf32>
  // CHECK: rt.all_gather %[[R]] into %[[E]] dim 1 over @tp_dp : tensor<4x2xf32>, tensor<4x16xf32> -> tensor<4x16xf32>
  %1 = comm.all_gather %0 dim 1 over (tp, dp) : tensor<4x2xf32> -> tensor<4x16xf32>
  // CHECK: rt.reduce_scatter sum %{{.*}} into %{{.*}} dim 1 over @tp_dp
  %2 = comm.reduce_scatter sum %1 dim 1 over (tp, dp) : tensor<4x16xf32> -> tensor<4x2xf32>
  // CHECK: rt.permute %{{.*}} into %{{.*}} from [1, -1] over @tp_2_2
  %3 = comm.permute %2 from [1, -1] over (tp:(2)2) : tensor<4x2xf32>
  return %3 : tensor<4x2xf32>
}

// CHECK-LABEL: func @check_index
// CHECK: rt.check_index %arg0 in [0, 8) because "offset"
// CHECK: return %arg0
func.func @check_index(%i: index) -> index {
  %0 = comm.check_index %i in [0, 8) because "offset"
  return %0 : index
}

// Blocks lead while they travel; received ones go where they are concatenated.
// CHECK-LABEL: func @all_to_all
func.func @all_to_all(%x: tensor<3x8xf32>) -> tensor<12x2xf32> {
  // CHECK: %[[CUT:.*]] = tensor.expand_shape %arg0 {{\[}}[0], [1, 2]] output_shape [3, 4, 2]
  // CHECK: %[[FIRST:.*]] = linalg.transpose ins(%[[CUT]] : tensor<3x4x2xf32>) outs(%{{.*}} : tensor<4x3x2xf32>) permutation = [1, 0, 2]
  // CHECK: %[[MOVED:.*]] = rt.all_to_all %[[FIRST]] into %{{.*}} over @tp : tensor<4x3x2xf32>, tensor<4x3x2xf32> -> tensor<4x3x2xf32>
  // CHECK-NOT: linalg.transpose
  // CHECK: tensor.collapse_shape %[[MOVED]] {{\[}}[0, 1], [2]] : tensor<4x3x2xf32> into tensor<12x2xf32>
  %0 = comm.all_to_all %x split 1 concat 0 over (tp) : tensor<3x8xf32> -> tensor<12x2xf32>
  return %0 : tensor<12x2xf32>
}

// CHECK-LABEL: func @all_to_all_inner
func.func @all_to_all_inner(%x: tensor<8x3xf32>) -> tensor<2x12xf32> {
  // CHECK: %[[CUT:.*]] = tensor.expand_shape %arg0 {{\[}}[0, 1], [2]] output_shape [4, 2, 3]
  // CHECK: %[[MOVED:.*]] = rt.all_to_all %[[CUT]]
  // CHECK: %[[BACK:.*]] = linalg.transpose ins(%[[MOVED]] : tensor<4x2x3xf32>) outs(%{{.*}} : tensor<2x4x3xf32>) permutation = [1, 0, 2]
  // CHECK: tensor.collapse_shape %[[BACK]] {{\[}}[0], [1, 2]]
  %0 = comm.all_to_all %x split 0 concat 1 over (tp) : tensor<8x3xf32> -> tensor<2x12xf32>
  return %0 : tensor<2x12xf32>
}

// Nothing travels in a group of one rank, except the zeros of a permute.
// CHECK-LABEL: func @alone
func.func @alone(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  // CHECK: %[[Z:.*]] = rt.permute %arg0 into %{{.*}} from [-1] over @one
  // CHECK: return %arg0, %[[Z]]
  %0 = comm.all_reduce sum %x over (one) : tensor<4xf32>
  %1 = comm.all_gather %0 dim 0 over (one) : tensor<4xf32> -> tensor<4xf32>
  %2 = comm.permute %1 from [0] over (one) : tensor<4xf32>
  %3 = comm.permute %2 from [-1] over (one) : tensor<4xf32>
  return %2, %3 : tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func @coordinates
func.func @coordinates() -> (index, index, index, index) {
  // CHECK: %[[C0:.*]] = arith.constant 0 : index
  // CHECK: %[[C2:.*]] = arith.constant 2 : index
  // CHECK: %[[TP:.*]] = rt.coordinate axis 1 of 4
  %0 = comm.coordinate (tp)
  // CHECK: %[[TP1:.*]] = rt.coordinate axis 1 of 4
  // CHECK: %[[MAJOR:.*]] = arith.divui %[[TP1]], %[[C2]]
  %1 = comm.coordinate (tp:(1)2)
  // CHECK: %[[TP2:.*]] = rt.coordinate axis 1 of 4
  // CHECK: %[[MINOR:.*]] = arith.remui %[[TP2]], %[[C2]]
  %2 = comm.coordinate (tp:(2)2)
  %3 = comm.coordinate (one)
  // CHECK: return %[[TP]], %[[MAJOR]], %[[MINOR]], %[[C0]]
  return %0, %1, %2, %3 : index, index, index, index
}
