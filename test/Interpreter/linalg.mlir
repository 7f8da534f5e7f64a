// RUN: tp-test-opt %s --test-interpret -o /dev/null | FileCheck %s

// CHECK-LABEL: @named
// CHECK: result 0: {{\[}}[19, 22], [43, 50]]
// CHECK: result 1: {{\[}}[1, 3], [2, 4]]
// CHECK: result 2: {{\[}}[6, 8], [10, 12]]
// CHECK: result 3: {{\[}}[5, 12], [21, 32]]
// CHECK: result 4: {{\[}}[2.5, 2.5], [2.5, 2.5]]
// CHECK: result 5: {{\[}}[20, 23], [44, 51]]
func.func @named() -> (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>) {
  %a = arith.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %b = arith.constant dense<[[5.0, 6.0], [7.0, 8.0]]> : tensor<2x2xf32>
  %zero = arith.constant dense<0.0> : tensor<2x2xf32>
  %one = arith.constant dense<1.0> : tensor<2x2xf32>
  %e = tensor.empty() : tensor<2x2xf32>
  %c = arith.constant 2.5 : f32
  %0 = linalg.matmul ins(%a, %b : tensor<2x2xf32>, tensor<2x2xf32>) outs(%zero : tensor<2x2xf32>) -> tensor<2x2xf32>
  %1 = linalg.transpose ins(%a : tensor<2x2xf32>) outs(%e : tensor<2x2xf32>) permutation = [1, 0]
  %2 = linalg.add ins(%a, %b : tensor<2x2xf32>, tensor<2x2xf32>) outs(%e : tensor<2x2xf32>) -> tensor<2x2xf32>
  %3 = linalg.map { arith.mulf } ins(%a, %b : tensor<2x2xf32>, tensor<2x2xf32>) outs(%e : tensor<2x2xf32>)
  %4 = linalg.fill ins(%c : f32) outs(%e : tensor<2x2xf32>) -> tensor<2x2xf32>
  // What the destination holds is added.
  %5 = linalg.matmul ins(%a, %b : tensor<2x2xf32>, tensor<2x2xf32>) outs(%one : tensor<2x2xf32>) -> tensor<2x2xf32>
  return %0, %1, %2, %3, %4, %5 : tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>
}

// CHECK-LABEL: @reductions
// CHECK: result 0: [4, 6]
// CHECK: result 1: [2, 4]
// CHECK: result 2: {{\[}}[1, 1], [2, 2]]
func.func @reductions() -> (tensor<2xi32>, tensor<2xi32>, tensor<2x2xi32>) {
  %a = arith.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %zero = arith.constant dense<0> : tensor<2xi32>
  %0 = linalg.reduce { arith.addi } ins(%a : tensor<2x2xi32>) outs(%zero : tensor<2xi32>) dimensions = [0]
  %1 = linalg.reduce { arith.maxsi } ins(%a : tensor<2x2xi32>) outs(%zero : tensor<2xi32>) dimensions = [1]
  %x = arith.constant dense<[1, 2]> : tensor<2xi32>
  %e = tensor.empty() : tensor<2x2xi32>
  %2 = linalg.broadcast ins(%x : tensor<2xi32>) outs(%e : tensor<2x2xi32>) dimensions = [1]
  return %0, %1, %2 : tensor<2xi32>, tensor<2xi32>, tensor<2x2xi32>
}

// The accumulator has the body's type: 256 + 1 stays 256 in bf16.
// CHECK-LABEL: @accumulators
// CHECK: result 0: [256]
// CHECK: result 1: [258]
func.func @accumulators() -> (tensor<1xbf16>, tensor<1xf32>) {
  %x = arith.constant dense<[[256.0, 1.0, 1.0]]> : tensor<1x3xbf16>
  %ones = arith.constant dense<1.0> : tensor<3xbf16>
  %z16 = arith.constant dense<0.0> : tensor<1xbf16>
  %z32 = arith.constant dense<0.0> : tensor<1xf32>
  %0 = linalg.matvec ins(%x, %ones : tensor<1x3xbf16>, tensor<3xbf16>) outs(%z16 : tensor<1xbf16>) -> tensor<1xbf16>
  %1 = linalg.matvec ins(%x, %ones : tensor<1x3xbf16>, tensor<3xbf16>) outs(%z32 : tensor<1xf32>) -> tensor<1xf32>
  return %0, %1 : tensor<1xbf16>, tensor<1xf32>
}

// CHECK-LABEL: @contract
// CHECK: result 0: {{\[}}[17, 51], [39, 117]]
func.func @contract() -> tensor<2x2xf32> {
  %a = arith.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %b = arith.constant dense<[[5.0, 6.0], [15.0, 18.0]]> : tensor<2x2xf32>
  %zero = arith.constant dense<0.0> : tensor<2x2xf32>
  // a . transpose(b)
  %0 = linalg.contract
      indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j)>]
      ins(%a, %b : tensor<2x2xf32>, tensor<2x2xf32>) outs(%zero : tensor<2x2xf32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}

// A window: y[i] = x[i] + 10 x[i + 1] + 100 x[i + 2].
// CHECK-LABEL: @convolution
// CHECK: result 0: [321, 432]
// CHECK: result 1: [3, 4]
func.func @convolution() -> (tensor<2xi32>, tensor<2xi32>) {
  %x = arith.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %w = arith.constant dense<[1, 10, 100]> : tensor<3xi32>
  %zero = arith.constant dense<0> : tensor<2xi32>
  %0 = linalg.conv_1d ins(%x, %w : tensor<4xi32>, tensor<3xi32>) outs(%zero : tensor<2xi32>) -> tensor<2xi32>
  %r = arith.constant dense<[[[1], [2], [3], [4]]]> : tensor<1x4x1xi32>
  %e = tensor.empty() : tensor<3xi32>
  %z = arith.constant dense<0> : tensor<1x2x1xi32>
  %p = linalg.pooling_nwc_max ins(%r, %e : tensor<1x4x1xi32>, tensor<3xi32>) outs(%z : tensor<1x2x1xi32>) -> tensor<1x2x1xi32>
  %1 = tensor.collapse_shape %p [[0, 1, 2]] : tensor<1x2x1xi32> into tensor<2xi32>
  return %0, %1 : tensor<2xi32>, tensor<2xi32>
}

// Indices, captured scalars and tensors, a branch, two results.
// CHECK-LABEL: @generic
// CHECK: result 0: {{\[}}[40, 31], [31, 22]]
// CHECK: result 1: {{\[}}[-1, 1], [1, -1]]
func.func @generic() -> (tensor<2x2xi32>, tensor<2x2xi32>) {
  %table = arith.constant dense<[40, 30, 20]> : tensor<3xi32>
  %c2 = arith.constant 2 : index
  %minus = arith.constant -1 : i32
  %e = tensor.empty() : tensor<2x2xi32>
  %0, %1 = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} outs(%e, %e : tensor<2x2xi32>, tensor<2x2xi32>) {
  ^bb0(%a: i32, %b: i32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = affine.apply affine_map<(d0, d1) -> (d0 + d1)>(%i, %j)
    %v = tensor.extract %table[%k] : tensor<3xi32>
    %k32 = arith.index_cast %k : index to i32
    %w = arith.addi %v, %k32 : i32
    %parity = arith.remui %k, %c2 : index
    %c0 = arith.constant 0 : index
    %even = arith.cmpi eq, %parity, %c0 : index
    %x = scf.if %even -> i32 {
      scf.yield %minus : i32
    } else {
      scf.yield %k32 : i32
    }
    linalg.yield %w, %x : i32, i32
  } -> (tensor<2x2xi32>, tensor<2x2xi32>)
  return %0, %1 : tensor<2x2xi32>, tensor<2x2xi32>
}

// A reduction that selects: value and index of the largest.
// CHECK-LABEL: @argmax
// CHECK: result 0: 5
// CHECK: result 1: 1
func.func @argmax() -> (tensor<f32>, tensor<index>) {
  %x = arith.constant dense<[3.0, 5.0, 5.0, -1.0]> : tensor<4xf32>
  %lowest = arith.constant dense<0xFF800000> : tensor<f32>
  %first = arith.constant dense<0> : tensor<index>
  %0, %1 = linalg.generic {
      indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>, affine_map<(i) -> ()>],
      iterator_types = ["reduction"]} ins(%x : tensor<4xf32>) outs(%lowest, %first : tensor<f32>, tensor<index>) {
  ^bb0(%a: f32, %best: f32, %at: index):
    %i = linalg.index 0 : index
    %greater = arith.cmpf ogt, %a, %best : f32
    %v = arith.select %greater, %a, %best : f32
    %k = arith.select %greater, %i, %at : index
    linalg.yield %v, %k : f32, index
  } -> (tensor<f32>, tensor<index>)
  return %0, %1 : tensor<f32>, tensor<index>
}

// CHECK-LABEL: @softmax
// CHECK: result 0: {{\[}}[0.5, 0.5], [0, 1]]
func.func @softmax() -> tensor<2x2xf32> {
  %x = arith.constant dense<[[70.0, 70.0], [-1000.0, 3.0]]> : tensor<2x2xf32>
  %e = tensor.empty() : tensor<2x2xf32>
  %0 = linalg.softmax dimension(1) ins(%x : tensor<2x2xf32>) outs(%e : tensor<2x2xf32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}

// No iteration: the destination stays.
// CHECK-LABEL: @nothing_to_contract
// CHECK: result 0: {{\[}}[7, 7], [7, 7]]
func.func @nothing_to_contract() -> tensor<2x2xf32> {
  %a = tensor.empty() : tensor<2x0xf32>
  %b = tensor.empty() : tensor<0x2xf32>
  %c = arith.constant dense<7.0> : tensor<2x2xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<2x0xf32>, tensor<0x2xf32>) outs(%c : tensor<2x2xf32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}

// CHECK-LABEL: @dynamic
// CHECK: result 0: [2, 4, 6]
func.func @dynamic() -> tensor<?xi32> {
  %c = arith.constant dense<[1, 2, 3]> : tensor<3xi32>
  %x = tensor.cast %c : tensor<3xi32> to tensor<?xi32>
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xi32>
  %e = tensor.empty(%n) : tensor<?xi32>
  %0 = linalg.generic {
      indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : tensor<?xi32>) outs(%e : tensor<?xi32>) {
  ^bb0(%a: i32, %o: i32):
    %d = arith.addi %a, %a : i32
    linalg.yield %d : i32
  } -> tensor<?xi32>
  return %0 : tensor<?xi32>
}

// Sums of the first rows by a loop in the body, and their halvings below 2.
// CHECK-LABEL: @loops_in_a_body
// CHECK: result 0: [2, 4, 8]
// CHECK: result 1: [2, 2, 2]
func.func @loops_in_a_body() -> (tensor<3xi32>, tensor<3xi32>) {
  %t = arith.constant dense<[2, 2, 4, 8]> : tensor<4xi32>
  %e = tensor.empty() : tensor<3xi32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %two = arith.constant 2 : i32
  %0 = linalg.generic {
      indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%e : tensor<3xi32>) {
  ^bb0(%o: i32):
    %i = linalg.index 0 : index
    %end = arith.addi %i, %c1 : index
    %s = scf.for %k = %c0 to %end step %c1 iter_args(%sum = %zero) -> i32 {
      %x = tensor.extract %t[%k] : tensor<4xi32>
      %n = arith.addi %sum, %x : i32
      scf.yield %n : i32
    }
    linalg.yield %s : i32
  } -> tensor<3xi32>
  %1 = linalg.generic {
      indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%0 : tensor<3xi32>) outs(%e : tensor<3xi32>) {
  ^bb0(%x: i32, %o: i32):
    %h = scf.while (%a = %x) : (i32) -> i32 {
      %large = arith.cmpi sgt, %a, %two : i32
      scf.condition(%large) %a : i32
    } do {
    ^bb0(%a: i32):
      %half = arith.divsi %a, %two : i32
      scf.yield %half : i32
    }
    linalg.yield %h : i32
  } -> tensor<3xi32>
  return %0, %1 : tensor<3xi32>, tensor<3xi32>
}
