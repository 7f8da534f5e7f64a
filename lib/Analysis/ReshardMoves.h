//===- ReshardMoves.h - Edges of the reshard graph -------------*- C++ -*-===//

#ifndef LIB_ANALYSIS_RESHARDMOVES_H
#define LIB_ANALYSIS_RESHARDMOVES_H

#include "tp/Analysis/ReshardPath.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace mlir {
namespace tp {

/// The value that is resharded. `from` and `to` are canonical, their axes cut
/// into the parts that occur on either side.
struct ReshardProblem {
  const Mesh &mesh;
  llvm::ArrayRef<int64_t> shape;
  int64_t elementBytes;
  Sharding from, to;
  /// Per dimension the number of major cuts that both sides have: they stay.
  llvm::SmallVector<unsigned> fixed;

  ReshardProblem(const Mesh &mesh, llvm::ArrayRef<int64_t> shape, int64_t elementBytes,
                 const Sharding &from, const Sharding &to);

  /// The number of elements of a local buffer.
  int64_t localElements(const Sharding &sharding) const;
};

/// Both with their axes cut into the parts that occur on either side; blocks stay
/// what they are.
std::pair<DimSharding, DimSharding> splitAlike(const DimSharding &a, int64_t sizeOfA,
                                               const DimSharding &b, int64_t sizeOfB);

/// The device with the coordinates of `groupRank` on `parts` (row-major) and 0
/// elsewhere.
int64_t getDevice(const Mesh &mesh, llvm::ArrayRef<AxisPart> parts, int64_t groupRank);

/// Calls `visit` with every move that may be useful from `at` on the way to
/// problem.to, in a fixed order.
void forEachMove(const ReshardProblem &problem, const Sharding &at,
                 llvm::function_ref<void(ReshardStep &&)> visit);

} // namespace tp
} // namespace mlir

#endif // LIB_ANALYSIS_RESHARDMOVES_H
