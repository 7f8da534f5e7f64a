// RUN: echo '{"mesh":{"a":2},"shard":{"f.arg1":"[a]"}}' > %t.json
// RUN: tp-run %s --plan %t.json --compare --poison | FileCheck %s
// RUN: tp-run %s --plan %t.json --compare --poison --interpret | FileCheck %s
// What is reduced over no elements is what it begins with, also where no element would be combined with that.
// CHECK: result0 f32 []: 3
// CHECK: equal to the unsharded program
func.func @f(%x: tensor<0xf32>, %y: tensor<4xf32>) -> (tensor<f32>, tensor<4xf32>) {
  %c = arith.constant dense<3.0> : tensor<f32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} ins(%x : tensor<0xf32>) outs(%c : tensor<f32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<f32>
  return %r, %y : tensor<f32>, tensor<4xf32>
}
