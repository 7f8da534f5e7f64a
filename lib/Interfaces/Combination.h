//===- Combination.h - Bodies that compare and select ----------*- C++ -*-===//

#ifndef LIB_INTERFACES_COMBINATION_H
#define LIB_INTERFACES_COMBINATION_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/SetVector.h"
#include <optional>

namespace mlir {
namespace tp {

/// The order of NaN among values of one result; those of numbers are their places.
constexpr int kNaN = -1;

/// What a body does with accumulators and elements.
class Combination {
public:
  /// Fails where the body does more than compare and select.
  static std::optional<Combination> get(linalg::LinalgOp op);
  /// The same where it does not matter how elements are grouped, else fails.
  static std::optional<Combination> getGroupingFree(linalg::LinalgOp op);

  /// Per result, the element that an iteration offers.
  SmallVector<Value> elements;
  /// The ops from elements and accumulators to what is yielded, in order.
  llvm::SetVector<Operation *> ops;

  /// Where a result is compared and what others select by that is not what it becomes
  /// (its largest element is NaN, and they are of the largest before): the element by
  /// which they were selected. It is a further result of a block, and what is compared
  /// in place of the result when blocks are combined.
  struct Witness {
    unsigned of; ///< the result
    Value condition;
    bool taken; ///< what the condition is where the element is selected
  };
  std::optional<Witness> witness;
  /// Of results and the witness.
  unsigned numParts() const { return elements.size() + witness.has_value(); }
  /// The result whose elements and accumulator a part has.
  unsigned resultOfPart(unsigned part) const { return part < elements.size() ? part : witness->of; }

  /// For each part, whether the element is taken, the orders being as given.
  SmallVector<bool> choose(ArrayRef<int> accumulators, ArrayRef<int> others) const;
  /// Whether the result is compared, and not only selected.
  SmallVector<bool> compared;
  bool comparesSigned(unsigned result) const { return compares(result, /*isSigned=*/true); }
  bool comparesUnsigned(unsigned result) const { return compares(result, /*isSigned=*/false); }

private:
  bool isGroupingFree() const;
  bool addWitness();
  bool collect(Value value, unsigned result,
               llvm::SmallDenseSet<std::pair<Operation *, unsigned>> &seen);
  bool collectOperands(Operation *op);
  std::optional<unsigned> resultOf(Value leaf) const;
  bool compares(unsigned result, bool isSigned) const;

  mutable linalg::LinalgOp op;
};

/// The constant that an init is filled with; else null.
TypedAttr getFilled(Value init);

} // namespace tp
} // namespace mlir

#endif // LIB_INTERFACES_COMBINATION_H
