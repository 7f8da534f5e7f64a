#map = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d3, d2, d4, d5)>
#map1 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3, d4, d5)>
#map2 = affine_map<(d0, d1, d2, d3) -> ()>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
module @pixel_shuffle {
  func.func public @main(%arg0: tensor<2x4x6x8xf32>) -> (tensor<2x8x12x2xf32> {jax.result_info = "result[0]"}, tensor<2x4x6x8xf32> {jax.result_info = "result[1]"}) {
    %expanded = tensor.expand_shape %arg0 [[0], [1], [2], [3, 4, 5]] output_shape [2, 4, 6, 2, 2, 2] : tensor<2x4x6x8xf32> into tensor<2x4x6x2x2x2xf32>
    %0 = tensor.empty() : tensor<2x4x2x6x2x2xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded : tensor<2x4x6x2x2x2xf32>) outs(%0 : tensor<2x4x2x6x2x2xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x4x2x6x2x2xf32>
    %collapsed = tensor.collapse_shape %1 [[0], [1, 2], [3, 4], [5]] : tensor<2x4x2x6x2x2xf32> into tensor<2x8x12x2xf32>
    %expanded_0 = tensor.expand_shape %collapsed [[0], [1, 2], [3, 4], [5]] output_shape [2, 4, 2, 6, 2, 2] : tensor<2x8x12x2xf32> into tensor<2x4x2x6x2x2xf32>
    %2 = tensor.empty() : tensor<2x4x6x2x2x2xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_0 : tensor<2x4x2x6x2x2xf32>) outs(%2 : tensor<2x4x6x2x2x2xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x4x6x2x2x2xf32>
    %collapsed_1 = tensor.collapse_shape %3 [[0], [1], [2], [3, 4, 5]] : tensor<2x4x6x2x2x2xf32> into tensor<2x4x6x8xf32>
    %cst = arith.constant dense<2.000000e+00> : tensor<f32>
    %4 = tensor.empty() : tensor<2x4x6x8xf32>
    %5 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst : tensor<f32>) outs(%4 : tensor<2x4x6x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x4x6x8xf32>
    %6 = tensor.empty() : tensor<2x4x6x8xf32>
    %7 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%collapsed_1, %5 : tensor<2x4x6x8xf32>, tensor<2x4x6x8xf32>) outs(%6 : tensor<2x4x6x8xf32>) {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %8 = arith.mulf %in, %in_2 : f32
      linalg.yield %8 : f32
    } -> tensor<2x4x6x8xf32>
    return %collapsed, %7 : tensor<2x8x12x2xf32>, tensor<2x4x6x8xf32>
  }
}
