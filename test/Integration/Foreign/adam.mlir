#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> ()>
#map2 = affine_map<() -> ()>
#map3 = affine_map<(d0, d1, d2) -> (d2, d0)>
#map4 = affine_map<(d0, d1, d2) -> (d2, d1)>
#map5 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map6 = affine_map<(d0, d1) -> (d1, d0)>
module @jit_adam {
  func.func public @main(%arg0: tensor<6x8xf32>, %arg1: tensor<6x8xf32>, %arg2: tensor<6x8xf32>, %arg3: tensor<4x6xf32>, %arg4: tensor<4x8xf32>) -> (tensor<6x8xf32> {jax.result_info = "result[0]"}, tensor<6x8xf32> {jax.result_info = "result[1]"}, tensor<6x8xf32> {jax.result_info = "result[2]"}, tensor<f32> {jax.result_info = "result[3]"}) {
    %0 = tensor.empty() : tensor<4x8xf32>
    %cst = arith.constant 0.000000e+00 : f32
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<4x8xf32>) -> tensor<4x8xf32>
    %2 = linalg.matmul ins(%arg3, %arg0 : tensor<4x6xf32>, tensor<6x8xf32>) outs(%1 : tensor<4x8xf32>) -> tensor<4x8xf32>
    %3 = tensor.empty() : tensor<4x8xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%2 : tensor<4x8xf32>) outs(%3 : tensor<4x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %88 = math.tanh %in : f32
      linalg.yield %88 : f32
    } -> tensor<4x8xf32>
    %cst_0 = arith.constant dense<1.000000e+00> : tensor<f32>
    %5 = tensor.empty() : tensor<4x8xf32>
    %6 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_0 : tensor<f32>) outs(%5 : tensor<4x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x8xf32>
    %7 = tensor.empty() : tensor<4x8xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%6, %4 : tensor<4x8xf32>, tensor<4x8xf32>) outs(%7 : tensor<4x8xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %88 = arith.subf %in, %in_24 : f32
      linalg.yield %88 : f32
    } -> tensor<4x8xf32>
    %9 = tensor.empty() : tensor<4x8xf32>
    %10 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%4, %arg4 : tensor<4x8xf32>, tensor<4x8xf32>) outs(%9 : tensor<4x8xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %88 = arith.subf %in, %in_24 : f32
      linalg.yield %88 : f32
    } -> tensor<4x8xf32>
    %11 = tensor.empty() : tensor<4x8xf32>
    %12 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%10, %10 : tensor<4x8xf32>, tensor<4x8xf32>) outs(%11 : tensor<4x8xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %88 = arith.mulf %in, %in_24 : f32
      linalg.yield %88 : f32
    } -> tensor<4x8xf32>
    %cst_1 = arith.constant dense<2.000000e+00> : tensor<f32>
    %13 = tensor.empty() : tensor<4x8xf32>
    %14 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_1 : tensor<f32>) outs(%13 : tensor<4x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x8xf32>
    %15 = tensor.empty() : tensor<4x8xf32>
    %16 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%14, %10 : tensor<4x8xf32>, tensor<4x8xf32>) outs(%15 : tensor<4x8xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %88 = arith.mulf %in, %in_24 : f32
      linalg.yield %88 : f32
    } -> tensor<4x8xf32>
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_3 = arith.constant 0.000000e+00 : f32
    %17 = tensor.empty() : tensor<f32>
    %18 = linalg.fill ins(%cst_3 : f32) outs(%17 : tensor<f32>) -> tensor<f32>
    %19 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["reduction", "reduction"]} ins(%12 : tensor<4x8xf32>) outs(%18 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %from_elements = tensor.from_elements %in : tensor<f32>
      %from_elements_24 = tensor.from_elements %out : tensor<f32>
      %extracted = tensor.extract %from_elements_24[] : tensor<f32>
      %extracted_25 = tensor.extract %from_elements[] : tensor<f32>
      %88 = arith.addf %extracted, %extracted_25 : f32
      %from_elements_26 = tensor.from_elements %88 : tensor<f32>
      %extracted_27 = tensor.extract %from_elements_26[] : tensor<f32>
      linalg.yield %extracted_27 : f32
    } -> tensor<f32>
    %cst_4 = arith.constant dense<3.200000e+01> : tensor<f32>
    %20 = tensor.empty() : tensor<f32>
    %cst_5 = arith.constant 3.200000e+01 : f32
    %21 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = []} ins(%19 : tensor<f32>) outs(%20 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %88 = arith.divf %in, %cst_5 : f32
      linalg.yield %88 : f32
    } -> tensor<f32>
    %cst_6 = arith.constant dense<1.000000e+00> : tensor<f32>
    %cst_7 = arith.constant dense<3.200000e+01> : tensor<f32>
    %22 = tensor.empty() : tensor<f32>
    %cst_8 = arith.constant 1.000000e+00 : f32
    %cst_9 = arith.constant 3.200000e+01 : f32
    %23 = linalg.generic {indexing_maps = [#map2], iterator_types = []} outs(%22 : tensor<f32>) {
    ^bb0(%out: f32):
      %88 = arith.divf %cst_8, %cst_9 : f32
      linalg.yield %88 : f32
    } -> tensor<f32>
    %24 = tensor.empty() : tensor<4x8xf32>
    %25 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%23 : tensor<f32>) outs(%24 : tensor<4x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x8xf32>
    %26 = tensor.empty() : tensor<4x8xf32>
    %27 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%25, %16 : tensor<4x8xf32>, tensor<4x8xf32>) outs(%26 : tensor<4x8xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %88 = arith.mulf %in, %in_24 : f32
      linalg.yield %88 : f32
    } -> tensor<4x8xf32>
    %28 = tensor.empty() : tensor<4x8xf32>
    %29 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%27, %8 : tensor<4x8xf32>, tensor<4x8xf32>) outs(%28 : tensor<4x8xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %88 = arith.mulf %in, %in_24 : f32
      linalg.yield %88 : f32
    } -> tensor<4x8xf32>
    %30 = tensor.empty() : tensor<4x8xf32>
    %31 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%29, %4 : tensor<4x8xf32>, tensor<4x8xf32>) outs(%30 : tensor<4x8xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %88 = arith.mulf %in, %in_24 : f32
      linalg.yield %88 : f32
    } -> tensor<4x8xf32>
    %32 = tensor.empty() : tensor<4x8xf32>
    %33 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%29, %31 : tensor<4x8xf32>, tensor<4x8xf32>) outs(%32 : tensor<4x8xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %88 = arith.addf %in, %in_24 : f32
      linalg.yield %88 : f32
    } -> tensor<4x8xf32>
    %34 = tensor.empty() : tensor<8x6xf32>
    %cst_10 = arith.constant 0.000000e+00 : f32
    %35 = linalg.fill ins(%cst_10 : f32) outs(%34 : tensor<8x6xf32>) -> tensor<8x6xf32>
    %36 = linalg.generic {indexing_maps = [#map3, #map4, #map5], iterator_types = ["parallel", "parallel", "reduction"]} ins(%33, %arg3 : tensor<4x8xf32>, tensor<4x6xf32>) outs(%35 : tensor<8x6xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %88 = arith.mulf %in, %in_24 : f32
      %89 = arith.addf %out, %88 : f32
      linalg.yield %89 : f32
    } -> tensor<8x6xf32>
    %37 = tensor.empty() : tensor<6x8xf32>
    %38 = linalg.generic {indexing_maps = [#map6, #map], iterator_types = ["parallel", "parallel"]} ins(%36 : tensor<8x6xf32>) outs(%37 : tensor<6x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<6x8xf32>
    %cst_11 = arith.constant dense<0.899999976> : tensor<f32>
    %39 = tensor.empty() : tensor<6x8xf32>
    %40 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_11 : tensor<f32>) outs(%39 : tensor<6x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<6x8xf32>
    %41 = tensor.empty() : tensor<6x8xf32>
    %42 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%40, %arg1 : tensor<6x8xf32>, tensor<6x8xf32>) outs(%41 : tensor<6x8xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %88 = arith.mulf %in, %in_24 : f32
      linalg.yield %88 : f32
    } -> tensor<6x8xf32>
    %cst_12 = arith.constant dense<1.000000e-01> : tensor<f32>
    %43 = tensor.empty() : tensor<6x8xf32>
    %44 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_12 : tensor<f32>) outs(%43 : tensor<6x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<6x8xf32>
    %45 = tensor.empty() : tensor<6x8xf32>
    %46 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%44, %38 : tensor<6x8xf32>, tensor<6x8xf32>) outs(%45 : tensor<6x8xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %88 = arith.mulf %in, %in_24 : f32
      linalg.yield %88 : f32
    } -> tensor<6x8xf32>
    %47 = tensor.empty() : tensor<6x8xf32>
    %48 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%42, %46 : tensor<6x8xf32>, tensor<6x8xf32>) outs(%47 : tensor<6x8xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %88 = arith.addf %in, %in_24 : f32
      linalg.yield %88 : f32
    } -> tensor<6x8xf32>
    %cst_13 = arith.constant dense<9.900000e-01> : tensor<f32>
    %49 = tensor.empty() : tensor<6x8xf32>
    %50 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_13 : tensor<f32>) outs(%49 : tensor<6x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<6x8xf32>
    %51 = tensor.empty() : tensor<6x8xf32>
    %52 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%50, %arg2 : tensor<6x8xf32>, tensor<6x8xf32>) outs(%51 : tensor<6x8xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %88 = arith.mulf %in, %in_24 : f32
      linalg.yield %88 : f32
    } -> tensor<6x8xf32>
    %cst_14 = arith.constant dense<0.00999999977> : tensor<f32>
    %53 = tensor.empty() : tensor<6x8xf32>
    %54 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_14 : tensor<f32>) outs(%53 : tensor<6x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<6x8xf32>
    %55 = tensor.empty() : tensor<6x8xf32>
    %56 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%54, %38 : tensor<6x8xf32>, tensor<6x8xf32>) outs(%55 : tensor<6x8xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %88 = arith.mulf %in, %in_24 : f32
      linalg.yield %88 : f32
    } -> tensor<6x8xf32>
    %57 = tensor.empty() : tensor<6x8xf32>
    %58 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%56, %38 : tensor<6x8xf32>, tensor<6x8xf32>) outs(%57 : tensor<6x8xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %88 = arith.mulf %in, %in_24 : f32
      linalg.yield %88 : f32
    } -> tensor<6x8xf32>
    %59 = tensor.empty() : tensor<6x8xf32>
    %60 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%52, %58 : tensor<6x8xf32>, tensor<6x8xf32>) outs(%59 : tensor<6x8xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %88 = arith.addf %in, %in_24 : f32
      linalg.yield %88 : f32
    } -> tensor<6x8xf32>
    %61 = tensor.empty() : tensor<6x8xf32>
    %62 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%38, %38 : tensor<6x8xf32>, tensor<6x8xf32>) outs(%61 : tensor<6x8xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %88 = arith.mulf %in, %in_24 : f32
      linalg.yield %88 : f32
    } -> tensor<6x8xf32>
    %cst_15 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_16 = arith.constant 0.000000e+00 : f32
    %63 = tensor.empty() : tensor<f32>
    %64 = linalg.fill ins(%cst_16 : f32) outs(%63 : tensor<f32>) -> tensor<f32>
    %65 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["reduction", "reduction"]} ins(%62 : tensor<6x8xf32>) outs(%64 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %from_elements = tensor.from_elements %in : tensor<f32>
      %from_elements_24 = tensor.from_elements %out : tensor<f32>
      %extracted = tensor.extract %from_elements_24[] : tensor<f32>
      %extracted_25 = tensor.extract %from_elements[] : tensor<f32>
      %88 = arith.addf %extracted, %extracted_25 : f32
      %from_elements_26 = tensor.from_elements %88 : tensor<f32>
      %extracted_27 = tensor.extract %from_elements_26[] : tensor<f32>
      linalg.yield %extracted_27 : f32
    } -> tensor<f32>
    %66 = tensor.empty() : tensor<f32>
    %67 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = []} ins(%65 : tensor<f32>) outs(%66 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %88 = math.sqrt %in : f32
      linalg.yield %88 : f32
    } -> tensor<f32>
    %cst_17 = arith.constant dense<1.000000e+00> : tensor<f32>
    %68 = tensor.empty() : tensor<f32>
    %cst_18 = arith.constant 1.000000e+00 : f32
    %69 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = []} ins(%67 : tensor<f32>) outs(%68 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %88 = arith.divf %cst_18, %in : f32
      linalg.yield %88 : f32
    } -> tensor<f32>
    %cst_19 = arith.constant dense<1.000000e+00> : tensor<f32>
    %70 = tensor.empty() : tensor<f32>
    %cst_20 = arith.constant 1.000000e+00 : f32
    %71 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = []} ins(%69 : tensor<f32>) outs(%70 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %88 = arith.minimumf %cst_20, %in : f32
      linalg.yield %88 : f32
    } -> tensor<f32>
    %cst_21 = arith.constant dense<1.000000e-01> : tensor<f32>
    %72 = tensor.empty() : tensor<f32>
    %cst_22 = arith.constant 1.000000e-01 : f32
    %73 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = []} ins(%71 : tensor<f32>) outs(%72 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %88 = arith.mulf %cst_22, %in : f32
      linalg.yield %88 : f32
    } -> tensor<f32>
    %74 = tensor.empty() : tensor<6x8xf32>
    %75 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%73 : tensor<f32>) outs(%74 : tensor<6x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<6x8xf32>
    %76 = tensor.empty() : tensor<6x8xf32>
    %77 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%75, %48 : tensor<6x8xf32>, tensor<6x8xf32>) outs(%76 : tensor<6x8xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %88 = arith.mulf %in, %in_24 : f32
      linalg.yield %88 : f32
    } -> tensor<6x8xf32>
    %78 = tensor.empty() : tensor<6x8xf32>
    %79 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%60 : tensor<6x8xf32>) outs(%78 : tensor<6x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %88 = math.sqrt %in : f32
      linalg.yield %88 : f32
    } -> tensor<6x8xf32>
    %cst_23 = arith.constant dense<9.99999993E-9> : tensor<f32>
    %80 = tensor.empty() : tensor<6x8xf32>
    %81 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_23 : tensor<f32>) outs(%80 : tensor<6x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<6x8xf32>
    %82 = tensor.empty() : tensor<6x8xf32>
    %83 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%79, %81 : tensor<6x8xf32>, tensor<6x8xf32>) outs(%82 : tensor<6x8xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %88 = arith.addf %in, %in_24 : f32
      linalg.yield %88 : f32
    } -> tensor<6x8xf32>
    %84 = tensor.empty() : tensor<6x8xf32>
    %85 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%77, %83 : tensor<6x8xf32>, tensor<6x8xf32>) outs(%84 : tensor<6x8xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %88 = arith.divf %in, %in_24 : f32
      linalg.yield %88 : f32
    } -> tensor<6x8xf32>
    %86 = tensor.empty() : tensor<6x8xf32>
    %87 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %85 : tensor<6x8xf32>, tensor<6x8xf32>) outs(%86 : tensor<6x8xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %88 = arith.subf %in, %in_24 : f32
      linalg.yield %88 : f32
    } -> tensor<6x8xf32>
    return %87, %48, %60, %21 : tensor<6x8xf32>, tensor<6x8xf32>, tensor<6x8xf32>, tensor<f32>
  }
}

