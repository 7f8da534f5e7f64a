// RUN: tp-opt %s -canonicalize | FileCheck %s --check-prefixes=CHECK,DEAD
// RUN: tp-opt %s -cse | FileCheck %s --check-prefixes=CHECK,COMMON
// RUN: tp-opt %s -loop-invariant-code-motion -control-flow-sink | FileCheck %s --check-prefix=PLACE

tp.mesh @m <"tp"=4>

// CHECK-LABEL: func @dead
func.func @dead(%a: tensor<4x4xf32>) {
  // DEAD-NOT: comm.
  %0 = comm.all_reduce sum %a over (tp) : tensor<4x4xf32>
  %1 = comm.all_gather %0 dim 0 over (tp) : tensor<4x4xf32> -> tensor<16x4xf32>
  %2 = comm.reduce_scatter sum %1 dim 0 over (tp) : tensor<16x4xf32> -> tensor<4x4xf32>
  %3 = comm.all_to_all %2 split 0 concat 1 over (tp) : tensor<4x4xf32> -> tensor<1x16xf32>
  %4 = comm.permute %3 from [1, 0, 3, 2] over (tp) : tensor<1x16xf32>
  %5 = comm.coordinate (tp)
  // CHECK: return
  return
}

// CHECK-LABEL: func @common
func.func @common(%a: tensor<4xf32>) -> (tensor<16xf32>, tensor<16xf32>, tensor<4xf32>, tensor<4xf32>) {
  // COMMON: %[[G:.*]] = comm.all_gather %arg0 dim 0 over (tp)
  // COMMON: %[[R:.*]] = comm.all_reduce sum %arg0 over (tp)
  // COMMON: %[[M:.*]] = comm.all_reduce max %arg0 over (tp)
  // COMMON-NOT: comm.
  // COMMON: return %[[G]], %[[G]], %[[R]], %[[M]]
  %0 = comm.all_gather %a dim 0 over (tp) : tensor<4xf32> -> tensor<16xf32>
  %1 = comm.all_reduce sum %a over (tp) : tensor<4xf32>
  %2 = comm.all_gather %a dim 0 over (tp) : tensor<4xf32> -> tensor<16xf32>
  %3 = comm.all_reduce max %a over (tp) : tensor<4xf32>
  return %0, %2, %1, %3 : tensor<16xf32>, tensor<16xf32>, tensor<4xf32>, tensor<4xf32>
}

// Hoisting out of a loop that may run no times, or sinking into a branch that
// some ranks do not take, is for passes that know when it is right.

// PLACE-LABEL: func @loop
func.func @loop(%a: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // PLACE: scf.for
  // PLACE-NEXT: comm.all_reduce
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%v = %a) -> tensor<4xf32> {
    %r = comm.all_reduce sum %a over (tp) : tensor<4xf32>
    %s = arith.addf %v, %r : tensor<4xf32>
    scf.yield %s : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// PLACE-LABEL: func @branch
func.func @branch(%a: tensor<4xf32>, %c: i1) -> tensor<4xf32> {
  // PLACE: comm.all_reduce
  // PLACE: scf.if
  %r = comm.all_reduce sum %a over (tp) : tensor<4xf32>
  %0 = scf.if %c -> tensor<4xf32> {
    %s = arith.addf %r, %r : tensor<4xf32>
    scf.yield %s : tensor<4xf32>
  } else {
    scf.yield %a : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}
