//===- MathIntrinsics.cpp - Approximations and integers --------------------===//
//
// The device's approximations are within a few units in the last place of these.
// ".ftz" forms flush subnormal operands and results to zero.
//
//===----------------------------------------------------------------------===//

#include "Flush.h"
#include "Intrinsics.h"

#include <cmath>
#include <cstdint>
#include <limits>

using namespace mlir::tp::emulator;

namespace {

float exp2Of(float x) { return std::exp2(x); }
float log2Of(float x) { return std::log2(x); }
float sinOf(float x) { return std::sin(x); }
float cosOf(float x) { return std::cos(x); }
float sqrtOf(float x) { return std::sqrt(x); }
float rsqrtOf(float x) { return 1 / std::sqrt(x); }
float rcpOf(float x) { return 1 / x; }
float absOf(float x) { return std::fabs(x); }
float floorOf(float x) { return std::floor(x); }
float ceilOf(float x) { return std::ceil(x); }
float roundOf(float x) { return std::nearbyint(x); }
float truncOf(float x) { return std::trunc(x); }
// NaN becomes 0.
float saturateOf(float x) { return x > 0 ? std::fmin(x, 1.0f) : 0.0f; }
float divOf(float x, float y) { return x / y; }
float minOf(float x, float y) { return std::fmin(x, y); }
float maxOf(float x, float y) { return std::fmax(x, y); }
float minNaN(float x, float y) { return x != x || y != y ? x + y : std::fmin(x, y); }
float maxNaN(float x, float y) { return x != x || y != y ? x + y : std::fmax(x, y); }

template <float (*Function)(float)> float flushed(float x) { return flush(Function(flush(x))); }
template <float (*Function)(float, float)> float flushed2(float x, float y) {
  return flush(Function(flush(x), flush(y)));
}

double rcpDouble(double x) { return 1 / x; }
double rsqrtDouble(double x) { return 1 / std::sqrt(x); }
double absDouble(double x) { return std::fabs(x); }
double floorDouble(double x) { return std::floor(x); }
double ceilDouble(double x) { return std::ceil(x); }
double roundDouble(double x) { return std::nearbyint(x); }
double truncDouble(double x) { return std::trunc(x); }
double minDouble(double x, double y) { return std::fmin(x, y); }
double maxDouble(double x, double y) { return std::fmax(x, y); }

uint32_t mulhi(uint32_t x, uint32_t y) { return static_cast<uint64_t>(x) * y >> 32; }
uint32_t mulhiSigned(int32_t x, int32_t y) { return static_cast<int64_t>(x) * y >> 32; }
uint64_t mulhiWide(uint64_t x, uint64_t y) { return static_cast<unsigned __int128>(x) * y >> 64; }
uint64_t mulhiWideSigned(int64_t x, int64_t y) { return static_cast<__int128>(x) * y >> 64; }
uint32_t sumOfDifference(uint32_t x, uint32_t y, uint32_t z) { return z + (x > y ? x - y : y - x); }
uint32_t sumOfDifferenceSigned(int32_t x, int32_t y, uint32_t z) {
  uint32_t a = x, b = y;
  return z + (x > y ? a - b : b - a);
}

/// PTX ISA, prmt in its default mode: nibbles of the selector choose bytes of y:x; their
/// high bit copies the byte's sign.
uint32_t permute(uint32_t x, uint32_t y, uint32_t selector) {
  uint64_t bytes = static_cast<uint64_t>(y) << 32 | x;
  uint32_t result = 0;
  for (unsigned i = 0; i < 4; ++i) {
    uint32_t nibble = selector >> 4 * i & 15;
    auto byte = static_cast<uint8_t>(bytes >> 8 * (nibble & 7));
    if (nibble & 8)
      byte = byte & 0x80 ? 0xFF : 0;
    result |= static_cast<uint32_t>(byte) << 8 * i;
  }
  return result;
}

const IntrinsicForm table[] = {
    {"ex2.approx.f32", address(exp2Of)},
    {"ex2.approx.ftz.f32", address(flushed<exp2Of>)},
    {"lg2.approx.f", address(log2Of)},
    {"lg2.approx.ftz.f", address(flushed<log2Of>)},
    {"sin.approx.f", address(sinOf)},
    {"sin.approx.ftz.f", address(flushed<sinOf>)},
    {"cos.approx.f", address(cosOf)},
    {"cos.approx.ftz.f", address(flushed<cosOf>)},
    {"sqrt.f", address(sqrtOf)},
    {"sqrt.approx.f", address(sqrtOf)},
    {"sqrt.approx.ftz.f", address(flushed<sqrtOf>)},
    {"rsqrt.approx.f", address(rsqrtOf)},
    {"rsqrt.approx.ftz.f", address(flushed<rsqrtOf>)},
    {"rcp.approx.ftz.f", address(flushed<rcpOf>)},
    {"div.full", address(divOf)},
    {"div.full.ftz", address(flushed2<divOf>)},
    {"div.approx.f", address(divOf)},
    {"div.approx.ftz.f", address(flushed2<divOf>)},
    {"fabs.f32", address(absOf)},
    {"fabs.ftz.f32", address(flushed<absOf>)},
    {"floor.f", address(floorOf)},
    {"floor.ftz.f", address(flushed<floorOf>)},
    {"ceil.f", address(ceilOf)},
    {"ceil.ftz.f", address(flushed<ceilOf>)},
    {"round.f", address(roundOf)},
    {"round.ftz.f", address(flushed<roundOf>)},
    {"trunc.f", address(truncOf)},
    {"trunc.ftz.f", address(flushed<truncOf>)},
    {"saturate.f", address(saturateOf)},
    {"saturate.ftz.f", address(flushed<saturateOf>)},
    {"fmin.f", address(minOf)},
    {"fmin.ftz.f", address(flushed2<minOf>)},
    {"fmin.nan.f", address(minNaN)},
    {"fmin.ftz.nan.f", address(flushed2<minNaN>)},
    {"fmax.f", address(maxOf)},
    {"fmax.ftz.f", address(flushed2<maxOf>)},
    {"fmax.nan.f", address(maxNaN)},
    {"fmax.ftz.nan.f", address(flushed2<maxNaN>)},
    {"rcp.approx.ftz.d", address(rcpDouble)},
    {"fabs.f64", address(absDouble)},
    {"floor.d", address(floorDouble)},
    {"ceil.d", address(ceilDouble)},
    {"round.d", address(roundDouble)},
    {"trunc.d", address(truncDouble)},
    {"fmin.d", address(minDouble)},
    {"fmax.d", address(maxDouble)},
    {"rsqrt.approx.d", address(rsqrtDouble)},
    {"rsqrt.approx.ftz.d", address(rsqrtDouble)},
    {"mulhi.ui", address(mulhi)},
    {"mulhi.i", address(mulhiSigned)},
    {"mulhi.ull", address(mulhiWide)},
    {"mulhi.ll", address(mulhiWideSigned)},
    {"sad.ui", address(sumOfDifference)},
    {"sad.i", address(sumOfDifferenceSigned)},
    {"prmt", address(permute)},
};

} // namespace

llvm::ArrayRef<IntrinsicForm> mlir::tp::emulator::getMathIntrinsics() { return table; }
