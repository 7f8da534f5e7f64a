//===- VirtualBackend.cpp - The runtime's conformance suite on virtual ranks -===//
//
// All on one emulated device.
//
//===----------------------------------------------------------------------===//

#include "DeviceBackend.h"
#include "UseEmulated.h"
#include "cuda/VirtualFabric.h"

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
  const tprt_image_t image = {TPRT_IMAGE_BITCODE, 90, bitcode.data(), int64_t(bitcode.size())};
  tprt_module_t module = {};
  module.num_images = 1;
  module.images = &image;
  return runOnDevices(spec, body, repeats, [&](Program &program) {
    return std::make_unique<cuda::VirtualFabric>(program, module, kernelManifest());
  });
}

} // namespace

const std::vector<Backend> &tprt_test::allBackends() {
  static const std::vector<Backend> backends = {{"virtual", reduces, runOnOneGpu}};
  return backends;
}
