// RUN: tp-opt %s -split-input-file -verify-diagnostics

// expected-error @below {{argument 0: tp.priority must be an integer of at least 0, found -1}}
func.func @negative(%x: tensor<4xf32> {tp.priority = -1 : i64}) {
  return
}

// -----

// expected-error @below {{result 0: tp.priority must be an integer of at least 0, found "high"}}
func.func @text(%x: tensor<4xf32>) -> (tensor<4xf32> {tp.priority = "high"}) {
  return %x : tensor<4xf32>
}

// -----

func.func @op(%x: tensor<4xf32>) {
  // expected-error @below {{tp.priority: expected an array of 1 elements, found 1 : i64}}
  %0 = arith.addf %x, %x {tp.priority = 1 : i64} : tensor<4xf32>
  return
}

// -----

func.func @why(%x: tensor<4xf32>) {
  // expected-error @below {{result 0: tp.why must be a string, found 3}}
  %0 = arith.addf %x, %x {tp.why = [3]} : tensor<4xf32>
  return
}

// -----

func.func @fine(%x: tensor<4xf32> {tp.priority = 0 : i64, tp.why = "annotated"}) {
  %0 = arith.addf %x, %x {tp.priority = [1], tp.why = ["because of %x"]} : tensor<4xf32>
  return
}

// -----

// expected-error @below {{argument 0: tp.group must be a string, found 1 : i64}}
func.func @group(%x: tensor<4xf32> {tp.group = 1 : i64}) {
  return
}

// -----

// expected-error @below {{argument 0: tp.group is for ranked tensors, found 'index'}}
func.func @scalar(%x: index {tp.group = "a"}) {
  return
}

// -----

func.func @groups(%x: tensor<4xf32>) {
  // expected-error @below {{tp.group: expected an array of 1 elements, found "a"}}
  %0 = arith.addf %x, %x {tp.group = "a"} : tensor<4xf32>
  return
}

// -----

func.func @line(%x: tensor<4xf32>) {
  // expected-error @below {{result 0: tp.plan_line must be a string, found 3}}
  %0 = arith.addf %x, %x {tp.plan_line = [3]} : tensor<4xf32>
  return
}
