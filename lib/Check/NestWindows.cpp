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

namespace {
/// Positions [begin, end) that hold elements position + offset.
struct HeldBlock {
  int64_t begin = 0, end = 0, offset = 0;
  bool isEmpty() const { return begin >= end; }
};
} // namespace

/// The elements of a map, if they lie together and in order.
static std::optional<HeldBlock> getBlock(ArrayRef<Run> map) {
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

bool NestEvaluator::isWindowDim(unsigned o, unsigned dim) const {
  const LoopOperand &operand = nest.operands[o];
  return llvm::any_of(operand.windows, [&](const Window &window) {
    const auto &atoms = operand.relation.layout[window.dim];
    return atoms.size() == 1 && atoms[0].dim == int(dim);
  });
}

/// Makes each dimension with a window all that there is of a dimension of the term.
bool NestEvaluator::separateWindows() {
  for (auto [o, operand] : llvm::enumerate(nest.operands)) {
    Relation &relation = operand.relation;
    if (!isUsed.test(o) || relation.maps.empty()) {
      operand.windows.clear();
      continue;
    }
    for (const Window &window : operand.windows) {
      auto isAlone = [&] {
        const auto &atoms = relation.layout[window.dim];
        if (atoms.size() != 1)
          return false;
        if (atoms[0].dim < 0)
          return true;
        for (auto [d, others] : llvm::enumerate(relation.layout))
          for (Atom &other : others)
            if (d != window.dim && other.dim == atoms[0].dim) {
              if (other.size != 1)
                return false;
              other = Atom();
            }
        return true;
      };
      if (!isAlone() && (!algebra.commit(relation) || !isAlone()))
        return fail("has a window of a reshape");
    }
    llvm::erase_if(operand.windows,
                   [&](const Window &window) { return relation.layout[window.dim][0].dim < 0; });
  }
  return true;
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
    std::optional<HeldBlock> held = getBlock(maps.get(relation.maps[dim], rank));
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
      std::optional<HeldBlock> block = getBlock(maps.get(domains[domainOf(loop)].map, rank));
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
              *llvm::max_element(first) + size);
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
