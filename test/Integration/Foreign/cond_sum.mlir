#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> ()>
#map2 = affine_map<() -> ()>
module @cond_sum {
  func.func public @main(%arg0: tensor<8x3xf32>) -> (tensor<8x3xf32> {jax.result_info = "result"}) {
    %cst = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_0 = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<f32>
    %1 = linalg.fill ins(%cst_0 : f32) outs(%0 : tensor<f32>) -> tensor<f32>
    %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["reduction", "reduction"]} ins(%arg0 : tensor<8x3xf32>) outs(%1 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %from_elements = tensor.from_elements %in : tensor<f32>
      %from_elements_3 = tensor.from_elements %out : tensor<f32>
      %extracted_4 = tensor.extract %from_elements_3[] : tensor<f32>
      %extracted_5 = tensor.extract %from_elements[] : tensor<f32>
      %9 = arith.addf %extracted_4, %extracted_5 : f32
      %from_elements_6 = tensor.from_elements %9 : tensor<f32>
      %extracted_7 = tensor.extract %from_elements_6[] : tensor<f32>
      linalg.yield %extracted_7 : f32
    } -> tensor<f32>
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<f32>
    %3 = tensor.empty() : tensor<i1>
    %cst_2 = arith.constant 0.000000e+00 : f32
    %4 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = []} ins(%2 : tensor<f32>) outs(%3 : tensor<i1>) {
    ^bb0(%in: f32, %out: i1):
      %9 = arith.cmpf ogt, %in, %cst_2 : f32
      linalg.yield %9 : i1
    } -> tensor<i1>
    %5 = tensor.empty() : tensor<i32>
    %6 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = []} ins(%4 : tensor<i1>) outs(%5 : tensor<i32>) {
    ^bb0(%in: i1, %out: i32):
      %9 = arith.extui %in : i1 to i32
      linalg.yield %9 : i32
    } -> tensor<i32>
    %extracted = tensor.extract %6[] : tensor<i32>
    %7 = arith.index_cast %extracted : i32 to index
    %8 = scf.index_switch %7 -> tensor<8x3xf32> 
    case 0 {
      %cst_3 = arith.constant dense<2.000000e+00> : tensor<f32>
      %9 = tensor.empty() : tensor<8x3xf32>
      %10 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_3 : tensor<f32>) outs(%9 : tensor<8x3xf32>) {
      ^bb0(%in: f32, %out: f32):
        linalg.yield %in : f32
      } -> tensor<8x3xf32>
      %11 = tensor.empty() : tensor<8x3xf32>
      %12 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %10 : tensor<8x3xf32>, tensor<8x3xf32>) outs(%11 : tensor<8x3xf32>) {
      ^bb0(%in: f32, %in_4: f32, %out: f32):
        %13 = arith.mulf %in, %in_4 : f32
        linalg.yield %13 : f32
      } -> tensor<8x3xf32>
      scf.yield %12 : tensor<8x3xf32>
    }
    default {
      %cst_3 = arith.constant dense<0xFF800000> : tensor<f32>
      %cst_4 = arith.constant 0xFF800000 : f32
      %9 = tensor.empty() : tensor<f32>
      %10 = linalg.fill ins(%cst_4 : f32) outs(%9 : tensor<f32>) -> tensor<f32>
      %11 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["reduction", "reduction"]} ins(%arg0 : tensor<8x3xf32>) outs(%10 : tensor<f32>) {
      ^bb0(%in: f32, %out: f32):
        %from_elements = tensor.from_elements %in : tensor<f32>
        %from_elements_5 = tensor.from_elements %out : tensor<f32>
        %extracted_6 = tensor.extract %from_elements_5[] : tensor<f32>
        %extracted_7 = tensor.extract %from_elements[] : tensor<f32>
        %16 = arith.maximumf %extracted_6, %extracted_7 : f32
        %from_elements_8 = tensor.from_elements %16 : tensor<f32>
        %extracted_9 = tensor.extract %from_elements_8[] : tensor<f32>
        linalg.yield %extracted_9 : f32
      } -> tensor<f32>
      %12 = tensor.empty() : tensor<8x3xf32>
      %13 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%11 : tensor<f32>) outs(%12 : tensor<8x3xf32>) {
      ^bb0(%in: f32, %out: f32):
        linalg.yield %in : f32
      } -> tensor<8x3xf32>
      %14 = tensor.empty() : tensor<8x3xf32>
      %15 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %13 : tensor<8x3xf32>, tensor<8x3xf32>) outs(%14 : tensor<8x3xf32>) {
      ^bb0(%in: f32, %in_5: f32, %out: f32):
        %16 = arith.subf %in, %in_5 : f32
        linalg.yield %16 : f32
      } -> tensor<8x3xf32>
      scf.yield %15 : tensor<8x3xf32>
    }
    return %8 : tensor<8x3xf32>
  }
}

