//===- ShardingTable.cpp ---------------------------------------------------===//

#include "tp/Analysis/ShardingTable.h"

#include "tp/Analysis/Strategy.h"
#include "llvm/ADT/Hashing.h"

using namespace mlir;
using namespace mlir::tp;

size_t ShardingTable::Hash::operator()(const Sharding &sharding) const {
  llvm::hash_code hash = sharding.rank();
  auto add = [&](size_t place, const AxisPart &part) {
    hash = llvm::hash_combine(hash, place, part.axis, part.pre, part.size);
  };
  for (auto [d, dim] : llvm::enumerate(sharding.dims))
    for (const Cut &cut : dim.cuts)
      add(d, cut.part);
  for (const PartialAxis &partial : sharding.partial)
    add(sharding.rank(), partial.part);
  return hash;
}

const Sharding &ShardingTable::keep(const Sharding &sharding) {
  return attrs.try_emplace(sharding).first->first;
}

ShardingAttr ShardingTable::getAttr(const Sharding &sharding) {
  ShardingAttr &attr = attrs[sharding];
  if (!attr)
    attr = getShardingAttr(context, sharding, mesh);
  return attr;
}

const Sharding &ShardingTable::get(ShardingAttr attr, unsigned rank) {
  const Sharding *&known = read[{attr, rank}];
  if (!known)
    known = &keep(getSharding(attr, mesh, rank));
  return *known;
}

const Sharding &ShardingTable::getOf(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  ShardingAttr attr = type ? getValueShardingAttr(value) : ShardingAttr();
  // `[]` is whole, of any rank.
  return get(attr ? attr : ShardingAttr::get(context, {}, {}), type ? type.getRank() : 0);
}
