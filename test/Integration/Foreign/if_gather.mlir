#map = affine_map<() -> ()>
#map1 = affine_map<(d0) -> ()>
#map2 = affine_map<(d0) -> (d0)>
#map3 = affine_map<(d0, d1) -> (d0)>
#map4 = affine_map<(d0, d1) -> (d0, d1)>
#map5 = affine_map<(d0, d1) -> ()>
#map6 = affine_map<(d0, d1) -> (-d0 + 15, d1)>
module @if_gather {
  func.func public @main(%arg0: tensor<16x4xf32>, %arg1: tensor<5xi32>, %arg2: tensor<i32>) -> (tensor<5x4xf32> {jax.result_info = "result"}) {
    %cst = arith.constant dense<0> : tensor<i32>
    %0 = tensor.empty() : tensor<i1>
    %c0_i32 = arith.constant 0 : i32
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%arg2 : tensor<i32>) outs(%0 : tensor<i1>) {
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
    %5 = scf.index_switch %4 -> tensor<5x4xf32> 
    case 0 {
      %6 = func.call @_flip(%arg0) : (tensor<16x4xf32>) -> tensor<16x4xf32>
      %cst_0 = arith.constant dense<0> : tensor<i32>
      %7 = tensor.empty() : tensor<5xi32>
      %8 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel"]} ins(%cst_0 : tensor<i32>) outs(%7 : tensor<5xi32>) {
      ^bb0(%in: i32, %out: i32):
        linalg.yield %in : i32
      } -> tensor<5xi32>
      %9 = tensor.empty() : tensor<5xi1>
      %10 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel"]} ins(%arg1, %8 : tensor<5xi32>, tensor<5xi32>) outs(%9 : tensor<5xi1>) {
      ^bb0(%in: i32, %in_2: i32, %out: i1):
        %21 = arith.cmpi slt, %in, %in_2 : i32
        linalg.yield %21 : i1
      } -> tensor<5xi1>
      %cst_1 = arith.constant dense<16> : tensor<i32>
      %11 = tensor.empty() : tensor<5xi32>
      %12 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel"]} ins(%cst_1 : tensor<i32>) outs(%11 : tensor<5xi32>) {
      ^bb0(%in: i32, %out: i32):
        linalg.yield %in : i32
      } -> tensor<5xi32>
      %13 = tensor.empty() : tensor<5xi32>
      %14 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel"]} ins(%arg1, %12 : tensor<5xi32>, tensor<5xi32>) outs(%13 : tensor<5xi32>) {
      ^bb0(%in: i32, %in_2: i32, %out: i32):
        %21 = arith.addi %in, %in_2 : i32
        linalg.yield %21 : i32
      } -> tensor<5xi32>
      %15 = tensor.empty() : tensor<5xi32>
      %16 = linalg.generic {indexing_maps = [#map2, #map2, #map2, #map2], iterator_types = ["parallel"]} ins(%10, %14, %arg1 : tensor<5xi1>, tensor<5xi32>, tensor<5xi32>) outs(%15 : tensor<5xi32>) {
      ^bb0(%in: i1, %in_2: i32, %in_3: i32, %out: i32):
        %21 = arith.select %in, %in_2, %in_3 : i32
        linalg.yield %21 : i32
      } -> tensor<5xi32>
      %17 = tensor.empty() : tensor<5x1xi32>
      %18 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel"]} ins(%16 : tensor<5xi32>) outs(%17 : tensor<5x1xi32>) {
      ^bb0(%in: i32, %out: i32):
        linalg.yield %in : i32
      } -> tensor<5x1xi32>
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %19 = tensor.empty() : tensor<5x4xf32>
      %20 = linalg.generic {indexing_maps = [#map4], iterator_types = ["parallel", "parallel"]} outs(%19 : tensor<5x4xf32>) {
      ^bb0(%out: f32):
        %21 = linalg.index 0 : index
        %22 = linalg.index 1 : index
        %extracted_2 = tensor.extract %18[%21, %c0] : tensor<5x1xi32>
        %23 = arith.index_cast %extracted_2 : i32 to index
        %c0_3 = arith.constant 0 : index
        %c16 = arith.constant 16 : index
        %c15 = arith.constant 15 : index
        %24 = arith.maxsi %c0, %23 : index
        %25 = arith.minsi %24, %c15 : index
        %c1_4 = arith.constant 1 : index
        %c4 = arith.constant 4 : index
        %extracted_5 = tensor.extract %6[%25, %22] : tensor<16x4xf32>
        linalg.yield %extracted_5 : f32
      } -> tensor<5x4xf32>
      scf.yield %20 : tensor<5x4xf32>
    }
    default {
      %cst_0 = arith.constant dense<0> : tensor<i32>
      %6 = tensor.empty() : tensor<5xi32>
      %7 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel"]} ins(%cst_0 : tensor<i32>) outs(%6 : tensor<5xi32>) {
      ^bb0(%in: i32, %out: i32):
        linalg.yield %in : i32
      } -> tensor<5xi32>
      %8 = tensor.empty() : tensor<5xi1>
      %9 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel"]} ins(%arg1, %7 : tensor<5xi32>, tensor<5xi32>) outs(%8 : tensor<5xi1>) {
      ^bb0(%in: i32, %in_3: i32, %out: i1):
        %24 = arith.cmpi slt, %in, %in_3 : i32
        linalg.yield %24 : i1
      } -> tensor<5xi1>
      %cst_1 = arith.constant dense<16> : tensor<i32>
      %10 = tensor.empty() : tensor<5xi32>
      %11 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel"]} ins(%cst_1 : tensor<i32>) outs(%10 : tensor<5xi32>) {
      ^bb0(%in: i32, %out: i32):
        linalg.yield %in : i32
      } -> tensor<5xi32>
      %12 = tensor.empty() : tensor<5xi32>
      %13 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel"]} ins(%arg1, %11 : tensor<5xi32>, tensor<5xi32>) outs(%12 : tensor<5xi32>) {
      ^bb0(%in: i32, %in_3: i32, %out: i32):
        %24 = arith.addi %in, %in_3 : i32
        linalg.yield %24 : i32
      } -> tensor<5xi32>
      %14 = tensor.empty() : tensor<5xi32>
      %15 = linalg.generic {indexing_maps = [#map2, #map2, #map2, #map2], iterator_types = ["parallel"]} ins(%9, %13, %arg1 : tensor<5xi1>, tensor<5xi32>, tensor<5xi32>) outs(%14 : tensor<5xi32>) {
      ^bb0(%in: i1, %in_3: i32, %in_4: i32, %out: i32):
        %24 = arith.select %in, %in_3, %in_4 : i32
        linalg.yield %24 : i32
      } -> tensor<5xi32>
      %16 = tensor.empty() : tensor<5x1xi32>
      %17 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel"]} ins(%15 : tensor<5xi32>) outs(%16 : tensor<5x1xi32>) {
      ^bb0(%in: i32, %out: i32):
        linalg.yield %in : i32
      } -> tensor<5x1xi32>
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %18 = tensor.empty() : tensor<5x4xf32>
      %19 = linalg.generic {indexing_maps = [#map4], iterator_types = ["parallel", "parallel"]} outs(%18 : tensor<5x4xf32>) {
      ^bb0(%out: f32):
        %24 = linalg.index 0 : index
        %25 = linalg.index 1 : index
        %extracted_3 = tensor.extract %17[%24, %c0] : tensor<5x1xi32>
        %26 = arith.index_cast %extracted_3 : i32 to index
        %c0_4 = arith.constant 0 : index
        %c16 = arith.constant 16 : index
        %c15 = arith.constant 15 : index
        %27 = arith.maxsi %c0, %26 : index
        %28 = arith.minsi %27, %c15 : index
        %c1_5 = arith.constant 1 : index
        %c4 = arith.constant 4 : index
        %extracted_6 = tensor.extract %arg0[%28, %25] : tensor<16x4xf32>
        linalg.yield %extracted_6 : f32
      } -> tensor<5x4xf32>
      %cst_2 = arith.constant dense<2.000000e+00> : tensor<f32>
      %20 = tensor.empty() : tensor<5x4xf32>
      %21 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel", "parallel"]} ins(%cst_2 : tensor<f32>) outs(%20 : tensor<5x4xf32>) {
      ^bb0(%in: f32, %out: f32):
        linalg.yield %in : f32
      } -> tensor<5x4xf32>
      %22 = tensor.empty() : tensor<5x4xf32>
      %23 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%19, %21 : tensor<5x4xf32>, tensor<5x4xf32>) outs(%22 : tensor<5x4xf32>) {
      ^bb0(%in: f32, %in_3: f32, %out: f32):
        %24 = arith.mulf %in, %in_3 : f32
        linalg.yield %24 : f32
      } -> tensor<5x4xf32>
      scf.yield %23 : tensor<5x4xf32>
    }
    return %5 : tensor<5x4xf32>
  }
  func.func private @_flip(%arg0: tensor<16x4xf32>) -> tensor<16x4xf32> {
    %0 = tensor.empty() : tensor<16x4xf32>
    %1 = linalg.generic {indexing_maps = [#map6, #map4], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<16x4xf32>) outs(%0 : tensor<16x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<16x4xf32>
    return %1 : tensor<16x4xf32>
  }
}

