#map = affine_map<(d0, d1) -> (d0)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
#map2 = affine_map<(d0, d1) -> (d1)>
#map3 = affine_map<(d0, d1) -> (d0, 0)>
#map4 = affine_map<(d0, d1) -> (0, d1)>
#map5 = affine_map<(d0, d1, d2, d3) -> (0, d1, 0, d3)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d2)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d1, d3)>
#map9 = affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, 0)>
module @kron {
  func.func public @main(%arg0: tensor<2x3xf32>, %arg1: tensor<4x2xf32>) -> (tensor<8x6xf32> {jax.result_info = "result[0]"}, tensor<6x8xf32> {jax.result_info = "result[1]"}, tensor<4x6xf32> {jax.result_info = "result[2]"}) {
    %0 = call @kron(%arg0, %arg1) : (tensor<2x3xf32>, tensor<4x2xf32>) -> tensor<8x6xf32>
    %collapsed = tensor.collapse_shape %arg0 [[0, 1]] : tensor<2x3xf32> into tensor<6xf32>
    %collapsed_0 = tensor.collapse_shape %arg1 [[0, 1]] : tensor<4x2xf32> into tensor<8xf32>
    %1 = tensor.empty() : tensor<6x1xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%collapsed : tensor<6xf32>) outs(%1 : tensor<6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<6x1xf32>
    %3 = tensor.empty() : tensor<1x8xf32>
    %4 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%collapsed_0 : tensor<8xf32>) outs(%3 : tensor<1x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x8xf32>
    %5 = tensor.empty() : tensor<6x8xf32>
    %6 = linalg.generic {indexing_maps = [#map3, #map1], iterator_types = ["parallel", "parallel"]} ins(%2 : tensor<6x1xf32>) outs(%5 : tensor<6x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<6x8xf32>
    %7 = tensor.empty() : tensor<6x8xf32>
    %8 = linalg.generic {indexing_maps = [#map4, #map1], iterator_types = ["parallel", "parallel"]} ins(%4 : tensor<1x8xf32>) outs(%7 : tensor<6x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<6x8xf32>
    %9 = tensor.empty() : tensor<6x8xf32>
    %10 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%6, %8 : tensor<6x8xf32>, tensor<6x8xf32>) outs(%9 : tensor<6x8xf32>) {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %13 = arith.mulf %in, %in_2 : f32
      linalg.yield %13 : f32
    } -> tensor<6x8xf32>
    %expanded = tensor.expand_shape %arg0 [[0, 1], [2, 3]] output_shape [1, 2, 1, 3] : tensor<2x3xf32> into tensor<1x2x1x3xf32>
    %11 = tensor.empty() : tensor<2x2x2x3xf32>
    %12 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded : tensor<1x2x1x3xf32>) outs(%11 : tensor<2x2x2x3xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x2x3xf32>
    %collapsed_1 = tensor.collapse_shape %12 [[0, 1], [2, 3]] : tensor<2x2x2x3xf32> into tensor<4x6xf32>
    return %0, %10, %collapsed_1 : tensor<8x6xf32>, tensor<6x8xf32>, tensor<4x6xf32>
  }
  func.func private @kron(%arg0: tensor<2x3xf32>, %arg1: tensor<4x2xf32>) -> tensor<8x6xf32> {
    %0 = tensor.empty() : tensor<2x1x3x1xf32>
    %1 = linalg.generic {indexing_maps = [#map7, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0 : tensor<2x3xf32>) outs(%0 : tensor<2x1x3x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x1x3x1xf32>
    %2 = tensor.empty() : tensor<1x4x1x2xf32>
    %3 = linalg.generic {indexing_maps = [#map8, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg1 : tensor<4x2xf32>) outs(%2 : tensor<1x4x1x2xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x4x1x2xf32>
    %4 = tensor.empty() : tensor<2x4x3x2xf32>
    %5 = linalg.generic {indexing_maps = [#map9, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1 : tensor<2x1x3x1xf32>) outs(%4 : tensor<2x4x3x2xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x4x3x2xf32>
    %6 = tensor.empty() : tensor<2x4x3x2xf32>
    %7 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%3 : tensor<1x4x1x2xf32>) outs(%6 : tensor<2x4x3x2xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x4x3x2xf32>
    %8 = tensor.empty() : tensor<2x4x3x2xf32>
    %9 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%5, %7 : tensor<2x4x3x2xf32>, tensor<2x4x3x2xf32>) outs(%8 : tensor<2x4x3x2xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %10 = arith.mulf %in, %in_0 : f32
      linalg.yield %10 : f32
    } -> tensor<2x4x3x2xf32>
    %collapsed = tensor.collapse_shape %9 [[0, 1], [2, 3]] : tensor<2x4x3x2xf32> into tensor<8x6xf32>
    return %collapsed : tensor<8x6xf32>
  }
}
