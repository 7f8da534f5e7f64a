//===- Reference.h - plain definitions to compare with ----------*- C++ -*-===//
//
// Slow, obvious and written apart from the runtime: bytes in, bytes out, one
// element at a time.
//
//===----------------------------------------------------------------------===//

#ifndef TPRT_TEST_RUNTIME_REFERENCE_H
#define TPRT_TEST_RUNTIME_REFERENCE_H

#include "tprt/tprt.h"

#include <cstdint>
#include <vector>

namespace tprt_test {

using Bytes = std::vector<char>;

/// Whether arith has the reduction for the type.
bool referenceIsDefined(int32_t kind, int32_t dtype);

/// Element `index` of `data` as a double (exact for floats), and as an integer.
double getFloat(int32_t dtype, const Bytes &data, int64_t index);
int64_t getInteger(int32_t dtype, const Bytes &data, int64_t index);
/// Stores a double rounded to nearest, ties to even; an integer modulo 2^n.
void setFloat(int32_t dtype, Bytes &data, int64_t index, double value);
void setInteger(int32_t dtype, Bytes &data, int64_t index, int64_t value);

/// What rank `rank` puts into a collective: values that tell order of
/// summation, signed from unsigned, NaN, infinities and both zeros apart.
Bytes makeOperand(int32_t dtype, int rank, int64_t count);

/// Element-wise combination in the given order.
Bytes referenceReduce(int32_t kind, int32_t dtype, const std::vector<const Bytes *> &parts);

} // namespace tprt_test

#endif // TPRT_TEST_RUNTIME_REFERENCE_H
