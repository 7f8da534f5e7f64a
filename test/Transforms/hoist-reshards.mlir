// RUN: tp-opt %s -split-input-file --tp-plan-pipeline --tp-insert-reshards --tp-hoist-reshards | FileCheck %s

// Gathered before it is repeated and widened; the reshape on the way moves with it.
tp.mesh @mesh <"tp"=2>

// CHECK-LABEL: func.func @repeat
// CHECK: tp.reshard %arg0 from <[tp, _]> to <[_, _]> because "needed as [_, _] by arith.extf" : tensor<4x2xbf16>
// CHECK-NOT: tp.reshard
// CHECK: linalg.broadcast {{.*}}tp.sharding = [#tp.sharding<[_, tp, _]>]
// CHECK: tensor.collapse_shape {{.*}} {tp.sharding = [#tp.sharding<[_, tp]>]}
// CHECK-NOT: tp.reshard
func.func @repeat(%x: tensor<4x2xbf16> {tp.sharding = #tp.sharding<[tp, _]>}) -> (tensor<4x16xf32> {tp.sharding = #tp.sharding<[_, tp]>}) {
  %w = arith.extf %x : tensor<4x2xbf16> to tensor<4x2xf32>
  %e = tensor.empty() : tensor<4x8x2xf32>
  %b = linalg.broadcast ins(%w : tensor<4x2xf32>) outs(%e : tensor<4x8x2xf32>) dimensions = [1]
  %c = tensor.collapse_shape %b [[0], [1, 2]] : tensor<4x8x2xf32> into tensor<4x16xf32>
  return %c : tensor<4x16xf32>
}

// -----

// Not where ranks would then repeat the work of others, nor past other users, names and
// constraints.
tp.mesh @mesh <"tp"=2>

// CHECK-LABEL: func.func @stay
// CHECK: %[[T:.*]] = math.tanh
// CHECK-NEXT: tp.reshard %[[T]] from <[tp, _]> to <[_, _]>
// CHECK: %[[B:.*]] = linalg.broadcast
// CHECK-NEXT: tp.reshard %[[B]] from <[tp, _, _]> to <[_, tp, _]>
// CHECK: %[[N:.*]] = linalg.broadcast
// CHECK-NEXT: tp.reshard %[[N]] from <[tp, _, _]> to <[_, tp, _]>
func.func @stay(%x: tensor<4x2xf32> {tp.sharding = #tp.sharding<[tp, _]>})
    -> (tensor<4x2xf32> {tp.sharding = #tp.sharding<[]>}, tensor<4x8x2xf32> {tp.sharding = #tp.sharding<[_, tp, _]>},
        tensor<4x8x2xf32> {tp.sharding = #tp.sharding<[tp, _, _]>}, tensor<4x8x2xf32> {tp.sharding = #tp.sharding<[_, tp, _]>}) {
  %t = math.tanh %x : tensor<4x2xf32>
  %e = tensor.empty() : tensor<4x8x2xf32>
  %b = linalg.broadcast ins(%x : tensor<4x2xf32>) outs(%e : tensor<4x8x2xf32>) dimensions = [1]
  %n = linalg.broadcast {tp.name = "n", tp.sharding = [#tp.sharding<[tp, _, _]>]} ins(%x : tensor<4x2xf32>) outs(%e : tensor<4x8x2xf32>) dimensions = [1]
  return %t, %b, %b, %n : tensor<4x2xf32>, tensor<4x8x2xf32>, tensor<4x8x2xf32>, tensor<4x8x2xf32>
}

// -----

// What ops on the way had resharded is not: the one vector that is cut is gathered instead of
// the product, and a block that a reshape cannot keep is exchanged before it.
tp.mesh @mesh <"tp"=4>

// CHECK-LABEL: func.func @undone
// CHECK-NOT: tp.reshard
// CHECK: tp.reshard %arg0 from <[tp]> to <[_]> {{.*}} : tensor<8xf32>
// CHECK-NOT: tp.reshard
// CHECK: return
// CHECK-LABEL: func.func @exchanged
// CHECK-NOT: to <[_, _]>
// CHECK: tensor.collapse_shape
// CHECK-NOT: tp.reshard
// CHECK: return
func.func @undone(%b: tensor<8xf32> {tp.sharding = #tp.sharding<[tp]>}, %x: tensor<16x8xf32> {tp.sharding = #tp.sharding<[]>})
    -> (tensor<16x8xf32> {tp.sharding = #tp.sharding<[]>}) {
  %e = tensor.empty() : tensor<16x8xf32>
  %r = linalg.broadcast ins(%b : tensor<8xf32>) outs(%e : tensor<16x8xf32>) dimensions = [0]
  %y = arith.mulf %r, %x : tensor<16x8xf32>
  return %y : tensor<16x8xf32>
}

func.func @exchanged(%x: tensor<4x8xf32> {tp.sharding = #tp.sharding<[_, tp]>}) -> (tensor<32xf32> {tp.sharding = #tp.sharding<[tp]>}) {
  %n = arith.negf %x : tensor<4x8xf32>
  %c = tensor.collapse_shape %n [[0, 1]] : tensor<4x8xf32> into tensor<32xf32>
  return %c : tensor<32xf32>
}
