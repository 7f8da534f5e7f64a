#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d3, d2)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map3 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d4)>
#map4 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map5 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d1, d4)>
#map6 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d3, d1, d4)>
#map7 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
#map8 = affine_map<(d0, d1, d2, d3) -> ()>
#map9 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map10 = affine_map<(d0, d1) -> ()>
#map11 = affine_map<(d0, d1) -> (d0, d1)>
#map12 = affine_map<(d0, d1, d2) -> ()>
#map13 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map14 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map15 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d4, d1, d2)>
#map16 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d4)>
#map17 = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3, d1)>
#map18 = affine_map<(d0, d1, d2, d3) -> (d2, d3, d0)>
#map19 = affine_map<(d0, d1, d2, d3) -> (d2, d3, d1)>
#map20 = affine_map<(d0, d1, d2, d3) -> (d0, d1)>
#map21 = affine_map<(d0, d1) -> (d1, d0)>
#map22 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map23 = affine_map<(d0, d1, d2, d3) -> (d0, d3, d1, d2)>
#map24 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d4, d2)>
#map25 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d4, d3)>
#map26 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d4, d1, d3)>
#map27 = affine_map<(d0, d1, d2, d3) -> (d0, d2, d1, d3)>
#map28 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d4, d3)>
#map29 = affine_map<() -> ()>
module @jit_attng {
  func.func public @main(%arg0: tensor<2x5x8xf32>, %arg1: tensor<8x16xf32>, %arg2: tensor<8x8xf32>, %arg3: tensor<8x8xf32>, %arg4: tensor<16x8xf32>) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<8x16xf32> {jax.result_info = "result[1][0]"}, tensor<8x8xf32> {jax.result_info = "result[1][1]"}, tensor<8x8xf32> {jax.result_info = "result[1][2]"}, tensor<16x8xf32> {jax.result_info = "result[1][3]"}) {
    %0 = tensor.empty() : tensor<2x5x16xf32>
    %cst = arith.constant 0.000000e+00 : f32
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<2x5x16xf32>) -> tensor<2x5x16xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<2x5x8xf32>, tensor<8x16xf32>) outs(%1 : tensor<2x5x16xf32>) {
    ^bb0(%in: f32, %in_47: f32, %out: f32):
      %153 = arith.mulf %in, %in_47 : f32
      %154 = arith.addf %out, %153 : f32
      linalg.yield %154 : f32
    } -> tensor<2x5x16xf32>
    %expanded = tensor.expand_shape %2 [[0], [1], [2, 3]] output_shape [2, 5, 4, 4] : tensor<2x5x16xf32> into tensor<2x5x4x4xf32>
    %3 = tensor.empty() : tensor<2x5x8xf32>
    %cst_0 = arith.constant 0.000000e+00 : f32
    %4 = linalg.fill ins(%cst_0 : f32) outs(%3 : tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%arg0, %arg2 : tensor<2x5x8xf32>, tensor<8x8xf32>) outs(%4 : tensor<2x5x8xf32>) {
    ^bb0(%in: f32, %in_47: f32, %out: f32):
      %153 = arith.mulf %in, %in_47 : f32
      %154 = arith.addf %out, %153 : f32
      linalg.yield %154 : f32
    } -> tensor<2x5x8xf32>
    %expanded_1 = tensor.expand_shape %5 [[0], [1], [2, 3]] output_shape [2, 5, 2, 4] : tensor<2x5x8xf32> into tensor<2x5x2x4xf32>
    %6 = tensor.empty() : tensor<2x5x8xf32>
    %cst_2 = arith.constant 0.000000e+00 : f32
    %7 = linalg.fill ins(%cst_2 : f32) outs(%6 : tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%arg0, %arg3 : tensor<2x5x8xf32>, tensor<8x8xf32>) outs(%7 : tensor<2x5x8xf32>) {
    ^bb0(%in: f32, %in_47: f32, %out: f32):
      %153 = arith.mulf %in, %in_47 : f32
      %154 = arith.addf %out, %153 : f32
      linalg.yield %154 : f32
    } -> tensor<2x5x8xf32>
    %expanded_3 = tensor.expand_shape %8 [[0], [1], [2, 3]] output_shape [2, 5, 2, 4] : tensor<2x5x8xf32> into tensor<2x5x2x4xf32>
    %9 = tensor.empty() : tensor<2x5x2x2x4xf32>
    %10 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_1 : tensor<2x5x2x4xf32>) outs(%9 : tensor<2x5x2x2x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x5x2x2x4xf32>
    %collapsed = tensor.collapse_shape %10 [[0], [1], [2, 3], [4]] : tensor<2x5x2x2x4xf32> into tensor<2x5x4x4xf32>
    %11 = tensor.empty() : tensor<2x5x2x2x4xf32>
    %12 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_3 : tensor<2x5x2x4xf32>) outs(%11 : tensor<2x5x2x2x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x5x2x2x4xf32>
    %collapsed_4 = tensor.collapse_shape %12 [[0], [1], [2, 3], [4]] : tensor<2x5x2x2x4xf32> into tensor<2x5x4x4xf32>
    %13 = tensor.empty() : tensor<2x4x5x5xf32>
    %cst_5 = arith.constant 0.000000e+00 : f32
    %14 = linalg.fill ins(%cst_5 : f32) outs(%13 : tensor<2x4x5x5xf32>) -> tensor<2x4x5x5xf32>
    %15 = linalg.generic {indexing_maps = [#map5, #map6, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%expanded, %collapsed : tensor<2x5x4x4xf32>, tensor<2x5x4x4xf32>) outs(%14 : tensor<2x4x5x5xf32>) {
    ^bb0(%in: f32, %in_47: f32, %out: f32):
      %153 = arith.mulf %in, %in_47 : f32
      %154 = arith.addf %out, %153 : f32
      linalg.yield %154 : f32
    } -> tensor<2x4x5x5xf32>
    %cst_6 = arith.constant dense<2.000000e+00> : tensor<f32>
    %16 = tensor.empty() : tensor<2x4x5x5xf32>
    %17 = linalg.generic {indexing_maps = [#map8, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_6 : tensor<f32>) outs(%16 : tensor<2x4x5x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x4x5x5xf32>
    %18 = tensor.empty() : tensor<2x4x5x5xf32>
    %19 = linalg.generic {indexing_maps = [#map9, #map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%15, %17 : tensor<2x4x5x5xf32>, tensor<2x4x5x5xf32>) outs(%18 : tensor<2x4x5x5xf32>) {
    ^bb0(%in: f32, %in_47: f32, %out: f32):
      %153 = arith.divf %in, %in_47 : f32
      linalg.yield %153 : f32
    } -> tensor<2x4x5x5xf32>
    %cst_7 = arith.constant dense<true> : tensor<i1>
    %20 = tensor.empty() : tensor<5x5xi1>
    %21 = linalg.generic {indexing_maps = [#map10, #map11], iterator_types = ["parallel", "parallel"]} ins(%cst_7 : tensor<i1>) outs(%20 : tensor<5x5xi1>) {
    ^bb0(%in: i1, %out: i1):
      linalg.yield %in : i1
    } -> tensor<5x5xi1>
    %22 = call @tril(%21) : (tensor<5x5xi1>) -> tensor<5x5xi1>
    %cst_8 = arith.constant dense<-1.000000e+09> : tensor<f32>
    %23:2 = call @_where(%22, %19, %cst_8) : (tensor<5x5xi1>, tensor<2x4x5x5xf32>, tensor<f32>) -> (tensor<2x4x5x5xf32>, tensor<2x4x5x5xi1>)
    %cst_9 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_10 = arith.constant 0xFF800000 : f32
    %24 = tensor.empty() : tensor<2x4x5xf32>
    %25 = linalg.fill ins(%cst_10 : f32) outs(%24 : tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
    %26 = linalg.generic {indexing_maps = [#map9, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%23#0 : tensor<2x4x5x5xf32>) outs(%25 : tensor<2x4x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %from_elements = tensor.from_elements %in : tensor<f32>
      %from_elements_47 = tensor.from_elements %out : tensor<f32>
      %extracted = tensor.extract %from_elements_47[] : tensor<f32>
      %extracted_48 = tensor.extract %from_elements[] : tensor<f32>
      %153 = arith.maximumf %extracted, %extracted_48 : f32
      %from_elements_49 = tensor.from_elements %153 : tensor<f32>
      %extracted_50 = tensor.extract %from_elements_49[] : tensor<f32>
      linalg.yield %extracted_50 : f32
    } -> tensor<2x4x5xf32>
    %cst_11 = arith.constant dense<0xFF800000> : tensor<f32>
    %27 = tensor.empty() : tensor<2x4x5xf32>
    %28 = linalg.generic {indexing_maps = [#map12, #map13], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_11 : tensor<f32>) outs(%27 : tensor<2x4x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x4x5xf32>
    %29 = tensor.empty() : tensor<2x4x5xf32>
    %30 = linalg.generic {indexing_maps = [#map13, #map13, #map13], iterator_types = ["parallel", "parallel", "parallel"]} ins(%28, %26 : tensor<2x4x5xf32>, tensor<2x4x5xf32>) outs(%29 : tensor<2x4x5xf32>) {
    ^bb0(%in: f32, %in_47: f32, %out: f32):
      %153 = arith.maximumf %in, %in_47 : f32
      linalg.yield %153 : f32
    } -> tensor<2x4x5xf32>
    %31 = tensor.empty() : tensor<2x4x5x1xf32>
    %32 = linalg.generic {indexing_maps = [#map2, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%30 : tensor<2x4x5xf32>) outs(%31 : tensor<2x4x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x4x5x1xf32>
    %33 = tensor.empty() : tensor<2x4x5x5xf32>
    %34 = linalg.generic {indexing_maps = [#map14, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%32 : tensor<2x4x5x1xf32>) outs(%33 : tensor<2x4x5x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x4x5x5xf32>
    %35 = tensor.empty() : tensor<2x4x5x5xf32>
    %36 = linalg.generic {indexing_maps = [#map9, #map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%23#0, %34 : tensor<2x4x5x5xf32>, tensor<2x4x5x5xf32>) outs(%35 : tensor<2x4x5x5xf32>) {
    ^bb0(%in: f32, %in_47: f32, %out: f32):
      %153 = arith.subf %in, %in_47 : f32
      linalg.yield %153 : f32
    } -> tensor<2x4x5x5xf32>
    %37 = tensor.empty() : tensor<2x4x5x5xf32>
    %38 = linalg.generic {indexing_maps = [#map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%36 : tensor<2x4x5x5xf32>) outs(%37 : tensor<2x4x5x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %153 = math.exp %in : f32
      linalg.yield %153 : f32
    } -> tensor<2x4x5x5xf32>
    %cst_12 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_13 = arith.constant 0.000000e+00 : f32
    %39 = tensor.empty() : tensor<2x4x5xf32>
    %40 = linalg.fill ins(%cst_13 : f32) outs(%39 : tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
    %41 = linalg.generic {indexing_maps = [#map9, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%38 : tensor<2x4x5x5xf32>) outs(%40 : tensor<2x4x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %from_elements = tensor.from_elements %in : tensor<f32>
      %from_elements_47 = tensor.from_elements %out : tensor<f32>
      %extracted = tensor.extract %from_elements_47[] : tensor<f32>
      %extracted_48 = tensor.extract %from_elements[] : tensor<f32>
      %153 = arith.addf %extracted, %extracted_48 : f32
      %from_elements_49 = tensor.from_elements %153 : tensor<f32>
      %extracted_50 = tensor.extract %from_elements_49[] : tensor<f32>
      linalg.yield %extracted_50 : f32
    } -> tensor<2x4x5xf32>
    %42 = tensor.empty() : tensor<2x4x5x1xf32>
    %43 = linalg.generic {indexing_maps = [#map2, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%41 : tensor<2x4x5xf32>) outs(%42 : tensor<2x4x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x4x5x1xf32>
    %44 = tensor.empty() : tensor<2x4x5x5xf32>
    %45 = linalg.generic {indexing_maps = [#map14, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%43 : tensor<2x4x5x1xf32>) outs(%44 : tensor<2x4x5x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x4x5x5xf32>
    %46 = tensor.empty() : tensor<2x4x5x5xf32>
    %47 = linalg.generic {indexing_maps = [#map9, #map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%38, %45 : tensor<2x4x5x5xf32>, tensor<2x4x5x5xf32>) outs(%46 : tensor<2x4x5x5xf32>) {
    ^bb0(%in: f32, %in_47: f32, %out: f32):
      %153 = arith.divf %in, %in_47 : f32
      linalg.yield %153 : f32
    } -> tensor<2x4x5x5xf32>
    %48 = tensor.empty() : tensor<2x4x5x1xf32>
    %49 = linalg.generic {indexing_maps = [#map9, #map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%43, %43 : tensor<2x4x5x1xf32>, tensor<2x4x5x1xf32>) outs(%48 : tensor<2x4x5x1xf32>) {
    ^bb0(%in: f32, %in_47: f32, %out: f32):
      %153 = arith.mulf %in, %in_47 : f32
      linalg.yield %153 : f32
    } -> tensor<2x4x5x1xf32>
    %cst_14 = arith.constant dense<1.000000e+00> : tensor<f32>
    %50 = tensor.empty() : tensor<2x4x5x1xf32>
    %51 = linalg.generic {indexing_maps = [#map8, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_14 : tensor<f32>) outs(%50 : tensor<2x4x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x4x5x1xf32>
    %52 = tensor.empty() : tensor<2x4x5x1xf32>
    %53 = linalg.generic {indexing_maps = [#map9, #map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%51, %49 : tensor<2x4x5x1xf32>, tensor<2x4x5x1xf32>) outs(%52 : tensor<2x4x5x1xf32>) {
    ^bb0(%in: f32, %in_47: f32, %out: f32):
      %153 = arith.divf %in, %in_47 : f32
      linalg.yield %153 : f32
    } -> tensor<2x4x5x1xf32>
    %54 = tensor.empty() : tensor<2x4x4x5xf32>
    %cst_15 = arith.constant 0.000000e+00 : f32
    %55 = linalg.fill ins(%cst_15 : f32) outs(%54 : tensor<2x4x4x5xf32>) -> tensor<2x4x4x5xf32>
    %56 = linalg.generic {indexing_maps = [#map15, #map16, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%collapsed_4, %47 : tensor<2x5x4x4xf32>, tensor<2x4x5x5xf32>) outs(%55 : tensor<2x4x4x5xf32>) {
    ^bb0(%in: f32, %in_47: f32, %out: f32):
      %153 = arith.mulf %in, %in_47 : f32
      %154 = arith.addf %out, %153 : f32
      linalg.yield %154 : f32
    } -> tensor<2x4x4x5xf32>
    %57 = tensor.empty() : tensor<2x5x4x4xf32>
    %58 = linalg.generic {indexing_maps = [#map17, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%56 : tensor<2x4x4x5xf32>) outs(%57 : tensor<2x5x4x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x5x4x4xf32>
    %collapsed_16 = tensor.collapse_shape %58 [[0], [1], [2, 3]] : tensor<2x5x4x4xf32> into tensor<2x5x16xf32>
    %59 = tensor.empty() : tensor<2x5x8xf32>
    %cst_17 = arith.constant 0.000000e+00 : f32
    %60 = linalg.fill ins(%cst_17 : f32) outs(%59 : tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
    %61 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%collapsed_16, %arg4 : tensor<2x5x16xf32>, tensor<16x8xf32>) outs(%60 : tensor<2x5x8xf32>) {
    ^bb0(%in: f32, %in_47: f32, %out: f32):
      %153 = arith.mulf %in, %in_47 : f32
      %154 = arith.addf %out, %153 : f32
      linalg.yield %154 : f32
    } -> tensor<2x5x8xf32>
    %62 = tensor.empty() : tensor<2x5x8xf32>
    %63 = linalg.generic {indexing_maps = [#map13, #map13, #map13], iterator_types = ["parallel", "parallel", "parallel"]} ins(%61, %61 : tensor<2x5x8xf32>, tensor<2x5x8xf32>) outs(%62 : tensor<2x5x8xf32>) {
    ^bb0(%in: f32, %in_47: f32, %out: f32):
      %153 = arith.mulf %in, %in_47 : f32
      linalg.yield %153 : f32
    } -> tensor<2x5x8xf32>
    %cst_18 = arith.constant dense<2.000000e+00> : tensor<f32>
    %64 = tensor.empty() : tensor<2x5x8xf32>
    %65 = linalg.generic {indexing_maps = [#map12, #map13], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_18 : tensor<f32>) outs(%64 : tensor<2x5x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x5x8xf32>
    %66 = tensor.empty() : tensor<2x5x8xf32>
    %67 = linalg.generic {indexing_maps = [#map13, #map13, #map13], iterator_types = ["parallel", "parallel", "parallel"]} ins(%65, %61 : tensor<2x5x8xf32>, tensor<2x5x8xf32>) outs(%66 : tensor<2x5x8xf32>) {
    ^bb0(%in: f32, %in_47: f32, %out: f32):
      %153 = arith.mulf %in, %in_47 : f32
      linalg.yield %153 : f32
    } -> tensor<2x5x8xf32>
    %cst_19 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_20 = arith.constant 0.000000e+00 : f32
    %68 = tensor.empty() : tensor<f32>
    %69 = linalg.fill ins(%cst_20 : f32) outs(%68 : tensor<f32>) -> tensor<f32>
    %70 = linalg.generic {indexing_maps = [#map13, #map12], iterator_types = ["reduction", "reduction", "reduction"]} ins(%63 : tensor<2x5x8xf32>) outs(%69 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %from_elements = tensor.from_elements %in : tensor<f32>
      %from_elements_47 = tensor.from_elements %out : tensor<f32>
      %extracted = tensor.extract %from_elements_47[] : tensor<f32>
      %extracted_48 = tensor.extract %from_elements[] : tensor<f32>
      %153 = arith.addf %extracted, %extracted_48 : f32
      %from_elements_49 = tensor.from_elements %153 : tensor<f32>
      %extracted_50 = tensor.extract %from_elements_49[] : tensor<f32>
      linalg.yield %extracted_50 : f32
    } -> tensor<f32>
    %cst_21 = arith.constant dense<1.000000e+00> : tensor<f32>
    %71 = tensor.empty() : tensor<2x5x8xf32>
    %72 = linalg.generic {indexing_maps = [#map12, #map13], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_21 : tensor<f32>) outs(%71 : tensor<2x5x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x5x8xf32>
    %73 = tensor.empty() : tensor<2x5x8xf32>
    %74 = linalg.generic {indexing_maps = [#map13, #map13, #map13], iterator_types = ["parallel", "parallel", "parallel"]} ins(%72, %67 : tensor<2x5x8xf32>, tensor<2x5x8xf32>) outs(%73 : tensor<2x5x8xf32>) {
    ^bb0(%in: f32, %in_47: f32, %out: f32):
      %153 = arith.mulf %in, %in_47 : f32
      linalg.yield %153 : f32
    } -> tensor<2x5x8xf32>
    %75 = tensor.empty() : tensor<8x16xf32>
    %cst_22 = arith.constant 0.000000e+00 : f32
    %76 = linalg.fill ins(%cst_22 : f32) outs(%75 : tensor<8x16xf32>) -> tensor<8x16xf32>
    %77 = linalg.generic {indexing_maps = [#map18, #map19, #map20], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%74, %collapsed_16 : tensor<2x5x8xf32>, tensor<2x5x16xf32>) outs(%76 : tensor<8x16xf32>) {
    ^bb0(%in: f32, %in_47: f32, %out: f32):
      %153 = arith.mulf %in, %in_47 : f32
      %154 = arith.addf %out, %153 : f32
      linalg.yield %154 : f32
    } -> tensor<8x16xf32>
    %78 = tensor.empty() : tensor<16x8xf32>
    %79 = linalg.generic {indexing_maps = [#map21, #map11], iterator_types = ["parallel", "parallel"]} ins(%77 : tensor<8x16xf32>) outs(%78 : tensor<16x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<16x8xf32>
    %80 = tensor.empty() : tensor<2x5x16xf32>
    %cst_23 = arith.constant 0.000000e+00 : f32
    %81 = linalg.fill ins(%cst_23 : f32) outs(%80 : tensor<2x5x16xf32>) -> tensor<2x5x16xf32>
    %82 = linalg.generic {indexing_maps = [#map, #map22, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%74, %arg4 : tensor<2x5x8xf32>, tensor<16x8xf32>) outs(%81 : tensor<2x5x16xf32>) {
    ^bb0(%in: f32, %in_47: f32, %out: f32):
      %153 = arith.mulf %in, %in_47 : f32
      %154 = arith.addf %out, %153 : f32
      linalg.yield %154 : f32
    } -> tensor<2x5x16xf32>
    %expanded_24 = tensor.expand_shape %82 [[0], [1], [2, 3]] output_shape [2, 5, 4, 4] : tensor<2x5x16xf32> into tensor<2x5x4x4xf32>
    %83 = tensor.empty() : tensor<2x4x4x5xf32>
    %84 = linalg.generic {indexing_maps = [#map23, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_24 : tensor<2x5x4x4xf32>) outs(%83 : tensor<2x4x4x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x4x4x5xf32>
    %85 = tensor.empty() : tensor<2x4x5x5xf32>
    %cst_25 = arith.constant 0.000000e+00 : f32
    %86 = linalg.fill ins(%cst_25 : f32) outs(%85 : tensor<2x4x5x5xf32>) -> tensor<2x4x5x5xf32>
    %87 = linalg.generic {indexing_maps = [#map24, #map6, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%84, %collapsed_4 : tensor<2x4x4x5xf32>, tensor<2x5x4x4xf32>) outs(%86 : tensor<2x4x5x5xf32>) {
    ^bb0(%in: f32, %in_47: f32, %out: f32):
      %153 = arith.mulf %in, %in_47 : f32
      %154 = arith.addf %out, %153 : f32
      linalg.yield %154 : f32
    } -> tensor<2x4x5x5xf32>
    %88 = tensor.empty() : tensor<2x4x4x5xf32>
    %cst_26 = arith.constant 0.000000e+00 : f32
    %89 = linalg.fill ins(%cst_26 : f32) outs(%88 : tensor<2x4x4x5xf32>) -> tensor<2x4x4x5xf32>
    %90 = linalg.generic {indexing_maps = [#map3, #map25, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%84, %47 : tensor<2x4x4x5xf32>, tensor<2x4x5x5xf32>) outs(%89 : tensor<2x4x4x5xf32>) {
    ^bb0(%in: f32, %in_47: f32, %out: f32):
      %153 = arith.mulf %in, %in_47 : f32
      %154 = arith.addf %out, %153 : f32
      linalg.yield %154 : f32
    } -> tensor<2x4x4x5xf32>
    %91 = tensor.empty() : tensor<2x5x4x4xf32>
    %92 = linalg.generic {indexing_maps = [#map17, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%90 : tensor<2x4x4x5xf32>) outs(%91 : tensor<2x5x4x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x5x4x4xf32>
    %93 = tensor.empty() : tensor<2x4x5x5xf32>
    %94 = linalg.generic {indexing_maps = [#map14, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%53 : tensor<2x4x5x1xf32>) outs(%93 : tensor<2x4x5x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x4x5x5xf32>
    %95 = tensor.empty() : tensor<2x4x5x5xf32>
    %96 = linalg.generic {indexing_maps = [#map9, #map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%87, %94 : tensor<2x4x5x5xf32>, tensor<2x4x5x5xf32>) outs(%95 : tensor<2x4x5x5xf32>) {
    ^bb0(%in: f32, %in_47: f32, %out: f32):
      %153 = arith.mulf %in, %in_47 : f32
      linalg.yield %153 : f32
    } -> tensor<2x4x5x5xf32>
    %97 = tensor.empty() : tensor<2x4x5x5xf32>
    %98 = linalg.generic {indexing_maps = [#map9, #map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%96, %38 : tensor<2x4x5x5xf32>, tensor<2x4x5x5xf32>) outs(%97 : tensor<2x4x5x5xf32>) {
    ^bb0(%in: f32, %in_47: f32, %out: f32):
      %153 = arith.mulf %in, %in_47 : f32
      linalg.yield %153 : f32
    } -> tensor<2x4x5x5xf32>
    %cst_27 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_28 = arith.constant 0.000000e+00 : f32
    %99 = tensor.empty() : tensor<2x4x5xf32>
    %100 = linalg.fill ins(%cst_28 : f32) outs(%99 : tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
    %101 = linalg.generic {indexing_maps = [#map9, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%98 : tensor<2x4x5x5xf32>) outs(%100 : tensor<2x4x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %from_elements = tensor.from_elements %in : tensor<f32>
      %from_elements_47 = tensor.from_elements %out : tensor<f32>
      %extracted = tensor.extract %from_elements_47[] : tensor<f32>
      %extracted_48 = tensor.extract %from_elements[] : tensor<f32>
      %153 = arith.addf %extracted, %extracted_48 : f32
      %from_elements_49 = tensor.from_elements %153 : tensor<f32>
      %extracted_50 = tensor.extract %from_elements_49[] : tensor<f32>
      linalg.yield %extracted_50 : f32
    } -> tensor<2x4x5xf32>
    %expanded_29 = tensor.expand_shape %101 [[0], [1], [2, 3]] output_shape [2, 4, 5, 1] : tensor<2x4x5xf32> into tensor<2x4x5x1xf32>
    %102 = tensor.empty() : tensor<2x4x5x1xf32>
    %103 = linalg.generic {indexing_maps = [#map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_29 : tensor<2x4x5x1xf32>) outs(%102 : tensor<2x4x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %153 = arith.negf %in : f32
      linalg.yield %153 : f32
    } -> tensor<2x4x5x1xf32>
    %104 = tensor.empty() : tensor<2x4x5x5xf32>
    %105 = linalg.generic {indexing_maps = [#map14, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%43 : tensor<2x4x5x1xf32>) outs(%104 : tensor<2x4x5x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x4x5x5xf32>
    %106 = tensor.empty() : tensor<2x4x5x5xf32>
    %107 = linalg.generic {indexing_maps = [#map9, #map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%87, %105 : tensor<2x4x5x5xf32>, tensor<2x4x5x5xf32>) outs(%106 : tensor<2x4x5x5xf32>) {
    ^bb0(%in: f32, %in_47: f32, %out: f32):
      %153 = arith.divf %in, %in_47 : f32
      linalg.yield %153 : f32
    } -> tensor<2x4x5x5xf32>
    %cst_30 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_31 = arith.constant 0.000000e+00 : f32
    %108 = tensor.empty() : tensor<2x4x5xf32>
    %109 = linalg.fill ins(%cst_31 : f32) outs(%108 : tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
    %110 = linalg.generic {indexing_maps = [#map9, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%103 : tensor<2x4x5x1xf32>) outs(%109 : tensor<2x4x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %from_elements = tensor.from_elements %in : tensor<f32>
      %from_elements_47 = tensor.from_elements %out : tensor<f32>
      %extracted = tensor.extract %from_elements_47[] : tensor<f32>
      %extracted_48 = tensor.extract %from_elements[] : tensor<f32>
      %153 = arith.addf %extracted, %extracted_48 : f32
      %from_elements_49 = tensor.from_elements %153 : tensor<f32>
      %extracted_50 = tensor.extract %from_elements_49[] : tensor<f32>
      linalg.yield %extracted_50 : f32
    } -> tensor<2x4x5xf32>
    %111 = tensor.empty() : tensor<2x4x5x5xf32>
    %112 = linalg.generic {indexing_maps = [#map2, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%110 : tensor<2x4x5xf32>) outs(%111 : tensor<2x4x5x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x4x5x5xf32>
    %113 = tensor.empty() : tensor<2x4x5x5xf32>
    %114 = linalg.generic {indexing_maps = [#map9, #map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%107, %112 : tensor<2x4x5x5xf32>, tensor<2x4x5x5xf32>) outs(%113 : tensor<2x4x5x5xf32>) {
    ^bb0(%in: f32, %in_47: f32, %out: f32):
      %153 = arith.addf %in, %in_47 : f32
      linalg.yield %153 : f32
    } -> tensor<2x4x5x5xf32>
    %115 = tensor.empty() : tensor<2x4x5x5xf32>
    %116 = linalg.generic {indexing_maps = [#map9, #map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%114, %38 : tensor<2x4x5x5xf32>, tensor<2x4x5x5xf32>) outs(%115 : tensor<2x4x5x5xf32>) {
    ^bb0(%in: f32, %in_47: f32, %out: f32):
      %153 = arith.mulf %in, %in_47 : f32
      linalg.yield %153 : f32
    } -> tensor<2x4x5x5xf32>
    %117 = call @_where_0(%23#1, %116) : (tensor<2x4x5x5xi1>, tensor<2x4x5x5xf32>) -> tensor<2x4x5x5xf32>
    %cst_32 = arith.constant dense<2.000000e+00> : tensor<f32>
    %118 = tensor.empty() : tensor<2x4x5x5xf32>
    %119 = linalg.generic {indexing_maps = [#map8, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_32 : tensor<f32>) outs(%118 : tensor<2x4x5x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x4x5x5xf32>
    %120 = tensor.empty() : tensor<2x4x5x5xf32>
    %121 = linalg.generic {indexing_maps = [#map9, #map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%117, %119 : tensor<2x4x5x5xf32>, tensor<2x4x5x5xf32>) outs(%120 : tensor<2x4x5x5xf32>) {
    ^bb0(%in: f32, %in_47: f32, %out: f32):
      %153 = arith.divf %in, %in_47 : f32
      linalg.yield %153 : f32
    } -> tensor<2x4x5x5xf32>
    %122 = tensor.empty() : tensor<2x4x5x4xf32>
    %cst_33 = arith.constant 0.000000e+00 : f32
    %123 = linalg.fill ins(%cst_33 : f32) outs(%122 : tensor<2x4x5x4xf32>) -> tensor<2x4x5x4xf32>
    %124 = linalg.generic {indexing_maps = [#map24, #map26, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%121, %expanded : tensor<2x4x5x5xf32>, tensor<2x5x4x4xf32>) outs(%123 : tensor<2x4x5x4xf32>) {
    ^bb0(%in: f32, %in_47: f32, %out: f32):
      %153 = arith.mulf %in, %in_47 : f32
      %154 = arith.addf %out, %153 : f32
      linalg.yield %154 : f32
    } -> tensor<2x4x5x4xf32>
    %125 = tensor.empty() : tensor<2x5x4x4xf32>
    %126 = linalg.generic {indexing_maps = [#map27, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%124 : tensor<2x4x5x4xf32>) outs(%125 : tensor<2x5x4x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x5x4x4xf32>
    %127 = tensor.empty() : tensor<2x4x5x4xf32>
    %cst_34 = arith.constant 0.000000e+00 : f32
    %128 = linalg.fill ins(%cst_34 : f32) outs(%127 : tensor<2x4x5x4xf32>) -> tensor<2x4x5x4xf32>
    %129 = linalg.generic {indexing_maps = [#map3, #map26, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%121, %collapsed : tensor<2x4x5x5xf32>, tensor<2x5x4x4xf32>) outs(%128 : tensor<2x4x5x4xf32>) {
    ^bb0(%in: f32, %in_47: f32, %out: f32):
      %153 = arith.mulf %in, %in_47 : f32
      %154 = arith.addf %out, %153 : f32
      linalg.yield %154 : f32
    } -> tensor<2x4x5x4xf32>
    %130 = tensor.empty() : tensor<2x5x4x4xf32>
    %131 = linalg.generic {indexing_maps = [#map27, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%129 : tensor<2x4x5x4xf32>) outs(%130 : tensor<2x5x4x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x5x4x4xf32>
    %expanded_35 = tensor.expand_shape %92 [[0], [1], [2, 3], [4]] output_shape [2, 5, 2, 2, 4] : tensor<2x5x4x4xf32> into tensor<2x5x2x2x4xf32>
    %cst_36 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_37 = arith.constant 0.000000e+00 : f32
    %132 = tensor.empty() : tensor<2x5x2x4xf32>
    %133 = linalg.fill ins(%cst_37 : f32) outs(%132 : tensor<2x5x2x4xf32>) -> tensor<2x5x2x4xf32>
    %134 = linalg.generic {indexing_maps = [#map28, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%expanded_35 : tensor<2x5x2x2x4xf32>) outs(%133 : tensor<2x5x2x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %from_elements = tensor.from_elements %in : tensor<f32>
      %from_elements_47 = tensor.from_elements %out : tensor<f32>
      %extracted = tensor.extract %from_elements_47[] : tensor<f32>
      %extracted_48 = tensor.extract %from_elements[] : tensor<f32>
      %153 = arith.addf %extracted, %extracted_48 : f32
      %from_elements_49 = tensor.from_elements %153 : tensor<f32>
      %extracted_50 = tensor.extract %from_elements_49[] : tensor<f32>
      linalg.yield %extracted_50 : f32
    } -> tensor<2x5x2x4xf32>
    %expanded_38 = tensor.expand_shape %126 [[0], [1], [2, 3], [4]] output_shape [2, 5, 2, 2, 4] : tensor<2x5x4x4xf32> into tensor<2x5x2x2x4xf32>
    %cst_39 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_40 = arith.constant 0.000000e+00 : f32
    %135 = tensor.empty() : tensor<2x5x2x4xf32>
    %136 = linalg.fill ins(%cst_40 : f32) outs(%135 : tensor<2x5x2x4xf32>) -> tensor<2x5x2x4xf32>
    %137 = linalg.generic {indexing_maps = [#map28, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%expanded_38 : tensor<2x5x2x2x4xf32>) outs(%136 : tensor<2x5x2x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %from_elements = tensor.from_elements %in : tensor<f32>
      %from_elements_47 = tensor.from_elements %out : tensor<f32>
      %extracted = tensor.extract %from_elements_47[] : tensor<f32>
      %extracted_48 = tensor.extract %from_elements[] : tensor<f32>
      %153 = arith.addf %extracted, %extracted_48 : f32
      %from_elements_49 = tensor.from_elements %153 : tensor<f32>
      %extracted_50 = tensor.extract %from_elements_49[] : tensor<f32>
      linalg.yield %extracted_50 : f32
    } -> tensor<2x5x2x4xf32>
    %collapsed_41 = tensor.collapse_shape %134 [[0], [1], [2, 3]] : tensor<2x5x2x4xf32> into tensor<2x5x8xf32>
    %138 = tensor.empty() : tensor<8x8xf32>
    %cst_42 = arith.constant 0.000000e+00 : f32
    %139 = linalg.fill ins(%cst_42 : f32) outs(%138 : tensor<8x8xf32>) -> tensor<8x8xf32>
    %140 = linalg.generic {indexing_maps = [#map18, #map19, #map20], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%collapsed_41, %arg0 : tensor<2x5x8xf32>, tensor<2x5x8xf32>) outs(%139 : tensor<8x8xf32>) {
    ^bb0(%in: f32, %in_47: f32, %out: f32):
      %153 = arith.mulf %in, %in_47 : f32
      %154 = arith.addf %out, %153 : f32
      linalg.yield %154 : f32
    } -> tensor<8x8xf32>
    %141 = tensor.empty() : tensor<8x8xf32>
    %142 = linalg.generic {indexing_maps = [#map21, #map11], iterator_types = ["parallel", "parallel"]} ins(%140 : tensor<8x8xf32>) outs(%141 : tensor<8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x8xf32>
    %collapsed_43 = tensor.collapse_shape %137 [[0], [1], [2, 3]] : tensor<2x5x2x4xf32> into tensor<2x5x8xf32>
    %143 = tensor.empty() : tensor<8x8xf32>
    %cst_44 = arith.constant 0.000000e+00 : f32
    %144 = linalg.fill ins(%cst_44 : f32) outs(%143 : tensor<8x8xf32>) -> tensor<8x8xf32>
    %145 = linalg.generic {indexing_maps = [#map18, #map19, #map20], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%collapsed_43, %arg0 : tensor<2x5x8xf32>, tensor<2x5x8xf32>) outs(%144 : tensor<8x8xf32>) {
    ^bb0(%in: f32, %in_47: f32, %out: f32):
      %153 = arith.mulf %in, %in_47 : f32
      %154 = arith.addf %out, %153 : f32
      linalg.yield %154 : f32
    } -> tensor<8x8xf32>
    %146 = tensor.empty() : tensor<8x8xf32>
    %147 = linalg.generic {indexing_maps = [#map21, #map11], iterator_types = ["parallel", "parallel"]} ins(%145 : tensor<8x8xf32>) outs(%146 : tensor<8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x8xf32>
    %collapsed_45 = tensor.collapse_shape %131 [[0], [1], [2, 3]] : tensor<2x5x4x4xf32> into tensor<2x5x16xf32>
    %148 = tensor.empty() : tensor<16x8xf32>
    %cst_46 = arith.constant 0.000000e+00 : f32
    %149 = linalg.fill ins(%cst_46 : f32) outs(%148 : tensor<16x8xf32>) -> tensor<16x8xf32>
    %150 = linalg.generic {indexing_maps = [#map18, #map19, #map20], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%collapsed_45, %arg0 : tensor<2x5x16xf32>, tensor<2x5x8xf32>) outs(%149 : tensor<16x8xf32>) {
    ^bb0(%in: f32, %in_47: f32, %out: f32):
      %153 = arith.mulf %in, %in_47 : f32
      %154 = arith.addf %out, %153 : f32
      linalg.yield %154 : f32
    } -> tensor<16x8xf32>
    %151 = tensor.empty() : tensor<8x16xf32>
    %152 = linalg.generic {indexing_maps = [#map21, #map11], iterator_types = ["parallel", "parallel"]} ins(%150 : tensor<16x8xf32>) outs(%151 : tensor<8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x16xf32>
    return %70, %152, %147, %142, %79 : tensor<f32>, tensor<8x16xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<16x8xf32>
  }
  func.func private @tril(%arg0: tensor<5x5xi1>) -> tensor<5x5xi1> {
    %0 = tensor.empty() : tensor<5x5xi32>
    %1 = linalg.generic {indexing_maps = [#map11], iterator_types = ["parallel", "parallel"]} outs(%0 : tensor<5x5xi32>) {
    ^bb0(%out: i32):
      %14 = linalg.index 0 : index
      %15 = arith.index_cast %14 : index to i32
      linalg.yield %15 : i32
    } -> tensor<5x5xi32>
    %cst = arith.constant dense<0> : tensor<i32>
    %2 = tensor.empty() : tensor<5x5xi32>
    %3 = linalg.generic {indexing_maps = [#map10, #map11], iterator_types = ["parallel", "parallel"]} ins(%cst : tensor<i32>) outs(%2 : tensor<5x5xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<5x5xi32>
    %4 = tensor.empty() : tensor<5x5xi32>
    %5 = linalg.generic {indexing_maps = [#map11, #map11, #map11], iterator_types = ["parallel", "parallel"]} ins(%1, %3 : tensor<5x5xi32>, tensor<5x5xi32>) outs(%4 : tensor<5x5xi32>) {
    ^bb0(%in: i32, %in_1: i32, %out: i32):
      %14 = arith.addi %in, %in_1 : i32
      linalg.yield %14 : i32
    } -> tensor<5x5xi32>
    %6 = tensor.empty() : tensor<5x5xi32>
    %7 = linalg.generic {indexing_maps = [#map11], iterator_types = ["parallel", "parallel"]} outs(%6 : tensor<5x5xi32>) {
    ^bb0(%out: i32):
      %14 = linalg.index 1 : index
      %15 = arith.index_cast %14 : index to i32
      linalg.yield %15 : i32
    } -> tensor<5x5xi32>
    %8 = tensor.empty() : tensor<5x5xi1>
    %9 = linalg.generic {indexing_maps = [#map11, #map11, #map11], iterator_types = ["parallel", "parallel"]} ins(%5, %7 : tensor<5x5xi32>, tensor<5x5xi32>) outs(%8 : tensor<5x5xi1>) {
    ^bb0(%in: i32, %in_1: i32, %out: i1):
      %14 = arith.cmpi sge, %in, %in_1 : i32
      linalg.yield %14 : i1
    } -> tensor<5x5xi1>
    %cst_0 = arith.constant dense<false> : tensor<i1>
    %10 = tensor.empty() : tensor<5x5xi1>
    %11 = linalg.generic {indexing_maps = [#map10, #map11], iterator_types = ["parallel", "parallel"]} ins(%cst_0 : tensor<i1>) outs(%10 : tensor<5x5xi1>) {
    ^bb0(%in: i1, %out: i1):
      linalg.yield %in : i1
    } -> tensor<5x5xi1>
    %12 = tensor.empty() : tensor<5x5xi1>
    %13 = linalg.generic {indexing_maps = [#map11, #map11, #map11, #map11], iterator_types = ["parallel", "parallel"]} ins(%9, %arg0, %11 : tensor<5x5xi1>, tensor<5x5xi1>, tensor<5x5xi1>) outs(%12 : tensor<5x5xi1>) {
    ^bb0(%in: i1, %in_1: i1, %in_2: i1, %out: i1):
      %14 = arith.select %in, %in_1, %in_2 : i1
      linalg.yield %14 : i1
    } -> tensor<5x5xi1>
    return %13 : tensor<5x5xi1>
  }
  func.func private @_where(%arg0: tensor<5x5xi1>, %arg1: tensor<2x4x5x5xf32>, %arg2: tensor<f32>) -> (tensor<2x4x5x5xf32>, tensor<2x4x5x5xi1>) {
    %0 = tensor.empty() : tensor<f32>
    %1 = linalg.generic {indexing_maps = [#map29, #map29], iterator_types = []} ins(%arg2 : tensor<f32>) outs(%0 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<f32>
    %2 = tensor.empty() : tensor<2x4x5x5xi1>
    %3 = linalg.generic {indexing_maps = [#map22, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0 : tensor<5x5xi1>) outs(%2 : tensor<2x4x5x5xi1>) {
    ^bb0(%in: i1, %out: i1):
      linalg.yield %in : i1
    } -> tensor<2x4x5x5xi1>
    %4 = tensor.empty() : tensor<2x4x5x5xf32>
    %5 = linalg.generic {indexing_maps = [#map8, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1 : tensor<f32>) outs(%4 : tensor<2x4x5x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x4x5x5xf32>
    %6 = tensor.empty() : tensor<2x4x5x5xf32>
    %7 = linalg.generic {indexing_maps = [#map9, #map9, #map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%3, %arg1, %5 : tensor<2x4x5x5xi1>, tensor<2x4x5x5xf32>, tensor<2x4x5x5xf32>) outs(%6 : tensor<2x4x5x5xf32>) {
    ^bb0(%in: i1, %in_0: f32, %in_1: f32, %out: f32):
      %8 = arith.select %in, %in_0, %in_1 : f32
      linalg.yield %8 : f32
    } -> tensor<2x4x5x5xf32>
    return %7, %3 : tensor<2x4x5x5xf32>, tensor<2x4x5x5xi1>
  }
  func.func private @_where_0(%arg0: tensor<2x4x5x5xi1>, %arg1: tensor<2x4x5x5xf32>) -> tensor<2x4x5x5xf32> {
    %cst = arith.constant dense<0.000000e+00> : tensor<f32>
    %0 = tensor.empty() : tensor<2x4x5x5xf32>
    %1 = linalg.generic {indexing_maps = [#map8, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst : tensor<f32>) outs(%0 : tensor<2x4x5x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x4x5x5xf32>
    %2 = tensor.empty() : tensor<2x4x5x5xf32>
    %3 = linalg.generic {indexing_maps = [#map9, #map9, #map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0, %arg1, %1 : tensor<2x4x5x5xi1>, tensor<2x4x5x5xf32>, tensor<2x4x5x5xf32>) outs(%2 : tensor<2x4x5x5xf32>) {
    ^bb0(%in: i1, %in_0: f32, %in_1: f32, %out: f32):
      %4 = arith.select %in, %in_0, %in_1 : f32
      linalg.yield %4 : f32
    } -> tensor<2x4x5x5xf32>
    return %3 : tensor<2x4x5x5xf32>
  }
}

