//===- Reduce.cpp - the arithmetic of reductions --------------------------===//

#include "Reduce.h"

#include "DType.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

using namespace tprt;

namespace {

// Elements combined at a time: the accumulator stays in the first-level cache,
// and since it is local the loops vectorize and `dst` may alias a part.
constexpr int64_t kTile = 512;

/// Type in which values of storage type T are combined.
template <typename T> struct Accumulator {
  using type = T;
};
template <> struct Accumulator<Half> {
  using type = float;
};
template <> struct Accumulator<BFloat16> {
  using type = float;
};

template <typename T> T load(T value) { return value; }
float load(Half value) { return toFloat(value); }
float load(BFloat16 value) { return toFloat(value); }

template <typename T> void store(T value, T &result) { result = value; }
void store(float value, Half &result) { result = toHalf(value); }
void store(float value, BFloat16 &result) { result = toBFloat16(value); }

template <typename T> T wrapAdd(T a, T b) {
  return T(std::make_unsigned_t<T>(uint64_t(a) + uint64_t(b)));
}
template <typename T> T wrapMul(T a, T b) {
  return T(std::make_unsigned_t<T>(uint64_t(a) * uint64_t(b)));
}

template <int32_t Kind, typename T> T combineFloat(T a, T b) {
  switch (Kind) {
  case TPRT_SUM:
    return a + b;
  case TPRT_MUL:
    return a * b;
  case TPRT_MAX: // a NaN on either side reaches a + b
    return a > b ? a : b > a ? b : a == b ? (std::signbit(a) ? b : a) : a + b;
  case TPRT_MIN:
    return a < b ? a : b < a ? b : a == b ? (std::signbit(a) ? a : b) : a + b;
  case TPRT_MAXNUM:
    return b != b || a > b ? a : a == b ? (std::signbit(a) ? b : a) : b;
  default: // TPRT_MINNUM
    return b != b || a < b ? a : a == b ? (std::signbit(a) ? a : b) : b;
  }
}

template <int32_t Kind, typename T> T combineInteger(T a, T b) {
  using U = std::make_unsigned_t<T>;
  switch (Kind) {
  case TPRT_SUM:
    return wrapAdd(a, b);
  case TPRT_MUL:
    return wrapMul(a, b);
  case TPRT_MAX:
    return std::max(a, b);
  case TPRT_MIN:
    return std::min(a, b);
  case TPRT_MAXU:
    return T(std::max(U(a), U(b)));
  case TPRT_MINU:
    return T(std::min(U(a), U(b)));
  case TPRT_AND:
    return T(a & b);
  case TPRT_OR:
    return T(a | b);
  default: // TPRT_XOR
    return T(a ^ b);
  }
}

template <int32_t Kind> Bit combineBit(Bit a, Bit b) {
  switch (Kind) {
  case TPRT_SUM:
  case TPRT_XOR:
    return {uint8_t((a.value ^ b.value) & 1)};
  case TPRT_MUL:
  case TPRT_AND:
  case TPRT_MAX:
  case TPRT_MINU:
    return {uint8_t(a.value & b.value & 1)};
  default: // TPRT_OR, TPRT_MIN, TPRT_MAXU
    return {uint8_t((a.value | b.value) & 1)};
  }
}

template <int32_t Kind, typename T> T combine(T a, T b) {
  if constexpr (std::is_same_v<T, Bit>)
    return combineBit<Kind>(a, b);
  else if constexpr (std::is_floating_point_v<T>)
    return combineFloat<Kind>(a, b);
  else
    return combineInteger<Kind>(a, b);
}

template <int32_t Kind, typename T>
void reduceTyped(const void *const *parts, int numParts, void *dst, int64_t count) {
  using A = typename Accumulator<T>::type;
  A sum[kTile];
  for (int64_t begin = 0; begin < count; begin += kTile) {
    int64_t size = std::min(kTile, count - begin);
    const T *first = static_cast<const T *>(parts[0]) + begin;
    for (int64_t i = 0; i < size; ++i)
      sum[i] = load(first[i]);
    for (int part = 1; part < numParts; ++part) {
      const T *next = static_cast<const T *>(parts[part]) + begin;
      for (int64_t i = 0; i < size; ++i)
        sum[i] = combine<Kind, A>(sum[i], load(next[i]));
    }
    T *out = static_cast<T *>(dst) + begin;
    for (int64_t i = 0; i < size; ++i)
      store(sum[i], out[i]);
  }
}

/// Calls `function` with the reduction as a constant.
template <typename Function> void dispatchKind(int32_t kind, Function &&function) {
  switch (kind) {
#define TPRT_CASE(KIND)                                                                            \
  case KIND:                                                                                       \
    return function(std::integral_constant<int32_t, KIND>());
    TPRT_CASE(TPRT_SUM)
    TPRT_CASE(TPRT_MUL)
    TPRT_CASE(TPRT_MAX)
    TPRT_CASE(TPRT_MIN)
    TPRT_CASE(TPRT_MAXU)
    TPRT_CASE(TPRT_MINU)
    TPRT_CASE(TPRT_AND)
    TPRT_CASE(TPRT_OR)
    TPRT_CASE(TPRT_XOR)
    TPRT_CASE(TPRT_MAXNUM)
    TPRT_CASE(TPRT_MINNUM)
#undef TPRT_CASE
  }
}

constexpr bool isIntegerOnly(int32_t kind) { return kind >= TPRT_MAXU && kind <= TPRT_XOR; }
constexpr bool isFloatOnly(int32_t kind) { return kind == TPRT_MAXNUM || kind == TPRT_MINNUM; }

template <typename T> T neutralFloat(int32_t kind) {
  switch (kind) {
  case TPRT_MUL:
    return T(1);
  case TPRT_MAX:
    return -std::numeric_limits<T>::infinity();
  case TPRT_MIN:
    return std::numeric_limits<T>::infinity();
  case TPRT_MAXNUM:
  case TPRT_MINNUM:
    return std::numeric_limits<T>::quiet_NaN();
  default: // the sum: -0 + x is x for every x, 0 + -0 is not
    return T(-0.0);
  }
}

template <typename T> T neutralInteger(int32_t kind) {
  using U = std::make_unsigned_t<T>;
  switch (kind) {
  case TPRT_MUL:
    return T(1);
  case TPRT_MAX:
    return std::numeric_limits<T>::min();
  case TPRT_MIN:
    return std::numeric_limits<T>::max();
  case TPRT_MINU:
  case TPRT_AND:
    return T(std::numeric_limits<U>::max());
  default: // sum, maxu, or, xor
    return T(0);
  }
}

Bit neutralBit(int32_t kind) {
  return {uint8_t(kind == TPRT_MUL || kind == TPRT_AND || kind == TPRT_MAX || kind == TPRT_MINU)};
}

template <typename T> T neutralElement(int32_t kind) {
  T result;
  if constexpr (std::is_same_v<T, Bit>)
    result = neutralBit(kind);
  else if constexpr (std::is_integral_v<T>)
    result = neutralInteger<T>(kind);
  else
    store(neutralFloat<typename Accumulator<T>::type>(kind), result);
  return result;
}

} // namespace

bool tprt::isReductionDefined(int32_t kind, int32_t dtype) {
  if (kind < TPRT_SUM || kind > TPRT_MINNUM || !isDType(dtype))
    return false;
  return isFloat(dtype) ? !isIntegerOnly(kind) : !isFloatOnly(kind);
}

void tprt::reduceParts(int32_t kind, int32_t dtype, const void *const *parts, int numParts,
                       void *dst, int64_t count) {
  dispatchDType(dtype, [&](auto tag) {
    using T = decltype(tag);
    constexpr bool isFloatType = !std::is_integral_v<T> && !std::is_same_v<T, Bit>;
    dispatchKind(kind, [&](auto constant) {
      constexpr int32_t Kind = decltype(constant)::value;
      if constexpr (isFloatType ? !isIntegerOnly(Kind) : !isFloatOnly(Kind))
        reduceTyped<Kind, T>(parts, numParts, dst, count);
    });
  });
}

void tprt::fillNeutral(int32_t kind, int32_t dtype, void *dst, int64_t count) {
  dispatchDType(dtype, [&](auto tag) {
    using T = decltype(tag);
    std::fill_n(static_cast<T *>(dst), count, neutralElement<T>(kind));
  });
}
