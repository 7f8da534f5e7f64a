// RUN: tp-opt %s -split-input-file -verify-diagnostics

// The text of shardings: no axis or overlapping parts twice; pre, size and granule at least 1.

// expected-error @below {{axis "tp" is used twice}}
func.func private @f(tensor<4x4xf32> {tp.sharding = #tp.sharding<[tp, tp]>})

// -----

// expected-error @below {{axis "tp" is used twice}}
func.func private @f(tensor<4x4xf32> {tp.sharding = #tp.sharding<[tp, _] sum(tp)>})

// -----

// expected-error @below {{axis "tp" is used twice}}
func.func private @f(tensor<4x4xf32> {tp.sharding = #tp.sharding<[tp:(1)4, tp:(2)2]>})

// -----

// expected-error @below {{axis "tp" is used twice}}
func.func private @f(tensor<4x4xf32> {tp.sharding = #tp.sharding<[tp, tp:(2)2]>})

// -----

// expected-error @below {{axis "tp": a part must be at least (1)1, found (0)2}}
func.func private @f(tensor<4xf32> {tp.sharding = #tp.sharding<[tp:(0)2]>})

// -----

// Products of the two wrap around.
// expected-error @below {{axis "tp": the numbers of a part must be at most 2147483647, found (9223372036854775807)2}}
func.func private @f(tensor<4xf32> {tp.sharding = #tp.sharding<[tp:(9223372036854775807)2]>})

// -----

// expected-error @below {{the size of a part must be at least 1, found 0}}
func.func private @f(tensor<4xf32> {tp.sharding = #tp.sharding<[tp:(1)0]>})

// -----

// expected-error @below {{a granule must be 1 to 2147483647, found 0}}
func.func private @f(tensor<4xf32> {tp.sharding = #tp.sharding<[tp*0]>})

// -----

// expected-error @below {{unknown kind of reduction "mean"}}
func.func private @f(tensor<4xf32> {tp.sharding = #tp.sharding<[_] mean(tp)>})

// -----

// expected-error @below {{sum needs at least one axis}}
func.func private @f(tensor<4xf32> {tp.sharding = #tp.sharding<[_] sum()>})

// -----

// expected-error @below {{expected ')'}}
func.func private @f(tensor<4xf32> {tp.sharding = #tp.sharding<[(a, b c)]>})

// -----

// The mesh.

// expected-error @below {{axis name "2x" is not an identifier}}
tp.mesh @m <"2x"=2>

// -----

// expected-error @below {{axis name "_" is not an identifier}}
tp.mesh @m <"_"=2>

// -----

// expected-error @below {{axis "a" appears twice}}
tp.mesh @m <"a"=2, "a"=2>

// -----

// expected-error @below {{axis "a" must have a size of at least 1, found 0}}
tp.mesh @m <"a"=0>

// -----

// expected-error @below {{has more than 4096 devices: 4096 times 2}}
tp.mesh @m <"a"=4096, "b"=2>

// -----

// expected-error @below {{has more than 4096 devices: 4 times 4611686018427387904}}
tp.mesh @m <"a"=4, "b"=4611686018427387904>

// -----

// expected-error @below {{has 1 axis names and 2 sizes}}
"tp.mesh"() {sym_name = "m", axis_names = ["a"], axis_sizes = array<i64: 2, 2>} : () -> ()

// -----

// expected-note @below {{the first is here}}
tp.mesh @a <"a"=2>
// expected-error @below {{is the second mesh of the module}}
tp.mesh @b <"b"=2>

// -----

func.func @f() {
  // expected-error @below {{expects parent op 'builtin.module'}}
  tp.mesh @m <"a"=2>
  return
}

// -----

// Constraints and reshards fit rank and mesh.

func.func @f(%a: tensor<4xf32>) {
  // expected-error @below {{needs a tp.mesh in the module}}
  %0 = tp.constraint %a <[_]> : tensor<4xf32>
  return
}

// -----

tp.mesh @m <"a"=2>
func.func @f(%a: tensor<4xf32>) {
  // expected-error @below {{sharding: a sharding of rank 2 does not fit a value of rank 1}}
  %0 = tp.constraint %a <[_, a]> : tensor<4xf32>
  return
}

// -----

tp.mesh @m <"a"=2, "b"=4>
func.func @f(%a: tensor<4xf32>) {
  // expected-error @below {{sharding: no axis "c" in the mesh, which has "a"=2, "b"=4}}
  %0 = tp.constraint %a <[c]> : tensor<4xf32>
  return
}

// -----

tp.mesh @m <"a"=6>
func.func @f(%a: tensor<4xf32>) {
  // expected-error @below {{sharding: axis "a" of size 6 has no part (2)2}}
  %0 = tp.constraint %a <[a:(2)2]> : tensor<4xf32>
  return
}

// -----

tp.mesh @m <"a"=2>
func.func @f(%a: tensor<4xf32>) {
  // expected-error @below {{from: no axis "c" in the mesh}}
  %0 = tp.reshard %a from <[c]> to <[_]> : tensor<4xf32>
  return
}

// -----

tp.mesh @m <"a"=2>
func.func @f(%a: tensor<4xf32>) {
  // expected-error @below {{to: a sharding of rank 2 does not fit a value of rank 1}}
  %0 = tp.reshard %a from <[a]> to <[_, _]> : tensor<4xf32>
  return
}

// -----

// Discardable attributes.

// expected-error @below {{argument 0: a sharding needs a tp.mesh in the module}}
func.func private @f(tensor<4xf32> {tp.sharding = #tp.sharding<[tp]>})

// -----

tp.mesh @m <"a"=2>
// expected-error @below {{argument 0: expected a #tp.sharding, found "a"}}
func.func private @f(tensor<4xf32> {tp.sharding = "a"})

// -----

tp.mesh @m <"a"=2>
// expected-error @below {{argument 0: a sharding needs a ranked tensor, found 'index'}}
func.func private @f(index {tp.sharding = #tp.sharding<[a]>})

// -----

tp.mesh @m <"a"=2>
// expected-error @below {{result 0: no axis "b" in the mesh}}
func.func private @f() -> (tensor<4xf32> {tp.sharding = #tp.sharding<[b]>})

// -----

tp.mesh @m <"a"=2>
func.func @f(%a: tensor<4xf32>) {
  // expected-error @below {{tp.sharding: expected an array of 1 shardings, found #tp.sharding<[a]>}}
  %0 = arith.addf %a, %a {tp.sharding = #tp.sharding<[a]>} : tensor<4xf32>
  return
}

// -----

tp.mesh @m <"a"=2>
func.func @f(%a: tensor<4xf32>) {
  // expected-error @below {{tp.sharding: expected an array of 1 shardings, found []}}
  %0 = arith.addf %a, %a {tp.sharding = []} : tensor<4xf32>
  return
}

// -----

tp.mesh @m <"a"=2>
func.func @f(%a: tensor<4xf32>) {
  // expected-error @below {{tp.sharding 0: a sharding of rank 2 does not fit a value of rank 1}}
  %0 = arith.addf %a, %a {tp.sharding = [#tp.sharding<[_, a]>]} : tensor<4xf32>
  return
}

// -----

tp.mesh @m <"a"=2>
func.func @f(%a: tensor<4xf32>) {
  // expected-error @below {{tp.arg_sharding: the op has no block arguments}}
  %0 = arith.addf %a, %a {tp.arg_sharding = []} : tensor<4xf32>
  return
}

// -----

tp.mesh @m <"a"=2>
func.func @f(%n: index, %a: tensor<4xf32>) {
  // expected-error @below {{tp.arg_sharding: expected an array of 2 shardings}}
  %0 = scf.for %i = %n to %n step %n iter_args(%v = %a) -> tensor<4xf32> {
    scf.yield %v : tensor<4xf32>
  } {tp.arg_sharding = [#tp.sharding<[a]>]}
  return
}

// -----

tp.mesh @m <"a"=2>
func.func @f(%c: i1, %a: tensor<4xf32>) {
  // expected-error @below {{tp.arg_sharding: expected an array of 2 shardings}}
  %0 = scf.while (%v = %a) : (tensor<4xf32>) -> tensor<4xf32> {
    scf.condition(%c) %v : tensor<4xf32>
  } do {
  ^bb0(%v: tensor<4xf32>):
    scf.yield %v : tensor<4xf32>
  } attributes {tp.arg_sharding = [#tp.sharding<[a]>]}
  return
}

// -----

func.func @f(%n: index, %a: tensor<4xf32>) {
  // expected-error @below {{block argument 1: tp.arg_cut_priority must be 1 integers of at least 0, or none}}
  %0 = scf.for %i = %n to %n step %n iter_args(%v = %a) -> tensor<4xf32> {
    scf.yield %v : tensor<4xf32>
  } {tp.arg_cut_priority = [array<i64>, array<i64: 1, 2>]}
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error @below {{tp.name must be a string, found 1 : i64}}
  %0 = arith.addf %a, %a {tp.name = 1 : i64} : tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error @below {{tp.role must be a string, found 1 : i64}}
  %0 = arith.addf %a, %a {tp.role = 1 : i64} : tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>, %i: index) -> f32 {
  // expected-error @below {{tp.global_type must be a tensor type of the rank of operand 0, found tensor<8x4xf32>}}
  %0 = tensor.extract %a[%i] {tp.global_type = tensor<8x4xf32>} : tensor<4xf32>
  return %0 : f32
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error @below {{attribute tp.kind has no meaning here}}
  %0 = arith.addf %a, %a {tp.kind = "state"} : tensor<4xf32>
  return
}

// -----

func.func @f(%a: tensor<4xf32>) {
  // expected-error @below {{result 0: tp.cut_priority must be 1 integers of at least 0, or none, found array<i64: 0, 1>}}
  %0 = arith.addf %a, %a {tp.cut_priority = [array<i64: 0, 1>]} : tensor<4xf32>
  return
}

// -----

// expected-error @below {{argument 0: tp.kind must be "parameter", "state" or "input", found "weight"}}
func.func private @f(tensor<4xf32> {tp.kind = "weight"})

// -----

// expected-error @below {{argument 0: tp.source must be a dictionary, found "w"}}
func.func private @f(tensor<4xf32> {tp.source = "w"})

// -----

// expected-error @below {{argument 0: tp.source: has no member file}}
func.func private @f(tensor<4xf32> {tp.source = {file = "w"}})

// -----

// expected-error @below {{argument 0: tp.source: tensor must be a string, found 3 : i64}}
func.func private @f(tensor<4xf32> {tp.source = {tensor = 3}})

// -----

// expected-error @below {{argument 0: tp.source: shape must be an array of i64, found [4 : i32]}}
func.func private @f(tensor<4xf32> {tp.source = {shape = [4 : i32]}})

// -----

// expected-error @below {{argument 0: tp.source: view [2, 3] must have the elements of [4]}}
func.func private @f(tensor<4xf32> {tp.source = {view = [2, 3]}})

// -----

// expected-error @below {{argument 0: tp.source: view [-2, -2] must have the elements of [4]}}
func.func private @f(tensor<4xf32> {tp.source = {view = [-2, -2]}})

// -----

// expected-error @below {{argument 0: tp.source: offset, size and permutation must have 2 elements, found 1, 2 and 2}}
func.func private @f(tensor<4xf32> {tp.source = {shape = [2, 2], offset = [0]}})

// -----

// expected-error @below {{argument 0: tp.source: the slice of 2 elements from 1 on is outside of dimension 1 of size 2}}
func.func private @f(tensor<4xf32> {tp.source = {shape = [2, 2], offset = [0, 1]}})

// -----

// expected-error @below {{argument 0: tp.source: permutation must name every dimension once}}
func.func private @f(tensor<4xf32> {tp.source = {shape = [2, 2], permutation = [1, 1]}})

// -----

// expected-error @below {{argument 0: tp.source: the slice [1, 2] must have the elements of [4]}}
func.func private @f(tensor<4xf32> {tp.source = {shape = [2, 2], size = [1, 2]}})

// -----

// expected-error @below {{argument 0: tp.role must be a string, found 1 : i64}}
func.func private @f(tensor<4xf32> {tp.role = 1 : i64})

// -----

func.func @factor_priority(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{tp.factor_priority must be integers of at least 0, found array<i64: 0, -1>}}
  %0 = arith.addf %a, %a {tp.factor_priority = array<i64: 0, -1>} : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// expected-error @below {{argument 0: tp.cut_priority must be 1 integers of at least 0, or none, found array<i64: -1>}}
func.func private @f(tensor<4xf32> {tp.cut_priority = array<i64: -1>})

// -----

// expected-error @below {{argument 0: tp.global_type must be a type, found "tensor<8xf32>"}}
func.func private @f(tensor<4xf32> {tp.global_type = "tensor<8xf32>"})

// -----

// expected-error @below {{argument 0: attribute tp.alias has no meaning here}}
func.func private @f(tensor<4xf32> {tp.alias = 0 : i64})

// -----

// expected-error @below {{result 0: tp.alias must be an argument number, found 1}}
func.func private @f(tensor<4xf32> {tp.kind = "state"}) -> (tensor<4xf32> {tp.alias = 1 : i64})

// -----

// expected-error @below {{result 0: tp.alias names argument 0, which is no state}}
func.func private @f(tensor<4xf32> {tp.kind = "input"}) -> (tensor<4xf32> {tp.alias = 0 : i64})

// -----

// expected-error @below {{result 2: the state of argument 0 has a new value already, result 0}}
func.func private @f(tensor<4xf32> {tp.kind = "state"}) -> (tensor<4xf32> {tp.alias = 0 : i64}, tensor<4xf32>, tensor<4xf32> {tp.alias = 0 : i64})

// -----

// expected-error @below {{result 0: attribute tp.kind has no meaning here}}
func.func private @f() -> (tensor<4xf32> {tp.kind = "state"})

// -----

func.func @f(%x: tensor<8x2xf32>) {
  // expected-error @below {{dim 2 is no dimension of 'tensor<8x2xf32>'}}
  %0 = tp.window %x dim 2 starts [0] sizes [8] stride 1 : tensor<8x2xf32> -> tensor<8x2xf32>
  return
}

// -----

func.func @f(%x: tensor<8xf32>) {
  // expected-error @below {{stride must be at least 1, found 0}}
  %0 = tp.window %x dim 0 starts [0] sizes [8] stride 0 : tensor<8xf32> -> tensor<8xf32>
  return
}

// -----

func.func @f(%x: tensor<8xf32>) {
  // expected-error @below {{repeat must be at least 1, found 0}}
  %0 = tp.window %x dim 0 starts [0] sizes [8] stride 1 repeat 0 : tensor<8xf32> -> tensor<8xf32>
  return
}

// -----

func.func @f(%x: tensor<8xf32>) {
  // expected-error @below {{repeats rows and has a stride of 3}}
  %0 = tp.window %x dim 0 starts [0] sizes [8] stride 3 repeat 2 : tensor<8xf32> -> tensor<8xf32>
  return
}

// -----

func.func @f(%x: tensor<8xf32>) {
  // expected-error @below {{has 2 starts and 1 sizes}}
  %0 = tp.window %x dim 0 starts [0, 4] sizes [8] stride 1 : tensor<8xf32> -> tensor<8xf32>
  return
}

// -----

func.func @f(%x: tensor<8xf32>) {
  // expected-error @below {{has a piece of -2 rows}}
  %0 = tp.window %x dim 0 starts [0, 4] sizes [8, -2] stride 1 : tensor<8xf32> -> tensor<6xf32>
  return
}

// -----

func.func @f(%x: tensor<8x2xf32>) {
  // expected-error @below {{result must be 'tensor<12x2xf32>', found 'tensor<8x2xf32>'}}
  %0 = tp.window %x dim 0 starts [-1, 3] sizes [6, 6] stride 1 : tensor<8x2xf32> -> tensor<8x2xf32>
  return
}

// -----

func.func @f(%x: tensor<8xf32>) {
  // expected-error @below {{fill must be of type 'f32', found 'i1'}}
  %0 = tp.window %x dim 0 starts [-1] sizes [8] stride 1 fill(true) : tensor<8xf32> -> tensor<8xf32>
  return
}
