//===- NcclWatch.h - collectives that do not end -----------------*- C++ -*-===//
//
// NCCL waits for ever, in its calls and on the device. A thread looks at the ranks that
// wait: where a rank has failed, left, or waits for another in a circle, where NCCL tells
// an error or the time is up, all communicators are aborted, which ends every wait.
//
//===----------------------------------------------------------------------===//

#ifndef TPRT_CUDA_NCCLWATCH_H
#define TPRT_CUDA_NCCLWATCH_H

#include "../core/Program.h"
#include "../processes/Progress.h"
#include "CudaDevice.h"
#include "Nccl.h"

#include <chrono>
#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace tprt::cuda {

/// One rank's part in a collective: the `number`-th of its group. Behind the groups of the
/// program comes one of all ranks, whose collectives make communicators.
struct Turn {
  int32_t group = -1;
  uint32_t number = 0;
  int32_t op = -1;

  bool isSame(const Turn &other) const { return group == other.group && number == other.number; }
};

/// The collectives of one rank, as its thread tells them and the watch reads them.
class Turns {
public:
  /// Of a program with so many groups.
  explicit Turns(size_t groups) : begun(groups + 1) {}

  /// The rank's thread is in NCCL for the next collective of the group.
  void begin(int32_t group, int32_t op);
  /// It has been enqueued; `done` comes behind it, and is not told again before `recent`
  /// more have been.
  void end(Event done);
  static constexpr size_t recent = 64;

  /// The rank's thread is in NCCL for the next communicator, or has it.
  void beginMaking() { begin(int32_t(begun.size()) - 1, -1); }
  void endMaking();

  uint32_t begunOf(int32_t group) const;
  /// Per group.
  std::vector<uint32_t> allBegun() const;
  /// What the rank waits for: the collective that its thread is in, or where the thread
  /// waits for the device those of the last that have not ended, in order.
  std::vector<Turn> unfinished(const CudaDevice &device) const;

private:
  mutable std::mutex mutex;
  std::vector<uint32_t> begun; ///< per group
  std::optional<Turn> current;
  std::vector<std::pair<Turn, Event>> enqueued; ///< the last, in a circle
  size_t next = 0;
};

class NcclWatch {
public:
  /// What is known of ranks that are other processes.
  struct Elsewhere {
    const Progress *mine = nullptr; ///< of the rank of this process
    std::function<ProgressReport(int)> reportOf;
  };

  /// Of the ranks with these devices; null: a rank of another process.
  NcclWatch(Program &program, std::vector<const CudaDevice *> devices, Elsewhere elsewhere);
  NcclWatch(Program &program, std::vector<const CudaDevice *> devices)
      : NcclWatch(program, std::move(devices), Elsewhere()) {}
  ~NcclWatch();
  NcclWatch(const NcclWatch &) = delete;
  NcclWatch &operator=(const NcclWatch &) = delete;

  Turns &turnsOf(int rank) { return *turns[size_t(rank)]; }
  /// A communicator of a rank, which the watch may abort from now on.
  void add(int rank, Comm comm);
  /// Whether those of the rank have not been aborted and are the caller's again.
  bool remove(int rank);
  /// How far NCCL is with what the rank has begun with the communicator; none where that has
  /// been aborted.
  std::optional<NcclResult> stateOf(int rank, Comm comm) const;

  /// What other processes are told of a rank of this one (ProgressReport::details).
  std::string describe(int rank) const;

private:
  using Clock = std::chrono::steady_clock;
  /// What a rank waits for in vain, it seems.
  struct Stuck {
    std::vector<Turn> turns; ///< the first is what it is at; empty where it goes on
    Clock::time_point since; ///< of the first
    bool seenBefore = false; ///< in the look before this one too
    uint32_t serial = 0;     ///< of the look, or of the report that tells it
  };
  /// What another process has told of its rank.
  struct Report {
    bool left = false; ///< the run that this process is in
    std::vector<uint32_t> begun;
  };
  /// Ranks that wait for each other, as they were seen first.
  struct Circle {
    std::vector<Turn> turns; ///< per rank in it
    std::vector<uint32_t> serials;
  };

  void serve();
  void look();
  void abortAll();
  void judge(int rank);
  bool waitsFor(int rank, int other) const;
  bool findCircle(int rank, std::vector<int> &path) const;
  bool isConfirmed(std::vector<int> path);
  std::vector<Turn> hear(int rank, uint32_t &serial);
  bool hasLeft(int rank) const;
  bool hasBegun(int rank, const Turn &turn) const;
  const std::vector<int> &membersOf(int rank, int32_t group) const;
  /// Whether communicators are made in it.
  bool isMaking(const Turn &turn) const { return size_t(turn.group) == program.groups().size(); }

  Program &program;
  std::vector<int> everyone; ///< all ranks
  const std::vector<const CudaDevice *> devices;
  const Elsewhere elsewhere;
  std::vector<std::unique_ptr<Turns>> turns; ///< per rank; null: of another process
  std::vector<Stuck> stuck;                  ///< per rank
  std::vector<Report> reports;               ///< per rank, of other processes
  std::map<std::vector<int>, Circle> circles;
  uint32_t looks = 0;
  mutable std::mutex toldMutex;
  std::vector<std::vector<Turn>> told; ///< per rank, what it waited for at the last look
  mutable std::mutex mutex;            ///< of what follows
  std::condition_variable woken;
  bool stopping = false;
  std::vector<std::vector<Comm>> comms; ///< per rank
  std::thread thread;
};

} // namespace tprt::cuda

#endif // TPRT_CUDA_NCCLWATCH_H
