// RUN: tp-opt %s -split-input-file --tp-plan-pipeline | FileCheck %s
// RUN: tp-opt %s -split-input-file --tp-plan-pipeline=explain=true | FileCheck %s --check-prefix=WHY
// RUN: tp-opt %s -split-input-file --tp-plan-pipeline --tp-reshard-pipeline | FileCheck %s --check-prefix=RESHARD

// What nothing connects is sharded alike: arguments, results of ops and of functions.
tp.mesh @mesh <"tp"=2>

// CHECK-LABEL: func.func @alike
// CHECK-SAME: %arg1: tensor<8x4xf32> {tp.sharding = #tp.sharding<[_, tp]>}
// CHECK-SAME: %arg2: tensor<8x4xf32> {tp.sharding = #tp.sharding<[_, tp]>}
// CHECK-SAME: -> (tensor<8x4xf32> {tp.sharding = #tp.sharding<[_, tp]>}, tensor<8x4xbf16> {tp.sharding = #tp.sharding<[_, tp]>})
// CHECK-NOT: tp.group
// WHY-LABEL: func.func @alike
// WHY-SAME: %arg2: tensor<8x4xf32> {{{.*}}tp.why = "[_, tp]; dimension 1 because of the annotation of @alike argument 0 ({{.*}}); sharded alike with all of group \22g\22"}
func.func @alike(%x: tensor<8x4xf32> {tp.group = "g", tp.sharding = #tp.sharding<[_, tp]>}, %y: tensor<8x4xf32>,
                 %z: tensor<8x4xf32> {tp.group = "g"})
    -> (tensor<8x4xf32>, tensor<8x4xbf16> {tp.group = "g"}) {
  // CHECK: math.exp {{.*}}{tp.sharding = [#tp.sharding<[_, tp]>]}
  %0 = math.exp %y {tp.group = ["g"]} : tensor<8x4xf32>
  // CHECK: arith.constant {tp.sharding = [#tp.sharding<[_, tp]>]}
  %1 = arith.constant dense<1.0> : tensor<8x4xbf16>
  return %0, %1 : tensor<8x4xf32>, tensor<8x4xbf16>
}

// -----

// Two groups with a common parameter are one; so are the carried values of two loops.
tp.mesh @mesh <"tp"=2>

// CHECK-LABEL: func.func @one
// CHECK-SAME: %arg0: tensor<8xf32> {{{.*}}tp.sharding = #tp.sharding<[tp]>}, %arg1: tensor<8xf32> {tp.sharding = #tp.sharding<[tp]>}
func.func @one(%w: tensor<8xf32> {tp.group = "a", tp.kind = "parameter", tp.name = "w"}, %x: tensor<8xf32> {tp.group = "a"}) -> tensor<8xf32> {
  return %x : tensor<8xf32>
}
// CHECK-LABEL: func.func @other
func.func @other(%w: tensor<8xf32> {tp.group = "b", tp.kind = "parameter", tp.name = "w"}, %n: index, %x: tensor<8xf32>, %y: tensor<8xf32>)
    -> (tensor<8xf32>, tensor<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: } {tp.arg_sharding = [{{.*}}, #tp.sharding<[tp]>], tp.sharding = [#tp.sharding<[tp]>]}
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (tensor<8xf32>) {
    scf.yield %a : tensor<8xf32>
  } {tp.group = ["b"], tp.sharding = [#tp.sharding<[tp]>]}
  // CHECK: } {tp.arg_sharding = [{{.*}}, #tp.sharding<[tp]>], tp.sharding = [#tp.sharding<[tp]>]}
  %1 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %y) -> (tensor<8xf32>) {
    scf.yield %a : tensor<8xf32>
  } {tp.group = ["b"]}
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}

// -----

// A value and its transpose can be alike only where no axis cuts both dimensions.
tp.mesh @mesh <"tp"=2>

// CHECK-LABEL: func.func @transposed
// CHECK-SAME: %arg0: tensor<4x4xf32> {tp.sharding = #tp.sharding<[tp, _]>}
// RESHARD-LABEL: func.func @transposed
func.func @transposed(%x: tensor<4x4xf32> {tp.group = "g", tp.sharding = #tp.sharding<[tp, ?]>}) -> tensor<4x4xf32> {
  %e = tensor.empty() : tensor<4x4xf32>
  // RESHARD: %[[T:.*]] = linalg.transpose
  // RESHARD: tp.reshard %[[T]] from <[_, tp]> to <[tp, _]>
  %t = linalg.transpose ins(%x : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) permutation = [1, 0] {tp.group = ["g"]}
  return %t : tensor<4x4xf32>
}

// -----

// Nothing goes through a barrier that stops both ways; it becomes a reshard.
tp.mesh @mesh <"tp"=2>

// CHECK-LABEL: func.func @both
// CHECK-SAME: -> (tensor<8x4xf32> {tp.sharding = #tp.sharding<[_, _]>})
// WHY-LABEL: func.func @both
// RESHARD-LABEL: func.func @both
// RESHARD-NOT: tp.barrier
func.func @both(%x: tensor<8x4xf32> {tp.sharding = #tp.sharding<[tp, _]>}) -> tensor<8x4xf32> {
  // CHECK: math.exp {{.*}}[tp, _]
  %0 = math.exp %x : tensor<8x4xf32>
  // CHECK: tp.barrier {{.*}}[_, _]
  // WHY: tp.barrier {{.*}}dimension 0 is whole: tp.barrier at {{.*}} has it cut over tp in math.exp, but does not let it through
  // RESHARD: tp.reshard %{{.*}} from <[tp, _]> to <[_, _]> because "needed as [_, _] by tp.barrier"
  %1 = tp.barrier %0 both : tensor<8x4xf32>
  // CHECK: math.absf {{.*}}[_, _]
  %2 = math.absf %1 : tensor<8x4xf32>
  return %2 : tensor<8x4xf32>
}

// -----

// Each way alone.
tp.mesh @mesh <"tp"=2>

// CHECK-LABEL: func.func @forward
// CHECK-SAME: %arg0: tensor<8x4xf32> {tp.sharding = #tp.sharding<[_, tp]>}
// RESHARD-LABEL: func.func @forward
// RESHARD: return %arg0
func.func @forward(%x: tensor<8x4xf32>) -> (tensor<8x4xf32> {tp.sharding = #tp.sharding<[_, tp]>}) {
  %0 = tp.barrier %x forward : tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}

// -----

tp.mesh @mesh <"tp"=2>

// CHECK-LABEL: func.func @backward
// CHECK-SAME: %arg0: tensor<8x4xf32> {tp.sharding = #tp.sharding<[_, _]>}
func.func @backward(%x: tensor<8x4xf32>) -> (tensor<8x4xf32> {tp.sharding = #tp.sharding<[_, tp]>}) {
  %0 = tp.barrier %x backward : tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}

// -----

tp.mesh @mesh <"tp"=2>

// CHECK-LABEL: func.func @lets_through
// CHECK-SAME: -> (tensor<8x4xf32> {tp.sharding = #tp.sharding<[_, tp]>})
func.func @lets_through(%x: tensor<8x4xf32> {tp.sharding = #tp.sharding<[_, tp]>}) -> tensor<8x4xf32> {
  %0 = tp.barrier %x backward : tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}

// -----

// Why a dimension is whole although a neighbour's is cut.
tp.mesh @mesh <"tp"=2>

// WHY-LABEL: func.func @whole
// WHY-SAME: %arg1: tensor<8x8xf32> {{{.*}}tp.why = "[_, _] by the annotation of @whole argument 1 ({{.*}}); dimension 0 is whole: arith.addf at {{.*}} has it cut over tp in @whole argument 0, but the annotation of @whole argument 1 ({{.*}}) keeps it whole"}
func.func @whole(%x: tensor<8x8xf32> {tp.sharding = #tp.sharding<[tp, _]>}, %y: tensor<8x8xf32> {tp.sharding = #tp.sharding<[]>},
                 %z: tensor<8x8xf32> {tp.sharding = #tp.sharding<[tp, ?]>}, %a: tensor<8x8xf32> {tp.sharding = #tp.sharding<[_, tp]>})
    -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %0 = arith.addf %x, %y : tensor<8x8xf32>
  // WHY: math.exp {{.*}}dimension 1 is whole: math.exp at {{.*}} has it cut over tp in @whole argument 3, but that cuts another dimension here
  %1 = math.exp %a : tensor<8x8xf32>
  %2 = arith.mulf %z, %1 : tensor<8x8xf32>
  return %0, %2 : tensor<8x8xf32>, tensor<8x8xf32>
}
