//===- Repeats.cpp - Broadcasts with padding -------------------------------===//
//
// Along a broadcast all positions are alike, it is no dimension of the term. Where a rank
// has padding among them, it becomes one: of one element, which all other positions have.
// These are the last dimensions of the term, and go again with the padding.
//
//===----------------------------------------------------------------------===//

#include "Relations.h"

using namespace mlir;
using namespace mlir::tp;
using namespace mlir::tp::check;

unsigned Relations::numRepeats(TermId term) const {
  const Key &key = terms.getKey(term);
  return key[0] == kRepeatedTerm ? key[2] : 0;
}

/// `base` with `count` more dimensions.
static TermId getRepeated(Terms &terms, TermId base, unsigned count) {
  if (count == 0)
    return base;
  SmallVector<int64_t> shape(terms.getShape(base));
  shape.append(count, 1);
  return terms.intern({kRepeatedTerm, base, count}, shape);
}

static TermId getBase(const Terms &terms, TermId term) {
  const Key &key = terms.getKey(term);
  return key[0] == kRepeatedTerm ? TermId(key[1]) : term;
}

void Relations::repeat(Relation &relation, unsigned dim) {
  Atom &atom = relation.layout[dim].front();
  Map positions;
  append(positions, {atom.size, 0, 0, {}});
  atom = Atom{int(relation.maps.size()), 1, atom.size};
  relation.maps.push_back(maps.uniform(positions));
  relation.term = getRepeated(terms, getBase(terms, relation.term), numRepeats(relation.term) + 1);
}

bool Relations::commitBroadcast(Relation &relation, unsigned dim) {
  Relation committed = relation;
  if (!commit(committed) || !terms.isOfSource(committed.term) ||
      terms.getShape(committed.term)[dim] != relation.localSize(dim))
    return false;
  relation = committed;
  return true;
}

void Relations::dropRepeats(Relation &relation, llvm::function_ref<bool(unsigned)> isDropped) {
  unsigned count = numRepeats(relation.term), kept = 0;
  if (count == 0 || relation.maps.size() < count)
    return;
  unsigned first = relation.maps.size() - count;
  SmallVector<int> numbers(relation.maps.size(), -1);
  SmallVector<RankMapId, 4> left(relation.maps.begin(), relation.maps.begin() + first);
  for (unsigned dim = 0; dim < numbers.size(); ++dim) {
    if (dim >= first && isDropped(dim))
      continue;
    numbers[dim] = dim < first ? dim : first + kept++;
    if (dim >= first)
      left.push_back(relation.maps[dim]);
  }
  if (kept == count)
    return;
  for (auto &local : relation.layout)
    for (Atom &atom : local)
      if (atom.dim >= 0 && (atom.dim = numbers[atom.dim]) < 0)
        atom.stride = 1;
  relation.maps = std::move(left);
  relation.term = getRepeated(terms, getBase(terms, relation.term), kept);
}

void Relations::placeAbsent(Relation &relation, unsigned dim) {
  if (relation.absent.empty())
    return;
  auto &local = relation.layout[dim];
  auto atom = llvm::find_if(local, [](const Atom &one) { return one.dim >= 0; });
  if (atom == local.end()) {
    local = {Atom{-1, 1, relation.localSize(dim)}};
    repeat(relation, dim);
    atom = local.begin();
  }
  RankMapId old = relation.maps[atom->dim];
  relation.maps[atom->dim] = maps.make([&](unsigned rank) {
    if (!relation.isAbsent(rank))
      return Map(maps.get(old, rank));
    Attribute fill = relation.absent[rank];
    return makePadding(maps.size(old), isa<UnitAttr>(fill) ? Attribute() : fill);
  });
  relation.absent.clear();
}
