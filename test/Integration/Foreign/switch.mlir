#map = affine_map<() -> ()>
#map1 = affine_map<(d0, d1) -> ()>
#map2 = affine_map<(d0, d1) -> (d0, d1)>
module @switch {
  func.func public @main(%arg0: tensor<i32>, %arg1: tensor<8x3xf32>) -> (tensor<8x3xf32> {jax.result_info = "result"}) {
    %cst = arith.constant dense<0> : tensor<i32>
    %cst_0 = arith.constant dense<2> : tensor<i32>
    %0 = tensor.empty() : tensor<i32>
    %c0_i32 = arith.constant 0 : i32
    %c2_i32 = arith.constant 2 : i32
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%arg0 : tensor<i32>) outs(%0 : tensor<i32>) {
    ^bb0(%in: i32, %out: i32):
      %4 = arith.maxsi %c0_i32, %in : i32
      %5 = arith.minsi %4, %c2_i32 : i32
      linalg.yield %5 : i32
    } -> tensor<i32>
    %extracted = tensor.extract %1[] : tensor<i32>
    %2 = arith.index_cast %extracted : i32 to index
    %3 = scf.index_switch %2 -> tensor<8x3xf32> 
    case 0 {
      %cst_1 = arith.constant dense<1.000000e+00> : tensor<f32>
      %4 = tensor.empty() : tensor<8x3xf32>
      %5 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel"]} ins(%cst_1 : tensor<f32>) outs(%4 : tensor<8x3xf32>) {
      ^bb0(%in: f32, %out: f32):
        linalg.yield %in : f32
      } -> tensor<8x3xf32>
      %6 = tensor.empty() : tensor<8x3xf32>
      %7 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%arg1, %5 : tensor<8x3xf32>, tensor<8x3xf32>) outs(%6 : tensor<8x3xf32>) {
      ^bb0(%in: f32, %in_2: f32, %out: f32):
        %8 = arith.addf %in, %in_2 : f32
        linalg.yield %8 : f32
      } -> tensor<8x3xf32>
      scf.yield %7 : tensor<8x3xf32>
    }
    case 1 {
      %cst_1 = arith.constant dense<2.000000e+00> : tensor<f32>
      %4 = tensor.empty() : tensor<8x3xf32>
      %5 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel"]} ins(%cst_1 : tensor<f32>) outs(%4 : tensor<8x3xf32>) {
      ^bb0(%in: f32, %out: f32):
        linalg.yield %in : f32
      } -> tensor<8x3xf32>
      %6 = tensor.empty() : tensor<8x3xf32>
      %7 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%arg1, %5 : tensor<8x3xf32>, tensor<8x3xf32>) outs(%6 : tensor<8x3xf32>) {
      ^bb0(%in: f32, %in_2: f32, %out: f32):
        %8 = arith.mulf %in, %in_2 : f32
        linalg.yield %8 : f32
      } -> tensor<8x3xf32>
      scf.yield %7 : tensor<8x3xf32>
    }
    default {
      %4 = tensor.empty() : tensor<8x3xf32>
      %5 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%arg1 : tensor<8x3xf32>) outs(%4 : tensor<8x3xf32>) {
      ^bb0(%in: f32, %out: f32):
        %6 = math.cos %in : f32
        linalg.yield %6 : f32
      } -> tensor<8x3xf32>
      scf.yield %5 : tensor<8x3xf32>
    }
    return %3 : tensor<8x3xf32>
  }
}

