#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
module @argmax {
  func.func public @main(%arg0: tensor<4x16xf32>) -> (tensor<4xi32> {jax.result_info = "result"}) {
    %0 = call @argmax(%arg0) : (tensor<4x16xf32>) -> tensor<4xi32>
    return %0 : tensor<4xi32>
  }
  func.func private @argmax(%arg0: tensor<4x16xf32>) -> tensor<4xi32> {
    %0 = tensor.empty() : tensor<4x16xi32>
    %1 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel"]} outs(%0 : tensor<4x16xi32>) {
    ^bb0(%out: i32):
      %7 = linalg.index 1 : index
      %8 = arith.index_cast %7 : index to i32
      linalg.yield %8 : i32
    } -> tensor<4x16xi32>
    %cst = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_0 = arith.constant dense<0> : tensor<i32>
    %cst_1 = arith.constant 0xFF800000 : f32
    %2 = tensor.empty() : tensor<4xf32>
    %3 = linalg.fill ins(%cst_1 : f32) outs(%2 : tensor<4xf32>) -> tensor<4xf32>
    %c0_i32 = arith.constant 0 : i32
    %4 = tensor.empty() : tensor<4xi32>
    %5 = linalg.fill ins(%c0_i32 : i32) outs(%4 : tensor<4xi32>) -> tensor<4xi32>
    %6:2 = linalg.generic {indexing_maps = [#map, #map, #map1, #map1], iterator_types = ["parallel", "reduction"]} ins(%arg0, %1 : tensor<4x16xf32>, tensor<4x16xi32>) outs(%3, %5 : tensor<4xf32>, tensor<4xi32>) {
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
}

