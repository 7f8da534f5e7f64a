// RUN: tp-opt --split-input-file --verify-diagnostics --tp-plan-pipeline --tp-insert-reshards %s

// An op without a rule is whole on every rank, said once for each that costs something.
tp.mesh @mesh <"tp"=2>

func.func @gathered(%x: tensor<8x4xf32> {tp.sharding = #tp.sharding<[tp, _]>}, %v: tensor<2x1x4xf32>, %i: tensor<2x1xindex>) -> tensor<8x4xf32> {
  // expected-remark @below {{'tensor.scatter' has no sharding rule: it runs whole on every rank}}
  %0 = tensor.scatter %v into %x[%i] scatter_dims([0]) unique : (tensor<2x1x4xf32>, tensor<8x4xf32>, tensor<2x1xindex>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}

func.func @whole(%x: tensor<8x4xf32>, %v: tensor<2x1x4xf32>, %i: tensor<2x1xindex>) -> tensor<8x4xf32> {
  %0 = tensor.scatter %v into %x[%i] scatter_dims([0]) unique : (tensor<2x1x4xf32>, tensor<8x4xf32>, tensor<2x1xindex>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}
