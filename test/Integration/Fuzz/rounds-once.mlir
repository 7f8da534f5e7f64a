// DEFINE: %{inputs} = --input 0=1.00390625000001 --input 1=-1.00048828125001 --input 2=3.4e38 --input 3=1e-300 --input 4=4629700416936869889 --input 5=-16842753 --input 6=nan
// RUN: tp-run %s %{inputs} --compare | FileCheck %s
// RUN: tp-run %s %{inputs} --compare --interpret | FileCheck %s
// Conversions to bf16 and f16 round once: just above the middle between two numbers
// is the upper one, which a first rounding to f32 would lose.
// CHECK: result0 bf16 [4]: 1.0078125, -1, inf, 0
// CHECK-NEXT: result1 f16 [4]: 1.00390625, -1.00097656, inf, 0
// CHECK-NEXT: result2 bf16 [4]: 4.64771{{[0-9]*}}e+18, -16908288, 4.64771{{[0-9]*}}e+18, 4.27819{{[0-9]*}}e+09
// CHECK-NEXT: result3 bf16 []: nan
tp.mesh @mesh <"a"=1>
func.func @f(%a: tensor<f64>, %b: tensor<f64>, %c: tensor<f64>, %d: tensor<f64>, %i: tensor<i64>, %j: tensor<i32>, %n: tensor<f64>) -> (tensor<4xbf16>, tensor<4xf16>, tensor<4xbf16>, tensor<bf16>) {
  %ax = tensor.expand_shape %a [] output_shape [1] : tensor<f64> into tensor<1xf64>
  %bx = tensor.expand_shape %b [] output_shape [1] : tensor<f64> into tensor<1xf64>
  %cx = tensor.expand_shape %c [] output_shape [1] : tensor<f64> into tensor<1xf64>
  %dx = tensor.expand_shape %d [] output_shape [1] : tensor<f64> into tensor<1xf64>
  %x = tensor.concat dim(0) %ax, %bx, %cx, %dx : (tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>) -> tensor<4xf64>
  %bf16 = arith.truncf %x : tensor<4xf64> to tensor<4xbf16>
  %f16 = arith.truncf %x : tensor<4xf64> to tensor<4xf16>
  %0 = arith.sitofp %i : tensor<i64> to tensor<bf16>
  %1 = arith.sitofp %j : tensor<i32> to tensor<bf16>
  %2 = arith.uitofp %i : tensor<i64> to tensor<bf16>
  %3 = arith.uitofp %j : tensor<i32> to tensor<bf16>
  %e0 = tensor.expand_shape %0 [] output_shape [1] : tensor<bf16> into tensor<1xbf16>
  %e1 = tensor.expand_shape %1 [] output_shape [1] : tensor<bf16> into tensor<1xbf16>
  %e2 = tensor.expand_shape %2 [] output_shape [1] : tensor<bf16> into tensor<1xbf16>
  %e3 = tensor.expand_shape %3 [] output_shape [1] : tensor<bf16> into tensor<1xbf16>
  %ints = tensor.concat dim(0) %e0, %e1, %e2, %e3 : (tensor<1xbf16>, tensor<1xbf16>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<4xbf16>
  %nan = arith.truncf %n : tensor<f64> to tensor<bf16>
  return %bf16, %f16, %ints, %nan : tensor<4xbf16>, tensor<4xf16>, tensor<4xbf16>, tensor<bf16>
}
