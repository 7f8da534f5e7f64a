#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
#map2 = affine_map<(d0) -> ()>
#map3 = affine_map<(d0) -> (d0)>
#map4 = affine_map<(d0, d1) -> (d0, 0)>
#map5 = affine_map<(d0, d1) -> ()>
#map6 = affine_map<(d0, d1, d2, d3) -> (d3, d0, d1)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d3, d2)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map9 = affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>
#map10 = affine_map<(d0, d1, d2, d3) -> (d3, d2, d1)>
#map11 = affine_map<(d0, d1, d2, d3) -> (d0, d1)>
#map12 = affine_map<(d0, d1) -> (0, d1)>
#map13 = affine_map<() -> ()>
#map14 = affine_map<(d0, d1, d2) -> (d0 + d2, d1)>
#map15 = affine_map<(d0, d1, d2) -> (d2)>
#map16 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map17 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map18 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map19 = affine_map<(d0, d1, d2) -> (0, 0, d2)>
#map20 = affine_map<(d0, d1, d2) -> ()>
module @moe_capacity {
  func.func public @main(%arg0: tensor<8x6xf32>, %arg1: tensor<6x4xf32>, %arg2: tensor<4x6x5xf32>, %arg3: tensor<4x5x6xf32>) -> (tensor<8x6xf32> {jax.result_info = "result"}) {
    %0 = tensor.empty() : tensor<8x4xf32>
    %cst = arith.constant 0.000000e+00 : f32
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<8x4xf32>) -> tensor<8x4xf32>
    %2 = linalg.matmul ins(%arg0, %arg1 : tensor<8x6xf32>, tensor<6x4xf32>) outs(%1 : tensor<8x4xf32>) -> tensor<8x4xf32>
    %cst_0 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_1 = arith.constant 0xFF800000 : f32
    %3 = tensor.empty() : tensor<8xf32>
    %4 = linalg.fill ins(%cst_1 : f32) outs(%3 : tensor<8xf32>) -> tensor<8xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%2 : tensor<8x4xf32>) outs(%4 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %from_elements = tensor.from_elements %in : tensor<f32>
      %from_elements_15 = tensor.from_elements %out : tensor<f32>
      %extracted = tensor.extract %from_elements_15[] : tensor<f32>
      %extracted_16 = tensor.extract %from_elements[] : tensor<f32>
      %74 = arith.maximumf %extracted, %extracted_16 : f32
      %from_elements_17 = tensor.from_elements %74 : tensor<f32>
      %extracted_18 = tensor.extract %from_elements_17[] : tensor<f32>
      linalg.yield %extracted_18 : f32
    } -> tensor<8xf32>
    %cst_2 = arith.constant dense<0xFF800000> : tensor<f32>
    %6 = tensor.empty() : tensor<8xf32>
    %7 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel"]} ins(%cst_2 : tensor<f32>) outs(%6 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8xf32>
    %8 = tensor.empty() : tensor<8xf32>
    %9 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel"]} ins(%7, %5 : tensor<8xf32>, tensor<8xf32>) outs(%8 : tensor<8xf32>) {
    ^bb0(%in: f32, %in_15: f32, %out: f32):
      %74 = arith.maximumf %in, %in_15 : f32
      linalg.yield %74 : f32
    } -> tensor<8xf32>
    %10 = tensor.empty() : tensor<8x1xf32>
    %11 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%9 : tensor<8xf32>) outs(%10 : tensor<8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x1xf32>
    %12 = tensor.empty() : tensor<8x4xf32>
    %13 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel"]} ins(%11 : tensor<8x1xf32>) outs(%12 : tensor<8x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x4xf32>
    %14 = tensor.empty() : tensor<8x4xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%2, %13 : tensor<8x4xf32>, tensor<8x4xf32>) outs(%14 : tensor<8x4xf32>) {
    ^bb0(%in: f32, %in_15: f32, %out: f32):
      %74 = arith.subf %in, %in_15 : f32
      linalg.yield %74 : f32
    } -> tensor<8x4xf32>
    %16 = tensor.empty() : tensor<8x4xf32>
    %17 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%15 : tensor<8x4xf32>) outs(%16 : tensor<8x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %74 = math.exp %in : f32
      linalg.yield %74 : f32
    } -> tensor<8x4xf32>
    %cst_3 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_4 = arith.constant 0.000000e+00 : f32
    %18 = tensor.empty() : tensor<8xf32>
    %19 = linalg.fill ins(%cst_4 : f32) outs(%18 : tensor<8xf32>) -> tensor<8xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%17 : tensor<8x4xf32>) outs(%19 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %from_elements = tensor.from_elements %in : tensor<f32>
      %from_elements_15 = tensor.from_elements %out : tensor<f32>
      %extracted = tensor.extract %from_elements_15[] : tensor<f32>
      %extracted_16 = tensor.extract %from_elements[] : tensor<f32>
      %74 = arith.addf %extracted, %extracted_16 : f32
      %from_elements_17 = tensor.from_elements %74 : tensor<f32>
      %extracted_18 = tensor.extract %from_elements_17[] : tensor<f32>
      linalg.yield %extracted_18 : f32
    } -> tensor<8xf32>
    %21 = tensor.empty() : tensor<8x1xf32>
    %22 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%20 : tensor<8xf32>) outs(%21 : tensor<8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x1xf32>
    %23 = tensor.empty() : tensor<8x4xf32>
    %24 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel"]} ins(%22 : tensor<8x1xf32>) outs(%23 : tensor<8x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x4xf32>
    %25 = tensor.empty() : tensor<8x4xf32>
    %26 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%17, %24 : tensor<8x4xf32>, tensor<8x4xf32>) outs(%25 : tensor<8x4xf32>) {
    ^bb0(%in: f32, %in_15: f32, %out: f32):
      %74 = arith.divf %in, %in_15 : f32
      linalg.yield %74 : f32
    } -> tensor<8x4xf32>
    %27 = call @argmax(%26) : (tensor<8x4xf32>) -> tensor<8xi32>
    %28 = call @_one_hot(%27) : (tensor<8xi32>) -> tensor<8x4xi32>
    %29 = call @cumsum(%28) : (tensor<8x4xi32>) -> tensor<8x4xi32>
    %30 = tensor.empty() : tensor<8x4xi32>
    %31 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%29, %28 : tensor<8x4xi32>, tensor<8x4xi32>) outs(%30 : tensor<8x4xi32>) {
    ^bb0(%in: i32, %in_15: i32, %out: i32):
      %74 = arith.muli %in, %in_15 : i32
      linalg.yield %74 : i32
    } -> tensor<8x4xi32>
    %cst_5 = arith.constant dense<1> : tensor<i32>
    %32 = tensor.empty() : tensor<8x4xi32>
    %33 = linalg.generic {indexing_maps = [#map5, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_5 : tensor<i32>) outs(%32 : tensor<8x4xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<8x4xi32>
    %34 = tensor.empty() : tensor<8x4xi32>
    %35 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%31, %33 : tensor<8x4xi32>, tensor<8x4xi32>) outs(%34 : tensor<8x4xi32>) {
    ^bb0(%in: i32, %in_15: i32, %out: i32):
      %74 = arith.subi %in, %in_15 : i32
      linalg.yield %74 : i32
    } -> tensor<8x4xi32>
    %cst_6 = arith.constant dense<3> : tensor<i32>
    %36 = tensor.empty() : tensor<8x4xi32>
    %37 = linalg.generic {indexing_maps = [#map5, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_6 : tensor<i32>) outs(%36 : tensor<8x4xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<8x4xi32>
    %38 = tensor.empty() : tensor<8x4xi1>
    %39 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%35, %37 : tensor<8x4xi32>, tensor<8x4xi32>) outs(%38 : tensor<8x4xi1>) {
    ^bb0(%in: i32, %in_15: i32, %out: i1):
      %74 = arith.cmpi slt, %in, %in_15 : i32
      linalg.yield %74 : i1
    } -> tensor<8x4xi1>
    %cst_7 = arith.constant dense<0> : tensor<i32>
    %40 = tensor.empty() : tensor<8x4xi32>
    %41 = linalg.generic {indexing_maps = [#map5, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_7 : tensor<i32>) outs(%40 : tensor<8x4xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<8x4xi32>
    %42 = tensor.empty() : tensor<8x4xi1>
    %43 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%28, %41 : tensor<8x4xi32>, tensor<8x4xi32>) outs(%42 : tensor<8x4xi1>) {
    ^bb0(%in: i32, %in_15: i32, %out: i1):
      %74 = arith.cmpi sgt, %in, %in_15 : i32
      linalg.yield %74 : i1
    } -> tensor<8x4xi1>
    %44 = tensor.empty() : tensor<8x4xi1>
    %45 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%39, %43 : tensor<8x4xi1>, tensor<8x4xi1>) outs(%44 : tensor<8x4xi1>) {
    ^bb0(%in: i1, %in_15: i1, %out: i1):
      %74 = arith.andi %in, %in_15 : i1
      linalg.yield %74 : i1
    } -> tensor<8x4xi1>
    %cst_8 = arith.constant dense<-1> : tensor<i32>
    %46 = call @_where(%45, %35, %cst_8) : (tensor<8x4xi1>, tensor<8x4xi32>, tensor<i32>) -> tensor<8x4xi32>
    %47 = call @_one_hot_1(%46) : (tensor<8x4xi32>) -> tensor<8x4x3xf32>
    %48 = tensor.empty() : tensor<8x4xf32>
    %49 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%45 : tensor<8x4xi1>) outs(%48 : tensor<8x4xf32>) {
    ^bb0(%in: i1, %out: f32):
      %74 = arith.uitofp %in : i1 to f32
      linalg.yield %74 : f32
    } -> tensor<8x4xf32>
    %50 = tensor.empty() : tensor<8x4xf32>
    %51 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%26, %49 : tensor<8x4xf32>, tensor<8x4xf32>) outs(%50 : tensor<8x4xf32>) {
    ^bb0(%in: f32, %in_15: f32, %out: f32):
      %74 = arith.mulf %in, %in_15 : f32
      linalg.yield %74 : f32
    } -> tensor<8x4xf32>
    %cst_9 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_10 = arith.constant 0.000000e+00 : f32
    %52 = tensor.empty() : tensor<8xf32>
    %53 = linalg.fill ins(%cst_10 : f32) outs(%52 : tensor<8xf32>) -> tensor<8xf32>
    %54 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%51 : tensor<8x4xf32>) outs(%53 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %from_elements = tensor.from_elements %in : tensor<f32>
      %from_elements_15 = tensor.from_elements %out : tensor<f32>
      %extracted = tensor.extract %from_elements_15[] : tensor<f32>
      %extracted_16 = tensor.extract %from_elements[] : tensor<f32>
      %74 = arith.addf %extracted, %extracted_16 : f32
      %from_elements_17 = tensor.from_elements %74 : tensor<f32>
      %extracted_18 = tensor.extract %from_elements_17[] : tensor<f32>
      linalg.yield %extracted_18 : f32
    } -> tensor<8xf32>
    %55 = tensor.empty() : tensor<4x3x6xf32>
    %cst_11 = arith.constant 0.000000e+00 : f32
    %56 = linalg.fill ins(%cst_11 : f32) outs(%55 : tensor<4x3x6xf32>) -> tensor<4x3x6xf32>
    %57 = linalg.generic {indexing_maps = [#map6, #map7, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%47, %arg0 : tensor<8x4x3xf32>, tensor<8x6xf32>) outs(%56 : tensor<4x3x6xf32>) {
    ^bb0(%in: f32, %in_15: f32, %out: f32):
      %74 = arith.mulf %in, %in_15 : f32
      %75 = arith.addf %out, %74 : f32
      linalg.yield %75 : f32
    } -> tensor<4x3x6xf32>
    %58 = tensor.empty() : tensor<4x3x5xf32>
    %cst_12 = arith.constant 0.000000e+00 : f32
    %59 = linalg.fill ins(%cst_12 : f32) outs(%58 : tensor<4x3x5xf32>) -> tensor<4x3x5xf32>
    %60 = linalg.batch_matmul ins(%57, %arg2 : tensor<4x3x6xf32>, tensor<4x6x5xf32>) outs(%59 : tensor<4x3x5xf32>) -> tensor<4x3x5xf32>
    %61 = call @relu(%60) : (tensor<4x3x5xf32>) -> tensor<4x3x5xf32>
    %62 = tensor.empty() : tensor<4x3x6xf32>
    %cst_13 = arith.constant 0.000000e+00 : f32
    %63 = linalg.fill ins(%cst_13 : f32) outs(%62 : tensor<4x3x6xf32>) -> tensor<4x3x6xf32>
    %64 = linalg.batch_matmul ins(%61, %arg3 : tensor<4x3x5xf32>, tensor<4x5x6xf32>) outs(%63 : tensor<4x3x6xf32>) -> tensor<4x3x6xf32>
    %65 = tensor.empty() : tensor<8x6xf32>
    %cst_14 = arith.constant 0.000000e+00 : f32
    %66 = linalg.fill ins(%cst_14 : f32) outs(%65 : tensor<8x6xf32>) -> tensor<8x6xf32>
    %67 = linalg.generic {indexing_maps = [#map9, #map10, #map11], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%47, %64 : tensor<8x4x3xf32>, tensor<4x3x6xf32>) outs(%66 : tensor<8x6xf32>) {
    ^bb0(%in: f32, %in_15: f32, %out: f32):
      %74 = arith.mulf %in, %in_15 : f32
      %75 = arith.addf %out, %74 : f32
      linalg.yield %75 : f32
    } -> tensor<8x6xf32>
    %68 = tensor.empty() : tensor<8x1xf32>
    %69 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%54 : tensor<8xf32>) outs(%68 : tensor<8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x1xf32>
    %70 = tensor.empty() : tensor<8x6xf32>
    %71 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel"]} ins(%69 : tensor<8x1xf32>) outs(%70 : tensor<8x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x6xf32>
    %72 = tensor.empty() : tensor<8x6xf32>
    %73 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%67, %71 : tensor<8x6xf32>, tensor<8x6xf32>) outs(%72 : tensor<8x6xf32>) {
    ^bb0(%in: f32, %in_15: f32, %out: f32):
      %74 = arith.mulf %in, %in_15 : f32
      linalg.yield %74 : f32
    } -> tensor<8x6xf32>
    return %73 : tensor<8x6xf32>
  }
  func.func private @argmax(%arg0: tensor<8x4xf32>) -> tensor<8xi32> {
    %0 = tensor.empty() : tensor<8x4xi32>
    %1 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel"]} outs(%0 : tensor<8x4xi32>) {
    ^bb0(%out: i32):
      %7 = linalg.index 1 : index
      %8 = arith.index_cast %7 : index to i32
      linalg.yield %8 : i32
    } -> tensor<8x4xi32>
    %cst = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_0 = arith.constant dense<0> : tensor<i32>
    %cst_1 = arith.constant 0xFF800000 : f32
    %2 = tensor.empty() : tensor<8xf32>
    %3 = linalg.fill ins(%cst_1 : f32) outs(%2 : tensor<8xf32>) -> tensor<8xf32>
    %c0_i32 = arith.constant 0 : i32
    %4 = tensor.empty() : tensor<8xi32>
    %5 = linalg.fill ins(%c0_i32 : i32) outs(%4 : tensor<8xi32>) -> tensor<8xi32>
    %6:2 = linalg.generic {indexing_maps = [#map, #map, #map1, #map1], iterator_types = ["parallel", "reduction"]} ins(%arg0, %1 : tensor<8x4xf32>, tensor<8x4xi32>) outs(%3, %5 : tensor<8xf32>, tensor<8xi32>) {
    ^bb0(%in: f32, %in_2: i32, %out: f32, %out_3: i32):
      %from_elements = tensor.from_elements %in_2 : tensor<i32>
      %from_elements_4 = tensor.from_elements %in : tensor<f32>
      %from_elements_5 = tensor.from_elements %out_3 : tensor<i32>
      %from_elements_6 = tensor.from_elements %out : tensor<f32>
      %extracted = tensor.extract %from_elements_6[] : tensor<f32>
      %extracted_7 = tensor.extract %from_elements_4[] : tensor<f32>
      %7 = arith.cmpf ogt, %extracted, %extracted_7 : f32
      %from_elements_8 = tensor.from_elements %7 : tensor<i1>
      %extracted_9 = tensor.extract %from_elements_6[] : tensor<f32>
      %extracted_10 = tensor.extract %from_elements_6[] : tensor<f32>
      %8 = arith.cmpf une, %extracted_9, %extracted_10 : f32
      %from_elements_11 = tensor.from_elements %8 : tensor<i1>
      %extracted_12 = tensor.extract %from_elements_8[] : tensor<i1>
      %extracted_13 = tensor.extract %from_elements_11[] : tensor<i1>
      %9 = arith.ori %extracted_12, %extracted_13 : i1
      %from_elements_14 = tensor.from_elements %9 : tensor<i1>
      %extracted_15 = tensor.extract %from_elements_6[] : tensor<f32>
      %extracted_16 = tensor.extract %from_elements_4[] : tensor<f32>
      %10 = arith.cmpf oeq, %extracted_15, %extracted_16 : f32
      %from_elements_17 = tensor.from_elements %10 : tensor<i1>
      %extracted_18 = tensor.extract %from_elements_5[] : tensor<i32>
      %extracted_19 = tensor.extract %from_elements[] : tensor<i32>
      %11 = arith.cmpi slt, %extracted_18, %extracted_19 : i32
      %from_elements_20 = tensor.from_elements %11 : tensor<i1>
      %extracted_21 = tensor.extract %from_elements_17[] : tensor<i1>
      %extracted_22 = tensor.extract %from_elements_20[] : tensor<i1>
      %12 = arith.andi %extracted_21, %extracted_22 : i1
      %from_elements_23 = tensor.from_elements %12 : tensor<i1>
      %extracted_24 = tensor.extract %from_elements_14[] : tensor<i1>
      %extracted_25 = tensor.extract %from_elements_23[] : tensor<i1>
      %13 = arith.ori %extracted_24, %extracted_25 : i1
      %from_elements_26 = tensor.from_elements %13 : tensor<i1>
      %extracted_27 = tensor.extract %from_elements_14[] : tensor<i1>
      %extracted_28 = tensor.extract %from_elements_6[] : tensor<f32>
      %extracted_29 = tensor.extract %from_elements_4[] : tensor<f32>
      %14 = arith.select %extracted_27, %extracted_28, %extracted_29 : f32
      %from_elements_30 = tensor.from_elements %14 : tensor<f32>
      %extracted_31 = tensor.extract %from_elements_26[] : tensor<i1>
      %extracted_32 = tensor.extract %from_elements_5[] : tensor<i32>
      %extracted_33 = tensor.extract %from_elements[] : tensor<i32>
      %15 = arith.select %extracted_31, %extracted_32, %extracted_33 : i32
      %from_elements_34 = tensor.from_elements %15 : tensor<i32>
      %extracted_35 = tensor.extract %from_elements_30[] : tensor<f32>
      %extracted_36 = tensor.extract %from_elements_34[] : tensor<i32>
      linalg.yield %extracted_35, %extracted_36 : f32, i32
    } -> (tensor<8xf32>, tensor<8xi32>)
    return %6#1 : tensor<8xi32>
  }
  func.func private @_one_hot(%arg0: tensor<8xi32>) -> tensor<8x4xi32> {
    %0 = tensor.empty() : tensor<8x1xi32>
    %1 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<8xi32>) outs(%0 : tensor<8x1xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<8x1xi32>
    %2 = tensor.empty() : tensor<1x4xi32>
    %3 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel"]} outs(%2 : tensor<1x4xi32>) {
    ^bb0(%out: i32):
      %12 = linalg.index 1 : index
      %13 = arith.index_cast %12 : index to i32
      linalg.yield %13 : i32
    } -> tensor<1x4xi32>
    %4 = tensor.empty() : tensor<8x4xi32>
    %5 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<8x1xi32>) outs(%4 : tensor<8x4xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<8x4xi32>
    %6 = tensor.empty() : tensor<8x4xi32>
    %7 = linalg.generic {indexing_maps = [#map12, #map], iterator_types = ["parallel", "parallel"]} ins(%3 : tensor<1x4xi32>) outs(%6 : tensor<8x4xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<8x4xi32>
    %8 = tensor.empty() : tensor<8x4xi1>
    %9 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%5, %7 : tensor<8x4xi32>, tensor<8x4xi32>) outs(%8 : tensor<8x4xi1>) {
    ^bb0(%in: i32, %in_0: i32, %out: i1):
      %12 = arith.cmpi eq, %in, %in_0 : i32
      linalg.yield %12 : i1
    } -> tensor<8x4xi1>
    %10 = tensor.empty() : tensor<8x4xi32>
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%9 : tensor<8x4xi1>) outs(%10 : tensor<8x4xi32>) {
    ^bb0(%in: i1, %out: i32):
      %12 = arith.extui %in : i1 to i32
      linalg.yield %12 : i32
    } -> tensor<8x4xi32>
    return %11 : tensor<8x4xi32>
  }
  func.func private @cumsum(%arg0: tensor<8x4xi32>) -> tensor<8x4xi32> {
    %0 = call @cumsum_0(%arg0) : (tensor<8x4xi32>) -> tensor<8x4xi32>
    return %0 : tensor<8x4xi32>
  }
  func.func private @cumsum_0(%arg0: tensor<8x4xi32>) -> tensor<8x4xi32> {
    %cst = arith.constant dense<0> : tensor<i32>
    %0 = tensor.empty() : tensor<i32>
    %1 = linalg.generic {indexing_maps = [#map13, #map13], iterator_types = []} ins(%cst : tensor<i32>) outs(%0 : tensor<i32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<i32>
    %2 = tensor.empty() : tensor<8x4xi32>
    %3 = linalg.generic {indexing_maps = [#map5, #map], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<i32>) outs(%2 : tensor<8x4xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<8x4xi32>
    %extracted = tensor.extract %1[] : tensor<i32>
    %padded = tensor.pad %arg0 low[7, 0] high[0, 0] {
    ^bb0(%arg1: index, %arg2: index):
      tensor.yield %extracted : i32
    } : tensor<8x4xi32> to tensor<15x4xi32>
    %4 = tensor.empty() : tensor<8xf32>
    %5 = linalg.generic {indexing_maps = [#map14, #map15, #map16], iterator_types = ["parallel", "parallel", "reduction"]} ins(%padded, %4 : tensor<15x4xi32>, tensor<8xf32>) outs(%3 : tensor<8x4xi32>) {
    ^bb0(%in: i32, %in_0: f32, %out: i32):
      %from_elements = tensor.from_elements %in : tensor<i32>
      %from_elements_1 = tensor.from_elements %out : tensor<i32>
      %extracted_2 = tensor.extract %from_elements_1[] : tensor<i32>
      %extracted_3 = tensor.extract %from_elements[] : tensor<i32>
      %6 = arith.addi %extracted_2, %extracted_3 : i32
      %from_elements_4 = tensor.from_elements %6 : tensor<i32>
      %extracted_5 = tensor.extract %from_elements_4[] : tensor<i32>
      linalg.yield %extracted_5 : i32
    } -> tensor<8x4xi32>
    return %5 : tensor<8x4xi32>
  }
  func.func private @_where(%arg0: tensor<8x4xi1>, %arg1: tensor<8x4xi32>, %arg2: tensor<i32>) -> tensor<8x4xi32> {
    %0 = tensor.empty() : tensor<i32>
    %1 = linalg.generic {indexing_maps = [#map13, #map13], iterator_types = []} ins(%arg2 : tensor<i32>) outs(%0 : tensor<i32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<i32>
    %2 = tensor.empty() : tensor<8x4xi32>
    %3 = linalg.generic {indexing_maps = [#map5, #map], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<i32>) outs(%2 : tensor<8x4xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<8x4xi32>
    %4 = tensor.empty() : tensor<8x4xi32>
    %5 = linalg.generic {indexing_maps = [#map, #map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %arg1, %3 : tensor<8x4xi1>, tensor<8x4xi32>, tensor<8x4xi32>) outs(%4 : tensor<8x4xi32>) {
    ^bb0(%in: i1, %in_0: i32, %in_1: i32, %out: i32):
      %6 = arith.select %in, %in_0, %in_1 : i32
      linalg.yield %6 : i32
    } -> tensor<8x4xi32>
    return %5 : tensor<8x4xi32>
  }
  func.func private @_one_hot_1(%arg0: tensor<8x4xi32>) -> tensor<8x4x3xf32> {
    %0 = tensor.empty() : tensor<8x4x1xi32>
    %1 = linalg.generic {indexing_maps = [#map16, #map17], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<8x4xi32>) outs(%0 : tensor<8x4x1xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<8x4x1xi32>
    %2 = tensor.empty() : tensor<1x1x3xi32>
    %3 = linalg.generic {indexing_maps = [#map17], iterator_types = ["parallel", "parallel", "parallel"]} outs(%2 : tensor<1x1x3xi32>) {
    ^bb0(%out: i32):
      %12 = linalg.index 2 : index
      %13 = arith.index_cast %12 : index to i32
      linalg.yield %13 : i32
    } -> tensor<1x1x3xi32>
    %4 = tensor.empty() : tensor<8x4x3xi32>
    %5 = linalg.generic {indexing_maps = [#map18, #map17], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1 : tensor<8x4x1xi32>) outs(%4 : tensor<8x4x3xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<8x4x3xi32>
    %6 = tensor.empty() : tensor<8x4x3xi32>
    %7 = linalg.generic {indexing_maps = [#map19, #map17], iterator_types = ["parallel", "parallel", "parallel"]} ins(%3 : tensor<1x1x3xi32>) outs(%6 : tensor<8x4x3xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<8x4x3xi32>
    %8 = tensor.empty() : tensor<8x4x3xi1>
    %9 = linalg.generic {indexing_maps = [#map17, #map17, #map17], iterator_types = ["parallel", "parallel", "parallel"]} ins(%5, %7 : tensor<8x4x3xi32>, tensor<8x4x3xi32>) outs(%8 : tensor<8x4x3xi1>) {
    ^bb0(%in: i32, %in_0: i32, %out: i1):
      %12 = arith.cmpi eq, %in, %in_0 : i32
      linalg.yield %12 : i1
    } -> tensor<8x4x3xi1>
    %10 = tensor.empty() : tensor<8x4x3xf32>
    %11 = linalg.generic {indexing_maps = [#map17, #map17], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9 : tensor<8x4x3xi1>) outs(%10 : tensor<8x4x3xf32>) {
    ^bb0(%in: i1, %out: f32):
      %12 = arith.uitofp %in : i1 to f32
      linalg.yield %12 : f32
    } -> tensor<8x4x3xf32>
    return %11 : tensor<8x4x3xf32>
  }
  func.func private @relu(%arg0: tensor<4x3x5xf32>) -> tensor<4x3x5xf32> {
    %cst = arith.constant dense<0.000000e+00> : tensor<f32>
    %0 = tensor.empty() : tensor<4x3x5xf32>
    %1 = linalg.generic {indexing_maps = [#map20, #map17], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst : tensor<f32>) outs(%0 : tensor<4x3x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x3x5xf32>
    %2 = tensor.empty() : tensor<4x3x5xf32>
    %3 = linalg.generic {indexing_maps = [#map17, #map17, #map17], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %1 : tensor<4x3x5xf32>, tensor<4x3x5xf32>) outs(%2 : tensor<4x3x5xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %4 = arith.maximumf %in, %in_0 : f32
      linalg.yield %4 : f32
    } -> tensor<4x3x5xf32>
    return %3 : tensor<4x3x5xf32>
  }
}
