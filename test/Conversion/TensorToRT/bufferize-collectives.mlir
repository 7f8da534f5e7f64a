// RUN: tp-opt %s --one-shot-bufferize="bufferize-function-boundaries=1 function-boundary-type-conversion=identity-layout-map" --canonicalize | FileCheck %s

rt.group @tp [0, 1, 4]

// In place on a temporary, once more on the result.
// CHECK-LABEL: func @in_place
func.func @in_place(%x: tensor<4xf32> {bufferization.writable = false}, %out: tensor<4xf32> {bufferization.writable = true}) -> tensor<4xf32> {
  // CHECK: linalg.exp ins(%arg0 : memref<4xf32>) outs(%arg1 : memref<4xf32>)
  // CHECK-NEXT: rt.all_reduce sum %arg1 over @tp : memref<4xf32>
  // CHECK-NOT: memref.copy
  %0 = linalg.exp ins(%x : tensor<4xf32>) outs(%out : tensor<4xf32>) -> tensor<4xf32>
  %1 = rt.all_reduce sum %0 over @tp : tensor<4xf32> -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// An argument that is not writable and a value that is used again are copied.
// CHECK-LABEL: func @copied
func.func @copied(%x: tensor<4xf32> {bufferization.writable = false}) -> tensor<4xf32> {
  // CHECK: %[[A:.*]] = memref.alloc
  // CHECK: memref.copy %arg0, %[[A]]
  // CHECK: rt.all_reduce sum %[[A]] over @tp
  %0 = rt.all_reduce sum %x over @tp : tensor<4xf32> -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func @gather
func.func @gather(%x: tensor<4xf32> {bufferization.writable = false}, %out: tensor<16xf32> {bufferization.writable = true}) -> tensor<16xf32> {
  // CHECK: rt.all_gather %arg0 into %arg1 dim 0 over @tp because "why" : memref<4xf32>, memref<16xf32>
  %0 = rt.all_gather %x into %out dim 0 over @tp because "why" : tensor<4xf32>, tensor<16xf32> -> tensor<16xf32>
  return %0 : tensor<16xf32>
}

// The runtime takes contiguous buffers: rows that are, columns through a copy.
// CHECK-LABEL: func @views
func.func @views(%x: tensor<8x8xf32> {bufferization.writable = false}, %a: tensor<8x8xf32> {bufferization.writable = true},
                 %b: tensor<8x32xf32> {bufferization.writable = true}) -> (tensor<8x8xf32>, tensor<8x32xf32>) {
  // CHECK: %[[ROWS:.*]] = memref.subview %arg0[2, 0] [2, 8] [1, 1]
  // CHECK-NOT: memref.copy
  // CHECK: rt.all_gather %[[ROWS]] into %arg1 dim 0
  %0 = tensor.extract_slice %x[2, 0] [2, 8] [1, 1] : tensor<8x8xf32> to tensor<2x8xf32>
  %1 = rt.all_gather %0 into %a dim 0 over @tp : tensor<2x8xf32>, tensor<8x8xf32> -> tensor<8x8xf32>
  // CHECK: %[[COLUMNS:.*]] = memref.subview %arg0[0, 0] [8, 4] [1, 1]
  // CHECK: %[[COPY:.*]] = memref.alloc() : memref<8x4xf32>
  // CHECK: memref.copy %[[COLUMNS]], %[[COPY]]
  // CHECK: rt.all_gather %[[COPY]] into %[[PLACE:.*]] dim 1 {{.*}} memref<8x16xf32>
  // CHECK: memref.copy %[[PLACE]], %{{.*}}
  %2 = tensor.extract_slice %x[0, 0] [8, 4] [1, 1] : tensor<8x8xf32> to tensor<8x4xf32>
  %3 = tensor.extract_slice %b[0, 16] [8, 16] [1, 1] : tensor<8x32xf32> to tensor<8x16xf32>
  %4 = rt.all_gather %2 into %3 dim 1 over @tp : tensor<8x4xf32>, tensor<8x16xf32> -> tensor<8x16xf32>
  %5 = tensor.insert_slice %4 into %b[0, 16] [8, 16] [1, 1] : tensor<8x16xf32> into tensor<8x32xf32>
  return %1, %5 : tensor<8x8xf32>, tensor<8x32xf32>
}
