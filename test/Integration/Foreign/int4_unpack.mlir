#map = affine_map<(d0, d1) -> ()>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map4 = affine_map<(d0, d1, d2) -> (d0, d2)>
module @int4_unpack {
  func.func public @main(%arg0: tensor<8x6xui8>, %arg1: tensor<4x12xf32>, %arg2: tensor<3x8xf32>) -> (tensor<3x12xf32> {jax.result_info = "result"}) {
    %0 = builtin.unrealized_conversion_cast %arg0 : tensor<8x6xui8> to tensor<8x6xi8>
    %cst = arith.constant dense<15> : tensor<i8>
    %1 = tensor.empty() : tensor<8x6xi8>
    %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst : tensor<i8>) outs(%1 : tensor<8x6xi8>) {
    ^bb0(%in: i8, %out: i8):
      linalg.yield %in : i8
    } -> tensor<8x6xi8>
    %3 = tensor.empty() : tensor<8x6xi8>
    %4 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%0, %2 : tensor<8x6xi8>, tensor<8x6xi8>) outs(%3 : tensor<8x6xi8>) {
    ^bb0(%in: i8, %in_5: i8, %out: i8):
      %36 = arith.andi %in, %in_5 : i8
      linalg.yield %36 : i8
    } -> tensor<8x6xi8>
    %5 = tensor.empty() : tensor<8x6xi32>
    %6 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%4 : tensor<8x6xi8>) outs(%5 : tensor<8x6xi32>) {
    ^bb0(%in: i8, %out: i32):
      %36 = arith.extui %in : i8 to i32
      linalg.yield %36 : i32
    } -> tensor<8x6xi32>
    %cst_0 = arith.constant dense<8> : tensor<i32>
    %7 = tensor.empty() : tensor<8x6xi32>
    %8 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst_0 : tensor<i32>) outs(%7 : tensor<8x6xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<8x6xi32>
    %9 = tensor.empty() : tensor<8x6xi32>
    %10 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%6, %8 : tensor<8x6xi32>, tensor<8x6xi32>) outs(%9 : tensor<8x6xi32>) {
    ^bb0(%in: i32, %in_5: i32, %out: i32):
      %36 = arith.subi %in, %in_5 : i32
      linalg.yield %36 : i32
    } -> tensor<8x6xi32>
    %cst_1 = arith.constant dense<4> : tensor<i8>
    %11 = tensor.empty() : tensor<8x6xi8>
    %12 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst_1 : tensor<i8>) outs(%11 : tensor<8x6xi8>) {
    ^bb0(%in: i8, %out: i8):
      linalg.yield %in : i8
    } -> tensor<8x6xi8>
    %13 = tensor.empty() : tensor<8x6xi8>
    %14 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%0, %12 : tensor<8x6xi8>, tensor<8x6xi8>) outs(%13 : tensor<8x6xi8>) {
    ^bb0(%in: i8, %in_5: i8, %out: i8):
      %c0_i8 = arith.constant 0 : i8
      %36 = arith.shrui %in, %in_5 : i8
      %c8_i8 = arith.constant 8 : i8
      %37 = arith.cmpi ugt, %c8_i8, %in_5 : i8
      %38 = arith.select %37, %36, %c0_i8 : i8
      linalg.yield %38 : i8
    } -> tensor<8x6xi8>
    %15 = tensor.empty() : tensor<8x6xi32>
    %16 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%14 : tensor<8x6xi8>) outs(%15 : tensor<8x6xi32>) {
    ^bb0(%in: i8, %out: i32):
      %36 = arith.extui %in : i8 to i32
      linalg.yield %36 : i32
    } -> tensor<8x6xi32>
    %cst_2 = arith.constant dense<8> : tensor<i32>
    %17 = tensor.empty() : tensor<8x6xi32>
    %18 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst_2 : tensor<i32>) outs(%17 : tensor<8x6xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<8x6xi32>
    %19 = tensor.empty() : tensor<8x6xi32>
    %20 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%16, %18 : tensor<8x6xi32>, tensor<8x6xi32>) outs(%19 : tensor<8x6xi32>) {
    ^bb0(%in: i32, %in_5: i32, %out: i32):
      %36 = arith.subi %in, %in_5 : i32
      linalg.yield %36 : i32
    } -> tensor<8x6xi32>
    %21 = tensor.empty() : tensor<8x6x1xi32>
    %22 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%10 : tensor<8x6xi32>) outs(%21 : tensor<8x6x1xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<8x6x1xi32>
    %23 = tensor.empty() : tensor<8x6x1xi32>
    %24 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%20 : tensor<8x6xi32>) outs(%23 : tensor<8x6x1xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<8x6x1xi32>
    %c0 = arith.constant 0 : index
    %25 = tensor.empty() : tensor<8x6x2xi32>
    %26 = linalg.generic {indexing_maps = [#map3], iterator_types = ["parallel", "parallel", "parallel"]} outs(%25 : tensor<8x6x2xi32>) {
    ^bb0(%out: i32):
      %36 = linalg.index 0 : index
      %37 = linalg.index 1 : index
      %38 = linalg.index 2 : index
      %39 = linalg.index 2 : index
      %c2 = arith.constant 2 : index
      %dim = tensor.dim %22, %c2 : tensor<8x6x1xi32>
      %40 = arith.addi %c0, %dim : index
      %41 = arith.cmpi ult, %39, %40 : index
      %42 = scf.if %41 -> (i32) {
        %43 = arith.subi %39, %c0 : index
        %extracted = tensor.extract %22[%36, %37, %43] : tensor<8x6x1xi32>
        scf.yield %extracted : i32
      } else {
        %43 = arith.subi %39, %40 : index
        %extracted = tensor.extract %24[%36, %37, %43] : tensor<8x6x1xi32>
        scf.yield %extracted : i32
      }
      linalg.yield %42 : i32
    } -> tensor<8x6x2xi32>
    %collapsed = tensor.collapse_shape %26 [[0], [1, 2]] : tensor<8x6x2xi32> into tensor<8x12xi32>
    %27 = tensor.empty() : tensor<8x12xf32>
    %28 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%collapsed : tensor<8x12xi32>) outs(%27 : tensor<8x12xf32>) {
    ^bb0(%in: i32, %out: f32):
      %36 = arith.sitofp %in : i32 to f32
      linalg.yield %36 : f32
    } -> tensor<8x12xf32>
    %29 = tensor.empty() : tensor<4x2x12xf32>
    %30 = linalg.generic {indexing_maps = [#map4, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg1 : tensor<4x12xf32>) outs(%29 : tensor<4x2x12xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x2x12xf32>
    %collapsed_3 = tensor.collapse_shape %30 [[0, 1], [2]] : tensor<4x2x12xf32> into tensor<8x12xf32>
    %31 = tensor.empty() : tensor<8x12xf32>
    %32 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%28, %collapsed_3 : tensor<8x12xf32>, tensor<8x12xf32>) outs(%31 : tensor<8x12xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %36 = arith.mulf %in, %in_5 : f32
      linalg.yield %36 : f32
    } -> tensor<8x12xf32>
    %33 = tensor.empty() : tensor<3x12xf32>
    %cst_4 = arith.constant 0.000000e+00 : f32
    %34 = linalg.fill ins(%cst_4 : f32) outs(%33 : tensor<3x12xf32>) -> tensor<3x12xf32>
    %35 = linalg.matmul ins(%arg2, %32 : tensor<3x8xf32>, tensor<8x12xf32>) outs(%34 : tensor<3x12xf32>) -> tensor<3x12xf32>
    return %35 : tensor<3x12xf32>
  }
}
