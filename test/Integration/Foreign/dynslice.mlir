#map = affine_map<() -> ()>
#map1 = affine_map<(d0, d1) -> ()>
#map2 = affine_map<(d0, d1) -> (d0, d1)>
module @dynslice {
  func.func public @main(%arg0: tensor<8x3xf32>, %arg1: tensor<i32>) -> (tensor<4x3xf32> {jax.result_info = "result"}) {
    %cst = arith.constant dense<0> : tensor<i32>
    %0 = tensor.empty() : tensor<i1>
    %c0_i32 = arith.constant 0 : i32
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%arg1 : tensor<i32>) outs(%0 : tensor<i1>) {
    ^bb0(%in: i32, %out: i1):
      %16 = arith.cmpi slt, %in, %c0_i32 : i32
      linalg.yield %16 : i1
    } -> tensor<i1>
    %cst_0 = arith.constant dense<8> : tensor<i32>
    %2 = tensor.empty() : tensor<i32>
    %c8_i32 = arith.constant 8 : i32
    %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%arg1 : tensor<i32>) outs(%2 : tensor<i32>) {
    ^bb0(%in: i32, %out: i32):
      %16 = arith.addi %in, %c8_i32 : i32
      linalg.yield %16 : i32
    } -> tensor<i32>
    %4 = tensor.empty() : tensor<i32>
    %5 = linalg.generic {indexing_maps = [#map, #map, #map, #map], iterator_types = []} ins(%1, %3, %arg1 : tensor<i1>, tensor<i32>, tensor<i32>) outs(%4 : tensor<i32>) {
    ^bb0(%in: i1, %in_9: i32, %in_10: i32, %out: i32):
      %16 = arith.select %in, %in_9, %in_10 : i32
      linalg.yield %16 : i32
    } -> tensor<i32>
    %cst_1 = arith.constant dense<0> : tensor<i32>
    %extracted = tensor.extract %5[] : tensor<i32>
    %6 = arith.index_cast %extracted : i32 to index
    %c0 = arith.constant 0 : index
    %c0_2 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c4 = arith.constant 4 : index
    %c4_3 = arith.constant 4 : index
    %7 = arith.maxsi %6, %c0 : index
    %8 = arith.minsi %7, %c4_3 : index
    %extracted_4 = tensor.extract %cst_1[] : tensor<i32>
    %9 = arith.index_cast %extracted_4 : i32 to index
    %c0_5 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c3_6 = arith.constant 3 : index
    %c0_7 = arith.constant 0 : index
    %10 = arith.maxsi %9, %c0_5 : index
    %11 = arith.minsi %10, %c0_7 : index
    %extracted_slice = tensor.extract_slice %arg0[%8, %11] [4, 3] [1, 1] : tensor<8x3xf32> to tensor<4x3xf32>
    %cst_8 = arith.constant dense<2.000000e+00> : tensor<f32>
    %12 = tensor.empty() : tensor<4x3xf32>
    %13 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel"]} ins(%cst_8 : tensor<f32>) outs(%12 : tensor<4x3xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x3xf32>
    %14 = tensor.empty() : tensor<4x3xf32>
    %15 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice, %13 : tensor<4x3xf32>, tensor<4x3xf32>) outs(%14 : tensor<4x3xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %16 = arith.mulf %in, %in_9 : f32
      linalg.yield %16 : f32
    } -> tensor<4x3xf32>
    return %15 : tensor<4x3xf32>
  }
}

