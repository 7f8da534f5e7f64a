//===- Reduce.cu - The arithmetic of reductions over ranks ------------------===//
//
// The same as in runtime/core/Reduce.cpp, bit for bit but for which NaN it is.
//
//===----------------------------------------------------------------------===//

#include "Library.h"

using namespace tprt;

namespace {

/// One byte that holds 0 or 1.
struct Bit {
  u8 value;
};

template <typename T> constexpr bool isFloating = false;
template <> constexpr bool isFloating<double> = true;
template <> constexpr bool isFloating<float> = true;
template <> constexpr bool isFloating<f16> = true;
template <> constexpr bool isFloating<bf16> = true;

/// The type in which elements of type T are combined, and the unsigned one of integers.
template <typename T> struct Types {
  using Sum = T;
  using Unsigned = T;
};
template <> struct Types<f16> {
  using Sum = float;
};
template <> struct Types<bf16> {
  using Sum = float;
};
template <> struct Types<i64> {
  using Sum = i64;
  using Unsigned = u64;
};
template <> struct Types<int> {
  using Sum = int;
  using Unsigned = u32;
};
template <> struct Types<short> {
  using Sum = short;
  using Unsigned = u16;
};
template <> struct Types<signed char> {
  using Sum = signed char;
  using Unsigned = u8;
};

template <typename T> TPRT_INLINE bool isNegative(T value) {
  return __builtin_copysign(1.0, (double)value) < 0;
}

template <typename T> TPRT_INLINE T combineFloats(int kind, T a, T b) {
  switch (kind) {
  case TPRT_SUM:
    return a + b;
  case TPRT_MUL:
    return a * b;
  case TPRT_MAX: // a NaN on either side reaches a + b
    return a > b ? a : b > a ? b : a == b ? (isNegative(a) ? b : a) : a + b;
  case TPRT_MIN:
    return a < b ? a : b < a ? b : a == b ? (isNegative(a) ? a : b) : a + b;
  case TPRT_MAXNUM:
    return b != b || a > b ? a : a == b ? (isNegative(a) ? b : a) : b;
  default: // TPRT_MINNUM
    return b != b || a < b ? a : a == b ? (isNegative(a) ? a : b) : b;
  }
}

template <typename T> TPRT_INLINE T combineIntegers(int kind, T a, T b) {
  using U = typename Types<T>::Unsigned;
  switch (kind) {
  case TPRT_SUM:
    return (T)(U)((u64)a + (u64)b);
  case TPRT_MUL:
    return (T)(U)((u64)a * (u64)b);
  case TPRT_MAX:
    return a > b ? a : b;
  case TPRT_MIN:
    return a < b ? a : b;
  case TPRT_MAXU:
    return (U)a > (U)b ? a : b;
  case TPRT_MINU:
    return (U)a < (U)b ? a : b;
  case TPRT_AND:
    return (T)(a & b);
  case TPRT_OR:
    return (T)(a | b);
  default: // TPRT_XOR
    return (T)(a ^ b);
  }
}

/// As numbers of one bit, of which 1 is -1 where it is signed.
TPRT_INLINE Bit combineBits(int kind, Bit a, Bit b) {
  switch (kind) {
  case TPRT_SUM:
  case TPRT_XOR:
    return {(u8)((a.value ^ b.value) & 1)};
  case TPRT_MUL:
  case TPRT_AND:
  case TPRT_MAX:
  case TPRT_MINU:
    return {(u8)(a.value & b.value & 1)};
  default: // TPRT_OR, TPRT_MIN, TPRT_MAXU
    return {(u8)((a.value | b.value) & 1)};
  }
}

template <typename T, typename Sum> TPRT_INLINE Sum combine(int kind, Sum a, T b) {
  if constexpr (__is_same(T, Bit))
    return combineBits(kind, a, b);
  else if constexpr (isFloating<T>)
    return combineFloats<Sum>(kind, a, (Sum)b);
  else
    return combineIntegers<T>(kind, a, b);
}

template <typename T>
TPRT_INLINE void reduceParts(int kind, const T *const *sources, int parts, T *dst, i64 count) {
  using Sum = typename Types<T>::Sum;
  const i64 step = (i64)blocksX() * threadsX();
  for (i64 i = (i64)blockX() * threadsX() + threadX(); i < count; i += step) {
    auto sum = (Sum)sources[0][i];
    for (int part = 1; part < parts; ++part)
      sum = combine<T>(kind, sum, sources[part][i]);
    dst[i] = (T)sum;
  }
}

} // namespace

TPRT_LIBRARY void tprtk_reduce(int kind, int dtype, const void *sources, int parts, void *dst,
                               i64 count) {
  auto run = [=](auto element) {
    using T = decltype(element);
    reduceParts<T>(kind, (const T *const *)sources, parts, (T *)dst, count);
  };
  switch (dtype) {
  case TPRT_F64:
    return run(double());
  case TPRT_F32:
    return run(float());
  case TPRT_F16:
    return run(f16());
  case TPRT_BF16:
    return run(bf16());
  case TPRT_I64:
  case TPRT_INDEX:
    return run(i64());
  case TPRT_I32:
    return run(int());
  case TPRT_I16:
    return run(short());
  case TPRT_I8:
    return run((signed char)0);
  case TPRT_I1:
    return run(Bit());
  }
}
