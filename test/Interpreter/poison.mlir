// RUN: tp-test-opt %s --test-interpret=poison -o /dev/null | FileCheck %s
// RUN: tp-test-opt %s --test-interpret -o /dev/null | FileCheck %s --check-prefix=ZERO

// CHECK-LABEL: @fresh
// CHECK: result 0: [nan, nan]
// CHECK: result 1: [-91, -91]
// CHECK: result 2: [true, true]
// CHECK: result 3: -1515870811
// CHECK: result 4: [nan, 3]
// ZERO-LABEL: @fresh
// ZERO: result 0: [0, 0]
// ZERO: result 1: [0, 0]
// ZERO: result 2: [false, false]
// ZERO: result 3: 0
// ZERO: result 4: [0, 3]
func.func @fresh() -> (tensor<2xbf16>, tensor<2xi8>, tensor<2xi1>, i32, tensor<2xf32>) {
  %0 = tensor.empty() : tensor<2xbf16>
  %1 = tensor.empty() : tensor<2xi8>
  %2 = tensor.empty() : tensor<2xi1>
  %3 = ub.poison : i32
  %x = arith.constant dense<3.0> : tensor<1xf32>
  %e = tensor.empty() : tensor<2xf32>
  %4 = tensor.insert_slice %x into %e[1] [1] [1] : tensor<1xf32> into tensor<2xf32>
  return %0, %1, %2, %3, %4 : tensor<2xbf16>, tensor<2xi8>, tensor<2xi1>, i32, tensor<2xf32>
}

// A destination that is read shows; one that is not read does not.
// CHECK-LABEL: @destinations
// CHECK: result 0: [nan]
// CHECK: result 1: [2]
// ZERO-LABEL: @destinations
// ZERO: result 0: [1]
// ZERO: result 1: [2]
func.func @destinations() -> (tensor<1xf32>, tensor<1xf32>) {
  %x = arith.constant dense<[[1.0]]> : tensor<1x1xf32>
  %y = arith.constant dense<[1.0]> : tensor<1xf32>
  %e = tensor.empty() : tensor<1xf32>
  %0 = linalg.matvec ins(%x, %y : tensor<1x1xf32>, tensor<1xf32>) outs(%e : tensor<1xf32>) -> tensor<1xf32>
  %1 = linalg.add ins(%y, %y : tensor<1xf32>, tensor<1xf32>) outs(%e : tensor<1xf32>) -> tensor<1xf32>
  return %0, %1 : tensor<1xf32>, tensor<1xf32>
}
