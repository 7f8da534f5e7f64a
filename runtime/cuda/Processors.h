//===- Processors.h - the processors near a GPU ------------------*- C++ -*-===//

#ifndef TPRT_CUDA_PROCESSORS_H
#define TPRT_CUDA_PROCESSORS_H

#include <string>
#include <vector>

namespace tprt::cuda {

/// The processors of the NUMA node that the PCI device ("0000:3B:00.0") is attached to, as
/// the files below `root` ("/sys") tell; none where they do not, or there is one node.
std::vector<int> processorsNear(const std::string &root, const std::string &pciDevice);

/// The calling thread, and those that it starts from now on, run on those of the
/// processors that they may run on; on all where that is none.
void runNear(const std::vector<int> &processors);

/// Both of the driver's GPU `number`.
void runNearGpu(int number, const std::string &root = "/sys");

} // namespace tprt::cuda

#endif // TPRT_CUDA_PROCESSORS_H
