// What padding holds is never summed.
// RUN: tp-run %s --entry rolled_rows --interpret --compare --poison 2>&1 | FileCheck %s
// RUN: tp-run %s --entry rolled_rows --compare --poison 2>&1 | FileCheck %s
// CHECK: equal to the unsharded program

tp.mesh @mesh <"a"=2>

#all = affine_map<(d0, d1) -> (d0, d1)>
#rows = affine_map<(d0, d1) -> (d0)>

// Rows change places; padding of a row is not that of another one.
func.func @rolled_rows(%x: tensor<3x3xf32> {tp.sharding = #tp.sharding<[_, a]>}) -> tensor<3xf32> {
  %e = tensor.empty() : tensor<3x3xf32>
  %z = arith.constant dense<0.0> : tensor<3xf32>
  %r = linalg.generic {indexing_maps = [#all], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<3x3xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %k = arith.addi %i, %c1 : index
    %m = arith.remui %k, %c3 : index
    %v = tensor.extract %x[%m, %j] : tensor<3x3xf32>
    linalg.yield %v : f32
  } -> tensor<3x3xf32>
  %s = linalg.generic {indexing_maps = [#all, #rows], iterator_types = ["parallel", "reduction"]} ins(%r : tensor<3x3xf32>) outs(%z : tensor<3xf32>) {
  ^bb0(%a: f32, %o: f32):
    %t = arith.addf %a, %o : f32
    linalg.yield %t : f32
  } -> tensor<3xf32>
  return %s : tensor<3xf32>
}
