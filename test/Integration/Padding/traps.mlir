// What runs on padding must neither trap nor read out of bounds: 5 elements over
// 2 and 3 ranks, whose blocks end in zeros.
// RUN: echo '{"shard": {"*.arg0": "[tp]"}}' > %t.json
// RUN: for f in constant direct named indexed looked_up remainder power; do for n in 2 3; do for how in "" --interpret; do \
// RUN:   tp-run %s --plan %t.json --mesh tp=$n --entry $f --compare $how 2>&1 || exit 1; done; done; done | FileCheck %s
// CHECK-COUNT-28: equal to the unsharded program

func.func @constant(%x: tensor<5xi32>) -> tensor<5xi32> {
  %d = arith.constant dense<[1, 2, 3, 4, 5]> : tensor<5xi32>
  %0 = arith.divsi %x, %d : tensor<5xi32>
  return %0 : tensor<5xi32>
}

func.func @direct(%x: tensor<5xi32>) -> tensor<5xi32> {
  %c7 = arith.constant dense<7> : tensor<5xi32>
  %c1 = arith.constant dense<1> : tensor<5xi32>
  %square = arith.muli %x, %x : tensor<5xi32>
  %cut = arith.minsi %square, %c7 : tensor<5xi32>
  // Zero only in padding.
  %d = arith.ori %cut, %c1 : tensor<5xi32>
  %low = arith.andi %x, %d : tensor<5xi32>
  %0 = arith.floordivsi %low, %d : tensor<5xi32>
  return %0 : tensor<5xi32>
}

func.func @named(%x: tensor<5xi32>) -> tensor<5xi32> {
  %d = arith.constant dense<[1, 2, 3, 4, 5]> : tensor<5xi32>
  %e = tensor.empty() : tensor<5xi32>
  %0 = linalg.div_unsigned ins(%x, %d : tensor<5xi32>, tensor<5xi32>) outs(%e : tensor<5xi32>) -> tensor<5xi32>
  return %0 : tensor<5xi32>
}

// 5 - i is zero right behind the end.
func.func @indexed(%x: tensor<5xi32>) -> tensor<5xi32> {
  %c7 = arith.constant 7 : i32
  %e = tensor.empty() : tensor<5xi32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : tensor<5xi32>) outs(%e : tensor<5xi32>) {
  ^bb0(%a: i32, %out: i32):
    %c5 = arith.constant 5 : index
    %i = linalg.index 0 : index
    %left = arith.subi %c5, %i : index
    %d = arith.index_cast %left : index to i32
    %q = arith.divsi %c7, %d : i32
    %r = arith.addi %q, %a : i32
    linalg.yield %r : i32
  } -> tensor<5xi32>
  return %0 : tensor<5xi32>
}

// Zero is no row after the subtraction.
func.func @looked_up(%x: tensor<5xi64>) -> tensor<5xf32> {
  %table = arith.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]> : tensor<8xf32>
  %c1 = arith.constant dense<1> : tensor<5xi64>
  %c8 = arith.constant dense<8> : tensor<5xi64>
  %low = arith.remui %x, %c8 : tensor<5xi64>
  %ids = arith.maxui %low, %c1 : tensor<5xi64>
  %e = tensor.empty() : tensor<5xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%ids : tensor<5xi64>) outs(%e : tensor<5xf32>) {
  ^bb0(%id: i64, %out: f32):
    %one = arith.constant 1 : index
    %i = arith.index_cast %id : i64 to index
    %j = arith.subi %i, %one : index
    %v = tensor.extract %table[%j] : tensor<8xf32>
    linalg.yield %v : f32
  } -> tensor<5xf32>
  return %0 : tensor<5xf32>
}

func.func @remainder(%x: tensor<5xi64>) -> tensor<i64> {
  %d = arith.constant dense<[1, 2, 3, 4, 5]> : tensor<5xi64>
  %zero = arith.constant dense<0> : tensor<i64>
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> ()>],
      iterator_types = ["reduction"]} ins(%x, %d : tensor<5xi64>, tensor<5xi64>) outs(%zero : tensor<i64>) {
  ^bb0(%a: i64, %b: i64, %sum: i64):
    %r = arith.remsi %a, %b : i64
    %s = arith.addi %sum, %r : i64
    linalg.yield %s : i64
  } -> tensor<i64>
  return %0 : tensor<i64>
}

func.func @power(%x: tensor<5xi32>) -> tensor<5xi32> {
  %base = arith.constant dense<[1, 2, 3, -1, 1]> : tensor<5xi32>
  %c3 = arith.constant dense<-1> : tensor<5xi32>
  %p = math.ipowi %base, %c3 : tensor<5xi32>
  %0 = arith.addi %p, %x : tensor<5xi32>
  return %0 : tensor<5xi32>
}
