//===- Padding.h - What a local value holds past its block -----*- C++ -*-===//
//
// Blocks of a dimension may be smaller than the buffer that holds them. The fact
// about a value says what the rest holds, in every padded dimension; it says
// nothing where no rank has padding.
//
//===----------------------------------------------------------------------===//

#ifndef TP_ANALYSIS_PADDING_H
#define TP_ANALYSIS_PADDING_H

#include "dialects/TP/ShardingRule.h"
#include "mlir/IR/BuiltinAttributes.h"

namespace mlir {
namespace tp {

struct PaddingFact {
  enum Kind { Undefined, Zero, Neutral, Lowest };

  Kind kind = Undefined;
  /// For Neutral: of this kind of reduction.
  ReductionKind reduction = ReductionKind::Sum;

  static PaddingFact undefined() { return {}; }
  static PaddingFact zero() { return {Zero, ReductionKind::Sum}; }
  static PaddingFact neutral(ReductionKind reduction) { return {Neutral, reduction}; }
  static PaddingFact lowest() { return {Lowest, ReductionKind::Sum}; }

  bool operator==(const PaddingFact &o) const {
    return kind == o.kind && (kind != Neutral || reduction == o.reduction);
  }
  bool operator!=(const PaddingFact &o) const { return !(*this == o); }

  /// The element that the padding of a value of this element type holds; null
  /// when undefined.
  TypedAttr getFill(Type elementType) const;
  /// Whether padding that holds what this fact says serves `need` too.
  bool satisfies(PaddingFact need, Type elementType) const;
  /// Whether every rank's padding still is as the fact says once values are
  /// combined element by element by a reduction of this kind.
  bool survives(ReductionKind reduction, Type elementType) const;
};

/// The fact that an operand needs (see PaddingNeed), `reduction` being the kind
/// of the factor.
PaddingFact getNeededFact(PaddingNeed need, ReductionKind reduction);

} // namespace tp
} // namespace mlir

#endif // TP_ANALYSIS_PADDING_H
