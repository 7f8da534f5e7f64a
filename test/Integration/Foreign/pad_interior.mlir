module @pad_interior {
  func.func public @main(%arg0: tensor<8x3xf32>) -> (tensor<18x3xf32> {jax.result_info = "result"}) {
    %cst = arith.constant dense<1.000000e+00> : tensor<f32>
    %cst_0 = arith.constant 1.000000e+00 : f32
    %0 = tensor.empty() : tensor<18x3xf32>
    %1 = linalg.fill ins(%cst_0 : f32) outs(%0 : tensor<18x3xf32>) -> tensor<18x3xf32>
    %inserted_slice = tensor.insert_slice %arg0 into %1[1, 0] [8, 3] [2, 1] : tensor<8x3xf32> into tensor<18x3xf32>
    return %inserted_slice : tensor<18x3xf32>
  }
}

