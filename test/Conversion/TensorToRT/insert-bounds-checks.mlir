// RUN: tp-opt %s --tp-insert-bounds-checks | FileCheck %s
// RUN: tp-opt %s --tp-insert-bounds-checks=deferred | FileCheck %s --check-prefix=LATER

// CHECK-LABEL: func @slices
func.func @slices(%x: tensor<4x8xf32>, %row: tensor<4x3xf32>, %i: index) -> (tensor<4x3xf32>, tensor<4x8xf32>) {
  // Offsets 0 to 5 hold three elements of eight.
  // CHECK: rt.check_index %arg2 in [0, 6) because "offset of tensor.extract_slice along dimension 1"
  // CHECK-NEXT: tensor.extract_slice
  %0 = tensor.extract_slice %x[0, %i] [4, 3] [1, 1] : tensor<4x8xf32> to tensor<4x3xf32>
  // The same value within the same bounds has been checked.
  // CHECK-NEXT: tensor.insert_slice
  %1 = tensor.insert_slice %row into %x[0, %i] [4, 3] [1, 1] : tensor<4x3xf32> into tensor<4x8xf32>
  return %0, %1 : tensor<4x3xf32>, tensor<4x8xf32>
}

// Where the check is told later, what is behind it uses the clamped offset.
// LATER-LABEL: func @slices
// LATER: rt.check_index %arg2 in [0, 6) deferred because "offset of tensor.extract_slice along dimension 1"
// LATER: %[[LOW:.*]] = arith.maxsi %arg2, %c0
// LATER: %[[AT:.*]] = arith.minsi %[[LOW]], %c5
// LATER: tensor.extract_slice %arg0[0, %[[AT]]]
// LATER-NOT: rt.check_index
// LATER: tensor.insert_slice %arg1 into %arg0[0, %[[AT]]]

// CHECK-LABEL: func @strided
func.func @strided(%x: tensor<8xf32>, %i: index) -> tensor<3xf32> {
  // Elements i, i + 2, i + 4.
  // CHECK: rt.check_index %arg1 in [0, 4)
  %0 = tensor.extract_slice %x[%i] [3] [2] : tensor<8xf32> to tensor<3xf32>
  return %0 : tensor<3xf32>
}

// CHECK-LABEL: func @elements
func.func @elements(%x: tensor<4x8xf32>, %i: index, %v: f32) -> (f32, tensor<4x8xf32>) {
  %c7 = arith.constant 7 : index
  // CHECK: rt.check_index %arg1 in [0, 4) because "index of tensor.extract along dimension 0"
  // CHECK-NOT: rt.check_index
  // CHECK: tensor.extract
  %0 = tensor.extract %x[%i, %c7] : tensor<4x8xf32>
  // CHECK: rt.check_index %arg1 in [0, 8) because "index of tensor.insert along dimension 1"
  %1 = tensor.insert %v into %x[%i, %i] : tensor<4x8xf32>
  return %0, %1 : f32, tensor<4x8xf32>
}

// LATER-LABEL: func @elements
// LATER: rt.check_index %arg1 in [0, 4) deferred
// LATER: %[[LOW:.*]] = arith.maxsi %arg1
// LATER: %[[AT:.*]] = arith.minsi %[[LOW]], %c3
// LATER: tensor.extract %arg0[%[[AT]],
// LATER-NOT: rt.check_index
// LATER: tensor.insert %arg2 into %arg0[%[[AT]], %[[AT]]]

// What cannot be outside is not checked: coordinates, clamped indices, counters.
// CHECK-LABEL: func @proved
// CHECK-NOT: rt.check_index
// CHECK: return
func.func @proved(%x: tensor<8xf32>, %i: index) -> (tensor<2xf32>, tensor<2xf32>, f32, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c6 = arith.constant 6 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  %c = rt.coordinate axis 0 of 4
  %o = arith.muli %c, %c2 : index
  %0 = tensor.extract_slice %x[%o] [2] [1] : tensor<8xf32> to tensor<2xf32>
  %low = arith.maxsi %i, %c0 : index
  %clamped = arith.minsi %low, %c6 : index
  %1 = tensor.extract_slice %x[%clamped] [2] [1] : tensor<8xf32> to tensor<2xf32>
  %fits = arith.cmpi ult, %i, %c8 : index
  %safe = arith.select %fits, %i, %c0 : index
  %2 = tensor.extract %x[%safe] : tensor<8xf32>
  %3 = scf.for %j = %c0 to %c8 step %c1 iter_args(%sum = %zero) -> f32 {
    %v = tensor.extract %x[%j] : tensor<8xf32>
    %s = arith.addf %sum, %v : f32
    scf.yield %s : f32
  }
  return %0, %1, %2, %3 : tensor<2xf32>, tensor<2xf32>, f32, f32
}

// The smaller of a small number and one that may be negative may be negative.
// CHECK-LABEL: func @not_proved
func.func @not_proved(%x: tensor<8xf32>, %i: index) -> f32 {
  %c7 = arith.constant 7 : index
  %m = arith.minsi %i, %c7 : index
  // CHECK: rt.check_index %{{.*}} in [0, 8)
  %0 = tensor.extract %x[%m] : tensor<8xf32>
  return %0 : f32
}

// An index in a body is checked by a reduction over the loops that it depends on.
// CHECK-LABEL: func @gather
func.func @gather(%table: tensor<7x3xf32>, %ids: tensor<4xi64>) -> tensor<4x3xf32> {
  %e = tensor.empty() : tensor<4x3xf32>
  // CHECK: %[[WORST:.*]] = linalg.generic {{.*}} iterator_types = ["reduction"]} ins(%arg1, %{{.*}} : tensor<4xi64>, tensor<4xi1>)
  // CHECK:   %[[ID:.*]] = arith.index_cast %{{.*}} : index to i64
  // CHECK:   %[[GOOD:.*]] = arith.cmpi ult, %[[ID]], %{{.*}} : i64
  // CHECK:   arith.select %[[GOOD]], %{{.*}}, %[[ID]] : i64
  // CHECK: %[[VALUE:.*]] = tensor.extract %[[WORST]][] : tensor<i64>
  // CHECK: %[[INDEX:.*]] = arith.index_cast %[[VALUE]]
  // CHECK: rt.check_index %[[INDEX]] in [0, 7) because "index of tensor.extract along dimension 0"
  // CHECK-NOT: rt.check_index
  // CHECK: tensor.extract %arg0[
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%ids : tensor<4xi64>) outs(%e : tensor<4x3xf32>) {
  ^bb0(%id: i64, %out: f32):
    %row = arith.index_cast %id : i64 to index
    %column = linalg.index 1 : index
    %v = tensor.extract %table[%row, %column] : tensor<7x3xf32>
    linalg.yield %v : f32
  } -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

// In a body the index is clamped where it is used.
// LATER-LABEL: func @gather
// LATER: rt.check_index %{{.*}} in [0, 7) deferred because "index of tensor.extract along dimension 0"
// LATER: ^bb0(%[[ID:.*]]: i64, %{{.*}}: f32):
// LATER: %[[ROW:.*]] = arith.index_cast %[[ID]]
// LATER: %[[LOW:.*]] = arith.maxsi %[[ROW]], %c0
// LATER: %[[AT:.*]] = arith.minsi %[[LOW]], %c6
// LATER: tensor.extract %arg0[%[[AT]],

// A concatenation, as front ends write it: the condition tells where an index
// lies.
// CHECK-LABEL: func @guarded
// CHECK-NOT: rt.check_index
// CHECK: return
func.func @guarded(%a: tensor<4xf32>, %b: tensor<3xf32>) -> tensor<7xf32> {
  %c4 = arith.constant 4 : index
  %e = tensor.empty() : tensor<7xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%e : tensor<7xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %first = arith.cmpi ult, %i, %c4 : index
    %v = scf.if %first -> f32 {
      %1 = tensor.extract %a[%i] : tensor<4xf32>
      scf.yield %1 : f32
    } else {
      %j = arith.subi %i, %c4 : index
      %1 = tensor.extract %b[%j] : tensor<3xf32>
      scf.yield %1 : f32
    }
    linalg.yield %v : f32
  } -> tensor<7xf32>
  return %0 : tensor<7xf32>
}

// Under a condition that does not tell enough, the check asks for the condition.
// CHECK-LABEL: func @under_condition
func.func @under_condition(%x: tensor<8xf32>, %ids: tensor<4xi64>, %keep: tensor<4xi1>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %zero = arith.constant 0.0 : f32
  // CHECK: linalg.generic {{.*}} ins(%arg1, %arg2, %{{.*}} : tensor<4xi64>, tensor<4xi1>, tensor<4xi1>)
  // CHECK: ^bb0(%{{.*}}: i64, %[[KEEP:.*]]: i1, %{{.*}}: i1, %{{.*}}: i64):
  // CHECK:   %[[GOOD:.*]] = arith.cmpi ult
  // CHECK:   %[[OFF:.*]] = arith.cmpi ne, %[[KEEP]], %true
  // CHECK:   arith.ori %[[GOOD]], %[[OFF]]
  // CHECK: rt.check_index %{{.*}} in [0, 8)
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%ids, %keep : tensor<4xi64>, tensor<4xi1>) outs(%e : tensor<4xf32>) {
  ^bb0(%id: i64, %in: i1, %out: f32):
    %v = scf.if %in -> f32 {
      %row = arith.index_cast %id : i64 to index
      %1 = tensor.extract %x[%row] : tensor<8xf32>
      scf.yield %1 : f32
    } else {
      scf.yield %zero : f32
    }
    linalg.yield %v : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
