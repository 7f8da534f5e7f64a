#map = affine_map<(d0, d1) -> ()>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
module @slice_stride {
  func.func public @main(%arg0: tensor<12x3xf32>) -> (tensor<6x3xf32> {jax.result_info = "result"}) {
    %extracted_slice = tensor.extract_slice %arg0[1, 0] [6, 3] [2, 1] : tensor<12x3xf32> to tensor<6x3xf32>
    %cst = arith.constant dense<3.000000e+00> : tensor<f32>
    %0 = tensor.empty() : tensor<6x3xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst : tensor<f32>) outs(%0 : tensor<6x3xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<6x3xf32>
    %2 = tensor.empty() : tensor<6x3xf32>
    %3 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice, %1 : tensor<6x3xf32>, tensor<6x3xf32>) outs(%2 : tensor<6x3xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %4 = arith.mulf %in, %in_0 : f32
      linalg.yield %4 : f32
    } -> tensor<6x3xf32>
    return %3 : tensor<6x3xf32>
  }
}

