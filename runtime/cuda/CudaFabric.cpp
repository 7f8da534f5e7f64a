//===- CudaFabric.cpp - ranks that are threads with a GPU each -------------===//

#include "CudaFabric.h"

#include "../core/CountText.h"
#include "NcclCommunicator.h"
#include "Processors.h"
#include "tprt/error.h"

using namespace tprt;
using namespace tprt::cuda;

CudaFabric::CudaFabric(Program &program, const tprt_module_t &module, const Manifest &manifest)
    : program(program), threads(program) {
  const Driver &driver = Driver::get();
  if (!driver.available())
    throw runFailure(driver.problem(), {}, TPRT_UNAVAILABLE);
  int count = 0;
  driver.check(driver.deviceGetCount(&count), "cuDeviceGetCount");
  const int ranks = program.numRanks();
  if (count < ranks)
    throw badInput("the program has " + countText(ranks, "rank") + ", each with a GPU of its " +
                       "own, and there are " + std::to_string(count),
                   {"compile it for a smaller mesh (--mesh), or see whether CUDA_VISIBLE_DEVICES "
                    "hides GPUs"});
  if (ranks > 1 && !Nccl::get().available())
    throw runFailure(Nccl::get().problem(), {}, TPRT_UNAVAILABLE);
  for (int rank = 0; rank < ranks; ++rank)
    devices.push_back(std::make_unique<CudaDevice>(rank, module, manifest));
  CudaFabric::restart();
}

std::unique_ptr<Communicator> CudaFabric::join(int rank) {
  if (rank) // whose thread is the program's own
    runNearGpu(rank);
  if (!watch)
    return threads.join(rank);
  return std::make_unique<NcclCommunicator>(program, rank, id, *devices[size_t(rank)], *watch,
                                            threads.join(rank));
}

void CudaFabric::restart() {
  threads.restart();
  if (devices.size() == 1)
    return;
  std::vector<const CudaDevice *> all;
  for (const auto &device : devices)
    all.push_back(device.get());
  watch = std::make_unique<NcclWatch>(program, all);
  if (const NcclResult result = Nccl::get().getUniqueId(&id))
    throw Nccl::get().failureOf("ncclGetUniqueId", result);
}
