//===- Activation.h - Which activation a body computes ---------*- C++ -*-===//

#ifndef TP_CONVERSION_LINALGTORT_ACTIVATION_H
#define TP_CONVERSION_LINALGTORT_ACTIVATION_H

#include "dialects/RT/RT.h"

namespace mlir {
namespace tp {

/// The float that `value` is a conversion of, to a wider one or rounded to `type`.
Value getUnrounded(Value value, Type type);

/// Which function of `x` the value `y` is, but for roundings to `type`: nothing where it
/// is none of those that rt.gemm_fused has. Gelu in its tanh form is found by its
/// polynomials, however they are written.
std::optional<rt::Activation> findActivation(Value x, Value y, Type type);

} // namespace tp
} // namespace mlir

#endif // TP_CONVERSION_LINALGTORT_ACTIVATION_H
