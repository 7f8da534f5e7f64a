//===- IndexExpressions.cpp ------------------------------------------------===//

#include "IndexExpressions.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::tp;

std::optional<AffineExpr> IndexExpressions::get(Value value) {
  auto it = known.find(value);
  if (it != known.end())
    return it->second;
  std::optional<AffineExpr> expr = compute(value);
  if (expr)
    expr = simplifyAffineExpr(*expr, getLoopSizes().size(), symbols.size());
  known[value] = expr;
  return expr;
}

static std::optional<IndexInterval>
makeInterval(std::initializer_list<std::optional<int64_t>> ends) {
  IndexInterval interval{INT64_MAX, INT64_MIN};
  for (std::optional<int64_t> end : ends) {
    if (!end)
      return std::nullopt;
    interval.low = std::min(interval.low, *end);
    interval.high = std::max(interval.high, *end);
  }
  return interval;
}

static std::optional<int64_t> add(int64_t a, int64_t b) {
  int64_t sum;
  return llvm::AddOverflow(a, b, sum) ? std::nullopt : std::optional(sum);
}

static std::optional<int64_t> multiply(int64_t a, int64_t b) {
  int64_t product;
  return llvm::MulOverflow(a, b, product) ? std::nullopt : std::optional(product);
}

std::optional<IndexInterval> IndexExpressions::getRange(AffineExpr expr) const {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return IndexInterval{constant.getValue(), constant.getValue()};
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return IndexInterval{0, std::max<int64_t>(getLoopSizes()[dim.getPosition()] - 1, 0)};
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return std::nullopt;
  std::optional<IndexInterval> a = getRange(binary.getLHS()), b = getRange(binary.getRHS());
  if (!a || !b)
    return std::nullopt;
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return makeInterval({add(a->low, b->low), add(a->high, b->high)});
  case AffineExprKind::Mul:
    return makeInterval({multiply(a->low, b->low), multiply(a->low, b->high),
                         multiply(a->high, b->low), multiply(a->high, b->high)});
  case AffineExprKind::Mod:
    return b->low > 0 ? std::optional(IndexInterval{0, b->high - 1}) : std::nullopt;
  case AffineExprKind::FloorDiv:
    if (b->low != b->high || b->low < 1)
      return std::nullopt;
    return IndexInterval{llvm::divideFloorSigned(a->low, b->low),
                         llvm::divideFloorSigned(a->high, b->low)};
  default:
    return std::nullopt;
  }
}

std::optional<LinearIndex> IndexExpressions::getLinear(AffineExpr expr) const {
  LinearIndex linear;
  if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
    linear.offset = constant.getValue();
    return linear;
  }
  if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
    linear.loop = dim.getPosition();
    linear.scale = 1;
    return linear;
  }
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return std::nullopt;
  std::optional<LinearIndex> a = getLinear(binary.getLHS()), b = getLinear(binary.getRHS());
  if (!a || !b)
    return std::nullopt;
  if (expr.getKind() == AffineExprKind::Mul && !b->loop)
    return LinearIndex{a->loop, a->scale * b->offset, a->offset * b->offset};
  if (expr.getKind() != AffineExprKind::Add || (a->loop && b->loop && *a->loop != *b->loop))
    return std::nullopt;
  return LinearIndex{a->loop ? a->loop : b->loop, a->scale + b->scale, a->offset + b->offset};
}

bool IndexExpressions::fits(AffineExpr expr, Type type) const {
  if (type.isIndex())
    return true;
  unsigned width = type.getIntOrFloatBitWidth();
  std::optional<IndexInterval> range = getRange(expr);
  return range && range->isWithin(llvm::minIntN(width), llvm::maxIntN(width));
}

std::optional<AffineExpr> IndexExpressions::compute(Value value) {
  MLIRContext *context = value.getContext();
  Type type = value.getType();
  if (!type.isIntOrIndex() || (type.isInteger() && type.getIntOrFloatBitWidth() > 64))
    return std::nullopt;
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return getAffineConstantExpr(constant.getSExtValue(), context);
  if (!op->isAncestor(value.getParentBlock()->getParentOp())) {
    auto it = llvm::find(symbols, value);
    unsigned position = it - symbols.begin();
    if (it == symbols.end())
      symbols.push_back(value);
    return getAffineSymbolExpr(position, context);
  }
  Operation *def = value.getDefiningOp();
  if (!def)
    return std::nullopt;
  if (auto index = dyn_cast<linalg::IndexOp>(def)) {
    if (getLoopSizes()[index.getDim()] == 1)
      return getAffineConstantExpr(0, context);
    return getAffineDimExpr(index.getDim(), context);
  }
  if (def->getNumOperands() == 0 || def->getNumOperands() > 2 || def->getNumRegions() != 0)
    return std::nullopt;
  SmallVector<AffineExpr, 2> operands;
  for (Value operand : def->getOperands()) {
    std::optional<AffineExpr> expr = get(operand);
    if (!expr)
      return std::nullopt;
    operands.push_back(*expr);
  }
  AffineExpr a = operands.front(), b = operands.back();
  std::optional<IndexInterval> rangeA = getRange(a), rangeB = getRange(b);
  auto checked = [&](AffineExpr expr) {
    return fits(expr, type) ? std::optional(expr) : std::nullopt;
  };
  auto isPositiveConstant = [&] {
    return rangeB && rangeB->low == rangeB->high && rangeB->low > 0;
  };
  auto divided = [&](bool remainder) -> std::optional<AffineExpr> {
    if (!rangeA || rangeA->low < 0 || !isPositiveConstant())
      return std::nullopt;
    if (rangeA->high < rangeB->low)
      return remainder ? a : getAffineConstantExpr(0, context);
    return remainder ? a % b : a.floorDiv(b);
  };
  auto larger = [&](bool wantsLarger) -> std::optional<AffineExpr> {
    if (!rangeA || !rangeB)
      return std::nullopt;
    if (rangeA->low >= rangeB->high)
      return wantsLarger ? a : b;
    if (rangeB->low >= rangeA->high)
      return wantsLarger ? b : a;
    return std::nullopt;
  };
  auto areNatural = [&] { return rangeA && rangeB && rangeA->low >= 0 && rangeB->low >= 0; };
  using Result = std::optional<AffineExpr>;
  return llvm::TypeSwitch<Operation *, Result>(def)
      .Case<arith::AddIOp>([&](auto) { return checked(a + b); })
      .Case<arith::SubIOp>([&](auto) { return checked(a - b); })
      .Case<arith::MulIOp>([&](auto) -> Result {
        return a.isSymbolicOrConstant() || b.isSymbolicOrConstant()
                   ? (isa<AffineConstantExpr>(a)   ? checked(b * a)
                      : isa<AffineConstantExpr>(b) ? checked(a * b)
                                                   : std::nullopt)
                   : std::nullopt;
      })
      .Case<arith::IndexCastOp, arith::ExtSIOp, arith::TruncIOp>([&](auto) -> Result {
        // A scalar from outside is what it was in any type that holds it.
        bool widens = type.isIndex() || isa<arith::ExtSIOp>(def);
        return isa<AffineSymbolExpr>(a) && widens ? Result(a) : checked(a);
      })
      .Case<arith::IndexCastUIOp, arith::ExtUIOp>(
          [&](auto) { return rangeA && rangeA->low >= 0 ? checked(a) : std::nullopt; })
      .Case<arith::DivSIOp, arith::DivUIOp, arith::FloorDivSIOp>(
          [&](auto) { return divided(/*remainder=*/false); })
      .Case<arith::RemSIOp, arith::RemUIOp>([&](auto) { return divided(/*remainder=*/true); })
      .Case<arith::MaxSIOp>([&](auto) { return larger(true); })
      .Case<arith::MinSIOp>([&](auto) { return larger(false); })
      .Case<arith::MaxUIOp>([&](auto) { return areNatural() ? larger(true) : std::nullopt; })
      .Case<arith::MinUIOp>([&](auto) { return areNatural() ? larger(false) : std::nullopt; })
      .Default([](Operation *) { return std::nullopt; });
}

bool tp::holds(arith::CmpIPredicate predicate, int64_t left, int64_t right) {
  return arith::applyCmpPredicate(predicate, APInt(64, left, /*isSigned=*/true),
                                  APInt(64, right, /*isSigned=*/true));
}

static bool isUnsigned(arith::CmpIPredicate predicate) {
  return predicate >= arith::CmpIPredicate::ult;
}

static arith::CmpIPredicate toSigned(arith::CmpIPredicate predicate) {
  constexpr auto kDistance = static_cast<uint64_t>(arith::CmpIPredicate::ult) -
                             static_cast<uint64_t>(arith::CmpIPredicate::slt);
  return static_cast<arith::CmpIPredicate>(static_cast<uint64_t>(predicate) - kDistance);
}

std::optional<bool> IndexExpressions::decide(arith::CmpIOp compare) {
  std::optional<AffineExpr> left = get(compare.getLhs()), right = get(compare.getRhs());
  if (!left || !right)
    return std::nullopt;
  std::optional<IndexInterval> a = getRange(*left), b = getRange(*right);
  if (!a || !b)
    return std::nullopt;
  arith::CmpIPredicate predicate = compare.getPredicate();
  if (isUnsigned(predicate)) {
    // Without a sign negative numbers are the largest.
    predicate = toSigned(predicate);
    auto isNegative = [](IndexInterval i) { return i.high < 0; };
    auto hasOneSign = [&](IndexInterval i) { return i.low >= 0 || isNegative(i); };
    if (!hasOneSign(*a) || !hasOneSign(*b))
      return std::nullopt;
    if (isNegative(*a) != isNegative(*b))
      return holds(predicate, isNegative(*a), isNegative(*b));
  }
  std::optional<IndexInterval> range =
      getRange(simplifyAffineExpr(*left - *right, getLoopSizes().size(), symbols.size()));
  if (!range)
    return std::nullopt;
  bool low = holds(predicate, range->low, 0), high = holds(predicate, range->high, 0);
  // What is not zero at either end may be zero between them.
  bool mayCross = range->low < 0 && range->high > 0;
  if (low != high || mayCross)
    return std::nullopt;
  return low;
}
