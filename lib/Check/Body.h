//===- Body.h - What a loop body computes ----------------------*- C++ -*-===//

#ifndef LIB_CHECK_BODY_H
#define LIB_CHECK_BODY_H

#include "Relations.h"

namespace mlir {
namespace tp {
namespace check {

/// A scalar: a term, constants (one for all ranks or one per rank), or both.
struct Scalar {
  std::optional<TermId> term;
  SmallVector<Attribute> constants;
};

/// begin <= position < end of a loop.
struct Interval {
  unsigned loop;
  int64_t begin, end;
};

/// A condition on the positions of a rank: `holds`, and all intervals.
struct Condition {
  bool holds = true;
  SmallVector<Interval, 2> intervals;
};

/// Position + offset(rank), of a loop.
struct Affine {
  unsigned loop;
  SmallVector<int64_t> offsets;
};

/// A value in a body.
struct BodyValue {
  /// What it computes, of the global elements.
  std::optional<TermId> expression;
  std::optional<Affine> affine;
  SmallVector<Attribute> constants;
  /// Per rank.
  std::optional<SmallVector<Condition>> condition;
};

enum class Truth { Always, Never, Mixed };

/// Evaluates bodies on expressions; the caller says what loops range over.
class Body {
public:
  Body(Relations &algebra) : algebra(algebra) {}

  void define(Value value, BodyValue known) { values[value] = std::move(known); }
  BodyValue get(Value value);
  /// False, with `why`, where an op is beyond it.
  bool evaluate(Operation *op);

  /// What a value from outside is; fails by returning nothing.
  std::function<std::optional<BodyValue>(Value)> outside;
  /// Global index minus (position + offset) of a loop, where that is one number on
  /// all ranks and elements.
  std::function<std::optional<int64_t>(const Affine &)> indexShift;
  /// Whether a rank's elements, without its padding, satisfy a condition.
  std::function<Truth(unsigned rank, const Condition &)> decide;

  std::optional<TermId> expressionOf(const BodyValue &value);

  std::string why;

private:
  BodyValue select(const BodyValue &condition, const BodyValue &first, const BodyValue &second,
                   Type type);

  Relations &algebra;
  llvm::DenseMap<Value, BodyValue> values;
};

/// Folds an op on these constants (null: unknown), elementwise ops on tensors by
/// element. Returns one attribute per result, null where it is not constant.
SmallVector<Attribute> foldElement(Operation *op, ArrayRef<Attribute> operands);

/// The kind of reduction that an op combines two values by.
std::optional<ReductionKind> getCombinerKind(Operation *op);

/// Whether results that are partial sums (maxima, ...) in the elements `parts` are the
/// partial sums of the results.
bool isLinear(ArrayRef<Operation *> body, ArrayRef<Value> yields, ReductionKind kind,
              llvm::function_ref<bool(Value)> isPart, llvm::function_ref<bool(Value)> isNeutral,
              std::string &why);

} // namespace check
} // namespace tp
} // namespace mlir

#endif // LIB_CHECK_BODY_H
