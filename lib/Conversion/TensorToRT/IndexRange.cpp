//===- IndexRange.cpp - What is known about an index -----------------------===//

#include "IndexRange.h"

#include "dialects/RT/RT.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tp;

namespace {

/// Chains of arithmetic longer than this are not followed.
constexpr int kMaxDepth = 32;

IndexRange unite(IndexRange a, IndexRange b) {
  return {std::min(a.low, b.low), std::max(a.high, b.high)};
}

arith::CmpIPredicate swapOperands(arith::CmpIPredicate predicate) {
  switch (predicate) {
  case arith::CmpIPredicate::slt:
    return arith::CmpIPredicate::sgt;
  case arith::CmpIPredicate::sle:
    return arith::CmpIPredicate::sge;
  case arith::CmpIPredicate::sgt:
    return arith::CmpIPredicate::slt;
  case arith::CmpIPredicate::sge:
    return arith::CmpIPredicate::sle;
  case arith::CmpIPredicate::ult:
    return arith::CmpIPredicate::ugt;
  case arith::CmpIPredicate::ule:
    return arith::CmpIPredicate::uge;
  case arith::CmpIPredicate::ugt:
    return arith::CmpIPredicate::ult;
  case arith::CmpIPredicate::uge:
    return arith::CmpIPredicate::ule;
  default:
    return predicate;
  }
}

IndexRange intersect(IndexRange a, IndexRange b) {
  return {std::max(a.low, b.low), std::min(a.high, b.high)};
}

std::optional<int64_t> getConstant(Value value) {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)) && constant.getBitWidth() <= 64)
    return constant.getSExtValue();
  return std::nullopt;
}

/// Ranges of values at a place where some conditions are known.
class Ranges {
public:
  explicit Ranges(ArrayRef<Guard> guards) : guards(guards) {}

  IndexRange get(Value value, int depth = 0) const {
    if (depth > kMaxDepth || !value.getType().isIntOrIndex())
      return {};
    if (std::optional<int64_t> constant = getConstant(value))
      return {*constant, *constant};
    IndexRange range = getUnguarded(value, depth);
    for (const Guard &guard : guards)
      range = narrow(range, value, guard, depth + 1);
    return range;
  }

private:
  IndexRange getUnguarded(Value value, int depth) const;
  IndexRange getOfOp(Operation *op, int depth) const;
  IndexRange narrow(IndexRange range, Value value, Guard guard, int depth) const;

  ArrayRef<Guard> guards;
};

/// Bounds of a sum or product, nothing where it might wrap around.
template <typename Combine> IndexRange combineCorners(IndexRange a, IndexRange b, Combine combine) {
  if (!a.isBounded() || !b.isBounded())
    return {};
  IndexRange result{INT64_MAX, INT64_MIN};
  for (int64_t x : {a.low, a.high})
    for (int64_t y : {b.low, b.high}) {
      int64_t corner;
      if (combine(x, y, corner))
        return {};
      result = unite(result, {corner, corner});
    }
  return result;
}

/// The part of a range of `value` that is left where the guard applies.
IndexRange Ranges::narrow(IndexRange range, Value value, Guard guard, int depth) const {
  if (depth > kMaxDepth)
    return range;
  if (auto both = guard.condition.getDefiningOp<arith::AndIOp>()) {
    if (!guard.holds)
      return range;
    range = narrow(range, value, {both.getLhs(), true}, depth + 1);
    return narrow(range, value, {both.getRhs(), true}, depth + 1);
  }
  auto compare = guard.condition.getDefiningOp<arith::CmpIOp>();
  if (!compare || (compare.getLhs() != value && compare.getRhs() != value))
    return range;
  arith::CmpIPredicate predicate = compare.getPredicate();
  Value other = compare.getRhs();
  if (other == value) {
    other = compare.getLhs();
    predicate = swapOperands(predicate);
  }
  if (!guard.holds)
    predicate = arith::invertPredicate(predicate);
  IndexRange bound = get(other, depth + 1);
  switch (predicate) {
  case arith::CmpIPredicate::slt:
    return bound.high == INT64_MIN ? range : intersect(range, {INT64_MIN, bound.high - 1});
  case arith::CmpIPredicate::sle:
    return intersect(range, {INT64_MIN, bound.high});
  case arith::CmpIPredicate::sgt:
    return bound.low == INT64_MAX ? range : intersect(range, {bound.low + 1, INT64_MAX});
  case arith::CmpIPredicate::sge:
    return intersect(range, {bound.low, INT64_MAX});
  case arith::CmpIPredicate::ult:
    return bound.low < 1 ? range : intersect(range, {0, bound.high - 1});
  case arith::CmpIPredicate::ule:
    return bound.low < 0 ? range : intersect(range, {0, bound.high});
  // Of an unsigned number that is known to be small, also the order is known.
  case arith::CmpIPredicate::ugt:
    return range.low < 0 || bound.low < 0 || bound.low == INT64_MAX
               ? range
               : intersect(range, {bound.low + 1, INT64_MAX});
  case arith::CmpIPredicate::uge:
    return range.low < 0 || bound.low < 0 ? range : intersect(range, {bound.low, INT64_MAX});
  case arith::CmpIPredicate::eq:
    return intersect(range, bound);
  case arith::CmpIPredicate::ne:
    return range;
  }
  return range;
}

IndexRange Ranges::getOfOp(Operation *op, int depth) const {
  auto operand = [&](unsigned i) { return get(op->getOperand(i), depth + 1); };
  return llvm::TypeSwitch<Operation *, IndexRange>(op)
      .Case([&](rt::CoordinateOp o) -> IndexRange { return {0, int64_t(o.getSize()) - 1}; })
      .Case([&](linalg::IndexOp o) -> IndexRange {
        auto parent = dyn_cast<linalg::LinalgOp>(o->getParentOp());
        if (!parent)
          return {0, INT64_MAX};
        int64_t range = parent.getStaticLoopRanges()[o.getDim()];
        return {0, ShapedType::isDynamic(range) ? INT64_MAX : range - 1};
      })
      .Case([&](arith::AddIOp) {
        return combineCorners(operand(0), operand(1), [](int64_t x, int64_t y, int64_t &r) {
          return __builtin_add_overflow(x, y, &r);
        });
      })
      .Case([&](arith::SubIOp) {
        return combineCorners(operand(0), operand(1), [](int64_t x, int64_t y, int64_t &r) {
          return __builtin_sub_overflow(x, y, &r);
        });
      })
      .Case([&](arith::MulIOp) {
        return combineCorners(operand(0), operand(1), [](int64_t x, int64_t y, int64_t &r) {
          return __builtin_mul_overflow(x, y, &r);
        });
      })
      .Case<arith::DivUIOp, arith::DivSIOp>([&](Operation *) -> IndexRange {
        IndexRange number = operand(0), divisor = operand(1);
        if (number.low < 0 || divisor.low < 1)
          return {};
        return {number.low / divisor.high, number.high / divisor.low};
      })
      .Case<arith::RemUIOp, arith::RemSIOp>([&](Operation *) -> IndexRange {
        IndexRange number = operand(0), divisor = operand(1);
        bool isUnsigned = isa<arith::RemUIOp>(op);
        if (divisor.low < 1 || (!isUnsigned && number.low < 0))
          return {};
        return {0, number.low >= 0 ? std::min(number.high, divisor.high - 1) : divisor.high - 1};
      })
      .Case([&](arith::MinSIOp) -> IndexRange {
        IndexRange a = operand(0), b = operand(1);
        return {std::min(a.low, b.low), std::min(a.high, b.high)};
      })
      .Case([&](arith::MaxSIOp) -> IndexRange {
        IndexRange a = operand(0), b = operand(1);
        return {std::max(a.low, b.low), std::max(a.high, b.high)};
      })
      .Case([&](arith::MinUIOp) -> IndexRange {
        // The smaller of two unsigned numbers is at most the one known to be small.
        IndexRange a = operand(0), b = operand(1);
        if (a.low < 0 && b.low < 0)
          return {};
        return {0, std::min(a.low >= 0 ? a.high : INT64_MAX, b.low >= 0 ? b.high : INT64_MAX)};
      })
      .Case([&](arith::SelectOp o) -> IndexRange {
        IndexRange kept = narrow(operand(1), o.getTrueValue(), {o.getCondition(), true}, depth);
        IndexRange other = narrow(operand(2), o.getFalseValue(), {o.getCondition(), false}, depth);
        return unite(kept, other);
      })
      .Case<arith::IndexCastOp, arith::ExtSIOp>([&](Operation *) { return operand(0); })
      .Case<arith::IndexCastUIOp, arith::ExtUIOp>([&](Operation *) -> IndexRange {
        IndexRange range = operand(0);
        return range.low >= 0 ? range : IndexRange();
      })
      .Default(IndexRange());
}

/// The bounds of the type; a cast to a narrower type may wrap around.
IndexRange fitToType(IndexRange range, Type type) {
  unsigned width = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  if (width >= 64)
    return range;
  IndexRange whole{-(int64_t(1) << (width - 1)), (int64_t(1) << (width - 1)) - 1};
  return range.low >= whole.low && range.high <= whole.high ? range : whole;
}

IndexRange Ranges::getUnguarded(Value value, int depth) const {
  if (Operation *op = value.getDefiningOp())
    return fitToType(getOfOp(op, depth), value.getType());
  auto argument = cast<BlockArgument>(value);
  auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
  if (!loop || argument != loop.getInductionVar())
    return {};
  IndexRange low = get(loop.getLowerBound(), depth + 1);
  IndexRange high = get(loop.getUpperBound(), depth + 1);
  return {low.low, high.high == INT64_MIN ? high.high : high.high - 1};
}

} // namespace

SmallVector<Guard> tp::getGuards(Operation *op) {
  SmallVector<Guard> guards;
  for (Operation *parent = op->getParentOp(); parent; parent = parent->getParentOp()) {
    if (auto conditional = dyn_cast<scf::IfOp>(parent))
      guards.push_back({conditional.getCondition(),
                        conditional.getThenRegion().isAncestor(op->getParentRegion())});
  }
  return guards;
}

IndexRange tp::getIndexRange(Value value, ArrayRef<Guard> guards) {
  return Ranges(guards).get(value);
}
