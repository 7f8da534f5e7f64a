// RUN: tp-opt %s --pass-pipeline='builtin.module(func.func(tp-hoist-collectives))' | FileCheck %s
// RUN: tp-test-opt %s --test-interpret=local -o /dev/null > %t.before
// RUN: tp-test-opt %s --pass-pipeline='builtin.module(func.func(tp-hoist-collectives),tp-verify-comm,test-interpret{local=true})' -o /dev/null > %t.after
// RUN: diff %t.before %t.after

tp.mesh @mesh <"tp"=4>

// The gather and what makes its operand leave the loop; what needs the counter stays.
// CHECK-LABEL: func.func @gather
// CHECK: %[[T:.*]] = arith.addf %arg0, %arg0
// CHECK: %[[G:.*]] = comm.all_gather %[[T]]
// CHECK: scf.for
// CHECK-NOT: comm.all_gather
// CHECK: comm.all_reduce
func.func @gather(%w: tensor<2x4xf32> {tp.sharding = #tp.sharding<[tp, _]>, tp.global_type = tensor<8x4xf32>},
                  %n: index, %init: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%acc = %init) -> (tensor<8x4xf32>) {
    %t = arith.addf %w, %w : tensor<2x4xf32>
    %g = comm.all_gather %t dim 0 over (tp) : tensor<2x4xf32> -> tensor<8x4xf32>
    %s = arith.addf %acc, %g : tensor<8x4xf32>
    %a = comm.all_reduce max %s over (tp) : tensor<8x4xf32>
    scf.yield %a : tensor<8x4xf32>
  }
  return %r : tensor<8x4xf32>
}

// From an inner loop through the outer one; a run-time number of trips is the same for all.
// CHECK-LABEL: func.func @nested
// CHECK: comm.all_reduce
// CHECK-NEXT: scf.for
// CHECK-NOT: comm
// CHECK: return
func.func @nested(%w: tensor<1x4xf32> {tp.sharding = #tp.sharding<[tp, _]>, tp.global_type = tensor<4x4xf32>},
                  %n: index, %init: tensor<1x4xf32>) -> tensor<1x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%outer = %init) -> (tensor<1x4xf32>) {
    %q = scf.for %j = %c0 to %n step %c1 iter_args(%acc = %outer) -> (tensor<1x4xf32>) {
      %g = comm.all_reduce sum %w over (tp) : tensor<1x4xf32>
      %s = arith.addf %acc, %g : tensor<1x4xf32>
      scf.yield %s : tensor<1x4xf32>
    }
    scf.yield %q : tensor<1x4xf32>
  }
  return %r : tensor<1x4xf32>
}

// What is in a branch stays there, and so does what needs it.
// CHECK-LABEL: func.func @branch
// CHECK-NOT: comm
// CHECK: scf.for
// CHECK: scf.if
// CHECK: comm.all_reduce
func.func @branch(%w: tensor<1x4xf32> {tp.sharding = #tp.sharding<[tp, _]>, tp.global_type = tensor<4x4xf32>},
                  %n: index, %init: tensor<1x4xf32>) -> tensor<1x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%acc = %init) -> (tensor<1x4xf32>) {
    %even = arith.cmpi eq, %i, %n : index
    %b = scf.if %even -> (tensor<1x4xf32>) {
      %g = comm.all_reduce sum %w over (tp) : tensor<1x4xf32>
      scf.yield %g : tensor<1x4xf32>
    } else {
      scf.yield %acc : tensor<1x4xf32>
    }
    %s = arith.addf %acc, %b : tensor<1x4xf32>
    scf.yield %s : tensor<1x4xf32>
  }
  return %r : tensor<1x4xf32>
}

// Both regions of a while.
// CHECK-LABEL: func.func @while
// CHECK-COUNT-2: comm.all_reduce
// CHECK: scf.while
// CHECK-NOT: comm
func.func @while(%w: tensor<1x4xf32> {tp.sharding = #tp.sharding<[tp, _]>, tp.global_type = tensor<4x4xf32>},
                 %n: index, %init: tensor<1x4xf32>) -> tensor<1x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %r:2 = scf.while (%i = %c0, %v = %init) : (index, tensor<1x4xf32>) -> (index, tensor<1x4xf32>) {
    %m = comm.all_reduce max %w over (tp) : tensor<1x4xf32>
    %u = arith.addf %v, %m : tensor<1x4xf32>
    %go = arith.cmpi ult, %i, %c3 : index
    scf.condition(%go) %i, %u : index, tensor<1x4xf32>
  } do {
  ^bb0(%i: index, %v: tensor<1x4xf32>):
    %s = comm.all_reduce sum %w over (tp) : tensor<1x4xf32>
    %u = arith.addf %v, %s : tensor<1x4xf32>
    %j = arith.addi %i, %c1 : index
    scf.yield %j, %u : index, tensor<1x4xf32>
  }
  return %r#1 : tensor<1x4xf32>
}
