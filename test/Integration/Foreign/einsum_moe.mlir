#map = affine_map<(d0, d1, d2, d3, d4) -> (d0, d4, d1)>
#map1 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d4, d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d1, d3, d0, d2)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map5 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d4)>
#map6 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d4, d3)>
#map7 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d4, d3)>
#map8 = affine_map<(d0, d1, d2, d3, d4) -> (d4, d0, d3, d2)>
#map9 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2)>
module @einsum_moe {
  func.func public @main(%arg0: tensor<4x2x3xf32>, %arg1: tensor<4x2x4x2xf32>, %arg2: tensor<4x3x3xf32>) -> (tensor<4x2x3xf32> {jax.result_info = "result"}) {
    %0 = tensor.empty() : tensor<4x3x4x2xf32>
    %cst = arith.constant 0.000000e+00 : f32
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<4x3x4x2xf32>) -> tensor<4x3x4x2xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<4x2x3xf32>, tensor<4x2x4x2xf32>) outs(%1 : tensor<4x3x4x2xf32>) {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %11 = arith.mulf %in, %in_2 : f32
      %12 = arith.addf %out, %11 : f32
      linalg.yield %12 : f32
    } -> tensor<4x3x4x2xf32>
    %3 = tensor.empty() : tensor<4x4x2x3xf32>
    %4 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%2 : tensor<4x3x4x2xf32>) outs(%3 : tensor<4x4x2x3xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x4x2x3xf32>
    %5 = tensor.empty() : tensor<4x4x2x3xf32>
    %cst_0 = arith.constant 0.000000e+00 : f32
    %6 = linalg.fill ins(%cst_0 : f32) outs(%5 : tensor<4x4x2x3xf32>) -> tensor<4x4x2x3xf32>
    %7 = linalg.generic {indexing_maps = [#map5, #map6, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%4, %arg2 : tensor<4x4x2x3xf32>, tensor<4x3x3xf32>) outs(%6 : tensor<4x4x2x3xf32>) {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %11 = arith.mulf %in, %in_2 : f32
      %12 = arith.addf %out, %11 : f32
      linalg.yield %12 : f32
    } -> tensor<4x4x2x3xf32>
    %8 = tensor.empty() : tensor<4x2x3xf32>
    %cst_1 = arith.constant 0.000000e+00 : f32
    %9 = linalg.fill ins(%cst_1 : f32) outs(%8 : tensor<4x2x3xf32>) -> tensor<4x2x3xf32>
    %10 = linalg.generic {indexing_maps = [#map7, #map8, #map9], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%arg1, %7 : tensor<4x2x4x2xf32>, tensor<4x4x2x3xf32>) outs(%9 : tensor<4x2x3xf32>) {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %11 = arith.mulf %in, %in_2 : f32
      %12 = arith.addf %out, %11 : f32
      linalg.yield %12 : f32
    } -> tensor<4x2x3xf32>
    return %10 : tensor<4x2x3xf32>
  }
}

