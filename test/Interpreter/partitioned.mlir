// RUN: split-file %s %t
// RUN: tp-test-opt %t/original.mlir --test-interpret=one-rank -o /dev/null | FileCheck %s
// RUN: tp-test-opt %t/partitioned.mlir --test-interpret=poison -o /dev/null | FileCheck %s
// RUN: not tp-test-opt %t/forgotten.mlir --test-interpret -o /dev/null 2>&1 | FileCheck %s --check-prefix=FORGOTTEN

// A matrix product contracted over 3 ranks (5 columns: blocks of 2, 2, 1) and a
// bias that is added once: the partitioned program gives the same values, and the
// one without its all-reduce is caught.

// CHECK-LABEL: @f
// CHECK: result 0: {{\[}}[16.359375, -14.125], [-0.078125, 23.796875]]
// CHECK: result 1: [0.625, 1.375, -2.5, -3, 3.875, -2.875, -2.625, -3.375, -2.125, -4]
// FORGOTTEN: error: result 0 of 'f': replicas differ at index [0, 0]: rank 0 holds {{.*}}, rank 1 holds {{.*}}

//--- original.mlir
func.func @f(%x: tensor<2x5xf32>, %w: tensor<5x2xf32>, %b: tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<10xf32>) {
  %zero = arith.constant dense<0.0> : tensor<2x2xf32>
  %y = linalg.matmul ins(%x, %w : tensor<2x5xf32>, tensor<5x2xf32>) outs(%zero : tensor<2x2xf32>) -> tensor<2x2xf32>
  %z = arith.addf %y, %b : tensor<2x2xf32>
  %r = tensor.collapse_shape %x [[0, 1]] : tensor<2x5xf32> into tensor<10xf32>
  return %z, %r : tensor<2x2xf32>, tensor<10xf32>
}

//--- partitioned.mlir
tp.mesh @mesh <"tp"=3>
func.func @f(%x: tensor<2x2xf32> {tp.sharding = #tp.sharding<[_, tp]>, tp.global_type = tensor<2x5xf32>},
             %w: tensor<2x2xf32> {tp.sharding = #tp.sharding<[tp, _]>, tp.global_type = tensor<5x2xf32>},
             %b: tensor<2x2xf32> {tp.sharding = #tp.sharding<[_, _]>, tp.global_type = tensor<2x2xf32>})
    -> (tensor<2x2xf32> {tp.sharding = #tp.sharding<[_, _]>, tp.global_type = tensor<2x2xf32>},
        tensor<10xf32> {tp.sharding = #tp.sharding<[_]>, tp.global_type = tensor<10xf32>}) {
  %zero = arith.constant dense<0.0> : tensor<2x2xf32>
  %p = linalg.matmul ins(%x, %w : tensor<2x2xf32>, tensor<2x2xf32>) outs(%zero : tensor<2x2xf32>) -> tensor<2x2xf32>
  %y = comm.all_reduce sum %p over (tp) : tensor<2x2xf32>
  %z = arith.addf %y, %b : tensor<2x2xf32>
  %g = comm.all_gather %x dim 1 over (tp) : tensor<2x2xf32> -> tensor<2x6xf32>
  %s = tensor.extract_slice %g[0, 0] [2, 5] [1, 1] : tensor<2x6xf32> to tensor<2x5xf32>
  %r = tensor.collapse_shape %s [[0, 1]] : tensor<2x5xf32> into tensor<10xf32>
  return %z, %r : tensor<2x2xf32>, tensor<10xf32>
}

//--- forgotten.mlir
tp.mesh @mesh <"tp"=3>
func.func @f(%x: tensor<2x2xf32> {tp.sharding = #tp.sharding<[_, tp]>, tp.global_type = tensor<2x5xf32>},
             %w: tensor<2x2xf32> {tp.sharding = #tp.sharding<[tp, _]>, tp.global_type = tensor<5x2xf32>},
             %b: tensor<2x2xf32> {tp.sharding = #tp.sharding<[_, _]>, tp.global_type = tensor<2x2xf32>})
    -> (tensor<2x2xf32> {tp.sharding = #tp.sharding<[_, _]>, tp.global_type = tensor<2x2xf32>}) {
  %zero = arith.constant dense<0.0> : tensor<2x2xf32>
  %p = linalg.matmul ins(%x, %w : tensor<2x2xf32>, tensor<2x2xf32>) outs(%zero : tensor<2x2xf32>) -> tensor<2x2xf32>
  %z = arith.addf %p, %b : tensor<2x2xf32>
  return %z : tensor<2x2xf32>
}
