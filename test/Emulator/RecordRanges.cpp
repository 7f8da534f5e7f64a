//===- RecordRanges.cpp - a profiler that writes down ranges ---------------===//
//
// What NVTX_INJECTION64_PATH names in tests: each range that is opened or closed is a line
// of the file TP_RANGES, "THREAD push NAME" or "THREAD pop". With TP_RANGES_REFUSES it does
// not attach.
//
//===----------------------------------------------------------------------===//

#include "runtime/core/NvtxApi.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>

using namespace tprt;

namespace {

int write(const std::string &what) {
  static std::mutex mutex;
  static FILE *const file = std::fopen(std::getenv("TP_RANGES"), "a");
  static std::atomic<int> threads{0};
  thread_local const int thread = threads++;
  std::lock_guard<std::mutex> lock(mutex);
  std::fprintf(file, "%d %s\n", thread, what.c_str());
  std::fflush(file);
  return 0;
}

int push(const char *name) { return write(std::string("push ") + name); }
int pop() { return write("pop"); }

} // namespace

extern "C" int InitializeInjectionNvtx2(nvtx::GetTable getTable) {
  if (std::getenv("TP_RANGES_REFUSES"))
    return 0;
  const auto *callbacks = static_cast<const nvtx::Callbacks *>(getTable(nvtx::callbacks));
  const auto *versions = static_cast<const nvtx::VersionInfo *>(getTable(nvtx::versionInfo));
  nvtx::Function **functions = nullptr;
  unsigned count = 0;
  if (!callbacks || callbacks->bytes < sizeof *callbacks || !versions || getTable(99) ||
      callbacks->getFunctions(nvtx::numModules, nullptr, nullptr) ||
      !callbacks->getFunctions(nvtx::core, &functions, &count) || count <= nvtx::rangePop)
    return 0;
  versions->setInjectionVersion(nvtx::version);
  *functions[nvtx::rangePushA] = reinterpret_cast<nvtx::Function>(push);
  *functions[nvtx::rangePop] = reinterpret_cast<nvtx::Function>(pop);
  return 1;
}
