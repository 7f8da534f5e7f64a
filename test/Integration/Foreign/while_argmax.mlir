#map = affine_map<(d0) -> ()>
#map1 = affine_map<(d0) -> (d0)>
#map2 = affine_map<() -> ()>
#map3 = affine_map<(d0, d1) -> (d1)>
#map4 = affine_map<(d0, d1) -> (d0, d1)>
#map5 = affine_map<(d0, d1) -> (d0)>
#map6 = affine_map<(d0, d1) -> (0, d1)>
#map7 = affine_map<(d0, d1) -> (d0, 0)>
#map8 = affine_map<(d0, d1) -> ()>
module @while_argmax {
  func.func public @main(%arg0: tensor<2x16xf32>) -> (tensor<2xi32> {jax.result_info = "result"}) {
    %cst = arith.constant dense<0> : tensor<i32>
    %0 = tensor.empty() : tensor<2xi32>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel"]} ins(%cst : tensor<i32>) outs(%0 : tensor<2xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<2xi32>
    %cst_0 = arith.constant dense<0> : tensor<i32>
    %2:3 = scf.while (%arg1 = %cst_0, %arg2 = %arg0, %arg3 = %1) : (tensor<i32>, tensor<2x16xf32>, tensor<2xi32>) -> (tensor<i32>, tensor<2x16xf32>, tensor<2xi32>) {
      %cst_1 = arith.constant dense<3> : tensor<i32>
      %3 = tensor.empty() : tensor<i1>
      %c3_i32 = arith.constant 3 : i32
      %4 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = []} ins(%arg1 : tensor<i32>) outs(%3 : tensor<i1>) {
      ^bb0(%in: i32, %out: i1):
        %5 = arith.cmpi slt, %in, %c3_i32 : i32
        linalg.yield %5 : i1
      } -> tensor<i1>
      %extracted = tensor.extract %4[] : tensor<i1>
      scf.condition(%extracted) %arg1, %arg2, %arg3 : tensor<i32>, tensor<2x16xf32>, tensor<2xi32>
    } do {
    ^bb0(%arg1: tensor<i32>, %arg2: tensor<2x16xf32>, %arg3: tensor<2xi32>):
      %cst_1 = arith.constant dense<1> : tensor<i32>
      %3 = tensor.empty() : tensor<i32>
      %c1_i32 = arith.constant 1 : i32
      %4 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = []} ins(%arg1 : tensor<i32>) outs(%3 : tensor<i32>) {
      ^bb0(%in: i32, %out: i32):
        %22 = arith.addi %in, %c1_i32 : i32
        linalg.yield %22 : i32
      } -> tensor<i32>
      %5 = tensor.empty() : tensor<16xi32>
      %6 = linalg.generic {indexing_maps = [#map1], iterator_types = ["parallel"]} outs(%5 : tensor<16xi32>) {
      ^bb0(%out: i32):
        %22 = linalg.index 0 : index
        %23 = arith.index_cast %22 : index to i32
        linalg.yield %23 : i32
      } -> tensor<16xi32>
      %7 = tensor.empty() : tensor<1x16xi32>
      %8 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel"]} ins(%6 : tensor<16xi32>) outs(%7 : tensor<1x16xi32>) {
      ^bb0(%in: i32, %out: i32):
        linalg.yield %in : i32
      } -> tensor<1x16xi32>
      %9 = func.call @argmax(%arg2) : (tensor<2x16xf32>) -> tensor<2xi32>
      %10 = tensor.empty() : tensor<2x1xi32>
      %11 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel", "parallel"]} ins(%9 : tensor<2xi32>) outs(%10 : tensor<2x1xi32>) {
      ^bb0(%in: i32, %out: i32):
        linalg.yield %in : i32
      } -> tensor<2x1xi32>
      %12 = tensor.empty() : tensor<2x16xi32>
      %13 = linalg.generic {indexing_maps = [#map6, #map4], iterator_types = ["parallel", "parallel"]} ins(%8 : tensor<1x16xi32>) outs(%12 : tensor<2x16xi32>) {
      ^bb0(%in: i32, %out: i32):
        linalg.yield %in : i32
      } -> tensor<2x16xi32>
      %14 = tensor.empty() : tensor<2x16xi32>
      %15 = linalg.generic {indexing_maps = [#map7, #map4], iterator_types = ["parallel", "parallel"]} ins(%11 : tensor<2x1xi32>) outs(%14 : tensor<2x16xi32>) {
      ^bb0(%in: i32, %out: i32):
        linalg.yield %in : i32
      } -> tensor<2x16xi32>
      %16 = tensor.empty() : tensor<2x16xi1>
      %17 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%13, %15 : tensor<2x16xi32>, tensor<2x16xi32>) outs(%16 : tensor<2x16xi1>) {
      ^bb0(%in: i32, %in_3: i32, %out: i1):
        %22 = arith.cmpi eq, %in, %in_3 : i32
        linalg.yield %22 : i1
      } -> tensor<2x16xi1>
      %cst_2 = arith.constant dense<0xFF800000> : tensor<f32>
      %18 = func.call @_where(%17, %cst_2, %arg2) : (tensor<2x16xi1>, tensor<f32>, tensor<2x16xf32>) -> tensor<2x16xf32>
      %19 = func.call @argmax(%arg2) : (tensor<2x16xf32>) -> tensor<2xi32>
      %20 = tensor.empty() : tensor<2xi32>
      %21 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel"]} ins(%arg3, %19 : tensor<2xi32>, tensor<2xi32>) outs(%20 : tensor<2xi32>) {
      ^bb0(%in: i32, %in_3: i32, %out: i32):
        %22 = arith.addi %in, %in_3 : i32
        linalg.yield %22 : i32
      } -> tensor<2xi32>
      scf.yield %4, %18, %21 : tensor<i32>, tensor<2x16xf32>, tensor<2xi32>
    }
    return %2#2 : tensor<2xi32>
  }
  func.func private @argmax(%arg0: tensor<2x16xf32>) -> tensor<2xi32> {
    %0 = tensor.empty() : tensor<2x16xi32>
    %1 = linalg.generic {indexing_maps = [#map4], iterator_types = ["parallel", "parallel"]} outs(%0 : tensor<2x16xi32>) {
    ^bb0(%out: i32):
      %7 = linalg.index 1 : index
      %8 = arith.index_cast %7 : index to i32
      linalg.yield %8 : i32
    } -> tensor<2x16xi32>
    %cst = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_0 = arith.constant dense<0> : tensor<i32>
    %cst_1 = arith.constant 0xFF800000 : f32
    %2 = tensor.empty() : tensor<2xf32>
    %3 = linalg.fill ins(%cst_1 : f32) outs(%2 : tensor<2xf32>) -> tensor<2xf32>
    %c0_i32 = arith.constant 0 : i32
    %4 = tensor.empty() : tensor<2xi32>
    %5 = linalg.fill ins(%c0_i32 : i32) outs(%4 : tensor<2xi32>) -> tensor<2xi32>
    %6:2 = linalg.generic {indexing_maps = [#map4, #map4, #map5, #map5], iterator_types = ["parallel", "reduction"]} ins(%arg0, %1 : tensor<2x16xf32>, tensor<2x16xi32>) outs(%3, %5 : tensor<2xf32>, tensor<2xi32>) {
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
    } -> (tensor<2xf32>, tensor<2xi32>)
    return %6#1 : tensor<2xi32>
  }
  func.func private @_where(%arg0: tensor<2x16xi1>, %arg1: tensor<f32>, %arg2: tensor<2x16xf32>) -> tensor<2x16xf32> {
    %0 = tensor.empty() : tensor<f32>
    %1 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = []} ins(%arg1 : tensor<f32>) outs(%0 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<f32>
    %2 = tensor.empty() : tensor<2x16xf32>
    %3 = linalg.generic {indexing_maps = [#map8, #map4], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<f32>) outs(%2 : tensor<2x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x16xf32>
    %4 = tensor.empty() : tensor<2x16xf32>
    %5 = linalg.generic {indexing_maps = [#map4, #map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%arg0, %3, %arg2 : tensor<2x16xi1>, tensor<2x16xf32>, tensor<2x16xf32>) outs(%4 : tensor<2x16xf32>) {
    ^bb0(%in: i1, %in_0: f32, %in_1: f32, %out: f32):
      %6 = arith.select %in, %in_0, %in_1 : f32
      linalg.yield %6 : f32
    } -> tensor<2x16xf32>
    return %5 : tensor<2x16xf32>
  }
}

