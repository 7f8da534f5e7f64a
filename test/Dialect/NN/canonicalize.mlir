// RUN: tp-opt %s --canonicalize --cse | FileCheck %s

// Ops of nn are pure: dead ones go, equal ones become one.
// CHECK-LABEL: func.func @dead
// CHECK-NEXT: return
func.func @dead(%ids: tensor<3xi64>, %table: tensor<7x8xf32>, %w: tensor<8xf32>, %pos: tensor<2xi64>, %q: tensor<2x3x5x6x8xf32>,
                %cache: tensor<2x5x16x8xf32>, %new: tensor<2x3x5x8xf32>) {
  %0 = nn.embedding %ids, %table : tensor<3xi64>, tensor<7x8xf32> -> tensor<3x8xf32>
  %1 = nn.rms_norm %0, %w epsilon 1.0e-05 : tensor<3x8xf32>, tensor<8xf32>
  %cos, %sin = nn.rotary_table %pos theta 10000.0 : tensor<2xi64> -> tensor<2x3x4xf32>
  %2 = nn.rope %q, %cos, %sin : tensor<2x3x5x6x8xf32>, tensor<2x3x4xf32>
  %3 = nn.cache_update %cache, %new, %pos : tensor<2x5x16x8xf32>, tensor<2x3x5x8xf32>, tensor<2xi64>
  %4 = nn.attention %2, %3, %3, %pos scale 0.125 : tensor<2x3x5x6x8xf32>, tensor<2x5x16x8xf32>, tensor<2xi64>
  %7 = nn.layer_norm %1, %w, %w epsilon 1.0e-05 : tensor<3x8xf32>, tensor<8xf32>
  %5, %6 = nn.argmax %1 : tensor<3x8xf32> -> tensor<3x1xf32>, tensor<3x1xi64>
  return
}

// CHECK-LABEL: func.func @equal
// CHECK: %[[X:.*]] = nn.rms_norm
// CHECK-NEXT: return %[[X]], %[[X]]
func.func @equal(%x: tensor<3x8xf32>, %w: tensor<8xf32>) -> (tensor<3x8xf32>, tensor<3x8xf32>) {
  %0 = nn.rms_norm %x, %w epsilon 1.0e-05 : tensor<3x8xf32>, tensor<8xf32>
  %1 = nn.rms_norm %x, %w epsilon 1.0e-05 : tensor<3x8xf32>, tensor<8xf32>
  return %0, %1 : tensor<3x8xf32>, tensor<3x8xf32>
}

// Two epsilons are two values.
// CHECK-LABEL: func.func @different
// CHECK: nn.rms_norm {{.*}} epsilon 1.000000e-05
// CHECK-NEXT: nn.rms_norm {{.*}} epsilon 5.000000e-01
func.func @different(%x: tensor<3x8xf32>, %w: tensor<8xf32>) -> (tensor<3x8xf32>, tensor<3x8xf32>) {
  %0 = nn.rms_norm %x, %w epsilon 1.0e-05 : tensor<3x8xf32>, tensor<8xf32>
  %1 = nn.rms_norm %x, %w epsilon 0.5 : tensor<3x8xf32>, tensor<8xf32>
  return %0, %1 : tensor<3x8xf32>, tensor<3x8xf32>
}
