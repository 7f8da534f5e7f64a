// RUN: tp-test-opt %s --test-interpret -o /dev/null | FileCheck %s
// RUN: tp-test-opt %s --test-interpret=poison -o /dev/null | FileCheck %s
// The decomposition, written apart, gives the same.
// RUN: tp-test-opt %s --tp-decompose-nn --test-interpret=poison -o /dev/null | FileCheck %s

// Rows outside of the table are zero; with an offset the table holds rows 1 to 3.
// CHECK-LABEL: @embedding
// CHECK: result 0: {{\[}}[5, 6], [1, 2], [0, 0], [0, 0]]
// CHECK: result 1: {{\[}}[3, 4], [0, 0], [5, 6], [0, 0]]
func.func @embedding() -> (tensor<4x2xf32>, tensor<4x2xf32>) {
  %ids = arith.constant dense<[2, 0, 3, -1]> : tensor<4xi64>
  %table = arith.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
  %0 = nn.embedding %ids, %table : tensor<4xi64>, tensor<3x2xf32> -> tensor<4x2xf32>
  %c1 = arith.constant 1 : index
  %1 = nn.embedding %ids, %table row_offset %c1 : tensor<4xi64>, tensor<3x2xf32> -> tensor<4x2xf32>
  return %0, %1 : tensor<4x2xf32>, tensor<4x2xf32>
}

// sqrt(mean(1, 49)) = 5; with epsilon 11: 6.
// CHECK-LABEL: @rms_norm
// CHECK: result 0: {{\[}}[0.2{{0*[0-9]?}}, 2.79999{{[0-9]*}}], [0, 0]]
// CHECK: result 1: [0.166{{[0-9]*}}, 2.33{{[0-9]*}}]
func.func @rms_norm() -> (tensor<2x2xf32>, tensor<2xf32>) {
  %x = arith.constant dense<[[1.0, 7.0], [0.0, 0.0]]> : tensor<2x2xf32>
  %y = arith.constant dense<[1.0, 7.0]> : tensor<2xf32>
  %w = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %0 = nn.rms_norm %x, %w epsilon 1.0e-30 : tensor<2x2xf32>, tensor<2xf32>
  %1 = nn.rms_norm %y, %w epsilon 11.0 : tensor<2xf32>, tensor<2xf32>
  return %0, %1 : tensor<2x2xf32>, tensor<2xf32>
}

// The same with weights around 0.
// CHECK-LABEL: @weight_offset
// CHECK: result 0: [0.166{{[0-9]*}}, 2.33{{[0-9]*}}]
func.func @weight_offset() -> tensor<2xf32> {
  %y = arith.constant dense<[1.0, 7.0]> : tensor<2xf32>
  %w = arith.constant dense<[0.0, 1.0]> : tensor<2xf32>
  %0 = nn.rms_norm %y, %w epsilon 11.0 weight_offset 1.0 : tensor<2xf32>, tensor<2xf32>
  return %0 : tensor<2xf32>
}

// Mean 3, variance 4; with epsilon 12 the root is 4. A constant row is the bias.
// CHECK-LABEL: @layer_norm
// CHECK: result 0: {{\[}}[9.5, 21], [10, 20]]
func.func @layer_norm() -> tensor<2x2xf32> {
  %x = arith.constant dense<[[1.0, 5.0], [8.0, 8.0]]> : tensor<2x2xf32>
  %w = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %b = arith.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %0 = nn.layer_norm %x, %w, %b epsilon 12.0 : tensor<2x2xf32>, tensor<2xf32>
  return %0 : tensor<2x2xf32>
}

// Frequencies 1 and 1/10, positions 0 and 1 from 0 on, 3 and 4 from 3 on.
// CHECK-LABEL: @rotary_table
// CHECK: result 0: {{\[}}{{\[}}[1, 1], [0.54030{{[0-9]*}}, 0.99500{{[0-9]*}}]], {{\[}}[-0.98999{{[0-9]*}}, 0.95533{{[0-9]*}}], [-0.65364{{[0-9]*}}, 0.92106{{[0-9]*}}]]]
// CHECK: result 1: {{\[}}{{\[}}[0, 0], [0.84147{{[0-9]*}}, 0.099833{{[0-9]*}}]], {{\[}}[0.14112{{[0-9]*}}, 0.29552{{[0-9]*}}], [-0.75680{{[0-9]*}}, 0.38941{{[0-9]*}}]]]
func.func @rotary_table() -> (tensor<2x2x2xf32>, tensor<2x2x2xf32>) {
  %pos = arith.constant dense<[0, 3]> : tensor<2xi64>
  %cos, %sin = nn.rotary_table %pos theta 100.0 : tensor<2xi64> -> tensor<2x2x2xf32>
  return %cos, %sin : tensor<2x2x2xf32>, tensor<2x2x2xf32>
}

// The same frequencies, one by one; and one of 0.
// CHECK-LABEL: @rotary_frequencies
// CHECK: result 0: {{\[}}{{\[}}[-0.98999{{[0-9]*}}, 0.95533{{[0-9]*}}, 1]]]
// CHECK: result 1: {{\[}}{{\[}}[0.14112{{[0-9]*}}, 0.29552{{[0-9]*}}, 0]]]
func.func @rotary_frequencies() -> (tensor<1x1x3xf32>, tensor<1x1x3xf32>) {
  %pos = arith.constant dense<[3]> : tensor<1xi64>
  %cos, %sin = nn.rotary_table %pos frequencies [1.0, 0.1, 0.0] : tensor<1xi64> -> tensor<1x1x3xf32>
  return %cos, %sin : tensor<1x1x3xf32>, tensor<1x1x3xf32>
}

// Halves (1, 2) and (3, 4) of head 0, (5, 6) and (7, 8) of head 1.
// CHECK-LABEL: @rope
// CHECK: result 0: {{\[}}{{\[}}{{\[}}[-2.5, 1, 2.5, 2], [-4.5, 3, 8.5, 4]]]]
func.func @rope() -> tensor<1x1x2x4xf32> {
  %x = arith.constant dense<[[[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]]]]> : tensor<1x1x2x4xf32>
  %cos = arith.constant dense<[[[0.5, 0.5]]]> : tensor<1x1x2xf32>
  %sin = arith.constant dense<[[[1.0, 0.0]]]> : tensor<1x1x2xf32>
  %y = nn.rope %x, %cos, %sin : tensor<1x1x2x4xf32>, tensor<1x1x2xf32>
  return %y : tensor<1x1x2x4xf32>
}

// Elements 0 and 1 are the pair, element 2 stays.
// CHECK-LABEL: @partial_rope
// CHECK: result 0: {{\[}}{{\[}}[-1.5, 2, 7]]]
func.func @partial_rope() -> tensor<1x1x3xf32> {
  %x = arith.constant dense<[[[1.0, 2.0, 7.0]]]> : tensor<1x1x3xf32>
  %cos = arith.constant dense<0.5> : tensor<1x1x1xf32>
  %sin = arith.constant dense<1.0> : tensor<1x1x1xf32>
  %y = nn.rope %x, %cos, %sin : tensor<1x1x3xf32>, tensor<1x1x1xf32>
  return %y : tensor<1x1x3xf32>
}

// Row 0 writes positions 0 and 1, row 1 positions 1 and 2.
// CHECK-LABEL: @cache_update
// CHECK: result 0: {{\[}}{{\[}}{{\[}}[1], [3], [0]], {{\[}}[2], [4], [0]]], {{\[}}{{\[}}[0], [5], [7]], {{\[}}[0], [6], [8]]]]
func.func @cache_update() -> tensor<2x2x3x1xf32> {
  %cache = arith.constant dense<0.0> : tensor<2x2x3x1xf32>
  %new = arith.constant dense<[[[[1.0], [2.0]], [[3.0], [4.0]]], [[[5.0], [6.0]], [[7.0], [8.0]]]]> : tensor<2x2x2x1xf32>
  %pos = arith.constant dense<[0, 1]> : tensor<2xi64>
  %0 = nn.cache_update %cache, %new, %pos : tensor<2x2x3x1xf32>, tensor<2x2x2x1xf32>, tensor<2xi64>
  return %0 : tensor<2x2x3x1xf32>
}

// With a query of 0 all visible positions weigh the same: the running mean. Query
// ln(3) and keys 0, 1: weights 1/4 and 3/4. What lies behind p is not looked at.
// CHECK-LABEL: @attention
// CHECK: result 0: {{\[}}{{\[}}{{\[}}{{\[}}[2], [2]]], {{\[}}{{\[}}[4], [{{5|4.99999[0-9]*|5.00000[0-9]*}}]]]]]
func.func @attention() -> tensor<1x2x1x2x1xf32> {
  %q = arith.constant dense<[[[[[0.0], [1.0986123]]], [[[0.0], [1.0986123]]]]]> : tensor<1x2x1x2x1xf32>
  %k = arith.constant dense<[[[[0.0], [2.0], [0x7FC00000]]]]> : tensor<1x1x3x1xf32>
  %v = arith.constant dense<[[[[2.0], [6.0], [0x7FC00000]]]]> : tensor<1x1x3x1xf32>
  %pos = arith.constant dense<0> : tensor<1xi64>
  %0 = nn.attention %q, %k, %v, %pos scale 0.5 : tensor<1x2x1x2x1xf32>, tensor<1x1x3x1xf32>, tensor<1xi64>
  return %0 : tensor<1x2x1x2x1xf32>
}

// Queries of 0 at positions 1 and 2 see two positions each: means of (2, 6) and
// (6, 10). A window of 1 is the position itself, whatever stands before it.
// CHECK-LABEL: @window
// CHECK: result 0: {{\[}}{{\[}}{{\[}}{{\[}}[4]]], {{\[}}{{\[}}[8]]]]]
// CHECK: result 1: {{\[}}{{\[}}{{\[}}{{\[}}[10]]]]]
func.func @window() -> (tensor<1x2x1x1x1xf32>, tensor<1x1x1x1x1xf32>) {
  %q = arith.constant dense<0.0> : tensor<1x2x1x1x1xf32>
  %k = arith.constant dense<1.0> : tensor<1x1x4x1xf32>
  %v = arith.constant dense<[[[[2.0], [6.0], [10.0], [0x7FC00000]]]]> : tensor<1x1x4x1xf32>
  %pos = arith.constant dense<1> : tensor<1xi64>
  %0 = nn.attention %q, %k, %v, %pos scale 0.5 window 2 : tensor<1x2x1x1x1xf32>, tensor<1x1x4x1xf32>, tensor<1xi64>
  %one = arith.constant dense<0.0> : tensor<1x1x1x1x1xf32>
  %w = arith.constant dense<[[[[0x7FC00000], [0x7FC00000], [10.0], [0x7FC00000]]]]> : tensor<1x1x4x1xf32>
  %pos2 = arith.constant dense<2> : tensor<1xi64>
  %1 = nn.attention %one, %w, %w, %pos2 scale 0.5 window 1 : tensor<1x1x1x1x1xf32>, tensor<1x1x4x1xf32>, tensor<1xi64>
  return %0, %1 : tensor<1x2x1x1x1xf32>, tensor<1x1x1x1x1xf32>
}

// Both queries, of 0, see both positions of two; what stands behind does not matter.
// CHECK-LABEL: @bidirectional
// CHECK: result 0: {{\[}}{{\[}}{{\[}}{{\[}}[4]]], {{\[}}{{\[}}[4]]]]]
func.func @bidirectional() -> tensor<1x2x1x1x1xf32> {
  %q = arith.constant dense<0.0> : tensor<1x2x1x1x1xf32>
  %k = arith.constant dense<[[[[1.0], [1.0], [0x7FC00000]]]]> : tensor<1x1x3x1xf32>
  %v = arith.constant dense<[[[[2.0], [6.0], [0x7FC00000]]]]> : tensor<1x1x3x1xf32>
  %n = arith.constant dense<2> : tensor<1xi64>
  %0 = nn.attention %q, %k, %v, %n bidirectional scale 0.5 : tensor<1x2x1x1x1xf32>, tensor<1x1x3x1xf32>, tensor<1xi64>
  return %0 : tensor<1x2x1x1x1xf32>
}

// Ties, NaN, all the lowest; blocks of 2 of 5, the last short; 4 blocks of 2 of 5, the last empty.
// CHECK-LABEL: @argmax
// CHECK: result 0: {{\[}}[5], [3], [-inf]]
// CHECK: result 1: {{\[}}[1], [2], [0]]
// CHECK: result 2: [5, 5, 4]
// CHECK: result 3: [101, 102, 104]
// CHECK: result 4: [5, 5, 4, -inf]
// CHECK: result 5: [1, 2, 4, 0]
func.func @argmax() -> (tensor<3x1xf32>, tensor<3x1xi64>, tensor<3xf32>, tensor<3xi64>, tensor<4xf32>, tensor<4xi64>) {
  %x = arith.constant dense<[[1.0, 5.0, 5.0], [-1.0, 0x7FC00000, 3.0], [0xFF800000, 0xFF800000, 0xFF800000]]> : tensor<3x3xf32>
  %0, %1 = nn.argmax %x : tensor<3x3xf32> -> tensor<3x1xf32>, tensor<3x1xi64>
  %y = arith.constant dense<[1.0, 5.0, 5.0, -1.0, 4.0]> : tensor<5xf32>
  %c100 = arith.constant 100 : index
  %2, %3 = nn.argmax %y index_offset %c100 : tensor<5xf32> -> tensor<3xf32>, tensor<3xi64>
  %4, %5 = nn.argmax %y : tensor<5xf32> -> tensor<4xf32>, tensor<4xi64>
  return %0, %1, %2, %3, %4, %5 : tensor<3x1xf32>, tensor<3x1xi64>, tensor<3xf32>, tensor<3xi64>, tensor<4xf32>, tensor<4xi64>
}

// Ties, NaN that is never taken and taken first, too few; the smallest of columns; blocks of 2 of 5, the last short;
// candidates with indices.
// CHECK-LABEL: @top_k
// CHECK: result 0: {{\[}}[5, 5], [3, 0], [0, 0]]
// CHECK: result 1: {{\[}}[1, 2], [2, 7], [7, 7]]
// CHECK: result 2: {{\[}}[5, 5], [nan, 3], [-inf, -inf]]
// CHECK: result 3: {{\[}}[1, 2], [1, 2], [0, 0]]
// CHECK: result 4: {{\[}}[-4, 1, -4], [2, 3, 0]]
// CHECK: result 5: {{\[}}[1, 0, 0], [0, 1, 1]]
// CHECK: result 6: {{\[}}[5, 4], [5, 4], [4, -inf]]
// CHECK: result 7: {{\[}}[101, 100], [102, 103], [104, 0]]
// CHECK: result 8: [5, 5]
// CHECK: result 9: [30, 20]
func.func @top_k() -> (tensor<3x2xf32>, tensor<3x2xi64>, tensor<3x2xf32>, tensor<3x2xi64>, tensor<2x3xi32>, tensor<2x3xi64>, tensor<3x2xf32>, tensor<3x2xi64>, tensor<2xf32>, tensor<2xi64>) {
  %x = arith.constant dense<[[1.0, 5.0, 5.0], [-1.0, 0x7FC00000, 3.0], [0xFF800000, 0xFF800000, 0xFF800000]]> : tensor<3x3xf32>
  %0, %1 = nn.top_k %x dim 1 bound 0.0 : f32 missing_index 7 : tensor<3x3xf32> -> tensor<3x2xf32>, tensor<3x2xi64>
  %2, %3 = nn.top_k %x dim 1 nan_first bound 0xFF800000 : f32 : tensor<3x3xf32> -> tensor<3x2xf32>, tensor<3x2xi64>
  %y = arith.constant dense<[[2, 1, -4], [-4, 3, 0]]> : tensor<2x3xi32>
  %4, %5 = nn.top_k %y dim 0 smallest bound 9 : i32 : tensor<2x3xi32> -> tensor<2x3xi32>, tensor<2x3xi64>
  %z = arith.constant dense<[4.0, 5.0, 5.0, 4.0, 4.0]> : tensor<5xf32>
  %c100 = arith.constant 100 : index
  %a, %b = nn.top_k %z index_offset %c100 dim 0 blocks 3 bound 0xFF800000 : f32 : tensor<5xf32> -> tensor<6xf32>, tensor<6xi64>
  %6 = tensor.expand_shape %a [[0, 1]] output_shape [3, 2] : tensor<6xf32> into tensor<3x2xf32>
  %7 = tensor.expand_shape %b [[0, 1]] output_shape [3, 2] : tensor<6xi64> into tensor<3x2xi64>
  %i = arith.constant dense<[10, 30, 20, 5, 5]> : tensor<5xi64>
  %8, %9 = nn.top_k %z indices %i dim 0 bound 4.0 : f32 : tensor<5xf32>, tensor<5xi64> -> tensor<2xf32>, tensor<2xi64>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9 : tensor<3x2xf32>, tensor<3x2xi64>, tensor<3x2xf32>, tensor<3x2xi64>, tensor<2x3xi32>, tensor<2x3xi64>, tensor<3x2xf32>, tensor<3x2xi64>, tensor<2xf32>, tensor<2xi64>
}
