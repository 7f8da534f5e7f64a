//===- Device.h - What kernels are written with -----------------*- C++ -*-===//
//
// The part of CUDA C++ that kernels use, without the toolkit's headers: they hold
// inline assembly, which emulated devices cannot run, and the compiler has the rest.
//
//===----------------------------------------------------------------------===//

#ifndef TPRT_CUDA_KERNELS_DEVICE_H
#define TPRT_CUDA_KERNELS_DEVICE_H

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define TPRT_GLOBAL extern "C" __attribute__((global))

namespace tprt {

using u16 = unsigned short;
using u32 = unsigned int;
using u64 = unsigned long long;
using i32 = int;
using i64 = long long;
using bf16 = __bf16;
using f16 = _Float16;

constexpr u32 wholeWarp = ~0u;

__device__ inline u32 threadX() { return __nvvm_read_ptx_sreg_tid_x(); }
__device__ inline u32 threadY() { return __nvvm_read_ptx_sreg_tid_y(); }
__device__ inline u32 blockX() { return __nvvm_read_ptx_sreg_ctaid_x(); }
__device__ inline u32 blockY() { return __nvvm_read_ptx_sreg_ctaid_y(); }
__device__ inline u32 blockZ() { return __nvvm_read_ptx_sreg_ctaid_z(); }
__device__ inline u32 threadsX() { return __nvvm_read_ptx_sreg_ntid_x(); }
__device__ inline u32 blocksX() { return __nvvm_read_ptx_sreg_nctaid_x(); }

/// Waits for all threads of the block.
__device__ inline void syncBlock() { __syncthreads(); }
/// Waits for all threads of the warp.
__device__ inline void syncWarp() { __nvvm_bar_warp_sync(wholeWarp); }

/// The value that lane `lane ^ mask` of the warp has.
__device__ inline float shuffleXor(float value, u32 mask) {
  return __nvvm_shfl_sync_bfly_f32(wholeWarp, value, mask, 31);
}

/// Copies 16 aligned bytes from global to shared memory, for `waitForCopies` to end.
__device__ inline void copyAsync16(void *shared, const void *global) {
  __nvvm_cp_async_cg_shared_global_16((__attribute__((address_space(3))) void *)shared,
                                      (const __attribute__((address_space(1))) void *)global);
}
/// Makes a group of the copies since the last one.
__device__ inline void commitCopies() { __nvvm_cp_async_commit_group(); }
/// Waits until no more than `Pending` groups of this thread are under way; barriers tell
/// the others.
template <int Pending> __device__ inline void waitForCopies() {
  __nvvm_cp_async_wait_group(Pending);
}

/// Likewise for 32 bits of another kind.
__device__ inline u32 shuffleXor(u32 value, u32 mask) {
  return __nvvm_shfl_sync_bfly_i32(wholeWarp, (int)value, (int)mask, 31);
}

struct Accumulator {
  float values[4];
};

struct FourFloats {
  float a, b, c, d;
};

struct FourWords {
  u32 a, b, c, d;
};

using f32x2 = float __attribute__((ext_vector_type(2)));
using f32x4 = float __attribute__((ext_vector_type(4)));
using u32x4 = u32 __attribute__((ext_vector_type(4)));
using f16x2 = f16 __attribute__((ext_vector_type(2)));
using bf16x2 = bf16 __attribute__((ext_vector_type(2)));

template <typename A, typename B> constexpr bool isSame = false;
template <typename A> constexpr bool isSame<A, A> = true;

// Intrinsics that have no builtin. The compiler gives them their attributes when it reads
// the module, so that these must be compiled to bitcode before they become machine code.
extern "C" __device__ __attribute__((const, convergent)) FourFloats
tprt_mma_bf16(u32, u32, u32, u32, u32, u32, float, float, float,
              float) __asm("llvm.nvvm.mma.m16n8k16.row.col.bf16");

/// c += A * B of a warp, m16n8k16: PTX ISA, "matrix fragments for mma.m16n8k16".
__device__ inline void multiplyAdd(Accumulator &c, const u32 (&a)[4], const u32 (&b)[2]) {
  FourFloats sum = tprt_mma_bf16(a[0], a[1], a[2], a[3], b[0], b[1], c.values[0], c.values[1],
                                 c.values[2], c.values[3]);
  c = {{sum.a, sum.b, sum.c, sum.d}};
}

extern "C" __device__ __attribute__((const, convergent)) FourFloats
tprt_mma_f16(f16x2, f16x2, f16x2, f16x2, f16x2, f16x2, float, float, float,
             float) __asm("llvm.nvvm.mma.m16n8k16.row.col.f32.f32");

extern "C" __device__ __attribute__((convergent)) FourWords tprt_load_matrices(const __attribute__((
    address_space(3))) void *) __asm("llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3");
extern "C" __device__ __attribute__((convergent)) FourWords
tprt_load_transposed(const __attribute__((address_space(3))) void *) __asm(
    "llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.trans.b16.p3");

/// The same for either type of 16 bits.
template <typename T>
__device__ inline void multiplyAdd(Accumulator &c, const u32 (&a)[4], u32 b0, u32 b1) {
  FourFloats sum;
  if constexpr (isSame<T, bf16>) {
    sum = tprt_mma_bf16(a[0], a[1], a[2], a[3], b0, b1, c.values[0], c.values[1], c.values[2],
                        c.values[3]);
  } else {
    auto pair = [](u32 bits) { return __builtin_bit_cast(f16x2, bits); };
    sum = tprt_mma_f16(pair(a[0]), pair(a[1]), pair(a[2]), pair(a[3]), pair(b0), pair(b1),
                       c.values[0], c.values[1], c.values[2], c.values[3]);
  }
  c = {{sum.a, sum.b, sum.c, sum.d}};
}

/// Four 8 x 8 matrices of 16-bit elements in shared memory; lanes 8 i to 8 i + 7 have the
/// addresses of the rows of matrix i. PTX ISA, "ldmatrix".
__device__ inline FourWords loadMatrices(const void *row) {
  return tprt_load_matrices((const __attribute__((address_space(3))) void *)row);
}
/// The same, each matrix transposed.
__device__ inline FourWords loadTransposed(const void *row) {
  return tprt_load_transposed((const __attribute__((address_space(3))) void *)row);
}

/// Two numbers as neighbours of 16 bits, the first one in the low half.
template <typename T> __device__ inline u32 toPair(float low, float high) {
  f32x2 pair = {low, high};
  if constexpr (isSame<T, bf16>)
    return __builtin_bit_cast(u32, __builtin_convertvector(pair, bf16x2));
  else
    return __builtin_bit_cast(u32, __builtin_convertvector(pair, f16x2));
}

/// 2 to the power of `x`, within 2 ulp.
__device__ inline float exp2Of(float x) { return __nvvm_ex2_approx_f(x); }

/// Waits for all threads of the block; whether `condition` is true for any.
__device__ inline bool syncBlockOr(bool condition) { return __nvvm_bar0_or(condition); }

/// The value that lane `lane` of the warp has.
__device__ inline float shuffle(float value, u32 lane) {
  return __nvvm_shfl_sync_idx_f32(wholeWarp, value, lane, 31);
}

} // namespace tprt

#endif // TPRT_CUDA_KERNELS_DEVICE_H
