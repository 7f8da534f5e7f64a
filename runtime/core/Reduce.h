//===- Reduce.h - the arithmetic of reductions ------------------*- C++ -*-===//
//
// One definition of what combining the parts of several ranks means, used by
// every backend that does its own arithmetic: parts are combined in rank
// order; f16 and bf16 in f32, rounded once at the end; f32, f64 and integers as
// they are (integers wrap; i1 is arithmetic modulo 2, and its signed maximum
// is the signed maximum of one-bit integers, so 1 stands for -1 there).
//
//===----------------------------------------------------------------------===//

#ifndef TPRT_CORE_REDUCE_H
#define TPRT_CORE_REDUCE_H

#include <cstdint>

namespace tprt {

/// Whether `kind` is defined on `dtype`: and, or, xor, maxu and minu are for
/// integers, maxnum and minnum for floats.
bool isReductionDefined(int32_t kind, int32_t dtype);

/// dst[i] = parts[0][i] op parts[1][i] op ... for i < count. `dst` may be one
/// of the parts. `kind` must be defined on `dtype`, numParts >= 1.
void reduceParts(int32_t kind, int32_t dtype, const void *const *parts, int numParts, void *dst,
                 int64_t count);

/// Writes `count` copies of the element that leaves every other unchanged
/// under `kind`.
void fillNeutral(int32_t kind, int32_t dtype, void *dst, int64_t count);

} // namespace tprt

#endif // TPRT_CORE_REDUCE_H
