// RUN: tp-opt %s -split-input-file -verify-diagnostics --tp-bind-shapes=shapes=f.arg0=7x4 --tp-prepare

// Sizes that do not fit each other.
func.func @f(%x: tensor<?x4xf32>, %y: tensor<8x4xf32>) -> tensor<?x4xf32> {
  %0 = tensor.cast %y : tensor<8x4xf32> to tensor<?x4xf32>
  // expected-error @below {{'arith.addf' op requires the same type for all operands and results}}
  %1 = arith.addf %x, %0 : tensor<?x4xf32>
  return %1 : tensor<?x4xf32>
}

// -----

// A cast to a size that it has not.
func.func @f(%x: tensor<?x4xf32>) -> tensor<8x4xf32> {
  // expected-error @below {{'tensor.cast' op operand type 'tensor<7x4xf32>' and result type 'tensor<8x4xf32>' are cast incompatible}}
  %0 = tensor.cast %x : tensor<?x4xf32> to tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}

// -----

func.func @f(%x: tensor<?x4xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %n = tensor.dim %x, %c0 : tensor<?x4xf32>
  %m = arith.subi %n, %c8 : index
  // expected-error @below {{'tensor.empty' has a negative size, -1}}
  %0 = tensor.empty(%m) : tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

func.func @f(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %c-8 = arith.constant -8 : index
  %z = arith.constant 0.0 : f32
  // expected-error @below {{'tensor.pad' has a negative size, -1}}
  %0 = tensor.pad %x low[%c-8, 0] high[0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %z : f32
  } : tensor<?x4xf32> to tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

// -----

// A slice beyond the end.
func.func @f(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x4xf32>
  // expected-error @below {{slice along dimension 0 runs out-of-bounds: 7 >= 7}}
  %0 = tensor.extract_slice %x[1, 0] [%n, 4] [1, 1] : tensor<?x4xf32> to tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

// -----

// A loop that makes a value longer has no one size for it.
func.func @f(%x: tensor<?x4xf32>, %k: index) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %k step %c1 iter_args(%a = %x) -> (tensor<?x4xf32>) {
    %b = tensor.concat dim(0) %a, %x : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
    // expected-error @below {{'scf.for' carries one value, which cannot have two sizes, 'tensor<7x4xf32>' and here 'tensor<14x4xf32>'}}
    scf.yield %b : tensor<?x4xf32>
  }
  return %r : tensor<?x4xf32>
}

// -----

// Branches of different sizes under a condition that data decide.
func.func @f(%x: tensor<?x4xf32>, %c: i1) -> tensor<?x4xf32> {
  %r = scf.if %c -> (tensor<?x4xf32>) {
    scf.yield %x : tensor<?x4xf32>
  } else {
    %s = tensor.extract_slice %x[0, 0] [3, 4] [1, 1] : tensor<?x4xf32> to tensor<3x4xf32>
    %d = tensor.cast %s : tensor<3x4xf32> to tensor<?x4xf32>
    // expected-error @below {{'scf.if' carries one value, which cannot have two sizes, 'tensor<7x4xf32>' and here 'tensor<3x4xf32>'}}
    scf.yield %d : tensor<?x4xf32>
  }
  return %r : tensor<?x4xf32>
}

// -----

// A size that is data.
func.func @f(%x: tensor<?x4xf32>, %n: index) -> tensor<?xf32> {
  // expected-error @below {{'tensor.empty' has a size that is not known when the program is compiled, 'tensor<?xf32>': sizes may depend on sizes of arguments, not on data}}
  %0 = tensor.empty(%n) : tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// An argument that nobody gave a size.
// expected-error @below {{f.arg1 has a size that is not known when the program is compiled, 'tensor<?xf32>': give it by --shape f.arg1=SIZExSIZE}}
func.func @f(%x: tensor<?x4xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  return %y : tensor<?xf32>
}

// -----

// A call that cannot be inlined.
func.func @f(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  // expected-error @below {{calls @g, which has no body: external functions cannot be partitioned}}
  %y = call @g(%x) : (tensor<?x4xf32>) -> tensor<?x4xf32>
  return %y : tensor<?x4xf32>
}
func.func private @g(%x: tensor<?x4xf32>) -> tensor<?x4xf32>
