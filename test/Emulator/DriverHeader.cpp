//===- DriverHeader.cpp - DriverApi.h against cuda.h -----------------------===//
//
// Compiles where both say the same.
//
//===----------------------------------------------------------------------===//

#include "runtime/cuda/Driver.h"
#include <cuda.h>
#include <type_traits>

namespace tprt::cuda {
namespace {

/// Enumerations as the integers that they are passed as, structures by their layout.
template <typename T> struct Passed {
  using Type = std::conditional_t<std::is_enum_v<T>, int, T>;
};
template <> struct Passed<const CUDA_MEMCPY2D *> {
  using Type = const Copy2D *;
};
template <> struct Passed<CUuuid *> {
  using Type = Uuid *;
};
template <typename R, typename... P> struct Passed<R (*)(P...)> {
  using Type = typename Passed<R>::Type (*)(typename Passed<P>::Type...);
};
static_assert(sizeof(Copy2D) == sizeof(CUDA_MEMCPY2D));
static_assert(sizeof(Uuid) == sizeof(CUuuid));
#define SAME_PLACE(ours, theirs)                                                                   \
  static_assert(offsetof(Copy2D, ours) == offsetof(CUDA_MEMCPY2D, theirs), #theirs)
SAME_PLACE(fromType, srcMemoryType);
SAME_PLACE(fromDevice, srcDevice);
SAME_PLACE(fromPitch, srcPitch);
SAME_PLACE(toX, dstXInBytes);
SAME_PLACE(toType, dstMemoryType);
SAME_PLACE(toDevice, dstDevice);
SAME_PLACE(toPitch, dstPitch);
SAME_PLACE(rowBytes, WidthInBytes);
SAME_PLACE(rows, Height);

#define TPRT_DRIVER_CALL(name, symbol, parameters)                                                 \
  static_assert(std::is_same_v<Passed<decltype(DriverCalls::name)>::Type,                          \
                               Passed<decltype(&::symbol)>::Type>,                                 \
                #symbol);
#include "runtime/cuda/DriverApi.def"
#undef TPRT_DRIVER_CALL

#define SAME(ours, theirs) static_assert(int(ours) == int(theirs), #theirs)
SAME(ok, CUDA_SUCCESS);
SAME(invalidValue, CUDA_ERROR_INVALID_VALUE);
SAME(outOfMemory, CUDA_ERROR_OUT_OF_MEMORY);
SAME(notInitialized, CUDA_ERROR_NOT_INITIALIZED);
SAME(noDevice, CUDA_ERROR_NO_DEVICE);
SAME(invalidDevice, CUDA_ERROR_INVALID_DEVICE);
SAME(invalidImage, CUDA_ERROR_INVALID_IMAGE);
SAME(invalidContext, CUDA_ERROR_INVALID_CONTEXT);
SAME(noBinaryForGpu, CUDA_ERROR_NO_BINARY_FOR_GPU);
SAME(invalidHandle, CUDA_ERROR_INVALID_HANDLE);
SAME(illegalState, CUDA_ERROR_ILLEGAL_STATE);
SAME(notFound, CUDA_ERROR_NOT_FOUND);
SAME(notReady, CUDA_ERROR_NOT_READY);
SAME(illegalAddress, CUDA_ERROR_ILLEGAL_ADDRESS);
SAME(launchFailed, CUDA_ERROR_LAUNCH_FAILED);
SAME(captureUnsupported, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
SAME(captureInvalidated, CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
SAME(captureMerge, CUDA_ERROR_STREAM_CAPTURE_MERGE);
SAME(captureUnmatched, CUDA_ERROR_STREAM_CAPTURE_UNMATCHED);
SAME(captureUnjoined, CUDA_ERROR_STREAM_CAPTURE_UNJOINED);
SAME(captureIsolation, CUDA_ERROR_STREAM_CAPTURE_ISOLATION);
SAME(captureWrongThread, CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD);
SAME(maxThreadsPerBlock, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
SAME(warpSizeAttribute, CU_DEVICE_ATTRIBUTE_WARP_SIZE);
SAME(multiprocessorCount, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
SAME(computeCapabilityMajor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
SAME(computeCapabilityMinor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
SAME(maxSharedMemoryPerBlockOptin, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
SAME(memoryOfDevice, CU_MEMORYTYPE_DEVICE);
SAME(maxDynamicSharedBytes, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES);
SAME(streamNonBlocking, CU_STREAM_NON_BLOCKING);
SAME(eventDisableTiming, CU_EVENT_DISABLE_TIMING);
SAME(eventRecordExternal, CU_EVENT_RECORD_EXTERNAL);
SAME(captureThreadLocal, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL);

} // namespace
} // namespace tprt::cuda
