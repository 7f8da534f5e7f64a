//===- IndexRange.h - What is known about an index -------------*- C++ -*-===//
//
// Bounds of integers that follow from how they are computed: constants, loop
// counters, coordinates, arithmetic, and selects and conditionals that go by a
// comparison of the value. Enough to see that the offset of a block lies in its
// tensor, or that an index was clamped.
//
//===----------------------------------------------------------------------===//

#ifndef TP_CONVERSION_TENSORTORT_INDEXRANGE_H
#define TP_CONVERSION_TENSORTORT_INDEXRANGE_H

#include "mlir/IR/Operation.h"

namespace mlir {
namespace tp {

/// Inclusive bounds, as signed numbers.
struct IndexRange {
  int64_t low = INT64_MIN;
  int64_t high = INT64_MAX;

  bool isBounded() const { return low != INT64_MIN && high != INT64_MAX; }
  bool isWithin(int64_t lower, int64_t upper) const { return low >= lower && high < upper; }
};

/// A condition that holds, or does not, where an operation runs.
struct Guard {
  Value condition;
  bool holds;
};

/// The conditions of all scf.if around `op`, outermost last.
SmallVector<Guard> getGuards(Operation *op);

/// What is known about `value`, an integer or index, where `guards` apply.
IndexRange getIndexRange(Value value, ArrayRef<Guard> guards = {});

} // namespace tp
} // namespace mlir

#endif // TP_CONVERSION_TENSORTORT_INDEXRANGE_H
