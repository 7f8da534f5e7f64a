//===- Reference.cpp - plain definitions to compare with ------------------===//

#include "Reference.h"

#include <cmath>
#include <cstring>
#include <limits>

using namespace tprt_test;

namespace {

struct FloatFormat {
  int exponentBits, fractionBits;
};

FloatFormat formatOf(int32_t dtype) {
  switch (dtype) {
  case TPRT_F64:
    return {11, 52};
  case TPRT_F32:
    return {8, 23};
  case TPRT_F16:
    return {5, 10};
  default:
    return {8, 7};
  }
}

bool isFloatType(int32_t dtype) {
  return dtype == TPRT_F64 || dtype == TPRT_F32 || dtype == TPRT_F16 || dtype == TPRT_BF16;
}

uint64_t getBits(int32_t dtype, const Bytes &data, int64_t index) {
  int64_t size = tprt_dtype_size(dtype);
  uint64_t bits = 0;
  std::memcpy(&bits, &data[size_t(index * size)], size_t(size));
  return bits;
}

void setBits(int32_t dtype, Bytes &data, int64_t index, uint64_t bits) {
  int64_t size = tprt_dtype_size(dtype);
  std::memcpy(&data[size_t(index * size)], &bits, size_t(size));
}

int bitsOf(int32_t dtype) { return dtype == TPRT_I1 ? 1 : int(8 * tprt_dtype_size(dtype)); }

/// Bit of the value as signed integer of its width.
int64_t signExtend(uint64_t value, int bits) {
  if (bits == 64)
    return int64_t(value);
  uint64_t sign = uint64_t(1) << (bits - 1);
  value &= (sign << 1) - 1;
  return int64_t(value ^ sign) - int64_t(sign);
}

double combineFloats(int32_t kind, double a, double b) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  bool aIsMore = a > b || (a == b && !std::signbit(a));
  switch (kind) {
  case TPRT_SUM:
    return a + b;
  case TPRT_MUL:
    return a * b;
  case TPRT_MAX:
    return std::isnan(a) || std::isnan(b) ? nan : aIsMore ? a : b;
  case TPRT_MIN:
    return std::isnan(a) || std::isnan(b) ? nan : aIsMore ? b : a;
  case TPRT_MAXNUM:
    return std::isnan(a) ? b : std::isnan(b) ? a : aIsMore ? a : b;
  default:
    return std::isnan(a) ? b : std::isnan(b) ? a : aIsMore ? b : a;
  }
}

uint64_t combineIntegers(int32_t kind, uint64_t a, uint64_t b, int bits) {
  uint64_t mask = bits == 64 ? ~uint64_t(0) : (uint64_t(1) << bits) - 1;
  int64_t signedA = signExtend(a, bits), signedB = signExtend(b, bits);
  a &= mask;
  b &= mask;
  switch (kind) {
  case TPRT_SUM:
    return (a + b) & mask;
  case TPRT_MUL:
    return (a * b) & mask;
  case TPRT_MAX:
    return signedA > signedB ? a : b;
  case TPRT_MIN:
    return signedA < signedB ? a : b;
  case TPRT_MAXU:
    return a > b ? a : b;
  case TPRT_MINU:
    return a < b ? a : b;
  case TPRT_AND:
    return a & b;
  case TPRT_OR:
    return a | b;
  default:
    return a ^ b;
  }
}

} // namespace

bool tprt_test::referenceIsDefined(int32_t kind, int32_t dtype) {
  switch (kind) {
  case TPRT_SUM:
  case TPRT_MUL:
  case TPRT_MAX:
  case TPRT_MIN:
    return true;
  case TPRT_MAXNUM:
  case TPRT_MINNUM:
    return isFloatType(dtype);
  default:
    return !isFloatType(dtype);
  }
}

double tprt_test::getFloat(int32_t dtype, const Bytes &data, int64_t index) {
  FloatFormat format = formatOf(dtype);
  uint64_t bits = getBits(dtype, data, index);
  uint64_t fraction = bits & ((uint64_t(1) << format.fractionBits) - 1);
  int64_t maxExponent = (int64_t(1) << format.exponentBits) - 1;
  int64_t exponent = int64_t(bits >> format.fractionBits) & maxExponent;
  bool negative = (bits >> (format.fractionBits + format.exponentBits)) & 1;
  double value;
  if (exponent == maxExponent)
    value = fraction ? std::numeric_limits<double>::quiet_NaN()
                     : std::numeric_limits<double>::infinity();
  else if (exponent == 0)
    value = std::ldexp(double(fraction), int(1 - maxExponent / 2 - format.fractionBits));
  else
    value = std::ldexp(double(fraction | (uint64_t(1) << format.fractionBits)),
                       int(exponent - maxExponent / 2 - format.fractionBits));
  return negative ? -value : value;
}

void tprt_test::setFloat(int32_t dtype, Bytes &data, int64_t index, double value) {
  FloatFormat format = formatOf(dtype);
  int64_t maxExponent = (int64_t(1) << format.exponentBits) - 1;
  uint64_t sign = uint64_t(std::signbit(value)) << (format.exponentBits + format.fractionBits);
  uint64_t infinity = uint64_t(maxExponent) << format.fractionBits;
  uint64_t bits;
  if (std::isnan(value)) {
    bits = infinity | (uint64_t(1) << (format.fractionBits - 1));
  } else if (std::isinf(value)) {
    bits = infinity;
  } else if (value == 0) {
    bits = 0;
  } else {
    int exponent;
    double magnitude = std::fabs(value);
    std::frexp(magnitude, &exponent); // magnitude = f * 2^exponent, f in [0.5, 1)
    int64_t biased = std::max<int64_t>(1, exponent - 1 + maxExponent / 2);
    // In units of the last place, rounded to nearest even by the default mode.
    double units = std::nearbyint(
        std::ldexp(magnitude, int(-(biased - maxExponent / 2 - format.fractionBits))));
    bits = uint64_t(units) + (uint64_t(biased - 1) << format.fractionBits);
    bits = std::min(bits, infinity);
  }
  setBits(dtype, data, index, sign | bits);
}

int64_t tprt_test::getInteger(int32_t dtype, const Bytes &data, int64_t index) {
  int bits = dtype == TPRT_I1 ? 8 : bitsOf(dtype);
  return signExtend(getBits(dtype, data, index), bits);
}

void tprt_test::setInteger(int32_t dtype, Bytes &data, int64_t index, int64_t value) {
  setBits(dtype, data, index, dtype == TPRT_I1 ? uint64_t(value & 1) : uint64_t(value));
}

Bytes tprt_test::makeOperand(int32_t dtype, int rank, int64_t count) {
  Bytes data(size_t(count * tprt_dtype_size(dtype)));
  for (int64_t i = 0; i < count; ++i) {
    uint64_t hash = (uint64_t(i) * 31 + uint64_t(rank) * 1009 + 17) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 29;
    if (!isFloatType(dtype)) {
      setInteger(dtype, data, i, int64_t(hash * 0xbf58476d1ce4e5b9u));
      continue;
    }
    // Different magnitudes, so that another order gives other bits.
    double value =
        double(int64_t(hash % 2001) - 1000) / 256 * std::ldexp(1.0, int((hash >> 20) % 13) - 6);
    switch ((hash >> 40) % 61) {
    case 0:
      value = std::numeric_limits<double>::quiet_NaN();
      break;
    case 1:
      value = std::numeric_limits<double>::infinity();
      break;
    case 2:
      value = -0.0;
      break;
    case 3:
      value = 0.0;
      break;
    }
    setFloat(dtype, data, i, value);
  }
  return data;
}

Bytes tprt_test::referenceReduce(int32_t kind, int32_t dtype,
                                 const std::vector<const Bytes *> &parts) {
  Bytes result = *parts[0];
  int64_t count = int64_t(result.size()) / tprt_dtype_size(dtype);
  for (int64_t i = 0; i < count; ++i) {
    if (!isFloatType(dtype)) {
      uint64_t value = getBits(dtype, *parts[0], i);
      for (size_t part = 1; part < parts.size(); ++part)
        value = combineIntegers(kind, value, getBits(dtype, *parts[part], i), bitsOf(dtype));
      setBits(dtype, result, i, value);
      continue;
    }
    // Every intermediate value of f16, bf16 and f32 is rounded to f32.
    double value = getFloat(dtype, *parts[0], i);
    for (size_t part = 1; part < parts.size(); ++part) {
      value = combineFloats(kind, value, getFloat(dtype, *parts[part], i));
      if (dtype != TPRT_F64)
        value = double(float(value));
    }
    if (parts.size() > 1)
      setFloat(dtype, result, i, value);
  }
  return result;
}
