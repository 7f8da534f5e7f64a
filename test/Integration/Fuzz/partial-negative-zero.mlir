// RUN: tp-run %s --interpret --compare --input 0=-0.0 | FileCheck %s
// RUN: tp-run %s --compare --input 0=-0.0 | FileCheck %s
// An input that is a sum over ranks is computed: -0 + 0 is 0, and equal to -0.
// CHECK: equal to the unsharded program
tp.mesh @mesh <"a"=2>
func.func @f(%x: tensor<f32> {tp.sharding = #tp.sharding<[] sum(a)>}) -> tensor<f32> {
  return %x : tensor<f32>
}
