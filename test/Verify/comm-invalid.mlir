// RUN: tp-opt %s -split-input-file -verify-diagnostics --tp-verify-comm

tp.mesh @mesh <"dp"=2, "tp"=4>
func.func @coordinate(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c = comm.coordinate (tp)
  %zero = arith.constant 0 : index
  %first = arith.cmpi eq, %c, %zero : index
  %r = scf.if %first -> (tensor<4xf32>) {
    // expected-error @below {{'comm.all_reduce' under a condition that may differ along tp, an axis of its group}}
    %s = comm.all_reduce sum %x over (tp) : tensor<4xf32>
    scf.yield %s : tensor<4xf32>
  } else {
    scf.yield %x : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----

// The condition is the same within each group over dp.
tp.mesh @mesh <"dp"=2, "tp"=4>
func.func @other_axis(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c = comm.coordinate (tp)
  %zero = arith.constant 0 : index
  %first = arith.cmpi eq, %c, %zero : index
  %r = scf.if %first -> (tensor<4xf32>) {
    %s = comm.all_reduce sum %x over (dp) : tensor<4xf32>
    scf.yield %s : tensor<4xf32>
  } else {
    scf.yield %x : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----

// Data that is cut decides how often; a reduction first makes it uniform.
tp.mesh @mesh <"tp"=4>
func.func @bound(%n: tensor<1xi64> {tp.sharding = #tp.sharding<[tp]>, tp.global_type = tensor<4xi64>}, %x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %all = comm.all_reduce max %n over (tp) : tensor<1xi64>
  %a = tensor.extract %all[%c0] : tensor<1xi64>
  %b = arith.index_cast %a : i64 to index
  %good = scf.for %i = %c0 to %b step %c1 iter_args(%v = %x) -> (tensor<4xf32>) {
    %s = comm.all_reduce sum %v over (tp) : tensor<4xf32>
    scf.yield %s : tensor<4xf32>
  }
  %own = tensor.extract %n[%c0] : tensor<1xi64>
  %d = arith.index_cast %own : i64 to index
  %bad = scf.for %i = %c0 to %d step %c1 iter_args(%v = %x) -> (tensor<4xf32>) {
    // expected-error @below {{'comm.all_reduce' under a condition that may differ along tp}}
    %s = comm.all_reduce sum %v over (tp) : tensor<4xf32>
    scf.yield %s : tensor<4xf32>
  }
  return %good, %bad : tensor<4xf32>, tensor<4xf32>
}

// -----

// Through a loop-carried value of a while.
tp.mesh @mesh <"tp"=4>
func.func @carried(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c = comm.coordinate (tp)
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.while (%i = %c, %v = %x) : (index, tensor<4xf32>) -> (index, tensor<4xf32>) {
    %go = arith.cmpi ne, %i, %zero : index
    scf.condition(%go) %i, %v : index, tensor<4xf32>
  } do {
  ^bb0(%i: index, %v: tensor<4xf32>):
    // expected-error @below {{'comm.all_reduce' under a condition that may differ along tp}}
    %s = comm.all_reduce sum %v over (tp) : tensor<4xf32>
    %j = arith.subi %i, %one : index
    scf.yield %j, %s : index, tensor<4xf32>
  }
  return %r#1 : tensor<4xf32>
}

// -----

// Through a region that runs once, and out of a conditional of many branches.
tp.mesh @mesh <"tp"=4>
func.func @made_within(%x: tensor<4xf32>, %k: index) -> tensor<4xf32> {
  %r = scf.execute_region -> index {
    %c = comm.coordinate (tp)
    scf.yield %c : index
  }
  %s = scf.index_switch %k -> index
  case 1 {
    scf.yield %r : index
  }
  default {
    scf.yield %k : index
  }
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %t = scf.for %i = %zero to %s step %one iter_args(%a = %x) -> tensor<4xf32> {
    // expected-error @below {{'comm.all_reduce' under a condition that may differ along tp}}
    %b = comm.all_reduce sum %a over (tp) : tensor<4xf32>
    scf.yield %b : tensor<4xf32>
  }
  return %t : tensor<4xf32>
}

// -----

// Branches that meet the same collectives are as good as none.
tp.mesh @mesh <"dp"=2, "tp"=4>
func.func @same_in_both(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %c = comm.coordinate (tp)
  %zero = arith.constant 0 : index
  %first = arith.cmpi eq, %c, %zero : index
  %r = scf.if %first -> (tensor<4xf32>) {
    %s = comm.all_reduce sum %x over (tp) because "left" : tensor<4xf32>
    %t = comm.all_reduce sum %s over (dp) : tensor<4xf32>
    scf.yield %t : tensor<4xf32>
  } else {
    %s = comm.all_reduce sum %y over (tp) because "right" : tensor<4xf32>
    scf.yield %s : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----

// Another kind.
tp.mesh @mesh <"tp"=4>
func.func @other_kind(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c = comm.coordinate (tp)
  %zero = arith.constant 0 : index
  %first = arith.cmpi eq, %c, %zero : index
  %r = scf.if %first -> (tensor<4xf32>) {
    // expected-error @below {{'comm.all_reduce' under a condition that may differ along tp}}
    %s = comm.all_reduce sum %x over (tp) : tensor<4xf32>
    scf.yield %s : tensor<4xf32>
  } else {
    %s = comm.all_reduce max %x over (tp) : tensor<4xf32>
    scf.yield %s : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----

// Another group.
tp.mesh @mesh <"dp"=4, "tp"=4>
func.func @other_group(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c = comm.coordinate (tp)
  %zero = arith.constant 0 : index
  %first = arith.cmpi eq, %c, %zero : index
  %r = scf.if %first -> (tensor<4xf32>) {
    // expected-error @below {{'comm.all_reduce' under a condition that may differ along tp}}
    %s = comm.all_reduce sum %x over (dp, tp) : tensor<4xf32>
    scf.yield %s : tensor<4xf32>
  } else {
    %s = comm.all_reduce sum %x over (tp) : tensor<4xf32>
    scf.yield %s : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----

// Another element type and count.
tp.mesh @mesh <"tp"=4>
func.func @other_count(%x: tensor<4xf32>, %y: tensor<8xi32>) {
  %c = comm.coordinate (tp)
  %zero = arith.constant 0 : index
  %first = arith.cmpi eq, %c, %zero : index
  scf.if %first {
    // expected-error @below {{'comm.all_reduce' under a condition that may differ along tp}}
    %s = comm.all_reduce sum %x over (tp) : tensor<4xf32>
  } else {
    %s = comm.all_reduce sum %y over (tp) : tensor<8xi32>
  }
  return
}

// -----

// Another order.
tp.mesh @mesh <"tp"=4>
func.func @other_order(%x: tensor<4xf32>, %y: tensor<8xf32>, %which: index) {
  %c = comm.coordinate (tp)
  scf.index_switch %c
  case 1 {
    %s = comm.all_reduce sum %x over (tp) : tensor<4xf32>
    %t = comm.all_reduce sum %y over (tp) : tensor<8xf32>
    scf.yield
  }
  default {
    // expected-error @below {{'comm.all_reduce' under a condition that may differ along tp}}
    %t = comm.all_reduce sum %y over (tp) : tensor<8xf32>
    %s = comm.all_reduce sum %x over (tp) : tensor<4xf32>
    scf.yield
  }
  return
}

// -----

// One more on some ranks.
tp.mesh @mesh <"tp"=4>
func.func @one_more(%x: tensor<4xf32>) {
  %c = comm.coordinate (tp)
  %zero = arith.constant 0 : index
  %first = arith.cmpi eq, %c, %zero : index
  scf.if %first {
    // expected-error @below {{'comm.all_gather' under a condition that may differ along tp}}
    %s = comm.all_gather %x dim 0 over (tp) : tensor<4xf32> -> tensor<16xf32>
    %t = comm.all_reduce sum %s over (tp) : tensor<16xf32>
  } else {
    %s = comm.all_gather %x dim 0 over (tp) : tensor<4xf32> -> tensor<16xf32>
  }
  return
}

// -----

// A loop that some ranks leave earlier, in a branch of equal collectives.
tp.mesh @mesh <"tp"=4>
func.func @loop_in_branch(%x: tensor<4xf32>, %n: index) {
  %c = comm.coordinate (tp)
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %first = arith.cmpi eq, %c, %zero : index
  scf.if %first {
    scf.for %i = %zero to %n step %one {
      // expected-error @below {{'comm.all_reduce' under a condition that may differ along tp}}
      %s = comm.all_reduce sum %x over (tp) : tensor<4xf32>
    }
  } else {
    %s = comm.all_reduce sum %x over (tp) : tensor<4xf32>
  }
  return
}

// -----

// Iterations of no order.
tp.mesh @mesh <"tp"=4>
func.func @parallel(%x: tensor<4xf32>) {
  scf.forall (%i) in (2) {
    // expected-error @below {{'comm.all_reduce' in a region of 'scf.forall', which does not say in which order it runs}}
    %s = comm.all_reduce sum %x over (tp) : tensor<4xf32>
  }
  return
}

// -----

// A function that others call.
tp.mesh @mesh <"tp"=4>
func.func private @sum(%x: tensor<4xf32>) -> tensor<4xf32> {
  %s = comm.all_reduce sum %x over (tp) : tensor<4xf32>
  return %s : tensor<4xf32>
}
func.func @calls(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{calls 'sum', which has collectives: functions are inlined before partition}}
  %s = call @sum(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %s : tensor<4xf32>
}

// -----

// Through data that a branch picks by rank.
tp.mesh @mesh <"tp"=4>
func.func @data(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c = comm.coordinate (tp)
  %zero = arith.constant 0 : index
  %first = arith.cmpi eq, %c, %zero : index
  %a = arith.constant 1 : index
  %n = scf.if %first -> (index) {
    scf.yield %zero : index
  } else {
    scf.yield %a : index
  }
  %again = arith.cmpi eq, %n, %zero : index
  %r = scf.if %again -> (tensor<4xf32>) {
    scf.yield %x : tensor<4xf32>
  } else {
    // expected-error @below {{'comm.permute' under a condition that may differ along tp}}
    %s = comm.permute %x from [1, 0, 3, 2] over (tp) : tensor<4xf32>
    scf.yield %s : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----

tp.mesh @mesh <"tp"=2>
// expected-error @below {{has collectives in a region of several blocks}}
func.func @blocks(%x: tensor<4xf32>) -> tensor<4xf32> {
  cf.br ^bb1
^bb1:
  %0 = comm.all_reduce sum %x over (tp) : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// What all ranks of a part of the axis get from one is the same along that part alone.
tp.mesh @mesh <"tp"=4>
func.func @one_source(%n: tensor<1xi64> {tp.sharding = #tp.sharding<[tp]>, tp.global_type = tensor<4xi64>}, %x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = comm.permute %n from [0, 0, 2, 2] over (tp) : tensor<1xi64>
  %a = tensor.extract %one[%c0] : tensor<1xi64>
  %b = arith.index_cast %a : i64 to index
  %good = scf.for %i = %c0 to %b step %c1 iter_args(%v = %x) -> (tensor<4xf32>) {
    %s = comm.all_reduce sum %v over (tp:(2)2) : tensor<4xf32>
    scf.yield %s : tensor<4xf32>
  }
  %bad = scf.for %i = %c0 to %b step %c1 iter_args(%v = %x) -> (tensor<4xf32>) {
    // expected-error @below {{'comm.all_reduce' under a condition that may differ along tp}}
    %s = comm.all_reduce sum %v over (tp:(1)2) : tensor<4xf32>
    scf.yield %s : tensor<4xf32>
  }
  return %good, %bad : tensor<4xf32>, tensor<4xf32>
}
