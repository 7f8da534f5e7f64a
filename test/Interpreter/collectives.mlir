// RUN: tp-test-opt %s --test-interpret -o /dev/null | FileCheck %s

tp.mesh @mesh <"dp"=2, "tp"=3>

// CHECK-LABEL: @coordinates
// CHECK: result 0 on rank 0: 0
// CHECK: result 0 on rank 3: 1
// CHECK: result 1 on rank 2: 2
// CHECK: result 1 on rank 3: 0
// CHECK: result 2 on rank 5: 5
func.func @coordinates() -> (index, index, index) {
  %d = comm.coordinate (dp)
  %t = comm.coordinate (tp)
  %c3 = arith.constant 3 : index
  %r = arith.muli %d, %c3 : index
  %i = arith.addi %r, %t : index
  return %d, %t, %i : index, index, index
}

func.func private @rank() -> index {
  %d = comm.coordinate (dp)
  %t = comm.coordinate (tp)
  %c3 = arith.constant 3 : index
  %r = arith.muli %d, %c3 : index
  %i = arith.addi %r, %t : index
  return %i : index
}

// The rank and the rank plus 10, as f32.
func.func private @value() -> tensor<2xf32> {
  %r = call @rank() : () -> index
  %i = arith.index_cast %r : index to i32
  %f = arith.sitofp %i : i32 to f32
  %c10 = arith.constant 10.0 : f32
  %g = arith.addf %f, %c10 : f32
  %x = tensor.from_elements %f, %g : tensor<2xf32>
  return %x : tensor<2xf32>
}

// CHECK-LABEL: @all_reduce
// CHECK: result 0 on rank 0: [3, 33]
// CHECK: result 0 on rank 2: [3, 33]
// CHECK: result 0 on rank 3: [12, 42]
// CHECK: result 1 on rank 0: [3, 13]
// CHECK: result 1 on rank 5: [5, 15]
// CHECK: result 2: [0, 10]
func.func @all_reduce() -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %x = call @value() : () -> tensor<2xf32>
  %s = comm.all_reduce sum %x over (tp) : tensor<2xf32>
  %m = comm.all_reduce max %x over (dp) : tensor<2xf32>
  %n = comm.all_reduce min %x over (dp, tp) : tensor<2xf32>
  return %s, %m, %n : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}

// The order of the axes is the order of the blocks.
// CHECK-LABEL: @all_gather
// CHECK: result 0: [0, 10, 1, 11, 2, 12, 3, 13, 4, 14, 5, 15]
// CHECK: result 1: [0, 10, 3, 13, 1, 11, 4, 14, 2, 12, 5, 15]
func.func @all_gather() -> (tensor<12xf32>, tensor<12xf32>) {
  %x = call @value() : () -> tensor<2xf32>
  %a = comm.all_gather %x dim 0 over (dp, tp) : tensor<2xf32> -> tensor<12xf32>
  %b = comm.all_gather %x dim 0 over (tp, dp) : tensor<2xf32> -> tensor<12xf32>
  return %a, %b : tensor<12xf32>, tensor<12xf32>
}

// CHECK-LABEL: @reduce_scatter
// CHECK: result 0 on rank 0: [9]
// CHECK: result 0 on rank 2: [15]
// CHECK: result 0 on rank 3: [75]
// CHECK: result 0 on rank 5: [81]
func.func @reduce_scatter() -> tensor<1xf32> {
  %x = call @value() : () -> tensor<2xf32>
  %g = comm.all_gather %x dim 0 over (tp) : tensor<2xf32> -> tensor<6xf32>
  %y = comm.reduce_scatter sum %g dim 0 over (dp, tp) : tensor<6xf32> -> tensor<1xf32>
  return %y : tensor<1xf32>
}

// CHECK-LABEL: @all_to_all
// CHECK: result 0 on rank 0: [0, 3]
// CHECK: result 0 on rank 3: [10, 13]
// CHECK: result 1 on rank 1: {{\[}}[1], [4]]
// CHECK: result 1 on rank 4: {{\[}}[11], [14]]
func.func @all_to_all() -> (tensor<2xf32>, tensor<2x1xf32>) {
  %x = call @value() : () -> tensor<2xf32>
  %y = comm.all_to_all %x split 0 concat 0 over (dp) : tensor<2xf32> -> tensor<2xf32>
  %r = tensor.expand_shape %x [[0, 1]] output_shape [1, 2] : tensor<2xf32> into tensor<1x2xf32>
  %z = comm.all_to_all %r split 1 concat 0 over (dp) : tensor<1x2xf32> -> tensor<2x1xf32>
  return %y, %z : tensor<2xf32>, tensor<2x1xf32>
}

// CHECK-LABEL: @permute
// CHECK: result 0 on rank 0: [0, 0]
// CHECK: result 0 on rank 1: [0, 10]
// CHECK: result 0 on rank 2: [0, 10]
// CHECK: result 0 on rank 3: [0, 0]
// CHECK: result 0 on rank 4: [3, 13]
func.func @permute() -> tensor<2xf32> {
  %x = call @value() : () -> tensor<2xf32>
  %y = comm.permute %x from [-1, 0, 0] over (tp) : tensor<2xf32>
  return %y : tensor<2xf32>
}

// bf16 values are summed in f32: 256 + 1 + 1 rounds to 258, not to 256.
// CHECK-LABEL: @narrow
// CHECK: result 0: [258]
func.func @narrow() -> tensor<1xbf16> {
  %c0 = arith.constant 0 : index
  %t = comm.coordinate (tp)
  %first = arith.cmpi eq, %t, %c0 : index
  %big = arith.constant dense<256.0> : tensor<1xbf16>
  %small = arith.constant dense<1.0> : tensor<1xbf16>
  %x = arith.select %first, %big, %small : tensor<1xbf16>
  %y = comm.all_reduce sum %x over (tp) : tensor<1xbf16>
  return %y : tensor<1xbf16>
}

// A condition may differ between groups, not within one; so may a trip count.
// CHECK-LABEL: @uniform
// CHECK: result 0 on rank 0: [0, 10]
// CHECK: result 0 on rank 2: [2, 12]
// CHECK: result 0 on rank 3: [36, 126]
// CHECK: result 0 on rank 5: [36, 126]
func.func @uniform() -> tensor<2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = comm.coordinate (dp)
  %n = arith.addi %d, %d : index
  %x = call @value() : () -> tensor<2xf32>
  %y = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> tensor<2xf32> {
    %s = comm.all_reduce sum %a over (tp) : tensor<2xf32>
    scf.yield %s : tensor<2xf32>
  }
  return %y : tensor<2xf32>
}

// Several values of one collective: each as alone.
// CHECK-LABEL: @several
// CHECK: result 0 on rank 0: [3, 33]
// CHECK: result 0 on rank 3: [12, 42]
// CHECK: result 1 on rank 0: [6, 66]
// CHECK: result 1 on rank 3: [24, 84]
func.func @several() -> (tensor<2xf32>, tensor<2xf32>) {
  %x = call @value() : () -> tensor<2xf32>
  %y = arith.addf %x, %x : tensor<2xf32>
  %s:2 = comm.all_reduce sum %x, %y over (tp) : tensor<2xf32>, tensor<2xf32>
  return %s#0, %s#1 : tensor<2xf32>, tensor<2xf32>
}
