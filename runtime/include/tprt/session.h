//===- session.h - running the entries of a module --------------*- C++ -*-===//
//
// What the linked executable and tp-run have in common: a session owns the
// ranks of one module and all their buffers, splits global inputs over the
// ranks, runs entries and puts global results together.
//
//   Session session(module, options);          // loads the parameters
//   session.setInput(entry, argument, array);  // global value, split by blocks
//   session.call(entry);                       // all ranks
//   Array result = session.result(entry, 0);   // global value, replicas checked
//
// Every function that can fail throws `tprt::Error` with the exit code that the
// tool should end with; after a failed call the session only answers questions
// until its states are reset.
// A session is used by one thread at a time, which also runs rank 0. Where ranks
// are processes, each has a session; that of rank 0 is used as above, the others
// follow it.
//
//===----------------------------------------------------------------------===//

#ifndef TPRT_SESSION_H
#define TPRT_SESSION_H

#include "tprt/array.h"
#include "tprt/error.h"
#include "tprt/manifest.h"
#include "tprt/memory.h"
#include "tprt/tprt.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tprt {

class World;

struct SessionOptions {
  /// Directory of the checkpoint; without one, parameters are random: they
  /// depend on `randomSeed`, the parameter's name and the global index only.
  std::optional<std::string> weights;
  uint64_t randomSeed = 0;
  bool likeModel = false;             ///< random parameters keep a model's activations near one
  bool zeroParameters = false;        ///< without weights: zero instead of random
  int workers = 1;                    ///< threads per rank
  bool checkCollectives = false;      ///< compare ranks before each collective
  bool checkFinite = false;           ///< a result with inf or NaN is a failure
  std::optional<uint64_t> jitterSeed; ///< random sleep before each collective
  bool poison = false;                ///< arena and results start as NaN (0xFF; 0xA5 for integers)
  bool graphs = true;                 ///< GPUs keep what an entry enqueues from its second call on
  double timeoutSeconds = 0;          ///< longest wait for another rank; 0: for ever
  bool stats = false;                 ///< measure what `activity` answers
  bool trace = false;                 ///< and keep the first spans for `writeTrace`
  int64_t traceSpans = 1 << 20;       ///< of each rank: some thousand calls of a model
  /// Of programs for GPUs: algorithms of matrix products are those of this file, and measured
  /// where it has none, which is then added. Without one, they are what cublasLt proposes.
  std::optional<std::string> autotune;
  /// Of programs for GPUs: as many ranks, all of the program's, on one GPU; 0: one each.
  int virtualRanks = 0;
  /// Where ranks are processes: this process' view of them, which outlives the
  /// session; null where all ranks are threads of this process. The options of
  /// rank 0 are those of all, but for weights, workers and progress.
  World *world = nullptr;
  /// Told about loading that takes longer than two seconds.
  std::function<void(const std::string &)> progress;
};

/// What one rank did in all calls of an entry. The rest of `seconds` is
/// computation; on CPUs a rank computes nothing while it communicates.
struct RankActivity {
  double seconds = 0;     ///< inside the entry
  double waitSeconds = 0; ///< in collectives, for other ranks
  double copySeconds = 0; ///< in collectives, moving and combining data
  int64_t collectives = 0;
  int64_t bytesSent = 0; ///< as --explain counts: by the busiest rank of the group
  int64_t hostWaits = 0; ///< inside the entry, of the host for a GPU
};

struct EntryActivity {
  int64_t calls = 0;
  double seconds = 0; ///< from the beginning of each call until all ranks are done
  std::vector<RankActivity> ranks;
};

/// Threads per rank that use all processors of the machine.
int defaultWorkers(int numRanks);

/// Makes an integer division by zero in compiled code one `error:` line with its
/// place and exit code 3, by a handler of SIGFPE: for programs that do nothing but
/// run a module.
void installFaultHandler();

class Session {
public:
  /// Allocates all buffers and loads the parameters. `module` must outlive the
  /// session.
  explicit Session(const tprt_module_t &module, const SessionOptions &options = {});
  ~Session();
  Session(const Session &) = delete;
  Session &operator=(const Session &) = delete;

  const Manifest &manifest() const;
  int numRanks() const;

  /// Position of the argument that `key` names: its name, or its position
  /// among all arguments. Throws when there is none, with near names.
  int findArgument(int entry, const std::string &key) const;

  /// Gives an input its global value; its shape must be the argument's and its
  /// type convertible (see convertArray). Where the argument is partial, ranks
  /// at coordinate 0 get the value and the others the neutral element. `what`
  /// names the value in messages.
  void setInput(int entry, int argument, const Array &value, const std::string &what = "");

  /// Gives an input of an entry the value of a result of the last call of another one,
  /// where it lies: no value goes through the host where both are sharded alike.
  void passResult(int from, int result, int entry, int argument);

  /// The parameter or state called `name`, which entries share. Throws when there
  /// is none, with near names.
  const ValueInfo &findStored(const std::string &name) const;
  /// Its current global value.
  Array stored(const std::string &name) const;
  /// Gives it a global value, as setInput does.
  void setStored(const std::string &name, const Array &value);

  /// Sets every state to zero; after a failed call, the session works again.
  void resetStates();
  /// Whether a call has failed since the states were reset.
  bool failed() const;

  /// Runs an entry on all ranks. Throws the failure of the lowest rank that
  /// failed by itself.
  void call(int entry);

  /// The global value of a result of the last call of `entry`; partial results
  /// are reduced. Throws with exit code 1 when two replicas differ in a bit.
  Array result(int entry, int index) const;
  /// The same for an argument: the current value of a state, for instance.
  Array argument(int entry, int index) const;

  MemoryUse memory() const;
  /// What `memory` consists of, the largest first. Every rank has the same.
  std::vector<MemoryItem> memoryItems() const;

  /// What was measured of an entry; needs options.stats or options.trace.
  EntryActivity activity(int entry) const;
  /// How the next call of an entry reaches the device, and why, in a few words; empty on
  /// CPUs.
  std::string howRun(int entry) const;
  /// How small collectives are done, in a few words; empty where that goes without saying.
  std::string howSmallCollectives() const;
  /// The spans of all ranks as trace-event JSON, in pieces; needs
  /// options.trace. Returns how many spans were left out because a rank had
  /// more than it keeps.
  int64_t writeTrace(const std::function<void(const std::string &)> &write) const;

  double loadSeconds() const;
  /// Largest resident memory of a process of the program so far.
  int64_t processPeakBytes() const;

  /// In the processes of the other ranks: repeats what the session of rank 0
  /// does, until that process ends.
  void follow();

private:
  class Impl;
  std::unique_ptr<Impl> impl;
};

} // namespace tprt

#endif // TPRT_SESSION_H
