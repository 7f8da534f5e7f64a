// Rows of a table that is cut by rows are looked up where they are: 7 rows over 2
// ranks (4 and 3), 4 (the last has one) and 8 (the last has none).
// RUN: echo '{"shard": {"rows.arg0": "[tp, _]", "two.arg0": "[tp, _]", "two.arg1": "[_, tp]", "exp.arg0": "[tp, _]", "guarded.arg0": "[tp, _]", "integers.arg0": "[tp, _]", "flags.arg0": "[tp]", "bf16.arg0": "[tp, _]", "chain.arg0": "[tp]", "chain.arg1": "[tp, _]", "bag.arg0": "[tp, _]", "shifted.arg0": "[tp, _]", "bits": "[tp]", "zeros.arg1": "[]", "zeros.result0": "[]"}}' > %t.json
// RUN: for f in rows two exp guarded integers flags bf16 chain bag shifted zeros; do for n in 2 4 8; do for how in "" "--interpret --poison"; do \
// RUN:   tp-run %s --plan %t.json --mesh tp=$n --entry $f --compare $how --explain 2>&1 || exit 1; done; done; done | FileCheck %s --implicit-check-not=error

// Both indices of an element are data, and both dimensions are cut.
// RUN: echo '{"mesh": {"dp": 2, "tp": 4}, "shard": {"both.arg0": "[dp, tp]"}}' > %t.both.json
// RUN: for how in "" "--interpret --poison"; do tp-run %s --plan %t.both.json --entry both --compare $how --explain 2>&1; done | FileCheck %s --check-prefix=BOTH
// BOTH-COUNT-2: all_reduce (dp, tp) 6 f32
// BOTH-NOT: all_gather
// BOTH: equal to the unsharded program

// A row that the table has not is an error on each number of ranks: one behind the
// last, which would be padding of the last block, and one before the first.
// RUN: echo '{"shard": {"behind.arg0": "[tp, _]", "before.arg0": "[tp, _]"}}' > %t.outside.json
// RUN: for f in behind before; do for n in 1 2 4; do for how in "" --interpret; do \
// RUN:   not tp-run %s --plan %t.outside.json --mesh tp=$n --entry $f $how 2>&1 || exit 1; done; done; done | FileCheck %s --check-prefix=OUTSIDE
// OUTSIDE-COUNT-12: error: {{.*}}index

#row = affine_map<(i, d) -> (i)>
#all = affine_map<(i, d) -> (i, d)>

// CHECK-COUNT-6: all_reduce (tp) 12 f32
func.func @rows(%t: tensor<7x3xf32>, %x: tensor<4xi32>) -> tensor<4x3xf32> {
  %e = tensor.empty() : tensor<4x3xf32>
  %0 = linalg.generic {indexing_maps = [#row, #all], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4xi32>) outs(%e : tensor<4x3xf32>) {
  ^bb0(%a: i32, %o: f32):
    %c7 = arith.constant 7 : i32
    %v = arith.remui %a, %c7 : i32
    %i = arith.index_cast %v : i32 to index
    %d = linalg.index 1 : index
    %y = tensor.extract %t[%i, %d] : tensor<7x3xf32>
    linalg.yield %y : f32
  } -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

// Two tables in one body, one cut by rows and one by columns: the rows' sum comes
// before what is added to it, or what is added is gathered.
// CHECK-NOT: 21 f32
// CHECK-COUNT-6: equal to the unsharded program
func.func @two(%t: tensor<7x3xf32>, %u: tensor<7x3xf32>, %x: tensor<4xi32>) -> tensor<4x3xf32> {
  %e = tensor.empty() : tensor<4x3xf32>
  %0 = linalg.generic {indexing_maps = [#row, #all], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4xi32>) outs(%e : tensor<4x3xf32>) {
  ^bb0(%a: i32, %o: f32):
    %c7 = arith.constant 7 : i32
    %c3 = arith.constant 3 : i32
    %two = arith.constant 2.0 : f32
    %v = arith.remui %a, %c7 : i32
    %i = arith.index_cast %v : i32 to index
    %w = arith.muli %v, %c3 : i32
    %u7 = arith.remui %w, %c7 : i32
    %j = arith.index_cast %u7 : i32 to index
    %d = linalg.index 1 : index
    %y = tensor.extract %t[%i, %d] : tensor<7x3xf32>
    %z = tensor.extract %u[%j, %d] : tensor<7x3xf32>
    %p = arith.mulf %z, %two : f32
    %s = arith.addf %y, %p : f32
    linalg.yield %s : f32
  } -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

// What is computed from the element is computed after the sum.
// CHECK-COUNT-6: all_reduce (tp) 12 f32
func.func @exp(%t: tensor<7x3xf32>, %x: tensor<4xi32>) -> tensor<4x3xf32> {
  %e = tensor.empty() : tensor<4x3xf32>
  %0 = linalg.generic {indexing_maps = [#row, #all], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4xi32>) outs(%e : tensor<4x3xf32>) {
  ^bb0(%a: i32, %o: f32):
    %c7 = arith.constant 7 : i32
    %v = arith.remui %a, %c7 : i32
    %i = arith.index_cast %v : i32 to index
    %d = linalg.index 1 : index
    %y = tensor.extract %t[%i, %d] : tensor<7x3xf32>
    %r = math.exp %y : f32
    linalg.yield %r : f32
  } -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

// Rows outside are not looked up.
// CHECK-COUNT-6: all_reduce (tp) 12 f32
func.func @guarded(%t: tensor<7x3xf32>, %x: tensor<4xi32>) -> tensor<4x3xf32> {
  %e = tensor.empty() : tensor<4x3xf32>
  %0 = linalg.generic {indexing_maps = [#row, #all], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4xi32>) outs(%e : tensor<4x3xf32>) {
  ^bb0(%a: i32, %o: f32):
    %c7 = arith.constant 7 : index
    %c9 = arith.constant 9 : i32
    %zero = arith.constant 0.0 : f32
    %v = arith.remui %a, %c9 : i32
    %i = arith.index_cast %v : i32 to index
    %d = linalg.index 1 : index
    %in = arith.cmpi ult, %i, %c7 : index
    %y = scf.if %in -> (f32) {
      %h = tensor.extract %t[%i, %d] : tensor<7x3xf32>
      scf.yield %h : f32
    } else {
      scf.yield %zero : f32
    }
    linalg.yield %y : f32
  } -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

// CHECK-COUNT-6: all_reduce (tp) 12 i64
func.func @integers(%t: tensor<7x3xi64>, %x: tensor<4xi32>) -> tensor<4x3xi64> {
  %e = tensor.empty() : tensor<4x3xi64>
  %0 = linalg.generic {indexing_maps = [#row, #all], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4xi32>) outs(%e : tensor<4x3xi64>) {
  ^bb0(%a: i32, %o: i64):
    %c7 = arith.constant 7 : i32
    %v = arith.remui %a, %c7 : i32
    %i = arith.index_cast %v : i32 to index
    %d = linalg.index 1 : index
    %y = tensor.extract %t[%i, %d] : tensor<7x3xi64>
    linalg.yield %y : i64
  } -> tensor<4x3xi64>
  return %0 : tensor<4x3xi64>
}

// CHECK-COUNT-6: all_reduce (tp) 4 i1
func.func @flags(%t: tensor<7xi1>, %x: tensor<4xi32>) -> tensor<4xi1> {
  %e = tensor.empty() : tensor<4xi1>
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x : tensor<4xi32>) outs(%e : tensor<4xi1>) {
  ^bb0(%a: i32, %o: i1):
    %c7 = arith.constant 7 : i32
    %v = arith.remui %a, %c7 : i32
    %i = arith.index_cast %v : i32 to index
    %y = tensor.extract %t[%i] : tensor<7xi1>
    linalg.yield %y : i1
  } -> tensor<4xi1>
  return %0 : tensor<4xi1>
}

// CHECK-COUNT-6: all_reduce (tp) 12 bf16
func.func @bf16(%t: tensor<7x3xbf16>, %x: tensor<4xi32>) -> tensor<4x3xbf16> {
  %e = tensor.empty() : tensor<4x3xbf16>
  %0 = linalg.generic {indexing_maps = [#row, #all], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4xi32>) outs(%e : tensor<4x3xbf16>) {
  ^bb0(%a: i32, %o: bf16):
    %c7 = arith.constant 7 : i32
    %v = arith.remui %a, %c7 : i32
    %i = arith.index_cast %v : i32 to index
    %d = linalg.index 1 : index
    %y = tensor.extract %t[%i, %d] : tensor<7x3xbf16>
    linalg.yield %y : bf16
  } -> tensor<4x3xbf16>
  return %0 : tensor<4x3xbf16>
}

// A table whose elements are rows of another.
// CHECK-COUNT-6: equal to the unsharded program
func.func @chain(%n: tensor<7xi32>, %t: tensor<7x3xf32>, %x: tensor<4xi32>) -> tensor<4x3xf32> {
  %e = tensor.empty() : tensor<4x3xf32>
  %0 = linalg.generic {indexing_maps = [#row, #all], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4xi32>) outs(%e : tensor<4x3xf32>) {
  ^bb0(%a: i32, %o: f32):
    %c7 = arith.constant 7 : i32
    %v = arith.remui %a, %c7 : i32
    %i = arith.index_cast %v : i32 to index
    %next = tensor.extract %n[%i] : tensor<7xi32>
    %w = arith.remui %next, %c7 : i32
    %j = arith.index_cast %w : i32 to index
    %d = linalg.index 1 : index
    %y = tensor.extract %t[%j, %d] : tensor<7x3xf32>
    linalg.yield %y : f32
  } -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

// Sums of several rows: the sum over ranks comes last.
// CHECK-COUNT-6: all_reduce (tp) 6 f32
func.func @bag(%t: tensor<7x3xf32>, %x: tensor<2x5xi32>) -> tensor<2x3xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x3xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x3xf32>) -> tensor<2x3xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(b, d, j) -> (b, j)>, affine_map<(b, d, j) -> (b, d)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x : tensor<2x5xi32>) outs(%f : tensor<2x3xf32>) {
  ^bb0(%a: i32, %acc: f32):
    %c7 = arith.constant 7 : i32
    %v = arith.remui %a, %c7 : i32
    %i = arith.index_cast %v : i32 to index
    %d = linalg.index 1 : index
    %y = tensor.extract %t[%i, %d] : tensor<7x3xf32>
    %s = arith.addf %acc, %y : f32
    linalg.yield %s : f32
  } -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// Of each row only some columns, and those backwards.
// CHECK-COUNT-6: equal to the unsharded program
func.func @shifted(%t: tensor<7x5xf32>, %x: tensor<4xi32>) -> tensor<4x3xf32> {
  %e = tensor.empty() : tensor<4x3xf32>
  %0 = linalg.generic {indexing_maps = [#row, #all], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4xi32>) outs(%e : tensor<4x3xf32>) {
  ^bb0(%a: i32, %o: f32):
    %c7 = arith.constant 7 : i32
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %v = arith.remui %a, %c7 : i32
    %i = arith.index_cast %v : i32 to index
    %d = linalg.index 1 : index
    %right = arith.addi %d, %c1 : index
    %back = arith.subi %c4, %d : index
    %y = tensor.extract %t[%i, %right] : tensor<7x5xf32>
    %z = tensor.extract %t[%i, %back] : tensor<7x5xf32>
    %s = arith.subf %y, %z : f32
    linalg.yield %s : f32
  } -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

// Negative zero, infinities and what is no number come out bit by bit.
// CHECK-COUNT-6: all_reduce (tp) 7 f32
// CHECK: equal to the unsharded program
func.func @zeros(%x: tensor<7xi32>, %ids: tensor<7xi32>) -> tensor<7xi32> {
  %e = tensor.empty() : tensor<7xf32>
  %t = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x : tensor<7xi32>) outs(%e : tensor<7xf32>)
      attrs = {tp.name = "bits"} {
  ^bb0(%old: i32, %o: f32):
    %i = linalg.index 0 : index
    %v = arith.index_cast %i : index to i32
    %minus = arith.constant 0x80000000 : f32
    %inf = arith.constant 0xFF800000 : f32
    %nan = arith.constant 0x7FC00000 : f32
    %zero = arith.constant 0.0 : f32
    %c2 = arith.constant 2 : i32
    %c4 = arith.constant 4 : i32
    %c5 = arith.constant 5 : i32
    %is2 = arith.cmpi slt, %v, %c2 : i32
    %is4 = arith.cmpi slt, %v, %c4 : i32
    %is5 = arith.cmpi slt, %v, %c5 : i32
    %a = arith.select %is5, %inf, %nan : f32
    %b = arith.select %is4, %zero, %a : f32
    %c = arith.select %is2, %minus, %b : f32
    linalg.yield %c : f32
  } -> tensor<7xf32>
  %shape = tensor.empty() : tensor<7xi32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%ids : tensor<7xi32>) outs(%shape : tensor<7xi32>) {
  ^bb0(%a: i32, %o: i32):
    %i = linalg.index 0 : index
    %v = arith.index_cast %i : index to i32
    %c7 = arith.constant 7 : i32
    %w = arith.addi %v, %a : i32
    %r = arith.remui %w, %c7 : i32
    %j = arith.index_cast %r : i32 to index
    %y = tensor.extract %t[%j] : tensor<7xf32>
    %b = arith.bitcast %y : f32 to i32
    linalg.yield %b : i32
  } -> tensor<7xi32>
  return %0 : tensor<7xi32>
}

func.func @both(%t: tensor<7x5xf32>, %x: tensor<6xi32>) -> tensor<6xf32> {
  %e = tensor.empty() : tensor<6xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x : tensor<6xi32>) outs(%e : tensor<6xf32>) {
  ^bb0(%a: i32, %o: f32):
    %c7 = arith.constant 7 : i32
    %c5 = arith.constant 5 : i32
    %v = arith.remui %a, %c7 : i32
    %w = arith.remui %a, %c5 : i32
    %i = arith.index_cast %v : i32 to index
    %j = arith.index_cast %w : i32 to index
    %y = tensor.extract %t[%i, %j] : tensor<7x5xf32>
    linalg.yield %y : f32
  } -> tensor<6xf32>
  return %0 : tensor<6xf32>
}

func.func @behind(%t: tensor<7x3xf32>, %x: tensor<4xi32>) -> tensor<4x3xf32> {
  %e = tensor.empty() : tensor<4x3xf32>
  %0 = linalg.generic {indexing_maps = [#row, #all], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4xi32>) outs(%e : tensor<4x3xf32>) {
  ^bb0(%a: i32, %o: f32):
    %c7 = arith.constant 7 : i32
    %v = arith.maxui %a, %c7 : i32
    %w = arith.minui %v, %c7 : i32
    %i = arith.index_cast %w : i32 to index
    %d = linalg.index 1 : index
    %y = tensor.extract %t[%i, %d] : tensor<7x3xf32>
    linalg.yield %y : f32
  } -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

func.func @before(%t: tensor<7x3xf32>, %x: tensor<4xi32>) -> tensor<4x3xf32> {
  %e = tensor.empty() : tensor<4x3xf32>
  %0 = linalg.generic {indexing_maps = [#row, #all], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4xi32>) outs(%e : tensor<4x3xf32>) {
  ^bb0(%a: i32, %o: f32):
    %c1 = arith.constant -1 : i32
    %v = arith.minsi %a, %c1 : i32
    %w = arith.maxsi %v, %c1 : i32
    %i = arith.index_cast %w : i32 to index
    %d = linalg.index 1 : index
    %y = tensor.extract %t[%i, %d] : tensor<7x3xf32>
    linalg.yield %y : f32
  } -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}
