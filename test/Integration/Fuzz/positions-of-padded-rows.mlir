// RUN: tp-run %s --mesh a=2 --interpret --compare --poison 2>&1 | FileCheck %s
// RUN: tp-run %s --mesh a=2 --compare --poison 2>&1 | FileCheck %s
// The second rank writes one row and one of padding, whose position is computed
// here and so undefined without a mask.
// CHECK: equal to the unsharded program
tp.mesh @mesh <"a"=2>
func.func @f(%update: tensor<3x1x4x2xf32> {tp.sharding = #tp.sharding<[a, _, _, _]>}) -> tensor<3x4x2x2xf32> {
  %cache = arith.constant dense<-2.0> : tensor<3x4x2x2xf32>
  %one = arith.constant 1 : i64
  %empty = tensor.empty() : tensor<3xi64>
  %pos = linalg.fill ins(%one : i64) outs(%empty : tensor<3xi64>) -> tensor<3xi64>
  %0 = nn.cache_update %cache, %update, %pos : tensor<3x4x2x2xf32>, tensor<3x1x4x2xf32>, tensor<3xi64>
  return %0 : tensor<3x4x2x2xf32>
}
