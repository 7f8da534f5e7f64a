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

// The rows before each one.
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

// As a loop that carries a row.
func.func @sums_in_a_loop(%x: tensor<203x3xf32>, %begin: tensor<3xf32>) -> (tensor<203x3xf32>, tensor<3xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 203 : index
  %e = tensor.empty() : tensor<203x3xf32>
  %f = tensor.empty() : tensor<3xf32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %begin, %y = %e) -> (tensor<3xf32>, tensor<203x3xf32>) {
    %row = tensor.extract_slice %x[%i, 0] [1, 3] [1, 1] : tensor<203x3xf32> to tensor<3xf32>
    %s = linalg.add ins(%a, %row : tensor<3xf32>, tensor<3xf32>) outs(%f : tensor<3xf32>) -> tensor<3xf32>
    %z = tensor.insert_slice %s into %y[%i, 0] [1, 3] [1, 1] : tensor<3xf32> into tensor<203x3xf32>
    scf.yield %s, %z : tensor<3xf32>, tensor<203x3xf32>
  }
  return %r#1, %r#0 : tensor<203x3xf32>, tensor<3xf32>
}

// From the last row to the first, rows being columns, and a sum of numbers beside it.
func.func @maxima_in_a_loop(%x: tensor<3x203xf32>, %v: tensor<203xi32>) -> (tensor<3x203xf32>, tensor<203xi32>, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %last = arith.constant 202 : index
  %n = arith.constant 203 : index
  %zero = arith.constant 5 : i32
  %low = arith.constant dense<0xFF800000> : tensor<3xf32>
  %e = tensor.empty() : tensor<3x203xf32>
  %f = tensor.empty() : tensor<203xi32>
  %r:4 = scf.for %i = %c0 to %n step %c1 iter_args(%y = %e, %m = %low, %t = %zero, %w = %f) -> (tensor<3x203xf32>, tensor<3xf32>, i32, tensor<203xi32>) {
    %j = arith.subi %last, %i : index
    %row = tensor.extract_slice %x[0, %j] [3, 1] [1, 1] : tensor<3x203xf32> to tensor<3xf32>
    %s = arith.maximumf %row, %m : tensor<3xf32>
    %z = tensor.insert_slice %s into %y[0, %j] [3, 1] [1, 1] : tensor<3xf32> into tensor<3x203xf32>
    %u = tensor.extract %v[%i] : tensor<203xi32>
    %nt = arith.addi %t, %u : i32
    %k = tensor.insert %nt into %w[%i] : tensor<203xi32>
    scf.yield %z, %s, %nt, %k : tensor<3x203xf32>, tensor<3xf32>, i32, tensor<203xi32>
  }
  return %r#0, %r#3, %r#2 : tensor<3x203xf32>, tensor<203xi32>, i32
}

// What is noted before it is added.
func.func @sums_noted_before(%x: tensor<61x3xf32>) -> tensor<61x3xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 61 : index
  %begin = arith.constant dense<0.0> : tensor<3xf32>
  %e = tensor.empty() : tensor<61x3xf32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %begin, %y = %e) -> (tensor<3xf32>, tensor<61x3xf32>) {
    %row = tensor.extract_slice %x[%i, 0] [1, 3] [1, 1] : tensor<61x3xf32> to tensor<3xf32>
    %s = arith.addf %a, %row : tensor<3xf32>
    %z = tensor.insert_slice %a into %y[%i, 0] [1, 3] [1, 1] : tensor<3xf32> into tensor<61x3xf32>
    scf.yield %s, %z : tensor<3xf32>, tensor<61x3xf32>
  }
  return %r#1 : tensor<61x3xf32>
}

// What is carried is scaled: a loop.
func.func @decays_in_a_loop(%x: tensor<61x3xf32>) -> tensor<61x3xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 61 : index
  %begin = arith.constant dense<0.0> : tensor<3xf32>
  %half = arith.constant dense<0.5> : tensor<3xf32>
  %e = tensor.empty() : tensor<61x3xf32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %begin, %y = %e) -> (tensor<3xf32>, tensor<61x3xf32>) {
    %row = tensor.extract_slice %x[%i, 0] [1, 3] [1, 1] : tensor<61x3xf32> to tensor<3xf32>
    %h = arith.mulf %a, %half : tensor<3xf32>
    %s = arith.addf %h, %row : tensor<3xf32>
    %z = tensor.insert_slice %s into %y[%i, 0] [1, 3] [1, 1] : tensor<3xf32> into tensor<61x3xf32>
    scf.yield %s, %z : tensor<3xf32>, tensor<61x3xf32>
  }
  return %r#1 : tensor<61x3xf32>
}
