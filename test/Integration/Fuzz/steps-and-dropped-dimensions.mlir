// RUN: tp-run %s --interpret --compare --poison | FileCheck %s
// RUN: tp-run %s --compare --poison | FileCheck %s
// A view that takes steps and drops a dimension of one element of as long a stride.
// CHECK: equal to the unsharded program
#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0)>
#map2 = affine_map<(d0, d1, d2) -> (d1 * 2, d0, 0)>
#map3 = affine_map<(d0, d1, d2) -> (d2, d0, d1)>
tp.mesh @mesh <"a"=2>
func.func @f(%arg0: tensor<2x2x2xf32> {tp.sharding = #tp.sharding<[a, _, _]>}, %arg1: tensor<4x2x2xf32>) -> tensor<2x2x2xf32> {
  %cst = arith.constant dense<-2.000000e+00> : tensor<2xf32>
  %0 = tensor.empty() : tensor<2x2x2xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map1, #map2, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %cst, %arg1 : tensor<2x2x2xf32>, tensor<2xf32>, tensor<4x2x2xf32>) outs(%0 : tensor<2x2x2xf32>) {
  ^bb0(%in: f32, %in_0: f32, %in_1: f32, %out: f32):
    %2 = arith.addf %in, %in_0 : f32
    %3 = arith.addf %2, %in_1 : f32
    linalg.yield %3 : f32
  } -> tensor<2x2x2xf32>
  return %1 : tensor<2x2x2xf32>
}
