//===- DriverApi.h - types and numbers of the CUDA driver -------*- C++ -*-===//
//
// What is used of the driver, so that building needs no CUDA toolkit. Where the
// toolkit is installed a test compares all of it with cuda.h.
//
//===----------------------------------------------------------------------===//

#ifndef TPRT_CUDA_DRIVERAPI_H
#define TPRT_CUDA_DRIVERAPI_H

#include <cstddef>

struct CUctx_st;
struct CUstream_st;
struct CUevent_st;
struct CUmod_st;
struct CUfunc_st;
struct CUgraph_st;
struct CUgraphExec_st;

namespace tprt::cuda {

/// CUresult; numbers that the code asks for.
enum Result : int {
  ok = 0,
  invalidValue = 1,
  outOfMemory = 2,
  notInitialized = 3,
  noDevice = 100,
  invalidDevice = 101,
  invalidImage = 200,
  invalidContext = 201,
  noBinaryForGpu = 209,
  invalidHandle = 400,
  illegalState = 401,
  notFound = 500,
  notReady = 600,
  illegalAddress = 700,
  launchFailed = 719,
  captureUnsupported = 900,
  captureInvalidated = 901,
  captureMerge = 902,
  captureUnmatched = 903,
  captureUnjoined = 904,
  captureIsolation = 905,
  captureWrongThread = 908,
};

using Device = int;
using DevicePointer = unsigned long long;
using Context = CUctx_st *;
using Stream = CUstream_st *;
using Event = CUevent_st *;
using Module = CUmod_st *;
using Function = CUfunc_st *;
using Graph = CUgraph_st *;
using GraphExec = CUgraphExec_st *;

/// CUuuid.
struct Uuid {
  char bytes[16];
};
/// CUdevice_attribute.
enum DeviceAttribute : int {
  maxThreadsPerBlock = 1,
  warpSizeAttribute = 10,
  multiprocessorCount = 16,
  computeCapabilityMajor = 75,
  computeCapabilityMinor = 76,
  maxSharedMemoryPerBlockOptin = 97,
};
/// CUmemorytype.
enum MemoryType : unsigned { memoryOfDevice = 2 };
/// CUDA_MEMCPY2D.
struct Copy2D {
  size_t fromX = 0, fromY = 0;
  MemoryType fromType;
  const void *fromHost = nullptr;
  DevicePointer fromDevice = 0;
  void *fromArray = nullptr;
  size_t fromPitch = 0;
  size_t toX = 0, toY = 0;
  MemoryType toType;
  void *toHost = nullptr;
  DevicePointer toDevice = 0;
  void *toArray = nullptr;
  size_t toPitch = 0;
  size_t rowBytes = 0, rows = 0;
};
/// CUfunction_attribute.
enum FunctionAttribute : int { maxDynamicSharedBytes = 8 };
/// CUstream_flags, CUevent_flags.
enum StreamFlags : unsigned { streamNonBlocking = 1 };
enum EventFlags : unsigned { eventDisableTiming = 2 };
/// CUevent_record_flags: while its stream is captured, an event that is recorded by each
/// launch of the graph.
enum EventRecordFlags : unsigned { eventRecordExternal = 1 };
/// CUstreamCaptureMode.
enum CaptureMode : int { captureThreadLocal = 1 };

} // namespace tprt::cuda

#endif // TPRT_CUDA_DRIVERAPI_H
