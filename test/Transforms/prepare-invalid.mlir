// RUN: tp-opt --split-input-file --verify-diagnostics --tp-prepare %s

tp.mesh @mesh <"tp"=2>
func.func @partitioned(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @below {{'comm.all_reduce': the module is partitioned already, give the source or phase plan}}
  %0 = comm.all_reduce sum %x over (tp) : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func @endless(%x: tensor<8xf32>) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c5 = arith.constant 5 : index
  // expected-error @below {{the step of a loop must be positive, found 0}}
  %0 = scf.for %i = %c0 to %c5 step %c0 iter_args(%y = %x) -> tensor<8xf32> {
    scf.yield %y : tensor<8xf32>
  }
  return %0 : tensor<8xf32>
}

// -----

tp.mesh @mesh <"tp"=2>
func.func private @sum(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-note @below {{'comm.all_reduce' may not be moved}}
  %0 = comm.all_reduce sum %x over (tp) : tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func @calls(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @below {{call of @sum cannot be inlined}}
  %0 = call @sum(%x) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// expected-error @below {{tensors without a rank are not supported, found 'tensor<*xf32>'}}
func.func @unranked(%x: tensor<*xf32>) {
  return
}

// -----

func.func private @callee(tensor<8xf32>) -> tensor<8xf32>
func.func @pointer(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @below {{'func.constant': functions as values are not supported, call @NAME by func.call}}
  %0 = func.constant @callee : (tensor<8xf32>) -> tensor<8xf32>
  %1 = func.call_indirect %0(%x) : (tensor<8xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}

// -----

func.func @complex(%x: tensor<8xf32>) {
  // expected-error @below {{complex numbers are not supported, found 'tensor<8xcomplex<f32>>'}}
  %0 = tensor.empty() : tensor<8xcomplex<f32>>
  return
}

// -----

// expected-error @below {{programs are on tensors, found 'memref<8xf32>'}}
func.func @memref(%x: memref<8xf32>) {
  return
}

// -----

func.func @scaled(%x: tensor<8xf8E5M2>, %s: tensor<8xf8E8M0FNU>) -> tensor<8xf32> {
  // expected-error @below {{'arith.scaling_extf': floats with a scale are not supported, write the op out first (mlir-opt --arith-expand=include-f8e8m0)}}
  %0 = arith.scaling_extf %x, %s : tensor<8xf8E5M2>, tensor<8xf8E8M0FNU> to tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func @winograd(%x: tensor<2x3x3x5xi32>, %y: tensor<6x6x5x2xi32>) -> tensor<6x6x5x2xi32> {
  // expected-error @below {{'linalg.winograd_filter_transform': Winograd transforms are of floats, found 'tensor<2x3x3x5xi32>'}}
  %0 = linalg.winograd_filter_transform fmr(F_4_3) ins(%x : tensor<2x3x3x5xi32>) outs(%y : tensor<6x6x5x2xi32>) -> tensor<6x6x5x2xi32>
  return %0 : tensor<6x6x5x2xi32>
}
