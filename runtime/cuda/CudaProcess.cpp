//===- CudaProcess.cpp - a rank that is a process with a GPU ---------------===//

#include "CudaProcess.h"

#include "../core/Blob.h"
#include "NcclCommunicator.h"
#include "Processors.h"
#include "tprt/error.h"

#include <map>

using namespace tprt;
using namespace tprt::cuda;

namespace {

/// The GPU of a rank among those that its process sees.
int chooseGpu(const World &world) {
  const Driver &driver = Driver::get();
  int count = 0;
  driver.check(driver.deviceGetCount(&count), "cuDeviceGetCount");
  const int local = world.localRank();
  if (local < count)
    return local;
  if (count == 1) // each process may be shown its own
    return 0;
  throw badInput(
      "rank " + std::to_string(world.rank()) + " is number " + std::to_string(local + 1) +
          " of its host's ranks, each with a GPU of its " + "own, and there are " +
          std::to_string(count),
      {"start fewer ranks on this host, or see whether CUDA_VISIBLE_DEVICES hides GPUs"});
}

} // namespace

CudaProcess::CudaProcess(World &world, Program &program, const tprt_module_t &module,
                         const Manifest &manifest)
    : program(program), rank(world.rank()) {
  const Driver &driver = Driver::get();
  if (!driver.available())
    throw runFailure(driver.problem(), {}, TPRT_UNAVAILABLE);
  if (world.size() > 1 && !Nccl::get().available())
    throw runFailure(Nccl::get().problem(), {}, TPRT_UNAVAILABLE);
  number = chooseGpu(world);
  compareGpus(world);
  runNearGpu(number);
  gpu = std::make_unique<CudaDevice>(number, module, manifest);
  if (world.size() == 1)
    return;
  if (rank == 0) {
    if (const NcclResult result = Nccl::get().getUniqueId(&id))
      throw Nccl::get().failureOf("ncclGetUniqueId", result);
    for (int peer = 1; peer < world.size(); ++peer)
      world.send(peer, std::string(id.bytes, sizeof id.bytes));
  } else {
    const std::string bytes = world.receive(0);
    std::memcpy(id.bytes, bytes.data(), std::min(bytes.size(), sizeof id.bytes));
  }
}

/// Rank 0 hears which GPU each has; all end where two have the same. NCCL would say it in
/// its own words, or hang.
void CudaProcess::compareGpus(World &world) const {
  const Driver &driver = Driver::get();
  Uuid uuid = {};
  char name[256] = "";
  driver.check(driver.deviceGetUuid(&uuid, number), "cuDeviceGetUuid");
  driver.check(driver.deviceGetName(name, sizeof name, number), "cuDeviceGetName");
  if (rank) {
    BlobWriter blob;
    blob.putBytes(uuid.bytes, sizeof uuid.bytes);
    world.send(0, blob.bytes);
    return;
  }
  std::map<std::string, int> owners;
  owners[std::string(uuid.bytes, sizeof uuid.bytes)] = 0;
  for (int peer = 1; peer < world.size(); ++peer) {
    const std::string bytes = world.receive(peer);
    const auto [found, isNew] = owners.emplace(BlobReader(bytes).getText(), peer);
    if (!isNew)
      throw badInput("ranks " + std::to_string(found->second) + " and " + std::to_string(peer) +
                         " have the same GPU (" + name + "), each needs one of its own",
                     {"start as many ranks on a host as it has GPUs, with LOCAL_RANK counting them",
                      "--virtual-ranks runs several ranks on one GPU, in one process"});
  }
}

std::unique_ptr<Communicator> CudaProcess::join(std::unique_ptr<Communicator> host, Progress &mine,
                                                const std::function<ProgressReport(int)> &others) {
  if (program.numRanks() == 1)
    return host;
  std::vector<const CudaDevice *> devices(size_t(program.numRanks()));
  devices[size_t(rank)] = gpu.get();
  watch =
      std::make_unique<NcclWatch>(program, std::move(devices), NcclWatch::Elsewhere{&mine, others});
  mine.setDetails([this] { return watch->describe(rank); });
  return std::make_unique<NcclCommunicator>(program, rank, id, *gpu, *watch, std::move(host));
}
