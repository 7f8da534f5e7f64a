//===- NestRows.cpp - Loops over one row of a reshape ----------------------===//
//
// A loop over several dimensions of one operand and one of another splits the latter's:
// heads [8] beside [2, 4] are two groups of four. A rank that has one of the groups, or
// one head, has nothing to loop over: an atom of one position is all that tells. Here
// these are told apart, by the extents of the terms and by what each rank has of them.
//
//===----------------------------------------------------------------------===//

#include "Nest.h"

using namespace mlir;
using namespace mlir::tp;
using namespace mlir::tp::check;

/// Splits a dimension of an operand's term into rows of `inner` elements, of which ranks
/// have a part of one row; both get an atom.
bool NestEvaluator::splitRow(unsigned o, unsigned dim, int64_t inner, int64_t innerSize) {
  Relation split = nest.operands[o].relation;
  if (inner <= 1 || inner >= extentOf({o, dim}) ||
      algebra.maps.size(split.maps[dim]) != innerSize ||
      !algebra.splitDim(split, dim, inner, innerSize))
    return false;
  auto isHeld = [&](int wanted) {
    return llvm::any_of(split.layout, [&](ArrayRef<Atom> local) {
      return llvm::any_of(local, [&](const Atom &atom) { return atom.dim == wanted; });
    });
  };
  bool hasOuter = isHeld(dim), hasInner = isHeld(dim + 1);
  for (auto &local : split.layout)
    for (unsigned i = 0; i < local.size(); ++i) {
      if (!hasOuter && local[i].dim == int(dim) + 1) {
        local.insert(local.begin() + i, Atom{int(dim), 1, 1});
        hasOuter = true;
      } else if (!hasInner && local[i].dim == int(dim)) {
        local.insert(local.begin() + i + 1, Atom{int(dim) + 1, 1, 1});
        hasInner = true;
      }
    }
  nest.operands[o].relation = split;
  return true;
}

/// One operand has a row, and is the same along the loop below it; another has that row
/// as a part of a longer dimension.
bool NestEvaluator::splitRows() {
  for (const Domain &row : domains) {
    if (row.levels.size() != 1 || subLoops[row.levels[0].first].unit != 1)
      continue;
    const SubLoop &unit = subLoops[row.levels[0].first];
    if (findPiece(unit.loop, unit.minor, 2))
      continue;
    for (const Domain &below : domains) {
      if (below.levels.empty())
        continue;
      const SubLoop &top = subLoops[below.levels[0].first];
      if (top.loop != unit.loop || top.unit || top.minor * top.size != unit.minor)
        continue;
      auto isBoth = [&](const Domain &domain, unsigned o) {
        return llvm::any_of(domain.uses, [&](auto use) { return use.first == o; });
      };
      // Who has both knows how long a row is.
      if (llvm::any_of(row.uses, [&](auto use) { return isBoth(below, use.first); }))
        continue;
      int64_t rows = extentOf(row.uses[0]);
      for (auto use : below.uses)
        if (!isBoth(row, use.first) && rows > 1 && extentOf(use) % rows == 0 &&
            splitRow(use.first, use.second, extentOf(use) / rows, algebra.maps.size(below.map)))
          return true;
    }
  }
  return false;
}

/// A position of its own below the atom of a dimension.
static void addPlace(Relation &relation, unsigned dim) {
  for (auto &local : relation.layout)
    for (unsigned i = 0; i < local.size(); ++i)
      if (local[i].dim == int(dim)) {
        local.insert(local.begin() + i + 1, Atom());
        return;
      }
}

bool NestEvaluator::splitRows(const Domain &domain) {
  if (domain.levels.empty())
    return false;
  const SubLoop &top = subLoops[domain.levels[0].first];
  auto mapOf = [&](std::pair<unsigned, unsigned> use) {
    return nest.operands[use.first].relation.maps[use.second];
  };
  // One position: perhaps what an operand has is a row of others, further out.
  for (const Domain &outer : domains) {
    if (outer.levels.empty())
      continue;
    const SubLoop &row = subLoops[outer.levels[0].first];
    if (!top.unit || row.loop != top.loop || row.minor != top.minor || row.unit != top.unit + 1)
      continue;
    for (auto use : domain.uses)
      if (extentOf(use) == outer.extent && mapOf(use) == outer.map &&
          llvm::none_of(outer.uses, [&](auto other) { return other.first == use.first; })) {
        addPlace(nest.operands[use.first].relation, use.second);
        return true;
      }
  }
  for (auto small : domain.uses)
    for (auto large : domain.uses) {
      int64_t extent = extentOf(small);
      if (extent <= 1 || extentOf(large) <= extent || extentOf(large) % extent)
        continue;
      if (!top.unit) {
        // The smaller one has the row in a dimension of its own.
        if (findPiece(top.loop, top.minor * top.size, 1) &&
            splitRow(large.first, large.second, extent, algebra.maps.size(domain.map)))
          return true;
        continue;
      }
      // The smaller one is the row, or the place in it.
      Relation old = nest.operands[large.first].relation;
      for (bool isRow : {true, false}) {
        if (!splitRow(large.first, large.second, isRow ? extentOf(large) / extent : extent, 1))
          continue;
        const Relation &split = nest.operands[large.first].relation;
        if (split.maps[large.second + !isRow] != mapOf(small)) {
          nest.operands[large.first].relation = old;
          continue;
        }
        if (isRow)
          addPlace(nest.operands[small.first].relation, small.second);
        return true;
      }
    }
  return false;
}
