// RUN: tp-opt %s --tp-drop-empty-values --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @pieces(
// CHECK-SAME: %[[X:.*]]: tensor<0x4xf32>, %[[D:.*]]: tensor<3x4xf32>
func.func @pieces(%x: tensor<0x4xf32>, %d: tensor<3x4xf32>) -> (tensor<3x4xf32>, tensor<6x4xf32>) {
  // CHECK-NEXT: %[[C:.*]] = tensor.concat dim(0) %[[D]], %[[D]]
  // CHECK-NEXT: return %[[D]], %[[C]]
  %1 = tensor.insert_slice %x into %d[2, 0] [0, 4] [1, 1] : tensor<0x4xf32> into tensor<3x4xf32>
  %2 = tensor.concat dim(0) %1, %x : (tensor<3x4xf32>, tensor<0x4xf32>) -> tensor<3x4xf32>
  %3 = tensor.concat dim(0) %d, %x, %d : (tensor<3x4xf32>, tensor<0x4xf32>, tensor<3x4xf32>) -> tensor<6x4xf32>
  return %2, %3 : tensor<3x4xf32>, tensor<6x4xf32>
}

// CHECK-LABEL: func.func @computed(
func.func @computed(%x: tensor<0x4xf32>) -> tensor<0x4xf32> {
  // CHECK-NEXT: %[[E:.*]] = tensor.empty() : tensor<0x4xf32>
  // CHECK-NEXT: return %[[E]]
  %0 = tensor.concat dim(0) %x, %x : (tensor<0x4xf32>, tensor<0x4xf32>) -> tensor<0x4xf32>
  %1 = math.tanh %0 : tensor<0x4xf32>
  return %1 : tensor<0x4xf32>
}

// CHECK-LABEL: func.func @pads(
func.func @pads(%x: tensor<2x0xi64>) -> (tensor<2x3xi64>, tensor<2x3xi64>) {
  // CHECK-DAG: %[[C:.*]] = arith.constant 7 : i64
  // CHECK-DAG: linalg.fill ins(%[[C]] : i64)
  // CHECK-DAG: tensor.generate
  %c = arith.constant 7 : i64
  %0 = tensor.pad %x low[0, 1] high[0, 2] {
  ^bb0(%i: index, %j: index):
    tensor.yield %c : i64
  } : tensor<2x0xi64> to tensor<2x3xi64>
  %1 = tensor.pad %x low[0, 1] high[0, 2] {
  ^bb0(%i: index, %j: index):
    %v = arith.index_cast %j : index to i64
    tensor.yield %v : i64
  } : tensor<2x0xi64> to tensor<2x3xi64>
  return %0, %1 : tensor<2x3xi64>, tensor<2x3xi64>
}

// Of no elements a reduction is what it begins with.
// CHECK-LABEL: func.func @reduced
// CHECK-SAME: (%{{.*}}: tensor<3x0xf32>, %[[INIT:.*]]: tensor<3xf32>)
// CHECK-NEXT: return %[[INIT]]
func.func @reduced(%x: tensor<3x0xf32>, %init: tensor<3xf32>) -> tensor<3xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<3x0xf32>) outs(%init : tensor<3xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
