//===- VirtualFabric.h - ranks that are threads with one GPU -----*- C++ -*-===//
//
// All ranks of a program on one GPU, so that it tests sharded execution: every rank has
// its own streams and memory, and collectives are copies and kernels on them, ordered by
// events. No kernel waits for another.
//
//===----------------------------------------------------------------------===//

#ifndef TPRT_CUDA_VIRTUALFABRIC_H
#define TPRT_CUDA_VIRTUALFABRIC_H

#include "../threads/ThreadCommunicator.h"
#include "CommunicationOrder.h"
#include "CudaDevice.h"

#include <memory>
#include <string>
#include <vector>

namespace tprt::cuda {

class VirtualFabric final : public Fabric {
public:
  /// With the kernels of `module` that `manifest` names, of which those that reduce over
  /// ranks are for this. Throws `Error` where the driver or a GPU is missing.
  VirtualFabric(Program &program, const tprt_module_t &module, const Manifest &manifest);

  tprt::Device &device(int rank) override { return *devices[size_t(rank)]; }
  ~VirtualFabric() override;
  std::unique_ptr<Communicator> join(int rank) override;
  void restart() override { threads.restart(); }

private:
  Program &program;
  std::vector<std::unique_ptr<CudaDevice>> devices; ///< per rank, all of one GPU
  ThreadFabric threads;                             ///< what the host's threads exchange
};

/// Where the host's threads meet twice: before, to learn where the operands are and behind
/// which events, and after, when all have enqueued their part.
class VirtualCommunicator final : public Communicator {
public:
  VirtualCommunicator(Program &program, int rank, CudaDevice &device,
                      std::unique_ptr<Communicator> host);
  ~VirtualCommunicator() override;

  tprt_status_t run(const CollectiveCall &call) override;
  void awaitStream(int32_t stream) override { order.wait(stream); }
  bool follow() override {
    order.follow();
    return true;
  }
  tprt_status_t exchange(int32_t group, int32_t op, const CallHeader &mine,
                         CallHeader *all) override {
    return host->exchange(group, op, mine, all);
  }
  int64_t workspaceBytes() const override { return staging.bytes(); }

private:
  /// This rank in a group. Events of one group only, so that nobody waits for a later
  /// record of one than is meant: the next is after the group has met again.
  struct Place {
    int index = 0, size = 1;
    Event computed = nullptr, done = nullptr;
  };

  void enqueue(const CollectiveCall &call, const Place &place);
  void reduce(const CollectiveCall &call, const std::vector<const void *> &sources, void *to,
              int64_t count);
  char *stagingOf(int64_t bytes);

  Program &program;
  const int rank;
  CudaDevice &device;
  const std::unique_ptr<Communicator> host;
  const Driver &driver = Driver::get();
  CommunicationOrder order;
  std::vector<Place> places;       ///< per group
  std::vector<CallHeader> headers; ///< of the group's members
  Buffer staging;                  ///< results that cannot be written at once, blocks of rows
};

} // namespace tprt::cuda

#endif // TPRT_CUDA_VIRTUALFABRIC_H
