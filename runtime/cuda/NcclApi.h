//===- NcclApi.h - types and numbers of NCCL ---------------------*- C++ -*-===//
//
// As DriverApi.h: what is used, without NCCL's own header.
//
//===----------------------------------------------------------------------===//

#ifndef TPRT_CUDA_NCCLAPI_H
#define TPRT_CUDA_NCCLAPI_H

#include "DriverApi.h"

#include <climits>
#include <cstddef>
#include <cstdint>

struct ncclComm;
struct ncclWindow_vidmem;

namespace tprt::cuda {

/// ncclResult_t.
enum NcclResult : int {
  ncclOk = 0,
  ncclUnhandledCudaError = 1,
  ncclSystemError = 2,
  ncclInvalidArgument = 4,
  ncclInvalidUsage = 5,
  ncclRemoteError = 6,
  ncclInProgress = 7,
};

/// ncclDataType_t.
enum NcclType : int {
  ncclInt8 = 0,
  ncclUint8 = 1,
  ncclInt32 = 2,
  ncclUint32 = 3,
  ncclInt64 = 4,
  ncclUint64 = 5,
  ncclFloat16 = 6,
  ncclFloat32 = 7,
  ncclFloat64 = 8,
  ncclBfloat16 = 9,
};

/// ncclRedOp_t.
enum NcclReduction : int { ncclSum = 0, ncclProd = 1, ncclMax = 2, ncclMin = 3 };

/// ncclUniqueId.
struct UniqueId {
  char bytes[128];
};

using Comm = ncclComm *;
using Window = ncclWindow_vidmem *;
/// NCCL_WIN_COLL_SYMMETRIC: the same places on all ranks.
constexpr int symmetricWindow = 1;
/// NCCL_WIN_REQUIRED_ALIGNMENT.
constexpr int64_t windowAlignment = 4096;

/// ncclConfig_t of 2.18, which later versions take as well.
struct CommConfig {
  size_t size = sizeof(CommConfig);
  unsigned magic = 0xcafebeef;
  unsigned version = 21800;
  int blocking = INT_MIN; ///< this, and what follows: the library's own
  int cgaClusterSize = INT_MIN;
  int minCTAs = INT_MIN;
  int maxCTAs = INT_MIN;
  const char *netName = nullptr;
  int splitShare = INT_MIN;
};
/// A color of commSplit that makes no part.
constexpr int noColor = -1;

} // namespace tprt::cuda

#endif // TPRT_CUDA_NCCLAPI_H
