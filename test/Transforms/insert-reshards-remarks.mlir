// RUN: tp-opt --split-input-file --verify-diagnostics --tp-plan-pipeline --tp-insert-reshards %s

// An op without a rule is whole on every rank, said once for each that costs something.
tp.mesh @mesh <"tp"=2>

func.func @gathered(%x: tensor<8x4xf32> {tp.sharding = #tp.sharding<[tp, _]>}, %v: f32, %i: index) -> tensor<8x4xf32> {
  // expected-remark @below {{'tensor.insert' has no sharding rule: it runs whole on every rank}}
  %0 = tensor.insert %v into %x[%i, %i] : tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}

func.func @whole(%x: tensor<8x4xf32>, %v: f32, %i: index) -> tensor<8x4xf32> {
  %0 = tensor.insert %v into %x[%i, %i] : tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}
