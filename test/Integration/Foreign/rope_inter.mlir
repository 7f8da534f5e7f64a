#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0) -> ()>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map4 = affine_map<(d0, d1, d2) -> (d2)>
#map5 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map6 = affine_map<(d0, d1, d2) -> (0, 0, d2)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map9 = affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, d3)>
#map10 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
#map11 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
module @rope_inter {
  func.func public @main(%arg0: tensor<2x6x4x8xf32>, %arg1: tensor<2x6xi32>) -> (tensor<2x6x4x8xf32> {jax.result_info = "result"}) {
    %0 = tensor.empty() : tensor<4xi32>
    %1 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%0 : tensor<4xi32>) {
    ^bb0(%out: i32):
      %70 = linalg.index 0 : index
      %71 = arith.index_cast %70 : index to i32
      linalg.yield %71 : i32
    } -> tensor<4xi32>
    %cst = arith.constant dense<2> : tensor<i32>
    %2 = tensor.empty() : tensor<4xi32>
    %3 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel"]} ins(%cst : tensor<i32>) outs(%2 : tensor<4xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<4xi32>
    %4 = tensor.empty() : tensor<4xi32>
    %5 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%3, %1 : tensor<4xi32>, tensor<4xi32>) outs(%4 : tensor<4xi32>) {
    ^bb0(%in: i32, %in_5: i32, %out: i32):
      %70 = arith.muli %in, %in_5 : i32
      linalg.yield %70 : i32
    } -> tensor<4xi32>
    %cst_0 = arith.constant dense<0> : tensor<i32>
    %6 = tensor.empty() : tensor<4xi32>
    %7 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel"]} ins(%cst_0 : tensor<i32>) outs(%6 : tensor<4xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<4xi32>
    %8 = tensor.empty() : tensor<4xi32>
    %9 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%7, %5 : tensor<4xi32>, tensor<4xi32>) outs(%8 : tensor<4xi32>) {
    ^bb0(%in: i32, %in_5: i32, %out: i32):
      %70 = arith.addi %in, %in_5 : i32
      linalg.yield %70 : i32
    } -> tensor<4xi32>
    %10 = tensor.empty() : tensor<4xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%9 : tensor<4xi32>) outs(%10 : tensor<4xf32>) {
    ^bb0(%in: i32, %out: f32):
      %70 = arith.sitofp %in : i32 to f32
      linalg.yield %70 : f32
    } -> tensor<4xf32>
    %cst_1 = arith.constant dense<8.000000e+00> : tensor<f32>
    %12 = tensor.empty() : tensor<4xf32>
    %13 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel"]} ins(%cst_1 : tensor<f32>) outs(%12 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4xf32>
    %14 = tensor.empty() : tensor<4xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%11, %13 : tensor<4xf32>, tensor<4xf32>) outs(%14 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %70 = arith.divf %in, %in_5 : f32
      linalg.yield %70 : f32
    } -> tensor<4xf32>
    %cst_2 = arith.constant dense<1.000000e+04> : tensor<f32>
    %16 = tensor.empty() : tensor<4xf32>
    %17 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel"]} ins(%cst_2 : tensor<f32>) outs(%16 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4xf32>
    %18 = tensor.empty() : tensor<4xf32>
    %19 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%17, %15 : tensor<4xf32>, tensor<4xf32>) outs(%18 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %70 = math.powf %in, %in_5 : f32
      linalg.yield %70 : f32
    } -> tensor<4xf32>
    %cst_3 = arith.constant dense<1.000000e+00> : tensor<f32>
    %20 = tensor.empty() : tensor<4xf32>
    %21 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel"]} ins(%cst_3 : tensor<f32>) outs(%20 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4xf32>
    %22 = tensor.empty() : tensor<4xf32>
    %23 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%21, %19 : tensor<4xf32>, tensor<4xf32>) outs(%22 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %70 = arith.divf %in, %in_5 : f32
      linalg.yield %70 : f32
    } -> tensor<4xf32>
    %24 = tensor.empty() : tensor<2x6x1xi32>
    %25 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg1 : tensor<2x6xi32>) outs(%24 : tensor<2x6x1xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<2x6x1xi32>
    %26 = tensor.empty() : tensor<2x6x1xf32>
    %27 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%25 : tensor<2x6x1xi32>) outs(%26 : tensor<2x6x1xf32>) {
    ^bb0(%in: i32, %out: f32):
      %70 = arith.sitofp %in : i32 to f32
      linalg.yield %70 : f32
    } -> tensor<2x6x1xf32>
    %28 = tensor.empty() : tensor<1x1x4xf32>
    %29 = linalg.generic {indexing_maps = [#map4, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%23 : tensor<4xf32>) outs(%28 : tensor<1x1x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x4xf32>
    %30 = tensor.empty() : tensor<2x6x4xf32>
    %31 = linalg.generic {indexing_maps = [#map5, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%27 : tensor<2x6x1xf32>) outs(%30 : tensor<2x6x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6x4xf32>
    %32 = tensor.empty() : tensor<2x6x4xf32>
    %33 = linalg.generic {indexing_maps = [#map6, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%29 : tensor<1x1x4xf32>) outs(%32 : tensor<2x6x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6x4xf32>
    %34 = tensor.empty() : tensor<2x6x4xf32>
    %35 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%31, %33 : tensor<2x6x4xf32>, tensor<2x6x4xf32>) outs(%34 : tensor<2x6x4xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %70 = arith.mulf %in, %in_5 : f32
      linalg.yield %70 : f32
    } -> tensor<2x6x4xf32>
    %36 = tensor.empty() : tensor<2x6x4xf32>
    %37 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%35 : tensor<2x6x4xf32>) outs(%36 : tensor<2x6x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %70 = math.cos %in : f32
      linalg.yield %70 : f32
    } -> tensor<2x6x4xf32>
    %38 = tensor.empty() : tensor<2x6x1x4xf32>
    %39 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%37 : tensor<2x6x4xf32>) outs(%38 : tensor<2x6x1x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6x1x4xf32>
    %40 = tensor.empty() : tensor<2x6x4xf32>
    %41 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%35 : tensor<2x6x4xf32>) outs(%40 : tensor<2x6x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %70 = math.sin %in : f32
      linalg.yield %70 : f32
    } -> tensor<2x6x4xf32>
    %42 = tensor.empty() : tensor<2x6x1x4xf32>
    %43 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%41 : tensor<2x6x4xf32>) outs(%42 : tensor<2x6x1x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6x1x4xf32>
    %extracted_slice = tensor.extract_slice %arg0[0, 0, 0, 0] [2, 6, 4, 4] [1, 1, 1, 2] : tensor<2x6x4x8xf32> to tensor<2x6x4x4xf32>
    %extracted_slice_4 = tensor.extract_slice %arg0[0, 0, 0, 1] [2, 6, 4, 4] [1, 1, 1, 2] : tensor<2x6x4x8xf32> to tensor<2x6x4x4xf32>
    %44 = tensor.empty() : tensor<2x6x4x4xf32>
    %45 = linalg.generic {indexing_maps = [#map9, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%39 : tensor<2x6x1x4xf32>) outs(%44 : tensor<2x6x4x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6x4x4xf32>
    %46 = tensor.empty() : tensor<2x6x4x4xf32>
    %47 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice, %45 : tensor<2x6x4x4xf32>, tensor<2x6x4x4xf32>) outs(%46 : tensor<2x6x4x4xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %70 = arith.mulf %in, %in_5 : f32
      linalg.yield %70 : f32
    } -> tensor<2x6x4x4xf32>
    %48 = tensor.empty() : tensor<2x6x4x4xf32>
    %49 = linalg.generic {indexing_maps = [#map9, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%43 : tensor<2x6x1x4xf32>) outs(%48 : tensor<2x6x4x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6x4x4xf32>
    %50 = tensor.empty() : tensor<2x6x4x4xf32>
    %51 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_4, %49 : tensor<2x6x4x4xf32>, tensor<2x6x4x4xf32>) outs(%50 : tensor<2x6x4x4xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %70 = arith.mulf %in, %in_5 : f32
      linalg.yield %70 : f32
    } -> tensor<2x6x4x4xf32>
    %52 = tensor.empty() : tensor<2x6x4x4xf32>
    %53 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%47, %51 : tensor<2x6x4x4xf32>, tensor<2x6x4x4xf32>) outs(%52 : tensor<2x6x4x4xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %70 = arith.subf %in, %in_5 : f32
      linalg.yield %70 : f32
    } -> tensor<2x6x4x4xf32>
    %54 = tensor.empty() : tensor<2x6x4x4xf32>
    %55 = linalg.generic {indexing_maps = [#map9, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%39 : tensor<2x6x1x4xf32>) outs(%54 : tensor<2x6x4x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6x4x4xf32>
    %56 = tensor.empty() : tensor<2x6x4x4xf32>
    %57 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_4, %55 : tensor<2x6x4x4xf32>, tensor<2x6x4x4xf32>) outs(%56 : tensor<2x6x4x4xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %70 = arith.mulf %in, %in_5 : f32
      linalg.yield %70 : f32
    } -> tensor<2x6x4x4xf32>
    %58 = tensor.empty() : tensor<2x6x4x4xf32>
    %59 = linalg.generic {indexing_maps = [#map9, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%43 : tensor<2x6x1x4xf32>) outs(%58 : tensor<2x6x4x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6x4x4xf32>
    %60 = tensor.empty() : tensor<2x6x4x4xf32>
    %61 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice, %59 : tensor<2x6x4x4xf32>, tensor<2x6x4x4xf32>) outs(%60 : tensor<2x6x4x4xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %70 = arith.mulf %in, %in_5 : f32
      linalg.yield %70 : f32
    } -> tensor<2x6x4x4xf32>
    %62 = tensor.empty() : tensor<2x6x4x4xf32>
    %63 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%57, %61 : tensor<2x6x4x4xf32>, tensor<2x6x4x4xf32>) outs(%62 : tensor<2x6x4x4xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %70 = arith.addf %in, %in_5 : f32
      linalg.yield %70 : f32
    } -> tensor<2x6x4x4xf32>
    %64 = tensor.empty() : tensor<2x6x4x4x1xf32>
    %65 = linalg.generic {indexing_maps = [#map10, #map11], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%53 : tensor<2x6x4x4xf32>) outs(%64 : tensor<2x6x4x4x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6x4x4x1xf32>
    %66 = tensor.empty() : tensor<2x6x4x4x1xf32>
    %67 = linalg.generic {indexing_maps = [#map10, #map11], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%63 : tensor<2x6x4x4xf32>) outs(%66 : tensor<2x6x4x4x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6x4x4x1xf32>
    %c0 = arith.constant 0 : index
    %68 = tensor.empty() : tensor<2x6x4x4x2xf32>
    %69 = linalg.generic {indexing_maps = [#map11], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} outs(%68 : tensor<2x6x4x4x2xf32>) {
    ^bb0(%out: f32):
      %70 = linalg.index 0 : index
      %71 = linalg.index 1 : index
      %72 = linalg.index 2 : index
      %73 = linalg.index 3 : index
      %74 = linalg.index 4 : index
      %75 = linalg.index 4 : index
      %c4 = arith.constant 4 : index
      %dim = tensor.dim %65, %c4 : tensor<2x6x4x4x1xf32>
      %76 = arith.addi %c0, %dim : index
      %77 = arith.cmpi ult, %75, %76 : index
      %78 = scf.if %77 -> (f32) {
        %79 = arith.subi %75, %c0 : index
        %extracted = tensor.extract %65[%70, %71, %72, %73, %79] : tensor<2x6x4x4x1xf32>
        scf.yield %extracted : f32
      } else {
        %79 = arith.subi %75, %76 : index
        %extracted = tensor.extract %67[%70, %71, %72, %73, %79] : tensor<2x6x4x4x1xf32>
        scf.yield %extracted : f32
      }
      linalg.yield %78 : f32
    } -> tensor<2x6x4x4x2xf32>
    %collapsed = tensor.collapse_shape %69 [[0], [1], [2], [3, 4]] : tensor<2x6x4x4x2xf32> into tensor<2x6x4x8xf32>
    return %collapsed : tensor<2x6x4x8xf32>
  }
}
