//===- CudaFabric.h - ranks that are threads with a GPU each -----*- C++ -*-===//

#ifndef TPRT_CUDA_CUDAFABRIC_H
#define TPRT_CUDA_CUDAFABRIC_H

#include "../threads/ThreadCommunicator.h"
#include "CudaDevice.h"
#include "Nccl.h"
#include "NcclWatch.h"

#include <memory>
#include <string>
#include <vector>

namespace tprt::cuda {

/// Rank r has GPU r of those that the driver shows; NCCL joins them. Threads of ranks run near
/// their GPUs, but for that of rank 0, which is the caller's.
class CudaFabric final : public Fabric {
public:
  /// With the kernels of `module` that `manifest` names. Throws `Error` where a library is
  /// missing, or there are fewer GPUs than ranks.
  CudaFabric(Program &program, const tprt_module_t &module, const Manifest &manifest);

  tprt::Device &device(int rank) override { return *devices[size_t(rank)]; }
  std::unique_ptr<Communicator> join(int rank) override;
  void restart() override;

private:
  Program &program;
  std::vector<std::unique_ptr<CudaDevice>> devices; ///< per rank
  ThreadFabric threads;                             ///< what the host's threads exchange
  std::unique_ptr<NcclWatch> watch;                 ///< null where there is one rank
  UniqueId id;                                      ///< of the communicator of all ranks
};

} // namespace tprt::cuda

#endif // TPRT_CUDA_CUDAFABRIC_H
