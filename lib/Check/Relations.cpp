//===- Relations.cpp -------------------------------------------------------===//

#include "Relations.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::tp;
using namespace mlir::tp::check;

TermId Terms::intern(const Key &key, ArrayRef<int64_t> shape) {
  auto [it, isNew] = ids.try_emplace(key, shapes.size());
  if (isNew)
    shapes.emplace_back(shape), keys.push_back(&it->first);
  return it->second;
}

TermId Terms::internOpen(Key key, ArrayRef<int64_t> shape, ArrayRef<unsigned> open, bool isSource) {
  if (open.empty())
    return intern(key, shape);
  SmallVector<int64_t> chosen(shape);
  if (isSource) {
    openShapes[key].push_back(chosen);
  } else if (auto known = openShapes.find(key); known != openShapes.end()) {
    auto lengthOf = [&](ArrayRef<int64_t> other) {
      int64_t length = 0;
      for (unsigned dim : open)
        length += other[dim] < shape[dim] ? -other[dim] : other[dim];
      return length;
    };
    auto holds = [&](ArrayRef<int64_t> other) {
      return llvm::all_of(open, [&](unsigned dim) { return other[dim] >= shape[dim]; });
    };
    const SmallVector<int64_t> *best = nullptr;
    for (const SmallVector<int64_t> &other : known->second)
      if (!best || std::make_pair(!holds(other), lengthOf(other)) <
                       std::make_pair(!holds(*best), lengthOf(*best)))
        best = &other;
    for (unsigned dim : open)
      chosen[dim] = (*best)[dim];
  }
  for (unsigned dim : open)
    key.push_back(chosen[dim]);
  return intern(key, chosen);
}

TermId Terms::constant(Attribute value, ArrayRef<int64_t> shape) {
  // Resources are named; what counts is their content.
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(value);
      resource && resource.getData().size()) {
    auto same = llvm::find_if(resources, [&](DenseResourceElementsAttr other) {
      return other.getType() == resource.getType() && other.getData() == resource.getData();
    });
    if (same == resources.end())
      resources.push_back(resource);
    else
      value = *same;
  }
  TermId term = intern({kConstantTerm, keyOf(value)}, shape);
  constants[term] = value;
  return term;
}

unsigned Terms::SameProperties::getHashValue(Operation *op) {
  return llvm::hash_combine(op->getName(), op->hashProperties());
}

bool Terms::SameProperties::isEqual(Operation *a, Operation *b) {
  auto isReal = [](Operation *op) { return op != getEmptyKey() && op != getTombstoneKey(); };
  return a == b ||
         (isReal(a) && isReal(b) && a->getName() == b->getName() &&
          a->getName().compareOpProperties(a->getPropertiesStorage(), b->getPropertiesStorage()));
}

uint64_t Terms::numberProperties(Operation *op) {
  if (op->getPropertiesStorageSize() == 0)
    return 0;
  return properties.try_emplace(op, properties.size()).first->second;
}

TermId Terms::sum(TermId a, TermId b) {
  SmallVector<uint64_t> parts;
  for (TermId term : {a, b}) {
    const Key &key = getKey(term);
    if (key[0] == kSumExpression)
      parts.append(key.begin() + 1, key.end());
    else
      parts.push_back(term);
  }
  llvm::sort(parts);
  Key key = {kSumExpression};
  key.insert(key.end(), parts.begin(), parts.end());
  return intern(key);
}

Attribute check::getNeutral(ReductionKind kind, Type element) {
  return getNeutralElement(kind, element);
}

bool check::isNeutral(ReductionKind kind, Attribute element) {
  auto number = dyn_cast_or_null<FloatAttr>(element);
  if (number && kind == ReductionKind::Sum && number.getValue().isZero())
    return true;
  auto typed = dyn_cast_or_null<TypedAttr>(element);
  return typed && element == getNeutral(kind, typed.getType());
}

bool check::isIdempotent(ReductionKind kind) {
  return kind != ReductionKind::Sum && kind != ReductionKind::Mul && kind != ReductionKind::Xor;
}

static int64_t at(ArrayRef<int64_t> values, unsigned rank) {
  return values.size() == 1 ? values[0] : values[rank];
}

//===----------------------------------------------------------------------===//
// Making relations
//===----------------------------------------------------------------------===//

Relation Relations::whole(TermId term) {
  Relation relation;
  relation.term = term;
  for (auto [i, size] : llvm::enumerate(terms.getShape(term))) {
    relation.layout.push_back({Atom{int(i), 1, size}});
    relation.maps.push_back(maps.uniform(makeRange(0, size)));
  }
  return relation;
}

Relation Relations::splat(TermId term, ArrayRef<int64_t> localShape) {
  Relation relation;
  relation.term = term;
  for (int64_t size : localShape)
    relation.layout.push_back({Atom{-1, 1, size}});
  return relation;
}

DigitMask Relations::varying(const Relation &relation) {
  DigitMask mask = 0;
  for (RankMapId map : relation.maps)
    mask |= maps.varying(map);
  if (!relation.absent.empty())
    for (unsigned digit = 0; digit < ranks.getDigits().size(); ++digit)
      for (unsigned rank = 0; rank < ranks.count(); ++rank)
        if (relation.absent[rank] != relation.absent[ranks.withCoordinate(rank, digit, 0)])
          mask |= DigitMask(1) << digit;
  return mask;
}

std::string Relations::describe(const Relation &relation) {
  if (relation.isUndefined)
    return "undefined";
  std::string text;
  llvm::raw_string_ostream os(text);
  unsigned shown = std::min(2u, ranks.count());
  for (unsigned rank = 0; rank < shown; ++rank) {
    os << (rank ? ", rank " : "rank ") << rank << ": ";
    if (relation.isAbsent(rank)) {
      os << "nothing";
      continue;
    }
    if (relation.maps.empty())
      os << "a splat";
    for (auto [i, map] : llvm::enumerate(relation.maps))
      os << (i ? " x " : "") << toString(maps.get(map, rank));
  }
  if (relation.partial)
    os << ", to be reduced by " << stringifyReductionKind(relation.kind);
  return text;
}

//===----------------------------------------------------------------------===//
// One atom
//===----------------------------------------------------------------------===//

SmallVector<Atom *> Relations::atomsOf(Relation &relation, int dim) {
  SmallVector<Atom *> atoms;
  for (auto &local : relation.layout)
    for (Atom &atom : local)
      if (atom.dim == dim)
        atoms.push_back(&atom);
  llvm::sort(atoms, [](Atom *a, Atom *b) {
    return std::make_tuple(a->stride * a->size, a->stride, b) >
           std::make_tuple(b->stride * b->size, b->stride, a);
  });
  return atoms;
}

void Relations::normalize(Relation &relation) {
  dropRepeats(relation, [&](unsigned dim) { return !maps.hasPadding(relation.maps[dim]); });
  bool hasUnit = false;
  for (auto &local : relation.layout) {
    if (local.size() == 1) {
      hasUnit |= local[0].size == 1;
      continue;
    }
    SmallVector<Atom, 1> merged;
    for (const Atom &atom : local) {
      if (!merged.empty() && merged.back().dim == atom.dim &&
          (atom.dim < 0 || merged.back().stride == atom.stride * atom.size ||
           merged.back().size == 1 || atom.size == 1)) {
        if (merged.back().size == 1)
          merged.back().stride = atom.stride;
        else if (atom.dim >= 0 && atom.size != 1)
          merged.back().stride = atom.stride;
        merged.back().size *= atom.size;
        continue;
      }
      merged.push_back(atom);
    }
    // Of several atoms, those of one position are needed only where they may be a rank's
    // row of a dimension.
    if (merged.size() > 1) {
      SmallVector<Atom, 1> needed;
      for (const Atom &atom : merged)
        if (atom.size != 1 || (atom.dim >= 0 && maps.size(relation.maps[atom.dim]) <
                                                    terms.getShape(relation.term)[atom.dim]))
          needed.push_back(atom);
      if (needed.empty())
        needed.push_back(merged.back());
      merged = std::move(needed);
    }
    local = std::move(merged);
    hasUnit |= local.size() == 1 && local[0].size == 1;
  }
  if (!hasUnit)
    return;
  // A dimension of one element is the term's, if the term has one that is left.
  llvm::SmallBitVector isHeld(relation.maps.size());
  for (auto &local : relation.layout)
    for (const Atom &atom : local)
      if (atom.dim >= 0)
        isHeld.set(atom.dim);
  for (auto &local : relation.layout)
    if (local.size() == 1 && local[0] == Atom{-1, 1, 1})
      for (unsigned d = 0; d < relation.maps.size(); ++d)
        if (!isHeld.test(d) && terms.getShape(relation.term)[d] == 1) {
          isHeld.set(d);
          local[0].dim = d;
          break;
        }
  // Dimensions of one element that all ranks have are like each other: the first are
  // held, in order.
  RankMapId one = maps.uniform(makeRange(0, 1));
  auto isUnit = [&](int dim) {
    return dim >= 0 && terms.getShape(relation.term)[dim] == 1 && relation.maps[dim] == one;
  };
  SmallVector<Atom *> places;
  llvm::SmallBitVector isTaken(relation.maps.size());
  for (auto &local : relation.layout)
    for (Atom &atom : local)
      if (local.size() == 1 && atom.size == 1 && isUnit(atom.dim))
        places.push_back(&atom);
      else if (atom.dim >= 0)
        isTaken.set(atom.dim);
  int next = 0, end = relation.maps.size();
  for (Atom *place : places) {
    while (next < end && (isTaken.test(next) || !isUnit(next)))
      ++next;
    // Two may hold one dimension.
    *place = next < end ? Atom{next++, 1, 1} : Atom{-1, 1, 1};
  }
}

void Relations::restrict(Relation &relation, unsigned localDim, unsigned atomIndex,
                         ArrayRef<int64_t> offsets, int64_t size, int64_t step) {
  Atom &atom = relation.layout[localDim][atomIndex];
  if (atom.dim < 0) {
    atom.size = size;
    return;
  }
  SmallVector<Atom *> atoms = atomsOf(relation, atom.dim);
  auto change = [&](ArrayRef<Run> old, int64_t offset) {
    // Old strides, new sizes; the minor atoms below the changed one stay together.
    SmallVector<std::pair<int64_t, int64_t>> levels; // size, old stride
    for (Atom *other : atoms) {
      if (other == &atom)
        levels.push_back({size, atom.stride * step});
      else
        levels.push_back({other->size, other->stride});
    }
    // Trailing levels that are whole are one run.
    int64_t run = 1;
    while (!levels.empty() && levels.back().second == run && levels.back().first > 0) {
      run *= levels.back().first;
      levels.pop_back();
    }
    Map map;
    std::function<void(size_t, int64_t)> visit = [&](size_t level, int64_t base) {
      if (level == levels.size()) {
        appendSlice(map, old, base, run);
        return;
      }
      if (level + 1 == levels.size() && run == 1) {
        appendSlice(map, old, base, levels[level].first, levels[level].second);
        return;
      }
      for (int64_t i = 0; i < levels[level].first; ++i)
        visit(level + 1, base + i * levels[level].second);
    };
    visit(0, offset * atom.stride);
    return map;
  };
  RankMapId old = relation.maps[atom.dim];
  RankMapId changed =
      offsets.size() == 1
          ? maps.transform(old, [&](ArrayRef<Run> map) { return change(map, offsets[0]); })
          : maps.make([&](unsigned rank) {
              return change(SmallVector<Run>(maps.get(old, rank)), offsets[rank]);
            });
  relation.maps[atom.dim] = changed;
  atom.size = size;
  int64_t stride = 1;
  for (Atom *other : llvm::reverse(atoms)) {
    other->stride = stride;
    stride *= other->size;
  }
}

//===----------------------------------------------------------------------===//
// Moves within a rank
//===----------------------------------------------------------------------===//

bool Relations::slice(Relation &relation, unsigned dim, ArrayRef<int64_t> offsets, int64_t size,
                      int64_t step) {
  int64_t whole = relation.localSize(dim);
  bool isAll = step == 1 && offsets.size() == 1 && offsets[0] == 0;
  if (size == whole && (isAll || size == 0))
    return true;
  for (int64_t offset : offsets)
    if (size > 0 &&
        (offset < 0 || offset + (size - 1) * step >= whole || offset + (size - 1) * step < 0))
      return fail("takes elements past the end: " + Twine(size) + " from " + Twine(offset) +
                  " of " + Twine(whole));
  // Rows of a reshape are a dimension of their own before there are fewer of them.
  if (const Atom atom = relation.layout[dim][0];
      relation.layout[dim].size() == 1 && atom.dim >= 0 && atom.size != 1) {
    Relation split = relation;
    int64_t inner = atom.stride * atom.size;
    if (atom.stride == 1 && atomsOf(relation, atom.dim).size() > 1 &&
        splitRows(split, atom.dim, inner))
      relation = split;
  }
  auto &atoms = relation.layout[dim];
  if (atoms.size() == 1) {
    restrict(relation, dim, 0, offsets, size, step);
    return true;
  }
  if (step != 1)
    return fail("takes elements " + Twine(step) + " apart of a dimension that is a reshape");
  // One element of the major atoms, then whole rows of the minor ones.
  SmallVector<int64_t> rest(offsets);
  int64_t inner = whole;
  for (unsigned i = 0; i < atoms.size(); ++i) {
    inner /= atoms[i].size;
    SmallVector<int64_t> digits;
    bool isAligned = size % inner == 0, isWithin = true;
    for (int64_t &offset : rest) {
      digits.push_back(offset / inner);
      offset %= inner;
      isAligned &= offset == 0;
      isWithin &= offset + size <= inner;
    }
    if (!isAligned && !isWithin)
      break;
    restrict(relation, dim, i, digits, isAligned ? size / inner : 1, 1);
    if (isAligned)
      return true;
  }
  return fail("takes parts of several rows of a dimension that is a reshape");
}

bool Relations::pick(Relation &relation, unsigned dim, ArrayRef<SmallVector<int64_t>> positions) {
  int64_t whole = relation.localSize(dim), size = positions[0].size();
  bool isAll = size == whole;
  for (ArrayRef<int64_t> list : positions)
    for (auto [i, position] : llvm::enumerate(list))
      isAll &= position == int64_t(i);
  if (isAll)
    return true;
  auto isPlain = [&] {
    auto &atoms = relation.layout[dim];
    if (atoms.size() != 1 || atoms[0].dim < 0)
      return atoms.size() == 1;
    // Beside atoms of one position it is all of the term's dimension.
    return maps.size(relation.maps[atoms[0].dim]) == atoms[0].size &&
           (atoms[0].size != 1 || atomsOf(relation, atoms[0].dim).size() == 1);
  };
  if (!isPlain() && !commit(relation))
    return false;
  Atom &atom = relation.layout[dim][0];
  atom.size = size;
  if (atom.dim < 0)
    return true;
  for (Atom *other : atomsOf(relation, atom.dim))
    if (other != &atom)
      other->stride = size;
  RankMapId old = relation.maps[atom.dim];
  auto change = [&](ArrayRef<Run> map, ArrayRef<int64_t> list) {
    // What is read past the end, under a condition that does not hold, is not known.
    Map picked;
    for (int64_t position : list)
      if (position < 0 || position >= whole)
        append(picked, {1, -1, 1, {}});
      else
        appendSlice(picked, map, position, 1);
    return picked;
  };
  relation.maps[atom.dim] =
      positions.size() == 1
          ? maps.transform(old, [&](ArrayRef<Run> map) { return change(map, positions[0]); })
          : maps.make([&](unsigned rank) {
              return change(SmallVector<Run>(maps.get(old, rank)), positions[rank]);
            });
  return true;
}

bool Relations::pad(Relation &relation, unsigned dim, ArrayRef<int64_t> low, ArrayRef<int64_t> high,
                    Attribute fill) {
  if (llvm::all_of(low, [](int64_t n) { return n == 0; }) &&
      llvm::all_of(high, [](int64_t n) { return n == 0; }))
    return true;
  int64_t old = relation.localSize(dim), size = old + at(low, 0) + at(high, 0);
  if (relation.isUndefined) {
    if (fill)
      return fail("pads a tensor without content");
    relation.layout[dim] = {Atom{-1, 1, size}};
    return true;
  }
  if (llvm::any_of(relation.absent, [&](Attribute other) { return other && other != fill; }) &&
      !makePartial(relation))
    placeAbsent(relation, dim);
  if (Attribute number = getSplat(relation); number && number == fill) {
    relation.layout[dim] = {Atom{-1, 1, size}};
    return true;
  }
  if (!condense(relation, dim))
    return false;
  auto isPlain = [&] {
    return relation.layout[dim].size() == 1 && relation.layout[dim][0].dim >= 0;
  };
  if (relation.layout[dim].size() == 1 && !isPlain() && !isSource &&
      !commitBroadcast(relation, dim))
    repeat(relation, dim);
  if (!isPlain() && !commit(relation))
    return false;
  Atom &atom = relation.layout[dim].front();
  int64_t block = atom.size * atom.stride, inner = atom.stride;
  RankMapId oldMap = relation.maps[atom.dim];
  auto change = [&](ArrayRef<Run> map, unsigned rank) {
    Map padded;
    int64_t total = getSize(map);
    for (int64_t base = 0; base < total; base += block) {
      append(padded, {at(low, rank) * inner, -1, 1, fill});
      appendSlice(padded, map, base, block);
      append(padded, {at(high, rank) * inner, -1, 1, fill});
    }
    return padded;
  };
  if (block == 0 && (atom.stride != 1 || atomsOf(relation, atom.dim).size() != 1))
    return fail("pads a dimension without elements that is a reshape");
  relation.maps[atom.dim] =
      block == 0 ? maps.uniform(makePadding(size, fill))
      : low.size() == 1 && high.size() == 1
          ? maps.transform(oldMap, [&](ArrayRef<Run> map) { return change(map, 0); })
          : maps.make([&](unsigned rank) {
              return change(SmallVector<Run>(maps.get(oldMap, rank)), rank);
            });
  settle(relation, atom.dim);
  SmallVector<Atom *> all = atomsOf(relation, atom.dim);
  atom.size = size;
  int64_t stride = 1;
  for (Atom *other : llvm::reverse(all)) {
    other->stride = stride;
    stride *= other->size;
  }
  return true;
}

void Relations::dropUnitDims(Relation &relation, llvm::function_ref<bool(unsigned)> isDropped) {
  SmallVector<SmallVector<Atom, 1>, 4> kept;
  for (auto [i, atoms] : llvm::enumerate(relation.layout))
    if (!isDropped(i))
      kept.push_back(std::move(atoms));
  relation.layout = std::move(kept);
}

bool Relations::expand(Relation &relation, ArrayRef<SmallVector<int64_t, 2>> groups,
                       ArrayRef<int64_t> shape) {
  SmallVector<SmallVector<Atom, 1>, 4> layout(shape.size());
  // Where ranks have parts, one position may be a rank's row of what is expanded.
  auto unitAtom = [&](int dim, int64_t stride) {
    bool isPart = dim >= 0 && maps.size(relation.maps[dim]) < terms.getShape(relation.term)[dim];
    return isPart ? Atom{dim, stride, 1} : Atom{-1, 1, 1};
  };
  for (auto [dim, group] : llvm::enumerate(groups)) {
    SmallVector<Atom, 4> rest(relation.layout[dim].begin(), relation.layout[dim].end());
    // From the minor side; unit atoms go to unit dimensions, else to the major one.
    for (int64_t target : llvm::reverse(group)) {
      int64_t want = shape[target], have = 1;
      SmallVector<Atom, 2> taken;
      while (have < want) {
        assert(!rest.empty() && "a dimension without elements has an atom of none");
        Atom &atom = rest.back();
        if (atom.size == 0)
          return fail("expands a dimension without elements");
        int64_t need = want / have;
        if (atom.size <= need) {
          if (need % atom.size != 0)
            return fail("expands a dimension across the rows of another reshape");
          taken.insert(taken.begin(), atom);
          have *= atom.size;
          rest.pop_back();
          continue;
        }
        if (atom.size % need != 0)
          return fail("expands a dimension across the rows of another reshape");
        taken.insert(taken.begin(), Atom{atom.dim, atom.stride, need});
        atom.stride *= atom.dim < 0 ? 1 : need;
        atom.size /= need;
        have = want;
      }
      if (want == 1) {
        if (!rest.empty() && rest.back().size == 1) {
          taken.push_back(rest.pop_back_val());
        } else if (!rest.empty()) {
          taken.push_back(Atom());
        } else {
          const Atom *below = nullptr;
          for (int64_t other : group)
            if (!layout[other].empty()) {
              below = &layout[other].front();
              break;
            }
          taken.push_back(below ? unitAtom(below->dim, below->stride * below->size)
                                : Atom{-1, 1, 1});
        }
      }
      layout[target] = SmallVector<Atom, 1>(taken.begin(), taken.end());
    }
    // Unit atoms that are left belong to the major dimension.
    if (!group.empty())
      layout[group.front()].insert(layout[group.front()].begin(), rest.begin(), rest.end());
  }
  relation.layout = std::move(layout);
  normalize(relation);
  return true;
}

void Relations::collapse(Relation &relation, ArrayRef<SmallVector<int64_t, 2>> groups) {
  SmallVector<SmallVector<Atom, 1>, 4> layout;
  for (const auto &group : groups) {
    layout.emplace_back();
    for (int64_t dim : group)
      layout.back().append(relation.layout[dim].begin(), relation.layout[dim].end());
  }
  relation.layout = std::move(layout);
  normalize(relation);
}

void Relations::transpose(Relation &relation, ArrayRef<int64_t> permutation) {
  SmallVector<SmallVector<Atom, 1>, 4> layout;
  for (int64_t dim : permutation)
    layout.push_back(relation.layout[dim]);
  relation.layout = std::move(layout);
}
