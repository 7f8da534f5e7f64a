//===- Views.cpp - Relations by dimension, and as terms --------------------===//

#include "Relations.h"

using namespace mlir;
using namespace mlir::tp;
using namespace mlir::tp::check;

bool Relations::splitDim(Relation &relation, unsigned dim, int64_t inner, int64_t innerSize,
                         std::pair<unsigned, unsigned> unit) {
  SmallVector<int64_t> shape(terms.getShape(relation.term));
  if (inner <= 0 || innerSize <= 0 || shape[dim] % inner != 0)
    return fail("a dimension of " + Twine(shape[dim]) + " has no rows of " + Twine(inner));
  // Position o * innerSize + i must be index outer(o) * inner + minor(i), or padding.
  RankMapId old = relation.maps[dim];
  bool isSplit = true;
  SmallVector<MapId> outers, inners;
  unsigned count = maps.isUniform(old) ? 1 : ranks.count();
  for (unsigned rank = 0; rank < count && isSplit; ++rank) {
    SmallVector<Run> map(maps.get(old, rank));
    int64_t rows = getSize(map) / innerSize;
    Map outer;
    std::optional<Map> minor;
    for (int64_t row = 0; row < rows; ++row) {
      Map piece;
      appendSlice(piece, map, row * innerSize, innerSize);
      int64_t index = -1;
      for (const Run &run : piece)
        if (!run.isPadding()) {
          int64_t here = run.source / inner;
          if (index >= 0 && here != index)
            isSplit = false;
          index = here;
          if (run.at(run.size - 1) / inner != here)
            isSplit = false;
        }
      if (index < 0) {
        append(outer, {1, -1, 1, piece.empty() ? Attribute() : piece.front().fill});
        isSplit &= piece.size() <= 1;
        continue;
      }
      Map local;
      for (Run run : piece) {
        if (!run.isPadding())
          run.source -= index * inner;
        append(local, run);
      }
      if (minor && maps.intern(*minor) != maps.intern(local))
        isSplit = false;
      minor = local;
      append(outer, {1, index, 1, {}});
    }
    outers.push_back(maps.intern(outer));
    inners.push_back(maps.intern(minor ? *minor : makeRange(0, innerSize)));
  }
  if (!isSplit)
    return fail("rows of " + Twine(inner) + " are cut within");
  if (isSource)
    rowsOfSource[{relation.term, dim}].insert(inner);
  shape[dim] /= inner;
  shape.insert(shape.begin() + dim + 1, inner);
  relation.term = terms.intern({kSplitTerm, relation.term, dim, uint64_t(inner)}, shape);
  relation.maps[dim] = maps.internRanks(outers);
  relation.maps.insert(relation.maps.begin() + dim + 1, maps.internRanks(inners));
  for (auto [d, local] : llvm::enumerate(relation.layout)) {
    SmallVector<Atom, 1> atoms;
    for (auto [i, atom] : llvm::enumerate(local)) {
      if (atom.dim != int(dim)) {
        atoms.push_back(atom);
        if (atom.dim > int(dim))
          ++atoms.back().dim;
        continue;
      }
      bool isUnit = unit == std::make_pair(unsigned(d), unsigned(i));
      if (!isUnit && atom.stride >= innerSize) {
        atoms.push_back({atom.dim, atom.stride / innerSize, atom.size});
      } else if (isUnit || atom.stride * atom.size <= innerSize) {
        atoms.push_back({atom.dim + 1, atom.stride, atom.size});
      } else {
        int64_t rows = atom.stride * atom.size / innerSize;
        atoms.push_back({atom.dim, 1, rows});
        atoms.push_back({atom.dim + 1, atom.stride, atom.size / rows});
      }
    }
    local = std::move(atoms);
  }
  return true;
}

bool Relations::splitRows(Relation &relation, unsigned dim, int64_t innerSize,
                          std::pair<unsigned, unsigned> unit) {
  auto known = rowsOfSource.find({relation.term, dim});
  if (!isSource && known != rowsOfSource.end() && !known->second.contains(innerSize))
    for (int64_t inner : known->second)
      if (Relation split = relation; splitDim(split, dim, inner, innerSize, unit)) {
        relation = split;
        return true;
      }
  return splitDim(relation, dim, innerSize, innerSize, unit);
}

bool Relations::commit(Relation &relation, ArrayRef<int64_t> globalSizes) {
  if (relation.isUndefined || !relation.absent.empty())
    return fail("is not the same value on all ranks");
  if (relation.isRounded)
    return fail("is a sum over ranks of rounded parts");
  normalize(relation);
  for (auto [i, local] : llvm::enumerate(relation.layout))
    if (!globalSizes.empty() && globalSizes[i] == 1 && local.size() == 1 && local[0].dim >= 0 &&
        terms.getShape(relation.term)[local[0].dim] != 1 &&
        atomsOf(relation, local[0].dim).size() > 1)
      local[0] = Atom();
  // Split dimensions of the term of which several local dimensions have atoms.
  for (unsigned d = 0; d < relation.maps.size(); ++d) {
    while (true) {
      SmallVector<Atom *> atoms = atomsOf(relation, d);
      if (atoms.size() < 2)
        break;
      Atom *minor = atoms.back();
      int64_t size = minor->stride * minor->size, inner = size;
      if (!globalSizes.empty())
        for (auto [i, local] : llvm::enumerate(relation.layout))
          if (local.size() == 1 && &local.front() == minor)
            inner = globalSizes[i];
      std::pair<unsigned, unsigned> unit;
      for (auto [i, local] : llvm::enumerate(relation.layout))
        for (auto [k, atom] : llvm::enumerate(local))
          if (&atom == minor)
            unit = {i, k};
      if (inner == size ? !splitRows(relation, d, size, unit)
                        : !splitDim(relation, d, inner, size, unit))
        return false;
    }
  }
  // Join atoms of different dimensions of the term in one local dimension.
  for (unsigned i = 0; i < relation.layout.size(); ++i) {
    auto &local = relation.layout[i];
    while (local.size() > 1) {
      Atom minor = local.pop_back_val(), major = local.pop_back_val();
      if (minor.dim < 0 || major.dim < 0)
        return fail("is a broadcast that was reshaped");
      SmallVector<int64_t> shape(terms.getShape(relation.term));
      int64_t inner = shape[minor.dim];
      RankMapId outerMap = relation.maps[major.dim], innerMap = relation.maps[minor.dim];
      constexpr int64_t kMaxRows = 4096;
      if (maps.size(outerMap) > kMaxRows)
        return fail("is a reshape of too many rows");
      RankMapId joined = maps.make([&](unsigned rank) {
        SmallVector<Run> out(maps.get(outerMap, rank)), in(maps.get(innerMap, rank));
        Map map;
        for (const Run &run : out)
          for (int64_t k = 0; k < run.size; ++k)
            for (Run piece : in) {
              if (run.isPadding())
                // Where both are padding it is one of two numbers.
                piece = {piece.size, -1, 1,
                         piece.isPadding() && piece.fill != run.fill ? Attribute() : run.fill};
              else if (!piece.isPadding())
                piece.source += run.at(k) * inner;
              append(map, piece);
            }
        return map;
      });
      relation.term =
          terms.intern({kJoinTerm, relation.term, uint64_t(major.dim), uint64_t(minor.dim)}, [&] {
            shape[major.dim] *= inner;
            shape.erase(shape.begin() + minor.dim);
            return shape;
          }());
      relation.maps[major.dim] = joined;
      relation.maps.erase(relation.maps.begin() + minor.dim);
      local.push_back(Atom{major.dim, 1, major.size * minor.size});
      for (auto &other : relation.layout)
        for (Atom &atom : other)
          if (atom.dim > minor.dim)
            --atom.dim;
    }
  }
  // Order, broadcasts and fixed indices are a view of the term.
  bool isPlain = relation.layout.size() == relation.maps.size();
  for (auto [i, local] : llvm::enumerate(relation.layout))
    isPlain &= local.size() == 1 && local.front().dim == int(i);
  if (isPlain) {
    for (auto &local : relation.layout)
      local.front().stride = 1; // Of one position it may be any.
    return true;
  }
  Key key = {kViewTerm, relation.term, relation.layout.size()};
  SmallVector<int64_t> shape;
  SmallVector<RankMapId, 4> order;
  SmallVector<unsigned> repeated;
  llvm::SmallBitVector used(relation.maps.size());
  for (auto [i, local] : llvm::enumerate(relation.layout)) {
    Atom atom = local.empty() ? Atom() : local.front();
    key.push_back(atom.dim);
    if (atom.dim < 0) {
      repeated.push_back(i);
      int64_t size = globalSizes.empty() ? atom.size : globalSizes[i];
      shape.push_back(size);
      order.push_back(maps.uniform(makeRange(0, atom.size)));
      continue;
    }
    used.set(atom.dim);
    shape.push_back(terms.getShape(relation.term)[atom.dim]);
    order.push_back(relation.maps[atom.dim]);
  }
  for (unsigned d = 0; d < relation.maps.size(); ++d)
    if (!used.test(d)) {
      if (!maps.isUniform(relation.maps[d]))
        return fail("ranks have different elements of a dimension that was sliced away");
      key.push_back(maps.at(relation.maps[d], 0));
    }
  relation.term = terms.internOpen(key, shape, repeated, isSource);
  relation.maps = std::move(order);
  for (auto [i, local] : llvm::enumerate(relation.layout))
    local = {Atom{int(i), 1, local.empty() ? 1 : local.front().size}};
  return true;
}

std::optional<TermId> Relations::asTerm(const Relation &given) {
  if (given.isUndefined)
    return terms.intern({kUndefinedTerm});
  Relation relation = given;
  if (relation.partial) {
    why = "is still to be reduced over ranks";
    return std::nullopt;
  }
  if (varying(relation)) {
    why = "is not the same on all ranks (" + describe(relation) + ")";
    return std::nullopt;
  }
  for (RankMapId map : relation.maps)
    for (const Run &run : maps.get(map, 0))
      if (run.isPadding() && !run.fill) {
        why = "has elements that nothing is known of";
        return std::nullopt;
      }
  SmallVector<int64_t> sizes;
  for (unsigned i = 0; i < relation.layout.size(); ++i)
    sizes.push_back(relation.localSize(i));
  if (relation.maps.empty() || !commit(relation, sizes)) {
    if (!relation.maps.empty())
      return std::nullopt;
    Key key = {kViewTerm, relation.term};
    key.insert(key.end(), sizes.begin(), sizes.end());
    return terms.intern(key, sizes);
  }
  bool isIdentity = true;
  for (auto [d, map] : llvm::enumerate(relation.maps))
    isIdentity &= maps.uniform(makeRange(0, terms.getShape(relation.term)[d])) == map;
  if (isIdentity)
    return relation.term;
  // Padding with one number in one dimension and in another: the minor one first.
  SmallVector<RankMapId, 4> viewMaps = relation.maps;
  TermId base = relation.term;
  if (auto it = viewed.find(base); it != viewed.end()) {
    auto padded = [&](ArrayRef<RankMapId> list,
                      ArrayRef<int64_t> shape) -> std::optional<unsigned> {
      std::optional<unsigned> found;
      for (auto [d, map] : llvm::enumerate(list)) {
        if (maps.at(map, 0) == maps.intern(makeRange(0, shape[d])))
          continue;
        if (found)
          return std::nullopt;
        found = d;
      }
      return found;
    };
    View inner = it->second;
    SmallVector<int64_t> innerShape(terms.getShape(inner.base));
    std::optional<unsigned> outerDim = padded(viewMaps, terms.getShape(base)),
                            innerDim = padded(inner.maps, innerShape);
    llvm::SmallSetVector<Attribute, 2> fills;
    if (outerDim && innerDim && *outerDim > *innerDim) {
      for (RankMapId map : {viewMaps[*outerDim], inner.maps[*innerDim]})
        for (const Run &run : maps.get(map, 0))
          if (run.isPadding())
            fills.insert(run.fill);
      if (fills.size() <= 1) {
        // base.inner, then outer, is base.outer, then inner.
        Relation first = whole(inner.base);
        first.maps[*outerDim] = viewMaps[*outerDim];
        first.layout[*outerDim][0].size = sizes[*outerDim];
        Relation second = whole(*asTerm(first));
        second.maps[*innerDim] = inner.maps[*innerDim];
        second.layout[*innerDim][0].size = sizes[*innerDim];
        return asTerm(second);
      }
    }
  }
  Key key = {kPickTerm, base};
  for (RankMapId map : viewMaps)
    key.push_back(map);
  TermId view = terms.intern(key, sizes);
  recordView(view, base, viewMaps);
  return view;
}
