//===- ProcessCommunicator.h - collectives between processes ----*- C++ -*-===//
//
// Messages between the members of a group, over a communicator of the transport
// that is made once for each group of the manifest. Every operand goes straight
// from the rank that has it to the ranks that need it, and is combined there in
// rank order. An all-reduce of more than two ranks and more than some KiB is a
// reduce-scatter and an all-gather: each rank sends 2(k-1)/k of the operand, the
// least there is; a small one is one step in which each sends all of it to all.
//
//===----------------------------------------------------------------------===//

#ifndef TPRT_PROCESSES_PROCESSCOMMUNICATOR_H
#define TPRT_PROCESSES_PROCESSCOMMUNICATOR_H

#include "../core/Communicator.h"
#include "../core/Futex.h"
#include "../core/Program.h"
#include "Transport.h"
#include "Watch.h"

#include <memory>
#include <vector>

namespace tprt {

class ProcessCommunicator : public Communicator {
public:
  /// `communicator` holds the program's ranks; one is split off for each group.
  /// All ranks make theirs at the same point.
  ProcessCommunicator(const tprt_transport_t &transport, Watch &watch, Program &program,
                      Progress &progress, int rank, int32_t communicator);

  tprt_status_t run(const CollectiveCall &call) override;
  tprt_status_t exchange(int32_t group, int32_t op, const CallHeader &mine,
                         CallHeader *all) override;
  int64_t workspaceBytes() const override;

  /// Bytes of operands that this rank has sent so far.
  int64_t bytesSent() const { return sent; }

private:
  /// This rank in one group.
  struct Place {
    int32_t communicator = -1;
    const std::vector<int> *ranks = nullptr;
    int index = 0;
    int size() const { return int(ranks->size()); }
  };
  struct Pending {
    tprt_request_t request;
    int member;
  };

  void allReduceAtOnce(const CollectiveCall &call);
  void allReduceInPieces(const CollectiveCall &call);
  void allGather(const CollectiveCall &call);
  void reduceScatter(const CollectiveCall &call);
  void allToAll(const CollectiveCall &call);
  void permute(const CollectiveCall &call);

  // Between `begin` and `finish`; these throw `Stopped` when the collective will
  // not come to its end.
  void begin(int32_t group, int32_t op);
  void send(int member, const void *data, int64_t bytes);
  void receive(int member, void *data, int64_t bytes);
  void finish();
  void wait(Pending &pending);
  void check(int32_t code);
  tprt_status_t checkPeer(int member, double waitedSeconds);
  std::string findCircle();
  [[noreturn]] void stop(tprt_status_t status, const std::string &reason = "");
  template <typename Body> tprt_status_t perform(int32_t group, int32_t op, Body &&body);

  char *scratchOf(int64_t bytes);
  /// The parts of all members for a reduction: mine, and the others' in scratch.
  const std::vector<const void *> &partsOf(const void *mine, const char *others, int64_t bytes);

  const tprt_transport_t &transport;
  Watch &watch;
  Program &program;
  Progress &progress;
  const int rank;
  std::vector<Place> places; ///< per group
  std::vector<Pending> pending;
  std::vector<char> scratch;
  std::vector<const void *> parts;
  SpinBudget spin;
  int64_t sent = 0;
  std::vector<ProgressReport> circleSeen; ///< at an earlier look

  // Of the collective that runs.
  Place *place = nullptr;
  int32_t group = -1;
  int32_t op = -1;
};

} // namespace tprt

#endif // TPRT_PROCESSES_PROCESSCOMMUNICATOR_H
