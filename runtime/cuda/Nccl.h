//===- Nccl.h - NCCL, found at run time --------------------------*- C++ -*-===//

#ifndef TPRT_CUDA_NCCL_H
#define TPRT_CUDA_NCCL_H

#include "NcclApi.h"

#include <string>

namespace tprt {
class Error;
}

namespace tprt::cuda {

/// The calls of NcclApi.def; those of one that is not available are null.
struct NcclCalls {
#define TPRT_NCCL_CALL(name, symbol, parameters) NcclResult(*name) parameters = nullptr;
#include "NcclApi.def"
#undef TPRT_NCCL_CALL
  const char *(*getLastError)(Comm) = nullptr;
};

class Nccl : public NcclCalls {
public:
  /// The library, opened at the first call: the file that the environment variable
  /// TPRT_NCCL names, else a libnccl.so.2 of the system or of Python's packages.
  static const Nccl &get();

  Nccl();

  /// The lowest version that will do, as ncclGetVersion tells it: 2.18, which has split.
  static constexpr int minVersion = 21800;
  /// The lowest version that has symmetric windows.
  static constexpr int windowVersion = 22700;

  bool available() const { return problemText.empty(); }
  /// Why it is not available: what was looked for, what it lacks and what to do.
  const std::string &problem() const { return problemText; }
  int version() const { return versionNumber; }
  /// Why it has no symmetric windows; empty where it has.
  const std::string &windowProblem() const { return windowProblemText; }
  /// What to throw where a call fails: NCCL's own words, and what helps against what a machine
  /// does not let it do.
  Error failureOf(const std::string &call, NcclResult result, Comm comm = nullptr) const;

private:
  std::string open();

  int versionNumber = 0;
  std::string windowProblemText;
  std::string problemText; ///< behind what `open`, which gives it, sets
};

} // namespace tprt::cuda

#endif // TPRT_CUDA_NCCL_H
