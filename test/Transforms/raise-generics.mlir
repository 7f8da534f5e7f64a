// RUN: tp-opt %s -split-input-file --pass-pipeline='builtin.module(func.func(tp-raise-generics))' | FileCheck %s

#id1 = affine_map<(i) -> (i)>
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// A concatenation as JAX writes it.
// CHECK-LABEL: func.func @concatenation
// CHECK-NEXT: %[[C:.*]] = tensor.concat dim(1) %arg0, %arg1 : (tensor<4x2xf32>, tensor<4x3xf32>) -> tensor<4x5xf32>
// CHECK-NEXT: return %[[C]]
func.func @concatenation(%x: tensor<4x2xf32>, %y: tensor<4x3xf32>) -> tensor<4x5xf32> {
  %c0 = arith.constant 0 : index
  %e = tensor.empty() : tensor<4x5xf32>
  %0 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<4x5xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %c1 = arith.constant 1 : index
    %dim = tensor.dim %x, %c1 : tensor<4x2xf32>
    %end = arith.addi %c0, %dim : index
    %first = arith.cmpi ult, %j, %end : index
    %v = scf.if %first -> (f32) {
      %k = arith.subi %j, %c0 : index
      %a = tensor.extract %x[%i, %k] : tensor<4x2xf32>
      scf.yield %a : f32
    } else {
      %k = arith.subi %j, %end : index
      %a = tensor.extract %y[%i, %k] : tensor<4x3xf32>
      scf.yield %a : f32
    }
    linalg.yield %v : f32
  } -> tensor<4x5xf32>
  return %0 : tensor<4x5xf32>
}

// One comparison without a sign has two outcomes on three parts: padding.
// CHECK-LABEL: func.func @padding
// CHECK: %[[LOW:.*]] = linalg.fill {{.*}} -> tensor<2xf32>
// CHECK: %[[HIGH:.*]] = linalg.fill {{.*}} -> tensor<1xf32>
// CHECK: %[[REST:.*]] = tensor.concat dim(0) %arg0, %[[HIGH]]
// CHECK: tensor.concat dim(0) %[[LOW]], %[[REST]] {tp.name = "padded"}
func.func @padding(%x: tensor<5xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.generic {indexing_maps = [#id1], iterator_types = ["parallel"]} outs(%e : tensor<8xf32>) attrs = {tp.name = "padded"} {
  ^bb0(%o: f32):
    %c2 = arith.constant 2 : index
    %c5 = arith.constant 5 : index
    %zero = arith.constant 0.0 : f32
    %i = linalg.index 0 : index
    %k = arith.subi %i, %c2 : index
    %in = arith.cmpi ult, %k, %c5 : index
    %v = scf.if %in -> (f32) {
      %a = tensor.extract %x[%k] : tensor<5xf32>
      scf.yield %a : f32
    } else {
      scf.yield %zero : f32
    }
    linalg.yield %v : f32
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// Offsets, strides and single elements are slices; a scalar from outside, too.
// CHECK-LABEL: func.func @slices
// CHECK: %[[S:.*]] = tensor.extract_slice %arg0[1, 3] [4, 1] [2, 1] : tensor<9x5xf32> to tensor<4xf32>
// CHECK: %[[T:.*]] = tensor.extract_slice %arg0[%arg1, 0] [4, 1] [1, 1] : tensor<9x5xf32> to tensor<4xf32>
// CHECK: linalg.generic {{.*}} ins(%[[S]], %[[T]] : tensor<4xf32>, tensor<4xf32>)
// CHECK-NOT: tensor.extract
func.func @slices(%x: tensor<9x5xf32>, %s: index) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.generic {indexing_maps = [#id1], iterator_types = ["parallel"]} outs(%e : tensor<4xf32>) {
  ^bb0(%o: f32):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %i = linalg.index 0 : index
    %twice = arith.muli %i, %c2 : index
    %odd = arith.addi %twice, %c1 : index
    %a = tensor.extract %x[%odd, %c3] : tensor<9x5xf32>
    %moved = arith.addi %i, %s : index
    %b = tensor.extract %x[%moved, %c0] : tensor<9x5xf32>
    %v = arith.mulf %a, %b : f32
    linalg.yield %v : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// Reshapes: the digits of one index, and one index of two digits; maps alike.
// CHECK-LABEL: func.func @reshapes
// CHECK: %[[C:.*]] = tensor.collapse_shape %arg0 {{\[}}[0, 1]]
// CHECK: linalg.generic {{.*}} ins(%[[C]] : tensor<6xf32>)
// CHECK: %[[E:.*]] = tensor.expand_shape %arg1 {{\[}}[0, 1]]
// CHECK: linalg.generic {{.*}} ins(%[[E]], %{{.*}} : tensor<3x2xf32>, tensor<2xf32>)
func.func @reshapes(%x: tensor<2x3xf32>, %y: tensor<6xf32>) -> (tensor<6xf32>, tensor<3xf32>) {
  %e = tensor.empty() : tensor<6xf32>
  %0 = linalg.generic {indexing_maps = [#id1], iterator_types = ["parallel"]} outs(%e : tensor<6xf32>) {
  ^bb0(%o: f32):
    %c3 = arith.constant 3 : index
    %i = linalg.index 0 : index
    %q = arith.divui %i, %c3 : index
    %r = arith.remui %i, %c3 : index
    %a = tensor.extract %x[%q, %r] : tensor<2x3xf32>
    %v = math.exp %a : f32
    linalg.yield %v : f32
  } -> tensor<6xf32>
  %f = tensor.empty() : tensor<3xf32>
  %window = tensor.empty() : tensor<2xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i * 2 + j)>, affine_map<(i, j) -> (j)>, #row], iterator_types = ["parallel", "reduction"]}
      ins(%y, %window : tensor<6xf32>, tensor<2xf32>) outs(%f : tensor<3xf32>) {
  ^bb0(%a: f32, %w: f32, %o: f32):
    %v = arith.maximumf %a, %o : f32
    linalg.yield %v : f32
  } -> tensor<3xf32>
  return %0, %1 : tensor<6xf32>, tensor<3xf32>
}

// Each look-up is an op of its own, with what it needs; the guard reads row 0.
// CHECK-LABEL: func.func @lookups
// CHECK: %[[T:.*]] = linalg.generic {{.*}} ins(%arg2 : tensor<4xi32>) outs(%{{.*}} : tensor<4x3xf32>)
// CHECK:   %[[IN:.*]] = arith.cmpi ult, %[[ROW:.*]], %
// CHECK:   %[[SAFE:.*]] = arith.select %[[IN]], %[[ROW]], %c0
// CHECK:   %[[X:.*]] = tensor.extract %arg0[%[[SAFE]], %{{.*}}]
// CHECK:   linalg.yield %[[X]]
// CHECK: %[[U:.*]] = linalg.generic {{.*}} ins(%arg2 : tensor<4xi32>) outs(%{{.*}} : tensor<4xf32>)
// CHECK:   tensor.extract %arg1
// CHECK: linalg.generic {{.*}} ins(%arg2, %[[T]], %[[U]] : tensor<4xi32>, tensor<4x3xf32>, tensor<4xf32>)
// CHECK-NOT: tensor.extract
// CHECK: return
func.func @lookups(%t: tensor<7x3xf32>, %u: tensor<9xf32>, %ids: tensor<4xi32>) -> tensor<4x3xf32> {
  %e = tensor.empty() : tensor<4x3xf32>
  %0 = linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]} ins(%ids : tensor<4xi32>) outs(%e : tensor<4x3xf32>) {
  ^bb0(%a: i32, %o: f32):
    %c7 = arith.constant 7 : index
    %zero = arith.constant 0.0 : f32
    %i = arith.index_cast %a : i32 to index
    %d = linalg.index 1 : index
    %in = arith.cmpi ult, %i, %c7 : index
    %x = scf.if %in -> (f32) {
      %y = tensor.extract %t[%i, %d] : tensor<7x3xf32>
      scf.yield %y : f32
    } else {
      scf.yield %zero : f32
    }
    %s = tensor.extract %u[%i] : tensor<9xf32>
    %v = arith.mulf %x, %s : f32
    linalg.yield %v : f32
  } -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

// An index that is negative counts from the end: integers without dimensions become
// scalars, and of constants nothing is left.
// CHECK-LABEL: func.func @offsets
// CHECK-NOT: linalg.generic
// CHECK: %[[P:.*]] = tensor.extract %arg1[]
// CHECK: %[[NEGATIVE:.*]] = arith.cmpi slt, %[[P]]
// CHECK: %[[WRAPPED:.*]] = arith.addi %[[P]]
// CHECK: %[[I:.*]] = arith.select %[[NEGATIVE]], %[[WRAPPED]], %[[P]] : i32
// CHECK: %[[INDEX:.*]] = arith.index_cast %[[I]]
// CHECK: %[[LOW:.*]] = arith.maxsi %[[INDEX]]
// CHECK: %[[CLAMPED:.*]] = arith.minsi %[[LOW]]
// CHECK: tensor.extract_slice %arg0[%[[CLAMPED]], 0] [1, 4] [1, 1]
func.func @offsets(%x: tensor<8x4xf32>, %p: tensor<i32>) -> tensor<1x4xf32> {
  %zero = arith.constant dense<0> : tensor<i32>
  %eight = arith.constant dense<8> : tensor<i32>
  %c0 = arith.constant 0 : index
  %c7 = arith.constant 7 : index
  %e1 = tensor.empty() : tensor<i1>
  %e = tensor.empty() : tensor<i32>
  %n = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%p, %zero : tensor<i32>, tensor<i32>) outs(%e1 : tensor<i1>) {
  ^bb0(%a: i32, %b: i32, %o: i1):
    %v = arith.cmpi slt, %a, %b : i32
    linalg.yield %v : i1
  } -> tensor<i1>
  %w = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%p, %eight : tensor<i32>, tensor<i32>) outs(%e : tensor<i32>) {
  ^bb0(%a: i32, %b: i32, %o: i32):
    %v = arith.addi %a, %b : i32
    linalg.yield %v : i32
  } -> tensor<i32>
  %s = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>, affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []}
      ins(%n, %w, %p : tensor<i1>, tensor<i32>, tensor<i32>) outs(%e : tensor<i32>) {
  ^bb0(%c: i1, %a: i32, %b: i32, %o: i32):
    %v = arith.select %c, %a, %b : i32
    linalg.yield %v : i32
  } -> tensor<i32>
  %z = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%zero : tensor<i32>) outs(%e : tensor<i32>) {
  ^bb0(%a: i32, %o: i32):
    %v = arith.addi %a, %a : i32
    linalg.yield %v : i32
  } -> tensor<i32>
  %s0 = tensor.extract %s[] : tensor<i32>
  %i0 = arith.index_cast %s0 : i32 to index
  %l0 = arith.maxsi %i0, %c0 : index
  %h0 = arith.minsi %l0, %c7 : index
  %s1 = tensor.extract %z[] : tensor<i32>
  %i1 = arith.index_cast %s1 : i32 to index
  %l1 = arith.maxsi %i1, %c0 : index
  %h1 = arith.minsi %l1, %c0 : index
  %r = tensor.extract_slice %x[%h0, %h1] [1, 4] [1, 1] : tensor<8x4xf32> to tensor<1x4xf32>
  return %r : tensor<1x4xf32>
}

// The scalars of a reduction as tensors: the combination is seen.
// CHECK-LABEL: func.func @reduction
// CHECK: ^bb0(%[[IN:.*]]: f32, %[[OUT:.*]]: f32):
// CHECK-NEXT: %[[SUM:.*]] = arith.addf %[[OUT]], %[[IN]] : f32
// CHECK-NEXT: linalg.yield %[[SUM]] : f32
func.func @reduction(%x: tensor<4x8xf32>, %init: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4x8xf32>) outs(%init : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %a = tensor.from_elements %in : tensor<f32>
    %b = tensor.from_elements %out : tensor<f32>
    %c = tensor.extract %b[] : tensor<f32>
    %d = tensor.extract %a[] : tensor<f32>
    %s = arith.addf %c, %d : f32
    %t = tensor.from_elements %s : tensor<f32>
    %u = tensor.extract %t[] : tensor<f32>
    linalg.yield %u : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// A scalar that is copied as a tensor is the scalar, floats too: the pad is one by a constant.
// CHECK-LABEL: func.func @copied_scalar
// CHECK: tensor.pad
// CHECK: tensor.yield %cst : f32
func.func @copied_scalar(%x: tensor<4xf32>) -> tensor<7xf32> {
  %cst = arith.constant dense<1.0> : tensor<f32>
  %e = tensor.empty() : tensor<f32>
  %c = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%cst : tensor<f32>) outs(%e : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<f32>
  %v = tensor.extract %c[] : tensor<f32>
  %p = tensor.pad %x low[3] high[0] {
  ^bb0(%i: index):
    tensor.yield %v : f32
  } : tensor<4xf32> to tensor<7xf32>
  return %p : tensor<7xf32>
}

// What is never inside stays the error that it is; what is reversed stays an index.
// CHECK-LABEL: func.func @stays
// CHECK: %[[I:.*]] = arith.addi %{{.*}}, %c5
// CHECK: tensor.extract %arg0[%[[I]]]
// CHECK: linalg.generic {{.*}} ins(%arg0 : tensor<4xf32>)
func.func @stays(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.generic {indexing_maps = [#id1], iterator_types = ["parallel"]} outs(%e : tensor<4xf32>) {
  ^bb0(%o: f32):
    %c5 = arith.constant 5 : index
    %i = linalg.index 0 : index
    %k = arith.addi %i, %c5 : index
    %a = tensor.extract %x[%k] : tensor<4xf32>
    linalg.yield %a : f32
  } -> tensor<4xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i) -> (3 - i)>, #id1], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// -----

// An op that folds is gone.
// CHECK-LABEL: func.func @folded_offset(
// CHECK-NEXT: tensor.extract_slice %arg0[4] [2] [1]
func.func @folded_offset(%x: tensor<8xf32>) -> tensor<2xf32> {
  %table = arith.constant dense<[2, 1]> : tensor<2xindex>
  %c0 = arith.constant 0 : index
  %a = tensor.extract %table[%c0] : tensor<2xindex>
  %b = arith.addi %a, %a : index
  %s = tensor.extract_slice %x[%b] [2] [1] : tensor<8xf32> to tensor<2xf32>
  return %s : tensor<2xf32>
}

// -----

// All trips at once, what is said of the destination on what is written into it.
// CHECK-LABEL: func.func @trips
// CHECK-NOT: scf.
// CHECK: math.exp
// CHECK: tensor.collapse_shape %{{.*}} {{\[}}[0, 1], [2]] {tp.sharding = [#tp.sharding<[tp, _]>]} : tensor<8x1x6xf32> into tensor<8x6xf32>
tp.mesh @mesh <"tp"=2>
func.func @trips(%x: tensor<8x6xf32>) -> tensor<8x6xf32> {
  %e = tensor.empty() : tensor<8x6xf32>
  %r = scf.forall (%i) in (8) shared_outs(%o = %e) -> tensor<8x6xf32> {
    %s = tensor.extract_slice %x[%i, 0] [1, 6] [1, 1] : tensor<8x6xf32> to tensor<1x6xf32>
    %y = math.exp %s : tensor<1x6xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %y into %o[%i, 0] [1, 6] [1, 1] : tensor<1x6xf32> into tensor<8x6xf32>
    }
  } {tp.arg_sharding = [#tp.sharding<[]>, #tp.sharding<[tp, _]>]}
  return %r : tensor<8x6xf32>
}

// Trips of other sizes run one after the other; where there are none there is nothing to do.
// CHECK-LABEL: func.func @others
// CHECK: %[[L:.*]] = scf.for
// CHECK: %[[R:.*]] = tp.constraint %arg0 <[tp]>
// CHECK: return %[[L]], %[[R]]
func.func @others(%x: tensor<8xf32>, %n: index) -> (tensor<8xf32>, tensor<8xf32>) {
  %r = scf.forall (%i) in (%n) shared_outs(%o = %x) -> tensor<8xf32> {
    %s = tensor.extract_slice %x[%i] [1] [1] : tensor<8xf32> to tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xf32> into tensor<8xf32>
    }
  }
  %q = scf.forall (%i) in (0) shared_outs(%o = %x) -> tensor<8xf32> {
    %s = tensor.extract_slice %x[%i] [1] [1] : tensor<8xf32> to tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xf32> into tensor<8xf32>
    }
  } {tp.sharding = [#tp.sharding<[tp]>]}
  return %r, %q : tensor<8xf32>, tensor<8xf32>
}

// -----

// Rounds of finding and masking the best element.
// CHECK-LABEL: func.func @top_k
// CHECK-NEXT: %[[V:.*]], %[[I:.*]] = nn.top_k %arg0 dim 0 nan_first bound 0xFF80 : bf16 : tensor<61xbf16> -> tensor<3xbf16>, tensor<3xi64>
// CHECK-NEXT: return %[[V]], %[[I]]
func.func @top_k(%x: tensor<61xbf16>) -> (tensor<3xbf16>, tensor<3xi64>) {
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

// -----

// The same written out; what else reads a round reads what was found in its place.
// CHECK-LABEL: func.func @top_k_written_out
// CHECK-NEXT: %[[V:.*]], %[[I:.*]] = nn.top_k %arg0 dim 0 smallest bound 100 : i16 missing_index -1 : tensor<44x2xi16> -> tensor<2x2xi16>, tensor<2x2xi64>
// CHECK-DAG: %[[I0:.*]] = tensor.extract_slice %[[I]][0, 0] [1, 2] [1, 1]
// CHECK-DAG: %[[I1:.*]] = tensor.extract_slice %[[I]][1, 0] [1, 2] [1, 1]
// CHECK-DAG: %[[V1:.*]] = tensor.extract_slice %[[V]][1, 0] [1, 2] [1, 1]
// CHECK: return %[[I0]], %[[I1]], %[[V1]]
func.func @top_k_written_out(%x: tensor<44x2xi16>) -> (tensor<2xi64>, tensor<2xi64>, tensor<2xi16>) {
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

// -----

// Whoever takes equal ones takes what is masked, too.
// CHECK-LABEL: func.func @no_top_k
// CHECK-NOT: nn.top_k
// CHECK: scf.for
func.func @no_top_k(%x: tensor<61xbf16>) -> (tensor<3xbf16>, tensor<3xi64>) {
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
      %gt = arith.cmpf oge, %v, %m : bf16
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

// -----

// A reduction of masked rows is a running one.
// CHECK-LABEL: func.func @sums_up_to
// CHECK: %[[P:.*]] = tensor.pad %arg0 low[60, 0] high[0, 0]
// CHECK: linalg.generic {{.*}} ins(%[[P]], %{{.*}} : tensor<121x3xf32>, tensor<61xf32>)
// CHECK-NOT: arith.cmpi
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

// -----

// In two ops, from each row on.
// CHECK-LABEL: func.func @maxima_from
// CHECK: %[[T:.*]] = linalg.transpose ins(%arg0 : tensor<3x61xf32>)
// CHECK: %[[P:.*]] = tensor.pad %[[T]] low[0, 0] high[60, 0]
// CHECK: linalg.generic {{.*}} ins(%[[P]], %{{.*}} : tensor<121x3xf32>, tensor<61xf32>)
// CHECK-NOT: arith.cmpi
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

// -----

// Not what the sum does not ignore.
// CHECK-LABEL: func.func @sums_with_ones
// CHECK-NOT: tensor.pad
// CHECK: arith.cmpi
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

// -----

// A loop that carries a maximum and notes it row by row, from the last row on; that it is
// noted before the row is combined shifts the rows.
// CHECK-LABEL: func.func @maxima_in_a_loop
// CHECK-SAME: %[[X:.*]]: tensor<9x4xf32>, %[[M:.*]]: tensor<4xf32>
// CHECK-NOT: scf.for
// CHECK: %[[INIT:.*]] = linalg.broadcast ins(%[[M]] : tensor<4xf32>) {{.*}} dimensions = [0]
// CHECK: %[[ROWS:.*]] = tensor.extract_slice %[[X]][1, 0] [8, 4]
// CHECK: %[[SHIFTED:.*]] = tensor.pad %[[ROWS]] low[0, 0] high[1, 0]
// CHECK: %[[P:.*]] = tensor.pad %[[SHIFTED]] low[0, 0] high[8, 0]
// CHECK: %[[Y:.*]] = linalg.generic {{.*}} outs(%[[INIT]] :
// CHECK: arith.maximumf
// CHECK: return %[[Y]]
func.func @maxima_in_a_loop(%x: tensor<9x4xf32>, %m: tensor<4xf32>) -> tensor<9x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %n = arith.constant 9 : index
  %e = tensor.empty() : tensor<9x4xf32>
  %f = tensor.empty() : tensor<4xf32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %m, %y = %e) -> (tensor<4xf32>, tensor<9x4xf32>) {
    %j = arith.subi %c8, %i : index
    %row = tensor.extract_slice %x[%j, 0] [1, 4] [1, 1] : tensor<9x4xf32> to tensor<4xf32>
    %s = linalg.generic {indexing_maps = [affine_map<(d) -> (d)>, affine_map<(d) -> (d)>, affine_map<(d) -> (d)>], iterator_types = ["parallel"]}
        ins(%row, %a : tensor<4xf32>, tensor<4xf32>) outs(%f : tensor<4xf32>) {
    ^bb0(%u: f32, %v: f32, %o: f32):
      %w = arith.maximumf %u, %v : f32
      linalg.yield %w : f32
    } -> tensor<4xf32>
    %z = tensor.insert_slice %a into %y[%j, 0] [1, 4] [1, 1] : tensor<4xf32> into tensor<9x4xf32>
    scf.yield %s, %z : tensor<4xf32>, tensor<9x4xf32>
  }
  return %r#1 : tensor<9x4xf32>
}

// -----

// Rows that end before the last one, and other rows than those that are read: a loop.
// CHECK-LABEL: func.func @other_rows
// CHECK-COUNT-2: scf.for
func.func @other_rows(%x: tensor<9xi32>, %m: i32) -> (tensor<9xi32>, tensor<9xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %n = arith.constant 9 : index
  %e = tensor.empty() : tensor<9xi32>
  %r:2 = scf.for %i = %c0 to %c8 step %c1 iter_args(%a = %m, %y = %e) -> (i32, tensor<9xi32>) {
    %u = tensor.extract %x[%i] : tensor<9xi32>
    %s = arith.addi %a, %u : i32
    %z = tensor.insert %s into %y[%i] : tensor<9xi32>
    scf.yield %s, %z : i32, tensor<9xi32>
  }
  %q:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %m, %y = %e) -> (i32, tensor<9xi32>) {
    %j = arith.subi %c8, %i : index
    %u = tensor.extract %x[%j] : tensor<9xi32>
    %s = arith.addi %a, %u : i32
    %z = tensor.insert %s into %y[%i] : tensor<9xi32>
    scf.yield %s, %z : i32, tensor<9xi32>
  }
  return %r#1, %q#1 : tensor<9xi32>, tensor<9xi32>
}
