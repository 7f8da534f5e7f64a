#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> ()>
#map2 = affine_map<(d0, d1, d2) -> (d2, d0)>
#map3 = affine_map<(d0, d1, d2) -> (d2, d1)>
#map4 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map5 = affine_map<(d0, d1) -> (d1, d0)>
#map6 = affine_map<(d0, d1, d2) -> (d0, d2)>
#map7 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map8 = affine_map<() -> ()>
module @clip_grad {
  func.func public @main(%arg0: tensor<6x8xf32>, %arg1: tensor<8x4xf32>, %arg2: tensor<3x6xf32>) -> (tensor<6x8xf32> {jax.result_info = "result[0]"}, tensor<8x4xf32> {jax.result_info = "result[1]"}) {
    %0 = tensor.empty() : tensor<3x8xf32>
    %cst = arith.constant 0.000000e+00 : f32
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<3x8xf32>) -> tensor<3x8xf32>
    %2 = linalg.matmul ins(%arg2, %arg0 : tensor<3x6xf32>, tensor<6x8xf32>) outs(%1 : tensor<3x8xf32>) -> tensor<3x8xf32>
    %3 = tensor.empty() : tensor<3x8xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%2 : tensor<3x8xf32>) outs(%3 : tensor<3x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %68 = math.tanh %in : f32
      linalg.yield %68 : f32
    } -> tensor<3x8xf32>
    %cst_0 = arith.constant dense<1.000000e+00> : tensor<f32>
    %5 = tensor.empty() : tensor<3x8xf32>
    %6 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_0 : tensor<f32>) outs(%5 : tensor<3x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x8xf32>
    %7 = tensor.empty() : tensor<3x8xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%6, %4 : tensor<3x8xf32>, tensor<3x8xf32>) outs(%7 : tensor<3x8xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %68 = arith.subf %in, %in_14 : f32
      linalg.yield %68 : f32
    } -> tensor<3x8xf32>
    %9 = tensor.empty() : tensor<8x4xf32>
    %10 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg1, %arg1 : tensor<8x4xf32>, tensor<8x4xf32>) outs(%9 : tensor<8x4xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %68 = arith.mulf %in, %in_14 : f32
      linalg.yield %68 : f32
    } -> tensor<8x4xf32>
    %cst_1 = arith.constant dense<2.000000e+00> : tensor<f32>
    %11 = tensor.empty() : tensor<8x4xf32>
    %12 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_1 : tensor<f32>) outs(%11 : tensor<8x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x4xf32>
    %13 = tensor.empty() : tensor<8x4xf32>
    %14 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%12, %arg1 : tensor<8x4xf32>, tensor<8x4xf32>) outs(%13 : tensor<8x4xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %68 = arith.mulf %in, %in_14 : f32
      linalg.yield %68 : f32
    } -> tensor<8x4xf32>
    %cst_2 = arith.constant dense<1.000000e+00> : tensor<f32>
    %15 = tensor.empty() : tensor<3x4xf32>
    %16 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_2 : tensor<f32>) outs(%15 : tensor<3x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x4xf32>
    %17 = tensor.empty() : tensor<4x8xf32>
    %cst_3 = arith.constant 0.000000e+00 : f32
    %18 = linalg.fill ins(%cst_3 : f32) outs(%17 : tensor<4x8xf32>) -> tensor<4x8xf32>
    %19 = linalg.generic {indexing_maps = [#map2, #map3, #map4], iterator_types = ["parallel", "parallel", "reduction"]} ins(%16, %4 : tensor<3x4xf32>, tensor<3x8xf32>) outs(%18 : tensor<4x8xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %68 = arith.mulf %in, %in_14 : f32
      %69 = arith.addf %out, %68 : f32
      linalg.yield %69 : f32
    } -> tensor<4x8xf32>
    %20 = tensor.empty() : tensor<8x4xf32>
    %21 = linalg.generic {indexing_maps = [#map5, #map], iterator_types = ["parallel", "parallel"]} ins(%19 : tensor<4x8xf32>) outs(%20 : tensor<8x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x4xf32>
    %22 = tensor.empty() : tensor<3x8xf32>
    %cst_4 = arith.constant 0.000000e+00 : f32
    %23 = linalg.fill ins(%cst_4 : f32) outs(%22 : tensor<3x8xf32>) -> tensor<3x8xf32>
    %24 = linalg.generic {indexing_maps = [#map6, #map7, #map4], iterator_types = ["parallel", "parallel", "reduction"]} ins(%16, %10 : tensor<3x4xf32>, tensor<8x4xf32>) outs(%23 : tensor<3x8xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %68 = arith.mulf %in, %in_14 : f32
      %69 = arith.addf %out, %68 : f32
      linalg.yield %69 : f32
    } -> tensor<3x8xf32>
    %25 = tensor.empty() : tensor<8x4xf32>
    %26 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%21, %14 : tensor<8x4xf32>, tensor<8x4xf32>) outs(%25 : tensor<8x4xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %68 = arith.mulf %in, %in_14 : f32
      linalg.yield %68 : f32
    } -> tensor<8x4xf32>
    %27 = tensor.empty() : tensor<3x8xf32>
    %28 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%24, %8 : tensor<3x8xf32>, tensor<3x8xf32>) outs(%27 : tensor<3x8xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %68 = arith.mulf %in, %in_14 : f32
      linalg.yield %68 : f32
    } -> tensor<3x8xf32>
    %29 = tensor.empty() : tensor<3x8xf32>
    %30 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%28, %4 : tensor<3x8xf32>, tensor<3x8xf32>) outs(%29 : tensor<3x8xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %68 = arith.mulf %in, %in_14 : f32
      linalg.yield %68 : f32
    } -> tensor<3x8xf32>
    %31 = tensor.empty() : tensor<3x8xf32>
    %32 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%28, %30 : tensor<3x8xf32>, tensor<3x8xf32>) outs(%31 : tensor<3x8xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %68 = arith.addf %in, %in_14 : f32
      linalg.yield %68 : f32
    } -> tensor<3x8xf32>
    %33 = tensor.empty() : tensor<8x6xf32>
    %cst_5 = arith.constant 0.000000e+00 : f32
    %34 = linalg.fill ins(%cst_5 : f32) outs(%33 : tensor<8x6xf32>) -> tensor<8x6xf32>
    %35 = linalg.generic {indexing_maps = [#map2, #map3, #map4], iterator_types = ["parallel", "parallel", "reduction"]} ins(%32, %arg2 : tensor<3x8xf32>, tensor<3x6xf32>) outs(%34 : tensor<8x6xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %68 = arith.mulf %in, %in_14 : f32
      %69 = arith.addf %out, %68 : f32
      linalg.yield %69 : f32
    } -> tensor<8x6xf32>
    %36 = tensor.empty() : tensor<6x8xf32>
    %37 = linalg.generic {indexing_maps = [#map5, #map], iterator_types = ["parallel", "parallel"]} ins(%35 : tensor<8x6xf32>) outs(%36 : tensor<6x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<6x8xf32>
    %38 = tensor.empty() : tensor<6x8xf32>
    %39 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%37, %37 : tensor<6x8xf32>, tensor<6x8xf32>) outs(%38 : tensor<6x8xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %68 = arith.mulf %in, %in_14 : f32
      linalg.yield %68 : f32
    } -> tensor<6x8xf32>
    %cst_6 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_7 = arith.constant 0.000000e+00 : f32
    %40 = tensor.empty() : tensor<f32>
    %41 = linalg.fill ins(%cst_7 : f32) outs(%40 : tensor<f32>) -> tensor<f32>
    %42 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["reduction", "reduction"]} ins(%39 : tensor<6x8xf32>) outs(%41 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %from_elements = tensor.from_elements %in : tensor<f32>
      %from_elements_14 = tensor.from_elements %out : tensor<f32>
      %extracted = tensor.extract %from_elements_14[] : tensor<f32>
      %extracted_15 = tensor.extract %from_elements[] : tensor<f32>
      %68 = arith.addf %extracted, %extracted_15 : f32
      %from_elements_16 = tensor.from_elements %68 : tensor<f32>
      %extracted_17 = tensor.extract %from_elements_16[] : tensor<f32>
      linalg.yield %extracted_17 : f32
    } -> tensor<f32>
    %43 = tensor.empty() : tensor<8x4xf32>
    %44 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%26, %26 : tensor<8x4xf32>, tensor<8x4xf32>) outs(%43 : tensor<8x4xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %68 = arith.mulf %in, %in_14 : f32
      linalg.yield %68 : f32
    } -> tensor<8x4xf32>
    %cst_8 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_9 = arith.constant 0.000000e+00 : f32
    %45 = tensor.empty() : tensor<f32>
    %46 = linalg.fill ins(%cst_9 : f32) outs(%45 : tensor<f32>) -> tensor<f32>
    %47 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["reduction", "reduction"]} ins(%44 : tensor<8x4xf32>) outs(%46 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %from_elements = tensor.from_elements %in : tensor<f32>
      %from_elements_14 = tensor.from_elements %out : tensor<f32>
      %extracted = tensor.extract %from_elements_14[] : tensor<f32>
      %extracted_15 = tensor.extract %from_elements[] : tensor<f32>
      %68 = arith.addf %extracted, %extracted_15 : f32
      %from_elements_16 = tensor.from_elements %68 : tensor<f32>
      %extracted_17 = tensor.extract %from_elements_16[] : tensor<f32>
      linalg.yield %extracted_17 : f32
    } -> tensor<f32>
    %48 = tensor.empty() : tensor<f32>
    %49 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = []} ins(%42, %47 : tensor<f32>, tensor<f32>) outs(%48 : tensor<f32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %68 = arith.addf %in, %in_14 : f32
      linalg.yield %68 : f32
    } -> tensor<f32>
    %50 = tensor.empty() : tensor<f32>
    %51 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = []} ins(%49 : tensor<f32>) outs(%50 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %68 = math.sqrt %in : f32
      linalg.yield %68 : f32
    } -> tensor<f32>
    %cst_10 = arith.constant dense<1.000000e+00> : tensor<f32>
    %52 = tensor.empty() : tensor<f32>
    %cst_11 = arith.constant 1.000000e+00 : f32
    %53 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = []} ins(%51 : tensor<f32>) outs(%52 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %68 = arith.maximumf %cst_11, %in : f32
      linalg.yield %68 : f32
    } -> tensor<f32>
    %cst_12 = arith.constant dense<1.000000e+00> : tensor<f32>
    %54 = tensor.empty() : tensor<f32>
    %cst_13 = arith.constant 1.000000e+00 : f32
    %55 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = []} ins(%53 : tensor<f32>) outs(%54 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %68 = arith.divf %cst_13, %in : f32
      linalg.yield %68 : f32
    } -> tensor<f32>
    %56 = tensor.empty() : tensor<6x8xf32>
    %57 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%55 : tensor<f32>) outs(%56 : tensor<6x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<6x8xf32>
    %58 = tensor.empty() : tensor<6x8xf32>
    %59 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%57, %37 : tensor<6x8xf32>, tensor<6x8xf32>) outs(%58 : tensor<6x8xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %68 = arith.mulf %in, %in_14 : f32
      linalg.yield %68 : f32
    } -> tensor<6x8xf32>
    %60 = tensor.empty() : tensor<6x8xf32>
    %61 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %59 : tensor<6x8xf32>, tensor<6x8xf32>) outs(%60 : tensor<6x8xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %68 = arith.subf %in, %in_14 : f32
      linalg.yield %68 : f32
    } -> tensor<6x8xf32>
    %62 = tensor.empty() : tensor<8x4xf32>
    %63 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%55 : tensor<f32>) outs(%62 : tensor<8x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x4xf32>
    %64 = tensor.empty() : tensor<8x4xf32>
    %65 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%63, %26 : tensor<8x4xf32>, tensor<8x4xf32>) outs(%64 : tensor<8x4xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %68 = arith.mulf %in, %in_14 : f32
      linalg.yield %68 : f32
    } -> tensor<8x4xf32>
    %66 = tensor.empty() : tensor<8x4xf32>
    %67 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg1, %65 : tensor<8x4xf32>, tensor<8x4xf32>) outs(%66 : tensor<8x4xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %68 = arith.subf %in, %in_14 : f32
      linalg.yield %68 : f32
    } -> tensor<8x4xf32>
    return %61, %67 : tensor<6x8xf32>, tensor<8x4xf32>
  }
}

