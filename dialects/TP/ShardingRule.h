//===- ShardingRule.h - An op as factors -----------------------*- C++ -*-===//
//
// A rule names the factors of an op's iteration space and says which factors
// each dimension of each operand and result is made of:
//
//   linalg.matmul  A[m, k], B[k, n], init[m, n] -> C[m, n]
//     factors m, n parallel, k reduction(sum);  linear: {A, init}, {B, init}
//   tensor.collapse_shape  x[a, b] -> y[(a b)]
//     factors a, b parallel; dimension 0 of y is compound
//
// Cutting a parallel factor on an axis cuts each dimension that has it; cutting
// a reduction factor makes the results partial on that axis.
//
//===----------------------------------------------------------------------===//

#ifndef DIALECTS_TP_SHARDINGRULE_H
#define DIALECTS_TP_SHARDINGRULE_H

#include "dialects/TP/Sharding.h"
#include "mlir/IR/BuiltinAttributeInterfaces.h"
#include "mlir/IR/Value.h"
#include "mlir/IR/ValueRange.h"
#include "llvm/ADT/BitVector.h"
#include <optional>

namespace mlir {
class IRMapping;
class OpBuilder;
namespace tp {

enum class FactorKind {
  Parallel,   ///< cut where its dimensions are cut
  Reduction,  ///< as Parallel, and results without it are partial
  Candidate,  ///< cut only after ShardingRuleOpInterface::decompose
  Window,     ///< spreads as Parallel, cut only after ShardingRuleOpInterface::decomposeWindows
  Replicated, ///< never cut
};

struct Factor {
  FactorKind kind = FactorKind::Parallel;
  /// For Reduction: how partial results combine.
  ReductionKind reduction = ReductionKind::Sum;
  /// Number of iterations; dimensions that consist of it alone may differ from
  /// it (a block of candidates becomes one element), each is cut by its own size.
  int64_t size = 1;
  /// If not 0, cuts must be into this many blocks.
  int64_t pieces = 0;

  bool operator==(const Factor &o) const {
    return kind == o.kind && reduction == o.reduction && size == o.size && pieces == o.pieces;
  }
};

/// What padding of an operand must hold along a cut factor for the op to be right.
enum class PaddingNeed {
  None,    ///< padding yields padding only
  Zero,    ///< contraction: zero on every operand that has the factor
  Neutral, ///< reduction: the neutral element of the factor's kind
  Lowest,  ///< argmax: the lowest value of the type
  One,     ///< divisor of integers: one wherever the operand has padding
  First,   ///< positions: zero wherever the operand has padding
};

/// Factors of one dimension, major to minor; empty for a dimension that is
/// always whole (size 1, or not described).
using DimFactors = llvm::SmallVector<unsigned, 1>;

/// One tensor that the op reads or makes.
struct TensorRule {
  llvm::SmallVector<DimFactors, 4> dims;
  /// Per cut reduction or candidate factor, what this operand's padding must hold.
  PaddingNeed padding = PaddingNeed::None;

  bool operator==(const TensorRule &o) const { return dims == o.dims && padding == o.padding; }
};

struct ShardingRule {
  llvm::SmallVector<Factor, 6> factors;
  /// One per operand of the op, then one per captured tensor (see `captured`);
  /// operands that are no ranked tensors have no dims.
  llvm::SmallVector<TensorRule, 4> operands;
  /// Ranked tensors that the op's regions use and that are defined outside.
  llvm::SmallVector<Value, 0> captured;
  llvm::SmallVector<TensorRule, 2> results;
  /// Operands that initialise the reduction factors (added once): with a
  /// reduction factor cut they must be partial too.
  llvm::BitVector inits;
  /// Operands whose content does not matter (a destination that is not read).
  llvm::BitVector ignored;
  /// For a set of operands: whether the results are jointly linear in them for
  /// this kind (sum: homogeneous linear; max: commutes with max; ...).
  std::function<bool(ReductionKind, const llvm::BitVector &)> linearIn;

  unsigned numOperands() const { return operands.size(); }
  bool isLinear(ReductionKind kind, const llvm::BitVector &set) const {
    return linearIn && linearIn(kind, set);
  }

  unsigned addFactor(FactorKind kind, int64_t size, ReductionKind reduction = ReductionKind::Sum) {
    factors.push_back({kind, reduction, size, /*pieces=*/0});
    return factors.size() - 1;
  }

  /// The rule of an op that maps equal coordinates to equal coordinates: one
  /// parallel factor per dimension of `shape`, for all operands and results.
  static ShardingRule pointwise(llvm::ArrayRef<int64_t> shape, unsigned numOperands,
                                unsigned numResults);
};

/// What an op needs to know to run on one rank: where the rank's part of each
/// factor begins.
struct LocalFrame {
  /// Global index of the first iteration of the factor on this rank, as an
  /// `index` value; null where the factor is not cut.
  std::function<Value(unsigned factor)> factorOffset;
  /// Whether some rank has padding along the factor.
  std::function<bool(unsigned factor)> isPadded;
  /// Number of the factor's iterations that are no padding on this rank; null
  /// where no rank has padding.
  std::function<Value(unsigned factor)> factorExtent;
};

/// The element that changes nothing when combined by `kind`; integers are signed
/// where the kind says nothing else.
TypedAttr getNeutralElement(ReductionKind kind, Type elementType);

/// Clones `op` with local operands and result types; values captured by regions
/// go through `mapping`.
llvm::SmallVector<Value> cloneLocal(Operation *op, OpBuilder &builder, IRMapping &mapping,
                                    ValueRange operands, TypeRange resultTypes);

} // namespace tp
} // namespace mlir

#endif // DIALECTS_TP_SHARDINGRULE_H
