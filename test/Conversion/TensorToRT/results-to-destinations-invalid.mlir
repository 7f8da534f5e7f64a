// RUN: tp-opt %s --tp-results-to-destinations -split-input-file -verify-diagnostics

// expected-error @below {{private functions must be inlined before lowering to the runtime}}
func.func private @helper(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

func.func @callee(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{calls must be inlined before lowering to the runtime}}
  %0 = func.call @callee(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// expected-error @below {{lowering to the runtime needs static shapes, found 'tensor<?xf32>'}}
func.func @f(%x: tensor<?xf32>) -> tensor<?xf32> {
  return %x : tensor<?xf32>
}

// -----

// expected-error @below {{result 0 of type 'tensor<5xf32>' is the new value of a state of type 'tensor<4xf32>'}}
func.func @f(%x: tensor<4xf32> {tp.kind = "state"}, %y: tensor<5xf32>) -> (tensor<5xf32> {tp.alias = 0 : i64}) {
  return %y : tensor<5xf32>
}

// -----

// expected-error @below {{an entry has one block, found 2}}
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  cf.br ^end
^end:
  return %x : tensor<4xf32>
}
