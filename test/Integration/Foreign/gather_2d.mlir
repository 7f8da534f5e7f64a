#map = affine_map<(d0) -> ()>
#map1 = affine_map<(d0) -> (d0)>
#map2 = affine_map<(d0, d1) -> (d0)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map5 = affine_map<(d0, d1, d2) -> (d2, d0, d1)>
#map6 = affine_map<(d0, d1, d2) -> (d0, d1)>
module @gather_2d {
  func.func public @main(%arg0: tensor<4x6x3xf32>, %arg1: tensor<5xi32>, %arg2: tensor<5xi32>) -> (tensor<5x3xf32> {jax.result_info = "result[0]"}, tensor<5x6xf32> {jax.result_info = "result[1]"}, tensor<5x3xf32> {jax.result_info = "result[2]"}) {
    %cst = arith.constant dense<0> : tensor<i32>
    %0 = tensor.empty() : tensor<5xi32>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel"]} ins(%cst : tensor<i32>) outs(%0 : tensor<5xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<5xi32>
    %2 = tensor.empty() : tensor<5xi1>
    %3 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel"]} ins(%arg1, %1 : tensor<5xi32>, tensor<5xi32>) outs(%2 : tensor<5xi1>) {
    ^bb0(%in: i32, %in_18: i32, %out: i1):
      %67 = arith.cmpi slt, %in, %in_18 : i32
      linalg.yield %67 : i1
    } -> tensor<5xi1>
    %cst_0 = arith.constant dense<4> : tensor<i32>
    %4 = tensor.empty() : tensor<5xi32>
    %5 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel"]} ins(%cst_0 : tensor<i32>) outs(%4 : tensor<5xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<5xi32>
    %6 = tensor.empty() : tensor<5xi32>
    %7 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel"]} ins(%arg1, %5 : tensor<5xi32>, tensor<5xi32>) outs(%6 : tensor<5xi32>) {
    ^bb0(%in: i32, %in_18: i32, %out: i32):
      %67 = arith.addi %in, %in_18 : i32
      linalg.yield %67 : i32
    } -> tensor<5xi32>
    %8 = tensor.empty() : tensor<5xi32>
    %9 = linalg.generic {indexing_maps = [#map1, #map1, #map1, #map1], iterator_types = ["parallel"]} ins(%3, %7, %arg1 : tensor<5xi1>, tensor<5xi32>, tensor<5xi32>) outs(%8 : tensor<5xi32>) {
    ^bb0(%in: i1, %in_18: i32, %in_19: i32, %out: i32):
      %67 = arith.select %in, %in_18, %in_19 : i32
      linalg.yield %67 : i32
    } -> tensor<5xi32>
    %cst_1 = arith.constant dense<0> : tensor<i32>
    %10 = tensor.empty() : tensor<5xi32>
    %11 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel"]} ins(%cst_1 : tensor<i32>) outs(%10 : tensor<5xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<5xi32>
    %12 = tensor.empty() : tensor<5xi1>
    %13 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel"]} ins(%arg2, %11 : tensor<5xi32>, tensor<5xi32>) outs(%12 : tensor<5xi1>) {
    ^bb0(%in: i32, %in_18: i32, %out: i1):
      %67 = arith.cmpi slt, %in, %in_18 : i32
      linalg.yield %67 : i1
    } -> tensor<5xi1>
    %cst_2 = arith.constant dense<6> : tensor<i32>
    %14 = tensor.empty() : tensor<5xi32>
    %15 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel"]} ins(%cst_2 : tensor<i32>) outs(%14 : tensor<5xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<5xi32>
    %16 = tensor.empty() : tensor<5xi32>
    %17 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel"]} ins(%arg2, %15 : tensor<5xi32>, tensor<5xi32>) outs(%16 : tensor<5xi32>) {
    ^bb0(%in: i32, %in_18: i32, %out: i32):
      %67 = arith.addi %in, %in_18 : i32
      linalg.yield %67 : i32
    } -> tensor<5xi32>
    %18 = tensor.empty() : tensor<5xi32>
    %19 = linalg.generic {indexing_maps = [#map1, #map1, #map1, #map1], iterator_types = ["parallel"]} ins(%13, %17, %arg2 : tensor<5xi1>, tensor<5xi32>, tensor<5xi32>) outs(%18 : tensor<5xi32>) {
    ^bb0(%in: i1, %in_18: i32, %in_19: i32, %out: i32):
      %67 = arith.select %in, %in_18, %in_19 : i32
      linalg.yield %67 : i32
    } -> tensor<5xi32>
    %20 = tensor.empty() : tensor<5x1xi32>
    %21 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel"]} ins(%9 : tensor<5xi32>) outs(%20 : tensor<5x1xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<5x1xi32>
    %22 = tensor.empty() : tensor<5x1xi32>
    %23 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel"]} ins(%19 : tensor<5xi32>) outs(%22 : tensor<5x1xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<5x1xi32>
    %c0 = arith.constant 0 : index
    %24 = tensor.empty() : tensor<5x2xi32>
    %25 = linalg.generic {indexing_maps = [#map3], iterator_types = ["parallel", "parallel"]} outs(%24 : tensor<5x2xi32>) {
    ^bb0(%out: i32):
      %67 = linalg.index 0 : index
      %68 = linalg.index 1 : index
      %69 = linalg.index 1 : index
      %c1_18 = arith.constant 1 : index
      %dim = tensor.dim %21, %c1_18 : tensor<5x1xi32>
      %70 = arith.addi %c0, %dim : index
      %71 = arith.cmpi ult, %69, %70 : index
      %72 = scf.if %71 -> (i32) {
        %73 = arith.subi %69, %c0 : index
        %extracted = tensor.extract %21[%67, %73] : tensor<5x1xi32>
        scf.yield %extracted : i32
      } else {
        %73 = arith.subi %69, %70 : index
        %extracted = tensor.extract %23[%67, %73] : tensor<5x1xi32>
        scf.yield %extracted : i32
      }
      linalg.yield %72 : i32
    } -> tensor<5x2xi32>
    %c0_3 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %26 = tensor.empty() : tensor<5x3xf32>
    %27 = linalg.generic {indexing_maps = [#map3], iterator_types = ["parallel", "parallel"]} outs(%26 : tensor<5x3xf32>) {
    ^bb0(%out: f32):
      %67 = linalg.index 0 : index
      %68 = linalg.index 1 : index
      %extracted = tensor.extract %25[%67, %c0_3] : tensor<5x2xi32>
      %69 = arith.index_cast %extracted : i32 to index
      %extracted_18 = tensor.extract %25[%67, %c1] : tensor<5x2xi32>
      %70 = arith.index_cast %extracted_18 : i32 to index
      %c0_19 = arith.constant 0 : index
      %c4 = arith.constant 4 : index
      %c3 = arith.constant 3 : index
      %71 = arith.maxsi %c0_3, %69 : index
      %72 = arith.minsi %71, %c3 : index
      %c1_20 = arith.constant 1 : index
      %c6 = arith.constant 6 : index
      %c5 = arith.constant 5 : index
      %73 = arith.maxsi %c0_3, %70 : index
      %74 = arith.minsi %73, %c5 : index
      %c1_21 = arith.constant 1 : index
      %c3_22 = arith.constant 3 : index
      %extracted_23 = tensor.extract %arg0[%72, %74, %68] : tensor<4x6x3xf32>
      linalg.yield %extracted_23 : f32
    } -> tensor<5x3xf32>
    %cst_4 = arith.constant dense<0> : tensor<i32>
    %28 = tensor.empty() : tensor<5xi32>
    %29 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel"]} ins(%cst_4 : tensor<i32>) outs(%28 : tensor<5xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<5xi32>
    %30 = tensor.empty() : tensor<5xi1>
    %31 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel"]} ins(%arg1, %29 : tensor<5xi32>, tensor<5xi32>) outs(%30 : tensor<5xi1>) {
    ^bb0(%in: i32, %in_18: i32, %out: i1):
      %67 = arith.cmpi slt, %in, %in_18 : i32
      linalg.yield %67 : i1
    } -> tensor<5xi1>
    %cst_5 = arith.constant dense<4> : tensor<i32>
    %32 = tensor.empty() : tensor<5xi32>
    %33 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel"]} ins(%cst_5 : tensor<i32>) outs(%32 : tensor<5xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<5xi32>
    %34 = tensor.empty() : tensor<5xi32>
    %35 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel"]} ins(%arg1, %33 : tensor<5xi32>, tensor<5xi32>) outs(%34 : tensor<5xi32>) {
    ^bb0(%in: i32, %in_18: i32, %out: i32):
      %67 = arith.addi %in, %in_18 : i32
      linalg.yield %67 : i32
    } -> tensor<5xi32>
    %36 = tensor.empty() : tensor<5xi32>
    %37 = linalg.generic {indexing_maps = [#map1, #map1, #map1, #map1], iterator_types = ["parallel"]} ins(%31, %35, %arg1 : tensor<5xi1>, tensor<5xi32>, tensor<5xi32>) outs(%36 : tensor<5xi32>) {
    ^bb0(%in: i1, %in_18: i32, %in_19: i32, %out: i32):
      %67 = arith.select %in, %in_18, %in_19 : i32
      linalg.yield %67 : i32
    } -> tensor<5xi32>
    %cst_6 = arith.constant dense<0> : tensor<i32>
    %38 = tensor.empty() : tensor<5xi32>
    %39 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel"]} ins(%cst_6 : tensor<i32>) outs(%38 : tensor<5xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<5xi32>
    %40 = tensor.empty() : tensor<5xi32>
    %41 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel"]} ins(%39 : tensor<5xi32>) outs(%40 : tensor<5xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<5xi32>
    %42 = tensor.empty() : tensor<5x1xi32>
    %43 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel"]} ins(%37 : tensor<5xi32>) outs(%42 : tensor<5x1xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<5x1xi32>
    %44 = tensor.empty() : tensor<5x1xi32>
    %45 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel"]} ins(%41 : tensor<5xi32>) outs(%44 : tensor<5x1xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<5x1xi32>
    %c0_7 = arith.constant 0 : index
    %46 = tensor.empty() : tensor<5x2xi32>
    %47 = linalg.generic {indexing_maps = [#map3], iterator_types = ["parallel", "parallel"]} outs(%46 : tensor<5x2xi32>) {
    ^bb0(%out: i32):
      %67 = linalg.index 0 : index
      %68 = linalg.index 1 : index
      %69 = linalg.index 1 : index
      %c1_18 = arith.constant 1 : index
      %dim = tensor.dim %43, %c1_18 : tensor<5x1xi32>
      %70 = arith.addi %c0_7, %dim : index
      %71 = arith.cmpi ult, %69, %70 : index
      %72 = scf.if %71 -> (i32) {
        %73 = arith.subi %69, %c0_7 : index
        %extracted = tensor.extract %43[%67, %73] : tensor<5x1xi32>
        scf.yield %extracted : i32
      } else {
        %73 = arith.subi %69, %70 : index
        %extracted = tensor.extract %45[%67, %73] : tensor<5x1xi32>
        scf.yield %extracted : i32
      }
      linalg.yield %72 : i32
    } -> tensor<5x2xi32>
    %c0_8 = arith.constant 0 : index
    %c1_9 = arith.constant 1 : index
    %c2_10 = arith.constant 2 : index
    %48 = tensor.empty() : tensor<5x6xf32>
    %49 = linalg.generic {indexing_maps = [#map3], iterator_types = ["parallel", "parallel"]} outs(%48 : tensor<5x6xf32>) {
    ^bb0(%out: f32):
      %67 = linalg.index 0 : index
      %68 = linalg.index 1 : index
      %extracted = tensor.extract %47[%67, %c0_8] : tensor<5x2xi32>
      %69 = arith.index_cast %extracted : i32 to index
      %extracted_18 = tensor.extract %47[%67, %c1_9] : tensor<5x2xi32>
      %70 = arith.index_cast %extracted_18 : i32 to index
      %c0_19 = arith.constant 0 : index
      %c4 = arith.constant 4 : index
      %c3 = arith.constant 3 : index
      %71 = arith.maxsi %c0_8, %69 : index
      %72 = arith.minsi %71, %c3 : index
      %c1_20 = arith.constant 1 : index
      %c6 = arith.constant 6 : index
      %c2_21 = arith.constant 2 : index
      %c3_22 = arith.constant 3 : index
      %c2_23 = arith.constant 2 : index
      %73 = arith.maxsi %c0_8, %70 : index
      %74 = arith.minsi %73, %c2_23 : index
      %extracted_24 = tensor.extract %arg0[%72, %68, %74] : tensor<4x6x3xf32>
      linalg.yield %extracted_24 : f32
    } -> tensor<5x6xf32>
    %cst_11 = arith.constant dense<0> : tensor<i32>
    %50 = tensor.empty() : tensor<5xi32>
    %51 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel"]} ins(%cst_11 : tensor<i32>) outs(%50 : tensor<5xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<5xi32>
    %52 = tensor.empty() : tensor<5xi1>
    %53 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel"]} ins(%arg2, %51 : tensor<5xi32>, tensor<5xi32>) outs(%52 : tensor<5xi1>) {
    ^bb0(%in: i32, %in_18: i32, %out: i1):
      %67 = arith.cmpi slt, %in, %in_18 : i32
      linalg.yield %67 : i1
    } -> tensor<5xi1>
    %cst_12 = arith.constant dense<6> : tensor<i32>
    %54 = tensor.empty() : tensor<5xi32>
    %55 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel"]} ins(%cst_12 : tensor<i32>) outs(%54 : tensor<5xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<5xi32>
    %56 = tensor.empty() : tensor<5xi32>
    %57 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel"]} ins(%arg2, %55 : tensor<5xi32>, tensor<5xi32>) outs(%56 : tensor<5xi32>) {
    ^bb0(%in: i32, %in_18: i32, %out: i32):
      %67 = arith.addi %in, %in_18 : i32
      linalg.yield %67 : i32
    } -> tensor<5xi32>
    %58 = tensor.empty() : tensor<5xi32>
    %59 = linalg.generic {indexing_maps = [#map1, #map1, #map1, #map1], iterator_types = ["parallel"]} ins(%53, %57, %arg2 : tensor<5xi1>, tensor<5xi32>, tensor<5xi32>) outs(%58 : tensor<5xi32>) {
    ^bb0(%in: i1, %in_18: i32, %in_19: i32, %out: i32):
      %67 = arith.select %in, %in_18, %in_19 : i32
      linalg.yield %67 : i32
    } -> tensor<5xi32>
    %60 = tensor.empty() : tensor<5x1xi32>
    %61 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel"]} ins(%59 : tensor<5xi32>) outs(%60 : tensor<5x1xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<5x1xi32>
    %c0_13 = arith.constant 0 : index
    %c1_14 = arith.constant 1 : index
    %c2_15 = arith.constant 2 : index
    %62 = tensor.empty() : tensor<4x5x3xf32>
    %63 = linalg.generic {indexing_maps = [#map4], iterator_types = ["parallel", "parallel", "parallel"]} outs(%62 : tensor<4x5x3xf32>) {
    ^bb0(%out: f32):
      %67 = linalg.index 0 : index
      %68 = linalg.index 1 : index
      %69 = linalg.index 2 : index
      %extracted = tensor.extract %61[%68, %c0_13] : tensor<5x1xi32>
      %70 = arith.index_cast %extracted : i32 to index
      %c0_18 = arith.constant 0 : index
      %c4 = arith.constant 4 : index
      %c1_19 = arith.constant 1 : index
      %c6 = arith.constant 6 : index
      %c5 = arith.constant 5 : index
      %71 = arith.maxsi %c0_13, %70 : index
      %72 = arith.minsi %71, %c5 : index
      %c2_20 = arith.constant 2 : index
      %c3 = arith.constant 3 : index
      %extracted_21 = tensor.extract %arg0[%67, %72, %69] : tensor<4x6x3xf32>
      linalg.yield %extracted_21 : f32
    } -> tensor<4x5x3xf32>
    %cst_16 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_17 = arith.constant 0.000000e+00 : f32
    %64 = tensor.empty() : tensor<5x3xf32>
    %65 = linalg.fill ins(%cst_17 : f32) outs(%64 : tensor<5x3xf32>) -> tensor<5x3xf32>
    %66 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%63 : tensor<4x5x3xf32>) outs(%65 : tensor<5x3xf32>) {
    ^bb0(%in: f32, %out: f32):
      %from_elements = tensor.from_elements %in : tensor<f32>
      %from_elements_18 = tensor.from_elements %out : tensor<f32>
      %extracted = tensor.extract %from_elements_18[] : tensor<f32>
      %extracted_19 = tensor.extract %from_elements[] : tensor<f32>
      %67 = arith.addf %extracted, %extracted_19 : f32
      %from_elements_20 = tensor.from_elements %67 : tensor<f32>
      %extracted_21 = tensor.extract %from_elements_20[] : tensor<f32>
      linalg.yield %extracted_21 : f32
    } -> tensor<5x3xf32>
    return %27, %49, %66 : tensor<5x3xf32>, tensor<5x6xf32>, tensor<5x3xf32>
  }
}
