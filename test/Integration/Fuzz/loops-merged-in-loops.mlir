// RUN: tp-run %s --interpret --compare | FileCheck %s
// Two loops that come to be equal when what is in them has been merged are one.
// CHECK: equal to the unsharded program
tp.mesh @mesh <"a"=2>
func.func @f(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %0 = scf.for %i = %c0 to %c3 step %c1 iter_args(%v = %x) -> (tensor<8xf32>) {
    %1 = arith.negf %v : tensor<8xf32>
    %2 = arith.negf %v : tensor<8xf32>
    %3 = arith.mulf %1, %2 : tensor<8xf32>
    scf.yield %3 : tensor<8xf32>
  }
  %4 = scf.for %i = %c0 to %c3 step %c1 iter_args(%v = %x) -> (tensor<8xf32>) {
    %5 = arith.negf %v : tensor<8xf32>
    %6 = arith.negf %v : tensor<8xf32>
    %7 = arith.mulf %5, %6 : tensor<8xf32>
    scf.yield %7 : tensor<8xf32>
  }
  return %0, %4 : tensor<8xf32>, tensor<8xf32>
}
