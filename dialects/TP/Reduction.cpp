//===- Reduction.cpp - Neutral elements ------------------------------------===//

#include "dialects/TP/TP.h"

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

TypedAttr tp::getNeutralElement(ReductionKind kind, Type elementType) {
  if (auto floatType = dyn_cast<FloatType>(elementType))
    return getFloatNeutral(kind, floatType);
  return getIntegerNeutral(kind, elementType);
}
