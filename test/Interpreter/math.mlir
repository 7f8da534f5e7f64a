// RUN: tp-test-opt %s --test-interpret -o /dev/null | FileCheck %s

// CHECK-LABEL: @one_operand
// CHECK: result 0: [2.25, 2.25, 0]
// CHECK: result 1: [3, -2, 0]
// CHECK: result 2: [2, -3, 0]
// CHECK: result 3: [2, -2, 0]
// CHECK: result 4: [2, -2, 0]
// CHECK: result 5: [9.48773{{[0-9]*}}, 0.105399{{[0-9]*}}, 1]
// CHECK: result 6: [4.756828{{[0-9]*}}, 0.210224{{[0-9]*}}, 1]
// CHECK: result 7: [8.48773{{[0-9]*}}, -0.894600{{[0-9]*}}, 0]
// CHECK: result 8: [0.978026{{[0-9]*}}, -0.978026{{[0-9]*}}, 0]
// CHECK: result 9: [0.998537{{[0-9]*}}, -0.998537{{[0-9]*}}, 0]
func.func @one_operand() -> (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>,
                             tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) {
  %x = arith.constant dense<[2.25, -2.25, 0.0]> : tensor<3xf32>
  %0 = math.absf %x : tensor<3xf32>
  %1 = math.ceil %x : tensor<3xf32>
  %2 = math.floor %x : tensor<3xf32>
  %3 = math.round %x : tensor<3xf32>
  %4 = math.trunc %x : tensor<3xf32>
  %5 = math.exp %x : tensor<3xf32>
  %6 = math.exp2 %x : tensor<3xf32>
  %7 = math.expm1 %x : tensor<3xf32>
  %8 = math.tanh %x : tensor<3xf32>
  %9 = math.erf %x : tensor<3xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9 : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>,
                                                  tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>
}

// CHECK-LABEL: @roots_and_logarithms
// CHECK: result 0: [2, 0, nan]
// CHECK: result 1: [0.5, inf, nan]
// CHECK: result 2: [1.386294{{[0-9]*}}, -inf, nan]
// CHECK: result 3: [2, -inf, nan]
// CHECK: result 4: [1.609437{{[0-9]*}}, 0, nan]
func.func @roots_and_logarithms() -> (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) {
  %x = arith.constant dense<[4.0, 0.0, -4.0]> : tensor<3xf32>
  %0 = math.sqrt %x : tensor<3xf32>
  %1 = math.rsqrt %x : tensor<3xf32>
  %2 = math.log %x : tensor<3xf32>
  %3 = math.log2 %x : tensor<3xf32>
  %4 = math.log1p %x : tensor<3xf32>
  return %0, %1, %2, %3, %4 : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>
}

// CHECK-LABEL: @ties
// CHECK: result 0: [1, 2, -1]
// CHECK: result 1: [0, 2, -0]
func.func @ties() -> (tensor<3xf32>, tensor<3xf32>) {
  %x = arith.constant dense<[0.5, 1.5, -0.5]> : tensor<3xf32>
  %0 = math.round %x : tensor<3xf32>
  %1 = math.roundeven %x : tensor<3xf32>
  return %0, %1 : tensor<3xf32>, tensor<3xf32>
}

// CHECK-LABEL: @angles
// CHECK: result 0: [0, 0.841470{{[0-9]*}}]
// CHECK: result 1: [1, 0.540302{{[0-9]*}}]
// CHECK: result 2: [0, 0.841470{{[0-9]*}}]
// CHECK: result 3: [1, 0.540302{{[0-9]*}}]
// CHECK: result 4: [0, 0.785398{{[0-9]*}}]
func.func @angles() -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %x = arith.constant dense<[0.0, 1.0]> : tensor<2xf32>
  %one = arith.constant dense<1.0> : tensor<2xf32>
  %0 = math.sin %x : tensor<2xf32>
  %1 = math.cos %x : tensor<2xf32>
  %2, %3 = math.sincos %x : tensor<2xf32>
  %4 = math.atan2 %x, %one : tensor<2xf32>
  return %0, %1, %2, %3, %4 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}

// One rounding: (1 + 2^-12)^2 - 1 keeps its last bit only in fma.
// CHECK-LABEL: @several_operands
// CHECK: result 0: 4.88340{{[0-9]*}}E-4
// CHECK: result 1: 4.8828125E-4
// CHECK: result 2: [8, 0.25, 1]
// CHECK: result 3: [8, 0.25, 1]
// CHECK: result 4: [-2, 0.5, 1]
// CHECK: result 5: [2, 1, 1]
func.func @several_operands() -> (f32, f32, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) {
  %x = arith.constant 1.000244140625 : f32
  %minus = arith.constant -1.0 : f32
  %0 = math.fma %x, %x, %minus : f32
  %square = arith.mulf %x, %x : f32
  %1 = arith.addf %square, %minus : f32
  %a = arith.constant dense<[2.0, 0.5, 1.0]> : tensor<3xf32>
  %b = arith.constant dense<[3.0, 2.0, 7.0]> : tensor<3xf32>
  %n = arith.constant dense<[3, 2, 7]> : tensor<3xi32>
  %2 = math.powf %a, %b : tensor<3xf32>
  %3 = math.fpowi %a, %n : tensor<3xf32>, tensor<3xi32>
  %signs = arith.constant dense<[-1.0, 1.0, 1.0]> : tensor<3xf32>
  %4 = math.copysign %a, %signs : tensor<3xf32>
  %low = arith.constant dense<1.0> : tensor<3xf32>
  %5 = math.clampf %a to [%low, %b] : tensor<3xf32>
  return %0, %1, %2, %3, %4, %5 : f32, f32, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>
}

// CHECK-LABEL: @integers
// CHECK: result 0: [5, 1, 0]
// CHECK: result 1: [5, 0, 8]
// CHECK: result 2: [0, 0, 8]
// CHECK: result 3: [2, 8, 0]
// CHECK: result 4: [125, -1, 0]
func.func @integers() -> (tensor<3xi8>, tensor<3xi8>, tensor<3xi8>, tensor<3xi8>, tensor<3xi8>) {
  %x = arith.constant dense<[5, -1, 0]> : tensor<3xi8>
  %three = arith.constant dense<3> : tensor<3xi8>
  %0 = math.absi %x : tensor<3xi8>
  %1 = math.ctlz %x : tensor<3xi8>
  %2 = math.cttz %x : tensor<3xi8>
  %3 = math.ctpop %x : tensor<3xi8>
  %4 = math.ipowi %x, %three : tensor<3xi8>
  return %0, %1, %2, %3, %4 : tensor<3xi8>, tensor<3xi8>, tensor<3xi8>, tensor<3xi8>, tensor<3xi8>
}

// CHECK-LABEL: @classes
// CHECK: result 0: [true, false, false]
// CHECK: result 1: [false, true, false]
// CHECK: result 2: [false, false, true]
// CHECK: result 3: [true, false, false]
func.func @classes() -> (tensor<3xi1>, tensor<3xi1>, tensor<3xi1>, tensor<3xi1>) {
  %x = arith.constant dense<[1.0, 0x7F800000, 0x7FC00000]> : tensor<3xf32>
  %0 = math.isfinite %x : tensor<3xf32>
  %1 = math.isinf %x : tensor<3xf32>
  %2 = math.isnan %x : tensor<3xf32>
  %3 = math.isnormal %x : tensor<3xf32>
  return %0, %1, %2, %3 : tensor<3xi1>, tensor<3xi1>, tensor<3xi1>, tensor<3xi1>
}
