// RUN: tp-run %s --interpret --compare --poison | FileCheck %s
// RUN: tp-run %s --compare --poison | FileCheck %s
// A gather over the part of the axis that cuts %c makes the condition the same on
// all ranks, so that they may communicate in the loop.
// CHECK: equal to the unsharded program
tp.mesh @mesh <"a"=4>
func.func @f(%x: tensor<4x2xf32> {tp.sharding = #tp.sharding<[a, _]>}, %c: tensor<2xf32> {tp.sharding = #tp.sharding<[a:(2)2]>}) -> (tensor<4x2xf32> {tp.sharding = #tp.sharding<[a, _]>}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %limit = arith.constant 10.0 : f32
  %r:2 = scf.while (%v = %x, %n = %c0) : (tensor<4x2xf32>, index) -> (tensor<4x2xf32>, index) {
    %s = tensor.extract %c[%c1] : tensor<2xf32>
    %below = arith.cmpf olt, %s, %limit : f32
    %few = arith.cmpi slt, %n, %c2 : index
    %on = arith.andi %below, %few : i1
    scf.condition(%on) %v, %n : tensor<4x2xf32>, index
  } do {
  ^bb0(%v: tensor<4x2xf32>, %n: index):
    %e = tensor.empty() : tensor<2xf32>
    %zero = arith.constant 0.0 : f32
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2xf32>) -> tensor<2xf32>
    %sum = linalg.reduce { arith.addf } ins(%v : tensor<4x2xf32>) outs(%f : tensor<2xf32>) dimensions = [0]
    %o = tensor.empty() : tensor<4x2xf32>
    %b = linalg.broadcast ins(%sum : tensor<2xf32>) outs(%o : tensor<4x2xf32>) dimensions = [0]
    %w = arith.addf %v, %b : tensor<4x2xf32>
    %m = arith.addi %n, %c1 : index
    scf.yield %w, %m : tensor<4x2xf32>, index
  }
  return %r#0 : tensor<4x2xf32>
}
