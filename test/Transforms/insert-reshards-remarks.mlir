// RUN: tp-opt --split-input-file --verify-diagnostics --tp-plan-pipeline --tp-insert-reshards %s

// An op without a rule is whole on every rank, said once for each that costs something.
tp.mesh @mesh <"tp"=2>

func.func @gathered(%x: tensor<8x4xindex> {tp.sharding = #tp.sharding<[tp, _]>}, %i: index) -> index {
  // expected-remark @below {{'tensor.extract' has no sharding rule: it runs whole on every rank}}
  %0 = tensor.extract %x[%i, %i] : tensor<8x4xindex>
  return %0 : index
}

func.func @whole(%x: tensor<8x4xindex>, %i: index) -> index {
  %0 = tensor.extract %x[%i, %i] : tensor<8x4xindex>
  return %0 : index
}

// One element of a type that ranks can add is the sum of what they have of it.
func.func @summed(%x: tensor<8x4xf32> {tp.sharding = #tp.sharding<[tp, _]>}, %i: index) -> f32 {
  %0 = tensor.extract %x[%i, %i] : tensor<8x4xf32>
  return %0 : f32
}

// -----

// A reduction of no known kind needs its operand whole, which costs a gather where it is cut.
tp.mesh @mesh <"tp"=2>

func.func @no_kind(%x: tensor<4x8xf32> {tp.sharding = #tp.sharding<[_, tp]>}, %y: tensor<4x8xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = arith.constant dense<1.0> : tensor<4xf32>
  // expected-remark @below {{'linalg.generic' combines elements along a dimension that is cut, by no kind of reduction: they are gathered}}
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x8xf32>) outs(%0 : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %2 = arith.divf %a, %o : f32
    linalg.yield %2 : f32
  } -> tensor<4xf32>
  %3 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%y : tensor<4x8xf32>) outs(%0 : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %4 = arith.divf %a, %o : f32
    linalg.yield %4 : f32
  } -> tensor<4xf32>
  return %1, %3 : tensor<4xf32>, tensor<4xf32>
}
