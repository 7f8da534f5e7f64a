//===- FixedDims.cpp - Ops of fixed dimensions ----------------------------===//

#include "Evaluator.h"

#include <map>

using namespace mlir;
using namespace mlir::tp;
using namespace mlir::tp::check;

/// Without the positions that may be a rank's row, where a dimension of one element was
/// added to a block: it may be no more than that.
static std::optional<Relation> withoutRows(const Relation &relation) {
  SmallVector<unsigned> numAtoms(relation.maps.size());
  for (auto &local : relation.layout)
    for (const Atom &atom : local)
      if (atom.dim >= 0)
        ++numAtoms[atom.dim];
  auto isRow = [&](ArrayRef<Atom> local) {
    return local.size() == 1 && local[0].size == 1 && local[0].dim >= 0 &&
           numAtoms[local[0].dim] > 1;
  };
  if (llvm::none_of(relation.layout, isRow))
    return std::nullopt;
  Relation plain = relation;
  for (auto &local : plain.layout)
    if (isRow(local))
      local[0] = Atom();
  return plain;
}

SmallVector<Relation, 0> Evaluator::takeForms(Relation &relation) {
  SmallVector<Relation, 0> forms;
  if (!isSource)
    if (std::optional<Relation> plain = withoutRows(relation))
      forms.push_back(*plain);
  if (relation.isUndefined || relation.maps.empty() || !relation.absent.empty() ||
      (!isSource && algebra.isRange(relation) && algebra.viewsOf(relation.term).empty()) ||
      (isSource && algebra.isRange(relation)))
    return forms;
  Relation whole = relation;
  if (!algebra.isRange(relation) && algebra.materialize(whole)) {
    // What pads a value of the source is part of it.
    if (isSource && algebra.hasPadding(relation)) {
      relation = whole;
      return forms;
    }
    forms.push_back(whole);
  }
  if (isSource)
    return forms;
  constexpr unsigned kMaxViews = 4;
  auto addViews = [&](const Relation &part) {
    ArrayRef<TermId> views = algebra.viewsOf(part.term);
    for (TermId view : SmallVector<TermId>(views.take_back(kMaxViews)))
      if (Relation lifted = part; algebra.lift(lifted, view))
        forms.push_back(lifted);
  };
  Relation committed = relation;
  addViews(relation);
  if (algebra.commit(committed) && committed.term != relation.term)
    addViews(committed);
  if (Relation padded = relation; algebra.absorb(padded)) {
    forms.push_back(padded);
    addViews(padded);
  }
  return forms;
}

bool Evaluator::evaluateDims(Operation *op, ValueRange tensors, const Dims &dims) {
  SmallVector<Relation> operands;
  SmallVector<SmallVector<Relation, 0>> others;
  size_t count = 1;
  for (Value tensor : tensors) {
    operands.push_back(relationOf(tensor));
    others.push_back(takeForms(operands.back()));
    count = std::max(count, 1 + others.back().size());
  }
  std::string reason;
  SmallVector<Relation> found;
  for (size_t i = 0; i < count; ++i) {
    SmallVector<Relation> results;
    for (auto [operand, list] : llvm::zip_equal(operands, others))
      if (i > 0 && !list.empty())
        operand = list[std::min(i, list.size()) - 1];
    if (!evaluateDims(op, operands, dims, results)) {
      if (i == 0)
        reason = why;
      continue;
    }
    bool isKnown = llvm::all_of(
        results, [&](const Relation &result) { return algebra.terms.isOfSource(result.term); });
    if (found.empty() || isKnown)
      found = results;
    if (isKnown)
      break;
  }
  if (found.empty())
    return fail(reason);
  for (auto [value, relation] : llvm::zip(op->getResults(), found))
    define(value, relation);
  return true;
}

bool Evaluator::evaluateDims(Operation *op, ArrayRef<Relation> tensors, const Dims &dims,
                             SmallVectorImpl<Relation> &results) {
  Maps &maps = algebra.maps;
  Key key = {kDimsTerm, keyOf(dims.name.value_or(op->getName()))};
  auto isAnyBlock = [&](char letter) { return StringRef(dims.anyBlock).contains(letter); };
  key.insert(key.end(), dims.key.begin(), dims.key.end());
  std::map<char, RankMapId> blocks;
  std::map<char, int64_t> extents;
  DigitMask partial = 0;
  ReductionKind kind = ReductionKind::Sum;
  llvm::SmallBitVector parts(tensors.size());
  for (auto [o, letters] : llvm::enumerate(dims.operands)) {
    Relation relation = tensors[o];
    if (relation.isRounded)
      return fail("uses a sum over ranks of rounded parts as if it were not rounded");
    if (relation.isUndefined) {
      key.push_back(algebra.terms.intern({kUndefinedTerm}));
      continue;
    }
    if (relation.partial) {
      if (partial && (partial != relation.partial || kind != relation.kind))
        return fail("operands are to be reduced over different ranks");
      partial = relation.partial;
      kind = relation.kind;
      parts.set(o);
    }
    // Broadcasts are as long as whoever else has the letter says, else as here.
    SmallVector<int64_t> sizes;
    bool isBroadcast = relation.maps.empty();
    if (isBroadcast) {
      key.insert(key.end(), {relation.term, 0});
      for (auto [i, letter] : llvm::enumerate(letters))
        if (llvm::isUpper(letter))
          key.push_back(isAnyBlock(letter) ? extents[letter] : relation.localSize(i));
      continue;
    }
    bool hasFree = false;
    for (auto &local : relation.layout)
      for (const Atom &atom : local)
        hasFree |= atom.dim < 0 && atom.size != 1;
    if (hasFree)
      return fail("has a broadcast operand");
    if (!algebra.commit(relation))
      return fail("an operand " + algebra.why);
    if (int(o) != dims.unkeyed)
      key.push_back(relation.term);
    for (auto [i, letter] : llvm::enumerate(letters)) {
      int64_t extent = algebra.terms.getShape(relation.term)[i];
      RankMapId map = relation.maps[i];
      if (llvm::isUpper(letter) && !isAnyBlock(letter)) {
        if (maps.uniform(makeRange(0, extent)) != map)
          return fail("needs all of dimension " + Twine(i) + " of operand " + Twine(o) +
                      ", ranks have " + toString(maps.get(map, 0)) + " of it");
      }
      auto it = blocks.try_emplace(letter, map).first;
      extents.try_emplace(letter, extent);
      if (it->second == map)
        continue;
      bool differs = false;
      RankMapId common = maps.make([&](unsigned rank) {
        Map joined;
        SmallVector<Run> a(maps.get(it->second, rank)), b(maps.get(map, rank));
        forEachRun(a, b, [&](const Run &x, const Run &y) {
          if (x.isPadding() || y.isPadding()) {
            append(joined, {x.size, -1, 1, {}});
            return;
          }
          differs |= x.source != y.source || (x.size > 1 && x.step != y.step);
          append(joined, x);
        });
        return joined;
      });
      if (differs)
        return fail("operands hold different blocks");
      it->second = common;
    }
  }
  if (partial) {
    llvm::SmallBitVector linear(tensors.size());
    Attribute neutral = getNeutral(kind, getElementTypeOrSelf(op->getResult(0)));
    for (unsigned o : dims.linear) {
      linear.set(o);
      // The neutral element is a part of itself.
      if (const Relation &tensor = tensors[o]; dims.isMove && tensor.maps.empty() &&
                                               !tensor.isUndefined && neutral &&
                                               algebra.terms.getConstant(tensor.term) == neutral)
        parts.set(o);
    }
    if (linear != parts || (kind != ReductionKind::Sum && !dims.isMove))
      return failNotLinear();
  }
  for (auto [letter, map] : blocks)
    if (maps.varying(map) & partial)
      return fail("ranks that are to be reduced over hold different blocks");
  for (auto [r, letters] : llvm::enumerate(dims.results)) {
    auto type = cast<RankedTensorType>(op->getResult(r).getType());
    Relation relation;
    relation.partial = partial;
    relation.kind = kind;
    SmallVector<int64_t> shape;
    for (auto [i, letter] : llvm::enumerate(letters)) {
      int64_t size = dims.shape.empty() ? type.getDimSize(i) : dims.shape[i];
      relation.layout.push_back({Atom{int(i), 1, size}});
      auto it = blocks.find(letter);
      if (it == blocks.end() || maps.size(it->second) != size) {
        if (!llvm::isUpper(letter))
          return fail("no operand says which block of dimension " + Twine(i) + " of result " +
                      Twine(r) + " ranks have");
        shape.push_back(size);
        relation.maps.push_back(maps.uniform(makeRange(0, size)));
        continue;
      }
      shape.push_back(extents[letter]);
      // What padding becomes is not known.
      relation.maps.push_back(maps.forgetFills(it->second));
    }
    Key own = key;
    own.push_back(keyOf(dims.element ? dims.element : type.getElementType()));
    for (auto [letter, size] : llvm::zip_equal(letters, shape))
      if (llvm::isUpper(letter))
        own.push_back(size);
    own.push_back(r);
    if (dims.onlyKnown && !algebra.terms.knows(own))
      return fail("does what the original does nowhere");
    relation.term = algebra.terms.intern(own, shape);
    results.push_back(relation);
  }
  return true;
}
