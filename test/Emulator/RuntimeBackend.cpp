//===- RuntimeBackend.cpp - The runtime's conformance suite on GPUs ----------===//
//
// Of emulated devices and emulated NCCL.
//
//===----------------------------------------------------------------------===//

#include "DeviceBackend.h"
#include "UseEmulated.h"
#include "cuda/CudaFabric.h"
#include "cuda/NcclCommunicator.h"

using namespace tprt;
using namespace tprt_test;

namespace {

Failure runOnGpus(const RunSpec &spec, const Body &body, int repeats) {
  const tprt_module_t noModule = {};
  return runOnDevices(spec, body, repeats, [&](Program &program) {
    return std::make_unique<cuda::CudaFabric>(program, noModule, Manifest());
  });
}

} // namespace

const std::vector<Backend> &tprt_test::allBackends() {
  static const std::vector<Backend> backends = {
      {"gpus", cuda::NcclCommunicator::reduces, runOnGpus}};
  return backends;
}
