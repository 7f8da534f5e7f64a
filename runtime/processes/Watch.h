//===- Watch.h - how processes learn of each other's end --------*- C++ -*-===//
//
// A connection to every other process, apart from those of the transport, and a
// thread that looks after them. A process that dies closes its connections, one
// that is stopped or cut off sends no more signs of life, one that fails says
// why. So the others know within seconds who was the reason, and one of them can
// say so, also when the launcher is about to end them all.
//
//===----------------------------------------------------------------------===//

#ifndef TPRT_PROCESSES_WATCH_H
#define TPRT_PROCESSES_WATCH_H

#include "../core/Program.h"
#include "Progress.h"
#include "tprt/error.h"

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace tprt {

struct WatchedPeer {
  int socket = -1;  ///< connected; -1 for this process
  int through = -1; ///< the rank whose process passes its bytes on; -1: none
  std::string host;
  int64_t pid = 0;
};

class Watch {
public:
  /// `peers` by rank. A process that is silent for `silenceSeconds` is lost; 0:
  /// silence is no reason.
  /// `drain`, where it is not null, waits for what was said last to be under way.
  Watch(int rank, std::vector<WatchedPeer> peers, double silenceSeconds, void (*drain)() = nullptr);
  ~Watch();
  Watch(const Watch &) = delete;
  Watch &operator=(const Watch &) = delete;

  /// The next program begins, with nothing wrong so far; processes number their
  /// programs alike. Failures of this process' ranks are reported, those of
  /// others are recorded in the program.
  void attach(Program *program, const Progress *progress);
  void detach();

  /// Tells all that this process has failed; only its first failure counts.
  void report(const Error &error, tprt_status_t status = TPRT_INTERNAL);

  /// Whether a process has failed or is lost.
  bool troubled() const { return trouble.load(std::memory_order_acquire); }

  /// Says that this process does nothing more, and waits a little for those that
  /// are not lost to say so too. Then returns the failure of the lowest rank that
  /// failed by itself, or else of the lowest that is lost.
  Error settle();

  /// The last word of this process in a failure: prints `verdict` where this is
  /// the lowest process that is left, otherwise waits until that one has gone.
  void conclude(const Error &verdict);
  /// Says that this process ends.
  void leave();
  /// Whether a process has said that it ends.
  bool hasLeft(int peer) const;

  /// "rank 2 (process 4711 on node1)".
  std::string nameOf(int peer) const;
  /// What is known of another rank of the same program.
  ProgressReport progressOf(int peer) const;

private:
  using Clock = std::chrono::steady_clock;

  struct Failed {
    int exitCode = kExitFailed;
    tprt_status_t status = TPRT_INTERNAL;
    std::string message;
    std::vector<std::string> notes;
  };
  struct Peer {
    WatchedPeer link;
    std::string in, out;
    Clock::time_point heard;
    bool left = false; ///< has said that it ends
    std::optional<Failed> lost;
    uint32_t settled = 0; ///< number of the last program in which it has settled
    ProgressReport progress;
    std::vector<std::pair<uint32_t, Failed>> failures; ///< with the program's number
  };

  void run();
  void readFrom(int rank);
  void handle(int rank, const std::string &frame);
  void handleNotice(char notice);
  void lose(int rank, const std::string &why);
  void addFailure(int rank, uint32_t number, const Failed &failure);
  void raiseTrouble();
  void send(Peer &peer, const std::string &payload);
  void sendToAll(const std::string &payload);
  void flush(Peer &peer);
  void beat();
  void checkDeadlines();
  void reportMine(const Failed &failure);
  void saySettled();
  const Failed *failureOf(int rank) const;
  Failed verdict() const;
  bool allSettled() const;
  bool prints() const;
  void print(const Error &error);
  void leaveLocked();
  [[noreturn]] void endProcess();

  const int rank;
  const double silenceSeconds;
  void (*const drain)();
  mutable std::mutex mutex;
  std::condition_variable changed;
  std::vector<Peer> peers;
  int wakePipe[2] = {-1, -1};
  uint32_t generation = 0;
  uint32_t serial = 0;
  Program *program = nullptr;
  const Progress *progress = nullptr;
  std::atomic<bool> trouble{false};
  Clock::time_point troubleSince, lastBeat, lastLook;
  std::optional<Clock::time_point> terminatedAt; ///< the launcher ends this process
  bool settledHere = false;                      ///< the main thread has taken over
  bool faulted = false;                          ///< a thread has had an arithmetic fault
  bool someoneLost = false;
  bool printed = false; ///< the error, here or by another process
  bool stopping = false;
  std::thread thread;
};

} // namespace tprt

#endif // TPRT_PROCESSES_WATCH_H
