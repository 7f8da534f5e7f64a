#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
module @rotate_half {
  func.func public @main(%arg0: tensor<6x4x8xf32>) -> (tensor<6x4x8xf32> {jax.result_info = "result"}) {
    %extracted_slice = tensor.extract_slice %arg0[0, 0, 4] [6, 4, 4] [1, 1, 1] : tensor<6x4x8xf32> to tensor<6x4x4xf32>
    %0 = tensor.empty() : tensor<6x4x4xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%extracted_slice : tensor<6x4x4xf32>) outs(%0 : tensor<6x4x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %4 = arith.negf %in : f32
      linalg.yield %4 : f32
    } -> tensor<6x4x4xf32>
    %extracted_slice_0 = tensor.extract_slice %arg0[0, 0, 0] [6, 4, 4] [1, 1, 1] : tensor<6x4x8xf32> to tensor<6x4x4xf32>
    %c0 = arith.constant 0 : index
    %2 = tensor.empty() : tensor<6x4x8xf32>
    %3 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel", "parallel"]} outs(%2 : tensor<6x4x8xf32>) {
    ^bb0(%out: f32):
      %4 = linalg.index 0 : index
      %5 = linalg.index 1 : index
      %6 = linalg.index 2 : index
      %7 = linalg.index 2 : index
      %c2 = arith.constant 2 : index
      %dim = tensor.dim %1, %c2 : tensor<6x4x4xf32>
      %8 = arith.addi %c0, %dim : index
      %9 = arith.cmpi ult, %7, %8 : index
      %10 = scf.if %9 -> (f32) {
        %11 = arith.subi %7, %c0 : index
        %extracted = tensor.extract %1[%4, %5, %11] : tensor<6x4x4xf32>
        scf.yield %extracted : f32
      } else {
        %11 = arith.subi %7, %8 : index
        %extracted = tensor.extract %extracted_slice_0[%4, %5, %11] : tensor<6x4x4xf32>
        scf.yield %extracted : f32
      }
      linalg.yield %10 : f32
    } -> tensor<6x4x8xf32>
    return %3 : tensor<6x4x8xf32>
  }
}

