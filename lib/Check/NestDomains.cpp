//===- NestDomains.cpp - Loops to dimensions of terms ----------------------===//

#include "Nest.h"

using namespace mlir;
using namespace mlir::tp;
using namespace mlir::tp::check;

std::optional<unsigned> NestEvaluator::findPiece(unsigned loop, int64_t minor, int unit) const {
  for (unsigned piece : pieces[loop])
    if (subLoops[piece].minor == minor && subLoops[piece].unit == unit)
      return piece;
  return std::nullopt;
}

bool NestEvaluator::refine(bool &isSplit) {
  subLoops.clear();
  domains.clear();
  unsigned numLoops = nest.sizes.size();
  pieces.assign(numLoops, {});
  // Bounds of the atoms, and atoms of one position, which lie between bounds.
  SmallVector<SmallVector<int64_t, 4>, 4> bounds(numLoops);
  SmallVector<SmallVector<std::pair<int64_t, int>, 1>, 4> units(numLoops); ///< minor, number
  auto forEachAtom = [&](auto visit) {
    for (auto [o, operand] : llvm::enumerate(nest.operands))
      for (auto [d, loop] : llvm::enumerate(operand.loops)) {
        if (loop < 0)
          continue;
        int64_t minor = 1;
        int numUnits = 0;
        for (const Atom &atom : llvm::reverse(operand.relation.layout[d])) {
          int unit = atom.size == 1 ? ++numUnits : 0;
          if (atom.dim >= 0 || atom.size != 1)
            visit(o, loop, atom, minor, unit);
          minor *= atom.size;
          if (atom.size != 1)
            numUnits = 0;
        }
      }
  };
  auto addBound = [&](unsigned loop, int64_t bound) {
    auto place = llvm::lower_bound(bounds[loop], bound);
    if (place == bounds[loop].end() || *place != bound)
      bounds[loop].insert(place, bound);
  };
  for (unsigned l = 0; l < numLoops; ++l)
    if (nest.sizes[l] != 1)
      addBound(l, nest.sizes[l]);
  forEachAtom([&](unsigned, unsigned loop, const Atom &atom, int64_t minor, int unit) {
    if (!unit) {
      addBound(loop, minor);
      addBound(loop, minor * atom.size);
      return;
    }
    auto known = llvm::find_if(units[loop], [&](auto &entry) { return entry.first == minor; });
    if (known == units[loop].end())
      units[loop].push_back({minor, unit});
    else
      known->second = std::max(known->second, unit);
  });
  for (unsigned l = 0; l < numLoops; ++l) {
    if (nest.sizes[l] == 0) {
      pieces[l] = {static_cast<unsigned>(subLoops.size())};
      subLoops.push_back({l, 1, 0});
      continue;
    }
    auto addUnits = [&](int64_t minor) {
      for (auto [where, count] : units[l])
        for (int unit = 1; where == minor && unit <= count; ++unit) {
          pieces[l].push_back(subLoops.size());
          subLoops.push_back({l, minor, 1, -1, unit});
        }
    };
    int64_t previous = 1;
    addUnits(1);
    for (int64_t bound : bounds[l]) {
      if (bound == 1)
        continue;
      if (bound % previous != 0)
        return fail("operands are different reshapes along one loop");
      pieces[l].push_back(subLoops.size());
      subLoops.push_back({l, previous, bound / previous});
      addUnits(bound);
      previous = bound;
    }
    std::reverse(pieces[l].begin(), pieces[l].end());
  }

  // Levels of each dimension of each operand's term.
  using Levels = SmallVector<std::pair<unsigned, int64_t>, 2>;
  SmallVector<SmallVector<Levels, 4>> levels;
  for (const LoopOperand &operand : nest.operands)
    levels.emplace_back(operand.relation.maps.size());
  forEachAtom([&](unsigned o, unsigned loop, const Atom &atom, int64_t minor, int unit) {
    if (atom.dim < 0)
      return;
    Levels &list = levels[o][atom.dim];
    if (unit || atom.size == 0) {
      // A loop without iterations is one piece.
      std::optional<unsigned> piece = findPiece(loop, minor, unit);
      list.push_back({piece.value_or(pieces[loop].front()), atom.stride});
      return;
    }
    for (unsigned piece : pieces[loop]) {
      const SubLoop &sub = subLoops[piece];
      if (sub.size != 1 && sub.minor >= minor && sub.minor < minor * atom.size) {
        assert(llvm::none_of(list, [&](auto &other) { return other.first == piece; }) &&
               "a loop runs over one dimension of an operand");
        list.push_back({piece, atom.stride * (sub.minor / minor)});
      }
    }
  });
  // By falling stride; of equal ones (all but one have one position), a piece of an
  // outer loop or a major piece of a loop is major.
  for (auto &operand : levels)
    for (Levels &list : operand)
      llvm::sort(list, [&](auto &a, auto &b) {
        const SubLoop &x = subLoops[a.first], &y = subLoops[b.first];
        return std::make_tuple(b.second, x.loop, -x.minor, -x.unit) <
               std::make_tuple(a.second, y.loop, -y.minor, -y.unit);
      });

  // Dimensions that share a piece of a loop are one domain, or are to be split.
  SmallVector<std::pair<unsigned, unsigned>> all;
  for (unsigned o = 0; o < nest.operands.size(); ++o)
    for (unsigned d = 0; d < levels[o].size(); ++d)
      if (!isWithoutLoop(o, d))
        all.push_back({o, d});
  /// The atom of one position that a piece of a loop is in an operand.
  auto unitAtom = [&](unsigned o, unsigned piece) -> std::pair<unsigned, unsigned> {
    const LoopOperand &operand = nest.operands[o];
    for (auto [d, loop] : llvm::enumerate(operand.loops)) {
      if (loop != int(subLoops[piece].loop))
        continue;
      int64_t minor = 1;
      int unit = 0;
      for (unsigned i = operand.relation.layout[d].size(); i-- > 0;) {
        const Atom &atom = operand.relation.layout[d][i];
        if (atom.size == 1 && minor == subLoops[piece].minor && ++unit == subLoops[piece].unit)
          return {d, i};
        if (atom.size != 1)
          minor *= atom.size, unit = 0;
      }
    }
    return {~0u, ~0u};
  };
  auto split = [&](unsigned o, unsigned d) {
    Levels &list = levels[o][d];
    auto [piece, stride] = list.back();
    unsigned minor = piece;
    int64_t size = stride * subLoops[piece].size, inner = size;
    if (stride != 1)
      return fail("operands are different reshapes of their values");
    // How many elements a row has follows from who else has the minor loop, or all
    // the others.
    auto extentOf = [&](unsigned wanted) -> int64_t {
      for (auto [o2, d2] : all)
        if (levels[o2][d2].size() == 1 && levels[o2][d2][0].first == wanted)
          return algebra.terms.getShape(nest.operands[o2].relation.term)[d2];
      return 0;
    };
    int64_t others = 1;
    for (auto &level : ArrayRef(list).drop_back())
      others *= extentOf(level.first);
    if (int64_t extent = extentOf(minor))
      inner = extent;
    else if (others)
      inner = algebra.terms.getShape(nest.operands[o].relation.term)[d] / others;
    Relation &relation = nest.operands[o].relation;
    // What ranks have may be a part of a row.
    bool done = inner != size && algebra.splitDim(relation, d, inner, size, unitAtom(o, minor));
    if (!done && !algebra.splitRows(relation, d, size, unitAtom(o, minor)))
      return fail(algebra.why);
    isSplit = true;
    return true;
  };
  for (auto [o, d] : all) {
    Levels &list = levels[o][d];
    int found = -1;
    for (auto [piece, stride] : list) {
      int domain = subLoops[piece].domain;
      if (domain >= 0) {
        if (domains[domain].levels != list) {
          if (list.size() > 1)
            return split(o, d);
          auto [o2, d2] = domains[domain].uses.front();
          return split(o2, d2);
        }
        found = domain;
      }
    }
    bool reduces = false, keeps = false;
    for (auto [piece, stride] : list)
      (nest.isReduction.test(subLoops[piece].loop) ? reduces : keeps) = true;
    if (reduces && keeps)
      return split(o, d);
    if (found < 0) {
      found = domains.size();
      domains.emplace_back();
      Domain &domain = domains.back();
      domain.levels = list;
      domain.map = nest.operands[o].relation.maps[d];
      domain.extent = algebra.terms.getShape(nest.operands[o].relation.term)[d];
      domain.isReduction = reduces;
      for (auto [piece, stride] : list)
        subLoops[piece].domain = found;
      if (list.size() == 1 &&
          subLoops[list[0].first].size == nest.sizes[subLoops[list[0].first].loop])
        domain.loop = subLoops[list[0].first].loop;
    }
    domains[found].uses.push_back({o, d});
  }
  return true;
}

bool NestEvaluator::hasPadding(const Domain &domain) { return algebra.maps.hasPadding(domain.map); }

/// The part of the domain that all operands hold, and their shifts.
bool NestEvaluator::combineMaps(Domain &domain) {
  Maps &maps = algebra.maps;
  RankMapId first = domain.map;
  domain.shifts.assign(domain.uses.size(), 0);
  for (auto [i, use] : llvm::enumerate(domain.uses)) {
    RankMapId other = nest.operands[use.first].relation.maps[use.second];
    if (other == first)
      continue;
    std::optional<int64_t> shift;
    bool differs = false;
    unsigned differingRank = 0;
    RankMapId common = maps.make([&](unsigned rank) {
      Map map;
      SmallVector<Run> a(maps.get(domain.map, rank)), b(maps.get(other, rank));
      forEachRun(a, b, [&](const Run &x, const Run &y) {
        if (x.isPadding() || y.isPadding()) {
          append(map, {x.size, -1, 1, {}});
          return;
        }
        int64_t here = y.source - x.source;
        if ((shift && *shift != here) || (x.size > 1 && x.step != y.step)) {
          if (!differs)
            differingRank = rank;
          differs = true;
        }
        shift = here;
        append(map, x);
      });
      return map;
    });
    if (differs)
      return fail("operands hold different blocks: rank " + Twine(differingRank) + " has " +
                  toString(maps.get(first, differingRank)) + " of one and " +
                  toString(maps.get(other, differingRank)) + " of the other");
    domain.map = common;
    domain.shifts[i] = shift.value_or(0);
  }
  return true;
}

bool check::isRead(const LoopNest &nest, const LoopOperand &operand) {
  auto uses = [](Operation *op, Value element) {
    return op
        ->walk([&](Operation *nested) {
          return llvm::is_contained(nested->getOperands(), element) ? WalkResult::interrupt()
                                                                    : WalkResult::advance();
        })
        .wasInterrupted();
  };
  return llvm::any_of(operand.elements, [&](Value element) {
    return llvm::is_contained(nest.yields, element) ||
           llvm::any_of(nest.body, [&](Operation *op) { return uses(op, element); });
  });
}

bool NestEvaluator::align() {
  for (auto [o, operand] : llvm::enumerate(nest.operands)) {
    // What is not read is as good as a tensor without content.
    if (!isUsed.test(o)) {
      SmallVector<int64_t> shape;
      for (unsigned d = 0; d < operand.loops.size(); ++d)
        shape.push_back(operand.relation.localSize(d));
      operand.relation = algebra.splat(0, shape);
      operand.relation.isUndefined = true;
    }
    algebra.normalize(operand.relation);
    takeRepeats(operand);
  }
  if (!separateWindows())
    return false;
  constexpr unsigned kMaxSplits = 16;
  for (unsigned i = 0;; ++i) {
    bool isSplit = false;
    if (!refine(isSplit))
      return false;
    if (!isSplit)
      isSplit = splitRows();
    for (unsigned d = 0; d < domains.size() && !isSplit; ++d)
      if (!combineMaps(domains[d])) {
        std::string reason = why;
        isSplit = splitRows(domains[d]);
        if (!isSplit)
          return fail(reason);
      }
    if (!isSplit)
      return placeWindows() && placeRepeats();
    if (i == kMaxSplits)
      return fail("operands are different reshapes of their values");
  }
}
