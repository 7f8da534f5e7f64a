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

// CHECK-LABEL: func @classified
func.func @classified(%x: f32, %y: f16) -> (i1, i1) {
  // CHECK-DAG: %[[INF:.*]] = arith.constant 0x7F800000 : f32
  // CHECK-DAG: %[[NORMAL:.*]] = arith.constant 6.103520e-05 : f16
  // CHECK-DAG: %[[INF16:.*]] = arith.constant 0x7C00 : f16
  // CHECK: arith.cmpf oeq, %{{.*}}, %[[INF]] : f32
  %0 = math.isinf %x : f32
  // CHECK: arith.cmpf oge, %{{.*}}, %[[NORMAL]] : f16
  // CHECK: arith.cmpf olt, %{{.*}}, %[[INF16]] : f16
  // CHECK: arith.andi
  %1 = math.isnormal %y : f16
  return %0, %1 : i1, i1
}

// CHECK-LABEL: func @sincos
// CHECK: %[[SINE:.*]] = math.sin %arg0 : vector<4xf32>
// CHECK: %[[COSINE:.*]] = math.cos %arg0 : vector<4xf32>
// CHECK: return %[[SINE]], %[[COSINE]]
func.func @sincos(%x: vector<4xf32>) -> (vector<4xf32>, vector<4xf32>) {
  %sine, %cosine = math.sincos %x : vector<4xf32>
  return %sine, %cosine : vector<4xf32>, vector<4xf32>
}
