//===- NcclCommunicator.h - collectives of NCCL ------------------*- C++ -*-===//
//
// Collectives are enqueued on the communication stream, behind the computation so far and
// before what follows. A group of the manifest has a communicator, made once by splitting
// that of all ranks, in the order of the groups' table.
//
//===----------------------------------------------------------------------===//

#ifndef TPRT_CUDA_NCCLCOMMUNICATOR_H
#define TPRT_CUDA_NCCLCOMMUNICATOR_H

#include "../core/Communicator.h"
#include "../core/Program.h"
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
  tprt_status_t exchange(int32_t group, int32_t op, const CallHeader &mine,
                         CallHeader *all) override;
  void replay(const std::vector<KeptCollective> &collectives,
              const std::function<void()> &launch) override;
  int64_t workspaceBytes() const override;

  /// Whether NCCL combines elements of the type so: sums and products of all but i1 and
  /// i16, minima and maxima of integers.
  static bool reduces(int32_t reduction, int32_t dtype);

private:
  struct Place {
    Comm comm = nullptr; ///< null where the rank is alone
    int index = 0, size = 1;
  };

  void check(NcclResult result, const char *call, Comm comm) const;
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
  Event computed = nullptr;  ///< behind the computation that a collective follows
  Event captured = nullptr;  ///< behind a collective of a graph
  std::array<Event, Turns::recent> done{};
  size_t next = 0;             ///< of these
  Buffer staging;              ///< rows of blocks, of collectives with many
  std::vector<Buffer> smaller; ///< earlier ones, of graphs
};

} // namespace tprt::cuda

#endif // TPRT_CUDA_NCCLCOMMUNICATOR_H
