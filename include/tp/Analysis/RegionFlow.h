//===- RegionFlow.h - Which values of a region op are one -------*- C++ -*-===//
//
// Ops through whose regions control flows: loops, conditionals. What they carry
// goes from operands of the op and of terminators into block arguments and
// results, and lives in one place:
//
//   scf.for     init, block argument, yielded value, result
//   scf.while   init, argument before, value yielded after;
//               argument of the condition, argument after, result
//   scf.if, scf.index_switch, scf.execute_region   yielded values, result
//
// Their ops, at any depth, are planned, resharded and partitioned as those outside.
// An op that holds regions in another way (linalg.generic, scf.forall) is one op
// to all that, by its rule or whole on every rank. What a new region op needs is
// written here only.
//
//===----------------------------------------------------------------------===//

#ifndef TP_ANALYSIS_REGIONFLOW_H
#define TP_ANALYSIS_REGIONFLOW_H

#include "mlir/IR/Operation.h"

namespace mlir {
namespace tp {

/// Values that are one wherever control goes.
struct FlowValue {
  /// Block arguments and results of the op, all of one type.
  llvm::SmallVector<Value, 3> inputs;
  /// Operands of the op and of terminators of its regions whose values they become,
  /// those of the op first.
  llvm::SmallVector<OpOperand *, 3> sources;
};

/// Whether values can be followed through the op's regions.
bool isRegionFlow(Operation *op);

/// What an op for which isRegionFlow holds carries, in the order of block arguments
/// and results. Block arguments that nothing flows into (the counter of a loop) are
/// left out.
llvm::SmallVector<FlowValue> getFlowValues(Operation *op);

/// Operands of the op and of its terminators that say where control goes and flow
/// nowhere: bounds of a loop, conditions.
llvm::SmallVector<Value> getControlValues(Operation *op);

/// How often `inner` runs for each time that `outer`, a block around it or `inner`
/// itself, does, as far as constant bounds say; otherwise a guess.
double estimateRuns(Block *inner, Block *outer);

/// Visits the ops of `region` and those in regions through which control flows, an
/// op before what is in it. `visit` may erase the op it is given, or add ops before
/// it, unless it is a region op.
void walkFlow(Region &region, llvm::function_ref<void(Operation *)> visit);

/// Erases ops without effects that no op uses, or only such ops, also in nested regions.
void eraseDeadOps(Region &region);

} // namespace tp
} // namespace mlir

#endif // TP_ANALYSIS_REGIONFLOW_H
