//===- Body.h - What a loop body computes ----------------------*- C++ -*-===//

#ifndef LIB_CHECK_BODY_H
#define LIB_CHECK_BODY_H

#include "Relations.h"

namespace mlir {
namespace tp {
namespace check {

/// An index that is the same on all ranks, plus a number per rank; on each rank known
/// to be that where the index is in [begin, end).
struct Shifted {
  TermId base;
  struct Part {
    int64_t offset, begin, end;
  };
  SmallVector<Part, 1> ranks; ///< one for all or one each

  const Part &at(unsigned rank) const { return ranks[ranks.size() == 1 ? 0 : rank]; }
};

/// A scalar: a term, constants (one for all ranks or one per rank), or both; or a shifted
/// index.
struct Scalar {
  std::optional<TermId> term;
  SmallVector<Attribute> constants;
  std::optional<Shifted> shifted;
};

/// What adding constants to a shifted index, or limiting it, gives.
std::optional<Shifted> shiftIndex(Operation *op, ArrayRef<const Shifted *> indices,
                                  ArrayRef<ArrayRef<Attribute>> constants, unsigned numRanks);

/// begin <= position < end of a loop.
struct Interval {
  unsigned loop;
  int64_t begin, end;
};

/// begin <= index < end.
struct IndexRange {
  TermId index;
  int64_t begin, end;
};

/// A condition on the positions of a rank, and on indices that are known at run time:
/// `holds`, and all intervals and ranges.
struct Condition {
  bool holds = true;
  SmallVector<Interval, 2> intervals;
  SmallVector<IndexRange, 0> ranges;
};

/// An element that is looked up in a block. `element` is the one of the whole value; a
/// rank has it where the indices are in its ranges, one for each dimension that is looked
/// up in, elsewhere, if that is known, `otherwise`.
struct Picked {
  TermId element;
  SmallVector<SmallVector<IndexRange, 1>, 0> ranges; ///< per rank
  SmallVector<IndexRange, 1> whole;                  ///< what ranks have together
  Attribute otherwise;
};

/// Position + offset(rank), of a loop.
struct Affine {
  unsigned loop;
  SmallVector<int64_t> offsets;
};

/// The global index of a domain of loops, plus `shift`: one number on all ranks.
struct LoopIndex {
  unsigned domain;
  int64_t shift;
};

/// A value in a body.
struct BodyValue {
  /// What it computes, of the global elements.
  std::optional<TermId> expression;
  std::optional<Affine> affine;
  SmallVector<Attribute> constants;
  /// Per rank.
  std::optional<SmallVector<Condition>> condition;
  std::optional<Shifted> shifted;
  std::shared_ptr<const Picked> picked;
};

enum class Truth { Always, Never, Mixed };

/// Evaluates bodies on expressions; the caller says what loops range over.
class Body {
public:
  Body(Relations &algebra) : algebra(algebra) {}

  void define(Value value, BodyValue known);
  /// What is known of a value; it stays where it is.
  const BodyValue &get(Value value);
  /// False, with `why`, where an op is beyond it.
  bool evaluate(Operation *op);

  /// What a value from outside is; fails by returning nothing.
  std::function<std::optional<BodyValue>(Value)> outside;
  /// The index of a loop whose position plus offset it is.
  std::function<std::optional<LoopIndex>(const Affine &)> indexOf;
  /// Global index minus position, per rank, of a loop of which ranks have blocks; empty
  /// where nothing but the index tells which.
  std::function<std::optional<SmallVector<int64_t>>(unsigned loop)> loopOffsets;
  /// What an operand of the nest has at the indices that the body looks up.
  std::function<std::optional<BodyValue>(Value element)> lookUp;
  /// Takes what does not satisfy the conditions, one per rank, as padding; false where
  /// that cannot be said of them. Null: it is to be followed.
  std::function<bool(ArrayRef<Condition>)> leaveOut;
  /// Whether a rank's elements, without its padding, satisfy a condition.
  std::function<Truth(unsigned rank, const Condition &)> decide;

  std::optional<TermId> expressionOf(const BodyValue &value);
  /// The value as a shifted index.
  std::optional<Shifted> shiftedOf(const BodyValue &value);
  /// The sum of two indices.
  BodyValue addIndices(const BodyValue &a, const BodyValue &b);

  std::string why;

private:
  BodyValue select(const BodyValue &condition, const BodyValue &first, const BodyValue &second,
                   Type type);

  Relations &algebra;
  llvm::SmallDenseMap<Value, std::unique_ptr<BodyValue>, 8> values;
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
