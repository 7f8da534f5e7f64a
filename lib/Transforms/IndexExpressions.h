//===- IndexExpressions.h - Indices in the body of a linalg op --*- C++ -*-===//
//
// What an index in a body is, as an affine expression of the loops and of scalars
// from outside:
//
//   %i = linalg.index 0           d0
//   %j = arith.addi %i, %c3       d0 + 3
//   %k = arith.maxsi %j, %c0      d0 + 3    (never negative)
//   %l = arith.addi %j, %s        d0 + s0 + 3
//
//===----------------------------------------------------------------------===//

#ifndef TP_LIB_TRANSFORMS_INDEXEXPRESSIONS_H
#define TP_LIB_TRANSFORMS_INDEXEXPRESSIONS_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/AffineExpr.h"
#include <optional>

namespace mlir {
namespace tp {

/// The values that an expression takes, both ends included.
struct IndexInterval {
  int64_t low, high;
  bool isWithin(int64_t first, int64_t last) const { return first <= low && high <= last; }
};

/// `scale * d(loop) + offset`, or a constant where `loop` is absent.
struct LinearIndex {
  std::optional<unsigned> loop;
  int64_t scale = 0, offset = 0;
};

class IndexExpressions {
public:
  /// Needs loops of static sizes.
  explicit IndexExpressions(linalg::LinalgOp op) : op(op) {}

  /// `value`, an integer of the body, as an expression of the loops (its dims) and of
  /// integers from outside (its symbols); nothing where it depends on elements or is
  /// no such expression. Overflow is excluded but in index arithmetic on symbols.
  std::optional<AffineExpr> get(Value value);

  /// The scalars that the symbols of all expressions stand for.
  ArrayRef<Value> getSymbols() const { return symbols; }

  /// Nothing where symbols have a part in it.
  std::optional<IndexInterval> getRange(AffineExpr expr) const;

  /// `expr` where it is linear in one loop, without symbols.
  std::optional<LinearIndex> getLinear(AffineExpr expr) const;

  /// The outcome of a comparison that is the same in all iterations.
  std::optional<bool> decide(arith::CmpIOp compare);

  ArrayRef<int64_t> getLoopSizes() const {
    if (!sizes)
      sizes = op.getStaticLoopRanges();
    return *sizes;
  }

private:
  std::optional<AffineExpr> compute(Value value);
  /// Whether the type holds every value of the expression.
  bool fits(AffineExpr expr, Type type) const;

  mutable linalg::LinalgOp op;
  /// Of loops, once they are asked for: most bodies have no integers.
  mutable std::optional<SmallVector<int64_t>> sizes;
  SmallVector<Value> symbols;
  DenseMap<Value, std::optional<AffineExpr>> known;
};

/// Whether `left predicate right` holds for these two values of one type.
bool holds(arith::CmpIPredicate predicate, int64_t left, int64_t right);

} // namespace tp
} // namespace mlir

#endif // TP_LIB_TRANSFORMS_INDEXEXPRESSIONS_H
