//===- RunningReduction.h - Cumulative sums and their like -----*- C++ -*-===//

#ifndef TP_INTERFACES_RUNNINGREDUCTION_H
#define TP_INTERFACES_RUNNINGREDUCTION_H

#include "mlir/IR/Builders.h"

namespace mlir {
namespace tp {

/// Per row of dimension `dim` the reduction by `combiner` (an op of two scalars with a
/// ReductionKind) of all rows of `value` up to it, or with `isReverse` from it on, and of
/// the element of `init`, which has the type of `value`; with `isStrict` without the row
/// itself. As windows of all rows of the padded value, the form that has a sharding rule of
/// its own (lib/Interfaces/Scans.h).
Value createRunningReduction(OpBuilder &builder, Location loc, Value value, unsigned dim,
                             bool isReverse, Operation *combiner, Value init,
                             bool isStrict = false);

} // namespace tp
} // namespace mlir

#endif // TP_INTERFACES_RUNNINGREDUCTION_H
