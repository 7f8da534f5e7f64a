// Bodies of which blocks must not begin with what the results begin with, or whose choices drop what is no
// number: their values are those of the whole.
// RUN: echo '{"mesh": {"tp": 4}, "shard": {"*.arg0": "[tp]"}}' > %t.json
// RUN: tp-run %s --plan %t.json --interpret --compare --entry last_of_largest | FileCheck %s
// RUN: tp-run %s --plan %t.json --interpret --compare --entry last | FileCheck %s
// RUN: tp-run %s --plan %t.json --interpret --compare --entry last_valid --input 2=inf | FileCheck %s
// RUN: tp-run %s --plan %t.json --interpret --compare --entry count_below_zero | FileCheck %s
// CHECK: equal to the unsharded program

func.func @last_of_largest(%any: tensor<6xf32>) -> (tensor<f32>, tensor<i64>) {
  %zeros = arith.constant dense<0.0> : tensor<6xf32>
  %numbers = arith.constant dense<[-1.0, 0.0, -1.0, -1.0, -2.0, -3.0]> : tensor<6xf32>
  %none = arith.mulf %any, %zeros : tensor<6xf32>
  %x = arith.addf %none, %numbers : tensor<6xf32>
  %h = arith.constant dense<0.0> : tensor<f32>
  %hi = arith.constant dense<-1> : tensor<i64>
  %r:2 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
      ins(%x : tensor<6xf32>) outs(%h, %hi : tensor<f32>, tensor<i64>) {
  ^bb0(%a: f32, %m: f32, %mi: i64):
    %i = linalg.index 0 : index
    %k = arith.index_cast %i : index to i64
    %c = arith.cmpf oge, %a, %m : f32
    %y = arith.select %c, %a, %m : f32
    %z = arith.select %c, %k, %mi : i64
    linalg.yield %y, %z : f32, i64
  } -> (tensor<f32>, tensor<i64>)
  return %r#0, %r#1 : tensor<f32>, tensor<i64>
}

func.func @last(%x: tensor<5xf32>, %h: tensor<f32>) -> tensor<f32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
      ins(%x : tensor<5xf32>) outs(%h : tensor<f32>) {
  ^bb0(%a: f32, %s: f32):
    linalg.yield %a : f32
  } -> tensor<f32>
  return %r : tensor<f32>
}

func.func @last_valid(%x: tensor<8xf32>, %c: tensor<8xi1>, %h: tensor<f32>) -> tensor<f32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
      ins(%x, %c : tensor<8xf32>, tensor<8xi1>) outs(%h : tensor<f32>) {
  ^bb0(%a: f32, %b: i1, %s: f32):
    %y = arith.select %b, %a, %s : f32
    linalg.yield %y : f32
  } -> tensor<f32>
  return %r : tensor<f32>
}

func.func @count_below_zero(%x: tensor<8xf32>) -> (tensor<i32>, tensor<f32>, tensor<f32>) {
  %none = arith.constant dense<-100> : tensor<i32>
  %zero = arith.constant dense<0.0> : tensor<f32>
  %r:3 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>, affine_map<(i) -> ()>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
      ins(%x : tensor<8xf32>) outs(%none, %zero, %zero : tensor<i32>, tensor<f32>, tensor<f32>) {
  ^bb0(%a: f32, %n: i32, %m: f32, %q: f32):
    %one = arith.constant 1 : i32
    %n1 = arith.addi %n, %one : i32
    %nf = arith.sitofp %n1 : i32 to f32
    %d = arith.subf %a, %m : f32
    %s = arith.divf %d, %nf : f32
    %m1 = arith.addf %m, %s : f32
    %d1 = arith.subf %a, %m1 : f32
    %p = arith.mulf %d, %d1 : f32
    %q1 = arith.addf %q, %p : f32
    linalg.yield %n1, %m1, %q1 : i32, f32, f32
  } -> (tensor<i32>, tensor<f32>, tensor<f32>)
  return %r#0, %r#1, %r#2 : tensor<i32>, tensor<f32>, tensor<f32>
}
