// A program per op of nn, named by the op. OpSupportTest cuts each dimension of each
// argument, compares with the whole program, and writes docs/reference/OpSupport.md.

func.func @nn.embedding(%a: tensor<3x2xi64>, %b: tensor<9x6xf32>) -> tensor<3x2x6xf32> {
  %0 = nn.embedding %a, %b : tensor<3x2xi64>, tensor<9x6xf32> -> tensor<3x2x6xf32>
  return %0 : tensor<3x2x6xf32>
}
func.func @nn.rms_norm(%a: tensor<2x5x6xf32>, %b: tensor<6xf32>) -> tensor<2x5x6xf32> {
  %0 = nn.rms_norm %a, %b epsilon 1.0e-02 : tensor<2x5x6xf32>, tensor<6xf32>
  return %0 : tensor<2x5x6xf32>
}
func.func @nn.layer_norm(%a: tensor<2x5x6xf32>, %b: tensor<6xf32>, %c: tensor<6xf32>) -> tensor<2x5x6xf32> {
  %0 = nn.layer_norm %a, %b, %c epsilon 1.0e-02 : tensor<2x5x6xf32>, tensor<6xf32>
  return %0 : tensor<2x5x6xf32>
}
func.func @nn.power_sums(%a: tensor<2x5x6xf32>) -> tensor<2x5x2xf64> {
  %0 = nn.power_sums %a powers [1, 2] : tensor<2x5x6xf32> -> tensor<2x5x2xf64>
  return %0 : tensor<2x5x2xf64>
}
func.func @nn.rotary_table(%a: tensor<3xi64>) -> (tensor<3x2x2xf32>, tensor<3x2x2xf32>) {
  %0, %1 = nn.rotary_table %a theta 10000.0 : tensor<3xi64> -> tensor<3x2x2xf32>
  return %0, %1 : tensor<3x2x2xf32>, tensor<3x2x2xf32>
}
func.func @nn.rope(%a: tensor<3x2x4x6xf32>, %b: tensor<3x2x2xf32>, %c: tensor<3x2x2xf32>) -> tensor<3x2x4x6xf32> {
  %0 = nn.rope %a, %b, %c : tensor<3x2x4x6xf32>, tensor<3x2x2xf32>
  return %0 : tensor<3x2x4x6xf32>
}
func.func @nn.cache_update(%a: tensor<3x2x8x4xf32>, %b: tensor<3x2x2x4xf32>, %c: tensor<3xi64>) -> tensor<3x2x8x4xf32> {
  %0 = arith.constant dense<3> : tensor<3xi64>
  %1 = arith.andi %c, %0 : tensor<3xi64>
  %2 = nn.cache_update %a, %b, %1 : tensor<3x2x8x4xf32>, tensor<3x2x2x4xf32>, tensor<3xi64>
  return %2 : tensor<3x2x8x4xf32>
}
func.func @nn.attention(%a: tensor<3x2x2x3x4xf32>, %b: tensor<3x2x8x4xf32>, %c: tensor<3x2x8x4xf32>, %d: tensor<3xi64>) -> tensor<3x2x2x3x4xf32> {
  %0 = arith.constant dense<3> : tensor<3xi64>
  %1 = arith.andi %d, %0 : tensor<3xi64>
  %2 = nn.attention %a, %b, %c, %1 scale 0.5 : tensor<3x2x2x3x4xf32>, tensor<3x2x8x4xf32>, tensor<3xi64>
  return %2 : tensor<3x2x2x3x4xf32>
}
func.func @nn.attention_blocks(%a: tensor<3x2x2x3x4xf32>, %b: tensor<3x2x8x4xf32>, %c: tensor<3x2x8x4xf32>, %d: tensor<3xi64>) -> (tensor<1x3x2x2x3x5xf32>, tensor<1x3x2x2x3xf32>) {
  %0, %1 = nn.attention_blocks %a, %b, %c, %d scale 0.5 : tensor<3x2x2x3x4xf32>, tensor<3x2x8x4xf32>, tensor<3xi64> -> tensor<1x3x2x2x3x5xf32>, tensor<1x3x2x2x3xf32>
  return %0, %1 : tensor<1x3x2x2x3x5xf32>, tensor<1x3x2x2x3xf32>
}
func.func @nn.attention_merge(%a: tensor<2x3x2x2x3x5xf32>, %b: tensor<2x3x2x2x3xf32>, %c: tensor<3x2x2x3xf32>) -> tensor<3x2x2x3x5xf32> {
  %0 = nn.attention_merge %a, %b, %c : tensor<2x3x2x2x3x5xf32>
  return %0 : tensor<3x2x2x3x5xf32>
}
func.func @nn.attention_finish(%a: tensor<3x2x2x3x5xf32>) -> tensor<3x2x2x3x4xf32> {
  %0 = nn.attention_finish %a : tensor<3x2x2x3x5xf32> -> tensor<3x2x2x3x4xf32>
  return %0 : tensor<3x2x2x3x4xf32>
}
func.func @nn.argmax(%a: tensor<5x6xf32>) -> (tensor<5x1xf32>, tensor<5x1xi64>) {
  %0:2 = nn.argmax %a : tensor<5x6xf32> -> tensor<5x1xf32>, tensor<5x1xi64>
  return %0#0, %0#1 : tensor<5x1xf32>, tensor<5x1xi64>
}
func.func @nn.top_k(%a: tensor<4x60xf32>) -> (tensor<4x3xf32>, tensor<4x3xi64>) {
  %0:2 = nn.top_k %a dim 1 bound 0xFF800000 : f32 : tensor<4x60xf32> -> tensor<4x3xf32>, tensor<4x3xi64>
  return %0#0, %0#1 : tensor<4x3xf32>, tensor<4x3xi64>
}
func.func @nn.sample(%a: tensor<4x9xf32>, %b: tensor<4xf64>) -> tensor<4xi64> {
  %0 = math.absf %b : tensor<4xf64>
  %1 = arith.constant dense<0.5> : tensor<4xf64>
  %2 = arith.mulf %0, %1 : tensor<4xf64>
  %3 = arith.constant dense<1.5> : tensor<f64>
  %4 = arith.constant dense<7> : tensor<i64>
  %5 = arith.constant dense<0.9> : tensor<f64>
  %6 = nn.sample %a, %2, %3, %4, %5 : tensor<4x9xf32>
  return %6 : tensor<4xi64>
}
