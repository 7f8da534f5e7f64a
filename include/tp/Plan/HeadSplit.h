//===- HeadSplit.h - How ranks share attention heads -----------*- C++ -*-===//

#ifndef TP_PLAN_HEADSPLIT_H
#define TP_PLAN_HEADSPLIT_H

#include <cstdint>

namespace mlir {
namespace tp {

/// The axis of n devices as a major part that cuts the kv heads and a minor part
/// that cuts the query heads of each: kvHeads * group = n.
struct HeadSplit {
  int64_t kvHeads = 1, group = 1;
  bool operator==(const HeadSplit &o) const { return kvHeads == o.kvHeads && group == o.group; }
};

/// Query heads of the largest rank: ceil(kvHeads / split.kvHeads) *
/// ceil(group / split.group).
int64_t largestQueryHeads(int64_t kvHeads, int64_t group, const HeadSplit &split);

/// How `devices` share `kvHeads` with `group` query heads each (all at least 1).
/// Enough kv heads: kv heads alone, so that nothing is held twice. Fewer kv heads
/// than devices: the split whose largest rank has the fewest query heads; on ties
/// kv heads alone, then the one with the most parts of the kv heads, which holds
/// the fewest copies of keys and values.
HeadSplit chooseHeadSplit(int64_t kvHeads, int64_t group, int64_t devices);

} // namespace tp
} // namespace mlir

#endif // TP_PLAN_HEADSPLIT_H
