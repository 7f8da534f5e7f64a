// RUN: tp-opt %s --pass-pipeline='builtin.module(func.func(tp-sink-reductions))' | FileCheck %s
// RUN: tp-test-opt %s --test-interpret=local -o /dev/null > %t.before
// RUN: tp-test-opt %s --pass-pipeline='builtin.module(func.func(tp-sink-reductions),tp-verify-comm,test-interpret{local=true})' -o /dev/null > %t.after
// RUN: diff %t.before %t.after

#id = affine_map<(d0, d1) -> (d0, d1)>
tp.mesh @mesh <"tp"=4>

// From zero on: nothing is to be added afterwards.
// CHECK-LABEL: func.func @from_zero
// CHECK: %[[P:.*]] = scf.for {{.*}} iter_args(%[[ACC:.*]] = %cst)
// CHECK-NOT: comm
// CHECK: arith.addf %[[ACC]], %{{.*}}
// CHECK: scf.yield
// CHECK: %[[R:.*]] = comm.all_reduce sum %[[P]] over (tp) because "why"
// CHECK-NEXT: return %[[R]]
func.func @from_zero(%w: tensor<1x4xf32> {tp.sharding = #tp.sharding<[tp, _]>, tp.global_type = tensor<4x4xf32>}) -> tensor<1x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant dense<0.0> : tensor<1x4xf32>
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%acc = %zero) -> (tensor<1x4xf32>) {
    %k = arith.index_cast %i : index to i32
    %f = arith.sitofp %k : i32 to f32
    %s = tensor.splat %f : tensor<1x4xf32>
    %x = arith.mulf %w, %s : tensor<1x4xf32>
    %g = comm.all_reduce sum %x over (tp) because "why" : tensor<1x4xf32>
    %n = arith.addf %acc, %g : tensor<1x4xf32>
    scf.yield %n : tensor<1x4xf32>
  }
  return %r : tensor<1x4xf32>
}

// The initial value counts once, also where the loop makes no trip; other kinds, linalg.
// CHECK-LABEL: func.func @from_value
// CHECK: %[[P:.*]]:2 = scf.for
// CHECK-NOT: comm
// CHECK: scf.yield
// CHECK-DAG: %[[R:.*]] = comm.all_reduce max %[[P]]#0
// CHECK-DAG: %[[S:.*]] = comm.all_reduce sum %[[P]]#1
// CHECK-DAG: arith.maximumf %arg1, %[[R]]
// CHECK-DAG: linalg.generic {{.*}} ins(%[[S]], %arg1 :
func.func @from_value(%w: tensor<1x4xf32> {tp.sharding = #tp.sharding<[tp, _]>, tp.global_type = tensor<4x4xf32>},
                      %init: tensor<1x4xf32>, %n: index) -> (tensor<1x4xf32>, tensor<1x4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %init, %add = %init) -> (tensor<1x4xf32>, tensor<1x4xf32>) {
    %k = arith.index_cast %i : index to i32
    %f = arith.sitofp %k : i32 to f32
    %s = tensor.splat %f : tensor<1x4xf32>
    %x = arith.addf %w, %s : tensor<1x4xf32>
    %g = comm.all_reduce max %x over (tp) : tensor<1x4xf32>
    %h = comm.all_reduce sum %x over (tp) : tensor<1x4xf32>
    %m = arith.maximumf %acc, %g : tensor<1x4xf32>
    %e = tensor.empty() : tensor<1x4xf32>
    %t = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%h, %add : tensor<1x4xf32>, tensor<1x4xf32>) outs(%e : tensor<1x4xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %0 = arith.addf %a, %b : f32
      linalg.yield %0 : f32
    } -> tensor<1x4xf32>
    scf.yield %m, %t : tensor<1x4xf32>, tensor<1x4xf32>
  }
  return %r#0, %r#1 : tensor<1x4xf32>, tensor<1x4xf32>
}

// Out of two loops.
// CHECK-LABEL: func.func @nested
// CHECK: scf.for
// CHECK: scf.for
// CHECK-NOT: comm
// CHECK: %[[R:.*]] = comm.all_reduce
// CHECK-NEXT: return %[[R]]
func.func @nested(%w: tensor<1x4xi32> {tp.sharding = #tp.sharding<[tp, _]>, tp.global_type = tensor<4x4xi32>},
                  %n: index) -> tensor<1x4xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant dense<0> : tensor<1x4xi32>
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%outer = %zero) -> (tensor<1x4xi32>) {
    %q = scf.for %j = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<1x4xi32>) {
      %k = arith.index_cast %j : index to i32
      %s = tensor.splat %k : tensor<1x4xi32>
      %x = arith.muli %w, %s : tensor<1x4xi32>
      %g = comm.all_reduce sum %x over (tp) : tensor<1x4xi32>
      %t = arith.addi %g, %acc : tensor<1x4xi32>
      scf.yield %t : tensor<1x4xi32>
    }
    %u = arith.addi %outer, %q : tensor<1x4xi32>
    scf.yield %u : tensor<1x4xi32>
  }
  return %r : tensor<1x4xi32>
}

// Each rank keeps a block of the sum: it carries the whole part, which is scattered once.
// CHECK-LABEL: func.func @scattered
// CHECK: %[[P:.*]]:2 = scf.for {{.*}} -> (tensor<4x4xf32>, tensor<4x4xf32>)
// CHECK-NOT: comm
// CHECK: scf.yield
// CHECK-DAG: %[[R:.*]] = comm.reduce_scatter sum %[[P]]#0 dim 0 over (tp) because "why"
// CHECK-DAG: %[[S:.*]] = comm.reduce_scatter sum %[[P]]#1 dim 0 over (tp)
// CHECK-DAG: %[[T:.*]] = linalg.generic {{.*}} ins(%[[S]], %arg0 :
// CHECK: return %[[R]], %[[T]]
func.func @scattered(%w: tensor<1x4xf32> {tp.sharding = #tp.sharding<[tp, _]>, tp.global_type = tensor<4x4xf32>},
                     %n: index) -> (tensor<1x4xf32> {tp.sharding = #tp.sharding<[tp, _]>, tp.global_type = tensor<4x4xf32>},
                                    tensor<1x4xf32> {tp.sharding = #tp.sharding<[tp, _]>, tp.global_type = tensor<4x4xf32>}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : tensor<1x4xf32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %add = %w) -> (tensor<1x4xf32>, tensor<1x4xf32>) {
    %k = arith.index_cast %i : index to i32
    %f = arith.sitofp %k : i32 to f32
    %e = tensor.empty() : tensor<4x4xf32>
    %x = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (0, d1)>, #id], iterator_types = ["parallel", "parallel"]}
        ins(%w : tensor<1x4xf32>) outs(%e : tensor<4x4xf32>) {
    ^bb0(%a: f32, %o: f32):
      %0 = arith.mulf %a, %f : f32
      linalg.yield %0 : f32
    } -> tensor<4x4xf32>
    %g = comm.reduce_scatter sum %x dim 0 over (tp) because "why" : tensor<4x4xf32> -> tensor<1x4xf32>
    %m = arith.addf %acc, %g : tensor<1x4xf32>
    %h = comm.reduce_scatter sum %x dim 0 over (tp) : tensor<4x4xf32> -> tensor<1x4xf32>
    %b = tensor.empty() : tensor<1x4xf32>
    %t = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%h, %add : tensor<1x4xf32>, tensor<1x4xf32>) outs(%b : tensor<1x4xf32>) {
    ^bb0(%a: f32, %c: f32, %o: f32):
      %0 = arith.addf %a, %c : f32
      linalg.yield %0 : f32
    } -> tensor<1x4xf32>
    scf.yield %m, %t : tensor<1x4xf32>, tensor<1x4xf32>
  }
  return %r#0, %r#1 : tensor<1x4xf32>, tensor<1x4xf32>
}

// Rows that are summed one by one are summed together, but not where they are fewer than the
// carried value has or where ranks may insert them in different places.
// CHECK-LABEL: func.func @rows
// CHECK: %[[P:.*]]:3 = scf.for
// CHECK: tensor.insert_slice %[[X:.*]] into
// CHECK-COUNT-2: comm.all_reduce
// CHECK: scf.yield
// CHECK: %[[R:.*]] = comm.all_reduce sum %[[P]]#0 over (tp) because "row"
// CHECK-NOT: comm
// CHECK: return %[[R]], %[[P]]#1, %[[P]]#2
func.func @rows(%w: tensor<1x4xf32> {tp.sharding = #tp.sharding<[tp, _]>, tp.global_type = tensor<4x4xf32>},
                %at: index) -> (tensor<3x4xf32>, tensor<9x4xf32>, tensor<3x4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant dense<0.0> : tensor<3x4xf32>
  %more = arith.constant dense<0.0> : tensor<9x4xf32>
  %r:3 = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %zero, %b = %more, %c = %zero)
      -> (tensor<3x4xf32>, tensor<9x4xf32>, tensor<3x4xf32>) {
    %k = arith.index_cast %i : index to i32
    %f = arith.sitofp %k : i32 to f32
    %s = tensor.splat %f : tensor<1x4xf32>
    %x = arith.mulf %w, %s : tensor<1x4xf32>
    %g = comm.all_reduce sum %x over (tp) because "row" : tensor<1x4xf32>
    %na = tensor.insert_slice %g into %a[%i, 0] [1, 4] [1, 1] : tensor<1x4xf32> into tensor<3x4xf32>
    %h = comm.all_reduce sum %x over (tp) because "few" : tensor<1x4xf32>
    %nb = tensor.insert_slice %h into %b[%i, 0] [1, 4] [1, 1] : tensor<1x4xf32> into tensor<9x4xf32>
    %l = comm.all_reduce sum %x over (tp) because "place" : tensor<1x4xf32>
    %nc = tensor.insert_slice %l into %c[%at, 0] [1, 4] [1, 1] : tensor<1x4xf32> into tensor<3x4xf32>
    scf.yield %na, %nb, %nc : tensor<3x4xf32>, tensor<9x4xf32>, tensor<3x4xf32>
  }
  return %r#0, %r#1, %r#2 : tensor<3x4xf32>, tensor<9x4xf32>, tensor<3x4xf32>
}

// A carried value that is read, a reduction that is read, another kind, sums that are rounded.
// CHECK-LABEL: func.func @kept
// CHECK-COUNT-4: comm.all_reduce
func.func @kept(%w: tensor<1x4xf32> {tp.sharding = #tp.sharding<[tp, _]>, tp.global_type = tensor<4x4xf32>},
                %h: tensor<1x4xbf16> {tp.sharding = #tp.sharding<[tp, _]>, tp.global_type = tensor<4x4xbf16>})
    -> (tensor<1x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>, tensor<1x4xbf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant dense<0.0> : tensor<1x4xf32>
  %narrow = arith.constant dense<0.0> : tensor<1x4xbf16>
  %r:4 = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %zero, %b = %zero, %c = %zero, %d = %narrow)
      -> (tensor<1x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>, tensor<1x4xbf16>) {
    %x = arith.addf %w, %a : tensor<1x4xf32>
    %g = comm.all_reduce sum %x over (tp) : tensor<1x4xf32>
    %na = arith.addf %a, %g : tensor<1x4xf32>
    %h1 = comm.all_reduce sum %na over (tp) : tensor<1x4xf32>
    %y = arith.mulf %h1, %h1 : tensor<1x4xf32>
    %nb0 = arith.addf %b, %h1 : tensor<1x4xf32>
    %nb = arith.addf %nb0, %y : tensor<1x4xf32>
    %m = comm.all_reduce max %x over (tp) : tensor<1x4xf32>
    %nc = arith.addf %c, %m : tensor<1x4xf32>
    %s = comm.all_reduce sum %h over (tp) : tensor<1x4xbf16>
    %nd = arith.addf %d, %s : tensor<1x4xbf16>
    scf.yield %na, %nb, %nc, %nd : tensor<1x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>, tensor<1x4xbf16>
  }
  return %r#0, %r#1, %r#2, %r#3 : tensor<1x4xf32>, tensor<1x4xf32>, tensor<1x4xf32>, tensor<1x4xbf16>
}
