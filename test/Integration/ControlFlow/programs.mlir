// Loops and conditionals of every kind; test/Python/test_control_flow.py runs each under
// several plans and compares with the unsharded program. Sizes of 5 and 7 leave uneven
// and empty blocks.

// Two values of different shardings, an integer and a boolean tensor carried beside them.
func.func @carried(%h: tensor<5x8xf32>, %g: tensor<7xf32>, %k: tensor<5xi32>, %w: tensor<8x8xf32>, %n: index)
    -> (tensor<5x8xf32>, tensor<7xf32>, tensor<5xi32>, tensor<5xi1>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %no = arith.constant dense<false> : tensor<5xi1>
  %r:4 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %h, %b = %g, %c = %k, %d = %no)
      -> (tensor<5x8xf32>, tensor<7xf32>, tensor<5xi32>, tensor<5xi1>) {
    %z = arith.constant dense<0.0> : tensor<5x8xf32>
    %p = linalg.matmul ins(%a, %w : tensor<5x8xf32>, tensor<8x8xf32>) outs(%z : tensor<5x8xf32>) -> tensor<5x8xf32>
    %t = math.tanh %p : tensor<5x8xf32>
    %u = math.sin %b : tensor<7xf32>
    %v = arith.addi %c, %c : tensor<5xi32>
    %e = arith.cmpi slt, %v, %k : tensor<5xi32>
    %f = arith.ori %d, %e : tensor<5xi1>
    scf.yield %t, %u, %v, %f : tensor<5x8xf32>, tensor<7xf32>, tensor<5xi32>, tensor<5xi1>
  }
  return %r#0, %r#1, %r#2, %r#3 : tensor<5x8xf32>, tensor<7xf32>, tensor<5xi32>, tensor<5xi1>
}

// A sum over loops in loops, from an init that counts once; the inner one may not run.
func.func @nested(%x: tensor<5x8xf32>, %w: tensor<8x7xf32>, %init: tensor<5x7xf32>, %n: index) -> tensor<5x7xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %z = arith.constant dense<0.0> : tensor<5x7xf32>
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %init) -> tensor<5x7xf32> {
    %s = scf.for %j = %i to %n step %c1 iter_args(%b = %a) -> tensor<5x7xf32> {
      %p = linalg.matmul ins(%x, %w : tensor<5x8xf32>, tensor<8x7xf32>) outs(%z : tensor<5x7xf32>) -> tensor<5x7xf32>
      %q = arith.addf %b, %p : tensor<5x7xf32>
      scf.yield %q : tensor<5x7xf32>
    }
    scf.yield %s : tensor<5x7xf32>
  }
  return %r : tensor<5x7xf32>
}

// A condition that is computed from a cut tensor, with a collective in both halves.
func.func @until(%x: tensor<5x8xf32>, %w: tensor<8x8xf32>, %limit: f32) -> (tensor<5x8xf32>, tensor<8xf32>) {
  %r:2 = scf.while (%a = %x) : (tensor<5x8xf32>) -> (tensor<8xf32>, tensor<5x8xf32>) {
    %f = arith.constant dense<0.0> : tensor<8xf32>
    %s = linalg.reduce { arith.maximumf } ins(%a : tensor<5x8xf32>) outs(%f : tensor<8xf32>) dimensions = [0]
    %g = arith.constant dense<0.0> : tensor<f32>
    %t = linalg.reduce { arith.addf } ins(%s : tensor<8xf32>) outs(%g : tensor<f32>) dimensions = [0]
    %v = tensor.extract %t[] : tensor<f32>
    %c = arith.cmpf olt, %v, %limit : f32
    scf.condition(%c) %s, %a : tensor<8xf32>, tensor<5x8xf32>
  } do {
  ^bb0(%s: tensor<8xf32>, %a: tensor<5x8xf32>):
    %p = linalg.matmul ins(%a, %w : tensor<5x8xf32>, tensor<8x8xf32>) outs(%a : tensor<5x8xf32>) -> tensor<5x8xf32>
    %q = math.absf %p : tensor<5x8xf32>
    %one = arith.constant dense<1.0> : tensor<5x8xf32>
    %m = arith.addf %q, %one : tensor<5x8xf32>
    scf.yield %m : tensor<5x8xf32>
  }
  return %r#1, %r#0 : tensor<5x8xf32>, tensor<8xf32>
}

// A collective in one branch, a constant in another, a value from outside in a third.
func.func @branches(%x: tensor<5x8xf32>, %w: tensor<8x7xf32>, %y: tensor<5x7xf32>, %c: i1, %i: index) -> (tensor<5x7xf32>, tensor<5x7xf32>) {
  %z = arith.constant dense<0.0> : tensor<5x7xf32>
  %r = scf.if %c -> tensor<5x7xf32> {
    %p = linalg.matmul ins(%x, %w : tensor<5x8xf32>, tensor<8x7xf32>) outs(%z : tensor<5x7xf32>) -> tensor<5x7xf32>
    scf.yield %p : tensor<5x7xf32>
  } else {
    scf.yield %y : tensor<5x7xf32>
  }
  %s = scf.index_switch %i -> tensor<5x7xf32>
  case 0 {
    scf.yield %z : tensor<5x7xf32>
  }
  case 1 {
    %p = linalg.matmul ins(%x, %w : tensor<5x8xf32>, tensor<8x7xf32>) outs(%r : tensor<5x7xf32>) -> tensor<5x7xf32>
    %t = math.tanh %p : tensor<5x7xf32>
    scf.yield %t : tensor<5x7xf32>
  }
  default {
    %e = scf.execute_region -> tensor<5x7xf32> {
      scf.yield %r : tensor<5x7xf32>
    }
    scf.yield %e : tensor<5x7xf32>
  }
  return %r, %s : tensor<5x7xf32>, tensor<5x7xf32>
}

// A call in a loop, a loop in the callee; the bounds come from a tensor.
func.func private @layer(%x: tensor<5x8xf32>, %up: tensor<8x7xf32>, %down: tensor<7x8xf32>, %n: index) -> tensor<5x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant dense<0.0> : tensor<5x7xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> tensor<5x8xf32> {
    %h = linalg.matmul ins(%a, %up : tensor<5x8xf32>, tensor<8x7xf32>) outs(%z : tensor<5x7xf32>) -> tensor<5x7xf32>
    %t = math.tanh %h : tensor<5x7xf32>
    %y = linalg.matmul ins(%t, %down : tensor<5x7xf32>, tensor<7x8xf32>) outs(%a : tensor<5x8xf32>) -> tensor<5x8xf32>
    scf.yield %y : tensor<5x8xf32>
  }
  return %r : tensor<5x8xf32>
}
func.func @calls(%x: tensor<5x8xf32>, %up: tensor<8x7xf32>, %down: tensor<7x8xf32>, %trips: tensor<4xindex>, %n: index) -> tensor<5x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> tensor<5x8xf32> {
    %m = tensor.extract %trips[%i] : tensor<4xindex>
    %y = func.call @layer(%a, %up, %down, %m) : (tensor<5x8xf32>, tensor<8x7xf32>, tensor<7x8xf32>, index) -> tensor<5x8xf32>
    scf.yield %y : tensor<5x8xf32>
  }
  return %r : tensor<5x8xf32>
}

// A state that a loop updates and a branch may give back as it was.
func.func @state(%x: tensor<5x8xf32>, %s: tensor<5x8xf32> {tp.kind = "state", tp.name = "s"}, %c: i1, %n: index)
    -> (tensor<5x8xf32> {tp.alias = 1 : i64}, tensor<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %s) -> tensor<5x8xf32> {
    %b = arith.addf %a, %x : tensor<5x8xf32>
    scf.yield %b : tensor<5x8xf32>
  }
  %t = scf.if %c -> tensor<5x8xf32> {
    scf.yield %r : tensor<5x8xf32>
  } else {
    scf.yield %s : tensor<5x8xf32>
  }
  %f = arith.constant dense<0.0> : tensor<8xf32>
  %m = linalg.reduce { arith.addf } ins(%t : tensor<5x8xf32>) outs(%f : tensor<8xf32>) dimensions = [0]
  return %t, %m : tensor<5x8xf32>, tensor<8xf32>
}
