// RUN: tp-test-opt %s --test-interpret -o /dev/null | FileCheck %s

// CHECK-LABEL: @for
// CHECK: result 0: 18
// CHECK: result 1: 9
// CHECK: result 2: 5
// CHECK: result 3: 7
func.func @for() -> (index, index, index, i8) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %c10 = arith.constant 10 : index
  // 0 + 3 + 6 + 9; the last value.
  %sum, %last = scf.for %i = %c0 to %c10 step %c3 iter_args(%a = %c0, %l = %c0) -> (index, index) {
    %s = arith.addi %a, %i : index
    scf.yield %s, %i : index, index
  }
  // No trip: the initial value.
  %none = scf.for %i = %c10 to %c10 step %c2 iter_args(%a = %c5) -> index {
    scf.yield %i : index
  }
  // -8 to -1 in steps of 1, as bytes: 8 trips of which the first counts no one.
  %low = arith.constant -8 : i8
  %high = arith.constant 0 : i8
  %one = arith.constant 1 : i8
  %minus = arith.constant -1 : i8
  %trips = scf.for %i = %low to %high step %one iter_args(%a = %minus) -> i8 : i8 {
    %n = arith.addi %a, %one : i8
    scf.yield %n : i8
  }
  return %sum, %last, %none, %trips : index, index, index, i8
}

// Unsigned counters whose top bit is set, in bytes and in 64 bits.
// CHECK-LABEL: @unsigned_for
// CHECK: result 0: 3
// CHECK: result 1: -56
// CHECK: result 2: 0
// CHECK: result 3: 2
// CHECK: result 4: -4
// CHECK: result 5: 1
func.func @unsigned_for() -> (i32, i8, i32, i32, i64, i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  // 100, 150, 200.
  %c0 = arith.constant 0 : i8
  %c100 = arith.constant 100 : i8
  %c201 = arith.constant 201 : i8
  %c50 = arith.constant 50 : i8
  %trips, %last = scf.for unsigned %i = %c100 to %c201 step %c50
      iter_args(%n = %zero, %l = %c0) -> (i32, i8) : i8 {
    %m = arith.addi %n, %one : i32
    scf.yield %m, %i : i32, i8
  }
  // None from 201 to 100.
  %none = scf.for unsigned %i = %c201 to %c100 step %c50 iter_args(%n = %zero) -> i32 : i8 {
    %m = arith.addi %n, %one : i32
    scf.yield %m : i32
  }
  // From the largest signed number on: 2^63 - 1, 2^64 - 4.
  %w0 = arith.constant 0 : i64
  %low = arith.constant 9223372036854775807 : i64
  %high = arith.constant -3 : i64
  %far = arith.constant 9223372036854775805 : i64
  %wide, %w = scf.for unsigned %i = %low to %high step %far
      iter_args(%n = %zero, %l = %w0) -> (i32, i64) : i64 {
    %m = arith.addi %n, %one : i32
    scf.yield %m, %i : i32, i64
  }
  // A step of 201.
  %once = scf.for unsigned %i = %c0 to %c100 step %c201 iter_args(%n = %zero) -> i32 : i8 {
    %m = arith.addi %n, %one : i32
    scf.yield %m : i32
  }
  return %trips, %last, %none, %wide, %w, %once : i32, i8, i32, i32, i64, i32
}

// Collatz from 6: 6 3 10 5 16 8 4 2 1.
// CHECK-LABEL: @while
// CHECK: result 0: 8
// CHECK: result 1: 1
func.func @while() -> (i32, i32) {
  %c6 = arith.constant 6 : i32
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c3 = arith.constant 3 : i32
  %n, %last = scf.while (%count = %c0, %x = %c6) : (i32, i32) -> (i32, i32) {
    %more = arith.cmpi ne, %x, %c1 : i32
    scf.condition(%more) %count, %x : i32, i32
  } do {
  ^bb0(%count: i32, %x: i32):
    %bit = arith.andi %x, %c1 : i32
    %odd = arith.cmpi eq, %bit, %c1 : i32
    %next = scf.if %odd -> i32 {
      %t = arith.muli %x, %c3 : i32
      %u = arith.addi %t, %c1 : i32
      scf.yield %u : i32
    } else {
      %h = arith.divsi %x, %c2 : i32
      scf.yield %h : i32
    }
    %c = arith.addi %count, %c1 : i32
    scf.yield %c, %next : i32, i32
  }
  return %n, %last : i32, i32
}

// CHECK-LABEL: @switch
// CHECK: result 0: [20, 10, 30]
func.func @switch() -> tensor<3xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %e = arith.constant dense<0> : tensor<3xi32>
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%t = %e) -> tensor<3xi32> {
    %v = scf.index_switch %i -> i32
    case 1 {
      %x = arith.constant 10 : i32
      scf.yield %x : i32
    }
    case 0 {
      %x = arith.constant 20 : i32
      scf.yield %x : i32
    }
    default {
      %x = arith.constant 30 : i32
      scf.yield %x : i32
    }
    %u = tensor.insert %v into %t[%i] : tensor<3xi32>
    scf.yield %u : tensor<3xi32>
  }
  return %r : tensor<3xi32>
}

// Calls have values of their own; this one calls itself.
// CHECK-LABEL: @calls
// CHECK: result 0: 120
// CHECK: result 1: 6
func.func @calls() -> (i32, i32) {
  %c5 = arith.constant 5 : i32
  %c3 = arith.constant 3 : i32
  %0 = call @factorial(%c5) : (i32) -> i32
  %1 = scf.execute_region -> i32 {
    %x = func.call @factorial(%c3) : (i32) -> i32
    scf.yield %x : i32
  }
  return %0, %1 : i32, i32
}

func.func private @factorial(%n: i32) -> i32 {
  %c1 = arith.constant 1 : i32
  %stop = arith.cmpi sle, %n, %c1 : i32
  %r = scf.if %stop -> i32 {
    scf.yield %c1 : i32
  } else {
    %m = arith.subi %n, %c1 : i32
    %f = func.call @factorial(%m) : (i32) -> i32
    %p = arith.muli %n, %f : i32
    scf.yield %p : i32
  }
  return %r : i32
}

// An if without else and results.
// CHECK-LABEL: @no_results
// CHECK: result 0: 1
func.func @no_results() -> i32 {
  %true = arith.constant true
  %false = arith.constant false
  scf.if %true {
    %x = arith.constant 2 : i32
  }
  scf.if %false {
    %x = arith.constant 2 : i32
  }
  %c1 = arith.constant 1 : i32
  return %c1 : i32
}
