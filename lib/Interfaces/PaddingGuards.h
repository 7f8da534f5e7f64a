//===- PaddingGuards.h - What must not run on padding ----------*- C++ -*-===//
//
// Iterations on padding compute something that nobody reads, from operands that
// may be anything. Ops that are undefined for some operands (an integer division
// by zero ends the process) get harmless ones there.
//
//===----------------------------------------------------------------------===//

#ifndef LIB_INTERFACES_PADDINGGUARDS_H
#define LIB_INTERFACES_PADDINGGUARDS_H

#include "dialects/TP/ShardingRule.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir {
namespace tp {

/// The operand of a scalar or elementwise op for which some values are not
/// defined and 1 always is: the divisor of an integer division, the base of an
/// integer power.
std::optional<unsigned> getOperandThatMayTrap(Operation *op);

/// The same op as a generic, whose body may change; `local` is gone where it was none.
linalg::LinalgOp toGeneric(linalg::LinalgOp local, OpBuilder &builder);

/// Gives the ops in the body of `local`, the rank's part of a structured op, that
/// may trap or read out of bounds harmless operands in padded iterations. Returns
/// the op, a generic in place of a named one where it had to change.
linalg::LinalgOp guardPadding(linalg::LinalgOp local, OpBuilder &builder, const LocalFrame &frame);

} // namespace tp
} // namespace mlir

#endif // LIB_INTERFACES_PADDINGGUARDS_H
