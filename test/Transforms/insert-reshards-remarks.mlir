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

// -----

// Blocks of mean and squared deviations compose: their parts are gathered, which is told by no remark.
tp.mesh @mesh <"tp"=2>

func.func @composed(%x: tensor<4x64xf32> {tp.sharding = #tp.sharding<[_, tp]>}) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %0 = arith.constant dense<0.0> : tensor<4xf32>
  %r:3 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>],
                         iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x64xf32>) outs(%0, %0, %0 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  ^bb0(%a: f32, %n: f32, %m: f32, %q: f32):
    %one = arith.constant 1.0 : f32
    %n1 = arith.addf %n, %one : f32
    %d = arith.subf %a, %m : f32
    %s = arith.divf %d, %n1 : f32
    %m1 = arith.addf %m, %s : f32
    %d1 = arith.subf %a, %m1 : f32
    %p = arith.mulf %d, %d1 : f32
    %q1 = arith.addf %q, %p : f32
    linalg.yield %n1, %m1, %q1 : f32, f32, f32
  } -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
  return %r#0, %r#1, %r#2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// -----

// Of two dimensions that are reduced the second one is gathered where it is cut.
tp.mesh @mesh <"tp"=2>

func.func @second(%x: tensor<64x64xf32> {tp.sharding = #tp.sharding<[_, tp]>}) -> (tensor<f32>, tensor<f32>) {
  %0 = arith.constant dense<0.0> : tensor<f32>
  // expected-remark @below {{'linalg.generic' combines elements along a dimension that is cut, by no kind of reduction: they are gathered}}
  %r:2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> ()>, affine_map<(i, j) -> ()>],
                         iterator_types = ["reduction", "reduction"]}
      ins(%x : tensor<64x64xf32>) outs(%0, %0 : tensor<f32>, tensor<f32>) {
  ^bb0(%a: f32, %n: f32, %m: f32):
    %one = arith.constant 1.0 : f32
    %n1 = arith.addf %n, %one : f32
    %d = arith.subf %a, %m : f32
    %s = arith.divf %d, %n1 : f32
    %m1 = arith.addf %m, %s : f32
    linalg.yield %n1, %m1 : f32, f32
  } -> (tensor<f32>, tensor<f32>)
  return %r#0, %r#1 : tensor<f32>, tensor<f32>
}
