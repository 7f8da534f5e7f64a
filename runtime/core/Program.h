//===- Program.h - what the ranks of a running program share ----*- C++ -*-===//
//
// Tables of the manifest that calls refer to by row, options, and the place
// where a failing rank says so. A failure sets a flag that every waiting loop
// of every backend watches, so that all ranks stop; the message that is
// reported is that of the lowest rank that failed by itself.
//
//===----------------------------------------------------------------------===//

#ifndef TPRT_CORE_PROGRAM_H
#define TPRT_CORE_PROGRAM_H

#include "Groups.h"
#include "tprt/error.h"
#include "tprt/manifest.h"

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace tprt {

struct ProgramOptions {
  int workers = 1;               ///< threads per rank that run parallel loops
  bool checkCollectives = false; ///< compare headers before each collective
  bool jitter = false;           ///< random sleep before each collective
  uint64_t jitterSeed = 0;
  bool graphs = true;        ///< devices may keep what entries enqueue
  bool virtualRanks = false; ///< all on one device
  double timeoutSeconds = 0; ///< longest wait for a peer; 0 waits for ever
  int sharing = 0;           ///< ranks that share this process' processors; 0: all ranks
};

struct Failure {
  tprt_status_t status = TPRT_OK;
  std::string message;
  std::vector<std::string> notes = {}; ///< what helps, a line each

  Error error() const { return runFailure(message, notes, status); }
};

class Program {
public:
  Program(std::vector<MeshAxis> mesh, const std::vector<std::vector<AxisPart>> &groups,
          std::vector<Operation> operations, ProgramOptions options);

  int numRanks() const { return int(failures.size()); }
  const std::vector<MeshAxis> &mesh() const { return meshAxes; }
  const std::vector<GroupPartition> &groups() const { return groupPartitions; }
  const ProgramOptions &options() const { return programOptions; }

  /// "all_reduce at model.mlir:12:8", or a text that says that the row does
  /// not exist.
  std::string describeOperation(int32_t op) const;
  /// Null where the row does not exist.
  const Operation *findOperation(int32_t op) const {
    return op >= 0 && size_t(op) < operations.size() ? &operations[size_t(op)] : nullptr;
  }
  /// Where the operation comes from, as text that lives as long as the program;
  /// null where that is not known.
  const char *placeOf(int32_t op) const;
  /// Why the program has the operation; empty where that is not known.
  std::string reasonOf(int32_t op) const;

  /// How long a waiting thread spins before it sleeps: short when there are
  /// more threads than processors, since what it waits for then needs its
  /// processor.
  int64_t spinNanoseconds() const { return spin; }

  /// Records the failure of `rank` in operation `op` (-1: none) and makes all
  /// ranks stop. Returns `status`.
  tprt_status_t fail(int rank, tprt_status_t status, int32_t op, const std::string &reason,
                     const std::vector<std::string> &notes = {});
  /// Called after the first failure of a rank of this process, by its thread.
  std::function<void(int rank, const Failure &)> onFailure;
  /// Records the failure of a rank of another process, and makes all ranks stop.
  void failElsewhere(int rank, const Failure &failure);
  bool aborted() const { return abortFlag.load(std::memory_order_acquire); }
  /// The failure of the lowest rank, status TPRT_OK when there is none.
  Failure firstFailure() const;
  /// Forgets all failures; no rank may be inside an entry.
  void clearFailures();

  /// A rank inside an entry takes part in collectives; one that has left will
  /// never arrive at one.
  void setInside(int rank, bool value) {
    inside[rank].value.store(value, std::memory_order_release);
  }
  bool isInside(int rank) const { return inside[rank].value.load(std::memory_order_acquire); }

private:
  struct alignas(64) Flag {
    std::atomic<bool> value{false};
  };

  /// Whether it is the first failure of that rank.
  bool record(int rank, const Failure &failure);

  std::vector<MeshAxis> meshAxes;
  std::vector<GroupPartition> groupPartitions;
  std::vector<Operation> operations;
  ProgramOptions programOptions;
  int64_t spin;
  std::atomic<bool> abortFlag{false};
  std::unique_ptr<Flag[]> inside;
  mutable std::mutex mutex;
  std::vector<Failure> failures; ///< per rank, the first one of each
};

} // namespace tprt

#endif // TPRT_CORE_PROGRAM_H
