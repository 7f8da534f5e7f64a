// RUN: tp-opt %s -split-input-file --tp-add-sampling | FileCheck %s

// CHECK: module attributes {tp.language_model = {decode = "decode", sample = "sample", vocab = 10 : i64}}
// CHECK-LABEL: func.func @decode(
// CHECK-SAME: -> (tensor<2xi64>, tensor<2x10xf32> {tp.group = "logits", tp.name = "logits"})
// CHECK-LABEL: func.func @sample(
// CHECK-SAME: %[[LOGITS:.*]]: tensor<2x10xf32> {tp.group = "logits", tp.kind = "input", tp.name = "logits"}
// CHECK-SAME: %[[POS:.*]]: tensor<2xi64> {tp.kind = "input", tp.name = "pos"}
// CHECK-SAME: %[[T:.*]]: tensor<f64> {tp.kind = "input", tp.name = "temperature"}
// CHECK-SAME: %[[K:.*]]: tensor<i64> {tp.kind = "input", tp.name = "top_k"}
// CHECK-SAME: %[[P:.*]]: tensor<f64> {tp.kind = "input", tp.name = "top_p"}
// CHECK-SAME: %[[SEED:.*]]: tensor<i64> {tp.kind = "input", tp.name = "seed"}
// CHECK-SAME: -> (tensor<2xi64> {tp.name = "next"})
// CHECK: %[[U:.*]] = linalg.generic {{.*}} ins(%[[POS]], %[[SEED]] : tensor<2xi64>, tensor<i64>)
// CHECK: arith.uitofp
// CHECK: %[[NEXT:.*]] = nn.sample %[[LOGITS]], %[[U]], %[[T]], %[[K]], %[[P]] : tensor<2x10xf32>
// CHECK: return %[[NEXT]]
module attributes {tp.language_model = {decode = "decode", vocab = 10}} {
  func.func @decode(%n: tensor<2xi64>, %l: tensor<2x10xf32>) -> (tensor<2xi64>, tensor<2x10xf32> {tp.name = "logits"}) {
    return %n, %l : tensor<2xi64>, tensor<2x10xf32>
  }
}

// -----

// A group that is there stays.
// CHECK-LABEL: func.func @step(
// CHECK-SAME: tensor<2x10xf32> {tp.group = "mine"})
// CHECK-LABEL: func.func @sample(
// CHECK-SAME: tensor<2x10xf32> {tp.group = "mine"
module attributes {tp.language_model = {decode = "step"}} {
  func.func @step(%n: tensor<2xi64>, %l: tensor<2x10xf32>) -> (tensor<2xi64>, tensor<2x10xf32> {tp.group = "mine"}) {
    return %n, %l : tensor<2xi64>, tensor<2x10xf32>
  }
}

// -----

// No language model, no logits of f32, and a function of that name.
// CHECK: module {
// CHECK-NOT: @sample
func.func @decode(%n: tensor<2xi64>, %l: tensor<2x10xf32>) -> (tensor<2xi64>, tensor<2x10xf32>) {
  return %n, %l : tensor<2xi64>, tensor<2x10xf32>
}

// -----

// CHECK: module attributes {tp.language_model = {decode = "decode"}}
// CHECK-NOT: @sample
module attributes {tp.language_model = {decode = "decode"}} {
  func.func @decode(%n: tensor<2xi64>, %l: tensor<2x10xbf16>) -> (tensor<2xi64>, tensor<2x10xbf16>) {
    return %n, %l : tensor<2xi64>, tensor<2x10xbf16>
  }
}

// -----

// CHECK: module attributes {tp.language_model = {decode = "decode"}}
// CHECK: func.func private @sample()
// CHECK-NOT: nn.sample
module attributes {tp.language_model = {decode = "decode"}} {
  func.func private @sample()
  func.func @decode(%n: tensor<2xi64>, %l: tensor<2x10xf32>) -> (tensor<2xi64>, tensor<2x10xf32>) {
    return %n, %l : tensor<2xi64>, tensor<2x10xf32>
  }
}
