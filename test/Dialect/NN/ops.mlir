// RUN: tp-opt %s | tp-opt | FileCheck %s
// RUN: tp-opt %s --mlir-print-op-generic | tp-opt | FileCheck %s

// CHECK-LABEL: func.func @embedding
func.func @embedding(%ids: tensor<2x3xi64>, %table: tensor<7x4xbf16>, %first: index) -> (tensor<2x3x4xbf16>, tensor<2x3x4xbf16>) {
  // CHECK: nn.embedding %{{.*}}, %{{.*}} : tensor<2x3xi64>, tensor<7x4xbf16> -> tensor<2x3x4xbf16>
  %0 = nn.embedding %ids, %table : tensor<2x3xi64>, tensor<7x4xbf16> -> tensor<2x3x4xbf16>
  // CHECK: nn.embedding %{{.*}}, %{{.*}} row_offset %{{.*}} : tensor<2x3xi64>, tensor<7x4xbf16> -> tensor<2x3x4xbf16>
  %1 = nn.embedding %ids, %table row_offset %first : tensor<2x3xi64>, tensor<7x4xbf16> -> tensor<2x3x4xbf16>
  return %0, %1 : tensor<2x3x4xbf16>, tensor<2x3x4xbf16>
}

// One id and no rows are values like others.
// CHECK-LABEL: func.func @embedding_edges
func.func @embedding_edges(%id: tensor<i64>, %table: tensor<0x4xf16>) -> tensor<4xf16> {
  // CHECK: nn.embedding %{{.*}}, %{{.*}} : tensor<i64>, tensor<0x4xf16> -> tensor<4xf16>
  %0 = nn.embedding %id, %table : tensor<i64>, tensor<0x4xf16> -> tensor<4xf16>
  return %0 : tensor<4xf16>
}

// CHECK-LABEL: func.func @rms_norm
func.func @rms_norm(%x: tensor<2x3x4xf32>, %w: tensor<4xf32>, %y: tensor<4xf16>, %v: tensor<4xf32>) -> (tensor<2x3x4xf32>, tensor<4xf16>) {
  // CHECK: nn.rms_norm %{{.*}}, %{{.*}} epsilon 1.000000e-05 : tensor<2x3x4xf32>, tensor<4xf32>
  %0 = nn.rms_norm %x, %w epsilon 1.0e-05 : tensor<2x3x4xf32>, tensor<4xf32>
  // CHECK: nn.rms_norm %{{.*}}, %{{.*}} epsilon 0.000000e+00 {tp.name = "norm"} : tensor<4xf16>, tensor<4xf32>
  %1 = nn.rms_norm %y, %v epsilon 0.0 {tp.name = "norm"} : tensor<4xf16>, tensor<4xf32>
  return %0, %1 : tensor<2x3x4xf32>, tensor<4xf16>
}

// CHECK-LABEL: func.func @weight_offset
func.func @weight_offset(%x: tensor<2x4xf32>, %w: tensor<4xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>) {
  // CHECK: nn.rms_norm %{{.*}}, %{{.*}} epsilon 5.000000e-01 weight_offset 1.000000e+00 : tensor<2x4xf32>, tensor<4xf32>
  %0 = nn.rms_norm %x, %w epsilon 0.5 weight_offset 1.0 : tensor<2x4xf32>, tensor<4xf32>
  // No offset is an offset of 0.
  // CHECK: nn.rms_norm %{{.*}}, %{{.*}} epsilon 5.000000e-01 : tensor<2x4xf32>, tensor<4xf32>
  %1 = nn.rms_norm %x, %w epsilon 0.5 weight_offset 0.0 : tensor<2x4xf32>, tensor<4xf32>
  return %0, %1 : tensor<2x4xf32>, tensor<2x4xf32>
}

// CHECK-LABEL: func.func @layer_norm
func.func @layer_norm(%x: tensor<2x3x4xbf16>, %w: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<2x3x4xbf16> {
  // CHECK: nn.layer_norm %{{.*}}, %{{.*}}, %{{.*}} epsilon 1.000000e-05 : tensor<2x3x4xbf16>, tensor<4xf32>
  %0 = nn.layer_norm %x, %w, %b epsilon 1.0e-05 : tensor<2x3x4xbf16>, tensor<4xf32>
  return %0 : tensor<2x3x4xbf16>
}

// CHECK-LABEL: func.func @power_sums
func.func @power_sums(%x: tensor<2x3x4xbf16>, %y: tensor<4xf64>) -> (tensor<2x3x1xf32>, tensor<2x3x2xf64>, tensor<1xf64>) {
  // CHECK: nn.power_sums %{{.*}} powers [2] : tensor<2x3x4xbf16> -> tensor<2x3x1xf32>
  %0 = nn.power_sums %x powers [2] : tensor<2x3x4xbf16> -> tensor<2x3x1xf32>
  // CHECK: nn.power_sums %{{.*}} powers [1, 2] : tensor<2x3x4xbf16> -> tensor<2x3x2xf64>
  %1 = nn.power_sums %x powers [1, 2] : tensor<2x3x4xbf16> -> tensor<2x3x2xf64>
  %2 = nn.power_sums %y powers [1] : tensor<4xf64> -> tensor<1xf64>
  return %0, %1, %2 : tensor<2x3x1xf32>, tensor<2x3x2xf64>, tensor<1xf64>
}

// Norms of blocks of rows, by the sums of the rows.
// CHECK-LABEL: func.func @norms_by_sums
func.func @norms_by_sums(%x: tensor<2x3x4xbf16>, %w: tensor<4xf32>, %s: tensor<2x3x1xf32>, %t: tensor<2x3x2xf64>) -> (tensor<2x3x4xbf16>, tensor<2x3x4xbf16>) {
  // CHECK: nn.rms_norm %{{.*}}, %{{.*}} sums %{{.*}} of 7 epsilon 1.000000e-05 weight_offset 1.000000e+00 : tensor<2x3x4xbf16>, tensor<4xf32>, tensor<2x3x1xf32>
  %0 = nn.rms_norm %x, %w sums %s of 7 epsilon 1.0e-05 weight_offset 1.0 : tensor<2x3x4xbf16>, tensor<4xf32>, tensor<2x3x1xf32>
  // CHECK: nn.layer_norm %{{.*}}, %{{.*}}, %{{.*}} sums %{{.*}} of 7 epsilon 1.000000e-05 : tensor<2x3x4xbf16>, tensor<4xf32>, tensor<2x3x2xf64>
  %1 = nn.layer_norm %x, %w, %w sums %t of 7 epsilon 1.0e-05 : tensor<2x3x4xbf16>, tensor<4xf32>, tensor<2x3x2xf64>
  return %0, %1 : tensor<2x3x4xbf16>, tensor<2x3x4xbf16>
}

// CHECK-LABEL: func.func @rotary_table
func.func @rotary_table(%pos: tensor<2xi64>) -> (tensor<2x3x4xf32>, tensor<2x3x4xf32>) {
  // CHECK: %{{.*}}, %{{.*}} = nn.rotary_table %{{.*}} theta 1.000000e+04 : tensor<2xi64> -> tensor<2x3x4xf32>
  %cos, %sin = nn.rotary_table %pos theta 10000.0 : tensor<2xi64> -> tensor<2x3x4xf32>
  return %cos, %sin : tensor<2x3x4xf32>, tensor<2x3x4xf32>
}

// CHECK-LABEL: func.func @rotary_frequencies
func.func @rotary_frequencies(%pos: tensor<2xi64>) -> (tensor<2x3x2xf32>, tensor<2x3x2xf32>) {
  // CHECK: nn.rotary_table %{{.*}} frequencies [1.000000e+00, 1.250000e-02] : tensor<2xi64> -> tensor<2x3x2xf32>
  %cos, %sin = nn.rotary_table %pos frequencies [1.0, 0.0125] : tensor<2xi64> -> tensor<2x3x2xf32>
  return %cos, %sin : tensor<2x3x2xf32>, tensor<2x3x2xf32>
}

// CHECK-LABEL: func.func @rope
func.func @rope(%q: tensor<2x3x5x6x8xbf16>, %k: tensor<2x3x8xf32>, %cos: tensor<2x3x4xf32>, %sin: tensor<2x3x4xf32>)
    -> (tensor<2x3x5x6x8xbf16>, tensor<2x3x8xf32>) {
  // CHECK: nn.rope %{{.*}}, %{{.*}}, %{{.*}} : tensor<2x3x5x6x8xbf16>, tensor<2x3x4xf32>
  %0 = nn.rope %q, %cos, %sin : tensor<2x3x5x6x8xbf16>, tensor<2x3x4xf32>
  // CHECK: nn.rope %{{.*}}, %{{.*}}, %{{.*}} : tensor<2x3x8xf32>, tensor<2x3x4xf32>
  %1 = nn.rope %k, %cos, %sin : tensor<2x3x8xf32>, tensor<2x3x4xf32>
  return %0, %1 : tensor<2x3x5x6x8xbf16>, tensor<2x3x8xf32>
}

// Six of seven elements are rotated.
// CHECK-LABEL: func.func @partial_rope
func.func @partial_rope(%x: tensor<2x3x7xf32>, %cos: tensor<2x3x3xf32>, %sin: tensor<2x3x3xf32>) -> tensor<2x3x7xf32> {
  // CHECK: nn.rope %{{.*}}, %{{.*}}, %{{.*}} : tensor<2x3x7xf32>, tensor<2x3x3xf32>
  %0 = nn.rope %x, %cos, %sin : tensor<2x3x7xf32>, tensor<2x3x3xf32>
  return %0 : tensor<2x3x7xf32>
}

// CHECK-LABEL: func.func @cache_update
func.func @cache_update(%cache: tensor<2x5x16x8xf32>, %new: tensor<2x3x5x8xf32>, %pos: tensor<2xi64>) -> tensor<2x5x16x8xf32> {
  // CHECK: nn.cache_update %{{.*}}, %{{.*}}, %{{.*}} : tensor<2x5x16x8xf32>, tensor<2x3x5x8xf32>, tensor<2xi64>
  %0 = nn.cache_update %cache, %new, %pos : tensor<2x5x16x8xf32>, tensor<2x3x5x8xf32>, tensor<2xi64>
  return %0 : tensor<2x5x16x8xf32>
}

// CHECK-LABEL: func.func @attention
func.func @attention(%q: tensor<2x3x5x6x8xf32>, %k: tensor<2x5x16x8xf32>, %v: tensor<2x5x16x8xf32>, %pos: tensor<2xi64>) -> tensor<2x3x5x6x8xf32> {
  // CHECK: nn.attention %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} scale 1.250000e-01 : tensor<2x3x5x6x8xf32>, tensor<2x5x16x8xf32>, tensor<2xi64>
  %0 = nn.attention %q, %k, %v, %pos scale 0.125 : tensor<2x3x5x6x8xf32>, tensor<2x5x16x8xf32>, tensor<2xi64>
  return %0 : tensor<2x3x5x6x8xf32>
}

// CHECK-LABEL: func.func @window
func.func @window(%q: tensor<2x3x5x6x8xf32>, %k: tensor<2x5x16x8xf32>, %pos: tensor<2xi64>) -> tensor<2x3x5x6x8xf32> {
  // CHECK: nn.attention %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} scale 1.250000e-01 window 4 : tensor<2x3x5x6x8xf32>, tensor<2x5x16x8xf32>, tensor<2xi64>
  %0 = nn.attention %q, %k, %k, %pos scale 0.125 window 4 : tensor<2x3x5x6x8xf32>, tensor<2x5x16x8xf32>, tensor<2xi64>
  return %0 : tensor<2x3x5x6x8xf32>
}

// CHECK-LABEL: func.func @bidirectional
func.func @bidirectional(%q: tensor<2x3x5x6x8xf32>, %k: tensor<2x5x3x8xf32>, %n: tensor<2xi64>) -> tensor<2x3x5x6x8xf32> {
  // CHECK: nn.attention %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} bidirectional scale 1.250000e-01 : tensor<2x3x5x6x8xf32>, tensor<2x5x3x8xf32>, tensor<2xi64>
  %0 = nn.attention %q, %k, %k, %n bidirectional scale 0.125 : tensor<2x3x5x6x8xf32>, tensor<2x5x3x8xf32>, tensor<2xi64>
  return %0 : tensor<2x3x5x6x8xf32>
}

// CHECK-LABEL: func.func @top_k
func.func @top_k(%x: tensor<2x10xf32>, %y: tensor<10xi8>, %i: tensor<2x10xi64>, %first: index) -> tensor<2x3xf32> {
  // CHECK: nn.top_k %{{.*}} dim 1 bound 0xFF800000 : f32 : tensor<2x10xf32> -> tensor<2x3xf32>, tensor<2x3xi64>
  %0, %1 = nn.top_k %x dim 1 bound 0xFF800000 : f32 : tensor<2x10xf32> -> tensor<2x3xf32>, tensor<2x3xi64>
  // CHECK: nn.top_k %{{.*}} indices %{{.*}} dim 1 nan_first bound 0.000000e+00 : f32 : tensor<2x10xf32>, tensor<2x10xi64> -> tensor<2x3xf32>, tensor<2x3xi64>
  %2, %3 = nn.top_k %x indices %i dim 1 nan_first bound 0.0 : f32 : tensor<2x10xf32>, tensor<2x10xi64> -> tensor<2x3xf32>, tensor<2x3xi64>
  // CHECK: nn.top_k %{{.*}} index_offset %{{.*}} dim 0 blocks 3 smallest bound 127 : i8 missing_index -1 : tensor<10xi8> -> tensor<6xi8>, tensor<6xi64>
  %4, %5 = nn.top_k %y index_offset %first dim 0 blocks 3 smallest bound 127 : i8 missing_index -1 : tensor<10xi8> -> tensor<6xi8>, tensor<6xi64>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @sample
func.func @sample(%x: tensor<2x10xf32>, %u: tensor<2xf64>, %t: tensor<f64>, %k: tensor<i64>, %p: tensor<f64>) -> tensor<2xi64> {
  // CHECK: nn.sample %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : tensor<2x10xf32>
  %0 = nn.sample %x, %u, %t, %k, %p : tensor<2x10xf32>
  return %0 : tensor<2xi64>
}

// CHECK-LABEL: func.func @argmax
func.func @argmax(%x: tensor<2x10xf32>, %y: tensor<10xf16>, %first: index) -> (tensor<2x1xf32>, tensor<2x1xi64>, tensor<4xf16>, tensor<4xi64>) {
  // CHECK: %{{.*}}, %{{.*}} = nn.argmax %{{.*}} : tensor<2x10xf32> -> tensor<2x1xf32>, tensor<2x1xi64>
  %0, %1 = nn.argmax %x : tensor<2x10xf32> -> tensor<2x1xf32>, tensor<2x1xi64>
  // CHECK: %{{.*}}, %{{.*}} = nn.argmax %{{.*}} index_offset %{{.*}} : tensor<10xf16> -> tensor<4xf16>, tensor<4xi64>
  %2, %3 = nn.argmax %y index_offset %first : tensor<10xf16> -> tensor<4xf16>, tensor<4xi64>
  // CHECK: nn.argmax %{{.*}} index_offset %{{.*}} any_blocks : tensor<10xf16> -> tensor<4xf16>, tensor<4xi64>
  %6, %7 = nn.argmax %y index_offset %first any_blocks : tensor<10xf16> -> tensor<4xf16>, tensor<4xi64>
  return %0, %1, %2, %3 : tensor<2x1xf32>, tensor<2x1xi64>, tensor<4xf16>, tensor<4xi64>
}

// Blocks of positions and of queries, on the rank that has them.
// CHECK-LABEL: func.func @blocks
func.func @blocks(%c: tensor<1x2x4x8xbf16>, %u: tensor<1x3x2x8xbf16>, %q: tensor<1x3x2x2x8xbf16>, %p: tensor<1xi64>, %o: index, %n: index) -> (tensor<1x2x4x8xbf16>, tensor<1x3x2x2x8xbf16>, tensor<1x3x2x2x8xbf16>) {
  // CHECK: nn.cache_update %{{.*}}, %{{.*}}, %{{.*}} position_offset %{{.*}} of 16 : tensor<1x2x4x8xbf16>, tensor<1x3x2x8xbf16>, tensor<1xi64>
  %0 = nn.cache_update %c, %u, %p position_offset %o of 16 : tensor<1x2x4x8xbf16>, tensor<1x3x2x8xbf16>, tensor<1xi64>
  // CHECK: nn.attention %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} step_offset %{{.*}} scale 5.000000e-01 window 3 : tensor<1x3x2x2x8xbf16>, tensor<1x2x4x8xbf16>, tensor<1xi64>
  %1 = nn.attention %q, %0, %0, %p step_offset %o scale 0.5 window 3 : tensor<1x3x2x2x8xbf16>, tensor<1x2x4x8xbf16>, tensor<1xi64>
  // CHECK: %[[S:.*]], %[[L:.*]] = nn.attention_blocks %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} step_offset %{{.*}} position_offset %{{.*}} extent %{{.*}} scale 5.000000e-01 window 3 : tensor<1x3x2x2x8xbf16>, tensor<1x2x4x8xbf16>, tensor<1xi64> -> tensor<2x1x3x2x2x9xf32>, tensor<2x1x3x2x2xf32>
  %s, %l = nn.attention_blocks %q, %0, %0, %p step_offset %o position_offset %o extent %n scale 0.5 window 3 : tensor<1x3x2x2x8xbf16>, tensor<1x2x4x8xbf16>, tensor<1xi64> -> tensor<2x1x3x2x2x9xf32>, tensor<2x1x3x2x2xf32>
  %m = tensor.empty() : tensor<1x3x2x2xf32>
  // CHECK: nn.attention_merge %[[S]], %[[L]], %{{.*}} : tensor<2x1x3x2x2x9xf32>
  %t = nn.attention_merge %s, %l, %m : tensor<2x1x3x2x2x9xf32>
  // CHECK: nn.attention_finish %{{.*}} : tensor<1x3x2x2x9xf32> -> tensor<1x3x2x2x8xbf16>
  %r = nn.attention_finish %t : tensor<1x3x2x2x9xf32> -> tensor<1x3x2x2x8xbf16>
  // CHECK: nn.attention_blocks %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} bidirectional scale 5.000000e-01 :
  %s1, %l1 = nn.attention_blocks %q, %0, %0, %p bidirectional scale 0.5 : tensor<1x3x2x2x8xbf16>, tensor<1x2x4x8xbf16>, tensor<1xi64> -> tensor<1x1x3x2x2x9xf32>, tensor<1x1x3x2x2xf32>
  return %0, %1, %r : tensor<1x2x4x8xbf16>, tensor<1x3x2x2x8xbf16>, tensor<1x3x2x2x8xbf16>
}
