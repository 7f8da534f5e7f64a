// RUN: tp-test-opt %s --test-interpret --split-input-file --verify-diagnostics

tp.mesh @mesh <"tp"=3>
func.func @rank_dependent_condition(%x: tensor<2xf32>) -> tensor<2xf32> {
  %c0 = arith.constant 0 : index
  %t = comm.coordinate (tp)
  %first = arith.cmpi eq, %t, %c0 : index
  %y = scf.if %first -> tensor<2xf32> {
    // expected-error @+1 {{'comm.all_reduce' op is met by rank 0 but not by ranks 1, 2, which have returned}}
    %s = comm.all_reduce sum %x over (tp) : tensor<2xf32>
    scf.yield %s : tensor<2xf32>
  } else {
    scf.yield %x : tensor<2xf32>
  }
  return %y : tensor<2xf32>
}

// -----

tp.mesh @mesh <"tp"=2>
func.func @different_order(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %t = comm.coordinate (tp)
  %first = arith.cmpi eq, %t, %c0 : index
  %y, %z = scf.if %first -> (tensor<2xf32>, tensor<4xf32>) {
    // expected-error @+1 {{'comm.all_reduce' op is met by rank 0 but not by rank 1, as rank 1 waits in 'comm.all_gather'}}
    %s = comm.all_reduce sum %x over (tp) : tensor<2xf32>
    %g = comm.all_gather %x dim 0 over (tp) : tensor<2xf32> -> tensor<4xf32>
    scf.yield %s, %g : tensor<2xf32>, tensor<4xf32>
  } else {
    // expected-note @+1 {{the other collective is here}}
    %g = comm.all_gather %x dim 0 over (tp) : tensor<2xf32> -> tensor<4xf32>
    %s = comm.all_reduce sum %x over (tp) : tensor<2xf32>
    scf.yield %s, %g : tensor<2xf32>, tensor<4xf32>
  }
  return %y, %z : tensor<2xf32>, tensor<4xf32>
}

// -----

// One trip more on rank 1: the trips before it match.
tp.mesh @mesh <"tp"=2>
func.func @trip_count(%x: tensor<2xf32>) -> tensor<2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %t = comm.coordinate (tp)
  %n = arith.addi %t, %c3 : index
  %y = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> tensor<2xf32> {
    // expected-error @+1 {{is met by rank 1 but not by rank 0, which has returned}}
    %s = comm.all_reduce max %a over (tp) : tensor<2xf32>
    scf.yield %s : tensor<2xf32>
  }
  return %y : tensor<2xf32>
}

// -----

// A ring of waits over two axes: no pair has met different ops of one group only.
tp.mesh @mesh <"a"=2, "b"=2>
func.func @ring(%x: tensor<2xf32>) -> tensor<2xf32> {
  %a = comm.coordinate (a)
  %b = comm.coordinate (b)
  %same = arith.cmpi eq, %a, %b : index
  %y = scf.if %same -> tensor<2xf32> {
    // expected-error @+1 {{is met by rank 0 but not by rank 2, as rank 2 waits in 'comm.all_reduce'}}
    %s = comm.all_reduce sum %x over (a) : tensor<2xf32>
    scf.yield %s : tensor<2xf32>
  } else {
    // expected-note @+1 {{the other collective is here}}
    %s = comm.all_reduce sum %x over (b) : tensor<2xf32>
    scf.yield %s : tensor<2xf32>
  }
  return %y : tensor<2xf32>
}

// -----

tp.mesh @mesh <"tp"=2>
func.func @not_partitioned(%x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @+1 {{on rank 0: stands on global values: the program is not partitioned}}
  %y = tp.reshard %x from <[tp]> to <[_]> : tensor<2xf32>
  return %y : tensor<2xf32>
}
