// RUN: tp-opt %s --tp-detach-destinations | FileCheck %s

// CHECK-LABEL: func @unread
func.func @unread(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: %[[E:.*]] = tensor.empty() : tensor<4xf32>
  // CHECK: linalg.exp ins(%arg0 : tensor<4xf32>) outs(%[[E]] : tensor<4xf32>)
  %0 = linalg.exp ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// What is read stays, and so does a slice that the result replaces.
// CHECK-LABEL: func @kept
// CHECK-NOT: tensor.empty
// CHECK: return
func.func @kept(%x: tensor<4x4xf32>, %y: tensor<8x4xf32>) -> (tensor<4x4xf32>, tensor<8x4xf32>) {
  %0 = linalg.matmul ins(%x, %x : tensor<4x4xf32>, tensor<4x4xf32>) outs(%x : tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = tensor.extract_slice %y[4, 0] [4, 4] [1, 1] : tensor<8x4xf32> to tensor<4x4xf32>
  %2 = linalg.transpose ins(%x : tensor<4x4xf32>) outs(%1 : tensor<4x4xf32>) permutation = [1, 0]
  %3 = tensor.insert_slice %2 into %y[4, 0] [4, 4] [1, 1] : tensor<4x4xf32> into tensor<8x4xf32>
  return %0, %3 : tensor<4x4xf32>, tensor<8x4xf32>
}
