//===- Driver.h - the CUDA driver, found at run time -------------*- C++ -*-===//
//
// The driver is opened with dlopen, so that a program starts anywhere and says what
// is missing when it needs a GPU.
//
//===----------------------------------------------------------------------===//

#ifndef TPRT_CUDA_DRIVER_H
#define TPRT_CUDA_DRIVER_H

#include "DriverApi.h"

#include <string>

namespace tprt {
class Error;
}

namespace tprt::cuda {

/// The calls of DriverApi.def; those of one that is not available are null.
struct DriverCalls {
#define TPRT_DRIVER_CALL(name, symbol, parameters) Result(*name) parameters = nullptr;
#include "DriverApi.def"
#undef TPRT_DRIVER_CALL
};

class Driver : public DriverCalls {
public:
  /// The driver, opened at the first call: the file that the environment variable
  /// TPRT_CUDA names, else the libcuda.so.1 that the system knows.
  static const Driver &get();

  Driver();

  /// The lowest version that will do, as cuDriverGetVersion tells it: 12.8.
  static constexpr int minVersion = 12080;

  bool available() const { return problemText.empty(); }
  /// Why it is not available: what was looked for, what it lacks and what to do.
  const std::string &problem() const { return problemText; }
  int version() const { return versionNumber; }
  /// "CUDA_ERROR_OUT_OF_MEMORY: out of memory".
  std::string describe(Result result) const;
  /// Throws `Error` with the name of the call and the driver's words unless it is ok.
  void check(Result result, const char *call) const;
  /// That `device`, the current context's, has no memory left: `problem`, what is free, and
  /// what helps.
  Error outOfMemoryError(const std::string &problem, const std::string &device) const;

private:
  std::string open();

  int versionNumber = 0;
  std::string problemText;
};

} // namespace tprt::cuda

#endif // TPRT_CUDA_DRIVER_H
