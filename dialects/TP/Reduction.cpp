//===- Reduction.cpp - Neutral elements ------------------------------------===//

#include "dialects/TP/TP.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::tp;

TypedAttr tp::getNeutralElement(ReductionKind kind, Type type) {
  Builder builder(type.getContext());
  if (auto floatType = dyn_cast<FloatType>(type)) {
    const llvm::fltSemantics &semantics = floatType.getFloatSemantics();
    switch (kind) {
    case ReductionKind::Sum:
      // -0 + x = x for every x, +0 + -0 = +0: the difference never shows in comparisons.
      return builder.getFloatAttr(floatType, APFloat::getZero(semantics));
    case ReductionKind::Mul:
      return builder.getFloatAttr(floatType, APFloat::getOne(semantics));
    case ReductionKind::Max:
      return builder.getFloatAttr(floatType, APFloat::getInf(semantics, /*Negative=*/true));
    case ReductionKind::Min:
      return builder.getFloatAttr(floatType, APFloat::getInf(semantics));
    case ReductionKind::MaxNum:
    case ReductionKind::MinNum:
      // The other operand wins over NaN.
      return builder.getFloatAttr(floatType, APFloat::getNaN(semantics));
    default:
      return {};
    }
  }
  if (!type.isIntOrIndex())
    return {};
  unsigned width = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  switch (kind) {
  case ReductionKind::Sum:
  case ReductionKind::MaxU:
  case ReductionKind::Or:
  case ReductionKind::Xor:
    return builder.getIntegerAttr(type, APInt::getZero(width));
  case ReductionKind::Mul:
    return builder.getIntegerAttr(type, APInt(width, 1));
  case ReductionKind::Max:
    return builder.getIntegerAttr(type, APInt::getSignedMinValue(width));
  case ReductionKind::Min:
    return builder.getIntegerAttr(type, APInt::getSignedMaxValue(width));
  case ReductionKind::MinU:
  case ReductionKind::And:
    return builder.getIntegerAttr(type, APInt::getAllOnes(width));
  default:
    return {};
  }
}
