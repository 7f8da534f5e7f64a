// RUN: echo '{"mesh":{"a":3},"shard":{"f.arg0":"[_, a]"}}' > %t.json
// RUN: tp-run %s --plan %t.json --compare --poison 2>&1 | FileCheck %s
// RUN: tp-run %s --plan %t.json --compare --poison --interpret 2>&1 | FileCheck %s
// Infinity times 1 and times -1 are of no sum, infinity times a block's 1 - 1 + ... may be infinite.
// CHECK: combines elements along a dimension that is cut, by no kind of reduction: they are gathered
// CHECK: result0 f32 [2]: {{-?}}nan, {{-?}}nan
// CHECK: equal to the unsharded program
func.func @f(%x: tensor<2x7xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %one = arith.constant dense<-1.0> : tensor<2x7xf32>
  %zero = arith.constant dense<0.0> : tensor<2x7xf32>
  %a = arith.mulf %x, %zero : tensor<2x7xf32>
  %b = arith.addf %a, %one : tensor<2x7xf32>
  %inf = arith.constant dense<0x7F800000> : tensor<2xf32>
  %r:2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%b : tensor<2x7xf32>) outs(%inf, %inf : tensor<2xf32>, tensor<2xf32>) {
  ^bb0(%c: f32, %s: f32, %t: f32):
    %p = arith.mulf %c, %s : f32
    %q = arith.addf %p, %t : f32
    linalg.yield %q, %s : f32, f32
  } -> (tensor<2xf32>, tensor<2xf32>)
  return %r#0, %r#1 : tensor<2xf32>, tensor<2xf32>
}
