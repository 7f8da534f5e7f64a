//===- Selections.cpp ------------------------------------------------------===//

#include "Selections.h"

#include "PaddingGuards.h"
#include "Windows.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"

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
constexpr int kNaN = -1;

/// What a body does with accumulators and elements.
class Combination {
public:
  /// Fails where the body does more than compare and select, or grouping matters.
  static std::optional<Combination> get(linalg::LinalgOp op);

  /// Per result, the element that an iteration offers.
  SmallVector<Value> elements;
  /// The ops from elements and accumulators to what is yielded, in order.
  llvm::SetVector<Operation *> ops;

  /// Where a result is compared and what others select by that is not what it becomes
  /// (its largest element is NaN, and they are of the largest before): the element by
  /// which they were selected. It is a further result of a block, and what is compared
  /// in place of the result when blocks are combined.
  struct Witness {
    unsigned of; ///< the result
    Value condition;
    bool taken; ///< what the condition is where the element is selected
  };
  std::optional<Witness> witness;
  /// Of results and the witness.
  unsigned numParts() const { return elements.size() + witness.has_value(); }
  /// The result whose elements and accumulator a part has.
  unsigned resultOfPart(unsigned part) const { return part < elements.size() ? part : witness->of; }

private:
  bool isGroupingFree() const;
  bool addWitness();
  bool collect(Value value, unsigned result);
  bool collectOperands(Operation *op);
  std::optional<unsigned> resultOf(Value leaf) const;
  /// For each part, whether the element is taken, the orders being as given.
  SmallVector<bool> choose(ArrayRef<int> accumulators, ArrayRef<int> others) const;

  mutable linalg::LinalgOp op;
  /// Whether the result is compared, and not only selected.
  SmallVector<bool> compared;
};

/// Whether the op chooses one of two leaves by their order.
bool isExtremum(Operation *op) {
  return isa<arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp, arith::MinNumFOp,
             arith::MaxSIOp, arith::MinSIOp, arith::MaxUIOp, arith::MinUIOp>(op);
}

/// Whether a value of the body depends on an accumulator.
bool dependsOnAccumulator(linalg::LinalgOp op, Value value) {
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
bool Combination::collect(Value value, unsigned result) {
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
  if (auto select = dyn_cast<arith::SelectOp>(def)) {
    ops.insert(def);
    return select.getCondition().getType().isInteger(1) && collect(select.getTrueValue(), result) &&
           collect(select.getFalseValue(), result);
  }
  if (!isExtremum(def))
    return false;
  ops.insert(def);
  compared[result] = true;
  return collect(def->getOperand(0), result) && collect(def->getOperand(1), result);
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
  for (unsigned i = 0; i < n; ++i)
    if (!combination.collect(op.getBlock()->getTerminator()->getOperand(i), i))
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
  if (combination.isGroupingFree() || (combination.addWitness() && combination.isGroupingFree()))
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

bool compareFloats(arith::CmpFPredicate predicate, int a, int b) {
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
bool compareIntegers(arith::CmpIPredicate predicate, int a, int b) {
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
bool takesSecond(Operation *op, int a, int b) {
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
      if (items.count(from))
        items[made] = items[from];
      else
        truths[made] = truths[from];
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

/// The constant that an init is filled with, where it is a float; else null.
FloatAttr getFilledFloat(Value init) {
  Attribute value;
  if (auto fill = init.getDefiningOp<linalg::FillOp>())
    matchPattern(fill.getInputs()[0], m_Constant(&value));
  else if (DenseElementsAttr elements; matchPattern(init, m_Constant(&elements)))
    value = elements.isSplat() ? elements.getSplatValue<Attribute>() : Attribute();
  return dyn_cast_or_null<FloatAttr>(value);
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
    FloatAttr value = getFilledFloat(op.getDpsInitOperand(i)->get());
    isFixed.push_back(value && value.getValue().isInfinity());
    fixed.push_back(isFixed.back() && !value.getValue().isNegative() ? kOrders - 1 : 0);
    bool isSigned = false, isUnsigned = false;
    for (Operation *def : ops) {
      auto compare = dyn_cast<arith::CmpIOp>(def);
      bool mine = llvm::any_of(def->getOperands(), [&](Value v) { return resultOf(v) == i; });
      if (compare && mine) {
        isSigned |= compare.getPredicate() >= arith::CmpIPredicate::slt &&
                    compare.getPredicate() <= arith::CmpIPredicate::sge;
        isUnsigned |= compare.getPredicate() >= arith::CmpIPredicate::ult;
      }
      isSigned |= mine && isa<arith::MaxSIOp, arith::MinSIOp>(def);
      isUnsigned |= mine && isa<arith::MaxUIOp, arith::MinUIOp>(def);
    }
    if (isSigned && isUnsigned)
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
    llvm::SetVector<int> reached;
    reached.insert(begin);
    for (unsigned at = 0; at < reached.size(); ++at)
      for (int e = 0; e < numCodes; ++e)
        if (isWitness(e))
          reached.insert(combine(tuple(reached[at], 'u'), tuple(e, 'e')).code);
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

/// The first loop that reduces, where all inits lack just the reductions and have the
/// other loops alike.
std::optional<unsigned> getFirstReduction(linalg::LinalgOp op) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  AffineMap result = maps.back();
  for (OpOperand &init : op.getDpsInitsMutable())
    if (maps[init.getOperandNumber()] != result || !isa<RankedTensorType>(init.get().getType()))
      return std::nullopt;
  if (!result.isProjectedPermutation())
    return std::nullopt;
  std::optional<unsigned> first;
  for (auto [loop, iterator] : llvm::enumerate(op.getIteratorTypesArray())) {
    bool reduces = iterator == utils::IteratorType::reduction;
    if (reduces == result.isFunctionOfDim(loop))
      return std::nullopt;
    if (reduces && !first)
      first = loop;
  }
  if (!first)
    return std::nullopt;
  // Every operand has the loop as a dimension of its own, or not at all.
  for (AffineMap map : maps)
    for (AffineExpr expr : map.getResults())
      if (!isa<AffineDimExpr>(expr) && expr.isFunctionOfDim(*first))
        return std::nullopt;
  return first;
}

} // namespace

std::optional<unsigned> tp::getSelectionLoop(linalg::LinalgOp op) {
  std::optional<unsigned> loop = getFirstReduction(op);
  if (!loop || op.getBlock()
                   ->walk([](tensor::ExtractOp) { return WalkResult::interrupt(); })
                   .wasInterrupted())
    return std::nullopt;
  return Combination::get(op) ? loop : std::nullopt;
}

FailureOr<SmallVector<Value>> tp::createCandidates(OpBuilder &builder, linalg::LinalgOp op,
                                                   unsigned loop, int64_t count) {
  Location loc = op.getLoc();
  MLIRContext *context = op.getContext();
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  int64_t n = op.getStaticLoopRanges()[loop], rows = llvm::divideCeil(n, count);
  bool isFull = rows * count == n;
  bool mayTrap = false;
  op.getBlock()->walk(
      [&](Operation *nested) { mayTrap |= getOperandThatMayTrap(nested).has_value(); });
  if (n == 0 || (!isFull && mayTrap))
    return failure();
  Combination combination = *Combination::get(op);
  unsigned numParts = combination.numParts(), numResults = op.getNumDpsInits();
  if (combination.witness) {
    // A part more than the op has results.
    int64_t most = 0, parts = 0;
    auto bytesOf = [](Type type) {
      auto tensor = cast<RankedTensorType>(type);
      Type element = tensor.getElementType();
      unsigned bits = element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 64;
      return tensor.getNumElements() * static_cast<int64_t>(llvm::divideCeil(bits, 8));
    };
    for (OpOperand *operand : op.getDpsInputOperands())
      if (maps[operand->getOperandNumber()].isFunctionOfDim(loop))
        most = std::max(most, bytesOf(operand->get().getType()));
    for (unsigned part = 0; part < numParts; ++part)
      parts += count * bytesOf(op->getResult(combination.resultOfPart(part)).getType());
    if (parts >= most)
      return failure();
  }

  // As in createBlocked: `loop` becomes the block, the next one the row in it.
  unsigned numLoops = op.getNumLoops() + 1;
  SmallVector<AffineExpr> moved;
  for (unsigned i = 0; i + 1 < numLoops; ++i)
    moved.push_back(getAffineDimExpr(i < loop ? i : i + 1, context));
  SmallVector<Value> inputs, inits;
  SmallVector<AffineMap> blockedMaps;
  for (OpOperand *operand : op.getDpsInputOperands()) {
    Value value = operand->get();
    SmallVector<AffineExpr> exprs;
    for (auto [dim, expr] : llvm::enumerate(maps[operand->getOperandNumber()].getResults())) {
      if (!expr.isFunctionOfDim(loop)) {
        exprs.push_back(expr.replaceDims(moved));
        continue;
      }
      if (!isFull) {
        SmallVector<WindowSegment> segments;
        for (int64_t block = 0; block < count; ++block)
          segments.push_back({std::min(block * rows, n), rows});
        auto type = cast<RankedTensorType>(value.getType());
        WindowMap map(n, segments);
        SmallVector<int64_t> shape(type.getShape());
        shape[dim] = map.resultSize();
        value = WindowOp::create(builder, loc, type.clone(shape), value, dim, map.starts(),
                                 map.sizes(), map.stride, map.repeat, TypedAttr(),
                                 builder.getStringAttr("blocks of which each has a candidate"));
      }
      value = createSplit(builder, loc, value, dim, count);
      exprs.push_back(getAffineDimExpr(loop, context));
      exprs.push_back(getAffineDimExpr(loop + 1, context));
    }
    inputs.push_back(value);
    blockedMaps.push_back(AffineMap::get(numLoops, 0, exprs, context));
  }
  SmallVector<AffineExpr> made = llvm::map_to_vector(
      maps.back().getResults(), [&](AffineExpr e) { return e.replaceDims(moved); });
  made.push_back(getAffineDimExpr(loop, context));
  unsigned rank = made.size();
  for (unsigned part = 0; part < numParts; ++part) {
    Value init = op.getDpsInits()[combination.resultOfPart(part)];
    auto type = cast<RankedTensorType>(init.getType());
    SmallVector<int64_t> shape(type.getShape());
    shape.push_back(count);
    Value empty = tensor::EmptyOp::create(builder, loc, shape, type.getElementType());
    if (auto fill = init.getDefiningOp<linalg::FillOp>())
      inits.push_back(
          linalg::FillOp::create(builder, loc, fill.getInputs()[0], empty).getResult(0));
    else
      inits.push_back(
          linalg::BroadcastOp::create(builder, loc, init, empty, ArrayRef<int64_t>{rank - 1})
              ->getResult(0));
    blockedMaps.push_back(AffineMap::get(numLoops, 0, made, context));
  }
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  iterators.insert(iterators.begin() + loop, utils::IteratorType::parallel);
  auto body = [&](OpBuilder &nested, Location at, ValueRange args) {
    IRMapping mapping;
    mapping.map(op.getBlock()->getArguments(), args);
    auto position = [&]() -> Value {
      Value block = linalg::IndexOp::create(nested, at, loop);
      Value size = arith::ConstantIndexOp::create(nested, at, rows);
      Value first = arith::MulIOp::create(nested, at, block, size);
      Value row = linalg::IndexOp::create(nested, at, loop + 1);
      return arith::AddIOp::create(nested, at, first, row);
    };
    for (Operation &old : op.getBlock()->without_terminator()) {
      auto index = dyn_cast<linalg::IndexOp>(old);
      if (!index)
        nested.clone(old, mapping);
      else if (unsigned i = index.getDim(); i == loop)
        mapping.map(index.getResult(), position());
      else
        mapping.map(index.getResult(),
                    linalg::IndexOp::create(nested, at, i < loop ? i : i + 1).getResult());
    }
    SmallVector<Value> yielded;
    Value inside;
    if (!isFull)
      inside = arith::CmpIOp::create(nested, at, arith::CmpIPredicate::slt, position(),
                                     arith::ConstantIndexOp::create(nested, at, n));
    for (Value value : op.getBlock()->getTerminator()->getOperands())
      yielded.push_back(mapping.lookupOrDefault(value));
    if (auto witness = combination.witness) {
      Value element = mapping.lookupOrDefault(combination.elements[witness->of]);
      Value kept = args.back();
      yielded.push_back(arith::SelectOp::create(
          nested, at, mapping.lookupOrDefault(witness->condition), witness->taken ? element : kept,
          witness->taken ? kept : element));
    }
    if (inside)
      for (auto [part, value] : llvm::enumerate(yielded))
        value =
            arith::SelectOp::create(nested, at, inside, value, args[op.getNumDpsInputs() + part]);
    linalg::YieldOp::create(nested, at, yielded);
  };
  auto candidates = linalg::GenericOp::create(builder, loc, ValueRange(inits).getTypes(), inputs,
                                              inits, blockedMaps, iterators, body);

  AffineMap all = builder.getMultiDimIdentityMap(rank);
  AffineMap row = AffineMap::get(rank, 0, all.getResults().drop_back(), context);
  SmallVector<AffineMap> chosenMaps(numParts, all);
  chosenMaps.append(numResults, row);
  SmallVector<utils::IteratorType> chosenIterators(rank, utils::IteratorType::parallel);
  chosenIterators.back() = utils::IteratorType::reduction;
  auto chosen = linalg::GenericOp::create(
      builder, loc, op->getResultTypes(), candidates.getResults(), op.getDpsInits(), chosenMaps,
      chosenIterators, [&](OpBuilder &nested, Location at, ValueRange args) {
        IRMapping mapping;
        for (unsigned i = 0; i < numResults; ++i) {
          mapping.map(combination.elements[i], args[i]);
          mapping.map(op.getRegionOutputArgs()[i], args[numParts + i]);
        }
        for (Operation *def : combination.ops) {
          Operation *made = nested.clone(*def, mapping);
          if (combination.witness && isa<arith::CmpFOp>(def))
            made->replaceUsesOfWith(args[combination.witness->of], args[numResults]);
        }
        linalg::YieldOp::create(
            nested, at,
            llvm::map_to_vector(op.getBlock()->getTerminator()->getOperands(),
                                [&](Value value) { return mapping.lookupOrDefault(value); }));
      });
  return llvm::to_vector(ValueRange(chosen.getResults()));
}
