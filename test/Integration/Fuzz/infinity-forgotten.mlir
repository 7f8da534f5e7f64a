// RUN: echo '{"mesh":{"a":3},"shard":{"f.arg0":"[_, a]"}}' > %t.json
// RUN: tp-run %s --plan %t.json --compare --poison 2>&1 | FileCheck %s
// RUN: tp-run %s --plan %t.json --compare --poison --interpret 2>&1 | FileCheck %s
// The last element plus the one before: the infinity before them is forgotten, and a block's factor
// of 0 would make NaN of it.
// CHECK: combines elements along a dimension that is cut, by no kind of reduction: they are gathered
// CHECK: result0 f32 [1]: 7
// CHECK: equal to the unsharded program
func.func @f(%any: tensor<1x6xf32>) -> tensor<1xf32> {
  %zero = arith.constant dense<0.0> : tensor<1x6xf32>
  %numbers = arith.constant dense<[[1.0, 0x7F800000, 2.0, 5.0, 3.0, 4.0]]> : tensor<1x6xf32>
  %none = arith.mulf %any, %zero : tensor<1x6xf32>
  %x = arith.addf %none, %numbers : tensor<1x6xf32>
  %begin = arith.constant dense<0.0> : tensor<1xf32>
  %r:2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<1x6xf32>) outs(%begin, %begin : tensor<1xf32>, tensor<1xf32>) {
  ^bb0(%c: f32, %s: f32, %t: f32):
    %p = arith.addf %c, %t : f32
    linalg.yield %p, %c : f32, f32
  } -> (tensor<1xf32>, tensor<1xf32>)
  return %r#0 : tensor<1xf32>
}
