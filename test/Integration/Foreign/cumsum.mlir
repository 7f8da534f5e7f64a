#map = affine_map<() -> ()>
#map1 = affine_map<(d0, d1) -> ()>
#map2 = affine_map<(d0, d1) -> (d0, d1)>
#map3 = affine_map<(d0, d1, d2) -> (d0 + d2, d1)>
#map4 = affine_map<(d0, d1, d2) -> (d2)>
#map5 = affine_map<(d0, d1, d2) -> (d0, d1)>
module @cumsum {
  func.func public @main(%arg0: tensor<8x3xf32>) -> (tensor<8x3xf32> {jax.result_info = "result"}) {
    %0 = call @cumsum(%arg0) : (tensor<8x3xf32>) -> tensor<8x3xf32>
    return %0 : tensor<8x3xf32>
  }
  func.func private @cumsum(%arg0: tensor<8x3xf32>) -> tensor<8x3xf32> {
    %0 = call @cumsum_0(%arg0) : (tensor<8x3xf32>) -> tensor<8x3xf32>
    return %0 : tensor<8x3xf32>
  }
  func.func private @cumsum_0(%arg0: tensor<8x3xf32>) -> tensor<8x3xf32> {
    %cst = arith.constant dense<0.000000e+00> : tensor<f32>
    %0 = tensor.empty() : tensor<f32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%cst : tensor<f32>) outs(%0 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<f32>
    %2 = tensor.empty() : tensor<8x3xf32>
    %3 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<f32>) outs(%2 : tensor<8x3xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x3xf32>
    %extracted = tensor.extract %1[] : tensor<f32>
    %padded = tensor.pad %arg0 low[7, 0] high[0, 0] {
    ^bb0(%arg1: index, %arg2: index):
      tensor.yield %extracted : f32
    } : tensor<8x3xf32> to tensor<15x3xf32>
    %4 = tensor.empty() : tensor<8xf32>
    %5 = linalg.generic {indexing_maps = [#map3, #map4, #map5], iterator_types = ["parallel", "parallel", "reduction"]} ins(%padded, %4 : tensor<15x3xf32>, tensor<8xf32>) outs(%3 : tensor<8x3xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %from_elements = tensor.from_elements %in : tensor<f32>
      %from_elements_1 = tensor.from_elements %out : tensor<f32>
      %extracted_2 = tensor.extract %from_elements_1[] : tensor<f32>
      %extracted_3 = tensor.extract %from_elements[] : tensor<f32>
      %6 = arith.addf %extracted_2, %extracted_3 : f32
      %from_elements_4 = tensor.from_elements %6 : tensor<f32>
      %extracted_5 = tensor.extract %from_elements_4[] : tensor<f32>
      linalg.yield %extracted_5 : f32
    } -> tensor<8x3xf32>
    return %5 : tensor<8x3xf32>
  }
}

