// RUN: tp-opt %s -split-input-file -verify-diagnostics

// expected-error @below {{needs (axis, pre, size) triples, found 2 numbers}}
rt.group @g [0, 1]

// -----

// expected-error @below {{part 0 needs axis >= 0, pre >= 1 and size >= 1, found 0, 0 and 4}}
rt.group @g [0, 0, 4]

// -----

func.func @f() {
  // expected-error @below {{needs axis >= 0 and size >= 1, found 0 and 0}}
  %0 = rt.coordinate axis 0 of 0
  return
}

// -----

func.func @f() {
  // expected-error @below {{gives a memref of one dimension of i8, found 'memref<4x4xi8>'}}
  %0 = rt.arena : memref<4x4xi8>
  return
}

// -----

func.func @f(%a: memref<4xf32>) {
  // expected-error @below {{names no rt.group: @tp}}
  rt.all_reduce sum %a over @tp : memref<4xf32>
  return
}

// -----

rt.group @tp [0, 1, 2]
func.func @f(%a: memref<4xf32>) {
  // expected-error @below {{kind xor does not apply to 'f32'}}
  rt.all_reduce xor %a over @tp : memref<4xf32>
  return
}

// -----

rt.group @tp [0, 1, 2]
func.func @f(%a: memref<4xi32>) {
  // expected-error @below {{kind minnum does not apply to 'i32'}}
  rt.all_reduce minnum %a over @tp : memref<4xi32>
  return
}

// -----

rt.group @tp [0, 1, 2]
func.func @f(%a: memref<4x2xf32, strided<[3, 1]>>) {
  // expected-error @below {{needs contiguous buffers, found 'memref<4x2xf32, strided<[3, 1]>>'}}
  rt.all_reduce sum %a over @tp : memref<4x2xf32, strided<[3, 1]>>
  return
}

// -----

rt.group @tp [0, 1, 2]
func.func @f(%a: tensor<4xf32>) {
  // expected-error @below {{on tensors has one result of type 'tensor<4xf32>'}}
  rt.all_reduce sum %a over @tp : tensor<4xf32>
  return
}

// -----

rt.group @tp [0, 1, 2]
func.func @f(%a: tensor<4xf32>, %b: memref<8xf32>) {
  // expected-error @below {{takes tensors or memrefs, not both}}
  rt.all_gather %a into %b dim 0 over @tp : tensor<4xf32>, memref<8xf32>
  return
}

// -----

rt.group @tp [0, 1, 2]
func.func @f(%a: memref<4xf32>, %b: memref<8xi32>) {
  // expected-error @below {{needs equal element types, found 'f32' and 'i32'}}
  rt.all_gather %a into %b dim 0 over @tp : memref<4xf32>, memref<8xi32>
  return
}

// -----

rt.group @tp [0, 1, 2]
func.func @f(%a: memref<4xf32>, %b: memref<12xf32>) {
  // expected-error @below {{over 2 ranks along dimension 0 goes between 'memref<4xf32>' and 'memref<12xf32>'}}
  rt.all_gather %a into %b dim 0 over @tp : memref<4xf32>, memref<12xf32>
  return
}

// -----

rt.group @tp [0, 1, 2]
func.func @f(%a: memref<4xf32>, %b: memref<8xf32>) {
  // expected-error @below {{has no dimension 1 in a value of rank 1}}
  rt.reduce_scatter sum %b into %a dim 1 over @tp : memref<8xf32>, memref<4xf32>
  return
}

// -----

rt.group @tp [0, 1, 2]
func.func @f(%a: memref<4x2xf32>) {
  // expected-error @below {{over 2 ranks needs a first dimension of that size, found 'memref<4x2xf32>'}}
  rt.all_to_all %a into %a over @tp : memref<4x2xf32>, memref<4x2xf32>
  return
}

// -----

rt.group @tp [0, 1, 2]
func.func @f(%a: memref<4xf32>, %b: memref<2x2xf32>) {
  // expected-error @below {{needs buffers of one shape, found 'memref<4xf32>' and 'memref<2x2xf32>'}}
  rt.permute %a into %b from [0, 1] over @tp : memref<4xf32>, memref<2x2xf32>
  return
}

// -----

rt.group @tp [0, 1, 2]
func.func @f(%a: memref<4xf32>) {
  // expected-error @below {{needs 2 sources, found 1}}
  rt.permute %a into %a from [0] over @tp : memref<4xf32>, memref<4xf32>
  return
}

// -----

rt.group @tp [0, 1, 2]
func.func @f(%a: memref<4xf32>) {
  // expected-error @below {{source 2 is no rank of a group of 2}}
  rt.permute %a into %a from [0, 2] over @tp : memref<4xf32>, memref<4xf32>
  return
}

// -----

func.func @f(%a: memref<4x4xf32>) {
  // expected-error @below {{needs m, n, k and batch >= 1, found 4, 0, 4 and 1}}
  rt.gemm %a, %a, %a {m = 4, n = 0, k = 4, lda = 4, ldb = 4, ldc = 4} : memref<4x4xf32>, memref<4x4xf32>, memref<4x4xf32>
  return
}

// -----

func.func @f(%a: memref<4x4xi32>) {
  // expected-error @below {{takes f64, f32, f16 or bf16, found 'i32'}}
  rt.gemm %a, %a, %a {m = 4, n = 4, k = 4, lda = 4, ldb = 4, ldc = 4} : memref<4x4xi32>, memref<4x4xi32>, memref<4x4xi32>
  return
}

// -----

func.func @f(%a: memref<4x4xbf16>, %b: memref<4x4xf16>) {
  // expected-error @below {{needs A and B of one type and C of that type or f32, found 'bf16', 'bf16' and 'f16'}}
  rt.gemm %a, %a, %b {m = 4, n = 4, k = 4, lda = 4, ldb = 4, ldc = 4} : memref<4x4xbf16>, memref<4x4xbf16>, memref<4x4xf16>
  return
}

// -----

func.func @f(%a: memref<4x4xf32>) {
  // expected-error @below {{A has rows of 4 elements, a leading dimension of 3 and a batch stride of 0}}
  rt.gemm %a, %a, %a {m = 4, n = 4, k = 4, lda = 3, ldb = 4, ldc = 4} : memref<4x4xf32>, memref<4x4xf32>, memref<4x4xf32>
  return
}

// -----

func.func @f(%a: memref<4x4xf32>) {
  // expected-error @below {{C reaches element 16 of 'memref<4x4xf32>'}}
  rt.gemm %a, %a, %a {m = 4, n = 2, k = 4, lda = 4, ldb = 4, ldc = 5} : memref<4x4xf32>, memref<4x4xf32>, memref<4x4xf32>
  return
}

// -----

func.func @f(%a: memref<4x4xf64>) {
  // expected-error @below {{takes f32, f16 or bf16, found 'f64'}}
  rt.gemm_fused relu %a, %a, %a {m = 4, n = 4, k = 4, lda = 4, ldb = 4, ldd = 4} : memref<4x4xf64>, memref<4x4xf64>, memref<4x4xf64>
  return
}

// -----

func.func @f(%a: memref<4x4xbf16>, %b: memref<4x4xf32>) {
  // expected-error @below {{adds what has the type of D, 'bf16', found 'f32'}}
  rt.gemm_fused none %a, %a, %a bias %b {m = 4, n = 4, k = 4, lda = 4, ldb = 4, ldd = 4} : memref<4x4xbf16>, memref<4x4xbf16>, memref<4x4xbf16> bias memref<4x4xf32>
  return
}

// -----

func.func @f(%a: memref<4x4xf32>) {
  // expected-error @below {{C has rows of 4 elements, a leading dimension of 0 and a batch stride of 0}}
  rt.gemm_fused none %a, %a, %a plus %a {m = 4, n = 4, k = 4, lda = 4, ldb = 4, ldd = 4} : memref<4x4xf32>, memref<4x4xf32>, memref<4x4xf32> plus memref<4x4xf32>
  return
}

// -----

func.func @f(%a: memref<4x4xf32>, %d: memref<2x4x4xf32>) {
  // expected-error @below {{needs biases at multiples of 16 bytes, found one every 6 elements}}
  rt.gemm_fused none %a, %a, %d bias %a {m = 4, n = 4, k = 4, lda = 4, ldb = 4, ldd = 4, batch = 2, stride_d = 16, stride_bias = 6} : memref<4x4xf32>, memref<4x4xf32>, memref<2x4x4xf32> bias memref<4x4xf32>
  return
}

// -----

func.func private @not_a_kernel(index, index)
func.func @f() {
  // expected-error @below {{names no function with rt.kernel: @not_a_kernel}}
  rt.parallel_for @not_a_kernel range 4 grain 1 ()
  return
}

// -----

func.func private @kernel(index, index) attributes {rt.kernel}
func.func @f(%a: memref<4xf32>) {
  // expected-error @below {{needs a kernel of (index, index) and 1 more parameters, found '(index, index) -> ()'}}
  rt.parallel_for @kernel range 4 grain 1 (%a) : memref<4xf32>
  return
}

// -----

func.func private @kernel(index, index, memref<5xf32>) attributes {rt.kernel}
func.func @f(%a: memref<4xf32>) {
  // expected-error @below {{argument 0 of type 'memref<4xf32>' does not fit the kernel's 'memref<5xf32>'}}
  rt.parallel_for @kernel range 4 grain 1 (%a) : memref<4xf32>
  return
}

// -----

func.func private @kernel(index, index, memref<1x2x4xf32>) attributes {rt.kernel}
func.func @f(%a: memref<1x2x4xf32, strided<[16, 8, 1]>>) {
  // expected-error @below {{does not fit the kernel's 'memref<1x2x4xf32>'}}
  rt.parallel_for @kernel range 4 grain 1 (%a) : memref<1x2x4xf32, strided<[16, 8, 1]>>
  return
}

// -----

func.func private @kernel(index, index) attributes {rt.kernel}
func.func @f() {
  // expected-error @below {{needs range >= 0 and grain >= 1, found 4 and 0}}
  rt.parallel_for @kernel range 4 grain 0 ()
  return
}

// -----

func.func @f(%i: index) {
  // expected-error @below {{needs lower <= upper, found 3 and 2}}
  rt.check_index %i in [3, 2)
  return
}

// -----

rt.group @tp [0, 1, 2]
func.func @f(%a: memref<4xf32>) {
  // expected-error @below {{has no result but a token where it works on memrefs}}
  %0 = "rt.all_reduce"(%a) {group = @tp, kind = 0 : i32} : (memref<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%a: memref<4x8xf32, strided<[?, 1]>>, %b: memref<8x2xf32>, %c: memref<4x2xf32>) {
  // expected-error @below {{A needs static strides, found 'memref<4x8xf32, strided<[?, 1]>>'}}
  rt.gemm %a, %b, %c {m = 4, n = 2, k = 8, lda = 8, ldb = 2, ldc = 2} : memref<4x8xf32, strided<[?, 1]>>, memref<8x2xf32>, memref<4x2xf32>
  return
}

// -----

func.func private @kernel() attributes {rt.kernel, rt.device}
func.func @f() {
  // expected-error @below {{needs a kernel without rt.device: @kernel}}
  rt.parallel_for @kernel range 4 grain 1 ()
  return
}

// -----

func.func private @kernel(index, index) attributes {rt.kernel}
func.func @f() {
  // expected-error @below {{needs a kernel with rt.device: @kernel}}
  rt.launch @kernel blocks 4 threads 32 ()
  return
}

// -----

func.func private @kernel(index) attributes {rt.kernel, rt.device}
func.func @f() {
  // expected-error @below {{needs a kernel of 0 parameters, found '(index) -> ()'}}
  rt.launch @kernel blocks 4 threads 32 ()
  return
}

// -----

func.func private @kernel() attributes {rt.kernel, rt.device}
func.func @f() {
  // expected-error @below {{needs blocks >= 0 and threads in [1, 1024], found 4 and 2048}}
  rt.launch @kernel blocks 4 threads 2048 ()
  return
}

// -----

func.func private @kernel() attributes {rt.kernel, rt.device}
func.func @f() {
  // expected-error @below {{needs shared >= 0, found -4}}
  rt.launch @kernel blocks 4 threads 32 shared -4 ()
  return
}

// -----

func.func @f(%k: i32, %n: i64, %a: memref<4xi64>, %b: memref<8xf32>) {
  // expected-error @below {{needs a multiple of 32 threads, found 33}}
  rt.kernel_call "reduce" blocks 4 threads 33 (%k, %k, %a, %k, %b, %n) : i32, i32, memref<4xi64>, i32, memref<8xf32>, i64
  return
}

// -----

func.func @f() {
  // expected-error @below {{the library of kernels has no 'sort'}}
  rt.kernel_call "sort" blocks 4 threads 32 ()
  return
}

// -----

func.func @f(%k: i32) {
  // expected-error @below {{'reduce' takes 6 arguments, found 1}}
  rt.kernel_call "reduce" blocks 4 threads 32 (%k) : i32
  return
}

// -----

func.func @f(%k: i32, %n: i64, %a: memref<4xi64, strided<[2]>>, %b: memref<8xf32>) {
  // expected-error @below {{argument 2 of 'reduce' is a contiguous memref, found 'memref<4xi64, strided<[2]>>'}}
  rt.kernel_call "reduce" blocks 4 threads 32 (%k, %k, %a, %k, %b, %n) : i32, i32, memref<4xi64, strided<[2]>>, i32, memref<8xf32>, i64
  return
}

// -----

func.func @f(%k: i32, %n: i32, %a: memref<4xi64>, %b: memref<8xf32>) {
  // expected-error @below {{argument 5 of 'reduce' is i64, found 'i32'}}
  rt.kernel_call "reduce" blocks 4 threads 32 (%k, %k, %a, %k, %b, %n) : i32, i32, memref<4xi64>, i32, memref<8xf32>, i32
  return
}

// -----

func.func @f(%a: memref<4xf32>) {
  // expected-error @below {{reads a memref of rank 0 as its element, found 'memref<4xf32>' and 'f32'}}
  %0 = rt.read %a : memref<4xf32> -> f32
  return
}

// -----

func.func @f(%a: memref<4xf32>, %b: memref<5xf32>) {
  // expected-error @below {{needs buffers of one shape, found 'memref<4xf32>' and 'memref<5xf32>'}}
  rt.copy %a into %b : memref<4xf32>, memref<5xf32>
  return
}

// -----

func.func @f(%i: index) {
  // expected-error @below {{needs lower < upper, found 3 and 3}}
  rt.check_index %i in [3, 3) deferred
  return
}

// -----

func.func private @check(memref<5xi64>, index, index, index) attributes {rt.kernel, rt.device}
func.func @f() {
  // expected-error @below {{needs lower < upper, found 2 and 1}}
  rt.launch_check @check in [2, 1) ()
  return
}

// -----

func.func private @check(index) attributes {rt.kernel, rt.device}
func.func @f() {
  // expected-error @below {{needs a kernel of (memref<5xi64>, index, index, index) and 0 more parameters, found '(index) -> ()'}}
  rt.launch_check @check in [0, 1) ()
  return
}

// -----

rt.group @tp [0, 1, 2]
func.func @f(%a: memref<4xf32>) {
  %0 = rt.all_reduce sum %a over @tp : memref<4xf32> -> !rt.token
  scf.execute_region {
    // expected-error @below {{takes the token of a collective in the same block}}
    rt.wait %0 (%a) : memref<4xf32>
    scf.yield
  }
  return
}

// -----

rt.group @tp [0, 1, 2]
func.func @f(%a: memref<4xf32>) {
  %0 = rt.all_reduce sum %a over @tp : memref<4xf32> -> !rt.token
  // expected-error @below {{takes a token that nothing else takes}}
  rt.wait %0 (%a) : memref<4xf32>
  rt.wait %0 (%a) : memref<4xf32>
  return
}

// -----

rt.group @tp [0, 1, 2]
func.func @f(%a: memref<4xf32>, %b: memref<8xf32>) {
  %0 = rt.all_gather %a into %b dim 0 over @tp : memref<4xf32>, memref<8xf32> -> !rt.token
  // expected-error @below {{keeps the 2 buffers of its collective, found 1}}
  rt.wait %0 (%b) : memref<8xf32>
  return
}
