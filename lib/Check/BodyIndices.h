//===- BodyIndices.h - Where a loop body reads -----------------*- C++ -*-===//

#ifndef LIB_CHECK_BODYINDICES_H
#define LIB_CHECK_BODYINDICES_H

#include "Body.h"

namespace mlir {
namespace tp {
namespace check {

/// An integer that the rank and the positions of loops determine: a sum of multiples of
/// positions and of a number per rank, or, along one loop, any numbers.
struct BodyIndex {
  SmallVector<std::pair<unsigned, int64_t>, 2> terms; ///< loop, factor; by loop
  SmallVector<int64_t> offsets = {0};                 ///< one for all ranks, or one each
  std::optional<unsigned> loop;                       ///< of the table
  SmallVector<SmallVector<int64_t>, 0> table;         ///< one for all ranks, or one each

  bool isTable() const { return loop.has_value(); }
  bool isConstant() const { return !loop && terms.empty(); }
};

/// Evaluates integers of a body.
class BodyIndices {
public:
  /// `sizes` are those of the loops; `outside` gives constants per rank.
  BodyIndices(unsigned numRanks, ArrayRef<int64_t> sizes,
              std::function<SmallVector<Attribute>(Value)> outside)
      : numRanks(numRanks), sizes(sizes), outside(std::move(outside)) {}

  /// Null where it is anything else.
  const BodyIndex *get(Value value);
  /// The numbers along the one loop that it depends on; per rank or for all.
  std::optional<SmallVector<SmallVector<int64_t>, 0>> tabulate(const BodyIndex &index,
                                                               std::optional<unsigned> loop);

private:
  std::optional<BodyIndex> evaluate(Value value);
  std::optional<BodyIndex> evaluateOp(Operation *op);

  unsigned numRanks;
  SmallVector<int64_t> sizes;
  std::function<SmallVector<Attribute>(Value)> outside;
  llvm::DenseMap<Value, std::unique_ptr<BodyIndex>> known;
};

} // namespace check
} // namespace tp
} // namespace mlir

#endif // LIB_CHECK_BODYINDICES_H
