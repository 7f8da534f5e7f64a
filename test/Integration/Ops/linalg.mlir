// A program per op of linalg but convolutions, named by the op. OpSupportTest cuts each dimension of each
// argument, compares with the whole program, and writes docs/reference/OpSupport.md.

func.func @linalg.abs(%a: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %0 = tensor.empty() : tensor<5x6xf32>
  %1 = linalg.abs ins(%a : tensor<5x6xf32>) outs(%0 : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %1 : tensor<5x6xf32>
}

func.func @linalg.ceil(%a: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %0 = tensor.empty() : tensor<5x6xf32>
  %1 = linalg.ceil ins(%a : tensor<5x6xf32>) outs(%0 : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %1 : tensor<5x6xf32>
}

func.func @linalg.erf(%a: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %0 = tensor.empty() : tensor<5x6xf32>
  %1 = linalg.erf ins(%a : tensor<5x6xf32>) outs(%0 : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %1 : tensor<5x6xf32>
}

func.func @linalg.exp(%a: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %0 = tensor.empty() : tensor<5x6xf32>
  %1 = linalg.exp ins(%a : tensor<5x6xf32>) outs(%0 : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %1 : tensor<5x6xf32>
}

func.func @linalg.floor(%a: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %0 = tensor.empty() : tensor<5x6xf32>
  %1 = linalg.floor ins(%a : tensor<5x6xf32>) outs(%0 : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %1 : tensor<5x6xf32>
}

func.func @linalg.log(%a: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %0 = tensor.empty() : tensor<5x6xf32>
  %1 = linalg.log ins(%a : tensor<5x6xf32>) outs(%0 : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %1 : tensor<5x6xf32>
}

func.func @linalg.negf(%a: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %0 = tensor.empty() : tensor<5x6xf32>
  %1 = linalg.negf ins(%a : tensor<5x6xf32>) outs(%0 : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %1 : tensor<5x6xf32>
}

func.func @linalg.reciprocal(%a: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %0 = tensor.empty() : tensor<5x6xf32>
  %1 = linalg.reciprocal ins(%a : tensor<5x6xf32>) outs(%0 : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %1 : tensor<5x6xf32>
}

func.func @linalg.round(%a: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %0 = tensor.empty() : tensor<5x6xf32>
  %1 = linalg.round ins(%a : tensor<5x6xf32>) outs(%0 : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %1 : tensor<5x6xf32>
}

func.func @linalg.rsqrt(%a: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %0 = tensor.empty() : tensor<5x6xf32>
  %1 = linalg.rsqrt ins(%a : tensor<5x6xf32>) outs(%0 : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %1 : tensor<5x6xf32>
}

func.func @linalg.sqrt(%a: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %0 = tensor.empty() : tensor<5x6xf32>
  %1 = linalg.sqrt ins(%a : tensor<5x6xf32>) outs(%0 : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %1 : tensor<5x6xf32>
}

func.func @linalg.square(%a: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %0 = tensor.empty() : tensor<5x6xf32>
  %1 = linalg.square ins(%a : tensor<5x6xf32>) outs(%0 : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %1 : tensor<5x6xf32>
}

func.func @linalg.tanh(%a: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %0 = tensor.empty() : tensor<5x6xf32>
  %1 = linalg.tanh ins(%a : tensor<5x6xf32>) outs(%0 : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %1 : tensor<5x6xf32>
}

func.func @linalg.add(%a: tensor<5x6xf32>, %b: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %0 = tensor.empty() : tensor<5x6xf32>
  %1 = linalg.add ins(%a, %b : tensor<5x6xf32>, tensor<5x6xf32>) outs(%0 : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %1 : tensor<5x6xf32>
}

func.func @linalg.sub(%a: tensor<5x6xf32>, %b: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %0 = tensor.empty() : tensor<5x6xf32>
  %1 = linalg.sub ins(%a, %b : tensor<5x6xf32>, tensor<5x6xf32>) outs(%0 : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %1 : tensor<5x6xf32>
}

func.func @linalg.mul(%a: tensor<5x6xf32>, %b: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %0 = tensor.empty() : tensor<5x6xf32>
  %1 = linalg.mul ins(%a, %b : tensor<5x6xf32>, tensor<5x6xf32>) outs(%0 : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %1 : tensor<5x6xf32>
}

func.func @linalg.div(%a: tensor<5x6xf32>, %b: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %0 = tensor.empty() : tensor<5x6xf32>
  %1 = linalg.div ins(%a, %b : tensor<5x6xf32>, tensor<5x6xf32>) outs(%0 : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %1 : tensor<5x6xf32>
}

func.func @linalg.max(%a: tensor<5x6xf32>, %b: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %0 = tensor.empty() : tensor<5x6xf32>
  %1 = linalg.max ins(%a, %b : tensor<5x6xf32>, tensor<5x6xf32>) outs(%0 : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %1 : tensor<5x6xf32>
}

func.func @linalg.min(%a: tensor<5x6xf32>, %b: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %0 = tensor.empty() : tensor<5x6xf32>
  %1 = linalg.min ins(%a, %b : tensor<5x6xf32>, tensor<5x6xf32>) outs(%0 : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %1 : tensor<5x6xf32>
}

func.func @linalg.powf(%a: tensor<5x6xf32>, %b: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %0 = tensor.empty() : tensor<5x6xf32>
  %1 = linalg.powf ins(%a, %b : tensor<5x6xf32>, tensor<5x6xf32>) outs(%0 : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %1 : tensor<5x6xf32>
}

func.func @linalg.div_unsigned(%a: tensor<5x6xi32>, %b: tensor<5x6xi32>) -> tensor<5x6xi32> {
  %0 = arith.constant dense<1> : tensor<5x6xi32>
  %1 = arith.maxui %b, %0 : tensor<5x6xi32>
  %2 = tensor.empty() : tensor<5x6xi32>
  %3 = linalg.div_unsigned ins(%a, %1 : tensor<5x6xi32>, tensor<5x6xi32>) outs(%2 : tensor<5x6xi32>) -> tensor<5x6xi32>
  return %3 : tensor<5x6xi32>
}

func.func @linalg.select(%a: tensor<5x6xi1>, %b: tensor<5x6xf32>, %c: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %0 = tensor.empty() : tensor<5x6xf32>
  %1 = linalg.select ins(%a, %b, %c : tensor<5x6xi1>, tensor<5x6xf32>, tensor<5x6xf32>) outs(%0 : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %1 : tensor<5x6xf32>
}
func.func @linalg.elementwise(%a: tensor<5x6xf32>, %b: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %0 = tensor.empty() : tensor<5x6xf32>
  %1 = linalg.elementwise kind=#linalg.elementwise_kind<add> ins(%a, %b : tensor<5x6xf32>, tensor<5x6xf32>) outs(%0 : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %1 : tensor<5x6xf32>
}
func.func @linalg.map(%a: tensor<5x6xf32>, %b: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %0 = tensor.empty() : tensor<5x6xf32>
  %1 = linalg.map { arith.mulf } ins(%a, %b : tensor<5x6xf32>, tensor<5x6xf32>) outs(%0 : tensor<5x6xf32>)
  return %1 : tensor<5x6xf32>
}
func.func @linalg.copy(%a: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %0 = tensor.empty() : tensor<5x6xf32>
  %1 = linalg.copy ins(%a : tensor<5x6xf32>) outs(%0 : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %1 : tensor<5x6xf32>
}
func.func @linalg.fill(%a: tensor<5x6xf32>, %b: f32) -> tensor<5x6xf32> {
  %0 = tensor.empty() : tensor<5x6xf32>
  %1 = linalg.fill ins(%b : f32) outs(%0 : tensor<5x6xf32>) -> tensor<5x6xf32>
  %2 = arith.addf %a, %1 : tensor<5x6xf32>
  return %2 : tensor<5x6xf32>
}
func.func @linalg.transpose(%a: tensor<5x6xf32>) -> tensor<6x5xf32> {
  %0 = tensor.empty() : tensor<6x5xf32>
  %1 = linalg.transpose ins(%a : tensor<5x6xf32>) outs(%0 : tensor<6x5xf32>) permutation = [1, 0]
  return %1 : tensor<6x5xf32>
}
func.func @linalg.broadcast(%a: tensor<5x6xf32>) -> tensor<5x3x6xf32> {
  %0 = tensor.empty() : tensor<5x3x6xf32>
  %1 = linalg.broadcast ins(%a : tensor<5x6xf32>) outs(%0 : tensor<5x3x6xf32>) dimensions = [1]
  return %1 : tensor<5x3x6xf32>
}
func.func @linalg.reduce(%a: tensor<5x6xf32>) -> tensor<5xf32> {
  %0 = arith.constant 0.0 : f32
  %1 = tensor.empty() : tensor<5xf32>
  %2 = linalg.fill ins(%0 : f32) outs(%1 : tensor<5xf32>) -> tensor<5xf32>
  %3 = linalg.reduce { arith.addf } ins(%a : tensor<5x6xf32>) outs(%2 : tensor<5xf32>) dimensions = [1]
  return %3 : tensor<5xf32>
}
func.func @linalg.softmax(%a: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %0 = tensor.empty() : tensor<5x6xf32>
  %1 = linalg.softmax dimension(1) ins(%a : tensor<5x6xf32>) outs(%0 : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %1 : tensor<5x6xf32>
}
func.func @linalg.generic(%a: tensor<5x6xf32>, %b: tensor<6x4xf32>) -> tensor<5x4xf32> {
  %0 = arith.constant 0xFF800000 : f32
  %1 = tensor.empty() : tensor<5x4xf32>
  %2 = linalg.fill ins(%0 : f32) outs(%1 : tensor<5x4xf32>) -> tensor<5x4xf32>
  %3 = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<5x6xf32>, tensor<6x4xf32>) outs(%2 : tensor<5x4xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %4 = arith.addf %x, %y : f32
    %5 = arith.maximumf %o, %4 : f32
    linalg.yield %5 : f32
  } -> tensor<5x4xf32>
  return %3 : tensor<5x4xf32>
}
func.func @linalg.index(%a: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %0 = tensor.empty() : tensor<5x6xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%a : tensor<5x6xf32>) outs(%0 : tensor<5x6xf32>) {
  ^bb0(%x: f32, %o: f32):
    %2 = linalg.index 1 : index
    %3 = arith.index_cast %2 : index to i32
    %4 = arith.sitofp %3 : i32 to f32
    %5 = arith.addf %x, %4 : f32
    linalg.yield %5 : f32
  } -> tensor<5x6xf32>
  return %1 : tensor<5x6xf32>
}

func.func @linalg.matmul(%a: tensor<5x6xf32>, %b: tensor<6x4xf32>) -> tensor<5x4xf32> {
  %0 = arith.constant 0.0 : f32
  %1 = tensor.empty() : tensor<5x4xf32>
  %2 = linalg.fill ins(%0 : f32) outs(%1 : tensor<5x4xf32>) -> tensor<5x4xf32>
  %3 = linalg.matmul ins(%a, %b : tensor<5x6xf32>, tensor<6x4xf32>) outs(%2 : tensor<5x4xf32>) -> tensor<5x4xf32>
  return %3 : tensor<5x4xf32>
}

func.func @linalg.batch_matmul(%a: tensor<3x5x6xf32>, %b: tensor<3x6x4xf32>) -> tensor<3x5x4xf32> {
  %0 = arith.constant 0.0 : f32
  %1 = tensor.empty() : tensor<3x5x4xf32>
  %2 = linalg.fill ins(%0 : f32) outs(%1 : tensor<3x5x4xf32>) -> tensor<3x5x4xf32>
  %3 = linalg.batch_matmul ins(%a, %b : tensor<3x5x6xf32>, tensor<3x6x4xf32>) outs(%2 : tensor<3x5x4xf32>) -> tensor<3x5x4xf32>
  return %3 : tensor<3x5x4xf32>
}

func.func @linalg.batch_reduce_matmul(%a: tensor<3x5x6xf32>, %b: tensor<3x6x4xf32>) -> tensor<5x4xf32> {
  %0 = arith.constant 0.0 : f32
  %1 = tensor.empty() : tensor<5x4xf32>
  %2 = linalg.fill ins(%0 : f32) outs(%1 : tensor<5x4xf32>) -> tensor<5x4xf32>
  %3 = linalg.batch_reduce_matmul ins(%a, %b : tensor<3x5x6xf32>, tensor<3x6x4xf32>) outs(%2 : tensor<5x4xf32>) -> tensor<5x4xf32>
  return %3 : tensor<5x4xf32>
}

func.func @linalg.matvec(%a: tensor<5x6xf32>, %b: tensor<6xf32>) -> tensor<5xf32> {
  %0 = arith.constant 0.0 : f32
  %1 = tensor.empty() : tensor<5xf32>
  %2 = linalg.fill ins(%0 : f32) outs(%1 : tensor<5xf32>) -> tensor<5xf32>
  %3 = linalg.matvec ins(%a, %b : tensor<5x6xf32>, tensor<6xf32>) outs(%2 : tensor<5xf32>) -> tensor<5xf32>
  return %3 : tensor<5xf32>
}

func.func @linalg.vecmat(%a: tensor<5xf32>, %b: tensor<5x6xf32>) -> tensor<6xf32> {
  %0 = arith.constant 0.0 : f32
  %1 = tensor.empty() : tensor<6xf32>
  %2 = linalg.fill ins(%0 : f32) outs(%1 : tensor<6xf32>) -> tensor<6xf32>
  %3 = linalg.vecmat ins(%a, %b : tensor<5xf32>, tensor<5x6xf32>) outs(%2 : tensor<6xf32>) -> tensor<6xf32>
  return %3 : tensor<6xf32>
}

func.func @linalg.batch_matvec(%a: tensor<3x5x6xf32>, %b: tensor<3x6xf32>) -> tensor<3x5xf32> {
  %0 = arith.constant 0.0 : f32
  %1 = tensor.empty() : tensor<3x5xf32>
  %2 = linalg.fill ins(%0 : f32) outs(%1 : tensor<3x5xf32>) -> tensor<3x5xf32>
  %3 = linalg.batch_matvec ins(%a, %b : tensor<3x5x6xf32>, tensor<3x6xf32>) outs(%2 : tensor<3x5xf32>) -> tensor<3x5xf32>
  return %3 : tensor<3x5xf32>
}

func.func @linalg.batch_vecmat(%a: tensor<3x5xf32>, %b: tensor<3x5x6xf32>) -> tensor<3x6xf32> {
  %0 = arith.constant 0.0 : f32
  %1 = tensor.empty() : tensor<3x6xf32>
  %2 = linalg.fill ins(%0 : f32) outs(%1 : tensor<3x6xf32>) -> tensor<3x6xf32>
  %3 = linalg.batch_vecmat ins(%a, %b : tensor<3x5xf32>, tensor<3x5x6xf32>) outs(%2 : tensor<3x6xf32>) -> tensor<3x6xf32>
  return %3 : tensor<3x6xf32>
}

func.func @linalg.dot(%a: tensor<6xf32>, %b: tensor<6xf32>) -> tensor<f32> {
  %0 = arith.constant 0.0 : f32
  %1 = tensor.empty() : tensor<f32>
  %2 = linalg.fill ins(%0 : f32) outs(%1 : tensor<f32>) -> tensor<f32>
  %3 = linalg.dot ins(%a, %b : tensor<6xf32>, tensor<6xf32>) outs(%2 : tensor<f32>) -> tensor<f32>
  return %3 : tensor<f32>
}

func.func @linalg.mmt4d(%a: tensor<3x2x4x5xf32>, %b: tensor<6x2x3x5xf32>) -> tensor<3x6x4x3xf32> {
  %0 = arith.constant 0.0 : f32
  %1 = tensor.empty() : tensor<3x6x4x3xf32>
  %2 = linalg.fill ins(%0 : f32) outs(%1 : tensor<3x6x4x3xf32>) -> tensor<3x6x4x3xf32>
  %3 = linalg.mmt4d ins(%a, %b : tensor<3x2x4x5xf32>, tensor<6x2x3x5xf32>) outs(%2 : tensor<3x6x4x3xf32>) -> tensor<3x6x4x3xf32>
  return %3 : tensor<3x6x4x3xf32>
}

func.func @linalg.batch_mmt4d(%a: tensor<2x3x2x4x5xf32>, %b: tensor<2x6x2x3x5xf32>) -> tensor<2x3x6x4x3xf32> {
  %0 = arith.constant 0.0 : f32
  %1 = tensor.empty() : tensor<2x3x6x4x3xf32>
  %2 = linalg.fill ins(%0 : f32) outs(%1 : tensor<2x3x6x4x3xf32>) -> tensor<2x3x6x4x3xf32>
  %3 = linalg.batch_mmt4d ins(%a, %b : tensor<2x3x2x4x5xf32>, tensor<2x6x2x3x5xf32>) outs(%2 : tensor<2x3x6x4x3xf32>) -> tensor<2x3x6x4x3xf32>
  return %3 : tensor<2x3x6x4x3xf32>
}

func.func @linalg.quantized_matmul(%a: tensor<5x6xi8>, %b: tensor<6x4xi8>) -> tensor<5x4xi32> {
  %0 = arith.constant 0 : i32
  %1 = tensor.empty() : tensor<5x4xi32>
  %2 = linalg.fill ins(%0 : i32) outs(%1 : tensor<5x4xi32>) -> tensor<5x4xi32>
  %3 = arith.constant 2 : i32
  %4 = arith.constant -3 : i32
  %5 = linalg.quantized_matmul ins(%a, %b, %3, %4 : tensor<5x6xi8>, tensor<6x4xi8>, i32, i32) outs(%2 : tensor<5x4xi32>) -> tensor<5x4xi32>
  return %5 : tensor<5x4xi32>
}

func.func @linalg.quantized_batch_matmul(%a: tensor<3x5x6xi8>, %b: tensor<3x6x4xi8>) -> tensor<3x5x4xi32> {
  %0 = arith.constant 0 : i32
  %1 = tensor.empty() : tensor<3x5x4xi32>
  %2 = linalg.fill ins(%0 : i32) outs(%1 : tensor<3x5x4xi32>) -> tensor<3x5x4xi32>
  %3 = arith.constant 2 : i32
  %4 = arith.constant -3 : i32
  %5 = linalg.quantized_batch_matmul ins(%a, %b, %3, %4 : tensor<3x5x6xi8>, tensor<3x6x4xi8>, i32, i32) outs(%2 : tensor<3x5x4xi32>) -> tensor<3x5x4xi32>
  return %5 : tensor<3x5x4xi32>
}

func.func @linalg.contract(%a: tensor<5x6xf32>, %b: tensor<4x6xf32>) -> tensor<5x4xf32> {
  %0 = arith.constant 0.0 : f32
  %1 = tensor.empty() : tensor<5x4xf32>
  %2 = linalg.fill ins(%0 : f32) outs(%1 : tensor<5x4xf32>) -> tensor<5x4xf32>
  %3 = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>] ins(%a, %b : tensor<5x6xf32>, tensor<4x6xf32>) outs(%2 : tensor<5x4xf32>) -> tensor<5x4xf32>
  return %3 : tensor<5x4xf32>
}

func.func @linalg.fill_rng_2d(%a: f64, %b: f64, %c: i32) -> tensor<5x6xf32> {
  %0 = tensor.empty() : tensor<5x6xf32>
  %1 = linalg.fill_rng_2d ins(%a, %b, %c : f64, f64, i32) outs(%0 : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %1 : tensor<5x6xf32>
}
func.func @linalg.pack(%a: tensor<6x8xf32>) -> tensor<3x2x2x4xf32> {
  %0 = tensor.empty() : tensor<3x2x2x4xf32>
  %1 = linalg.pack %a inner_dims_pos = [0, 1] inner_tiles = [2, 4] into %0 : tensor<6x8xf32> -> tensor<3x2x2x4xf32>
  return %1 : tensor<3x2x2x4xf32>
}
func.func @linalg.unpack(%a: tensor<3x2x2x4xf32>) -> tensor<6x8xf32> {
  %0 = tensor.empty() : tensor<6x8xf32>
  %1 = linalg.unpack %a inner_dims_pos = [0, 1] inner_tiles = [2, 4] into %0 : tensor<3x2x2x4xf32> -> tensor<6x8xf32>
  return %1 : tensor<6x8xf32>
}
func.func @linalg.winograd_filter_transform(%a: tensor<2x3x3x5xf32>) -> tensor<6x6x5x2xf32> {
  %0 = tensor.empty() : tensor<6x6x5x2xf32>
  %1 = linalg.winograd_filter_transform fmr(F_4_3) ins(%a : tensor<2x3x3x5xf32>) outs(%0 : tensor<6x6x5x2xf32>) -> tensor<6x6x5x2xf32>
  return %1 : tensor<6x6x5x2xf32>
}
func.func @linalg.winograd_input_transform(%a: tensor<2x10x10x5xf32>) -> tensor<6x6x2x2x2x5xf32> {
  %0 = tensor.empty() : tensor<6x6x2x2x2x5xf32>
  %1 = linalg.winograd_input_transform fmr(F_4_3) ins(%a : tensor<2x10x10x5xf32>) outs(%0 : tensor<6x6x2x2x2x5xf32>) -> tensor<6x6x2x2x2x5xf32>
  return %1 : tensor<6x6x2x2x2x5xf32>
}
func.func @linalg.winograd_output_transform(%a: tensor<6x6x2x2x2x2xf32>) -> tensor<2x8x8x2xf32> {
  %e = tensor.empty() : tensor<2x8x8x2xf32>
  %z = arith.constant 0.0 : f32
  %0 = linalg.fill ins(%z : f32) outs(%e : tensor<2x8x8x2xf32>) -> tensor<2x8x8x2xf32>
  %1 = linalg.winograd_output_transform fmr(F_4_3) ins(%a : tensor<6x6x2x2x2x2xf32>) outs(%0 : tensor<2x8x8x2xf32>) -> tensor<2x8x8x2xf32>
  return %1 : tensor<2x8x8x2xf32>
}
