//===- DType.h - element types and their conversions ------------*- C++ -*-===//
//
// Conversion between the 16-bit float formats and f32 (to nearest, ties to
// even; a NaN stays a NaN), in portable integer arithmetic so that every
// machine gives the same bits.
//
//===----------------------------------------------------------------------===//

#ifndef TPRT_CORE_DTYPE_H
#define TPRT_CORE_DTYPE_H

#include "tprt/tprt.h"

#include <cstdint>
#include <cstring>
#include <string>

namespace tprt {

/// Storage types; distinct so that templates can tell them from integers.
struct Half {
  uint16_t bits;
};
struct BFloat16 {
  uint16_t bits;
};
/// One byte that holds 0 or 1.
struct Bit {
  uint8_t value;
};

inline float toFloat(BFloat16 value) {
  uint32_t bits = uint32_t(value.bits) << 16;
  float result;
  std::memcpy(&result, &bits, sizeof(result));
  return result;
}

inline BFloat16 toBFloat16(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  if ((bits & 0x7fffffffu) > 0x7f800000u)
    return {uint16_t((bits >> 16) | 0x40u)};
  return {uint16_t((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16)};
}

float toFloat(Half value);
Half toHalf(float value);

inline bool isFloat(int32_t dtype) { return dtype >= TPRT_F64 && dtype <= TPRT_BF16; }
inline bool isDType(int32_t dtype) { return dtype >= TPRT_F64 && dtype <= TPRT_INDEX; }

/// The dtype of a manifest's name ("f32", ...); -1 when there is none.
int32_t parseDType(const std::string &name);

/// Converts `count` contiguous floats of any of the four formats; source and
/// destination must not overlap. f64 to a narrower format rounds twice at most
/// (through f32).
void convertFloats(int32_t fromDType, const void *from, int32_t toDType, void *to, int64_t count);

/// Calls `function` with a value of the storage type of `dtype`, which must be
/// valid: uint64_t stands for i64 and index only through int64_t.
template <typename Function> auto dispatchDType(int32_t dtype, Function &&function) {
  switch (dtype) {
  case TPRT_F64:
    return function(double());
  case TPRT_F32:
    return function(float());
  case TPRT_F16:
    return function(Half());
  case TPRT_BF16:
    return function(BFloat16());
  case TPRT_I32:
    return function(int32_t());
  case TPRT_I16:
    return function(int16_t());
  case TPRT_I8:
    return function(int8_t());
  case TPRT_I1:
    return function(Bit());
  default:
    return function(int64_t());
  }
}

} // namespace tprt

#endif // TPRT_CORE_DTYPE_H
