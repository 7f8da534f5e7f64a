// RUN: tp-opt %s -split-input-file -verify-diagnostics --tp-verify-reshard

// A bias that every rank adds to its partial sum.
tp.mesh @mesh <"tp"=4>
func.func @bias_per_rank(%p: tensor<4x8xf32> {tp.sharding = #tp.sharding<[_, _] sum(tp)>}, %b: tensor<4x8xf32> {tp.sharding = #tp.sharding<[_, _]>})
    -> (tensor<4x8xf32> {tp.sharding = #tp.sharding<[_, _]>}) {
  // expected-error @below {{'arith.addf' operand 0 is a partial sum, in which the op is not linear together with its other operands as they are}}
  %y = arith.addf %p, %b {tp.sharding = [#tp.sharding<[_, _] sum(tp)>]} : tensor<4x8xf32>
  %r = tp.reshard %y from <[_, _] sum(tp)> to <[_, _]> : tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// -----

// An activation of a partial sum.
tp.mesh @mesh <"tp"=4>
func.func @activation(%p: tensor<4x8xf32> {tp.sharding = #tp.sharding<[_, _] sum(tp)>}) -> (tensor<4x8xf32> {tp.sharding = #tp.sharding<[_, _]>}) {
  // expected-error @below {{'math.tanh' operand 0 is a partial sum}}
  %y = math.tanh %p {tp.sharding = [#tp.sharding<[_, _] sum(tp)>]} : tensor<4x8xf32>
  %r = tp.reshard %y from <[_, _] sum(tp)> to <[_, _]> : tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// -----

// Rounding before the reduction.
tp.mesh @mesh <"tp"=4>
func.func @rounding(%p: tensor<4xf32> {tp.sharding = #tp.sharding<[_] sum(tp)>}) -> (tensor<4xbf16> {tp.sharding = #tp.sharding<[_]>}) {
  // expected-error @below {{'arith.truncf' operand 0 is a partial sum}}
  %y = arith.truncf %p {tp.sharding = [#tp.sharding<[_] sum(tp)>]} : tensor<4xf32> to tensor<4xbf16>
  %r = tp.reshard %y from <[_] sum(tp)> to <[_]> : tensor<4xbf16>
  return %r : tensor<4xbf16>
}

// -----

// A reduction that is missing: the contraction is cut, its result is not partial.
tp.mesh @mesh <"tp"=4>
func.func @missing(%x: tensor<4x8xf32> {tp.sharding = #tp.sharding<[_, tp]>}, %w: tensor<8x8xf32> {tp.sharding = #tp.sharding<[tp, _]>})
    -> (tensor<4x8xf32> {tp.sharding = #tp.sharding<[_, _]>}) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() {tp.sharding = [#tp.sharding<[_, _]>]} : tensor<4x8xf32>
  %f = linalg.fill {tp.sharding = [#tp.sharding<[_, _] sum(tp)>]} ins(%zero : f32) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  // expected-error @below {{'linalg.matmul' result 0 does not have the sharding that the others ask for}}
  %y = linalg.matmul {tp.sharding = [#tp.sharding<[_, _]>]} ins(%x, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%f : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// -----

// A reduction that is made twice.
tp.mesh @mesh <"tp"=4>
func.func @doubled(%p: tensor<4xf32> {tp.sharding = #tp.sharding<[_] sum(tp)>}) -> (tensor<4xf32> {tp.sharding = #tp.sharding<[_]>}) {
  %r = tp.reshard %p from <[_] sum(tp)> to <[_]> : tensor<4xf32>
  // expected-error @below {{'tp.reshard' input must be [_] sum(tp), found [_]}}
  %s = tp.reshard %r from <[_] sum(tp)> to <[_]> : tensor<4xf32>
  return %s : tensor<4xf32>
}

// -----

// A destination that every rank adds to.
tp.mesh @mesh <"tp"=4>
func.func @init(%x: tensor<4x8xf32> {tp.sharding = #tp.sharding<[_, tp]>}, %w: tensor<8x8xf32> {tp.sharding = #tp.sharding<[tp, _]>},
                %b: tensor<4x8xf32> {tp.sharding = #tp.sharding<[_, _]>}) -> (tensor<4x8xf32> {tp.sharding = #tp.sharding<[_, _]>}) {
  // expected-error @below {{'linalg.matmul' operand 2 does not have the sharding that the others ask for}}
  %y = linalg.matmul {tp.sharding = [#tp.sharding<[_, _] sum(tp)>]} ins(%x, %w : tensor<4x8xf32>, tensor<8x8xf32>) outs(%b : tensor<4x8xf32>) -> tensor<4x8xf32>
  %r = tp.reshard %y from <[_, _] sum(tp)> to <[_, _]> : tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// -----

// A fill that is not neutral cannot stand for a partial value.
tp.mesh @mesh <"tp"=4>
func.func @fill() -> (tensor<4xf32> {tp.sharding = #tp.sharding<[_]>}) {
  // expected-error @below {{'arith.constant' is no neutral element of a sum, so it cannot stand for a partial value}}
  %one = arith.constant {tp.sharding = [#tp.sharding<[_] sum(tp)>]} dense<1.0> : tensor<4xf32>
  %r = tp.reshard %one from <[_] sum(tp)> to <[_]> : tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

tp.mesh @mesh <"tp"=4>
// expected-error @below {{result 0 is still partial: [_] sum(tp)}}
func.func @returned(%p: tensor<4xf32> {tp.sharding = #tp.sharding<[_] sum(tp)>}) -> (tensor<4xf32> {tp.sharding = #tp.sharding<[_] sum(tp)>}) {
  return %p : tensor<4xf32>
}

// -----

// What a loop carries has one sharding.
tp.mesh @mesh <"tp"=4>
func.func @carried(%x: tensor<4xf32> {tp.sharding = #tp.sharding<[tp]>}, %n: index) -> (tensor<4xf32> {tp.sharding = #tp.sharding<[tp]>}) {
  // expected-error @below {{'scf.for' carries one value, which must be [_], found [tp]}}
  %r = scf.for %i = %n to %n step %n iter_args(%a = %x) -> tensor<4xf32> {
    scf.yield %a : tensor<4xf32>
  } {tp.arg_sharding = [#tp.sharding<[]>, #tp.sharding<[_]>], tp.sharding = [#tp.sharding<[tp]>]}
  return %r : tensor<4xf32>
}

// -----

tp.mesh @mesh <"tp"=4>
func.func @init(%x: tensor<4xf32> {tp.sharding = #tp.sharding<[_]>}, %n: index) -> (tensor<4xf32> {tp.sharding = #tp.sharding<[tp]>}) {
  // expected-error @below {{'scf.for' operand 3 must be [tp], found [_]}}
  %r = scf.for %i = %n to %n step %n iter_args(%a = %x) -> tensor<4xf32> {
    scf.yield %a : tensor<4xf32>
  } {tp.arg_sharding = [#tp.sharding<[]>, #tp.sharding<[tp]>], tp.sharding = [#tp.sharding<[tp]>]}
  return %r : tensor<4xf32>
}

// -----

// A partial value that is yielded as it is: each rank would carry its part on.
tp.mesh @mesh <"tp"=4>
func.func @yielded(%x: tensor<4x4xf32> {tp.sharding = #tp.sharding<[_, tp]>}, %w: tensor<4x4xf32> {tp.sharding = #tp.sharding<[tp, _]>},
                   %c: i1, %y: tensor<4x4xf32> {tp.sharding = #tp.sharding<[_, _]>}) -> (tensor<4x4xf32> {tp.sharding = #tp.sharding<[_, _]>}) {
  %r = scf.if %c -> tensor<4x4xf32> {
    %z = arith.constant {tp.sharding = [#tp.sharding<[_, _] sum(tp)>]} dense<0.0> : tensor<4x4xf32>
    %p = linalg.matmul {tp.sharding = [#tp.sharding<[_, _] sum(tp)>]} ins(%x, %w : tensor<4x4xf32>, tensor<4x4xf32>) outs(%z : tensor<4x4xf32>) -> tensor<4x4xf32>
    // expected-error @below {{'scf.yield' operand 0 must be [_, _], found [_, _] sum(tp)}}
    scf.yield %p : tensor<4x4xf32>
  } else {
    scf.yield %y : tensor<4x4xf32>
  } {tp.sharding = [#tp.sharding<[_, _]>]}
  return %r : tensor<4x4xf32>
}

// -----

// Ops within are looked at as those outside.
tp.mesh @mesh <"tp"=4>
func.func @within(%x: tensor<4xf32> {tp.sharding = #tp.sharding<[tp]>}, %y: tensor<4xf32> {tp.sharding = #tp.sharding<[_]>}, %c: i1)
    -> (tensor<4xf32> {tp.sharding = #tp.sharding<[tp]>}) {
  %r = scf.if %c -> tensor<4xf32> {
    // expected-error @below {{'arith.addf' operand 1 does not have the sharding that the others ask for}}
    %s = arith.addf %x, %y {tp.sharding = [#tp.sharding<[tp]>]} : tensor<4xf32>
    scf.yield %s : tensor<4xf32>
  } else {
    scf.yield %x : tensor<4xf32>
  } {tp.sharding = [#tp.sharding<[tp]>]}
  return %r : tensor<4xf32>
}

// -----

tp.mesh @mesh <"a"=2, "b"=2>

func.func @window_other_dimension(%x: tensor<8x4xf32> {tp.sharding = #tp.sharding<[a, b]>}) -> (tensor<8x4xf32> {tp.sharding = #tp.sharding<[b, _]>}) {
  // expected-error @below {{'tp.window' result must be [b, b], found [b, _]}}
  %y = tp.window %x dim 0 starts [1] sizes [8] stride 1 {tp.sharding = [#tp.sharding<[b, _]>]} : tensor<8x4xf32> -> tensor<8x4xf32>
  return %y : tensor<8x4xf32>
}

// -----

tp.mesh @mesh <"a"=2>

func.func @window_of_partial(%x: tensor<8xf32> {tp.sharding = #tp.sharding<[_] sum(a)>}) -> (tensor<8xf32> {tp.sharding = #tp.sharding<[_]>}) {
  // expected-error @below {{'tp.window' input is still partial: [_] sum(a)}}
  %y = tp.window %x dim 0 starts [1] sizes [8] stride 1 {tp.sharding = [#tp.sharding<[_]>]} : tensor<8xf32> -> tensor<8xf32>
  return %y : tensor<8xf32>
}

// -----

tp.mesh @mesh <"a"=2>

// expected-error @below {{result 0, [a], is the new value of argument 0, which has another sharding, [_]}}
func.func @state(%x: tensor<4xf32> {tp.kind = "state", tp.sharding = #tp.sharding<[_]>}) -> (tensor<4xf32> {tp.alias = 0 : i64, tp.sharding = #tp.sharding<[a]>}) {
  return %x : tensor<4xf32>
}

// -----

tp.mesh @mesh <"a"=2>

func.func @norm_of_cut_rows(%x: tensor<4x8xf32> {tp.sharding = #tp.sharding<[_, a]>}, %w: tensor<8xf32> {tp.sharding = #tp.sharding<[a]>}) -> (tensor<4x8xf32> {tp.sharding = #tp.sharding<[_, a]>}) {
  // expected-error @below {{'nn.rms_norm' operand 0: dimension 1 must be whole here}}
  %y = nn.rms_norm %x, %w epsilon 1.0e-5 {tp.sharding = [#tp.sharding<[_, a]>]} : tensor<4x8xf32>, tensor<8xf32>
  return %y : tensor<4x8xf32>
}

// -----

tp.mesh @mesh <"a"=2>

func.func @rows_cut_within(%x: tensor<6xf32> {tp.sharding = #tp.sharding<[a]>}) -> (tensor<3x2xf32> {tp.sharding = #tp.sharding<[a, _]>}) {
  // expected-error @below {{'tensor.expand_shape' operand 0: dimension 0 cannot be cut like this here}}
  %y = tensor.expand_shape %x [[0, 1]] output_shape [3, 2] {tp.sharding = [#tp.sharding<[a, _]>]} : tensor<6xf32> into tensor<3x2xf32>
  return %y : tensor<3x2xf32>
}
