// RUN: tp-opt %s --pass-pipeline='builtin.module(func.func(tp-combine-collectives))' | FileCheck %s
// RUN: tp-test-opt %s --test-interpret=local -o /dev/null > %t.before
// RUN: tp-test-opt %s --pass-pipeline='builtin.module(func.func(tp-combine-collectives),tp-verify-comm,test-interpret{local=true})' -o /dev/null > %t.after
// RUN: diff %t.before %t.after

// RUN: tp-opt %s --pass-pipeline='builtin.module(func.func(tp-combine-collectives{max-bytes=16}))' | FileCheck %s --check-prefix=SMALL

tp.mesh @mesh <"dp"=2, "tp"=2>

// All that wait for the first use are one: not those of another kind, group or type.
// CHECK-LABEL: func.func @kinds
// CHECK: %[[M:.*]] = comm.all_reduce max %arg0 over (tp)
// CHECK: %[[D:.*]] = comm.all_reduce sum %arg0 over (dp)
// CHECK: %[[I:.*]] = comm.all_reduce sum %arg1 over (tp) : tensor<4xi32>
// CHECK: %[[S:.*]]:2 = comm.all_reduce sum %arg0, %{{.*}} over (tp) because "a; b" : tensor<4xf32>, tensor<2x2xf32>
// CHECK: return %[[S]]#0, %[[M]], %[[D]], %[[I]], %[[S]]#1
// SMALL-LABEL: func.func @kinds
// SMALL: comm.all_reduce sum %arg0, %{{.*}} over (tp)
func.func @kinds(%x: tensor<4xf32> {tp.sharding = #tp.sharding<[(dp, tp)]>, tp.global_type = tensor<16xf32>},
                 %i: tensor<4xi32> {tp.sharding = #tp.sharding<[(dp, tp)]>, tp.global_type = tensor<16xi32>})
    -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xi32>, tensor<2x2xf32>) {
  %a = comm.all_reduce sum %x over (tp) because "a" : tensor<4xf32>
  %m = comm.all_reduce max %x over (tp) : tensor<4xf32>
  %d = comm.all_reduce sum %x over (dp) : tensor<4xf32>
  %n = comm.all_reduce sum %i over (tp) : tensor<4xi32>
  %y = tensor.expand_shape %x [[0, 1]] output_shape [2, 2] : tensor<4xf32> into tensor<2x2xf32>
  %b = comm.all_reduce sum %y over (tp) because "b" : tensor<2x2xf32>
  return %a, %m, %d, %n, %b : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xi32>, tensor<2x2xf32>
}

// What only moves may have several types: a candidate and its index.
// CHECK-LABEL: func.func @types
// CHECK: %[[G:.*]]:3 = comm.all_gather %arg0, %arg1, %{{.*}} dim 0 over (tp) because "a; b" : tensor<4xf32>, tensor<4xi64>, tensor<4xi1> -> tensor<8xf32>, tensor<8xi64>, tensor<8xi1>
// CHECK: return %[[G]]#0, %[[G]]#1, %[[G]]#2
func.func @types(%x: tensor<4xf32> {tp.sharding = #tp.sharding<[(dp, tp)]>, tp.global_type = tensor<16xf32>},
                 %i: tensor<4xi64> {tp.sharding = #tp.sharding<[(dp, tp)]>, tp.global_type = tensor<16xi64>})
    -> (tensor<8xf32>, tensor<8xi64>, tensor<8xi1>) {
  %a = comm.all_gather %x dim 0 over (tp) because "a" : tensor<4xf32> -> tensor<8xf32>
  %b = comm.all_gather %i dim 0 over (tp) because "b" : tensor<4xi64> -> tensor<8xi64>
  %zero = arith.constant dense<3> : tensor<4xi64>
  %t = arith.cmpi sgt, %i, %zero : tensor<4xi64>
  %c = comm.all_gather %t dim 0 over (tp) because "b" : tensor<4xi1> -> tensor<8xi1>
  return %a, %b, %c : tensor<8xf32>, tensor<8xi64>, tensor<8xi1>
}

// What depends on another comes after it; what is large stays alone.
// CHECK-LABEL: func.func @chain
// CHECK: %[[A:.*]]:2 = comm.all_gather %arg0, %arg0 dim 0 over (dp)
// CHECK: arith.addf %[[A]]#0
// CHECK: %[[B:.*]]:2 = comm.all_gather %{{.*}}, %{{.*}} dim 0 over (dp)
// CHECK: return
// SMALL-LABEL: func.func @chain
// SMALL-COUNT-4: comm.all_gather %{{.*}} dim 0 over (dp) : tensor
func.func @chain(%x: tensor<4xf32> {tp.sharding = #tp.sharding<[(dp, tp)]>, tp.global_type = tensor<16xf32>})
    -> (tensor<16xf32>, tensor<16xf32>, tensor<8xf32>) {
  %a = comm.all_gather %x dim 0 over (dp) : tensor<4xf32> -> tensor<8xf32>
  %b = comm.all_gather %x dim 0 over (dp) : tensor<4xf32> -> tensor<8xf32>
  %s = arith.addf %a, %a : tensor<8xf32>
  %c = comm.all_gather %s dim 0 over (dp) : tensor<8xf32> -> tensor<16xf32>
  %d = comm.all_gather %b dim 0 over (dp) : tensor<8xf32> -> tensor<16xf32>
  return %c, %d, %b : tensor<16xf32>, tensor<16xf32>, tensor<8xf32>
}

// Buckets that close each other: a gather of one is the first use of the other.
// CHECK-LABEL: func.func @crossing
// CHECK-COUNT-2: comm.all_reduce sum
// CHECK-NOT: comm.all_reduce sum
// CHECK: return
func.func @crossing(%x: tensor<4xf32> {tp.sharding = #tp.sharding<[(dp, tp)]>, tp.global_type = tensor<16xf32>})
    -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %k0 = comm.all_reduce sum %x over (tp) : tensor<4xf32>
  %l0 = comm.all_reduce sum %x over (dp) : tensor<4xf32>
  %y = arith.mulf %x, %x : tensor<4xf32>
  %l1 = comm.all_reduce sum %y over (dp) : tensor<4xf32>
  %k1 = comm.all_reduce sum %l0 over (tp) : tensor<4xf32>
  return %k0, %l1, %k1 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// In a loop: within a trip, never with what is outside.
// CHECK-LABEL: func.func @loop
// CHECK: comm.all_reduce sum %arg0 over (tp) : tensor<4xf32>
// CHECK: scf.for
// CHECK: comm.all_reduce sum %{{.*}}, %{{.*}} over (tp)
func.func @loop(%x: tensor<4xf32> {tp.sharding = #tp.sharding<[(dp, tp)]>, tp.global_type = tensor<16xf32>}) -> (tensor<4xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %o = comm.all_reduce sum %x over (tp) : tensor<4xf32>
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%v = %x) -> (tensor<4xf32>) {
    %a = comm.all_reduce sum %v over (tp) : tensor<4xf32>
    %w = arith.mulf %v, %x : tensor<4xf32>
    %b = comm.all_reduce sum %w over (tp) : tensor<4xf32>
    %s = arith.subf %a, %b : tensor<4xf32>
    scf.yield %s : tensor<4xf32>
  }
  return %o, %r : tensor<4xf32>, tensor<4xf32>
}

// One behind the meeting joins it with the ops that compute its operand; the second
// depends on what meets.
// CHECK-LABEL: func.func @behind
// CHECK: %[[Y:.*]] = arith.mulf %arg0, %arg0
// CHECK: %[[S:.*]]:2 = comm.all_reduce sum %arg0, %[[Y]] over (tp)
// CHECK: %[[E:.*]] = arith.subf %[[S]]#0, %arg0
// CHECK: comm.all_reduce sum %[[E]] over (tp)
// CHECK: return
func.func @behind(%x: tensor<4xf32> {tp.sharding = #tp.sharding<[(dp, tp)]>, tp.global_type = tensor<16xf32>})
    -> (tensor<4xf32>, tensor<4xf32>) {
  %a = comm.all_reduce sum %x over (tp) : tensor<4xf32>
  %e = arith.subf %a, %x : tensor<4xf32>
  %y = arith.mulf %x, %x : tensor<4xf32>
  %b = comm.all_reduce sum %y over (tp) : tensor<4xf32>
  %c = comm.all_reduce sum %e over (tp) : tensor<4xf32>
  return %b, %c : tensor<4xf32>, tensor<4xf32>
}

// Nor does it join one that what it needs has to wait for.
// CHECK-LABEL: func.func @waits
// CHECK: comm.all_reduce sum %arg0 over (tp)
// CHECK: comm.all_reduce sum %arg0 over (dp)
// CHECK: comm.all_reduce sum %{{.*}} over (tp)
// CHECK: return
func.func @waits(%x: tensor<4xf32> {tp.sharding = #tp.sharding<[(dp, tp)]>, tp.global_type = tensor<16xf32>})
    -> (tensor<4xf32>, tensor<4xf32>) {
  %a = comm.all_reduce sum %x over (tp) : tensor<4xf32>
  %e = arith.subf %a, %x : tensor<4xf32>
  %d = comm.all_reduce sum %x over (dp) : tensor<4xf32>
  %y = arith.mulf %d, %d : tensor<4xf32>
  %b = comm.all_reduce sum %y over (tp) : tensor<4xf32>
  return %e, %b : tensor<4xf32>, tensor<4xf32>
}
