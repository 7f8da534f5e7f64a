//===- Backend.h - backends under the conformance suite ---------*- C++ -*-===//
//
// A test describes a mesh and what each rank does; a backend runs it. Threads are
// the backend of tprt_tests (Backend.cpp). tprt_process_tests runs as several
// processes, which all go through the same tests (ProcessBackend.cpp): there `run`
// calls `body` for the rank of each process, so bodies must not share variables.
//
//===----------------------------------------------------------------------===//

#ifndef TPRT_TEST_RUNTIME_BACKEND_H
#define TPRT_TEST_RUNTIME_BACKEND_H

#include "core/Context.h"
#include "tprt/manifest.h"

#include <functional>
#include <string>
#include <vector>

namespace tprt_test {

using Body = std::function<tprt_status_t(tprt_context &)>;

struct RunSpec {
  std::vector<int64_t> mesh; ///< sizes of axes "a", "b", ...
  std::vector<std::vector<tprt::AxisPart>> groups;
  std::vector<tprt::Operation> operations = {{"op0", "model.mlir:1:1", "because"}};
  tprt::ProgramOptions options;
};

struct Backend {
  const char *name;
  /// Runs `body` on every rank; `repeats` times in the same program while no
  /// rank fails. Returns the failure that is reported.
  std::function<tprt::Failure(const RunSpec &, const Body &body, int repeats)> run;
};

const std::vector<Backend> &allBackends();

inline int numRanks(const RunSpec &spec) {
  int64_t ranks = 1;
  for (int64_t size : spec.mesh)
    ranks *= size;
  return int(ranks);
}

/// Part of a whole axis of size `size`.
inline tprt::AxisPart wholeAxis(int axis, int64_t size) { return {axis, 1, size}; }

} // namespace tprt_test

#endif // TPRT_TEST_RUNTIME_BACKEND_H
