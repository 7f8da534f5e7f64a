//===- Wishes.h - What the tensors of an op want -----------------*- C++ -*-===//

#ifndef TP_ANALYSIS_WISHES_H
#define TP_ANALYSIS_WISHES_H

#include "dialects/TP/Sharding.h"

namespace mlir {
namespace tp {

/// A list of axes that a tensor has on a factor.
struct Wish {
  Cuts cuts;
  /// Of the annotation that the axes come from; the smallest number wins.
  int64_t priority = 0;
};

/// The different wishes for one factor.
using Wishes = llvm::SmallVector<Wish, 2>;

/// Adds a wish; where it is there already, the smaller priority number counts.
void addWish(Wishes &wishes, llvm::ArrayRef<Cut> cuts, int64_t priority);

/// Takes away what wishes of smaller priority numbers forbid, for the factors of
/// one op: an axis that they give to another factor ends a list, and for a factor
/// that they cut a list must go on from theirs. Lists of which nothing is left are
/// dropped. Wishes of equal priority leave each other alone.
void applyPriorities(llvm::MutableArrayRef<Wishes> factors);

} // namespace tp
} // namespace mlir

#endif // TP_ANALYSIS_WISHES_H
