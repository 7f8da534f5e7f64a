//===- VirtualBackend.cpp - The runtime's conformance suite on virtual ranks -===//
//
// All on one emulated device.
//
//===----------------------------------------------------------------------===//

#include "UseEmulated.h"
#include "cuda/VirtualFabric.h"
#include "test/Runtime/Backend.h"
#include "threads/RankTeam.h"

#include <fstream>
#include <sstream>

using namespace tprt;
using namespace tprt_test;

namespace {

bool reduces(int32_t kind, int32_t dtype) {
#define RANK_REDUCTION(name, kindNumber, type, dtypeNumber)                                        \
  if (kind == kindNumber && dtype == dtypeNumber)                                                  \
    return true;
#include "RankKernels.def"
  return false;
}

const Manifest &kernelManifest() {
  static const Manifest manifest = [] {
    Manifest result;
    for (const char *ranks : {"2", "3", "4", "6", "8"}) {
#define RANK_REDUCTION(name, kindNumber, type, dtypeNumber)                                        \
  result.kernels.push_back("tp_reduce_" #name "_" #type "_" + std::string(ranks));
#include "RankKernels.def"
    }
    return result;
  }();
  return manifest;
}

Failure runOnOneGpu(const RunSpec &spec, const Body &body, int repeats) {
  static const std::string bitcode = [] {
    std::ostringstream text;
    text << std::ifstream(TP_BINARY_DIR "/RankKernels.bc", std::ios::binary).rdbuf();
    return text.str();
  }();
  std::vector<MeshAxis> mesh;
  for (size_t axis = 0; axis < spec.mesh.size(); ++axis)
    mesh.push_back({std::string(1, char('a' + axis)), spec.mesh[axis]});
  Program program(mesh, spec.groups, spec.operations, spec.options);
  const tprt_image_t image = {TPRT_IMAGE_BITCODE, 90, bitcode.data(), int64_t(bitcode.size())};
  tprt_module_t module = {};
  module.num_images = 1;
  module.images = &image;
  RankTeam team(program, std::make_unique<cuda::VirtualFabric>(program, module, kernelManifest()));
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
  static const std::vector<Backend> backends = {{"virtual", reduces, runOnOneGpu}};
  return backends;
}
