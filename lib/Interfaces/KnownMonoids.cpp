//===- KnownMonoids.cpp ----------------------------------------------------===//

#include "KnownMonoids.h"

#include "dialects/TP/ShardingRule.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::tp;

namespace {

using Test = llvm::function_ref<bool(Value)>;

/// The operands of an op of two, where they pass in either order.
template <typename OpTy> bool isEither(Value value, Test first, Test second) {
  auto op = value.getDefiningOp<OpTy>();
  if (!op)
    return false;
  Value a = op->getOperand(0), b = op->getOperand(1);
  return (first(a) && second(b)) || (first(b) && second(a));
}

/// Tests of a value by identity, or that note the one they are given first.
auto is(Value wanted) {
  return [=](Value value) { return value == wanted; };
}
auto note(Value &place) {
  return [&](Value value) {
    place = value;
    return true;
  };
}

template <typename OpTy> bool isDifference(Value value, Value a, Value b) {
  auto op = value.getDefiningOp<OpTy>();
  return op && op->getOperand(0) == a && op->getOperand(1) == b;
}

/// exp(a - b), or the same by powers of two.
bool isRatio(Value value, Value a, Value b) {
  Operation *op = value.getDefiningOp();
  return isa_and_nonnull<math::ExpOp, math::Exp2Op>(op) &&
         isDifference<arith::SubFOp>(op->getOperand(0), a, b);
}

bool isOne(Value value) {
  APInt integer;
  return matchPattern(value, m_OneFloat()) ||
         (matchPattern(value, m_ConstantInt(&integer)) && integer.isOne());
}

TypedAttr getFloat(Value like, APFloat (*make)(const llvm::fltSemantics &)) {
  auto type = cast<FloatType>(like.getType());
  return FloatAttr::get(type, make(type.getFloatSemantics()));
}

TypedAttr getZero(Type type) {
  return cast<TypedAttr>(Builder(type.getContext()).getZeroAttr(type));
}

/// A number that is lower than all but infinity, so that nothing is less infinity.
TypedAttr getLowest(Value like) {
  return getFloat(like, [](const llvm::fltSemantics &semantics) {
    return APFloat::getLargest(semantics, /*Negative=*/true);
  });
}

/// Blocks by the body itself, each result being its part.
BlockReduction createByBody(linalg::LinalgOp op, ArrayRef<TypedAttr> starts) {
  BlockReduction reduction;
  for (auto [i, start] : llvm::enumerate(starts))
    reduction.parts.push_back({unsigned(i), start});
  reduction.step = [=](OpBuilder &builder, Location, IRMapping &mapping, ValueRange parts,
                       const BlockReduction::Place &) {
    return cloneDependent(builder, op, mapping, parts);
  };
  return reduction;
}

} // namespace

//===----------------------------------------------------------------------===//
// Scaled sums
//===----------------------------------------------------------------------===//

std::optional<BlockReduction> tp::getScaledSums(linalg::LinalgOp op) {
  unsigned n = op->getNumResults();
  auto accumulators = op.getRegionOutputArgs();
  auto yields = op.getBlock()->getTerminator()->getOperands();
  llvm::DenseSet<Value> dependent = getDependent(op);
  auto isFree = [&](Value value) { return !dependent.contains(value); };
  // The maximum, which no sum is part of.
  std::optional<unsigned> top;
  Value x;
  for (unsigned i = 0; i < n && !top; ++i) {
    auto isElement = [&](Value value) { return isFree(value) && note(x)(value); };
    if (isEither<arith::MaximumFOp>(yields[i], is(accumulators[i]), isElement) ||
        isEither<arith::MaxNumFOp>(yields[i], is(accumulators[i]), isElement))
      top = i;
  }
  if (!top || n < 2)
    return std::nullopt;
  Value m = accumulators[*top], next = yields[*top];
  bool isBinary = false, isNatural = false;
  auto isRatioTo = [&](Value value, Value of) {
    if (!isRatio(value, of, next))
      return false;
    (isa<math::Exp2Op>(value.getDefiningOp()) ? isBinary : isNatural) = true;
    return true;
  };
  SmallVector<Value> weights(n);
  for (unsigned i = 0; i < n; ++i) {
    if (i == *top)
      continue;
    auto isWeight = [&](Value value) { return isFree(value) && note(weights[i])(value); };
    auto isScaled = [&](Value value) {
      return isEither<arith::MulFOp>(value, is(accumulators[i]),
                                     [&](Value factor) { return isRatioTo(factor, m); });
    };
    auto isNew = [&](Value value) {
      return isRatioTo(value, x) || isEither<arith::MulFOp>(value, isWeight, [&](Value factor) {
               return isRatioTo(factor, x);
             });
    };
    if (!isEither<arith::AddFOp>(yields[i], isScaled, isNew))
      return std::nullopt;
  }
  if (isBinary && isNatural)
    return std::nullopt;

  auto getMaximum = [=, top = *top](OpBuilder &builder, Value old, Value added) {
    Operation *maximum = yields[top].getDefiningOp(), *both = builder.clone(*maximum);
    both->setOperands(maximum->getOperand(0) == m ? ValueRange{old, added}
                                                  : ValueRange{added, old});
    return both->getResult(0);
  };
  auto getRatio = [=](OpBuilder &builder, Location loc, Value of, Value most) -> Value {
    Value difference = arith::SubFOp::create(builder, loc, of, most);
    if (isBinary)
      return math::Exp2Op::create(builder, loc, difference);
    return math::ExpOp::create(builder, loc, difference);
  };
  auto add = [=, top = *top](OpBuilder &builder, Location loc, ValueRange sums, Value old,
                             ValueRange addends, Value added, Value most) {
    SmallVector<Value> made(n, most);
    for (unsigned i = 0; i < n; ++i) {
      if (i == top)
        continue;
      Value term = addends[i] ? arith::MulFOp::create(builder, loc, addends[i], added) : added;
      Value scaled = arith::MulFOp::create(builder, loc, sums[i], old);
      made[i] = arith::AddFOp::create(builder, loc, scaled, term);
    }
    return made;
  };
  Type type = m.getType();
  BlockReduction reduction;
  for (unsigned i = 0; i < n; ++i)
    reduction.parts.push_back({i, i == *top ? getNeutralElement(ReductionKind::Max, type)
                                            : getZero(accumulators[i].getType())});
  reduction.firstHasInits = true;
  reduction.step = [=, top = *top](OpBuilder &builder, Location loc, IRMapping &mapping,
                                   ValueRange parts, const BlockReduction::Place &place) {
    Value element = mapping.lookupOrDefault(x), most = getMaximum(builder, parts[top], element);
    // Before an element is a number a block has none, and elements of minus infinity add
    // nothing to it, as they add nothing to what the blocks before have. The first block,
    // which has what the results begin with, does as the body does.
    Value lowest =
        arith::ConstantOp::create(builder, loc, getNeutralElement(ReductionKind::Max, type));
    auto isLowest = [&](Value value) -> Value {
      return arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OEQ, value, lowest);
    };
    Value isNothing = arith::AndIOp::create(builder, loc, isLowest(element), isLowest(most));
    Value no = arith::ConstantOp::create(builder, loc, builder.getBoolAttr(false));
    isNothing = arith::SelectOp::create(builder, loc, place.isInFirstBlock(), no, isNothing);
    auto orElse = [&](double number, Value ratio) -> Value {
      Value given = arith::ConstantOp::create(builder, loc, builder.getFloatAttr(type, number));
      return arith::SelectOp::create(builder, loc, isNothing, given, ratio);
    };
    return add(builder, loc, parts, orElse(1, getRatio(builder, loc, parts[top], most)),
               llvm::map_to_vector(weights,
                                   [&](Value weight) {
                                     return weight ? mapping.lookupOrDefault(weight) : Value();
                                   }),
               orElse(0, getRatio(builder, loc, element, most)), most);
  };
  reduction.merge = [=, top = *top](OpBuilder &builder, Location loc, ValueRange results,
                                    ValueRange parts) {
    Value most = getMaximum(builder, results[top], parts[top]);
    return add(builder, loc, results, getRatio(builder, loc, results[top], most), parts,
               getRatio(builder, loc, parts[top], most), most);
  };
  return reduction;
}

//===----------------------------------------------------------------------===//
// Logarithms of sums
//===----------------------------------------------------------------------===//

namespace {

/// log(1 + exp(-|a - b|)), in whatever form.
bool isLogOfRest(Value value, Value a, Value b, Value most) {
  Value exponential;
  if (auto log1p = value.getDefiningOp<math::Log1pOp>())
    exponential = log1p.getOperand();
  else if (auto log = value.getDefiningOp<math::LogOp>();
           !log || !isEither<arith::AddFOp>(log.getOperand(), isOne, note(exponential)))
    return false;
  auto exp = exponential.getDefiningOp<math::ExpOp>();
  if (!exp)
    return false;
  Value exponent = exp.getOperand();
  if (auto negative = exponent.getDefiningOp<arith::NegFOp>()) {
    auto abs = negative.getOperand().getDefiningOp<math::AbsFOp>();
    return abs && (isDifference<arith::SubFOp>(abs.getOperand(), a, b) ||
                   isDifference<arith::SubFOp>(abs.getOperand(), b, a));
  }
  auto difference = exponent.getDefiningOp<arith::SubFOp>();
  return difference && difference.getRhs() == most &&
         isEither<arith::MinimumFOp>(difference.getLhs(), is(a), is(b));
}

} // namespace

std::optional<BlockReduction> tp::getLogSum(linalg::LinalgOp op) {
  if (op->getNumResults() != 1)
    return std::nullopt;
  Value a = op.getRegionOutputArgs()[0];
  Value yielded = op.getBlock()->getTerminator()->getOperand(0), sum = yielded;
  llvm::DenseSet<Value> dependent = getDependent(op);
  // The form in which equal infinities are themselves: where a - x is NaN it is a + x.
  Value plain, condition;
  if (auto select = yielded.getDefiningOp<arith::SelectOp>()) {
    condition = select.getCondition();
    plain = select.getTrueValue();
    sum = select.getFalseValue();
  }
  auto add = sum.getDefiningOp<arith::AddFOp>();
  if (!add)
    return std::nullopt;
  for (bool isFirst : {true, false}) {
    Value most = isFirst ? add.getLhs() : add.getRhs(),
          rest = isFirst ? add.getRhs() : add.getLhs();
    Value x;
    auto isElement = [&](Value value) { return !dependent.contains(value) && note(x)(value); };
    if (!isEither<arith::MaximumFOp>(most, is(a), isElement) || !isLogOfRest(rest, a, x, most))
      continue;
    if (plain) {
      auto compare = condition.getDefiningOp<arith::CmpFOp>();
      if (!isEither<arith::AddFOp>(plain, is(a), is(x)) || !compare ||
          (compare.getPredicate() != arith::CmpFPredicate::UNE &&
           compare.getPredicate() != arith::CmpFPredicate::UNO) ||
          compare.getLhs() != compare.getRhs() ||
          !(isDifference<arith::SubFOp>(compare.getLhs(), a, x) ||
            isDifference<arith::SubFOp>(compare.getLhs(), x, a)))
        return std::nullopt;
    }
    // As scaled sums begin; where infinity less itself is looked after, with infinity.
    TypedAttr start = plain ? getNeutralElement(ReductionKind::Max, a.getType()) : getLowest(a);
    BlockReduction reduction = createByBody(op, start);
    reduction.firstHasInits = true;
    reduction.merge = [=](OpBuilder &builder, Location, ValueRange results, ValueRange parts) {
      return applyBody(builder, op, x, parts, results);
    };
    return reduction;
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Moments
//===----------------------------------------------------------------------===//

std::optional<BlockReduction> tp::getMoments(linalg::LinalgOp op) {
  unsigned n = op->getNumResults();
  if (n != 2 && n != 3)
    return std::nullopt;
  auto accumulators = op.getRegionOutputArgs();
  auto yields = op.getBlock()->getTerminator()->getOperands();
  llvm::DenseSet<Value> dependent = getDependent(op);
  auto find = [&](auto test) -> std::optional<unsigned> {
    for (unsigned i = 0; i < n; ++i)
      if (test(i))
        return i;
    return std::nullopt;
  };
  std::optional<unsigned> number = find([&](unsigned i) {
    return isEither<arith::AddFOp>(yields[i], is(accumulators[i]), isOne) ||
           isEither<arith::AddIOp>(yields[i], is(accumulators[i]), isOne);
  });
  if (!number)
    return std::nullopt;
  // The number as a float.
  bool isSigned = false;
  auto isNumber = [&](Value value) {
    Operation *def = value.getDefiningOp();
    if (value == yields[*number])
      return true;
    if (!isa_and_nonnull<arith::SIToFPOp, arith::UIToFPOp>(def) ||
        def->getOperand(0) != yields[*number])
      return false;
    isSigned |= isa<arith::SIToFPOp>(def);
    return true;
  };
  Value x, difference;
  std::optional<unsigned> mean = find([&](unsigned i) {
    auto isStep = [&](Value value) {
      auto over = value.getDefiningOp<arith::DivFOp>();
      auto sub = over ? over.getLhs().getDefiningOp<arith::SubFOp>() : arith::SubFOp();
      if (!sub || !isNumber(over.getRhs()) || sub.getRhs() != accumulators[i] ||
          dependent.contains(sub.getLhs()))
        return false;
      x = sub.getLhs();
      difference = sub;
      return true;
    };
    return i != *number && isEither<arith::AddFOp>(yields[i], is(accumulators[i]), isStep);
  });
  if (!mean)
    return std::nullopt;
  std::optional<unsigned> squares = find([&](unsigned i) { return i != *number && i != *mean; });
  auto isOld = [&](Value v) { return isDifference<arith::SubFOp>(v, x, accumulators[*mean]); };
  auto isNew = [&](Value v) { return isDifference<arith::SubFOp>(v, x, yields[*mean]); };
  auto isProduct = [&](Value v) { return isEither<arith::MulFOp>(v, isOld, isNew); };
  if (squares && !isEither<arith::AddFOp>(yields[*squares], is(accumulators[*squares]), isProduct))
    return std::nullopt;

  SmallVector<TypedAttr> starts;
  for (Value accumulator : accumulators)
    starts.push_back(getZero(accumulator.getType()));
  BlockReduction reduction = createByBody(op, starts);
  Type type = accumulators[*mean].getType();
  // n = n1 + n2, d = m2 - m1; m = m1 + d * n2 / n, q = q1 + q2 + d * d * n1 * n2 / n.
  reduction.merge = [=](OpBuilder &builder, Location loc, ValueRange results, ValueRange parts) {
    SmallVector<Value> made(n);
    auto toFloat = [&](Value count) -> Value {
      if (isa<FloatType>(count.getType()))
        return count;
      return isSigned ? arith::SIToFPOp::create(builder, loc, type, count).getResult()
                      : arith::UIToFPOp::create(builder, loc, type, count).getResult();
    };
    Value count = results[*number], added = parts[*number];
    made[*number] = isa<FloatType>(count.getType())
                        ? arith::AddFOp::create(builder, loc, count, added).getResult()
                        : arith::AddIOp::create(builder, loc, count, added).getResult();
    Value share = arith::DivFOp::create(builder, loc, toFloat(added), toFloat(made[*number]));
    Value d = arith::SubFOp::create(builder, loc, parts[*mean], results[*mean]);
    Value step = arith::MulFOp::create(builder, loc, d, share);
    made[*mean] = arith::AddFOp::create(builder, loc, results[*mean], step);
    if (squares) {
      Value scaled = arith::MulFOp::create(builder, loc, step, toFloat(count));
      Value between = arith::MulFOp::create(builder, loc, d, scaled);
      Value within = arith::AddFOp::create(builder, loc, results[*squares], parts[*squares]);
      made[*squares] = arith::AddFOp::create(builder, loc, within, between);
    }
    return made;
  };
  return reduction;
}
