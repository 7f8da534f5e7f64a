// RUN: tp-run %s --input 3=1 --compare --poison | FileCheck %s
// RUN: tp-run %s --input 3=1 --compare --poison --interpret | FileCheck %s
// Pads, pieces and insertions of values that have no elements.
// CHECK: result0 f32 [3, 2]: 0, 1, 1, 2, 2, 3
// CHECK-NEXT: result1 f32 [3, 0, 2]:
// CHECK-NEXT: result2 f32 [2, 2]:
// CHECK-NEXT: result3 f32 [2, 2]:
// CHECK: equal to the unsharded program
tp.mesh @mesh <"a"=2>
func.func @f(%x: tensor<0x2xf32>, %y: tensor<2x0x2xf32>, %z: tensor<2x2xf32> {tp.sharding = #tp.sharding<[a, _]>}, %i: index) -> (tensor<3x2xf32>, tensor<3x0x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>) {
  %p = tensor.pad %x low[1, 0] high[2, 0] {
  ^bb0(%r: index, %c: index):
    %n = arith.addi %r, %c : index
    %k = arith.index_cast %n : index to i32
    %v = arith.sitofp %k : i32 to f32
    tensor.yield %v : f32
  } : tensor<0x2xf32> to tensor<3x2xf32>
  %zero = arith.constant 0.0 : f32
  %q = tensor.pad %y low[0, 0, 0] high[1, 0, 0] {
  ^bb0(%a: index, %b: index, %c: index):
    tensor.yield %zero : f32
  } : tensor<2x0x2xf32> to tensor<3x0x2xf32>
  %s = tensor.concat dim(0) %z, %x : (tensor<2x2xf32>, tensor<0x2xf32>) -> tensor<2x2xf32>
  %t = tensor.insert_slice %x into %z[%i, 0] [0, 2] [1, 1] : tensor<0x2xf32> into tensor<2x2xf32>
  return %p, %q, %s, %t : tensor<3x2xf32>, tensor<3x0x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>
}
