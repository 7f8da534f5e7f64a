// The diagonals of matrices that are cut in another dimension: right, but the checker does not follow it.
#all = affine_map<(d0, d1) -> (d0, d1)>
#diagonal = affine_map<(d0, d1) -> (d0, d1, d1)>
tp.mesh @mesh <"a"=2>
func.func @f(%x: tensor<8x3x3xf32> {tp.sharding = #tp.sharding<[a, _, _]>}) -> (tensor<8x3xf32> {tp.sharding = #tp.sharding<[a, _]>}) {
  %empty = tensor.empty() : tensor<8x3xf32>
  %diagonals = linalg.generic {indexing_maps = [#diagonal, #all], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<8x3x3xf32>) outs(%empty : tensor<8x3xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<8x3xf32>
  return %diagonals : tensor<8x3xf32>
}
