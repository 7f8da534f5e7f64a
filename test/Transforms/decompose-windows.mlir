// RUN: tp-opt %s -split-input-file --pass-pipeline='builtin.module(tp-plan-pipeline,func.func(tp-decompose-windows))' | FileCheck %s

// One window in place of a pad, wanted as the pad was.
tp.mesh @mesh <"tp"=2>

// CHECK-LABEL: func.func @pad
// CHECK: tp.window %arg0 dim 0 starts [-3] sizes [10] stride 1 fill(-9.000000e+00 : f32) because "tensor.pad reads rows of other blocks" {tp.name = "p", tp.sharding = [#tp.sharding<[tp]>]} : tensor<6xf32> -> tensor<10xf32>
func.func @pad(%x: tensor<6xf32> {tp.sharding = #tp.sharding<[tp]>}) -> (tensor<10xf32> {tp.sharding = #tp.sharding<[tp]>}) {
  %m = arith.constant -9.0 : f32
  %p = tensor.pad %x low[3] high[1] {
  ^bb0(%i: index):
    tensor.yield %m : f32
  } {tp.name = "p"} : tensor<6xf32> to tensor<10xf32>
  return %p : tensor<10xf32>
}

// -----

// What is not cut stays.
tp.mesh @mesh <"tp"=2>

// CHECK-LABEL: func.func @whole
// CHECK-NOT: tp.window
// CHECK: tensor.extract_slice
func.func @whole(%x: tensor<4x6xf32> {tp.sharding = #tp.sharding<[tp, _]>}) -> tensor<4x2xf32> {
  %y = tensor.extract_slice %x[0, 1] [4, 2] [1, 1] : tensor<4x6xf32> to tensor<4x2xf32>
  return %y : tensor<4x2xf32>
}

// -----

// A slice takes its other dimensions first, and drops unit ones last.
tp.mesh @mesh <"tp"=2>

// CHECK-LABEL: func.func @slice
// CHECK: %[[REST:.*]] = tensor.extract_slice %arg0[0, 2] [6, 2] [1, 1] {tp.sharding = [#tp.sharding<[tp, _]>]} : tensor<6x5xf32> to tensor<6x2xf32>
// CHECK: %[[ROW:.*]] = tp.window %[[REST]] dim 0 starts [4] sizes [1] stride 1 because "tensor.extract_slice reads rows of other blocks" {tp.sharding = [#tp.sharding<[_, _]>]} : tensor<6x2xf32> -> tensor<1x2xf32>
// CHECK: tensor.extract_slice %[[ROW]][0, 0] [1, 2] [1, 1] {tp.sharding = [#tp.sharding<[_]>]} : tensor<1x2xf32> to tensor<2xf32>
func.func @slice(%x: tensor<6x5xf32> {tp.sharding = #tp.sharding<[tp, _]>}) -> tensor<2xf32> {
  %y = tensor.extract_slice %x[4, 2] [1, 2] [1, 1] : tensor<6x5xf32> to tensor<2xf32>
  return %y : tensor<2xf32>
}

// -----

// Rows that are shifted around the end: two windows of the value itself, and no slice.
tp.mesh @mesh <"tp"=2>

// CHECK-LABEL: func.func @roll
// CHECK-NOT: tensor.extract_slice
// CHECK-DAG: %[[A:.*]] = tp.window %arg0 dim 0 starts [5] sizes [8] stride 1 because "tensor.concat reads rows of other blocks" {tp.sharding = [#tp.sharding<[tp]>]} : tensor<8xf32> -> tensor<8xf32>
// CHECK-DAG: %[[B:.*]] = tp.window %arg0 dim 0 starts [8, 0] sizes [3, 5] stride 1
// CHECK: linalg.generic {{.*}} ins(%[[B]], %[[A]]
// CHECK-NOT: tensor.concat
func.func @roll(%x: tensor<8xf32> {tp.sharding = #tp.sharding<[tp]>}) -> (tensor<8xf32> {tp.sharding = #tp.sharding<[tp]>}) {
  %a = tensor.extract_slice %x[5] [3] [1] : tensor<8xf32> to tensor<3xf32>
  %b = tensor.extract_slice %x[0] [5] [1] : tensor<8xf32> to tensor<5xf32>
  %y = tensor.concat dim(0) %a, %b : (tensor<3xf32>, tensor<5xf32>) -> tensor<8xf32>
  return %y : tensor<8xf32>
}

// -----

// A padded convolution: the pad and the halo are one window, blocks a dimension.
tp.mesh @mesh <"tp"=4>

// CHECK: #[[IN:.*]] = affine_map<(d0, d1, d2) -> (d0, d1 + d2)>
// CHECK-LABEL: func.func @conv
// CHECK-NOT: tensor.pad
// CHECK: %[[H:.*]] = tp.window %arg0 dim 0 starts [-1, 3, 7, 11] sizes [6, 6, 6, 6] stride 1 fill(0.000000e+00 : f32) because "linalg.conv_1d reads rows of other blocks" {tp.sharding = [#tp.sharding<[tp]>]} : tensor<16xf32> -> tensor<24xf32>
// CHECK: %[[B:.*]] = tensor.expand_shape %[[H]] {{\[}}[0, 1]] output_shape [4, 6]
// CHECK: linalg.generic {indexing_maps = [#[[IN]], {{.*}} iterator_types = ["parallel", "parallel", "reduction"]} ins(%[[B]], %arg1 : tensor<4x6xf32>, tensor<3xf32>)
// CHECK: tensor.collapse_shape {{.*}} {tp.sharding = [#tp.sharding<[tp]>]} : tensor<4x4xf32> into tensor<16xf32>
func.func @conv(%x: tensor<16xf32> {tp.sharding = #tp.sharding<[tp]>}, %k: tensor<3xf32>) -> (tensor<16xf32> {tp.sharding = #tp.sharding<[tp]>}) {
  %z = arith.constant 0.0 : f32
  %p = tensor.pad %x low[1] high[1] {
  ^bb0(%i: index):
    tensor.yield %z : f32
  } : tensor<16xf32> to tensor<18xf32>
  %e = tensor.empty() : tensor<16xf32>
  %o = linalg.fill ins(%z : f32) outs(%e : tensor<16xf32>) -> tensor<16xf32>
  %y = linalg.conv_1d ins(%p, %k : tensor<18xf32>, tensor<3xf32>) outs(%o : tensor<16xf32>) -> tensor<16xf32>
  return %y : tensor<16xf32>
}

// -----

// Blocks of 2, 2 and 1 rows: what the short one lacks is nobody's.
tp.mesh @mesh <"tp"=3>

// CHECK-LABEL: func.func @uneven
// CHECK: tp.window %arg0 dim 0 starts [0, 4, 8] sizes [5, 5, 5] stride 1 because
// CHECK: linalg.generic
// CHECK: tp.window %{{.*}} dim 0 starts [0] sizes [5] stride 1 {{.*}} : tensor<6xf32> -> tensor<5xf32>
func.func @uneven(%x: tensor<11xf32>, %k: tensor<3xf32>) -> (tensor<5xf32> {tp.sharding = #tp.sharding<[tp]>}) {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<5xf32>
  %o = linalg.fill ins(%z : f32) outs(%e : tensor<5xf32>) -> tensor<5xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(i, k) -> (2 * i + k)>, affine_map<(i, k) -> (k)>, affine_map<(i, k) -> (i)>],
      iterator_types = ["parallel", "reduction"]} ins(%x, %k : tensor<11xf32>, tensor<3xf32>) outs(%o : tensor<5xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %c, %p : f32
    linalg.yield %s : f32
  } -> tensor<5xf32>
  return %y : tensor<5xf32>
}

// -----

// Rows two apart: each counts twice, from the first that a block has on.
tp.mesh @mesh <"tp"=2>

// CHECK-LABEL: func.func @insert_in_steps
// CHECK: %[[ROWS:.*]] = tp.window %arg0 dim 0 starts [6, 0] sizes [1, 9] stride 1 repeat 2 because "tensor.insert_slice reads rows of other blocks" {tp.sharding = [#tp.sharding<[tp]>]} : tensor<3xf32> -> tensor<10xf32>
// CHECK: linalg.generic {{.*}} ins(%[[ROWS]], %arg1
// CHECK-NOT: tensor.insert_slice
func.func @insert_in_steps(%u: tensor<3xf32> {tp.sharding = #tp.sharding<[tp]>}, %x: tensor<10xf32> {tp.sharding = #tp.sharding<[tp]>}) -> (tensor<10xf32> {tp.sharding = #tp.sharding<[tp]>}) {
  %y = tensor.insert_slice %u into %x[1] [3] [2] : tensor<3xf32> into tensor<10xf32>
  return %y : tensor<10xf32>
}

// -----

// A value that is known at run time is put beside the rows.
tp.mesh @mesh <"tp"=2>

// CHECK-LABEL: func.func @pad_computed
// CHECK: %[[C:.*]] = tensor.extract
// CHECK: %[[ROWS:.*]] = tp.window %arg0 dim 0 starts [-3] sizes [10] stride 1 because
// CHECK: %[[FILL:.*]] = linalg.fill ins(%[[C]]
// CHECK: linalg.generic {{.*}} ins(%[[ROWS]], %[[FILL]]
func.func @pad_computed(%x: tensor<6xf32> {tp.sharding = #tp.sharding<[tp]>}, %s: tensor<f32>) -> (tensor<10xf32> {tp.sharding = #tp.sharding<[tp]>}) {
  %c = tensor.extract %s[] : tensor<f32>
  %p = tensor.pad %x low[3] high[1] {
  ^bb0(%i: index):
    tensor.yield %c : f32
  } : tensor<6xf32> to tensor<10xf32>
  return %p : tensor<10xf32>
}

// -----

// A cumulative sum: of each block, the totals of all blocks, and what comes before each.
tp.mesh @mesh <"tp"=2>

// CHECK-LABEL: func.func @cumulative_sum
// CHECK: %[[BLOCKS:.*]] = tensor.expand_shape %arg0 {{\[\[0, 1\]\]}} output_shape [2, 4]
// CHECK: tensor.pad %[[BLOCKS]] low[0, 3] high[0, 0]
// CHECK: %[[OWN:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "reduction"]
// CHECK: %[[TOTALS:.*]] = tensor.extract_slice %[[OWN]][0, 3] [2, 1] [1, 1]
// CHECK: %[[ALL:.*]] = tp.constraint %[[TOTALS]] <[_]> because "what each block adds to those behind it"
// CHECK: tensor.pad %[[ALL]] low[1] high[0]
// CHECK: %[[UPTO:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "reduction"]
// CHECK: %[[BEFORE:.*]] = tp.window %[[UPTO]] dim 0 starts [-1] sizes [2] stride 1 fill(0.000000e+00 : f32)
// CHECK: linalg.generic {{.*}} ins(%[[BEFORE]], %[[OWN]]
func.func @cumulative_sum(%x: tensor<8xf32> {tp.sharding = #tp.sharding<[tp]>}) -> (tensor<8xf32> {tp.sharding = #tp.sharding<[tp]>}) {
  %z = arith.constant 0.0 : f32
  %p = tensor.pad %x low[7] high[0] {
  ^bb0(%i: index):
    tensor.yield %z : f32
  } : tensor<8xf32> to tensor<15xf32>
  %e = tensor.empty() : tensor<8xf32>
  %o = linalg.fill ins(%z : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %w = tensor.empty() : tensor<8xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i + j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i)>],
                       iterator_types = ["parallel", "reduction"]}
      ins(%p, %w : tensor<15xf32>, tensor<8xf32>) outs(%o : tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %s = arith.addf %c, %a : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  return %y : tensor<8xf32>
}

// -----

// A norm whose rows are wanted in blocks needs their sums first.
tp.mesh @mesh <"tp"=2>

// CHECK-LABEL: func.func @norms
// CHECK: %[[S:.*]] = nn.power_sums %arg0 powers [2] : tensor<3x8xbf16> -> tensor<3x1xf32>
// CHECK: %[[N:.*]] = nn.rms_norm %arg0, %arg1 sums %[[S]] of 8 epsilon 1.000000e-02 {tp.sharding = [#tp.sharding<[_, tp]>]} : tensor<3x8xbf16>, tensor<8xf32>, tensor<3x1xf32>
// CHECK: %[[T:.*]] = nn.power_sums %[[N]] powers [1, 2] : tensor<3x8xbf16> -> tensor<3x2xf64>
// CHECK: nn.layer_norm %[[N]], %arg1, %arg1 sums %[[T]] of 8 epsilon 1.000000e-02 {tp.sharding = [#tp.sharding<[_, tp]>]}
func.func @norms(%x: tensor<3x8xbf16> {tp.sharding = #tp.sharding<[_, tp]>}, %w: tensor<8xf32>) -> tensor<3x8xbf16> {
  %0 = nn.rms_norm %x, %w epsilon 1.0e-02 : tensor<3x8xbf16>, tensor<8xf32>
  %1 = nn.layer_norm %0, %w, %w epsilon 1.0e-02 : tensor<3x8xbf16>, tensor<8xf32>
  return %1 : tensor<3x8xbf16>
}

// -----

// Whole rows that are wanted whole stay as they are, whatever cuts the weights.
tp.mesh @mesh <"tp"=2>

// CHECK-LABEL: func.func @whole_rows
// CHECK: nn.rms_norm %arg0, %arg1 epsilon
func.func @whole_rows(%x: tensor<3x8xbf16> {tp.sharding = #tp.sharding<[_, _]>}, %w: tensor<8xf32> {tp.sharding = #tp.sharding<[tp]>}) -> (tensor<3x8xbf16> {tp.sharding = #tp.sharding<[_, _]>}) {
  %0 = nn.rms_norm %x, %w epsilon 1.0e-02 {tp.sharding = [#tp.sharding<[_, _]>]} : tensor<3x8xbf16>, tensor<8xf32>
  return %0 : tensor<3x8xbf16>
}

// -----

// Attention over keys in blocks, where its results are less than the keys and values.
tp.mesh @mesh <"tp"=2>

// CHECK-LABEL: func.func @keys_in_blocks
// CHECK: %[[S:.*]], %[[L:.*]] = nn.attention_blocks %arg0, %arg1, %arg1, %arg2 scale 5.000000e-01 : {{.*}} -> tensor<2x1x1x2x3x5xf32>, tensor<2x1x1x2x3xf32>
// CHECK: %[[M:.*]] = linalg.generic {{.*}} iterator_types = ["reduction", "parallel", "parallel", "parallel", "parallel"]} ins(%[[L]]
// CHECK: arith.maximumf
// CHECK: %[[T:.*]] = nn.attention_merge %[[S]], %[[L]], %[[M]] {tp.sharding = [#tp.sharding<[_, _, _, _, _]>]}
// CHECK: nn.attention_finish %[[T]] {tp.name = "a", tp.sharding = [#tp.sharding<[_, _, _, _, _]>]}
func.func @keys_in_blocks(%q: tensor<1x1x2x3x4xbf16>, %k: tensor<1x2x16x4xbf16> {tp.sharding = #tp.sharding<[_, _, tp, _]>}, %p: tensor<1xi64>) -> tensor<1x1x2x3x4xbf16> {
  %0 = nn.attention %q, %k, %k, %p scale 0.5 {tp.name = "a"} : tensor<1x1x2x3x4xbf16>, tensor<1x2x16x4xbf16>, tensor<1xi64>
  return %0 : tensor<1x1x2x3x4xbf16>
}

// -----

// Few keys for many queries are gathered.
tp.mesh @mesh <"tp"=2>

// CHECK-LABEL: func.func @few_keys
// CHECK-NOT: nn.attention_blocks
// CHECK: nn.attention %arg0
func.func @few_keys(%q: tensor<1x8x2x3x4xbf16>, %k: tensor<1x2x16x4xbf16> {tp.sharding = #tp.sharding<[_, _, tp, _]>}, %p: tensor<1xi64>) -> tensor<1x8x2x3x4xbf16> {
  %0 = nn.attention %q, %k, %k, %p scale 0.5 : tensor<1x8x2x3x4xbf16>, tensor<1x2x16x4xbf16>, tensor<1xi64>
  return %0 : tensor<1x8x2x3x4xbf16>
}
