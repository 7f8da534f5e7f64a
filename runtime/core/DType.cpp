//===- DType.cpp - element types and their conversions --------------------===//

#include "DType.h"

#include <cassert>

using namespace tprt;

namespace {
struct DTypeInfo {
  const char *name;
  int64_t size;
};
constexpr DTypeInfo kDTypes[] = {{"f64", 8}, {"f32", 4}, {"f16", 2}, {"bf16", 2}, {"i64", 8},
                                 {"i32", 4}, {"i16", 2}, {"i8", 1},  {"i1", 1},   {"index", 8}};
constexpr const char *kReductions[] = {"sum", "mul", "max", "min",    "maxu",  "minu",
                                       "and", "or",  "xor", "maxnum", "minnum"};
} // namespace

int64_t tprt_dtype_size(int32_t dtype) { return isDType(dtype) ? kDTypes[dtype].size : 0; }

const char *tprt_dtype_name(int32_t dtype) { return isDType(dtype) ? kDTypes[dtype].name : "?"; }

const char *tprt_reduction_name(int32_t kind) {
  return kind >= TPRT_SUM && kind <= TPRT_MINNUM ? kReductions[kind] : "?";
}

int32_t tprt::parseDType(const std::string &name) {
  for (int32_t dtype = TPRT_F64; dtype <= TPRT_INDEX; ++dtype)
    if (name == kDTypes[dtype].name)
      return dtype;
  return -1;
}

float tprt::toFloat(Half value) {
  uint32_t sign = uint32_t(value.bits & 0x8000u) << 16;
  uint32_t exponent = (value.bits >> 10) & 0x1fu;
  uint32_t fraction = value.bits & 0x3ffu;
  uint32_t bits;
  if (exponent == 0x1f) {
    bits = sign | 0x7f800000u | (fraction << 13);
  } else if (exponent != 0) {
    bits = sign | ((exponent + 112) << 23) | (fraction << 13);
  } else {
    // Zero or subnormal: fraction * 2^-24 is exact in f32.
    float magnitude = float(fraction) * 0x1p-24f;
    std::memcpy(&bits, &magnitude, sizeof(bits));
    bits |= sign;
  }
  float result;
  std::memcpy(&result, &bits, sizeof(result));
  return result;
}

Half tprt::toHalf(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  uint16_t sign = uint16_t((bits >> 16) & 0x8000u);
  uint32_t magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u)
    return {uint16_t(sign | 0x7e00u | ((magnitude >> 13) & 0x1ffu))};
  if (magnitude >= 0x477ff000u) // rounds to 2^16 or more
    return {uint16_t(sign | 0x7c00u)};
  if (magnitude >= 0x38800000u) { // normal: rebias, round the 13 lost bits
    uint32_t rebased = magnitude - (112u << 23);
    return {uint16_t(sign | ((rebased + 0xfffu + ((rebased >> 13) & 1u)) >> 13))};
  }
  // Subnormal: adding 0.5 aligns the last place to 2^-24 and rounds.
  float aligned;
  std::memcpy(&aligned, &magnitude, sizeof(aligned));
  aligned += 0.5f;
  std::memcpy(&bits, &aligned, sizeof(bits));
  return {uint16_t(sign | (bits - 0x3f000000u))};
}

namespace {
double widen(double value) { return value; }
double widen(float value) { return value; }
double widen(Half value) { return toFloat(value); }
double widen(BFloat16 value) { return toFloat(value); }

void narrow(double value, double &result) { result = value; }
void narrow(double value, float &result) { result = float(value); }
void narrow(double value, Half &result) { result = toHalf(float(value)); }
void narrow(double value, BFloat16 &result) { result = toBFloat16(float(value)); }

template <typename Function> void dispatchFloat(int32_t dtype, Function &&function) {
  switch (dtype) {
  case TPRT_F64:
    return function(double());
  case TPRT_F32:
    return function(float());
  case TPRT_F16:
    return function(Half());
  default:
    return function(BFloat16());
  }
}
} // namespace

void tprt::convertFloats(int32_t fromDType, const void *from, int32_t toDType, void *to,
                         int64_t count) {
  assert(isFloat(fromDType) && isFloat(toDType));
  if (fromDType == toDType) {
    if (count)
      std::memcpy(to, from, size_t(count * tprt_dtype_size(toDType)));
    return;
  }
  dispatchFloat(fromDType, [&](auto fromTag) {
    dispatchFloat(toDType, [&](auto toTag) {
      auto *source = static_cast<const decltype(fromTag) *>(from);
      auto *target = static_cast<decltype(toTag) *>(to);
      for (int64_t i = 0; i < count; ++i)
        narrow(widen(source[i]), target[i]);
    });
  });
}
