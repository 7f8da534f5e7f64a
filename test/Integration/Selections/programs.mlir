// Reductions that choose, as front ends write them. test/Python/test_selections.py cuts what they reduce.

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#column = affine_map<(i, j) -> (j)>

// The first of the largest; NaN is never larger.
func.func @first_largest(%x: tensor<3x13xf32>) -> (tensor<3xf32>, tensor<3xi64>) {
  %low = arith.constant dense<0xFF800000> : tensor<3xf32>
  %zero = arith.constant dense<0> : tensor<3xi64>
  %r:2 = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<3x13xf32>) outs(%low, %zero : tensor<3xf32>, tensor<3xi64>) {
  ^bb0(%a: f32, %m: f32, %mi: i64):
    %j = linalg.index 1 : index
    %ji = arith.index_cast %j : index to i64
    %gt = arith.cmpf ogt, %a, %m : f32
    %v = arith.select %gt, %a, %m : f32
    %k = arith.select %gt, %ji, %mi : i64
    linalg.yield %v, %k : f32, i64
  } -> (tensor<3xf32>, tensor<3xi64>)
  return %r#0, %r#1 : tensor<3xf32>, tensor<3xi64>
}

// Indices are an operand; the first NaN wins, equal values the lower index.
func.func @nan_first(%x: tensor<3x13xf32>) -> tensor<3xi32> {
  %low = arith.constant dense<0xFF800000> : tensor<3xf32>
  %zero = arith.constant dense<0> : tensor<3xi32>
  %e = tensor.empty() : tensor<3x13xi32>
  %iota = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<3x13xi32>) {
  ^bb0(%o: i32):
    %j = linalg.index 1 : index
    %ji = arith.index_cast %j : index to i32
    linalg.yield %ji : i32
  } -> tensor<3x13xi32>
  %r:2 = linalg.generic {indexing_maps = [#id, #id, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x, %iota : tensor<3x13xf32>, tensor<3x13xi32>) outs(%low, %zero : tensor<3xf32>, tensor<3xi32>) {
  ^bb0(%a: f32, %i: i32, %m: f32, %mi: i32):
    %gt = arith.cmpf ogt, %m, %a : f32
    %nan = arith.cmpf une, %m, %m : f32
    %keep = arith.ori %gt, %nan : i1
    %eq = arith.cmpf oeq, %m, %a : f32
    %lt = arith.cmpi slt, %mi, %i : i32
    %both = arith.andi %eq, %lt : i1
    %keepi = arith.ori %keep, %both : i1
    %v = arith.select %keep, %m, %a : f32
    %k = arith.select %keepi, %mi, %i : i32
    linalg.yield %v, %k : f32, i32
  } -> (tensor<3xf32>, tensor<3xi32>)
  return %r#1 : tensor<3xi32>
}

// The last of the smallest along the first dimension; an init that is read.
func.func @last_smallest(%x: tensor<11x4xi8>, %v: tensor<4xi8>, %i: tensor<4xi64>) -> (tensor<4xi8>, tensor<4xi64>) {
  %r:2 = linalg.generic {indexing_maps = [#id, #column, #column], iterator_types = ["reduction", "parallel"]}
      ins(%x : tensor<11x4xi8>) outs(%v, %i : tensor<4xi8>, tensor<4xi64>) {
  ^bb0(%a: i8, %m: i8, %mi: i64):
    %j = linalg.index 0 : index
    %ji = arith.index_cast %j : index to i64
    %le = arith.cmpi sle, %a, %m : i8
    %n = arith.select %le, %a, %m : i8
    %k = arith.select %le, %ji, %mi : i64
    linalg.yield %n, %k : i8, i64
  } -> (tensor<4xi8>, tensor<4xi64>)
  return %r#0, %r#1 : tensor<4xi8>, tensor<4xi64>
}

// What is compared is computed; a payload besides the index.
func.func @largest_magnitude(%x: tensor<26xbf16>, %y: tensor<26xi32>) -> (tensor<bf16>, tensor<i32>, tensor<index>) {
  %zero = arith.constant dense<0.0> : tensor<bf16>
  %none = arith.constant dense<-1> : tensor<i32>
  %at = arith.constant dense<99> : tensor<index>
  %r:3 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> ()>, affine_map<(i) -> ()>, affine_map<(i) -> ()>],
                         iterator_types = ["reduction"]}
      ins(%x, %y : tensor<26xbf16>, tensor<26xi32>) outs(%zero, %none, %at : tensor<bf16>, tensor<i32>, tensor<index>) {
  ^bb0(%a: bf16, %b: i32, %m: bf16, %mb: i32, %mi: index):
    %j = linalg.index 0 : index
    %abs = math.absf %a : bf16
    %gt = arith.cmpf ogt, %abs, %m : bf16
    %v = arith.select %gt, %abs, %m : bf16
    %p = arith.select %gt, %b, %mb : i32
    %k = arith.select %gt, %j, %mi : index
    linalg.yield %v, %p, %k : bf16, i32, index
  } -> (tensor<bf16>, tensor<i32>, tensor<index>)
  return %r#0, %r#1, %r#2 : tensor<bf16>, tensor<i32>, tensor<index>
}

// Two loops reduce: blocks of the first one keep the order.
func.func @over_two(%x: tensor<9x2x3xf64>) -> (tensor<2xf64>, tensor<2xi32>) {
  %low = arith.constant dense<0xFFF0000000000000> : tensor<2xf64>
  %zero = arith.constant dense<0> : tensor<2xi32>
  %r:2 = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (j)>, affine_map<(i, j, k) -> (j)>],
                         iterator_types = ["reduction", "parallel", "reduction"]}
      ins(%x : tensor<9x2x3xf64>) outs(%low, %zero : tensor<2xf64>, tensor<2xi32>) {
  ^bb0(%a: f64, %m: f64, %mi: i32):
    %i = linalg.index 0 : index
    %k = linalg.index 2 : index
    %c3 = arith.constant 3 : index
    %f = arith.muli %i, %c3 : index
    %g = arith.addi %f, %k : index
    %h = arith.index_cast %g : index to i32
    %gt = arith.cmpf ogt, %a, %m : f64
    %v = arith.select %gt, %a, %m : f64
    %n = arith.select %gt, %h, %mi : i32
    linalg.yield %v, %n : f64, i32
  } -> (tensor<2xf64>, tensor<2xi32>)
  return %r#0, %r#1 : tensor<2xf64>, tensor<2xi32>
}

// NaN spreads in the value and moves no index, which is that of the largest before: of so
// few elements all are gathered.
func.func @nan_spreads(%x: tensor<3x9xf32>) -> (tensor<3xf32>, tensor<3xi64>) {
  %low = arith.constant dense<0xFF800000> : tensor<3xf32>
  %zero = arith.constant dense<0> : tensor<3xi64>
  %r:2 = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<3x9xf32>) outs(%low, %zero : tensor<3xf32>, tensor<3xi64>) {
  ^bb0(%a: f32, %m: f32, %mi: i64):
    %j = linalg.index 1 : index
    %ji = arith.index_cast %j : index to i64
    %v = arith.maximumf %a, %m : f32
    %gt = arith.cmpf ogt, %a, %m : f32
    %k = arith.select %gt, %ji, %mi : i64
    linalg.yield %v, %k : f32, i64
  } -> (tensor<3xf32>, tensor<3xi64>)
  return %r#0, %r#1 : tensor<3xf32>, tensor<3xi64>
}

// The same of more elements than candidates are: of each block the largest before NaN goes
// along.
func.func @nan_spreads_wide(%x: tensor<3x43xf32>) -> (tensor<3xf32>, tensor<3xi64>) {
  %low = arith.constant dense<0xFF800000> : tensor<3xf32>
  %zero = arith.constant dense<0> : tensor<3xi64>
  %r:2 = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<3x43xf32>) outs(%low, %zero : tensor<3xf32>, tensor<3xi64>) {
  ^bb0(%a: f32, %m: f32, %mi: i64):
    %j = linalg.index 1 : index
    %ji = arith.index_cast %j : index to i64
    %v = arith.maximumf %a, %m : f32
    %gt = arith.cmpf ogt, %a, %m : f32
    %k = arith.select %gt, %ji, %mi : i64
    linalg.yield %v, %k : f32, i64
  } -> (tensor<3xf32>, tensor<3xi64>)
  return %r#0, %r#1 : tensor<3xf32>, tensor<3xi64>
}

// The largest but not above what it began with: no choice of blocks of their own.
func.func @alternates(%x: tensor<3x13xi32>) -> tensor<3xi32> {
  %zero = arith.constant dense<0> : tensor<3xi32>
  %r = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<3x13xi32>) outs(%zero : tensor<3xi32>) {
  ^bb0(%a: i32, %m: i32):
    %ne = arith.cmpi ne, %a, %m : i32
    %gt = arith.cmpi sgt, %a, %m : i32
    %flip = arith.xori %ne, %gt : i1
    %v = arith.select %flip, %a, %m : i32
    %sgn = arith.cmpi ult, %v, %a : i32
    %w = arith.select %sgn, %m, %v : i32
    linalg.yield %w : i32
  } -> tensor<3xi32>
  return %r : tensor<3xi32>
}

// Two results choose among the same elements, and a constant condition from outside.
func.func @extent(%x: tensor<3x13xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
  %high = arith.constant dense<0x7F800000> : tensor<3xf32>
  %low = arith.constant dense<0xFF800000> : tensor<3xf32>
  %true = arith.constant true
  %r:2 = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<3x13xf32>) outs(%high, %low : tensor<3xf32>, tensor<3xf32>) {
  ^bb0(%a: f32, %m: f32, %n: f32):
    %lt = arith.cmpf olt, %a, %m : f32
    %gt = arith.cmpf ogt, %a, %n : f32
    %both = arith.andi %gt, %true : i1
    %v = arith.select %lt, %a, %m : f32
    %w = arith.select %both, %a, %n : f32
    linalg.yield %v, %w : f32, f32
  } -> (tensor<3xf32>, tensor<3xf32>)
  return %r#0, %r#1 : tensor<3xf32>, tensor<3xf32>
}
