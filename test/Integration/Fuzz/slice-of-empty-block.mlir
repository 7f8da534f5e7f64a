// RUN: tp-run %s --interpret --compare --poison | FileCheck %s
// RUN: tp-run %s --compare --poison | FileCheck %s
// The rank without an element has nothing to say about the one that is taken.
// CHECK: equal to the unsharded program
tp.mesh @mesh <"a"=2>
func.func @f(%x: tensor<1xf32> {tp.sharding = #tp.sharding<[a]>}) -> tensor<f32> {
  %0 = math.expm1 %x : tensor<1xf32>
  %1 = tensor.extract_slice %0[0] [1] [1] : tensor<1xf32> to tensor<f32>
  return %1 : tensor<f32>
}
