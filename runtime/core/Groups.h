//===- Groups.h - who talks to whom -----------------------------*- C++ -*-===//
//
// A row of the manifest's groups table names parts of mesh axes; it cuts the
// ranks into instances, each the set of ranks that differ in those parts only.
//
//===----------------------------------------------------------------------===//

#ifndef TPRT_CORE_GROUPS_H
#define TPRT_CORE_GROUPS_H

#include "tprt/manifest.h"

#include <cstdint>
#include <vector>

namespace tprt {

/// Coordinates of `rank` on a row-major mesh.
std::vector<int64_t> meshCoordinates(const std::vector<MeshAxis> &mesh, int rank);

/// Coordinate of a rank with mesh coordinate `coordinate` in `part`.
int64_t partCoordinate(const AxisPart &part, int64_t axisSize, int64_t coordinate);

/// The ranks of one instance in group order.
struct GroupInstance {
  std::vector<int> ranks;
};

struct GroupMembership {
  int instance = 0; ///< index in GroupPartition::instances
  int index = 0;    ///< this rank's place in the instance
};

struct GroupPartition {
  std::vector<GroupInstance> instances;
  std::vector<GroupMembership> membership; ///< per rank
};

/// Ranks that differ only in `parts`, ordered row-major in the given order.
/// Throws `Error` when two parts overlap.
GroupPartition partitionRanks(const std::vector<MeshAxis> &mesh,
                              const std::vector<AxisPart> &parts);

} // namespace tprt

#endif // TPRT_CORE_GROUPS_H
