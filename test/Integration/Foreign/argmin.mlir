#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d1, d0)>
#map2 = affine_map<(d0, d1) -> (d0)>
module @argmin {
  func.func public @main(%arg0: tensor<9x3xi32>) -> (tensor<3xi32> {jax.result_info = "result"}) {
    %0 = call @argmin(%arg0) : (tensor<9x3xi32>) -> tensor<3xi32>
    return %0 : tensor<3xi32>
  }
  func.func private @argmin(%arg0: tensor<9x3xi32>) -> tensor<3xi32> {
    %0 = tensor.empty() : tensor<9x3xi32>
    %1 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel"]} outs(%0 : tensor<9x3xi32>) {
    ^bb0(%out: i32):
      %7 = linalg.index 0 : index
      %8 = arith.index_cast %7 : index to i32
      linalg.yield %8 : i32
    } -> tensor<9x3xi32>
    %cst = arith.constant dense<2147483647> : tensor<i32>
    %cst_0 = arith.constant dense<0> : tensor<i32>
    %c2147483647_i32 = arith.constant 2147483647 : i32
    %2 = tensor.empty() : tensor<3xi32>
    %3 = linalg.fill ins(%c2147483647_i32 : i32) outs(%2 : tensor<3xi32>) -> tensor<3xi32>
    %c0_i32 = arith.constant 0 : i32
    %4 = tensor.empty() : tensor<3xi32>
    %5 = linalg.fill ins(%c0_i32 : i32) outs(%4 : tensor<3xi32>) -> tensor<3xi32>
    %6:2 = linalg.generic {indexing_maps = [#map1, #map1, #map2, #map2], iterator_types = ["parallel", "reduction"]} ins(%arg0, %1 : tensor<9x3xi32>, tensor<9x3xi32>) outs(%3, %5 : tensor<3xi32>, tensor<3xi32>) {
    ^bb0(%in: i32, %in_1: i32, %out: i32, %out_2: i32):
      %from_elements = tensor.from_elements %in_1 : tensor<i32>
      %from_elements_3 = tensor.from_elements %in : tensor<i32>
      %from_elements_4 = tensor.from_elements %out_2 : tensor<i32>
      %from_elements_5 = tensor.from_elements %out : tensor<i32>
      %extracted = tensor.extract %from_elements_5[] : tensor<i32>
      %extracted_6 = tensor.extract %from_elements_3[] : tensor<i32>
      %7 = arith.cmpi slt, %extracted, %extracted_6 : i32
      %from_elements_7 = tensor.from_elements %7 : tensor<i1>
      %extracted_8 = tensor.extract %from_elements_5[] : tensor<i32>
      %extracted_9 = tensor.extract %from_elements_5[] : tensor<i32>
      %8 = arith.cmpi ne, %extracted_8, %extracted_9 : i32
      %from_elements_10 = tensor.from_elements %8 : tensor<i1>
      %extracted_11 = tensor.extract %from_elements_7[] : tensor<i1>
      %extracted_12 = tensor.extract %from_elements_10[] : tensor<i1>
      %9 = arith.ori %extracted_11, %extracted_12 : i1
      %from_elements_13 = tensor.from_elements %9 : tensor<i1>
      %extracted_14 = tensor.extract %from_elements_5[] : tensor<i32>
      %extracted_15 = tensor.extract %from_elements_3[] : tensor<i32>
      %10 = arith.cmpi eq, %extracted_14, %extracted_15 : i32
      %from_elements_16 = tensor.from_elements %10 : tensor<i1>
      %extracted_17 = tensor.extract %from_elements_4[] : tensor<i32>
      %extracted_18 = tensor.extract %from_elements[] : tensor<i32>
      %11 = arith.cmpi slt, %extracted_17, %extracted_18 : i32
      %from_elements_19 = tensor.from_elements %11 : tensor<i1>
      %extracted_20 = tensor.extract %from_elements_16[] : tensor<i1>
      %extracted_21 = tensor.extract %from_elements_19[] : tensor<i1>
      %12 = arith.andi %extracted_20, %extracted_21 : i1
      %from_elements_22 = tensor.from_elements %12 : tensor<i1>
      %extracted_23 = tensor.extract %from_elements_13[] : tensor<i1>
      %extracted_24 = tensor.extract %from_elements_22[] : tensor<i1>
      %13 = arith.ori %extracted_23, %extracted_24 : i1
      %from_elements_25 = tensor.from_elements %13 : tensor<i1>
      %extracted_26 = tensor.extract %from_elements_13[] : tensor<i1>
      %extracted_27 = tensor.extract %from_elements_5[] : tensor<i32>
      %extracted_28 = tensor.extract %from_elements_3[] : tensor<i32>
      %14 = arith.select %extracted_26, %extracted_27, %extracted_28 : i32
      %from_elements_29 = tensor.from_elements %14 : tensor<i32>
      %extracted_30 = tensor.extract %from_elements_25[] : tensor<i1>
      %extracted_31 = tensor.extract %from_elements_4[] : tensor<i32>
      %extracted_32 = tensor.extract %from_elements[] : tensor<i32>
      %15 = arith.select %extracted_30, %extracted_31, %extracted_32 : i32
      %from_elements_33 = tensor.from_elements %15 : tensor<i32>
      %extracted_34 = tensor.extract %from_elements_29[] : tensor<i32>
      %extracted_35 = tensor.extract %from_elements_33[] : tensor<i32>
      linalg.yield %extracted_34, %extracted_35 : i32, i32
    } -> (tensor<3xi32>, tensor<3xi32>)
    return %6#1 : tensor<3xi32>
  }
}

