#map = affine_map<() -> ()>
#map1 = affine_map<(d0, d1, d2, d3) -> ()>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map3 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1 + d4, d2 + d5, d3)>
#map4 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d4, d5)>
#map5 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3)>
module @avgpool {
  func.func public @main(%arg0: tensor<2x8x8x3xf32>) -> (tensor<2x8x8x3xf32> {jax.result_info = "result"}) {
    %cst = arith.constant dense<0.000000e+00> : tensor<f32>
    %0 = tensor.empty() : tensor<f32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%cst : tensor<f32>) outs(%0 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<f32>
    %2 = tensor.empty() : tensor<2x8x8x3xf32>
    %3 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1 : tensor<f32>) outs(%2 : tensor<2x8x8x3xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x8x3xf32>
    %extracted = tensor.extract %1[] : tensor<f32>
    %padded = tensor.pad %arg0 low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%arg1: index, %arg2: index, %arg3: index, %arg4: index):
      tensor.yield %extracted : f32
    } : tensor<2x8x8x3xf32> to tensor<2x10x10x3xf32>
    %4 = tensor.empty() : tensor<3x3xf32>
    %5 = linalg.generic {indexing_maps = [#map3, #map4, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%padded, %4 : tensor<2x10x10x3xf32>, tensor<3x3xf32>) outs(%3 : tensor<2x8x8x3xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %from_elements = tensor.from_elements %in : tensor<f32>
      %from_elements_2 = tensor.from_elements %out : tensor<f32>
      %extracted_3 = tensor.extract %from_elements_2[] : tensor<f32>
      %extracted_4 = tensor.extract %from_elements[] : tensor<f32>
      %10 = arith.addf %extracted_3, %extracted_4 : f32
      %from_elements_5 = tensor.from_elements %10 : tensor<f32>
      %extracted_6 = tensor.extract %from_elements_5[] : tensor<f32>
      linalg.yield %extracted_6 : f32
    } -> tensor<2x8x8x3xf32>
    %cst_0 = arith.constant dense<9.000000e+00> : tensor<f32>
    %6 = tensor.empty() : tensor<2x8x8x3xf32>
    %7 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_0 : tensor<f32>) outs(%6 : tensor<2x8x8x3xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x8x3xf32>
    %8 = tensor.empty() : tensor<2x8x8x3xf32>
    %9 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%5, %7 : tensor<2x8x8x3xf32>, tensor<2x8x8x3xf32>) outs(%8 : tensor<2x8x8x3xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %10 = arith.divf %in, %in_1 : f32
      linalg.yield %10 : f32
    } -> tensor<2x8x8x3xf32>
    return %9 : tensor<2x8x8x3xf32>
  }
}

