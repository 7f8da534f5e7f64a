#map = affine_map<(d0) -> ()>
#map1 = affine_map<(d0) -> (d0)>
#map2 = affine_map<() -> ()>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0, d1) -> ()>
module @scan {
  func.func public @main(%arg0: tensor<4x8xf32>, %arg1: tensor<5x4x8xf32>, %arg2: tensor<8x8xf32>) -> (tensor<4x8xf32> {jax.result_info = "result[0]"}, tensor<5xf32> {jax.result_info = "result[1]"}) {
    %cst = arith.constant dense<0.000000e+00> : tensor<f32>
    %0 = tensor.empty() : tensor<5xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel"]} ins(%cst : tensor<f32>) outs(%0 : tensor<5xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<5xf32>
    %cst_0 = arith.constant dense<0> : tensor<i32>
    %2:5 = scf.while (%arg3 = %arg1, %arg4 = %arg2, %arg5 = %cst_0, %arg6 = %arg0, %arg7 = %1) : (tensor<5x4x8xf32>, tensor<8x8xf32>, tensor<i32>, tensor<4x8xf32>, tensor<5xf32>) -> (tensor<5x4x8xf32>, tensor<8x8xf32>, tensor<i32>, tensor<4x8xf32>, tensor<5xf32>) {
      %cst_1 = arith.constant dense<5> : tensor<i32>
      %3 = tensor.empty() : tensor<i1>
      %c5_i32 = arith.constant 5 : i32
      %4 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = []} ins(%arg5 : tensor<i32>) outs(%3 : tensor<i1>) {
      ^bb0(%in: i32, %out: i1):
        %5 = arith.cmpi slt, %in, %c5_i32 : i32
        linalg.yield %5 : i1
      } -> tensor<i1>
      %extracted = tensor.extract %4[] : tensor<i1>
      scf.condition(%extracted) %arg3, %arg4, %arg5, %arg6, %arg7 : tensor<5x4x8xf32>, tensor<8x8xf32>, tensor<i32>, tensor<4x8xf32>, tensor<5xf32>
    } do {
    ^bb0(%arg3: tensor<5x4x8xf32>, %arg4: tensor<8x8xf32>, %arg5: tensor<i32>, %arg6: tensor<4x8xf32>, %arg7: tensor<5xf32>):
      %3 = func.call @dynamic_index_in_dim(%arg3, %arg5) : (tensor<5x4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
      %4:2 = func.call @closed_call(%arg4, %arg6, %3) : (tensor<8x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<f32>)
      %5 = func.call @dynamic_update_index_in_dim(%arg7, %4#1, %arg5) : (tensor<5xf32>, tensor<f32>, tensor<i32>) -> tensor<5xf32>
      %cst_1 = arith.constant dense<1> : tensor<i32>
      %6 = tensor.empty() : tensor<i32>
      %c1_i32 = arith.constant 1 : i32
      %7 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = []} ins(%arg5 : tensor<i32>) outs(%6 : tensor<i32>) {
      ^bb0(%in: i32, %out: i32):
        %8 = arith.addi %in, %c1_i32 : i32
        linalg.yield %8 : i32
      } -> tensor<i32>
      scf.yield %arg3, %arg4, %7, %4#0, %5 : tensor<5x4x8xf32>, tensor<8x8xf32>, tensor<i32>, tensor<4x8xf32>, tensor<5xf32>
    }
    return %2#3, %2#4 : tensor<4x8xf32>, tensor<5xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<5x4x8xf32>, %arg1: tensor<i32>) -> tensor<4x8xf32> {
    %cst = arith.constant dense<0> : tensor<i32>
    %cst_0 = arith.constant dense<0> : tensor<i32>
    %extracted = tensor.extract %arg1[] : tensor<i32>
    %0 = arith.index_cast %extracted : i32 to index
    %c0 = arith.constant 0 : index
    %c0_1 = arith.constant 0 : index
    %c5 = arith.constant 5 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %1 = arith.maxsi %0, %c0 : index
    %2 = arith.minsi %1, %c4 : index
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
    %c8 = arith.constant 8 : index
    %c8_10 = arith.constant 8 : index
    %c0_11 = arith.constant 0 : index
    %7 = arith.maxsi %6, %c0_9 : index
    %8 = arith.minsi %7, %c0_11 : index
    %extracted_slice = tensor.extract_slice %arg0[%2, %5, %8] [1, 4, 8] [1, 1, 1] : tensor<5x4x8xf32> to tensor<1x4x8xf32>
    %collapsed = tensor.collapse_shape %extracted_slice [[0, 1], [2]] : tensor<1x4x8xf32> into tensor<4x8xf32>
    return %collapsed : tensor<4x8xf32>
  }
  func.func private @closed_call(%arg0: tensor<8x8xf32>, %arg1: tensor<4x8xf32>, %arg2: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<f32>) {
    %0 = tensor.empty() : tensor<4x8xf32>
    %cst = arith.constant 0.000000e+00 : f32
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<4x8xf32>) -> tensor<4x8xf32>
    %2 = linalg.matmul ins(%arg1, %arg0 : tensor<4x8xf32>, tensor<8x8xf32>) outs(%1 : tensor<4x8xf32>) -> tensor<4x8xf32>
    %3 = tensor.empty() : tensor<4x8xf32>
    %4 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%2, %arg2 : tensor<4x8xf32>, tensor<4x8xf32>) outs(%3 : tensor<4x8xf32>) {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %10 = arith.addf %in, %in_2 : f32
      linalg.yield %10 : f32
    } -> tensor<4x8xf32>
    %5 = tensor.empty() : tensor<4x8xf32>
    %6 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%4 : tensor<4x8xf32>) outs(%5 : tensor<4x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %10 = math.tanh %in : f32
      linalg.yield %10 : f32
    } -> tensor<4x8xf32>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_1 = arith.constant 0.000000e+00 : f32
    %7 = tensor.empty() : tensor<f32>
    %8 = linalg.fill ins(%cst_1 : f32) outs(%7 : tensor<f32>) -> tensor<f32>
    %9 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["reduction", "reduction"]} ins(%arg1 : tensor<4x8xf32>) outs(%8 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %from_elements = tensor.from_elements %in : tensor<f32>
      %from_elements_2 = tensor.from_elements %out : tensor<f32>
      %extracted = tensor.extract %from_elements_2[] : tensor<f32>
      %extracted_3 = tensor.extract %from_elements[] : tensor<f32>
      %10 = arith.addf %extracted, %extracted_3 : f32
      %from_elements_4 = tensor.from_elements %10 : tensor<f32>
      %extracted_5 = tensor.extract %from_elements_4[] : tensor<f32>
      linalg.yield %extracted_5 : f32
    } -> tensor<f32>
    return %6, %9 : tensor<4x8xf32>, tensor<f32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<5xf32>, %arg1: tensor<f32>, %arg2: tensor<i32>) -> tensor<5xf32> {
    %0 = tensor.empty() : tensor<1xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel"]} ins(%arg1 : tensor<f32>) outs(%0 : tensor<1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1xf32>
    %c0 = arith.constant 0 : index
    %extracted = tensor.extract %arg2[] : tensor<i32>
    %2 = arith.index_cast %extracted : i32 to index
    %c4 = arith.constant 4 : index
    %3 = arith.maxsi %2, %c0 : index
    %4 = arith.minsi %3, %c4 : index
    %inserted_slice = tensor.insert_slice %1 into %arg0[%4] [1] [1] : tensor<1xf32> into tensor<5xf32>
    return %inserted_slice : tensor<5xf32>
  }
}

