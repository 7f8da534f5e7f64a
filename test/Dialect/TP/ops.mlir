// RUN: tp-opt %s | tp-opt | FileCheck %s
// RUN: tp-opt %s -mlir-print-op-generic | tp-opt | FileCheck %s

// CHECK: module attributes {tp.language_model = {vocab = 7 : i64}}
module attributes {tp.language_model = {vocab = 7}} {

// CHECK: tp.mesh @mesh <"dp"=2, "tp"=4, "one"=1>
tp.mesh @mesh <"dp"=2, "tp"=4, "one"=1>

// CHECK-LABEL: func @constraint
func.func @constraint(%a: tensor<8x4xf32>, %b: tensor<?x4xi1>) {
  // CHECK: tp.constraint %{{.*}} <[tp, _]> : tensor<8x4xf32>
  %0 = tp.constraint %a <[tp, _]> : tensor<8x4xf32>
  // CHECK: tp.constraint %{{.*}} <[?, (dp, ?)]> : tensor<8x4xf32>
  %1 = tp.constraint %a <[?, (dp, ?)]> : tensor<8x4xf32>
  // CHECK: tp.constraint %{{.*}} <[(dp, tp:(1)2*3, tp:(2)2), _]> : tensor<8x4xf32>
  %2 = tp.constraint %a <[(dp, tp:(1)2*3, tp:(2)2), _]> : tensor<8x4xf32>
  // CHECK: tp.constraint %{{.*}} <[]> : tensor<8x4xf32>
  %3 = tp.constraint %a <[]> : tensor<8x4xf32>
  // CHECK: tp.constraint %{{.*}} <[dp, one] max(tp:(2)2)> : tensor<?x4xi1>
  %4 = tp.constraint %b <[dp, one] max(tp:(2)2)> : tensor<?x4xi1>
  return
}

// CHECK-LABEL: func @barrier
func.func @barrier(%a: tensor<8x4xf32> {tp.group = "a", tp.plan_line = "p.json:1:2"}, %b: tensor<?x4xi1>) {
  // CHECK: tp.barrier %{{.*}} forward {tp.group = ["a"], tp.plan_line = [""]} : tensor<8x4xf32>
  %0 = tp.barrier %a forward {tp.group = ["a"], tp.plan_line = [""]} : tensor<8x4xf32>
  // CHECK: tp.barrier %{{.*}} backward : tensor<?x4xi1>
  %1 = tp.barrier %b backward : tensor<?x4xi1>
  // CHECK: tp.barrier %{{.*}} both : tensor<8x4xf32>
  %2 = tp.barrier %0 both : tensor<8x4xf32>
  return
}

// CHECK-LABEL: func @reshard
func.func @reshard(%a: tensor<8x4xf32>, %s: tensor<f32>) {
  // CHECK: tp.reshard %{{.*}} from <[_, _] sum(dp, tp)> to <[tp*2, _]> : tensor<8x4xf32>
  %0 = tp.reshard %a from <[_, _] sum(dp, tp)> to <[tp*2, _]> : tensor<8x4xf32>
  // CHECK: tp.reshard %{{.*}} from <[_, tp]> to <[_, _]> because "all of it is needed" : tensor<8x4xf32>
  %1 = tp.reshard %a from <[_, tp]> to <[_, _]> because "all of it is needed" : tensor<8x4xf32>
  // CHECK: tp.reshard %{{.*}} from <[] min(dp) xor(tp)> to <[]> : tensor<f32>
  %2 = tp.reshard %s from <[] min(dp) xor(tp)> to <[]> : tensor<f32>
  return
}

// The second of three parts of each head, transposed; a part that a rank holds a block of.
// CHECK-LABEL: func private @source
// CHECK-SAME: tp.source = {offset = [0, 1, 0, 0], permutation = [1, 3, 0, 2], shape = [30, 4], size = [5, 1, 2, 4], tensor = "qkv", view = [5, 3, 2, 4]}
// CHECK-SAME: tp.source = {offset = [4], shape = [12], size = [8]}
func.func private @source(
    tensor<4x10xf32> {tp.source = {tensor = "qkv", shape = [30, 4], view = [5, 3, 2, 4], offset = [0, 1, 0, 0],
                                   size = [5, 1, 2, 4], permutation = [1, 3, 0, 2]}},
    tensor<4xf32> {tp.global_type = tensor<8xf32>, tp.source = {shape = [12], offset = [4], size = [8]}})

// CHECK-LABEL: func @window
func.func @window(%a: tensor<8x4xf32>, %b: tensor<0xi1>) {
  // CHECK: tp.window %{{.*}} dim 0 starts [-1, 3] sizes [6, 6] stride 1 fill(0.000000e+00 : f32) because "halo" : tensor<8x4xf32> -> tensor<12x4xf32>
  %0 = tp.window %a dim 0 starts [-1, 3] sizes [6, 6] stride 1 fill(0.0 : f32) because "halo" : tensor<8x4xf32> -> tensor<12x4xf32>
  // CHECK: tp.window %{{.*}} dim 1 starts [1] sizes [2] stride 2 : tensor<8x4xf32> -> tensor<8x2xf32>
  %1 = tp.window %a dim 1 starts [1] sizes [2] stride 2 : tensor<8x4xf32> -> tensor<8x2xf32>
  // CHECK: tp.window %{{.*}} dim 0 starts [-1] sizes [16] stride 1 repeat 2 : tensor<8x4xf32> -> tensor<16x4xf32>
  %3 = tp.window %a dim 0 starts [-1] sizes [16] stride 1 repeat 2 : tensor<8x4xf32> -> tensor<16x4xf32>
  // CHECK: tp.window %{{.*}} dim 0 starts [0] sizes [3] stride 1 fill(true) : tensor<0xi1> -> tensor<3xi1>
  %2 = tp.window %b dim 0 starts [0] sizes [3] stride 1 fill(true) : tensor<0xi1> -> tensor<3xi1>
  return
}

// CHECK-LABEL: func @attributes
// CHECK-SAME: tp.kind = "parameter", tp.name = "w", tp.role = "mlp_row", tp.sharding = #tp.sharding<[_, tp]>, tp.source = {shape = [8, 4], tensor = "w.weight"}
// CHECK-SAME: tp.kind = "state"
// CHECK-SAME: tp.global_type = tensor<16xf32>, tp.kind = "input"
// CHECK-SAME: index {tp.sharding = #tp.sharding<[]>}
// CHECK-SAME: tp.alias = 1 : i64, tp.name = "cache", tp.sharding = #tp.sharding<[tp]>
func.func @attributes(
    %w: tensor<8x4xf32> {tp.kind = "parameter", tp.name = "w", tp.role = "mlp_row", tp.sharding = #tp.sharding<[_, tp]>,
                         tp.source = {tensor = "w.weight", shape = [8, 4]}},
    %cache: tensor<4xf32> {tp.kind = "state"},
    %x: tensor<4xf32> {tp.kind = "input", tp.global_type = tensor<16xf32>},
    %n: index {tp.sharding = #tp.sharding<[]>})
    -> (tensor<4xf32> {tp.alias = 1 : i64, tp.name = "cache", tp.sharding = #tp.sharding<[tp]>}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: arith.addf {{.*}} {tp.cut_priority = [array<i64: 1>], tp.name = "sum", tp.role = "residual", tp.sharding = [#tp.sharding<[tp]>]}
  %0 = arith.addf %cache, %x {tp.cut_priority = [array<i64: 1>], tp.name = "sum", tp.role = "residual", tp.sharding = [#tp.sharding<[tp]>]} : tensor<4xf32>
  // CHECK: scf.for
  // CHECK: } {tp.arg_sharding = [#tp.sharding<[]>, #tp.sharding<[?]>], tp.sharding = [#tp.sharding<[?]>]}
  %1 = scf.for %i = %c0 to %n step %c1 iter_args(%v = %0) -> tensor<4xf32> {
    scf.yield %v : tensor<4xf32>
  } {tp.arg_sharding = [#tp.sharding<[]>, #tp.sharding<[?]>], tp.sharding = [#tp.sharding<[?]>]}
  // Arguments before, then those after.
  // CHECK: attributes {tp.arg_cut_priority = [array<i64>, array<i64>, array<i64: 1>], tp.arg_sharding = [#tp.sharding<[]>, #tp.sharding<[]>, #tp.sharding<[tp]>]}
  %2:2 = scf.while (%k = %n) : (index) -> (index, tensor<4xf32>) {
    %go = arith.cmpi slt, %k, %n : index
    scf.condition(%go) %k, %1 : index, tensor<4xf32>
  } do {
  ^bb0(%k: index, %v: tensor<4xf32>):
    scf.yield %k : index
  } attributes {tp.arg_cut_priority = [array<i64>, array<i64>, array<i64: 1>], tp.arg_sharding = [#tp.sharding<[]>, #tp.sharding<[]>, #tp.sharding<[tp]>]}
  return %1 : tensor<4xf32>
}

// CHECK-LABEL: func private @alone
// CHECK-SAME: axis = #tp.axis<tp:(2)2*8>, dim = #tp.dim<(dp, ?)>, kind = #tp.partial<maxnum(dp, tp)>
func.func private @alone() attributes {axis = #tp.axis<tp:(2)2*8>, dim = #tp.dim<(dp, ?)>, kind = #tp.partial<maxnum(dp, tp)>}
}
