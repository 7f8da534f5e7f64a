//===- RaiseGenerics.h - Steps that say what a body hides -------*- C++ -*-===//
//
// Each step looks at one linalg.generic and says in ops what its body says in
// scalars. Steps leave an op that they cannot improve as it is. Where a value gets
// another op, the op's discardable attributes (its annotations) go with it.
//
//===----------------------------------------------------------------------===//

#ifndef TP_LIB_TRANSFORMS_RAISEGENERICS_H
#define TP_LIB_TRANSFORMS_RAISEGENERICS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir {
namespace tp {

/// Folds scalars of the body: integers that are one constant or one loop index in all
/// iterations, elements of tensors made of scalars, conditionals that are decided.
void foldBody(RewriterBase &rewriter, linalg::GenericOp op);

/// Replaces one scalar op by what it folds to, which is returned; null where it has no
/// simpler form. Floats are only passed on, never computed.
Value foldScalarOp(RewriterBase &rewriter, Operation *op);

/// Computes both branches of conditionals in the body and selects, where that is
/// allowed; an element that is read under a condition is read at 0 otherwise.
void selectBranches(RewriterBase &rewriter, linalg::GenericOp op);

/// Where a conditional that reads elements splits a loop at constants: the op for
/// each part of the loop, joined by tensor.concat. Appends the parts to `parts`;
/// returns whether `op` is gone.
bool splitPieces(RewriterBase &rewriter, linalg::GenericOp op,
                 SmallVectorImpl<linalg::GenericOp> &parts);

/// Elements of tensors from outside that the loops alone choose become operands,
/// indexed by whole dimensions: of a slice, expanded or collapsed where need be.
/// Returns the op in place of `op`.
linalg::GenericOp raiseAccesses(RewriterBase &rewriter, linalg::GenericOp op);

/// Elements that data choose get a linalg.generic of their own, which does nothing
/// but look them up. Returns the op in place of `op`.
linalg::GenericOp splitLookups(RewriterBase &rewriter, linalg::GenericOp op);

/// Rounds of finding and masking the best element become nn.top_k. Returns whether some
/// did; what they were made of is dead then.
bool raiseTopK(func::FuncOp function);

/// Reductions of all rows of which a mask keeps those up to each one, or from it on, become
/// running ones. Returns whether some did; the masks may be dead then.
bool raiseScans(func::FuncOp function);

/// Loops that combine rows with what they carry and note it row by row become running
/// reductions. Returns whether some did.
bool raiseScanLoops(func::FuncOp function);

/// Tensors from outside whose elements the body reads.
bool readsElements(linalg::LinalgOp op);

/// Replaces `old` and its `results` (one value per result), which take its annotations.
void replaceWithAnnotations(RewriterBase &rewriter, Operation *old, ValueRange results);

/// Whether the op carries annotations: it stays an op of its own.
bool isAnnotated(Operation *op);

} // namespace tp
} // namespace mlir

#endif // TP_LIB_TRANSFORMS_RAISEGENERICS_H
