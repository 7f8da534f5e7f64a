// RUN: tp-run %s --interpret --compare | FileCheck %s
// RUN: tp-run %s --compare | FileCheck %s
// A product of several elements is linear in none of them: partial sums are summed first.
// CHECK: equal to the unsharded program
tp.mesh @mesh <"a"=2>
func.func @f(%x: tensor<4x3xi32> {tp.sharding = #tp.sharding<[a, _]>}) -> tensor<i32> {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %e = tensor.empty() : tensor<3xi32>
  %z = linalg.fill ins(%zero : i32) outs(%e : tensor<3xi32>) -> tensor<3xi32>
  %s = linalg.reduce { arith.addi } ins(%x : tensor<4x3xi32>) outs(%z : tensor<3xi32>) dimensions = [0]
  %f = tensor.empty() : tensor<i32>
  %o = linalg.fill ins(%one : i32) outs(%f : tensor<i32>) -> tensor<i32>
  %p = linalg.reduce { arith.muli } ins(%s : tensor<3xi32>) outs(%o : tensor<i32>) dimensions = [0]
  return %p : tensor<i32>
}
