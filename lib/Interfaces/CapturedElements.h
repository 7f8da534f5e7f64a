//===- CapturedElements.h - Elements that a body reads ----------*- C++ -*-===//
//
// The body of a linalg op may read elements of tensors from outside. A dimension of
// such a tensor that is indexed by a loop has that loop's factor:
//
//   %d = linalg.index 1 : index
//   %x = tensor.extract %table[%v, %d]      table[., d1]
//
// In a look-up, an op that yields such an element and does nothing else, a dimension
// whose index data choose has a reduction factor of its own. Cut, each rank looks up
// in its block; what lies in another gives the neutral element, and one rank's term
// of the sum is the element.
//
//===----------------------------------------------------------------------===//

#ifndef TP_LIB_INTERFACES_CAPTUREDELEMENTS_H
#define TP_LIB_INTERFACES_CAPTUREDELEMENTS_H

#include "dialects/TP/TP.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir {
namespace tp {

/// Ranked tensors that the op's regions take from outside.
SmallVector<Value, 0> getCapturedTensors(Operation *op);

/// Adds the tensors that the op captures to the rule, which has a factor per loop.
void describeCaptured(linalg::LinalgOp op, ShardingRule &rule);

/// Makes the indices of captured tensors local in the op on one rank.
class CapturedIndices {
public:
  /// `local` is a clone of `op` with indices of loops as they are.
  CapturedIndices(linalg::LinalgOp op, linalg::LinalgOp local, const ShardingRule &rule);

  /// After indices of loops count from the rank's block.
  void localize(OpBuilder &builder, linalg::LinalgOp local, const LocalFrame &frame);

private:
  /// An index that counts within the block already.
  struct Whole {
    OpOperand *index;
    Value loop;
  };
  /// An index into a cut dimension of a table.
  struct Lookup {
    OpOperand *index;
    unsigned factor;
    int64_t size; ///< of the whole dimension
  };
  SmallVector<Whole> wholes;
  SmallVector<Lookup> lookups;
  ReductionKind kind = ReductionKind::Sum;
};

} // namespace tp
} // namespace mlir

#endif // TP_LIB_INTERFACES_CAPTUREDELEMENTS_H
