// Loops of kernels that are joined or shared out compute what the interpreter does, whatever indices operands have:
// whole dimensions, constants, sums.
// RUN: for f in broadcast sums offset constants plain reduced; do tp-run %s --plan replicated --mesh tp=1 --entry $f > %t.compiled && tp-run %s --plan replicated --mesh tp=1 --entry $f --interpret > %t.interpreted && diff %t.compiled %t.interpreted || exit 1; done

func.func @broadcast(%x: tensor<1x4xf32>) -> tensor<3x4xf32> {
  %e = tensor.empty() : tensor<3x4xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(j, k) -> (0, k)>, affine_map<(j, k) -> (j, k)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<1x4xf32>) outs(%e : tensor<3x4xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}

func.func @sums(%x: tensor<5x6xf32>, %y: tensor<5x5x2xf32>) -> tensor<5x5x2xf32> {
  %e = tensor.empty() : tensor<5x5x2xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j + k)>, affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (i, j, k)>],
                       iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %y : tensor<5x6xf32>, tensor<5x5x2xf32>) outs(%e : tensor<5x5x2xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.maximumf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<5x5x2xf32>
  return %r : tensor<5x5x2xf32>
}

func.func @offset(%x: tensor<4xf32>, %y: tensor<2x3x5xf32>) -> tensor<2x3x5xf32> {
  %e = tensor.empty() : tensor<2x3x5xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (j + 1)>, affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (i, j, k)>],
                       iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %y : tensor<4xf32>, tensor<2x3x5xf32>) outs(%e : tensor<2x3x5xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.maximumf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<2x3x5xf32>
  return %r : tensor<2x3x5xf32>
}

func.func @constants(%x: tensor<5x3x5xf64>, %y: tensor<5x3x4xf64>) -> tensor<5x3xf64> {
  %e = tensor.empty() : tensor<5x3xf64>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j, 2)>, affine_map<(i, j) -> (i, j, 1)>, affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : tensor<5x3x5xf64>, tensor<5x3x4xf64>) outs(%e : tensor<5x3xf64>) {
  ^bb0(%a: f64, %b: f64, %o: f64):
    %0 = arith.maximumf %a, %b : f64
    linalg.yield %0 : f64
  } -> tensor<5x3xf64>
  return %r : tensor<5x3xf64>
}

// Joined: a bias over the last dimensions, a scalar, a transpose beside it.
func.func @plain(%x: tensor<4x5x6x3xf32>, %b: tensor<6x3xf32>, %s: tensor<f32>, %t: tensor<5x4x6x3xf32>) -> tensor<4x5x6x3xf32> {
  %e = tensor.empty() : tensor<4x5x6x3xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j, k, l) -> (i, j, k, l)>, affine_map<(i, j, k, l) -> (k, l)>, affine_map<(i, j, k, l) -> ()>,
                                        affine_map<(i, j, k, l) -> (j, i, k, l)>, affine_map<(i, j, k, l) -> (i, j, k, l)>],
                       iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%x, %b, %s, %t : tensor<4x5x6x3xf32>, tensor<6x3xf32>, tensor<f32>, tensor<5x4x6x3xf32>) outs(%e : tensor<4x5x6x3xf32>) {
  ^bb0(%0: f32, %1: f32, %2: f32, %3: f32, %o: f32):
    %4 = arith.maximumf %0, %1 : f32
    %5 = arith.minimumf %4, %2 : f32
    %6 = arith.maximumf %5, %3 : f32
    linalg.yield %6 : f32
  } -> tensor<4x5x6x3xf32>
  return %r : tensor<4x5x6x3xf32>
}

func.func @reduced(%x: tensor<4x5x6x3xf32>, %y: tensor<5x6x3xf32>) -> tensor<5x6x3xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i, j, k, l) -> (i, j, k, l)>, affine_map<(i, j, k, l) -> (j, k, l)>],
                       iterator_types = ["reduction", "parallel", "parallel", "parallel"]}
      ins(%x : tensor<4x5x6x3xf32>) outs(%y : tensor<5x6x3xf32>) {
  ^bb0(%0: f32, %o: f32):
    %1 = arith.maximumf %0, %o : f32
    linalg.yield %1 : f32
  } -> tensor<5x6x3xf32>
  return %r : tensor<5x6x3xf32>
}
