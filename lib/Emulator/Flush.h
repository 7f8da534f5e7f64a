//===- Flush.h - Numbers too small for the usual form ----------*- C++ -*-===//

#ifndef TP_LIB_EMULATOR_FLUSH_H
#define TP_LIB_EMULATOR_FLUSH_H

#include <cmath>
#include <limits>

namespace mlir {
namespace tp {
namespace emulator {

/// Zero of the same sign for subnormal numbers, as ".ftz" forms have it.
inline float flush(float x) {
  return std::fabs(x) < std::numeric_limits<float>::min() ? std::copysign(0.0f, x) : x;
}
inline double flush(double x) { return x; }

} // namespace emulator
} // namespace tp
} // namespace mlir

#endif // TP_LIB_EMULATOR_FLUSH_H
