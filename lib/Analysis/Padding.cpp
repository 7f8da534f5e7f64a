//===- Padding.cpp ---------------------------------------------------------===//

#include "tp/Analysis/Padding.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;
using namespace mlir::tp;

TypedAttr PaddingFact::getFill(Type elementType) const {
  switch (kind) {
  case Undefined:
    return {};
  case Zero:
    return getNeutralElement(ReductionKind::Sum, elementType);
  case Neutral:
    return getNeutralElement(reduction, elementType);
  case Lowest:
    return getNeutralElement(ReductionKind::Max, elementType);
  }
  llvm_unreachable("unknown fact");
}

bool PaddingFact::satisfies(PaddingFact need, Type elementType) const {
  return need.kind == Undefined || getFill(elementType) == need.getFill(elementType);
}

bool PaddingFact::survives(ReductionKind reductionKind, Type elementType) const {
  TypedAttr fill = getFill(elementType);
  if (!fill)
    return false;
  switch (reductionKind) {
  case ReductionKind::Sum:
  case ReductionKind::Xor:
  case ReductionKind::Mul:
    // Zero stays zero when multiplied as well.
    return fill == getNeutralElement(reductionKind, elementType) ||
           fill == getNeutralElement(ReductionKind::Sum, elementType);
  default:
    // The others give x when all values are x.
    return true;
  }
}

PaddingFact tp::getNeededFact(PaddingNeed need, ReductionKind reduction) {
  switch (need) {
  case PaddingNeed::None:
    return PaddingFact::undefined();
  case PaddingNeed::Zero:
  case PaddingNeed::First:
    return PaddingFact::zero();
  case PaddingNeed::Neutral:
    return PaddingFact::neutral(reduction);
  case PaddingNeed::Lowest:
    return PaddingFact::lowest();
  case PaddingNeed::One:
    return PaddingFact::neutral(ReductionKind::Mul);
  }
  llvm_unreachable("unknown need");
}
