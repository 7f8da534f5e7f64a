// A broadcast that is padded and then cut in that dimension: right, but the checker does not follow it.
tp.mesh @mesh <"a"=2>
func.func @f(%x: tensor<8xf32> {tp.sharding = #tp.sharding<[a]>}) -> (tensor<8x8xf32> {tp.sharding = #tp.sharding<[_, a]>}) {
  %zero = arith.constant 1.0 : f32
  %empty = tensor.empty() : tensor<8x6xf32>
  %wide = linalg.broadcast ins(%x : tensor<8xf32>) outs(%empty : tensor<8x6xf32>) dimensions = [1]
  %padded = tensor.pad %wide low[0, 1] high[0, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<8x6xf32> to tensor<8x8xf32>
  return %padded : tensor<8x8xf32>
}
