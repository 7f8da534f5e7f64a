// RUN: tp-test-opt %s --test-interpret -o /dev/null | FileCheck %s

// CHECK-LABEL: @make
// CHECK: result 0: {{\[}}[0, 0], [0, 0]]
// CHECK: result 1: {{\[}}[1, 2], [3, 4]]
// CHECK: result 2: [7, 7, 7]
// CHECK: result 3: {{\[}}[0, 1, 2], [10, 11, 12]]
func.func @make() -> (tensor<2x2xf32>, tensor<2x2xi32>, tensor<?xi32>, tensor<?x3xindex>) {
  %0 = tensor.empty() : tensor<2x2xf32>
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c3 = arith.constant 3 : i32
  %c4 = arith.constant 4 : i32
  %1 = tensor.from_elements %c1, %c2, %c3, %c4 : tensor<2x2xi32>
  %c7 = arith.constant 7 : i32
  %n = arith.constant 3 : index
  %2 = tensor.splat %c7[%n] : tensor<?xi32>
  %two = arith.constant 2 : index
  %ten = arith.constant 10 : index
  %3 = tensor.generate %two {
  ^bb0(%i: index, %j: index):
    %row = arith.muli %i, %ten : index
    %v = arith.addi %row, %j : index
    tensor.yield %v : index
  } : tensor<?x3xindex>
  return %0, %1, %2, %3 : tensor<2x2xf32>, tensor<2x2xi32>, tensor<?xi32>, tensor<?x3xindex>
}

// CHECK-LABEL: @elements
// CHECK: result 0: 6
// CHECK: result 1: {{\[}}[1, 2, 3], [4, 5, 9]]
// CHECK: result 2: 3
// CHECK: result 3: 2
func.func @elements() -> (i32, tensor<2x3xi32>, index, index) {
  %x = arith.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %0 = tensor.extract %x[%c1, %c2] : tensor<2x3xi32>
  %c9 = arith.constant 9 : i32
  %1 = tensor.insert %c9 into %x[%c1, %c2] : tensor<2x3xi32>
  %2 = tensor.dim %1, %c1 : tensor<2x3xi32>
  %3 = tensor.rank %x : tensor<2x3xi32>
  return %0, %1, %2, %3 : i32, tensor<2x3xi32>, index, index
}

// CHECK-LABEL: @slices
// CHECK: result 0: {{\[}}[6, 7], [10, 11]]
// CHECK: result 1: [1, 5, 9]
// CHECK: result 2: {{\[}}[0, 2]]
// CHECK: result 3: [8, 9]
// CHECK: result 4: {{\[}}[0, 1, 2, 3], [4, 0, 1, 7], [8, 4, 5, 11]]
// CHECK: result 5: {{\[}}[0, 1, 2, 3], [-1, 5, -2, 7], [8, 9, 10, 11]]
func.func @slices() -> (tensor<2x2xi32>, tensor<3xi32>, tensor<1x?xi32>, tensor<?xi32>, tensor<3x4xi32>, tensor<3x4xi32>) {
  %x = arith.constant dense<[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]> : tensor<3x4xi32>
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %0 = tensor.extract_slice %x[%c1, %c2] [2, 2] [1, 1] : tensor<3x4xi32> to tensor<2x2xi32>
  %1 = tensor.extract_slice %x[0, 1] [3, 1] [1, 1] : tensor<3x4xi32> to tensor<3xi32>
  %2 = tensor.extract_slice %x[0, 0] [1, %c2] [1, 2] : tensor<3x4xi32> to tensor<1x?xi32>
  %3 = tensor.extract_slice %x[2, 0] [1, %c2] [1, 1] : tensor<3x4xi32> to tensor<?xi32>
  %s = tensor.extract_slice %x[0, 0] [2, 2] [1, 1] : tensor<3x4xi32> to tensor<2x2xi32>
  %4 = tensor.insert_slice %s into %x[1, %c1] [2, 2] [1, 1] : tensor<2x2xi32> into tensor<3x4xi32>
  %new = arith.constant dense<[-1, -2]> : tensor<2xi32>
  %5 = tensor.insert_slice %new into %x[1, 0] [1, 2] [1, 2] : tensor<2xi32> into tensor<3x4xi32>
  return %0, %1, %2, %3, %4, %5 : tensor<2x2xi32>, tensor<3xi32>, tensor<1x?xi32>, tensor<?xi32>, tensor<3x4xi32>, tensor<3x4xi32>
}

// CHECK-LABEL: @shapes
// CHECK: result 0: {{\[}}{{\[}}[1, 2], [3, 4]], {{\[}}[5, 6], [7, 8]]]
// CHECK: result 1: [1, 2, 3, 4, 5, 6, 7, 8]
// CHECK: result 2: {{\[}}[1, 2, 3, 4], [5, 6, 7, 8]]
// CHECK: result 3: {{\[}}[1, 2, 3, 4], [5, 6, 7, 8]]
// CHECK: result 4: 1
func.func @shapes() -> (tensor<2x2x2xi32>, tensor<8xi32>, tensor<?x4xi32>, tensor<2x4xi32>, i32) {
  %x = arith.constant dense<[[1, 2, 3, 4], [5, 6, 7, 8]]> : tensor<2x4xi32>
  %0 = tensor.expand_shape %x [[0], [1, 2]] output_shape [2, 2, 2] : tensor<2x4xi32> into tensor<2x2x2xi32>
  %1 = tensor.collapse_shape %0 [[0, 1, 2]] : tensor<2x2x2xi32> into tensor<8xi32>
  %c2 = arith.constant 2 : index
  %d = tensor.cast %1 : tensor<8xi32> to tensor<?xi32>
  %2 = tensor.expand_shape %d [[0, 1]] output_shape [%c2, 4] : tensor<?xi32> into tensor<?x4xi32>
  %shape = arith.constant dense<[2, 4]> : tensor<2xi64>
  %3 = tensor.reshape %1(%shape) : (tensor<8xi32>, tensor<2xi64>) -> tensor<2x4xi32>
  %one = tensor.extract_slice %1[0] [1] [1] : tensor<8xi32> to tensor<1xi32>
  %r0 = tensor.collapse_shape %one [] : tensor<1xi32> into tensor<i32>
  %4 = tensor.extract %r0[] : tensor<i32>
  return %0, %1, %2, %3, %4 : tensor<2x2x2xi32>, tensor<8xi32>, tensor<?x4xi32>, tensor<2x4xi32>, i32
}

// CHECK-LABEL: @concat
// CHECK: result 0: {{\[}}[1, 2, 5], [3, 4, 6]]
// CHECK: result 1: {{\[}}[1, 2], [3, 4], [1, 2], [3, 4]]
func.func @concat() -> (tensor<2x3xi32>, tensor<4x2xi32>) {
  %x = arith.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %y = arith.constant dense<[[5], [6]]> : tensor<2x1xi32>
  %0 = tensor.concat dim(1) %x, %y : (tensor<2x2xi32>, tensor<2x1xi32>) -> tensor<2x3xi32>
  %1 = tensor.concat dim(0) %x, %x : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<4x2xi32>
  return %0, %1 : tensor<2x3xi32>, tensor<4x2xi32>
}

// CHECK-LABEL: @pad
// CHECK: result 0: {{\[}}[9, 9, 9, 9], [9, 1, 2, 9], [9, 3, 4, 9]]
// CHECK: result 1: [0, 1, 7, 8, 4]
func.func @pad() -> (tensor<3x4xi32>, tensor<?xindex>) {
  %x = arith.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %c9 = arith.constant 9 : i32
  %0 = tensor.pad %x low[1, 1] high[0, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %c9 : i32
  } : tensor<2x2xi32> to tensor<3x4xi32>
  %y = arith.constant dense<[7, 8]> : tensor<2xindex>
  %c2 = arith.constant 2 : index
  %1 = tensor.pad %y low[%c2] high[1] {
  ^bb0(%i: index):
    tensor.yield %i : index
  } : tensor<2xindex> to tensor<?xindex>
  return %0, %1 : tensor<3x4xi32>, tensor<?xindex>
}

// CHECK-LABEL: @empty_values
// CHECK: result 0: []
// CHECK: result 1: {{\[}}[], []]
// CHECK: result 2: [1, 2]
func.func @empty_values() -> (tensor<?xi32>, tensor<2x0xi32>, tensor<2xi32>) {
  %x = arith.constant dense<[1, 2]> : tensor<2xi32>
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %0 = tensor.extract_slice %x[%c2] [%c0] [1] : tensor<2xi32> to tensor<?xi32>
  %1 = tensor.empty() : tensor<2x0xi32>
  %2 = tensor.insert_slice %0 into %x[1] [%c0] [1] : tensor<?xi32> into tensor<2xi32>
  return %0, %1, %2 : tensor<?xi32>, tensor<2x0xi32>, tensor<2xi32>
}

// CHECK-LABEL: @constants
// CHECK: result 0: [1.5, 1.5, 1.5]
// CHECK: result 1: [true, false]
// CHECK: result 2: {{\[}}[1, 2], [3, 4]]
// CHECK: result 3: [1, -2]
func.func @constants() -> (tensor<3xbf16>, tensor<2xi1>, tensor<2x2xf32>, tensor<2xi16>) {
  %0 = arith.constant dense<1.5> : tensor<3xbf16>
  %1 = arith.constant dense<[true, false]> : tensor<2xi1>
  %2 = arith.constant dense_resource<floats> : tensor<2x2xf32>
  %3 = arith.constant dense_resource<shorts> : tensor<2xi16>
  return %0, %1, %2, %3 : tensor<3xbf16>, tensor<2xi1>, tensor<2x2xf32>, tensor<2xi16>
}

{-#
  dialect_resources: {
    builtin: {
      floats: "0x040000000000803F000000400000404000008040",
      shorts: "0x020000000100FEFF"
    }
  }
#-}
