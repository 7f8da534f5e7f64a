// RUN: tp-run %s --interpret --compare --poison --strict | FileCheck %s
// What is picked by position is another term than what is repeated.
// CHECK: equal to the unsharded program
#id = affine_map<(d0, d1) -> (d0, d1)>
tp.mesh @mesh <"a"=2>
func.func @f(%x: tensor<6x6xf32> {tp.sharding = #tp.sharding<[a, _]>}) -> tensor<2x6x6xf32> {
  %0 = tensor.empty() : tensor<6x6xf32>
  %1 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%0 : tensor<6x6xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %c5 = arith.constant 5 : index
    %k = arith.subi %c5, %j : index
    %e = tensor.extract %x[%i, %k] : tensor<6x6xf32>
    linalg.yield %e : f32
  } -> tensor<6x6xf32>
  %2 = tensor.empty() : tensor<2x6x6xf32>
  %3 = linalg.broadcast ins(%1 : tensor<6x6xf32>) outs(%2 : tensor<2x6x6xf32>) dimensions = [0]
  %4 = arith.negf %3 : tensor<2x6x6xf32>
  return %4 : tensor<2x6x6xf32>
}
