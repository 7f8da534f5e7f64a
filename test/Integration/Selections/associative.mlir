// Reductions by no kind that are composed of blocks. test/Python/test_associative.py cuts what they reduce.

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#v = affine_map<(i) -> (i)>
#s = affine_map<(i) -> ()>

// A sum, a maximum and the first of the largest: each by itself.
func.func @sum_and_max(%x: tensor<3x43xf32>) -> (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xi32>) {
  %zero = arith.constant dense<0.0> : tensor<3xf32>
  %low = arith.constant dense<0xFF800000> : tensor<3xf32>
  %none = arith.constant dense<-1> : tensor<3xi32>
  %r:4 = linalg.generic {indexing_maps = [#id, #row, #row, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<3x43xf32>) outs(%zero, %low, %low, %none : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xi32>) {
  ^bb0(%a: f32, %t: f32, %m: f32, %b: f32, %bi: i32):
    %q = arith.mulf %a, %a : f32
    %nt = arith.addf %t, %q : f32
    %nm = arith.maximumf %m, %a : f32
    %j = linalg.index 1 : index
    %k = arith.index_cast %j : index to i32
    %gt = arith.cmpf ogt, %a, %b : f32
    %nb = arith.select %gt, %a, %b : f32
    %nbi = arith.select %gt, %k, %bi : i32
    linalg.yield %nt, %nm, %nb, %nbi : f32, f32, f32, i32
  } -> (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xi32>)
  return %r#0, %r#1, %r#2, %r#3 : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xi32>
}

// A softmax in one pass, weighted rows with it.
func.func @online_softmax(%x: tensor<3x43xf32>, %w: tensor<43xf32>) -> (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) {
  %zero = arith.constant dense<0.0> : tensor<3xf32>
  %low = arith.constant dense<0xFF800000> : tensor<3xf32>
  %r:3 = linalg.generic {indexing_maps = [#id, affine_map<(i, j) -> (j)>, #row, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x, %w : tensor<3x43xf32>, tensor<43xf32>) outs(%low, %zero, %zero : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) {
  ^bb0(%a: f32, %u: f32, %m: f32, %t: f32, %o: f32):
    %n = arith.maximumf %m, %a : f32
    %dm = arith.subf %m, %n : f32
    %c = math.exp %dm : f32
    %da = arith.subf %a, %n : f32
    %p = math.exp %da : f32
    %tc = arith.mulf %t, %c : f32
    %nt = arith.addf %tc, %p : f32
    %oc = arith.mulf %c, %o : f32
    %pu = arith.mulf %p, %u : f32
    %no = arith.addf %pu, %oc : f32
    linalg.yield %n, %nt, %no : f32, f32, f32
  } -> (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>)
  return %r#0, %r#1, %r#2 : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>
}

// The logarithm of a sum of exponentials: infinity less itself is NaN.
func.func @log_sum(%x: tensor<3x43xf32>) -> tensor<3xf32> {
  %low = arith.constant dense<0xFF800000> : tensor<3xf32>
  %r = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<3x43xf32>) outs(%low : tensor<3xf32>) {
  ^bb0(%a: f32, %m: f32):
    %n = arith.maximumf %a, %m : f32
    %d = arith.subf %a, %m : f32
    %b = math.absf %d : f32
    %e = arith.negf %b : f32
    %f = math.exp %e : f32
    %g = math.log1p %f : f32
    %y = arith.addf %n, %g : f32
    linalg.yield %y : f32
  } -> tensor<3xf32>
  return %r : tensor<3xf32>
}

// The same where it is looked after, as jnp.logaddexp is.
func.func @log_sum_of_any(%x: tensor<3x43xf32>) -> tensor<3xf32> {
  %low = arith.constant dense<0xFF800000> : tensor<3xf32>
  %r = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<3x43xf32>) outs(%low : tensor<3xf32>) {
  ^bb0(%a: f32, %m: f32):
    %one = arith.constant 1.0 : f32
    %n = arith.maximumf %m, %a : f32
    %d = arith.subf %m, %a : f32
    %nan = arith.cmpf une, %d, %d : f32
    %plain = arith.addf %m, %a : f32
    %l = arith.minimumf %a, %m : f32
    %e = arith.subf %l, %n : f32
    %f = math.exp %e : f32
    %h = arith.addf %f, %one : f32
    %g = math.log %h : f32
    %y = arith.addf %n, %g : f32
    %z = arith.select %nan, %plain, %y : f32
    linalg.yield %z : f32
  } -> tensor<3xf32>
  return %r : tensor<3xf32>
}

// Number, mean and squared deviations in one pass.
func.func @moments(%x: tensor<43x3xf32>) -> (tensor<3xi32>, tensor<3xf32>, tensor<3xf32>) {
  %none = arith.constant dense<0> : tensor<3xi32>
  %zero = arith.constant dense<0.0> : tensor<3xf32>
  %r:3 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (j)>],
                         iterator_types = ["reduction", "parallel"]}
      ins(%x : tensor<43x3xf32>) outs(%none, %zero, %zero : tensor<3xi32>, tensor<3xf32>, tensor<3xf32>) {
  ^bb0(%a: f32, %n: i32, %m: f32, %q: f32):
    %one = arith.constant 1 : i32
    %n1 = arith.addi %n, %one : i32
    %nf = arith.sitofp %n1 : i32 to f32
    %d = arith.subf %a, %m : f32
    %s = arith.divf %d, %nf : f32
    %m1 = arith.addf %m, %s : f32
    %d1 = arith.subf %a, %m1 : f32
    %p = arith.mulf %d, %d1 : f32
    %q1 = arith.addf %q, %p : f32
    linalg.yield %n1, %m1, %q1 : i32, f32, f32
  } -> (tensor<3xi32>, tensor<3xf32>, tensor<3xf32>)
  return %r#0, %r#1, %r#2 : tensor<3xi32>, tensor<3xf32>, tensor<3xf32>
}

// A product of complex numbers, of as many parts as numbers.
func.func @complex_product(%x: tensor<43xf64>, %y: tensor<43xf64>) -> (tensor<f64>, tensor<f64>) {
  %one = arith.constant dense<1.0> : tensor<f64>
  %zero = arith.constant dense<0.0> : tensor<f64>
  %r:2 = linalg.generic {indexing_maps = [#v, #v, #s, #s], iterator_types = ["reduction"]}
      ins(%x, %y : tensor<43xf64>, tensor<43xf64>) outs(%one, %zero : tensor<f64>, tensor<f64>) {
  ^bb0(%c: f64, %d: f64, %a: f64, %b: f64):
    %ac = arith.mulf %a, %c : f64
    %bd = arith.mulf %d, %b : f64
    %re = arith.subf %ac, %bd : f64
    %ad = arith.mulf %a, %d : f64
    %bc = arith.mulf %b, %c : f64
    %im = arith.addf %ad, %bc : f64
    linalg.yield %re, %im : f64, f64
  } -> (tensor<f64>, tensor<f64>)
  return %r#0, %r#1 : tensor<f64>, tensor<f64>
}

// A linear recurrence: a block is an affine map.
func.func @recurrence(%a: tensor<3x43xf32>, %x: tensor<3x43xf32>, %h: tensor<3xf32>) -> tensor<3xf32> {
  %r = linalg.generic {indexing_maps = [#id, #id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%a, %x : tensor<3x43xf32>, tensor<3x43xf32>) outs(%h : tensor<3xf32>) {
  ^bb0(%c: f32, %d: f32, %s: f32):
    %m = arith.mulf %c, %s : f32
    %n = arith.subf %m, %d : f32
    linalg.yield %n : f32
  } -> tensor<3xf32>
  return %r : tensor<3xf32>
}

// Of two coupled accumulators, exactly, of integers; rows of a dimension within reduce first.
func.func @fibonacci(%x: tensor<23x2xi32>) -> (tensor<i32>, tensor<i32>) {
  %one = arith.constant dense<1> : tensor<i32>
  %zero = arith.constant dense<0> : tensor<i32>
  %r:2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> ()>, affine_map<(i, j) -> ()>],
                         iterator_types = ["reduction", "reduction"]}
      ins(%x : tensor<23x2xi32>) outs(%zero, %one : tensor<i32>, tensor<i32>) {
  ^bb0(%c: i32, %a: i32, %b: i32):
    %m = arith.muli %a, %c : i32
    %n = arith.addi %m, %b : i32
    linalg.yield %b, %n : i32, i32
  } -> (tensor<i32>, tensor<i32>)
  return %r#0, %r#1 : tensor<i32>, tensor<i32>
}

// The largest sum of elements that lie together up to the last: max and + are a semiring.
func.func @largest_tail(%x: tensor<3x43xf32>) -> tensor<3xf32> {
  %zero = arith.constant dense<0.0> : tensor<3xf32>
  %r = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<3x43xf32>) outs(%zero : tensor<3xf32>) {
  ^bb0(%a: f32, %m: f32):
    %none = arith.constant 0.0 : f32
    %t = arith.addf %m, %a : f32
    %y = arith.maximumf %t, %none : f32
    linalg.yield %y : f32
  } -> tensor<3xf32>
  return %r : tensor<3xf32>
}

// A maximum that no step leaves above a bound.
func.func @clamped(%x: tensor<3x43xi32>, %b: tensor<3x43xi32>) -> tensor<3xi32> {
  %zero = arith.constant dense<0> : tensor<3xi32>
  %r = linalg.generic {indexing_maps = [#id, #id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x, %b : tensor<3x43xi32>, tensor<3x43xi32>) outs(%zero : tensor<3xi32>) {
  ^bb0(%a: i32, %h: i32, %m: i32):
    %t = arith.maxsi %m, %a : i32
    %y = arith.minsi %h, %t : i32
    linalg.yield %y : i32
  } -> tensor<3xi32>
  return %r : tensor<3xi32>
}

// a + x + a * x, as interest accumulates.
func.func @growth(%x: tensor<3x43xf64>) -> tensor<3xf64> {
  %zero = arith.constant dense<0.0> : tensor<3xf64>
  %r = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<3x43xf64>) outs(%zero : tensor<3xf64>) {
  ^bb0(%a: f64, %m: f64):
    %p = arith.mulf %m, %a : f64
    %q = arith.addf %m, %p : f64
    %y = arith.addf %q, %a : f64
    linalg.yield %y : f64
  } -> tensor<3xf64>
  return %r : tensor<3xf64>
}
