// RUN: tp-opt %s -split-input-file --pass-pipeline='builtin.module(tp-plan-pipeline,func.func(tp-insert-reshards),tp-verify-reshard)' | FileCheck %s

// A contraction that is cut is resolved where it is made.
tp.mesh @mesh <"tp"=4>

// CHECK-LABEL: func.func @partial
func.func @partial(%x: tensor<4x8xf32> {tp.sharding = #tp.sharding<[_, tp]>}, %w: tensor<8x8xf32> {tp.sharding = #tp.sharding<[tp, _]>}) -> tensor<4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x8xf32>
  // What is neutral stands for a partial value as it is.
  // CHECK: linalg.fill {tp.sharding = [#tp.sharding<[_, _] sum(tp)>]}
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  // CHECK: %[[P:.*]] = linalg.matmul {tp.sharding = [#tp.sharding<[_, _] sum(tp)>]}
  // CHECK: tp.reshard %[[P]] from <[_, _] sum(tp)> to <[_, _]> because "linalg.matmul yields [_, _] sum(tp), wanted as [_, _]"
  %y = linalg.matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%f : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// -----

// A destination that is read counts once: it is masked.
tp.mesh @mesh <"tp"=4>

// CHECK-LABEL: func.func @bias_in_outs
// CHECK: tp.reshard %arg2 from <[_, _]> to <[_, _] sum(tp)>
func.func @bias_in_outs(%x: tensor<4x8xf32> {tp.sharding = #tp.sharding<[_, tp]>}, %w: tensor<8x8xf32> {tp.sharding = #tp.sharding<[tp, _]>},
                        %b: tensor<4x8xf32> {tp.sharding = #tp.sharding<[]>}) -> tensor<4x8xf32> {
  %y = linalg.matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%b : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// -----

// One reshard serves all users.
tp.mesh @mesh <"tp"=4>

// CHECK-LABEL: func.func @shared
// CHECK-COUNT-1: tp.reshard %arg0 from <[tp, _]> to <[_, _]>
// CHECK-NOT: tp.reshard
func.func @shared(%x: tensor<8x4xf32> {tp.sharding = #tp.sharding<[tp, _]>}, %q: tensor<4x4xf32> {tp.sharding = #tp.sharding<[_, tp]>},
                  %k: tensor<4x4xf32> {tp.sharding = #tp.sharding<[_, tp]>})
    -> (tensor<8x4xf32> {tp.sharding = #tp.sharding<[_, tp]>}, tensor<8x4xf32> {tp.sharding = #tp.sharding<[_, tp]>}) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x4xf32>) -> tensor<8x4xf32>
  %0 = linalg.matmul ins(%x, %q : tensor<8x4xf32>, tensor<4x4xf32>) outs(%f : tensor<8x4xf32>) -> tensor<8x4xf32>
  %1 = linalg.matmul ins(%x, %k : tensor<8x4xf32>, tensor<4x4xf32>) outs(%f : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %0, %1 : tensor<8x4xf32>, tensor<8x4xf32>
}

// -----

// Argmax over a cut dimension: candidates of each rank, then the best of them.
tp.mesh @mesh <"tp"=4>

// CHECK-LABEL: func.func @argmax
// CHECK: nn.argmax {{.*}} any_blocks {{.*}} : tensor<2x18xf32> -> tensor<2x4xf32>, tensor<2x4xi64>
// CHECK-DAG: tp.reshard {{.*}} from <[_, tp]> to <[_, _]> {{.*}} : tensor<2x4xf32>
// CHECK-DAG: tp.reshard {{.*}} from <[_, tp]> to <[_, _]> {{.*}} : tensor<2x4xi64>
// CHECK-NOT: tensor<2x18xf32> because
func.func @argmax(%x: tensor<2x18xf32> {tp.sharding = #tp.sharding<[_, tp]>}) -> tensor<2x1xi64> {
  %v, %i = nn.argmax %x : tensor<2x18xf32> -> tensor<2x1xf32>, tensor<2x1xi64>
  return %i : tensor<2x1xi64>
}

// A generic that selects is one, too; where candidates are as large as what they are of,
// that is gathered.
// CHECK-LABEL: func.func @selection
// CHECK: tp.reshard %arg1 from <[_, tp]> to <[_, _]>
// CHECK-NOT: tp.reshard %arg0
// CHECK: } -> (tensor<2x4xf32>, tensor<2x4xi32>)
// CHECK-DAG: tp.reshard {{.*}} from <[_, tp]> to <[_, _]> {{.*}} : tensor<2x4xf32>
// CHECK-DAG: tp.reshard {{.*}} from <[_, tp]> to <[_, _]> {{.*}} : tensor<2x4xi32>
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
func.func @selection(%x: tensor<2x20xf32> {tp.sharding = #tp.sharding<[_, tp]>}, %y: tensor<2x8xf32> {tp.sharding = #tp.sharding<[_, tp]>})
    -> (tensor<2xi32>, tensor<2xi32>) {
  %low = arith.constant dense<0xFF800000> : tensor<2xf32>
  %zero = arith.constant dense<0> : tensor<2xi32>
  %a:2 = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<2x20xf32>) outs(%low, %zero : tensor<2xf32>, tensor<2xi32>) {
  ^bb0(%in: f32, %m: f32, %mi: i32):
    %j = linalg.index 1 : index
    %ji = arith.index_cast %j : index to i32
    %gt = arith.cmpf ogt, %in, %m : f32
    %v = arith.select %gt, %in, %m : f32
    %k = arith.select %gt, %ji, %mi : i32
    linalg.yield %v, %k : f32, i32
  } -> (tensor<2xf32>, tensor<2xi32>)
  %b:2 = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%y : tensor<2x8xf32>) outs(%low, %zero : tensor<2xf32>, tensor<2xi32>) {
  ^bb0(%in: f32, %m: f32, %mi: i32):
    %j = linalg.index 1 : index
    %ji = arith.index_cast %j : index to i32
    %gt = arith.cmpf ogt, %in, %m : f32
    %v = arith.select %gt, %in, %m : f32
    %k = arith.select %gt, %ji, %mi : i32
    linalg.yield %v, %k : f32, i32
  } -> (tensor<2xf32>, tensor<2xi32>)
  return %a#1, %b#1 : tensor<2xi32>, tensor<2xi32>
}

// -----

// %x is large: gathering the weights would move less, but what wants the axis
// with the smaller priority number has it.
tp.mesh @mesh <"tp"=8>

// CHECK-LABEL: func.func @priority
// CHECK: %[[X:.*]] = tp.reshard %arg0 from <[tp, _]> to <[_, _]>
// CHECK-NOT: tp.reshard %arg1
// CHECK: linalg.matmul {tp.factor_priority = array<i64: 1, 0, 0>, tp.sharding = [#tp.sharding<[_, tp]>]} ins(%[[X]], %arg1
// CHECK: %[[Z:.*]] = linalg.matmul {{.*}}tp.sharding = [#tp.sharding<[_, _] sum(tp)>]}
// CHECK: tp.reshard %[[Z]] from <[_, _] sum(tp)> to <[tp, _]>
func.func @priority(%x: tensor<8192x4xf32> {tp.sharding = #tp.sharding<[tp, _]>, tp.priority = 1 : i64},
                    %up: tensor<4x8xf32> {tp.sharding = #tp.sharding<[_, tp]>}, %down: tensor<8x4xf32> {tp.sharding = #tp.sharding<[tp, _]>})
    -> (tensor<8192x4xf32> {tp.sharding = #tp.sharding<[tp, _]>, tp.priority = 1 : i64}) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8192x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8192x8xf32>) -> tensor<8192x8xf32>
  %y = linalg.matmul ins(%x, %up : tensor<8192x4xf32>, tensor<4x8xf32>) outs(%f : tensor<8192x8xf32>) -> tensor<8192x8xf32>
  %e2 = tensor.empty() : tensor<8192x4xf32>
  %f2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<8192x4xf32>) -> tensor<8192x4xf32>
  %z = linalg.matmul ins(%y, %down : tensor<8192x8xf32>, tensor<8x4xf32>) outs(%f2 : tensor<8192x4xf32>) -> tensor<8192x4xf32>
  return %z : tensor<8192x4xf32>
}
