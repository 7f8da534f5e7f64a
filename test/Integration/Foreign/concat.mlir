#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> ()>
module @concat {
  func.func public @main(%arg0: tensor<4x3xf32>, %arg1: tensor<8x3xf32>) -> (tensor<12x3xf32> {jax.result_info = "result"}) {
    %c0 = arith.constant 0 : index
    %0 = tensor.empty() : tensor<12x3xf32>
    %1 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel"]} outs(%0 : tensor<12x3xf32>) {
    ^bb0(%out: f32):
      %6 = linalg.index 0 : index
      %7 = linalg.index 1 : index
      %8 = linalg.index 0 : index
      %c0_0 = arith.constant 0 : index
      %dim = tensor.dim %arg0, %c0_0 : tensor<4x3xf32>
      %9 = arith.addi %c0, %dim : index
      %10 = arith.cmpi ult, %8, %9 : index
      %11 = scf.if %10 -> (f32) {
        %12 = arith.subi %8, %c0 : index
        %extracted = tensor.extract %arg0[%12, %7] : tensor<4x3xf32>
        scf.yield %extracted : f32
      } else {
        %12 = arith.subi %8, %9 : index
        %extracted = tensor.extract %arg1[%12, %7] : tensor<8x3xf32>
        scf.yield %extracted : f32
      }
      linalg.yield %11 : f32
    } -> tensor<12x3xf32>
    %cst = arith.constant dense<1.000000e+00> : tensor<f32>
    %2 = tensor.empty() : tensor<12x3xf32>
    %3 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%cst : tensor<f32>) outs(%2 : tensor<12x3xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<12x3xf32>
    %4 = tensor.empty() : tensor<12x3xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%1, %3 : tensor<12x3xf32>, tensor<12x3xf32>) outs(%4 : tensor<12x3xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %6 = arith.addf %in, %in_0 : f32
      linalg.yield %6 : f32
    } -> tensor<12x3xf32>
    return %5 : tensor<12x3xf32>
  }
}

