// RUN: tp-opt %s -split-input-file -verify-diagnostics

// Axes are distinct parts of the mesh, without granules.

func.func @f(%a: tensor<4xf32>) {
  // expected-error @below {{needs a tp.mesh in the module}}
  %0 = comm.all_reduce sum %a over (tp) : tensor<4xf32>
  return
}

// -----

tp.mesh @m <"tp"=4>
func.func @f(%a: tensor<4xf32>) {
  // expected-error @below {{no axis "dp" in the mesh, which has "tp"=4}}
  %0 = comm.all_reduce sum %a over (dp) : tensor<4xf32>
  return
}

// -----

tp.mesh @m <"tp"=4>
func.func @f(%a: tensor<4xf32>) {
  // expected-error @below {{axis "tp" of size 4 has no part (1)3}}
  %0 = comm.all_gather %a dim 0 over (tp:(1)3) : tensor<4xf32> -> tensor<12xf32>
  return
}

// -----

tp.mesh @m <"tp"=4>
func.func @f(%a: tensor<4xf32>) {
  // expected-error @below {{axis "tp" is used twice}}
  %0 = comm.reduce_scatter sum %a dim 0 over (tp, tp:(1)2) : tensor<4xf32> -> tensor<1xf32>
  return
}

// -----

tp.mesh @m <"tp"=4>
func.func @f(%a: tensor<4xf32>) {
  // expected-error @below {{axis "tp" has a granule, which means nothing in a group}}
  %0 = comm.permute %a from [0, 1, 2, 3] over (tp*2) : tensor<4xf32>
  return
}

// -----

tp.mesh @m <"tp"=4>
func.func @f(%a: tensor<4xf32>) {
  // expected-error @below {{no axis "x" in the mesh}}
  %0 = comm.all_to_all %a split 0 concat 0 over (x) : tensor<4xf32> -> tensor<4xf32>
  return
}

// -----

// Coordinates.

tp.mesh @m <"dp"=2, "tp"=4>
func.func @f() {
  // expected-error @below {{takes one axis part, found 2}}
  %0 = comm.coordinate (dp, tp)
  return
}

// -----

tp.mesh @m <"tp"=4>
func.func @f() {
  // expected-error @below {{no axis "dp" in the mesh}}
  %0 = comm.coordinate (dp)
  return
}

// -----

// Kinds and types.

tp.mesh @m <"tp"=4>
func.func @f(%a: tensor<4xf32>) {
  // expected-error @below {{kind and does not apply to 'f32'}}
  %0 = comm.all_reduce and %a over (tp) : tensor<4xf32>
  return
}

// -----

tp.mesh @m <"tp"=4>
func.func @f(%a: tensor<4xf32>) {
  // expected-error @below {{kind or does not apply to 'f32'}}
  %0 = comm.all_reduce or %a over (tp) : tensor<4xf32>
  return
}

// -----

tp.mesh @m <"tp"=4>
func.func @f(%a: tensor<4xf32>) {
  // expected-error @below {{kind xor does not apply to 'f32'}}
  %0 = comm.reduce_scatter xor %a dim 0 over (tp) : tensor<4xf32> -> tensor<1xf32>
  return
}

// -----

tp.mesh @m <"tp"=4>
func.func @f(%a: tensor<4xbf16>) {
  // expected-error @below {{kind maxu does not apply to 'bf16'}}
  %0 = comm.all_reduce maxu %a over (tp) : tensor<4xbf16>
  return
}

// -----

tp.mesh @m <"tp"=4>
func.func @f(%a: tensor<4xf32>) {
  // expected-error @below {{kind minu does not apply to 'f32'}}
  %0 = comm.all_reduce minu %a over (tp) : tensor<4xf32>
  return
}

// -----

tp.mesh @m <"tp"=4>
func.func @f(%a: tensor<4xi32>) {
  // expected-error @below {{kind maxnum does not apply to 'i32'}}
  %0 = comm.all_reduce maxnum %a over (tp) : tensor<4xi32>
  return
}

// -----

tp.mesh @m <"tp"=4>
func.func @f(%a: tensor<4xindex>) {
  // expected-error @below {{kind minnum does not apply to 'index'}}
  %0 = comm.reduce_scatter minnum %a dim 0 over (tp) : tensor<4xindex> -> tensor<1xindex>
  return
}

// -----

tp.mesh @m <"tp"=4>
func.func @f(%a: tensor<4xcomplex<f32>>) {
  // expected-error @below {{kind max does not apply to 'complex<f32>'}}
  %0 = comm.all_reduce max %a over (tp) : tensor<4xcomplex<f32>>
  return
}

// -----

// Shapes.

tp.mesh @m <"tp"=4>
func.func @f(%a: tensor<?xf32>) {
  // expected-error @below {{must be variadic of statically shaped tensor}}
  %0 = comm.all_reduce sum %a over (tp) : tensor<?xf32>
  return
}

// -----

tp.mesh @m <"tp"=4>
func.func @f(%a: tensor<4xf32>) {
  // expected-error @below {{has no dimension 1 in a value of rank 1}}
  %0 = comm.all_gather %a dim 1 over (tp) : tensor<4xf32> -> tensor<4xf32>
  return
}

// -----

tp.mesh @m <"tp"=4>
func.func @f(%a: tensor<4xf32>) {
  // expected-error @below {{over 4 ranks along dimension 0 goes between 'tensor<4xf32>' and 'tensor<16xf32>', found 'tensor<8xf32>'}}
  %0 = comm.all_gather %a dim 0 over (tp) : tensor<4xf32> -> tensor<8xf32>
  return
}

// -----

tp.mesh @m <"tp"=4>
func.func @f(%a: tensor<4xf32>) {
  // expected-error @below {{goes between 'tensor<4xf32>' and 'tensor<16xf32>', found 'tensor<16xi32>'}}
  %0 = comm.all_gather %a dim 0 over (tp) : tensor<4xf32> -> tensor<16xi32>
  return
}

// -----

tp.mesh @m <"tp"=4>
func.func @f(%a: tensor<4x2xf32>) {
  // expected-error @below {{goes between 'tensor<4x2xf32>' and 'tensor<16x2xf32>', found 'tensor<16x4xf32>'}}
  %0 = comm.all_gather %a dim 0 over (tp) : tensor<4x2xf32> -> tensor<16x4xf32>
  return
}

// -----

tp.mesh @m <"tp"=4>
func.func @f(%a: tensor<4xf32>) {
  // expected-error @below {{has no dimension -1 in a value of rank 1}}
  %0 = comm.reduce_scatter sum %a dim -1 over (tp) : tensor<4xf32> -> tensor<1xf32>
  return
}

// -----

tp.mesh @m <"tp"=4>
func.func @f(%a: tensor<6xf32>) {
  // expected-error @below {{over 4 ranks along dimension 0 goes between 'tensor<2xf32>' and 'tensor<8xf32>', found 'tensor<6xf32>'}}
  %0 = comm.reduce_scatter sum %a dim 0 over (tp) : tensor<6xf32> -> tensor<2xf32>
  return
}

// -----

tp.mesh @m <"tp"=4>
func.func @f(%a: tensor<4x4xf32>) {
  // expected-error @below {{has no dimensions 0 and 2 in a value of rank 2}}
  %0 = comm.all_to_all %a split 0 concat 2 over (tp) : tensor<4x4xf32> -> tensor<1x16xf32>
  return
}

// -----

tp.mesh @m <"tp"=4>
func.func @f(%a: tensor<6x4xf32>) {
  // expected-error @below {{cannot cut dimension 0 of size 6 into 4 blocks}}
  %0 = comm.all_to_all %a split 0 concat 1 over (tp) : tensor<6x4xf32> -> tensor<2x16xf32>
  return
}

// -----

tp.mesh @m <"tp"=4>
func.func @f(%a: tensor<6xf32>) {
  // expected-error @below {{cannot cut dimension 0 of size 6 into 4 blocks}}
  %0 = comm.all_to_all %a split 0 concat 0 over (tp) : tensor<6xf32> -> tensor<6xf32>
  return
}

// -----

tp.mesh @m <"tp"=4>
func.func @f(%a: tensor<4x4xf32>) {
  // expected-error @below {{gives 'tensor<1x16xf32>', found 'tensor<16x1xf32>'}}
  %0 = comm.all_to_all %a split 0 concat 1 over (tp) : tensor<4x4xf32> -> tensor<16x1xf32>
  return
}

// -----

tp.mesh @m <"tp"=4>
func.func @f(%a: tensor<4xf32>) {
  // expected-error @below {{gives 'tensor<4xf32>', found 'tensor<1xf32>'}}
  %0 = comm.all_to_all %a split 0 concat 0 over (tp) : tensor<4xf32> -> tensor<1xf32>
  return
}

// -----

tp.mesh @m <"tp"=4>
func.func @f(%a: tensor<4xf32>) {
  // expected-error @below {{needs 4 sources, found 2}}
  %0 = comm.permute %a from [1, 0] over (tp) : tensor<4xf32>
  return
}

// -----

tp.mesh @m <"tp"=4>
func.func @f(%a: tensor<4xf32>) {
  // expected-error @below {{source 4 is no rank of a group of 4}}
  %0 = comm.permute %a from [4, 0, 1, 2] over (tp) : tensor<4xf32>
  return
}

// -----

tp.mesh @m <"tp"=4>
func.func @f(%a: tensor<4xf32>) {
  // expected-error @below {{source -2 is no rank of a group of 4}}
  %0 = comm.permute %a from [-2, 0, 1, 2] over (tp) : tensor<4xf32>
  return
}

// -----

// Several values that are combined: of one element type.

tp.mesh @m <"tp"=4>
func.func @f(%a: tensor<4xf32>, %b: tensor<4xf64>) {
  // expected-error @below {{combines values of one element type, found 'f32' and 'f64'}}
  %0:2 = comm.all_reduce sum %a, %b over (tp) : tensor<4xf32>, tensor<4xf64>
  return
}

// -----

tp.mesh @m <"tp"=4>
func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>) {
  // expected-error @below {{over 4 ranks along dimension 0 goes between 'tensor<4xf32>' and 'tensor<16xf32>', found 'tensor<8xf32>'}}
  %0:2 = comm.all_gather %a, %b dim 0 over (tp) : tensor<4xf32>, tensor<4xf32> -> tensor<16xf32>, tensor<8xf32>
  return
}

// -----

tp.mesh @m <"tp"=4>
func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>) {
  // expected-error @below {{needs a result for each of its inputs and at least one, found 2 inputs and 1 results}}
  %0 = comm.all_gather %a, %b dim 0 over (tp) : tensor<4xf32>, tensor<4xf32> -> tensor<16xf32>
  return
}

// -----

func.func @f(%i: index) {
  // expected-error @below {{lower must not be above upper, found [3, 2)}}
  %0 = comm.check_index %i in [3, 2)
  return
}

// -----

tp.mesh @m <"tp"=4>
func.func @f(%a: tensor<4xf32>) {
  // expected-error @below {{needs at least one axis}}
  %0 = "comm.all_reduce"(%a) {kind = 0 : i32, axes = []} : (tensor<4xf32>) -> tensor<4xf32>
  return
}
