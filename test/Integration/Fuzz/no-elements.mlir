// RUN: echo '{"mesh":{"a":2},"shard":{"f.arg0":"[_, a, _]","f.arg1":"[a, _]","f.arg2":"[a, _]","f.arg3":"[_, a]"}}' > %t.json
// RUN: tp-run %s --plan %t.json --compare --poison | FileCheck %s
// RUN: tp-run %s --plan %t.json --compare --poison --interpret | FileCheck %s
// Values without elements come in, are computed with, reduced and returned.
// CHECK: result0 f32 [2, 3, 0]:
// CHECK: result1 f32 [3, 4]: 0, 0
// CHECK: result4 i64 []: 5
// CHECK: equal to the unsharded program
func.func @f(%a: tensor<2x3x0xf32>, %b: tensor<0x4xf32>, %c: tensor<3x0xf32>, %d: tensor<0x3xi64>, %e: tensor<0x0xf32>) -> (tensor<2x3x0xf32>, tensor<3x4xf32>, tensor<3xf32>, tensor<3x0xf32>, tensor<i64>, tensor<0x0xf32>) {
  %t = math.tanh %a : tensor<2x3x0xf32>
  %z = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<3x4xf32>
  %f0 = linalg.fill ins(%z : f32) outs(%e0 : tensor<3x4xf32>) -> tensor<3x4xf32>
  %m = linalg.matmul ins(%c, %b : tensor<3x0xf32>, tensor<0x4xf32>) outs(%f0 : tensor<3x4xf32>) -> tensor<3x4xf32>
  %e1 = tensor.empty() : tensor<3xf32>
  %f1 = linalg.fill ins(%z : f32) outs(%e1 : tensor<3xf32>) -> tensor<3xf32>
  %r = linalg.reduce { arith.addf } ins(%c : tensor<3x0xf32>) outs(%f1 : tensor<3xf32>) dimensions = [1]
  %p = tensor.pad %c low[0, 0] high[0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %z : f32
  } : tensor<3x0xf32> to tensor<3x0xf32>
  %i0 = arith.constant 5 : i64
  %e2 = tensor.empty() : tensor<i64>
  %f2 = linalg.fill ins(%i0 : i64) outs(%e2 : tensor<i64>) -> tensor<i64>
  %s = linalg.reduce { arith.addi } ins(%d : tensor<0x3xi64>) outs(%f2 : tensor<i64>) dimensions = [0, 1]
  %x = arith.addf %e, %e : tensor<0x0xf32>
  return %t, %m, %r, %p, %s, %x : tensor<2x3x0xf32>, tensor<3x4xf32>, tensor<3xf32>, tensor<3x0xf32>, tensor<i64>, tensor<0x0xf32>
}
