//===- RankTeam.h - ranks as threads of this process ------------*- C++ -*-===//

#ifndef TPRT_THREADS_RANKTEAM_H
#define TPRT_THREADS_RANKTEAM_H

#include "../core/Team.h"
#include "ThreadCommunicator.h"

#include <memory>
#include <thread>
#include <vector>

namespace tprt {

/// Owns the context of every rank of a program and one thread per rank but
/// rank 0, which runs on the thread that calls `run`. Threads live as long as
/// the team and sleep between runs.
class RankTeam : public Team {
public:
  /// Ranks on the processors of this machine.
  explicit RankTeam(Program &program);
  /// Throws `Error` where the ranks cannot be joined.
  RankTeam(Program &program, std::unique_ptr<Fabric> fabric);
  ~RankTeam() override;
  RankTeam(const RankTeam &) = delete;
  RankTeam &operator=(const RankTeam &) = delete;

  const std::vector<int> &ranks() const override { return numbers; }
  tprt_context &context(int rank) override { return *contexts[rank]; }
  void run(const RankBody &body) override;
  void restart() override;

private:
  void serve(int rank);
  void join();
  void leave();
  void endThreads();

  Program &program;
  const std::unique_ptr<Fabric> fabric;
  std::vector<int> numbers;
  std::vector<std::unique_ptr<tprt_context>> contexts;
  std::vector<std::thread> threads;
  const RankBody *body = nullptr;
  SpinBudget spin;             ///< of the thread that calls run
  Signal begun;                ///< number of runs begun
  Signal finished;             ///< number of the last run that all but rank 0 finished
  std::atomic<int> running{0}; ///< threads that have not finished the run
  std::atomic<bool> stopping{false};
};

} // namespace tprt

#endif // TPRT_THREADS_RANKTEAM_H
