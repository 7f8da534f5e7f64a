//===- MathOps.cpp - The math dialect on single elements -------------------===//

#include "ScalarOps.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APInt.h"
#include "llvm/ADT/TypeSwitch.h"
#include <cmath>

using namespace mlir;
using namespace mlir::tp;
using namespace mlir::tp::interp;
using llvm::APFloat;
using llvm::APInt;

using DoubleFunction = double (*)(double);

static DoubleFunction getLibraryFunction(Operation *op) {
  using F = DoubleFunction;
  return llvm::TypeSwitch<Operation *, F>(op)
      .Case([](math::AbsFOp) -> F { return std::fabs; })
      .Case([](math::AcosOp) -> F { return std::acos; })
      .Case([](math::AcoshOp) -> F { return std::acosh; })
      .Case([](math::AsinOp) -> F { return std::asin; })
      .Case([](math::AsinhOp) -> F { return std::asinh; })
      .Case([](math::AtanOp) -> F { return std::atan; })
      .Case([](math::AtanhOp) -> F { return std::atanh; })
      .Case([](math::CbrtOp) -> F { return std::cbrt; })
      .Case([](math::CeilOp) -> F { return std::ceil; })
      .Case([](math::CosOp) -> F { return std::cos; })
      .Case([](math::CoshOp) -> F { return std::cosh; })
      .Case([](math::ErfOp) -> F { return std::erf; })
      .Case([](math::ErfcOp) -> F { return std::erfc; })
      .Case([](math::ExpOp) -> F { return std::exp; })
      .Case([](math::Exp2Op) -> F { return std::exp2; })
      .Case([](math::ExpM1Op) -> F { return std::expm1; })
      .Case([](math::FloorOp) -> F { return std::floor; })
      .Case([](math::LogOp) -> F { return std::log; })
      .Case([](math::Log10Op) -> F { return std::log10; })
      .Case([](math::Log1pOp) -> F { return std::log1p; })
      .Case([](math::Log2Op) -> F { return std::log2; })
      .Case([](math::RoundOp) -> F { return std::round; })
      .Case([](math::RoundEvenOp) -> F {
        return [](double x) {
          APFloat value(x);
          value.roundToIntegral(APFloat::rmNearestTiesToEven);
          return value.convertToDouble();
        };
      })
      .Case([](math::RsqrtOp) -> F { return [](double x) { return 1 / std::sqrt(x); }; })
      .Case([](math::SinOp) -> F { return std::sin; })
      .Case([](math::SinhOp) -> F { return std::sinh; })
      .Case([](math::SqrtOp) -> F { return std::sqrt; })
      .Case([](math::TanOp) -> F { return std::tan; })
      .Case([](math::TanhOp) -> F { return std::tanh; })
      .Case([](math::TruncOp) -> F { return std::trunc; })
      .Default([](Operation *) -> F { return nullptr; });
}

static ScalarFunction test(bool (*predicate)(const APFloat &), FloatType type) {
  return [=](const Element *in, Element *out) -> const char * {
    out->i = predicate(toAPFloat(type, in->f));
    return nullptr;
  };
}

static ScalarFunction getFloatFunction(Operation *op, FloatType type) {
  using F = ScalarFunction;
  if (DoubleFunction function = getLibraryFunction(op))
    return onFloats1(type, function);
  return llvm::TypeSwitch<Operation *, F>(op)
      .Case([&](math::Atan2Op) {
        return onFloats2(type, [](double a, double b) { return std::atan2(a, b); });
      })
      .Case([&](math::CopySignOp) {
        return onFloats2(type, [](double a, double b) { return std::copysign(a, b); });
      })
      .Case([&](math::PowFOp) {
        return onFloats2(type, [](double a, double b) { return std::pow(a, b); });
      })
      .Case([&](math::FPowIOp) {
        return F([type](const Element *in, Element *out) -> const char * {
          out->f = roundTo(type, std::pow(in[0].f, static_cast<double>(in[1].i)));
          return nullptr;
        });
      })
      .Case([&](math::ClampFOp) {
        return F([type](const Element *in, Element *out) -> const char * {
          Element low = combine(ReductionKind::Max, type, in[0], in[1]);
          *out = combine(ReductionKind::Min, type, low, in[2]);
          return nullptr;
        });
      })
      .Case([&](math::FmaOp) {
        return F([type](const Element *in, Element *out) -> const char * {
          APFloat value = toAPFloat(type, in[0].f);
          value.fusedMultiplyAdd(toAPFloat(type, in[1].f), toAPFloat(type, in[2].f),
                                 APFloat::rmNearestTiesToEven);
          out->f = fromAPFloat(type, value);
          return nullptr;
        });
      })
      .Case([&](math::SincosOp) {
        return F([type](const Element *in, Element *out) -> const char * {
          out[0].f = roundTo(type, std::sin(in->f));
          out[1].f = roundTo(type, std::cos(in->f));
          return nullptr;
        });
      })
      .Case([&](math::IsFiniteOp) {
        return test([](const APFloat &x) { return x.isFinite(); }, type);
      })
      .Case([&](math::IsInfOp) {
        return test([](const APFloat &x) { return x.isInfinity(); }, type);
      })
      .Case([&](math::IsNaNOp) { return test([](const APFloat &x) { return x.isNaN(); }, type); })
      .Case([&](math::IsNormalOp) {
        return test([](const APFloat &x) { return x.isNormal(); }, type);
      })
      .Default([](Operation *) { return F(); });
}

/// base^exponent modulo 2^width; a negative exponent gives the integer part of
/// the quotient, and nothing for a base of 0.
static const char *integerPower(Type type, const Element *in, Element *out) {
  APInt base = toAPInt(type, in[0].i), exponent = toAPInt(type, in[1].i);
  APInt one(base.getBitWidth(), 1), result = one;
  if (exponent.isNegative()) {
    if (base.isZero())
      return "0 to a negative power";
    bool isUnit = base.isOne() || base.isAllOnes();
    result = !isUnit ? APInt(base.getBitWidth(), 0) : (exponent[0] ? base : one);
  } else {
    for (; !exponent.isZero(); exponent = exponent.lshr(1), base *= base)
      if (exponent[0])
        result *= base;
  }
  out->i = fromAPInt(type, result);
  return nullptr;
}

static ScalarFunction getIntFunction(Operation *op, Type type) {
  using F = ScalarFunction;
  using I = const APInt &;
  unsigned width = getElementWidth(type);
  return llvm::TypeSwitch<Operation *, F>(op)
      .Case([&](math::AbsIOp) { return onInts1(type, [](I a) { return a.abs(); }); })
      .Case([&](math::CountLeadingZerosOp) {
        return onInts1(type, [=](I a) { return APInt(64, a.countl_zero()).zextOrTrunc(width); });
      })
      .Case([&](math::CountTrailingZerosOp) {
        return onInts1(type, [=](I a) { return APInt(64, a.countr_zero()).zextOrTrunc(width); });
      })
      .Case([&](math::CtPopOp) {
        return onInts1(type, [=](I a) { return APInt(64, a.popcount()).zextOrTrunc(width); });
      })
      .Case([&](math::IPowIOp) {
        return F([type](const Element *in, Element *out) { return integerPower(type, in, out); });
      })
      .Default([](Operation *) { return F(); });
}

ScalarFunction interp::getMathFunction(Operation *op) {
  Type type = elementTypeOf(op->getOperand(0));
  if (auto floating = dyn_cast<FloatType>(type))
    return getFloatFunction(op, floating);
  return getIntFunction(op, type);
}
