//===- Selections.h - Reductions that choose ------------------*- C++ -*-===//
//
// A reduction whose body only compares and selects, as argmax does, has no kind, but
// blocks may be reduced on their own where the choice does not depend on how the
// elements are grouped. With z what the accumulators begin with, and u, w what they
// may become, this holds when, for every element e,
//
//   u . z = u      u . (w . e) = (u . w) . e
//
// Such a body knows its operands by their order alone, so a few values per result in
// every order (NaN among those of floats) are all there is to try.
//
// maximumf with an index by cmpf ogt keeps the index of the largest element before the
// first NaN, and NaN as the value: of a block it takes that element, too, to tell whether
// its index is the one to have. With such a third result the same is tried.
//
//===----------------------------------------------------------------------===//

#ifndef LIB_INTERFACES_SELECTIONS_H
#define LIB_INTERFACES_SELECTIONS_H

#include "BlockReduction.h"

namespace mlir {
namespace tp {

/// The reduction loop of the op that may be cut into blocks of which each yields a
/// candidate per result; nothing where the body is no such selection.
std::optional<unsigned> getSelectionLoop(linalg::LinalgOp op);

/// The candidates of blocks of such an op, and the choice among them by the same body.
std::optional<BlockReduction> getSelection(linalg::LinalgOp op);

} // namespace tp
} // namespace mlir

#endif // LIB_INTERFACES_SELECTIONS_H
