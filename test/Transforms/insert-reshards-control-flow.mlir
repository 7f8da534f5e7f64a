// RUN: tp-opt %s -split-input-file --tp-plan-pipeline --tp-reshard-pipeline | FileCheck %s

// What the body makes is resharded inside; what it yields becomes what is carried.
tp.mesh @mesh <"tp"=4>

// CHECK-LABEL: func.func @rnn
// CHECK: scf.for {{.*}} iter_args(%[[H:.*]] = %arg0)
// CHECK: %[[P:.*]] = linalg.matmul {{{.*}}tp.sharding = [#tp.sharding<[_, _] sum(tp)>]} ins(%[[H]], %arg1
// CHECK: %[[S:.*]] = tp.reshard %[[P]] from <[_, _] sum(tp)> to <[_, tp]>
// CHECK: %[[Y:.*]] = math.tanh %[[S]]
// CHECK: scf.yield %[[Y]]
func.func @rnn(%h: tensor<8x8xf32> {tp.sharding = #tp.sharding<[_, tp]>}, %w: tensor<8x8xf32> {tp.sharding = #tp.sharding<[tp, _]>}, %n: index)
    -> (tensor<8x8xf32> {tp.sharding = #tp.sharding<[_, tp]>}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%b = %h) -> (tensor<8x8xf32>) {
    %z = arith.constant dense<0.0> : tensor<8x8xf32>
    %p = linalg.matmul ins(%b, %w : tensor<8x8xf32>, tensor<8x8xf32>) outs(%z : tensor<8x8xf32>) -> tensor<8x8xf32>
    %t = math.tanh %p : tensor<8x8xf32>
    scf.yield %t : tensor<8x8xf32>
  }
  return %r : tensor<8x8xf32>
}

// -----

// What comes from outside is gathered there, once, rather than anything in each trip.
tp.mesh @mesh <"tp"=4>

// CHECK-LABEL: func.func @invariant
// CHECK: %[[W:.*]] = tp.reshard %arg1 from <[tp, _]> to <[_, _]>
// CHECK: scf.for {{.*}} iter_args(%[[H:.*]] = %arg0)
// CHECK-NOT: tp.reshard
// CHECK: %[[P:.*]] = linalg.matmul {{{.*}}tp.sharding = [#tp.sharding<[tp, _]>]} ins(%[[H]], %[[W]]
// CHECK: scf.yield %[[P]]
func.func @invariant(%h: tensor<8x8xf32> {tp.sharding = #tp.sharding<[tp, _]>}, %w: tensor<8x8xf32> {tp.sharding = #tp.sharding<[tp, _]>}, %n: index)
    -> (tensor<8x8xf32> {tp.sharding = #tp.sharding<[tp, _]>}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%b = %h) -> (tensor<8x8xf32>) {
    %z = arith.constant dense<0.0> : tensor<8x8xf32>
    %p = linalg.matmul ins(%b, %w : tensor<8x8xf32>, tensor<8x8xf32>) outs(%z : tensor<8x8xf32>) -> tensor<8x8xf32>
    scf.yield %p : tensor<8x8xf32>
  }
  return %r : tensor<8x8xf32>
}

// -----

// A branch that ends in another sharding changes it; nothing is needed on the other.
tp.mesh @mesh <"tp"=4>

// CHECK-LABEL: func.func @branches
// CHECK: scf.if
// CHECK: %[[P:.*]] = linalg.matmul
// CHECK: %[[S:.*]] = tp.reshard %[[P]] from <[_, _] sum(tp)> to <[tp, _]>
// CHECK: scf.yield %[[S]]
// CHECK: else
// CHECK-NOT: tp.reshard
func.func @branches(%c: i1, %x: tensor<8x8xf32> {tp.sharding = #tp.sharding<[_, tp]>}, %w: tensor<8x8xf32> {tp.sharding = #tp.sharding<[tp, _]>},
                    %y: tensor<8x8xf32> {tp.sharding = #tp.sharding<[tp, _]>}) -> (tensor<8x8xf32> {tp.sharding = #tp.sharding<[tp, _]>}) {
  %z = arith.constant dense<0.0> : tensor<8x8xf32>
  %r = scf.if %c -> (tensor<8x8xf32>) {
    %p = linalg.matmul ins(%x, %w : tensor<8x8xf32>, tensor<8x8xf32>) outs(%z : tensor<8x8xf32>) -> tensor<8x8xf32>
    scf.yield %p : tensor<8x8xf32>
  } else {
    scf.yield %y : tensor<8x8xf32>
  }
  return %r : tensor<8x8xf32>
}

// -----

// A condition that comes from a cut tensor is computed from the whole, so that it is
// the same on every rank.
tp.mesh @mesh <"tp"=4>

// CHECK-LABEL: func.func @condition
// CHECK: scf.while (%[[A:.*]] = %arg0)
// CHECK: %[[S:.*]] = tp.reshard %{{.*}} from <[] sum(tp)> to <[]>
// CHECK: tensor.extract %[[S]][]
// CHECK: scf.condition({{.*}}) %[[A]]
func.func @condition(%x: tensor<8xf32> {tp.sharding = #tp.sharding<[tp]>}, %limit: f32) -> tensor<8xf32> {
  %r = scf.while (%a = %x) : (tensor<8xf32>) -> tensor<8xf32> {
    %z = arith.constant dense<0.0> : tensor<f32>
    %s = linalg.reduce { arith.addf } ins(%a : tensor<8xf32>) outs(%z : tensor<f32>) dimensions = [0]
    %v = tensor.extract %s[] : tensor<f32>
    %c = arith.cmpf olt, %v, %limit : f32
    scf.condition(%c) %a : tensor<8xf32>
  } do {
  ^bb0(%a: tensor<8xf32>):
    %d = arith.addf %a, %a : tensor<8xf32>
    scf.yield %d : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// -----

// A reduction that was made outside is not moved in, where it would run each time.
tp.mesh @mesh <"tp"=4>

// CHECK-LABEL: func.func @stays_outside
// CHECK: %[[P:.*]] = linalg.matmul
// CHECK: %[[S:.*]] = tp.reshard %[[P]] from <[_, _] sum(tp)> to <[_, _]>
// CHECK: scf.for
// CHECK-NOT: tp.reshard
// CHECK: linalg.reduce {{.*}} ins(%[[S]]
func.func @stays_outside(%x: tensor<4x8xf32> {tp.sharding = #tp.sharding<[_, tp]>}, %w: tensor<8x8xf32> {tp.sharding = #tp.sharding<[tp, _]>},
                         %y: tensor<4xf32> {tp.sharding = #tp.sharding<[]>}, %n: index) -> (tensor<4xf32> {tp.sharding = #tp.sharding<[]>}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant dense<0.0> : tensor<4x8xf32>
  %p = linalg.matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%z : tensor<4x8xf32>) -> tensor<4x8xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %y) -> (tensor<4xf32>) {
    %f = arith.constant dense<0.0> : tensor<4xf32>
    %s = linalg.reduce { arith.addf } ins(%p : tensor<4x8xf32>) outs(%f : tensor<4xf32>) dimensions = [1]
    %t = arith.mulf %a, %s : tensor<4xf32>
    scf.yield %t : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----

// Carried values that change places are carried alike: none is partial alone.
tp.mesh @mesh <"a"=2>

// CHECK-LABEL: func.func @rotates
// CHECK: tensor.extract_slice {{.*}}tp.sharding = [#tp.sharding<[_] sum(a)>]
// CHECK: scf.yield
// CHECK: tp.arg_sharding = [#tp.sharding<[a]>, #tp.sharding<[a]>, #tp.sharding<[]>, #tp.sharding<[a]>, #tp.sharding<[a]>, #tp.sharding<[]>]
func.func @rotates(%x: tensor<6xi32>, %at: index) -> tensor<6xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:3 = scf.while (%p = %x, %q = %x, %n = %c0) : (tensor<6xi32>, tensor<6xi32>, index) -> (tensor<6xi32>, tensor<6xi32>, index) {
    %goes = arith.cmpi slt, %n, %c1 : index
    scf.condition(%goes) %p, %q, %n : tensor<6xi32>, tensor<6xi32>, index
  } do {
  ^bb0(%p: tensor<6xi32>, %q: tensor<6xi32>, %n: index):
    %s = tp.constraint %p <[a]> : tensor<6xi32>
    %t = tensor.extract_slice %s[%at] [6] [1] {tp.sharding = [#tp.sharding<[(a, ?)]>]} : tensor<6xi32> to tensor<6xi32>
    %m = arith.addi %n, %c1 : index
    scf.yield %q, %t, %m : tensor<6xi32>, tensor<6xi32>, index
  }
  return %r#1 : tensor<6xi32>
}
