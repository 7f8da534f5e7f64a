//===- NestRepeats.cpp - Loops over broadcasts with padding ----------------===//
//
// A broadcast has no dimension of a term, whatever block of a loop a rank has. What it has
// as padding (Repeats.cpp) is padding of the loop for all operands.
//
//===----------------------------------------------------------------------===//

#include "Nest.h"

using namespace mlir;
using namespace mlir::tp;
using namespace mlir::tp::check;

void NestEvaluator::takeRepeats(LoopOperand &operand) {
  Relation &relation = operand.relation;
  unsigned count = algebra.numRepeats(relation.term), end = relation.maps.size();
  operand.repeats.clear();
  llvm::SmallDenseSet<unsigned> taken;
  for (unsigned dim = end - count; dim < end && !relation.isUndefined; ++dim) {
    std::optional<unsigned> found;
    unsigned numAtoms = 0;
    for (auto [d, local] : llvm::enumerate(relation.layout))
      for (const Atom &atom : local)
        if (atom.dim == int(dim)) {
          found = d;
          numAtoms += local.size();
        }
    if (numAtoms != 1 || operand.loops[*found] < 0)
      continue;
    operand.repeats.push_back({unsigned(operand.loops[*found]), relation.maps[dim]});
    taken.insert(dim);
  }
  algebra.dropRepeats(relation, [&](unsigned dim) { return taken.contains(dim); });
}

void NestEvaluator::addPadding(Domain &domain, RankMapId map) {
  domain.map = algebra.maps.make([&](unsigned rank) {
    Map padded;
    SmallVector<Run> own(algebra.maps.get(domain.map, rank)), other(algebra.maps.get(map, rank));
    forEachRun(own, other, [&](const Run &x, const Run &y) {
      append(padded, y.isPadding() ? Run{x.size, -1, 1, {}} : x);
    });
    return padded;
  });
}

bool NestEvaluator::placeRepeat(unsigned loop, RankMapId map) {
  auto isOf = [&](const Domain &domain) { return domain.loop == loop; };
  if (auto domain = llvm::find_if(domains, isOf); domain != domains.end()) {
    addPadding(*domain, map);
    return true;
  }
  if (auto known = llvm::find_if(repeats, isOf); known != repeats.end()) {
    addPadding(*known, map);
    return true;
  }
  if (llvm::any_of(pieces[loop], [&](unsigned piece) { return subLoops[piece].domain >= 0; }))
    return fail("has padding of a broadcast along a loop over a reshape");
  Domain made;
  made.loop = loop;
  made.isReduction = nest.isReduction.test(loop);
  made.map = algebra.maps.forgetFills(map);
  repeats.push_back(made);
  return true;
}

bool NestEvaluator::placeRepeats() {
  for (const LoopOperand &operand : nest.operands)
    for (const Repeat &repeat : operand.repeats)
      if (!placeRepeat(repeat.loop, repeat.map))
        return false;
  return llvm::all_of(nest.omitted,
                      [&](const Repeat &one) { return placeRepeat(one.loop, one.map); });
}

bool NestEvaluator::leaveOut(ArrayRef<Condition> cases) {
  std::map<unsigned, SmallVector<std::pair<int64_t, int64_t>>> held;
  std::pair<int64_t, int64_t> all = {0, std::numeric_limits<int64_t>::max()};
  for (auto [rank, one] : llvm::enumerate(cases)) {
    if (!one.ranges.empty())
      return false;
    for (const Interval &interval : one.intervals) {
      auto &list = held[interval.loop];
      list.resize(cases.size(), all);
      list[rank] = {std::max(list[rank].first, interval.begin),
                    std::min(list[rank].second, interval.end)};
    }
  }
  for (auto &[loop, list] : held) {
    RankMapId map = algebra.maps.make([&, loop = loop, &list = list](unsigned rank) {
      int64_t size = nest.sizes[loop], begin = std::min(list[rank].first, size),
              end = std::clamp(list[rank].second, begin, size);
      Map positions;
      append(positions, {begin, -1, 1, {}});
      append(positions, {end - begin, 0, 0, {}});
      append(positions, {size - end, -1, 1, {}});
      return positions;
    });
    if (!placeRepeat(loop, map))
      return false;
  }
  nest.omittedRanks.resize(cases.size());
  for (auto [rank, one] : llvm::enumerate(cases))
    if (!one.holds)
      nest.omittedRanks.set(rank);
  return true;
}

SmallVector<RankMapId, 2> NestEvaluator::mapsAlong(const Domain &domain, unsigned o) const {
  const LoopOperand &operand = nest.operands[o];
  SmallVector<RankMapId, 2> own;
  for (auto use : domain.uses)
    if (use.first == o)
      own.push_back(operand.relation.maps[use.second]);
  for (const Repeat &repeat : operand.repeats)
    if (domain.loop == repeat.loop)
      own.push_back(repeat.map);
  return own;
}

Attribute NestEvaluator::getFill(const Domain &domain, unsigned o, unsigned rank, int64_t begin,
                                 int64_t size) {
  const Relation &relation = nest.operands[o].relation;
  if (relation.isAbsent(rank))
    return isa<UnitAttr>(relation.absent[rank]) ? Attribute() : relation.absent[rank];
  Attribute fill;
  for (RankMapId map : mapsAlong(domain, o)) {
    Map here;
    appendSlice(here, algebra.maps.get(map, rank), begin, size);
    if (here.size() == 1 && here[0].isPadding())
      fill = here[0].fill;
    else if (!check::hasPadding(here))
      continue;
    return fill;
  }
  return algebra.getSplatWhereHeld(relation);
}

bool NestEvaluator::repeatResult(Relation &relation, unsigned r) {
  for (const Domain &domain : repeats) {
    auto it = llvm::find(nest.results[r], int(*domain.loop));
    if (it == nest.results[r].end())
      return fail("a loop is in no result");
    auto &local = relation.layout[it - nest.results[r].begin()];
    assert(llvm::all_of(local, [](const Atom &atom) { return atom.dim < 0; }) &&
           "no operand has a dimension along the loop");
    local = {Atom{-1, 1, nest.sizes[*domain.loop]}};
    unsigned dim = relation.maps.size();
    algebra.repeat(relation, it - nest.results[r].begin());
    relation.maps[dim] = algebra.maps.make([&](unsigned rank) { return fillMap(domain, rank, r); });
  }
  return true;
}

bool NestEvaluator::removeAbsent(Relation &relation, unsigned r) {
  for (unsigned rank = 0; rank < algebra.ranks.count(); ++rank) {
    bool isAbsent = rank < nest.omittedRanks.size() && nest.omittedRanks.test(rank);
    for (auto [o, operand] : llvm::enumerate(nest.operands))
      isAbsent |= isUsed.test(o) && operand.relation.isAbsent(rank);
    if (!isAbsent)
      continue;
    bool isEmpty = false, isCut = false;
    for (ArrayRef<Domain> list : {ArrayRef<Domain>(domains), ArrayRef<Domain>(repeats)})
      for (const Domain &domain : list) {
        isEmpty |= llvm::all_of(algebra.maps.get(domain.map, rank),
                                [](const Run &run) { return run.isPadding(); });
        isCut |= domain.isReduction && algebra.maps.varying(domain.map);
      }
    if (isEmpty)
      continue;
    auto hasOperands = [&](unsigned member) {
      return llvm::all_of(llvm::enumerate(nest.operands), [&](auto operand) {
        return !isUsed.test(operand.index()) || !operand.value().relation.isAbsent(member);
      });
    };
    if (isCut || llvm::any_of(algebra.ranks.group(rank, partial), hasOperands))
      return fail("uses a value that only some ranks have");
    relation.absent.resize(algebra.ranks.count());
    SmallVector<Attribute> values = evaluatePadding(Domain(), rank, 0, 0);
    relation.absent[rank] =
        r < values.size() && values[r] ? values[r] : UnitAttr::get(nest.op->getContext());
  }
  return true;
}
