#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0) -> ()>
#map2 = affine_map<(d0, d1) -> (d1)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0, d1) -> (d0)>
#map5 = affine_map<(d0, d1) -> (0, d1)>
#map6 = affine_map<(d0, d1) -> (d0, 0)>
#map7 = affine_map<(d0, d1, d2) -> (d0)>
#map8 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map9 = affine_map<(d0, d1) -> ()>
#map10 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map11 = affine_map<(d0, d1, d2) -> (d0, 0, 0)>
#map12 = affine_map<(d0, d1, d2) -> (0, d1, d2)>
#map13 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d1, d4)>
#map14 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d3, d1, d4)>
#map15 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
#map16 = affine_map<(d0, d1, d2, d3) -> ()>
#map17 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map18 = affine_map<(d0, d1, d2, d3) -> (d1, d2, d3)>
#map19 = affine_map<(d0, d1, d2, d3) -> (0, d1, d2, d3)>
#map20 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map21 = affine_map<(d0, d1, d2) -> ()>
#map22 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map23 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d4, d1, d2)>
#map24 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d4)>
#map25 = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3, d1)>
#map26 = affine_map<() -> ()>
#map27 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
module @alibi {
  func.func public @main(%arg0: tensor<2x6x4x4xf32>, %arg1: tensor<2x6x4x4xf32>, %arg2: tensor<2x6x4x4xf32>) -> (tensor<2x6x4x4xf32> {jax.result_info = "result"}) {
    %0 = tensor.empty() : tensor<4xi32>
    %1 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%0 : tensor<4xi32>) {
    ^bb0(%out: i32):
      %97 = linalg.index 0 : index
      %98 = arith.index_cast %97 : index to i32
      linalg.yield %98 : i32
    } -> tensor<4xi32>
    %cst = arith.constant dense<1> : tensor<i32>
    %2 = tensor.empty() : tensor<4xi32>
    %3 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel"]} ins(%cst : tensor<i32>) outs(%2 : tensor<4xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<4xi32>
    %4 = tensor.empty() : tensor<4xi32>
    %5 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%3, %1 : tensor<4xi32>, tensor<4xi32>) outs(%4 : tensor<4xi32>) {
    ^bb0(%in: i32, %in_13: i32, %out: i32):
      %97 = arith.addi %in, %in_13 : i32
      linalg.yield %97 : i32
    } -> tensor<4xi32>
    %6 = tensor.empty() : tensor<4xi32>
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%5 : tensor<4xi32>) outs(%6 : tensor<4xi32>) {
    ^bb0(%in: i32, %out: i32):
      %c0_i32 = arith.constant 0 : i32
      %97 = arith.subi %c0_i32, %in : i32
      linalg.yield %97 : i32
    } -> tensor<4xi32>
    %cst_0 = arith.constant dense<2> : tensor<i32>
    %8 = tensor.empty() : tensor<4xi32>
    %9 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel"]} ins(%cst_0 : tensor<i32>) outs(%8 : tensor<4xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<4xi32>
    %10 = tensor.empty() : tensor<4xi32>
    %11 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%7, %9 : tensor<4xi32>, tensor<4xi32>) outs(%10 : tensor<4xi32>) {
    ^bb0(%in: i32, %in_13: i32, %out: i32):
      %97 = arith.muli %in, %in_13 : i32
      linalg.yield %97 : i32
    } -> tensor<4xi32>
    %12 = tensor.empty() : tensor<4xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%11 : tensor<4xi32>) outs(%12 : tensor<4xf32>) {
    ^bb0(%in: i32, %out: f32):
      %97 = arith.sitofp %in : i32 to f32
      linalg.yield %97 : f32
    } -> tensor<4xf32>
    %cst_1 = arith.constant dense<2.000000e+00> : tensor<f32>
    %14 = tensor.empty() : tensor<4xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%11 : tensor<4xi32>) outs(%14 : tensor<4xf32>) {
    ^bb0(%in: i32, %out: f32):
      %97 = arith.sitofp %in : i32 to f32
      linalg.yield %97 : f32
    } -> tensor<4xf32>
    %16 = tensor.empty() : tensor<4xf32>
    %17 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel"]} ins(%cst_1 : tensor<f32>) outs(%16 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4xf32>
    %18 = tensor.empty() : tensor<4xf32>
    %19 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%17, %15 : tensor<4xf32>, tensor<4xf32>) outs(%18 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_13: f32, %out: f32):
      %97 = math.powf %in, %in_13 : f32
      linalg.yield %97 : f32
    } -> tensor<4xf32>
    %20 = tensor.empty() : tensor<6xi32>
    %21 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%20 : tensor<6xi32>) {
    ^bb0(%out: i32):
      %97 = linalg.index 0 : index
      %98 = arith.index_cast %97 : index to i32
      linalg.yield %98 : i32
    } -> tensor<6xi32>
    %22 = tensor.empty() : tensor<1x6xi32>
    %23 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel"]} ins(%21 : tensor<6xi32>) outs(%22 : tensor<1x6xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<1x6xi32>
    %24 = tensor.empty() : tensor<6xi32>
    %25 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%24 : tensor<6xi32>) {
    ^bb0(%out: i32):
      %97 = linalg.index 0 : index
      %98 = arith.index_cast %97 : index to i32
      linalg.yield %98 : i32
    } -> tensor<6xi32>
    %26 = tensor.empty() : tensor<6x1xi32>
    %27 = linalg.generic {indexing_maps = [#map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%25 : tensor<6xi32>) outs(%26 : tensor<6x1xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<6x1xi32>
    %28 = tensor.empty() : tensor<6x6xi32>
    %29 = linalg.generic {indexing_maps = [#map5, #map3], iterator_types = ["parallel", "parallel"]} ins(%23 : tensor<1x6xi32>) outs(%28 : tensor<6x6xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<6x6xi32>
    %30 = tensor.empty() : tensor<6x6xi32>
    %31 = linalg.generic {indexing_maps = [#map6, #map3], iterator_types = ["parallel", "parallel"]} ins(%27 : tensor<6x1xi32>) outs(%30 : tensor<6x6xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<6x6xi32>
    %32 = tensor.empty() : tensor<6x6xi32>
    %33 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%29, %31 : tensor<6x6xi32>, tensor<6x6xi32>) outs(%32 : tensor<6x6xi32>) {
    ^bb0(%in: i32, %in_13: i32, %out: i32):
      %97 = arith.subi %in, %in_13 : i32
      linalg.yield %97 : i32
    } -> tensor<6x6xi32>
    %34 = tensor.empty() : tensor<4x1x1xf32>
    %35 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel", "parallel"]} ins(%19 : tensor<4xf32>) outs(%34 : tensor<4x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x1x1xf32>
    %cst_2 = arith.constant dense<0> : tensor<i32>
    %36 = tensor.empty() : tensor<6x6xi32>
    %37 = linalg.generic {indexing_maps = [#map9, #map3], iterator_types = ["parallel", "parallel"]} ins(%cst_2 : tensor<i32>) outs(%36 : tensor<6x6xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<6x6xi32>
    %38 = tensor.empty() : tensor<6x6xi32>
    %39 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%33, %37 : tensor<6x6xi32>, tensor<6x6xi32>) outs(%38 : tensor<6x6xi32>) {
    ^bb0(%in: i32, %in_13: i32, %out: i32):
      %97 = arith.minsi %in, %in_13 : i32
      linalg.yield %97 : i32
    } -> tensor<6x6xi32>
    %40 = tensor.empty() : tensor<1x6x6xi32>
    %41 = linalg.generic {indexing_maps = [#map10, #map8], iterator_types = ["parallel", "parallel", "parallel"]} ins(%39 : tensor<6x6xi32>) outs(%40 : tensor<1x6x6xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<1x6x6xi32>
    %42 = tensor.empty() : tensor<1x6x6xf32>
    %43 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel"]} ins(%41 : tensor<1x6x6xi32>) outs(%42 : tensor<1x6x6xf32>) {
    ^bb0(%in: i32, %out: f32):
      %97 = arith.sitofp %in : i32 to f32
      linalg.yield %97 : f32
    } -> tensor<1x6x6xf32>
    %44 = tensor.empty() : tensor<4x6x6xf32>
    %45 = linalg.generic {indexing_maps = [#map11, #map8], iterator_types = ["parallel", "parallel", "parallel"]} ins(%35 : tensor<4x1x1xf32>) outs(%44 : tensor<4x6x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x6x6xf32>
    %46 = tensor.empty() : tensor<4x6x6xf32>
    %47 = linalg.generic {indexing_maps = [#map12, #map8], iterator_types = ["parallel", "parallel", "parallel"]} ins(%43 : tensor<1x6x6xf32>) outs(%46 : tensor<4x6x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x6x6xf32>
    %48 = tensor.empty() : tensor<4x6x6xf32>
    %49 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel"]} ins(%45, %47 : tensor<4x6x6xf32>, tensor<4x6x6xf32>) outs(%48 : tensor<4x6x6xf32>) {
    ^bb0(%in: f32, %in_13: f32, %out: f32):
      %97 = arith.mulf %in, %in_13 : f32
      linalg.yield %97 : f32
    } -> tensor<4x6x6xf32>
    %cst_3 = arith.constant dense<0> : tensor<i32>
    %50 = tensor.empty() : tensor<6x6xi32>
    %51 = linalg.generic {indexing_maps = [#map9, #map3], iterator_types = ["parallel", "parallel"]} ins(%cst_3 : tensor<i32>) outs(%50 : tensor<6x6xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<6x6xi32>
    %52 = tensor.empty() : tensor<6x6xi1>
    %53 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%33, %51 : tensor<6x6xi32>, tensor<6x6xi32>) outs(%52 : tensor<6x6xi1>) {
    ^bb0(%in: i32, %in_13: i32, %out: i1):
      %97 = arith.cmpi sle, %in, %in_13 : i32
      linalg.yield %97 : i1
    } -> tensor<6x6xi1>
    %54 = tensor.empty() : tensor<2x4x6x6xf32>
    %cst_4 = arith.constant 0.000000e+00 : f32
    %55 = linalg.fill ins(%cst_4 : f32) outs(%54 : tensor<2x4x6x6xf32>) -> tensor<2x4x6x6xf32>
    %56 = linalg.generic {indexing_maps = [#map13, #map14, #map15], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<2x6x4x4xf32>, tensor<2x6x4x4xf32>) outs(%55 : tensor<2x4x6x6xf32>) {
    ^bb0(%in: f32, %in_13: f32, %out: f32):
      %97 = arith.mulf %in, %in_13 : f32
      %98 = arith.addf %out, %97 : f32
      linalg.yield %98 : f32
    } -> tensor<2x4x6x6xf32>
    %cst_5 = arith.constant dense<2.000000e+00> : tensor<f32>
    %57 = tensor.empty() : tensor<2x4x6x6xf32>
    %58 = linalg.generic {indexing_maps = [#map16, #map17], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_5 : tensor<f32>) outs(%57 : tensor<2x4x6x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x4x6x6xf32>
    %59 = tensor.empty() : tensor<2x4x6x6xf32>
    %60 = linalg.generic {indexing_maps = [#map17, #map17, #map17], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%56, %58 : tensor<2x4x6x6xf32>, tensor<2x4x6x6xf32>) outs(%59 : tensor<2x4x6x6xf32>) {
    ^bb0(%in: f32, %in_13: f32, %out: f32):
      %97 = arith.divf %in, %in_13 : f32
      linalg.yield %97 : f32
    } -> tensor<2x4x6x6xf32>
    %61 = tensor.empty() : tensor<1x4x6x6xf32>
    %62 = linalg.generic {indexing_maps = [#map18, #map17], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%49 : tensor<4x6x6xf32>) outs(%61 : tensor<1x4x6x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x4x6x6xf32>
    %63 = tensor.empty() : tensor<2x4x6x6xf32>
    %64 = linalg.generic {indexing_maps = [#map19, #map17], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%62 : tensor<1x4x6x6xf32>) outs(%63 : tensor<2x4x6x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x4x6x6xf32>
    %65 = tensor.empty() : tensor<2x4x6x6xf32>
    %66 = linalg.generic {indexing_maps = [#map17, #map17, #map17], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%60, %64 : tensor<2x4x6x6xf32>, tensor<2x4x6x6xf32>) outs(%65 : tensor<2x4x6x6xf32>) {
    ^bb0(%in: f32, %in_13: f32, %out: f32):
      %97 = arith.addf %in, %in_13 : f32
      linalg.yield %97 : f32
    } -> tensor<2x4x6x6xf32>
    %cst_6 = arith.constant dense<-1.000000e+09> : tensor<f32>
    %67 = call @_where(%53, %66, %cst_6) : (tensor<6x6xi1>, tensor<2x4x6x6xf32>, tensor<f32>) -> tensor<2x4x6x6xf32>
    %cst_7 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_8 = arith.constant 0xFF800000 : f32
    %68 = tensor.empty() : tensor<2x4x6xf32>
    %69 = linalg.fill ins(%cst_8 : f32) outs(%68 : tensor<2x4x6xf32>) -> tensor<2x4x6xf32>
    %70 = linalg.generic {indexing_maps = [#map17, #map20], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%67 : tensor<2x4x6x6xf32>) outs(%69 : tensor<2x4x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %from_elements = tensor.from_elements %in : tensor<f32>
      %from_elements_13 = tensor.from_elements %out : tensor<f32>
      %extracted = tensor.extract %from_elements_13[] : tensor<f32>
      %extracted_14 = tensor.extract %from_elements[] : tensor<f32>
      %97 = arith.maximumf %extracted, %extracted_14 : f32
      %from_elements_15 = tensor.from_elements %97 : tensor<f32>
      %extracted_16 = tensor.extract %from_elements_15[] : tensor<f32>
      linalg.yield %extracted_16 : f32
    } -> tensor<2x4x6xf32>
    %cst_9 = arith.constant dense<0xFF800000> : tensor<f32>
    %71 = tensor.empty() : tensor<2x4x6xf32>
    %72 = linalg.generic {indexing_maps = [#map21, #map8], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_9 : tensor<f32>) outs(%71 : tensor<2x4x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x4x6xf32>
    %73 = tensor.empty() : tensor<2x4x6xf32>
    %74 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel"]} ins(%72, %70 : tensor<2x4x6xf32>, tensor<2x4x6xf32>) outs(%73 : tensor<2x4x6xf32>) {
    ^bb0(%in: f32, %in_13: f32, %out: f32):
      %97 = arith.maximumf %in, %in_13 : f32
      linalg.yield %97 : f32
    } -> tensor<2x4x6xf32>
    %75 = tensor.empty() : tensor<2x4x6x1xf32>
    %76 = linalg.generic {indexing_maps = [#map20, #map17], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%74 : tensor<2x4x6xf32>) outs(%75 : tensor<2x4x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x4x6x1xf32>
    %77 = tensor.empty() : tensor<2x4x6x6xf32>
    %78 = linalg.generic {indexing_maps = [#map22, #map17], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%76 : tensor<2x4x6x1xf32>) outs(%77 : tensor<2x4x6x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x4x6x6xf32>
    %79 = tensor.empty() : tensor<2x4x6x6xf32>
    %80 = linalg.generic {indexing_maps = [#map17, #map17, #map17], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%67, %78 : tensor<2x4x6x6xf32>, tensor<2x4x6x6xf32>) outs(%79 : tensor<2x4x6x6xf32>) {
    ^bb0(%in: f32, %in_13: f32, %out: f32):
      %97 = arith.subf %in, %in_13 : f32
      linalg.yield %97 : f32
    } -> tensor<2x4x6x6xf32>
    %81 = tensor.empty() : tensor<2x4x6x6xf32>
    %82 = linalg.generic {indexing_maps = [#map17, #map17], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%80 : tensor<2x4x6x6xf32>) outs(%81 : tensor<2x4x6x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %97 = math.exp %in : f32
      linalg.yield %97 : f32
    } -> tensor<2x4x6x6xf32>
    %cst_10 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_11 = arith.constant 0.000000e+00 : f32
    %83 = tensor.empty() : tensor<2x4x6xf32>
    %84 = linalg.fill ins(%cst_11 : f32) outs(%83 : tensor<2x4x6xf32>) -> tensor<2x4x6xf32>
    %85 = linalg.generic {indexing_maps = [#map17, #map20], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%82 : tensor<2x4x6x6xf32>) outs(%84 : tensor<2x4x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %from_elements = tensor.from_elements %in : tensor<f32>
      %from_elements_13 = tensor.from_elements %out : tensor<f32>
      %extracted = tensor.extract %from_elements_13[] : tensor<f32>
      %extracted_14 = tensor.extract %from_elements[] : tensor<f32>
      %97 = arith.addf %extracted, %extracted_14 : f32
      %from_elements_15 = tensor.from_elements %97 : tensor<f32>
      %extracted_16 = tensor.extract %from_elements_15[] : tensor<f32>
      linalg.yield %extracted_16 : f32
    } -> tensor<2x4x6xf32>
    %86 = tensor.empty() : tensor<2x4x6x1xf32>
    %87 = linalg.generic {indexing_maps = [#map20, #map17], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%85 : tensor<2x4x6xf32>) outs(%86 : tensor<2x4x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x4x6x1xf32>
    %88 = tensor.empty() : tensor<2x4x6x6xf32>
    %89 = linalg.generic {indexing_maps = [#map22, #map17], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%87 : tensor<2x4x6x1xf32>) outs(%88 : tensor<2x4x6x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x4x6x6xf32>
    %90 = tensor.empty() : tensor<2x4x6x6xf32>
    %91 = linalg.generic {indexing_maps = [#map17, #map17, #map17], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%82, %89 : tensor<2x4x6x6xf32>, tensor<2x4x6x6xf32>) outs(%90 : tensor<2x4x6x6xf32>) {
    ^bb0(%in: f32, %in_13: f32, %out: f32):
      %97 = arith.divf %in, %in_13 : f32
      linalg.yield %97 : f32
    } -> tensor<2x4x6x6xf32>
    %92 = tensor.empty() : tensor<2x4x4x6xf32>
    %cst_12 = arith.constant 0.000000e+00 : f32
    %93 = linalg.fill ins(%cst_12 : f32) outs(%92 : tensor<2x4x4x6xf32>) -> tensor<2x4x4x6xf32>
    %94 = linalg.generic {indexing_maps = [#map23, #map24, #map15], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%arg2, %91 : tensor<2x6x4x4xf32>, tensor<2x4x6x6xf32>) outs(%93 : tensor<2x4x4x6xf32>) {
    ^bb0(%in: f32, %in_13: f32, %out: f32):
      %97 = arith.mulf %in, %in_13 : f32
      %98 = arith.addf %out, %97 : f32
      linalg.yield %98 : f32
    } -> tensor<2x4x4x6xf32>
    %95 = tensor.empty() : tensor<2x6x4x4xf32>
    %96 = linalg.generic {indexing_maps = [#map25, #map17], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%94 : tensor<2x4x4x6xf32>) outs(%95 : tensor<2x6x4x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6x4x4xf32>
    return %96 : tensor<2x6x4x4xf32>
  }
  func.func private @_where(%arg0: tensor<6x6xi1>, %arg1: tensor<2x4x6x6xf32>, %arg2: tensor<f32>) -> tensor<2x4x6x6xf32> {
    %0 = tensor.empty() : tensor<f32>
    %1 = linalg.generic {indexing_maps = [#map26, #map26], iterator_types = []} ins(%arg2 : tensor<f32>) outs(%0 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<f32>
    %2 = tensor.empty() : tensor<2x4x6x6xi1>
    %3 = linalg.generic {indexing_maps = [#map27, #map17], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0 : tensor<6x6xi1>) outs(%2 : tensor<2x4x6x6xi1>) {
    ^bb0(%in: i1, %out: i1):
      linalg.yield %in : i1
    } -> tensor<2x4x6x6xi1>
    %4 = tensor.empty() : tensor<2x4x6x6xf32>
    %5 = linalg.generic {indexing_maps = [#map16, #map17], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1 : tensor<f32>) outs(%4 : tensor<2x4x6x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x4x6x6xf32>
    %6 = tensor.empty() : tensor<2x4x6x6xf32>
    %7 = linalg.generic {indexing_maps = [#map17, #map17, #map17, #map17], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%3, %arg1, %5 : tensor<2x4x6x6xi1>, tensor<2x4x6x6xf32>, tensor<2x4x6x6xf32>) outs(%6 : tensor<2x4x6x6xf32>) {
    ^bb0(%in: i1, %in_0: f32, %in_1: f32, %out: f32):
      %8 = arith.select %in, %in_0, %in_1 : f32
      linalg.yield %8 : f32
    } -> tensor<2x4x6x6xf32>
    return %7 : tensor<2x4x6x6xf32>
  }
}
