#map = affine_map<(d0, d1) -> (-d0 + 7, d1)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
module @flip {
  func.func public @main(%arg0: tensor<8x3xf32>) -> (tensor<8x3xf32> {jax.result_info = "result"}) {
    %0 = call @_flip(%arg0) : (tensor<8x3xf32>) -> tensor<8x3xf32>
    return %0 : tensor<8x3xf32>
  }
  func.func private @_flip(%arg0: tensor<8x3xf32>) -> tensor<8x3xf32> {
    %0 = tensor.empty() : tensor<8x3xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<8x3xf32>) outs(%0 : tensor<8x3xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x3xf32>
    return %1 : tensor<8x3xf32>
  }
}

