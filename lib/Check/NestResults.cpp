//===- NestResults.cpp - Reductions and results of a nest ------------------===//

#include "Nest.h"

using namespace mlir;
using namespace mlir::tp;
using namespace mlir::tp::check;

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

/// The combiner of each result, and the kind where they agree.
static void findCombiners(LoopNest &nest, SmallVectorImpl<Operation *> &combiners,
                          std::optional<ReductionKind> &kind) {
  for (auto [i, value] : llvm::enumerate(nest.yields)) {
    Operation *op = value.getDefiningOp();
    std::optional<ReductionKind> one = op ? getCombinerKind(op) : std::nullopt;
    const LoopOperand *init = nullptr;
    unsigned number = 0;
    for (const LoopOperand &operand : nest.operands)
      if (operand.isInit && number++ == i)
        init = &operand;
    auto isAccumulator = [&](Value v) { return init && llvm::is_contained(init->elements, v); };
    if (!one || isAccumulator(op->getOperand(0)) == isAccumulator(op->getOperand(1)) ||
        (kind && *kind != *one)) {
      combiners.clear();
      kind.reset();
      return;
    }
    kind = one;
    combiners.push_back(op);
  }
}

/// Operands that are partial make the results partial. What a reduction begins with is
/// also partial over the ranks that cut the reduction.
bool NestEvaluator::relatePartial(SmallVectorImpl<unsigned> &parts) {
  DigitMask cut = 0;
  for (const Domain &domain : domains)
    if (domain.isReduction)
      cut |= algebra.maps.varying(domain.map);
  auto ownMask = [&](const LoopOperand &operand) {
    return operand.isInit ? operand.relation.partial & ~cut : operand.relation.partial;
  };
  for (auto [o, operand] : llvm::enumerate(nest.operands)) {
    DigitMask mask = isUsed.test(o) ? ownMask(operand) : 0;
    if (!mask)
      continue;
    if (partial && (partial != mask || partialKind != operand.relation.kind))
      return fail("operands are to be reduced over different ranks");
    partial = mask;
    partialKind = operand.relation.kind;
    parts.push_back(o);
  }
  // Values that some ranks have stand for a part.
  for (auto [o, operand] : llvm::enumerate(nest.operands)) {
    if (!isUsed.test(o) || operand.relation.absent.empty())
      continue;
    DigitMask mask = operand.isInit ? partial | cut : partial;
    if (!mask || (operand.relation.partial && operand.relation.partial == mask))
      continue;
    if (!partial && !kind)
      continue; // What reduceDomains refuses.
    if (!algebra.makePartial(operand.relation, partial ? partialKind : *kind, mask))
      return fail(algebra.why);
    if (partial)
      parts.push_back(o);
  }
  return true;
}

bool NestEvaluator::reduceDomains() {
  Maps &maps = algebra.maps;
  DigitMask cut = 0;
  bool isPadded = false;
  for (auto [i, domain] : llvm::enumerate(domains)) {
    ranges.push_back(0);
    if (!domain.isReduction)
      continue;
    DigitMask digits = maps.varying(domain.map);
    if (digits & cut)
      return fail("the same ranks cut two dimensions that are reduced");
    if (digits & partial)
      return fail("ranks that are to be reduced over cut a dimension that is reduced");
    // All ranks of a group together have every element once; all groups are alike.
    std::optional<Map> joined = maps.unite(domain.map, /*rank=*/0, digits);
    if (!joined)
      return fail("elements of a dimension that is reduced are counted by several ranks");
    ranges.back() = maps.intern(*joined);
    cut |= digits;
    if (hasPadding(domain)) {
      if (std::exchange(isPadded, true) && numUnclear() > 0)
        return fail("padding in two dimensions reaches a reduction, and is different in both");
      if (!kind)
        return fail("padding reaches a reduction without a kind");
      for (unsigned rank = 0; rank < algebra.ranks.count(); ++rank)
        for (unsigned r = 0; r < nest.yields.size(); ++r)
          for (const Run &run : fillMap(domain, rank, r))
            if (run.isPadding() &&
                run.fill != getNeutral(*kind, getElementTypeOrSelf(nest.yields[r].getType())))
              return fail("padding that is not neutral reaches a reduction (rank " + Twine(rank) +
                          ")");
    }
  }
  if (llvm::any_of(repeats, [](const Domain &domain) { return domain.isReduction; }))
    return fail("padding reaches a reduction of a broadcast");
  if (!cut)
    return true;
  if (!kind)
    return fail("a reduction without a kind is cut over ranks");
  if (partial && partialKind != *kind)
    return fail("operands are to be reduced by another kind");
  // What initialises counts on every rank.
  for (auto [o, operand] : llvm::enumerate(nest.operands)) {
    if (!operand.isInit || !isUsed.test(o))
      continue;
    Type element = getElementTypeOrSelf(operand.type);
    bool isNeutral = operand.relation.maps.empty() &&
                     algebra.terms.getConstant(operand.relation.term) == getNeutral(*kind, element);
    bool isPart = operand.relation.partial == (cut | partial) && operand.relation.kind == *kind;
    if (!isNeutral && !isPart)
      return fail("every rank of a group adds the value that a reduction begins with");
  }
  partial |= cut;
  partialKind = *kind;
  return true;
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

std::optional<unsigned> NestEvaluator::operandOf(const BodyValue &value) {
  if (value.expression)
    for (unsigned o = 0; o < nest.operands.size(); ++o)
      if (isUsed.test(o) && leaves[o] == *value.expression)
        return o;
  return std::nullopt;
}

/// The map without elements from `extent` on.
RankMapId NestEvaluator::clip(RankMapId map, int64_t extent) {
  auto isPast = [&](const Run &run) {
    return !run.isPadding() && std::max(run.source, run.at(run.size - 1)) >= extent;
  };
  return algebra.maps.transform(map, [&](ArrayRef<Run> old) {
    if (llvm::none_of(old, isPast))
      return Map(old);
    Map clipped;
    for (const Run &run : old)
      for (int64_t i = 0; i < run.size; ++i)
        append(clipped, !run.isPadding() && run.at(i) < extent ? Run{1, run.at(i), 1, {}}
                                                               : Run{1, -1, 1, run.fill});
    return clipped;
  });
}

bool NestEvaluator::finish(SmallVectorImpl<Relation> &results) {
  Maps &maps = algebra.maps;
  // Indices of results' expressions may make domains.
  SmallVector<std::optional<TermId>> expressions;
  std::shared_ptr<const Picked> picked;
  for (Value value : nest.yields) {
    const BodyValue &yield = body.get(value);
    expressions.push_back(body.expressionOf(yield));
    if (expressions.back() || !yield.picked || !yield.picked->otherwise)
      continue;
    if (nest.yields.size() != 1 || nest.isReduction.any())
      return fail("computes with an element that one rank looks up");
    picked = yield.picked;
    expressions.back() = picked->element;
  }

  bool reduces = nest.isReduction.any();
  if (!reduces && nest.yields.size() == 1) {
    const BodyValue &yield = body.get(nest.yields[0]);
    // A copy, perhaps of one that only some ranks have or that is partial.
    if (std::optional<unsigned> o = operandOf(yield);
        o && !nest.operands[*o].relation.absent.empty()) {
      const LoopOperand &operand = nest.operands[*o];
      if (!operand.repeats.empty() || nest.leavesOut)
        return fail("has padding of a broadcast that only some ranks have");
      Relation moved = operand.relation;
      SmallVector<int64_t> order;
      for (int loop : nest.results[0]) {
        auto it = llvm::find(operand.loops, loop);
        if (it == operand.loops.end())
          return fail("broadcasts a value that only some ranks have");
        order.push_back(it - operand.loops.begin());
      }
      algebra.transpose(moved, order);
      results.push_back(moved);
      return true;
    }
  }
  if (reduces)
    findCombiners(nest, combiners, kind);
  SmallVector<unsigned> parts;
  if (!relatePartial(parts) || !reduceDomains())
    return false;
  if (!parts.empty()) {
    auto isPart = [&](Value value) {
      return llvm::any_of(
          parts, [&](unsigned o) { return llvm::is_contained(nest.operands[o].elements, value); });
    };
    auto isNeutral = [&](Value value) {
      return llvm::any_of(nest.operands, [&](const LoopOperand &operand) {
        return operand.relation.maps.empty() && !operand.relation.isUndefined &&
               algebra.terms.getConstant(operand.relation.term) ==
                   getNeutral(partialKind, getElementTypeOrSelf(operand.type)) &&
               llvm::is_contained(operand.elements, value);
      });
    };
    if (!isLinear(nest.body, nest.yields, partialKind, isPart, isNeutral, why))
      return false;
  }
  Attribute otherwise;
  if (picked) {
    std::optional<DigitMask> digits = relatePicked(*picked);
    if (!digits)
      return false;
    if (*digits & partial)
      return fail("ranks that are to be reduced over hold different blocks");
    otherwise = partial ? Attribute() : picked->otherwise;
    ReductionKind found = ReductionKind::Sum;
    for (ReductionKind one : {ReductionKind::Or, ReductionKind::Max, ReductionKind::Min})
      if (!isNeutral(found, picked->otherwise))
        found = one;
    if (!isNeutral(found, picked->otherwise) || (partial && partialKind != found))
      return fail("ranks that do not have an element hold something that no reduction ignores");
    partial |= *digits;
    partialKind = found;
  }
  for (ArrayRef<Domain> list : {ArrayRef<Domain>(domains), ArrayRef<Domain>(repeats)})
    for (const Domain &domain : list)
      if (!domain.isReduction && (maps.varying(domain.map) & partial))
        return fail("ranks that are to be reduced over hold different blocks");

  // The key: domains by first use, then what is read where.
  Key key;
  key.reserve(64);
  key.insert(key.end(), {kLoopsTerm, domains.size()});
  SmallVector<int> dimOf(domains.size(), -1);
  SmallVector<int64_t> shape;
  SmallVector<unsigned> kept, open;
  for (auto [i, domain] : llvm::enumerate(domains)) {
    if (domain.isReduction) {
      key.insert(key.end(), {1, ranges[i]});
      continue;
    }
    key.push_back(0);
    dimOf[i] = kept.size();
    if (domain.isOpen)
      open.push_back(kept.size());
    kept.push_back(i);
    shape.push_back(domain.extent);
  }
  SmallVector<uint64_t> repeated;
  for (const SubLoop &sub : subLoops)
    if (sub.domain < 0 && nest.isReduction.test(sub.loop) && sub.size != 1)
      repeated.push_back(sub.size);
  key.push_back(repeated.size());
  key.insert(key.end(), repeated.begin(), repeated.end());
  // Where it matters in which order elements are combined: the loops from outside in.
  if (reduces && !kind)
    for (auto [loop, parts] : llvm::enumerate(pieces))
      for (unsigned piece : parts)
        if (nest.isReduction.test(loop) && subLoops[piece].domain >= 0)
          key.push_back(subLoops[piece].domain);
  bool hasOperands = false;
  for (auto [o, operand] : llvm::enumerate(nest.operands)) {
    if (!isUsed.test(o) || operand.relation.maps.empty())
      continue;
    hasOperands = true;
    key.push_back(operand.relation.term);
    SmallVector<std::pair<uint64_t, uint64_t>> access(operand.relation.maps.size());
    for (auto [i, domain] : llvm::enumerate(domains))
      for (auto [use, shift] : llvm::zip_equal(domain.uses, domain.shifts))
        if (use.first == o)
          access[use.second] = {i, uint64_t(shift)};
    for (auto [domain, shift] : access)
      key.insert(key.end(), {domain, shift});
    appendWindows(o, key);
    key.push_back(operand.isInit);
  }
  for (unsigned r = 0; r < nest.results.size(); ++r) {
    ArrayRef<int> loops = nest.results[r];
    if (!expressions[r])
      return fail("computes something that depends on the rank");
    Relation relation;
    relation.partial = partial;
    relation.kind = partialKind;
    relation.otherwise = partial ? otherwise : Attribute();
    // Layout of the loops that the result keeps.
    llvm::SmallBitVector present(domains.size());
    for (int loop : loops) {
      relation.layout.emplace_back();
      if (loop < 0) {
        relation.layout.back().push_back(Atom());
        continue;
      }
      for (unsigned piece : pieces[loop]) {
        const SubLoop &sub = subLoops[piece];
        Atom atom{-1, 1, sub.size};
        if (sub.domain >= 0) {
          atom.dim = dimOf[sub.domain];
          present.set(sub.domain);
          for (auto [level, stride] : domains[sub.domain].levels)
            if (level == piece)
              atom.stride = stride;
        }
        relation.layout.back().push_back(atom);
      }
      if (relation.layout.back().empty())
        relation.layout.back().push_back(Atom());
    }
    for (auto [i, domain] : llvm::enumerate(domains))
      if (!domain.isReduction && !domain.levels.empty() && !present.test(i))
        return fail("a loop is in no result");
    for (unsigned i : kept) {
      Domain &domain = domains[i];
      relation.maps.push_back(
          hasPadding(domain) ? maps.make([&](unsigned rank) { return fillMap(domain, rank, r); })
                             : domain.map);
    }
    const BodyValue &yield = body.get(nest.yields[r]);
    std::optional<unsigned> copied = operandOf(yield);
    if (!reduces && copied && !nest.operands[*copied].relation.maps.empty()) {
      // A copy has the operand's term: its dimensions in the operand's order.
      Relation &source = nest.operands[*copied].relation;
      SmallVector<int> order(domains.size(), -1);
      SmallVector<RankMapId, 4> copiedMaps;
      bool isAll = true;
      for (auto [i, domain] : llvm::enumerate(domains)) {
        bool has = false;
        for (auto [use, shift] : llvm::zip_equal(domain.uses, domain.shifts))
          if (use.first == *copied && shift == 0) {
            order[i] = use.second;
            has = true;
          }
        isAll &= has || domain.levels.empty();
      }
      if (isAll) {
        copiedMaps.resize(source.maps.size());
        for (auto [position, i] : llvm::enumerate(kept))
          if (order[i] >= 0)
            copiedMaps[order[i]] = relation.maps[position];
        for (auto &local : relation.layout)
          for (Atom &atom : local)
            if (atom.dim >= 0)
              atom.dim = order[kept[atom.dim]];
        relation.maps = copiedMaps;
        relation.term = source.term;
        if (!repeatResult(relation, r))
          return false;
        algebra.normalize(relation);
        if (!removeAbsent(relation, r))
          return false;
        results.push_back(std::move(relation));
        continue;
      }
    }
    if (domains.empty() && !reduces && !hasOperands) {
      relation.term = *expressions[r];
      if (!repeatResult(relation, r) || !removeAbsent(relation, r))
        return false;
      results.push_back(std::move(relation));
      continue;
    }
    Key own;
    own.reserve(key.size() + expressions.size() + 3 + open.size());
    own.insert(own.end(), key.begin(), key.end());
    own.push_back(~uint64_t(0));
    for (std::optional<TermId> expression : expressions)
      own.push_back(expression.value_or(0));
    own.push_back(keyOf(getElementTypeOrSelf(nest.yields[r].getType())));
    own.push_back(r);
    relation.term = algebra.terms.internOpen(std::move(own), shape, open, algebra.isSource);
    // Blocks may end behind the last index.
    for (unsigned dim : open)
      relation.maps[dim] = clip(relation.maps[dim], algebra.terms.getShape(relation.term)[dim]);
    if (!repeatResult(relation, r))
      return false;
    algebra.normalize(relation);
    if (!removeAbsent(relation, r))
      return false;
    results.push_back(std::move(relation));
  }
  return true;
}
