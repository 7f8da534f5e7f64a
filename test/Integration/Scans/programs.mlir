// Running reductions in forms without windows.

// In one op: a mask keeps the rows up to each one.
func.func @sums_up_to(%x: tensor<61x3xf32>) -> tensor<61x3xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<61x3xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<61x3xf32>) -> tensor<61x3xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, k)>], iterator_types = ["parallel", "reduction", "parallel"]}
      ins(%x : tensor<61x3xf32>) outs(%i : tensor<61x3xf32>) {
  ^bb0(%v: f32, %a: f32):
    %r = linalg.index 0 : index
    %c = linalg.index 1 : index
    %m = arith.cmpi sge, %r, %c : index
    %s = arith.select %m, %v, %zero : f32
    %t = arith.addf %a, %s : f32
    linalg.yield %t : f32
  } -> tensor<61x3xf32>
  return %y : tensor<61x3xf32>
}

// In two ops: columns are rows of the result, the maxima are of those from each one on.
func.func @maxima_from(%x: tensor<3x61xf32>) -> tensor<61x3xf32> {
  %low = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<61x61x3xf32>
  %masked = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j, k)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x : tensor<3x61xf32>) outs(%e : tensor<61x61x3xf32>) {
  ^bb0(%v: f32, %o: f32):
    %r = linalg.index 0 : index
    %c = linalg.index 1 : index
    %ri = arith.index_cast %r : index to i32
    %ci = arith.index_cast %c : index to i32
    %m = arith.cmpi slt, %ci, %ri : i32
    %s = arith.select %m, %low, %v : f32
    linalg.yield %s : f32
  } -> tensor<61x61x3xf32>
  %f = tensor.empty() : tensor<61x3xf32>
  %i = linalg.fill ins(%low : f32) outs(%f : tensor<61x3xf32>) -> tensor<61x3xf32>
  %y = linalg.reduce { arith.maximumf } ins(%masked : tensor<61x61x3xf32>) outs(%i : tensor<61x3xf32>) dimensions = [1]
  return %y : tensor<61x3xf32>
}

// The rows before each one are no running reduction that is known: partial sums over all rows.
func.func @sums_before(%x: tensor<61x3xf32>) -> tensor<61x3xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<61x3xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<61x3xf32>) -> tensor<61x3xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, k)>], iterator_types = ["parallel", "reduction", "parallel"]}
      ins(%x : tensor<61x3xf32>) outs(%i : tensor<61x3xf32>) {
  ^bb0(%v: f32, %a: f32):
    %r = linalg.index 0 : index
    %c = linalg.index 1 : index
    %m = arith.cmpi sgt, %r, %c : index
    %s = arith.select %m, %v, %zero : f32
    %t = arith.addf %a, %s : f32
    linalg.yield %t : f32
  } -> tensor<61x3xf32>
  return %y : tensor<61x3xf32>
}

// Nor is a mask by something that the sum does not ignore.
func.func @sums_with_ones(%x: tensor<61x3xf32>) -> tensor<61x3xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<61x3xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<61x3xf32>) -> tensor<61x3xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, k)>], iterator_types = ["parallel", "reduction", "parallel"]}
      ins(%x : tensor<61x3xf32>) outs(%i : tensor<61x3xf32>) {
  ^bb0(%v: f32, %a: f32):
    %r = linalg.index 0 : index
    %c = linalg.index 1 : index
    %m = arith.cmpi sge, %r, %c : index
    %s = arith.select %m, %v, %one : f32
    %t = arith.addf %a, %s : f32
    linalg.yield %t : f32
  } -> tensor<61x3xf32>
  return %y : tensor<61x3xf32>
}
