// RUN: tp-opt %s --tp-insert-bounds-checks -split-input-file -verify-diagnostics

func.func @dynamic_size(%x: tensor<8xf32>, %n: index) -> tensor<?xf32> {
  // expected-error @below {{needs a static size and a positive stride along dimension 0}}
  %0 = tensor.extract_slice %x[0] [%n] [1] : tensor<8xf32> to tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

func.func @read_under_condition(%x: tensor<8xf32>, %t: tensor<4xi64>, %ids: tensor<4xi64>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %zero = arith.constant 0.0 : f32
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%ids : tensor<4xi64>) outs(%e : tensor<4xf32>) {
  ^bb0(%id: i64, %out: f32):
    %i = linalg.index 0 : index
    %even = arith.trunci %id : i64 to i1
    %v = scf.if %even -> f32 {
      %1 = tensor.extract %t[%i] : tensor<4xi64>
      %row = arith.index_cast %1 : i64 to index
      // expected-error @below {{cannot check an index that is read under a condition}}
      %2 = tensor.extract %x[%row] : tensor<8xf32>
      scf.yield %2 : f32
    } else {
      scf.yield %zero : f32
    }
    linalg.yield %v : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @computed_by_conditional(%x: tensor<8xf32>, %ids: tensor<4xindex>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %c4 = arith.constant 4 : index
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%ids : tensor<4xindex>) outs(%e : tensor<4xf32>) {
  ^bb0(%id: index, %out: f32):
    %low = arith.cmpi ult, %id, %c4 : index
    %row = scf.if %low -> index {
      scf.yield %id : index
    } else {
      scf.yield %c4 : index
    }
    // expected-error @below {{cannot check an index that a loop or conditional computes}}
    %1 = tensor.extract %x[%row] : tensor<8xf32>
    linalg.yield %1 : f32
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

// -----

func.func @in_a_body(%x: tensor<8x4xf32>, %i: index) -> tensor<4xf32> {
  %0 = tensor.generate {
  ^bb0(%j: index):
    // expected-error @below {{cannot check the bounds of an index inside tensor.generate}}
    %s = tensor.extract_slice %x[%i, 0] [1, 4] [1, 1] : tensor<8x4xf32> to tensor<4xf32>
    %v = tensor.extract %s[%j] : tensor<4xf32>
    tensor.yield %v : f32
  } : tensor<4xf32>
  return %0 : tensor<4xf32>
}
