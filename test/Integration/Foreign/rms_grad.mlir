#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map2 = affine_map<(d0, d1, d2) -> ()>
#map3 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map4 = affine_map<(d0, d1, d2) -> (d2)>
#map5 = affine_map<(d0, d1, d2) -> (0, 0, d2)>
#map6 = affine_map<(d0, d1, d2) -> (d1, d2, d0)>
#map7 = affine_map<(d0, d1, d2) -> (d0)>
module @rms_grad {
  func.func public @main(%arg0: tensor<4x6x8xf32>, %arg1: tensor<8xf32>, %arg2: tensor<4x6x8xf32>) -> (tensor<4x6x8xf32> {jax.result_info = "result[0]"}, tensor<4x6x8xf32> {jax.result_info = "result[1]"}, tensor<8xf32> {jax.result_info = "result[2]"}) {
    %0 = tensor.empty() : tensor<4x6x8xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %arg0 : tensor<4x6x8xf32>, tensor<4x6x8xf32>) outs(%0 : tensor<4x6x8xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %73 = arith.mulf %in, %in_14 : f32
      linalg.yield %73 : f32
    } -> tensor<4x6x8xf32>
    %cst = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_0 = arith.constant 0.000000e+00 : f32
    %2 = tensor.empty() : tensor<4x6xf32>
    %3 = linalg.fill ins(%cst_0 : f32) outs(%2 : tensor<4x6xf32>) -> tensor<4x6xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%1 : tensor<4x6x8xf32>) outs(%3 : tensor<4x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %from_elements = tensor.from_elements %in : tensor<f32>
      %from_elements_14 = tensor.from_elements %out : tensor<f32>
      %extracted = tensor.extract %from_elements_14[] : tensor<f32>
      %extracted_15 = tensor.extract %from_elements[] : tensor<f32>
      %73 = arith.addf %extracted, %extracted_15 : f32
      %from_elements_16 = tensor.from_elements %73 : tensor<f32>
      %extracted_17 = tensor.extract %from_elements_16[] : tensor<f32>
      linalg.yield %extracted_17 : f32
    } -> tensor<4x6xf32>
    %5 = tensor.empty() : tensor<4x6x1xf32>
    %6 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4 : tensor<4x6xf32>) outs(%5 : tensor<4x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x6x1xf32>
    %cst_1 = arith.constant dense<8.000000e+00> : tensor<f32>
    %7 = tensor.empty() : tensor<4x6x1xf32>
    %8 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_1 : tensor<f32>) outs(%7 : tensor<4x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x6x1xf32>
    %9 = tensor.empty() : tensor<4x6x1xf32>
    %10 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6, %8 : tensor<4x6x1xf32>, tensor<4x6x1xf32>) outs(%9 : tensor<4x6x1xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %73 = arith.divf %in, %in_14 : f32
      linalg.yield %73 : f32
    } -> tensor<4x6x1xf32>
    %cst_2 = arith.constant dense<9.99999997E-7> : tensor<f32>
    %11 = tensor.empty() : tensor<4x6x1xf32>
    %12 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_2 : tensor<f32>) outs(%11 : tensor<4x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x6x1xf32>
    %13 = tensor.empty() : tensor<4x6x1xf32>
    %14 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%10, %12 : tensor<4x6x1xf32>, tensor<4x6x1xf32>) outs(%13 : tensor<4x6x1xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %73 = arith.addf %in, %in_14 : f32
      linalg.yield %73 : f32
    } -> tensor<4x6x1xf32>
    %15 = tensor.empty() : tensor<4x6x1xf32>
    %16 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%14 : tensor<4x6x1xf32>) outs(%15 : tensor<4x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %73 = math.rsqrt %in : f32
      linalg.yield %73 : f32
    } -> tensor<4x6x1xf32>
    %17 = tensor.empty() : tensor<4x6x1xf32>
    %18 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%16, %14 : tensor<4x6x1xf32>, tensor<4x6x1xf32>) outs(%17 : tensor<4x6x1xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %73 = arith.divf %in, %in_14 : f32
      linalg.yield %73 : f32
    } -> tensor<4x6x1xf32>
    %cst_3 = arith.constant dense<-5.000000e-01> : tensor<f32>
    %19 = tensor.empty() : tensor<4x6x1xf32>
    %20 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_3 : tensor<f32>) outs(%19 : tensor<4x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x6x1xf32>
    %21 = tensor.empty() : tensor<4x6x1xf32>
    %22 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%20, %18 : tensor<4x6x1xf32>, tensor<4x6x1xf32>) outs(%21 : tensor<4x6x1xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %73 = arith.mulf %in, %in_14 : f32
      linalg.yield %73 : f32
    } -> tensor<4x6x1xf32>
    %23 = tensor.empty() : tensor<4x6x8xf32>
    %24 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%16 : tensor<4x6x1xf32>) outs(%23 : tensor<4x6x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x6x8xf32>
    %25 = tensor.empty() : tensor<4x6x8xf32>
    %26 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %24 : tensor<4x6x8xf32>, tensor<4x6x8xf32>) outs(%25 : tensor<4x6x8xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %73 = arith.mulf %in, %in_14 : f32
      linalg.yield %73 : f32
    } -> tensor<4x6x8xf32>
    %27 = tensor.empty() : tensor<1x1x8xf32>
    %28 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg1 : tensor<8xf32>) outs(%27 : tensor<1x1x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x8xf32>
    %29 = tensor.empty() : tensor<4x6x8xf32>
    %30 = linalg.generic {indexing_maps = [#map5, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%28 : tensor<1x1x8xf32>) outs(%29 : tensor<4x6x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x6x8xf32>
    %31 = tensor.empty() : tensor<4x6x8xf32>
    %32 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%26, %30 : tensor<4x6x8xf32>, tensor<4x6x8xf32>) outs(%31 : tensor<4x6x8xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %73 = arith.mulf %in, %in_14 : f32
      linalg.yield %73 : f32
    } -> tensor<4x6x8xf32>
    %33 = tensor.empty() : tensor<4x6x8xf32>
    %34 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%26, %arg2 : tensor<4x6x8xf32>, tensor<4x6x8xf32>) outs(%33 : tensor<4x6x8xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %73 = arith.mulf %in, %in_14 : f32
      linalg.yield %73 : f32
    } -> tensor<4x6x8xf32>
    %cst_4 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_5 = arith.constant 0.000000e+00 : f32
    %35 = tensor.empty() : tensor<8xf32>
    %36 = linalg.fill ins(%cst_5 : f32) outs(%35 : tensor<8xf32>) -> tensor<8xf32>
    %37 = linalg.generic {indexing_maps = [#map6, #map7], iterator_types = ["parallel", "reduction", "reduction"]} ins(%34 : tensor<4x6x8xf32>) outs(%36 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %from_elements = tensor.from_elements %in : tensor<f32>
      %from_elements_14 = tensor.from_elements %out : tensor<f32>
      %extracted = tensor.extract %from_elements_14[] : tensor<f32>
      %extracted_15 = tensor.extract %from_elements[] : tensor<f32>
      %73 = arith.addf %extracted, %extracted_15 : f32
      %from_elements_16 = tensor.from_elements %73 : tensor<f32>
      %extracted_17 = tensor.extract %from_elements_16[] : tensor<f32>
      linalg.yield %extracted_17 : f32
    } -> tensor<8xf32>
    %expanded = tensor.expand_shape %37 [[0, 1, 2]] output_shape [1, 1, 8] : tensor<8xf32> into tensor<1x1x8xf32>
    %38 = tensor.empty() : tensor<4x6x8xf32>
    %39 = linalg.generic {indexing_maps = [#map5, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%28 : tensor<1x1x8xf32>) outs(%38 : tensor<4x6x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x6x8xf32>
    %40 = tensor.empty() : tensor<4x6x8xf32>
    %41 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg2, %39 : tensor<4x6x8xf32>, tensor<4x6x8xf32>) outs(%40 : tensor<4x6x8xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %73 = arith.mulf %in, %in_14 : f32
      linalg.yield %73 : f32
    } -> tensor<4x6x8xf32>
    %cst_6 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_7 = arith.constant 0.000000e+00 : f32
    %42 = tensor.empty() : tensor<8xf32>
    %43 = linalg.fill ins(%cst_7 : f32) outs(%42 : tensor<8xf32>) -> tensor<8xf32>
    %44 = linalg.generic {indexing_maps = [#map6, #map7], iterator_types = ["parallel", "reduction", "reduction"]} ins(%expanded : tensor<1x1x8xf32>) outs(%43 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %from_elements = tensor.from_elements %in : tensor<f32>
      %from_elements_14 = tensor.from_elements %out : tensor<f32>
      %extracted = tensor.extract %from_elements_14[] : tensor<f32>
      %extracted_15 = tensor.extract %from_elements[] : tensor<f32>
      %73 = arith.addf %extracted, %extracted_15 : f32
      %from_elements_16 = tensor.from_elements %73 : tensor<f32>
      %extracted_17 = tensor.extract %from_elements_16[] : tensor<f32>
      linalg.yield %extracted_17 : f32
    } -> tensor<8xf32>
    %45 = tensor.empty() : tensor<4x6x8xf32>
    %46 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %41 : tensor<4x6x8xf32>, tensor<4x6x8xf32>) outs(%45 : tensor<4x6x8xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %73 = arith.mulf %in, %in_14 : f32
      linalg.yield %73 : f32
    } -> tensor<4x6x8xf32>
    %cst_8 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_9 = arith.constant 0.000000e+00 : f32
    %47 = tensor.empty() : tensor<4x6xf32>
    %48 = linalg.fill ins(%cst_9 : f32) outs(%47 : tensor<4x6xf32>) -> tensor<4x6xf32>
    %49 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%46 : tensor<4x6x8xf32>) outs(%48 : tensor<4x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %from_elements = tensor.from_elements %in : tensor<f32>
      %from_elements_14 = tensor.from_elements %out : tensor<f32>
      %extracted = tensor.extract %from_elements_14[] : tensor<f32>
      %extracted_15 = tensor.extract %from_elements[] : tensor<f32>
      %73 = arith.addf %extracted, %extracted_15 : f32
      %from_elements_16 = tensor.from_elements %73 : tensor<f32>
      %extracted_17 = tensor.extract %from_elements_16[] : tensor<f32>
      linalg.yield %extracted_17 : f32
    } -> tensor<4x6xf32>
    %expanded_10 = tensor.expand_shape %49 [[0], [1, 2]] output_shape [4, 6, 1] : tensor<4x6xf32> into tensor<4x6x1xf32>
    %50 = tensor.empty() : tensor<4x6x8xf32>
    %51 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%16 : tensor<4x6x1xf32>) outs(%50 : tensor<4x6x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x6x8xf32>
    %52 = tensor.empty() : tensor<4x6x8xf32>
    %53 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%41, %51 : tensor<4x6x8xf32>, tensor<4x6x8xf32>) outs(%52 : tensor<4x6x8xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %73 = arith.mulf %in, %in_14 : f32
      linalg.yield %73 : f32
    } -> tensor<4x6x8xf32>
    %54 = tensor.empty() : tensor<4x6x1xf32>
    %55 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_10, %22 : tensor<4x6x1xf32>, tensor<4x6x1xf32>) outs(%54 : tensor<4x6x1xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %73 = arith.mulf %in, %in_14 : f32
      linalg.yield %73 : f32
    } -> tensor<4x6x1xf32>
    %cst_11 = arith.constant dense<8.000000e+00> : tensor<f32>
    %56 = tensor.empty() : tensor<4x6x1xf32>
    %57 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_11 : tensor<f32>) outs(%56 : tensor<4x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x6x1xf32>
    %58 = tensor.empty() : tensor<4x6x1xf32>
    %59 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%55, %57 : tensor<4x6x1xf32>, tensor<4x6x1xf32>) outs(%58 : tensor<4x6x1xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %73 = arith.divf %in, %in_14 : f32
      linalg.yield %73 : f32
    } -> tensor<4x6x1xf32>
    %cst_12 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_13 = arith.constant 0.000000e+00 : f32
    %60 = tensor.empty() : tensor<4x6xf32>
    %61 = linalg.fill ins(%cst_13 : f32) outs(%60 : tensor<4x6xf32>) -> tensor<4x6xf32>
    %62 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%59 : tensor<4x6x1xf32>) outs(%61 : tensor<4x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %from_elements = tensor.from_elements %in : tensor<f32>
      %from_elements_14 = tensor.from_elements %out : tensor<f32>
      %extracted = tensor.extract %from_elements_14[] : tensor<f32>
      %extracted_15 = tensor.extract %from_elements[] : tensor<f32>
      %73 = arith.addf %extracted, %extracted_15 : f32
      %from_elements_16 = tensor.from_elements %73 : tensor<f32>
      %extracted_17 = tensor.extract %from_elements_16[] : tensor<f32>
      linalg.yield %extracted_17 : f32
    } -> tensor<4x6xf32>
    %63 = tensor.empty() : tensor<4x6x8xf32>
    %64 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%62 : tensor<4x6xf32>) outs(%63 : tensor<4x6x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x6x8xf32>
    %65 = tensor.empty() : tensor<4x6x8xf32>
    %66 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %64 : tensor<4x6x8xf32>, tensor<4x6x8xf32>) outs(%65 : tensor<4x6x8xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %73 = arith.mulf %in, %in_14 : f32
      linalg.yield %73 : f32
    } -> tensor<4x6x8xf32>
    %67 = tensor.empty() : tensor<4x6x8xf32>
    %68 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%53, %66 : tensor<4x6x8xf32>, tensor<4x6x8xf32>) outs(%67 : tensor<4x6x8xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %73 = arith.addf %in, %in_14 : f32
      linalg.yield %73 : f32
    } -> tensor<4x6x8xf32>
    %69 = tensor.empty() : tensor<4x6x8xf32>
    %70 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%64, %arg0 : tensor<4x6x8xf32>, tensor<4x6x8xf32>) outs(%69 : tensor<4x6x8xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %73 = arith.mulf %in, %in_14 : f32
      linalg.yield %73 : f32
    } -> tensor<4x6x8xf32>
    %71 = tensor.empty() : tensor<4x6x8xf32>
    %72 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%68, %70 : tensor<4x6x8xf32>, tensor<4x6x8xf32>) outs(%71 : tensor<4x6x8xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %73 = arith.addf %in, %in_14 : f32
      linalg.yield %73 : f32
    } -> tensor<4x6x8xf32>
    return %32, %72, %44 : tensor<4x6x8xf32>, tensor<4x6x8xf32>, tensor<8xf32>
  }
}
