#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> ()>
#map2 = affine_map<() -> ()>
module @intdiv {
  func.func public @main(%arg0: tensor<6x8xi32>, %arg1: tensor<6x8xi32>) -> (tensor<6x8xi32> {jax.result_info = "result[0]"}, tensor<6x8xi32> {jax.result_info = "result[1]"}, tensor<6x8xi32> {jax.result_info = "result[2]"}, tensor<6x8xi32> {jax.result_info = "result[3]"}, tensor<6x8xi32> {jax.result_info = "result[4]"}, tensor<6x8xi32> {jax.result_info = "result[5]"}, tensor<6x8xi32> {jax.result_info = "result[6]"}) {
    %0 = call @floor_divide(%arg0, %arg1) : (tensor<6x8xi32>, tensor<6x8xi32>) -> tensor<6x8xi32>
    %1 = call @remainder(%arg0, %arg1) : (tensor<6x8xi32>, tensor<6x8xi32>) -> tensor<6x8xi32>
    %2 = tensor.empty() : tensor<6x8xi32>
    %3 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %arg1 : tensor<6x8xi32>, tensor<6x8xi32>) outs(%2 : tensor<6x8xi32>) {
    ^bb0(%in: i32, %in_2: i32, %out: i32):
      %c-1_i32 = arith.constant -1 : i32
      %c-2147483648_i32 = arith.constant -2147483648 : i32
      %c0_i32 = arith.constant 0 : i32
      %c1_i32 = arith.constant 1 : i32
      %15 = arith.cmpi eq, %in_2, %c0_i32 : i32
      %c-2147483648_i32_3 = arith.constant -2147483648 : i32
      %16 = arith.cmpi eq, %in, %c-2147483648_i32_3 : i32
      %c-1_i32_4 = arith.constant -1 : i32
      %17 = arith.cmpi eq, %in_2, %c-1_i32_4 : i32
      %18 = arith.andi %16, %17 : i1
      %19 = arith.ori %15, %18 : i1
      %20 = arith.select %19, %c1_i32, %in_2 : i32
      %21 = arith.divsi %in, %20 : i32
      %22 = arith.select %18, %c-2147483648_i32, %21 : i32
      %23 = arith.select %15, %c-1_i32, %22 : i32
      linalg.yield %23 : i32
    } -> tensor<6x8xi32>
    %4 = tensor.empty() : tensor<6x8xi32>
    %5 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %arg1 : tensor<6x8xi32>, tensor<6x8xi32>) outs(%4 : tensor<6x8xi32>) {
    ^bb0(%in: i32, %in_2: i32, %out: i32):
      %c0_i32 = arith.constant 0 : i32
      %c0_i32_3 = arith.constant 0 : i32
      %c1_i32 = arith.constant 1 : i32
      %15 = arith.cmpi eq, %in_2, %c0_i32_3 : i32
      %c-2147483648_i32 = arith.constant -2147483648 : i32
      %16 = arith.cmpi eq, %in, %c-2147483648_i32 : i32
      %c-1_i32 = arith.constant -1 : i32
      %17 = arith.cmpi eq, %in_2, %c-1_i32 : i32
      %18 = arith.andi %16, %17 : i1
      %19 = arith.ori %15, %18 : i1
      %20 = arith.select %19, %c1_i32, %in_2 : i32
      %21 = arith.remsi %in, %20 : i32
      %22 = arith.select %18, %c0_i32, %21 : i32
      %23 = arith.select %15, %in, %22 : i32
      linalg.yield %23 : i32
    } -> tensor<6x8xi32>
    %cst = arith.constant dense<4> : tensor<i32>
    %6:2 = call @divmod(%arg0, %cst) : (tensor<6x8xi32>, tensor<i32>) -> (tensor<6x8xi32>, tensor<6x8xi32>)
    %cst_0 = arith.constant dense<1> : tensor<i32>
    %7 = tensor.empty() : tensor<6x8xi32>
    %8 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_0 : tensor<i32>) outs(%7 : tensor<6x8xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<6x8xi32>
    %9 = tensor.empty() : tensor<6x8xi32>
    %10 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %8 : tensor<6x8xi32>, tensor<6x8xi32>) outs(%9 : tensor<6x8xi32>) {
    ^bb0(%in: i32, %in_2: i32, %out: i32):
      %c31_i32 = arith.constant 31 : i32
      %15 = arith.shrsi %in, %c31_i32 : i32
      %16 = arith.shrsi %in, %in_2 : i32
      %c32_i32 = arith.constant 32 : i32
      %17 = arith.cmpi ugt, %c32_i32, %in_2 : i32
      %18 = arith.select %17, %16, %15 : i32
      linalg.yield %18 : i32
    } -> tensor<6x8xi32>
    %cst_1 = arith.constant dense<1> : tensor<i32>
    %11 = tensor.empty() : tensor<6x8xi32>
    %12 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_1 : tensor<i32>) outs(%11 : tensor<6x8xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<6x8xi32>
    %13 = tensor.empty() : tensor<6x8xi32>
    %14 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %12 : tensor<6x8xi32>, tensor<6x8xi32>) outs(%13 : tensor<6x8xi32>) {
    ^bb0(%in: i32, %in_2: i32, %out: i32):
      %c0_i32 = arith.constant 0 : i32
      %15 = arith.shrui %in, %in_2 : i32
      %c32_i32 = arith.constant 32 : i32
      %16 = arith.cmpi ugt, %c32_i32, %in_2 : i32
      %17 = arith.select %16, %15, %c0_i32 : i32
      linalg.yield %17 : i32
    } -> tensor<6x8xi32>
    return %0, %1, %3, %5, %6#1, %10, %14 : tensor<6x8xi32>, tensor<6x8xi32>, tensor<6x8xi32>, tensor<6x8xi32>, tensor<6x8xi32>, tensor<6x8xi32>, tensor<6x8xi32>
  }
  func.func private @floor_divide(%arg0: tensor<6x8xi32>, %arg1: tensor<6x8xi32>) -> tensor<6x8xi32> {
    %0 = tensor.empty() : tensor<6x8xi32>
    %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %arg1 : tensor<6x8xi32>, tensor<6x8xi32>) outs(%0 : tensor<6x8xi32>) {
    ^bb0(%in: i32, %in_1: i32, %out: i32):
      %c-1_i32 = arith.constant -1 : i32
      %c-2147483648_i32 = arith.constant -2147483648 : i32
      %c0_i32 = arith.constant 0 : i32
      %c1_i32 = arith.constant 1 : i32
      %21 = arith.cmpi eq, %in_1, %c0_i32 : i32
      %c-2147483648_i32_2 = arith.constant -2147483648 : i32
      %22 = arith.cmpi eq, %in, %c-2147483648_i32_2 : i32
      %c-1_i32_3 = arith.constant -1 : i32
      %23 = arith.cmpi eq, %in_1, %c-1_i32_3 : i32
      %24 = arith.andi %22, %23 : i1
      %25 = arith.ori %21, %24 : i1
      %26 = arith.select %25, %c1_i32, %in_1 : i32
      %27 = arith.divsi %in, %26 : i32
      %28 = arith.select %24, %c-2147483648_i32, %27 : i32
      %29 = arith.select %21, %c-1_i32, %28 : i32
      linalg.yield %29 : i32
    } -> tensor<6x8xi32>
    %2 = tensor.empty() : tensor<6x8xi32>
    %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<6x8xi32>) outs(%2 : tensor<6x8xi32>) {
    ^bb0(%in: i32, %out: i32):
      %c0_i32 = arith.constant 0 : i32
      %c31_i32 = arith.constant 31 : i32
      %c1_i32 = arith.constant 1 : i32
      %21 = arith.cmpi eq, %in, %c0_i32 : i32
      %22 = arith.shrsi %in, %c31_i32 : i32
      %23 = arith.ori %22, %c1_i32 : i32
      %24 = arith.select %21, %c0_i32, %23 : i32
      linalg.yield %24 : i32
    } -> tensor<6x8xi32>
    %4 = tensor.empty() : tensor<6x8xi32>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg1 : tensor<6x8xi32>) outs(%4 : tensor<6x8xi32>) {
    ^bb0(%in: i32, %out: i32):
      %c0_i32 = arith.constant 0 : i32
      %c31_i32 = arith.constant 31 : i32
      %c1_i32 = arith.constant 1 : i32
      %21 = arith.cmpi eq, %in, %c0_i32 : i32
      %22 = arith.shrsi %in, %c31_i32 : i32
      %23 = arith.ori %22, %c1_i32 : i32
      %24 = arith.select %21, %c0_i32, %23 : i32
      linalg.yield %24 : i32
    } -> tensor<6x8xi32>
    %6 = tensor.empty() : tensor<6x8xi1>
    %7 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%3, %5 : tensor<6x8xi32>, tensor<6x8xi32>) outs(%6 : tensor<6x8xi1>) {
    ^bb0(%in: i32, %in_1: i32, %out: i1):
      %21 = arith.cmpi ne, %in, %in_1 : i32
      linalg.yield %21 : i1
    } -> tensor<6x8xi1>
    %8 = tensor.empty() : tensor<6x8xi32>
    %9 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %arg1 : tensor<6x8xi32>, tensor<6x8xi32>) outs(%8 : tensor<6x8xi32>) {
    ^bb0(%in: i32, %in_1: i32, %out: i32):
      %c0_i32 = arith.constant 0 : i32
      %c0_i32_2 = arith.constant 0 : i32
      %c1_i32 = arith.constant 1 : i32
      %21 = arith.cmpi eq, %in_1, %c0_i32_2 : i32
      %c-2147483648_i32 = arith.constant -2147483648 : i32
      %22 = arith.cmpi eq, %in, %c-2147483648_i32 : i32
      %c-1_i32 = arith.constant -1 : i32
      %23 = arith.cmpi eq, %in_1, %c-1_i32 : i32
      %24 = arith.andi %22, %23 : i1
      %25 = arith.ori %21, %24 : i1
      %26 = arith.select %25, %c1_i32, %in_1 : i32
      %27 = arith.remsi %in, %26 : i32
      %28 = arith.select %24, %c0_i32, %27 : i32
      %29 = arith.select %21, %in, %28 : i32
      linalg.yield %29 : i32
    } -> tensor<6x8xi32>
    %cst = arith.constant dense<0> : tensor<i32>
    %10 = tensor.empty() : tensor<6x8xi32>
    %11 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%cst : tensor<i32>) outs(%10 : tensor<6x8xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<6x8xi32>
    %12 = tensor.empty() : tensor<6x8xi1>
    %13 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%9, %11 : tensor<6x8xi32>, tensor<6x8xi32>) outs(%12 : tensor<6x8xi1>) {
    ^bb0(%in: i32, %in_1: i32, %out: i1):
      %21 = arith.cmpi ne, %in, %in_1 : i32
      linalg.yield %21 : i1
    } -> tensor<6x8xi1>
    %14 = tensor.empty() : tensor<6x8xi1>
    %15 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%7, %13 : tensor<6x8xi1>, tensor<6x8xi1>) outs(%14 : tensor<6x8xi1>) {
    ^bb0(%in: i1, %in_1: i1, %out: i1):
      %21 = arith.andi %in, %in_1 : i1
      linalg.yield %21 : i1
    } -> tensor<6x8xi1>
    %cst_0 = arith.constant dense<1> : tensor<i32>
    %16 = tensor.empty() : tensor<6x8xi32>
    %17 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_0 : tensor<i32>) outs(%16 : tensor<6x8xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<6x8xi32>
    %18 = tensor.empty() : tensor<6x8xi32>
    %19 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%1, %17 : tensor<6x8xi32>, tensor<6x8xi32>) outs(%18 : tensor<6x8xi32>) {
    ^bb0(%in: i32, %in_1: i32, %out: i32):
      %21 = arith.subi %in, %in_1 : i32
      linalg.yield %21 : i32
    } -> tensor<6x8xi32>
    %20 = call @_where(%15, %19, %1) : (tensor<6x8xi1>, tensor<6x8xi32>, tensor<6x8xi32>) -> tensor<6x8xi32>
    return %20 : tensor<6x8xi32>
  }
  func.func private @_where(%arg0: tensor<6x8xi1>, %arg1: tensor<6x8xi32>, %arg2: tensor<6x8xi32>) -> tensor<6x8xi32> {
    %0 = tensor.empty() : tensor<6x8xi32>
    %1 = linalg.generic {indexing_maps = [#map, #map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %arg1, %arg2 : tensor<6x8xi1>, tensor<6x8xi32>, tensor<6x8xi32>) outs(%0 : tensor<6x8xi32>) {
    ^bb0(%in: i1, %in_0: i32, %in_1: i32, %out: i32):
      %2 = arith.select %in, %in_0, %in_1 : i32
      linalg.yield %2 : i32
    } -> tensor<6x8xi32>
    return %1 : tensor<6x8xi32>
  }
  func.func private @remainder(%arg0: tensor<6x8xi32>, %arg1: tensor<6x8xi32>) -> tensor<6x8xi32> {
    %cst = arith.constant dense<0> : tensor<i32>
    %0 = tensor.empty() : tensor<6x8xi32>
    %1 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%cst : tensor<i32>) outs(%0 : tensor<6x8xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<6x8xi32>
    %2 = tensor.empty() : tensor<6x8xi1>
    %3 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg1, %1 : tensor<6x8xi32>, tensor<6x8xi32>) outs(%2 : tensor<6x8xi1>) {
    ^bb0(%in: i32, %in_4: i32, %out: i1):
      %29 = arith.cmpi eq, %in, %in_4 : i32
      linalg.yield %29 : i1
    } -> tensor<6x8xi1>
    %cst_0 = arith.constant dense<1> : tensor<i32>
    %4 = tensor.empty() : tensor<6x8xi32>
    %5 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_0 : tensor<i32>) outs(%4 : tensor<6x8xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<6x8xi32>
    %6 = call @_where(%3, %5, %arg1) : (tensor<6x8xi1>, tensor<6x8xi32>, tensor<6x8xi32>) -> tensor<6x8xi32>
    %7 = tensor.empty() : tensor<6x8xi32>
    %8 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %6 : tensor<6x8xi32>, tensor<6x8xi32>) outs(%7 : tensor<6x8xi32>) {
    ^bb0(%in: i32, %in_4: i32, %out: i32):
      %c0_i32 = arith.constant 0 : i32
      %c0_i32_5 = arith.constant 0 : i32
      %c1_i32 = arith.constant 1 : i32
      %29 = arith.cmpi eq, %in_4, %c0_i32_5 : i32
      %c-2147483648_i32 = arith.constant -2147483648 : i32
      %30 = arith.cmpi eq, %in, %c-2147483648_i32 : i32
      %c-1_i32 = arith.constant -1 : i32
      %31 = arith.cmpi eq, %in_4, %c-1_i32 : i32
      %32 = arith.andi %30, %31 : i1
      %33 = arith.ori %29, %32 : i1
      %34 = arith.select %33, %c1_i32, %in_4 : i32
      %35 = arith.remsi %in, %34 : i32
      %36 = arith.select %32, %c0_i32, %35 : i32
      %37 = arith.select %29, %in, %36 : i32
      linalg.yield %37 : i32
    } -> tensor<6x8xi32>
    %cst_1 = arith.constant dense<0> : tensor<i32>
    %9 = tensor.empty() : tensor<6x8xi32>
    %10 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_1 : tensor<i32>) outs(%9 : tensor<6x8xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<6x8xi32>
    %11 = tensor.empty() : tensor<6x8xi1>
    %12 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%8, %10 : tensor<6x8xi32>, tensor<6x8xi32>) outs(%11 : tensor<6x8xi1>) {
    ^bb0(%in: i32, %in_4: i32, %out: i1):
      %29 = arith.cmpi ne, %in, %in_4 : i32
      linalg.yield %29 : i1
    } -> tensor<6x8xi1>
    %cst_2 = arith.constant dense<0> : tensor<i32>
    %13 = tensor.empty() : tensor<6x8xi32>
    %14 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_2 : tensor<i32>) outs(%13 : tensor<6x8xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<6x8xi32>
    %15 = tensor.empty() : tensor<6x8xi1>
    %16 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%8, %14 : tensor<6x8xi32>, tensor<6x8xi32>) outs(%15 : tensor<6x8xi1>) {
    ^bb0(%in: i32, %in_4: i32, %out: i1):
      %29 = arith.cmpi slt, %in, %in_4 : i32
      linalg.yield %29 : i1
    } -> tensor<6x8xi1>
    %cst_3 = arith.constant dense<0> : tensor<i32>
    %17 = tensor.empty() : tensor<6x8xi32>
    %18 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_3 : tensor<i32>) outs(%17 : tensor<6x8xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<6x8xi32>
    %19 = tensor.empty() : tensor<6x8xi1>
    %20 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%6, %18 : tensor<6x8xi32>, tensor<6x8xi32>) outs(%19 : tensor<6x8xi1>) {
    ^bb0(%in: i32, %in_4: i32, %out: i1):
      %29 = arith.cmpi slt, %in, %in_4 : i32
      linalg.yield %29 : i1
    } -> tensor<6x8xi1>
    %21 = tensor.empty() : tensor<6x8xi1>
    %22 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%16, %20 : tensor<6x8xi1>, tensor<6x8xi1>) outs(%21 : tensor<6x8xi1>) {
    ^bb0(%in: i1, %in_4: i1, %out: i1):
      %29 = arith.cmpi ne, %in, %in_4 : i1
      linalg.yield %29 : i1
    } -> tensor<6x8xi1>
    %23 = tensor.empty() : tensor<6x8xi1>
    %24 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%22, %12 : tensor<6x8xi1>, tensor<6x8xi1>) outs(%23 : tensor<6x8xi1>) {
    ^bb0(%in: i1, %in_4: i1, %out: i1):
      %29 = arith.andi %in, %in_4 : i1
      linalg.yield %29 : i1
    } -> tensor<6x8xi1>
    %25 = tensor.empty() : tensor<6x8xi32>
    %26 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%8, %6 : tensor<6x8xi32>, tensor<6x8xi32>) outs(%25 : tensor<6x8xi32>) {
    ^bb0(%in: i32, %in_4: i32, %out: i32):
      %29 = arith.addi %in, %in_4 : i32
      linalg.yield %29 : i32
    } -> tensor<6x8xi32>
    %27 = tensor.empty() : tensor<6x8xi32>
    %28 = linalg.generic {indexing_maps = [#map, #map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%24, %26, %8 : tensor<6x8xi1>, tensor<6x8xi32>, tensor<6x8xi32>) outs(%27 : tensor<6x8xi32>) {
    ^bb0(%in: i1, %in_4: i32, %in_5: i32, %out: i32):
      %29 = arith.select %in, %in_4, %in_5 : i32
      linalg.yield %29 : i32
    } -> tensor<6x8xi32>
    return %28 : tensor<6x8xi32>
  }
  func.func private @divmod(%arg0: tensor<6x8xi32>, %arg1: tensor<i32>) -> (tensor<6x8xi32>, tensor<6x8xi32>) {
    %0 = tensor.empty() : tensor<i32>
    %1 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = []} ins(%arg1 : tensor<i32>) outs(%0 : tensor<i32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<i32>
    %2 = call @floor_divide_0(%arg0, %1) : (tensor<6x8xi32>, tensor<i32>) -> tensor<6x8xi32>
    %3 = call @remainder_1(%arg0, %1) : (tensor<6x8xi32>, tensor<i32>) -> tensor<6x8xi32>
    return %2, %3 : tensor<6x8xi32>, tensor<6x8xi32>
  }
  func.func private @floor_divide_0(%arg0: tensor<6x8xi32>, %arg1: tensor<i32>) -> tensor<6x8xi32> {
    %0 = tensor.empty() : tensor<6x8xi32>
    %1 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%arg1 : tensor<i32>) outs(%0 : tensor<6x8xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<6x8xi32>
    %2 = tensor.empty() : tensor<6x8xi32>
    %3 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %1 : tensor<6x8xi32>, tensor<6x8xi32>) outs(%2 : tensor<6x8xi32>) {
    ^bb0(%in: i32, %in_1: i32, %out: i32):
      %c-1_i32 = arith.constant -1 : i32
      %c-2147483648_i32 = arith.constant -2147483648 : i32
      %c0_i32 = arith.constant 0 : i32
      %c1_i32 = arith.constant 1 : i32
      %27 = arith.cmpi eq, %in_1, %c0_i32 : i32
      %c-2147483648_i32_2 = arith.constant -2147483648 : i32
      %28 = arith.cmpi eq, %in, %c-2147483648_i32_2 : i32
      %c-1_i32_3 = arith.constant -1 : i32
      %29 = arith.cmpi eq, %in_1, %c-1_i32_3 : i32
      %30 = arith.andi %28, %29 : i1
      %31 = arith.ori %27, %30 : i1
      %32 = arith.select %31, %c1_i32, %in_1 : i32
      %33 = arith.divsi %in, %32 : i32
      %34 = arith.select %30, %c-2147483648_i32, %33 : i32
      %35 = arith.select %27, %c-1_i32, %34 : i32
      linalg.yield %35 : i32
    } -> tensor<6x8xi32>
    %4 = tensor.empty() : tensor<6x8xi32>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<6x8xi32>) outs(%4 : tensor<6x8xi32>) {
    ^bb0(%in: i32, %out: i32):
      %c0_i32 = arith.constant 0 : i32
      %c31_i32 = arith.constant 31 : i32
      %c1_i32 = arith.constant 1 : i32
      %27 = arith.cmpi eq, %in, %c0_i32 : i32
      %28 = arith.shrsi %in, %c31_i32 : i32
      %29 = arith.ori %28, %c1_i32 : i32
      %30 = arith.select %27, %c0_i32, %29 : i32
      linalg.yield %30 : i32
    } -> tensor<6x8xi32>
    %6 = tensor.empty() : tensor<i32>
    %7 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = []} ins(%arg1 : tensor<i32>) outs(%6 : tensor<i32>) {
    ^bb0(%in: i32, %out: i32):
      %c0_i32 = arith.constant 0 : i32
      %c31_i32 = arith.constant 31 : i32
      %c1_i32 = arith.constant 1 : i32
      %27 = arith.cmpi eq, %in, %c0_i32 : i32
      %28 = arith.shrsi %in, %c31_i32 : i32
      %29 = arith.ori %28, %c1_i32 : i32
      %30 = arith.select %27, %c0_i32, %29 : i32
      linalg.yield %30 : i32
    } -> tensor<i32>
    %8 = tensor.empty() : tensor<6x8xi32>
    %9 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%7 : tensor<i32>) outs(%8 : tensor<6x8xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<6x8xi32>
    %10 = tensor.empty() : tensor<6x8xi1>
    %11 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%5, %9 : tensor<6x8xi32>, tensor<6x8xi32>) outs(%10 : tensor<6x8xi1>) {
    ^bb0(%in: i32, %in_1: i32, %out: i1):
      %27 = arith.cmpi ne, %in, %in_1 : i32
      linalg.yield %27 : i1
    } -> tensor<6x8xi1>
    %12 = tensor.empty() : tensor<6x8xi32>
    %13 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%arg1 : tensor<i32>) outs(%12 : tensor<6x8xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<6x8xi32>
    %14 = tensor.empty() : tensor<6x8xi32>
    %15 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %13 : tensor<6x8xi32>, tensor<6x8xi32>) outs(%14 : tensor<6x8xi32>) {
    ^bb0(%in: i32, %in_1: i32, %out: i32):
      %c0_i32 = arith.constant 0 : i32
      %c0_i32_2 = arith.constant 0 : i32
      %c1_i32 = arith.constant 1 : i32
      %27 = arith.cmpi eq, %in_1, %c0_i32_2 : i32
      %c-2147483648_i32 = arith.constant -2147483648 : i32
      %28 = arith.cmpi eq, %in, %c-2147483648_i32 : i32
      %c-1_i32 = arith.constant -1 : i32
      %29 = arith.cmpi eq, %in_1, %c-1_i32 : i32
      %30 = arith.andi %28, %29 : i1
      %31 = arith.ori %27, %30 : i1
      %32 = arith.select %31, %c1_i32, %in_1 : i32
      %33 = arith.remsi %in, %32 : i32
      %34 = arith.select %30, %c0_i32, %33 : i32
      %35 = arith.select %27, %in, %34 : i32
      linalg.yield %35 : i32
    } -> tensor<6x8xi32>
    %cst = arith.constant dense<0> : tensor<i32>
    %16 = tensor.empty() : tensor<6x8xi32>
    %17 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%cst : tensor<i32>) outs(%16 : tensor<6x8xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<6x8xi32>
    %18 = tensor.empty() : tensor<6x8xi1>
    %19 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%15, %17 : tensor<6x8xi32>, tensor<6x8xi32>) outs(%18 : tensor<6x8xi1>) {
    ^bb0(%in: i32, %in_1: i32, %out: i1):
      %27 = arith.cmpi ne, %in, %in_1 : i32
      linalg.yield %27 : i1
    } -> tensor<6x8xi1>
    %20 = tensor.empty() : tensor<6x8xi1>
    %21 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%11, %19 : tensor<6x8xi1>, tensor<6x8xi1>) outs(%20 : tensor<6x8xi1>) {
    ^bb0(%in: i1, %in_1: i1, %out: i1):
      %27 = arith.andi %in, %in_1 : i1
      linalg.yield %27 : i1
    } -> tensor<6x8xi1>
    %cst_0 = arith.constant dense<1> : tensor<i32>
    %22 = tensor.empty() : tensor<6x8xi32>
    %23 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_0 : tensor<i32>) outs(%22 : tensor<6x8xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<6x8xi32>
    %24 = tensor.empty() : tensor<6x8xi32>
    %25 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%3, %23 : tensor<6x8xi32>, tensor<6x8xi32>) outs(%24 : tensor<6x8xi32>) {
    ^bb0(%in: i32, %in_1: i32, %out: i32):
      %27 = arith.subi %in, %in_1 : i32
      linalg.yield %27 : i32
    } -> tensor<6x8xi32>
    %26 = call @_where(%21, %25, %3) : (tensor<6x8xi1>, tensor<6x8xi32>, tensor<6x8xi32>) -> tensor<6x8xi32>
    return %26 : tensor<6x8xi32>
  }
  func.func private @remainder_1(%arg0: tensor<6x8xi32>, %arg1: tensor<i32>) -> tensor<6x8xi32> {
    %cst = arith.constant dense<0> : tensor<i32>
    %0 = tensor.empty() : tensor<i1>
    %c0_i32 = arith.constant 0 : i32
    %1 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = []} ins(%arg1 : tensor<i32>) outs(%0 : tensor<i1>) {
    ^bb0(%in: i32, %out: i1):
      %29 = arith.cmpi eq, %in, %c0_i32 : i32
      linalg.yield %29 : i1
    } -> tensor<i1>
    %cst_0 = arith.constant dense<1> : tensor<i32>
    %2 = call @_where_2(%1, %cst_0, %arg1) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %3 = tensor.empty() : tensor<6x8xi32>
    %4 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%2 : tensor<i32>) outs(%3 : tensor<6x8xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<6x8xi32>
    %5 = tensor.empty() : tensor<6x8xi32>
    %6 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %4 : tensor<6x8xi32>, tensor<6x8xi32>) outs(%5 : tensor<6x8xi32>) {
    ^bb0(%in: i32, %in_5: i32, %out: i32):
      %c0_i32_6 = arith.constant 0 : i32
      %c0_i32_7 = arith.constant 0 : i32
      %c1_i32 = arith.constant 1 : i32
      %29 = arith.cmpi eq, %in_5, %c0_i32_7 : i32
      %c-2147483648_i32 = arith.constant -2147483648 : i32
      %30 = arith.cmpi eq, %in, %c-2147483648_i32 : i32
      %c-1_i32 = arith.constant -1 : i32
      %31 = arith.cmpi eq, %in_5, %c-1_i32 : i32
      %32 = arith.andi %30, %31 : i1
      %33 = arith.ori %29, %32 : i1
      %34 = arith.select %33, %c1_i32, %in_5 : i32
      %35 = arith.remsi %in, %34 : i32
      %36 = arith.select %32, %c0_i32_6, %35 : i32
      %37 = arith.select %29, %in, %36 : i32
      linalg.yield %37 : i32
    } -> tensor<6x8xi32>
    %cst_1 = arith.constant dense<0> : tensor<i32>
    %7 = tensor.empty() : tensor<6x8xi32>
    %8 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_1 : tensor<i32>) outs(%7 : tensor<6x8xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<6x8xi32>
    %9 = tensor.empty() : tensor<6x8xi1>
    %10 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%6, %8 : tensor<6x8xi32>, tensor<6x8xi32>) outs(%9 : tensor<6x8xi1>) {
    ^bb0(%in: i32, %in_5: i32, %out: i1):
      %29 = arith.cmpi ne, %in, %in_5 : i32
      linalg.yield %29 : i1
    } -> tensor<6x8xi1>
    %cst_2 = arith.constant dense<0> : tensor<i32>
    %11 = tensor.empty() : tensor<6x8xi32>
    %12 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_2 : tensor<i32>) outs(%11 : tensor<6x8xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<6x8xi32>
    %13 = tensor.empty() : tensor<6x8xi1>
    %14 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%6, %12 : tensor<6x8xi32>, tensor<6x8xi32>) outs(%13 : tensor<6x8xi1>) {
    ^bb0(%in: i32, %in_5: i32, %out: i1):
      %29 = arith.cmpi slt, %in, %in_5 : i32
      linalg.yield %29 : i1
    } -> tensor<6x8xi1>
    %cst_3 = arith.constant dense<0> : tensor<i32>
    %15 = tensor.empty() : tensor<i1>
    %c0_i32_4 = arith.constant 0 : i32
    %16 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = []} ins(%2 : tensor<i32>) outs(%15 : tensor<i1>) {
    ^bb0(%in: i32, %out: i1):
      %29 = arith.cmpi slt, %in, %c0_i32_4 : i32
      linalg.yield %29 : i1
    } -> tensor<i1>
    %17 = tensor.empty() : tensor<6x8xi1>
    %18 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%16 : tensor<i1>) outs(%17 : tensor<6x8xi1>) {
    ^bb0(%in: i1, %out: i1):
      linalg.yield %in : i1
    } -> tensor<6x8xi1>
    %19 = tensor.empty() : tensor<6x8xi1>
    %20 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%14, %18 : tensor<6x8xi1>, tensor<6x8xi1>) outs(%19 : tensor<6x8xi1>) {
    ^bb0(%in: i1, %in_5: i1, %out: i1):
      %29 = arith.cmpi ne, %in, %in_5 : i1
      linalg.yield %29 : i1
    } -> tensor<6x8xi1>
    %21 = tensor.empty() : tensor<6x8xi1>
    %22 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%20, %10 : tensor<6x8xi1>, tensor<6x8xi1>) outs(%21 : tensor<6x8xi1>) {
    ^bb0(%in: i1, %in_5: i1, %out: i1):
      %29 = arith.andi %in, %in_5 : i1
      linalg.yield %29 : i1
    } -> tensor<6x8xi1>
    %23 = tensor.empty() : tensor<6x8xi32>
    %24 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%2 : tensor<i32>) outs(%23 : tensor<6x8xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<6x8xi32>
    %25 = tensor.empty() : tensor<6x8xi32>
    %26 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%6, %24 : tensor<6x8xi32>, tensor<6x8xi32>) outs(%25 : tensor<6x8xi32>) {
    ^bb0(%in: i32, %in_5: i32, %out: i32):
      %29 = arith.addi %in, %in_5 : i32
      linalg.yield %29 : i32
    } -> tensor<6x8xi32>
    %27 = tensor.empty() : tensor<6x8xi32>
    %28 = linalg.generic {indexing_maps = [#map, #map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%22, %26, %6 : tensor<6x8xi1>, tensor<6x8xi32>, tensor<6x8xi32>) outs(%27 : tensor<6x8xi32>) {
    ^bb0(%in: i1, %in_5: i32, %in_6: i32, %out: i32):
      %29 = arith.select %in, %in_5, %in_6 : i32
      linalg.yield %29 : i32
    } -> tensor<6x8xi32>
    return %28 : tensor<6x8xi32>
  }
  func.func private @_where_2(%arg0: tensor<i1>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<i32> {
    %0 = tensor.empty() : tensor<i32>
    %1 = linalg.generic {indexing_maps = [#map2, #map2, #map2, #map2], iterator_types = []} ins(%arg0, %arg1, %arg2 : tensor<i1>, tensor<i32>, tensor<i32>) outs(%0 : tensor<i32>) {
    ^bb0(%in: i1, %in_0: i32, %in_1: i32, %out: i32):
      %2 = arith.select %in, %in_0, %in_1 : i32
      linalg.yield %2 : i32
    } -> tensor<i32>
    return %1 : tensor<i32>
  }
}
