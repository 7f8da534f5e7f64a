// RUN: tp-run %s --interpret --compare --poison | FileCheck %s
// The merged candidates of a vector have no dimension left.
// CHECK: result1 i64 [1]: {{[0-9]}}
// CHECK: equal to the unsharded program
tp.mesh @mesh <"a"=4>
func.func @f(%x: tensor<6xf32> {tp.sharding = #tp.sharding<[a]>}) -> (tensor<1xf32>, tensor<1xi64>) {
  %0:2 = nn.argmax %x : tensor<6xf32> -> tensor<1xf32>, tensor<1xi64>
  return %0#0, %0#1 : tensor<1xf32>, tensor<1xi64>
}
