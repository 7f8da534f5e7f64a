// RUN: tp-opt %s | tp-opt | FileCheck %s
// RUN: tp-opt %s -mlir-print-op-generic | tp-opt | FileCheck %s

tp.mesh @mesh <"dp"=2, "tp"=4>

// CHECK-LABEL: func @coordinate
func.func @coordinate() -> (index, index) {
  // CHECK: comm.coordinate (tp)
  %0 = comm.coordinate (tp)
  // CHECK: comm.check_index %{{.*}} in [0, 8) because "offset"
  %c = comm.check_index %0 in [0, 8) because "offset"
  // CHECK: comm.coordinate (tp:(2)2)
  %1 = comm.coordinate (tp:(2)2)
  return %0, %1 : index, index
}

// CHECK-LABEL: func @collectives
func.func @collectives(%a: tensor<8x4xf32>, %b: tensor<8x4xi1>, %s: tensor<i32>) {
  // CHECK: comm.all_reduce sum %{{.*}} over (tp) because "sum over tp" : tensor<8x4xf32>
  %0 = comm.all_reduce sum %a over (tp) because "sum over tp" : tensor<8x4xf32>
  // CHECK: comm.all_reduce maxnum %{{.*}} over (dp, tp) : tensor<8x4xf32>
  %1 = comm.all_reduce maxnum %a over (dp, tp) : tensor<8x4xf32>
  // CHECK: comm.all_reduce or %{{.*}} over (tp:(1)2) : tensor<8x4xi1>
  %2 = comm.all_reduce or %b over (tp:(1)2) : tensor<8x4xi1>
  // CHECK: comm.all_reduce minu %{{.*}} over (tp) : tensor<i32>
  %3 = comm.all_reduce minu %s over (tp) : tensor<i32>
  // CHECK: comm.all_gather %{{.*}} dim 1 over (tp, dp) because "whole" : tensor<8x4xf32> -> tensor<8x32xf32>
  %4 = comm.all_gather %a dim 1 over (tp, dp) because "whole" : tensor<8x4xf32> -> tensor<8x32xf32>
  // CHECK: comm.reduce_scatter max %{{.*}} dim 0 over (tp:(2)2) : tensor<8x4xf32> -> tensor<4x4xf32>
  %5 = comm.reduce_scatter max %a dim 0 over (tp:(2)2) : tensor<8x4xf32> -> tensor<4x4xf32>
  // CHECK: comm.all_to_all %{{.*}} split 0 concat 1 over (tp) : tensor<8x4xf32> -> tensor<2x16xf32>
  %6 = comm.all_to_all %a split 0 concat 1 over (tp) : tensor<8x4xf32> -> tensor<2x16xf32>
  // CHECK: comm.all_to_all %{{.*}} split 0 concat 0 over (dp, tp) : tensor<8x4xf32> -> tensor<8x4xf32>
  %7 = comm.all_to_all %a split 0 concat 0 over (dp, tp) : tensor<8x4xf32> -> tensor<8x4xf32>
  // CHECK: comm.permute %{{.*}} from [-1, 0, 1, 1] over (tp) : tensor<8x4xf32>
  %8 = comm.permute %a from [-1, 0, 1, 1] over (tp) : tensor<8x4xf32>
  // CHECK: %{{.*}}:2 = comm.all_reduce sum %{{.*}}, %{{.*}} over (tp) : tensor<8x4xf32>, tensor<8x4xf32>
  %9:2 = comm.all_reduce sum %a, %8 over (tp) : tensor<8x4xf32>, tensor<8x4xf32>
  %types = arith.constant dense<true> : tensor<2xi1>
  // CHECK: %{{.*}}:2 = comm.all_gather %{{.*}}, %{{.*}} dim 0 over (dp) : tensor<8x4xf32>, tensor<2xi1> -> tensor<16x4xf32>, tensor<4xi1>
  %many:2 = comm.all_gather %a, %types dim 0 over (dp) : tensor<8x4xf32>, tensor<2xi1> -> tensor<16x4xf32>, tensor<4xi1>
  // CHECK: %{{.*}}:2 = comm.all_gather %{{.*}}, %{{.*}} dim 0 over (dp) : tensor<8x4xf32>, tensor<2x16xf32> -> tensor<16x4xf32>, tensor<4x16xf32>
  %10:2 = comm.all_gather %a, %6 dim 0 over (dp) : tensor<8x4xf32>, tensor<2x16xf32> -> tensor<16x4xf32>, tensor<4x16xf32>
  return
}
