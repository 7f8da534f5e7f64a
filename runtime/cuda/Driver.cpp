//===- Driver.cpp - the CUDA driver, found at run time ---------------------===//

#include "Driver.h"

#include <cstdlib>
#include <dlfcn.h>

using namespace tprt::cuda;

namespace {

/// "12.8" of 12080.
std::string versionText(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

} // namespace

const Driver &Driver::get() {
  static const Driver driver([] {
    const char *chosen = std::getenv("TPRT_CUDA");
    return std::string(chosen ? chosen : "");
  }());
  return driver;
}

Driver::Driver(const std::string &file) : problemText(open(file)) {
  if (!problemText.empty())
    static_cast<DriverCalls &>(*this) = DriverCalls();
}

std::string Driver::open(const std::string &file) {
  const std::string name = file.empty() ? "libcuda.so.1" : file;
  void *handle = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle)
    return "the CUDA driver is not found (" + std::string(dlerror()) +
           "); install NVIDIA's driver or set TPRT_CUDA to its libcuda.so.1";
  if (auto *version = reinterpret_cast<Result (*)(int *)>(dlsym(handle, "cuDriverGetVersion")))
    version(&versionNumber);
  else
    return name + " has no function cuDriverGetVersion, so it is not the CUDA driver";
  if (versionNumber < minVersion)
    return name + " is a CUDA driver for CUDA " + versionText(versionNumber) + ", at least " +
           versionText(minVersion) + " is needed: install a newer driver";
#define TPRT_DRIVER_CALL(name, symbol, parameters)                                                 \
  name = reinterpret_cast<Result(*) parameters>(dlsym(handle, #symbol));                           \
  if (!name)                                                                                       \
    return "the CUDA driver lacks the function " #symbol ": install a newer one";
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
