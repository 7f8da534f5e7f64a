//===- Pieces.cpp - Values put together along a dimension ------------------===//
//
// Elements of different terms along one dimension are elements of their *union*: all
// of the first, then all of the second. So a concatenation, an insertion and a choice
// by position are maps of one term, whichever piece a rank has, and equal ones have
// equal maps. Where a computation needs the elements in their order, the value becomes
// a term of its own (a *view*); what a rank has of it is then looked up in the view.
//
//===----------------------------------------------------------------------===//

#include "Relations.h"

using namespace mlir;
using namespace mlir::tp;
using namespace mlir::tp::check;

/// What a splat of a constant holds everywhere; null: it is none.
Attribute Relations::getSplat(const Relation &relation) const {
  return relation.absent.empty() ? getSplatWhereHeld(relation) : Attribute();
}

Attribute Relations::getSplatWhereHeld(const Relation &relation) const {
  bool isSplat =
      relation.maps.empty() && !relation.isUndefined && !relation.partial && !relation.isRounded;
  return isSplat ? terms.getConstant(relation.term) : Attribute();
}

//===----------------------------------------------------------------------===//
// Unions
//===----------------------------------------------------------------------===//

/// The terms that a term is made of along a dimension.
static SmallVector<TermId> getComponents(const Terms &terms, TermId term, unsigned dim) {
  const Key &key = terms.getKey(term);
  if (key[0] != kUnionTerm || key[1] != dim)
    return {term};
  return SmallVector<TermId>(key.begin() + 2, key.end());
}

bool Relations::unite(MutableArrayRef<Relation> parts, unsigned dim) {
  llvm::SmallSetVector<TermId, 4> all;
  for (Relation &part : parts) {
    if (!commit(part))
      return fail("a value that is put beside others " + why);
    for (TermId term : getComponents(terms, part.term, dim))
      all.insert(term);
  }
  if (llvm::all_of(parts, [&](const Relation &part) { return part.term == parts[0].term; }))
    return true;
  SmallVector<TermId> sorted(all.begin(), all.end());
  llvm::sort(sorted);
  SmallVector<int64_t> shape(terms.getShape(sorted[0]));
  llvm::DenseMap<TermId, int64_t> offsets;
  Key key = {kUnionTerm, dim};
  int64_t size = 0;
  for (TermId term : sorted) {
    ArrayRef<int64_t> own = terms.getShape(term);
    if (own.size() != shape.size())
      return fail("combines elements of different values");
    for (unsigned d = 0; d < shape.size(); ++d)
      if (d != dim && own[d] != shape[d])
        return fail("combines elements of different values");
    offsets[term] = size;
    size += own[dim];
    key.push_back(term);
  }
  shape[dim] = size;
  TermId united = terms.intern(key, shape);
  for (Relation &part : parts) {
    Map places;
    for (TermId term : getComponents(terms, part.term, dim))
      append(places, {terms.getShape(term)[dim], offsets[term], 1, {}});
    part.maps[dim] =
        maps.transform(part.maps[dim], [&](ArrayRef<Run> map) { return compose(map, places); });
    part.term = united;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// One value here, another there
//===----------------------------------------------------------------------===//

/// Visits runs of positions that are chosen alike.
static void
forEachChoice(ArrayRef<int64_t> choice,
              llvm::function_ref<void(int64_t begin, int64_t end, bool isFirst)> visit) {
  for (int64_t begin = 0, size = choice.size(), end; begin < size; begin = end) {
    for (end = begin + 1; end < size && bool(choice[end]) == bool(choice[begin]);)
      ++end;
    visit(begin, end, choice[begin]);
  }
}

static ArrayRef<int64_t> ofRank(Choice choice, unsigned rank) {
  return choice[choice.size() == 1 ? 0 : rank];
}

bool Relations::mask(Relation &relation, unsigned dim, Choice keeps, Attribute fill) {
  if (llvm::all_of(keeps, [](ArrayRef<int64_t> list) {
        return llvm::all_of(list, [](int64_t keep) { return keep; });
      }))
    return true;
  if (!condense(relation, dim))
    return false;
  if (relation.layout[dim].size() == 1 && relation.layout[dim][0].dim < 0) {
    if (!isSource)
      repeat(relation, dim);
    else if (!commit(relation))
      return false;
  }
  auto &atoms = relation.layout[dim];
  if (atoms.size() != 1)
    return fail("masks a dimension that is a reshape");
  const Atom atom = atoms[0];
  RankMapId old = relation.maps[atom.dim];
  int64_t block = atom.size * atom.stride;
  relation.maps[atom.dim] = maps.make([&](unsigned rank) {
    SmallVector<Run> map(maps.get(old, rank));
    Map masked;
    for (int64_t base = 0, total = getSize(map); base < total; base += block)
      forEachChoice(ofRank(keeps, rank), [&](int64_t begin, int64_t end, bool isKept) {
        int64_t size = (end - begin) * atom.stride;
        if (isKept)
          appendSlice(masked, map, base + begin * atom.stride, size);
        else
          append(masked, {size, -1, 1, fill});
      });
    return masked;
  });
  settle(relation, atom.dim);
  return true;
}

std::optional<Relation> Relations::merge(Relation first, Relation second, unsigned dim,
                                         Choice isFirst) {
  auto refuse = [&](const Twine &text) {
    why = text.str();
    return std::nullopt;
  };
  auto inverted = [&] {
    SmallVector<SmallVector<int64_t>, 0> result;
    for (ArrayRef<int64_t> list : isFirst) {
      result.emplace_back();
      for (int64_t chosen : list)
        result.back().push_back(!chosen);
    }
    return result;
  };
  Attribute number = getSplat(first), otherNumber = getSplat(second);
  if (number && number == otherNumber)
    return first;
  // Of two numbers the second is what pads the first.
  assert(!(number && otherNumber && isSource) && "the source has numbers as they are");
  if (first.isUndefined || second.isUndefined || number || otherNumber) {
    // Beside a number, or beside nothing that is known.
    bool keepsFirst = !first.isUndefined && (second.isUndefined || otherNumber);
    Relation kept = keepsFirst ? first : second;
    Attribute fill = first.isUndefined || second.isUndefined ? Attribute()
                     : keepsFirst                            ? otherNumber
                                                             : number;
    if (kept.isUndefined)
      return kept;
    placeAbsent(kept, dim);
    bool done = keepsFirst ? mask(kept, dim, isFirst, fill) : mask(kept, dim, inverted(), fill);
    return done ? std::optional(kept) : std::nullopt;
  }
  placeAbsent(first, dim);
  placeAbsent(second, dim);
  if (first.partial != second.partial || (first.partial && first.kind != second.kind) ||
      first.isRounded || second.isRounded)
    return refuse("combines parts of sums with other values");
  auto isPlain = [&](const Relation &relation) {
    const auto &atoms = relation.layout[dim];
    return atoms.size() == 1 && atoms[0].dim >= 0 && atoms[0].stride == 1 &&
           maps.size(relation.maps[atoms[0].dim]) == atoms[0].size;
  };
  if (first.term != second.term || first.layout != second.layout || !isPlain(first)) {
    Relation both[] = {first, second};
    if (!unite(both, dim))
      return std::nullopt;
    first = both[0];
    second = both[1];
  }
  int along = first.layout[dim][0].dim;
  for (unsigned d = 0; d < first.maps.size(); ++d)
    if (int(d) != along && first.maps[d] != second.maps[d])
      return refuse("combines different blocks of a value");
  Relation result = first;
  result.maps[along] = maps.make([&](unsigned rank) {
    SmallVector<Run> one(maps.get(first.maps[along], rank));
    SmallVector<Run> other(maps.get(second.maps[along], rank));
    Map merged;
    forEachChoice(ofRank(isFirst, rank), [&](int64_t begin, int64_t end, bool chosen) {
      appendSlice(merged, chosen ? one : other, begin, end - begin);
    });
    return merged;
  });
  return result;
}

std::optional<Relation> Relations::concat(ArrayRef<Relation> given, unsigned dim) {
  auto refuse = [&](const Twine &text) {
    why = text.str();
    return std::nullopt;
  };
  if (llvm::all_of(given, [&](const Relation &part) {
        return part.maps.empty() && part.absent.empty() && part.term == given[0].term &&
               part.partial == given[0].partial && part.isUndefined == given[0].isUndefined;
      })) {
    Relation result = given[0];
    int64_t size = 0;
    for (const Relation &part : given)
      size += part.localSize(dim);
    result.layout[dim] = {Atom{-1, 1, size}};
    return result;
  }
  // Numbers are what padding holds, whatever value it pads.
  SmallVector<Relation> parts;
  for (const Relation &part : given) {
    if (part.isUndefined)
      return refuse("joins a tensor without content");
    if (part.isRounded)
      return refuse("joins sums over ranks of rounded parts");
    if (getSplat(part))
      continue;
    parts.push_back(part);
    placeAbsent(parts.back(), dim);
  }
  if (parts.empty())
    return std::nullopt; // Different numbers: a value like any that all ranks have.
  for (const Relation &part : parts)
    if (part.partial != parts[0].partial || (part.partial && part.kind != parts[0].kind) ||
        (part.partial && parts.size() != given.size()))
      return refuse("joins parts of sums and other values");
  bool isPlain = llvm::all_of(parts, [&](const Relation &part) {
    const auto &atoms = part.layout[dim];
    bool isOne = atoms.size() == 1 && atoms[0].dim >= 0 && atoms[0].stride == 1 &&
                 atoms[0].dim == parts[0].layout[dim][0].dim && part.term == parts[0].term &&
                 maps.size(part.maps[atoms[0].dim]) == atoms[0].size;
    for (unsigned d = 0; d < part.layout.size(); ++d)
      isOne &= d == dim || part.layout[d] == parts[0].layout[d];
    return isOne;
  });
  if (!isPlain && !unite(parts, dim))
    return std::nullopt;
  Relation result = parts[0];
  int along = result.layout[dim][0].dim;
  for (const Relation &part : parts)
    for (unsigned d = 0; d < part.maps.size(); ++d)
      if (int(d) != along && part.maps[d] != result.maps[d])
        return refuse("joins different blocks of a value");
  result.layout[dim][0].size = 0;
  for (const Relation &part : given)
    result.layout[dim][0].size += part.localSize(dim);
  result.maps[along] = maps.make([&](unsigned rank) {
    Map joined;
    const Relation *next = parts.begin();
    for (const Relation &part : given) {
      if (Attribute number = getSplat(part)) {
        append(joined, {part.localSize(dim), -1, 1, number});
        continue;
      }
      for (const Run &run : maps.get((next++)->maps[along], rank))
        append(joined, run);
    }
    return joined;
  });
  return result;
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

bool Relations::hasPadding(const Relation &relation) {
  return llvm::any_of(relation.maps, [&](RankMapId map) { return maps.hasPadding(map); });
}

/// Padding in two dimensions would leave open what is where both are padding: a value
/// of the source has it in one, and is a view of its own before it gets more.
bool Relations::condense(Relation &relation, unsigned dim) {
  bool isElsewhere = false;
  for (auto [d, atoms] : llvm::enumerate(relation.layout))
    for (const Atom &atom : atoms)
      isElsewhere |= d != dim && atom.dim >= 0 && maps.hasPadding(relation.maps[atom.dim]);
  if (!isElsewhere)
    return true;
  if (Relation whole = relation; materialize(whole)) {
    relation = whole;
    return true;
  }
  if (isSource)
    return false;
  if (Relation committed = relation; commit(committed))
    for (TermId view : SmallVector<TermId>(viewsOf(committed.term)))
      if (Relation lifted = committed; lift(lifted, view)) {
        relation = lifted;
        break;
      }
  return true;
}

bool Relations::isRange(const Relation &relation) const {
  return llvm::all_of(relation.maps, [&](RankMapId id) {
    for (unsigned rank = 0; rank < (maps.isUniform(id) ? 1 : ranks.count()); ++rank) {
      ArrayRef<Run> map = maps.get(id, rank);
      if (map.size() > 1 || (map.size() == 1 && (map[0].isPadding() || map[0].step != 1)))
        return false;
    }
    return true;
  });
}

bool Relations::materialize(Relation &relation) {
  std::optional<TermId> term = asTerm(relation);
  if (!term)
    return false;
  relation = whole(*term);
  return true;
}

void Relations::openCorners(Relation &relation, unsigned dim, RankMapId old) {
  for (unsigned d = 0; d < relation.maps.size(); ++d) {
    RankMapId other = relation.maps[d];
    if (d == dim || !maps.hasPadding(other))
      continue;
    relation.maps[d] = maps.make([&](unsigned rank) {
      llvm::SmallSetVector<Attribute, 2> fills;
      forEachRun(SmallVector<Run>(maps.get(old, rank)), maps.get(relation.maps[dim], rank),
                 [&](const Run &before, const Run &after) {
                   if (before.isPadding() && !after.isPadding())
                     fills.insert(before.fill);
                 });
      Map changed;
      for (Run run : SmallVector<Run>(maps.get(other, rank))) {
        if (llvm::any_of(fills, [&](Attribute fill) { return fill != run.fill; }))
          run.fill = {};
        append(changed, run);
      }
      return changed;
    });
  }
}

bool Relations::absorb(Relation &relation) {
  Relation padded = whole(relation.term);
  bool isAbsorbed = false;
  for (unsigned d = 0; d < relation.maps.size(); ++d) {
    if (!maps.isUniform(relation.maps[d]) || !maps.hasPadding(relation.maps[d]) ||
        atomsOf(relation, d).size() != 1)
      continue;
    isAbsorbed = true;
    padded.maps[d] = relation.maps[d];
    padded.layout[d][0].size = maps.size(relation.maps[d]);
    relation.maps[d] = maps.uniform(makeRange(0, maps.size(relation.maps[d])));
    openCorners(relation, d, padded.maps[d]);
  }
  std::optional<TermId> view = isAbsorbed ? asTerm(padded) : std::nullopt;
  if (!view)
    return false;
  relation.term = *view;
  return true;
}

ArrayRef<TermId> Relations::viewsOf(TermId term) const {
  auto it = views.find(term);
  return it == views.end() ? ArrayRef<TermId>() : ArrayRef<TermId>(it->second);
}

void Relations::recordView(TermId view, TermId base, ArrayRef<RankMapId> viewMaps) {
  if (!viewed.try_emplace(view, View{base, SmallVector<RankMapId, 4>(viewMaps)}).second)
    return;
  views[base].push_back(view);
  const Key &key = terms.getKey(base);
  if (key[0] == kUnionTerm)
    for (TermId component : ArrayRef<uint64_t>(key).drop_front(2))
      views[component].push_back(view);
}

/// Puts padding that holds a number at the place in a view beside its neighbour's, if the
/// view has that number there.
static void settlePadding(MutableArrayRef<int64_t> places, ArrayRef<Attribute> fills,
                          ArrayRef<Attribute> numbers) {
  auto settle = [&](int64_t position, int64_t place) {
    if (places[position] < 0 && fills[position] && place >= 0 && place < int64_t(numbers.size()) &&
        numbers[place] == fills[position])
      places[position] = place;
  };
  for (int64_t i = 1, size = places.size(); i < size; ++i)
    if (places[i - 1] >= 0)
      settle(i, places[i - 1] + 1);
  for (int64_t i = places.size() - 1; i > 0; --i)
    if (places[i] >= 0)
      settle(i - 1, places[i] - 1);
}

/// Where in a view a rank's positions are. An element may be in several places: the
/// one behind the place of the element before is taken.
static Map placeIn(ArrayRef<Run> map, ArrayRef<Run> view, int64_t extent, int64_t guess) {
  SmallVector<SmallVector<int64_t, 1>> placesOf(extent);
  SmallVector<Attribute> numbers; ///< of the view's padding
  for (const Run &run : view)
    for (int64_t i = 0; i < run.size; ++i) {
      int64_t element = run.isPadding() ? -1 : run.at(i);
      if (element >= 0 && element < extent)
        placesOf[element].push_back(numbers.size());
      numbers.push_back(run.isPadding() ? run.fill : Attribute());
    }
  SmallVector<int64_t> places;
  SmallVector<Attribute> fills;
  for (const Run &run : map)
    for (int64_t i = 0; i < run.size; ++i) {
      fills.push_back(run.isPadding() ? run.fill : Attribute());
      places.push_back(-1);
      // Loops that nothing bounds run past the last element of uneven blocks.
      if (run.isPadding() || run.at(i) >= extent)
        continue;
      ArrayRef<int64_t> all = placesOf[run.at(i)];
      if (all.empty())
        continue;
      int64_t previous = places.size() > 1 ? places[places.size() - 2] : -1;
      places.back() =
          previous >= 0 && llvm::is_contained(all, previous + 1) ? previous + 1 : all[0];
    }
  settlePadding(places, fills, numbers);
  int64_t size = places.size();
  if (guess >= 0 && llvm::all_of(places, [](int64_t place) { return place < 0; }))
    for (int64_t i = 0; i < size && guess + i < int64_t(numbers.size()); ++i)
      if (fills[i] && numbers[guess + i] == fills[i])
        places[i] = guess + i;
  Map placed;
  for (int64_t i = 0; i < size; ++i)
    append(placed, places[i] >= 0 ? Run{1, places[i], 1, {}} : Run{1, -1, 1, fills[i]});
  return placed;
}

void Relations::settle(Relation &relation, unsigned dim) {
  auto known = viewed.find(relation.term);
  if (isSource || known == viewed.end())
    return;
  SmallVector<Attribute> numbers;
  for (const Run &run : maps.get(known->second.maps[dim], 0))
    numbers.append(run.size, run.isPadding() ? run.fill : Attribute());
  RankMapId old = relation.maps[dim];
  relation.maps[dim] = maps.transform(old, [&](ArrayRef<Run> map) {
    SmallVector<int64_t> places;
    SmallVector<Attribute> fills;
    for (const Run &run : map)
      for (int64_t i = 0; i < run.size; ++i) {
        places.push_back(run.isPadding() ? -1 : run.at(i));
        fills.push_back(run.isPadding() ? run.fill : Attribute());
      }
    settlePadding(places, fills, numbers);
    Map settled;
    for (auto [place, fill] : llvm::zip_equal(places, fills))
      append(settled, place >= 0 ? Run{1, place, 1, {}} : Run{1, -1, 1, fill});
    return settled;
  });
  openCorners(relation, dim, old);
}

bool Relations::lift(Relation &relation, TermId view) {
  const View &known = viewed.find(view)->second;
  // Positions stay what they are: the layout does, too.
  if (relation.term != known.base && !commit(relation))
    return false;
  if (relation.term != known.base) {
    const Key &key = terms.getKey(known.base);
    if (key[0] != kUnionTerm)
      return false;
    Relation both[] = {relation, whole(known.base)};
    if (!unite(both, key[1]) || both[0].term != known.base)
      return false;
    relation = both[0];
  }
  for (unsigned d = 0; d < relation.maps.size(); ++d) {
    RankMapId old = relation.maps[d];
    int64_t extent = terms.getShape(known.base)[d];
    SmallVector<Run> there(maps.get(known.maps[d], 0));
    if (maps.at(known.maps[d], 0) == maps.intern(makeRange(0, extent)))
      continue;
    SmallVector<MapId> placed(ranks.count());
    llvm::DenseMap<MapId, MapId> done;
    auto hasElements = [&](MapId id) {
      return llvm::any_of(maps.get(id), [](const Run &run) { return !run.isPadding(); });
    };
    for (unsigned rank = 0; rank < ranks.count(); ++rank) {
      MapId id = maps.at(old, rank);
      auto [it, isNew] = done.try_emplace(id, 0);
      if (isNew) {
        SmallVector<Run> map(maps.get(id));
        MapId result = maps.intern(placeIn(map, there, extent, /*guess=*/-1));
        it->second = result;
      }
      placed[rank] = it->second;
    }
    // A rank that has numbers only is as far from another as blocks between them are long.
    for (unsigned rank = 0; rank < ranks.count(); ++rank) {
      if (hasElements(placed[rank]))
        continue;
      SmallVector<unsigned> group = ranks.group(rank, maps.varying(old));
      int64_t own = llvm::find(group, rank) - group.begin();
      for (auto [number, member] : llvm::enumerate(group)) {
        ArrayRef<Run> other = maps.get(placed[member]);
        if (other.empty() || other[0].isPadding())
          continue;
        int64_t guess = other[0].source + (own - int64_t(number)) * getSize(other);
        SmallVector<Run> map(maps.get(old, rank));
        placed[rank] = maps.intern(placeIn(map, there, extent, std::max<int64_t>(guess, 0)));
        break;
      }
    }
    relation.maps[d] = maps.internRanks(placed);
    openCorners(relation, d, old);
  }
  relation.term = view;
  return true;
}
