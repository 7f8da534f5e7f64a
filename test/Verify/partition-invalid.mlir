// RUN: tp-opt %s -split-input-file -verify-diagnostics --tp-verify-partition

tp.mesh @mesh <"tp"=4>
// expected-error @below {{argument 0: [tp, _] of 'tensor<8x4xf32>' is 'tensor<2x4xf32>' on a rank, found 'tensor<4x4xf32>'}}
func.func @shape(%x: tensor<4x4xf32> {tp.sharding = #tp.sharding<[tp, _]>, tp.global_type = tensor<8x4xf32>}) {
  return
}

// -----

tp.mesh @mesh <"tp"=4>
// expected-error @below {{argument 0 needs tp.sharding and tp.global_type}}
func.func @attributes(%x: tensor<4x4xf32>) {
  return
}

// -----

tp.mesh @mesh <"tp"=4>
func.func @reason(%x: tensor<4xf32> {tp.sharding = #tp.sharding<[_]>, tp.global_type = tensor<4xf32>}) {
  // expected-error @below {{'comm.all_reduce' has no reason}}
  %y = comm.all_reduce sum %x over (tp) : tensor<4xf32>
  return
}

// -----

tp.mesh @mesh <"tp"=4>
func.func @left(%x: tensor<4xf32> {tp.sharding = #tp.sharding<[_]>, tp.global_type = tensor<4xf32>}) {
  // expected-error @below {{'tp.constraint' is left after partition}}
  %y = tp.constraint %x <[_]> : tensor<4xf32>
  return
}
