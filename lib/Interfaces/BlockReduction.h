//===- BlockReduction.h - Reductions of blocks, put together ---*- C++ -*-===//
//
// A reduction along a cut dimension that no kind describes is reduced block by block to a
// few *parts* per result, which lie in a new dimension, are gathered, and are merged in
// the order of the blocks. What the parts are is said by who proved that they do: bodies
// that choose (Selections.h) and bodies that compute (Composition.h).
//
//===----------------------------------------------------------------------===//

#ifndef LIB_INTERFACES_BLOCKREDUCTION_H
#define LIB_INTERFACES_BLOCKREDUCTION_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/IRMapping.h"

namespace mlir {
namespace tp {

struct BlockReduction {
  struct Part {
    unsigned result; ///< whose shape and element type it has
    TypedAttr start; ///< what each block begins with; null: what the result begins with
  };
  SmallVector<Part> parts;
  /// The first block begins with what the results begin with, its part i being result i.
  bool firstHasInits = false;
  /// Whether a block without elements leaves everything as it is; else it is passed over.
  bool mergesEmpty = false;

  /// Where a step is, as conditions that are made when they are asked for.
  struct Place {
    llvm::function_ref<Value()> isFirst;        ///< the block's first element
    llvm::function_ref<Value()> isInFirstBlock; ///< which may begin with the results' inits
  };
  /// The parts after one more element. `mapping` has the elements, and the ops of the body
  /// that depend on no accumulator.
  std::function<SmallVector<Value>(OpBuilder &, Location, IRMapping &mapping, ValueRange parts,
                                   const Place &)>
      step;
  /// The results after one more block.
  std::function<SmallVector<Value>(OpBuilder &, Location, ValueRange results, ValueRange parts)>
      merge;
};

/// The first loop that reduces, where all inits lack just the reductions and have the
/// other loops alike, and every operand has the loop as a dimension of its own or not.
std::optional<unsigned> getFirstReduction(linalg::LinalgOp op);

/// The values of the body that depend on an accumulator.
llvm::DenseSet<Value> getDependent(linalg::LinalgOp op);

/// The body's ops on accumulators with these in their place; returns what is yielded and
/// leaves all of it in `mapping`.
SmallVector<Value> cloneDependent(OpBuilder &builder, linalg::LinalgOp op, IRMapping &mapping,
                                  ValueRange accumulators);

/// What the body yields on `elements`, values of it, and accumulators that are given.
SmallVector<Value> applyBody(OpBuilder &builder, linalg::LinalgOp op, ValueRange elements,
                             ValueRange given, ValueRange accumulators);

/// The op by the parts of `count` blocks of `loop`. Fails where a body must not see what is
/// past the end of a short block, or parts are no less than what they are of.
FailureOr<SmallVector<Value>> createBlockReduction(OpBuilder &builder, linalg::LinalgOp op,
                                                   unsigned loop, int64_t count,
                                                   const BlockReduction &reduction);

} // namespace tp
} // namespace mlir

#endif // LIB_INTERFACES_BLOCKREDUCTION_H
