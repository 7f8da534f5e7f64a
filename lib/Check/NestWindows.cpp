//===- NestWindows.cpp - Sums of loops as indices --------------------------===//
//
// Of a dimension that is read at s * o + t * k + c, ranks must have elements in their
// order. Which o a rank computes follows: if its elements begin at x and its k at k', its
// o begin where s * o + t * k' = x + c. What is left over is the same number for all ranks,
// and part of the term. Iterations that read past a rank's elements give padding.
//
//===----------------------------------------------------------------------===//

#include "Nest.h"

using namespace mlir;
using namespace mlir::tp;
using namespace mlir::tp::check;

static int64_t at(ArrayRef<int64_t> values, unsigned rank) {
  return values.size() == 1 ? values[0] : values[rank];
}

std::optional<HeldBlock> check::getHeldBlock(ArrayRef<Run> map) {
  HeldBlock block;
  int64_t position = 0;
  for (const Run &run : map) {
    if (!run.isPadding()) {
      if (!block.isEmpty() || (run.size > 1 && run.step != 1))
        return std::nullopt;
      block = {position, position + run.size, run.source - position};
    }
    position += run.size;
  }
  return block;
}

bool NestEvaluator::isWithoutLoop(unsigned o, unsigned dim) const {
  const LoopOperand &operand = nest.operands[o];
  auto isDim = [&](const auto &access) {
    const auto &atoms = operand.relation.layout[access.dim];
    return atoms.size() == 1 && atoms[0].dim == int(dim);
  };
  return llvm::any_of(operand.windows, isDim) || llvm::any_of(operand.lookUps, isDim);
}

/// Whether a local dimension has all that there is of a dimension of the term, or none.
/// Atoms of one position elsewhere are dropped.
static bool isAlone(Relation &relation, unsigned dim) {
  const auto &atoms = relation.layout[dim];
  if (atoms.size() != 1)
    return false;
  if (atoms[0].dim < 0)
    return true;
  for (auto [d, others] : llvm::enumerate(relation.layout))
    for (Atom &other : others)
      if (d != dim && other.dim == atoms[0].dim) {
        if (other.size != 1)
          return false;
        other = Atom();
      }
  return true;
}

bool NestEvaluator::separateWindows() {
  for (auto [o, operand] : llvm::enumerate(nest.operands)) {
    Relation &relation = operand.relation;
    if (!isUsed.test(o) || relation.maps.empty()) {
      operand.windows.clear();
      operand.lookUps.clear();
      continue;
    }
    auto separate = [&](unsigned dim) {
      return isAlone(relation, dim) || (algebra.commit(relation) && isAlone(relation, dim));
    };
    for (const Window &window : operand.windows)
      if (!separate(window.dim))
        return fail("has a window of a value that " + algebra.why);
    for (const LookUp &lookUp : operand.lookUps)
      if (!separate(lookUp.dim))
        return fail("looks up in a value that " + algebra.why);
    // Along a broadcast all elements are equal.
    auto isFree = [&](const auto &access) { return relation.layout[access.dim][0].dim < 0; };
    llvm::erase_if(operand.windows, isFree);
    llvm::erase_if(operand.lookUps, isFree);
  }
  return true;
}

std::optional<BodyValue> NestEvaluator::lookUp(Value element) {
  Maps &maps = algebra.maps;
  unsigned count = algebra.ranks.count();
  for (auto [o, operand] : llvm::enumerate(nest.operands)) {
    if (operand.lookUps.empty() || !llvm::is_contained(operand.elements, element))
      continue;
    Key key = {kLookUpExpression, leaves[o]};
    Picked picked;
    picked.ranges.resize(count);
    bool isEverywhere = true;
    for (const LookUp &access : operand.lookUps) {
      unsigned dim = operand.relation.layout[access.dim][0].dim;
      int64_t extent = algebra.terms.getShape(operand.relation.term)[dim];
      std::optional<Shifted> index;
      if (access.index) {
        index = body.shiftedOf(body.get(access.index));
      } else {
        BodyValue position, first;
        position.affine = Affine{access.loop, {0}};
        first.expression = access.first.term;
        first.shifted = access.first.shifted;
        // The position of a loop of one iteration adds nothing.
        bool isOne = nest.sizes.empty() || nest.sizes[access.loop] == 1;
        index = body.shiftedOf(isOne ? first : body.addIndices(position, first));
      }
      if (!index)
        return std::nullopt;
      // The element's own index is base + shift.
      std::optional<int64_t> shift;
      SmallVector<IndexRange, 1> has;
      for (unsigned rank = 0; rank < count; ++rank) {
        const Shifted::Part &part = index->at(rank);
        std::optional<HeldBlock> block = getHeldBlock(maps.get(operand.relation.maps[dim], rank));
        if (!block) {
          isScattered = true;
          return std::nullopt;
        }
        has.push_back({index->base, std::max(part.begin, block->begin - part.offset),
                       std::min(part.end, block->end - part.offset)});
        if (block->isEmpty())
          continue;
        if (shift && *shift != part.offset + block->offset)
          return std::nullopt;
        shift = part.offset + block->offset;
      }
      IndexRange whole{index->base, -shift.value_or(0), extent - shift.value_or(0)};
      for (unsigned rank = 0; rank < count; ++rank) {
        isEverywhere &= has[rank].begin <= whole.begin && has[rank].end >= whole.end;
        picked.ranges[rank].push_back(has[rank]);
      }
      picked.whole.push_back(whole);
      key.insert(key.end(), {dim, index->base, uint64_t(shift.value_or(0))});
    }
    BodyValue found;
    picked.element = algebra.terms.intern(key);
    // Outside of the whole value nothing is looked up.
    if (isEverywhere)
      found.expression = picked.element;
    else
      found.picked = std::make_shared<Picked>(picked);
    return found;
  }
  return std::nullopt;
}

/// The ranks over which a picked element is to be reduced: of each group exactly one has
/// it.
std::optional<DigitMask> NestEvaluator::relatePicked(const Picked &picked) {
  const Ranks &ranks = algebra.ranks;
  DigitMask all = 0;
  for (auto [i, whole] : llvm::enumerate(picked.whole)) {
    auto rangeOf = [&, i = i](unsigned rank) { return picked.ranges[rank][i]; };
    DigitMask digits = 0;
    for (unsigned digit = 0; digit < ranks.getDigits().size(); ++digit)
      for (unsigned rank = 0; rank < ranks.count(); ++rank) {
        IndexRange a = rangeOf(rank), b = rangeOf(ranks.withCoordinate(rank, digit, 0));
        if (a.begin != b.begin || a.end != b.end)
          digits |= DigitMask(1) << digit;
      }
    if (digits & all) {
      fail("the same ranks cut two dimensions that are looked up in");
      return std::nullopt;
    }
    all |= digits;
    for (unsigned rank = 0; rank < ranks.count(); ++rank) {
      SmallVector<std::pair<int64_t, int64_t>> ranges;
      for (unsigned member : ranks.group(rank, digits)) {
        IndexRange range = rangeOf(member);
        range.begin = std::max(range.begin, whole.begin);
        range.end = std::min(range.end, whole.end);
        if (range.begin < range.end)
          ranges.push_back({range.begin, range.end});
      }
      llvm::sort(ranges);
      int64_t next = whole.begin;
      for (auto [begin, end] : ranges) {
        if (begin < next) {
          fail("several ranks of a group have the element that is looked up");
          return std::nullopt;
        }
        if (begin > next)
          break;
        next = end;
      }
      if (next < whole.end) {
        fail("no rank of a group has element " + Twine(next) + " of a value that is looked up in");
        return std::nullopt;
      }
    }
  }
  return all;
}

Domain &NestEvaluator::addDomain(unsigned loop, RankMapId map, int64_t extent) {
  Domain made;
  made.loop = loop;
  made.isReduction = nest.isReduction.test(loop);
  made.extent = extent;
  made.map = map;
  // One piece for the loop, whatever broadcast operands cut it into.
  unsigned piece = subLoops.size();
  subLoops.push_back({loop, 1, nest.sizes[loop], int(domains.size())});
  pieces[loop] = {piece};
  made.levels = {{piece, 1}};
  domains.push_back(made);
  return domains.back();
}

void NestEvaluator::appendWindows(unsigned o, Key &key) const {
  for (const WindowUse &use : windowUses) {
    if (use.operand != o)
      continue;
    key.insert(key.end(), {~uint64_t(1), use.dim, uint64_t(use.shift), use.terms.size()});
    for (auto [domain, factor] : use.terms)
      key.insert(key.end(), {domain, uint64_t(factor)});
  }
}

bool NestEvaluator::placeWindows() {
  for (auto [o, operand] : llvm::enumerate(nest.operands))
    for (const Window &window : operand.windows)
      if (!placeWindow(o, window))
        return false;
  return true;
}

bool NestEvaluator::placeWindow(unsigned o, const Window &window) {
  Maps &maps = algebra.maps;
  const Relation &relation = nest.operands[o].relation;
  unsigned dim = relation.layout[window.dim][0].dim;
  int64_t extent = algebra.terms.getShape(relation.term)[dim];
  unsigned count = algebra.ranks.count();
  auto domainOf = [&](unsigned loop) {
    auto it = llvm::find_if(domains, [&](const Domain &d) { return d.loop == loop; });
    return it == domains.end() ? -1 : int(it - domains.begin());
  };
  // Of a loop that nothing else runs over, its iterations follow from what is read.
  std::optional<unsigned> open;
  int64_t step = 0;
  for (auto [loop, factor] : window.terms) {
    if (domainOf(loop) >= 0)
      continue;
    if (llvm::any_of(pieces[loop], [&](unsigned piece) { return subLoops[piece].domain >= 0; }))
      return fail("has a window along a loop over a reshape");
    if (nest.isReduction.test(loop)) {
      addDomain(loop, maps.uniform(makeRange(0, nest.sizes[loop])), nest.sizes[loop]);
      continue;
    }
    if (open)
      return fail("has a window along several loops that are nowhere else");
    open = loop;
    step = factor;
  }
  // Which blocks ranks have of what is read, and of the loops.
  std::optional<int64_t> shift;
  SmallVector<int64_t> first(count, 0);
  SmallVector<std::pair<int64_t, int64_t>> bounds(count, {0, 0}); ///< of what may be read
  for (unsigned rank = 0; rank < count; ++rank) {
    std::optional<HeldBlock> held = getHeldBlock(maps.get(relation.maps[dim], rank));
    if (!held)
      return fail("has a window of elements that do not lie together");
    bounds[rank] = {held->begin, held->end};
    if (held->isEmpty())
      continue;
    int64_t base = held->offset + at(window.offsets, rank);
    bool computes = true;
    for (auto [loop, factor] : window.terms) {
      if (loop == open)
        continue;
      std::optional<HeldBlock> block = getHeldBlock(maps.get(domains[domainOf(loop)].map, rank));
      if (!block)
        return fail("has a window along iterations that do not lie together");
      computes &= !block->isEmpty();
      base -= factor * block->offset;
    }
    if (!computes)
      continue;
    int64_t here = base;
    if (open) {
      // Iterations count from 0 or more.
      int64_t size = std::abs(step), last = extent - 1;
      here = step > 0 ? base - llvm::divideFloorSigned(base, size) * size
                      : last - (last - base - llvm::divideFloorSigned(last - base, size) * size);
      first[rank] = (base - here) / step;
      if (first[rank] < 0)
        return fail("has a window that begins before the first element");
    }
    if (shift && *shift != here)
      return fail("reads different elements on different ranks");
    shift = here;
  }
  if (open) {
    int64_t size = nest.sizes[*open];
    addDomain(*open, maps.make([&](unsigned rank) { return makeRange(first[rank], size); }),
              *llvm::max_element(first) + size)
        .isOpen = true;
  }
  // Where all that is read is there.
  std::optional<unsigned> along;
  for (auto [loop, factor] : window.terms)
    if (!nest.isReduction.test(loop) && !along)
      along = loop;
  bool isInside = true;
  auto reach = [&](unsigned rank, std::optional<unsigned> without) {
    int64_t low = at(window.offsets, rank), high = low;
    for (auto [loop, factor] : window.terms)
      if (loop != without)
        (factor < 0 ? low : high) += factor * (nest.sizes[loop] - 1);
    return std::make_pair(low, high);
  };
  if (!along) {
    for (unsigned rank = 0; rank < count; ++rank) {
      auto [low, high] = reach(rank, std::nullopt);
      isInside &= low >= bounds[rank].first && high < bounds[rank].second;
    }
    if (!isInside)
      return fail("reads elements that nothing is known of");
  }
  WindowUse use{o, dim, shift.value_or(0), {}};
  for (auto [loop, by] : window.terms)
    use.terms.push_back({domainOf(loop), by});
  windowUses.push_back(use);
  if (!along)
    return true;
  Domain &domain = domains[domainOf(*along)];
  int64_t factor = 0;
  for (auto [loop, by] : window.terms)
    if (loop == *along)
      factor = by;
  domain.map = maps.make([&](unsigned rank) {
    auto [low, high] = reach(rank, along);
    Map map;
    SmallVector<Run> old(maps.get(domain.map, rank));
    for (int64_t p = 0, size = getSize(old); p < size; ++p) {
      if (low + factor * p >= bounds[rank].first && high + factor * p < bounds[rank].second)
        appendSlice(map, old, p, 1);
      else
        append(map, {1, -1, 1, {}});
    }
    return map;
  });
  return true;
}
