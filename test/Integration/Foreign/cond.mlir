#map = affine_map<() -> ()>
#map1 = affine_map<(d0, d1) -> ()>
#map2 = affine_map<(d0, d1) -> (d0, d1)>
module @cond {
  func.func public @main(%arg0: tensor<i32>, %arg1: tensor<8x3xf32>) -> (tensor<8x3xf32> {jax.result_info = "result"}) {
    %cst = arith.constant dense<0> : tensor<i32>
    %0 = tensor.empty() : tensor<i1>
    %c0_i32 = arith.constant 0 : i32
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%arg0 : tensor<i32>) outs(%0 : tensor<i1>) {
    ^bb0(%in: i32, %out: i1):
      %6 = arith.cmpi sgt, %in, %c0_i32 : i32
      linalg.yield %6 : i1
    } -> tensor<i1>
    %2 = tensor.empty() : tensor<i32>
    %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%1 : tensor<i1>) outs(%2 : tensor<i32>) {
    ^bb0(%in: i1, %out: i32):
      %6 = arith.extui %in : i1 to i32
      linalg.yield %6 : i32
    } -> tensor<i32>
    %extracted = tensor.extract %3[] : tensor<i32>
    %4 = arith.index_cast %extracted : i32 to index
    %5 = scf.index_switch %4 -> tensor<8x3xf32> 
    case 0 {
      %cst_0 = arith.constant dense<2.000000e+00> : tensor<f32>
      %6 = tensor.empty() : tensor<8x3xf32>
      %7 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel"]} ins(%cst_0 : tensor<f32>) outs(%6 : tensor<8x3xf32>) {
      ^bb0(%in: f32, %out: f32):
        linalg.yield %in : f32
      } -> tensor<8x3xf32>
      %8 = tensor.empty() : tensor<8x3xf32>
      %9 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%arg1, %7 : tensor<8x3xf32>, tensor<8x3xf32>) outs(%8 : tensor<8x3xf32>) {
      ^bb0(%in: f32, %in_1: f32, %out: f32):
        %10 = arith.mulf %in, %in_1 : f32
        linalg.yield %10 : f32
      } -> tensor<8x3xf32>
      scf.yield %9 : tensor<8x3xf32>
    }
    default {
      %6 = tensor.empty() : tensor<8x3xf32>
      %7 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%arg1 : tensor<8x3xf32>) outs(%6 : tensor<8x3xf32>) {
      ^bb0(%in: f32, %out: f32):
        %8 = math.sin %in : f32
        linalg.yield %8 : f32
      } -> tensor<8x3xf32>
      scf.yield %7 : tensor<8x3xf32>
    }
    return %5 : tensor<8x3xf32>
  }
}

