//===- Rendezvous.h - processes that come to rank 0 -------------*- C++ -*-===//
//
// How processes find each other without MPI, from what torchrun and others put into
// the environment: rank 0 listens at an address that all know, the others connect to
// it and say the job's token. When all have come, nothing listens any more.
//
//===----------------------------------------------------------------------===//

#ifndef TPRT_PROCESSES_RENDEZVOUS_H
#define TPRT_PROCESSES_RENDEZVOUS_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tprt {

/// Where and as who a process comes.
struct Rendezvous {
  int rank = 0, size = 1;
  std::string address; ///< of rank 0's host: name or number
  uint16_t port = 0;
  std::string token;   ///< what processes of this job know; at most kMaxToken bytes
  double seconds = 60; ///< in which all must have come

  static constexpr size_t kMaxToken = 256;
};

/// A connection of rank 0 with each other process, by rank: all on rank 0, that with
/// rank 0 on the others, -1 elsewhere. Throws `Error`: of bad input where the address, a
/// rank, the number of processes or the token does not fit, otherwise (exit code 3) where
/// the port is taken, rank 0 is not there, or ranks did not come, which are named. Rank 0
/// tells those that came that it gives up: they throw a failure with status TPRT_ABORTED.
std::vector<int> meetAtRankZero(const Rendezvous &rendezvous);

} // namespace tprt

#endif // TPRT_PROCESSES_RENDEZVOUS_H
