//===- Groups.cpp - who talks to whom -------------------------------------===//

#include "Groups.h"

#include "tprt/error.h"

#include <map>

using namespace tprt;

std::vector<int64_t> tprt::meshCoordinates(const std::vector<MeshAxis> &mesh, int rank) {
  std::vector<int64_t> coordinates(mesh.size());
  int64_t rest = rank;
  for (size_t axis = mesh.size(); axis-- > 0;) {
    coordinates[axis] = rest % mesh[axis].size;
    rest /= mesh[axis].size;
  }
  return coordinates;
}

int64_t tprt::partCoordinate(const AxisPart &part, int64_t axisSize, int64_t coordinate) {
  return coordinate / (axisSize / (part.pre * part.size)) % part.size;
}

GroupPartition tprt::partitionRanks(const std::vector<MeshAxis> &mesh,
                                    const std::vector<AxisPart> &parts) {
  int64_t numRanks = 1;
  std::vector<int64_t> strides(mesh.size());
  for (size_t axis = mesh.size(); axis-- > 0;) {
    strides[axis] = numRanks;
    numRanks *= mesh[axis].size;
  }
  int64_t groupSize = 1;
  for (const AxisPart &part : parts)
    groupSize *= part.size;

  GroupPartition partition;
  partition.membership.resize(size_t(numRanks));
  std::map<int64_t, int> instanceOf; // rank with all parts at zero -> instance
  for (int rank = 0; rank < numRanks; ++rank) {
    std::vector<int64_t> coordinates = meshCoordinates(mesh, rank);
    int64_t base = rank, index = 0;
    for (const AxisPart &part : parts) {
      int64_t axisSize = mesh[part.axis].size;
      int64_t coordinate = partCoordinate(part, axisSize, coordinates[part.axis]);
      base -= coordinate * (axisSize / (part.pre * part.size)) * strides[part.axis];
      index = index * part.size + coordinate;
    }
    auto [it, inserted] = instanceOf.emplace(base, int(partition.instances.size()));
    if (inserted)
      partition.instances.push_back({std::vector<int>(size_t(groupSize), -1)});
    int &slot = partition.instances[it->second].ranks[index];
    if (slot != -1)
      throw badInput("manifest: a group lists overlapping parts of an axis");
    slot = rank;
    partition.membership[rank] = {it->second, int(index)};
  }
  for (const GroupInstance &instance : partition.instances)
    for (int rank : instance.ranks)
      if (rank == -1)
        throw badInput("manifest: a group lists overlapping parts of an axis");
  return partition;
}
