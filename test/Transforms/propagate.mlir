// RUN: tp-opt %s -split-input-file --tp-plan-pipeline | FileCheck %s
// RUN: tp-opt %s -split-input-file --tp-plan-pipeline=explain=true | FileCheck %s --check-prefix=WHY

// Only the weights are annotated: Megatron's layout follows.
tp.mesh @mesh <"tp"=4>

// CHECK-LABEL: func.func @ffn
// CHECK-SAME: %arg0: tensor<64x512xf32> {tp.sharding = #tp.sharding<[_, _]>}
// CHECK-SAME: -> (tensor<64x512xf32> {tp.sharding = #tp.sharding<[_, _]>})
// WHY-LABEL: func.func @ffn
func.func @ffn(%x: tensor<64x512xf32>, %w1: tensor<512x2048xf32> {tp.sharding = #tp.sharding<[_, tp]>},
               %w2: tensor<2048x512xf32> {tp.sharding = #tp.sharding<[tp, _]>}) -> tensor<64x512xf32> {
  %zero = arith.constant 0.0 : f32
  %e1 = tensor.empty() : tensor<64x2048xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<64x2048xf32>) -> tensor<64x2048xf32>
  // CHECK: linalg.matmul {tp.sharding = [#tp.sharding<[_, tp]>]}
  // WHY: linalg.matmul {{.*}}tp.why = ["[_, tp]; dimension 1 from linalg.matmul at {{.*}} because of the annotation of @ffn argument 1 ({{.*}}propagate.mlir:11:40)"]
  %h = linalg.matmul ins(%x, %w1 : tensor<64x512xf32>, tensor<512x2048xf32>) outs(%f1 : tensor<64x2048xf32>) -> tensor<64x2048xf32>
  // CHECK: math.tanh {{.*}}{tp.sharding = [#tp.sharding<[_, tp]>]}
  %a = math.tanh %h : tensor<64x2048xf32>
  %e2 = tensor.empty() : tensor<64x512xf32>
  %f2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<64x512xf32>) -> tensor<64x512xf32>
  // CHECK: linalg.matmul {tp.sharding = [#tp.sharding<[_, _]>]}
  // WHY: linalg.matmul {{.*}}tp.why = ["[_, _]: no annotation reaches it"]
  %y = linalg.matmul ins(%a, %w2 : tensor<64x2048xf32>, tensor<2048x512xf32>) outs(%f2 : tensor<64x512xf32>) -> tensor<64x512xf32>
  return %y : tensor<64x512xf32>
}

// -----

// Axes move backwards too, through a transposition; a closed value stays.
tp.mesh @mesh <"tp"=2>

// CHECK-LABEL: func.func @backwards
// CHECK-SAME: %arg0: tensor<8x6xf32> {tp.sharding = #tp.sharding<[_, tp]>}
// CHECK-SAME: %arg1: tensor<6x8xf32> {tp.sharding = #tp.sharding<[_, _]>}
func.func @backwards(%x: tensor<8x6xf32>, %closed: tensor<6x8xf32> {tp.sharding = #tp.sharding<[]>})
    -> (tensor<6x8xf32> {tp.sharding = #tp.sharding<[tp, _]>}) {
  %e = tensor.empty() : tensor<6x8xf32>
  // CHECK: linalg.transpose {{.*}}{tp.sharding = [#tp.sharding<[tp, _]>]}
  %t = linalg.transpose ins(%x : tensor<8x6xf32>) outs(%e : tensor<6x8xf32>) permutation = [1, 0]
  %y = arith.addf %t, %closed : tensor<6x8xf32>
  return %y : tensor<6x8xf32>
}

// -----

// Constants, empties and fills are copied per use: each user gets its own layout.
tp.mesh @mesh <"tp"=2>

// CHECK-LABEL: func.func @copies
func.func @copies(%a: tensor<8x8xf32> {tp.sharding = #tp.sharding<[tp, _]>}, %b: tensor<8x8xf32> {tp.sharding = #tp.sharding<[_, tp]>})
    -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  // CHECK-DAG: arith.constant {tp.sharding = [#tp.sharding<[tp, _]>]} dense<1.000000e+00>
  // CHECK-DAG: arith.constant {tp.sharding = [#tp.sharding<[_, tp]>]} dense<1.000000e+00>
  %one = arith.constant dense<1.0> : tensor<8x8xf32>
  %0 = arith.addf %a, %one : tensor<8x8xf32>
  %1 = arith.addf %b, %one : tensor<8x8xf32>
  return %0, %1 : tensor<8x8xf32>, tensor<8x8xf32>
}

// -----

// A reshape is local where every block boundary falls on the inner size; heads
// stay whole, and one axis may cut two dimensions by its parts.
tp.mesh @mesh <"tp"=4>

// CHECK-LABEL: func.func @reshapes
func.func @reshapes(%x: tensor<3x16xf32> {tp.sharding = #tp.sharding<[_, tp]>}, %y: tensor<3x48xf32> {tp.sharding = #tp.sharding<[_, tp]>},
                    %z: tensor<9x64xf32> {tp.sharding = #tp.sharding<[tp, _]>})
    -> (tensor<3x2x2x4xf32>, tensor<3x6x8xf32>, tensor<576xf32>) {
  // CHECK: tensor.expand_shape {{.*}} {tp.sharding = [#tp.sharding<[_, tp:(1)2, tp:(2)2, _]>]}
  %0 = tensor.expand_shape %x [[0], [1, 2, 3]] output_shape [3, 2, 2, 4] : tensor<3x16xf32> into tensor<3x2x2x4xf32>
  // Blocks of 12 do not consist of rows of 8.
  // CHECK: tensor.expand_shape {{.*}} {tp.sharding = [#tp.sharding<[_, _, _]>]}
  %1 = tensor.expand_shape %y [[0], [1, 2]] output_shape [3, 6, 8] : tensor<3x48xf32> into tensor<3x6x8xf32>
  // CHECK: tensor.collapse_shape {{.*}} {tp.sharding = [#tp.sharding<[tp*192]>]}
  %2 = tensor.collapse_shape %z [[0, 1]] : tensor<9x64xf32> into tensor<576xf32>
  return %0, %1, %2 : tensor<3x2x2x4xf32>, tensor<3x6x8xf32>, tensor<576xf32>
}

// -----

// Two factors of one op want the axis: its rows keep it, as the weight is the smaller one to gather. The
// result stays as it is annotated.
tp.mesh @mesh <"tp"=4>

// CHECK-LABEL: func.func @contested
func.func @contested(%x: tensor<8x4xf32> {tp.sharding = #tp.sharding<[tp, _]>}, %w: tensor<4x4xf32> {tp.sharding = #tp.sharding<[_, tp]>})
    -> (tensor<8x4xf32> {tp.sharding = #tp.sharding<[_, tp]>}) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x4xf32>) -> tensor<8x4xf32>
  // CHECK: linalg.matmul {tp.factor_priority = array<i64: 0, 1, 0>, tp.sharding = [#tp.sharding<[_, tp]>]}
  %y = linalg.matmul ins(%x, %w : tensor<8x4xf32>, tensor<4x4xf32>) outs(%f : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %y : tensor<8x4xf32>
}

// -----

// Priority 0 is taken up first.
tp.mesh @mesh <"tp"=2>

// CHECK-LABEL: func.func @priority
func.func @priority(%a: tensor<8x8xf32> {tp.sharding = #tp.sharding<[tp, _]>, tp.priority = 1 : i64},
                    %b: tensor<8x8xf32> {tp.sharding = #tp.sharding<[_, tp]>}) -> tensor<8x8xf32> {
  // CHECK: arith.addf {{.*}}{tp.factor_priority = array<i64: 1, 0>, tp.sharding = [#tp.sharding<[_, tp]>]}
  %y = arith.addf %a, %b : tensor<8x8xf32>
  return %y : tensor<8x8xf32>
}

// -----

// A value is gathered once for all that need it whole: rows of x for three products with weights of its size.
tp.mesh @mesh <"tp"=2>

// CHECK-LABEL: func.func @shared
func.func @shared(%x: tensor<8x8xf32> {tp.sharding = #tp.sharding<[tp, _]>},
                  %a: tensor<8x8xf32> {tp.sharding = #tp.sharding<[_, tp]>},
                  %b: tensor<8x8xf32> {tp.sharding = #tp.sharding<[_, tp]>},
                  %c: tensor<8x8xf32> {tp.sharding = #tp.sharding<[_, tp]>}) -> (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  // CHECK-COUNT-3: linalg.matmul {tp.factor_priority = array<i64: 1, 0, 0>, tp.sharding = [#tp.sharding<[_, tp]>]}
  %p = linalg.matmul ins(%x, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  %q = linalg.matmul ins(%x, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  %r = linalg.matmul ins(%x, %c : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %p, %q, %r : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>
}

// -----

// What operands agree to reduce over stays so, whatever the result is wanted as.
tp.mesh @mesh <"tp"=2>

// CHECK-LABEL: func.func @agreed
func.func @agreed(%x: tensor<64x2xf32> {tp.sharding = #tp.sharding<[_, tp]>},
                  %w: tensor<2x64xf32> {tp.sharding = #tp.sharding<[tp, _]>})
    -> (tensor<64x64xf32> {tp.sharding = #tp.sharding<[tp, _]>}) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  // CHECK: linalg.matmul {tp.factor_priority = array<i64: 1, 0, 0>, tp.sharding = [#tp.sharding<[tp, _]>]}
  %y = linalg.matmul ins(%x, %w : tensor<64x2xf32>, tensor<2x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %y : tensor<64x64xf32>
}

// -----

// A parameter of two entries is one value, a state and its new value are one.
tp.mesh @mesh <"tp"=2>

// CHECK-LABEL: func.func @first
// CHECK-SAME: tp.name = "w", tp.sharding = #tp.sharding<[_, tp]>
func.func @first(%w: tensor<4x4xf32> {tp.kind = "parameter", tp.name = "w"}) -> (tensor<4x4xf32> {tp.sharding = #tp.sharding<[_, tp]>}) {
  return %w : tensor<4x4xf32>
}

// CHECK-LABEL: func.func @second
// CHECK-SAME: tp.name = "w", tp.sharding = #tp.sharding<[_, tp]>
// CHECK-SAME: tp.name = "s", tp.sharding = #tp.sharding<[tp, _]>
// CHECK-SAME: -> (tensor<4x4xf32>
// CHECK-SAME: tp.sharding = #tp.sharding<[tp, _]>
func.func @second(%w: tensor<4x4xf32> {tp.kind = "parameter", tp.name = "w"},
                  %s: tensor<4x4xf32> {tp.kind = "state", tp.name = "s", tp.sharding = #tp.sharding<[tp, _]>})
    -> (tensor<4x4xf32> {tp.alias = 1 : i64}) {
  %y = math.exp %s : tensor<4x4xf32>
  return %y : tensor<4x4xf32>
}

// -----

// Annotations of a later priority: %h is gathered for the queries, which have the
// axis already, so it is not cut, and neither are the keys, which the cache takes
// whole. %sum is cut: what uses it can follow.
tp.mesh @mesh <"tp"=2>

// CHECK-LABEL: func.func @gathered
func.func @gathered(%x: tensor<1x8x6xf32> {tp.sharding = #tp.sharding<[_, tp, _]>, tp.priority = 1 : i64}, %norm: tensor<6xf32>,
                    %wq: tensor<1x2x4x6xf32> {tp.sharding = #tp.sharding<[_, tp, _, _]>}, %wk: tensor<1x4x6xf32>,
                    %cache: tensor<1x1x8x4xf32> {tp.kind = "state", tp.name = "cache"}, %pos: tensor<1xi64>)
    -> (tensor<1x8x1x2x4xf32>, tensor<1x8x6xf32>, tensor<1x1x8x4xf32> {tp.alias = 4 : i64}) {
  %zero = arith.constant 0.0 : f32
  // CHECK: nn.rms_norm {{.*}}{tp.sharding = [#tp.sharding<[_, _, _]>]}
  %h = nn.rms_norm %x, %norm epsilon 1.0e-05 : tensor<1x8x6xf32>, tensor<6xf32>
  %eq = tensor.empty() : tensor<1x8x1x2x4xf32>
  %fq = linalg.fill ins(%zero : f32) outs(%eq : tensor<1x8x1x2x4xf32>) -> tensor<1x8x1x2x4xf32>
  // CHECK: linalg.contract {{.*}}tp.sharding = [#tp.sharding<[_, _, _, tp, _]>]
  %q = linalg.contract indexing_maps = [affine_map<(b, s, k, g, h, c) -> (b, s, c)>, affine_map<(b, s, k, g, h, c) -> (k, g, h, c)>, affine_map<(b, s, k, g, h, c) -> (b, s, k, g, h)>]
    ins(%h, %wq : tensor<1x8x6xf32>, tensor<1x2x4x6xf32>) outs(%fq : tensor<1x8x1x2x4xf32>) -> tensor<1x8x1x2x4xf32>
  %ek = tensor.empty() : tensor<1x8x1x4xf32>
  %fk = linalg.fill ins(%zero : f32) outs(%ek : tensor<1x8x1x4xf32>) -> tensor<1x8x1x4xf32>
  // CHECK: linalg.contract {{.*}}tp.sharding = [#tp.sharding<[_, _, _, _]>]
  %k = linalg.contract indexing_maps = [affine_map<(b, s, k, h, c) -> (b, s, c)>, affine_map<(b, s, k, h, c) -> (k, h, c)>, affine_map<(b, s, k, h, c) -> (b, s, k, h)>]
    ins(%h, %wk : tensor<1x8x6xf32>, tensor<1x4x6xf32>) outs(%fk : tensor<1x8x1x4xf32>) -> tensor<1x8x1x4xf32>
  // CHECK: nn.cache_update {{.*}}tp.sharding = [#tp.sharding<[_, _, _, _]>]
  %new = nn.cache_update %cache, %k, %pos : tensor<1x1x8x4xf32>, tensor<1x8x1x4xf32>, tensor<1xi64>
  // CHECK: nn.attention {{.*}}tp.sharding = [#tp.sharding<[_, _, _, tp, _]>]
  %a = nn.attention %q, %new, %new, %pos scale 0.5 : tensor<1x8x1x2x4xf32>, tensor<1x1x8x4xf32>, tensor<1xi64>
  // CHECK: arith.addf {{.*}}tp.cut_priority = [array<i64: 0, 1, 0>], tp.sharding = [#tp.sharding<[_, tp, _]>]
  %sum = arith.addf %x, %x : tensor<1x8x6xf32>
  return %a, %sum, %new : tensor<1x8x1x2x4xf32>, tensor<1x8x6xf32>, tensor<1x1x8x4xf32>
}

// -----

// A slice of most rows, or in steps through all, is cut as its source; others
// are whole.
tp.mesh @mesh <"tp"=2>

// CHECK-LABEL: func.func @slices
func.func @slices(%x: tensor<8x6xf32> {tp.sharding = #tp.sharding<[tp, _]>})
    -> (tensor<7x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>) {
  // CHECK: tensor.extract_slice %{{.*}}[1, 0] [7, 6] [1, 1] {tp.sharding = [#tp.sharding<[tp, _]>]}
  %most = tensor.extract_slice %x[1, 0] [7, 6] [1, 1] : tensor<8x6xf32> to tensor<7x6xf32>
  // CHECK: tensor.extract_slice %{{.*}}[1, 0] [4, 6] [2, 1] {tp.sharding = [#tp.sharding<[tp, _]>]}
  %steps = tensor.extract_slice %x[1, 0] [4, 6] [2, 1] : tensor<8x6xf32> to tensor<4x6xf32>
  // CHECK: tensor.extract_slice %{{.*}}[4, 0] [4, 6] [1, 1] {tp.sharding = [#tp.sharding<[_, _]>]}
  %half = tensor.extract_slice %x[4, 0] [4, 6] [1, 1] : tensor<8x6xf32> to tensor<4x6xf32>
  return %most, %steps, %half : tensor<7x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>
}
