//===- NcclCommunicator.h - collectives of NCCL ------------------*- C++ -*-===//
//
// Collectives are enqueued on the communication stream, behind the computation so far and
// before what follows, or what follows the wait for them. A group of the manifest has a
// communicator, made once by splitting that of all ranks, in the order of the groups' table.
//
//===----------------------------------------------------------------------===//

#ifndef TPRT_CUDA_NCCLCOMMUNICATOR_H
#define TPRT_CUDA_NCCLCOMMUNICATOR_H

#include "../core/Communicator.h"
#include "../core/Program.h"
#include "CommunicationOrder.h"
#include "NcclWatch.h"

#include <array>
#include <memory>
#include <vector>

namespace tprt::cuda {

class NcclCommunicator final : public Communicator {
public:
  /// Of a rank whose device the thread has entered, while all others make theirs; `host`
  /// compares headers. Throws `Error`.
  NcclCommunicator(Program &program, int rank, const UniqueId &id, CudaDevice &device,
                   NcclWatch &watch, std::unique_ptr<Communicator> host);
  ~NcclCommunicator() override;

  tprt_status_t run(const CollectiveCall &call) override;
  void awaitStream(int32_t stream) override { order.wait(stream); }
  bool follow() override {
    order.follow();
    return true;
  }
  tprt_status_t exchange(int32_t group, int32_t op, const CallHeader &mine,
                         CallHeader *all) override;
  void replay(const std::vector<KeptCollective> &collectives,
              const std::function<void()> &launch) override;
  Buffer allocate(tprt::Device &from, int64_t bytes, const std::string &what) override;
  void setSymmetric(void *memory, int64_t bytes) override;
  std::string howSmall() const override;
  int64_t workspaceBytes() const override;

  /// Whether NCCL combines elements of the type so: sums and products of all but i1 and
  /// i16, minima and maxima of integers.
  static bool reduces(int32_t reduction, int32_t dtype);

private:
  struct Place {
    Comm comm = nullptr; ///< null where the rank is alone
    int index = 0, size = 1;
    Window window = nullptr; ///< of the symmetric memory, if it has one
    bool knowsWindow = false;
  };

  /// Waits until NCCL has done what the call began, which the watch may end. Throws where it
  /// fails, with TPRT_ABORTED where it was ended.
  void finish(NcclResult result, const char *call, Comm comm) const;
  /// Makes symmetric memory known to the place's ranks, which all do so in their first
  /// collective.
  void openWindow(Place &place);
  void closeWindows();
  void makeAll(const UniqueId &id);
  void makePart(const GroupPartition &group, Place &place);
  /// Ends a communicator, for which the other ranks do the same.
  void destroy(Comm comm) const;
  /// The calls of `body` run together; it returns at the first that fails.
  template <typename Body> void asGroup(const Place &place, const char *call, Body body);
  void enqueue(const CollectiveCall &call, const Place &place);
  // Bytes are moved whatever their type.
  void allGather(const CollectiveCall &call, const Place &place);
  void reduceScatter(const CollectiveCall &call, const Place &place);
  void allToAll(const CollectiveCall &call, const Place &place);
  void permute(const CollectiveCall &call, const Place &place);
  char *stagingOf(int64_t bytes);

  Program &program;
  const int rank;
  CudaDevice &device;
  NcclWatch &watch;
  const std::unique_ptr<Communicator> host;
  const Driver &driver = Driver::get();
  const Nccl &nccl = Nccl::get();
  std::vector<Comm> comms;   ///< the first is that of all ranks
  std::vector<Place> places; ///< per group
  void *symmetric = nullptr; ///< what small collectives take
  int64_t symmetricBytes = 0;
  CommunicationOrder order;
  std::array<Event, Turns::recent> done{};
  size_t next = 0;             ///< of these
  Buffer staging;              ///< rows of blocks, of collectives with many
  std::vector<Buffer> smaller; ///< earlier ones, of graphs
};

} // namespace tprt::cuda

#endif // TPRT_CUDA_NCCLCOMMUNICATOR_H
