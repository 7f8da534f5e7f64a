#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> ()>
#map2 = affine_map<() -> ()>
module @jit_dropout {
  func.func public @main(%arg0: tensor<8x8xf32>) -> (tensor<8x8xf32> {jax.result_info = "result"}) {
    %0 = tensor.empty() : tensor<8x8xi32>
    %1 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel"]} outs(%0 : tensor<8x8xi32>) {
    ^bb0(%out: i32):
      %38 = linalg.index 0 : index
      %39 = arith.index_cast %38 : index to i32
      linalg.yield %39 : i32
    } -> tensor<8x8xi32>
    %cst = arith.constant dense<8> : tensor<i32>
    %2 = tensor.empty() : tensor<8x8xi32>
    %3 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%cst : tensor<i32>) outs(%2 : tensor<8x8xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<8x8xi32>
    %4 = tensor.empty() : tensor<8x8xi32>
    %5 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%1, %3 : tensor<8x8xi32>, tensor<8x8xi32>) outs(%4 : tensor<8x8xi32>) {
    ^bb0(%in: i32, %in_7: i32, %out: i32):
      %38 = arith.muli %in, %in_7 : i32
      linalg.yield %38 : i32
    } -> tensor<8x8xi32>
    %6 = tensor.empty() : tensor<8x8xi32>
    %7 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel"]} outs(%6 : tensor<8x8xi32>) {
    ^bb0(%out: i32):
      %38 = linalg.index 1 : index
      %39 = arith.index_cast %38 : index to i32
      linalg.yield %39 : i32
    } -> tensor<8x8xi32>
    %8 = tensor.empty() : tensor<8x8xi32>
    %9 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%5, %7 : tensor<8x8xi32>, tensor<8x8xi32>) outs(%8 : tensor<8x8xi32>) {
    ^bb0(%in: i32, %in_7: i32, %out: i32):
      %38 = arith.addi %in, %in_7 : i32
      linalg.yield %38 : i32
    } -> tensor<8x8xi32>
    %cst_0 = arith.constant dense<3> : tensor<i32>
    %10 = tensor.empty() : tensor<8x8xi32>
    %11 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_0 : tensor<i32>) outs(%10 : tensor<8x8xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<8x8xi32>
    %12 = tensor.empty() : tensor<8x8xi32>
    %13 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%9, %11 : tensor<8x8xi32>, tensor<8x8xi32>) outs(%12 : tensor<8x8xi32>) {
    ^bb0(%in: i32, %in_7: i32, %out: i32):
      %c0_i32 = arith.constant 0 : i32
      %38 = arith.shrui %in, %in_7 : i32
      %c32_i32 = arith.constant 32 : i32
      %39 = arith.cmpi ugt, %c32_i32, %in_7 : i32
      %40 = arith.select %39, %38, %c0_i32 : i32
      linalg.yield %40 : i32
    } -> tensor<8x8xi32>
    %14 = tensor.empty() : tensor<8x8xi32>
    %15 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%9, %13 : tensor<8x8xi32>, tensor<8x8xi32>) outs(%14 : tensor<8x8xi32>) {
    ^bb0(%in: i32, %in_7: i32, %out: i32):
      %38 = arith.xori %in, %in_7 : i32
      linalg.yield %38 : i32
    } -> tensor<8x8xi32>
    %cst_1 = arith.constant dense<-1640531535> : tensor<i32>
    %16 = tensor.empty() : tensor<8x8xi32>
    %17 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_1 : tensor<i32>) outs(%16 : tensor<8x8xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<8x8xi32>
    %18 = tensor.empty() : tensor<8x8xi32>
    %19 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%15, %17 : tensor<8x8xi32>, tensor<8x8xi32>) outs(%18 : tensor<8x8xi32>) {
    ^bb0(%in: i32, %in_7: i32, %out: i32):
      %38 = arith.muli %in, %in_7 : i32
      linalg.yield %38 : i32
    } -> tensor<8x8xi32>
    %cst_2 = arith.constant dense<15> : tensor<i32>
    %20 = tensor.empty() : tensor<8x8xi32>
    %21 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_2 : tensor<i32>) outs(%20 : tensor<8x8xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<8x8xi32>
    %22 = tensor.empty() : tensor<8x8xi32>
    %23 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%19, %21 : tensor<8x8xi32>, tensor<8x8xi32>) outs(%22 : tensor<8x8xi32>) {
    ^bb0(%in: i32, %in_7: i32, %out: i32):
      %c0_i32 = arith.constant 0 : i32
      %38 = arith.shrui %in, %in_7 : i32
      %c32_i32 = arith.constant 32 : i32
      %39 = arith.cmpi ugt, %c32_i32, %in_7 : i32
      %40 = arith.select %39, %38, %c0_i32 : i32
      linalg.yield %40 : i32
    } -> tensor<8x8xi32>
    %24 = tensor.empty() : tensor<8x8xi32>
    %25 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%19, %23 : tensor<8x8xi32>, tensor<8x8xi32>) outs(%24 : tensor<8x8xi32>) {
    ^bb0(%in: i32, %in_7: i32, %out: i32):
      %38 = arith.xori %in, %in_7 : i32
      linalg.yield %38 : i32
    } -> tensor<8x8xi32>
    %26 = builtin.unrealized_conversion_cast %25 : tensor<8x8xi32> to tensor<8x8xui32>
    %cst_3 = arith.constant dense<10> : tensor<i32>
    %27 = call @remainder(%26, %cst_3) : (tensor<8x8xui32>, tensor<i32>) -> tensor<8x8xui32>
    %28 = builtin.unrealized_conversion_cast %27 : tensor<8x8xui32> to tensor<8x8xi32>
    %cst_4 = arith.constant dense<3> : tensor<i32>
    %29 = tensor.empty() : tensor<8x8xi32>
    %30 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_4 : tensor<i32>) outs(%29 : tensor<8x8xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<8x8xi32>
    %31 = tensor.empty() : tensor<8x8xi1>
    %32 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%28, %30 : tensor<8x8xi32>, tensor<8x8xi32>) outs(%31 : tensor<8x8xi1>) {
    ^bb0(%in: i32, %in_7: i32, %out: i1):
      %38 = arith.cmpi ult, %in, %in_7 : i32
      linalg.yield %38 : i1
    } -> tensor<8x8xi1>
    %cst_5 = arith.constant dense<0.699999988> : tensor<f32>
    %33 = tensor.empty() : tensor<8x8xf32>
    %34 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_5 : tensor<f32>) outs(%33 : tensor<8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x8xf32>
    %35 = tensor.empty() : tensor<8x8xf32>
    %36 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %34 : tensor<8x8xf32>, tensor<8x8xf32>) outs(%35 : tensor<8x8xf32>) {
    ^bb0(%in: f32, %in_7: f32, %out: f32):
      %38 = arith.divf %in, %in_7 : f32
      linalg.yield %38 : f32
    } -> tensor<8x8xf32>
    %cst_6 = arith.constant dense<0.000000e+00> : tensor<f32>
    %37 = call @_where_0(%32, %cst_6, %36) : (tensor<8x8xi1>, tensor<f32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    return %37 : tensor<8x8xf32>
  }
  func.func private @remainder(%arg0: tensor<8x8xui32>, %arg1: tensor<i32>) -> tensor<8x8xui32> {
    %0 = builtin.unrealized_conversion_cast %arg0 : tensor<8x8xui32> to tensor<8x8xi32>
    %1 = tensor.empty() : tensor<i32>
    %2 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = []} ins(%arg1 : tensor<i32>) outs(%1 : tensor<i32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<i32>
    %3 = builtin.unrealized_conversion_cast %2 : tensor<i32> to tensor<ui32>
    %cst = arith.constant dense<0> : tensor<i32>
    %4 = tensor.empty() : tensor<i1>
    %c0_i32 = arith.constant 0 : i32
    %5 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = []} ins(%2 : tensor<i32>) outs(%4 : tensor<i1>) {
    ^bb0(%in: i32, %out: i1):
      %36 = arith.cmpi eq, %in, %c0_i32 : i32
      linalg.yield %36 : i1
    } -> tensor<i1>
    %cst_0 = arith.constant dense<1> : tensor<i32>
    %6 = builtin.unrealized_conversion_cast %cst_0 : tensor<i32> to tensor<ui32>
    %7 = call @_where(%5, %6, %3) : (tensor<i1>, tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %8 = builtin.unrealized_conversion_cast %7 : tensor<ui32> to tensor<i32>
    %9 = tensor.empty() : tensor<8x8xi32>
    %10 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%8 : tensor<i32>) outs(%9 : tensor<8x8xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<8x8xi32>
    %11 = tensor.empty() : tensor<8x8xi32>
    %12 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%0, %10 : tensor<8x8xi32>, tensor<8x8xi32>) outs(%11 : tensor<8x8xi32>) {
    ^bb0(%in: i32, %in_5: i32, %out: i32):
      %c0_i32_6 = arith.constant 0 : i32
      %c0_i32_7 = arith.constant 0 : i32
      %c1_i32 = arith.constant 1 : i32
      %36 = arith.cmpi eq, %in_5, %c0_i32_7 : i32
      %37 = arith.select %36, %c1_i32, %in_5 : i32
      %38 = arith.remui %in, %37 : i32
      %39 = arith.select %36, %in, %38 : i32
      linalg.yield %39 : i32
    } -> tensor<8x8xi32>
    %cst_1 = arith.constant dense<0> : tensor<i32>
    %13 = tensor.empty() : tensor<8x8xi32>
    %14 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_1 : tensor<i32>) outs(%13 : tensor<8x8xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<8x8xi32>
    %15 = tensor.empty() : tensor<8x8xi1>
    %16 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%12, %14 : tensor<8x8xi32>, tensor<8x8xi32>) outs(%15 : tensor<8x8xi1>) {
    ^bb0(%in: i32, %in_5: i32, %out: i1):
      %36 = arith.cmpi ne, %in, %in_5 : i32
      linalg.yield %36 : i1
    } -> tensor<8x8xi1>
    %cst_2 = arith.constant dense<0> : tensor<i32>
    %17 = tensor.empty() : tensor<8x8xi32>
    %18 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_2 : tensor<i32>) outs(%17 : tensor<8x8xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<8x8xi32>
    %19 = tensor.empty() : tensor<8x8xi1>
    %20 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%12, %18 : tensor<8x8xi32>, tensor<8x8xi32>) outs(%19 : tensor<8x8xi1>) {
    ^bb0(%in: i32, %in_5: i32, %out: i1):
      %36 = arith.cmpi ult, %in, %in_5 : i32
      linalg.yield %36 : i1
    } -> tensor<8x8xi1>
    %cst_3 = arith.constant dense<0> : tensor<i32>
    %21 = tensor.empty() : tensor<i1>
    %c0_i32_4 = arith.constant 0 : i32
    %22 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = []} ins(%8 : tensor<i32>) outs(%21 : tensor<i1>) {
    ^bb0(%in: i32, %out: i1):
      %36 = arith.cmpi ult, %in, %c0_i32_4 : i32
      linalg.yield %36 : i1
    } -> tensor<i1>
    %23 = tensor.empty() : tensor<8x8xi1>
    %24 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%22 : tensor<i1>) outs(%23 : tensor<8x8xi1>) {
    ^bb0(%in: i1, %out: i1):
      linalg.yield %in : i1
    } -> tensor<8x8xi1>
    %25 = tensor.empty() : tensor<8x8xi1>
    %26 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%20, %24 : tensor<8x8xi1>, tensor<8x8xi1>) outs(%25 : tensor<8x8xi1>) {
    ^bb0(%in: i1, %in_5: i1, %out: i1):
      %36 = arith.cmpi ne, %in, %in_5 : i1
      linalg.yield %36 : i1
    } -> tensor<8x8xi1>
    %27 = tensor.empty() : tensor<8x8xi1>
    %28 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%26, %16 : tensor<8x8xi1>, tensor<8x8xi1>) outs(%27 : tensor<8x8xi1>) {
    ^bb0(%in: i1, %in_5: i1, %out: i1):
      %36 = arith.andi %in, %in_5 : i1
      linalg.yield %36 : i1
    } -> tensor<8x8xi1>
    %29 = tensor.empty() : tensor<8x8xi32>
    %30 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%8 : tensor<i32>) outs(%29 : tensor<8x8xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<8x8xi32>
    %31 = tensor.empty() : tensor<8x8xi32>
    %32 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%12, %30 : tensor<8x8xi32>, tensor<8x8xi32>) outs(%31 : tensor<8x8xi32>) {
    ^bb0(%in: i32, %in_5: i32, %out: i32):
      %36 = arith.addi %in, %in_5 : i32
      linalg.yield %36 : i32
    } -> tensor<8x8xi32>
    %33 = tensor.empty() : tensor<8x8xi32>
    %34 = linalg.generic {indexing_maps = [#map, #map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%28, %32, %12 : tensor<8x8xi1>, tensor<8x8xi32>, tensor<8x8xi32>) outs(%33 : tensor<8x8xi32>) {
    ^bb0(%in: i1, %in_5: i32, %in_6: i32, %out: i32):
      %36 = arith.select %in, %in_5, %in_6 : i32
      linalg.yield %36 : i32
    } -> tensor<8x8xi32>
    %35 = builtin.unrealized_conversion_cast %34 : tensor<8x8xi32> to tensor<8x8xui32>
    return %35 : tensor<8x8xui32>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<ui32>, %arg2: tensor<ui32>) -> tensor<ui32> {
    %0 = builtin.unrealized_conversion_cast %arg2 : tensor<ui32> to tensor<i32>
    %1 = builtin.unrealized_conversion_cast %arg1 : tensor<ui32> to tensor<i32>
    %2 = tensor.empty() : tensor<i32>
    %3 = linalg.generic {indexing_maps = [#map2, #map2, #map2, #map2], iterator_types = []} ins(%arg0, %1, %0 : tensor<i1>, tensor<i32>, tensor<i32>) outs(%2 : tensor<i32>) {
    ^bb0(%in: i1, %in_0: i32, %in_1: i32, %out: i32):
      %5 = arith.select %in, %in_0, %in_1 : i32
      linalg.yield %5 : i32
    } -> tensor<i32>
    %4 = builtin.unrealized_conversion_cast %3 : tensor<i32> to tensor<ui32>
    return %4 : tensor<ui32>
  }
  func.func private @_where_0(%arg0: tensor<8x8xi1>, %arg1: tensor<f32>, %arg2: tensor<8x8xf32>) -> tensor<8x8xf32> {
    %0 = tensor.empty() : tensor<f32>
    %1 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = []} ins(%arg1 : tensor<f32>) outs(%0 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<f32>
    %2 = tensor.empty() : tensor<8x8xf32>
    %3 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<f32>) outs(%2 : tensor<8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8x8xf32>
    %4 = tensor.empty() : tensor<8x8xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %3, %arg2 : tensor<8x8xi1>, tensor<8x8xf32>, tensor<8x8xf32>) outs(%4 : tensor<8x8xf32>) {
    ^bb0(%in: i1, %in_0: f32, %in_1: f32, %out: f32):
      %6 = arith.select %in, %in_0, %in_1 : f32
      linalg.yield %6 : f32
    } -> tensor<8x8xf32>
    return %5 : tensor<8x8xf32>
  }
}

