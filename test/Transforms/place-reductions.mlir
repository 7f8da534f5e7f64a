// RUN: tp-opt %s -split-input-file --tp-plan-pipeline --tp-reshard-pipeline | FileCheck %s

// Partial sums are added before one reduction, what is whole after it.
tp.mesh @mesh <"tp"=4>

// CHECK-LABEL: func.func @two_branches
// CHECK: %[[P:.*]] = linalg.matmul
// CHECK: %[[Q:.*]] = linalg.matmul
// CHECK: %[[PQ:.*]] = arith.addf %[[P]], %[[Q]] {tp.sharding = [#tp.sharding<[_, _] sum(tp)>]}
// CHECK: %[[S:.*]] = tp.reshard %[[PQ]] from <[_, _] sum(tp)> to <[_, _]>
// CHECK: arith.addf %[[S]], %arg3 {tp.sharding = [#tp.sharding<[_, _]>]}
// CHECK-NOT: tp.reshard
func.func @two_branches(%x: tensor<4x8xf32> {tp.sharding = #tp.sharding<[_, tp]>}, %w: tensor<8x8xf32> {tp.sharding = #tp.sharding<[tp, _]>},
                        %v: tensor<8x8xf32> {tp.sharding = #tp.sharding<[tp, _]>}, %h: tensor<4x8xf32> {tp.sharding = #tp.sharding<[]>}) -> tensor<4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %p = linalg.matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%f : tensor<4x8xf32>) -> tensor<4x8xf32>
  %q = linalg.matmul ins(%x, %v : tensor<4x8xf32>, tensor<8x8xf32>) outs(%f : tensor<4x8xf32>) -> tensor<4x8xf32>
  %pq = arith.addf %p, %q : tensor<4x8xf32>
  %y = arith.addf %pq, %h : tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// -----

// A result wanted by rows is reduced and scattered, never reduced and sliced.
tp.mesh @mesh <"tp"=4>

// CHECK-LABEL: func.func @scattered
// CHECK-COUNT-1: tp.reshard {{.*}} from <[_, _] sum(tp)> to <[tp, _]>
// CHECK-NOT: tp.reshard
func.func @scattered(%x: tensor<4x8xf32> {tp.sharding = #tp.sharding<[_, tp]>}, %w: tensor<8x8xf32> {tp.sharding = #tp.sharding<[tp, _]>})
    -> (tensor<4x8xf32> {tp.sharding = #tp.sharding<[tp, _]>}) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %p = linalg.matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%f : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %p : tensor<4x8xf32>
}

// -----

// Not through what is not linear: the sum is taken before the rounding and the
// activation, once for both.
tp.mesh @mesh <"tp"=4>

// CHECK-LABEL: func.func @nonlinear
// CHECK: %[[P:.*]] = linalg.matmul
// CHECK: %[[S:.*]] = tp.reshard %[[P]] from <[_, _] sum(tp)> to <[_, _]>
// CHECK: math.tanh %[[S]]
// CHECK: arith.truncf %[[S]]
// CHECK-NOT: tp.reshard
func.func @nonlinear(%x: tensor<4x8xf32> {tp.sharding = #tp.sharding<[_, tp]>}, %w: tensor<8x8xf32> {tp.sharding = #tp.sharding<[tp, _]>})
    -> (tensor<4x8xf32>, tensor<4x8xbf16>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %p = linalg.matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%f : tensor<4x8xf32>) -> tensor<4x8xf32>
  %a = math.tanh %p : tensor<4x8xf32>
  %b = arith.truncf %p : tensor<4x8xf32> to tensor<4x8xbf16>
  return %a, %b : tensor<4x8xf32>, tensor<4x8xbf16>
}

// -----

// Through transpositions: both partial gradients meet before the reduction.
tp.mesh @mesh <"tp"=4>

// CHECK-LABEL: func.func @through_moves
// CHECK: linalg.transpose {{.*}}sum(tp)
// CHECK: arith.addf {{.*}}sum(tp)
// CHECK-COUNT-1: from <[_, _] sum(tp)> to <[_, _]>
// CHECK-NOT: tp.reshard
func.func @through_moves(%x: tensor<8x8xf32> {tp.sharding = #tp.sharding<[_, tp]>}, %w: tensor<8x8xf32> {tp.sharding = #tp.sharding<[tp, _]>},
                         %v: tensor<8x8xf32> {tp.sharding = #tp.sharding<[tp, _]>}) -> tensor<8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %p = linalg.matmul ins(%x, %w : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  %q = linalg.matmul ins(%x, %v : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  %t = linalg.transpose ins(%q : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) permutation = [1, 0]
  %y = arith.addf %p, %t : tensor<8x8xf32>
  return %y : tensor<8x8xf32>
}

// -----

// All three in one op: what is whole counts on coordinate 0 only.
tp.mesh @mesh <"tp"=4>

// CHECK-LABEL: func.func @in_one_op
// CHECK: tp.reshard %arg3 from <[_, _]> to <[_, _] sum(tp)>
// CHECK: linalg.generic
// CHECK-COUNT-1: from <[_, _] sum(tp)> to <[_, _]>
// CHECK-NOT: tp.reshard
func.func @in_one_op(%x: tensor<4x8xf32> {tp.sharding = #tp.sharding<[_, tp]>}, %w: tensor<8x8xf32> {tp.sharding = #tp.sharding<[tp, _]>},
                     %v: tensor<8x8xf32> {tp.sharding = #tp.sharding<[tp, _]>}, %h: tensor<4x8xf32> {tp.sharding = #tp.sharding<[]>}) -> tensor<4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %p = linalg.matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%f : tensor<4x8xf32>) -> tensor<4x8xf32>
  %q = linalg.matmul ins(%x, %v : tensor<4x8xf32>, tensor<8x8xf32>) outs(%f : tensor<4x8xf32>) -> tensor<4x8xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%p, %q, %h : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %o: f32):
    %s = arith.addf %a, %b : f32
    %r = arith.addf %s, %c : f32
    linalg.yield %r : f32
  } -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// -----

// What an adapter of low rank adds is summed with the rest, not between its two products.
tp.mesh @mesh <"tp"=4>

// CHECK-LABEL: func.func @through_products
// CHECK: linalg.matmul {{.*}}sum(tp)
// CHECK: linalg.matmul {{.*}}sum(tp)
// CHECK: linalg.matmul {{.*}}sum(tp)
// CHECK: arith.addf {{.*}}sum(tp)
// CHECK-COUNT-1: tp.reshard {{.*}} from <[_, _] sum(tp)> to <[_, _]>
// CHECK-NOT: tp.reshard
// Alone it is.
// CHECK-LABEL: func.func @one_product
// CHECK: tp.reshard {{.*}} : tensor<4x2xf32>
// CHECK-NOT: tp.reshard
func.func @through_products(%x: tensor<4x8xf32> {tp.sharding = #tp.sharding<[_, tp]>}, %w: tensor<8x6xf32> {tp.sharding = #tp.sharding<[tp, _]>},
                            %a: tensor<8x2xf32> {tp.sharding = #tp.sharding<[tp, _]>}, %b: tensor<2x6xf32> {tp.sharding = #tp.sharding<[]>}) -> tensor<4x6xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x6xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x6xf32>) -> tensor<4x6xf32>
  %s = tensor.empty() : tensor<4x2xf32>
  %g = linalg.fill ins(%zero : f32) outs(%s : tensor<4x2xf32>) -> tensor<4x2xf32>
  %p = linalg.matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x6xf32>) outs(%f : tensor<4x6xf32>) -> tensor<4x6xf32>
  %h = linalg.matmul ins(%x, %a : tensor<4x8xf32>, tensor<8x2xf32>) outs(%g : tensor<4x2xf32>) -> tensor<4x2xf32>
  %q = linalg.matmul ins(%h, %b : tensor<4x2xf32>, tensor<2x6xf32>) outs(%f : tensor<4x6xf32>) -> tensor<4x6xf32>
  %y = arith.addf %p, %q : tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}

func.func @one_product(%x: tensor<4x8xf32> {tp.sharding = #tp.sharding<[_, tp]>}, %w: tensor<4x6xf32> {tp.sharding = #tp.sharding<[]>},
                       %a: tensor<8x2xf32> {tp.sharding = #tp.sharding<[tp, _]>}, %b: tensor<2x6xf32> {tp.sharding = #tp.sharding<[]>}) -> tensor<4x6xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x6xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x6xf32>) -> tensor<4x6xf32>
  %s = tensor.empty() : tensor<4x2xf32>
  %g = linalg.fill ins(%zero : f32) outs(%s : tensor<4x2xf32>) -> tensor<4x2xf32>
  %h = linalg.matmul ins(%x, %a : tensor<4x8xf32>, tensor<8x2xf32>) outs(%g : tensor<4x2xf32>) -> tensor<4x2xf32>
  %q = linalg.matmul ins(%h, %b : tensor<4x2xf32>, tensor<2x6xf32>) outs(%f : tensor<4x6xf32>) -> tensor<4x6xf32>
  %y = arith.addf %w, %q : tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}

// -----

// Wanted whole and in blocks, a sum is taken whole once, and ranks keep their blocks of it.
tp.mesh @mesh <"tp"=4>

// CHECK-LABEL: func.func @whole_and_blocks
// CHECK: %[[P:.*]] = linalg.matmul
// CHECK: %[[W:.*]] = tp.reshard %[[P]] from <[_, _] sum(tp)> to <[_, _]>
// CHECK: %[[B:.*]] = tp.reshard %[[W]] from <[_, _]> to <[tp, _]>
// CHECK-NOT: tp.reshard
// CHECK: return %[[W]], %[[B]]
func.func @whole_and_blocks(%x: tensor<4x8xf32> {tp.sharding = #tp.sharding<[_, tp]>}, %w: tensor<8x8xf32> {tp.sharding = #tp.sharding<[tp, _]>})
    -> (tensor<4x8xf32> {tp.sharding = #tp.sharding<[]>}, tensor<4x8xf32> {tp.sharding = #tp.sharding<[tp, _]>}) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %p = linalg.matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%f : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %p, %p : tensor<4x8xf32>, tensor<4x8xf32>
}
