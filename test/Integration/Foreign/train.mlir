#map = affine_map<(d0, d1) -> (d1)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
#map2 = affine_map<(d0, d1) -> (0, d1)>
#map3 = affine_map<(d0, d1) -> ()>
#map4 = affine_map<(d0, d1) -> (d0)>
#map5 = affine_map<(d0) -> (d0)>
#map6 = affine_map<(d0) -> ()>
#map7 = affine_map<() -> ()>
#map8 = affine_map<(d0, d1, d2) -> (d2, d0)>
#map9 = affine_map<(d0, d1, d2) -> (d2, d1)>
#map10 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map11 = affine_map<(d0, d1) -> (d1, d0)>
#map12 = affine_map<(d0, d1, d2) -> (d0, d2)>
#map13 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map14 = affine_map<(d0, d1) -> (d0, 0)>
module @jit_step {
  func.func public @main(%arg0: tensor<6x8xf32>, %arg1: tensor<8xf32>, %arg2: tensor<8x10xf32>, %arg3: tensor<4x6xf32>, %arg4: tensor<4xi32>) -> (tensor<6x8xf32> {jax.result_info = "result[0]"}, tensor<8xf32> {jax.result_info = "result[1]"}, tensor<8x10xf32> {jax.result_info = "result[2]"}, tensor<f32> {jax.result_info = "result[3]"}) {
    %0 = tensor.empty() : tensor<4x8xf32>
    %cst = arith.constant 0.000000e+00 : f32
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<4x8xf32>) -> tensor<4x8xf32>
    %2 = linalg.matmul ins(%arg3, %arg0 : tensor<4x6xf32>, tensor<6x8xf32>) outs(%1 : tensor<4x8xf32>) -> tensor<4x8xf32>
    %3 = tensor.empty() : tensor<1x8xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg1 : tensor<8xf32>) outs(%3 : tensor<1x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x8xf32>
    %5 = tensor.empty() : tensor<4x8xf32>
    %6 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%4 : tensor<1x8xf32>) outs(%5 : tensor<4x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x8xf32>
    %7 = tensor.empty() : tensor<4x8xf32>
    %8 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%2, %6 : tensor<4x8xf32>, tensor<4x8xf32>) outs(%7 : tensor<4x8xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %83 = arith.addf %in, %in_23 : f32
      linalg.yield %83 : f32
    } -> tensor<4x8xf32>
    %9 = call @relu(%8) : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<f32>
    %10 = tensor.empty() : tensor<4x8xf32>
    %11 = linalg.generic {indexing_maps = [#map3, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst_0 : tensor<f32>) outs(%10 : tensor<4x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x8xf32>
    %12 = tensor.empty() : tensor<4x8xi1>
    %13 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%8, %11 : tensor<4x8xf32>, tensor<4x8xf32>) outs(%12 : tensor<4x8xi1>) {
    ^bb0(%in: f32, %in_23: f32, %out: i1):
      %83 = arith.cmpf ogt, %in, %in_23 : f32
      linalg.yield %83 : i1
    } -> tensor<4x8xi1>
    %14 = tensor.empty() : tensor<4x10xf32>
    %cst_1 = arith.constant 0.000000e+00 : f32
    %15 = linalg.fill ins(%cst_1 : f32) outs(%14 : tensor<4x10xf32>) -> tensor<4x10xf32>
    %16 = linalg.matmul ins(%9, %arg2 : tensor<4x8xf32>, tensor<8x10xf32>) outs(%15 : tensor<4x10xf32>) -> tensor<4x10xf32>
    %17:3 = call @log_softmax(%16) : (tensor<4x10xf32>) -> (tensor<4x10xf32>, tensor<4x10xf32>, tensor<4x1xf32>)
    %18 = call @_one_hot(%arg4) : (tensor<4xi32>) -> tensor<4x10xf32>
    %19 = tensor.empty() : tensor<4x10xf32>
    %20 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%17#0, %18 : tensor<4x10xf32>, tensor<4x10xf32>) outs(%19 : tensor<4x10xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %83 = arith.mulf %in, %in_23 : f32
      linalg.yield %83 : f32
    } -> tensor<4x10xf32>
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_3 = arith.constant 0.000000e+00 : f32
    %21 = tensor.empty() : tensor<4xf32>
    %22 = linalg.fill ins(%cst_3 : f32) outs(%21 : tensor<4xf32>) -> tensor<4xf32>
    %23 = linalg.generic {indexing_maps = [#map1, #map4], iterator_types = ["parallel", "reduction"]} ins(%20 : tensor<4x10xf32>) outs(%22 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %from_elements = tensor.from_elements %in : tensor<f32>
      %from_elements_23 = tensor.from_elements %out : tensor<f32>
      %extracted = tensor.extract %from_elements_23[] : tensor<f32>
      %extracted_24 = tensor.extract %from_elements[] : tensor<f32>
      %83 = arith.addf %extracted, %extracted_24 : f32
      %from_elements_25 = tensor.from_elements %83 : tensor<f32>
      %extracted_26 = tensor.extract %from_elements_25[] : tensor<f32>
      linalg.yield %extracted_26 : f32
    } -> tensor<4xf32>
    %cst_4 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_5 = arith.constant 0.000000e+00 : f32
    %24 = tensor.empty() : tensor<f32>
    %25 = linalg.fill ins(%cst_5 : f32) outs(%24 : tensor<f32>) -> tensor<f32>
    %26 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["reduction"]} ins(%23 : tensor<4xf32>) outs(%25 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %from_elements = tensor.from_elements %in : tensor<f32>
      %from_elements_23 = tensor.from_elements %out : tensor<f32>
      %extracted = tensor.extract %from_elements_23[] : tensor<f32>
      %extracted_24 = tensor.extract %from_elements[] : tensor<f32>
      %83 = arith.addf %extracted, %extracted_24 : f32
      %from_elements_25 = tensor.from_elements %83 : tensor<f32>
      %extracted_26 = tensor.extract %from_elements_25[] : tensor<f32>
      linalg.yield %extracted_26 : f32
    } -> tensor<f32>
    %cst_6 = arith.constant dense<4.000000e+00> : tensor<f32>
    %27 = tensor.empty() : tensor<f32>
    %cst_7 = arith.constant 4.000000e+00 : f32
    %28 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = []} ins(%26 : tensor<f32>) outs(%27 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %83 = arith.divf %in, %cst_7 : f32
      linalg.yield %83 : f32
    } -> tensor<f32>
    %29 = tensor.empty() : tensor<f32>
    %30 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = []} ins(%28 : tensor<f32>) outs(%29 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %83 = arith.negf %in : f32
      linalg.yield %83 : f32
    } -> tensor<f32>
    %cst_8 = arith.constant dense<1.000000e+00> : tensor<f32>
    %31 = tensor.empty() : tensor<f32>
    %cst_9 = arith.constant 1.000000e+00 : f32
    %32 = linalg.generic {indexing_maps = [#map7], iterator_types = []} outs(%31 : tensor<f32>) {
    ^bb0(%out: f32):
      %83 = arith.negf %cst_9 : f32
      linalg.yield %83 : f32
    } -> tensor<f32>
    %cst_10 = arith.constant dense<4.000000e+00> : tensor<f32>
    %33 = tensor.empty() : tensor<f32>
    %cst_11 = arith.constant 4.000000e+00 : f32
    %34 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = []} ins(%32 : tensor<f32>) outs(%33 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %83 = arith.divf %in, %cst_11 : f32
      linalg.yield %83 : f32
    } -> tensor<f32>
    %35 = tensor.empty() : tensor<4xf32>
    %36 = linalg.generic {indexing_maps = [#map6, #map5], iterator_types = ["parallel"]} ins(%34 : tensor<f32>) outs(%35 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4xf32>
    %37 = tensor.empty() : tensor<4x10xf32>
    %38 = linalg.generic {indexing_maps = [#map4, #map1], iterator_types = ["parallel", "parallel"]} ins(%36 : tensor<4xf32>) outs(%37 : tensor<4x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x10xf32>
    %39 = tensor.empty() : tensor<4x10xf32>
    %40 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%38, %18 : tensor<4x10xf32>, tensor<4x10xf32>) outs(%39 : tensor<4x10xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %83 = arith.mulf %in, %in_23 : f32
      linalg.yield %83 : f32
    } -> tensor<4x10xf32>
    %41 = call @log_softmax_0(%17#1, %17#2, %40) : (tensor<4x10xf32>, tensor<4x1xf32>, tensor<4x10xf32>) -> tensor<4x10xf32>
    %42 = tensor.empty() : tensor<10x8xf32>
    %cst_12 = arith.constant 0.000000e+00 : f32
    %43 = linalg.fill ins(%cst_12 : f32) outs(%42 : tensor<10x8xf32>) -> tensor<10x8xf32>
    %44 = linalg.generic {indexing_maps = [#map8, #map9, #map10], iterator_types = ["parallel", "parallel", "reduction"]} ins(%41, %9 : tensor<4x10xf32>, tensor<4x8xf32>) outs(%43 : tensor<10x8xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %83 = arith.mulf %in, %in_23 : f32
      %84 = arith.addf %out, %83 : f32
      linalg.yield %84 : f32
    } -> tensor<10x8xf32>
    %45 = tensor.empty() : tensor<8x10xf32>
    %46 = linalg.generic {indexing_maps = [#map11, #map1], iterator_types = ["parallel", "parallel"]} ins(%44 : tensor<10x8xf32>) outs(%45 : tensor<8x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x10xf32>
    %47 = tensor.empty() : tensor<4x8xf32>
    %cst_13 = arith.constant 0.000000e+00 : f32
    %48 = linalg.fill ins(%cst_13 : f32) outs(%47 : tensor<4x8xf32>) -> tensor<4x8xf32>
    %49 = linalg.generic {indexing_maps = [#map12, #map13, #map10], iterator_types = ["parallel", "parallel", "reduction"]} ins(%41, %arg2 : tensor<4x10xf32>, tensor<8x10xf32>) outs(%48 : tensor<4x8xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %83 = arith.mulf %in, %in_23 : f32
      %84 = arith.addf %out, %83 : f32
      linalg.yield %84 : f32
    } -> tensor<4x8xf32>
    %cst_14 = arith.constant dense<0.000000e+00> : tensor<f32>
    %50 = tensor.empty() : tensor<4x8xf32>
    %51 = linalg.generic {indexing_maps = [#map3, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst_14 : tensor<f32>) outs(%50 : tensor<4x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x8xf32>
    %52 = tensor.empty() : tensor<4x8xf32>
    %53 = linalg.generic {indexing_maps = [#map1, #map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%13, %49, %51 : tensor<4x8xi1>, tensor<4x8xf32>, tensor<4x8xf32>) outs(%52 : tensor<4x8xf32>) {
    ^bb0(%in: i1, %in_23: f32, %in_24: f32, %out: f32):
      %83 = arith.select %in, %in_23, %in_24 : f32
      linalg.yield %83 : f32
    } -> tensor<4x8xf32>
    %cst_15 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_16 = arith.constant 0.000000e+00 : f32
    %54 = tensor.empty() : tensor<8xf32>
    %55 = linalg.fill ins(%cst_16 : f32) outs(%54 : tensor<8xf32>) -> tensor<8xf32>
    %56 = linalg.generic {indexing_maps = [#map11, #map4], iterator_types = ["parallel", "reduction"]} ins(%53 : tensor<4x8xf32>) outs(%55 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %from_elements = tensor.from_elements %in : tensor<f32>
      %from_elements_23 = tensor.from_elements %out : tensor<f32>
      %extracted = tensor.extract %from_elements_23[] : tensor<f32>
      %extracted_24 = tensor.extract %from_elements[] : tensor<f32>
      %83 = arith.addf %extracted, %extracted_24 : f32
      %from_elements_25 = tensor.from_elements %83 : tensor<f32>
      %extracted_26 = tensor.extract %from_elements_25[] : tensor<f32>
      linalg.yield %extracted_26 : f32
    } -> tensor<8xf32>
    %expanded = tensor.expand_shape %56 [[0, 1]] output_shape [1, 8] : tensor<8xf32> into tensor<1x8xf32>
    %cst_17 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_18 = arith.constant 0.000000e+00 : f32
    %57 = tensor.empty() : tensor<8xf32>
    %58 = linalg.fill ins(%cst_18 : f32) outs(%57 : tensor<8xf32>) -> tensor<8xf32>
    %59 = linalg.generic {indexing_maps = [#map11, #map4], iterator_types = ["parallel", "reduction"]} ins(%expanded : tensor<1x8xf32>) outs(%58 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %from_elements = tensor.from_elements %in : tensor<f32>
      %from_elements_23 = tensor.from_elements %out : tensor<f32>
      %extracted = tensor.extract %from_elements_23[] : tensor<f32>
      %extracted_24 = tensor.extract %from_elements[] : tensor<f32>
      %83 = arith.addf %extracted, %extracted_24 : f32
      %from_elements_25 = tensor.from_elements %83 : tensor<f32>
      %extracted_26 = tensor.extract %from_elements_25[] : tensor<f32>
      linalg.yield %extracted_26 : f32
    } -> tensor<8xf32>
    %60 = tensor.empty() : tensor<8x6xf32>
    %cst_19 = arith.constant 0.000000e+00 : f32
    %61 = linalg.fill ins(%cst_19 : f32) outs(%60 : tensor<8x6xf32>) -> tensor<8x6xf32>
    %62 = linalg.generic {indexing_maps = [#map8, #map9, #map10], iterator_types = ["parallel", "parallel", "reduction"]} ins(%53, %arg3 : tensor<4x8xf32>, tensor<4x6xf32>) outs(%61 : tensor<8x6xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %83 = arith.mulf %in, %in_23 : f32
      %84 = arith.addf %out, %83 : f32
      linalg.yield %84 : f32
    } -> tensor<8x6xf32>
    %63 = tensor.empty() : tensor<6x8xf32>
    %64 = linalg.generic {indexing_maps = [#map11, #map1], iterator_types = ["parallel", "parallel"]} ins(%62 : tensor<8x6xf32>) outs(%63 : tensor<6x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<6x8xf32>
    %cst_20 = arith.constant dense<1.000000e-01> : tensor<f32>
    %65 = tensor.empty() : tensor<6x8xf32>
    %66 = linalg.generic {indexing_maps = [#map3, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst_20 : tensor<f32>) outs(%65 : tensor<6x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<6x8xf32>
    %67 = tensor.empty() : tensor<6x8xf32>
    %68 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%66, %64 : tensor<6x8xf32>, tensor<6x8xf32>) outs(%67 : tensor<6x8xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %83 = arith.mulf %in, %in_23 : f32
      linalg.yield %83 : f32
    } -> tensor<6x8xf32>
    %69 = tensor.empty() : tensor<6x8xf32>
    %70 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg0, %68 : tensor<6x8xf32>, tensor<6x8xf32>) outs(%69 : tensor<6x8xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %83 = arith.subf %in, %in_23 : f32
      linalg.yield %83 : f32
    } -> tensor<6x8xf32>
    %cst_21 = arith.constant dense<1.000000e-01> : tensor<f32>
    %71 = tensor.empty() : tensor<8xf32>
    %72 = linalg.generic {indexing_maps = [#map6, #map5], iterator_types = ["parallel"]} ins(%cst_21 : tensor<f32>) outs(%71 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8xf32>
    %73 = tensor.empty() : tensor<8xf32>
    %74 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel"]} ins(%72, %59 : tensor<8xf32>, tensor<8xf32>) outs(%73 : tensor<8xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %83 = arith.mulf %in, %in_23 : f32
      linalg.yield %83 : f32
    } -> tensor<8xf32>
    %75 = tensor.empty() : tensor<8xf32>
    %76 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel"]} ins(%arg1, %74 : tensor<8xf32>, tensor<8xf32>) outs(%75 : tensor<8xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %83 = arith.subf %in, %in_23 : f32
      linalg.yield %83 : f32
    } -> tensor<8xf32>
    %cst_22 = arith.constant dense<1.000000e-01> : tensor<f32>
    %77 = tensor.empty() : tensor<8x10xf32>
    %78 = linalg.generic {indexing_maps = [#map3, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst_22 : tensor<f32>) outs(%77 : tensor<8x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x10xf32>
    %79 = tensor.empty() : tensor<8x10xf32>
    %80 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%78, %46 : tensor<8x10xf32>, tensor<8x10xf32>) outs(%79 : tensor<8x10xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %83 = arith.mulf %in, %in_23 : f32
      linalg.yield %83 : f32
    } -> tensor<8x10xf32>
    %81 = tensor.empty() : tensor<8x10xf32>
    %82 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg2, %80 : tensor<8x10xf32>, tensor<8x10xf32>) outs(%81 : tensor<8x10xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %83 = arith.subf %in, %in_23 : f32
      linalg.yield %83 : f32
    } -> tensor<8x10xf32>
    return %70, %76, %82, %30 : tensor<6x8xf32>, tensor<8xf32>, tensor<8x10xf32>, tensor<f32>
  }
  func.func private @relu(%arg0: tensor<4x8xf32>) -> tensor<4x8xf32> {
    %cst = arith.constant dense<0.000000e+00> : tensor<f32>
    %0 = tensor.empty() : tensor<4x8xf32>
    %1 = linalg.generic {indexing_maps = [#map3, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst : tensor<f32>) outs(%0 : tensor<4x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x8xf32>
    %2 = tensor.empty() : tensor<4x8xf32>
    %3 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg0, %1 : tensor<4x8xf32>, tensor<4x8xf32>) outs(%2 : tensor<4x8xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %4 = arith.maximumf %in, %in_0 : f32
      linalg.yield %4 : f32
    } -> tensor<4x8xf32>
    return %3 : tensor<4x8xf32>
  }
  func.func private @log_softmax(%arg0: tensor<4x10xf32>) -> (tensor<4x10xf32>, tensor<4x10xf32>, tensor<4x1xf32>) {
    %cst = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_0 = arith.constant 0xFF800000 : f32
    %0 = tensor.empty() : tensor<4xf32>
    %1 = linalg.fill ins(%cst_0 : f32) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
    %2 = linalg.generic {indexing_maps = [#map1, #map4], iterator_types = ["parallel", "reduction"]} ins(%arg0 : tensor<4x10xf32>) outs(%1 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %from_elements = tensor.from_elements %in : tensor<f32>
      %from_elements_4 = tensor.from_elements %out : tensor<f32>
      %extracted = tensor.extract %from_elements_4[] : tensor<f32>
      %extracted_5 = tensor.extract %from_elements[] : tensor<f32>
      %26 = arith.maximumf %extracted, %extracted_5 : f32
      %from_elements_6 = tensor.from_elements %26 : tensor<f32>
      %extracted_7 = tensor.extract %from_elements_6[] : tensor<f32>
      linalg.yield %extracted_7 : f32
    } -> tensor<4xf32>
    %cst_1 = arith.constant dense<0xFF800000> : tensor<f32>
    %3 = tensor.empty() : tensor<4xf32>
    %4 = linalg.generic {indexing_maps = [#map6, #map5], iterator_types = ["parallel"]} ins(%cst_1 : tensor<f32>) outs(%3 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4xf32>
    %5 = tensor.empty() : tensor<4xf32>
    %6 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel"]} ins(%4, %2 : tensor<4xf32>, tensor<4xf32>) outs(%5 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %26 = arith.maximumf %in, %in_4 : f32
      linalg.yield %26 : f32
    } -> tensor<4xf32>
    %7 = tensor.empty() : tensor<4x1xf32>
    %8 = linalg.generic {indexing_maps = [#map4, #map1], iterator_types = ["parallel", "parallel"]} ins(%6 : tensor<4xf32>) outs(%7 : tensor<4x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x1xf32>
    %9 = tensor.empty() : tensor<4x10xf32>
    %10 = linalg.generic {indexing_maps = [#map14, #map1], iterator_types = ["parallel", "parallel"]} ins(%8 : tensor<4x1xf32>) outs(%9 : tensor<4x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x10xf32>
    %11 = tensor.empty() : tensor<4x10xf32>
    %12 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg0, %10 : tensor<4x10xf32>, tensor<4x10xf32>) outs(%11 : tensor<4x10xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %26 = arith.subf %in, %in_4 : f32
      linalg.yield %26 : f32
    } -> tensor<4x10xf32>
    %13 = tensor.empty() : tensor<4x10xf32>
    %14 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%12 : tensor<4x10xf32>) outs(%13 : tensor<4x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      %26 = math.exp %in : f32
      linalg.yield %26 : f32
    } -> tensor<4x10xf32>
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_3 = arith.constant 0.000000e+00 : f32
    %15 = tensor.empty() : tensor<4xf32>
    %16 = linalg.fill ins(%cst_3 : f32) outs(%15 : tensor<4xf32>) -> tensor<4xf32>
    %17 = linalg.generic {indexing_maps = [#map1, #map4], iterator_types = ["parallel", "reduction"]} ins(%14 : tensor<4x10xf32>) outs(%16 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %from_elements = tensor.from_elements %in : tensor<f32>
      %from_elements_4 = tensor.from_elements %out : tensor<f32>
      %extracted = tensor.extract %from_elements_4[] : tensor<f32>
      %extracted_5 = tensor.extract %from_elements[] : tensor<f32>
      %26 = arith.addf %extracted, %extracted_5 : f32
      %from_elements_6 = tensor.from_elements %26 : tensor<f32>
      %extracted_7 = tensor.extract %from_elements_6[] : tensor<f32>
      linalg.yield %extracted_7 : f32
    } -> tensor<4xf32>
    %18 = tensor.empty() : tensor<4x1xf32>
    %19 = linalg.generic {indexing_maps = [#map4, #map1], iterator_types = ["parallel", "parallel"]} ins(%17 : tensor<4xf32>) outs(%18 : tensor<4x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x1xf32>
    %20 = tensor.empty() : tensor<4x1xf32>
    %21 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%19 : tensor<4x1xf32>) outs(%20 : tensor<4x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %26 = math.log %in : f32
      linalg.yield %26 : f32
    } -> tensor<4x1xf32>
    %22 = tensor.empty() : tensor<4x10xf32>
    %23 = linalg.generic {indexing_maps = [#map14, #map1], iterator_types = ["parallel", "parallel"]} ins(%21 : tensor<4x1xf32>) outs(%22 : tensor<4x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x10xf32>
    %24 = tensor.empty() : tensor<4x10xf32>
    %25 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%12, %23 : tensor<4x10xf32>, tensor<4x10xf32>) outs(%24 : tensor<4x10xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %26 = arith.subf %in, %in_4 : f32
      linalg.yield %26 : f32
    } -> tensor<4x10xf32>
    return %25, %14, %19 : tensor<4x10xf32>, tensor<4x10xf32>, tensor<4x1xf32>
  }
  func.func private @_one_hot(%arg0: tensor<4xi32>) -> tensor<4x10xf32> {
    %0 = tensor.empty() : tensor<4x1xi32>
    %1 = linalg.generic {indexing_maps = [#map4, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<4xi32>) outs(%0 : tensor<4x1xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<4x1xi32>
    %2 = tensor.empty() : tensor<1x10xi32>
    %3 = linalg.generic {indexing_maps = [#map1], iterator_types = ["parallel", "parallel"]} outs(%2 : tensor<1x10xi32>) {
    ^bb0(%out: i32):
      %12 = linalg.index 1 : index
      %13 = arith.index_cast %12 : index to i32
      linalg.yield %13 : i32
    } -> tensor<1x10xi32>
    %4 = tensor.empty() : tensor<4x10xi32>
    %5 = linalg.generic {indexing_maps = [#map14, #map1], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<4x1xi32>) outs(%4 : tensor<4x10xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<4x10xi32>
    %6 = tensor.empty() : tensor<4x10xi32>
    %7 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%3 : tensor<1x10xi32>) outs(%6 : tensor<4x10xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<4x10xi32>
    %8 = tensor.empty() : tensor<4x10xi1>
    %9 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%5, %7 : tensor<4x10xi32>, tensor<4x10xi32>) outs(%8 : tensor<4x10xi1>) {
    ^bb0(%in: i32, %in_0: i32, %out: i1):
      %12 = arith.cmpi eq, %in, %in_0 : i32
      linalg.yield %12 : i1
    } -> tensor<4x10xi1>
    %10 = tensor.empty() : tensor<4x10xf32>
    %11 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%9 : tensor<4x10xi1>) outs(%10 : tensor<4x10xf32>) {
    ^bb0(%in: i1, %out: f32):
      %12 = arith.uitofp %in : i1 to f32
      linalg.yield %12 : f32
    } -> tensor<4x10xf32>
    return %11 : tensor<4x10xf32>
  }
  func.func private @log_softmax_0(%arg0: tensor<4x10xf32>, %arg1: tensor<4x1xf32>, %arg2: tensor<4x10xf32>) -> tensor<4x10xf32> {
    %0 = tensor.empty() : tensor<4x10xf32>
    %1 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg2 : tensor<4x10xf32>) outs(%0 : tensor<4x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      %16 = arith.negf %in : f32
      linalg.yield %16 : f32
    } -> tensor<4x10xf32>
    %cst = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_0 = arith.constant 0.000000e+00 : f32
    %2 = tensor.empty() : tensor<4xf32>
    %3 = linalg.fill ins(%cst_0 : f32) outs(%2 : tensor<4xf32>) -> tensor<4xf32>
    %4 = linalg.generic {indexing_maps = [#map1, #map4], iterator_types = ["parallel", "reduction"]} ins(%1 : tensor<4x10xf32>) outs(%3 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %from_elements = tensor.from_elements %in : tensor<f32>
      %from_elements_3 = tensor.from_elements %out : tensor<f32>
      %extracted = tensor.extract %from_elements_3[] : tensor<f32>
      %extracted_4 = tensor.extract %from_elements[] : tensor<f32>
      %16 = arith.addf %extracted, %extracted_4 : f32
      %from_elements_5 = tensor.from_elements %16 : tensor<f32>
      %extracted_6 = tensor.extract %from_elements_5[] : tensor<f32>
      linalg.yield %extracted_6 : f32
    } -> tensor<4xf32>
    %expanded = tensor.expand_shape %4 [[0, 1]] output_shape [4, 1] : tensor<4xf32> into tensor<4x1xf32>
    %5 = tensor.empty() : tensor<4x1xf32>
    %6 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%expanded, %arg1 : tensor<4x1xf32>, tensor<4x1xf32>) outs(%5 : tensor<4x1xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %16 = arith.divf %in, %in_3 : f32
      linalg.yield %16 : f32
    } -> tensor<4x1xf32>
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_2 = arith.constant 0.000000e+00 : f32
    %7 = tensor.empty() : tensor<4xf32>
    %8 = linalg.fill ins(%cst_2 : f32) outs(%7 : tensor<4xf32>) -> tensor<4xf32>
    %9 = linalg.generic {indexing_maps = [#map1, #map4], iterator_types = ["parallel", "reduction"]} ins(%6 : tensor<4x1xf32>) outs(%8 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %from_elements = tensor.from_elements %in : tensor<f32>
      %from_elements_3 = tensor.from_elements %out : tensor<f32>
      %extracted = tensor.extract %from_elements_3[] : tensor<f32>
      %extracted_4 = tensor.extract %from_elements[] : tensor<f32>
      %16 = arith.addf %extracted, %extracted_4 : f32
      %from_elements_5 = tensor.from_elements %16 : tensor<f32>
      %extracted_6 = tensor.extract %from_elements_5[] : tensor<f32>
      linalg.yield %extracted_6 : f32
    } -> tensor<4xf32>
    %10 = tensor.empty() : tensor<4x10xf32>
    %11 = linalg.generic {indexing_maps = [#map4, #map1], iterator_types = ["parallel", "parallel"]} ins(%9 : tensor<4xf32>) outs(%10 : tensor<4x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x10xf32>
    %12 = tensor.empty() : tensor<4x10xf32>
    %13 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%11, %arg0 : tensor<4x10xf32>, tensor<4x10xf32>) outs(%12 : tensor<4x10xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %16 = arith.mulf %in, %in_3 : f32
      linalg.yield %16 : f32
    } -> tensor<4x10xf32>
    %14 = tensor.empty() : tensor<4x10xf32>
    %15 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg2, %13 : tensor<4x10xf32>, tensor<4x10xf32>) outs(%14 : tensor<4x10xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %16 = arith.addf %in, %in_3 : f32
      linalg.yield %16 : f32
    } -> tensor<4x10xf32>
    return %15 : tensor<4x10xf32>
  }
}

