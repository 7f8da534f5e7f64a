// RUN: tp-opt %s --pass-pipeline='builtin.module(func.func(tp-join-reductions))' | FileCheck %s
// RUN: tp-test-opt %s --test-interpret=local -o /dev/null > %t.before
// RUN: tp-test-opt %s --pass-pipeline='builtin.module(func.func(tp-join-reductions),tp-verify-comm,test-interpret{local=true})' -o /dev/null > %t.after
// RUN: diff %t.before %t.after

tp.mesh @mesh <"dp"=2, "tp"=2>

// CHECK-LABEL: func.func @two
// CHECK: %[[S:.*]] = arith.addf %arg0, %arg1
// CHECK: %[[R:.*]] = comm.all_reduce sum %[[S]] over (tp) because "a; b"
// CHECK-NEXT: return %[[R]]
func.func @two(%x: tensor<2x4xf32> {tp.sharding = #tp.sharding<[tp, _]>, tp.global_type = tensor<4x4xf32>},
               %y: tensor<2x4xf32> {tp.sharding = #tp.sharding<[tp, _]>, tp.global_type = tensor<4x4xf32>}) -> tensor<2x4xf32> {
  %a = comm.all_reduce sum %x over (tp) because "a" : tensor<2x4xf32>
  %b = comm.all_reduce sum %y over (tp) because "b" : tensor<2x4xf32>
  %r = arith.addf %a, %b : tensor<2x4xf32>
  return %r : tensor<2x4xf32>
}

// Scaled by what is the same on all ranks, three of them, and a reshape between.
// CHECK-LABEL: func.func @scaled
// CHECK-COUNT-1: comm.all_reduce
// CHECK-NOT: comm.all_reduce
// CHECK: return
func.func @scaled(%x: tensor<2x4xf32> {tp.sharding = #tp.sharding<[tp, _]>, tp.global_type = tensor<4x4xf32>},
                  %y: tensor<8xf32> {tp.sharding = #tp.sharding<[tp]>, tp.global_type = tensor<16xf32>},
                  %c: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %a = comm.all_reduce sum %x over (tp) : tensor<2x4xf32>
  %m = arith.mulf %a, %c : tensor<2x4xf32>
  %b0 = comm.all_reduce sum %y over (tp) : tensor<8xf32>
  %b = tensor.expand_shape %b0 [[0, 1]] output_shape [2, 4] : tensor<8xf32> into tensor<2x4xf32>
  %s = arith.subf %m, %b : tensor<2x4xf32>
  %y2 = arith.addf %y, %y : tensor<8xf32>
  %d0 = comm.all_reduce sum %y2 over (tp) : tensor<8xf32>
  %d = tensor.expand_shape %d0 [[0, 1]] output_shape [2, 4] : tensor<8xf32> into tensor<2x4xf32>
  %r = arith.addf %s, %d : tensor<2x4xf32>
  return %r : tensor<2x4xf32>
}

// CHECK-LABEL: func.func @maxima
// CHECK: arith.maximumf %arg0, %arg1
// CHECK: comm.all_reduce max
// CHECK-NOT: comm.all_reduce
// CHECK: return
func.func @maxima(%x: tensor<2x4xf32> {tp.sharding = #tp.sharding<[tp, _]>, tp.global_type = tensor<4x4xf32>},
                  %y: tensor<2x4xf32> {tp.sharding = #tp.sharding<[tp, _]>, tp.global_type = tensor<4x4xf32>}) -> tensor<2x4xf32> {
  %a = comm.all_reduce max %x over (tp) : tensor<2x4xf32>
  %b = comm.all_reduce max %y over (tp) : tensor<2x4xf32>
  %r = arith.maximumf %a, %b : tensor<2x4xf32>
  return %r : tensor<2x4xf32>
}

// Scaled by what differs between ranks; another group; another kind; through a rounding; read elsewhere.
// CHECK-LABEL: func.func @kept
// CHECK-COUNT-10: comm.all_reduce
func.func @kept(%x: tensor<2x4xf32> {tp.sharding = #tp.sharding<[tp, _]>, tp.global_type = tensor<4x4xf32>},
                %y: tensor<2x4xf32> {tp.sharding = #tp.sharding<[tp, _]>, tp.global_type = tensor<4x4xf32>})
    -> (tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xbf16>, tensor<2x4xf32>, tensor<2x4xf32>) {
  %a = comm.all_reduce sum %x over (tp) : tensor<2x4xf32>
  %m = arith.mulf %a, %y : tensor<2x4xf32>
  %b = comm.all_reduce sum %y over (tp) : tensor<2x4xf32>
  %r0 = arith.addf %m, %b : tensor<2x4xf32>
  %c = comm.all_reduce sum %x over (tp) : tensor<2x4xf32>
  %d = comm.all_reduce sum %y over (dp) : tensor<2x4xf32>
  %r1 = arith.addf %c, %d : tensor<2x4xf32>
  %e = comm.all_reduce max %x over (tp) : tensor<2x4xf32>
  %f = comm.all_reduce max %y over (tp) : tensor<2x4xf32>
  %r2 = arith.addf %e, %f : tensor<2x4xf32>
  %g = comm.all_reduce sum %x over (tp) : tensor<2x4xf32>
  %gn = arith.truncf %g : tensor<2x4xf32> to tensor<2x4xbf16>
  %h = comm.all_reduce sum %y over (tp) : tensor<2x4xf32>
  %hn = arith.truncf %h : tensor<2x4xf32> to tensor<2x4xbf16>
  %r3 = arith.addf %gn, %hn : tensor<2x4xbf16>
  %i = comm.all_reduce sum %x over (tp) : tensor<2x4xf32>
  %j = comm.all_reduce sum %y over (tp) : tensor<2x4xf32>
  %r4 = arith.addf %i, %j : tensor<2x4xf32>
  return %r0, %r1, %r2, %r3, %r4, %i : tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xbf16>, tensor<2x4xf32>, tensor<2x4xf32>
}

// A product of two sums is no sum of products.
// CHECK-LABEL: func.func @product
// CHECK-COUNT-2: comm.all_reduce
func.func @product(%x: tensor<2x4xf32> {tp.sharding = #tp.sharding<[tp, _]>, tp.global_type = tensor<4x4xf32>},
                   %y: tensor<2x4xf32> {tp.sharding = #tp.sharding<[tp, _]>, tp.global_type = tensor<4x4xf32>}) -> tensor<2x4xf32> {
  %a = comm.all_reduce sum %x over (tp) : tensor<2x4xf32>
  %b = comm.all_reduce sum %y over (tp) : tensor<2x4xf32>
  %r = arith.mulf %a, %b : tensor<2x4xf32>
  return %r : tensor<2x4xf32>
}
