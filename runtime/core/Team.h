//===- Team.h - the ranks of this process -----------------------*- C++ -*-===//

#ifndef TPRT_CORE_TEAM_H
#define TPRT_CORE_TEAM_H

#include "Context.h"

#include <functional>
#include <vector>

namespace tprt {

using RankBody = std::function<tprt_status_t(tprt_context &)>;

/// The ranks of a program that live in this process: all of them as threads
/// (RankTeam), or the one of a process among others (World::join).
class Team {
public:
  virtual ~Team() = default;

  /// In ascending order.
  virtual const std::vector<int> &ranks() const = 0;
  virtual tprt_context &context(int rank) = 0;

  /// Calls `body` once per rank of this process and returns when all of the
  /// program's ranks that this process can hear of have returned or failed. A
  /// status that is not TPRT_OK and an exception are failures of that rank: they
  /// are recorded in the program and stop the others.
  virtual void run(const RankBody &body) = 0;

  /// Forgets failures of earlier runs, after which ranks stand at different
  /// collectives: all begin anew. Throws `Error` where ranks are processes, which
  /// end with the failure.
  virtual void restart() = 0;
};

/// One rank's part of `Team::run`, on its thread.
void runRank(Program &program, tprt_context &ctx, const RankBody &body);

} // namespace tprt

#endif // TPRT_CORE_TEAM_H
