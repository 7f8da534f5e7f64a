//===- ArithOps.cpp - The arith dialect on single elements -----------------===//

#include "ScalarOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APInt.h"
#include "llvm/ADT/APSInt.h"
#include "llvm/ADT/TypeSwitch.h"
#include <cmath>

using namespace mlir;
using namespace mlir::tp;
using namespace mlir::tp::interp;
using llvm::APFloat;
using llvm::APInt;

/// Integer division in its variants; undefined cases are reported.
template <typename F> static ScalarFunction division(Type type, bool isSigned, F f) {
  return [=](const Element *in, Element *out) -> const char * {
    APInt a = toAPInt(type, in[0].i), b = toAPInt(type, in[1].i);
    if (b.isZero())
      return "division by zero";
    if (isSigned && a.isMinSignedValue() && b.isAllOnes())
      return "division overflows";
    out->i = fromAPInt(type, f(a, b));
    return nullptr;
  };
}

/// Shifts by the width or more give poison in MLIR, often behind a select; here
/// they shift everything out.
template <typename F> static ScalarFunction shift(Type type, F f) {
  return onInts2(type, [f](const APInt &a, const APInt &b) {
    return f(a, static_cast<unsigned>(b.getLimitedValue(a.getBitWidth())));
  });
}

/// Low half, then high half of the double-width product, or sum and carry.
template <typename F> static ScalarFunction extended(Type type, Type second, F f) {
  return [=](const Element *in, Element *out) -> const char * {
    auto [low, high] = f(toAPInt(type, in[0].i), toAPInt(type, in[1].i));
    out[0].i = fromAPInt(type, low);
    out[1].i = fromAPInt(second, high);
    return nullptr;
  };
}

static std::pair<APInt, APInt> mulExtended(const APInt &a, const APInt &b, bool isSigned) {
  unsigned width = a.getBitWidth();
  auto widen = [&](const APInt &x) { return isSigned ? x.sext(2 * width) : x.zext(2 * width); };
  APInt product = widen(a) * widen(b);
  return {product.trunc(width), product.extractBits(width, width)};
}

static bool compareInts(arith::CmpIPredicate predicate, const APInt &a, const APInt &b) {
  switch (predicate) {
  case arith::CmpIPredicate::eq:
    return a == b;
  case arith::CmpIPredicate::ne:
    return a != b;
  case arith::CmpIPredicate::slt:
    return a.slt(b);
  case arith::CmpIPredicate::sle:
    return a.sle(b);
  case arith::CmpIPredicate::sgt:
    return a.sgt(b);
  case arith::CmpIPredicate::sge:
    return a.sge(b);
  case arith::CmpIPredicate::ult:
    return a.ult(b);
  case arith::CmpIPredicate::ule:
    return a.ule(b);
  case arith::CmpIPredicate::ugt:
    return a.ugt(b);
  case arith::CmpIPredicate::uge:
    return a.uge(b);
  }
  llvm_unreachable("all predicates are handled");
}

static bool compareFloats(arith::CmpFPredicate predicate, double a, double b) {
  bool unordered = std::isnan(a) || std::isnan(b);
  switch (predicate) {
  case arith::CmpFPredicate::AlwaysFalse:
    return false;
  case arith::CmpFPredicate::AlwaysTrue:
    return true;
  case arith::CmpFPredicate::ORD:
    return !unordered;
  case arith::CmpFPredicate::UNO:
    return unordered;
  case arith::CmpFPredicate::OEQ:
    return a == b;
  case arith::CmpFPredicate::UEQ:
    return unordered || a == b;
  case arith::CmpFPredicate::ONE:
    return !unordered && a != b;
  case arith::CmpFPredicate::UNE:
    return unordered || a != b;
  case arith::CmpFPredicate::OLT:
    return a < b;
  case arith::CmpFPredicate::ULT:
    return unordered || a < b;
  case arith::CmpFPredicate::OLE:
    return a <= b;
  case arith::CmpFPredicate::ULE:
    return unordered || a <= b;
  case arith::CmpFPredicate::OGT:
    return a > b;
  case arith::CmpFPredicate::UGT:
    return unordered || a > b;
  case arith::CmpFPredicate::OGE:
    return a >= b;
  case arith::CmpFPredicate::UGE:
    return unordered || a >= b;
  }
  llvm_unreachable("all predicates are handled");
}

static ScalarFunction intToFloat(Type from, FloatType to, bool isSigned) {
  return [=](const Element *in, Element *out) -> const char * {
    APFloat value(to.getFloatSemantics());
    value.convertFromAPInt(toAPInt(from, in[0].i), isSigned, APFloat::rmNearestTiesToEven);
    out->f = fromAPFloat(to, value);
    return nullptr;
  };
}

/// Out of range is poison in MLIR; here it saturates, NaN gives 0.
static ScalarFunction floatToInt(Type to, bool isSigned) {
  return [=](const Element *in, Element *out) -> const char * {
    llvm::APSInt value(getElementWidth(to), /*isUnsigned=*/!isSigned);
    bool isExact;
    APFloat(in[0].f).convertToInteger(value, APFloat::rmTowardZero, &isExact);
    out->i = fromAPInt(to, value);
    return nullptr;
  };
}

static ScalarFunction bitcast(Type from, Type to) {
  return [=](const Element *in, Element *out) -> const char * {
    auto fromFloat = dyn_cast<FloatType>(from), toFloat = dyn_cast<FloatType>(to);
    APInt bits = fromFloat ? toAPFloat(fromFloat, in->f).bitcastToAPInt() : toAPInt(from, in->i);
    if (toFloat)
      out->f = fromAPFloat(toFloat, APFloat(toFloat.getFloatSemantics(), bits));
    else
      out->i = fromAPInt(to, bits);
    return nullptr;
  };
}

/// Between integers and index of any width.
static ScalarFunction resize(Type from, Type to, bool isSigned) {
  return [=](const Element *in, Element *out) -> const char * {
    APInt bits = toAPInt(from, in->i);
    unsigned width = getElementWidth(to);
    out->i = fromAPInt(to, isSigned ? bits.sextOrTrunc(width) : bits.zextOrTrunc(width));
    return nullptr;
  };
}

/// The ops that are also reductions.
static std::optional<ReductionKind> getReductionKind(Operation *op) {
  using Kind = std::optional<ReductionKind>;
  return llvm::TypeSwitch<Operation *, Kind>(op)
      .Case<arith::AddFOp, arith::AddIOp>([](auto) { return ReductionKind::Sum; })
      .Case<arith::MulFOp, arith::MulIOp>([](auto) { return ReductionKind::Mul; })
      .Case<arith::MaximumFOp, arith::MaxSIOp>([](auto) { return ReductionKind::Max; })
      .Case<arith::MinimumFOp, arith::MinSIOp>([](auto) { return ReductionKind::Min; })
      .Case<arith::MaxUIOp>([](auto) { return ReductionKind::MaxU; })
      .Case<arith::MinUIOp>([](auto) { return ReductionKind::MinU; })
      .Case<arith::MaxNumFOp>([](auto) { return ReductionKind::MaxNum; })
      .Case<arith::MinNumFOp>([](auto) { return ReductionKind::MinNum; })
      .Case<arith::AndIOp>([](auto) { return ReductionKind::And; })
      .Case<arith::OrIOp>([](auto) { return ReductionKind::Or; })
      .Case<arith::XOrIOp>([](auto) { return ReductionKind::Xor; })
      .Default([](Operation *) { return std::nullopt; });
}

static ScalarFunction getFloatFunction(Operation *op, FloatType type) {
  using F = ScalarFunction;
  return llvm::TypeSwitch<Operation *, F>(op)
      .Case([&](arith::SubFOp) { return onFloats2(type, std::minus<double>()); })
      .Case(
          [&](arith::DivFOp) { return onFloats2(type, [](double a, double b) { return a / b; }); })
      .Case([&](arith::RemFOp) {
        return onFloats2(type, [](double a, double b) { return std::fmod(a, b); });
      })
      .Case([&](arith::NegFOp) { return onFloats1(type, std::negate<double>()); })
      .Default([](Operation *) { return F(); });
}

static ScalarFunction getIntFunction(Operation *op, Type type) {
  using F = ScalarFunction;
  using I = const APInt &;
  return llvm::TypeSwitch<Operation *, F>(op)
      .Case([&](arith::SubIOp) { return onInts2(type, std::minus<APInt>()); })
      .Case(
          [&](arith::DivSIOp) { return division(type, true, [](I a, I b) { return a.sdiv(b); }); })
      .Case(
          [&](arith::DivUIOp) { return division(type, false, [](I a, I b) { return a.udiv(b); }); })
      .Case([&](arith::CeilDivSIOp) {
        return division(type, true, [](I a, I b) {
          return llvm::APIntOps::RoundingSDiv(a, b, APInt::Rounding::UP);
        });
      })
      .Case([&](arith::CeilDivUIOp) {
        return division(type, false, [](I a, I b) {
          return llvm::APIntOps::RoundingUDiv(a, b, APInt::Rounding::UP);
        });
      })
      .Case([&](arith::FloorDivSIOp) {
        return division(type, true, [](I a, I b) {
          return llvm::APIntOps::RoundingSDiv(a, b, APInt::Rounding::DOWN);
        });
      })
      .Case(
          [&](arith::RemSIOp) { return division(type, true, [](I a, I b) { return a.srem(b); }); })
      .Case(
          [&](arith::RemUIOp) { return division(type, false, [](I a, I b) { return a.urem(b); }); })
      .Case([&](arith::ShLIOp) { return shift(type, [](I a, unsigned n) { return a.shl(n); }); })
      .Case([&](arith::ShRSIOp) { return shift(type, [](I a, unsigned n) { return a.ashr(n); }); })
      .Case([&](arith::ShRUIOp) { return shift(type, [](I a, unsigned n) { return a.lshr(n); }); })
      .Case([&](arith::AddUIExtendedOp add) {
        return extended(type, elementTypeOf(add.getOverflow()), [](I a, I b) {
          APInt sum = a + b;
          return std::make_pair(sum, APInt(1, sum.ult(a)));
        });
      })
      .Case([&](arith::MulSIExtendedOp) {
        return extended(type, type, [](I a, I b) { return mulExtended(a, b, true); });
      })
      .Case([&](arith::MulUIExtendedOp) {
        return extended(type, type, [](I a, I b) { return mulExtended(a, b, false); });
      })
      .Default([](Operation *) { return F(); });
}

static ScalarFunction getConversion(Operation *op, Type from, Type to) {
  using F = ScalarFunction;
  // Only the default rounding, to nearest with ties to even, is known.
  auto convert = [&](auto rounding) {
    auto type = cast<FloatType>(to);
    if (rounding && *rounding != arith::RoundingMode::to_nearest_even)
      return F();
    return F([type](const Element *in, Element *out) -> const char * {
      out->f = roundTo(type, in->f);
      return nullptr;
    });
  };
  return llvm::TypeSwitch<Operation *, F>(op)
      .Case([&](arith::TruncFOp op) { return convert(op.getRoundingmode()); })
      .Case([&](arith::ExtFOp) { return convert(std::optional<arith::RoundingMode>()); })
      .Case<arith::ExtSIOp, arith::TruncIOp, arith::IndexCastOp>(
          [&](auto) { return resize(from, to, /*isSigned=*/true); })
      .Case<arith::ExtUIOp, arith::IndexCastUIOp>(
          [&](auto) { return resize(from, to, /*isSigned=*/false); })
      .Case([&](arith::SIToFPOp) { return intToFloat(from, cast<FloatType>(to), true); })
      .Case([&](arith::UIToFPOp) { return intToFloat(from, cast<FloatType>(to), false); })
      .Case([&](arith::FPToSIOp) { return floatToInt(to, /*isSigned=*/true); })
      .Case([&](arith::FPToUIOp) { return floatToInt(to, /*isSigned=*/false); })
      .Case<arith::BitcastOp, tensor::BitcastOp>([&](auto) { return bitcast(from, to); })
      .Default([](Operation *) { return F(); });
}

ScalarFunction interp::getArithFunction(Operation *op) {
  if (op->getNumOperands() == 0)
    return nullptr;
  Type type = elementTypeOf(op->getOperand(0));
  if (auto compare = dyn_cast<arith::CmpIOp>(op))
    return [type, predicate = compare.getPredicate()](const Element *in,
                                                      Element *out) -> const char * {
      out->i = compareInts(predicate, toAPInt(type, in[0].i), toAPInt(type, in[1].i));
      return nullptr;
    };
  if (auto compare = dyn_cast<arith::CmpFOp>(op))
    return [predicate = compare.getPredicate()](const Element *in, Element *out) -> const char * {
      out->i = compareFloats(predicate, in[0].f, in[1].f);
      return nullptr;
    };
  if (isa<arith::SelectOp>(op))
    return [](const Element *in, Element *out) -> const char * {
      *out = in[0].i ? in[1] : in[2];
      return nullptr;
    };
  if (std::optional<ReductionKind> kind = getReductionKind(op))
    return [type, kind = *kind](const Element *in, Element *out) -> const char * {
      *out = combine(kind, type, in[0], in[1]);
      return nullptr;
    };
  if (ScalarFunction conversion = getConversion(op, type, elementTypeOf(op->getResult(0))))
    return conversion;
  if (auto floating = dyn_cast<FloatType>(type))
    return getFloatFunction(op, floating);
  return getIntFunction(op, type);
}
