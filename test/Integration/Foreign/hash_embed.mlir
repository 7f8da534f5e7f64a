#map = affine_map<(d0, d1) -> ()>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map4 = affine_map<() -> ()>
module @hash_embed {
  func.func public @main(%arg0: tensor<3x5xi32>, %arg1: tensor<8x4xf32>, %arg2: tensor<8x4xf32>) -> (tensor<3x5x4xf32> {jax.result_info = "result"}) {
    %cst = arith.constant dense<31> : tensor<i32>
    %0 = tensor.empty() : tensor<3x5xi32>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst : tensor<i32>) outs(%0 : tensor<3x5xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<3x5xi32>
    %2 = tensor.empty() : tensor<3x5xi32>
    %3 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg0, %1 : tensor<3x5xi32>, tensor<3x5xi32>) outs(%2 : tensor<3x5xi32>) {
    ^bb0(%in: i32, %in_11: i32, %out: i32):
      %46 = arith.muli %in, %in_11 : i32
      linalg.yield %46 : i32
    } -> tensor<3x5xi32>
    %cst_0 = arith.constant dense<8> : tensor<i32>
    %4 = call @remainder(%3, %cst_0) : (tensor<3x5xi32>, tensor<i32>) -> tensor<3x5xi32>
    %cst_1 = arith.constant dense<0> : tensor<i32>
    %5 = tensor.empty() : tensor<3x5xi32>
    %6 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst_1 : tensor<i32>) outs(%5 : tensor<3x5xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<3x5xi32>
    %7 = tensor.empty() : tensor<3x5xi1>
    %8 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%4, %6 : tensor<3x5xi32>, tensor<3x5xi32>) outs(%7 : tensor<3x5xi1>) {
    ^bb0(%in: i32, %in_11: i32, %out: i1):
      %46 = arith.cmpi slt, %in, %in_11 : i32
      linalg.yield %46 : i1
    } -> tensor<3x5xi1>
    %cst_2 = arith.constant dense<8> : tensor<i32>
    %9 = tensor.empty() : tensor<3x5xi32>
    %10 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst_2 : tensor<i32>) outs(%9 : tensor<3x5xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<3x5xi32>
    %11 = tensor.empty() : tensor<3x5xi32>
    %12 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%4, %10 : tensor<3x5xi32>, tensor<3x5xi32>) outs(%11 : tensor<3x5xi32>) {
    ^bb0(%in: i32, %in_11: i32, %out: i32):
      %46 = arith.addi %in, %in_11 : i32
      linalg.yield %46 : i32
    } -> tensor<3x5xi32>
    %13 = tensor.empty() : tensor<3x5xi32>
    %14 = linalg.generic {indexing_maps = [#map1, #map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%8, %12, %4 : tensor<3x5xi1>, tensor<3x5xi32>, tensor<3x5xi32>) outs(%13 : tensor<3x5xi32>) {
    ^bb0(%in: i1, %in_11: i32, %in_12: i32, %out: i32):
      %46 = arith.select %in, %in_11, %in_12 : i32
      linalg.yield %46 : i32
    } -> tensor<3x5xi32>
    %15 = tensor.empty() : tensor<3x5x1xi32>
    %16 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%14 : tensor<3x5xi32>) outs(%15 : tensor<3x5x1xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<3x5x1xi32>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %17 = tensor.empty() : tensor<3x5x4xf32>
    %18 = linalg.generic {indexing_maps = [#map3], iterator_types = ["parallel", "parallel", "parallel"]} outs(%17 : tensor<3x5x4xf32>) {
    ^bb0(%out: f32):
      %46 = linalg.index 0 : index
      %47 = linalg.index 1 : index
      %48 = linalg.index 2 : index
      %extracted = tensor.extract %16[%46, %47, %c0] : tensor<3x5x1xi32>
      %49 = arith.index_cast %extracted : i32 to index
      %c0_11 = arith.constant 0 : index
      %c8 = arith.constant 8 : index
      %c7 = arith.constant 7 : index
      %50 = arith.maxsi %c0, %49 : index
      %51 = arith.minsi %50, %c7 : index
      %c2_12 = arith.constant 2 : index
      %c4 = arith.constant 4 : index
      %extracted_13 = tensor.extract %arg1[%51, %48] : tensor<8x4xf32>
      linalg.yield %extracted_13 : f32
    } -> tensor<3x5x4xf32>
    %cst_3 = arith.constant dense<17> : tensor<i32>
    %19 = tensor.empty() : tensor<3x5xi32>
    %20 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst_3 : tensor<i32>) outs(%19 : tensor<3x5xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<3x5xi32>
    %21 = tensor.empty() : tensor<3x5xi32>
    %22 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg0, %20 : tensor<3x5xi32>, tensor<3x5xi32>) outs(%21 : tensor<3x5xi32>) {
    ^bb0(%in: i32, %in_11: i32, %out: i32):
      %46 = arith.muli %in, %in_11 : i32
      linalg.yield %46 : i32
    } -> tensor<3x5xi32>
    %cst_4 = arith.constant dense<3> : tensor<i32>
    %23 = tensor.empty() : tensor<3x5xi32>
    %24 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst_4 : tensor<i32>) outs(%23 : tensor<3x5xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<3x5xi32>
    %25 = tensor.empty() : tensor<3x5xi32>
    %26 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg0, %24 : tensor<3x5xi32>, tensor<3x5xi32>) outs(%25 : tensor<3x5xi32>) {
    ^bb0(%in: i32, %in_11: i32, %out: i32):
      %c31_i32 = arith.constant 31 : i32
      %46 = arith.shrsi %in, %c31_i32 : i32
      %47 = arith.shrsi %in, %in_11 : i32
      %c32_i32 = arith.constant 32 : i32
      %48 = arith.cmpi ugt, %c32_i32, %in_11 : i32
      %49 = arith.select %48, %47, %46 : i32
      linalg.yield %49 : i32
    } -> tensor<3x5xi32>
    %27 = tensor.empty() : tensor<3x5xi32>
    %28 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%22, %26 : tensor<3x5xi32>, tensor<3x5xi32>) outs(%27 : tensor<3x5xi32>) {
    ^bb0(%in: i32, %in_11: i32, %out: i32):
      %46 = arith.xori %in, %in_11 : i32
      linalg.yield %46 : i32
    } -> tensor<3x5xi32>
    %cst_5 = arith.constant dense<8> : tensor<i32>
    %29 = call @remainder(%28, %cst_5) : (tensor<3x5xi32>, tensor<i32>) -> tensor<3x5xi32>
    %cst_6 = arith.constant dense<0> : tensor<i32>
    %30 = tensor.empty() : tensor<3x5xi32>
    %31 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst_6 : tensor<i32>) outs(%30 : tensor<3x5xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<3x5xi32>
    %32 = tensor.empty() : tensor<3x5xi1>
    %33 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%29, %31 : tensor<3x5xi32>, tensor<3x5xi32>) outs(%32 : tensor<3x5xi1>) {
    ^bb0(%in: i32, %in_11: i32, %out: i1):
      %46 = arith.cmpi slt, %in, %in_11 : i32
      linalg.yield %46 : i1
    } -> tensor<3x5xi1>
    %cst_7 = arith.constant dense<8> : tensor<i32>
    %34 = tensor.empty() : tensor<3x5xi32>
    %35 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst_7 : tensor<i32>) outs(%34 : tensor<3x5xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<3x5xi32>
    %36 = tensor.empty() : tensor<3x5xi32>
    %37 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%29, %35 : tensor<3x5xi32>, tensor<3x5xi32>) outs(%36 : tensor<3x5xi32>) {
    ^bb0(%in: i32, %in_11: i32, %out: i32):
      %46 = arith.addi %in, %in_11 : i32
      linalg.yield %46 : i32
    } -> tensor<3x5xi32>
    %38 = tensor.empty() : tensor<3x5xi32>
    %39 = linalg.generic {indexing_maps = [#map1, #map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%33, %37, %29 : tensor<3x5xi1>, tensor<3x5xi32>, tensor<3x5xi32>) outs(%38 : tensor<3x5xi32>) {
    ^bb0(%in: i1, %in_11: i32, %in_12: i32, %out: i32):
      %46 = arith.select %in, %in_11, %in_12 : i32
      linalg.yield %46 : i32
    } -> tensor<3x5xi32>
    %40 = tensor.empty() : tensor<3x5x1xi32>
    %41 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%39 : tensor<3x5xi32>) outs(%40 : tensor<3x5x1xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<3x5x1xi32>
    %c0_8 = arith.constant 0 : index
    %c1_9 = arith.constant 1 : index
    %c2_10 = arith.constant 2 : index
    %42 = tensor.empty() : tensor<3x5x4xf32>
    %43 = linalg.generic {indexing_maps = [#map3], iterator_types = ["parallel", "parallel", "parallel"]} outs(%42 : tensor<3x5x4xf32>) {
    ^bb0(%out: f32):
      %46 = linalg.index 0 : index
      %47 = linalg.index 1 : index
      %48 = linalg.index 2 : index
      %extracted = tensor.extract %41[%46, %47, %c0_8] : tensor<3x5x1xi32>
      %49 = arith.index_cast %extracted : i32 to index
      %c0_11 = arith.constant 0 : index
      %c8 = arith.constant 8 : index
      %c7 = arith.constant 7 : index
      %50 = arith.maxsi %c0_8, %49 : index
      %51 = arith.minsi %50, %c7 : index
      %c2_12 = arith.constant 2 : index
      %c4 = arith.constant 4 : index
      %extracted_13 = tensor.extract %arg2[%51, %48] : tensor<8x4xf32>
      linalg.yield %extracted_13 : f32
    } -> tensor<3x5x4xf32>
    %44 = tensor.empty() : tensor<3x5x4xf32>
    %45 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%18, %43 : tensor<3x5x4xf32>, tensor<3x5x4xf32>) outs(%44 : tensor<3x5x4xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %46 = arith.addf %in, %in_11 : f32
      linalg.yield %46 : f32
    } -> tensor<3x5x4xf32>
    return %45 : tensor<3x5x4xf32>
  }
  func.func private @remainder(%arg0: tensor<3x5xi32>, %arg1: tensor<i32>) -> tensor<3x5xi32> {
    %0 = tensor.empty() : tensor<i32>
    %1 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = []} ins(%arg1 : tensor<i32>) outs(%0 : tensor<i32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<i32>
    %cst = arith.constant dense<0> : tensor<i32>
    %2 = tensor.empty() : tensor<i1>
    %c0_i32 = arith.constant 0 : i32
    %3 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = []} ins(%1 : tensor<i32>) outs(%2 : tensor<i1>) {
    ^bb0(%in: i32, %out: i1):
      %31 = arith.cmpi eq, %in, %c0_i32 : i32
      linalg.yield %31 : i1
    } -> tensor<i1>
    %cst_0 = arith.constant dense<1> : tensor<i32>
    %4 = call @_where(%3, %cst_0, %1) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %5 = tensor.empty() : tensor<3x5xi32>
    %6 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%4 : tensor<i32>) outs(%5 : tensor<3x5xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<3x5xi32>
    %7 = tensor.empty() : tensor<3x5xi32>
    %8 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg0, %6 : tensor<3x5xi32>, tensor<3x5xi32>) outs(%7 : tensor<3x5xi32>) {
    ^bb0(%in: i32, %in_5: i32, %out: i32):
      %c0_i32_6 = arith.constant 0 : i32
      %c0_i32_7 = arith.constant 0 : i32
      %c1_i32 = arith.constant 1 : i32
      %31 = arith.cmpi eq, %in_5, %c0_i32_7 : i32
      %c-2147483648_i32 = arith.constant -2147483648 : i32
      %32 = arith.cmpi eq, %in, %c-2147483648_i32 : i32
      %c-1_i32 = arith.constant -1 : i32
      %33 = arith.cmpi eq, %in_5, %c-1_i32 : i32
      %34 = arith.andi %32, %33 : i1
      %35 = arith.ori %31, %34 : i1
      %36 = arith.select %35, %c1_i32, %in_5 : i32
      %37 = arith.remsi %in, %36 : i32
      %38 = arith.select %34, %c0_i32_6, %37 : i32
      %39 = arith.select %31, %in, %38 : i32
      linalg.yield %39 : i32
    } -> tensor<3x5xi32>
    %cst_1 = arith.constant dense<0> : tensor<i32>
    %9 = tensor.empty() : tensor<3x5xi32>
    %10 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst_1 : tensor<i32>) outs(%9 : tensor<3x5xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<3x5xi32>
    %11 = tensor.empty() : tensor<3x5xi1>
    %12 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%8, %10 : tensor<3x5xi32>, tensor<3x5xi32>) outs(%11 : tensor<3x5xi1>) {
    ^bb0(%in: i32, %in_5: i32, %out: i1):
      %31 = arith.cmpi ne, %in, %in_5 : i32
      linalg.yield %31 : i1
    } -> tensor<3x5xi1>
    %cst_2 = arith.constant dense<0> : tensor<i32>
    %13 = tensor.empty() : tensor<3x5xi32>
    %14 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst_2 : tensor<i32>) outs(%13 : tensor<3x5xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<3x5xi32>
    %15 = tensor.empty() : tensor<3x5xi1>
    %16 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%8, %14 : tensor<3x5xi32>, tensor<3x5xi32>) outs(%15 : tensor<3x5xi1>) {
    ^bb0(%in: i32, %in_5: i32, %out: i1):
      %31 = arith.cmpi slt, %in, %in_5 : i32
      linalg.yield %31 : i1
    } -> tensor<3x5xi1>
    %cst_3 = arith.constant dense<0> : tensor<i32>
    %17 = tensor.empty() : tensor<i1>
    %c0_i32_4 = arith.constant 0 : i32
    %18 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = []} ins(%4 : tensor<i32>) outs(%17 : tensor<i1>) {
    ^bb0(%in: i32, %out: i1):
      %31 = arith.cmpi slt, %in, %c0_i32_4 : i32
      linalg.yield %31 : i1
    } -> tensor<i1>
    %19 = tensor.empty() : tensor<3x5xi1>
    %20 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%18 : tensor<i1>) outs(%19 : tensor<3x5xi1>) {
    ^bb0(%in: i1, %out: i1):
      linalg.yield %in : i1
    } -> tensor<3x5xi1>
    %21 = tensor.empty() : tensor<3x5xi1>
    %22 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%16, %20 : tensor<3x5xi1>, tensor<3x5xi1>) outs(%21 : tensor<3x5xi1>) {
    ^bb0(%in: i1, %in_5: i1, %out: i1):
      %31 = arith.cmpi ne, %in, %in_5 : i1
      linalg.yield %31 : i1
    } -> tensor<3x5xi1>
    %23 = tensor.empty() : tensor<3x5xi1>
    %24 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%22, %12 : tensor<3x5xi1>, tensor<3x5xi1>) outs(%23 : tensor<3x5xi1>) {
    ^bb0(%in: i1, %in_5: i1, %out: i1):
      %31 = arith.andi %in, %in_5 : i1
      linalg.yield %31 : i1
    } -> tensor<3x5xi1>
    %25 = tensor.empty() : tensor<3x5xi32>
    %26 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%4 : tensor<i32>) outs(%25 : tensor<3x5xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<3x5xi32>
    %27 = tensor.empty() : tensor<3x5xi32>
    %28 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%8, %26 : tensor<3x5xi32>, tensor<3x5xi32>) outs(%27 : tensor<3x5xi32>) {
    ^bb0(%in: i32, %in_5: i32, %out: i32):
      %31 = arith.addi %in, %in_5 : i32
      linalg.yield %31 : i32
    } -> tensor<3x5xi32>
    %29 = tensor.empty() : tensor<3x5xi32>
    %30 = linalg.generic {indexing_maps = [#map1, #map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%24, %28, %8 : tensor<3x5xi1>, tensor<3x5xi32>, tensor<3x5xi32>) outs(%29 : tensor<3x5xi32>) {
    ^bb0(%in: i1, %in_5: i32, %in_6: i32, %out: i32):
      %31 = arith.select %in, %in_5, %in_6 : i32
      linalg.yield %31 : i32
    } -> tensor<3x5xi32>
    return %30 : tensor<3x5xi32>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<i32> {
    %0 = tensor.empty() : tensor<i32>
    %1 = linalg.generic {indexing_maps = [#map4, #map4, #map4, #map4], iterator_types = []} ins(%arg0, %arg1, %arg2 : tensor<i1>, tensor<i32>, tensor<i32>) outs(%0 : tensor<i32>) {
    ^bb0(%in: i1, %in_0: i32, %in_1: i32, %out: i32):
      %2 = arith.select %in, %in_0, %in_1 : i32
      linalg.yield %2 : i32
    } -> tensor<i32>
    return %1 : tensor<i32>
  }
}
