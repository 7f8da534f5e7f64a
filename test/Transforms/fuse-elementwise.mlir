// RUN: tp-opt %s --tp-fuse-elementwise --split-input-file | FileCheck %s

// A chain of three ops and a constant is one loop; the destination stays.
// CHECK-LABEL: func.func @chain
// CHECK-SAME: (%[[X:.*]]: tensor<4x8xf32>, %[[Y:.*]]: tensor<8xf32>, %[[D:.*]]: tensor<4x8xf32>)
func.func @chain(%x: tensor<4x8xf32>, %y: tensor<8xf32>, %d: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // CHECK-NOT: linalg.{{exp|broadcast|mul}}
  // CHECK: %[[R:.*]] = linalg.generic {{.*}} ins(%[[X]], %[[Y]] : tensor<4x8xf32>, tensor<8xf32>) outs(%[[D]] : tensor<4x8xf32>)
  // CHECK-NEXT: ^bb0(%[[A:.*]]: f32, %[[B:.*]]: f32, %{{.*}}: f32):
  // CHECK-NEXT: %[[E:.*]] = math.exp %[[A]]
  // CHECK-NEXT: %[[S:.*]] = arith.addf %[[E]], %{{.*}}
  // CHECK-NEXT: %[[M:.*]] = arith.mulf %[[S]], %[[B]]
  // CHECK-NEXT: linalg.yield %[[M]]
  // CHECK: return %[[R]]
  %e = tensor.empty() : tensor<4x8xf32>
  %one = arith.constant dense<1.0> : tensor<4x8xf32>
  %0 = linalg.exp ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
    ins(%0, %one : tensor<4x8xf32>, tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<4x8xf32>
  %2 = linalg.broadcast ins(%y : tensor<8xf32>) outs(%e : tensor<4x8xf32>) dimensions = [0]
  %3 = linalg.mul ins(%1, %2 : tensor<4x8xf32>, tensor<4x8xf32>) outs(%d : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %3 : tensor<4x8xf32>
}

// -----

// A producer goes into a reduction that reads each element once.
// CHECK-LABEL: func.func @into_reduction
func.func @into_reduction(%x: tensor<4x8xf32>, %init: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]} ins(%arg0 : tensor<4x8xf32>) outs(%arg1 : tensor<4xf32>)
  // CHECK: math.exp
  // CHECK: arith.addf
  // CHECK-NOT: linalg.generic
  %e = tensor.empty() : tensor<4x8xf32>
  %0 = linalg.exp ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = linalg.reduce { arith.addf } ins(%0 : tensor<4x8xf32>) outs(%init : tensor<4xf32>) dimensions = [1]
  return %1 : tensor<4xf32>
}

// -----

// Read by two ops, or several times by one: computed once, and named as it was.
// CHECK-LABEL: func.func @shared
func.func @shared(%x: tensor<8xf32>, %y: tensor<4x8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<4x8xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  %f = tensor.empty() : tensor<4x8xf32>
  // CHECK: %[[E:.*]] = linalg.exp
  // CHECK: linalg.add ins(%[[E]], %{{.*}}
  // CHECK: linalg.negf ins(%[[E]]
  %0 = linalg.exp ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %1 = linalg.add ins(%0, %x : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %2 = linalg.negf ins(%0 : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  // CHECK: %[[T:.*]] = linalg.tanh
  // CHECK: linalg.generic {{.*}} ins(%[[T]], %{{.*}} : tensor<8xf32>, tensor<4x8xf32>)
  %3 = linalg.tanh ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %4 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
    ins(%3, %y : tensor<8xf32>, tensor<4x8xf32>) outs(%f : tensor<4x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<4x8xf32>
  return %1, %2, %4 : tensor<8xf32>, tensor<8xf32>, tensor<4x8xf32>
}

// -----

// Conversions go into every reader.
// CHECK-LABEL: func.func @conversion
func.func @conversion(%x: tensor<8xbf16>) -> (tensor<8xf32>, tensor<8xf32>) {
  // CHECK: linalg.generic {{.*}} ins(%arg0 : tensor<8xbf16>)
  // CHECK-NEXT: ^bb0
  // CHECK-NEXT: arith.extf
  // CHECK-NEXT: math.exp
  // CHECK: linalg.generic {{.*}} ins(%arg0 : tensor<8xbf16>)
  // CHECK-NEXT: ^bb0
  // CHECK-NEXT: arith.extf
  // CHECK-NEXT: arith.negf
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x : tensor<8xbf16>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: bf16, %o: f32):
    %s = arith.extf %a : bf16 to f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  %1 = linalg.exp ins(%0 : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %2 = linalg.negf ins(%0 : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %1, %2 : tensor<8xf32>, tensor<8xf32>
}

// -----

// Products and data movement keep their names and take nothing up.
// CHECK-LABEL: func.func @products
func.func @products(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>) -> tensor<8x4xf32> {
  // CHECK: linalg.exp
  // CHECK: linalg.fill
  // CHECK: linalg.matmul
  // CHECK: linalg.negf
  // CHECK: linalg.transpose
  %e = tensor.empty() : tensor<4x8xf32>
  %0 = linalg.exp ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %zero = arith.constant 0.0 : f32
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = linalg.matmul ins(%0, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%f : tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = linalg.negf ins(%1 : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %g = tensor.empty() : tensor<8x4xf32>
  %3 = linalg.transpose ins(%2 : tensor<4x8xf32>) outs(%g : tensor<8x4xf32>) permutation = [1, 0]
  return %3 : tensor<8x4xf32>
}

// -----

// One op that reads another twice takes it up once.
// CHECK-LABEL: func.func @square
func.func @square(%x: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK: linalg.generic {{.*}} ins(%arg0 : tensor<8xf32>)
  // CHECK: %[[E:.*]] = math.exp
  // CHECK-NEXT: arith.mulf %[[E]], %[[E]]
  // CHECK-NOT: linalg.generic
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.exp ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %1 = linalg.mul ins(%0, %0 : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}
