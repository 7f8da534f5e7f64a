//===- CudaProcess.h - a rank that is a process with a GPU -------*- C++ -*-===//

#ifndef TPRT_CUDA_CUDAPROCESS_H
#define TPRT_CUDA_CUDAPROCESS_H

#include "../core/Equipment.h"
#include "../core/World.h"
#include "CudaDevice.h"
#include "Nccl.h"
#include "NcclWatch.h"

#include <memory>
#include <string>

namespace tprt::cuda {

/// The rank has the GPU of its number among the ranks of this machine, or the only one
/// that it sees; NCCL joins it with the GPUs of other processes.
class CudaProcess final : public Equipment {
public:
  /// With the kernels of `module` that the manifest names, while all processes of `world`
  /// make theirs. Throws `Error` where a library is missing, there is no GPU for the rank,
  /// or another rank has the same.
  CudaProcess(World &world, Program &program, const tprt_module_t &module,
              const Manifest &manifest);

  tprt::Device &device() override { return *gpu; }
  std::unique_ptr<Communicator> join(std::unique_ptr<Communicator> host, Progress &mine,
                                     const std::function<ProgressReport(int)> &others) override;

private:
  void compareGpus(World &world) const;

  Program &program;
  const int rank;
  int number = 0; ///< of the GPU
  std::unique_ptr<CudaDevice> gpu;
  UniqueId id = {};                 ///< of the communicator of all ranks
  std::unique_ptr<NcclWatch> watch; ///< null where there is one rank
};

} // namespace tprt::cuda

#endif // TPRT_CUDA_CUDAPROCESS_H
