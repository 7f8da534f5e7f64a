// A program per op of all dialects that is refused, by one error, named by the op. OpSupportTest cuts each dimension of each
// argument, compares with the whole program, and writes docs/reference/OpSupport.md.

func.func private @callee(%x: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %0 = math.exp %x : tensor<5x6xf32>
  return %0 : tensor<5x6xf32>
}

func.func @arith.scaling_extf(%a: tensor<5x6xf8E5M2>, %b: tensor<5x6xf8E8M0FNU>) -> tensor<5x6xf32> {
  %0 = arith.scaling_extf %a, %b : tensor<5x6xf8E5M2>, tensor<5x6xf8E8M0FNU> to tensor<5x6xf32>
  return %0 : tensor<5x6xf32>
}

func.func @arith.scaling_truncf(%a: tensor<5x6xf32>, %b: tensor<5x6xf8E8M0FNU>) -> tensor<5x6xf8E5M2> {
  %0 = arith.scaling_truncf %a, %b : tensor<5x6xf32>, tensor<5x6xf8E8M0FNU> to tensor<5x6xf8E5M2>
  return %0 : tensor<5x6xf8E5M2>
}

func.func @tensor.cast(%a: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %0 = tensor.cast %a : tensor<5x6xf32> to tensor<?x6xf32>
  %1 = tensor.cast %0 : tensor<?x6xf32> to tensor<5x6xf32>
  return %1 : tensor<5x6xf32>
}

func.func @func.call_indirect(%a: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %0 = func.constant @callee : (tensor<5x6xf32>) -> tensor<5x6xf32>
  %1 = func.call_indirect %0(%a) : (tensor<5x6xf32>) -> tensor<5x6xf32>
  return %1 : tensor<5x6xf32>
}
