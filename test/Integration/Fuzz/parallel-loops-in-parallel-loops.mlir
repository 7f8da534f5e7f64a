// RUN: tp-run %s --interpret --compare --poison | FileCheck %s
// The interpreter writes an inner loop out in values of the outer one, which go away together.
// CHECK: equal to the unsharded program
tp.mesh @mesh <"tp"=2>
func.func @f(%x: tensor<6x5xf32> {tp.sharding = #tp.sharding<[tp, _]>}) -> tensor<6x5xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %z = arith.constant 0.0 : f32
  %0 = scf.forall (%i) in (6) shared_outs(%o = %x) -> tensor<6x5xf32> {
    %row = tensor.extract_slice %o[%i, 0] [1, 5] [1, 1] : tensor<6x5xf32> to tensor<5xf32>
    %1 = scf.forall (%k) in (5) shared_outs(%p = %row) -> tensor<5xf32> {
      %sum = scf.parallel (%j) = (%c0) to (%c5) step (%c1) init (%z) -> f32 {
        %y = tensor.extract %row[%j] : tensor<5xf32>
        scf.reduce(%y : f32) {
        ^bb0(%l: f32, %r: f32):
          %m = arith.addf %l, %r : f32
          scf.reduce.return %m : f32
        }
      }
      %one = tensor.splat %sum : tensor<1xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %one into %p[%k] [1] [1] : tensor<1xf32> into tensor<5xf32>
      }
    }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %1 into %o[%i, 0] [1, 5] [1, 1] : tensor<5xf32> into tensor<6x5xf32>
    }
  }
  return %0 : tensor<6x5xf32>
}
