#map = affine_map<(d0) -> ()>
#map1 = affine_map<(d0) -> (d0)>
#map2 = affine_map<(d0, d1) -> (d0)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0, d1) -> ()>
#map5 = affine_map<(d0, d1) -> (d1)>
#map6 = affine_map<(d0, d1) -> (0, d1)>
module @take {
  func.func public @main(%arg0: tensor<16x4xf32>, %arg1: tensor<5xi32>) -> (tensor<5x4xf32> {jax.result_info = "result"}) {
    %0 = call @_take(%arg0, %arg1) : (tensor<16x4xf32>, tensor<5xi32>) -> tensor<5x4xf32>
    return %0 : tensor<5x4xf32>
  }
  func.func private @_take(%arg0: tensor<16x4xf32>, %arg1: tensor<5xi32>) -> tensor<5x4xf32> {
    %cst = arith.constant dense<0> : tensor<i32>
    %0 = tensor.empty() : tensor<5xi32>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel"]} ins(%cst : tensor<i32>) outs(%0 : tensor<5xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<5xi32>
    %2 = tensor.empty() : tensor<5xi1>
    %3 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel"]} ins(%arg1, %1 : tensor<5xi32>, tensor<5xi32>) outs(%2 : tensor<5xi1>) {
    ^bb0(%in: i32, %in_5: i32, %out: i1):
      %34 = arith.cmpi slt, %in, %in_5 : i32
      linalg.yield %34 : i1
    } -> tensor<5xi1>
    %cst_0 = arith.constant dense<16> : tensor<i32>
    %4 = tensor.empty() : tensor<5xi32>
    %5 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel"]} ins(%cst_0 : tensor<i32>) outs(%4 : tensor<5xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<5xi32>
    %6 = tensor.empty() : tensor<5xi32>
    %7 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel"]} ins(%arg1, %5 : tensor<5xi32>, tensor<5xi32>) outs(%6 : tensor<5xi32>) {
    ^bb0(%in: i32, %in_5: i32, %out: i32):
      %34 = arith.addi %in, %in_5 : i32
      linalg.yield %34 : i32
    } -> tensor<5xi32>
    %8 = call @_where(%3, %7, %arg1) : (tensor<5xi1>, tensor<5xi32>, tensor<5xi32>) -> tensor<5xi32>
    %9 = tensor.empty() : tensor<5x1xi32>
    %10 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel"]} ins(%8 : tensor<5xi32>) outs(%9 : tensor<5x1xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<5x1xi32>
    %cst_1 = arith.constant dense<15> : tensor<1xi32>
    %cst_2 = arith.constant dense<0> : tensor<i32>
    %11 = tensor.empty() : tensor<5x1xi32>
    %12 = linalg.generic {indexing_maps = [#map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%cst_2 : tensor<i32>) outs(%11 : tensor<5x1xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<5x1xi32>
    %13 = tensor.empty() : tensor<5x1xi1>
    %14 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%10, %12 : tensor<5x1xi32>, tensor<5x1xi32>) outs(%13 : tensor<5x1xi1>) {
    ^bb0(%in: i32, %in_5: i32, %out: i1):
      %34 = arith.cmpi sge, %in, %in_5 : i32
      linalg.yield %34 : i1
    } -> tensor<5x1xi1>
    %15 = tensor.empty() : tensor<1x1xi32>
    %16 = linalg.generic {indexing_maps = [#map5, #map3], iterator_types = ["parallel", "parallel"]} ins(%cst_1 : tensor<1xi32>) outs(%15 : tensor<1x1xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<1x1xi32>
    %17 = tensor.empty() : tensor<5x1xi32>
    %18 = linalg.generic {indexing_maps = [#map6, #map3], iterator_types = ["parallel", "parallel"]} ins(%16 : tensor<1x1xi32>) outs(%17 : tensor<5x1xi32>) {
    ^bb0(%in: i32, %out: i32):
      linalg.yield %in : i32
    } -> tensor<5x1xi32>
    %19 = tensor.empty() : tensor<5x1xi1>
    %20 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%10, %18 : tensor<5x1xi32>, tensor<5x1xi32>) outs(%19 : tensor<5x1xi1>) {
    ^bb0(%in: i32, %in_5: i32, %out: i1):
      %34 = arith.cmpi sle, %in, %in_5 : i32
      linalg.yield %34 : i1
    } -> tensor<5x1xi1>
    %21 = tensor.empty() : tensor<5x1xi1>
    %22 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%14, %20 : tensor<5x1xi1>, tensor<5x1xi1>) outs(%21 : tensor<5x1xi1>) {
    ^bb0(%in: i1, %in_5: i1, %out: i1):
      %34 = arith.andi %in, %in_5 : i1
      linalg.yield %34 : i1
    } -> tensor<5x1xi1>
    %cst_3 = arith.constant dense<true> : tensor<i1>
    %true = arith.constant true
    %23 = tensor.empty() : tensor<5xi1>
    %24 = linalg.fill ins(%true : i1) outs(%23 : tensor<5xi1>) -> tensor<5xi1>
    %25 = linalg.generic {indexing_maps = [#map3, #map2], iterator_types = ["parallel", "reduction"]} ins(%22 : tensor<5x1xi1>) outs(%24 : tensor<5xi1>) {
    ^bb0(%in: i1, %out: i1):
      %from_elements = tensor.from_elements %in : tensor<i1>
      %from_elements_5 = tensor.from_elements %out : tensor<i1>
      %extracted = tensor.extract %from_elements_5[] : tensor<i1>
      %extracted_6 = tensor.extract %from_elements[] : tensor<i1>
      %34 = arith.andi %extracted, %extracted_6 : i1
      %from_elements_7 = tensor.from_elements %34 : tensor<i1>
      %extracted_8 = tensor.extract %from_elements_7[] : tensor<i1>
      linalg.yield %extracted_8 : i1
    } -> tensor<5xi1>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %26 = tensor.empty() : tensor<5x4xf32>
    %27 = linalg.generic {indexing_maps = [#map3], iterator_types = ["parallel", "parallel"]} outs(%26 : tensor<5x4xf32>) {
    ^bb0(%out: f32):
      %34 = linalg.index 0 : index
      %35 = linalg.index 1 : index
      %extracted = tensor.extract %10[%34, %c0] : tensor<5x1xi32>
      %36 = arith.index_cast %extracted : i32 to index
      %c0_5 = arith.constant 0 : index
      %c16 = arith.constant 16 : index
      %c15 = arith.constant 15 : index
      %37 = arith.maxsi %c0, %36 : index
      %38 = arith.minsi %37, %c15 : index
      %c1_6 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %extracted_7 = tensor.extract %arg0[%38, %35] : tensor<16x4xf32>
      linalg.yield %extracted_7 : f32
    } -> tensor<5x4xf32>
    %28 = tensor.empty() : tensor<5x4xi1>
    %29 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel"]} ins(%25 : tensor<5xi1>) outs(%28 : tensor<5x4xi1>) {
    ^bb0(%in: i1, %out: i1):
      linalg.yield %in : i1
    } -> tensor<5x4xi1>
    %cst_4 = arith.constant dense<0x7FC00000> : tensor<f32>
    %30 = tensor.empty() : tensor<5x4xf32>
    %31 = linalg.generic {indexing_maps = [#map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%cst_4 : tensor<f32>) outs(%30 : tensor<5x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<5x4xf32>
    %32 = tensor.empty() : tensor<5x4xf32>
    %33 = linalg.generic {indexing_maps = [#map3, #map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%29, %27, %31 : tensor<5x4xi1>, tensor<5x4xf32>, tensor<5x4xf32>) outs(%32 : tensor<5x4xf32>) {
    ^bb0(%in: i1, %in_5: f32, %in_6: f32, %out: f32):
      %34 = arith.select %in, %in_5, %in_6 : f32
      linalg.yield %34 : f32
    } -> tensor<5x4xf32>
    return %33 : tensor<5x4xf32>
  }
  func.func private @_where(%arg0: tensor<5xi1>, %arg1: tensor<5xi32>, %arg2: tensor<5xi32>) -> tensor<5xi32> {
    %0 = tensor.empty() : tensor<5xi32>
    %1 = linalg.generic {indexing_maps = [#map1, #map1, #map1, #map1], iterator_types = ["parallel"]} ins(%arg0, %arg1, %arg2 : tensor<5xi1>, tensor<5xi32>, tensor<5xi32>) outs(%0 : tensor<5xi32>) {
    ^bb0(%in: i1, %in_0: i32, %in_1: i32, %out: i32):
      %2 = arith.select %in, %in_0, %in_1 : i32
      linalg.yield %2 : i32
    } -> tensor<5xi32>
    return %1 : tensor<5xi32>
  }
}

