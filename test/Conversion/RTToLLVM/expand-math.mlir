// RUN: tp-opt %s --tp-expand-math | FileCheck %s

// CHECK-LABEL: func @vectorized
// CHECK-NOT: math.exp
// CHECK-NOT: math.tanh
// CHECK-NOT: math.erf
// CHECK-NOT: math.log
// CHECK: return
func.func @vectorized(%x: f32) -> (f32, f32, f32, f32) {
  %0 = math.exp %x : f32
  %1 = math.tanh %x : f32
  %2 = math.erf %x : f32
  %3 = math.log %x : f32
  return %0, %1, %2, %3 : f32, f32, f32, f32
}

// Accurate for large angles, and in double precision.
// CHECK-LABEL: func @kept
// CHECK: math.sin %{{.*}} : f32
// CHECK: math.exp %{{.*}} : f64
func.func @kept(%x: f32, %y: f64) -> (f32, f64) {
  %0 = math.sin %x : f32
  %1 = math.exp %y : f64
  return %0, %1 : f32, f64
}

// CHECK-LABEL: func @narrow
func.func @narrow(%x: bf16, %y: f16, %v: vector<4xbf16>) -> (bf16, f16, vector<4xbf16>) {
  // CHECK: %[[W:.*]] = arith.extf %arg0 : bf16 to f32
  // CHECK: %[[S:.*]] = math.sqrt %[[W]] : f32
  // CHECK: arith.truncf %[[S]] : f32 to bf16
  %0 = math.sqrt %x : bf16
  // CHECK: math.powf %{{.*}}, %{{.*}} : f32
  %1 = math.powf %y, %y : f16
  // CHECK: math.absf %{{.*}} : vector<4xf32>
  %2 = math.absf %v : vector<4xbf16>
  return %0, %1, %2 : bf16, f16, vector<4xbf16>
}
