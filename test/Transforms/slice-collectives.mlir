// RUN: tp-opt %s --pass-pipeline='builtin.module(func.func(tp-slice-collectives))' | FileCheck %s
// RUN: tp-test-opt %s --test-interpret=local -o /dev/null > %t.before
// RUN: tp-test-opt %s --pass-pipeline='builtin.module(func.func(tp-slice-collectives),tp-verify-comm,test-interpret{local=true})' -o /dev/null > %t.after
// RUN: diff %t.before %t.after

tp.mesh @mesh <"dp"=2, "tp"=3>

// CHECK-LABEL: func.func @reduce
// CHECK: %[[R:.*]] = comm.reduce_scatter sum %arg0 dim 1 over (tp) because "why" : tensor<2x6xf32> -> tensor<2x2xf32>
// CHECK-NOT: all_reduce
// CHECK: return %[[R]]
func.func @reduce(%x: tensor<2x6xf32> {tp.sharding = #tp.sharding<[(dp, tp), _]>, tp.global_type = tensor<12x6xf32>}) -> tensor<2x2xf32> {
  %s = comm.all_reduce sum %x over (tp) because "why" : tensor<2x6xf32>
  %c = comm.coordinate (tp)
  %c2 = arith.constant 2 : index
  %o = arith.muli %c, %c2 : index
  %y = tensor.extract_slice %s[0, %o] [2, 2] [1, 1] : tensor<2x6xf32> to tensor<2x2xf32>
  return %y : tensor<2x2xf32>
}

// Both axes, in the order in which the slice follows them; one of two.
// CHECK-LABEL: func.func @reduce_two
// CHECK: comm.reduce_scatter max %arg0 dim 1 over (tp, dp) : tensor<2x6xf32> -> tensor<2x1xf32>
// CHECK: %[[S:.*]] = comm.reduce_scatter sum %arg0 dim 0 over (dp) : tensor<2x6xf32> -> tensor<1x6xf32>
// CHECK: comm.all_reduce sum %[[S]] over (tp) : tensor<1x6xf32>
func.func @reduce_two(%x: tensor<2x6xf32> {tp.sharding = #tp.sharding<[(dp, tp), _]>, tp.global_type = tensor<12x6xf32>})
    -> (tensor<2x1xf32>, tensor<1x6xf32>) {
  %s = comm.all_reduce max %x over (dp, tp) : tensor<2x6xf32>
  %d = comm.coordinate (dp)
  %t = comm.coordinate (tp)
  %c2 = arith.constant 2 : index
  %m = arith.muli %t, %c2 : index
  %o = arith.addi %m, %d : index
  %y = tensor.extract_slice %s[0, %o] [2, 1] [1, 1] : tensor<2x6xf32> to tensor<2x1xf32>
  %u = comm.all_reduce sum %x over (dp, tp) : tensor<2x6xf32>
  %z = tensor.extract_slice %u[%d, 0] [1, 6] [1, 1] : tensor<2x6xf32> to tensor<1x6xf32>
  return %y, %z : tensor<2x1xf32>, tensor<1x6xf32>
}

// The own block of a gather was there; that of the major axis is gathered over the rest.
// CHECK-LABEL: func.func @gather
// CHECK: %[[G:.*]] = comm.all_gather %arg0 dim 0 over (tp) : tensor<2x6xf32> -> tensor<6x6xf32>
// CHECK-NOT: all_gather
// CHECK: return %arg0, %[[G]]
func.func @gather(%x: tensor<2x6xf32> {tp.sharding = #tp.sharding<[(dp, tp), _]>, tp.global_type = tensor<12x6xf32>})
    -> (tensor<2x6xf32>, tensor<6x6xf32>) {
  %g = comm.all_gather %x dim 0 over (tp) : tensor<2x6xf32> -> tensor<6x6xf32>
  %t = comm.coordinate (tp)
  %c2 = arith.constant 2 : index
  %c6 = arith.constant 6 : index
  %o = arith.muli %t, %c2 : index
  %y = tensor.extract_slice %g[%o, 0] [2, 6] [1, 1] : tensor<6x6xf32> to tensor<2x6xf32>
  %h = comm.all_gather %x dim 0 over (dp, tp) : tensor<2x6xf32> -> tensor<12x6xf32>
  %d = comm.coordinate (dp)
  %p = arith.muli %d, %c6 : index
  %z = tensor.extract_slice %h[%p, 0] [6, 6] [1, 1] : tensor<12x6xf32> to tensor<6x6xf32>
  return %y, %z : tensor<2x6xf32>, tensor<6x6xf32>
}

// Another rank's block, a block of another size, an offset that data gives, a value that is used whole as well.
// CHECK-LABEL: func.func @kept
// CHECK-COUNT-4: comm.all_reduce
// CHECK-NOT: reduce_scatter
func.func @kept(%x: tensor<2x6xf32> {tp.sharding = #tp.sharding<[(dp, tp), _]>, tp.global_type = tensor<12x6xf32>}, %n: index)
    -> (tensor<2x2xf32>, tensor<2x1xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x6xf32>) {
  %t = comm.coordinate (tp)
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %o = arith.muli %t, %c2 : index
  %back = arith.subi %c4, %o : index
  %a = comm.all_reduce sum %x over (tp) : tensor<2x6xf32>
  %ra = tensor.extract_slice %a[0, %back] [2, 2] [1, 1] : tensor<2x6xf32> to tensor<2x2xf32>
  %b = comm.all_reduce max %x over (tp) : tensor<2x6xf32>
  %rb = tensor.extract_slice %b[0, %o] [2, 1] [1, 1] : tensor<2x6xf32> to tensor<2x1xf32>
  %c = comm.all_reduce min %x over (tp) : tensor<2x6xf32>
  %rc = tensor.extract_slice %c[0, %n] [2, 2] [1, 1] : tensor<2x6xf32> to tensor<2x2xf32>
  %d = comm.all_reduce mul %x over (tp) : tensor<2x6xf32>
  %rd = tensor.extract_slice %d[0, %o] [2, 2] [1, 1] : tensor<2x6xf32> to tensor<2x2xf32>
  return %ra, %rb, %rc, %rd, %d : tensor<2x2xf32>, tensor<2x1xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x6xf32>
}
