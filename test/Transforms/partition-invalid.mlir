// RUN: tp-opt --split-input-file --verify-diagnostics --tp-partition %s

tp.mesh @mesh <"dp"=2, "tp"=4>
func.func @reshard(%x: tensor<8x4xf32>) -> tensor<8x4xf32> {
  // expected-error @below {{'tp.reshard' input must be [tp, _], found [_, _]}}
  %y = tp.reshard %x from <[tp, _]> to <[_, tp]> : tensor<8x4xf32>
  return %y : tensor<8x4xf32>
}

// -----

tp.mesh @mesh <"dp"=2, "tp"=4>
func.func @constraint(%x: tensor<8x4xf32>) -> tensor<8x4xf32> {
  // expected-error @below {{'tp.constraint' input must be [_, dp], found [_, _]}}
  %y = tp.constraint %x <[_, dp]> : tensor<8x4xf32>
  return %y : tensor<8x4xf32>
}
