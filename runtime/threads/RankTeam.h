//===- RankTeam.h - ranks as threads of this process ------------*- C++ -*-===//

#ifndef TPRT_THREADS_RANKTEAM_H
#define TPRT_THREADS_RANKTEAM_H

#include "../core/Context.h"
#include "ThreadCommunicator.h"

#include <functional>
#include <memory>
#include <thread>
#include <vector>

namespace tprt {

/// Owns the context of every rank of a program and one thread per rank but
/// rank 0, which runs on the thread that calls `run`. Threads live as long as
/// the team and sleep between runs.
class RankTeam {
public:
  explicit RankTeam(Program &program);
  ~RankTeam();
  RankTeam(const RankTeam &) = delete;
  RankTeam &operator=(const RankTeam &) = delete;

  tprt_context &context(int rank) { return *contexts[rank]; }

  /// Calls `body` once per rank at the same time and returns when all have
  /// returned. A status that is not TPRT_OK and an exception are failures of
  /// that rank: they are recorded in the program and stop the others.
  void run(const std::function<tprt_status_t(tprt_context &)> &body);

  /// Forgets failures of earlier runs, after which ranks stand at different
  /// collectives: all begin anew.
  void restart();

private:
  void serve(int rank);
  void runRank(int rank);

  Program &program;
  ThreadFabric fabric;
  std::vector<std::unique_ptr<tprt_context>> contexts;
  std::vector<std::thread> threads;
  const std::function<tprt_status_t(tprt_context &)> *body = nullptr;
  SpinBudget spin;             ///< of the thread that calls run
  Signal begun;                ///< number of runs begun
  Signal finished;             ///< number of the last run that all but rank 0 finished
  std::atomic<int> running{0}; ///< threads that have not finished the run
  std::atomic<bool> stopping{false};
};

} // namespace tprt

#endif // TPRT_THREADS_RANKTEAM_H
