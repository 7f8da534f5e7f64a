//===- ShardingTable.h - The different shardings of a program --*- C++ -*-===//
//
// A program has many values and few shardings. Each is kept once here, together
// with its attribute, so that passes neither copy shardings nor make attributes of
// them, or read attributes, value by value.
//
//===----------------------------------------------------------------------===//

#ifndef TP_ANALYSIS_SHARDINGTABLE_H
#define TP_ANALYSIS_SHARDINGTABLE_H

#include "dialects/TP/TP.h"
#include <unordered_map>

namespace mlir {
namespace tp {

/// References stay valid as long as the table does. One per pass and thread.
class ShardingTable {
public:
  ShardingTable(MLIRContext *context, const Mesh &mesh) : context(context), mesh(mesh) {}

  /// The one that is equal.
  const Sharding &keep(const Sharding &sharding);
  /// As tp::getShardingAttr.
  ShardingAttr getAttr(const Sharding &sharding);
  /// As tp::getSharding.
  const Sharding &get(ShardingAttr attr, unsigned rank);
  /// As getValueSharding.
  const Sharding &getOf(Value value);

private:
  struct Hash {
    size_t operator()(const Sharding &sharding) const;
  };

  MLIRContext *context;
  const Mesh &mesh;
  std::unordered_map<Sharding, ShardingAttr, Hash> attrs; ///< null: not asked for
  llvm::DenseMap<std::pair<Attribute, unsigned>, const Sharding *> read;
};

} // namespace tp
} // namespace mlir

#endif // TP_ANALYSIS_SHARDINGTABLE_H
