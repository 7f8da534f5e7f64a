//===- Body.cpp ------------------------------------------------------------===//

#include "Body.h"

#include "Evaluator.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::tp;
using namespace mlir::tp::check;

//===----------------------------------------------------------------------===//
// Folding
//===----------------------------------------------------------------------===//

SmallVector<Attribute> check::foldElement(Operation *op, ArrayRef<Attribute> operands) {
  SmallVector<Attribute> none(op->getNumResults());
  if (op->getNumRegions() != 0)
    return none;
  // Ops on tensors fold on splats.
  SmallVector<Attribute> given;
  for (auto [value, attr] : llvm::zip_equal(op->getOperands(), operands)) {
    auto shaped = dyn_cast<RankedTensorType>(value.getType());
    if (attr && shaped && !isa<ElementsAttr>(attr)) {
      if (!shaped.hasStaticShape())
        return none;
      given.push_back(DenseElementsAttr::get(shaped, attr));
    } else {
      given.push_back(attr);
    }
  }
  // Folding may change the op (swap operands, say): a clone is folded.
  Operation *scratch = op->clone();
  for (auto [i, value] : llvm::enumerate(op->getOperands()))
    scratch->setOperand(i, value);
  SmallVector<OpFoldResult> folded;
  bool done = succeeded(scratch->fold(given, folded)) && folded.size() == op->getNumResults();
  SmallVector<Attribute> results;
  for (const OpFoldResult &result : folded) {
    Attribute attr = llvm::dyn_cast_if_present<Attribute>(result);
    if (Value value = llvm::dyn_cast_if_present<Value>(result))
      for (auto [i, operand] : llvm::enumerate(op->getOperands()))
        if (operand == value)
          attr = given[i];
    if (auto splat = dyn_cast_or_null<SplatElementsAttr>(attr))
      attr = splat.getSplatValue<Attribute>();
    results.push_back(attr);
  }
  scratch->destroy();
  return done ? results : none;
}

std::optional<ReductionKind> check::getCombinerKind(Operation *op) {
  if (op->getNumOperands() != 2 || op->getNumResults() != 1)
    return std::nullopt;
  bool isBool = getElementTypeOrSelf(op->getResult(0)).isInteger(1);
  StringRef name = op->getName().getStringRef();
  return llvm::StringSwitch<std::optional<ReductionKind>>(name)
      .Case("arith.addf", ReductionKind::Sum)
      .Case("arith.addi", isBool ? ReductionKind::Xor : ReductionKind::Sum)
      .Case("arith.mulf", ReductionKind::Mul)
      .Case("arith.muli", isBool ? ReductionKind::And : ReductionKind::Mul)
      .Case("arith.maximumf", ReductionKind::Max)
      .Case("arith.minimumf", ReductionKind::Min)
      .Case("arith.maxsi", ReductionKind::Max)
      .Case("arith.minsi", ReductionKind::Min)
      .Case("arith.maxui", ReductionKind::MaxU)
      .Case("arith.minui", ReductionKind::MinU)
      .Case("arith.maxnumf", ReductionKind::MaxNum)
      .Case("arith.minnumf", ReductionKind::MinNum)
      .Case("arith.andi", ReductionKind::And)
      .Case("arith.ori", ReductionKind::Or)
      .Case("arith.xori", ReductionKind::Xor)
      .Default(std::nullopt);
}

//===----------------------------------------------------------------------===//
// Linearity
//===----------------------------------------------------------------------===//

namespace {
/// How a value depends on the parts of a reduction over ranks.
enum class Dependence {
  None,    ///< equal on all ranks
  Neutral, ///< the neutral element: equal, and a part of itself
  Part,    ///< its reduction over the ranks is the value
  Other,
};
} // namespace

bool check::isLinear(ArrayRef<Operation *> body, ArrayRef<Value> yields, ReductionKind kind,
                     llvm::function_ref<bool(Value)> isPart,
                     llvm::function_ref<bool(Value)> isNeutral, std::string &why) {
  llvm::DenseMap<Value, Dependence> known;
  auto look = [&](Value value) {
    auto it = known.find(value);
    if (it != known.end())
      return it->second;
    return isPart(value)      ? Dependence::Part
           : isNeutral(value) ? Dependence::Neutral
                              : Dependence::None;
  };
  auto transfer = [&](Operation *op) {
    SmallVector<Dependence, 4> in;
    for (Value operand : op->getOperands())
      in.push_back(look(operand));
    if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
      Type type = constant.getType();
      return !isa<ShapedType>(type) && type.isIntOrIndexOrFloat() &&
                     constant.getValue() == getNeutral(kind, type)
                 ? Dependence::Neutral
                 : Dependence::None;
    }
    auto isPartial = [](Dependence d) { return d == Dependence::Part; };
    auto isWhole = [](Dependence d) { return d == Dependence::None || d == Dependence::Neutral; };
    auto counts = [](Dependence d) { return d == Dependence::Part || d == Dependence::Neutral; };
    if (llvm::none_of(in, [&](Dependence d) { return isPartial(d) || d == Dependence::Other; }))
      return Dependence::None;
    if (op->getNumResults() != 1 || op->getNumRegions() != 0 ||
        llvm::is_contained(in, Dependence::Other))
      return Dependence::Other;
    StringRef name = op->getName().getStringRef();
    if (name == "arith.select" && isWhole(in[0]) && counts(in[1]) && counts(in[2]))
      return Dependence::Part;
    if (name == "tensor.extract" && isPartial(in[0]) &&
        llvm::all_of(ArrayRef(in).drop_front(), isWhole))
      return Dependence::Part;
    // Narrow floats round what they compute.
    Type type = getElementTypeOrSelf(op->getResult(0));
    bool isExact = type.isIntOrIndex() || type.isF32() || type.isF64();
    if (kind != ReductionKind::Sum) {
      return getCombinerKind(op) == kind && llvm::all_of(in, counts) ? Dependence::Part
                                                                     : Dependence::Other;
    }
    if (!isExact)
      return Dependence::Other;
    bool linear = llvm::StringSwitch<bool>(name)
                      .Cases({"arith.addf", "arith.addi", "arith.subf", "arith.subi"},
                             llvm::all_of(in, counts))
                      .Cases({"arith.negf", "arith.extf"}, true)
                      .Cases({"arith.mulf", "arith.muli"}, llvm::count_if(in, isPartial) == 1)
                      .Case("arith.divf", isWhole(in.back()))
                      .Default(false);
    return linear ? Dependence::Part : Dependence::Other;
  };
  Operation *culprit = nullptr;
  for (Operation *op : body) {
    Dependence result = transfer(op);
    if (result == Dependence::Other && !culprit)
      culprit = op;
    for (Value value : op->getResults())
      known[value] = result;
  }
  for (Value value : yields)
    if (look(value) != Dependence::Part) {
      why = ("uses a value that is still to be reduced by " + stringifyReductionKind(kind) +
             " over ranks where the result is not linear in it")
                .str();
      if (culprit)
        why += " ('" + culprit->getName().getStringRef().str() + "')";
      return false;
    }
  return true;
}

//===----------------------------------------------------------------------===//
// Shifted indices
//===----------------------------------------------------------------------===//

constexpr int64_t kFar = int64_t(1) << 60;

static std::optional<SmallVector<int64_t>> toIntegers(ArrayRef<Attribute> constants);
static int64_t at(ArrayRef<int64_t> values, unsigned rank);

std::optional<Shifted> check::shiftIndex(Operation *op, ArrayRef<const Shifted *> indices,
                                         ArrayRef<ArrayRef<Attribute>> constants,
                                         unsigned numRanks) {
  if (!isa<arith::AddIOp, arith::SubIOp, arith::MaxSIOp, arith::MinSIOp>(op) ||
      !op->getResult(0).getType().isIndex())
    return std::nullopt;
  for (unsigned side = 0; side < (isa<arith::SubIOp>(op) ? 1u : 2u); ++side) {
    std::optional<SmallVector<int64_t>> other = toIntegers(constants[1 - side]);
    if (!indices[side] || !other)
      continue;
    // What is the same on all ranks needs no shift.
    if (other->size() == 1 && indices[side]->ranks.size() == 1)
      continue;
    Shifted result{indices[side]->base, {}};
    for (unsigned rank = 0; rank < numRanks; ++rank) {
      Shifted::Part part = indices[side]->at(rank);
      int64_t number = at(*other, rank);
      if (isa<arith::MaxSIOp>(op))
        part.begin = std::max(part.begin, number - part.offset);
      else if (isa<arith::MinSIOp>(op))
        part.end = std::min(part.end, number - part.offset + 1);
      else
        part.offset += isa<arith::SubIOp>(op) ? -number : number;
      result.ranks.push_back(part);
    }
    return result;
  }
  return std::nullopt;
}

std::optional<Shifted> Body::shiftedOf(const BodyValue &value) {
  if (value.shifted)
    return value.shifted;
  if (!value.affine) {
    std::optional<TermId> expression = expressionOf(value);
    return expression ? std::optional(Shifted{*expression, {{0, -kFar, kFar}}}) : std::nullopt;
  }
  std::optional<SmallVector<int64_t>> begins = loopOffsets(value.affine->loop);
  if (!begins)
    return std::nullopt;
  if (begins->empty())
    begins = value.affine->offsets;
  Affine global{value.affine->loop, *begins};
  std::optional<LoopIndex> index = indexOf(global);
  if (!index)
    return std::nullopt;
  Shifted result{algebra.terms.intern({kIndexExpression, index->domain, 0}), {}};
  for (unsigned rank = 0; rank < algebra.ranks.count(); ++rank)
    result.ranks.push_back({at(value.affine->offsets, rank) - at(*begins, rank), -kFar, kFar});
  return result;
}

BodyValue Body::addIndices(const BodyValue &a, const BodyValue &b) {
  BodyValue sum;
  std::optional<Shifted> x = shiftedOf(a), y = shiftedOf(b);
  if (!x || !y)
    return sum;
  TermId base = algebra.terms.sum(x->base, y->base);
  Shifted shifted{base, {}};
  bool isPlain = true;
  for (unsigned rank = 0; rank < algebra.ranks.count(); ++rank) {
    const Shifted::Part &p = x->at(rank), &q = y->at(rank);
    // Only sums of what is known everywhere.
    if (p.begin != -kFar || p.end != kFar || q.begin != -kFar || q.end != kFar)
      return sum;
    shifted.ranks.push_back({p.offset + q.offset, -kFar, kFar});
    isPlain &= p.offset + q.offset == 0;
  }
  if (isPlain)
    sum.expression = base;
  else
    sum.shifted = shifted;
  return sum;
}

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

void Body::define(Value value, BodyValue known) {
  std::unique_ptr<BodyValue> &place = values[value];
  if (place)
    *place = std::move(known);
  else
    place = std::make_unique<BodyValue>(std::move(known));
}

const BodyValue &Body::get(Value value) {
  static const BodyValue unknown;
  auto it = values.find(value);
  if (it != values.end())
    return *it->second;
  std::optional<BodyValue> known = outside(value);
  if (!known)
    return unknown;
  define(value, std::move(*known));
  return *values[value];
}

std::optional<TermId> Body::expressionOf(const BodyValue &value) {
  if (value.expression)
    return value.expression;
  if (value.constants.size() == 1)
    return algebra.terms.constant(value.constants[0]);
  if (value.affine)
    if (std::optional<LoopIndex> index = indexOf(*value.affine))
      return algebra.terms.intern({kIndexExpression, index->domain, uint64_t(index->shift)});
  return std::nullopt;
}

static std::optional<SmallVector<int64_t>> toIntegers(ArrayRef<Attribute> constants) {
  SmallVector<int64_t> result;
  for (Attribute attr : constants) {
    auto integer = dyn_cast<IntegerAttr>(attr);
    if (!integer)
      return std::nullopt;
    result.push_back(integer.getType().isInteger(1) ? int64_t(integer.getValue().getBoolValue())
                                                    : integer.getValue().getSExtValue());
  }
  if (result.empty())
    return std::nullopt;
  return result;
}

static int64_t at(ArrayRef<int64_t> values, unsigned rank) {
  return values.size() == 1 ? values[0] : values[rank];
}

/// position + offset compared with bound.
static std::optional<Condition> compare(arith::CmpIPredicate predicate, unsigned loop,
                                        int64_t offset, int64_t bound) {
  int64_t least = bound - offset, first = -kFar;
  // Without signs, what is below 0 is above everything.
  switch (predicate) {
  case arith::CmpIPredicate::ult:
  case arith::CmpIPredicate::ule:
    first = -offset;
    [[fallthrough]];
  case arith::CmpIPredicate::ugt:
  case arith::CmpIPredicate::uge:
    if (bound < 0 || (first == -kFar && offset < 0))
      return std::nullopt;
    break;
  default:
    break;
  }
  switch (predicate) {
  case arith::CmpIPredicate::ult:
  case arith::CmpIPredicate::slt:
    return Condition{true, {{loop, first, least}}, {}};
  case arith::CmpIPredicate::ule:
  case arith::CmpIPredicate::sle:
    return Condition{true, {{loop, first, least + 1}}, {}};
  case arith::CmpIPredicate::ugt:
  case arith::CmpIPredicate::sgt:
    return Condition{true, {{loop, least + 1, kFar}}, {}};
  case arith::CmpIPredicate::uge:
  case arith::CmpIPredicate::sge:
    return Condition{true, {{loop, least, kFar}}, {}};
  case arith::CmpIPredicate::eq:
    return Condition{true, {{loop, least, least + 1}}, {}};
  default:
    return std::nullopt;
  }
}

bool Body::evaluate(Operation *op) {
  unsigned count = algebra.ranks.count();
  // What is an operand of the nest.
  if (isa<tensor::ExtractOp>(op)) {
    if (values.contains(op->getResult(0)))
      return true;
    if (std::optional<BodyValue> element = lookUp(op->getResult(0))) {
      define(op->getResult(0), *element);
      return true;
    }
  }
  if (auto branch = dyn_cast<scf::IfOp>(op); branch && branch.getNumResults()) {
    // What both branches compute, of which one is taken.
    for (Block *block : {branch.thenBlock(), branch.elseBlock()})
      for (Operation &nested : block->without_terminator())
        if (!evaluate(&nested))
          return false;
    for (auto [value, first, second] :
         llvm::zip_equal(branch.getResults(), branch.thenYield()->getOperands(),
                         branch.elseYield()->getOperands()))
      define(value, select(get(branch.getCondition()), get(first), get(second), value.getType()));
    return true;
  }
  if (op->getNumRegions() != 0) {
    why = ("has a body with '" + op->getName().getStringRef() + "'").str();
    return false;
  }
  if (auto index = dyn_cast<linalg::IndexOp>(op)) {
    BodyValue value;
    value.affine = Affine{unsigned(index.getDim()), {0}};
    define(index, value);
    return true;
  }
  if (auto choice = dyn_cast<arith::SelectOp>(op)) {
    define(choice, select(get(choice.getCondition()), get(choice.getTrueValue()),
                          get(choice.getFalseValue()), choice.getType()));
    return true;
  }
  SmallVector<const BodyValue *, 3> in;
  for (Value operand : op->getOperands())
    in.push_back(&get(operand));

  BodyValue result;
  // What is constant per rank, also where it differs.
  if (llvm::all_of(in, [](const BodyValue *v) { return !v->constants.empty(); }) &&
      op->getNumResults() == 1) {
    bool isUniform = llvm::all_of(in, [](const BodyValue *v) { return v->constants.size() == 1; });
    for (unsigned rank = 0; rank < (isUniform ? 1 : count); ++rank) {
      SmallVector<Attribute> operands;
      for (const BodyValue *v : in)
        operands.push_back(v->constants.size() == 1 ? v->constants[0] : v->constants[rank]);
      result.constants.push_back(foldElement(op, operands)[0]);
    }
    if (llvm::is_contained(result.constants, Attribute()))
      result.constants.clear();
    else if (llvm::all_equal(result.constants))
      result.constants.resize(1);
  }
  // Indices plus offsets.
  if (isa<arith::AddIOp, arith::SubIOp>(op)) {
    bool isSub = isa<arith::SubIOp>(op);
    for (unsigned side = 0; side < (isSub ? 1u : 2u); ++side) {
      std::optional<SmallVector<int64_t>> other = toIntegers(in[1 - side]->constants);
      if (!in[side]->affine || !other)
        continue;
      Affine sum = *in[side]->affine;
      unsigned size = std::max(sum.offsets.size(), other->size());
      SmallVector<int64_t> offsets;
      for (unsigned rank = 0; rank < size; ++rank)
        offsets.push_back(at(sum.offsets, rank) + (isSub ? -1 : 1) * at(*other, rank));
      sum.offsets = offsets;
      result.affine = sum;
      define(op->getResult(0), result);
      return true;
    }
  }
  if (op->getNumResults() == 1 && op->getNumOperands() == 2 &&
      op->getResult(0).getType().isIndex() && result.constants.empty()) {
    SmallVector<std::optional<Shifted>, 2> indices;
    for (const BodyValue *v : in)
      indices.push_back(v->affine || !v->constants.empty() ? v->shifted : shiftedOf(*v));
    SmallVector<const Shifted *> given;
    for (std::optional<Shifted> &index : indices)
      given.push_back(index ? &*index : nullptr);
    result.shifted = shiftIndex(op, given, {in[0]->constants, in[1]->constants}, count);
    bool isSum = isa<arith::AddIOp>(op) && !result.shifted && in[0]->constants.empty() &&
                 in[1]->constants.empty();
    if (isSum)
      result = addIndices(*in[0], *in[1]);
    if (result.shifted || result.expression) {
      define(op->getResult(0), result);
      return true;
    }
  }
  if (auto cmp = dyn_cast<arith::CmpIOp>(op)) {
    std::optional<SmallVector<int64_t>> bound = toIntegers(in[1]->constants);
    std::optional<Shifted> index = bound && !in[0]->affine ? in[0]->shifted : std::nullopt;
    if (index) {
      SmallVector<Condition> conditions;
      for (unsigned rank = 0; rank < count; ++rank) {
        const Shifted::Part &part = index->at(rank);
        if (part.begin != -kFar || part.end != kFar)
          break;
        std::optional<Condition> one =
            compare(cmp.getPredicate(), /*loop=*/0, part.offset, at(*bound, rank));
        if (!one)
          break;
        Interval interval = one->intervals[0];
        if (cmp.getPredicate() == arith::CmpIPredicate::ult)
          interval.begin = -part.offset;
        else if (arith::CmpIPredicate::ule == cmp.getPredicate() ||
                 arith::CmpIPredicate::ugt == cmp.getPredicate() ||
                 arith::CmpIPredicate::uge == cmp.getPredicate())
          break;
        conditions.push_back({true, {}, {{index->base, interval.begin, interval.end}}});
      }
      if (conditions.size() == count)
        result.condition = conditions;
    }
    if (in[0]->affine && bound) {
      SmallVector<Condition> conditions;
      for (unsigned rank = 0; rank < count; ++rank)
        if (std::optional<Condition> one =
                compare(cmp.getPredicate(), in[0]->affine->loop, at(in[0]->affine->offsets, rank),
                        at(*bound, rank)))
          conditions.push_back(*one);
      if (conditions.size() == count)
        result.condition = conditions;
    }
  }
  auto asCondition = [&](const BodyValue &v) -> std::optional<SmallVector<Condition>> {
    if (v.condition)
      return v.condition;
    std::optional<SmallVector<int64_t>> constants = toIntegers(v.constants);
    if (!constants)
      return std::nullopt;
    SmallVector<Condition> conditions;
    for (unsigned rank = 0; rank < count; ++rank)
      conditions.push_back({at(*constants, rank) != 0, {}, {}});
    return conditions;
  };
  if (isa<arith::AndIOp>(op) && op->getResult(0).getType().isInteger(1)) {
    std::optional<SmallVector<Condition>> a = asCondition(*in[0]), b = asCondition(*in[1]);
    if (a && b) {
      for (auto [x, y] : llvm::zip_equal(*a, *b)) {
        x.holds &= y.holds;
        x.intervals.append(y.intervals.begin(), y.intervals.end());
        for (const IndexRange &range : y.ranges) {
          auto same =
              llvm::find_if(x.ranges, [&](const IndexRange &r) { return r.index == range.index; });
          if (same == x.ranges.end())
            x.ranges.push_back(range);
          else
            *same = {range.index, std::max(same->begin, range.begin),
                     std::min(same->end, range.end)};
        }
      }
      result.condition = a;
    }
  }
  if (result.constants.size() == 1) {
    define(op->getResult(0), std::move(result));
    return true;
  }
  Key key = {kExpression, keyOf(op->getName()), algebra.terms.numberProperties(op)};
  for (Value value : op->getResults())
    key.push_back(keyOf(getElementTypeOrSelf(value)));
  bool hasAll = isMemoryEffectFree(op);
  for (const BodyValue *v : in) {
    std::optional<TermId> expression = expressionOf(*v);
    hasAll &= expression.has_value();
    key.push_back(expression.value_or(0));
  }
  for (auto [i, value] : llvm::enumerate(op->getResults())) {
    BodyValue one = i == 0 ? std::move(result) : BodyValue();
    if (hasAll) {
      key.push_back(i);
      one.expression = algebra.terms.intern(key);
      key.pop_back();
    }
    define(value, std::move(one));
  }
  return true;
}

/// What is chosen where run-time indices are in a rank's ranges.
static void chooseRange(ArrayRef<Condition> cases, const BodyValue &first, const BodyValue &second,
                        BodyValue &result) {
  auto isRange = [](const Condition &c) {
    return c.holds && c.intervals.empty() && !c.ranges.empty();
  };
  if (!llvm::all_of(cases, isRange))
    return;
  auto find = [](const Condition &c, TermId index) {
    return llvm::find_if(c.ranges, [&](const IndexRange &range) { return range.index == index; });
  };
  if (first.shifted) {
    Shifted shifted{first.shifted->base, {}};
    for (auto [rank, one] : llvm::enumerate(cases)) {
      Shifted::Part part = first.shifted->at(rank);
      auto range = find(one, shifted.base);
      if (range == one.ranges.end() || one.ranges.size() != 1)
        return;
      part.begin = std::max(part.begin, range->begin);
      part.end = std::min(part.end, range->end);
      shifted.ranks.push_back(part);
    }
    result.shifted = shifted;
  }
  if (!first.picked || first.picked->otherwise || second.constants.size() != 1)
    return;
  Picked picked = *first.picked;
  for (auto [rank, one] : llvm::enumerate(cases)) {
    if (one.ranges.size() != picked.ranges[rank].size())
      return;
    for (IndexRange &has : picked.ranges[rank]) {
      auto range = find(one, has.index);
      if (range == one.ranges.end() ||
          (range->begin < range->end && (range->begin < has.begin || range->end > has.end)))
        return;
      has = *range;
    }
  }
  picked.otherwise = second.constants[0];
  result.picked = std::make_shared<Picked>(picked);
}

BodyValue Body::select(const BodyValue &condition, const BodyValue &first, const BodyValue &second,
                       Type type) {
  BodyValue result;
  std::optional<TermId> c = expressionOf(condition), a = expressionOf(first),
                        b = expressionOf(second);
  // Constants select themselves.
  if (condition.constants.size() == 1)
    return toIntegers(condition.constants)->front() ? first : second;
  if (a && b && *a == *b && c)
    return first;
  if (c && a && b)
    result.expression =
        algebra.terms.intern({kSelectExpression, keyOf(getElementTypeOrSelf(type)), *c, *a, *b});
  if (result.expression && !condition.condition)
    return result;
  std::optional<SmallVector<Condition>> cases = condition.condition;
  if (!cases && !condition.constants.empty()) {
    SmallVector<int64_t> holds = *toIntegers(condition.constants);
    cases.emplace();
    for (unsigned rank = 0; rank < algebra.ranks.count(); ++rank)
      cases->push_back({at(holds, rank) != 0, {}, {}});
    // Per-rank constants select per rank.
    if (!first.constants.empty() && !second.constants.empty()) {
      for (unsigned rank = 0; rank < algebra.ranks.count(); ++rank) {
        const BodyValue &taken = at(holds, rank) ? first : second;
        result.constants.push_back(taken.constants.size() == 1 ? taken.constants[0]
                                                               : taken.constants[rank]);
      }
      if (llvm::all_equal(result.constants))
        result.constants.resize(1);
      return result;
    }
  }
  if (cases) {
    bool always = true, never = true;
    for (unsigned rank = 0; rank < algebra.ranks.count(); ++rank) {
      Truth truth = decide(rank, (*cases)[rank]);
      always &= truth == Truth::Always;
      never &= truth == Truth::Never;
    }
    if (always || never)
      return always ? first : second;
    if (leaveOut && second.constants.size() == 1 && leaveOut(*cases))
      return first;
    chooseRange(*cases, first, second, result);
  }
  return result;
}
