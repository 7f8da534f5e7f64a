#map = affine_map<(d0, d1) -> ()>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
#map2 = affine_map<(d0, d1, d2) -> ()>
#map3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map4 = affine_map<() -> ()>
#map5 = affine_map<(d0, d1, d2) -> (d1, d2)>
module @xlstm {
  func.func public @main(%arg0: tensor<5x2x6xf32>, %arg1: tensor<6x24xf32>, %arg2: tensor<6x24xf32>) -> (tensor<5x2x6xf32> {jax.result_info = "result"}) {
    %cst = arith.constant dense<0.000000e+00> : tensor<f32>
    %0 = tensor.empty() : tensor<2x6xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst : tensor<f32>) outs(%0 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6xf32>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<f32>
    %2 = tensor.empty() : tensor<5x2x6xf32>
    %3 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_0 : tensor<f32>) outs(%2 : tensor<5x2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<5x2x6xf32>
    %cst_1 = arith.constant dense<0> : tensor<i32>
    %4:9 = scf.while (%arg3 = %arg0, %arg4 = %arg1, %arg5 = %arg2, %arg6 = %cst_1, %arg7 = %1, %arg8 = %1, %arg9 = %1, %arg10 = %1, %arg11 = %3) : (tensor<5x2x6xf32>, tensor<6x24xf32>, tensor<6x24xf32>, tensor<i32>, tensor<2x6xf32>, tensor<2x6xf32>, tensor<2x6xf32>, tensor<2x6xf32>, tensor<5x2x6xf32>) -> (tensor<5x2x6xf32>, tensor<6x24xf32>, tensor<6x24xf32>, tensor<i32>, tensor<2x6xf32>, tensor<2x6xf32>, tensor<2x6xf32>, tensor<2x6xf32>, tensor<5x2x6xf32>) {
      %cst_2 = arith.constant dense<5> : tensor<i32>
      %5 = tensor.empty() : tensor<i1>
      %c5_i32 = arith.constant 5 : i32
      %6 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = []} ins(%arg6 : tensor<i32>) outs(%5 : tensor<i1>) {
      ^bb0(%in: i32, %out: i1):
        %7 = arith.cmpi slt, %in, %c5_i32 : i32
        linalg.yield %7 : i1
      } -> tensor<i1>
      %extracted = tensor.extract %6[] : tensor<i1>
      scf.condition(%extracted) %arg3, %arg4, %arg5, %arg6, %arg7, %arg8, %arg9, %arg10, %arg11 : tensor<5x2x6xf32>, tensor<6x24xf32>, tensor<6x24xf32>, tensor<i32>, tensor<2x6xf32>, tensor<2x6xf32>, tensor<2x6xf32>, tensor<2x6xf32>, tensor<5x2x6xf32>
    } do {
    ^bb0(%arg3: tensor<5x2x6xf32>, %arg4: tensor<6x24xf32>, %arg5: tensor<6x24xf32>, %arg6: tensor<i32>, %arg7: tensor<2x6xf32>, %arg8: tensor<2x6xf32>, %arg9: tensor<2x6xf32>, %arg10: tensor<2x6xf32>, %arg11: tensor<5x2x6xf32>):
      %5 = func.call @dynamic_index_in_dim(%arg3, %arg6) : (tensor<5x2x6xf32>, tensor<i32>) -> tensor<2x6xf32>
      %6:5 = func.call @closed_call(%arg4, %arg5, %arg7, %arg8, %arg9, %arg10, %5) : (tensor<6x24xf32>, tensor<6x24xf32>, tensor<2x6xf32>, tensor<2x6xf32>, tensor<2x6xf32>, tensor<2x6xf32>, tensor<2x6xf32>) -> (tensor<2x6xf32>, tensor<2x6xf32>, tensor<2x6xf32>, tensor<2x6xf32>, tensor<2x6xf32>)
      %7 = func.call @dynamic_update_index_in_dim(%arg11, %6#4, %arg6) : (tensor<5x2x6xf32>, tensor<2x6xf32>, tensor<i32>) -> tensor<5x2x6xf32>
      %cst_2 = arith.constant dense<1> : tensor<i32>
      %8 = tensor.empty() : tensor<i32>
      %c1_i32 = arith.constant 1 : i32
      %9 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = []} ins(%arg6 : tensor<i32>) outs(%8 : tensor<i32>) {
      ^bb0(%in: i32, %out: i32):
        %10 = arith.addi %in, %c1_i32 : i32
        linalg.yield %10 : i32
      } -> tensor<i32>
      scf.yield %arg3, %arg4, %arg5, %9, %6#0, %6#1, %6#2, %6#3, %7 : tensor<5x2x6xf32>, tensor<6x24xf32>, tensor<6x24xf32>, tensor<i32>, tensor<2x6xf32>, tensor<2x6xf32>, tensor<2x6xf32>, tensor<2x6xf32>, tensor<5x2x6xf32>
    }
    return %4#8 : tensor<5x2x6xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<5x2x6xf32>, %arg1: tensor<i32>) -> tensor<2x6xf32> {
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
    %c2 = arith.constant 2 : index
    %c2_5 = arith.constant 2 : index
    %c0_6 = arith.constant 0 : index
    %4 = arith.maxsi %3, %c0_3 : index
    %5 = arith.minsi %4, %c0_6 : index
    %extracted_7 = tensor.extract %cst_0[] : tensor<i32>
    %6 = arith.index_cast %extracted_7 : i32 to index
    %c0_8 = arith.constant 0 : index
    %c2_9 = arith.constant 2 : index
    %c6 = arith.constant 6 : index
    %c6_10 = arith.constant 6 : index
    %c0_11 = arith.constant 0 : index
    %7 = arith.maxsi %6, %c0_8 : index
    %8 = arith.minsi %7, %c0_11 : index
    %extracted_slice = tensor.extract_slice %arg0[%2, %5, %8] [1, 2, 6] [1, 1, 1] : tensor<5x2x6xf32> to tensor<1x2x6xf32>
    %collapsed = tensor.collapse_shape %extracted_slice [[0, 1], [2]] : tensor<1x2x6xf32> into tensor<2x6xf32>
    return %collapsed : tensor<2x6xf32>
  }
  func.func private @closed_call(%arg0: tensor<6x24xf32>, %arg1: tensor<6x24xf32>, %arg2: tensor<2x6xf32>, %arg3: tensor<2x6xf32>, %arg4: tensor<2x6xf32>, %arg5: tensor<2x6xf32>, %arg6: tensor<2x6xf32>) -> (tensor<2x6xf32>, tensor<2x6xf32>, tensor<2x6xf32>, tensor<2x6xf32>, tensor<2x6xf32>) {
    %0 = tensor.empty() : tensor<2x24xf32>
    %cst = arith.constant 0.000000e+00 : f32
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<2x24xf32>) -> tensor<2x24xf32>
    %2 = linalg.matmul ins(%arg6, %arg0 : tensor<2x6xf32>, tensor<6x24xf32>) outs(%1 : tensor<2x24xf32>) -> tensor<2x24xf32>
    %3 = tensor.empty() : tensor<2x24xf32>
    %cst_0 = arith.constant 0.000000e+00 : f32
    %4 = linalg.fill ins(%cst_0 : f32) outs(%3 : tensor<2x24xf32>) -> tensor<2x24xf32>
    %5 = linalg.matmul ins(%arg2, %arg1 : tensor<2x6xf32>, tensor<6x24xf32>) outs(%4 : tensor<2x24xf32>) -> tensor<2x24xf32>
    %6 = tensor.empty() : tensor<2x24xf32>
    %7 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%2, %5 : tensor<2x24xf32>, tensor<2x24xf32>) outs(%6 : tensor<2x24xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %51 = arith.addf %in, %in_6 : f32
      linalg.yield %51 : f32
    } -> tensor<2x24xf32>
    %extracted_slice = tensor.extract_slice %7[0, 0] [2, 6] [1, 1] : tensor<2x24xf32> to tensor<2x6xf32>
    %extracted_slice_1 = tensor.extract_slice %7[0, 6] [2, 6] [1, 1] : tensor<2x24xf32> to tensor<2x6xf32>
    %extracted_slice_2 = tensor.extract_slice %7[0, 12] [2, 6] [1, 1] : tensor<2x24xf32> to tensor<2x6xf32>
    %extracted_slice_3 = tensor.extract_slice %7[0, 18] [2, 6] [1, 1] : tensor<2x24xf32> to tensor<2x6xf32>
    %8 = call @log_sigmoid(%extracted_slice_2) : (tensor<2x6xf32>) -> tensor<2x6xf32>
    %9 = tensor.empty() : tensor<2x6xf32>
    %10 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%8, %arg5 : tensor<2x6xf32>, tensor<2x6xf32>) outs(%9 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %51 = arith.addf %in, %in_6 : f32
      linalg.yield %51 : f32
    } -> tensor<2x6xf32>
    %11 = tensor.empty() : tensor<2x6xf32>
    %12 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%10, %extracted_slice_1 : tensor<2x6xf32>, tensor<2x6xf32>) outs(%11 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %51 = arith.maximumf %in, %in_6 : f32
      linalg.yield %51 : f32
    } -> tensor<2x6xf32>
    %13 = tensor.empty() : tensor<2x6xf32>
    %14 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice_1, %12 : tensor<2x6xf32>, tensor<2x6xf32>) outs(%13 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %51 = arith.subf %in, %in_6 : f32
      linalg.yield %51 : f32
    } -> tensor<2x6xf32>
    %15 = tensor.empty() : tensor<2x6xf32>
    %16 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%14 : tensor<2x6xf32>) outs(%15 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %51 = math.exp %in : f32
      linalg.yield %51 : f32
    } -> tensor<2x6xf32>
    %17 = tensor.empty() : tensor<2x6xf32>
    %18 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%8, %arg5 : tensor<2x6xf32>, tensor<2x6xf32>) outs(%17 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %51 = arith.addf %in, %in_6 : f32
      linalg.yield %51 : f32
    } -> tensor<2x6xf32>
    %19 = tensor.empty() : tensor<2x6xf32>
    %20 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%18, %12 : tensor<2x6xf32>, tensor<2x6xf32>) outs(%19 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %51 = arith.subf %in, %in_6 : f32
      linalg.yield %51 : f32
    } -> tensor<2x6xf32>
    %21 = tensor.empty() : tensor<2x6xf32>
    %22 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%20 : tensor<2x6xf32>) outs(%21 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %51 = math.exp %in : f32
      linalg.yield %51 : f32
    } -> tensor<2x6xf32>
    %23 = tensor.empty() : tensor<2x6xf32>
    %24 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%22, %arg3 : tensor<2x6xf32>, tensor<2x6xf32>) outs(%23 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %51 = arith.mulf %in, %in_6 : f32
      linalg.yield %51 : f32
    } -> tensor<2x6xf32>
    %25 = tensor.empty() : tensor<2x6xf32>
    %26 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice : tensor<2x6xf32>) outs(%25 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %51 = math.tanh %in : f32
      linalg.yield %51 : f32
    } -> tensor<2x6xf32>
    %27 = tensor.empty() : tensor<2x6xf32>
    %28 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%16, %26 : tensor<2x6xf32>, tensor<2x6xf32>) outs(%27 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %51 = arith.mulf %in, %in_6 : f32
      linalg.yield %51 : f32
    } -> tensor<2x6xf32>
    %29 = tensor.empty() : tensor<2x6xf32>
    %30 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%24, %28 : tensor<2x6xf32>, tensor<2x6xf32>) outs(%29 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %51 = arith.addf %in, %in_6 : f32
      linalg.yield %51 : f32
    } -> tensor<2x6xf32>
    %31 = tensor.empty() : tensor<2x6xf32>
    %32 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%22, %arg4 : tensor<2x6xf32>, tensor<2x6xf32>) outs(%31 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %51 = arith.mulf %in, %in_6 : f32
      linalg.yield %51 : f32
    } -> tensor<2x6xf32>
    %33 = tensor.empty() : tensor<2x6xf32>
    %34 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%32, %16 : tensor<2x6xf32>, tensor<2x6xf32>) outs(%33 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %51 = arith.addf %in, %in_6 : f32
      linalg.yield %51 : f32
    } -> tensor<2x6xf32>
    %35 = tensor.empty() : tensor<2x6xf32>
    %36 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice_3 : tensor<2x6xf32>) outs(%35 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %51 = arith.negf %in : f32
      linalg.yield %51 : f32
    } -> tensor<2x6xf32>
    %37 = tensor.empty() : tensor<2x6xf32>
    %38 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%36 : tensor<2x6xf32>) outs(%37 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %51 = math.exp %in : f32
      linalg.yield %51 : f32
    } -> tensor<2x6xf32>
    %cst_4 = arith.constant dense<1.000000e+00> : tensor<f32>
    %39 = tensor.empty() : tensor<2x6xf32>
    %40 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst_4 : tensor<f32>) outs(%39 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6xf32>
    %41 = tensor.empty() : tensor<2x6xf32>
    %42 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%40, %38 : tensor<2x6xf32>, tensor<2x6xf32>) outs(%41 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %51 = arith.addf %in, %in_6 : f32
      linalg.yield %51 : f32
    } -> tensor<2x6xf32>
    %cst_5 = arith.constant dense<1.000000e+00> : tensor<f32>
    %43 = tensor.empty() : tensor<2x6xf32>
    %44 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst_5 : tensor<f32>) outs(%43 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6xf32>
    %45 = tensor.empty() : tensor<2x6xf32>
    %46 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%44, %42 : tensor<2x6xf32>, tensor<2x6xf32>) outs(%45 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %51 = arith.divf %in, %in_6 : f32
      linalg.yield %51 : f32
    } -> tensor<2x6xf32>
    %47 = tensor.empty() : tensor<2x6xf32>
    %48 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%46, %30 : tensor<2x6xf32>, tensor<2x6xf32>) outs(%47 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %51 = arith.mulf %in, %in_6 : f32
      linalg.yield %51 : f32
    } -> tensor<2x6xf32>
    %49 = tensor.empty() : tensor<2x6xf32>
    %50 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%48, %34 : tensor<2x6xf32>, tensor<2x6xf32>) outs(%49 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %51 = arith.divf %in, %in_6 : f32
      linalg.yield %51 : f32
    } -> tensor<2x6xf32>
    return %50, %30, %34, %12, %50 : tensor<2x6xf32>, tensor<2x6xf32>, tensor<2x6xf32>, tensor<2x6xf32>, tensor<2x6xf32>
  }
  func.func private @log_sigmoid(%arg0: tensor<2x6xf32>) -> tensor<2x6xf32> {
    %0 = tensor.empty() : tensor<2x6xf32>
    %1 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<2x6xf32>) outs(%0 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %5 = arith.negf %in : f32
      linalg.yield %5 : f32
    } -> tensor<2x6xf32>
    %2 = call @softplus(%1) : (tensor<2x6xf32>) -> tensor<2x6xf32>
    %3 = tensor.empty() : tensor<2x6xf32>
    %4 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%2 : tensor<2x6xf32>) outs(%3 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %5 = arith.negf %in : f32
      linalg.yield %5 : f32
    } -> tensor<2x6xf32>
    return %4 : tensor<2x6xf32>
  }
  func.func private @softplus(%arg0: tensor<2x6xf32>) -> tensor<2x6xf32> {
    %cst = arith.constant dense<0.000000e+00> : tensor<f32>
    %0 = tensor.empty() : tensor<2x6xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst : tensor<f32>) outs(%0 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6xf32>
    %2 = tensor.empty() : tensor<2x6xf32>
    %3 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg0, %1 : tensor<2x6xf32>, tensor<2x6xf32>) outs(%2 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %26 = arith.maximumf %in, %in_0 : f32
      linalg.yield %26 : f32
    } -> tensor<2x6xf32>
    %4 = tensor.empty() : tensor<2x6xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst : tensor<f32>) outs(%4 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6xf32>
    %6 = tensor.empty() : tensor<2x6xf32>
    %7 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg0, %5 : tensor<2x6xf32>, tensor<2x6xf32>) outs(%6 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %26 = arith.subf %in, %in_0 : f32
      linalg.yield %26 : f32
    } -> tensor<2x6xf32>
    %8 = tensor.empty() : tensor<2x6xi1>
    %9 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%7, %7 : tensor<2x6xf32>, tensor<2x6xf32>) outs(%8 : tensor<2x6xi1>) {
    ^bb0(%in: f32, %in_0: f32, %out: i1):
      %26 = arith.cmpf une, %in, %in_0 : f32
      linalg.yield %26 : i1
    } -> tensor<2x6xi1>
    %10 = tensor.empty() : tensor<2x6xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst : tensor<f32>) outs(%10 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6xf32>
    %12 = tensor.empty() : tensor<2x6xf32>
    %13 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg0, %11 : tensor<2x6xf32>, tensor<2x6xf32>) outs(%12 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %26 = arith.addf %in, %in_0 : f32
      linalg.yield %26 : f32
    } -> tensor<2x6xf32>
    %14 = tensor.empty() : tensor<2x6xf32>
    %15 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%7 : tensor<2x6xf32>) outs(%14 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %26 = math.absf %in : f32
      linalg.yield %26 : f32
    } -> tensor<2x6xf32>
    %16 = tensor.empty() : tensor<2x6xf32>
    %17 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%15 : tensor<2x6xf32>) outs(%16 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %26 = arith.negf %in : f32
      linalg.yield %26 : f32
    } -> tensor<2x6xf32>
    %18 = tensor.empty() : tensor<2x6xf32>
    %19 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%17 : tensor<2x6xf32>) outs(%18 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %26 = math.exp %in : f32
      linalg.yield %26 : f32
    } -> tensor<2x6xf32>
    %20 = tensor.empty() : tensor<2x6xf32>
    %21 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%19 : tensor<2x6xf32>) outs(%20 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %26 = math.log1p %in : f32
      linalg.yield %26 : f32
    } -> tensor<2x6xf32>
    %22 = tensor.empty() : tensor<2x6xf32>
    %23 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%3, %21 : tensor<2x6xf32>, tensor<2x6xf32>) outs(%22 : tensor<2x6xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %26 = arith.addf %in, %in_0 : f32
      linalg.yield %26 : f32
    } -> tensor<2x6xf32>
    %24 = tensor.empty() : tensor<2x6xf32>
    %25 = linalg.generic {indexing_maps = [#map1, #map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%9, %13, %23 : tensor<2x6xi1>, tensor<2x6xf32>, tensor<2x6xf32>) outs(%24 : tensor<2x6xf32>) {
    ^bb0(%in: i1, %in_0: f32, %in_1: f32, %out: f32):
      %26 = arith.select %in, %in_0, %in_1 : f32
      linalg.yield %26 : f32
    } -> tensor<2x6xf32>
    return %25 : tensor<2x6xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<5x2x6xf32>, %arg1: tensor<2x6xf32>, %arg2: tensor<i32>) -> tensor<5x2x6xf32> {
    %0 = tensor.empty() : tensor<1x2x6xf32>
    %1 = linalg.generic {indexing_maps = [#map5, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg1 : tensor<2x6xf32>) outs(%0 : tensor<1x2x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x6xf32>
    %cst = arith.constant dense<0> : tensor<i32>
    %cst_0 = arith.constant dense<0> : tensor<i32>
    %c0 = arith.constant 0 : index
    %extracted = tensor.extract %arg2[] : tensor<i32>
    %2 = arith.index_cast %extracted : i32 to index
    %c4 = arith.constant 4 : index
    %3 = arith.maxsi %2, %c0 : index
    %4 = arith.minsi %3, %c4 : index
    %extracted_1 = tensor.extract %cst[] : tensor<i32>
    %5 = arith.index_cast %extracted_1 : i32 to index
    %c0_2 = arith.constant 0 : index
    %6 = arith.maxsi %5, %c0 : index
    %7 = arith.minsi %6, %c0_2 : index
    %extracted_3 = tensor.extract %cst_0[] : tensor<i32>
    %8 = arith.index_cast %extracted_3 : i32 to index
    %c0_4 = arith.constant 0 : index
    %9 = arith.maxsi %8, %c0 : index
    %10 = arith.minsi %9, %c0_4 : index
    %inserted_slice = tensor.insert_slice %1 into %arg0[%4, %7, %10] [1, 2, 6] [1, 1, 1] : tensor<1x2x6xf32> into tensor<5x2x6xf32>
    return %inserted_slice : tensor<5x2x6xf32>
  }
}
