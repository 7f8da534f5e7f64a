#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
module @even_odd {
  func.func public @main(%arg0: tensor<4x16xf32>) -> (tensor<4x16xf32> {jax.result_info = "result"}) {
    %extracted_slice = tensor.extract_slice %arg0[0, 0] [4, 8] [1, 2] : tensor<4x16xf32> to tensor<4x8xf32>
    %extracted_slice_0 = tensor.extract_slice %arg0[0, 1] [4, 8] [1, 2] : tensor<4x16xf32> to tensor<4x8xf32>
    %0 = tensor.empty() : tensor<4x8xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice_0 : tensor<4x8xf32>) outs(%0 : tensor<4x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %8 = arith.negf %in : f32
      linalg.yield %8 : f32
    } -> tensor<4x8xf32>
    %2 = tensor.empty() : tensor<4x8x1xf32>
    %3 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%extracted_slice : tensor<4x8xf32>) outs(%2 : tensor<4x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x8x1xf32>
    %4 = tensor.empty() : tensor<4x8x1xf32>
    %5 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1 : tensor<4x8xf32>) outs(%4 : tensor<4x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x8x1xf32>
    %c0 = arith.constant 0 : index
    %6 = tensor.empty() : tensor<4x8x2xf32>
    %7 = linalg.generic {indexing_maps = [#map2], iterator_types = ["parallel", "parallel", "parallel"]} outs(%6 : tensor<4x8x2xf32>) {
    ^bb0(%out: f32):
      %8 = linalg.index 0 : index
      %9 = linalg.index 1 : index
      %10 = linalg.index 2 : index
      %11 = linalg.index 2 : index
      %c2 = arith.constant 2 : index
      %dim = tensor.dim %3, %c2 : tensor<4x8x1xf32>
      %12 = arith.addi %c0, %dim : index
      %13 = arith.cmpi ult, %11, %12 : index
      %14 = scf.if %13 -> (f32) {
        %15 = arith.subi %11, %c0 : index
        %extracted = tensor.extract %3[%8, %9, %15] : tensor<4x8x1xf32>
        scf.yield %extracted : f32
      } else {
        %15 = arith.subi %11, %12 : index
        %extracted = tensor.extract %5[%8, %9, %15] : tensor<4x8x1xf32>
        scf.yield %extracted : f32
      }
      linalg.yield %14 : f32
    } -> tensor<4x8x2xf32>
    %collapsed = tensor.collapse_shape %7 [[0], [1, 2]] : tensor<4x8x2xf32> into tensor<4x16xf32>
    return %collapsed : tensor<4x16xf32>
  }
}

