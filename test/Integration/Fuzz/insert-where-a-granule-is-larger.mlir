// RUN: tp-run %s --interpret --compare --poison | FileCheck %s
// RUN: tp-run %s --compare --poison | FileCheck %s
// The column that the inserted row lacks is a block of two, of which one is padding.
// CHECK: equal to the unsharded program
tp.mesh @mesh <"a"=2>
func.func @f(%x: tensor<2xi64>) -> (tensor<3x2x1xi64> {tp.sharding = #tp.sharding<[_, _, a*2]>}) {
  %empty = tensor.empty() : tensor<3x2x1xi64>
  %zero = arith.constant 0 : i64
  %to = linalg.fill ins(%zero : i64) outs(%empty : tensor<3x2x1xi64>) -> tensor<3x2x1xi64>
  %0 = tensor.insert_slice %x into %to[1, 0, 0] [1, 2, 1] [1, 1, 1] : tensor<2xi64> into tensor<3x2x1xi64>
  return %0 : tensor<3x2x1xi64>
}
