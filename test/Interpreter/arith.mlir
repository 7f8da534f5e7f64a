// RUN: tp-test-opt %s --test-interpret -o /dev/null | FileCheck %s

// Every step is rounded to its type: 2^24 + 1 is no f32, 2049 no f16, 257 no bf16.
// CHECK-LABEL: @rounding
// CHECK: result 0: 16777216
// CHECK: result 1: 2048
// CHECK: result 2: 256
// CHECK: result 3: 16777217
// CHECK: result 4: 256
func.func @rounding() -> (f32, f16, bf16, f64, bf16) {
  %one32 = arith.constant 1.0 : f32
  %a = arith.constant 16777216.0 : f32
  %0 = arith.addf %a, %one32 : f32
  %one16 = arith.constant 1.0 : f16
  %b = arith.constant 2048.0 : f16
  %1 = arith.addf %b, %one16 : f16
  %onebf = arith.constant 1.0 : bf16
  %c = arith.constant 256.0 : bf16
  %2 = arith.addf %c, %onebf : bf16
  %a64 = arith.extf %a : f32 to f64
  %one64 = arith.constant 1.0 : f64
  %3 = arith.addf %a64, %one64 : f64
  // Ties go to even: 257 lies between 256 and 258.
  %d = arith.constant 257.0 : f32
  %4 = arith.truncf %d : f32 to bf16
  return %0, %1, %2, %3, %4 : f32, f16, bf16, f64, bf16
}

// CHECK-LABEL: @floats
// CHECK: result 0: [5.5, -1.25]
// CHECK: result 1: [-2.5, -3.75]
// CHECK: result 2: [6, -3.125]
// CHECK: result 3: [0.375, -2]
// CHECK: result 4: [1.5, -0]
// CHECK: result 5: [-1.5, 2.5]
func.func @floats() -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %a = arith.constant dense<[1.5, -2.5]> : tensor<2xf32>
  %b = arith.constant dense<[4.0, 1.25]> : tensor<2xf32>
  %0 = arith.addf %a, %b : tensor<2xf32>
  %1 = arith.subf %a, %b : tensor<2xf32>
  %2 = arith.mulf %a, %b : tensor<2xf32>
  %3 = arith.divf %a, %b : tensor<2xf32>
  %4 = arith.remf %a, %b : tensor<2xf32>
  %5 = arith.negf %a : tensor<2xf32>
  return %0, %1, %2, %3, %4, %5 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}

// CHECK-LABEL: @nan_and_zero
// CHECK: result 0: [nan, 0, 2]
// CHECK: result 1: [nan, -0, 1]
// CHECK: result 2: [1, 0, 2]
// CHECK: result 3: [1, -0, 1]
// CHECK: result 4: [false, true, false]
// CHECK: result 5: [true, true, false]
// CHECK: result 6: [true, false, false]
func.func @nan_and_zero() -> (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xi1>, tensor<3xi1>, tensor<3xi1>) {
  %a = arith.constant dense<[0x7FC00000, -0.0, 1.0]> : tensor<3xf32>
  %b = arith.constant dense<[1.0, 0.0, 2.0]> : tensor<3xf32>
  %0 = arith.maximumf %a, %b : tensor<3xf32>
  %1 = arith.minimumf %a, %b : tensor<3xf32>
  %2 = arith.maxnumf %a, %b : tensor<3xf32>
  %3 = arith.minnumf %a, %b : tensor<3xf32>
  %4 = arith.cmpf oeq, %a, %b : tensor<3xf32>
  %5 = arith.cmpf uge, %a, %b : tensor<3xf32>
  %6 = arith.cmpf uno, %a, %b : tensor<3xf32>
  return %0, %1, %2, %3, %4, %5, %6 : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xi1>, tensor<3xi1>, tensor<3xi1>
}

// i8 wraps at its width; -128 is the lowest value.
// CHECK-LABEL: @integers
// CHECK: result 0: [-128, -10]
// CHECK: result 1: [126, -4]
// CHECK: result 2: [127, 21]
// CHECK: result 3: [127, 2]
// CHECK: result 4: [127, -7]
// CHECK: result 5: [1, -3]
// CHECK: result 6: [127, 83]
func.func @integers() -> (tensor<2xi8>, tensor<2xi8>, tensor<2xi8>, tensor<2xi8>, tensor<2xi8>, tensor<2xi8>, tensor<2xi8>) {
  %a = arith.constant dense<[127, -7]> : tensor<2xi8>
  %b = arith.constant dense<[1, -3]> : tensor<2xi8>
  %0 = arith.addi %a, %b : tensor<2xi8>
  %1 = arith.subi %a, %b : tensor<2xi8>
  %2 = arith.muli %a, %b : tensor<2xi8>
  %3 = arith.divsi %a, %b : tensor<2xi8>
  %4 = arith.minui %a, %a : tensor<2xi8>
  %5 = arith.maxui %b, %b : tensor<2xi8>
  %c3 = arith.constant dense<[1, 3]> : tensor<2xi8>
  %6 = arith.divui %a, %c3 : tensor<2xi8>
  return %0, %1, %2, %3, %4, %5, %6 : tensor<2xi8>, tensor<2xi8>, tensor<2xi8>, tensor<2xi8>, tensor<2xi8>, tensor<2xi8>, tensor<2xi8>
}

// CHECK-LABEL: @division
// CHECK: result 0: [3, -3]
// CHECK: result 1: [4, -3]
// CHECK: result 2: [3, -4]
// CHECK: result 3: [1, -1]
// CHECK: result 4: [4, 2147483645]
// CHECK: result 5: [1, 1]
func.func @division() -> (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) {
  %a = arith.constant dense<[7, -7]> : tensor<2xi32>
  %b = arith.constant dense<2> : tensor<2xi32>
  %0 = arith.divsi %a, %b : tensor<2xi32>
  %1 = arith.ceildivsi %a, %b : tensor<2xi32>
  %2 = arith.floordivsi %a, %b : tensor<2xi32>
  %3 = arith.remsi %a, %b : tensor<2xi32>
  %4 = arith.ceildivui %a, %b : tensor<2xi32>
  %5 = arith.remui %a, %b : tensor<2xi32>
  return %0, %1, %2, %3, %4, %5 : tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>
}

// CHECK-LABEL: @bits
// CHECK: result 0: [2, 0]
// CHECK: result 1: [7, -1]
// CHECK: result 2: [5, -1]
// CHECK: result 3: [12, -4]
// CHECK: result 4: [1, -1]
// CHECK: result 5: [1, 63]
// Shifts by the width or more shift everything out.
// CHECK: result 6: [0, 0]
// CHECK: result 7: [0, -1]
func.func @bits() -> (tensor<2xi8>, tensor<2xi8>, tensor<2xi8>, tensor<2xi8>, tensor<2xi8>, tensor<2xi8>, tensor<2xi8>, tensor<2xi8>) {
  %a = arith.constant dense<[6, -1]> : tensor<2xi8>
  %b = arith.constant dense<[3, 0]> : tensor<2xi8>
  %two = arith.constant dense<2> : tensor<2xi8>
  %eight = arith.constant dense<8> : tensor<2xi8>
  %three = arith.constant dense<[3, -1]> : tensor<2xi8>
  %0 = arith.andi %a, %b : tensor<2xi8>
  %1 = arith.ori %a, %b : tensor<2xi8>
  %2 = arith.xori %a, %b : tensor<2xi8>
  %3 = arith.shli %three, %two : tensor<2xi8>
  %4 = arith.shrsi %a, %two : tensor<2xi8>
  %5 = arith.shrui %a, %two : tensor<2xi8>
  %6 = arith.shrui %a, %eight : tensor<2xi8>
  %7 = arith.shrsi %a, %eight : tensor<2xi8>
  return %0, %1, %2, %3, %4, %5, %6, %7 : tensor<2xi8>, tensor<2xi8>, tensor<2xi8>, tensor<2xi8>, tensor<2xi8>, tensor<2xi8>, tensor<2xi8>, tensor<2xi8>
}

// 200 + 100, 200 * 100 = 78 * 256 + 32, -56 * 100 = -22 * 256 + 32.
// CHECK-LABEL: @extended
// CHECK: result 0: 44
// CHECK: result 1: true
// CHECK: result 2: 32
// CHECK: result 3: 78
// CHECK: result 4: 32
// CHECK: result 5: -22
func.func @extended() -> (i8, i1, i8, i8, i8, i8) {
  %a = arith.constant 200 : i8
  %b = arith.constant 100 : i8
  %sum, %carry = arith.addui_extended %a, %b : i8, i1
  %ul, %uh = arith.mului_extended %a, %b : i8
  %sl, %sh = arith.mulsi_extended %a, %b : i8
  return %sum, %carry, %ul, %uh, %sl, %sh : i8, i1, i8, i8, i8, i8
}

// CHECK-LABEL: @comparisons
// CHECK: result 0: [false, true]
// CHECK: result 1: [true, false]
// CHECK: result 2: [1, 4]
// CHECK: result 3: [-1, 5]
func.func @comparisons() -> (tensor<2xi1>, tensor<2xi1>, tensor<2xi32>, tensor<2xi32>) {
  %a = arith.constant dense<[1, 4]> : tensor<2xi32>
  %b = arith.constant dense<[-1, 5]> : tensor<2xi32>
  %0 = arith.cmpi slt, %a, %b : tensor<2xi32>
  %1 = arith.cmpi sgt, %a, %b : tensor<2xi32>
  // -1 is the largest unsigned number.
  %u = arith.cmpi ult, %a, %b : tensor<2xi32>
  %2 = arith.select %u, %a, %b : tensor<2xi1>, tensor<2xi32>
  // One condition for all elements.
  %true = arith.constant false
  %3 = arith.select %true, %a, %b : tensor<2xi32>
  return %0, %1, %2, %3 : tensor<2xi1>, tensor<2xi1>, tensor<2xi32>, tensor<2xi32>
}

// CHECK-LABEL: @conversions
// CHECK: result 0: [-1, 0]
// CHECK: result 1: [1, 0]
// CHECK: result 2: [44, -1]
// CHECK: result 3: [300, -1]
// CHECK: result 4: [300, 4294967295]
// CHECK: result 5: [300, -1]
// CHECK: result 6: [300, 4.2949673E+9]
// CHECK: result 7: [2, -2, 127, -128, 0]
// CHECK: result 8: [1065353216]
// CHECK: result 9: [1.5]
func.func @conversions() -> (tensor<2xi32>, tensor<2xi32>, tensor<2xi8>, tensor<2xindex>, tensor<2xindex>,
                             tensor<2xf32>, tensor<2xf32>, tensor<5xi8>, tensor<1xi32>, tensor<1xf16>) {
  %bits = arith.constant dense<[true, false]> : tensor<2xi1>
  %a = arith.constant dense<[300, -1]> : tensor<2xi32>
  %0 = arith.extsi %bits : tensor<2xi1> to tensor<2xi32>
  %1 = arith.extui %bits : tensor<2xi1> to tensor<2xi32>
  %2 = arith.trunci %a : tensor<2xi32> to tensor<2xi8>
  %3 = arith.index_cast %a : tensor<2xi32> to tensor<2xindex>
  %4 = arith.index_castui %a : tensor<2xi32> to tensor<2xindex>
  %5 = arith.sitofp %a : tensor<2xi32> to tensor<2xf32>
  %6 = arith.uitofp %a : tensor<2xi32> to tensor<2xf32>
  // Towards zero; out of range saturates.
  %f = arith.constant dense<[2.75, -2.75, 1000.0, -1000.0, 0x7FC00000]> : tensor<5xf32>
  %7 = arith.fptosi %f : tensor<5xf32> to tensor<5xi8>
  %one = arith.constant dense<1.0> : tensor<1xf32>
  %8 = arith.bitcast %one : tensor<1xf32> to tensor<1xi32>
  %h = arith.constant dense<15872> : tensor<1xi16>
  %9 = tensor.bitcast %h : tensor<1xi16> to tensor<1xf16>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9 : tensor<2xi32>, tensor<2xi32>, tensor<2xi8>, tensor<2xindex>,
    tensor<2xindex>, tensor<2xf32>, tensor<2xf32>, tensor<5xi8>, tensor<1xi32>, tensor<1xf16>
}
