#map = affine_map<(d0, d1) -> (d0, d1)>
module @roll {
  func.func public @main(%arg0: tensor<8x3xf32>) -> (tensor<8x3xf32> {jax.result_info = "result"}) {
    %0 = call @_roll_static(%arg0) : (tensor<8x3xf32>) -> tensor<8x3xf32>
    return %0 : tensor<8x3xf32>
  }
  func.func private @_roll_static(%arg0: tensor<8x3xf32>) -> tensor<8x3xf32> {
    %extracted_slice = tensor.extract_slice %arg0[5, 0] [3, 3] [1, 1] : tensor<8x3xf32> to tensor<3x3xf32>
    %extracted_slice_0 = tensor.extract_slice %arg0[0, 0] [5, 3] [1, 1] : tensor<8x3xf32> to tensor<5x3xf32>
    %c0 = arith.constant 0 : index
    %0 = tensor.empty() : tensor<8x3xf32>
    %1 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel"]} outs(%0 : tensor<8x3xf32>) {
    ^bb0(%out: f32):
      %2 = linalg.index 0 : index
      %3 = linalg.index 1 : index
      %4 = linalg.index 0 : index
      %c0_1 = arith.constant 0 : index
      %dim = tensor.dim %extracted_slice, %c0_1 : tensor<3x3xf32>
      %5 = arith.addi %c0, %dim : index
      %6 = arith.cmpi ult, %4, %5 : index
      %7 = scf.if %6 -> (f32) {
        %8 = arith.subi %4, %c0 : index
        %extracted = tensor.extract %extracted_slice[%8, %3] : tensor<3x3xf32>
        scf.yield %extracted : f32
      } else {
        %8 = arith.subi %4, %5 : index
        %extracted = tensor.extract %extracted_slice_0[%8, %3] : tensor<5x3xf32>
        scf.yield %extracted : f32
      }
      linalg.yield %7 : f32
    } -> tensor<8x3xf32>
    return %1 : tensor<8x3xf32>
  }
}

