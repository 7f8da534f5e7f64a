// RUN: tp-opt %s -split-input-file --tp-plan-pipeline --tp-reshard-pipeline --tp-partition-pipeline | FileCheck %s
// RUN: tp-opt %s -split-input-file --tp-plan-pipeline --tp-reshard-pipeline --tp-partition-pipeline=poison=true | FileCheck %s --check-prefix=POISON

tp.mesh @mesh <"tp"=4>

// CHECK-LABEL: func.func @row_parallel
// CHECK-SAME: %arg0: tensor<4x2xf32> {tp.global_type = tensor<4x8xf32>, tp.sharding = #tp.sharding<[_, tp]>}
// CHECK-SAME: %arg1: tensor<2x8xf32> {tp.global_type = tensor<8x8xf32>, tp.sharding = #tp.sharding<[tp, _]>}
// CHECK-SAME: -> (tensor<4x8xf32> {tp.global_type = tensor<4x8xf32>, tp.sharding = #tp.sharding<[_, _]>})
// CHECK: %[[P:.*]] = linalg.matmul ins(%arg0, %arg1 : tensor<4x2xf32>, tensor<2x8xf32>)
// CHECK: comm.all_reduce sum %[[P]] over (tp) because "linalg.matmul yields [_, _] sum(tp), wanted as [_, _]" : tensor<4x8xf32>
func.func @row_parallel(%x: tensor<4x8xf32> {tp.sharding = #tp.sharding<[_, tp]>}, %w: tensor<8x8xf32> {tp.sharding = #tp.sharding<[tp, _]>}) -> tensor<4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %y = linalg.matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%f : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// -----

// Indices count from the rank's block.
tp.mesh @mesh <"tp"=4>

// CHECK-LABEL: func.func @positions
// CHECK: %[[C:.*]] = comm.coordinate (tp)
// CHECK: linalg.generic
// CHECK: %[[I:.*]] = linalg.index 0
// CHECK: arith.addi %[[I]],
func.func @positions(%x: tensor<8xi64> {tp.sharding = #tp.sharding<[tp]>}) -> tensor<8xi64> {
  %e = tensor.empty() : tensor<8xi64>
  %y = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%x : tensor<8xi64>) outs(%e : tensor<8xi64>) {
  ^bb0(%a: i64, %o: i64):
    %i = linalg.index 0 : index
    %k = arith.index_cast %i : index to i64
    %r = arith.addi %a, %k : i64
    linalg.yield %r : i64
  } -> tensor<8xi64>
  return %y : tensor<8xi64>
}

// -----

// 6 rows over 4 ranks are 2, 2, 2, 0: the maximum over them needs -inf in the
// padding, which inputs do not come with.
tp.mesh @mesh <"tp"=4>

// CHECK-LABEL: func.func @uneven_maximum
// CHECK: %[[LOWEST:.*]] = arith.constant 0xFF800000 : f32
// CHECK: arith.select
// CHECK: linalg.reduce
// CHECK: comm.all_reduce max
func.func @uneven_maximum(%x: tensor<6x4xf32> {tp.sharding = #tp.sharding<[tp, _]>}) -> tensor<4xf32> {
  %lowest = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%lowest : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %m = linalg.reduce { arith.maximumf } ins(%x : tensor<6x4xf32>) outs(%f : tensor<4xf32>) dimensions = [0]
  return %m : tensor<4xf32>
}

// -----

// The parameter's padding is zero as loaded, the activation's is not known: one
// mask before the contraction. Poison shows the same.
tp.mesh @mesh <"tp"=2>

// CHECK-LABEL: func.func @uneven_contraction
// CHECK: math.exp %arg0 : tensor<2x2xf32>
// CHECK: arith.select
// CHECK-NOT: arith.select
// CHECK: linalg.matmul
// POISON-LABEL: func.func @uneven_contraction
// POISON: arith.constant 0x7FC00000 : f32
func.func @uneven_contraction(%x: tensor<2x3xf32> {tp.sharding = #tp.sharding<[_, tp]>}, %w: tensor<3x2xf32> {tp.sharding = #tp.sharding<[tp, _]>}) -> tensor<2x2xf32> {
  %zero = arith.constant 0.0 : f32
  %a = math.exp %x : tensor<2x3xf32>
  %e = tensor.empty() : tensor<2x2xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x2xf32>) -> tensor<2x2xf32>
  %y = linalg.matmul ins(%a, %w : tensor<2x3xf32>, tensor<3x2xf32>) outs(%f : tensor<2x2xf32>) -> tensor<2x2xf32>
  return %y : tensor<2x2xf32>
}

// -----

// What padded iterations index stays in range, and they do not divide by zero: 5
// rows over 4 ranks leave one iteration on rank 2 and two on rank 3 that are none.
tp.mesh @mesh <"tp"=4>

// CHECK-LABEL: func.func @padded_index
// CHECK: %[[LOCAL:.*]] = linalg.index 0
// CHECK: %[[INSIDE:.*]] = arith.cmpi slt, %[[LOCAL]], %{{.*}}
// CHECK: %[[G:.*]] = arith.index_cast
// CHECK: %[[ROW:.*]] = arith.select %[[INSIDE]], %[[G]], %c0
// CHECK: tensor.extract %arg1[%[[ROW]]]
// CHECK: %[[DIVISOR:.*]] = arith.select %{{.*}}, %{{.*}}, %c1
// CHECK: arith.divsi %{{.*}}, %[[DIVISOR]]
func.func @padded_index(%x: tensor<5xi32> {tp.sharding = #tp.sharding<[tp]>}, %t: tensor<5xf32> {tp.sharding = #tp.sharding<[]>}) -> tensor<5xf32> {
  %e = tensor.empty() : tensor<5xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%x : tensor<5xi32>) outs(%e : tensor<5xf32>) {
  ^bb0(%a: i32, %o: f32):
    %i = arith.index_cast %a : i32 to index
    %b = tensor.extract %t[%i] : tensor<5xf32>
    %c7 = arith.constant 7 : i32
    %q = arith.divsi %c7, %a : i32
    %f = arith.sitofp %q : i32 to f32
    %r = arith.addf %b, %f : f32
    linalg.yield %r : f32
  } -> tensor<5xf32>
  return %y : tensor<5xf32>
}

// -----

// An offset of run time: each rank has what is in its block, -0 elsewhere; it
// writes only what is in its block.
tp.mesh @mesh <"tp"=4>

// CHECK-LABEL: func.func @moving
// CHECK: %[[RANK:.*]] = comm.coordinate (tp)
// CHECK: %[[I:.*]] = comm.check_index %arg2 in [0, 7) because "offset of tensor.insert_slice along dimension 0"
// CHECK: %[[OLD:.*]] = tensor.extract_slice %arg0[%[[AT:.*]], 0] [2, 4] [1, 1]
// CHECK: %[[NEW:.*]] = linalg.generic {{.*}} outs(%[[OLD]] : tensor<2x4xf32>)
// CHECK: tensor.insert_slice %[[NEW]] into %arg0[%[[AT]], 0] [2, 4] [1, 1]
// CHECK: comm.check_index %arg2 in [0, 6) because "offset of tensor.extract_slice along dimension 0"
// CHECK: arith.constant -0.0
// CHECK: comm.all_reduce sum %{{.*}} over (tp) because {{.*}} : tensor<3x4xf32>
// CHECK-NOT: comm
func.func @moving(%c: tensor<8x4xf32> {tp.sharding = #tp.sharding<[tp, _]>}, %u: tensor<2x4xf32> {tp.sharding = #tp.sharding<[]>}, %i: index)
    -> (tensor<8x4xf32> {tp.sharding = #tp.sharding<[tp, _]>}, tensor<3x4xf32> {tp.sharding = #tp.sharding<[]>}) {
  %n = tensor.insert_slice %u into %c[%i, 0] [2, 4] [1, 1] : tensor<2x4xf32> into tensor<8x4xf32>
  %w = tensor.extract_slice %n[%i, 0] [3, 4] [1, 1] : tensor<8x4xf32> to tensor<3x4xf32>
  return %n, %w : tensor<8x4xf32>, tensor<3x4xf32>
}

// -----

// Where a few rows cross, they are all that is sent.
tp.mesh @mesh <"tp"=2>

// CHECK-LABEL: func.func @pad
// CHECK: %[[SENT:.*]] = tensor.extract_slice %arg0[2] [1] [1] : tensor<3xf32> to tensor<1xf32>
// CHECK: %[[GOT:.*]] = comm.permute %[[SENT]] from [-1, 0] over (tp) because "tensor.pad reads rows of other blocks" : tensor<1xf32>
// CHECK: linalg.generic
// CHECK-DAG: tensor.extract %arg0
// CHECK-DAG: tensor.extract %[[GOT]]
// CHECK-NOT: comm
func.func @pad(%x: tensor<6xf32> {tp.sharding = #tp.sharding<[tp]>}) -> (tensor<10xf32> {tp.sharding = #tp.sharding<[tp]>}) {
  %m = arith.constant -9.0 : f32
  %p = tensor.pad %x low[3] high[1] {
  ^bb0(%i: index):
    tensor.yield %m : f32
  } : tensor<6xf32> to tensor<10xf32>
  return %p : tensor<10xf32>
}
