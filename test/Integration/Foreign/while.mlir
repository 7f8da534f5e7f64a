#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0) -> ()>
#map2 = affine_map<() -> ()>
module @while {
  func.func public @main(%arg0: tensor<8xf32>) -> (tensor<8xf32> {jax.result_info = "result"}) {
    %0 = scf.while (%arg1 = %arg0) : (tensor<8xf32>) -> tensor<8xf32> {
      %1 = tensor.empty() : tensor<8xf32>
      %2 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%arg1, %arg1 : tensor<8xf32>, tensor<8xf32>) outs(%1 : tensor<8xf32>) {
      ^bb0(%in: f32, %in_3: f32, %out: f32):
        %8 = arith.mulf %in, %in_3 : f32
        linalg.yield %8 : f32
      } -> tensor<8xf32>
      %cst = arith.constant dense<0.000000e+00> : tensor<f32>
      %cst_0 = arith.constant 0.000000e+00 : f32
      %3 = tensor.empty() : tensor<f32>
      %4 = linalg.fill ins(%cst_0 : f32) outs(%3 : tensor<f32>) -> tensor<f32>
      %5 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["reduction"]} ins(%2 : tensor<8xf32>) outs(%4 : tensor<f32>) {
      ^bb0(%in: f32, %out: f32):
        %from_elements = tensor.from_elements %in : tensor<f32>
        %from_elements_3 = tensor.from_elements %out : tensor<f32>
        %extracted_4 = tensor.extract %from_elements_3[] : tensor<f32>
        %extracted_5 = tensor.extract %from_elements[] : tensor<f32>
        %8 = arith.addf %extracted_4, %extracted_5 : f32
        %from_elements_6 = tensor.from_elements %8 : tensor<f32>
        %extracted_7 = tensor.extract %from_elements_6[] : tensor<f32>
        linalg.yield %extracted_7 : f32
      } -> tensor<f32>
      %cst_1 = arith.constant dense<1.000000e+00> : tensor<f32>
      %6 = tensor.empty() : tensor<i1>
      %cst_2 = arith.constant 1.000000e+00 : f32
      %7 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = []} ins(%5 : tensor<f32>) outs(%6 : tensor<i1>) {
      ^bb0(%in: f32, %out: i1):
        %8 = arith.cmpf ogt, %in, %cst_2 : f32
        linalg.yield %8 : i1
      } -> tensor<i1>
      %extracted = tensor.extract %7[] : tensor<i1>
      scf.condition(%extracted) %arg1 : tensor<8xf32>
    } do {
    ^bb0(%arg1: tensor<8xf32>):
      %cst = arith.constant dense<5.000000e-01> : tensor<f32>
      %1 = tensor.empty() : tensor<8xf32>
      %2 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel"]} ins(%cst : tensor<f32>) outs(%1 : tensor<8xf32>) {
      ^bb0(%in: f32, %out: f32):
        linalg.yield %in : f32
      } -> tensor<8xf32>
      %3 = tensor.empty() : tensor<8xf32>
      %4 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%arg1, %2 : tensor<8xf32>, tensor<8xf32>) outs(%3 : tensor<8xf32>) {
      ^bb0(%in: f32, %in_0: f32, %out: f32):
        %5 = arith.mulf %in, %in_0 : f32
        linalg.yield %5 : f32
      } -> tensor<8xf32>
      scf.yield %4 : tensor<8xf32>
    }
    return %0 : tensor<8xf32>
  }
}

