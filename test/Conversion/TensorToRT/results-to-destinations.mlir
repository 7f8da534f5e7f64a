// RUN: tp-opt %s --tp-results-to-destinations | FileCheck %s

// CHECK-LABEL: func @results
// CHECK-SAME: %arg0: tensor<4xf32> {bufferization.writable = false}
// CHECK-SAME: %arg1: tensor<4xf32> {bufferization.writable = true, rt.result = 0 : i64}
// CHECK-SAME: %arg2: tensor<index> {bufferization.writable = true, rt.result = 1 : i64}
// CHECK-SAME: -> (tensor<4xf32>, tensor<index>)
// CHECK-SAME: rt.entry, rt.results = [{tp.name = "y", type = tensor<4xf32>}, {type = index}]
func.func @results(%x: tensor<4xf32>) -> (tensor<4xf32> {tp.name = "y"}, index) {
  %c3 = arith.constant 3 : index
  // CHECK: %[[N:.*]] = tensor.from_elements %{{.*}} : tensor<index>
  // CHECK: %[[M:.*]] = bufferization.materialize_in_destination %[[N]] in %arg2
  // CHECK: %[[Y:.*]] = bufferization.materialize_in_destination %arg0 in %arg1
  // CHECK: return %[[Y]], %[[M]]
  return %x, %c3 : tensor<4xf32>, index
}

// The new value goes into the state itself, after other results have been taken.
// CHECK-LABEL: func @state
// CHECK-SAME: %arg0: tensor<4xf32> {bufferization.writable = true, tp.kind = "state"}
// CHECK-SAME: %arg2: tensor<4xf32> {bufferization.writable = true, rt.result = 1 : i64}
// CHECK-SAME: rt.results = [{state = 0 : i64, type = tensor<4xf32>}, {type = tensor<4xf32>}]
func.func @state(%s: tensor<4xf32> {tp.kind = "state"}, %x: tensor<4xf32>) -> (tensor<4xf32> {tp.alias = 0 : i64}, tensor<4xf32>) {
  %0 = arith.addf %s, %x : tensor<4xf32>
  // CHECK: %[[OLD:.*]] = bufferization.materialize_in_destination %arg0 in %arg2
  // CHECK: %[[NEW:.*]] = bufferization.materialize_in_destination %{{.*}} in %arg0
  // CHECK: return %[[NEW]], %[[OLD]]
  return %0, %s : tensor<4xf32>, tensor<4xf32>
}

// A value with two places is copied from the first, a state before all others; what
// may be a view of it is taken before.
// CHECK-LABEL: func @twice
func.func @twice(%s: tensor<4xf32> {tp.kind = "state"}, %x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32> {tp.alias = 0 : i64}, tensor<2xf32>) {
  // CHECK: %[[NEW:.*]] = arith.addf
  %0 = arith.addf %s, %x : tensor<4xf32>
  // CHECK: %[[PART:.*]] = tensor.extract_slice %[[NEW]]
  %1 = tensor.extract_slice %0[1] [2] [1] : tensor<4xf32> to tensor<2xf32>
  // CHECK: %[[C:.*]] = bufferization.materialize_in_destination %[[PART]] in %arg3
  // CHECK: %[[S:.*]] = bufferization.materialize_in_destination %[[NEW]] in %arg0
  // CHECK: %[[A:.*]] = bufferization.materialize_in_destination %[[S]] in %arg2
  // CHECK: return %[[A]], %[[S]], %[[C]]
  return %0, %0, %1 : tensor<4xf32>, tensor<4xf32>, tensor<2xf32>
}

// The other state may be overwritten before its old value is taken.
// CHECK-LABEL: func @views_change_places
func.func @views_change_places(%s: tensor<4xf32> {tp.kind = "state"}, %t: tensor<2x2xf32> {tp.kind = "state"}) -> (tensor<4xf32> {tp.alias = 0 : i64}, tensor<2x2xf32> {tp.alias = 1 : i64}) {
  // CHECK: bufferization.alloc_tensor() copy(%{{.*}}) : tensor<4xf32>
  // CHECK: bufferization.alloc_tensor() copy(%{{.*}}) : tensor<2x2xf32>
  %0 = tensor.collapse_shape %t [[0, 1]] : tensor<2x2xf32> into tensor<4xf32>
  %1 = tensor.expand_shape %s [[0, 1]] output_shape [2, 2] : tensor<4xf32> into tensor<2x2xf32>
  return %0, %1 : tensor<4xf32>, tensor<2x2xf32>
}
