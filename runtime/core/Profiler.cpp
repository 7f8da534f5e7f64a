//===- Profiler.cpp - what ranks do, named for a profiler -----------------===//

#include "Profiler.h"

#include "NvtxApi.h"

#include <cstdlib>
#include <dlfcn.h>

using namespace tprt;

namespace {

/// Where the profiler puts its functions, those that are never called too.
struct Functions {
  static constexpr unsigned kMost = 16;
  nvtx::Function functions[nvtx::numModules][kMost] = {};
  nvtx::Function *places[nvtx::numModules][kMost + 1] = {}; ///< null at the end of each

  Functions() {
    for (uint32_t module = 1; module < nvtx::numModules; ++module)
      for (unsigned i = 1; i < nvtx::numFunctions[module]; ++i)
        places[module][i] = &functions[module][i];
  }
  static Functions &get() {
    static Functions functions;
    return functions;
  }
};

int getFunctions(uint32_t module, nvtx::Function ***functions, unsigned *count) {
  if (module == 0 || module >= nvtx::numModules)
    return 0;
  if (functions)
    *functions = Functions::get().places[module];
  if (count)
    *count = nvtx::numFunctions[module];
  return 1;
}

const void *getTable(uint32_t table) {
  static const nvtx::Callbacks callbacks = {sizeof callbacks, getFunctions};
  static const nvtx::VersionInfo versionInfo = {sizeof versionInfo, nvtx::version, 0,
                                                [](uint32_t) {}};
  if (table == nvtx::callbacks)
    return &callbacks;
  return table == nvtx::versionInfo ? &versionInfo : nullptr;
}

} // namespace

const Profiler *Profiler::get() {
  static const Profiler profiler;
  return profiler.pushRange && profiler.popRange ? &profiler : nullptr;
}

// What a profiler cannot do is no failure of the program.
Profiler::Profiler() {
  const char *path = std::getenv(nvtx::pathVariable);
  void *library = path && *path ? dlopen(path, RTLD_LAZY) : nullptr;
  if (!library)
    return;
  const auto initialize =
      reinterpret_cast<nvtx::Initialize>(dlsym(library, nvtx::initializeSymbol));
  if (!initialize || !initialize(getTable)) {
    dlclose(library);
    return;
  }
  const nvtx::Function *core = Functions::get().functions[nvtx::core];
  pushRange = reinterpret_cast<nvtx::RangePushA>(core[nvtx::rangePushA]);
  popRange = reinterpret_cast<nvtx::RangePop>(core[nvtx::rangePop]);
}
