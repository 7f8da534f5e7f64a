// RUN: tp-opt %s --pass-pipeline='builtin.module(func.func(tp-merge-collectives))' | FileCheck %s
// RUN: tp-test-opt %s --test-interpret=local -o /dev/null > %t.before
// RUN: tp-test-opt %s --pass-pipeline='builtin.module(func.func(tp-merge-collectives),tp-verify-comm,test-interpret{local=true})' -o /dev/null > %t.after
// RUN: diff %t.before %t.after

tp.mesh @mesh <"dp"=2, "tp"=2>

// A reason makes no difference, and what follows is common as well.
// CHECK-LABEL: func.func @reasons
// CHECK: %[[G:.*]] = comm.all_gather %arg0 dim 0 over (tp) because "q"
// CHECK: %[[A:.*]] = arith.addf %[[G]], %[[G]]
// CHECK: %[[R:.*]] = comm.all_reduce sum %[[A]] over (tp) because "first"
// CHECK-NOT: comm
// CHECK: return %[[R]], %[[R]]
func.func @reasons(%x: tensor<2x4xf32> {tp.sharding = #tp.sharding<[tp, _]>, tp.global_type = tensor<4x4xf32>})
    -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %a = comm.all_gather %x dim 0 over (tp) because "q" : tensor<2x4xf32> -> tensor<4x4xf32>
  %b = comm.all_gather %x dim 0 over (tp) because "k" : tensor<2x4xf32> -> tensor<4x4xf32>
  %aa = arith.addf %a, %a : tensor<4x4xf32>
  %bb = arith.addf %b, %b : tensor<4x4xf32>
  %r = comm.all_reduce sum %aa over (tp) because "first" : tensor<4x4xf32>
  %s = comm.all_reduce sum %bb over (tp) because "second" : tensor<4x4xf32>
  return %r, %s : tensor<4x4xf32>, tensor<4x4xf32>
}

// Another group, kind, dimension or value is another collective.
// CHECK-LABEL: func.func @different
// CHECK-COUNT-5: comm.
func.func @different(%x: tensor<4x4xf32> {tp.sharding = #tp.sharding<[tp, dp]>, tp.global_type = tensor<8x8xf32>})
    -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<8x4xf32>, tensor<4x8xf32>) {
  %a = comm.all_reduce sum %x over (tp) : tensor<4x4xf32>
  %b = comm.all_reduce max %x over (tp) : tensor<4x4xf32>
  %c = comm.all_reduce sum %x over (dp) : tensor<4x4xf32>
  %d = comm.all_gather %x dim 0 over (tp) : tensor<4x4xf32> -> tensor<8x4xf32>
  %e = comm.all_gather %x dim 1 over (tp) : tensor<4x4xf32> -> tensor<4x8xf32>
  return %a, %b, %c, %d, %e : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<8x4xf32>, tensor<4x8xf32>
}

// One before a branch or loop is the one inside, those of two branches are two.
// CHECK-LABEL: func.func @blocks
// CHECK: %[[A:.*]] = comm.all_reduce sum %arg0
// CHECK: scf.if
// CHECK-NOT: all_reduce sum
// CHECK: comm.all_reduce max
// CHECK: else
// CHECK: comm.all_reduce max
func.func @blocks(%x: tensor<4xf32> {tp.sharding = #tp.sharding<[tp]>, tp.global_type = tensor<8xf32>}, %c: i1)
    -> (tensor<4xf32>, tensor<4xf32>) {
  %a = comm.all_reduce sum %x over (tp) : tensor<4xf32>
  %r = scf.if %c -> (tensor<4xf32>) {
    %b = comm.all_reduce sum %x over (tp) : tensor<4xf32>
    %m = comm.all_reduce max %x over (tp) : tensor<4xf32>
    %s = arith.addf %b, %m : tensor<4xf32>
    scf.yield %s : tensor<4xf32>
  } else {
    %m = comm.all_reduce max %x over (tp) : tensor<4xf32>
    scf.yield %m : tensor<4xf32>
  }
  return %a, %r : tensor<4xf32>, tensor<4xf32>
}

// Nothing uses them, or only what nothing uses.
// CHECK-LABEL: func.func @dead
// CHECK-NOT: comm
// CHECK: return
func.func @dead(%x: tensor<4xf32> {tp.sharding = #tp.sharding<[tp]>, tp.global_type = tensor<8xf32>}, %c: i1) {
  %a = comm.all_reduce sum %x over (tp) : tensor<4xf32>
  %b = arith.addf %a, %a : tensor<4xf32>
  %d = comm.all_reduce max %b over (tp) : tensor<4xf32>
  scf.if %c {
    %e = comm.all_gather %d dim 0 over (tp) : tensor<4xf32> -> tensor<8xf32>
  }
  return
}

// A sum that only the loop itself reads, of two carried values; the third needs what it is made of.
// CHECK-LABEL: func.func @dead_carried
// CHECK: scf.for
// CHECK-NOT: sum
// CHECK: comm.all_reduce max
// CHECK-NOT: sum
// CHECK: return
func.func @dead_carried(%w: tensor<1x4xf32> {tp.sharding = #tp.sharding<[tp, _]>, tp.global_type = tensor<2x4xf32>}) -> tensor<1x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %r:4 = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %w, %b = %w, %c = %w, %d = %w)
      -> (tensor<1x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>) {
    %g = comm.all_reduce sum %b over (tp) : tensor<1x4xf32>
    %na = arith.addf %a, %g : tensor<1x4xf32>
    %nb = arith.addf %a, %b : tensor<1x4xf32>
    %m = comm.all_reduce max %d over (tp) : tensor<1x4xf32>
    %nc = arith.addf %c, %m : tensor<1x4xf32>
    %nd = arith.addf %d, %d : tensor<1x4xf32>
    scf.yield %na, %nb, %nc, %nd : tensor<1x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>
  }
  return %r#2 : tensor<1x4xf32>
}
