// RUN: echo '{"mesh":{"a":3},"shard":{"f.arg0":"[_, a]"}}' > %t.json
// RUN: tp-run %s --plan %t.json --compare --poison 2>&1 | FileCheck %s
// RUN: tp-run %s --plan %t.json --compare --poison --interpret 2>&1 | FileCheck %s
// Of a row of minus infinity the maximum is that, whatever blocks without a number begin with.
// CHECK-NOT: gathered
// CHECK: result0 f32 [2]: -inf, -inf
// CHECK: result1 f32 [2]: -nan, -nan
// CHECK: equal to the unsharded program
func.func @f(%x: tensor<2x13xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %lowest = arith.constant dense<0xFF800000> : tensor<2x13xf32>
  %masked = arith.addf %x, %lowest : tensor<2x13xf32>
  %low = arith.constant dense<0xFF800000> : tensor<2xf32>
  %zero = arith.constant dense<0.0> : tensor<2xf32>
  %r:2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%masked : tensor<2x13xf32>) outs(%low, %zero : tensor<2xf32>, tensor<2xf32>) {
  ^bb0(%a: f32, %m: f32, %s: f32):
    %n = arith.maximumf %m, %a : f32
    %dm = arith.subf %m, %n : f32
    %c = math.exp %dm : f32
    %da = arith.subf %a, %n : f32
    %p = math.exp %da : f32
    %sc = arith.mulf %s, %c : f32
    %t = arith.addf %sc, %p : f32
    linalg.yield %n, %t : f32, f32
  } -> (tensor<2xf32>, tensor<2xf32>)
  return %r#0, %r#1 : tensor<2xf32>, tensor<2xf32>
}
