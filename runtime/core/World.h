//===- World.h - the processes that run a program together ------*- C++ -*-===//
//
// Where every rank is a process of its own, each runs the same executable and
// owns one rank; the process of rank 0 also does what the single process does
// where ranks are threads: it reads requests, prints and writes. A session is
// all that has to know (SessionOptions::world): its calls on rank 0 are
// repeated by the others (Session::follow).
//
// A launcher is an implementation of this interface: runtime/processes with MPI
// or through rank 0 to move bytes.
//
//===----------------------------------------------------------------------===//

#ifndef TPRT_CORE_WORLD_H
#define TPRT_CORE_WORLD_H

#include "Equipment.h"
#include "Team.h"
#include "tprt/error.h"

#include <memory>
#include <string>

namespace tprt {

class World {
public:
  virtual ~World() = default;

  virtual int rank() const = 0;
  virtual int size() const = 0;
  /// Processes of the program, this one included, that run on the same
  /// processors as this one.
  virtual int sharing() const = 0;
  /// The number of this process among those of its host, as the launcher counts them, or by
  /// rank.
  virtual int localRank() const = 0;

  /// Throws `Error` (exit code 2), the same in every process, when they run
  /// different programs or are not as many as `numRanks`.
  virtual void checkProgram(int numRanks) = 0;

  /// The rank of this process in `program`, which must outlive the team, with its
  /// equipment; null: on processors. All processes call it at the same point.
  virtual std::unique_ptr<Team> join(Program &program,
                                     std::unique_ptr<Equipment> equipment = nullptr) = 0;

  /// Messages between processes, in order for each pair. Both throw `Error` when
  /// a process has failed or is lost.
  virtual void send(int to, const std::string &message) = 0;
  virtual std::string receive(int from) = 0;

  /// Ends the program in this process with what it did: nothing wrong, or
  /// `error`. Where processes fail, one of them (the lowest that is left) prints
  /// one error, that of the lowest rank that failed by itself, and all end with
  /// its exit code, without returning. Otherwise waits until all others end, and
  /// returns exit code 0; rank 0 sends all others an empty message before.
  virtual int end(const Error *error) = 0;
};

} // namespace tprt

#endif // TPRT_CORE_WORLD_H
