#map = affine_map<(d0, d1) -> ()>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map4 = affine_map<(d0, d1, d2) -> ()>
#map5 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map6 = affine_map<(d0, d1, d2) -> (d2)>
#map7 = affine_map<(d0, d1, d2) -> (0, 0, d2)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
#map9 = affine_map<(d0, d1, d2, d3) -> (d3, d2)>
#map10 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map11 = affine_map<(d0, d1) -> (d1, d0)>
#map12 = affine_map<() -> ()>
module @jit_llm {
  func.func public @main(%arg0: tensor<12x8xf32>, %arg1: tensor<8xf32>, %arg2: tensor<8x16xf32>, %arg3: tensor<16x8xf32>, %arg4: tensor<2x5xi32>, %arg5: tensor<2x5xi32>) -> (tensor<f32> {jax.result_info = "result"}) {
    %cst = arith.constant dense<0> : tensor<i32>
    %0 = tensor.empty() : tensor<2x5xi32>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst : tensor<i32>) outs(%0 : tensor<2x5xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<2x5xi32>
    %2 = tensor.empty() : tensor<2x5xi1>
    %3 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg4, %1 : tensor<2x5xi32>, tensor<2x5xi32>) outs(%2 : tensor<2x5xi1>) {
    ^bb0(%in: i32, %in_18: i32, %out: i1):
      %84 = arith.cmpi slt, %in, %in_18 : i32
      linalg.yield %84 : i1
    } -> tensor<2x5xi1>
    %cst_0 = arith.constant dense<12> : tensor<i32>
    %4 = tensor.empty() : tensor<2x5xi32>
    %5 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst_0 : tensor<i32>) outs(%4 : tensor<2x5xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<2x5xi32>
    %6 = tensor.empty() : tensor<2x5xi32>
    %7 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg4, %5 : tensor<2x5xi32>, tensor<2x5xi32>) outs(%6 : tensor<2x5xi32>) {
    ^bb0(%in: i32, %in_18: i32, %out: i32):
      %84 = arith.addi %in, %in_18 : i32
      linalg.yield %84 : i32
    } -> tensor<2x5xi32>
    %8 = tensor.empty() : tensor<2x5xi32>
    %9 = linalg.generic {indexing_maps = [#map1, #map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%3, %7, %arg4 : tensor<2x5xi1>, tensor<2x5xi32>, tensor<2x5xi32>) outs(%8 : tensor<2x5xi32>) {
    ^bb0(%in: i1, %in_18: i32, %in_19: i32, %out: i32):
      %84 = arith.select %in, %in_18, %in_19 : i32
      linalg.yield %84 : i32
    } -> tensor<2x5xi32>
    %10 = tensor.empty() : tensor<2x5x1xi32>
    %11 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9 : tensor<2x5xi32>) outs(%10 : tensor<2x5x1xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<2x5x1xi32>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %12 = tensor.empty() : tensor<2x5x8xf32>
    %13 = linalg.generic {indexing_maps = [#map3], iterator_types = ["parallel", "parallel", "parallel"]} outs(%12 : tensor<2x5x8xf32>) {
    ^bb0(%out: f32):
      %84 = linalg.index 0 : index
      %85 = linalg.index 1 : index
      %86 = linalg.index 2 : index
      %extracted = tensor.extract %11[%84, %85, %c0] : tensor<2x5x1xi32>
      %87 = arith.index_cast %extracted : i32 to index
      %c0_18 = arith.constant 0 : index
      %c12 = arith.constant 12 : index
      %c11 = arith.constant 11 : index
      %88 = arith.maxsi %c0, %87 : index
      %89 = arith.minsi %88, %c11 : index
      %c2_19 = arith.constant 2 : index
      %c8 = arith.constant 8 : index
      %extracted_20 = tensor.extract %arg0[%89, %86] : tensor<12x8xf32>
      linalg.yield %extracted_20 : f32
    } -> tensor<2x5x8xf32>
    %14 = tensor.empty() : tensor<2x5x8xf32>
    %15 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13, %13 : tensor<2x5x8xf32>, tensor<2x5x8xf32>) outs(%14 : tensor<2x5x8xf32>) {
    ^bb0(%in: f32, %in_18: f32, %out: f32):
      %84 = arith.mulf %in, %in_18 : f32
      linalg.yield %84 : f32
    } -> tensor<2x5x8xf32>
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_2 = arith.constant 0.000000e+00 : f32
    %16 = tensor.empty() : tensor<2x5xf32>
    %17 = linalg.fill ins(%cst_2 : f32) outs(%16 : tensor<2x5xf32>) -> tensor<2x5xf32>
    %18 = linalg.generic {indexing_maps = [#map3, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%15 : tensor<2x5x8xf32>) outs(%17 : tensor<2x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %from_elements = tensor.from_elements %in : tensor<f32>
      %from_elements_18 = tensor.from_elements %out : tensor<f32>
      %extracted = tensor.extract %from_elements_18[] : tensor<f32>
      %extracted_19 = tensor.extract %from_elements[] : tensor<f32>
      %84 = arith.addf %extracted, %extracted_19 : f32
      %from_elements_20 = tensor.from_elements %84 : tensor<f32>
      %extracted_21 = tensor.extract %from_elements_20[] : tensor<f32>
      linalg.yield %extracted_21 : f32
    } -> tensor<2x5xf32>
    %19 = tensor.empty() : tensor<2x5x1xf32>
    %20 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%18 : tensor<2x5xf32>) outs(%19 : tensor<2x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x5x1xf32>
    %cst_3 = arith.constant dense<8.000000e+00> : tensor<f32>
    %21 = tensor.empty() : tensor<2x5x1xf32>
    %22 = linalg.generic {indexing_maps = [#map4, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_3 : tensor<f32>) outs(%21 : tensor<2x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x5x1xf32>
    %23 = tensor.empty() : tensor<2x5x1xf32>
    %24 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%20, %22 : tensor<2x5x1xf32>, tensor<2x5x1xf32>) outs(%23 : tensor<2x5x1xf32>) {
    ^bb0(%in: f32, %in_18: f32, %out: f32):
      %84 = arith.divf %in, %in_18 : f32
      linalg.yield %84 : f32
    } -> tensor<2x5x1xf32>
    %cst_4 = arith.constant dense<9.99999974E-6> : tensor<f32>
    %25 = tensor.empty() : tensor<2x5x1xf32>
    %26 = linalg.generic {indexing_maps = [#map4, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_4 : tensor<f32>) outs(%25 : tensor<2x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x5x1xf32>
    %27 = tensor.empty() : tensor<2x5x1xf32>
    %28 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%24, %26 : tensor<2x5x1xf32>, tensor<2x5x1xf32>) outs(%27 : tensor<2x5x1xf32>) {
    ^bb0(%in: f32, %in_18: f32, %out: f32):
      %84 = arith.addf %in, %in_18 : f32
      linalg.yield %84 : f32
    } -> tensor<2x5x1xf32>
    %29 = tensor.empty() : tensor<2x5x1xf32>
    %30 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%28 : tensor<2x5x1xf32>) outs(%29 : tensor<2x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %84 = math.rsqrt %in : f32
      linalg.yield %84 : f32
    } -> tensor<2x5x1xf32>
    %31 = tensor.empty() : tensor<2x5x8xf32>
    %32 = linalg.generic {indexing_maps = [#map5, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%30 : tensor<2x5x1xf32>) outs(%31 : tensor<2x5x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x5x8xf32>
    %33 = tensor.empty() : tensor<2x5x8xf32>
    %34 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13, %32 : tensor<2x5x8xf32>, tensor<2x5x8xf32>) outs(%33 : tensor<2x5x8xf32>) {
    ^bb0(%in: f32, %in_18: f32, %out: f32):
      %84 = arith.mulf %in, %in_18 : f32
      linalg.yield %84 : f32
    } -> tensor<2x5x8xf32>
    %35 = tensor.empty() : tensor<1x1x8xf32>
    %36 = linalg.generic {indexing_maps = [#map6, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg1 : tensor<8xf32>) outs(%35 : tensor<1x1x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x8xf32>
    %37 = tensor.empty() : tensor<2x5x8xf32>
    %38 = linalg.generic {indexing_maps = [#map7, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%36 : tensor<1x1x8xf32>) outs(%37 : tensor<2x5x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x5x8xf32>
    %39 = tensor.empty() : tensor<2x5x8xf32>
    %40 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%34, %38 : tensor<2x5x8xf32>, tensor<2x5x8xf32>) outs(%39 : tensor<2x5x8xf32>) {
    ^bb0(%in: f32, %in_18: f32, %out: f32):
      %84 = arith.mulf %in, %in_18 : f32
      linalg.yield %84 : f32
    } -> tensor<2x5x8xf32>
    %41 = tensor.empty() : tensor<2x5x16xf32>
    %cst_5 = arith.constant 0.000000e+00 : f32
    %42 = linalg.fill ins(%cst_5 : f32) outs(%41 : tensor<2x5x16xf32>) -> tensor<2x5x16xf32>
    %43 = linalg.generic {indexing_maps = [#map8, #map9, #map10], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%40, %arg2 : tensor<2x5x8xf32>, tensor<8x16xf32>) outs(%42 : tensor<2x5x16xf32>) {
    ^bb0(%in: f32, %in_18: f32, %out: f32):
      %84 = arith.mulf %in, %in_18 : f32
      %85 = arith.addf %out, %84 : f32
      linalg.yield %85 : f32
    } -> tensor<2x5x16xf32>
    %44 = call @silu(%43) : (tensor<2x5x16xf32>) -> tensor<2x5x16xf32>
    %45 = tensor.empty() : tensor<2x5x8xf32>
    %cst_6 = arith.constant 0.000000e+00 : f32
    %46 = linalg.fill ins(%cst_6 : f32) outs(%45 : tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
    %47 = linalg.generic {indexing_maps = [#map8, #map9, #map10], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%44, %arg3 : tensor<2x5x16xf32>, tensor<16x8xf32>) outs(%46 : tensor<2x5x8xf32>) {
    ^bb0(%in: f32, %in_18: f32, %out: f32):
      %84 = arith.mulf %in, %in_18 : f32
      %85 = arith.addf %out, %84 : f32
      linalg.yield %85 : f32
    } -> tensor<2x5x8xf32>
    %48 = tensor.empty() : tensor<2x5x8xf32>
    %49 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13, %47 : tensor<2x5x8xf32>, tensor<2x5x8xf32>) outs(%48 : tensor<2x5x8xf32>) {
    ^bb0(%in: f32, %in_18: f32, %out: f32):
      %84 = arith.addf %in, %in_18 : f32
      linalg.yield %84 : f32
    } -> tensor<2x5x8xf32>
    %50 = tensor.empty() : tensor<8x12xf32>
    %51 = linalg.generic {indexing_maps = [#map11, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<12x8xf32>) outs(%50 : tensor<8x12xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x12xf32>
    %52 = tensor.empty() : tensor<2x5x12xf32>
    %cst_7 = arith.constant 0.000000e+00 : f32
    %53 = linalg.fill ins(%cst_7 : f32) outs(%52 : tensor<2x5x12xf32>) -> tensor<2x5x12xf32>
    %54 = linalg.generic {indexing_maps = [#map8, #map9, #map10], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%49, %51 : tensor<2x5x8xf32>, tensor<8x12xf32>) outs(%53 : tensor<2x5x12xf32>) {
    ^bb0(%in: f32, %in_18: f32, %out: f32):
      %84 = arith.mulf %in, %in_18 : f32
      %85 = arith.addf %out, %84 : f32
      linalg.yield %85 : f32
    } -> tensor<2x5x12xf32>
    %cst_8 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_9 = arith.constant 0xFF800000 : f32
    %55 = tensor.empty() : tensor<2x5xf32>
    %56 = linalg.fill ins(%cst_9 : f32) outs(%55 : tensor<2x5xf32>) -> tensor<2x5xf32>
    %57 = linalg.generic {indexing_maps = [#map3, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%54 : tensor<2x5x12xf32>) outs(%56 : tensor<2x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %from_elements = tensor.from_elements %in : tensor<f32>
      %from_elements_18 = tensor.from_elements %out : tensor<f32>
      %extracted = tensor.extract %from_elements_18[] : tensor<f32>
      %extracted_19 = tensor.extract %from_elements[] : tensor<f32>
      %84 = arith.maximumf %extracted, %extracted_19 : f32
      %from_elements_20 = tensor.from_elements %84 : tensor<f32>
      %extracted_21 = tensor.extract %from_elements_20[] : tensor<f32>
      linalg.yield %extracted_21 : f32
    } -> tensor<2x5xf32>
    %58 = tensor.empty() : tensor<2x5x1xf32>
    %59 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%57 : tensor<2x5xf32>) outs(%58 : tensor<2x5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x5x1xf32>
    %60 = tensor.empty() : tensor<2x5x12xf32>
    %61 = linalg.generic {indexing_maps = [#map5, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%59 : tensor<2x5x1xf32>) outs(%60 : tensor<2x5x12xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x5x12xf32>
    %62 = tensor.empty() : tensor<2x5x12xf32>
    %63 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%54, %61 : tensor<2x5x12xf32>, tensor<2x5x12xf32>) outs(%62 : tensor<2x5x12xf32>) {
    ^bb0(%in: f32, %in_18: f32, %out: f32):
      %84 = arith.subf %in, %in_18 : f32
      linalg.yield %84 : f32
    } -> tensor<2x5x12xf32>
    %64 = tensor.empty() : tensor<2x5x12xf32>
    %65 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%63 : tensor<2x5x12xf32>) outs(%64 : tensor<2x5x12xf32>) {
    ^bb0(%in: f32, %out: f32):
      %84 = math.exp %in : f32
      linalg.yield %84 : f32
    } -> tensor<2x5x12xf32>
    %cst_10 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_11 = arith.constant 0.000000e+00 : f32
    %66 = tensor.empty() : tensor<2x5xf32>
    %67 = linalg.fill ins(%cst_11 : f32) outs(%66 : tensor<2x5xf32>) -> tensor<2x5xf32>
    %68 = linalg.generic {indexing_maps = [#map3, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%65 : tensor<2x5x12xf32>) outs(%67 : tensor<2x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %from_elements = tensor.from_elements %in : tensor<f32>
      %from_elements_18 = tensor.from_elements %out : tensor<f32>
      %extracted = tensor.extract %from_elements_18[] : tensor<f32>
      %extracted_19 = tensor.extract %from_elements[] : tensor<f32>
      %84 = arith.addf %extracted, %extracted_19 : f32
      %from_elements_20 = tensor.from_elements %84 : tensor<f32>
      %extracted_21 = tensor.extract %from_elements_20[] : tensor<f32>
      linalg.yield %extracted_21 : f32
    } -> tensor<2x5xf32>
    %69 = tensor.empty() : tensor<2x5xf32>
    %70 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%68 : tensor<2x5xf32>) outs(%69 : tensor<2x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %84 = math.log %in : f32
      linalg.yield %84 : f32
    } -> tensor<2x5xf32>
    %71 = call @_one_hot(%arg5) : (tensor<2x5xi32>) -> tensor<2x5x12xf32>
    %72 = tensor.empty() : tensor<2x5x12xf32>
    %73 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%63, %71 : tensor<2x5x12xf32>, tensor<2x5x12xf32>) outs(%72 : tensor<2x5x12xf32>) {
    ^bb0(%in: f32, %in_18: f32, %out: f32):
      %84 = arith.mulf %in, %in_18 : f32
      linalg.yield %84 : f32
    } -> tensor<2x5x12xf32>
    %cst_12 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_13 = arith.constant 0.000000e+00 : f32
    %74 = tensor.empty() : tensor<2x5xf32>
    %75 = linalg.fill ins(%cst_13 : f32) outs(%74 : tensor<2x5xf32>) -> tensor<2x5xf32>
    %76 = linalg.generic {indexing_maps = [#map3, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%73 : tensor<2x5x12xf32>) outs(%75 : tensor<2x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %from_elements = tensor.from_elements %in : tensor<f32>
      %from_elements_18 = tensor.from_elements %out : tensor<f32>
      %extracted = tensor.extract %from_elements_18[] : tensor<f32>
      %extracted_19 = tensor.extract %from_elements[] : tensor<f32>
      %84 = arith.addf %extracted, %extracted_19 : f32
      %from_elements_20 = tensor.from_elements %84 : tensor<f32>
      %extracted_21 = tensor.extract %from_elements_20[] : tensor<f32>
      linalg.yield %extracted_21 : f32
    } -> tensor<2x5xf32>
    %77 = tensor.empty() : tensor<2x5xf32>
    %78 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%70, %76 : tensor<2x5xf32>, tensor<2x5xf32>) outs(%77 : tensor<2x5xf32>) {
    ^bb0(%in: f32, %in_18: f32, %out: f32):
      %84 = arith.subf %in, %in_18 : f32
      linalg.yield %84 : f32
    } -> tensor<2x5xf32>
    %cst_14 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_15 = arith.constant 0.000000e+00 : f32
    %79 = tensor.empty() : tensor<f32>
    %80 = linalg.fill ins(%cst_15 : f32) outs(%79 : tensor<f32>) -> tensor<f32>
    %81 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["reduction", "reduction"]} ins(%78 : tensor<2x5xf32>) outs(%80 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %from_elements = tensor.from_elements %in : tensor<f32>
      %from_elements_18 = tensor.from_elements %out : tensor<f32>
      %extracted = tensor.extract %from_elements_18[] : tensor<f32>
      %extracted_19 = tensor.extract %from_elements[] : tensor<f32>
      %84 = arith.addf %extracted, %extracted_19 : f32
      %from_elements_20 = tensor.from_elements %84 : tensor<f32>
      %extracted_21 = tensor.extract %from_elements_20[] : tensor<f32>
      linalg.yield %extracted_21 : f32
    } -> tensor<f32>
    %cst_16 = arith.constant dense<1.000000e+01> : tensor<f32>
    %82 = tensor.empty() : tensor<f32>
    %cst_17 = arith.constant 1.000000e+01 : f32
    %83 = linalg.generic {indexing_maps = [#map12, #map12], iterator_types = []} ins(%81 : tensor<f32>) outs(%82 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %84 = arith.divf %in, %cst_17 : f32
      linalg.yield %84 : f32
    } -> tensor<f32>
    return %83 : tensor<f32>
  }
  func.func private @silu(%arg0: tensor<2x5x16xf32>) -> tensor<2x5x16xf32> {
    %0 = tensor.empty() : tensor<2x5x16xf32>
    %1 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<2x5x16xf32>) outs(%0 : tensor<2x5x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %14 = arith.negf %in : f32
      linalg.yield %14 : f32
    } -> tensor<2x5x16xf32>
    %2 = tensor.empty() : tensor<2x5x16xf32>
    %3 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1 : tensor<2x5x16xf32>) outs(%2 : tensor<2x5x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %14 = math.exp %in : f32
      linalg.yield %14 : f32
    } -> tensor<2x5x16xf32>
    %cst = arith.constant dense<1.000000e+00> : tensor<f32>
    %4 = tensor.empty() : tensor<2x5x16xf32>
    %5 = linalg.generic {indexing_maps = [#map4, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst : tensor<f32>) outs(%4 : tensor<2x5x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x5x16xf32>
    %6 = tensor.empty() : tensor<2x5x16xf32>
    %7 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%5, %3 : tensor<2x5x16xf32>, tensor<2x5x16xf32>) outs(%6 : tensor<2x5x16xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %14 = arith.addf %in, %in_1 : f32
      linalg.yield %14 : f32
    } -> tensor<2x5x16xf32>
    %cst_0 = arith.constant dense<1.000000e+00> : tensor<f32>
    %8 = tensor.empty() : tensor<2x5x16xf32>
    %9 = linalg.generic {indexing_maps = [#map4, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_0 : tensor<f32>) outs(%8 : tensor<2x5x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x5x16xf32>
    %10 = tensor.empty() : tensor<2x5x16xf32>
    %11 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9, %7 : tensor<2x5x16xf32>, tensor<2x5x16xf32>) outs(%10 : tensor<2x5x16xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %14 = arith.divf %in, %in_1 : f32
      linalg.yield %14 : f32
    } -> tensor<2x5x16xf32>
    %12 = tensor.empty() : tensor<2x5x16xf32>
    %13 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %11 : tensor<2x5x16xf32>, tensor<2x5x16xf32>) outs(%12 : tensor<2x5x16xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %14 = arith.mulf %in, %in_1 : f32
      linalg.yield %14 : f32
    } -> tensor<2x5x16xf32>
    return %13 : tensor<2x5x16xf32>
  }
  func.func private @_one_hot(%arg0: tensor<2x5xi32>) -> tensor<2x5x12xf32> {
    %0 = tensor.empty() : tensor<2x5x1xi32>
    %1 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<2x5xi32>) outs(%0 : tensor<2x5x1xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<2x5x1xi32>
    %2 = tensor.empty() : tensor<1x1x12xi32>
    %3 = linalg.generic {indexing_maps = [#map3], iterator_types = ["parallel", "parallel", "parallel"]} outs(%2 : tensor<1x1x12xi32>) {
    ^bb0(%out: i32):
      %12 = linalg.index 2 : index
      %13 = arith.index_cast %12 : index to i32
      linalg.yield %13 : i32
    } -> tensor<1x1x12xi32>
    %4 = tensor.empty() : tensor<2x5x12xi32>
    %5 = linalg.generic {indexing_maps = [#map5, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1 : tensor<2x5x1xi32>) outs(%4 : tensor<2x5x12xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<2x5x12xi32>
    %6 = tensor.empty() : tensor<2x5x12xi32>
    %7 = linalg.generic {indexing_maps = [#map7, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%3 : tensor<1x1x12xi32>) outs(%6 : tensor<2x5x12xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<2x5x12xi32>
    %8 = tensor.empty() : tensor<2x5x12xi1>
    %9 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%5, %7 : tensor<2x5x12xi32>, tensor<2x5x12xi32>) outs(%8 : tensor<2x5x12xi1>) {
    ^bb0(%in: i32, %in_0: i32, %out: i1):
      %12 = arith.cmpi eq, %in, %in_0 : i32
      linalg.yield %12 : i1
    } -> tensor<2x5x12xi1>
    %10 = tensor.empty() : tensor<2x5x12xf32>
    %11 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9 : tensor<2x5x12xi1>) outs(%10 : tensor<2x5x12xf32>) {
    ^bb0(%in: i1, %out: f32):
      %12 = arith.uitofp %in : i1 to f32
      linalg.yield %12 : f32
    } -> tensor<2x5x12xf32>
    return %11 : tensor<2x5x12xf32>
  }
}

