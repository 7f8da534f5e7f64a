//===- DeviceBackend.h - Bodies of the conformance suite on devices -*- C++ -*-===//

#ifndef TEST_EMULATOR_DEVICEBACKEND_H
#define TEST_EMULATOR_DEVICEBACKEND_H

#include "test/Runtime/Backend.h"
#include "threads/RankTeam.h"

namespace tprt_test {

/// Runs `body` on the ranks of `spec`, joined by what `makeFabric(program)` returns; what
/// each has enqueued is done when it returns. The first failure.
template <typename MakeFabric>
tprt::Failure runOnDevices(const RunSpec &spec, const Body &body, int repeats,
                           MakeFabric makeFabric) {
  std::vector<tprt::MeshAxis> mesh;
  for (size_t axis = 0; axis < spec.mesh.size(); ++axis)
    mesh.push_back({std::string(1, char('a' + axis)), spec.mesh[axis]});
  tprt::Program program(mesh, spec.groups, spec.operations, spec.options);
  tprt::RankTeam team(program, makeFabric(program));
  for (int i = 0; i < repeats && !program.aborted(); ++i)
    team.run([&](tprt_context &ctx) -> tprt_status_t {
      const tprt_status_t status = body(ctx);
      if (status == TPRT_OK)
        ctx.device->synchronize();
      return status;
    });
  return program.firstFailure();
}

} // namespace tprt_test

#endif // TEST_EMULATOR_DEVICEBACKEND_H
