#map = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d4)>
#map1 = affine_map<(d0, d1, d2, d3, d4) -> (d4, d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d3)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map5 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d1, d4)>
#map6 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d3, d1, d4)>
#map7 = affine_map<(d0, d1, d2, d3) -> ()>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map9 = affine_map<(d0, d1, d2) -> ()>
#map10 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map11 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map12 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d4, d1, d2)>
#map13 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d4)>
#map14 = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3, d1)>
#map15 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d4, d3)>
#map16 = affine_map<(d0, d1, d2, d3, d4) -> (d4, d3, d2)>
#map17 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2)>
#map18 = affine_map<() -> ()>
#map19 = affine_map<(d0, d1, d2, d3) -> (d0, 0, 0, d3)>
module @cross_attn {
  func.func public @main(%arg0: tensor<2x4x8xf32>, %arg1: tensor<2x6x8xf32>, %arg2: tensor<8x2x4xf32>, %arg3: tensor<8x2x4xf32>, %arg4: tensor<8x2x4xf32>, %arg5: tensor<2x4x8xf32>, %arg6: tensor<2x6xi1>) -> (tensor<2x4x8xf32> {jax.result_info = "result"}) {
    %0 = tensor.empty() : tensor<2x4x2x4xf32>
    %cst = arith.constant 0.000000e+00 : f32
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<2x4x2x4xf32>) -> tensor<2x4x2x4xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%arg0, %arg2 : tensor<2x4x8xf32>, tensor<8x2x4xf32>) outs(%1 : tensor<2x4x2x4xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %51 = arith.mulf %in, %in_12 : f32
      %52 = arith.addf %out, %51 : f32
      linalg.yield %52 : f32
    } -> tensor<2x4x2x4xf32>
    %3 = tensor.empty() : tensor<2x6x2x4xf32>
    %cst_0 = arith.constant 0.000000e+00 : f32
    %4 = linalg.fill ins(%cst_0 : f32) outs(%3 : tensor<2x6x2x4xf32>) -> tensor<2x6x2x4xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%arg1, %arg3 : tensor<2x6x8xf32>, tensor<8x2x4xf32>) outs(%4 : tensor<2x6x2x4xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %51 = arith.mulf %in, %in_12 : f32
      %52 = arith.addf %out, %51 : f32
      linalg.yield %52 : f32
    } -> tensor<2x6x2x4xf32>
    %6 = tensor.empty() : tensor<2x6x2x4xf32>
    %cst_1 = arith.constant 0.000000e+00 : f32
    %7 = linalg.fill ins(%cst_1 : f32) outs(%6 : tensor<2x6x2x4xf32>) -> tensor<2x6x2x4xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%arg1, %arg4 : tensor<2x6x8xf32>, tensor<8x2x4xf32>) outs(%7 : tensor<2x6x2x4xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %51 = arith.mulf %in, %in_12 : f32
      %52 = arith.addf %out, %51 : f32
      linalg.yield %52 : f32
    } -> tensor<2x6x2x4xf32>
    %9 = tensor.empty() : tensor<2x1x1x6xi1>
    %10 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg6 : tensor<2x6xi1>) outs(%9 : tensor<2x1x1x6xi1>) {
    ^bb0(%in: i1, %out: i1):
      linalg.yield %in : i1
    } -> tensor<2x1x1x6xi1>
    %11 = tensor.empty() : tensor<2x2x4x6xf32>
    %cst_2 = arith.constant 0.000000e+00 : f32
    %12 = linalg.fill ins(%cst_2 : f32) outs(%11 : tensor<2x2x4x6xf32>) -> tensor<2x2x4x6xf32>
    %13 = linalg.generic {indexing_maps = [#map5, #map6, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%2, %5 : tensor<2x4x2x4xf32>, tensor<2x6x2x4xf32>) outs(%12 : tensor<2x2x4x6xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %51 = arith.mulf %in, %in_12 : f32
      %52 = arith.addf %out, %51 : f32
      linalg.yield %52 : f32
    } -> tensor<2x2x4x6xf32>
    %cst_3 = arith.constant dense<2.000000e+00> : tensor<f32>
    %14 = tensor.empty() : tensor<2x2x4x6xf32>
    %15 = linalg.generic {indexing_maps = [#map7, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_3 : tensor<f32>) outs(%14 : tensor<2x2x4x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x4x6xf32>
    %16 = tensor.empty() : tensor<2x2x4x6xf32>
    %17 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%13, %15 : tensor<2x2x4x6xf32>, tensor<2x2x4x6xf32>) outs(%16 : tensor<2x2x4x6xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %51 = arith.divf %in, %in_12 : f32
      linalg.yield %51 : f32
    } -> tensor<2x2x4x6xf32>
    %cst_4 = arith.constant dense<-1.000000e+09> : tensor<f32>
    %18 = call @_where(%10, %17, %cst_4) : (tensor<2x1x1x6xi1>, tensor<2x2x4x6xf32>, tensor<f32>) -> tensor<2x2x4x6xf32>
    %cst_5 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_6 = arith.constant 0xFF800000 : f32
    %19 = tensor.empty() : tensor<2x2x4xf32>
    %20 = linalg.fill ins(%cst_6 : f32) outs(%19 : tensor<2x2x4xf32>) -> tensor<2x2x4xf32>
    %21 = linalg.generic {indexing_maps = [#map4, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%18 : tensor<2x2x4x6xf32>) outs(%20 : tensor<2x2x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %from_elements = tensor.from_elements %in : tensor<f32>
      %from_elements_12 = tensor.from_elements %out : tensor<f32>
      %extracted = tensor.extract %from_elements_12[] : tensor<f32>
      %extracted_13 = tensor.extract %from_elements[] : tensor<f32>
      %51 = arith.maximumf %extracted, %extracted_13 : f32
      %from_elements_14 = tensor.from_elements %51 : tensor<f32>
      %extracted_15 = tensor.extract %from_elements_14[] : tensor<f32>
      linalg.yield %extracted_15 : f32
    } -> tensor<2x2x4xf32>
    %cst_7 = arith.constant dense<0xFF800000> : tensor<f32>
    %22 = tensor.empty() : tensor<2x2x4xf32>
    %23 = linalg.generic {indexing_maps = [#map9, #map10], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_7 : tensor<f32>) outs(%22 : tensor<2x2x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x4xf32>
    %24 = tensor.empty() : tensor<2x2x4xf32>
    %25 = linalg.generic {indexing_maps = [#map10, #map10, #map10], iterator_types = ["parallel", "parallel", "parallel"]} ins(%23, %21 : tensor<2x2x4xf32>, tensor<2x2x4xf32>) outs(%24 : tensor<2x2x4xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %51 = arith.maximumf %in, %in_12 : f32
      linalg.yield %51 : f32
    } -> tensor<2x2x4xf32>
    %26 = tensor.empty() : tensor<2x2x4x1xf32>
    %27 = linalg.generic {indexing_maps = [#map8, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%25 : tensor<2x2x4xf32>) outs(%26 : tensor<2x2x4x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x4x1xf32>
    %28 = tensor.empty() : tensor<2x2x4x6xf32>
    %29 = linalg.generic {indexing_maps = [#map11, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%27 : tensor<2x2x4x1xf32>) outs(%28 : tensor<2x2x4x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x4x6xf32>
    %30 = tensor.empty() : tensor<2x2x4x6xf32>
    %31 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%18, %29 : tensor<2x2x4x6xf32>, tensor<2x2x4x6xf32>) outs(%30 : tensor<2x2x4x6xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %51 = arith.subf %in, %in_12 : f32
      linalg.yield %51 : f32
    } -> tensor<2x2x4x6xf32>
    %32 = tensor.empty() : tensor<2x2x4x6xf32>
    %33 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%31 : tensor<2x2x4x6xf32>) outs(%32 : tensor<2x2x4x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %51 = math.exp %in : f32
      linalg.yield %51 : f32
    } -> tensor<2x2x4x6xf32>
    %cst_8 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_9 = arith.constant 0.000000e+00 : f32
    %34 = tensor.empty() : tensor<2x2x4xf32>
    %35 = linalg.fill ins(%cst_9 : f32) outs(%34 : tensor<2x2x4xf32>) -> tensor<2x2x4xf32>
    %36 = linalg.generic {indexing_maps = [#map4, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%33 : tensor<2x2x4x6xf32>) outs(%35 : tensor<2x2x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %from_elements = tensor.from_elements %in : tensor<f32>
      %from_elements_12 = tensor.from_elements %out : tensor<f32>
      %extracted = tensor.extract %from_elements_12[] : tensor<f32>
      %extracted_13 = tensor.extract %from_elements[] : tensor<f32>
      %51 = arith.addf %extracted, %extracted_13 : f32
      %from_elements_14 = tensor.from_elements %51 : tensor<f32>
      %extracted_15 = tensor.extract %from_elements_14[] : tensor<f32>
      linalg.yield %extracted_15 : f32
    } -> tensor<2x2x4xf32>
    %37 = tensor.empty() : tensor<2x2x4x1xf32>
    %38 = linalg.generic {indexing_maps = [#map8, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%36 : tensor<2x2x4xf32>) outs(%37 : tensor<2x2x4x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x4x1xf32>
    %39 = tensor.empty() : tensor<2x2x4x6xf32>
    %40 = linalg.generic {indexing_maps = [#map11, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%38 : tensor<2x2x4x1xf32>) outs(%39 : tensor<2x2x4x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x4x6xf32>
    %41 = tensor.empty() : tensor<2x2x4x6xf32>
    %42 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%33, %40 : tensor<2x2x4x6xf32>, tensor<2x2x4x6xf32>) outs(%41 : tensor<2x2x4x6xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %51 = arith.divf %in, %in_12 : f32
      linalg.yield %51 : f32
    } -> tensor<2x2x4x6xf32>
    %43 = tensor.empty() : tensor<2x2x4x4xf32>
    %cst_10 = arith.constant 0.000000e+00 : f32
    %44 = linalg.fill ins(%cst_10 : f32) outs(%43 : tensor<2x2x4x4xf32>) -> tensor<2x2x4x4xf32>
    %45 = linalg.generic {indexing_maps = [#map12, #map13, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%8, %42 : tensor<2x6x2x4xf32>, tensor<2x2x4x6xf32>) outs(%44 : tensor<2x2x4x4xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %51 = arith.mulf %in, %in_12 : f32
      %52 = arith.addf %out, %51 : f32
      linalg.yield %52 : f32
    } -> tensor<2x2x4x4xf32>
    %46 = tensor.empty() : tensor<2x4x2x4xf32>
    %47 = linalg.generic {indexing_maps = [#map14, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%45 : tensor<2x2x4x4xf32>) outs(%46 : tensor<2x4x2x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x4x2x4xf32>
    %48 = tensor.empty() : tensor<2x4x8xf32>
    %cst_11 = arith.constant 0.000000e+00 : f32
    %49 = linalg.fill ins(%cst_11 : f32) outs(%48 : tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
    %50 = linalg.generic {indexing_maps = [#map15, #map16, #map17], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%47, %arg5 : tensor<2x4x2x4xf32>, tensor<2x4x8xf32>) outs(%49 : tensor<2x4x8xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %51 = arith.mulf %in, %in_12 : f32
      %52 = arith.addf %out, %51 : f32
      linalg.yield %52 : f32
    } -> tensor<2x4x8xf32>
    return %50 : tensor<2x4x8xf32>
  }
  func.func private @_where(%arg0: tensor<2x1x1x6xi1>, %arg1: tensor<2x2x4x6xf32>, %arg2: tensor<f32>) -> tensor<2x2x4x6xf32> {
    %0 = tensor.empty() : tensor<f32>
    %1 = linalg.generic {indexing_maps = [#map18, #map18], iterator_types = []} ins(%arg2 : tensor<f32>) outs(%0 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<f32>
    %2 = tensor.empty() : tensor<2x2x4x6xi1>
    %3 = linalg.generic {indexing_maps = [#map19, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0 : tensor<2x1x1x6xi1>) outs(%2 : tensor<2x2x4x6xi1>) {
    ^bb0(%in: i1, %out: i1):
      linalg.yield %in : i1
    } -> tensor<2x2x4x6xi1>
    %4 = tensor.empty() : tensor<2x2x4x6xf32>
    %5 = linalg.generic {indexing_maps = [#map7, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1 : tensor<f32>) outs(%4 : tensor<2x2x4x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x4x6xf32>
    %6 = tensor.empty() : tensor<2x2x4x6xf32>
    %7 = linalg.generic {indexing_maps = [#map4, #map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%3, %arg1, %5 : tensor<2x2x4x6xi1>, tensor<2x2x4x6xf32>, tensor<2x2x4x6xf32>) outs(%6 : tensor<2x2x4x6xf32>) {
    ^bb0(%in: i1, %in_0: f32, %in_1: f32, %out: f32):
      %8 = arith.select %in, %in_0, %in_1 : f32
      linalg.yield %8 : f32
    } -> tensor<2x2x4x6xf32>
    return %7 : tensor<2x2x4x6xf32>
  }
}
