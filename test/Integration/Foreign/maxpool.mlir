#map = affine_map<() -> ()>
module @maxpool {
  func.func public @main(%arg0: tensor<2x8x8x3xf32>) -> (tensor<2x4x4x3xf32> {jax.result_info = "result"}) {
    %cst = arith.constant dense<0xFF800000> : tensor<f32>
    %0 = tensor.empty() : tensor<f32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%cst : tensor<f32>) outs(%0 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<f32>
    %2 = tensor.empty() : tensor<2x2xf32>
    %3 = tensor.empty() : tensor<2x4x4x3xf32>
    %extracted = tensor.extract %1[] : tensor<f32>
    %4 = linalg.fill ins(%extracted : f32) outs(%3 : tensor<2x4x4x3xf32>) -> tensor<2x4x4x3xf32>
    %5 = linalg.pooling_nhwc_max {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>} ins(%arg0, %2 : tensor<2x8x8x3xf32>, tensor<2x2xf32>) outs(%4 : tensor<2x4x4x3xf32>) -> tensor<2x4x4x3xf32>
    return %5 : tensor<2x4x4x3xf32>
  }
}

