#map = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d4)>
#map1 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map2 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d1, d4)>
#map3 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d3, d1, d4)>
#map4 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
#map5 = affine_map<(d0, d1, d2, d3) -> ()>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map8 = affine_map<(d0, d1, d2) -> ()>
#map9 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map10 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map11 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d4, d1, d2)>
#map12 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d4)>
#map13 = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3, d1)>
module @gqa_repeat {
  func.func public @main(%arg0: tensor<2x6x8x4xf32>, %arg1: tensor<2x6x4x4xf32>, %arg2: tensor<2x6x4x4xf32>) -> (tensor<2x6x8x4xf32> {jax.result_info = "result"}) {
    %0 = tensor.empty() : tensor<2x6x4x2x4xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%arg1 : tensor<2x6x4x4xf32>) outs(%0 : tensor<2x6x4x2x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6x4x2x4xf32>
    %collapsed = tensor.collapse_shape %1 [[0], [1], [2, 3], [4]] : tensor<2x6x4x2x4xf32> into tensor<2x6x8x4xf32>
    %2 = tensor.empty() : tensor<2x6x4x2x4xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%arg2 : tensor<2x6x4x4xf32>) outs(%2 : tensor<2x6x4x2x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6x4x2x4xf32>
    %collapsed_0 = tensor.collapse_shape %3 [[0], [1], [2, 3], [4]] : tensor<2x6x4x2x4xf32> into tensor<2x6x8x4xf32>
    %4 = tensor.empty() : tensor<2x8x6x6xf32>
    %cst = arith.constant 0.000000e+00 : f32
    %5 = linalg.fill ins(%cst : f32) outs(%4 : tensor<2x8x6x6xf32>) -> tensor<2x8x6x6xf32>
    %6 = linalg.generic {indexing_maps = [#map2, #map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%arg0, %collapsed : tensor<2x6x8x4xf32>, tensor<2x6x8x4xf32>) outs(%5 : tensor<2x8x6x6xf32>) {
    ^bb0(%in: f32, %in_8: f32, %out: f32):
      %40 = arith.mulf %in, %in_8 : f32
      %41 = arith.addf %out, %40 : f32
      linalg.yield %41 : f32
    } -> tensor<2x8x6x6xf32>
    %cst_1 = arith.constant dense<2.000000e+00> : tensor<f32>
    %7 = tensor.empty() : tensor<2x8x6x6xf32>
    %8 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_1 : tensor<f32>) outs(%7 : tensor<2x8x6x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x6x6xf32>
    %9 = tensor.empty() : tensor<2x8x6x6xf32>
    %10 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%6, %8 : tensor<2x8x6x6xf32>, tensor<2x8x6x6xf32>) outs(%9 : tensor<2x8x6x6xf32>) {
    ^bb0(%in: f32, %in_8: f32, %out: f32):
      %40 = arith.divf %in, %in_8 : f32
      linalg.yield %40 : f32
    } -> tensor<2x8x6x6xf32>
    %cst_2 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_3 = arith.constant 0xFF800000 : f32
    %11 = tensor.empty() : tensor<2x8x6xf32>
    %12 = linalg.fill ins(%cst_3 : f32) outs(%11 : tensor<2x8x6xf32>) -> tensor<2x8x6xf32>
    %13 = linalg.generic {indexing_maps = [#map6, #map7], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%10 : tensor<2x8x6x6xf32>) outs(%12 : tensor<2x8x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %from_elements = tensor.from_elements %in : tensor<f32>
      %from_elements_8 = tensor.from_elements %out : tensor<f32>
      %extracted = tensor.extract %from_elements_8[] : tensor<f32>
      %extracted_9 = tensor.extract %from_elements[] : tensor<f32>
      %40 = arith.maximumf %extracted, %extracted_9 : f32
      %from_elements_10 = tensor.from_elements %40 : tensor<f32>
      %extracted_11 = tensor.extract %from_elements_10[] : tensor<f32>
      linalg.yield %extracted_11 : f32
    } -> tensor<2x8x6xf32>
    %cst_4 = arith.constant dense<0xFF800000> : tensor<f32>
    %14 = tensor.empty() : tensor<2x8x6xf32>
    %15 = linalg.generic {indexing_maps = [#map8, #map9], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_4 : tensor<f32>) outs(%14 : tensor<2x8x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x6xf32>
    %16 = tensor.empty() : tensor<2x8x6xf32>
    %17 = linalg.generic {indexing_maps = [#map9, #map9, #map9], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15, %13 : tensor<2x8x6xf32>, tensor<2x8x6xf32>) outs(%16 : tensor<2x8x6xf32>) {
    ^bb0(%in: f32, %in_8: f32, %out: f32):
      %40 = arith.maximumf %in, %in_8 : f32
      linalg.yield %40 : f32
    } -> tensor<2x8x6xf32>
    %18 = tensor.empty() : tensor<2x8x6x1xf32>
    %19 = linalg.generic {indexing_maps = [#map7, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%17 : tensor<2x8x6xf32>) outs(%18 : tensor<2x8x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x6x1xf32>
    %20 = tensor.empty() : tensor<2x8x6x6xf32>
    %21 = linalg.generic {indexing_maps = [#map10, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%19 : tensor<2x8x6x1xf32>) outs(%20 : tensor<2x8x6x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x6x6xf32>
    %22 = tensor.empty() : tensor<2x8x6x6xf32>
    %23 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%10, %21 : tensor<2x8x6x6xf32>, tensor<2x8x6x6xf32>) outs(%22 : tensor<2x8x6x6xf32>) {
    ^bb0(%in: f32, %in_8: f32, %out: f32):
      %40 = arith.subf %in, %in_8 : f32
      linalg.yield %40 : f32
    } -> tensor<2x8x6x6xf32>
    %24 = tensor.empty() : tensor<2x8x6x6xf32>
    %25 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%23 : tensor<2x8x6x6xf32>) outs(%24 : tensor<2x8x6x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %40 = math.exp %in : f32
      linalg.yield %40 : f32
    } -> tensor<2x8x6x6xf32>
    %cst_5 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_6 = arith.constant 0.000000e+00 : f32
    %26 = tensor.empty() : tensor<2x8x6xf32>
    %27 = linalg.fill ins(%cst_6 : f32) outs(%26 : tensor<2x8x6xf32>) -> tensor<2x8x6xf32>
    %28 = linalg.generic {indexing_maps = [#map6, #map7], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%25 : tensor<2x8x6x6xf32>) outs(%27 : tensor<2x8x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %from_elements = tensor.from_elements %in : tensor<f32>
      %from_elements_8 = tensor.from_elements %out : tensor<f32>
      %extracted = tensor.extract %from_elements_8[] : tensor<f32>
      %extracted_9 = tensor.extract %from_elements[] : tensor<f32>
      %40 = arith.addf %extracted, %extracted_9 : f32
      %from_elements_10 = tensor.from_elements %40 : tensor<f32>
      %extracted_11 = tensor.extract %from_elements_10[] : tensor<f32>
      linalg.yield %extracted_11 : f32
    } -> tensor<2x8x6xf32>
    %29 = tensor.empty() : tensor<2x8x6x1xf32>
    %30 = linalg.generic {indexing_maps = [#map7, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%28 : tensor<2x8x6xf32>) outs(%29 : tensor<2x8x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x6x1xf32>
    %31 = tensor.empty() : tensor<2x8x6x6xf32>
    %32 = linalg.generic {indexing_maps = [#map10, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%30 : tensor<2x8x6x1xf32>) outs(%31 : tensor<2x8x6x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x8x6x6xf32>
    %33 = tensor.empty() : tensor<2x8x6x6xf32>
    %34 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%25, %32 : tensor<2x8x6x6xf32>, tensor<2x8x6x6xf32>) outs(%33 : tensor<2x8x6x6xf32>) {
    ^bb0(%in: f32, %in_8: f32, %out: f32):
      %40 = arith.divf %in, %in_8 : f32
      linalg.yield %40 : f32
    } -> tensor<2x8x6x6xf32>
    %35 = tensor.empty() : tensor<2x8x4x6xf32>
    %cst_7 = arith.constant 0.000000e+00 : f32
    %36 = linalg.fill ins(%cst_7 : f32) outs(%35 : tensor<2x8x4x6xf32>) -> tensor<2x8x4x6xf32>
    %37 = linalg.generic {indexing_maps = [#map11, #map12, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%collapsed_0, %34 : tensor<2x6x8x4xf32>, tensor<2x8x6x6xf32>) outs(%36 : tensor<2x8x4x6xf32>) {
    ^bb0(%in: f32, %in_8: f32, %out: f32):
      %40 = arith.mulf %in, %in_8 : f32
      %41 = arith.addf %out, %40 : f32
      linalg.yield %41 : f32
    } -> tensor<2x8x4x6xf32>
    %38 = tensor.empty() : tensor<2x6x8x4xf32>
    %39 = linalg.generic {indexing_maps = [#map13, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%37 : tensor<2x8x4x6xf32>) outs(%38 : tensor<2x6x8x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6x8x4xf32>
    return %39 : tensor<2x6x8x4xf32>
  }
}
