#map = affine_map<() -> ()>
module @dynupdate {
  func.func public @main(%arg0: tensor<2x8x4xf32>, %arg1: tensor<2x1x4xf32>, %arg2: tensor<i32>) -> (tensor<2x8x4xf32> {jax.result_info = "result"}) {
    %cst = arith.constant dense<0> : tensor<i32>
    %0 = tensor.empty() : tensor<i1>
    %c0_i32 = arith.constant 0 : i32
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%arg2 : tensor<i32>) outs(%0 : tensor<i1>) {
    ^bb0(%in: i32, %out: i1):
      %15 = arith.cmpi slt, %in, %c0_i32 : i32
      linalg.yield %15 : i1
    } -> tensor<i1>
    %cst_0 = arith.constant dense<8> : tensor<i32>
    %2 = tensor.empty() : tensor<i32>
    %c8_i32 = arith.constant 8 : i32
    %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%arg2 : tensor<i32>) outs(%2 : tensor<i32>) {
    ^bb0(%in: i32, %out: i32):
      %15 = arith.addi %in, %c8_i32 : i32
      linalg.yield %15 : i32
    } -> tensor<i32>
    %4 = tensor.empty() : tensor<i32>
    %5 = linalg.generic {indexing_maps = [#map, #map, #map, #map], iterator_types = []} ins(%1, %3, %arg2 : tensor<i1>, tensor<i32>, tensor<i32>) outs(%4 : tensor<i32>) {
    ^bb0(%in: i1, %in_7: i32, %in_8: i32, %out: i32):
      %15 = arith.select %in, %in_7, %in_8 : i32
      linalg.yield %15 : i32
    } -> tensor<i32>
    %cst_1 = arith.constant dense<0> : tensor<i32>
    %cst_2 = arith.constant dense<0> : tensor<i32>
    %c0 = arith.constant 0 : index
    %extracted = tensor.extract %cst_1[] : tensor<i32>
    %6 = arith.index_cast %extracted : i32 to index
    %c0_3 = arith.constant 0 : index
    %7 = arith.maxsi %6, %c0 : index
    %8 = arith.minsi %7, %c0_3 : index
    %extracted_4 = tensor.extract %5[] : tensor<i32>
    %9 = arith.index_cast %extracted_4 : i32 to index
    %c7 = arith.constant 7 : index
    %10 = arith.maxsi %9, %c0 : index
    %11 = arith.minsi %10, %c7 : index
    %extracted_5 = tensor.extract %cst_2[] : tensor<i32>
    %12 = arith.index_cast %extracted_5 : i32 to index
    %c0_6 = arith.constant 0 : index
    %13 = arith.maxsi %12, %c0 : index
    %14 = arith.minsi %13, %c0_6 : index
    %inserted_slice = tensor.insert_slice %arg1 into %arg0[%8, %11, %14] [2, 1, 4] [1, 1, 1] : tensor<2x1x4xf32> into tensor<2x8x4xf32>
    return %inserted_slice : tensor<2x8x4xf32>
  }
}

