// RUN: tp-opt %s | tp-opt | FileCheck %s
// RUN: tp-opt %s -mlir-print-op-generic | tp-opt | FileCheck %s

// CHECK: rt.group @tp [1, 1, 4]
rt.group @tp [1, 1, 4]
// CHECK: rt.group @pair [0, 1, 2, 1, 2, 2]
rt.group @pair [0, 1, 2, 1, 2, 2]

// CHECK-LABEL: func @tensors
func.func @tensors(%a: tensor<4x2xf32>, %b: tensor<16x2xf32>) -> tensor<4x2xf32> {
  // CHECK: rt.all_reduce sum %{{.*}} over @tp because "sum over tp" : tensor<4x2xf32> -> tensor<4x2xf32>
  %0 = rt.all_reduce sum %a over @tp because "sum over tp" : tensor<4x2xf32> -> tensor<4x2xf32>
  // CHECK: rt.all_gather %{{.*}} into %{{.*}} dim 0 over @tp : tensor<4x2xf32>, tensor<16x2xf32> -> tensor<16x2xf32>
  %1 = rt.all_gather %0 into %b dim 0 over @tp : tensor<4x2xf32>, tensor<16x2xf32> -> tensor<16x2xf32>
  // CHECK: rt.reduce_scatter max %{{.*}} into %{{.*}} dim 0 over @tp
  %2 = rt.reduce_scatter max %1 into %a dim 0 over @tp : tensor<16x2xf32>, tensor<4x2xf32> -> tensor<4x2xf32>
  // CHECK: rt.all_to_all %{{.*}} into %{{.*}} over @tp : tensor<4x2xf32>, tensor<4x2xf32> -> tensor<4x2xf32>
  %3 = rt.all_to_all %2 into %a over @tp : tensor<4x2xf32>, tensor<4x2xf32> -> tensor<4x2xf32>
  // CHECK: rt.permute %{{.*}} into %{{.*}} from [-1, 0, 1, 1] over @tp
  %4 = rt.permute %3 into %a from [-1, 0, 1, 1] over @tp : tensor<4x2xf32>, tensor<4x2xf32> -> tensor<4x2xf32>
  return %4 : tensor<4x2xf32>
}

func.func private @kernel(%begin: index, %end: index, %x: memref<4x2xf32>, %n: index) attributes {rt.kernel} {
  return
}

func.func private @row(%begin: index, %end: index, %x: memref<1x4xf32>, %y: memref<0x4xf32>) attributes {rt.kernel} {
  return
}

// What a dimension of one element steps by does not matter, nor does any step without elements.
func.func @unit_strides(%x: memref<1x4xf32, strided<[8, 1], offset: ?>>, %y: memref<0x4xf32, strided<[9, 2]>>) {
  rt.parallel_for @row range 4 grain 2 (%x, %y) : memref<1x4xf32, strided<[8, 1], offset: ?>>, memref<0x4xf32, strided<[9, 2]>>
  return
}

// CHECK-LABEL: func @memrefs
func.func @memrefs(%a: memref<4x2xf32>, %b: memref<16x2xf32>, %c: memref<4x4xf32>, %i: index) {
  // CHECK: rt.coordinate axis 1 of 4
  %t = rt.coordinate axis 1 of 4
  %eps = arith.constant 1.0e-05 : f32
  // CHECK: rt.arena : memref<4096xi8>
  %arena = rt.arena : memref<4096xi8>
  // CHECK: rt.all_reduce maxnum %{{.*}} over @pair : memref<4x2xf32>{{$}}
  rt.all_reduce maxnum %a over @pair : memref<4x2xf32>
  // CHECK: %[[TOKEN:.*]] = rt.all_reduce sum %{{.*}} over @pair : memref<4x2xf32> -> !rt.token
  %token = rt.all_reduce sum %a over @pair : memref<4x2xf32> -> !rt.token
  // CHECK: rt.wait %[[TOKEN]] (%{{.*}}) : memref<4x2xf32>
  rt.wait %token (%a) : memref<4x2xf32>
  // CHECK: rt.all_gather %{{.*}} into %{{.*}} dim 0 over @tp : memref<4x2xf32>, memref<16x2xf32>{{$}}
  rt.all_gather %a into %b dim 0 over @tp : memref<4x2xf32>, memref<16x2xf32>
  // CHECK: rt.gemm %{{.*}}, %{{.*}}, %{{.*}} {k = 2 : i64, lda = 2 : i64, ldb = 2 : i64, ldc = 4 : i64, m = 4 : i64, n = 4 : i64, trans_b}
  rt.gemm %a, %a, %c {m = 4, n = 4, k = 2, lda = 2, ldb = 2, ldc = 4, trans_b}
    : memref<4x2xf32>, memref<4x2xf32>, memref<4x4xf32>
  // CHECK: rt.parallel_for @kernel range 4 grain 2 (%{{.*}}, %{{.*}}) : memref<4x2xf32>, index
  rt.parallel_for @kernel range 4 grain 2 (%a, %i) : memref<4x2xf32>, index
  // CHECK: rt.launch @device_kernel blocks 4 threads 256 (%{{.*}}) : memref<4x2xf32>
  rt.launch @device_kernel blocks 4 threads 256 (%a) : memref<4x2xf32>
  // CHECK: rt.launch @device_kernel blocks 4 threads 256 shared 1024 (%{{.*}}) : memref<4x2xf32>
  rt.launch @device_kernel blocks 4 threads 256 shared 1024 (%a) : memref<4x2xf32>
  // CHECK: rt.kernel_call "rms_norm" blocks 4 threads 32 (%{{.*}}) : i32, i32, i32, memref<4x2xf32>, memref<2xf32>, memref<4x2xf32>, i64, i64, f32, f32
  %type = arith.constant 1 : i32
  %rows = arith.constant 4 : i64
  %weight = memref.alloc() : memref<2xf32>
  %normed = memref.alloc() : memref<4x2xf32>
  rt.kernel_call "rms_norm" blocks 4 threads 32 (%type, %type, %type, %a, %weight, %normed, %rows, %rows, %eps, %eps)
    : i32, i32, i32, memref<4x2xf32>, memref<2xf32>, memref<4x2xf32>, i64, i64, f32, f32
  // CHECK: rt.read %{{.*}} : memref<f32> -> f32
  %element = memref.alloc() : memref<f32>
  %number = rt.read %element : memref<f32> -> f32
  // CHECK: rt.copy %{{.*}} into %{{.*}} : memref<4x2xf32>, memref<4x2xf32>
  %other = memref.alloc() : memref<4x2xf32>
  rt.copy %a into %other : memref<4x2xf32>, memref<4x2xf32>
  // CHECK: rt.gemm_fused gelu_tanh %{{.*}}, %{{.*}}, %{{.*}} plus %{{.*}} bias %{{.*}} {k = 2 : i64, lda = 2 : i64, ldb = 2 : i64, ldc = 4 : i64, ldd = 4 : i64, m = 4 : i64, n = 4 : i64, trans_b} : memref<4x2xf32>, memref<4x2xf32>, memref<4x4xf32> plus memref<4x4xf32> bias memref<4x2xf32>
  rt.gemm_fused gelu_tanh %a, %other, %c plus %c bias %other {m = 4, n = 4, k = 2, lda = 2, ldb = 2, ldc = 4, ldd = 4, trans_b} : memref<4x2xf32>, memref<4x2xf32>, memref<4x4xf32> plus memref<4x4xf32> bias memref<4x2xf32>
  // CHECK: rt.gemm_fused relu %{{.*}}, %{{.*}}, %{{.*}} {k = 2
  rt.gemm_fused relu %a, %other, %c {m = 4, n = 4, k = 2, lda = 2, ldb = 2, ldd = 4, trans_b} : memref<4x2xf32>, memref<4x2xf32>, memref<4x4xf32>
  // CHECK: rt.check_index %{{.*}} in [0, 128) because "offset"
  rt.check_index %i in [0, 128) because "offset"
  // CHECK: rt.check_index %{{.*}} in [0, 128) deferred because "offset"
  rt.check_index %i in [0, 128) deferred because "offset"
  // CHECK: rt.launch_check @check in [0, 128) because "offset" (%{{.*}}) : memref<4x2xf32>
  rt.launch_check @check in [0, 128) because "offset" (%a) : memref<4x2xf32>
  return
}

// Contiguous at a run-time offset, or with a step in a dimension of one element.
func.func @offsets(%a: memref<4x2xf32, strided<[2, 1], offset: ?>>, %b: memref<1x2xf32, strided<[7, 1]>>) {
  rt.all_reduce sum %a over @tp : memref<4x2xf32, strided<[2, 1], offset: ?>>
  rt.all_reduce sum %b over @tp : memref<1x2xf32, strided<[7, 1]>>
  return
}

func.func private @device_kernel(memref<4x2xf32>) attributes {rt.kernel, rt.device}
func.func private @check(memref<5xi64>, index, index, index, memref<4x2xf32>) attributes {rt.kernel, rt.device}
