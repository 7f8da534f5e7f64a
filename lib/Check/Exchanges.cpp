//===- Exchanges.cpp - Relations between ranks -----------------------------===//
//
// What collectives make of relations: gathering, permuting, making partial, reducing.
//
//===----------------------------------------------------------------------===//

#include "Relations.h"

using namespace mlir;
using namespace mlir::tp;
using namespace mlir::tp::check;

bool Relations::gather(Relation &relation, unsigned dim, ArrayRef<unsigned> digits) {
  if (relation.partial & maskOf(digits))
    return fail("gathers values that are still to be reduced over those ranks");
  if (relation.isUndefined || (relation.maps.empty() && relation.absent.empty())) {
    for (unsigned digit : digits)
      relation.layout[dim].insert(relation.layout[dim].begin(),
                                  Atom{-1, 1, ranks.getDigits()[digit].size});
    normalize(relation);
    return true;
  }
  placeAbsent(relation, dim);
  for (unsigned digit : llvm::reverse(digits)) {
    int64_t count = ranks.getDigits()[digit].size;
    int along = -1;
    for (unsigned d = 0; d < relation.maps.size(); ++d)
      if (maps.varying(relation.maps[d]) >> digit & 1) {
        if (along >= 0)
          return fail("gathers blocks that differ in two dimensions");
        along = d;
      }
    if (along < 0) {
      for (const Atom &atom : relation.layout[dim])
        if (atom.dim >= 0 && along < 0)
          along = atom.dim;
      if (along < 0) {
        relation.layout[dim].insert(relation.layout[dim].begin(), Atom{-1, 1, count});
        continue;
      }
    }
    RankMapId old = relation.maps[along];
    int64_t span = maps.size(old);
    relation.maps[along] = maps.make([&](unsigned rank) {
      Map joined;
      for (int64_t c = 0; c < count; ++c)
        for (const Run &run : maps.get(old, ranks.withCoordinate(rank, digit, c)))
          append(joined, run);
      return joined;
    });
    // Atoms of one position stay major to what they were major to.
    for (Atom *atom : atomsOf(relation, along))
      if (atom->size == 1 && atom->stride >= span)
        atom->stride *= count;
    relation.layout[dim].insert(relation.layout[dim].begin(), Atom{along, span, count});
  }
  normalize(relation);
  return true;
}

bool Relations::permute(Relation &relation, ArrayRef<int32_t> sources, ArrayRef<unsigned> digits,
                        Attribute zero) {
  if (relation.partial & maskOf(digits))
    return fail("exchanges values that are still to be reduced over those ranks");
  if (relation.isUndefined)
    return true;
  SmallVector<int64_t> source(ranks.count(), -1);
  for (unsigned rank = 0; rank < ranks.count(); ++rank) {
    SmallVector<unsigned> group = ranks.group(rank, digits);
    size_t position = llvm::find(group, rank) - group.begin();
    if (sources[position] >= 0)
      source[rank] = group[sources[position]];
  }
  auto from = [&](unsigned rank) { return source[rank] < 0 ? rank : unsigned(source[rank]); };
  std::optional<unsigned> cut = cutDim(relation, maskOf(digits));
  for (RankMapId &map : relation.maps) {
    SmallVector<MapId> moved;
    for (unsigned rank = 0; rank < ranks.count(); ++rank)
      moved.push_back(maps.at(map, from(rank)));
    map = maps.internRanks(moved);
  }
  if (!relation.absent.empty()) {
    SmallVector<Attribute, 0> absent;
    for (unsigned rank = 0; rank < ranks.count(); ++rank)
      absent.push_back(source[rank] < 0 ? Attribute() : relation.absent[source[rank]]);
    relation.absent = std::move(absent);
  }
  for (unsigned rank = 0; rank < ranks.count(); ++rank)
    if (source[rank] < 0)
      clear(relation, rank, zero, cut);
  return true;
}

std::optional<unsigned> Relations::cutDim(const Relation &relation, DigitMask digits) {
  for (auto [d, map] : llvm::enumerate(relation.maps))
    if (maps.varying(map) & digits && maps.size(map) > 0)
      return d;
  return std::nullopt;
}

void Relations::clear(Relation &relation, unsigned rank, Attribute fill,
                      std::optional<unsigned> cut) {
  // As padding in a dimension that the ranks cut, if there is one.
  if (!cut) {
    relation.absent.resize(ranks.count());
    relation.absent[rank] = fill;
    return;
  }
  RankMapId &along = relation.maps[*cut];
  SmallVector<MapId> changed;
  for (unsigned r = 0; r < ranks.count(); ++r)
    changed.push_back(r == rank ? maps.intern(makePadding(maps.size(along), fill))
                                : maps.at(along, r));
  along = maps.internRanks(changed);
}

bool Relations::makePartial(Relation &relation, ReductionKind kind, DigitMask mask) {
  if (relation.partial == mask && relation.kind == kind && relation.absent.empty())
    return true;
  if (relation.partial)
    return fail("adds values that are to be reduced over different ranks");
  // Where a dimension has nothing but padding, all is padding, perhaps of others.
  auto isEmpty = [&](unsigned rank) {
    bool isPadding = false;
    for (RankMapId id : relation.maps) {
      ArrayRef<Run> map = maps.get(id, rank);
      isPadding |=
          !map.empty() && llvm::all_of(map, [](const Run &run) { return run.isPadding(); });
      for (const Run &run : map)
        if (run.isPadding() && !isNeutral(kind, run.fill))
          return false;
    }
    return isPadding;
  };
  if (relation.absent.empty() && llvm::none_of(llvm::seq(ranks.count()), isEmpty))
    return false; // Every rank has all of it, which is no fault by itself.
  SmallVector<unsigned> holder(ranks.count());
  for (unsigned rank = 0; rank < ranks.count(); ++rank) {
    unsigned present = 0;
    for (unsigned member : ranks.group(rank, mask)) {
      if (relation.isAbsent(member) && !isNeutral(kind, relation.absent[member]))
        return fail("ranks that have no part of a value hold something that " +
                    stringifyReductionKind(kind) + " does not ignore");
      if (relation.isAbsent(member) || isEmpty(member))
        continue;
      ++present;
      holder[rank] = member;
    }
    if (present > 1)
      return fail(Twine(present) + " ranks of a group have the value that one is to have");
    if (present == 0)
      return fail("no rank of a group has the value");
  }
  for (RankMapId &map : relation.maps) {
    SmallVector<MapId> moved;
    for (unsigned rank = 0; rank < ranks.count(); ++rank)
      moved.push_back(maps.at(map, holder[rank]));
    map = maps.internRanks(moved);
  }
  relation.absent.clear();
  relation.partial = mask;
  relation.kind = kind;
  return true;
}

/// In the order in which they are tried where several ignore a number.
constexpr ReductionKind kKinds[] = {
    ReductionKind::Sum,    ReductionKind::Or,   ReductionKind::Mul,  ReductionKind::Max,
    ReductionKind::Min,    ReductionKind::MaxU, ReductionKind::MinU, ReductionKind::MaxNum,
    ReductionKind::MinNum, ReductionKind::And};

bool Relations::makePartial(Relation &relation) {
  if (relation.partial)
    return false;
  Attribute otherwise;
  DigitMask mask = 0;
  for (unsigned rank = 0; rank < ranks.count(); ++rank) {
    if (!relation.isAbsent(rank))
      continue;
    if (otherwise && otherwise != relation.absent[rank])
      return false;
    otherwise = relation.absent[rank];
    for (unsigned digit = 0; digit < ranks.getDigits().size(); ++digit)
      for (int64_t c = 0; c < ranks.getDigits()[digit].size; ++c)
        if (!relation.isAbsent(ranks.withCoordinate(rank, digit, c)))
          mask |= DigitMask(1) << digit;
  }
  for (ReductionKind kind : kKinds)
    if (isNeutral(kind, otherwise) && makePartial(relation, kind, mask)) {
      relation.otherwise = otherwise;
      return true;
    }
  return false;
}

/// What `kind` makes of equal padding on all ranks.
static Attribute reduceFill(ReductionKind kind, Attribute fill, Type element) {
  if (!fill || isIdempotent(kind))
    return fill;
  if (fill == getNeutral(kind, element) || fill == getNeutral(ReductionKind::Sum, element))
    return fill;
  return {};
}

bool Relations::joinParts(Relation &relation, ReductionKind kind, DigitMask mask) {
  std::string reason = why;
  auto refuse = [&] { return fail(reason); };
  std::optional<unsigned> along;
  for (auto [d, map] : llvm::enumerate(relation.maps))
    if (maps.varying(map) & mask) {
      if (along)
        return refuse();
      along = d;
    }
  if (!along || !relation.absent.empty())
    return refuse();
  bool isJoined = true;
  RankMapId joined = maps.make([&](unsigned rank) {
    SmallVector<unsigned> group = ranks.group(rank, mask);
    Map all(maps.get(relation.maps[*along], group.front()));
    for (unsigned member : llvm::drop_begin(group)) {
      Map together;
      forEachRun(all, maps.get(relation.maps[*along], member), [&](const Run &x, const Run &y) {
        bool hasX = !x.isPadding(), hasY = !y.isPadding();
        isJoined &= (hasX || isNeutral(kind, x.fill)) && (hasY || isNeutral(kind, y.fill)) &&
                    !(hasX && hasY);
        append(together, hasX ? x : y);
      });
      all = together;
    }
    return all;
  });
  if (!isJoined)
    return refuse();
  // Each rank has its own of what pads other dimensions, or what is padded with along this.
  for (RankMapId &map : relation.maps)
    map = maps.transform(map, [&](ArrayRef<Run> old) {
      Map changed;
      for (Run run : old) {
        if (!isNeutral(kind, run.fill))
          run.fill = {};
        append(changed, run);
      }
      return changed;
    });
  relation.maps[*along] = joined;
  return true;
}

bool Relations::takeParts(Relation &relation, ReductionKind kind, DigitMask mask) {
  if (relation.partial || !joinParts(relation, kind, mask))
    return false;
  relation.partial = mask;
  relation.kind = kind;
  return true;
}

bool Relations::takeParts(Relation &relation) {
  if (relation.isUndefined || !hasPadding(relation))
    return false;
  DigitMask mask = varying(relation);
  return llvm::any_of(kKinds, [&](ReductionKind kind) { return takeParts(relation, kind, mask); });
}

bool Relations::reduce(Relation &relation, ReductionKind kind, ArrayRef<unsigned> digits,
                       Type element) {
  DigitMask mask = maskOf(digits);
  if (relation.isUndefined)
    return true;
  bool isSplat = relation.maps.empty() && relation.absent.empty();
  if (!isSplat && !(relation.partial & mask)) {
    DigitMask outer = relation.partial;
    ReductionKind outerKind = relation.kind;
    Relation part = relation;
    part.partial = 0;
    if (makePartial(part, kind, mask) || joinParts(part, kind, mask)) {
      relation = part;
      relation.partial = outer;
      relation.kind = outerKind;
      return true;
    }
    if (!relation.absent.empty())
      return false;
  }
  if ((relation.partial & mask) != mask) {
    if (isIdempotent(kind) && !(relation.partial & mask) && !(varying(relation) & mask))
      return true;
    if (relation.partial & mask)
      return fail("reduces over ranks of which some have the same value");
    return fail("takes the " + stringifyReductionKind(kind) +
                " over ranks of a value that is no part of one");
  }
  if (isNeutral(kind, relation.otherwise))
    relation.kind = kind;
  if (relation.kind != kind)
    return fail("takes the " + stringifyReductionKind(kind) + " over ranks of parts of a " +
                stringifyReductionKind(relation.kind));
  if (varying(relation) & mask)
    return fail("reduces different blocks of a value");
  relation.partial &= ~mask;
  if (!relation.partial)
    relation.otherwise = {};
  for (Attribute &fill : relation.absent)
    if (fill && !(fill = reduceFill(kind, fill, element)))
      fill = UnitAttr::get(element.getContext());
  for (RankMapId &map : relation.maps)
    if (maps.hasPadding(map))
      map = maps.transform(map, [&](ArrayRef<Run> old) {
        Map changed;
        for (Run run : old) {
          if (run.isPadding())
            run.fill = reduceFill(kind, run.fill, element);
          append(changed, run);
        }
        return changed;
      });
  return true;
}
