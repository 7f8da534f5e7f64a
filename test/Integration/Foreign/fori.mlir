#map = affine_map<() -> ()>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
module @fori {
  func.func public @main(%arg0: tensor<4x8xf32>, %arg1: tensor<8x8xf32>) -> (tensor<4x8xf32> {jax.result_info = "result"}) {
    %cst = arith.constant dense<0> : tensor<i32>
    %0:3 = scf.while (%arg2 = %arg1, %arg3 = %cst, %arg4 = %arg0) : (tensor<8x8xf32>, tensor<i32>, tensor<4x8xf32>) -> (tensor<8x8xf32>, tensor<i32>, tensor<4x8xf32>) {
      %cst_0 = arith.constant dense<4> : tensor<i32>
      %1 = tensor.empty() : tensor<i1>
      %c4_i32 = arith.constant 4 : i32
      %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%arg3 : tensor<i32>) outs(%1 : tensor<i1>) {
      ^bb0(%in: i32, %out: i1):
        %3 = arith.cmpi slt, %in, %c4_i32 : i32
        linalg.yield %3 : i1
      } -> tensor<i1>
      %extracted = tensor.extract %2[] : tensor<i1>
      scf.condition(%extracted) %arg2, %arg3, %arg4 : tensor<8x8xf32>, tensor<i32>, tensor<4x8xf32>
    } do {
    ^bb0(%arg2: tensor<8x8xf32>, %arg3: tensor<i32>, %arg4: tensor<4x8xf32>):
      %1 = func.call @closed_call(%arg2, %arg4) : (tensor<8x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
      %cst_0 = arith.constant dense<1> : tensor<i32>
      %2 = tensor.empty() : tensor<i32>
      %c1_i32 = arith.constant 1 : i32
      %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%arg3 : tensor<i32>) outs(%2 : tensor<i32>) {
      ^bb0(%in: i32, %out: i32):
        %4 = arith.addi %in, %c1_i32 : i32
        linalg.yield %4 : i32
      } -> tensor<i32>
      scf.yield %arg2, %3, %1 : tensor<8x8xf32>, tensor<i32>, tensor<4x8xf32>
    }
    return %0#2 : tensor<4x8xf32>
  }
  func.func private @closed_call(%arg0: tensor<8x8xf32>, %arg1: tensor<4x8xf32>) -> tensor<4x8xf32> {
    %0 = tensor.empty() : tensor<4x8xf32>
    %cst = arith.constant 0.000000e+00 : f32
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<4x8xf32>) -> tensor<4x8xf32>
    %2 = linalg.matmul ins(%arg1, %arg0 : tensor<4x8xf32>, tensor<8x8xf32>) outs(%1 : tensor<4x8xf32>) -> tensor<4x8xf32>
    %3 = tensor.empty() : tensor<4x8xf32>
    %4 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%2 : tensor<4x8xf32>) outs(%3 : tensor<4x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %5 = math.tanh %in : f32
      linalg.yield %5 : f32
    } -> tensor<4x8xf32>
    return %4 : tensor<4x8xf32>
  }
}

