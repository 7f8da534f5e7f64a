//===- Padding.cpp ---------------------------------------------------------===//

#include "tp/Analysis/Padding.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;
using namespace mlir::tp;

static TypedAttr getFloatNeutral(ReductionKind kind, FloatType type) {
  const llvm::fltSemantics &semantics = type.getFloatSemantics();
  auto get = [&](const APFloat &value) { return FloatAttr::get(type, value); };
  switch (kind) {
  case ReductionKind::Mul:
    return get(APFloat::getOne(semantics));
  case ReductionKind::Max:
  case ReductionKind::Min: {
    bool negative = kind == ReductionKind::Max;
    return get(APFloat::semanticsHasInf(semantics) ? APFloat::getInf(semantics, negative)
                                                   : APFloat::getLargest(semantics, negative));
  }
  case ReductionKind::MaxNum:
  case ReductionKind::MinNum:
    return get(APFloat::getNaN(semantics));
  default:
    return get(APFloat::getZero(semantics));
  }
}

static TypedAttr getIntegerNeutral(ReductionKind kind, Type type) {
  unsigned width =
      type.isIndex() ? IndexType::kInternalStorageBitWidth : cast<IntegerType>(type).getWidth();
  auto get = [&](const APInt &value) { return IntegerAttr::get(type, value); };
  switch (kind) {
  case ReductionKind::Mul:
    return get(APInt(width, 1));
  case ReductionKind::Max:
    return get(APInt::getSignedMinValue(width));
  case ReductionKind::Min:
    return get(APInt::getSignedMaxValue(width));
  case ReductionKind::MinU:
  case ReductionKind::And:
    return get(APInt::getAllOnes(width));
  default:
    return get(APInt::getZero(width));
  }
}

TypedAttr tp::getNeutral(ReductionKind kind, Type elementType) {
  if (auto floatType = dyn_cast<FloatType>(elementType))
    return getFloatNeutral(kind, floatType);
  return getIntegerNeutral(kind, elementType);
}

TypedAttr PaddingFact::getFill(Type elementType) const {
  switch (kind) {
  case Undefined:
    return {};
  case Zero:
    return getNeutral(ReductionKind::Sum, elementType);
  case Neutral:
    return getNeutral(reduction, elementType);
  case Lowest:
    return getNeutral(ReductionKind::Max, elementType);
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
    return fill == getNeutral(reductionKind, elementType) ||
           fill == getNeutral(ReductionKind::Sum, elementType);
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
    return PaddingFact::zero();
  case PaddingNeed::Neutral:
    return PaddingFact::neutral(reduction);
  case PaddingNeed::Lowest:
    return PaddingFact::lowest();
  }
  llvm_unreachable("unknown need");
}
