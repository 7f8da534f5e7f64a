// RUN: tp-opt %s --pass-pipeline='builtin.module(func.func(tp-narrow-transfers))' | FileCheck %s
// RUN: tp-test-opt %s --test-interpret=local -o /dev/null > %t.before
// RUN: tp-test-opt %s --pass-pipeline='builtin.module(func.func(tp-narrow-transfers),tp-verify-comm,test-interpret{local=true})' -o /dev/null > %t.after
// RUN: diff %t.before %t.after

#id = affine_map<(d0, d1) -> (d0, d1)>
tp.mesh @mesh <"tp"=4>

// CHECK-LABEL: func.func @gather
// CHECK: %[[T:.*]] = arith.truncf %arg0 : tensor<2x4xf32> to tensor<2x4xbf16>
// CHECK: %[[G:.*]] = comm.all_gather %[[T]] dim 0 over (tp) because "why" : tensor<2x4xbf16> -> tensor<8x4xbf16>
// CHECK: return %[[G]]
func.func @gather(%x: tensor<2x4xf32> {tp.sharding = #tp.sharding<[tp, _]>, tp.global_type = tensor<8x4xf32>}) -> tensor<8x4xbf16> {
  %g = comm.all_gather %x dim 0 over (tp) because "why" : tensor<2x4xf32> -> tensor<8x4xf32>
  %n = arith.truncf %g : tensor<8x4xf32> to tensor<8x4xbf16>
  return %n : tensor<8x4xbf16>
}

// Through what closes the gaps of uneven blocks, in linalg.
// CHECK-LABEL: func.func @uneven
// CHECK: %[[T:.*]] = linalg.generic {{.*}} ins(%arg0 : tensor<2x4xi64>)
// CHECK: arith.trunci
// CHECK: comm.all_gather %{{.*}} : tensor<2x4xi8> -> tensor<8x4xi8>
// CHECK: tensor.extract_slice %{{.*}} : tensor<8x4xi8> to tensor<7x4xi8>
// CHECK: linalg.transpose
func.func @uneven(%x: tensor<2x4xi64> {tp.sharding = #tp.sharding<[tp, _]>, tp.global_type = tensor<8x4xi64>}) -> tensor<4x7xi8> {
  %g = comm.all_gather %x dim 0 over (tp) : tensor<2x4xi64> -> tensor<8x4xi64>
  %s = tensor.extract_slice %g[0, 0] [7, 4] [1, 1] : tensor<8x4xi64> to tensor<7x4xi64>
  %f = tensor.empty() : tensor<4x7xi64>
  %t = linalg.transpose ins(%s : tensor<7x4xi64>) outs(%f : tensor<4x7xi64>) permutation = [1, 0]
  %e = tensor.empty() : tensor<4x7xi8>
  %n = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%t : tensor<4x7xi64>) outs(%e : tensor<4x7xi8>) {
  ^bb0(%a: i64, %o: i8):
    %0 = arith.trunci %a : i64 to i8
    linalg.yield %0 : i8
  } -> tensor<4x7xi8>
  return %n : tensor<4x7xi8>
}

// From two dimensions to one.
// CHECK-LABEL: func.func @reshaped
// CHECK: arith.truncf %arg0 : tensor<2x4xf32> to tensor<2x4xf16>
// CHECK: comm.all_to_all %{{.*}} : tensor<2x4xf16> -> tensor<8x1xf16>
// CHECK: comm.permute %{{.*}} : tensor<2x4xf16>
func.func @reshaped(%x: tensor<2x4xf32> {tp.sharding = #tp.sharding<[tp, _]>, tp.global_type = tensor<8x4xf32>})
    -> (tensor<8xf16>, tensor<2x4xf16>) {
  %a = comm.all_to_all %x split 1 concat 0 over (tp) : tensor<2x4xf32> -> tensor<8x1xf32>
  %c = tensor.collapse_shape %a [[0, 1]] : tensor<8x1xf32> into tensor<8xf32>
  %n = arith.truncf %c : tensor<8xf32> to tensor<8xf16>
  %p = comm.permute %x from [-1, 0, 3, 2] over (tp) : tensor<2x4xf32>
  %m = arith.truncf %p : tensor<2x4xf32> to tensor<2x4xf16>
  return %n, %m : tensor<8xf16>, tensor<2x4xf16>
}

// The wide value is used, too; a sum is not to be rounded before; what widens stays.
// CHECK-LABEL: func.func @kept
// CHECK: comm.all_gather %{{.*}} -> tensor<8x4xf32>
// CHECK: comm.all_reduce sum %{{.*}} : tensor<2x4xf32>
// CHECK: comm.permute %{{.*}} : tensor<2x4xf32>
// CHECK: arith.extf
func.func @kept(%x: tensor<2x4xf32> {tp.sharding = #tp.sharding<[tp, _]>, tp.global_type = tensor<8x4xf32>})
    -> (tensor<8x4xf32>, tensor<8x4xbf16>, tensor<2x4xbf16>, tensor<2x4xf64>) {
  %g = comm.all_gather %x dim 0 over (tp) : tensor<2x4xf32> -> tensor<8x4xf32>
  %n = arith.truncf %g : tensor<8x4xf32> to tensor<8x4xbf16>
  %s = comm.all_reduce sum %x over (tp) : tensor<2x4xf32>
  %m = arith.truncf %s : tensor<2x4xf32> to tensor<2x4xbf16>
  %p = comm.permute %x from [1, 0, 3, 2] over (tp) : tensor<2x4xf32>
  %w = arith.extf %p : tensor<2x4xf32> to tensor<2x4xf64>
  return %g, %n, %m, %w : tensor<8x4xf32>, tensor<8x4xbf16>, tensor<2x4xbf16>, tensor<2x4xf64>
}
