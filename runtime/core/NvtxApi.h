//===- NvtxApi.h - how a profiler attaches, as NVTX 3 has it ----*- C++ -*-===//
//
// The part of nvtxDetail/nvtxTypes.h that is used, so that no header of the toolkit is
// needed; where there is one, test/Emulator/NvtxHeader.cpp compares the two.
//
// A profiler's library has `InitializeInjectionNvtx2`, which gets a function that gives
// tables by number. That of callbacks gives, per module, an array of pointers to where the
// profiler puts its functions.
//
//===----------------------------------------------------------------------===//

#ifndef TPRT_CORE_NVTXAPI_H
#define TPRT_CORE_NVTXAPI_H

#include <cstddef>
#include <cstdint>

namespace tprt::nvtx {

constexpr const char *pathVariable = "NVTX_INJECTION64_PATH";
constexpr const char *initializeSymbol = "InitializeInjectionNvtx2";
constexpr uint32_t version = 3;

enum Table : uint32_t { callbacks = 1, versionInfo = 3 };
enum Module : uint32_t { core = 1, cuda, openCl, cudaRuntime, core2, sync, numModules };
/// How many numbers each module has; 0, the first, is no function.
constexpr unsigned numFunctions[numModules] = {0, 16, 9, 15, 7, 16, 7};
enum CoreFunction : uint32_t { rangePushA = 9, rangePop = 11 };

using Function = void (*)();
using GetTable = const void *(*)(uint32_t table);
using Initialize = int (*)(GetTable getTable); ///< 0 where the profiler does not attach
using RangePushA = int (*)(const char *name);
using RangePop = int (*)();

struct Callbacks {
  size_t bytes;
  /// 0 where there is no such module.
  int (*getFunctions)(uint32_t module, Function ***functions, unsigned *count);
};

struct VersionInfo {
  size_t bytes;
  uint32_t version;
  uint32_t reserved;
  void (*setInjectionVersion)(uint32_t version);
};

} // namespace tprt::nvtx

#endif // TPRT_CORE_NVTXAPI_H
