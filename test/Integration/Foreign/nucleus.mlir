#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
#map2 = affine_map<(d0) -> ()>
#map3 = affine_map<(d0) -> (d0)>
#map4 = affine_map<(d0, d1) -> (d0, 0)>
#map5 = affine_map<(d0, d1, d2) -> (d0, d2)>
#map6 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map7 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map8 = affine_map<(d0, d1, d2) -> (d0, 0, d2)>
#map9 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map10 = affine_map<(d0, d1) -> ()>
#map11 = affine_map<() -> ()>
#map12 = affine_map<(d0, d1, d2) -> ()>
#map13 = affine_map<(d0, d1, d2) -> (d0, d1 + d2)>
#map14 = affine_map<(d0, d1, d2) -> (d2)>
module @nucleus {
  func.func public @main(%arg0: tensor<3x12xf32>, %arg1: tensor<3xf32>) -> (tensor<3xi32> {jax.result_info = "result"}) {
    %cst = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_0 = arith.constant 0xFF800000 : f32
    %0 = tensor.empty() : tensor<3xf32>
    %1 = linalg.fill ins(%cst_0 : f32) outs(%0 : tensor<3xf32>) -> tensor<3xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%arg0 : tensor<3x12xf32>) outs(%1 : tensor<3xf32>) {
    ^bb0(%in: f32, %out: f32):
      %from_elements = tensor.from_elements %in : tensor<f32>
      %from_elements_12 = tensor.from_elements %out : tensor<f32>
      %extracted = tensor.extract %from_elements_12[] : tensor<f32>
      %extracted_13 = tensor.extract %from_elements[] : tensor<f32>
      %66 = arith.maximumf %extracted, %extracted_13 : f32
      %from_elements_14 = tensor.from_elements %66 : tensor<f32>
      %extracted_15 = tensor.extract %from_elements_14[] : tensor<f32>
      linalg.yield %extracted_15 : f32
    } -> tensor<3xf32>
    %cst_1 = arith.constant dense<0xFF800000> : tensor<f32>
    %3 = tensor.empty() : tensor<3xf32>
    %4 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel"]} ins(%cst_1 : tensor<f32>) outs(%3 : tensor<3xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3xf32>
    %5 = tensor.empty() : tensor<3xf32>
    %6 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel"]} ins(%4, %2 : tensor<3xf32>, tensor<3xf32>) outs(%5 : tensor<3xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %66 = arith.maximumf %in, %in_12 : f32
      linalg.yield %66 : f32
    } -> tensor<3xf32>
    %7 = tensor.empty() : tensor<3x1xf32>
    %8 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%6 : tensor<3xf32>) outs(%7 : tensor<3x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x1xf32>
    %9 = tensor.empty() : tensor<3x12xf32>
    %10 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel"]} ins(%8 : tensor<3x1xf32>) outs(%9 : tensor<3x12xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x12xf32>
    %11 = tensor.empty() : tensor<3x12xf32>
    %12 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %10 : tensor<3x12xf32>, tensor<3x12xf32>) outs(%11 : tensor<3x12xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %66 = arith.subf %in, %in_12 : f32
      linalg.yield %66 : f32
    } -> tensor<3x12xf32>
    %13 = tensor.empty() : tensor<3x12xf32>
    %14 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%12 : tensor<3x12xf32>) outs(%13 : tensor<3x12xf32>) {
    ^bb0(%in: f32, %out: f32):
      %66 = math.exp %in : f32
      linalg.yield %66 : f32
    } -> tensor<3x12xf32>
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_3 = arith.constant 0.000000e+00 : f32
    %15 = tensor.empty() : tensor<3xf32>
    %16 = linalg.fill ins(%cst_3 : f32) outs(%15 : tensor<3xf32>) -> tensor<3xf32>
    %17 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%14 : tensor<3x12xf32>) outs(%16 : tensor<3xf32>) {
    ^bb0(%in: f32, %out: f32):
      %from_elements = tensor.from_elements %in : tensor<f32>
      %from_elements_12 = tensor.from_elements %out : tensor<f32>
      %extracted = tensor.extract %from_elements_12[] : tensor<f32>
      %extracted_13 = tensor.extract %from_elements[] : tensor<f32>
      %66 = arith.addf %extracted, %extracted_13 : f32
      %from_elements_14 = tensor.from_elements %66 : tensor<f32>
      %extracted_15 = tensor.extract %from_elements_14[] : tensor<f32>
      linalg.yield %extracted_15 : f32
    } -> tensor<3xf32>
    %18 = tensor.empty() : tensor<3x1xf32>
    %19 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%17 : tensor<3xf32>) outs(%18 : tensor<3x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x1xf32>
    %20 = tensor.empty() : tensor<3x12xf32>
    %21 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel"]} ins(%19 : tensor<3x1xf32>) outs(%20 : tensor<3x12xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x12xf32>
    %22 = tensor.empty() : tensor<3x12xf32>
    %23 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%14, %21 : tensor<3x12xf32>, tensor<3x12xf32>) outs(%22 : tensor<3x12xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %66 = arith.divf %in, %in_12 : f32
      linalg.yield %66 : f32
    } -> tensor<3x12xf32>
    %24 = tensor.empty() : tensor<3x1x12xf32>
    %25 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%23 : tensor<3x12xf32>) outs(%24 : tensor<3x1x12xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x1x12xf32>
    %26 = tensor.empty() : tensor<3x12x1xf32>
    %27 = linalg.generic {indexing_maps = [#map7, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%23 : tensor<3x12xf32>) outs(%26 : tensor<3x12x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x12x1xf32>
    %28 = tensor.empty() : tensor<3x12x12xf32>
    %29 = linalg.generic {indexing_maps = [#map8, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%25 : tensor<3x1x12xf32>) outs(%28 : tensor<3x12x12xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x12x12xf32>
    %30 = tensor.empty() : tensor<3x12x12xf32>
    %31 = linalg.generic {indexing_maps = [#map9, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%27 : tensor<3x12x1xf32>) outs(%30 : tensor<3x12x12xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x12x12xf32>
    %32 = tensor.empty() : tensor<3x12x12xi1>
    %33 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%29, %31 : tensor<3x12x12xf32>, tensor<3x12x12xf32>) outs(%32 : tensor<3x12x12xi1>) {
    ^bb0(%in: f32, %in_12: f32, %out: i1):
      %66 = arith.cmpf ogt, %in, %in_12 : f32
      linalg.yield %66 : i1
    } -> tensor<3x12x12xi1>
    %34 = tensor.empty() : tensor<3x1x12xf32>
    %35 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%23 : tensor<3x12xf32>) outs(%34 : tensor<3x1x12xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x1x12xf32>
    %cst_4 = arith.constant dense<0> : tensor<i32>
    %36 = call @_where(%33, %35, %cst_4) : (tensor<3x12x12xi1>, tensor<3x1x12xf32>, tensor<i32>) -> tensor<3x12x12xf32>
    %cst_5 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_6 = arith.constant 0.000000e+00 : f32
    %37 = tensor.empty() : tensor<3x12xf32>
    %38 = linalg.fill ins(%cst_6 : f32) outs(%37 : tensor<3x12xf32>) -> tensor<3x12xf32>
    %39 = linalg.generic {indexing_maps = [#map6, #map7], iterator_types = ["parallel", "parallel", "reduction"]} ins(%36 : tensor<3x12x12xf32>) outs(%38 : tensor<3x12xf32>) {
    ^bb0(%in: f32, %out: f32):
      %from_elements = tensor.from_elements %in : tensor<f32>
      %from_elements_12 = tensor.from_elements %out : tensor<f32>
      %extracted = tensor.extract %from_elements_12[] : tensor<f32>
      %extracted_13 = tensor.extract %from_elements[] : tensor<f32>
      %66 = arith.addf %extracted, %extracted_13 : f32
      %from_elements_14 = tensor.from_elements %66 : tensor<f32>
      %extracted_15 = tensor.extract %from_elements_14[] : tensor<f32>
      linalg.yield %extracted_15 : f32
    } -> tensor<3x12xf32>
    %cst_7 = arith.constant dense<8.000000e-01> : tensor<f32>
    %40 = tensor.empty() : tensor<3x12xf32>
    %41 = linalg.generic {indexing_maps = [#map10, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_7 : tensor<f32>) outs(%40 : tensor<3x12xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x12xf32>
    %42 = tensor.empty() : tensor<3x12xi1>
    %43 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%39, %41 : tensor<3x12xf32>, tensor<3x12xf32>) outs(%42 : tensor<3x12xi1>) {
    ^bb0(%in: f32, %in_12: f32, %out: i1):
      %66 = arith.cmpf olt, %in, %in_12 : f32
      linalg.yield %66 : i1
    } -> tensor<3x12xi1>
    %cst_8 = arith.constant dense<0> : tensor<i32>
    %44 = call @_where_0(%43, %23, %cst_8) : (tensor<3x12xi1>, tensor<3x12xf32>, tensor<i32>) -> tensor<3x12xf32>
    %cst_9 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_10 = arith.constant 0.000000e+00 : f32
    %45 = tensor.empty() : tensor<3xf32>
    %46 = linalg.fill ins(%cst_10 : f32) outs(%45 : tensor<3xf32>) -> tensor<3xf32>
    %47 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%44 : tensor<3x12xf32>) outs(%46 : tensor<3xf32>) {
    ^bb0(%in: f32, %out: f32):
      %from_elements = tensor.from_elements %in : tensor<f32>
      %from_elements_12 = tensor.from_elements %out : tensor<f32>
      %extracted = tensor.extract %from_elements_12[] : tensor<f32>
      %extracted_13 = tensor.extract %from_elements[] : tensor<f32>
      %66 = arith.addf %extracted, %extracted_13 : f32
      %from_elements_14 = tensor.from_elements %66 : tensor<f32>
      %extracted_15 = tensor.extract %from_elements_14[] : tensor<f32>
      linalg.yield %extracted_15 : f32
    } -> tensor<3xf32>
    %48 = tensor.empty() : tensor<3x1xf32>
    %49 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%47 : tensor<3xf32>) outs(%48 : tensor<3x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x1xf32>
    %50 = tensor.empty() : tensor<3x12xf32>
    %51 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel"]} ins(%49 : tensor<3x1xf32>) outs(%50 : tensor<3x12xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x12xf32>
    %52 = tensor.empty() : tensor<3x12xf32>
    %53 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%44, %51 : tensor<3x12xf32>, tensor<3x12xf32>) outs(%52 : tensor<3x12xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %66 = arith.divf %in, %in_12 : f32
      linalg.yield %66 : f32
    } -> tensor<3x12xf32>
    %54 = call @cumsum(%53) : (tensor<3x12xf32>) -> tensor<3x12xf32>
    %55 = tensor.empty() : tensor<3x1xf32>
    %56 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%arg1 : tensor<3xf32>) outs(%55 : tensor<3x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x1xf32>
    %57 = tensor.empty() : tensor<3x12xf32>
    %58 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel"]} ins(%56 : tensor<3x1xf32>) outs(%57 : tensor<3x12xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x12xf32>
    %59 = tensor.empty() : tensor<3x12xi1>
    %60 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%54, %58 : tensor<3x12xf32>, tensor<3x12xf32>) outs(%59 : tensor<3x12xi1>) {
    ^bb0(%in: f32, %in_12: f32, %out: i1):
      %66 = arith.cmpf olt, %in, %in_12 : f32
      linalg.yield %66 : i1
    } -> tensor<3x12xi1>
    %61 = tensor.empty() : tensor<3x12xi32>
    %62 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%60 : tensor<3x12xi1>) outs(%61 : tensor<3x12xi32>) {
    ^bb0(%in: i1, %out: i32):
      %66 = arith.extui %in : i1 to i32
      linalg.yield %66 : i32
    } -> tensor<3x12xi32>
    %cst_11 = arith.constant dense<0> : tensor<i32>
    %c0_i32 = arith.constant 0 : i32
    %63 = tensor.empty() : tensor<3xi32>
    %64 = linalg.fill ins(%c0_i32 : i32) outs(%63 : tensor<3xi32>) -> tensor<3xi32>
    %65 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%62 : tensor<3x12xi32>) outs(%64 : tensor<3xi32>) {
    ^bb0(%in: i32, %out: i32):
      %from_elements = tensor.from_elements %in : tensor<i32>
      %from_elements_12 = tensor.from_elements %out : tensor<i32>
      %extracted = tensor.extract %from_elements_12[] : tensor<i32>
      %extracted_13 = tensor.extract %from_elements[] : tensor<i32>
      %66 = arith.addi %extracted, %extracted_13 : i32
      %from_elements_14 = tensor.from_elements %66 : tensor<i32>
      %extracted_15 = tensor.extract %from_elements_14[] : tensor<i32>
      linalg.yield %extracted_15 : i32
    } -> tensor<3xi32>
    return %65 : tensor<3xi32>
  }
  func.func private @_where(%arg0: tensor<3x12x12xi1>, %arg1: tensor<3x1x12xf32>, %arg2: tensor<i32>) -> tensor<3x12x12xf32> {
    %0 = tensor.empty() : tensor<f32>
    %1 = linalg.generic {indexing_maps = [#map11, #map11], iterator_types = []} ins(%arg2 : tensor<i32>) outs(%0 : tensor<f32>) {
    ^bb0(%in: i32, %out: f32):
      %8 = arith.sitofp %in : i32 to f32
      linalg.yield %8 : f32
    } -> tensor<f32>
    %2 = tensor.empty() : tensor<3x12x12xf32>
    %3 = linalg.generic {indexing_maps = [#map8, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg1 : tensor<3x1x12xf32>) outs(%2 : tensor<3x12x12xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x12x12xf32>
    %4 = tensor.empty() : tensor<3x12x12xf32>
    %5 = linalg.generic {indexing_maps = [#map12, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1 : tensor<f32>) outs(%4 : tensor<3x12x12xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x12x12xf32>
    %6 = tensor.empty() : tensor<3x12x12xf32>
    %7 = linalg.generic {indexing_maps = [#map6, #map6, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %3, %5 : tensor<3x12x12xi1>, tensor<3x12x12xf32>, tensor<3x12x12xf32>) outs(%6 : tensor<3x12x12xf32>) {
    ^bb0(%in: i1, %in_0: f32, %in_1: f32, %out: f32):
      %8 = arith.select %in, %in_0, %in_1 : f32
      linalg.yield %8 : f32
    } -> tensor<3x12x12xf32>
    return %7 : tensor<3x12x12xf32>
  }
  func.func private @_where_0(%arg0: tensor<3x12xi1>, %arg1: tensor<3x12xf32>, %arg2: tensor<i32>) -> tensor<3x12xf32> {
    %0 = tensor.empty() : tensor<f32>
    %1 = linalg.generic {indexing_maps = [#map11, #map11], iterator_types = []} ins(%arg2 : tensor<i32>) outs(%0 : tensor<f32>) {
    ^bb0(%in: i32, %out: f32):
      %6 = arith.sitofp %in : i32 to f32
      linalg.yield %6 : f32
    } -> tensor<f32>
    %2 = tensor.empty() : tensor<3x12xf32>
    %3 = linalg.generic {indexing_maps = [#map10, #map], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<f32>) outs(%2 : tensor<3x12xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x12xf32>
    %4 = tensor.empty() : tensor<3x12xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %arg1, %3 : tensor<3x12xi1>, tensor<3x12xf32>, tensor<3x12xf32>) outs(%4 : tensor<3x12xf32>) {
    ^bb0(%in: i1, %in_0: f32, %in_1: f32, %out: f32):
      %6 = arith.select %in, %in_0, %in_1 : f32
      linalg.yield %6 : f32
    } -> tensor<3x12xf32>
    return %5 : tensor<3x12xf32>
  }
  func.func private @cumsum(%arg0: tensor<3x12xf32>) -> tensor<3x12xf32> {
    %0 = call @cumsum_1(%arg0) : (tensor<3x12xf32>) -> tensor<3x12xf32>
    return %0 : tensor<3x12xf32>
  }
  func.func private @cumsum_1(%arg0: tensor<3x12xf32>) -> tensor<3x12xf32> {
    %cst = arith.constant dense<0.000000e+00> : tensor<f32>
    %0 = tensor.empty() : tensor<f32>
    %1 = linalg.generic {indexing_maps = [#map11, #map11], iterator_types = []} ins(%cst : tensor<f32>) outs(%0 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<f32>
    %2 = tensor.empty() : tensor<3x12xf32>
    %3 = linalg.generic {indexing_maps = [#map10, #map], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<f32>) outs(%2 : tensor<3x12xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x12xf32>
    %extracted = tensor.extract %1[] : tensor<f32>
    %padded = tensor.pad %arg0 low[0, 11] high[0, 0] {
    ^bb0(%arg1: index, %arg2: index):
      tensor.yield %extracted : f32
    } : tensor<3x12xf32> to tensor<3x23xf32>
    %4 = tensor.empty() : tensor<12xf32>
    %5 = linalg.generic {indexing_maps = [#map13, #map14, #map7], iterator_types = ["parallel", "parallel", "reduction"]} ins(%padded, %4 : tensor<3x23xf32>, tensor<12xf32>) outs(%3 : tensor<3x12xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %from_elements = tensor.from_elements %in : tensor<f32>
      %from_elements_1 = tensor.from_elements %out : tensor<f32>
      %extracted_2 = tensor.extract %from_elements_1[] : tensor<f32>
      %extracted_3 = tensor.extract %from_elements[] : tensor<f32>
      %6 = arith.addf %extracted_2, %extracted_3 : f32
      %from_elements_4 = tensor.from_elements %6 : tensor<f32>
      %extracted_5 = tensor.extract %from_elements_4[] : tensor<f32>
      linalg.yield %extracted_5 : f32
    } -> tensor<3x12xf32>
    return %5 : tensor<3x12xf32>
  }
}
