#map = affine_map<(d0, d1) -> ()>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
#map2 = affine_map<(d0, d1) -> (-d0 + 6, d1)>
module @flip_uneven {
  func.func public @main(%arg0: tensor<7x3xf32>) -> (tensor<7x3xf32> {jax.result_info = "result"}) {
    %0 = call @_flip(%arg0) : (tensor<7x3xf32>) -> tensor<7x3xf32>
    %cst = arith.constant dense<2.000000e+00> : tensor<f32>
    %1 = tensor.empty() : tensor<7x3xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst : tensor<f32>) outs(%1 : tensor<7x3xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<7x3xf32>
    %3 = tensor.empty() : tensor<7x3xf32>
    %4 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%0, %2 : tensor<7x3xf32>, tensor<7x3xf32>) outs(%3 : tensor<7x3xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %5 = arith.mulf %in, %in_0 : f32
      linalg.yield %5 : f32
    } -> tensor<7x3xf32>
    return %4 : tensor<7x3xf32>
  }
  func.func private @_flip(%arg0: tensor<7x3xf32>) -> tensor<7x3xf32> {
    %0 = tensor.empty() : tensor<7x3xf32>
    %1 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<7x3xf32>) outs(%0 : tensor<7x3xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<7x3xf32>
    return %1 : tensor<7x3xf32>
  }
}

