// RUN: tp-opt %s --tp-block-scans --canonicalize --split-input-file | FileCheck %s

// Blocks of 16 rows, the last one padded; then their totals, which are few.

// CHECK-LABEL: func.func @sums(
// CHECK-SAME: %[[X:.*]]: tensor<70x3xf32>
// CHECK: tensor.pad %[[X]] low[0, 0] high[10, 0]
// CHECK: tensor.expand_shape {{.*}} output_shape [5, 16, 3]
// CHECK: tensor.pad {{.*}} low[0, 15, 0] high[0, 0, 0]
// CHECK: %[[OWN:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "parallel", "reduction"]
// CHECK: tensor.extract_slice %[[OWN]][0, 15, 0] [5, 1, 3]
// CHECK: tensor.pad {{.*}} low[4, 0] high[0, 0]
// CHECK: %[[TOTALS:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]
// CHECK: tensor.extract_slice %[[TOTALS]][0, 0] [4, 3]
// CHECK: %[[BEFORE:.*]] = tensor.pad {{.*}} low[1, 0] high[0, 0]
// CHECK: linalg.generic {{.*}} ins(%[[BEFORE]], %[[OWN]]
// CHECK: tensor.collapse_shape
// CHECK: tensor.extract_slice {{.*}}[0, 0] [70, 3]
#read = affine_map<(i, j, k) -> (i + k, j)>
#window = affine_map<(i, j, k) -> (k)>
#made = affine_map<(i, j, k) -> (i, j)>
func.func @sums(%x: tensor<70x3xf32>) -> tensor<70x3xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<70x3xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<70x3xf32>) -> tensor<70x3xf32>
  %p = tensor.pad %x low[69, 0] high[0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<70x3xf32> to tensor<139x3xf32>
  %w = tensor.empty() : tensor<70xf32>
  %y = linalg.generic {indexing_maps = [#read, #window, #made], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%p, %w : tensor<139x3xf32>, tensor<70xf32>) outs(%init : tensor<70x3xf32>) {
  ^bb0(%a: f32, %b: f32, %s: f32):
    %t = arith.addf %s, %a : f32
    linalg.yield %t : f32
  } -> tensor<70x3xf32>
  return %y : tensor<70x3xf32>
}

// -----

// What is padded with something else, and windows that reach no end, stay.

// CHECK-LABEL: func.func @others(
// CHECK-NOT: expand_shape
#read = affine_map<(i, k) -> (i + k)>
#window = affine_map<(i, k) -> (k)>
#made = affine_map<(i, k) -> (i)>
func.func @others(%x: tensor<70xi32>, %init: tensor<70xi32>) -> (tensor<70xi32>, tensor<70xi32>) {
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %p = tensor.pad %x low[69] high[0] {
  ^bb0(%i: index):
    tensor.yield %one : i32
  } : tensor<70xi32> to tensor<139xi32>
  %w = tensor.empty() : tensor<70xi32>
  %y = linalg.generic {indexing_maps = [#read, #window, #made], iterator_types = ["parallel", "reduction"]}
      ins(%p, %w : tensor<139xi32>, tensor<70xi32>) outs(%init : tensor<70xi32>) {
  ^bb0(%a: i32, %b: i32, %s: i32):
    %t = arith.addi %s, %a : i32
    linalg.yield %t : i32
  } -> tensor<70xi32>
  %q = tensor.pad %x low[5] high[0] {
  ^bb0(%i: index):
    tensor.yield %zero : i32
  } : tensor<70xi32> to tensor<75xi32>
  %v = tensor.empty() : tensor<6xi32>
  %z = linalg.generic {indexing_maps = [#read, #window, #made], iterator_types = ["parallel", "reduction"]}
      ins(%q, %v : tensor<75xi32>, tensor<6xi32>) outs(%init : tensor<70xi32>) {
  ^bb0(%a: i32, %b: i32, %s: i32):
    %t = arith.addi %s, %a : i32
    linalg.yield %t : i32
  } -> tensor<70xi32>
  return %y, %z : tensor<70xi32>, tensor<70xi32>
}
