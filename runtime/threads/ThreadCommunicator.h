//===- ThreadCommunicator.h - collectives between threads -------*- C++ -*-===//
//
// Ranks read each other's memory. A small collective copies its operand to a
// shared staging buffer, of which every rank has two in turn, so that one
// synchronisation is enough: who begins the collective after next knows that
// all have finished reading this one. A large collective reads the operands in
// place and synchronises again before anyone may change them; in a large
// all-reduce each rank sums one piece for all.
//
//===----------------------------------------------------------------------===//

#ifndef TPRT_THREADS_THREADCOMMUNICATOR_H
#define TPRT_THREADS_THREADCOMMUNICATOR_H

#include "../core/Communicator.h"
#include "../core/Futex.h"
#include "../core/Program.h"
#include "Fabric.h"

#include <memory>
#include <vector>

namespace tprt {

/// What a rank that sleeps waits for; read by others to find circles of ranks
/// that wait for each other.
struct WaitRecord {
  std::atomic<uint32_t> epoch{0}; ///< odd while the record is valid
  std::atomic<int> peer{-1};
  std::atomic<int32_t> op{-1};
  std::atomic<const Signal *> signal{nullptr};
  std::atomic<uint32_t> target{0};
};

/// State shared by the ranks of one group instance.
class ThreadGroup {
public:
  struct Member {
    Signal arrived; ///< synchronisations that this rank has reached
    const void *src = nullptr;
    void *dst = nullptr;
    CallHeader headers[2] = {};
    std::unique_ptr<char[]> staging[2];
  };

  explicit ThreadGroup(const std::vector<int> &ranks);

  const std::vector<int> ranks;
  std::vector<std::unique_ptr<Member>> members;
};

/// All groups of a program.
class ThreadFabric : public Fabric {
public:
  explicit ThreadFabric(Program &program);

  Device &device(int) override { return HostDevice::get(); }
  std::unique_ptr<Communicator> join(int rank) override;
  /// Makes all groups anew.
  void restart() override;

  Program &program;
  std::vector<std::vector<std::unique_ptr<ThreadGroup>>> groups; ///< [group][instance]
  std::vector<std::unique_ptr<WaitRecord>> waits;                ///< per rank
};

class ThreadCommunicator : public Communicator {
public:
  ThreadCommunicator(ThreadFabric &fabric, int rank);

  tprt_status_t run(const CollectiveCall &call) override;
  tprt_status_t exchange(int32_t group, int32_t op, const CallHeader &mine,
                         CallHeader *all) override;
  int64_t workspaceBytes() const override;

private:
  /// This rank's progress in one group.
  struct Place {
    ThreadGroup *group = nullptr;
    int index = 0;
    uint32_t arrived = 0; ///< synchronisations so far
    uint32_t staged = 0;  ///< collectives that used the staging buffers
    uint32_t headers = 0; ///< header exchanges
  };

  tprt_status_t synchronise(Place &place, int32_t op);
  tprt_status_t waitFor(const Place &place, int member, int32_t op);
  tprt_status_t checkPeer(const Place &place, int member, int32_t op, double waitedSeconds);
  /// A text that describes a circle of waiting ranks through this one, empty
  /// when there is none.
  std::string findCircle();
  tprt_status_t fail(tprt_status_t status, int32_t op, const std::string &reason);

  ThreadFabric &fabric;
  const int rank;
  std::vector<Place> places; ///< per group
  std::vector<const void *> sources;
  SpinBudget spin;
};

} // namespace tprt

#endif // TPRT_THREADS_THREADCOMMUNICATOR_H
