#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> ()>
#map2 = affine_map<(d0, d1) -> (d0)>
#map3 = affine_map<() -> ()>
module @bits {
  func.func public @main(%arg0: tensor<6x8xi32>) -> (tensor<6xui32> {jax.result_info = "result[0]"}, tensor<6x8xi32> {jax.result_info = "result[1]"}, tensor<6x8xui32> {jax.result_info = "result[2]"}, tensor<6x8xi32> {jax.result_info = "result[3]"}, tensor<6xi32> {jax.result_info = "result[4]"}, tensor<6x8xf32> {jax.result_info = "result[5]"}) {
    %0 = tensor.empty() : tensor<6x8xi32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<6x8xi32>) outs(%0 : tensor<6x8xi32>) {
    ^bb0(%in: i32, %out: i32):
      %43 = arith.bitcast %in : i32 to i32
      linalg.yield %43 : i32
    } -> tensor<6x8xi32>
    %2 = tensor.empty() : tensor<6x8xi32>
    %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<6x8xi32>) outs(%2 : tensor<6x8xi32>) {
    ^bb0(%in: i32, %out: i32):
      %43 = arith.bitcast %in : i32 to i32
      linalg.yield %43 : i32
    } -> tensor<6x8xi32>
    %cst = arith.constant dense<16> : tensor<i32>
    %4 = tensor.empty() : tensor<6x8xi32>
    %5 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%cst : tensor<i32>) outs(%4 : tensor<6x8xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<6x8xi32>
    %6 = tensor.empty() : tensor<6x8xi32>
    %7 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%3, %5 : tensor<6x8xi32>, tensor<6x8xi32>) outs(%6 : tensor<6x8xi32>) {
    ^bb0(%in: i32, %in_7: i32, %out: i32):
      %c0_i32_8 = arith.constant 0 : i32
      %43 = arith.shrui %in, %in_7 : i32
      %c32_i32 = arith.constant 32 : i32
      %44 = arith.cmpi ugt, %c32_i32, %in_7 : i32
      %45 = arith.select %44, %43, %c0_i32_8 : i32
      linalg.yield %45 : i32
    } -> tensor<6x8xi32>
    %8 = tensor.empty() : tensor<6x8xi32>
    %9 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%3, %7 : tensor<6x8xi32>, tensor<6x8xi32>) outs(%8 : tensor<6x8xi32>) {
    ^bb0(%in: i32, %in_7: i32, %out: i32):
      %43 = arith.xori %in, %in_7 : i32
      linalg.yield %43 : i32
    } -> tensor<6x8xi32>
    %cst_0 = arith.constant dense<-2048144789> : tensor<i32>
    %10 = tensor.empty() : tensor<6x8xi32>
    %11 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_0 : tensor<i32>) outs(%10 : tensor<6x8xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<6x8xi32>
    %12 = tensor.empty() : tensor<6x8xi32>
    %13 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%9, %11 : tensor<6x8xi32>, tensor<6x8xi32>) outs(%12 : tensor<6x8xi32>) {
    ^bb0(%in: i32, %in_7: i32, %out: i32):
      %43 = arith.muli %in, %in_7 : i32
      linalg.yield %43 : i32
    } -> tensor<6x8xi32>
    %cst_1 = arith.constant dense<13> : tensor<i32>
    %14 = tensor.empty() : tensor<6x8xi32>
    %15 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_1 : tensor<i32>) outs(%14 : tensor<6x8xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<6x8xi32>
    %16 = tensor.empty() : tensor<6x8xi32>
    %17 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%13, %15 : tensor<6x8xi32>, tensor<6x8xi32>) outs(%16 : tensor<6x8xi32>) {
    ^bb0(%in: i32, %in_7: i32, %out: i32):
      %c0_i32_8 = arith.constant 0 : i32
      %43 = arith.shrui %in, %in_7 : i32
      %c32_i32 = arith.constant 32 : i32
      %44 = arith.cmpi ugt, %c32_i32, %in_7 : i32
      %45 = arith.select %44, %43, %c0_i32_8 : i32
      linalg.yield %45 : i32
    } -> tensor<6x8xi32>
    %18 = tensor.empty() : tensor<6x8xi32>
    %19 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%13, %17 : tensor<6x8xi32>, tensor<6x8xi32>) outs(%18 : tensor<6x8xi32>) {
    ^bb0(%in: i32, %in_7: i32, %out: i32):
      %43 = arith.xori %in, %in_7 : i32
      linalg.yield %43 : i32
    } -> tensor<6x8xi32>
    %20 = builtin.unrealized_conversion_cast %19 : tensor<6x8xi32> to tensor<6x8xui32>
    %21 = tensor.empty() : tensor<6x8xi32>
    %22 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%3 : tensor<6x8xi32>) outs(%21 : tensor<6x8xi32>) {
    ^bb0(%in: i32, %out: i32):
      %43 = math.ctpop %in : i32
      linalg.yield %43 : i32
    } -> tensor<6x8xi32>
    %cst_2 = arith.constant dense<0> : tensor<i32>
    %c0_i32 = arith.constant 0 : i32
    %23 = tensor.empty() : tensor<6xi32>
    %24 = linalg.fill ins(%c0_i32 : i32) outs(%23 : tensor<6xi32>) -> tensor<6xi32>
    %25 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "reduction"]} ins(%22 : tensor<6x8xi32>) outs(%24 : tensor<6xi32>) {
    ^bb0(%in: i32, %out: i32):
      %from_elements = tensor.from_elements %in : tensor<i32>
      %from_elements_7 = tensor.from_elements %out : tensor<i32>
      %extracted = tensor.extract %from_elements_7[] : tensor<i32>
      %extracted_8 = tensor.extract %from_elements[] : tensor<i32>
      %43 = arith.addi %extracted, %extracted_8 : i32
      %from_elements_9 = tensor.from_elements %43 : tensor<i32>
      %extracted_10 = tensor.extract %from_elements_9[] : tensor<i32>
      linalg.yield %extracted_10 : i32
    } -> tensor<6xi32>
    %26 = builtin.unrealized_conversion_cast %25 : tensor<6xi32> to tensor<6xui32>
    %27 = tensor.empty() : tensor<6x8xi32>
    %28 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<6x8xi32>) outs(%27 : tensor<6x8xi32>) {
    ^bb0(%in: i32, %out: i32):
      %43 = math.ctlz %in : i32
      linalg.yield %43 : i32
    } -> tensor<6x8xi32>
    %cst_3 = arith.constant dense<7> : tensor<i32>
    %29 = builtin.unrealized_conversion_cast %cst_3 : tensor<i32> to tensor<ui32>
    %30 = call @remainder(%20, %29) : (tensor<6x8xui32>, tensor<ui32>) -> tensor<6x8xui32>
    %31 = builtin.unrealized_conversion_cast %30 : tensor<6x8xui32> to tensor<6x8xi32>
    %32 = tensor.empty() : tensor<6x8xi32>
    %33 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%31 : tensor<6x8xi32>) outs(%32 : tensor<6x8xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<6x8xi32>
    %cst_4 = arith.constant dense<0> : tensor<i32>
    %c0_i32_5 = arith.constant 0 : i32
    %34 = tensor.empty() : tensor<6xi32>
    %35 = linalg.fill ins(%c0_i32_5 : i32) outs(%34 : tensor<6xi32>) -> tensor<6xi32>
    %36 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "reduction"]} ins(%arg0 : tensor<6x8xi32>) outs(%35 : tensor<6xi32>) {
    ^bb0(%in: i32, %out: i32):
      %from_elements = tensor.from_elements %in : tensor<i32>
      %from_elements_7 = tensor.from_elements %out : tensor<i32>
      %extracted = tensor.extract %from_elements_7[] : tensor<i32>
      %extracted_8 = tensor.extract %from_elements[] : tensor<i32>
      %43 = arith.xori %extracted, %extracted_8 : i32
      %from_elements_9 = tensor.from_elements %43 : tensor<i32>
      %extracted_10 = tensor.extract %from_elements_9[] : tensor<i32>
      linalg.yield %extracted_10 : i32
    } -> tensor<6xi32>
    %cst_6 = arith.constant dense<1073741823> : tensor<i32>
    %37 = tensor.empty() : tensor<6x8xi32>
    %38 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_6 : tensor<i32>) outs(%37 : tensor<6x8xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<6x8xi32>
    %39 = tensor.empty() : tensor<6x8xi32>
    %40 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %38 : tensor<6x8xi32>, tensor<6x8xi32>) outs(%39 : tensor<6x8xi32>) {
    ^bb0(%in: i32, %in_7: i32, %out: i32):
      %43 = arith.andi %in, %in_7 : i32
      linalg.yield %43 : i32
    } -> tensor<6x8xi32>
    %41 = tensor.empty() : tensor<6x8xf32>
    %42 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%40 : tensor<6x8xi32>) outs(%41 : tensor<6x8xf32>) {
    ^bb0(%in: i32, %out: f32):
      %43 = arith.bitcast %in : i32 to f32
      linalg.yield %43 : f32
    } -> tensor<6x8xf32>
    return %26, %28, %20, %33, %36, %42 : tensor<6xui32>, tensor<6x8xi32>, tensor<6x8xui32>, tensor<6x8xi32>, tensor<6xi32>, tensor<6x8xf32>
  }
  func.func private @remainder(%arg0: tensor<6x8xui32>, %arg1: tensor<ui32>) -> tensor<6x8xui32> {
    %0 = builtin.unrealized_conversion_cast %arg0 : tensor<6x8xui32> to tensor<6x8xi32>
    %1 = builtin.unrealized_conversion_cast %arg1 : tensor<ui32> to tensor<i32>
    %cst = arith.constant dense<0> : tensor<i32>
    %2 = tensor.empty() : tensor<i1>
    %c0_i32 = arith.constant 0 : i32
    %3 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = []} ins(%1 : tensor<i32>) outs(%2 : tensor<i1>) {
    ^bb0(%in: i32, %out: i1):
      %34 = arith.cmpi eq, %in, %c0_i32 : i32
      linalg.yield %34 : i1
    } -> tensor<i1>
    %cst_0 = arith.constant dense<1> : tensor<i32>
    %4 = builtin.unrealized_conversion_cast %cst_0 : tensor<i32> to tensor<ui32>
    %5 = call @_where(%3, %4, %arg1) : (tensor<i1>, tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %6 = builtin.unrealized_conversion_cast %5 : tensor<ui32> to tensor<i32>
    %7 = tensor.empty() : tensor<6x8xi32>
    %8 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%6 : tensor<i32>) outs(%7 : tensor<6x8xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<6x8xi32>
    %9 = tensor.empty() : tensor<6x8xi32>
    %10 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%0, %8 : tensor<6x8xi32>, tensor<6x8xi32>) outs(%9 : tensor<6x8xi32>) {
    ^bb0(%in: i32, %in_5: i32, %out: i32):
      %c0_i32_6 = arith.constant 0 : i32
      %c0_i32_7 = arith.constant 0 : i32
      %c1_i32 = arith.constant 1 : i32
      %34 = arith.cmpi eq, %in_5, %c0_i32_7 : i32
      %35 = arith.select %34, %c1_i32, %in_5 : i32
      %36 = arith.remui %in, %35 : i32
      %37 = arith.select %34, %in, %36 : i32
      linalg.yield %37 : i32
    } -> tensor<6x8xi32>
    %cst_1 = arith.constant dense<0> : tensor<i32>
    %11 = tensor.empty() : tensor<6x8xi32>
    %12 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_1 : tensor<i32>) outs(%11 : tensor<6x8xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<6x8xi32>
    %13 = tensor.empty() : tensor<6x8xi1>
    %14 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%10, %12 : tensor<6x8xi32>, tensor<6x8xi32>) outs(%13 : tensor<6x8xi1>) {
    ^bb0(%in: i32, %in_5: i32, %out: i1):
      %34 = arith.cmpi ne, %in, %in_5 : i32
      linalg.yield %34 : i1
    } -> tensor<6x8xi1>
    %cst_2 = arith.constant dense<0> : tensor<i32>
    %15 = tensor.empty() : tensor<6x8xi32>
    %16 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_2 : tensor<i32>) outs(%15 : tensor<6x8xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<6x8xi32>
    %17 = tensor.empty() : tensor<6x8xi1>
    %18 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%10, %16 : tensor<6x8xi32>, tensor<6x8xi32>) outs(%17 : tensor<6x8xi1>) {
    ^bb0(%in: i32, %in_5: i32, %out: i1):
      %34 = arith.cmpi ult, %in, %in_5 : i32
      linalg.yield %34 : i1
    } -> tensor<6x8xi1>
    %cst_3 = arith.constant dense<0> : tensor<i32>
    %19 = tensor.empty() : tensor<i1>
    %c0_i32_4 = arith.constant 0 : i32
    %20 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = []} ins(%6 : tensor<i32>) outs(%19 : tensor<i1>) {
    ^bb0(%in: i32, %out: i1):
      %34 = arith.cmpi ult, %in, %c0_i32_4 : i32
      linalg.yield %34 : i1
    } -> tensor<i1>
    %21 = tensor.empty() : tensor<6x8xi1>
    %22 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%20 : tensor<i1>) outs(%21 : tensor<6x8xi1>) {
    ^bb0(%in: i1, %out: i1):
      linalg.yield %in : i1
    } -> tensor<6x8xi1>
    %23 = tensor.empty() : tensor<6x8xi1>
    %24 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%18, %22 : tensor<6x8xi1>, tensor<6x8xi1>) outs(%23 : tensor<6x8xi1>) {
    ^bb0(%in: i1, %in_5: i1, %out: i1):
      %34 = arith.cmpi ne, %in, %in_5 : i1
      linalg.yield %34 : i1
    } -> tensor<6x8xi1>
    %25 = tensor.empty() : tensor<6x8xi1>
    %26 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%24, %14 : tensor<6x8xi1>, tensor<6x8xi1>) outs(%25 : tensor<6x8xi1>) {
    ^bb0(%in: i1, %in_5: i1, %out: i1):
      %34 = arith.andi %in, %in_5 : i1
      linalg.yield %34 : i1
    } -> tensor<6x8xi1>
    %27 = tensor.empty() : tensor<6x8xi32>
    %28 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%6 : tensor<i32>) outs(%27 : tensor<6x8xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<6x8xi32>
    %29 = tensor.empty() : tensor<6x8xi32>
    %30 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%10, %28 : tensor<6x8xi32>, tensor<6x8xi32>) outs(%29 : tensor<6x8xi32>) {
    ^bb0(%in: i32, %in_5: i32, %out: i32):
      %34 = arith.addi %in, %in_5 : i32
      linalg.yield %34 : i32
    } -> tensor<6x8xi32>
    %31 = tensor.empty() : tensor<6x8xi32>
    %32 = linalg.generic {indexing_maps = [#map, #map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%26, %30, %10 : tensor<6x8xi1>, tensor<6x8xi32>, tensor<6x8xi32>) outs(%31 : tensor<6x8xi32>) {
    ^bb0(%in: i1, %in_5: i32, %in_6: i32, %out: i32):
      %34 = arith.select %in, %in_5, %in_6 : i32
      linalg.yield %34 : i32
    } -> tensor<6x8xi32>
    %33 = builtin.unrealized_conversion_cast %32 : tensor<6x8xi32> to tensor<6x8xui32>
    return %33 : tensor<6x8xui32>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<ui32>, %arg2: tensor<ui32>) -> tensor<ui32> {
    %0 = builtin.unrealized_conversion_cast %arg2 : tensor<ui32> to tensor<i32>
    %1 = builtin.unrealized_conversion_cast %arg1 : tensor<ui32> to tensor<i32>
    %2 = tensor.empty() : tensor<i32>
    %3 = linalg.generic {indexing_maps = [#map3, #map3, #map3, #map3], iterator_types = []} ins(%arg0, %1, %0 : tensor<i1>, tensor<i32>, tensor<i32>) outs(%2 : tensor<i32>) {
    ^bb0(%in: i1, %in_0: i32, %in_1: i32, %out: i32):
      %5 = arith.select %in, %in_0, %in_1 : i32
      linalg.yield %5 : i32
    } -> tensor<i32>
    %4 = builtin.unrealized_conversion_cast %3 : tensor<i32> to tensor<ui32>
    return %4 : tensor<ui32>
  }
}
