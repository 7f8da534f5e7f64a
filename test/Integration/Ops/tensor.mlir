// A program per op of tensor, named by the op. OpSupportTest cuts each dimension of each
// argument, compares with the whole program, and writes docs/reference/OpSupport.md.

func.func @tensor.bitcast(%a: tensor<5x6xf32>) -> tensor<5x6xi32> {
  %0 = tensor.bitcast %a : tensor<5x6xf32> to tensor<5x6xi32>
  return %0 : tensor<5x6xi32>
}
func.func @tensor.collapse_shape(%a: tensor<6x4x3xf32>) -> tensor<24x3xf32> {
  %0 = tensor.collapse_shape %a [[0, 1], [2]] : tensor<6x4x3xf32> into tensor<24x3xf32>
  return %0 : tensor<24x3xf32>
}
func.func @tensor.expand_shape(%a: tensor<24x3xf32>) -> tensor<6x4x3xf32> {
  %0 = tensor.expand_shape %a [[0, 1], [2]] output_shape [6, 4, 3] : tensor<24x3xf32> into tensor<6x4x3xf32>
  return %0 : tensor<6x4x3xf32>
}
func.func @tensor.reshape(%a: tensor<6x4xf32>) -> tensor<8x3xf32> {
  %0 = arith.constant dense<[8, 3]> : tensor<2xi64>
  %1 = tensor.reshape %a(%0) : (tensor<6x4xf32>, tensor<2xi64>) -> tensor<8x3xf32>
  return %1 : tensor<8x3xf32>
}
func.func @tensor.concat(%a: tensor<5x6xf32>, %b: tensor<5x3xf32>) -> tensor<5x9xf32> {
  %0 = tensor.concat dim(1) %a, %b : (tensor<5x6xf32>, tensor<5x3xf32>) -> tensor<5x9xf32>
  return %0 : tensor<5x9xf32>
}
func.func @tensor.dim(%a: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %0 = arith.constant 1 : index
  %1 = tensor.dim %a, %0 : tensor<5x6xf32>
  %2 = arith.index_cast %1 : index to i32
  %3 = arith.sitofp %2 : i32 to f32
  %4 = tensor.splat %3 : tensor<5x6xf32>
  %5 = arith.addf %a, %4 : tensor<5x6xf32>
  return %5 : tensor<5x6xf32>
}
func.func @tensor.empty(%a: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %0 = tensor.empty() : tensor<5x6xf32>
  %1 = linalg.exp ins(%a : tensor<5x6xf32>) outs(%0 : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %1 : tensor<5x6xf32>
}
func.func @tensor.extract(%a: tensor<5x6xf32>, %b: tensor<3xi64>) -> tensor<3x6xf32> {
  %0 = tensor.empty() : tensor<3x6xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%b : tensor<3xi64>) outs(%0 : tensor<3x6xf32>) {
  ^bb0(%x: i64, %o: f32):
    %2 = arith.constant 3 : i64
    %3 = arith.andi %x, %2 : i64
    %4 = arith.index_cast %3 : i64 to index
    %5 = linalg.index 1 : index
    %6 = tensor.extract %a[%4, %5] : tensor<5x6xf32>
    linalg.yield %6 : f32
  } -> tensor<3x6xf32>
  return %1 : tensor<3x6xf32>
}
func.func @tensor.extract_slice(%a: tensor<5x6xf32>) -> tensor<3x2xf32> {
  %0 = tensor.extract_slice %a[1, 1] [3, 2] [1, 2] : tensor<5x6xf32> to tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}
func.func @tensor.from_elements(%a: tensor<5x6xf32>) -> tensor<2xf32> {
  %0 = arith.constant 1 : index
  %1 = tensor.extract %a[%0, %0] : tensor<5x6xf32>
  %2 = arith.addf %1, %1 : f32
  %3 = tensor.from_elements %1, %2 : tensor<2xf32>
  return %3 : tensor<2xf32>
}
func.func @tensor.gather(%a: tensor<5x6xf32>, %b: tensor<3x1xindex>) -> tensor<3x6xf32> {
  %0 = arith.constant dense<3> : tensor<3x1xindex>
  %1 = arith.andi %b, %0 : tensor<3x1xindex>
  %2 = tensor.gather %a[%1] gather_dims([0]) : (tensor<5x6xf32>, tensor<3x1xindex>) -> tensor<3x6xf32>
  return %2 : tensor<3x6xf32>
}
func.func @tensor.generate(%a: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %0 = tensor.generate {
  ^bb0(%i: index, %j: index):
    %2 = arith.addi %i, %j : index
    %3 = arith.index_cast %2 : index to i32
    %4 = arith.sitofp %3 : i32 to f32
    tensor.yield %4 : f32
  } : tensor<5x6xf32>
  %1 = arith.mulf %a, %0 : tensor<5x6xf32>
  return %1 : tensor<5x6xf32>
}
func.func @tensor.insert(%a: tensor<5x6xf32>, %b: f32) -> tensor<5x6xf32> {
  %0 = arith.constant 2 : index
  %1 = tensor.insert %b into %a[%0, %0] : tensor<5x6xf32>
  return %1 : tensor<5x6xf32>
}
func.func @tensor.insert_slice(%a: tensor<5x6xf32>, %b: tensor<3x2xf32>) -> tensor<5x6xf32> {
  %0 = tensor.insert_slice %b into %a[1, 1] [3, 2] [1, 1] : tensor<3x2xf32> into tensor<5x6xf32>
  return %0 : tensor<5x6xf32>
}
func.func @tensor.pad(%a: tensor<5x6xf32>) -> tensor<6x9xf32> {
  %0 = arith.constant 1.0 : f32
  %1 = tensor.pad %a low[0, 1] high[1, 2] {
  ^bb0(%i: index, %j: index):
    tensor.yield %0 : f32
  } : tensor<5x6xf32> to tensor<6x9xf32>
  return %1 : tensor<6x9xf32>
}
func.func @tensor.rank(%a: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %0 = tensor.rank %a : tensor<5x6xf32>
  %1 = arith.index_cast %0 : index to i32
  %2 = arith.sitofp %1 : i32 to f32
  %3 = tensor.splat %2 : tensor<5x6xf32>
  %4 = arith.addf %a, %3 : tensor<5x6xf32>
  return %4 : tensor<5x6xf32>
}
func.func @tensor.scatter(%a: tensor<3x1x6xf32>, %b: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %0 = arith.constant dense<[[4], [0], [2]]> : tensor<3x1xindex>
  %1 = tensor.scatter %a into %b[%0] scatter_dims([0]) unique : (tensor<3x1x6xf32>, tensor<5x6xf32>, tensor<3x1xindex>) -> tensor<5x6xf32>
  return %1 : tensor<5x6xf32>
}
func.func @tensor.splat(%a: tensor<5x6xf32>, %b: f32) -> tensor<5x6xf32> {
  %0 = tensor.splat %b : tensor<5x6xf32>
  %1 = arith.mulf %a, %0 : tensor<5x6xf32>
  return %1 : tensor<5x6xf32>
}
