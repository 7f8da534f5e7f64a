// RUN: tp-opt %s --tp-insert-bounds-checks -split-input-file -verify-diagnostics

func.func @dynamic_size(%x: tensor<8xf32>, %n: index) -> tensor<?xf32> {
  // expected-error @below {{needs a static size and a positive stride along dimension 0}}
  %0 = tensor.extract_slice %x[0] [%n] [1] : tensor<8xf32> to tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

func.func @under_condition(%x: tensor<8xf32>, %ids: tensor<4xi64>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %zero = arith.constant 0.0 : f32
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%ids : tensor<4xi64>) outs(%e : tensor<4xf32>) {
  ^bb0(%id: i64, %out: f32):
    %row = arith.index_cast %id : i64 to index
    %even = arith.trunci %id : i64 to i1
    %v = scf.if %even -> f32 {
      // expected-error @below {{cannot check an index that is computed under a condition}}
      %1 = tensor.extract %x[%row] : tensor<8xf32>
      scf.yield %1 : f32
    } else {
      scf.yield %zero : f32
    }
    linalg.yield %v : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @accumulated(%x: tensor<8xi64>) -> tensor<i64> {
  %zero = arith.constant dense<0> : tensor<i64>
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
      ins(%x : tensor<8xi64>) outs(%zero : tensor<i64>) {
  ^bb0(%in: i64, %out: i64):
    %i = arith.index_cast %out : i64 to index
    // expected-error @below {{cannot check an index that depends on the result of its op}}
    %1 = tensor.extract %x[%i] : tensor<8xi64>
    linalg.yield %1 : i64
  } -> tensor<i64>
  return %0 : tensor<i64>
}
