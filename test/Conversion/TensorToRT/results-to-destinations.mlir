// RUN: tp-opt %s --tp-results-to-destinations | FileCheck %s

// CHECK-LABEL: func @results
// CHECK-SAME: %arg0: tensor<4xf32> {bufferization.writable = false}
// CHECK-SAME: %arg1: tensor<4xf32> {bufferization.writable = true, rt.result = 0 : i64}
// CHECK-SAME: %arg2: tensor<index> {bufferization.writable = true, rt.result = 1 : i64}
// CHECK-SAME: -> (tensor<4xf32>, tensor<index>)
// CHECK-SAME: rt.entry, rt.results = [{tp.name = "y", type = tensor<4xf32>}, {type = index}]
func.func @results(%x: tensor<4xf32>) -> (tensor<4xf32> {tp.name = "y"}, index) {
  %c3 = arith.constant 3 : index
  // CHECK: %[[Y:.*]] = bufferization.materialize_in_destination %arg0 in %arg1
  // CHECK: %[[N:.*]] = tensor.from_elements %{{.*}} : tensor<index>
  // CHECK: %[[M:.*]] = bufferization.materialize_in_destination %[[N]] in %arg2
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
