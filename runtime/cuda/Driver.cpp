//===- Driver.cpp - the CUDA driver, found at run time ---------------------===//

#include "Driver.h"

#include "Library.h"
#include "tprt/error.h"

using namespace tprt::cuda;

namespace {

/// "12.8" of 12080.
std::string versionText(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

} // namespace

const Driver &Driver::get() {
  static const Driver driver;
  return driver;
}

Driver::Driver() : problemText(open()) {
  if (!problemText.empty())
    static_cast<DriverCalls &>(*this) = DriverCalls();
}

std::string Driver::open() {
  const Library library("TPRT_CUDA", {"libcuda.so.1"});
  if (!library)
    return "the CUDA driver is not found (" + library.problem() +
           "); install NVIDIA's driver or set TPRT_CUDA to its libcuda.so.1";
  auto *version = reinterpret_cast<Result (*)(int *)>(library.find("cuDriverGetVersion"));
  if (!version)
    return library.name() + " has no function cuDriverGetVersion, so it is not the CUDA driver";
  version(&versionNumber);
  if (versionNumber < minVersion)
    return library.name() + " is a driver for CUDA " + versionText(versionNumber) + ", at least " +
           versionText(minVersion) + " is needed: install a newer driver";
#define TPRT_DRIVER_CALL(call, symbol, parameters)                                                 \
  call = reinterpret_cast<Result(*) parameters>(library.find(#symbol));                            \
  if (!call)                                                                                       \
    return library.lacks(#symbol, "a newer driver");
#include "DriverApi.def"
#undef TPRT_DRIVER_CALL
  if (const Result result = init(0))
    return "the CUDA driver does not start: " + describe(result);
  return "";
}

std::string Driver::describe(Result result) const {
  const char *name = nullptr, *text = nullptr;
  getErrorName(result, &name);
  getErrorString(result, &text);
  if (!name)
    return "error " + std::to_string(result) + " of the CUDA driver";
  return std::string(name) + (text ? std::string(": ") + text : "");
}

tprt::Error Driver::outOfMemoryError(const std::string &problem, const std::string &device) const {
  size_t free = 0, total = 0;
  memGetInfo(&free, &total);
  return runFailure(problem + ": " + device + " has " + std::to_string(free) + " of " +
                        std::to_string(total) + " bytes free",
                    {"more ranks hold less each: compile with a larger mesh (--mesh tp=N)",
                     "a shorter cache holds less: import with a smaller --max-seq",
                     "a smaller prefill needs a smaller arena: import with a smaller --chunk"},
                    TPRT_OUT_OF_MEMORY);
}

void Driver::check(Result result, const char *call) const {
  if (result == outOfMemory)
    throw outOfMemoryError(std::string(call) + ": " + describe(result), "the GPU");
  if (result != ok)
    throw runFailure(std::string(call) + ": " + describe(result));
}
