// RUN: tp-opt %s -split-input-file -verify-diagnostics --tp-plan-pipeline

tp.mesh @mesh <"tp"=2>
func.func @two(%x: tensor<8x8xf32>, %n: index) -> tensor<8x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @below {{'scf.for' carries one value with two shardings, #tp.sharding<[_, tp]> and #tp.sharding<[tp, _]>: its arguments and results need the same}}
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (tensor<8x8xf32>) {
    scf.yield %a : tensor<8x8xf32>
  } {tp.arg_sharding = [#tp.sharding<[]>, #tp.sharding<[_, tp]>], tp.sharding = [#tp.sharding<[tp, _]>]}
  return %r : tensor<8x8xf32>
}
