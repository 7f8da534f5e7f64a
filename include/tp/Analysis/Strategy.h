//===- Strategy.h - How one op runs on the mesh ----------------*- C++ -*-===//
//
// A strategy gives every factor of an op's sharding rule the axes that cut it,
// and says on which further axes the op passes partial values through. From it
// follow the shardings that the operands must have and those that the results
// come in:
//
//   matmul A[m, k] B[k, n] -> C[m, n], m cut by dp, k cut by tp:
//     A [dp, tp]   B [tp, _]   init [dp, _] sum(tp)   C [dp, _] sum(tp)
//
//===----------------------------------------------------------------------===//

#ifndef TP_ANALYSIS_STRATEGY_H
#define TP_ANALYSIS_STRATEGY_H

#include "dialects/TP/TP.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir {
namespace tp {

/// A partial axis that an op passes on: jointly linear in `operands`, which are
/// all partial on it.
struct PartialFlow {
  PartialAxis axis;
  llvm::BitVector operands;

  bool operator==(const PartialFlow &o) const { return axis == o.axis && operands == o.operands; }
};

struct Strategy {
  /// Per factor, the cuts, major to minor.
  llvm::SmallVector<Cuts, 4> factorCuts;
  llvm::SmallVector<PartialFlow, 0> flows;

  explicit Strategy(const ShardingRule &rule) { factorCuts.resize(rule.factors.size()); }
};

/// Shapes of the operands (captured tensors after them) and results; empty for
/// what is no ranked tensor. They live as long as the types.
struct OpShapes {
  llvm::SmallVector<llvm::ArrayRef<int64_t>, 4> operands;
  llvm::SmallVector<llvm::ArrayRef<int64_t>, 2> results;
  OpShapes(Operation *op, const ShardingRule &rule);
};

/// Cuts of the factors that make up a dimension, from the cuts of the dimension.
/// Fails where a block boundary falls inside a factor, i.e. where a reshape
/// would not be local.
FailureOr<llvm::SmallVector<Cuts>> projectDim(const ShardingRule &rule, const DimFactors &factors,
                                              int64_t size, llvm::ArrayRef<Cut> cuts);

/// The reverse: cuts of a dimension from those of its factors.
FailureOr<Cuts> expandDim(const ShardingRule &rule, const DimFactors &factors, int64_t size,
                          llvm::ArrayRef<Cuts> factorCuts);

/// The sharding that operand `index` must have under the strategy, or failure
/// when no sharding of it expresses that.
FailureOr<Sharding> getOperandSharding(const ShardingRule &rule, const Strategy &strategy,
                                       unsigned index, llvm::ArrayRef<int64_t> shape);
/// The sharding in which result `index` comes.
FailureOr<Sharding> getResultSharding(const ShardingRule &rule, const Strategy &strategy,
                                      unsigned index, llvm::ArrayRef<int64_t> shape);

/// The strategy under which the op takes exactly these operand shardings and
/// yields these result shardings. On failure `error` says which rule is broken.
FailureOr<Strategy> inferStrategy(const ShardingRule &rule, const OpShapes &shapes,
                                  llvm::ArrayRef<Sharding> operands,
                                  llvm::ArrayRef<Sharding> results, std::string &error);

/// The rule of an op, or failure when it has none that applies.
FailureOr<ShardingRule> getRule(Operation *op);

/// Whether the op makes a value out of nothing (constant, empty, fill, iota):
/// cloned per use, it takes whatever sharding the use wants.
bool isFree(Operation *op);

/// The constant that a free op fills its value with; null when it is none.
Attribute getFilledValue(Operation *op);
/// Whether the free value is the neutral element of this kind everywhere, so that
/// it may stand for a partial value as it is.
bool isNeutral(Operation *op, ReductionKind kind);

/// Erases free ops of the function, region ops included, that have no use
/// (destinations that were replaced).
void eraseUnusedFreeOps(FunctionOpInterface function);

/// Bytes of what the op yields for a candidate factor in `count` blocks, all candidates
/// together, where that is less than the operands that have the factor; else nothing:
/// they are better gathered.
std::optional<int64_t> getCandidateBytes(Operation *op, const ShardingRule &rule, unsigned factor,
                                         int64_t count);

/// Operand `index` of the rule: an operand of the op, or a captured tensor.
Value getRuleOperand(Operation *op, const ShardingRule &rule, unsigned index);

} // namespace tp
} // namespace mlir

#endif // TP_ANALYSIS_STRATEGY_H
