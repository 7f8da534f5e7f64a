// A program per op of scf and func, named by the op. OpSupportTest cuts each dimension of each
// argument, compares with the whole program, and writes docs/reference/OpSupport.md.

func.func private @callee(%x: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %0 = math.exp %x : tensor<5x6xf32>
  return %0 : tensor<5x6xf32>
}
func.func @func.call(%a: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %0 = func.call @callee(%a) : (tensor<5x6xf32>) -> tensor<5x6xf32>
  return %0 : tensor<5x6xf32>
}
func.func @scf.for(%a: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %2 = arith.constant 3 : index
  %3 = scf.for %i = %0 to %2 step %1 iter_args(%x = %a) -> tensor<5x6xf32> {
    %4 = arith.addf %x, %a : tensor<5x6xf32>
    scf.yield %4 : tensor<5x6xf32>
  }
  return %3 : tensor<5x6xf32>
}
func.func @scf.while(%a: tensor<5x6xf32>, %b: index) -> tensor<5x6xf32> {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %2 = arith.constant 3 : index
  %3:2 = scf.while (%i = %0, %x = %a) : (index, tensor<5x6xf32>) -> (index, tensor<5x6xf32>) {
    %4 = arith.cmpi slt, %i, %2 : index
    scf.condition(%4) %i, %x : index, tensor<5x6xf32>
  } do {
  ^bb0(%i: index, %x: tensor<5x6xf32>):
    %4 = arith.addi %i, %1 : index
    %5 = arith.addf %x, %a : tensor<5x6xf32>
    scf.yield %4, %5 : index, tensor<5x6xf32>
  }
  return %3#1 : tensor<5x6xf32>
}
func.func @scf.if(%a: tensor<5x6xf32>, %b: i1) -> tensor<5x6xf32> {
  %0 = scf.if %b -> tensor<5x6xf32> {
    %1 = arith.addf %a, %a : tensor<5x6xf32>
    scf.yield %1 : tensor<5x6xf32>
  } else {
    scf.yield %a : tensor<5x6xf32>
  }
  return %0 : tensor<5x6xf32>
}
func.func @scf.index_switch(%a: tensor<5x6xf32>, %b: index) -> tensor<5x6xf32> {
  %0 = scf.index_switch %b -> tensor<5x6xf32>
  case 1 {
    %1 = arith.addf %a, %a : tensor<5x6xf32>
    scf.yield %1 : tensor<5x6xf32>
  }
  default {
    scf.yield %a : tensor<5x6xf32>
  }
  return %0 : tensor<5x6xf32>
}
func.func @scf.execute_region(%a: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %0 = scf.execute_region -> tensor<5x6xf32> {
    %1 = arith.addf %a, %a : tensor<5x6xf32>
    scf.yield %1 : tensor<5x6xf32>
  }
  return %0 : tensor<5x6xf32>
}
func.func @scf.forall(%a: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %0 = tensor.empty() : tensor<5x6xf32>
  %1 = scf.forall (%i) in (5) shared_outs(%o = %0) -> tensor<5x6xf32> {
    %2 = tensor.extract_slice %a[%i, 0] [1, 6] [1, 1] : tensor<5x6xf32> to tensor<1x6xf32>
    %3 = math.exp %2 : tensor<1x6xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %3 into %o[%i, 0] [1, 6] [1, 1] : tensor<1x6xf32> into tensor<5x6xf32>
    }
  }
  return %1 : tensor<5x6xf32>
}
func.func @scf.parallel(%a: tensor<5x6xf32>) -> f32 {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %2 = arith.constant 5 : index
  %3 = arith.constant 0.0 : f32
  %4 = scf.parallel (%i) = (%0) to (%2) step (%1) init (%3) -> f32 {
    %5 = tensor.extract %a[%i, %1] : tensor<5x6xf32>
    scf.reduce(%5 : f32) {
    ^bb0(%x: f32, %y: f32):
      %6 = arith.addf %x, %y : f32
      scf.reduce.return %6 : f32
    }
  }
  return %4 : f32
}
