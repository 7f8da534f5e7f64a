// RUN: tp-opt %s -split-input-file -verify-diagnostics --tp-plan-pipeline --tp-reshard-pipeline

tp.mesh @mesh <"tp"=2>
func.func @remark(%x: tensor<8xindex> {tp.sharding = #tp.sharding<[tp]>}, %i: index, %n: index) -> tensor<8xindex> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %j = %c0 to %n step %c1 iter_args(%h = %x) -> (tensor<8xindex>) {
    // expected-remark @below {{'tensor.extract' has no sharding rule: it runs whole on every rank}}
    %s = tensor.extract %h[%i] : tensor<8xindex>
    %t = tensor.splat %s : tensor<8xindex>
    %u = arith.addi %t, %x : tensor<8xindex>
    scf.yield %u : tensor<8xindex>
  }
  return %r : tensor<8xindex>
}

// -----

tp.mesh @mesh <"tp"=2>
func.func @effects(%x: tensor<8xf32> {tp.sharding = #tp.sharding<[tp]>}) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  // expected-error @below {{has side effects and no sharding rule: it cannot be partitioned}}
  vector.print str "hello"
  return %x : tensor<8xf32>
}

// -----

tp.mesh @mesh <"tp"=2>
func.func @effects_in_loop(%x: tensor<8xf32> {tp.sharding = #tp.sharding<[tp]>}, %n: index) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %j = %c0 to %n step %c1 iter_args(%h = %x) -> (tensor<8xf32>) {
    // expected-error @below {{has side effects and no sharding rule: it cannot be partitioned}}
    vector.print str "hello"
    %s = arith.addf %h, %h : tensor<8xf32>
    scf.yield %s : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// -----

// expected-error @below {{needs a tp.mesh in the module: give a plan with a mesh}}
module {
  func.func @no_mesh(%x: tensor<8xf32>) -> tensor<8xf32> {
    return %x : tensor<8xf32>
  }
}

// -----

tp.mesh @mesh <"tp"=2>
func.func @again(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @below {{call of @again is recursive: recursion is not supported}}
  %y = func.call @again(%x) : (tensor<8xf32>) -> tensor<8xf32>
  return %y : tensor<8xf32>
}

// -----

tp.mesh @mesh <"tp"=2>
func.func private @outside(tensor<8xf32>) -> tensor<8xf32>
func.func @external(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @below {{calls @outside, which has no body: external functions cannot be partitioned}}
  %y = func.call @outside(%x) : (tensor<8xf32>) -> tensor<8xf32>
  return %y : tensor<8xf32>
}

// -----

tp.mesh @mesh <"tp"=2>
// expected-error @below {{dynamic.arg0 has a size that is not known when the program is compiled, 'tensor<?x8xf32>': give it by --shape dynamic.arg0=SIZExSIZE}}
func.func @dynamic(%x: tensor<?x8xf32>) -> tensor<?x8xf32> {
  return %x : tensor<?x8xf32>
}

// -----

tp.mesh @mesh <"tp"=2>
// expected-error @below {{complex numbers are not supported}}
func.func @complex(%x: tensor<8xcomplex<f32>>) -> tensor<8xcomplex<f32>> {
  return %x : tensor<8xcomplex<f32>>
}

// -----

tp.mesh @mesh <"tp"=2>
// expected-error @below {{programs are on tensors and scalars, found 'vector<5xf32>'}}
func.func @vector(%x: vector<5xf32>) -> vector<5xf32> {
  return %x : vector<5xf32>
}

// -----

tp.mesh @mesh <"tp"=2>
func.func @blocks(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{control flow between blocks is not supported, use scf}}
  cf.br ^bb1
^bb1:
  return %x : tensor<4xf32>
}
