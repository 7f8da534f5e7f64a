//===- Library.h - The kernels that programs call ---------------*- C++ -*-===//
//
// abi.def expanded as declarations, which definitions must fit. The compiler calls a
// function with constants for shapes and types, and inlining makes it special, so
// everything here is inlined: a function is written once for all types.
//
//===----------------------------------------------------------------------===//

#ifndef TPRT_CUDA_KERNELS_LIBRARY_H
#define TPRT_CUDA_KERNELS_LIBRARY_H

#include "Device.h"
#include "tprt/tprt.h"

#define TPRT_INLINE __device__ inline __attribute__((always_inline))
/// Before the definition of a function of abi.def.
#define TPRT_LIBRARY extern "C" __device__ __attribute__((always_inline))

#define PTR void *
#define CPTR const void *
#define I32 int
#define I64 tprt::i64
#define F32 float
#define TPRT_KERNEL(name, parameters) TPRT_LIBRARY void tprtk_##name parameters;
#include "tprt/abi.def"
#undef F32
#undef I64
#undef I32
#undef CPTR
#undef PTR

namespace tprt {

using u8 = unsigned char;

/// N elements that are loaded and stored at once.
template <typename T, int N> using Vector = T __attribute__((ext_vector_type(N)));

/// N elements from `from` on, which is aligned to 16 bytes or to all of them.
template <int N, typename T> TPRT_INLINE Vector<T, N> loadVector(const T *from) {
  constexpr int alignment = sizeof(T) * N < 16 ? sizeof(T) * N : 16;
  Vector<T, N> result;
  __builtin_memcpy(&result, __builtin_assume_aligned(from, alignment), sizeof(T) * N);
  return result;
}
template <int N, typename T> TPRT_INLINE void storeVector(T *to, Vector<T, N> value) {
  constexpr int alignment = sizeof(T) * N < 16 ? sizeof(T) * N : 16;
  __builtin_memcpy(__builtin_assume_aligned(to, alignment), &value, sizeof(T) * N);
}

/// Elements of f32, f16 or bf16 as floats: `dtype` says which, a constant where the code
/// becomes part of a program.
struct ConstFloats {
  int dtype;
  const void *data;

  /// The elements from number `start` on.
  TPRT_INLINE ConstFloats from(i64 start) const {
    return {dtype, (const char *)data + start * (dtype == TPRT_F32 ? 4 : 2)};
  }
  /// Whether vectors of 16 bytes may be taken; nothing is aligned.
  TPRT_INLINE bool isAligned() const { return (u64)data % 16 == 0; }
  /// N elements from number `at` on, a multiple of N; N is 1 where they are not aligned.
  template <int N> TPRT_INLINE Vector<float, N> load(i64 at) const {
    if (dtype == TPRT_F32)
      return loadVector<N>((const float *)data + at);
    if (dtype == TPRT_F16)
      return __builtin_convertvector(loadVector<N>((const f16 *)data + at), Vector<float, N>);
    return __builtin_convertvector(loadVector<N>((const bf16 *)data + at), Vector<float, N>);
  }
};

/// The same, to be written.
struct Floats {
  int dtype;
  void *data;

  TPRT_INLINE operator ConstFloats() const { return {dtype, data}; }
  TPRT_INLINE Floats from(i64 start) const {
    return {dtype, (char *)data + start * (dtype == TPRT_F32 ? 4 : 2)};
  }
  TPRT_INLINE bool isAligned() const { return (u64)data % 16 == 0; }
  /// Each is rounded to nearest.
  template <int N> TPRT_INLINE void store(i64 at, Vector<float, N> values) const {
    if (dtype == TPRT_F32)
      storeVector<N>((float *)data + at, values);
    else if (dtype == TPRT_F16)
      storeVector<N>((f16 *)data + at, __builtin_convertvector(values, Vector<f16, N>));
    else
      storeVector<N>((bf16 *)data + at, __builtin_convertvector(values, Vector<bf16, N>));
  }
};

/// The sum over the threads of a warp, in each of them.
TPRT_INLINE float sumOverWarp(float value) {
  for (u32 mask = 16; mask; mask /= 2)
    value += shuffleXor(value, mask);
  return value;
}

/// The sum over the threads of a block, in each of them; all threads call it.
TPRT_INLINE float sumOverBlock(float value) {
  __shared__ float parts[32];
  value = sumOverWarp(value);
  const u32 warps = threadsX() / 32, lane = threadX() % 32;
  if (warps == 1)
    return value;
  if (lane == 0)
    parts[threadX() / 32] = value;
  syncBlock();
  value = sumOverWarp(lane < warps ? parts[lane] : 0.0f);
  syncBlock(); // before the next one
  return value;
}

} // namespace tprt

#endif // TPRT_CUDA_KERNELS_LIBRARY_H
