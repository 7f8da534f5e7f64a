//===- NestBody.cpp - What a nest computes, also on padding ----------------===//

#include "Nest.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

#include <set>

using namespace mlir;
using namespace mlir::tp;
using namespace mlir::tp::check;

bool NestEvaluator::evaluateBody(llvm::function_ref<std::optional<BodyValue>(Value)> outside) {
  Maps &maps = algebra.maps;
  body.outside = outside;
  // Loops with an index and no operand have a domain of their own.
  body.indexOf = [&](const Affine &affine) -> std::optional<LoopIndex> {
    auto domain = llvm::find_if(domains, [&](const Domain &d) { return d.loop == affine.loop; });
    if (domain == domains.end()) {
      if (llvm::any_of(pieces[affine.loop],
                       [&](unsigned piece) { return subLoops[piece].domain >= 0; }))
        return std::nullopt;
      int64_t size = nest.sizes[affine.loop], extent = size;
      for (int64_t offset : affine.offsets)
        extent = std::max(extent, offset + size);
      if (llvm::any_of(affine.offsets, [](int64_t offset) { return offset < 0; }))
        return std::nullopt;
      addDomain(affine.loop,
                affine.offsets.size() == 1 ? maps.uniform(makeRange(affine.offsets[0], size))
                                           : maps.make([&](unsigned rank) {
                                               return makeRange(affine.offsets[rank], size);
                                             }),
                extent)
          .isOpen = true;
      // Where broadcasts have padding along it, it has, too.
      auto repeat = llvm::find_if(repeats, [&](const Domain &d) { return d.loop == affine.loop; });
      if (repeat != repeats.end()) {
        addPadding(domains.back(), repeat->map);
        repeats.erase(repeat);
      }
      return LoopIndex{unsigned(domains.size() - 1), 0};
    }
    std::optional<int64_t> shift;
    for (unsigned rank = 0; rank < algebra.ranks.count(); ++rank) {
      int64_t position = 0;
      int64_t offset = affine.offsets.size() == 1 ? affine.offsets[0] : affine.offsets[rank];
      for (const Run &run : maps.get(domain->map, rank)) {
        if (!run.isPadding()) {
          int64_t here = position + offset - run.source;
          if ((shift && *shift != here) || (run.size > 1 && run.step != 1))
            return std::nullopt;
          shift = here;
        }
        position += run.size;
      }
    }
    return LoopIndex{unsigned(domain - domains.begin()), shift.value_or(0)};
  };
  body.decide = [&](unsigned rank, const Condition &condition) {
    if (!condition.holds)
      return Truth::Never;
    bool always = condition.ranges.empty();
    for (const Interval &interval : condition.intervals) {
      auto isOf = [&](const Domain &d) { return d.loop == interval.loop; };
      auto domain = llvm::find_if(domains, isOf);
      auto repeat = llvm::find_if(repeats, isOf);
      Map free = makeRange(0, nest.sizes[interval.loop]);
      ArrayRef<Run> map = domain != domains.end()   ? maps.get(domain->map, rank)
                          : repeat != repeats.end() ? maps.get(repeat->map, rank)
                                                    : ArrayRef<Run>(free);
      bool inside = false, outsideToo = false;
      int64_t position = 0;
      for (const Run &run : map) {
        if (!run.isPadding() && run.size > 0) {
          inside |= position < interval.end && position + run.size > interval.begin;
          outsideToo |= position < interval.begin || position + run.size > interval.end;
        }
        position += run.size;
      }
      if (outsideToo && !inside)
        return Truth::Never;
      always &= !outsideToo;
    }
    return always ? Truth::Always : Truth::Mixed;
  };

  if (nest.leavesOut)
    body.leaveOut = [&](ArrayRef<Condition> cases) { return leaveOut(cases); };
  body.loopOffsets = [&](unsigned loop) -> std::optional<SmallVector<int64_t>> {
    auto domain = llvm::find_if(domains, [&](const Domain &d) { return d.loop == loop; });
    SmallVector<int64_t> offsets;
    if (domain == domains.end())
      return offsets;
    for (unsigned rank = 0; rank < algebra.ranks.count(); ++rank) {
      offsets.push_back(0);
      std::optional<HeldBlock> block = getHeldBlock(maps.get(domain->map, rank));
      if (!block)
        return std::nullopt;
      offsets.back() = block->offset;
    }
    return offsets;
  };
  body.lookUp = [&](Value element) { return lookUp(element); };

  // Equal operands are one.
  SmallVector<Key, 4> known;
  leaves.resize(nest.operands.size());
  for (auto [o, operand] : llvm::enumerate(nest.operands)) {
    BodyValue leaf;
    if (isUsed.test(o)) {
      if (operand.relation.maps.empty()) {
        leaf.expression = operand.relation.term;
      } else {
        Key key;
        key.reserve(3 * operand.relation.maps.size() + 2);
        key.push_back(operand.relation.term);
        for (auto [i, domain] : llvm::enumerate(domains))
          for (auto [use, shift] : llvm::zip_equal(domain.uses, domain.shifts))
            if (use.first == o)
              key.insert(key.end(), {use.second, i, uint64_t(shift)});
        appendWindows(o, key);
        key.push_back(operand.lookUps.size());
        unsigned number = llvm::find(known, key) - known.begin();
        leaf.expression = algebra.terms.intern({kLeafExpression, number});
        if (number == known.size())
          known.push_back(std::move(key));
      }
    }
    leaves[o] = leaf.expression.value_or(0);
    if (operand.lookUps.empty())
      for (Value element : operand.elements)
        body.define(element, leaf);
  }
  // Of look-ups that no op of the body makes.
  for (const LoopOperand &operand : nest.operands)
    if (!operand.lookUps.empty() && nest.body.empty())
      for (Value element : operand.elements)
        if (std::optional<BodyValue> found = lookUp(element))
          body.define(element, *found);
  for (Operation *op : nest.body)
    if (!body.evaluate(op))
      return fail(body.why);
  return true;
}

SmallVector<Attribute> NestEvaluator::evaluatePadding(const Domain &domain, unsigned rank,
                                                      int64_t begin, int64_t size) {
  llvm::DenseMap<Value, Attribute> known;
  for (auto [o, operand] : llvm::enumerate(nest.operands)) {
    Attribute fill = getFill(domain, o, rank, begin, size);
    for (Value element : operand.elements)
      known[element] = fill;
  }
  auto look = [&](Value value) -> Attribute {
    auto it = known.find(value);
    if (it != known.end())
      return it->second;
    const BodyValue &given = body.get(value);
    if (given.constants.empty())
      return {};
    return given.constants.size() == 1 ? given.constants[0] : given.constants[rank];
  };
  auto decide = [&](const Condition &condition) {
    if (!condition.holds)
      return Truth::Never;
    bool always = condition.ranges.empty();
    for (const Interval &interval : condition.intervals) {
      if (domain.loop != interval.loop) {
        always = false;
        continue;
      }
      if (begin >= interval.end || begin + size <= interval.begin)
        return Truth::Never;
      always &= begin >= interval.begin && begin + size <= interval.end;
    }
    if (always)
      return Truth::Always;
    // Positions along other loops may satisfy it anyway.
    Condition others = condition;
    llvm::erase_if(others.intervals,
                   [&](const Interval &interval) { return domain.loop == interval.loop; });
    bool here = llvm::all_of(condition.intervals, [&](const Interval &interval) {
      return domain.loop != interval.loop ||
             (begin >= interval.begin && begin + size <= interval.end);
    });
    return here && body.decide(rank, others) == Truth::Always ? Truth::Always : Truth::Mixed;
  };
  for (Operation *op : nest.body) {
    if (auto select = dyn_cast<arith::SelectOp>(op)) {
      Attribute condition = look(select.getCondition());
      const BodyValue &cases = body.get(select.getCondition());
      Attribute first = look(select.getTrueValue()), second = look(select.getFalseValue());
      Attribute result = first == second ? first : Attribute();
      if (auto constant = dyn_cast_or_null<IntegerAttr>(condition)) {
        result = constant.getValue().isZero() ? second : first;
      } else if (cases.condition) {
        Truth truth = decide((*cases.condition)[rank]);
        if (truth != Truth::Mixed)
          result = truth == Truth::Always ? first : second;
      }
      known[select] = result;
      continue;
    }
    SmallVector<Attribute> operands;
    for (Value operand : op->getOperands())
      operands.push_back(look(operand));
    SmallVector<Attribute> results = foldElement(op, operands);
    for (auto [value, attr] : llvm::zip_equal(op->getResults(), results))
      known[value] = attr;
  }
  SmallVector<Attribute> results;
  if (domain.isReduction) {
    // What is combined with the accumulator.
    for (auto [i, combiner] : llvm::enumerate(combiners)) {
      unsigned number = 0;
      Value contribution;
      for (const LoopOperand &operand : nest.operands)
        if (operand.isInit && number++ == i)
          contribution = llvm::is_contained(operand.elements, combiner->getOperand(0))
                             ? combiner->getOperand(1)
                             : combiner->getOperand(0);
      results.push_back(look(contribution));
    }
    return results;
  }
  for (Value value : nest.yields)
    results.push_back(look(value));
  if (nest.isReduction.none())
    return results;
  // Every iteration must give what it began with.
  auto isPadded = [&](const Domain &d) { return d.isReduction && hasPadding(d); };
  bool isStable = llvm::none_of(domains, isPadded) && llvm::none_of(repeats, isPadded);
  unsigned number = 0;
  for (const LoopOperand &operand : nest.operands)
    if (operand.isInit) {
      for (Value element : operand.elements)
        isStable &= known.lookup(element) == results[number];
      ++number;
    }
  return isStable ? results : SmallVector<Attribute>(results.size());
}

unsigned NestEvaluator::numUnclear() {
  SmallVector<const Domain *> padded;
  for (ArrayRef<Domain> list : {ArrayRef<Domain>(domains), ArrayRef<Domain>(repeats)})
    for (const Domain &domain : list)
      if (hasPadding(domain))
        padded.push_back(&domain);
  if (padded.size() < 2)
    return 0;
  unsigned count = 0;
  for (auto [o, operand] : llvm::enumerate(nest.operands)) {
    if (!isUsed.test(o))
      continue;
    llvm::SmallSetVector<Attribute, 2> numbers;
    unsigned numDomains = 0;
    for (const Domain *domain : padded) {
      bool isHere = false;
      for (RankMapId map : mapsAlong(*domain, o))
        for (unsigned rank = 0; rank < algebra.ranks.count(); ++rank)
          for (const Run &run : algebra.maps.get(map, rank))
            if (run.isPadding()) {
              numbers.insert(run.fill);
              isHere = true;
            }
      numDomains += isHere;
    }
    if (Attribute number = algebra.getSplat(operand.relation); number && numDomains > 0) {
      numbers.insert(number);
      ++numDomains;
    }
    count += numDomains > 1 && (numbers.size() > 1 || !numbers.front());
  }
  return count;
}

/// The domain's map with what result `result` holds where it has padding.
Map NestEvaluator::fillMap(const Domain &domain, unsigned rank, unsigned result) {
  Maps &maps = algebra.maps;
  Map filled;
  int64_t position = 0;
  if (!areUnclear)
    areUnclear = numUnclear() > 1;
  if (*areUnclear) {
    for (Run run : maps.get(domain.map, rank)) {
      run.fill = {};
      append(filled, run);
    }
    return filled;
  }
  // Cut where any operand's padding changes.
  std::set<int64_t> bounds;
  for (auto use : domain.uses) {
    int64_t at = 0;
    for (const Run &run : maps.get(nest.operands[use.first].relation.maps[use.second], rank))
      bounds.insert(at += run.size);
  }
  for (const LoopOperand &operand : nest.operands)
    for (const Repeat &repeat : operand.repeats) {
      int64_t at = 0;
      for (const Run &run : maps.get(repeat.map, rank))
        if (domain.loop == repeat.loop)
          bounds.insert(at += run.size);
    }
  // Also where conditions change.
  for (Operation *op : nest.body)
    for (Value value : op->getResults())
      if (const BodyValue &known = body.get(value); known.condition)
        for (const Interval &interval : (*known.condition)[rank].intervals)
          if (domain.loop == interval.loop)
            bounds.insert({interval.begin, interval.end});
  for (const Run &run : SmallVector<Run>(maps.get(domain.map, rank))) {
    int64_t end = position + run.size;
    if (!run.isPadding()) {
      append(filled, run);
      position = end;
      continue;
    }
    while (position < end) {
      auto next = bounds.upper_bound(position);
      int64_t stop = next == bounds.end() ? end : std::min(end, *next);
      SmallVector<Attribute> values = evaluatePadding(domain, rank, position, stop - position);
      append(filled,
             {stop - position, -1, 1, result < values.size() ? values[result] : Attribute()});
      position = stop;
    }
  }
  return filled;
}
