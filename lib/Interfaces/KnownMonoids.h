//===- KnownMonoids.h - Bodies that are recognised --------------*- C++ -*-===//

#ifndef LIB_INTERFACES_KNOWNMONOIDS_H
#define LIB_INTERFACES_KNOWNMONOIDS_H

#include "BlockReduction.h"

namespace mlir {
namespace tp {

/// Sums that are scaled by a running maximum m, as an online softmax has them:
///
///   m' = max(m, x)      s' = s * exp(m - m') + w * exp(x - m')
///
/// Each (m, s) stands for s * exp(m), and these are summed.
std::optional<BlockReduction> getScaledSums(linalg::LinalgOp op);

/// log(exp(a) + exp(x)) in a form that does not overflow.
std::optional<BlockReduction> getLogSum(linalg::LinalgOp op);

/// Number n, mean m and, perhaps, sum of squared deviations q (Welford's algorithm):
///
///   n' = n + 1      m' = m + (x - m) / n'      q' = q + (x - m) * (x - m')
std::optional<BlockReduction> getMoments(linalg::LinalgOp op);

} // namespace tp
} // namespace mlir

#endif // LIB_INTERFACES_KNOWNMONOIDS_H
