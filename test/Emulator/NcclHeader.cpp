//===- NcclHeader.cpp - NcclApi.h against nccl.h ---------------------------===//
//
// Compiles where both say the same.
//
//===----------------------------------------------------------------------===//

#include "runtime/cuda/Nccl.h"
#include <cstddef>
#include <nccl.h>
#include <type_traits>

namespace tprt::cuda {
namespace {

/// Enumerations as the integers that they are passed as, structures by their size.
template <typename T> struct Passed {
  using Type = std::conditional_t<std::is_enum_v<T>, int, T>;
};
template <> struct Passed<ncclUniqueId> {
  using Type = UniqueId;
};
static_assert(sizeof(ncclUniqueId) == sizeof(UniqueId));
template <> struct Passed<ncclConfig_t> {
  using Type = CommConfig;
};
#define SAME_PLACE(field)                                                                          \
  static_assert(offsetof(CommConfig, field) == offsetof(ncclConfig_t, field))
SAME_PLACE(size);
SAME_PLACE(magic);
SAME_PLACE(version);
SAME_PLACE(blocking);
SAME_PLACE(cgaClusterSize);
SAME_PLACE(minCTAs);
SAME_PLACE(maxCTAs);
SAME_PLACE(netName);
SAME_PLACE(splitShare);
static_assert(sizeof(CommConfig) <= sizeof(ncclConfig_t));
template <typename T> struct Passed<T *> {
  using Type = typename Passed<T>::Type *;
};
template <typename R, typename... P> struct Passed<R (*)(P...)> {
  using Type = typename Passed<R>::Type (*)(typename Passed<P>::Type...);
};

#define TPRT_NCCL_CALL(name, symbol, parameters)                                                   \
  static_assert(                                                                                   \
      std::is_same_v<Passed<decltype(NcclCalls::name)>::Type, Passed<decltype(&::symbol)>::Type>,  \
      #symbol);
#include "runtime/cuda/NcclApi.def"
#undef TPRT_NCCL_CALL

#define SAME(ours, theirs) static_assert(int(ours) == int(theirs), #theirs)
SAME(ncclOk, ncclSuccess);
SAME(tprt::cuda::ncclUnhandledCudaError, ::ncclUnhandledCudaError);
SAME(tprt::cuda::ncclInvalidArgument, ::ncclInvalidArgument);
SAME(tprt::cuda::ncclInvalidUsage, ::ncclInvalidUsage);
SAME(tprt::cuda::ncclRemoteError, ::ncclRemoteError);
SAME(tprt::cuda::ncclInProgress, ::ncclInProgress);
SAME(tprt::cuda::ncclInt8, ::ncclInt8);
SAME(tprt::cuda::ncclUint8, ::ncclUint8);
SAME(tprt::cuda::ncclInt32, ::ncclInt32);
SAME(tprt::cuda::ncclUint32, ::ncclUint32);
SAME(tprt::cuda::ncclInt64, ::ncclInt64);
SAME(tprt::cuda::ncclUint64, ::ncclUint64);
SAME(tprt::cuda::ncclFloat16, ::ncclFloat16);
SAME(tprt::cuda::ncclFloat32, ::ncclFloat32);
SAME(tprt::cuda::ncclFloat64, ::ncclFloat64);
SAME(tprt::cuda::ncclBfloat16, ::ncclBfloat16);
SAME(tprt::cuda::ncclSum, ::ncclSum);
SAME(tprt::cuda::ncclProd, ::ncclProd);
SAME(tprt::cuda::ncclMax, ::ncclMax);
SAME(tprt::cuda::ncclMin, ::ncclMin);
SAME(noColor, NCCL_SPLIT_NOCOLOR);
SAME(symmetricWindow, NCCL_WIN_COLL_SYMMETRIC);
SAME(windowAlignment, NCCL_WIN_REQUIRED_ALIGNMENT);
constexpr ncclConfig_t initial = NCCL_CONFIG_INITIALIZER;
static_assert(CommConfig().magic == initial.magic &&
              CommConfig().version == NCCL_VERSION(2, 18, 0));
static_assert(CommConfig().blocking == initial.blocking);

} // namespace
} // namespace tprt::cuda
