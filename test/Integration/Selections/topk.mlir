// The best elements and their indices as programs write them: the best one is found, noted and masked, k times.

// The k largest of each row, in a loop that notes values and indices, the indices as columns.
func.func @loop(%x: tensor<3x50xf32>) -> (tensor<3x4xf32>, tensor<4x3xi32>) {
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %e0 = tensor.empty() : tensor<3x4xf32>
  %e1 = tensor.empty() : tensor<4x3xi32>
  %r:3 = scf.for %k = %c0 to %c4 step %c1 iter_args(%rest = %x, %vs = %e0, %is = %e1) -> (tensor<3x50xf32>, tensor<3x4xf32>, tensor<4x3xi32>) {
    %a0 = tensor.empty() : tensor<3xf32>
    %a = linalg.fill ins(%low : f32) outs(%a0 : tensor<3xf32>) -> tensor<3xf32>
    %b0 = tensor.empty() : tensor<3xi32>
    %b = linalg.fill ins(%zero : i32) outs(%b0 : tensor<3xi32>) -> tensor<3xi32>
    %best:2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]}
        ins(%rest : tensor<3x50xf32>) outs(%a, %b : tensor<3xf32>, tensor<3xi32>) {
    ^bb0(%v: f32, %m: f32, %mi: i32):
      %j = linalg.index 1 : index
      %i = arith.index_cast %j : index to i32
      %gt = arith.cmpf ogt, %v, %m : f32
      %nv = arith.select %gt, %v, %m : f32
      %ni = arith.select %gt, %i, %mi : i32
      linalg.yield %nv, %ni : f32, i32
    } -> (tensor<3xf32>, tensor<3xi32>)
    %vs1 = tensor.insert_slice %best#0 into %vs[0, %k] [3, 1] [1, 1] : tensor<3xf32> into tensor<3x4xf32>
    %row = tensor.expand_shape %best#1 [[0, 1]] output_shape [1, 3] : tensor<3xi32> into tensor<1x3xi32>
    %is1 = tensor.insert_slice %row into %is[%k, 0] [1, 3] [1, 1] : tensor<1x3xi32> into tensor<4x3xi32>
    %e = tensor.empty() : tensor<3x50xf32>
    %next = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
        ins(%rest, %best#1 : tensor<3x50xf32>, tensor<3xi32>) outs(%e : tensor<3x50xf32>) {
    ^bb0(%v: f32, %f: i32, %o: f32):
      %j = linalg.index 1 : index
      %i = arith.index_cast %j : index to i32
      %eq = arith.cmpi eq, %i, %f : i32
      %s = arith.select %eq, %low, %v : f32
      linalg.yield %s : f32
    } -> tensor<3x50xf32>
    scf.yield %next, %vs1, %is1 : tensor<3x50xf32>, tensor<3x4xf32>, tensor<4x3xi32>
  }
  return %r#1, %r#2 : tensor<3x4xf32>, tensor<4x3xi32>
}

// The two smallest of columns of integers, written out, the order of results and of the comparison turned around;
// nothing is smaller than 100.
func.func @written_out(%x: tensor<44x2xi16>) -> (tensor<2xi64>, tensor<2xi64>, tensor<2xi16>) {
  %high = arith.constant 100 : i16
  %none = arith.constant -1 : i64
  %a0 = tensor.empty() : tensor<2xi16>
  %a = linalg.fill ins(%high : i16) outs(%a0 : tensor<2xi16>) -> tensor<2xi16>
  %b0 = tensor.empty() : tensor<2xi64>
  %b = linalg.fill ins(%none : i64) outs(%b0 : tensor<2xi64>) -> tensor<2xi64>
  %0:2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d1)>], iterator_types = ["reduction", "parallel"]}
      ins(%x : tensor<44x2xi16>) outs(%b, %a : tensor<2xi64>, tensor<2xi16>) {
  ^bb0(%v: i16, %mi: i64, %m: i16):
    %j = linalg.index 0 : index
    %i = arith.index_cast %j : index to i64
    %le = arith.cmpi sle, %m, %v : i16
    %nv = arith.minsi %v, %m : i16
    %ni = arith.select %le, %mi, %i : i64
    linalg.yield %ni, %nv : i64, i16
  } -> (tensor<2xi64>, tensor<2xi16>)
  %e = tensor.empty() : tensor<44x2xi16>
  %rest = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%0#0, %x : tensor<2xi64>, tensor<44x2xi16>) outs(%e : tensor<44x2xi16>) {
  ^bb0(%f: i64, %v: i16, %o: i16):
    %j = linalg.index 0 : index
    %i = arith.index_cast %f : i64 to index
    %ne = arith.cmpi ne, %i, %j : index
    %s = arith.select %ne, %v, %high : i16
    linalg.yield %s : i16
  } -> tensor<44x2xi16>
  %1:2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d1)>], iterator_types = ["reduction", "parallel"]}
      ins(%rest : tensor<44x2xi16>) outs(%b, %a : tensor<2xi64>, tensor<2xi16>) {
  ^bb0(%v: i16, %mi: i64, %m: i16):
    %j = linalg.index 0 : index
    %i = arith.index_cast %j : index to i64
    %le = arith.cmpi sle, %m, %v : i16
    %nv = arith.minsi %v, %m : i16
    %ni = arith.select %le, %mi, %i : i64
    linalg.yield %ni, %nv : i64, i16
  } -> (tensor<2xi64>, tensor<2xi16>)
  return %0#0, %1#0, %1#1 : tensor<2xi64>, tensor<2xi64>, tensor<2xi16>
}

// NaN before all numbers, each once.
func.func @nan_first(%x: tensor<61xbf16>) -> (tensor<3xbf16>, tensor<3xi64>) {
  %low = arith.constant 0xFF80 : bf16
  %zero = arith.constant 0 : i64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %e0 = tensor.empty() : tensor<3xbf16>
  %e1 = tensor.empty() : tensor<3xi64>
  %r:3 = scf.for %k = %c0 to %c3 step %c1 iter_args(%rest = %x, %vs = %e0, %is = %e1) -> (tensor<61xbf16>, tensor<3xbf16>, tensor<3xi64>) {
    %a0 = tensor.empty() : tensor<bf16>
    %a = linalg.fill ins(%low : bf16) outs(%a0 : tensor<bf16>) -> tensor<bf16>
    %b0 = tensor.empty() : tensor<i64>
    %b = linalg.fill ins(%zero : i64) outs(%b0 : tensor<i64>) -> tensor<i64>
    %best:2 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]}
        ins(%rest : tensor<61xbf16>) outs(%a, %b : tensor<bf16>, tensor<i64>) {
    ^bb0(%v: bf16, %m: bf16, %mi: i64):
      %j = linalg.index 0 : index
      %i = arith.index_cast %j : index to i64
      %gt = arith.cmpf ogt, %v, %m : bf16
      %nan = arith.cmpf une, %v, %v : bf16
      %number = arith.cmpf oeq, %m, %m : bf16
      %first = arith.andi %nan, %number : i1
      %take = arith.ori %gt, %first : i1
      %nv = arith.select %take, %v, %m : bf16
      %ni = arith.select %take, %i, %mi : i64
      linalg.yield %nv, %ni : bf16, i64
    } -> (tensor<bf16>, tensor<i64>)
    %vs1 = tensor.insert_slice %best#0 into %vs[%k] [1] [1] : tensor<bf16> into tensor<3xbf16>
    %is1 = tensor.insert_slice %best#1 into %is[%k] [1] [1] : tensor<i64> into tensor<3xi64>
    %e = tensor.empty() : tensor<61xbf16>
    %next = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
        ins(%rest, %best#1 : tensor<61xbf16>, tensor<i64>) outs(%e : tensor<61xbf16>) {
    ^bb0(%v: bf16, %f: i64, %o: bf16):
      %j = linalg.index 0 : index
      %i = arith.index_cast %j : index to i64
      %eq = arith.cmpi eq, %i, %f : i64
      %s = arith.select %eq, %low, %v : bf16
      linalg.yield %s : bf16
    } -> tensor<61xbf16>
    scf.yield %next, %vs1, %is1 : tensor<61xbf16>, tensor<3xbf16>, tensor<3xi64>
  }
  return %r#1, %r#2 : tensor<3xbf16>, tensor<3xi64>
}
