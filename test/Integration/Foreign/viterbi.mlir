#map = affine_map<(d0, d1, d2) -> ()>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map2 = affine_map<() -> ()>
#map3 = affine_map<(d0, d1) -> ()>
#map4 = affine_map<(d0, d1) -> (d0, d1)>
#map5 = affine_map<(d0, d1) -> (d1)>
#map6 = affine_map<(d0, d1) -> (d0)>
#map7 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map8 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map9 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map10 = affine_map<(d0, d1, d2) -> (0, d1, d2)>
#map11 = affine_map<(d0, d1, d2) -> (d0, d2, d1)>
#map12 = affine_map<(d0, d1, d2) -> (d2)>
module @viterbi {
  func.func public @main(%arg0: tensor<5x4x6xf32>, %arg1: tensor<6x6xf32>) -> (tensor<5x4xi32> {jax.result_info = "result[0]"}, tensor<4xf32> {jax.result_info = "result[1]"}) {
    %extracted_slice = tensor.extract_slice %arg0[0, 0, 0] [1, 4, 6] [1, 1, 1] : tensor<5x4x6xf32> to tensor<1x4x6xf32>
    %collapsed = tensor.collapse_shape %extracted_slice [[0, 1], [2]] : tensor<1x4x6xf32> into tensor<4x6xf32>
    %extracted_slice_0 = tensor.extract_slice %arg0[1, 0, 0] [4, 4, 6] [1, 1, 1] : tensor<5x4x6xf32> to tensor<4x4x6xf32>
    %cst = arith.constant dense<0> : tensor<i32>
    %0 = tensor.empty() : tensor<4x4x6xi32>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst : tensor<i32>) outs(%0 : tensor<4x4x6xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<4x4x6xi32>
    %cst_1 = arith.constant dense<0> : tensor<i32>
    %2:5 = scf.while (%arg2 = %extracted_slice_0, %arg3 = %arg1, %arg4 = %cst_1, %arg5 = %collapsed, %arg6 = %1) : (tensor<4x4x6xf32>, tensor<6x6xf32>, tensor<i32>, tensor<4x6xf32>, tensor<4x4x6xi32>) -> (tensor<4x4x6xf32>, tensor<6x6xf32>, tensor<i32>, tensor<4x6xf32>, tensor<4x4x6xi32>) {
      %cst_6 = arith.constant dense<4> : tensor<i32>
      %14 = tensor.empty() : tensor<i1>
      %c4_i32 = arith.constant 4 : i32
      %15 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = []} ins(%arg4 : tensor<i32>) outs(%14 : tensor<i1>) {
      ^bb0(%in: i32, %out: i1):
        %16 = arith.cmpi slt, %in, %c4_i32 : i32
        linalg.yield %16 : i1
      } -> tensor<i1>
      %extracted = tensor.extract %15[] : tensor<i1>
      scf.condition(%extracted) %arg2, %arg3, %arg4, %arg5, %arg6 : tensor<4x4x6xf32>, tensor<6x6xf32>, tensor<i32>, tensor<4x6xf32>, tensor<4x4x6xi32>
    } do {
    ^bb0(%arg2: tensor<4x4x6xf32>, %arg3: tensor<6x6xf32>, %arg4: tensor<i32>, %arg5: tensor<4x6xf32>, %arg6: tensor<4x4x6xi32>):
      %14 = func.call @dynamic_index_in_dim(%arg2, %arg4) : (tensor<4x4x6xf32>, tensor<i32>) -> tensor<4x6xf32>
      %15:2 = func.call @closed_call(%arg3, %arg5, %14) : (tensor<6x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>) -> (tensor<4x6xf32>, tensor<4x6xi32>)
      %16 = func.call @dynamic_update_index_in_dim(%arg6, %15#1, %arg4) : (tensor<4x4x6xi32>, tensor<4x6xi32>, tensor<i32>) -> tensor<4x4x6xi32>
      %cst_6 = arith.constant dense<1> : tensor<i32>
      %17 = tensor.empty() : tensor<i32>
      %c1_i32 = arith.constant 1 : i32
      %18 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = []} ins(%arg4 : tensor<i32>) outs(%17 : tensor<i32>) {
      ^bb0(%in: i32, %out: i32):
        %19 = arith.addi %in, %c1_i32 : i32
        linalg.yield %19 : i32
      } -> tensor<i32>
      scf.yield %arg2, %arg3, %18, %15#0, %16 : tensor<4x4x6xf32>, tensor<6x6xf32>, tensor<i32>, tensor<4x6xf32>, tensor<4x4x6xi32>
    }
    %3 = call @argmax_0(%2#3) : (tensor<4x6xf32>) -> tensor<4xi32>
    %cst_2 = arith.constant dense<0> : tensor<i32>
    %4 = tensor.empty() : tensor<4x4xi32>
    %5 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel"]} ins(%cst_2 : tensor<i32>) outs(%4 : tensor<4x4xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<4x4xi32>
    %cst_3 = arith.constant dense<0> : tensor<i32>
    %6:4 = scf.while (%arg2 = %2#4, %arg3 = %cst_3, %arg4 = %3, %arg5 = %5) : (tensor<4x4x6xi32>, tensor<i32>, tensor<4xi32>, tensor<4x4xi32>) -> (tensor<4x4x6xi32>, tensor<i32>, tensor<4xi32>, tensor<4x4xi32>) {
      %cst_6 = arith.constant dense<4> : tensor<i32>
      %14 = tensor.empty() : tensor<i1>
      %c4_i32 = arith.constant 4 : i32
      %15 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = []} ins(%arg3 : tensor<i32>) outs(%14 : tensor<i1>) {
      ^bb0(%in: i32, %out: i1):
        %16 = arith.cmpi slt, %in, %c4_i32 : i32
        linalg.yield %16 : i1
      } -> tensor<i1>
      %extracted = tensor.extract %15[] : tensor<i1>
      scf.condition(%extracted) %arg2, %arg3, %arg4, %arg5 : tensor<4x4x6xi32>, tensor<i32>, tensor<4xi32>, tensor<4x4xi32>
    } do {
    ^bb0(%arg2: tensor<4x4x6xi32>, %arg3: tensor<i32>, %arg4: tensor<4xi32>, %arg5: tensor<4x4xi32>):
      %cst_6 = arith.constant dense<4> : tensor<i32>
      %14 = tensor.empty() : tensor<i32>
      %c4_i32 = arith.constant 4 : i32
      %15 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = []} ins(%arg3 : tensor<i32>) outs(%14 : tensor<i32>) {
      ^bb0(%in: i32, %out: i32):
        %23 = arith.subi %c4_i32, %in : i32
        linalg.yield %23 : i32
      } -> tensor<i32>
      %cst_7 = arith.constant dense<1> : tensor<i32>
      %16 = tensor.empty() : tensor<i32>
      %c1_i32 = arith.constant 1 : i32
      %17 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = []} ins(%15 : tensor<i32>) outs(%16 : tensor<i32>) {
      ^bb0(%in: i32, %out: i32):
        %23 = arith.subi %in, %c1_i32 : i32
        linalg.yield %23 : i32
      } -> tensor<i32>
      %18 = func.call @dynamic_index_in_dim_1(%arg2, %17) : (tensor<4x4x6xi32>, tensor<i32>) -> tensor<4x6xi32>
      %19:2 = func.call @closed_call_2(%arg4, %18) : (tensor<4xi32>, tensor<4x6xi32>) -> (tensor<4xi32>, tensor<4xi32>)
      %20 = func.call @dynamic_update_index_in_dim_3(%arg5, %19#1, %17) : (tensor<4x4xi32>, tensor<4xi32>, tensor<i32>) -> tensor<4x4xi32>
      %cst_8 = arith.constant dense<1> : tensor<i32>
      %21 = tensor.empty() : tensor<i32>
      %c1_i32_9 = arith.constant 1 : i32
      %22 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = []} ins(%arg3 : tensor<i32>) outs(%21 : tensor<i32>) {
      ^bb0(%in: i32, %out: i32):
        %23 = arith.addi %in, %c1_i32_9 : i32
        linalg.yield %23 : i32
      } -> tensor<i32>
      scf.yield %arg2, %22, %19#0, %20 : tensor<4x4x6xi32>, tensor<i32>, tensor<4xi32>, tensor<4x4xi32>
    }
    %7 = tensor.empty() : tensor<1x4xi32>
    %8 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel", "parallel"]} ins(%6#2 : tensor<4xi32>) outs(%7 : tensor<1x4xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<1x4xi32>
    %c0 = arith.constant 0 : index
    %9 = tensor.empty() : tensor<5x4xi32>
    %10 = linalg.generic {indexing_maps = [#map4], iterator_types = ["parallel", "parallel"]} outs(%9 : tensor<5x4xi32>) {
    ^bb0(%out: i32):
      %14 = linalg.index 0 : index
      %15 = linalg.index 1 : index
      %16 = linalg.index 0 : index
      %c0_6 = arith.constant 0 : index
      %dim = tensor.dim %8, %c0_6 : tensor<1x4xi32>
      %17 = arith.addi %c0, %dim : index
      %18 = arith.cmpi ult, %16, %17 : index
      %19 = scf.if %18 -> (i32) {
        %20 = arith.subi %16, %c0 : index
        %extracted = tensor.extract %8[%20, %15] : tensor<1x4xi32>
        scf.yield %extracted : i32
      } else {
        %20 = arith.subi %16, %17 : index
        %extracted = tensor.extract %6#3[%20, %15] : tensor<4x4xi32>
        scf.yield %extracted : i32
      }
      linalg.yield %19 : i32
    } -> tensor<5x4xi32>
    %cst_4 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_5 = arith.constant 0xFF800000 : f32
    %11 = tensor.empty() : tensor<4xf32>
    %12 = linalg.fill ins(%cst_5 : f32) outs(%11 : tensor<4xf32>) -> tensor<4xf32>
    %13 = linalg.generic {indexing_maps = [#map4, #map6], iterator_types = ["parallel", "reduction"]} ins(%2#3 : tensor<4x6xf32>) outs(%12 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %from_elements = tensor.from_elements %in : tensor<f32>
      %from_elements_6 = tensor.from_elements %out : tensor<f32>
      %extracted = tensor.extract %from_elements_6[] : tensor<f32>
      %extracted_7 = tensor.extract %from_elements[] : tensor<f32>
      %14 = arith.maximumf %extracted, %extracted_7 : f32
      %from_elements_8 = tensor.from_elements %14 : tensor<f32>
      %extracted_9 = tensor.extract %from_elements_8[] : tensor<f32>
      linalg.yield %extracted_9 : f32
    } -> tensor<4xf32>
    return %10, %13 : tensor<5x4xi32>, tensor<4xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<4x4x6xf32>, %arg1: tensor<i32>) -> tensor<4x6xf32> {
    %cst = arith.constant dense<0> : tensor<i32>
    %cst_0 = arith.constant dense<0> : tensor<i32>
    %extracted = tensor.extract %arg1[] : tensor<i32>
    %0 = arith.index_cast %extracted : i32 to index
    %c0 = arith.constant 0 : index
    %c0_1 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %1 = arith.maxsi %0, %c0 : index
    %2 = arith.minsi %1, %c3 : index
    %extracted_2 = tensor.extract %cst[] : tensor<i32>
    %3 = arith.index_cast %extracted_2 : i32 to index
    %c0_3 = arith.constant 0 : index
    %c1_4 = arith.constant 1 : index
    %c4_5 = arith.constant 4 : index
    %c4_6 = arith.constant 4 : index
    %c0_7 = arith.constant 0 : index
    %4 = arith.maxsi %3, %c0_3 : index
    %5 = arith.minsi %4, %c0_7 : index
    %extracted_8 = tensor.extract %cst_0[] : tensor<i32>
    %6 = arith.index_cast %extracted_8 : i32 to index
    %c0_9 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %c6 = arith.constant 6 : index
    %c6_10 = arith.constant 6 : index
    %c0_11 = arith.constant 0 : index
    %7 = arith.maxsi %6, %c0_9 : index
    %8 = arith.minsi %7, %c0_11 : index
    %extracted_slice = tensor.extract_slice %arg0[%2, %5, %8] [1, 4, 6] [1, 1, 1] : tensor<4x4x6xf32> to tensor<1x4x6xf32>
    %collapsed = tensor.collapse_shape %extracted_slice [[0, 1], [2]] : tensor<1x4x6xf32> into tensor<4x6xf32>
    return %collapsed : tensor<4x6xf32>
  }
  func.func private @closed_call(%arg0: tensor<6x6xf32>, %arg1: tensor<4x6xf32>, %arg2: tensor<4x6xf32>) -> (tensor<4x6xf32>, tensor<4x6xi32>) {
    %0 = tensor.empty() : tensor<4x6x1xf32>
    %1 = linalg.generic {indexing_maps = [#map7, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg1 : tensor<4x6xf32>) outs(%0 : tensor<4x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x6x1xf32>
    %2 = tensor.empty() : tensor<1x6x6xf32>
    %3 = linalg.generic {indexing_maps = [#map8, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<6x6xf32>) outs(%2 : tensor<1x6x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x6x6xf32>
    %4 = tensor.empty() : tensor<4x6x6xf32>
    %5 = linalg.generic {indexing_maps = [#map9, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1 : tensor<4x6x1xf32>) outs(%4 : tensor<4x6x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x6x6xf32>
    %6 = tensor.empty() : tensor<4x6x6xf32>
    %7 = linalg.generic {indexing_maps = [#map10, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%3 : tensor<1x6x6xf32>) outs(%6 : tensor<4x6x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x6x6xf32>
    %8 = tensor.empty() : tensor<4x6x6xf32>
    %9 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%5, %7 : tensor<4x6x6xf32>, tensor<4x6x6xf32>) outs(%8 : tensor<4x6x6xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %16 = arith.addf %in, %in_1 : f32
      linalg.yield %16 : f32
    } -> tensor<4x6x6xf32>
    %cst = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_0 = arith.constant 0xFF800000 : f32
    %10 = tensor.empty() : tensor<4x6xf32>
    %11 = linalg.fill ins(%cst_0 : f32) outs(%10 : tensor<4x6xf32>) -> tensor<4x6xf32>
    %12 = linalg.generic {indexing_maps = [#map11, #map7], iterator_types = ["parallel", "parallel", "reduction"]} ins(%9 : tensor<4x6x6xf32>) outs(%11 : tensor<4x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %from_elements = tensor.from_elements %in : tensor<f32>
      %from_elements_1 = tensor.from_elements %out : tensor<f32>
      %extracted = tensor.extract %from_elements_1[] : tensor<f32>
      %extracted_2 = tensor.extract %from_elements[] : tensor<f32>
      %16 = arith.maximumf %extracted, %extracted_2 : f32
      %from_elements_3 = tensor.from_elements %16 : tensor<f32>
      %extracted_4 = tensor.extract %from_elements_3[] : tensor<f32>
      linalg.yield %extracted_4 : f32
    } -> tensor<4x6xf32>
    %13 = tensor.empty() : tensor<4x6xf32>
    %14 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%12, %arg2 : tensor<4x6xf32>, tensor<4x6xf32>) outs(%13 : tensor<4x6xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %16 = arith.addf %in, %in_1 : f32
      linalg.yield %16 : f32
    } -> tensor<4x6xf32>
    %15 = call @argmax(%9) : (tensor<4x6x6xf32>) -> tensor<4x6xi32>
    return %14, %15 : tensor<4x6xf32>, tensor<4x6xi32>
  }
  func.func private @argmax(%arg0: tensor<4x6x6xf32>) -> tensor<4x6xi32> {
    %0 = tensor.empty() : tensor<4x6x6xi32>
    %1 = linalg.generic {indexing_maps = [#map1], iterator_types = ["parallel", "parallel", "parallel"]} outs(%0 : tensor<4x6x6xi32>) {
    ^bb0(%out: i32):
      %7 = linalg.index 1 : index
      %8 = arith.index_cast %7 : index to i32
      linalg.yield %8 : i32
    } -> tensor<4x6x6xi32>
    %cst = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_0 = arith.constant dense<0> : tensor<i32>
    %cst_1 = arith.constant 0xFF800000 : f32
    %2 = tensor.empty() : tensor<4x6xf32>
    %3 = linalg.fill ins(%cst_1 : f32) outs(%2 : tensor<4x6xf32>) -> tensor<4x6xf32>
    %c0_i32 = arith.constant 0 : i32
    %4 = tensor.empty() : tensor<4x6xi32>
    %5 = linalg.fill ins(%c0_i32 : i32) outs(%4 : tensor<4x6xi32>) -> tensor<4x6xi32>
    %6:2 = linalg.generic {indexing_maps = [#map11, #map11, #map7, #map7], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0, %1 : tensor<4x6x6xf32>, tensor<4x6x6xi32>) outs(%3, %5 : tensor<4x6xf32>, tensor<4x6xi32>) {
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
    } -> (tensor<4x6xf32>, tensor<4x6xi32>)
    return %6#1 : tensor<4x6xi32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<4x4x6xi32>, %arg1: tensor<4x6xi32>, %arg2: tensor<i32>) -> tensor<4x4x6xi32> {
    %0 = tensor.empty() : tensor<1x4x6xi32>
    %1 = linalg.generic {indexing_maps = [#map8, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg1 : tensor<4x6xi32>) outs(%0 : tensor<1x4x6xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<1x4x6xi32>
    %cst = arith.constant dense<0> : tensor<i32>
    %cst_0 = arith.constant dense<0> : tensor<i32>
    %c0 = arith.constant 0 : index
    %extracted = tensor.extract %arg2[] : tensor<i32>
    %2 = arith.index_cast %extracted : i32 to index
    %c3 = arith.constant 3 : index
    %3 = arith.maxsi %2, %c0 : index
    %4 = arith.minsi %3, %c3 : index
    %extracted_1 = tensor.extract %cst[] : tensor<i32>
    %5 = arith.index_cast %extracted_1 : i32 to index
    %c0_2 = arith.constant 0 : index
    %6 = arith.maxsi %5, %c0 : index
    %7 = arith.minsi %6, %c0_2 : index
    %extracted_3 = tensor.extract %cst_0[] : tensor<i32>
    %8 = arith.index_cast %extracted_3 : i32 to index
    %c0_4 = arith.constant 0 : index
    %9 = arith.maxsi %8, %c0 : index
    %10 = arith.minsi %9, %c0_4 : index
    %inserted_slice = tensor.insert_slice %1 into %arg0[%4, %7, %10] [1, 4, 6] [1, 1, 1] : tensor<1x4x6xi32> into tensor<4x4x6xi32>
    return %inserted_slice : tensor<4x4x6xi32>
  }
  func.func private @argmax_0(%arg0: tensor<4x6xf32>) -> tensor<4xi32> {
    %0 = tensor.empty() : tensor<4x6xi32>
    %1 = linalg.generic {indexing_maps = [#map4], iterator_types = ["parallel", "parallel"]} outs(%0 : tensor<4x6xi32>) {
    ^bb0(%out: i32):
      %7 = linalg.index 1 : index
      %8 = arith.index_cast %7 : index to i32
      linalg.yield %8 : i32
    } -> tensor<4x6xi32>
    %cst = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_0 = arith.constant dense<0> : tensor<i32>
    %cst_1 = arith.constant 0xFF800000 : f32
    %2 = tensor.empty() : tensor<4xf32>
    %3 = linalg.fill ins(%cst_1 : f32) outs(%2 : tensor<4xf32>) -> tensor<4xf32>
    %c0_i32 = arith.constant 0 : i32
    %4 = tensor.empty() : tensor<4xi32>
    %5 = linalg.fill ins(%c0_i32 : i32) outs(%4 : tensor<4xi32>) -> tensor<4xi32>
    %6:2 = linalg.generic {indexing_maps = [#map4, #map4, #map6, #map6], iterator_types = ["parallel", "reduction"]} ins(%arg0, %1 : tensor<4x6xf32>, tensor<4x6xi32>) outs(%3, %5 : tensor<4xf32>, tensor<4xi32>) {
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
    } -> (tensor<4xf32>, tensor<4xi32>)
    return %6#1 : tensor<4xi32>
  }
  func.func private @dynamic_index_in_dim_1(%arg0: tensor<4x4x6xi32>, %arg1: tensor<i32>) -> tensor<4x6xi32> {
    %cst = arith.constant dense<0> : tensor<i32>
    %cst_0 = arith.constant dense<0> : tensor<i32>
    %extracted = tensor.extract %arg1[] : tensor<i32>
    %0 = arith.index_cast %extracted : i32 to index
    %c0 = arith.constant 0 : index
    %c0_1 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %1 = arith.maxsi %0, %c0 : index
    %2 = arith.minsi %1, %c3 : index
    %extracted_2 = tensor.extract %cst[] : tensor<i32>
    %3 = arith.index_cast %extracted_2 : i32 to index
    %c0_3 = arith.constant 0 : index
    %c1_4 = arith.constant 1 : index
    %c4_5 = arith.constant 4 : index
    %c4_6 = arith.constant 4 : index
    %c0_7 = arith.constant 0 : index
    %4 = arith.maxsi %3, %c0_3 : index
    %5 = arith.minsi %4, %c0_7 : index
    %extracted_8 = tensor.extract %cst_0[] : tensor<i32>
    %6 = arith.index_cast %extracted_8 : i32 to index
    %c0_9 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %c6 = arith.constant 6 : index
    %c6_10 = arith.constant 6 : index
    %c0_11 = arith.constant 0 : index
    %7 = arith.maxsi %6, %c0_9 : index
    %8 = arith.minsi %7, %c0_11 : index
    %extracted_slice = tensor.extract_slice %arg0[%2, %5, %8] [1, 4, 6] [1, 1, 1] : tensor<4x4x6xi32> to tensor<1x4x6xi32>
    %collapsed = tensor.collapse_shape %extracted_slice [[0, 1], [2]] : tensor<1x4x6xi32> into tensor<4x6xi32>
    return %collapsed : tensor<4x6xi32>
  }
  func.func private @closed_call_2(%arg0: tensor<4xi32>, %arg1: tensor<4x6xi32>) -> (tensor<4xi32>, tensor<4xi32>) {
    %0 = tensor.empty() : tensor<4x1xi32>
    %1 = linalg.generic {indexing_maps = [#map6, #map4], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<4xi32>) outs(%0 : tensor<4x1xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<4x1xi32>
    %2 = call @take_along_axis(%arg1, %1) : (tensor<4x6xi32>, tensor<4x1xi32>) -> tensor<4x1xi32>
    %collapsed = tensor.collapse_shape %2 [[0, 1]] : tensor<4x1xi32> into tensor<4xi32>
    return %collapsed, %arg0 : tensor<4xi32>, tensor<4xi32>
  }
  func.func private @take_along_axis(%arg0: tensor<4x6xi32>, %arg1: tensor<4x1xi32>) -> tensor<4x1xi32> {
    %cst = arith.constant dense<0> : tensor<i32>
    %0 = tensor.empty() : tensor<4x1xi32>
    %1 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel"]} ins(%cst : tensor<i32>) outs(%0 : tensor<4x1xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<4x1xi32>
    %2 = tensor.empty() : tensor<4x1xi1>
    %3 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%arg1, %1 : tensor<4x1xi32>, tensor<4x1xi32>) outs(%2 : tensor<4x1xi1>) {
    ^bb0(%in: i32, %in_5: i32, %out: i1):
      %31 = arith.cmpi slt, %in, %in_5 : i32
      linalg.yield %31 : i1
    } -> tensor<4x1xi1>
    %cst_0 = arith.constant dense<6> : tensor<i32>
    %4 = tensor.empty() : tensor<4x1xi32>
    %5 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel"]} ins(%cst_0 : tensor<i32>) outs(%4 : tensor<4x1xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<4x1xi32>
    %6 = tensor.empty() : tensor<4x1xi32>
    %7 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%arg1, %5 : tensor<4x1xi32>, tensor<4x1xi32>) outs(%6 : tensor<4x1xi32>) {
    ^bb0(%in: i32, %in_5: i32, %out: i32):
      %31 = arith.addi %in, %in_5 : i32
      linalg.yield %31 : i32
    } -> tensor<4x1xi32>
    %8 = tensor.empty() : tensor<4x1xi32>
    %9 = linalg.generic {indexing_maps = [#map4, #map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%3, %7, %arg1 : tensor<4x1xi1>, tensor<4x1xi32>, tensor<4x1xi32>) outs(%8 : tensor<4x1xi32>) {
    ^bb0(%in: i1, %in_5: i32, %in_6: i32, %out: i32):
      %31 = arith.select %in, %in_5, %in_6 : i32
      linalg.yield %31 : i32
    } -> tensor<4x1xi32>
    %expanded = tensor.expand_shape %9 [[0], [1, 2]] output_shape [4, 1, 1] : tensor<4x1xi32> into tensor<4x1x1xi32>
    %cst_1 = arith.constant dense<5> : tensor<1xi32>
    %cst_2 = arith.constant dense<0> : tensor<i32>
    %10 = tensor.empty() : tensor<4x1x1xi32>
    %11 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_2 : tensor<i32>) outs(%10 : tensor<4x1x1xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<4x1x1xi32>
    %12 = tensor.empty() : tensor<4x1x1xi1>
    %13 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded, %11 : tensor<4x1x1xi32>, tensor<4x1x1xi32>) outs(%12 : tensor<4x1x1xi1>) {
    ^bb0(%in: i32, %in_5: i32, %out: i1):
      %31 = arith.cmpi sge, %in, %in_5 : i32
      linalg.yield %31 : i1
    } -> tensor<4x1x1xi1>
    %14 = tensor.empty() : tensor<1x1x1xi32>
    %15 = linalg.generic {indexing_maps = [#map12, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_1 : tensor<1xi32>) outs(%14 : tensor<1x1x1xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<1x1x1xi32>
    %16 = tensor.empty() : tensor<4x1x1xi32>
    %17 = linalg.generic {indexing_maps = [#map10, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15 : tensor<1x1x1xi32>) outs(%16 : tensor<4x1x1xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<4x1x1xi32>
    %18 = tensor.empty() : tensor<4x1x1xi1>
    %19 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded, %17 : tensor<4x1x1xi32>, tensor<4x1x1xi32>) outs(%18 : tensor<4x1x1xi1>) {
    ^bb0(%in: i32, %in_5: i32, %out: i1):
      %31 = arith.cmpi sle, %in, %in_5 : i32
      linalg.yield %31 : i1
    } -> tensor<4x1x1xi1>
    %20 = tensor.empty() : tensor<4x1x1xi1>
    %21 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13, %19 : tensor<4x1x1xi1>, tensor<4x1x1xi1>) outs(%20 : tensor<4x1x1xi1>) {
    ^bb0(%in: i1, %in_5: i1, %out: i1):
      %31 = arith.andi %in, %in_5 : i1
      linalg.yield %31 : i1
    } -> tensor<4x1x1xi1>
    %cst_3 = arith.constant dense<true> : tensor<i1>
    %true = arith.constant true
    %22 = tensor.empty() : tensor<4x1xi1>
    %23 = linalg.fill ins(%true : i1) outs(%22 : tensor<4x1xi1>) -> tensor<4x1xi1>
    %24 = linalg.generic {indexing_maps = [#map1, #map7], iterator_types = ["parallel", "parallel", "reduction"]} ins(%21 : tensor<4x1x1xi1>) outs(%23 : tensor<4x1xi1>) {
    ^bb0(%in: i1, %out: i1):
      %from_elements = tensor.from_elements %in : tensor<i1>
      %from_elements_5 = tensor.from_elements %out : tensor<i1>
      %extracted = tensor.extract %from_elements_5[] : tensor<i1>
      %extracted_6 = tensor.extract %from_elements[] : tensor<i1>
      %31 = arith.andi %extracted, %extracted_6 : i1
      %from_elements_7 = tensor.from_elements %31 : tensor<i1>
      %extracted_8 = tensor.extract %from_elements_7[] : tensor<i1>
      linalg.yield %extracted_8 : i1
    } -> tensor<4x1xi1>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %25 = tensor.empty() : tensor<4x1xi32>
    %26 = linalg.generic {indexing_maps = [#map4], iterator_types = ["parallel", "parallel"]} outs(%25 : tensor<4x1xi32>) {
    ^bb0(%out: i32):
      %31 = linalg.index 0 : index
      %32 = linalg.index 1 : index
      %extracted = tensor.extract %expanded[%31, %32, %c0] : tensor<4x1x1xi32>
      %33 = arith.index_cast %extracted : i32 to index
      %c1_5 = arith.constant 1 : index
      %c6 = arith.constant 6 : index
      %c5 = arith.constant 5 : index
      %34 = arith.maxsi %c0, %33 : index
      %35 = arith.minsi %34, %c5 : index
      %extracted_6 = tensor.extract %arg0[%31, %35] : tensor<4x6xi32>
      linalg.yield %extracted_6 : i32
    } -> tensor<4x1xi32>
    %cst_4 = arith.constant dense<-2147483648> : tensor<i32>
    %27 = tensor.empty() : tensor<4x1xi32>
    %28 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel"]} ins(%cst_4 : tensor<i32>) outs(%27 : tensor<4x1xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<4x1xi32>
    %29 = tensor.empty() : tensor<4x1xi32>
    %30 = linalg.generic {indexing_maps = [#map4, #map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%24, %26, %28 : tensor<4x1xi1>, tensor<4x1xi32>, tensor<4x1xi32>) outs(%29 : tensor<4x1xi32>) {
    ^bb0(%in: i1, %in_5: i32, %in_6: i32, %out: i32):
      %31 = arith.select %in, %in_5, %in_6 : i32
      linalg.yield %31 : i32
    } -> tensor<4x1xi32>
    return %30 : tensor<4x1xi32>
  }
  func.func private @dynamic_update_index_in_dim_3(%arg0: tensor<4x4xi32>, %arg1: tensor<4xi32>, %arg2: tensor<i32>) -> tensor<4x4xi32> {
    %0 = tensor.empty() : tensor<1x4xi32>
    %1 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel", "parallel"]} ins(%arg1 : tensor<4xi32>) outs(%0 : tensor<1x4xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<1x4xi32>
    %cst = arith.constant dense<0> : tensor<i32>
    %c0 = arith.constant 0 : index
    %extracted = tensor.extract %arg2[] : tensor<i32>
    %2 = arith.index_cast %extracted : i32 to index
    %c3 = arith.constant 3 : index
    %3 = arith.maxsi %2, %c0 : index
    %4 = arith.minsi %3, %c3 : index
    %extracted_0 = tensor.extract %cst[] : tensor<i32>
    %5 = arith.index_cast %extracted_0 : i32 to index
    %c0_1 = arith.constant 0 : index
    %6 = arith.maxsi %5, %c0 : index
    %7 = arith.minsi %6, %c0_1 : index
    %inserted_slice = tensor.insert_slice %1 into %arg0[%4, %7] [1, 4] [1, 1] : tensor<1x4xi32> into tensor<4x4xi32>
    return %inserted_slice : tensor<4x4xi32>
  }
}
