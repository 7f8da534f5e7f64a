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
#map18 = affine_map<() -> ()>
#map19 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
module @jit_attn {
  func.func public @main(%arg0: tensor<2x5x8xf32>, %arg1: tensor<8x16xf32>, %arg2: tensor<8x8xf32>, %arg3: tensor<8x8xf32>, %arg4: tensor<16x8xf32>) -> (tensor<2x5x8xf32> {jax.result_info = "result"}) {
    %0 = tensor.empty() : tensor<2x5x16xf32>
    %cst = arith.constant 0.000000e+00 : f32
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<2x5x16xf32>) -> tensor<2x5x16xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<2x5x8xf32>, tensor<8x16xf32>) outs(%1 : tensor<2x5x16xf32>) {
    ^bb0(%in: f32, %in_17: f32, %out: f32):
      %56 = arith.mulf %in, %in_17 : f32
      %57 = arith.addf %out, %56 : f32
      linalg.yield %57 : f32
    } -> tensor<2x5x16xf32>
    %expanded = tensor.expand_shape %2 [[0], [1], [2, 3]] output_shape [2, 5, 4, 4] : tensor<2x5x16xf32> into tensor<2x5x4x4xf32>
    %3 = tensor.empty() : tensor<2x5x8xf32>
    %cst_0 = arith.constant 0.000000e+00 : f32
    %4 = linalg.fill ins(%cst_0 : f32) outs(%3 : tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%arg0, %arg2 : tensor<2x5x8xf32>, tensor<8x8xf32>) outs(%4 : tensor<2x5x8xf32>) {
    ^bb0(%in: f32, %in_17: f32, %out: f32):
      %56 = arith.mulf %in, %in_17 : f32
      %57 = arith.addf %out, %56 : f32
      linalg.yield %57 : f32
    } -> tensor<2x5x8xf32>
    %expanded_1 = tensor.expand_shape %5 [[0], [1], [2, 3]] output_shape [2, 5, 2, 4] : tensor<2x5x8xf32> into tensor<2x5x2x4xf32>
    %6 = tensor.empty() : tensor<2x5x8xf32>
    %cst_2 = arith.constant 0.000000e+00 : f32
    %7 = linalg.fill ins(%cst_2 : f32) outs(%6 : tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%arg0, %arg3 : tensor<2x5x8xf32>, tensor<8x8xf32>) outs(%7 : tensor<2x5x8xf32>) {
    ^bb0(%in: f32, %in_17: f32, %out: f32):
      %56 = arith.mulf %in, %in_17 : f32
      %57 = arith.addf %out, %56 : f32
      linalg.yield %57 : f32
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
    ^bb0(%in: f32, %in_17: f32, %out: f32):
      %56 = arith.mulf %in, %in_17 : f32
      %57 = arith.addf %out, %56 : f32
      linalg.yield %57 : f32
    } -> tensor<2x4x5x5xf32>
    %cst_6 = arith.constant dense<2.000000e+00> : tensor<f32>
    %16 = tensor.empty() : tensor<2x4x5x5xf32>
    %17 = linalg.generic {indexing_maps = [#map8, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_6 : tensor<f32>) outs(%16 : tensor<2x4x5x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x4x5x5xf32>
    %18 = tensor.empty() : tensor<2x4x5x5xf32>
    %19 = linalg.generic {indexing_maps = [#map9, #map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%15, %17 : tensor<2x4x5x5xf32>, tensor<2x4x5x5xf32>) outs(%18 : tensor<2x4x5x5xf32>) {
    ^bb0(%in: f32, %in_17: f32, %out: f32):
      %56 = arith.divf %in, %in_17 : f32
      linalg.yield %56 : f32
    } -> tensor<2x4x5x5xf32>
    %cst_7 = arith.constant dense<true> : tensor<i1>
    %20 = tensor.empty() : tensor<5x5xi1>
    %21 = linalg.generic {indexing_maps = [#map10, #map11], iterator_types = ["parallel", "parallel"]} ins(%cst_7 : tensor<i1>) outs(%20 : tensor<5x5xi1>) {
    ^bb0(%in: i1, %out: i1):
      linalg.yield %in : i1
    } -> tensor<5x5xi1>
    %22 = call @tril(%21) : (tensor<5x5xi1>) -> tensor<5x5xi1>
    %cst_8 = arith.constant dense<-1.000000e+09> : tensor<f32>
    %23 = call @_where(%22, %19, %cst_8) : (tensor<5x5xi1>, tensor<2x4x5x5xf32>, tensor<f32>) -> tensor<2x4x5x5xf32>
    %cst_9 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_10 = arith.constant 0xFF800000 : f32
    %24 = tensor.empty() : tensor<2x4x5xf32>
    %25 = linalg.fill ins(%cst_10 : f32) outs(%24 : tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
    %26 = linalg.generic {indexing_maps = [#map9, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%23 : tensor<2x4x5x5xf32>) outs(%25 : tensor<2x4x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %from_elements = tensor.from_elements %in : tensor<f32>
      %from_elements_17 = tensor.from_elements %out : tensor<f32>
      %extracted = tensor.extract %from_elements_17[] : tensor<f32>
      %extracted_18 = tensor.extract %from_elements[] : tensor<f32>
      %56 = arith.maximumf %extracted, %extracted_18 : f32
      %from_elements_19 = tensor.from_elements %56 : tensor<f32>
      %extracted_20 = tensor.extract %from_elements_19[] : tensor<f32>
      linalg.yield %extracted_20 : f32
    } -> tensor<2x4x5xf32>
    %cst_11 = arith.constant dense<0xFF800000> : tensor<f32>
    %27 = tensor.empty() : tensor<2x4x5xf32>
    %28 = linalg.generic {indexing_maps = [#map12, #map13], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_11 : tensor<f32>) outs(%27 : tensor<2x4x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x4x5xf32>
    %29 = tensor.empty() : tensor<2x4x5xf32>
    %30 = linalg.generic {indexing_maps = [#map13, #map13, #map13], iterator_types = ["parallel", "parallel", "parallel"]} ins(%28, %26 : tensor<2x4x5xf32>, tensor<2x4x5xf32>) outs(%29 : tensor<2x4x5xf32>) {
    ^bb0(%in: f32, %in_17: f32, %out: f32):
      %56 = arith.maximumf %in, %in_17 : f32
      linalg.yield %56 : f32
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
    %36 = linalg.generic {indexing_maps = [#map9, #map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%23, %34 : tensor<2x4x5x5xf32>, tensor<2x4x5x5xf32>) outs(%35 : tensor<2x4x5x5xf32>) {
    ^bb0(%in: f32, %in_17: f32, %out: f32):
      %56 = arith.subf %in, %in_17 : f32
      linalg.yield %56 : f32
    } -> tensor<2x4x5x5xf32>
    %37 = tensor.empty() : tensor<2x4x5x5xf32>
    %38 = linalg.generic {indexing_maps = [#map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%36 : tensor<2x4x5x5xf32>) outs(%37 : tensor<2x4x5x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %56 = math.exp %in : f32
      linalg.yield %56 : f32
    } -> tensor<2x4x5x5xf32>
    %cst_12 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_13 = arith.constant 0.000000e+00 : f32
    %39 = tensor.empty() : tensor<2x4x5xf32>
    %40 = linalg.fill ins(%cst_13 : f32) outs(%39 : tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
    %41 = linalg.generic {indexing_maps = [#map9, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%38 : tensor<2x4x5x5xf32>) outs(%40 : tensor<2x4x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %from_elements = tensor.from_elements %in : tensor<f32>
      %from_elements_17 = tensor.from_elements %out : tensor<f32>
      %extracted = tensor.extract %from_elements_17[] : tensor<f32>
      %extracted_18 = tensor.extract %from_elements[] : tensor<f32>
      %56 = arith.addf %extracted, %extracted_18 : f32
      %from_elements_19 = tensor.from_elements %56 : tensor<f32>
      %extracted_20 = tensor.extract %from_elements_19[] : tensor<f32>
      linalg.yield %extracted_20 : f32
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
    ^bb0(%in: f32, %in_17: f32, %out: f32):
      %56 = arith.divf %in, %in_17 : f32
      linalg.yield %56 : f32
    } -> tensor<2x4x5x5xf32>
    %48 = tensor.empty() : tensor<2x4x4x5xf32>
    %cst_14 = arith.constant 0.000000e+00 : f32
    %49 = linalg.fill ins(%cst_14 : f32) outs(%48 : tensor<2x4x4x5xf32>) -> tensor<2x4x4x5xf32>
    %50 = linalg.generic {indexing_maps = [#map15, #map16, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%collapsed_4, %47 : tensor<2x5x4x4xf32>, tensor<2x4x5x5xf32>) outs(%49 : tensor<2x4x4x5xf32>) {
    ^bb0(%in: f32, %in_17: f32, %out: f32):
      %56 = arith.mulf %in, %in_17 : f32
      %57 = arith.addf %out, %56 : f32
      linalg.yield %57 : f32
    } -> tensor<2x4x4x5xf32>
    %51 = tensor.empty() : tensor<2x5x4x4xf32>
    %52 = linalg.generic {indexing_maps = [#map17, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%50 : tensor<2x4x4x5xf32>) outs(%51 : tensor<2x5x4x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x5x4x4xf32>
    %collapsed_15 = tensor.collapse_shape %52 [[0], [1], [2, 3]] : tensor<2x5x4x4xf32> into tensor<2x5x16xf32>
    %53 = tensor.empty() : tensor<2x5x8xf32>
    %cst_16 = arith.constant 0.000000e+00 : f32
    %54 = linalg.fill ins(%cst_16 : f32) outs(%53 : tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
    %55 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%collapsed_15, %arg4 : tensor<2x5x16xf32>, tensor<16x8xf32>) outs(%54 : tensor<2x5x8xf32>) {
    ^bb0(%in: f32, %in_17: f32, %out: f32):
      %56 = arith.mulf %in, %in_17 : f32
      %57 = arith.addf %out, %56 : f32
      linalg.yield %57 : f32
    } -> tensor<2x5x8xf32>
    return %55 : tensor<2x5x8xf32>
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
  func.func private @_where(%arg0: tensor<5x5xi1>, %arg1: tensor<2x4x5x5xf32>, %arg2: tensor<f32>) -> tensor<2x4x5x5xf32> {
    %0 = tensor.empty() : tensor<f32>
    %1 = linalg.generic {indexing_maps = [#map18, #map18], iterator_types = []} ins(%arg2 : tensor<f32>) outs(%0 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<f32>
    %2 = tensor.empty() : tensor<2x4x5x5xi1>
    %3 = linalg.generic {indexing_maps = [#map19, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0 : tensor<5x5xi1>) outs(%2 : tensor<2x4x5x5xi1>) {
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
    return %7 : tensor<2x4x5x5xf32>
  }
}

