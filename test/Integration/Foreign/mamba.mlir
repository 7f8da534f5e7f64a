#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map2 = affine_map<(d0, d1) -> (d0, d1)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map5 = affine_map<(d0, d1, d2, d3) -> (0, 0, d2, d3)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, d3)>
#map8 = affine_map<(d0, d1, d2) -> ()>
#map9 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map10 = affine_map<(d0, d1, d2, d3) -> (d1, d0, d2, d3)>
#map11 = affine_map<(d0, d1, d2) -> (d1, d0, d2)>
#map12 = affine_map<() -> ()>
#map13 = affine_map<(d0, d1, d2) -> (d2)>
#map14 = affine_map<(d0, d1, d2) -> (0, 0, d2)>
#map15 = affine_map<(d0, d1, d2) -> (d0, d2)>
#map16 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map17 = affine_map<(d0, d1, d2) -> (d1, d2)>
module @mamba {
  func.func public @main(%arg0: tensor<2x6x4xf32>, %arg1: tensor<4x3xf32>, %arg2: tensor<2x6x4xf32>, %arg3: tensor<2x6x3xf32>, %arg4: tensor<2x6x3xf32>, %arg5: tensor<4xf32>) -> (tensor<2x6x4xf32> {jax.result_info = "result"}) {
    %0 = call @softplus(%arg2) : (tensor<2x6x4xf32>) -> tensor<2x6x4xf32>
    %1 = tensor.empty() : tensor<2x6x4x1xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%0 : tensor<2x6x4xf32>) outs(%1 : tensor<2x6x4x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6x4x1xf32>
    %3 = tensor.empty() : tensor<4x3xf32>
    %4 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%arg1 : tensor<4x3xf32>) outs(%3 : tensor<4x3xf32>) {
    ^bb0(%in: f32, %out: f32):
      %54 = math.exp %in : f32
      linalg.yield %54 : f32
    } -> tensor<4x3xf32>
    %5 = tensor.empty() : tensor<4x3xf32>
    %6 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel"]} ins(%4 : tensor<4x3xf32>) outs(%5 : tensor<4x3xf32>) {
    ^bb0(%in: f32, %out: f32):
      %54 = arith.negf %in : f32
      linalg.yield %54 : f32
    } -> tensor<4x3xf32>
    %7 = tensor.empty() : tensor<1x1x4x3xf32>
    %8 = linalg.generic {indexing_maps = [#map3, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%6 : tensor<4x3xf32>) outs(%7 : tensor<1x1x4x3xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x4x3xf32>
    %9 = tensor.empty() : tensor<2x6x4x3xf32>
    %10 = linalg.generic {indexing_maps = [#map4, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%2 : tensor<2x6x4x1xf32>) outs(%9 : tensor<2x6x4x3xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6x4x3xf32>
    %11 = tensor.empty() : tensor<2x6x4x3xf32>
    %12 = linalg.generic {indexing_maps = [#map5, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%8 : tensor<1x1x4x3xf32>) outs(%11 : tensor<2x6x4x3xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6x4x3xf32>
    %13 = tensor.empty() : tensor<2x6x4x3xf32>
    %14 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%10, %12 : tensor<2x6x4x3xf32>, tensor<2x6x4x3xf32>) outs(%13 : tensor<2x6x4x3xf32>) {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %54 = arith.mulf %in, %in_2 : f32
      linalg.yield %54 : f32
    } -> tensor<2x6x4x3xf32>
    %15 = tensor.empty() : tensor<2x6x4x3xf32>
    %16 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%14 : tensor<2x6x4x3xf32>) outs(%15 : tensor<2x6x4x3xf32>) {
    ^bb0(%in: f32, %out: f32):
      %54 = math.exp %in : f32
      linalg.yield %54 : f32
    } -> tensor<2x6x4x3xf32>
    %17 = tensor.empty() : tensor<2x6x4x1xf32>
    %18 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%0 : tensor<2x6x4xf32>) outs(%17 : tensor<2x6x4x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6x4x1xf32>
    %19 = tensor.empty() : tensor<2x6x1x3xf32>
    %20 = linalg.generic {indexing_maps = [#map6, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg3 : tensor<2x6x3xf32>) outs(%19 : tensor<2x6x1x3xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6x1x3xf32>
    %21 = tensor.empty() : tensor<2x6x4x3xf32>
    %22 = linalg.generic {indexing_maps = [#map4, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%18 : tensor<2x6x4x1xf32>) outs(%21 : tensor<2x6x4x3xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6x4x3xf32>
    %23 = tensor.empty() : tensor<2x6x4x3xf32>
    %24 = linalg.generic {indexing_maps = [#map7, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%20 : tensor<2x6x1x3xf32>) outs(%23 : tensor<2x6x4x3xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6x4x3xf32>
    %25 = tensor.empty() : tensor<2x6x4x3xf32>
    %26 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%22, %24 : tensor<2x6x4x3xf32>, tensor<2x6x4x3xf32>) outs(%25 : tensor<2x6x4x3xf32>) {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %54 = arith.mulf %in, %in_2 : f32
      linalg.yield %54 : f32
    } -> tensor<2x6x4x3xf32>
    %27 = tensor.empty() : tensor<2x6x4x1xf32>
    %28 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0 : tensor<2x6x4xf32>) outs(%27 : tensor<2x6x4x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6x4x1xf32>
    %29 = tensor.empty() : tensor<2x6x4x3xf32>
    %30 = linalg.generic {indexing_maps = [#map4, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%28 : tensor<2x6x4x1xf32>) outs(%29 : tensor<2x6x4x3xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6x4x3xf32>
    %31 = tensor.empty() : tensor<2x6x4x3xf32>
    %32 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%26, %30 : tensor<2x6x4x3xf32>, tensor<2x6x4x3xf32>) outs(%31 : tensor<2x6x4x3xf32>) {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %54 = arith.mulf %in, %in_2 : f32
      linalg.yield %54 : f32
    } -> tensor<2x6x4x3xf32>
    %cst = arith.constant dense<0.000000e+00> : tensor<f32>
    %33 = tensor.empty() : tensor<2x4x3xf32>
    %34 = linalg.generic {indexing_maps = [#map8, #map9], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst : tensor<f32>) outs(%33 : tensor<2x4x3xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x4x3xf32>
    %35 = tensor.empty() : tensor<6x2x4x3xf32>
    %36 = linalg.generic {indexing_maps = [#map10, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%16 : tensor<2x6x4x3xf32>) outs(%35 : tensor<6x2x4x3xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<6x2x4x3xf32>
    %37 = tensor.empty() : tensor<6x2x4x3xf32>
    %38 = linalg.generic {indexing_maps = [#map10, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%32 : tensor<2x6x4x3xf32>) outs(%37 : tensor<6x2x4x3xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<6x2x4x3xf32>
    %39 = tensor.empty() : tensor<6x2x3xf32>
    %40 = linalg.generic {indexing_maps = [#map11, #map9], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg4 : tensor<2x6x3xf32>) outs(%39 : tensor<6x2x3xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<6x2x3xf32>
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<f32>
    %41 = tensor.empty() : tensor<6x2x4xf32>
    %42 = linalg.generic {indexing_maps = [#map8, #map9], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst_0 : tensor<f32>) outs(%41 : tensor<6x2x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<6x2x4xf32>
    %cst_1 = arith.constant dense<0> : tensor<i32>
    %43:6 = scf.while (%arg6 = %36, %arg7 = %38, %arg8 = %40, %arg9 = %cst_1, %arg10 = %34, %arg11 = %42) : (tensor<6x2x4x3xf32>, tensor<6x2x4x3xf32>, tensor<6x2x3xf32>, tensor<i32>, tensor<2x4x3xf32>, tensor<6x2x4xf32>) -> (tensor<6x2x4x3xf32>, tensor<6x2x4x3xf32>, tensor<6x2x3xf32>, tensor<i32>, tensor<2x4x3xf32>, tensor<6x2x4xf32>) {
      %cst_2 = arith.constant dense<6> : tensor<i32>
      %54 = tensor.empty() : tensor<i1>
      %c6_i32 = arith.constant 6 : i32
      %55 = linalg.generic {indexing_maps = [#map12, #map12], iterator_types = []} ins(%arg9 : tensor<i32>) outs(%54 : tensor<i1>) {
      ^bb0(%in: i32, %out: i1):
        %56 = arith.cmpi slt, %in, %c6_i32 : i32
        linalg.yield %56 : i1
      } -> tensor<i1>
      %extracted = tensor.extract %55[] : tensor<i1>
      scf.condition(%extracted) %arg6, %arg7, %arg8, %arg9, %arg10, %arg11 : tensor<6x2x4x3xf32>, tensor<6x2x4x3xf32>, tensor<6x2x3xf32>, tensor<i32>, tensor<2x4x3xf32>, tensor<6x2x4xf32>
    } do {
    ^bb0(%arg6: tensor<6x2x4x3xf32>, %arg7: tensor<6x2x4x3xf32>, %arg8: tensor<6x2x3xf32>, %arg9: tensor<i32>, %arg10: tensor<2x4x3xf32>, %arg11: tensor<6x2x4xf32>):
      %54 = func.call @dynamic_index_in_dim(%arg6, %arg9) : (tensor<6x2x4x3xf32>, tensor<i32>) -> tensor<2x4x3xf32>
      %55 = func.call @dynamic_index_in_dim(%arg7, %arg9) : (tensor<6x2x4x3xf32>, tensor<i32>) -> tensor<2x4x3xf32>
      %56 = func.call @dynamic_index_in_dim_0(%arg8, %arg9) : (tensor<6x2x3xf32>, tensor<i32>) -> tensor<2x3xf32>
      %57:2 = func.call @closed_call(%arg10, %54, %55, %56) : (tensor<2x4x3xf32>, tensor<2x4x3xf32>, tensor<2x4x3xf32>, tensor<2x3xf32>) -> (tensor<2x4x3xf32>, tensor<2x4xf32>)
      %58 = func.call @dynamic_update_index_in_dim(%arg11, %57#1, %arg9) : (tensor<6x2x4xf32>, tensor<2x4xf32>, tensor<i32>) -> tensor<6x2x4xf32>
      %cst_2 = arith.constant dense<1> : tensor<i32>
      %59 = tensor.empty() : tensor<i32>
      %c1_i32 = arith.constant 1 : i32
      %60 = linalg.generic {indexing_maps = [#map12, #map12], iterator_types = []} ins(%arg9 : tensor<i32>) outs(%59 : tensor<i32>) {
      ^bb0(%in: i32, %out: i32):
        %61 = arith.addi %in, %c1_i32 : i32
        linalg.yield %61 : i32
      } -> tensor<i32>
      scf.yield %arg6, %arg7, %arg8, %60, %57#0, %58 : tensor<6x2x4x3xf32>, tensor<6x2x4x3xf32>, tensor<6x2x3xf32>, tensor<i32>, tensor<2x4x3xf32>, tensor<6x2x4xf32>
    }
    %44 = tensor.empty() : tensor<2x6x4xf32>
    %45 = linalg.generic {indexing_maps = [#map11, #map9], iterator_types = ["parallel", "parallel", "parallel"]} ins(%43#5 : tensor<6x2x4xf32>) outs(%44 : tensor<2x6x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6x4xf32>
    %46 = tensor.empty() : tensor<1x1x4xf32>
    %47 = linalg.generic {indexing_maps = [#map13, #map9], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg5 : tensor<4xf32>) outs(%46 : tensor<1x1x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x4xf32>
    %48 = tensor.empty() : tensor<2x6x4xf32>
    %49 = linalg.generic {indexing_maps = [#map14, #map9], iterator_types = ["parallel", "parallel", "parallel"]} ins(%47 : tensor<1x1x4xf32>) outs(%48 : tensor<2x6x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6x4xf32>
    %50 = tensor.empty() : tensor<2x6x4xf32>
    %51 = linalg.generic {indexing_maps = [#map9, #map9, #map9], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %49 : tensor<2x6x4xf32>, tensor<2x6x4xf32>) outs(%50 : tensor<2x6x4xf32>) {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %54 = arith.mulf %in, %in_2 : f32
      linalg.yield %54 : f32
    } -> tensor<2x6x4xf32>
    %52 = tensor.empty() : tensor<2x6x4xf32>
    %53 = linalg.generic {indexing_maps = [#map9, #map9, #map9], iterator_types = ["parallel", "parallel", "parallel"]} ins(%45, %51 : tensor<2x6x4xf32>, tensor<2x6x4xf32>) outs(%52 : tensor<2x6x4xf32>) {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %54 = arith.addf %in, %in_2 : f32
      linalg.yield %54 : f32
    } -> tensor<2x6x4xf32>
    return %53 : tensor<2x6x4xf32>
  }
  func.func private @softplus(%arg0: tensor<2x6x4xf32>) -> tensor<2x6x4xf32> {
    %cst = arith.constant dense<0.000000e+00> : tensor<f32>
    %0 = tensor.empty() : tensor<2x6x4xf32>
    %1 = linalg.generic {indexing_maps = [#map8, #map9], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst : tensor<f32>) outs(%0 : tensor<2x6x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6x4xf32>
    %2 = tensor.empty() : tensor<2x6x4xf32>
    %3 = linalg.generic {indexing_maps = [#map9, #map9, #map9], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %1 : tensor<2x6x4xf32>, tensor<2x6x4xf32>) outs(%2 : tensor<2x6x4xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %26 = arith.maximumf %in, %in_0 : f32
      linalg.yield %26 : f32
    } -> tensor<2x6x4xf32>
    %4 = tensor.empty() : tensor<2x6x4xf32>
    %5 = linalg.generic {indexing_maps = [#map8, #map9], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst : tensor<f32>) outs(%4 : tensor<2x6x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6x4xf32>
    %6 = tensor.empty() : tensor<2x6x4xf32>
    %7 = linalg.generic {indexing_maps = [#map9, #map9, #map9], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %5 : tensor<2x6x4xf32>, tensor<2x6x4xf32>) outs(%6 : tensor<2x6x4xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %26 = arith.subf %in, %in_0 : f32
      linalg.yield %26 : f32
    } -> tensor<2x6x4xf32>
    %8 = tensor.empty() : tensor<2x6x4xi1>
    %9 = linalg.generic {indexing_maps = [#map9, #map9, #map9], iterator_types = ["parallel", "parallel", "parallel"]} ins(%7, %7 : tensor<2x6x4xf32>, tensor<2x6x4xf32>) outs(%8 : tensor<2x6x4xi1>) {
    ^bb0(%in: f32, %in_0: f32, %out: i1):
      %26 = arith.cmpf une, %in, %in_0 : f32
      linalg.yield %26 : i1
    } -> tensor<2x6x4xi1>
    %10 = tensor.empty() : tensor<2x6x4xf32>
    %11 = linalg.generic {indexing_maps = [#map8, #map9], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst : tensor<f32>) outs(%10 : tensor<2x6x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x6x4xf32>
    %12 = tensor.empty() : tensor<2x6x4xf32>
    %13 = linalg.generic {indexing_maps = [#map9, #map9, #map9], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %11 : tensor<2x6x4xf32>, tensor<2x6x4xf32>) outs(%12 : tensor<2x6x4xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %26 = arith.addf %in, %in_0 : f32
      linalg.yield %26 : f32
    } -> tensor<2x6x4xf32>
    %14 = tensor.empty() : tensor<2x6x4xf32>
    %15 = linalg.generic {indexing_maps = [#map9, #map9], iterator_types = ["parallel", "parallel", "parallel"]} ins(%7 : tensor<2x6x4xf32>) outs(%14 : tensor<2x6x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %26 = math.absf %in : f32
      linalg.yield %26 : f32
    } -> tensor<2x6x4xf32>
    %16 = tensor.empty() : tensor<2x6x4xf32>
    %17 = linalg.generic {indexing_maps = [#map9, #map9], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15 : tensor<2x6x4xf32>) outs(%16 : tensor<2x6x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %26 = arith.negf %in : f32
      linalg.yield %26 : f32
    } -> tensor<2x6x4xf32>
    %18 = tensor.empty() : tensor<2x6x4xf32>
    %19 = linalg.generic {indexing_maps = [#map9, #map9], iterator_types = ["parallel", "parallel", "parallel"]} ins(%17 : tensor<2x6x4xf32>) outs(%18 : tensor<2x6x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %26 = math.exp %in : f32
      linalg.yield %26 : f32
    } -> tensor<2x6x4xf32>
    %20 = tensor.empty() : tensor<2x6x4xf32>
    %21 = linalg.generic {indexing_maps = [#map9, #map9], iterator_types = ["parallel", "parallel", "parallel"]} ins(%19 : tensor<2x6x4xf32>) outs(%20 : tensor<2x6x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %26 = math.log1p %in : f32
      linalg.yield %26 : f32
    } -> tensor<2x6x4xf32>
    %22 = tensor.empty() : tensor<2x6x4xf32>
    %23 = linalg.generic {indexing_maps = [#map9, #map9, #map9], iterator_types = ["parallel", "parallel", "parallel"]} ins(%3, %21 : tensor<2x6x4xf32>, tensor<2x6x4xf32>) outs(%22 : tensor<2x6x4xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %26 = arith.addf %in, %in_0 : f32
      linalg.yield %26 : f32
    } -> tensor<2x6x4xf32>
    %24 = tensor.empty() : tensor<2x6x4xf32>
    %25 = linalg.generic {indexing_maps = [#map9, #map9, #map9, #map9], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9, %13, %23 : tensor<2x6x4xi1>, tensor<2x6x4xf32>, tensor<2x6x4xf32>) outs(%24 : tensor<2x6x4xf32>) {
    ^bb0(%in: i1, %in_0: f32, %in_1: f32, %out: f32):
      %26 = arith.select %in, %in_0, %in_1 : f32
      linalg.yield %26 : f32
    } -> tensor<2x6x4xf32>
    return %25 : tensor<2x6x4xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<6x2x4x3xf32>, %arg1: tensor<i32>) -> tensor<2x4x3xf32> {
    %cst = arith.constant dense<0> : tensor<i32>
    %cst_0 = arith.constant dense<0> : tensor<i32>
    %cst_1 = arith.constant dense<0> : tensor<i32>
    %extracted = tensor.extract %arg1[] : tensor<i32>
    %0 = arith.index_cast %extracted : i32 to index
    %c0 = arith.constant 0 : index
    %c0_2 = arith.constant 0 : index
    %c6 = arith.constant 6 : index
    %c1 = arith.constant 1 : index
    %c5 = arith.constant 5 : index
    %1 = arith.maxsi %0, %c0 : index
    %2 = arith.minsi %1, %c5 : index
    %extracted_3 = tensor.extract %cst[] : tensor<i32>
    %3 = arith.index_cast %extracted_3 : i32 to index
    %c0_4 = arith.constant 0 : index
    %c1_5 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c2_6 = arith.constant 2 : index
    %c0_7 = arith.constant 0 : index
    %4 = arith.maxsi %3, %c0_4 : index
    %5 = arith.minsi %4, %c0_7 : index
    %extracted_8 = tensor.extract %cst_0[] : tensor<i32>
    %6 = arith.index_cast %extracted_8 : i32 to index
    %c0_9 = arith.constant 0 : index
    %c2_10 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %c4_11 = arith.constant 4 : index
    %c0_12 = arith.constant 0 : index
    %7 = arith.maxsi %6, %c0_9 : index
    %8 = arith.minsi %7, %c0_12 : index
    %extracted_13 = tensor.extract %cst_1[] : tensor<i32>
    %9 = arith.index_cast %extracted_13 : i32 to index
    %c0_14 = arith.constant 0 : index
    %c3 = arith.constant 3 : index
    %c3_15 = arith.constant 3 : index
    %c3_16 = arith.constant 3 : index
    %c0_17 = arith.constant 0 : index
    %10 = arith.maxsi %9, %c0_14 : index
    %11 = arith.minsi %10, %c0_17 : index
    %extracted_slice = tensor.extract_slice %arg0[%2, %5, %8, %11] [1, 2, 4, 3] [1, 1, 1, 1] : tensor<6x2x4x3xf32> to tensor<1x2x4x3xf32>
    %collapsed = tensor.collapse_shape %extracted_slice [[0, 1], [2], [3]] : tensor<1x2x4x3xf32> into tensor<2x4x3xf32>
    return %collapsed : tensor<2x4x3xf32>
  }
  func.func private @dynamic_index_in_dim_0(%arg0: tensor<6x2x3xf32>, %arg1: tensor<i32>) -> tensor<2x3xf32> {
    %cst = arith.constant dense<0> : tensor<i32>
    %cst_0 = arith.constant dense<0> : tensor<i32>
    %extracted = tensor.extract %arg1[] : tensor<i32>
    %0 = arith.index_cast %extracted : i32 to index
    %c0 = arith.constant 0 : index
    %c0_1 = arith.constant 0 : index
    %c6 = arith.constant 6 : index
    %c1 = arith.constant 1 : index
    %c5 = arith.constant 5 : index
    %1 = arith.maxsi %0, %c0 : index
    %2 = arith.minsi %1, %c5 : index
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
    %c3 = arith.constant 3 : index
    %c3_10 = arith.constant 3 : index
    %c0_11 = arith.constant 0 : index
    %7 = arith.maxsi %6, %c0_8 : index
    %8 = arith.minsi %7, %c0_11 : index
    %extracted_slice = tensor.extract_slice %arg0[%2, %5, %8] [1, 2, 3] [1, 1, 1] : tensor<6x2x3xf32> to tensor<1x2x3xf32>
    %collapsed = tensor.collapse_shape %extracted_slice [[0, 1], [2]] : tensor<1x2x3xf32> into tensor<2x3xf32>
    return %collapsed : tensor<2x3xf32>
  }
  func.func private @closed_call(%arg0: tensor<2x4x3xf32>, %arg1: tensor<2x4x3xf32>, %arg2: tensor<2x4x3xf32>, %arg3: tensor<2x3xf32>) -> (tensor<2x4x3xf32>, tensor<2x4xf32>) {
    %0 = tensor.empty() : tensor<2x4x3xf32>
    %1 = linalg.generic {indexing_maps = [#map9, #map9, #map9], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg1, %arg0 : tensor<2x4x3xf32>, tensor<2x4x3xf32>) outs(%0 : tensor<2x4x3xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %7 = arith.mulf %in, %in_0 : f32
      linalg.yield %7 : f32
    } -> tensor<2x4x3xf32>
    %2 = tensor.empty() : tensor<2x4x3xf32>
    %3 = linalg.generic {indexing_maps = [#map9, #map9, #map9], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %arg2 : tensor<2x4x3xf32>, tensor<2x4x3xf32>) outs(%2 : tensor<2x4x3xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %7 = arith.addf %in, %in_0 : f32
      linalg.yield %7 : f32
    } -> tensor<2x4x3xf32>
    %4 = tensor.empty() : tensor<2x4xf32>
    %cst = arith.constant 0.000000e+00 : f32
    %5 = linalg.fill ins(%cst : f32) outs(%4 : tensor<2x4xf32>) -> tensor<2x4xf32>
    %6 = linalg.generic {indexing_maps = [#map9, #map15, #map16], iterator_types = ["parallel", "parallel", "reduction"]} ins(%3, %arg3 : tensor<2x4x3xf32>, tensor<2x3xf32>) outs(%5 : tensor<2x4xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %7 = arith.mulf %in, %in_0 : f32
      %8 = arith.addf %out, %7 : f32
      linalg.yield %8 : f32
    } -> tensor<2x4xf32>
    return %3, %6 : tensor<2x4x3xf32>, tensor<2x4xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<6x2x4xf32>, %arg1: tensor<2x4xf32>, %arg2: tensor<i32>) -> tensor<6x2x4xf32> {
    %0 = tensor.empty() : tensor<1x2x4xf32>
    %1 = linalg.generic {indexing_maps = [#map17, #map9], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg1 : tensor<2x4xf32>) outs(%0 : tensor<1x2x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x4xf32>
    %cst = arith.constant dense<0> : tensor<i32>
    %cst_0 = arith.constant dense<0> : tensor<i32>
    %c0 = arith.constant 0 : index
    %extracted = tensor.extract %arg2[] : tensor<i32>
    %2 = arith.index_cast %extracted : i32 to index
    %c5 = arith.constant 5 : index
    %3 = arith.maxsi %2, %c0 : index
    %4 = arith.minsi %3, %c5 : index
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
    %inserted_slice = tensor.insert_slice %1 into %arg0[%4, %7, %10] [1, 2, 4] [1, 1, 1] : tensor<1x2x4xf32> into tensor<6x2x4xf32>
    return %inserted_slice : tensor<6x2x4xf32>
  }
}
