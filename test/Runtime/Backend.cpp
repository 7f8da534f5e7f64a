//===- Backend.cpp - backends under the conformance suite -----------------===//

#include "Backend.h"

#include "threads/RankTeam.h"

using namespace tprt;
using namespace tprt_test;

namespace {
Failure runOnThreads(const RunSpec &spec, const Body &body, int repeats) {
  std::vector<MeshAxis> mesh;
  for (size_t axis = 0; axis < spec.mesh.size(); ++axis)
    mesh.push_back({std::string(1, char('a' + axis)), spec.mesh[axis]});
  Program program(mesh, spec.groups, spec.operations, spec.options);
  RankTeam team(program);
  for (int i = 0; i < repeats && !program.aborted(); ++i)
    team.run(body);
  return program.firstFailure();
}
} // namespace

const std::vector<Backend> &tprt_test::allBackends() {
  static const std::vector<Backend> backends = {
      {"threads", [](int32_t, int32_t) { return true; }, runOnThreads}};
  return backends;
}
