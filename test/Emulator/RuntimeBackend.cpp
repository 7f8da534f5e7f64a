//===- RuntimeBackend.cpp - The runtime's conformance suite on GPUs ----------===//
//
// Of emulated devices and emulated NCCL.
//
//===----------------------------------------------------------------------===//

#include "UseEmulated.h"
#include "cuda/CudaFabric.h"
#include "cuda/NcclCommunicator.h"
#include "test/Runtime/Backend.h"
#include "threads/RankTeam.h"

using namespace tprt;
using namespace tprt_test;

namespace {

Failure runOnGpus(const RunSpec &spec, const Body &body, int repeats) {
  std::vector<MeshAxis> mesh;
  for (size_t axis = 0; axis < spec.mesh.size(); ++axis)
    mesh.push_back({std::string(1, char('a' + axis)), spec.mesh[axis]});
  Program program(mesh, spec.groups, spec.operations, spec.options);
  const tprt_module_t noModule = {};
  RankTeam team(program, std::make_unique<cuda::CudaFabric>(program, noModule, Manifest()));
  for (int i = 0; i < repeats && !program.aborted(); ++i)
    team.run([&](tprt_context &ctx) -> tprt_status_t {
      const tprt_status_t status = body(ctx);
      if (status == TPRT_OK)
        ctx.device->synchronize();
      return status;
    });
  return program.firstFailure();
}

} // namespace

const std::vector<Backend> &tprt_test::allBackends() {
  static const std::vector<Backend> backends = {
      {"gpus", cuda::NcclCommunicator::reduces, runOnGpus}};
  return backends;
}
