//===- Combination.cpp -----------------------------------------------------===//

#include "Combination.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::tp;

namespace {

/// An operand of the combination: the accumulator or the element of a result, by its
/// place in the order of the values that are tried.
struct Item {
  unsigned result = 0;
  bool isElement = false;
  int order = 0;
};

} // namespace

/// Whether the op chooses one of two leaves by their order.
static bool isExtremum(Operation *op) {
  return isa<arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp, arith::MinNumFOp,
             arith::MaxSIOp, arith::MinSIOp, arith::MaxUIOp, arith::MinUIOp>(op);
}

/// Whether a value of the body depends on an accumulator.
static bool dependsOnAccumulator(linalg::LinalgOp op, Value value) {
  SmallVector<Value> open = {value};
  llvm::SmallPtrSet<Value, 8> seen;
  while (!open.empty()) {
    Value one = open.pop_back_val();
    if (!seen.insert(one).second)
      continue;
    if (llvm::is_contained(op.getRegionOutputArgs(), one))
      return true;
    if (Operation *def = one.getDefiningOp(); def && op.getBlock()->findAncestorOpInBlock(*def)) {
      if (def->getNumRegions() != 0)
        return true; // Nobody looks into it.
      llvm::append_range(open, def->getOperands());
    }
  }
  return false;
}

/// What is selected for the result: its accumulator, or its one element.
bool Combination::collect(Value value, unsigned result,
                          llvm::SmallDenseSet<std::pair<Operation *, unsigned>> &seen) {
  if (value == op.getRegionOutputArgs()[result])
    return true;
  if (!dependsOnAccumulator(op, value)) {
    Value &element = elements[result];
    if (element && element != value)
      return false;
    element = value;
    return true;
  }
  Operation *def = value.getDefiningOp();
  if (!def)
    return false; // Another accumulator.
  if (!seen.insert({def, result}).second)
    return true;
  if (auto select = dyn_cast<arith::SelectOp>(def)) {
    ops.insert(def);
    return select.getCondition().getType().isInteger(1) &&
           collect(select.getTrueValue(), result, seen) &&
           collect(select.getFalseValue(), result, seen);
  }
  if (!isExtremum(def))
    return false;
  ops.insert(def);
  compared[result] = true;
  return collect(def->getOperand(0), result, seen) && collect(def->getOperand(1), result, seen);
}

std::optional<unsigned> Combination::resultOf(Value leaf) const {
  for (auto [i, accumulator] : llvm::enumerate(op.getRegionOutputArgs()))
    if (leaf == accumulator || leaf == elements[i])
      return i;
  return std::nullopt;
}

/// The conditions of what was collected: comparisons of leaves of one result.
bool Combination::collectOperands(Operation *def) {
  for (Value operand : def->getOperands()) {
    if (resultOf(operand))
      continue;
    Operation *source = operand.getDefiningOp();
    if (!source || source->getBlock() != op.getBlock())
      return false;
    if (ops.contains(source))
      continue;
    if (isa<arith::CmpFOp, arith::CmpIOp>(source)) {
      std::optional<unsigned> a = resultOf(source->getOperand(0)),
                              b = resultOf(source->getOperand(1));
      if (!a || a != b)
        return false;
      compared[*a] = true;
      ops.insert(source);
      continue;
    }
    bool isLogic = isa<arith::AndIOp, arith::OrIOp, arith::XOrIOp, arith::SelectOp>(source) &&
                   operand.getType().isInteger(1);
    bool isTruth = operand.getType().isInteger(1) && matchPattern(operand, m_Constant());
    if (!isLogic && !isTruth)
      return false;
    ops.insert(source);
    if (isLogic && !collectOperands(source))
      return false;
  }
  return true;
}

std::optional<Combination> Combination::get(linalg::LinalgOp op) {
  Combination combination;
  combination.op = op;
  unsigned n = op.getNumDpsInits();
  combination.elements.resize(n);
  combination.compared.assign(n, false);
  llvm::SmallDenseSet<std::pair<Operation *, unsigned>> seen;
  for (unsigned i = 0; i < n; ++i)
    if (!combination.collect(op.getBlock()->getTerminator()->getOperand(i), i, seen))
      return std::nullopt;
  // One element of two results would have two orders.
  llvm::SmallPtrSet<Value, 4> different(combination.elements.begin(), combination.elements.end());
  if (different.size() != n || different.contains(Value()))
    return std::nullopt;
  for (Operation *def : llvm::to_vector(combination.ops))
    if (!combination.collectOperands(def))
      return std::nullopt;
  auto sorted = llvm::to_vector(combination.ops);
  llvm::sort(sorted, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  combination.ops = llvm::SetVector<Operation *>(sorted.begin(), sorted.end());
  return combination;
}

std::optional<Combination> Combination::getGroupingFree(linalg::LinalgOp op) {
  std::optional<Combination> combination = get(op);
  if (combination && (combination->isGroupingFree() ||
                      (combination->addWitness() && combination->isGroupingFree())))
    return combination;
  return std::nullopt;
}

/// The float that is compared, as it was when some other result was last selected.
bool Combination::addWitness() {
  std::optional<unsigned> of;
  for (unsigned i = 0; i < elements.size(); ++i)
    if (compared[i]) {
      if (of)
        return false;
      of = i;
    }
  if (!of || !isa<FloatType>(elements[*of].getType()))
    return false;
  for (auto [i, value] : llvm::enumerate(op.getBlock()->getTerminator()->getOperands())) {
    auto select = value.getDefiningOp<arith::SelectOp>();
    bool takesFirst = select && select.getTrueValue() == elements[i];
    if (compared[i] || !select || (!takesFirst && select.getFalseValue() != elements[i]) ||
        !isa<BlockArgument>(takesFirst ? select.getFalseValue() : select.getTrueValue()))
      continue;
    witness = Witness{*of, select.getCondition(), takesFirst};
    return true;
  }
  return false;
}

static bool compareFloats(arith::CmpFPredicate predicate, int a, int b) {
  // As the encoding has it: bits for greater, less and equal, one for unordered.
  bool isUnordered = a == kNaN || b == kNaN;
  using P = arith::CmpFPredicate;
  switch (predicate) {
  case P::AlwaysFalse:
    return false;
  case P::AlwaysTrue:
    return true;
  case P::ORD:
    return !isUnordered;
  case P::UNO:
    return isUnordered;
  case P::OEQ:
    return !isUnordered && a == b;
  case P::OGT:
    return !isUnordered && a > b;
  case P::OGE:
    return !isUnordered && a >= b;
  case P::OLT:
    return !isUnordered && a < b;
  case P::OLE:
    return !isUnordered && a <= b;
  case P::ONE:
    return !isUnordered && a != b;
  case P::UEQ:
    return isUnordered || a == b;
  case P::UGT:
    return isUnordered || a > b;
  case P::UGE:
    return isUnordered || a >= b;
  case P::ULT:
    return isUnordered || a < b;
  case P::ULE:
    return isUnordered || a <= b;
  case P::UNE:
    return isUnordered || a != b;
  }
  llvm_unreachable("all predicates are listed");
}

/// Signed and unsigned orders are each an order: a body that has both of one result
/// is not followed (see isGroupingFree).
static bool compareIntegers(arith::CmpIPredicate predicate, int a, int b) {
  using P = arith::CmpIPredicate;
  switch (predicate) {
  case P::eq:
    return a == b;
  case P::ne:
    return a != b;
  case P::slt:
  case P::ult:
    return a < b;
  case P::sle:
  case P::ule:
    return a <= b;
  case P::sgt:
  case P::ugt:
    return a > b;
  case P::sge:
  case P::uge:
    return a >= b;
  }
  llvm_unreachable("all predicates are listed");
}

/// Whether the second of two leaves is the one that is taken.
static bool takesSecond(Operation *op, int a, int b) {
  if (a == kNaN || b == kNaN) {
    bool spreads = isa<arith::MaximumFOp, arith::MinimumFOp>(op);
    return spreads ? a != kNaN : a == kNaN;
  }
  bool isMax = isa<arith::MaximumFOp, arith::MaxNumFOp, arith::MaxSIOp, arith::MaxUIOp>(op);
  return isMax ? b > a : b < a;
}

SmallVector<bool> Combination::choose(ArrayRef<int> accumulators, ArrayRef<int> others) const {
  llvm::SmallDenseMap<Value, Item> items;
  llvm::SmallDenseMap<Value, bool> truths;
  for (auto [i, accumulator] : llvm::enumerate(op.getRegionOutputArgs())) {
    unsigned result = i;
    items[elements[i]] = {result, true, others[i]};
    items[accumulator] = {result, false, accumulators[i]};
  }
  auto orderOf = [&](Value leaf) {
    return witness && leaf == elements[witness->of] ? others.back() : items[leaf].order;
  };
  for (Operation *def : ops) {
    Value made = def->getResult(0);
    if (auto compare = dyn_cast<arith::CmpFOp>(def)) {
      truths[made] = compareFloats(compare.getPredicate(), orderOf(compare.getLhs()),
                                   orderOf(compare.getRhs()));
    } else if (auto compare = dyn_cast<arith::CmpIOp>(def)) {
      truths[made] = compareIntegers(compare.getPredicate(), items[compare.getLhs()].order,
                                     items[compare.getRhs()].order);
    } else if (auto select = dyn_cast<arith::SelectOp>(def)) {
      Value from = truths[select.getCondition()] ? select.getTrueValue() : select.getFalseValue();
      // Copied first: the map moves its items where it grows.
      if (auto chosen = items.find(from); chosen != items.end())
        items.insert({made, Item(chosen->second)});
      else
        truths.insert({made, truths.lookup(from)});
    } else if (isExtremum(def)) {
      Item a = items[def->getOperand(0)], b = items[def->getOperand(1)];
      items[made] = takesSecond(def, a.order, b.order) ? b : a;
    } else if (APInt truth; matchPattern(made, m_ConstantInt(&truth))) {
      truths[made] = truth.isOne();
    } else {
      bool a = truths[def->getOperand(0)], b = truths[def->getOperand(1)];
      truths[made] = isa<arith::AndIOp>(def) ? a && b : isa<arith::OrIOp>(def) ? a || b : a != b;
    }
  }
  SmallVector<bool> taken =
      llvm::map_to_vector(op.getBlock()->getTerminator()->getOperands(),
                          [&](Value yielded) { return items[yielded].isElement; });
  if (witness)
    taken.push_back(truths[witness->condition] == witness->taken);
  return taken;
}

TypedAttr tp::getFilled(Value init) {
  Attribute value;
  if (auto fill = init.getDefiningOp<linalg::FillOp>())
    matchPattern(fill.getInputs()[0], m_Constant(&value));
  else if (DenseElementsAttr elements; matchPattern(init, m_Constant(&elements)))
    value = elements.isSplat() ? elements.getSplatValue<Attribute>() : Attribute();
  return dyn_cast_or_null<TypedAttr>(value);
}

/// Of integers; floats have one order.
bool Combination::compares(unsigned result, bool isSigned) const {
  using P = arith::CmpIPredicate;
  return llvm::any_of(ops, [&](Operation *def) {
    if (!llvm::any_of(def->getOperands(), [&](Value v) { return resultOf(v) == result; }))
      return false;
    if (auto compare = dyn_cast<arith::CmpIOp>(def))
      return isSigned ? compare.getPredicate() >= P::slt && compare.getPredicate() <= P::sge
                      : compare.getPredicate() >= P::ult;
    return isSigned ? isa<arith::MaxSIOp, arith::MinSIOp>(def)
                    : isa<arith::MaxUIOp, arith::MinUIOp>(def);
  });
}

bool Combination::isGroupingFree() const {
  // Orders of three elements, and of what accumulators begin with.
  constexpr int kOrders = 4;
  unsigned n = numParts();
  SmallVector<int> sizes;
  SmallVector<bool> isFloat, isFixed;
  SmallVector<int> fixed;
  int numCodes = 1;
  for (unsigned part = 0; part < n; ++part) {
    unsigned i = resultOfPart(part);
    isFloat.push_back(isa<FloatType>(elements[i].getType()));
    sizes.push_back(!compared[i] ? 1 : isFloat.back() ? kOrders + 1 : kOrders);
    numCodes *= sizes.back();
    auto value = dyn_cast_or_null<FloatAttr>(getFilled(op.getDpsInitOperand(i)->get()));
    isFixed.push_back(value && value.getValue().isInfinity());
    fixed.push_back(isFixed.back() && !value.getValue().isNegative() ? kOrders - 1 : 0);
    if (comparesSigned(i) && comparesUnsigned(i))
      return false;
  }
  constexpr int kMaxCodes = 32;
  if (numCodes > kMaxCodes || n > 4)
    return false;

  /// A tuple of orders by number, and where each of its parts comes from.
  auto decode = [&](int code) {
    SmallVector<int> orders;
    for (unsigned i = 0; i < n; ++i) {
      int order = code % sizes[i];
      orders.push_back(order == kOrders ? kNaN : order);
      code /= sizes[i];
    }
    return orders;
  };
  SmallVector<SmallVector<int>> orders;
  for (int code = 0; code < numCodes; ++code)
    orders.push_back(decode(code));
  SmallVector<SmallVector<SmallVector<bool>>> table(numCodes);
  for (int a = 0; a < numCodes; ++a)
    for (int b = 0; b < numCodes; ++b)
      table[a].push_back(choose(orders[a], orders[b]));
  struct Tuple {
    int code;
    std::array<char, 4> from;
  };
  auto combine = [&](const Tuple &a, const Tuple &b) {
    Tuple made = {0, a.from};
    const SmallVector<bool> &taken = table[a.code][b.code];
    for (unsigned i = 0, scale = 1; i < n; scale *= sizes[i++]) {
      const Tuple &source = taken[i] ? b : a;
      made.from[i] = source.from[i];
      made.code += static_cast<int>(scale) * (source.code / static_cast<int>(scale) % sizes[i]);
    }
    return made;
  };
  auto tuple = [](int code, char name) { return Tuple{code, {name, name, name, name}}; };
  auto isSame = [&](const Tuple &a, const Tuple &b) {
    for (unsigned i = 0; i < elements.size(); ++i) {
      int x = orders[a.code][i], y = orders[b.code][i];
      // Equal floats may be zeros of two signs, but infinity is one.
      bool isOne = compared[i] && x == y && (!isFloat[i] || (isFixed[i] && x == fixed[i]));
      if (a.from[i] != b.from[i] && !isOne)
        return false;
    }
    return true;
  };

  // Elements, and what accumulators begin with, are their own witnesses.
  auto isWitness = [&](int code) {
    return !witness || orders[code].back() == orders[code][witness->of];
  };
  for (int begin = 0; begin < numCodes; ++begin) {
    bool isBegin = isWitness(begin);
    for (unsigned i = 0; i < elements.size(); ++i)
      isBegin &= !isFixed[i] || !compared[i] || orders[begin][i] == fixed[i];
    if (!isBegin)
      continue;
    // Every block begins with that, so it must not win against what was chosen before,
    // which may be no different in order: which parts are of elements is a bit each.
    constexpr int kMasks = 16;
    llvm::SetVector<int> states, reached;
    states.insert(begin * kMasks);
    for (unsigned at = 0; at < states.size(); ++at) {
      reached.insert(states[at] / kMasks);
      Tuple own = tuple(states[at] / kMasks, 'z');
      for (unsigned i = 0; i < n; ++i)
        if (states[at] % kMasks >> i & 1)
          own.from[i] = 'e';
      if (!isSame(combine(own, tuple(begin, 'z')), own))
        return false;
      for (int e = 0; e < numCodes; ++e) {
        if (!isWitness(e))
          continue;
        Tuple next = combine(own, tuple(e, 'e'));
        int mask = 0;
        for (unsigned i = 0; i < n; ++i)
          mask |= (next.from[i] == 'e') << i;
        states.insert(next.code * kMasks + mask);
      }
    }
    for (int u : reached) {
      // What began the accumulator is itself.
      Tuple own = tuple(u, 'u');
      if (u != begin && !isSame(combine(own, tuple(begin, 'z')), own))
        return false;
      for (int w : reached)
        for (int e = 0; e < numCodes; ++e) {
          if (!isWitness(e))
            continue;
          Tuple a = tuple(u, 'u'), b = tuple(w, 'w'), c = tuple(e, 'e');
          if (!isSame(combine(a, combine(b, c)), combine(combine(a, b), c)))
            return false;
        }
    }
  }
  return true;
}
