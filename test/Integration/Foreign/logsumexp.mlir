#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
#map2 = affine_map<(d0) -> ()>
#map3 = affine_map<(d0) -> (d0)>
#map4 = affine_map<(d0, d1) -> (d0, 0)>
module @logsumexp {
  func.func public @main(%arg0: tensor<4x12xf32>) -> (tensor<4xf32> {jax.result_info = "result"}) {
    %cst = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_0 = arith.constant 0xFF800000 : f32
    %0 = tensor.empty() : tensor<4xf32>
    %1 = linalg.fill ins(%cst_0 : f32) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%arg0 : tensor<4x12xf32>) outs(%1 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %from_elements = tensor.from_elements %in : tensor<f32>
      %from_elements_5 = tensor.from_elements %out : tensor<f32>
      %extracted = tensor.extract %from_elements_5[] : tensor<f32>
      %extracted_6 = tensor.extract %from_elements[] : tensor<f32>
      %30 = arith.maximumf %extracted, %extracted_6 : f32
      %from_elements_7 = tensor.from_elements %30 : tensor<f32>
      %extracted_8 = tensor.extract %from_elements_7[] : tensor<f32>
      linalg.yield %extracted_8 : f32
    } -> tensor<4xf32>
    %cst_1 = arith.constant dense<0xFF800000> : tensor<f32>
    %3 = tensor.empty() : tensor<4xf32>
    %4 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel"]} ins(%cst_1 : tensor<f32>) outs(%3 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4xf32>
    %5 = tensor.empty() : tensor<4xf32>
    %6 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel"]} ins(%4, %2 : tensor<4xf32>, tensor<4xf32>) outs(%5 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %30 = arith.maximumf %in, %in_5 : f32
      linalg.yield %30 : f32
    } -> tensor<4xf32>
    %7 = tensor.empty() : tensor<4xi1>
    %8 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%6 : tensor<4xf32>) outs(%7 : tensor<4xi1>) {
    ^bb0(%in: f32, %out: i1):
      %cst_5 = arith.constant 0x7F800000 : f32
      %30 = math.absf %in : f32
      %31 = arith.cmpf one, %30, %cst_5 : f32
      linalg.yield %31 : i1
    } -> tensor<4xi1>
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<f32>
    %9 = tensor.empty() : tensor<4xf32>
    %10 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel"]} ins(%cst_2 : tensor<f32>) outs(%9 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4xf32>
    %11 = tensor.empty() : tensor<4xf32>
    %12 = linalg.generic {indexing_maps = [#map3, #map3, #map3, #map3], iterator_types = ["parallel"]} ins(%8, %6, %10 : tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) outs(%11 : tensor<4xf32>) {
    ^bb0(%in: i1, %in_5: f32, %in_6: f32, %out: f32):
      %30 = arith.select %in, %in_5, %in_6 : f32
      linalg.yield %30 : f32
    } -> tensor<4xf32>
    %13 = tensor.empty() : tensor<4x1xf32>
    %14 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%12 : tensor<4xf32>) outs(%13 : tensor<4x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x1xf32>
    %15 = tensor.empty() : tensor<4x12xf32>
    %16 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel"]} ins(%14 : tensor<4x1xf32>) outs(%15 : tensor<4x12xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x12xf32>
    %17 = tensor.empty() : tensor<4x12xf32>
    %18 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %16 : tensor<4x12xf32>, tensor<4x12xf32>) outs(%17 : tensor<4x12xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %30 = arith.subf %in, %in_5 : f32
      linalg.yield %30 : f32
    } -> tensor<4x12xf32>
    %19 = tensor.empty() : tensor<4x12xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%18 : tensor<4x12xf32>) outs(%19 : tensor<4x12xf32>) {
    ^bb0(%in: f32, %out: f32):
      %30 = math.exp %in : f32
      linalg.yield %30 : f32
    } -> tensor<4x12xf32>
    %cst_3 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_4 = arith.constant 0.000000e+00 : f32
    %21 = tensor.empty() : tensor<4xf32>
    %22 = linalg.fill ins(%cst_4 : f32) outs(%21 : tensor<4xf32>) -> tensor<4xf32>
    %23 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%20 : tensor<4x12xf32>) outs(%22 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %from_elements = tensor.from_elements %in : tensor<f32>
      %from_elements_5 = tensor.from_elements %out : tensor<f32>
      %extracted = tensor.extract %from_elements_5[] : tensor<f32>
      %extracted_6 = tensor.extract %from_elements[] : tensor<f32>
      %30 = arith.addf %extracted, %extracted_6 : f32
      %from_elements_7 = tensor.from_elements %30 : tensor<f32>
      %extracted_8 = tensor.extract %from_elements_7[] : tensor<f32>
      linalg.yield %extracted_8 : f32
    } -> tensor<4xf32>
    %24 = tensor.empty() : tensor<4xf32>
    %25 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%23 : tensor<4xf32>) outs(%24 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %30 = math.absf %in : f32
      linalg.yield %30 : f32
    } -> tensor<4xf32>
    %26 = tensor.empty() : tensor<4xf32>
    %27 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%25 : tensor<4xf32>) outs(%26 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %30 = math.log %in : f32
      linalg.yield %30 : f32
    } -> tensor<4xf32>
    %28 = tensor.empty() : tensor<4xf32>
    %29 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel"]} ins(%27, %12 : tensor<4xf32>, tensor<4xf32>) outs(%28 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %30 = arith.addf %in, %in_5 : f32
      linalg.yield %30 : f32
    } -> tensor<4xf32>
    return %29 : tensor<4xf32>
  }
}

