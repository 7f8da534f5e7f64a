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

} // namespace tprt

#endif // TPRT_CUDA_KERNELS_DEVICE_H
