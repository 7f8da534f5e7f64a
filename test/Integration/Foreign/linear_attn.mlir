#map = affine_map<(d0, d1, d2, d3) -> ()>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
#map3 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d4)>
#map4 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map5 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d4, d3)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map8 = affine_map<() -> ()>
#map9 = affine_map<(d0, d1, d2, d3, d4) -> ()>
#map10 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1 + d5, d2, d3, d4)>
#map11 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d5)>
#map12 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3, d4)>
#map13 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1 + d4, d2, d3)>
#map14 = affine_map<(d0, d1, d2, d3, d4) -> (d4)>
module @linear_attn {
  func.func public @main(%arg0: tensor<2x6x2x4xf32>, %arg1: tensor<2x6x2x4xf32>, %arg2: tensor<2x6x2x4xf32>) -> (tensor<2x6x2x4xf32> {jax.result_info = "result"}) {
    %0 = call @elu(%arg0) : (tensor<2x6x2x4xf32>) -> tensor<2x6x2x4xf32>
    %cst = arith.constant dense<1.000000e+00> : tensor<f32>
    %1 = tensor.empty() : tensor<2x6x2x4xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst : tensor<f32>) outs(%1 : tensor<2x6x2x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6x2x4xf32>
    %3 = tensor.empty() : tensor<2x6x2x4xf32>
    %4 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%0, %2 : tensor<2x6x2x4xf32>, tensor<2x6x2x4xf32>) outs(%3 : tensor<2x6x2x4xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %27 = arith.addf %in, %in_4 : f32
      linalg.yield %27 : f32
    } -> tensor<2x6x2x4xf32>
    %5 = call @elu(%arg1) : (tensor<2x6x2x4xf32>) -> tensor<2x6x2x4xf32>
    %cst_0 = arith.constant dense<1.000000e+00> : tensor<f32>
    %6 = tensor.empty() : tensor<2x6x2x4xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_0 : tensor<f32>) outs(%6 : tensor<2x6x2x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6x2x4xf32>
    %8 = tensor.empty() : tensor<2x6x2x4xf32>
    %9 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%5, %7 : tensor<2x6x2x4xf32>, tensor<2x6x2x4xf32>) outs(%8 : tensor<2x6x2x4xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %27 = arith.addf %in, %in_4 : f32
      linalg.yield %27 : f32
    } -> tensor<2x6x2x4xf32>
    %10 = tensor.empty() : tensor<2x6x2x4x4xf32>
    %cst_1 = arith.constant 0.000000e+00 : f32
    %11 = linalg.fill ins(%cst_1 : f32) outs(%10 : tensor<2x6x2x4x4xf32>) -> tensor<2x6x2x4x4xf32>
    %12 = linalg.generic {indexing_maps = [#map2, #map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%9, %arg2 : tensor<2x6x2x4xf32>, tensor<2x6x2x4xf32>) outs(%11 : tensor<2x6x2x4x4xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %27 = arith.mulf %in, %in_4 : f32
      %28 = arith.addf %out, %27 : f32
      linalg.yield %28 : f32
    } -> tensor<2x6x2x4x4xf32>
    %13 = call @cumsum(%12) : (tensor<2x6x2x4x4xf32>) -> tensor<2x6x2x4x4xf32>
    %14 = call @cumsum_2(%9) : (tensor<2x6x2x4xf32>) -> tensor<2x6x2x4xf32>
    %15 = tensor.empty() : tensor<2x6x2x4xf32>
    %cst_2 = arith.constant 0.000000e+00 : f32
    %16 = linalg.fill ins(%cst_2 : f32) outs(%15 : tensor<2x6x2x4xf32>) -> tensor<2x6x2x4xf32>
    %17 = linalg.generic {indexing_maps = [#map3, #map5, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%4, %13 : tensor<2x6x2x4xf32>, tensor<2x6x2x4x4xf32>) outs(%16 : tensor<2x6x2x4xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %27 = arith.mulf %in, %in_4 : f32
      %28 = arith.addf %out, %27 : f32
      linalg.yield %28 : f32
    } -> tensor<2x6x2x4xf32>
    %18 = tensor.empty() : tensor<2x6x2xf32>
    %cst_3 = arith.constant 0.000000e+00 : f32
    %19 = linalg.fill ins(%cst_3 : f32) outs(%18 : tensor<2x6x2xf32>) -> tensor<2x6x2xf32>
    %20 = linalg.generic {indexing_maps = [#map1, #map1, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%4, %14 : tensor<2x6x2x4xf32>, tensor<2x6x2x4xf32>) outs(%19 : tensor<2x6x2xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %27 = arith.mulf %in, %in_4 : f32
      %28 = arith.addf %out, %27 : f32
      linalg.yield %28 : f32
    } -> tensor<2x6x2xf32>
    %21 = tensor.empty() : tensor<2x6x2x1xf32>
    %22 = linalg.generic {indexing_maps = [#map6, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%20 : tensor<2x6x2xf32>) outs(%21 : tensor<2x6x2x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6x2x1xf32>
    %23 = tensor.empty() : tensor<2x6x2x4xf32>
    %24 = linalg.generic {indexing_maps = [#map7, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%22 : tensor<2x6x2x1xf32>) outs(%23 : tensor<2x6x2x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6x2x4xf32>
    %25 = tensor.empty() : tensor<2x6x2x4xf32>
    %26 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%17, %24 : tensor<2x6x2x4xf32>, tensor<2x6x2x4xf32>) outs(%25 : tensor<2x6x2x4xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %27 = arith.divf %in, %in_4 : f32
      linalg.yield %27 : f32
    } -> tensor<2x6x2x4xf32>
    return %26 : tensor<2x6x2x4xf32>
  }
  func.func private @elu(%arg0: tensor<2x6x2x4xf32>) -> tensor<2x6x2x4xf32> {
    %cst = arith.constant dense<0.000000e+00> : tensor<f32>
    %0 = tensor.empty() : tensor<2x6x2x4xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst : tensor<f32>) outs(%0 : tensor<2x6x2x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6x2x4xf32>
    %2 = tensor.empty() : tensor<2x6x2x4xi1>
    %3 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0, %1 : tensor<2x6x2x4xf32>, tensor<2x6x2x4xf32>) outs(%2 : tensor<2x6x2x4xi1>) {
    ^bb0(%in: f32, %in_3: f32, %out: i1):
      %16 = arith.cmpf ogt, %in, %in_3 : f32
      linalg.yield %16 : i1
    } -> tensor<2x6x2x4xi1>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<f32>
    %4 = tensor.empty() : tensor<2x6x2x4xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_0 : tensor<f32>) outs(%4 : tensor<2x6x2x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6x2x4xf32>
    %6 = tensor.empty() : tensor<2x6x2x4xi1>
    %7 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0, %5 : tensor<2x6x2x4xf32>, tensor<2x6x2x4xf32>) outs(%6 : tensor<2x6x2x4xi1>) {
    ^bb0(%in: f32, %in_3: f32, %out: i1):
      %16 = arith.cmpf ogt, %in, %in_3 : f32
      linalg.yield %16 : i1
    } -> tensor<2x6x2x4xi1>
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<f32>
    %8 = call @_where(%7, %cst_1, %arg0) : (tensor<2x6x2x4xi1>, tensor<f32>, tensor<2x6x2x4xf32>) -> tensor<2x6x2x4xf32>
    %9 = tensor.empty() : tensor<2x6x2x4xf32>
    %10 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%8 : tensor<2x6x2x4xf32>) outs(%9 : tensor<2x6x2x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %16 = math.expm1 %in : f32
      linalg.yield %16 : f32
    } -> tensor<2x6x2x4xf32>
    %cst_2 = arith.constant dense<1.000000e+00> : tensor<f32>
    %11 = tensor.empty() : tensor<2x6x2x4xf32>
    %12 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_2 : tensor<f32>) outs(%11 : tensor<2x6x2x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6x2x4xf32>
    %13 = tensor.empty() : tensor<2x6x2x4xf32>
    %14 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%12, %10 : tensor<2x6x2x4xf32>, tensor<2x6x2x4xf32>) outs(%13 : tensor<2x6x2x4xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %16 = arith.mulf %in, %in_3 : f32
      linalg.yield %16 : f32
    } -> tensor<2x6x2x4xf32>
    %15 = call @_where_0(%3, %arg0, %14) : (tensor<2x6x2x4xi1>, tensor<2x6x2x4xf32>, tensor<2x6x2x4xf32>) -> tensor<2x6x2x4xf32>
    return %15 : tensor<2x6x2x4xf32>
  }
  func.func private @_where(%arg0: tensor<2x6x2x4xi1>, %arg1: tensor<f32>, %arg2: tensor<2x6x2x4xf32>) -> tensor<2x6x2x4xf32> {
    %0 = tensor.empty() : tensor<f32>
    %1 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = []} ins(%arg1 : tensor<f32>) outs(%0 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<f32>
    %2 = tensor.empty() : tensor<2x6x2x4xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1 : tensor<f32>) outs(%2 : tensor<2x6x2x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6x2x4xf32>
    %4 = tensor.empty() : tensor<2x6x2x4xf32>
    %5 = linalg.generic {indexing_maps = [#map1, #map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0, %3, %arg2 : tensor<2x6x2x4xi1>, tensor<2x6x2x4xf32>, tensor<2x6x2x4xf32>) outs(%4 : tensor<2x6x2x4xf32>) {
    ^bb0(%in: i1, %in_0: f32, %in_1: f32, %out: f32):
      %6 = arith.select %in, %in_0, %in_1 : f32
      linalg.yield %6 : f32
    } -> tensor<2x6x2x4xf32>
    return %5 : tensor<2x6x2x4xf32>
  }
  func.func private @_where_0(%arg0: tensor<2x6x2x4xi1>, %arg1: tensor<2x6x2x4xf32>, %arg2: tensor<2x6x2x4xf32>) -> tensor<2x6x2x4xf32> {
    %0 = tensor.empty() : tensor<2x6x2x4xf32>
    %1 = linalg.generic {indexing_maps = [#map1, #map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0, %arg1, %arg2 : tensor<2x6x2x4xi1>, tensor<2x6x2x4xf32>, tensor<2x6x2x4xf32>) outs(%0 : tensor<2x6x2x4xf32>) {
    ^bb0(%in: i1, %in_0: f32, %in_1: f32, %out: f32):
      %2 = arith.select %in, %in_0, %in_1 : f32
      linalg.yield %2 : f32
    } -> tensor<2x6x2x4xf32>
    return %1 : tensor<2x6x2x4xf32>
  }
  func.func private @cumsum(%arg0: tensor<2x6x2x4x4xf32>) -> tensor<2x6x2x4x4xf32> {
    %0 = call @cumsum_1(%arg0) : (tensor<2x6x2x4x4xf32>) -> tensor<2x6x2x4x4xf32>
    return %0 : tensor<2x6x2x4x4xf32>
  }
  func.func private @cumsum_1(%arg0: tensor<2x6x2x4x4xf32>) -> tensor<2x6x2x4x4xf32> {
    %cst = arith.constant dense<0.000000e+00> : tensor<f32>
    %0 = tensor.empty() : tensor<f32>
    %1 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = []} ins(%cst : tensor<f32>) outs(%0 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<f32>
    %2 = tensor.empty() : tensor<2x6x2x4x4xf32>
    %3 = linalg.generic {indexing_maps = [#map9, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%1 : tensor<f32>) outs(%2 : tensor<2x6x2x4x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6x2x4x4xf32>
    %extracted = tensor.extract %1[] : tensor<f32>
    %padded = tensor.pad %arg0 low[0, 5, 0, 0, 0] high[0, 0, 0, 0, 0] {
    ^bb0(%arg1: index, %arg2: index, %arg3: index, %arg4: index, %arg5: index):
      tensor.yield %extracted : f32
    } : tensor<2x6x2x4x4xf32> to tensor<2x11x2x4x4xf32>
    %4 = tensor.empty() : tensor<6xf32>
    %5 = linalg.generic {indexing_maps = [#map10, #map11, #map12], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%padded, %4 : tensor<2x11x2x4x4xf32>, tensor<6xf32>) outs(%3 : tensor<2x6x2x4x4xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %from_elements = tensor.from_elements %in : tensor<f32>
      %from_elements_1 = tensor.from_elements %out : tensor<f32>
      %extracted_2 = tensor.extract %from_elements_1[] : tensor<f32>
      %extracted_3 = tensor.extract %from_elements[] : tensor<f32>
      %6 = arith.addf %extracted_2, %extracted_3 : f32
      %from_elements_4 = tensor.from_elements %6 : tensor<f32>
      %extracted_5 = tensor.extract %from_elements_4[] : tensor<f32>
      linalg.yield %extracted_5 : f32
    } -> tensor<2x6x2x4x4xf32>
    return %5 : tensor<2x6x2x4x4xf32>
  }
  func.func private @cumsum_2(%arg0: tensor<2x6x2x4xf32>) -> tensor<2x6x2x4xf32> {
    %0 = call @cumsum_3(%arg0) : (tensor<2x6x2x4xf32>) -> tensor<2x6x2x4xf32>
    return %0 : tensor<2x6x2x4xf32>
  }
  func.func private @cumsum_3(%arg0: tensor<2x6x2x4xf32>) -> tensor<2x6x2x4xf32> {
    %cst = arith.constant dense<0.000000e+00> : tensor<f32>
    %0 = tensor.empty() : tensor<f32>
    %1 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = []} ins(%cst : tensor<f32>) outs(%0 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<f32>
    %2 = tensor.empty() : tensor<2x6x2x4xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1 : tensor<f32>) outs(%2 : tensor<2x6x2x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6x2x4xf32>
    %extracted = tensor.extract %1[] : tensor<f32>
    %padded = tensor.pad %arg0 low[0, 5, 0, 0] high[0, 0, 0, 0] {
    ^bb0(%arg1: index, %arg2: index, %arg3: index, %arg4: index):
      tensor.yield %extracted : f32
    } : tensor<2x6x2x4xf32> to tensor<2x11x2x4xf32>
    %4 = tensor.empty() : tensor<6xf32>
    %5 = linalg.generic {indexing_maps = [#map13, #map14, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%padded, %4 : tensor<2x11x2x4xf32>, tensor<6xf32>) outs(%3 : tensor<2x6x2x4xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %from_elements = tensor.from_elements %in : tensor<f32>
      %from_elements_1 = tensor.from_elements %out : tensor<f32>
      %extracted_2 = tensor.extract %from_elements_1[] : tensor<f32>
      %extracted_3 = tensor.extract %from_elements[] : tensor<f32>
      %6 = arith.addf %extracted_2, %extracted_3 : f32
      %from_elements_4 = tensor.from_elements %6 : tensor<f32>
      %extracted_5 = tensor.extract %from_elements_4[] : tensor<f32>
      linalg.yield %extracted_5 : f32
    } -> tensor<2x6x2x4xf32>
    return %5 : tensor<2x6x2x4xf32>
  }
}
