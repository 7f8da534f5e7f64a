// RUN: tp-opt %s -split-input-file -verify-diagnostics --tp-verify-plan

// expected-error @below {{needs a tp.mesh in the module: give a plan with a mesh}}
module {
}

// -----

tp.mesh @mesh <"tp"=4>
// expected-error @below {{argument 0 has no sharding}}
func.func @argument(%x: tensor<8xf32>) {
  return
}

// -----

tp.mesh @mesh <"tp"=4>
// expected-error @below {{argument 0 has an open sharding}}
func.func @open(%x: tensor<8xf32> {tp.sharding = #tp.sharding<[?]>}) {
  return
}

// -----

tp.mesh @mesh <"tp"=4>
func.func @op(%x: tensor<8xf32> {tp.sharding = #tp.sharding<[_]>}) {
  // expected-error @below {{result 0 of 'math.exp' has no sharding}}
  %y = math.exp %x : tensor<8xf32>
  return
}

// -----

tp.mesh @mesh <"tp"=4>
func.func @nested(%x: tensor<8xf32> {tp.sharding = #tp.sharding<[_]>}, %n: index) {
  scf.for %i = %n to %n step %n {
    // expected-error @below {{result 0 of 'math.exp' has no sharding}}
    %y = math.exp %x : tensor<8xf32>
  }
  return
}

// -----

tp.mesh @mesh <"tp"=4>
func.func @block_argument(%x: tensor<8xf32> {tp.sharding = #tp.sharding<[_]>}, %n: index) {
  // expected-error @below {{block argument 1 of 'scf.for' has no sharding}}
  %r = scf.for %i = %n to %n step %n iter_args(%a = %x) -> tensor<8xf32> {
    scf.yield %a : tensor<8xf32>
  } {tp.sharding = [#tp.sharding<[tp]>]}
  return
}

// -----

tp.mesh @mesh <"tp"=2>
func.func private @g(%x: tensor<4xf32> {tp.sharding = #tp.sharding<[_]>}) {
  return
}
func.func @call(%x: tensor<4xf32> {tp.sharding = #tp.sharding<[_]>}) {
  // expected-error @below {{is a call: functions are inlined before propagation}}
  call @g(%x) : (tensor<4xf32>) -> ()
  return
}
