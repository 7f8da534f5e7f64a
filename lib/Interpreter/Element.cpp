//===- Element.cpp - Rounding, poison and reductions of single elements ---===//

#include "tp/Interpreter/Tensor.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APInt.h"
#include "llvm/ADT/SmallString.h"
#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::tp;
using namespace mlir::tp::interp;
using llvm::APFloat;
using llvm::APInt;

bool interp::isSupportedElementType(Type type) {
  if (auto floating = dyn_cast<FloatType>(type))
    return floating.getWidth() <= 64;
  if (auto integer = dyn_cast<IntegerType>(type))
    return integer.isSignless() && integer.getWidth() >= 1 && integer.getWidth() <= 64;
  return isa<IndexType>(type);
}

bool interp::isSupportedType(Type type) {
  return (!isa<ShapedType>(type) || isa<RankedTensorType>(type)) &&
         isSupportedElementType(getElementTypeOrSelf(type));
}

unsigned interp::getElementWidth(Type type) {
  return isa<IndexType>(type) ? 64 : type.getIntOrFloatBitWidth();
}

double interp::roundTo(FloatType type, double value) {
  if (type.isF64())
    return value;
  if (type.isF32())
    return static_cast<float>(value);
  return fromAPFloat(type, APFloat(value));
}

int64_t interp::wrapTo(Type type, int64_t value) {
  unsigned width = getElementWidth(type);
  if (width == 1)
    return value & 1;
  unsigned shift = 64 - width;
  return static_cast<int64_t>(static_cast<uint64_t>(value) << shift) >> shift;
}

uint64_t interp::zeroExtend(Type type, int64_t value) {
  unsigned shift = 64 - getElementWidth(type);
  return static_cast<uint64_t>(value) << shift >> shift;
}

APFloat interp::toAPFloat(FloatType type, double value) {
  APFloat result(value);
  bool losesInfo;
  result.convert(type.getFloatSemantics(), APFloat::rmNearestTiesToEven, &losesInfo);
  return result;
}

double interp::fromAPFloat(FloatType type, APFloat value) {
  bool losesInfo;
  value.convert(type.getFloatSemantics(), APFloat::rmNearestTiesToEven, &losesInfo);
  value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &losesInfo);
  return value.convertToDouble();
}

APInt interp::toAPInt(Type type, int64_t value) {
  return APInt(getElementWidth(type), zeroExtend(type, value));
}

int64_t interp::fromAPInt(Type type, const APInt &value) {
  return wrapTo(type, static_cast<int64_t>(value.getZExtValue()));
}

Element interp::fromAttribute(Type type, Attribute value) {
  if (auto floating = dyn_cast<FloatType>(type))
    return Element::ofFloat(fromAPFloat(floating, cast<FloatAttr>(value).getValue()));
  return Element::ofInt(fromAPInt(type, cast<IntegerAttr>(value).getValue()));
}

Element interp::getPoison(Type type) {
  if (isa<FloatType>(type))
    return Element::ofFloat(std::numeric_limits<double>::quiet_NaN());
  return Element::ofInt(wrapTo(type, static_cast<int64_t>(0xA5A5A5A5A5A5A5A5ull)));
}

/// Smallest and largest signed value; an i1 of 1 is -1.
static int64_t signedMin(Type type) {
  return fromAPInt(type, APInt::getSignedMinValue(getElementWidth(type)));
}
static int64_t signedMax(Type type) {
  return fromAPInt(type, APInt::getSignedMaxValue(getElementWidth(type)));
}

Element interp::getNeutral(ReductionKind kind, Type type) {
  double infinity = std::numeric_limits<double>::infinity();
  bool isFloat = isa<FloatType>(type);
  switch (kind) {
  case ReductionKind::Sum:
  case ReductionKind::MaxU:
  case ReductionKind::Or:
  case ReductionKind::Xor:
    return Element::ofInt(0); // also the bits of 0.0
  case ReductionKind::Mul:
    return isFloat ? Element::ofFloat(1) : Element::ofInt(1);
  case ReductionKind::Max:
    return isFloat ? Element::ofFloat(-infinity) : Element::ofInt(signedMin(type));
  case ReductionKind::Min:
    return isFloat ? Element::ofFloat(infinity) : Element::ofInt(signedMax(type));
  case ReductionKind::MinU:
  case ReductionKind::And:
    return Element::ofInt(wrapTo(type, -1));
  case ReductionKind::MaxNum:
  case ReductionKind::MinNum:
    return Element::ofFloat(std::numeric_limits<double>::quiet_NaN());
  }
  llvm_unreachable("all kinds are handled");
}

static double combineFloats(ReductionKind kind, double a, double b) {
  switch (kind) {
  case ReductionKind::Sum:
    return a + b;
  case ReductionKind::Mul:
    return a * b;
  case ReductionKind::Max:
    return llvm::maximum(APFloat(a), APFloat(b)).convertToDouble();
  case ReductionKind::Min:
    return llvm::minimum(APFloat(a), APFloat(b)).convertToDouble();
  case ReductionKind::MaxNum:
    return llvm::maxnum(APFloat(a), APFloat(b)).convertToDouble();
  case ReductionKind::MinNum:
    return llvm::minnum(APFloat(a), APFloat(b)).convertToDouble();
  default:
    llvm_unreachable("kind does not apply to floats");
  }
}

static APInt combineInts(ReductionKind kind, const APInt &a, const APInt &b) {
  switch (kind) {
  case ReductionKind::Sum:
    return a + b;
  case ReductionKind::Mul:
    return a * b;
  case ReductionKind::Max:
    return llvm::APIntOps::smax(a, b);
  case ReductionKind::Min:
    return llvm::APIntOps::smin(a, b);
  case ReductionKind::MaxU:
    return llvm::APIntOps::umax(a, b);
  case ReductionKind::MinU:
    return llvm::APIntOps::umin(a, b);
  case ReductionKind::And:
    return a & b;
  case ReductionKind::Or:
    return a | b;
  case ReductionKind::Xor:
    return a ^ b;
  default:
    llvm_unreachable("kind does not apply to integers");
  }
}

Element interp::combine(ReductionKind kind, Type type, Element a, Element b) {
  if (auto floating = dyn_cast<FloatType>(type))
    return Element::ofFloat(roundTo(floating, combineFloats(kind, a.f, b.f)));
  return Element::ofInt(fromAPInt(type, combineInts(kind, toAPInt(type, a.i), toAPInt(type, b.i))));
}

bool interp::isSame(Type type, Element a, Element b) {
  if (a.i == b.i)
    return true;
  return isa<FloatType>(type) && std::isnan(a.f) && std::isnan(b.f);
}

std::string interp::toString(Type type, Element value) {
  if (auto floating = dyn_cast<FloatType>(type)) {
    if (std::isnan(value.f))
      return "nan";
    if (std::isinf(value.f))
      return value.f < 0 ? "-inf" : "inf";
    llvm::SmallString<24> text;
    toAPFloat(floating, value.f).toString(text);
    return text.str().str();
  }
  if (type.isInteger(1))
    return value.i ? "true" : "false";
  return std::to_string(value.i);
}
