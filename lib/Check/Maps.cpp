//===- Maps.cpp ------------------------------------------------------------===//

#include "Maps.h"

using namespace mlir;
using namespace mlir::tp;
using namespace mlir::tp::check;

int64_t check::getSize(ArrayRef<Run> map) {
  int64_t size = 0;
  for (const Run &run : map)
    size += run.size;
  return size;
}

void check::append(Map &map, const Run &run) {
  if (run.size == 0)
    return;
  if (map.empty() || map.back().isPadding() != run.isPadding()) {
    map.push_back(run);
    if (run.size == 1 || run.isPadding())
      map.back().step = 1;
    return;
  }
  Run &last = map.back();
  if (run.isPadding()) {
    if (last.fill == run.fill)
      last.size += run.size;
    else
      map.push_back(run);
    return;
  }
  int64_t step = last.size > 1 ? last.step : run.size > 1 ? run.step : run.source - last.source;
  bool fits = run.size == 1 || run.step == step;
  if (fits && (last.size > 1 || std::abs(step) <= 1) &&
      last.at(last.size - 1) + step == run.source) {
    last.step = step;
    last.size += run.size;
    return;
  }
  map.push_back(run);
  if (run.size == 1)
    map.back().step = 1;
}

void check::appendSlice(Map &to, ArrayRef<Run> from, int64_t begin, int64_t size, int64_t step) {
  if (step < 1) {
    for (int64_t i = 0; i < size; ++i)
      appendSlice(to, from, begin + i * step, 1);
    return;
  }
  int64_t end = begin + size * step, start = 0;
  for (const Run &run : from) {
    int64_t first = begin;
    if (first < start)
      first += llvm::divideCeil(start - first, step) * step;
    int64_t stop = std::min(end, start + run.size);
    if (first < stop) {
      Run piece = run;
      piece.size = llvm::divideCeil(stop - first, step);
      if (!run.isPadding()) {
        piece.source = run.at(first - start);
        piece.step = run.step * step;
      }
      append(to, piece);
    }
    start += run.size;
  }
}

Map check::makeRange(int64_t source, int64_t size) {
  Map map;
  append(map, {size, source, 1, {}});
  return map;
}

Map check::makePadding(int64_t size, Attribute fill) {
  Map map;
  append(map, {size, -1, 1, fill});
  return map;
}

bool check::hasPadding(ArrayRef<Run> map) {
  return llvm::any_of(map, [](const Run &run) { return run.isPadding(); });
}

Map check::compose(ArrayRef<Run> map, ArrayRef<Run> places) {
  Map result;
  for (const Run &run : map) {
    if (run.isPadding())
      append(result, run);
    else
      appendSlice(result, places, run.source, run.size, run.step);
  }
  return result;
}

void check::forEachRun(ArrayRef<Run> a, ArrayRef<Run> b,
                       llvm::function_ref<void(const Run &, const Run &)> visit) {
  size_t i = 0, j = 0;
  int64_t ia = 0, jb = 0;
  while (i < a.size() && j < b.size()) {
    int64_t size = std::min(a[i].size - ia, b[j].size - jb);
    auto piece = [&](const Run &run, int64_t from) {
      Run part = run;
      part.size = size;
      if (!run.isPadding())
        part.source = run.at(from);
      return part;
    };
    if (size > 0)
      visit(piece(a[i], ia), piece(b[j], jb));
    ia += size;
    jb += size;
    if (ia == a[i].size)
      ++i, ia = 0;
    if (jb == b[j].size)
      ++j, jb = 0;
  }
}

std::string check::toString(ArrayRef<Run> map) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleaveComma(map, os, [&](const Run &run) {
    if (run.isPadding())
      os << run.size << " of padding";
    else
      os << "[" << run.source << ", " << run.at(run.size - 1) << "]";
  });
  return map.empty() ? "nothing" : text;
}

MapId Maps::intern(const Map &map) {
  Key key;
  for (const Run &run : map)
    key.insert(key.end(), {uint64_t(run.size), uint64_t(run.source), uint64_t(run.step),
                           run.isPadding() ? keyOf(run.fill) : 0});
  auto [it, isNew] = mapIds.try_emplace(std::move(key), maps.size());
  if (isNew)
    maps.push_back(std::make_unique<Map>(map));
  return it->second;
}

RankMapId Maps::internRanks(ArrayRef<MapId> perRank) {
  if (llvm::all_equal(perRank))
    perRank = perRank.take_front(1);
  auto [it, isNew] = rankMapIds.try_emplace(Key(perRank.begin(), perRank.end()), rankMaps.size());
  if (isNew) {
    rankMaps.push_back(std::make_unique<std::vector<MapId>>(perRank.begin(), perRank.end()));
    varyingDigits.emplace_back();
  }
  return it->second;
}

RankMapId Maps::make(llvm::function_ref<Map(unsigned rank)> map) {
  SmallVector<MapId> perRank;
  for (unsigned rank = 0; rank < ranks.count(); ++rank)
    perRank.push_back(intern(map(rank)));
  return internRanks(perRank);
}

DigitMask Maps::varying(RankMapId id) {
  if (isUniform(id))
    return 0;
  if (varyingDigits[id])
    return *varyingDigits[id];
  DigitMask mask = 0;
  for (unsigned digit = 0; digit < ranks.getDigits().size(); ++digit)
    for (unsigned rank = 0; rank < ranks.count(); ++rank)
      if (at(id, rank) != at(id, ranks.withCoordinate(rank, digit, 0))) {
        mask |= DigitMask(1) << digit;
        break;
      }
  varyingDigits[id] = mask;
  return mask;
}

bool Maps::hasPadding(RankMapId id) {
  return llvm::any_of(*rankMaps[id], [&](MapId map) { return check::hasPadding(get(map)); });
}

RankMapId Maps::transform(RankMapId id, llvm::function_ref<Map(ArrayRef<Run>)> change) {
  SmallVector<MapId> result;
  llvm::DenseMap<MapId, MapId> known;
  for (MapId map : std::vector<MapId>(*rankMaps[id])) {
    auto it = known.find(map);
    if (it == known.end())
      it = known.try_emplace(map, intern(change(SmallVector<Run>(get(map))))).first;
    result.push_back(it->second);
  }
  return internRanks(result);
}

std::optional<Map> Maps::unite(RankMapId id, unsigned rank, DigitMask digits) const {
  SmallVector<Run> runs;
  for (unsigned member : ranks.group(rank, digits))
    for (Run run : get(id, member)) {
      if (run.isPadding())
        continue;
      if (digits && run.step < 0)
        run = {run.size, run.at(run.size - 1), -run.step, {}};
      if (digits && run.step == 0 && run.size > 1)
        return std::nullopt;
      runs.push_back(run);
    }
  if (digits)
    llvm::sort(runs, [](const Run &a, const Run &b) { return a.source < b.source; });
  Map all;
  int64_t next = -1;
  for (const Run &run : runs) {
    if (digits && run.source < next)
      return std::nullopt;
    next = run.at(run.size - 1) + 1;
    append(all, run);
  }
  return all;
}

RankMapId Maps::forgetFills(RankMapId id) {
  if (!hasPadding(id))
    return id;
  return transform(id, [](ArrayRef<Run> old) {
    Map changed;
    for (Run run : old) {
      run.fill = {};
      append(changed, run);
    }
    return changed;
  });
}
