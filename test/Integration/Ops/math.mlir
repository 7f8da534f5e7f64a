// A program per op of math, elementwise, named by the op. OpSupportTest cuts each dimension of each
// argument, compares with the whole program, and writes docs/reference/OpSupport.md.

func.func @math.absf(%a: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %0 = math.absf %a : tensor<5x6xf32>
  return %0 : tensor<5x6xf32>
}

func.func @math.acos(%a: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %0 = math.acos %a : tensor<5x6xf32>
  return %0 : tensor<5x6xf32>
}

func.func @math.acosh(%a: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %0 = math.acosh %a : tensor<5x6xf32>
  return %0 : tensor<5x6xf32>
}

func.func @math.asin(%a: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %0 = math.asin %a : tensor<5x6xf32>
  return %0 : tensor<5x6xf32>
}

func.func @math.asinh(%a: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %0 = math.asinh %a : tensor<5x6xf32>
  return %0 : tensor<5x6xf32>
}

func.func @math.atan(%a: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %0 = math.atan %a : tensor<5x6xf32>
  return %0 : tensor<5x6xf32>
}

func.func @math.atanh(%a: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %0 = math.atanh %a : tensor<5x6xf32>
  return %0 : tensor<5x6xf32>
}

func.func @math.cbrt(%a: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %0 = math.cbrt %a : tensor<5x6xf32>
  return %0 : tensor<5x6xf32>
}

func.func @math.ceil(%a: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %0 = math.ceil %a : tensor<5x6xf32>
  return %0 : tensor<5x6xf32>
}

func.func @math.cos(%a: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %0 = math.cos %a : tensor<5x6xf32>
  return %0 : tensor<5x6xf32>
}

func.func @math.cosh(%a: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %0 = math.cosh %a : tensor<5x6xf32>
  return %0 : tensor<5x6xf32>
}

func.func @math.erf(%a: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %0 = math.erf %a : tensor<5x6xf32>
  return %0 : tensor<5x6xf32>
}

func.func @math.erfc(%a: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %0 = math.erfc %a : tensor<5x6xf32>
  return %0 : tensor<5x6xf32>
}

func.func @math.exp(%a: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %0 = math.exp %a : tensor<5x6xf32>
  return %0 : tensor<5x6xf32>
}

func.func @math.exp2(%a: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %0 = math.exp2 %a : tensor<5x6xf32>
  return %0 : tensor<5x6xf32>
}

func.func @math.expm1(%a: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %0 = math.expm1 %a : tensor<5x6xf32>
  return %0 : tensor<5x6xf32>
}

func.func @math.floor(%a: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %0 = math.floor %a : tensor<5x6xf32>
  return %0 : tensor<5x6xf32>
}

func.func @math.log(%a: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %0 = math.log %a : tensor<5x6xf32>
  return %0 : tensor<5x6xf32>
}

func.func @math.log10(%a: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %0 = math.log10 %a : tensor<5x6xf32>
  return %0 : tensor<5x6xf32>
}

func.func @math.log1p(%a: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %0 = math.log1p %a : tensor<5x6xf32>
  return %0 : tensor<5x6xf32>
}

func.func @math.log2(%a: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %0 = math.log2 %a : tensor<5x6xf32>
  return %0 : tensor<5x6xf32>
}

func.func @math.round(%a: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %0 = math.round %a : tensor<5x6xf32>
  return %0 : tensor<5x6xf32>
}

func.func @math.roundeven(%a: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %0 = math.roundeven %a : tensor<5x6xf32>
  return %0 : tensor<5x6xf32>
}

func.func @math.rsqrt(%a: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %0 = math.rsqrt %a : tensor<5x6xf32>
  return %0 : tensor<5x6xf32>
}

func.func @math.sin(%a: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %0 = math.sin %a : tensor<5x6xf32>
  return %0 : tensor<5x6xf32>
}

func.func @math.sinh(%a: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %0 = math.sinh %a : tensor<5x6xf32>
  return %0 : tensor<5x6xf32>
}

func.func @math.sqrt(%a: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %0 = math.sqrt %a : tensor<5x6xf32>
  return %0 : tensor<5x6xf32>
}

func.func @math.tan(%a: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %0 = math.tan %a : tensor<5x6xf32>
  return %0 : tensor<5x6xf32>
}

func.func @math.tanh(%a: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %0 = math.tanh %a : tensor<5x6xf32>
  return %0 : tensor<5x6xf32>
}

func.func @math.trunc(%a: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %0 = math.trunc %a : tensor<5x6xf32>
  return %0 : tensor<5x6xf32>
}

func.func @math.absi(%a: tensor<5x6xi32>) -> tensor<5x6xi32> {
  %0 = math.absi %a : tensor<5x6xi32>
  return %0 : tensor<5x6xi32>
}

func.func @math.ctlz(%a: tensor<5x6xi32>) -> tensor<5x6xi32> {
  %0 = math.ctlz %a : tensor<5x6xi32>
  return %0 : tensor<5x6xi32>
}

func.func @math.cttz(%a: tensor<5x6xi32>) -> tensor<5x6xi32> {
  %0 = math.cttz %a : tensor<5x6xi32>
  return %0 : tensor<5x6xi32>
}

func.func @math.ctpop(%a: tensor<5x6xi32>) -> tensor<5x6xi32> {
  %0 = math.ctpop %a : tensor<5x6xi32>
  return %0 : tensor<5x6xi32>
}

func.func @math.atan2(%a: tensor<5x6xf32>, %b: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %0 = math.atan2 %a, %b : tensor<5x6xf32>
  return %0 : tensor<5x6xf32>
}

func.func @math.copysign(%a: tensor<5x6xf32>, %b: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %0 = math.copysign %a, %b : tensor<5x6xf32>
  return %0 : tensor<5x6xf32>
}

func.func @math.powf(%a: tensor<5x6xf32>, %b: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %0 = math.powf %a, %b : tensor<5x6xf32>
  return %0 : tensor<5x6xf32>
}

func.func @math.ipowi(%a: tensor<5x6xi32>, %b: tensor<5x6xi32>) -> tensor<5x6xi32> {
  %0 = arith.constant dense<3> : tensor<5x6xi32>
  %1 = arith.andi %b, %0 : tensor<5x6xi32>
  %2 = math.ipowi %a, %1 : tensor<5x6xi32>
  return %2 : tensor<5x6xi32>
}

func.func @math.fpowi(%a: tensor<5x6xf32>, %b: tensor<5x6xi32>) -> tensor<5x6xf32> {
  %0 = math.fpowi %a, %b : tensor<5x6xf32>, tensor<5x6xi32>
  return %0 : tensor<5x6xf32>
}

func.func @math.fma(%a: tensor<5x6xf32>, %b: tensor<5x6xf32>, %c: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %0 = math.fma %a, %b, %c : tensor<5x6xf32>
  return %0 : tensor<5x6xf32>
}

func.func @math.clampf(%a: tensor<5x6xf32>, %b: tensor<5x6xf32>, %c: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %0 = math.clampf %a to [%b, %c] : tensor<5x6xf32>
  return %0 : tensor<5x6xf32>
}

func.func @math.isfinite(%a: tensor<5x6xf32>) -> tensor<5x6xi1> {
  %0 = math.isfinite %a : tensor<5x6xf32>
  return %0 : tensor<5x6xi1>
}

func.func @math.isinf(%a: tensor<5x6xf32>) -> tensor<5x6xi1> {
  %0 = math.isinf %a : tensor<5x6xf32>
  return %0 : tensor<5x6xi1>
}

func.func @math.isnan(%a: tensor<5x6xf32>) -> tensor<5x6xi1> {
  %0 = math.isnan %a : tensor<5x6xf32>
  return %0 : tensor<5x6xi1>
}

func.func @math.isnormal(%a: tensor<5x6xf32>) -> tensor<5x6xi1> {
  %0 = math.isnormal %a : tensor<5x6xf32>
  return %0 : tensor<5x6xi1>
}

func.func @math.sincos(%a: tensor<5x6xf32>) -> (tensor<5x6xf32>, tensor<5x6xf32>) {
  %0, %1 = math.sincos %a : tensor<5x6xf32>
  return %0, %1 : tensor<5x6xf32>, tensor<5x6xf32>
}
