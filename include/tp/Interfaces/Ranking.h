//===- Ranking.h - The best element and its index --------------*- C++ -*-===//
//
// A reduction that yields an element and its index, as argmax does, ranks elements where
// its body takes each that is better than the last one taken, by one order of values:
// whatever the elements, it then yields the first of the best ones. Who takes that one
// out and reduces again has the second best.
//
//===----------------------------------------------------------------------===//

#ifndef TP_INTERFACES_RANKING_H
#define TP_INTERFACES_RANKING_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include <optional>

namespace mlir {
namespace tp {

/// What `nn.top_k` says with the same words.
struct Ranking {
  Value input;
  unsigned dim;          ///< of the input, along which it is reduced; results have the others
  unsigned value, index; ///< the results
  bool isSmallest, isNaNFirst;
  TypedAttr bound; ///< what the accumulator begins with
  int64_t missing; ///< the index that is yielded where nothing is better

  bool hasSameOrder(const Ranking &other) const {
    return dim == other.dim && value == other.value && index == other.index &&
           isSmallest == other.isSmallest && isNaNFirst == other.isNaNFirst &&
           bound == other.bound && missing == other.missing;
  }
};

/// The ranking that an op is, where its body is proved to be one.
std::optional<Ranking> getRanking(linalg::LinalgOp op);

} // namespace tp
} // namespace mlir

#endif // TP_INTERFACES_RANKING_H
