//===- Activation.cpp - Which activation a body computes -------------------===//

#include "Activation.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

#include <map>

using namespace mlir;
using namespace mlir::tp;

Value tp::getUnrounded(Value value, Type type) {
  for (;;) {
    Operation *op = value.getDefiningOp();
    bool isRounded = isa_and_nonnull<arith::TruncFOp>(op) && value.getType() == type;
    if (!isRounded && !isa_and_nonnull<arith::ExtFOp>(op))
      return value;
    value = op->getOperand(0);
  }
}

namespace {

/// The number that a constant is.
std::optional<double> getNumber(Value value) {
  APFloat number(0.0);
  if (!matchPattern(value, m_ConstantFloat(&number)))
    return std::nullopt;
  return number.convertToDouble();
}

/// Coefficients of x^i t^j by (i, j).
using Polynomial = std::map<std::pair<int, int>, double>;

constexpr int kDegree = 8;

/// What body values are in terms of x and of t, the one tanh that there is.
class Polynomials {
public:
  Polynomials(Value x, Type type) : x(x), type(type) {}

  /// Nothing where `value` is no such polynomial.
  std::optional<Polynomial> get(Value value) {
    value = getUnrounded(value, type);
    if (value == x)
      return Polynomial{{{1, 0}, 1.0}};
    if (std::optional<double> number = getNumber(value))
      return *number == 0 ? Polynomial() : Polynomial{{{0, 0}, *number}};
    Operation *op = value.getDefiningOp();
    if (!op)
      return std::nullopt;
    auto [known, isNew] = polynomials.try_emplace(value, std::nullopt);
    if (!isNew)
      return known->second;
    std::optional<Polynomial> found = compute(op);
    return polynomials[value] = found;
  }

  const Polynomial &getArgumentOfTanh() const { return argument; }

private:
  std::optional<Polynomial> compute(Operation *op) {
    return llvm::TypeSwitch<Operation *, std::optional<Polynomial>>(op)
        .Case<arith::AddFOp, arith::SubFOp, arith::MulFOp>([&](auto o) {
          std::optional<Polynomial> lhs = get(o.getLhs()), rhs = get(o.getRhs());
          if (!lhs || !rhs)
            return std::optional<Polynomial>();
          if (isa<arith::MulFOp>(op))
            return multiply(*lhs, *rhs);
          for (auto [powers, factor] : *rhs)
            (*lhs)[powers] += isa<arith::SubFOp>(op) ? -factor : factor;
          return lhs;
        })
        .Case([&](math::FPowIOp o) {
          IntegerAttr power;
          if (!matchPattern(o.getRhs(), m_Constant(&power)))
            return std::optional<Polynomial>();
          return raise(get(o.getLhs()), power.getValue().getSExtValue());
        })
        .Case([&](math::PowFOp o) {
          std::optional<double> power = getNumber(o.getRhs());
          if (!power || *power != std::floor(*power))
            return std::optional<Polynomial>();
          return raise(get(o.getLhs()), static_cast<int64_t>(*power));
        })
        .Case([&](math::TanhOp o) -> std::optional<Polynomial> {
          std::optional<Polynomial> of = get(o.getOperand());
          if (!of || (!argument.empty() && argument != *of))
            return std::nullopt;
          argument = *of;
          return Polynomial{{{0, 1}, 1.0}};
        })
        .Default([](Operation *) { return std::nullopt; });
  }

  static std::optional<Polynomial> multiply(const Polynomial &a, const Polynomial &b) {
    Polynomial product;
    for (auto [left, leftFactor] : a)
      for (auto [right, rightFactor] : b) {
        std::pair<int, int> powers = {left.first + right.first, left.second + right.second};
        if (powers.first + powers.second > kDegree)
          return std::nullopt;
        product[powers] += leftFactor * rightFactor;
      }
    return product;
  }

  static std::optional<Polynomial> raise(const std::optional<Polynomial> &base, int64_t power) {
    if (!base || power < 1 || power > kDegree)
      return std::nullopt;
    std::optional<Polynomial> product = base;
    for (int64_t i = 1; i < power && product; ++i)
      product = multiply(*product, *base);
    return product;
  }

  Value x;
  Type type;
  Polynomial argument;
  DenseMap<Value, std::optional<Polynomial>> polynomials;
};

/// Whether the coefficients are those wanted, as numbers of some format are.
bool areClose(const Polynomial &found, const Polynomial &wanted, double tolerance) {
  return found.size() == wanted.size() &&
         llvm::all_of(wanted, [&](const std::pair<const std::pair<int, int>, double> &term) {
           auto other = found.find(term.first);
           return other != found.end() &&
                  std::abs(other->second - term.second) <= tolerance * std::abs(term.second);
         });
}

/// Whether `y` is max(x, 0) in one of its forms. In some NaN gives 0.
bool isRelu(Value x, Value y, Type type) {
  auto isX = [&](Value value) { return getUnrounded(value, type) == x; };
  auto isZero = [&](Value value) { return matchPattern(value, m_AnyZeroFloat()); };
  Operation *op = y.getDefiningOp();
  if (isa_and_nonnull<arith::MaximumFOp, arith::MaxNumFOp>(op)) {
    Value a = op->getOperand(0), b = op->getOperand(1);
    return (isX(a) && isZero(b)) || (isX(b) && isZero(a));
  }
  auto select = dyn_cast_or_null<arith::SelectOp>(op);
  auto compare = select ? select.getCondition().getDefiningOp<arith::CmpFOp>() : nullptr;
  if (!compare || !isX(compare.getLhs()) || !isZero(compare.getRhs()))
    return false;
  switch (compare.getPredicate()) {
  case arith::CmpFPredicate::OGT:
  case arith::CmpFPredicate::OGE:
  case arith::CmpFPredicate::UGT:
  case arith::CmpFPredicate::UGE:
    return isX(select.getTrueValue()) && isZero(select.getFalseValue());
  case arith::CmpFPredicate::OLT:
  case arith::CmpFPredicate::OLE:
  case arith::CmpFPredicate::ULT:
  case arith::CmpFPredicate::ULE:
    return isZero(select.getTrueValue()) && isX(select.getFalseValue());
  default:
    return false;
  }
}

} // namespace

std::optional<rt::Activation> tp::findActivation(Value x, Value y, Type type) {
  x = getUnrounded(x, type);
  y = getUnrounded(y, type);
  if (y == x)
    return rt::Activation::None;
  if (isRelu(x, y, type))
    return rt::Activation::Relu;
  Polynomials polynomials(x, type);
  std::optional<Polynomial> result = polynomials.get(y);
  if (!result)
    return std::nullopt;
  // Constants are rounded to the type that is computed in.
  double tolerance = y.getType().isBF16() ? 0x1p-6 : y.getType().isF16() ? 0x1p-9 : 1e-6;
  const double scale = std::sqrt(2 / M_PI);
  if (areClose(*result, {{{1, 0}, 0.5}, {{1, 1}, 0.5}}, tolerance) &&
      areClose(polynomials.getArgumentOfTanh(), {{{1, 0}, scale}, {{3, 0}, scale * 0.044715}},
               tolerance))
    return rt::Activation::GeluTanh;
  return std::nullopt;
}
