#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> ()>
#map2 = affine_map<(d0) -> ()>
#map3 = affine_map<(d0) -> (d0)>
#map4 = affine_map<(d0, d1) -> (d0)>
#map5 = affine_map<(d0, d1) -> (d1, d0)>
#map6 = affine_map<() -> ()>
#map7 = affine_map<(d0, d1) -> (d0, 0)>
#map8 = affine_map<(d0, d1) -> (d1)>
#map9 = affine_map<(d0, d1) -> (0, d1)>
module @adafactor {
  func.func public @main(%arg0: tensor<6x8xf32>, %arg1: tensor<6x8xf32>, %arg2: tensor<6xf32>, %arg3: tensor<8xf32>) -> (tensor<6x8xf32> {jax.result_info = "result[0]"}, tensor<6xf32> {jax.result_info = "result[1]"}, tensor<8xf32> {jax.result_info = "result[2]"}) {
    %0 = tensor.empty() : tensor<6x8xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg1, %arg1 : tensor<6x8xf32>, tensor<6x8xf32>) outs(%0 : tensor<6x8xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %86 = arith.mulf %in, %in_21 : f32
      linalg.yield %86 : f32
    } -> tensor<6x8xf32>
    %cst = arith.constant dense<1.000000e-30> : tensor<f32>
    %2 = tensor.empty() : tensor<6x8xf32>
    %3 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%cst : tensor<f32>) outs(%2 : tensor<6x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<6x8xf32>
    %4 = tensor.empty() : tensor<6x8xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%1, %3 : tensor<6x8xf32>, tensor<6x8xf32>) outs(%4 : tensor<6x8xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %86 = arith.addf %in, %in_21 : f32
      linalg.yield %86 : f32
    } -> tensor<6x8xf32>
    %cst_0 = arith.constant dense<0.899999976> : tensor<f32>
    %6 = tensor.empty() : tensor<6xf32>
    %7 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel"]} ins(%cst_0 : tensor<f32>) outs(%6 : tensor<6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<6xf32>
    %8 = tensor.empty() : tensor<6xf32>
    %9 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel"]} ins(%7, %arg2 : tensor<6xf32>, tensor<6xf32>) outs(%8 : tensor<6xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %86 = arith.mulf %in, %in_21 : f32
      linalg.yield %86 : f32
    } -> tensor<6xf32>
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_2 = arith.constant 0.000000e+00 : f32
    %10 = tensor.empty() : tensor<6xf32>
    %11 = linalg.fill ins(%cst_2 : f32) outs(%10 : tensor<6xf32>) -> tensor<6xf32>
    %12 = linalg.generic {indexing_maps = [#map, #map4], iterator_types = ["parallel", "reduction"]} ins(%5 : tensor<6x8xf32>) outs(%11 : tensor<6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %from_elements = tensor.from_elements %in : tensor<f32>
      %from_elements_21 = tensor.from_elements %out : tensor<f32>
      %extracted = tensor.extract %from_elements_21[] : tensor<f32>
      %extracted_22 = tensor.extract %from_elements[] : tensor<f32>
      %86 = arith.addf %extracted, %extracted_22 : f32
      %from_elements_23 = tensor.from_elements %86 : tensor<f32>
      %extracted_24 = tensor.extract %from_elements_23[] : tensor<f32>
      linalg.yield %extracted_24 : f32
    } -> tensor<6xf32>
    %cst_3 = arith.constant dense<8.000000e+00> : tensor<f32>
    %13 = tensor.empty() : tensor<6xf32>
    %14 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel"]} ins(%cst_3 : tensor<f32>) outs(%13 : tensor<6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<6xf32>
    %15 = tensor.empty() : tensor<6xf32>
    %16 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel"]} ins(%12, %14 : tensor<6xf32>, tensor<6xf32>) outs(%15 : tensor<6xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %86 = arith.divf %in, %in_21 : f32
      linalg.yield %86 : f32
    } -> tensor<6xf32>
    %cst_4 = arith.constant dense<1.000000e-01> : tensor<f32>
    %17 = tensor.empty() : tensor<6xf32>
    %18 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel"]} ins(%cst_4 : tensor<f32>) outs(%17 : tensor<6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<6xf32>
    %19 = tensor.empty() : tensor<6xf32>
    %20 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel"]} ins(%18, %16 : tensor<6xf32>, tensor<6xf32>) outs(%19 : tensor<6xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %86 = arith.mulf %in, %in_21 : f32
      linalg.yield %86 : f32
    } -> tensor<6xf32>
    %21 = tensor.empty() : tensor<6xf32>
    %22 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel"]} ins(%9, %20 : tensor<6xf32>, tensor<6xf32>) outs(%21 : tensor<6xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %86 = arith.addf %in, %in_21 : f32
      linalg.yield %86 : f32
    } -> tensor<6xf32>
    %cst_5 = arith.constant dense<0.899999976> : tensor<f32>
    %23 = tensor.empty() : tensor<8xf32>
    %24 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel"]} ins(%cst_5 : tensor<f32>) outs(%23 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8xf32>
    %25 = tensor.empty() : tensor<8xf32>
    %26 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel"]} ins(%24, %arg3 : tensor<8xf32>, tensor<8xf32>) outs(%25 : tensor<8xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %86 = arith.mulf %in, %in_21 : f32
      linalg.yield %86 : f32
    } -> tensor<8xf32>
    %cst_6 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_7 = arith.constant 0.000000e+00 : f32
    %27 = tensor.empty() : tensor<8xf32>
    %28 = linalg.fill ins(%cst_7 : f32) outs(%27 : tensor<8xf32>) -> tensor<8xf32>
    %29 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel", "reduction"]} ins(%5 : tensor<6x8xf32>) outs(%28 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %from_elements = tensor.from_elements %in : tensor<f32>
      %from_elements_21 = tensor.from_elements %out : tensor<f32>
      %extracted = tensor.extract %from_elements_21[] : tensor<f32>
      %extracted_22 = tensor.extract %from_elements[] : tensor<f32>
      %86 = arith.addf %extracted, %extracted_22 : f32
      %from_elements_23 = tensor.from_elements %86 : tensor<f32>
      %extracted_24 = tensor.extract %from_elements_23[] : tensor<f32>
      linalg.yield %extracted_24 : f32
    } -> tensor<8xf32>
    %cst_8 = arith.constant dense<6.000000e+00> : tensor<f32>
    %30 = tensor.empty() : tensor<8xf32>
    %31 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel"]} ins(%cst_8 : tensor<f32>) outs(%30 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8xf32>
    %32 = tensor.empty() : tensor<8xf32>
    %33 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel"]} ins(%29, %31 : tensor<8xf32>, tensor<8xf32>) outs(%32 : tensor<8xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %86 = arith.divf %in, %in_21 : f32
      linalg.yield %86 : f32
    } -> tensor<8xf32>
    %cst_9 = arith.constant dense<1.000000e-01> : tensor<f32>
    %34 = tensor.empty() : tensor<8xf32>
    %35 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel"]} ins(%cst_9 : tensor<f32>) outs(%34 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8xf32>
    %36 = tensor.empty() : tensor<8xf32>
    %37 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel"]} ins(%35, %33 : tensor<8xf32>, tensor<8xf32>) outs(%36 : tensor<8xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %86 = arith.mulf %in, %in_21 : f32
      linalg.yield %86 : f32
    } -> tensor<8xf32>
    %38 = tensor.empty() : tensor<8xf32>
    %39 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel"]} ins(%26, %37 : tensor<8xf32>, tensor<8xf32>) outs(%38 : tensor<8xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %86 = arith.addf %in, %in_21 : f32
      linalg.yield %86 : f32
    } -> tensor<8xf32>
    %cst_10 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_11 = arith.constant 0.000000e+00 : f32
    %40 = tensor.empty() : tensor<f32>
    %41 = linalg.fill ins(%cst_11 : f32) outs(%40 : tensor<f32>) -> tensor<f32>
    %42 = linalg.generic {indexing_maps = [#map3, #map2], iterator_types = ["reduction"]} ins(%22 : tensor<6xf32>) outs(%41 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %from_elements = tensor.from_elements %in : tensor<f32>
      %from_elements_21 = tensor.from_elements %out : tensor<f32>
      %extracted = tensor.extract %from_elements_21[] : tensor<f32>
      %extracted_22 = tensor.extract %from_elements[] : tensor<f32>
      %86 = arith.addf %extracted, %extracted_22 : f32
      %from_elements_23 = tensor.from_elements %86 : tensor<f32>
      %extracted_24 = tensor.extract %from_elements_23[] : tensor<f32>
      linalg.yield %extracted_24 : f32
    } -> tensor<f32>
    %cst_12 = arith.constant dense<6.000000e+00> : tensor<f32>
    %43 = tensor.empty() : tensor<f32>
    %cst_13 = arith.constant 6.000000e+00 : f32
    %44 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = []} ins(%42 : tensor<f32>) outs(%43 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %86 = arith.divf %in, %cst_13 : f32
      linalg.yield %86 : f32
    } -> tensor<f32>
    %45 = tensor.empty() : tensor<6xf32>
    %46 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel"]} ins(%44 : tensor<f32>) outs(%45 : tensor<6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<6xf32>
    %47 = tensor.empty() : tensor<6xf32>
    %48 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel"]} ins(%22, %46 : tensor<6xf32>, tensor<6xf32>) outs(%47 : tensor<6xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %86 = arith.divf %in, %in_21 : f32
      linalg.yield %86 : f32
    } -> tensor<6xf32>
    %49 = tensor.empty() : tensor<6xf32>
    %50 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%48 : tensor<6xf32>) outs(%49 : tensor<6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %86 = math.rsqrt %in : f32
      linalg.yield %86 : f32
    } -> tensor<6xf32>
    %51 = tensor.empty() : tensor<6x1xf32>
    %52 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel"]} ins(%50 : tensor<6xf32>) outs(%51 : tensor<6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<6x1xf32>
    %53 = tensor.empty() : tensor<6x8xf32>
    %54 = linalg.generic {indexing_maps = [#map7, #map], iterator_types = ["parallel", "parallel"]} ins(%52 : tensor<6x1xf32>) outs(%53 : tensor<6x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<6x8xf32>
    %55 = tensor.empty() : tensor<6x8xf32>
    %56 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg1, %54 : tensor<6x8xf32>, tensor<6x8xf32>) outs(%55 : tensor<6x8xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %86 = arith.mulf %in, %in_21 : f32
      linalg.yield %86 : f32
    } -> tensor<6x8xf32>
    %57 = tensor.empty() : tensor<8xf32>
    %58 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%39 : tensor<8xf32>) outs(%57 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %86 = math.rsqrt %in : f32
      linalg.yield %86 : f32
    } -> tensor<8xf32>
    %59 = tensor.empty() : tensor<1x8xf32>
    %60 = linalg.generic {indexing_maps = [#map8, #map], iterator_types = ["parallel", "parallel"]} ins(%58 : tensor<8xf32>) outs(%59 : tensor<1x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x8xf32>
    %61 = tensor.empty() : tensor<6x8xf32>
    %62 = linalg.generic {indexing_maps = [#map9, #map], iterator_types = ["parallel", "parallel"]} ins(%60 : tensor<1x8xf32>) outs(%61 : tensor<6x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<6x8xf32>
    %63 = tensor.empty() : tensor<6x8xf32>
    %64 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%56, %62 : tensor<6x8xf32>, tensor<6x8xf32>) outs(%63 : tensor<6x8xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %86 = arith.mulf %in, %in_21 : f32
      linalg.yield %86 : f32
    } -> tensor<6x8xf32>
    %65 = tensor.empty() : tensor<6x8xf32>
    %66 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%64, %64 : tensor<6x8xf32>, tensor<6x8xf32>) outs(%65 : tensor<6x8xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %86 = arith.mulf %in, %in_21 : f32
      linalg.yield %86 : f32
    } -> tensor<6x8xf32>
    %cst_14 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_15 = arith.constant 0.000000e+00 : f32
    %67 = tensor.empty() : tensor<f32>
    %68 = linalg.fill ins(%cst_15 : f32) outs(%67 : tensor<f32>) -> tensor<f32>
    %69 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["reduction", "reduction"]} ins(%66 : tensor<6x8xf32>) outs(%68 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %from_elements = tensor.from_elements %in : tensor<f32>
      %from_elements_21 = tensor.from_elements %out : tensor<f32>
      %extracted = tensor.extract %from_elements_21[] : tensor<f32>
      %extracted_22 = tensor.extract %from_elements[] : tensor<f32>
      %86 = arith.addf %extracted, %extracted_22 : f32
      %from_elements_23 = tensor.from_elements %86 : tensor<f32>
      %extracted_24 = tensor.extract %from_elements_23[] : tensor<f32>
      linalg.yield %extracted_24 : f32
    } -> tensor<f32>
    %cst_16 = arith.constant dense<4.800000e+01> : tensor<f32>
    %70 = tensor.empty() : tensor<f32>
    %cst_17 = arith.constant 4.800000e+01 : f32
    %71 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = []} ins(%69 : tensor<f32>) outs(%70 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %86 = arith.divf %in, %cst_17 : f32
      linalg.yield %86 : f32
    } -> tensor<f32>
    %72 = tensor.empty() : tensor<f32>
    %73 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = []} ins(%71 : tensor<f32>) outs(%72 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %86 = math.sqrt %in : f32
      linalg.yield %86 : f32
    } -> tensor<f32>
    %cst_18 = arith.constant dense<1.000000e+00> : tensor<f32>
    %74 = tensor.empty() : tensor<f32>
    %cst_19 = arith.constant 1.000000e+00 : f32
    %75 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = []} ins(%73 : tensor<f32>) outs(%74 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %86 = arith.maximumf %cst_19, %in : f32
      linalg.yield %86 : f32
    } -> tensor<f32>
    %76 = tensor.empty() : tensor<6x8xf32>
    %77 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%75 : tensor<f32>) outs(%76 : tensor<6x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<6x8xf32>
    %78 = tensor.empty() : tensor<6x8xf32>
    %79 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%64, %77 : tensor<6x8xf32>, tensor<6x8xf32>) outs(%78 : tensor<6x8xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %86 = arith.divf %in, %in_21 : f32
      linalg.yield %86 : f32
    } -> tensor<6x8xf32>
    %cst_20 = arith.constant dense<0.00999999977> : tensor<f32>
    %80 = tensor.empty() : tensor<6x8xf32>
    %81 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_20 : tensor<f32>) outs(%80 : tensor<6x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<6x8xf32>
    %82 = tensor.empty() : tensor<6x8xf32>
    %83 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%81, %79 : tensor<6x8xf32>, tensor<6x8xf32>) outs(%82 : tensor<6x8xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %86 = arith.mulf %in, %in_21 : f32
      linalg.yield %86 : f32
    } -> tensor<6x8xf32>
    %84 = tensor.empty() : tensor<6x8xf32>
    %85 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %83 : tensor<6x8xf32>, tensor<6x8xf32>) outs(%84 : tensor<6x8xf32>) {
    ^bb0(%in: f32, %in_21: f32, %out: f32):
      %86 = arith.subf %in, %in_21 : f32
      linalg.yield %86 : f32
    } -> tensor<6x8xf32>
    return %85, %22, %39 : tensor<6x8xf32>, tensor<6xf32>, tensor<8xf32>
  }
}
