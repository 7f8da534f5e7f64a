// RUN: tp-opt %s -split-input-file -verify-diagnostics --tp-plan-pipeline

tp.mesh @mesh <"tp"=2>
func.func @two(%x: tensor<8x8xf32>, %n: index) -> tensor<8x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @below {{'scf.for' carries one value with two shardings, #tp.sharding<[_, tp]> and #tp.sharding<[tp, _]>: its arguments and results need the same}}
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (tensor<8x8xf32>) {
    scf.yield %a : tensor<8x8xf32>
  } {tp.arg_sharding = [#tp.sharding<[]>, #tp.sharding<[_, tp]>], tp.sharding = [#tp.sharding<[tp, _]>]}
  return %r : tensor<8x8xf32>
}

// -----

tp.mesh @mesh <"tp"=2>
// expected-note @below {{the other is here}}
func.func @shapes(%x: tensor<8x4xf32> {tp.group = "g"}) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  // expected-error @below {{"t" and @shapes argument 0 are one value (group "g") and need the same shape, found tensor<4x8xf32> and tensor<8x4xf32>}}
  %t = linalg.transpose ins(%x : tensor<8x4xf32>) outs(%e : tensor<4x8xf32>) permutation = [1, 0] {tp.group = ["g"], tp.name = "t"}
  return %t : tensor<4x8xf32>
}

// -----

// The two that differ are joined by a third.
tp.mesh @mesh <"tp"=2>
// expected-note @below {{the other is here}}
func.func @annotations(%x: tensor<8x4xf32> {tp.group = "g", tp.sharding = #tp.sharding<[_, tp]>}, %y: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %0 = math.exp %y {tp.group = ["g"]} : tensor<8x4xf32>
  // expected-error @below {{math.absf and @annotations argument 0 are one value (group "g") and need the same sharding, found [tp, _] and [_, tp]}}
  %1 = math.absf %0 {tp.group = ["g"], tp.sharding = [#tp.sharding<[tp, _]>]} : tensor<8x4xf32>
  return %1 : tensor<8x4xf32>
}

// -----

// A parameter is one value in all entries, and a state is its new value.
tp.mesh @mesh <"tp"=2>
// expected-note @below {{the other is here}}
func.func @one(%w: tensor<8x4xf32> {tp.kind = "parameter", tp.name = "w", tp.sharding = #tp.sharding<[_, tp]>}) {
  return
}
// expected-error @below {{"w" and "w" are one value (parameter "w") and need the same sharding, found [tp, _] and [_, tp]}}
func.func @other(%w: tensor<8x4xf32> {tp.kind = "parameter", tp.name = "w", tp.sharding = #tp.sharding<[tp, _]>}) {
  return
}

// -----

tp.mesh @mesh <"tp"=2>
// expected-error @below {{@state result 0 and "s" are one value (a state and its new value, @state result 0) and need the same sharding, found [_, tp] and [tp, _]}}
// expected-note @below {{the other is here}}
func.func @state(%s: tensor<8x4xf32> {tp.kind = "state", tp.name = "s", tp.sharding = #tp.sharding<[tp, _]>})
    -> (tensor<8x4xf32> {tp.alias = 0 : i64, tp.sharding = #tp.sharding<[_, tp]>}) {
  return %s : tensor<8x4xf32>
}

// -----

tp.mesh @mesh <"tp"=2>
func.func @forall(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @below {{'scf.forall' carries one value with two shardings, #tp.sharding<[tp]> and #tp.sharding<[_]>: its arguments and results need the same}}
  %r = scf.forall (%i) in (8) shared_outs(%o = %x) -> tensor<8xf32> {
    %s = tensor.extract_slice %x[%i] [1] [1] : tensor<8xf32> to tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xf32> into tensor<8xf32>
    }
  } {tp.arg_sharding = [#tp.sharding<[]>, #tp.sharding<[tp]>], tp.sharding = [#tp.sharding<[_]>]}
  return %r : tensor<8xf32>
}
