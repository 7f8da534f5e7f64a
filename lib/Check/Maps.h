//===- Maps.h - Which elements of a dimension a rank holds -----*- C++ -*-===//
//
// A map says for each position of one dimension which index of a term's dimension
// is there, or that it is padding and, where known, what the padding holds. Maps
// are runs; equal maps have equal numbers.
//
//===----------------------------------------------------------------------===//

#ifndef LIB_CHECK_MAPS_H
#define LIB_CHECK_MAPS_H

#include "Ranks.h"
#include <unordered_map>
#include <vector>

namespace mlir {
namespace tp {
namespace check {

using Key = std::vector<uint64_t>;

struct KeyHash {
  size_t operator()(const Key &key) const {
    return llvm::hash_combine_range(key.begin(), key.end());
  }
};

inline uint64_t keyOf(Attribute attr) {
  return reinterpret_cast<uintptr_t>(attr.getAsOpaquePointer());
}
inline uint64_t keyOf(Type type) { return reinterpret_cast<uintptr_t>(type.getAsOpaquePointer()); }
inline uint64_t keyOf(OperationName name) {
  return reinterpret_cast<uintptr_t>(name.getAsOpaquePointer());
}

/// Positions that lie together.
struct Run {
  int64_t size = 0;
  /// Index of the first element; -1: padding.
  int64_t source = -1;
  int64_t step = 1;
  /// What padding holds; null: not known.
  Attribute fill;

  bool isPadding() const { return source < 0; }
  int64_t at(int64_t position) const { return source + position * step; }
};

using Map = SmallVector<Run, 2>;

int64_t getSize(ArrayRef<Run> map);
/// Adds a run of padding or of elements, joined to the last where it goes on.
void append(Map &map, const Run &run);
/// Positions [begin, begin + size * step) in steps of `step`, appended to `to`.
void appendSlice(Map &to, ArrayRef<Run> from, int64_t begin, int64_t size, int64_t step = 1);
/// 0, 1, ..., size - 1 from `source` on.
Map makeRange(int64_t source, int64_t size);
Map makePadding(int64_t size, Attribute fill);
bool hasPadding(ArrayRef<Run> map);
/// For each element of `map` what is there in `places`.
Map compose(ArrayRef<Run> map, ArrayRef<Run> places);
/// Cuts two maps of one size into runs of equal bounds and visits them.
void forEachRun(ArrayRef<Run> a, ArrayRef<Run> b,
                llvm::function_ref<void(const Run &, const Run &)> visit);
/// For messages: the indices of each run.
std::string toString(ArrayRef<Run> map);

using MapId = uint32_t;
using RankMapId = uint32_t;

/// Interned maps, one for all ranks or one per rank.
class Maps {
public:
  explicit Maps(const Ranks &ranks) : ranks(ranks) {}

  MapId intern(const Map &map);
  ArrayRef<Run> get(MapId id) const { return *maps[id]; }

  RankMapId internRanks(ArrayRef<MapId> perRank);
  RankMapId uniform(const Map &map) { return internRanks(intern(map)); }
  /// Made rank by rank.
  RankMapId make(llvm::function_ref<Map(unsigned rank)> map);
  MapId at(RankMapId id, unsigned rank) const {
    const std::vector<MapId> &list = *rankMaps[id];
    return list.size() == 1 ? list[0] : list[rank];
  }
  ArrayRef<Run> get(RankMapId id, unsigned rank) const { return get(at(id, rank)); }
  bool isUniform(RankMapId id) const { return rankMaps[id]->size() == 1; }
  /// The digits on which it depends which map a rank has.
  DigitMask varying(RankMapId id);
  /// Number of positions, equal on all ranks.
  int64_t size(RankMapId id) const { return getSize(get(id, 0)); }
  bool hasPadding(RankMapId id);
  /// Another map in place of each, where it does not depend on the rank.
  RankMapId transform(RankMapId id, llvm::function_ref<Map(ArrayRef<Run>)> change);

  /// The elements, without padding and in their order, that the ranks of the group of
  /// `rank` over `digits` have together; nothing where two of them have the same one.
  std::optional<Map> unite(RankMapId id, unsigned rank, DigitMask digits) const;

  /// The same elements, nothing known of the padding.
  RankMapId forgetFills(RankMapId id);

  const Ranks &getRanks() const { return ranks; }

private:
  const Ranks &ranks;
  std::unordered_map<Key, MapId, KeyHash> mapIds;
  std::vector<std::unique_ptr<Map>> maps;
  std::unordered_map<Key, RankMapId, KeyHash> rankMapIds;
  std::vector<std::unique_ptr<std::vector<MapId>>> rankMaps;
  std::vector<std::optional<DigitMask>> varyingDigits;
};

} // namespace check
} // namespace tp
} // namespace mlir

#endif // LIB_CHECK_MAPS_H
