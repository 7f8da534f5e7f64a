// RUN: tp-opt %s --pass-pipeline='builtin.module(tp-make-signless)' | FileCheck %s

// Arguments, results, what loops carry, calls and constants; casts are gone.
// CHECK-LABEL: func.func @entry(
// CHECK-SAME:    %[[X:.*]]: tensor<4xi8>, %[[N:.*]]: i32) -> (tensor<4xi8>, i32)
// CHECK-NEXT:  %[[C:.*]] = arith.constant dense<[1, -1, 3, 4]> : tensor<4xi8>
// CHECK:       scf.for {{.*}} iter_args(%[[A:.*]] = %[[X]]) -> (tensor<4xi8>)
// CHECK-NEXT:    %[[S:.*]] = arith.addi %[[A]], %[[C]] : tensor<4xi8>
// CHECK-NEXT:    func.call @same(%[[S]]) : (tensor<4xi8>) -> tensor<4xi8>
// CHECK-NOT:   unrealized_conversion_cast
// CHECK:       return %{{.*}}, %[[N]] : tensor<4xi8>, i32
func.func @entry(%x: tensor<4xui8>, %n: si32) -> (tensor<4xui8>, si32) {
  %c = "arith.constant"() <{value = dense<[1, 255, 3, 4]> : tensor<4xi8>}> : () -> tensor<4xi8>
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %r = scf.for %i = %i0 to %i1 step %i1 iter_args(%a = %x) -> (tensor<4xui8>) {
    %0 = builtin.unrealized_conversion_cast %a : tensor<4xui8> to tensor<4xi8>
    %1 = arith.addi %0, %c : tensor<4xi8>
    %2 = builtin.unrealized_conversion_cast %1 : tensor<4xi8> to tensor<4xui8>
    %3 = func.call @same(%2) : (tensor<4xui8>) -> tensor<4xui8>
    scf.yield %3 : tensor<4xui8>
  }
  return %r, %n : tensor<4xui8>, si32
}

// CHECK: func.func private @same(%{{.*}}: tensor<4xi8>) -> tensor<4xi8> {
func.func private @same(%x: tensor<4xui8>) -> tensor<4xui8> {
  return %x : tensor<4xui8>
}
