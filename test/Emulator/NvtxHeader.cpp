//===- NvtxHeader.cpp - NvtxApi.h against NVTX 3's headers -----------------===//
//
// Compiles where both say the same.
//
//===----------------------------------------------------------------------===//

#include "runtime/core/NvtxApi.h"
#include <nvtx3/nvToolsExt.h>
#include <type_traits>

namespace tprt::nvtx {
namespace {

#define SAME(ours, theirs) static_assert(long(ours) == long(theirs), #theirs)
SAME(version, NVTX_VERSION);
SAME(callbacks, NVTX_ETID_CALLBACKS);
SAME(versionInfo, NVTX_ETID_VERSIONINFO);
SAME(core, NVTX_CB_MODULE_CORE);
SAME(sync, NVTX_CB_MODULE_SYNC);
SAME(numModules, NVTX_CB_MODULE_SIZE);
SAME(numFunctions[core], NVTX_CBID_CORE_SIZE);
SAME(numFunctions[cuda], NVTX_CBID_CUDA_SIZE);
SAME(numFunctions[openCl], NVTX_CBID_OPENCL_SIZE);
SAME(numFunctions[cudaRuntime], NVTX_CBID_CUDART_SIZE);
SAME(numFunctions[core2], NVTX_CBID_CORE2_SIZE);
SAME(numFunctions[sync], NVTX_CBID_SYNC_SIZE);
SAME(rangePushA, NVTX_CBID_CORE_RangePushA);
SAME(rangePop, NVTX_CBID_CORE_RangePop);
static_assert(std::is_same_v<Function, NvtxFunctionPointer>);
static_assert(std::is_same_v<GetTable, NvtxGetExportTableFunc_t>);
static_assert(std::is_same_v<Initialize, NvtxInitializeInjectionNvtxFunc_t>);
static_assert(std::is_same_v<RangePushA, nvtxRangePushA_impl_fntype>);
static_assert(std::is_same_v<RangePop, nvtxRangePop_impl_fntype>);

#define SAME_PLACE(ours, oursField, theirs, theirsField)                                           \
  static_assert(offsetof(ours, oursField) == offsetof(theirs, theirsField) &&                      \
                    sizeof(ours::oursField) == sizeof(theirs::theirsField),                        \
                #theirs "::" #theirsField)
static_assert(sizeof(Callbacks) == sizeof(NvtxExportTableCallbacks));
SAME_PLACE(Callbacks, bytes, NvtxExportTableCallbacks, struct_size);
SAME_PLACE(Callbacks, getFunctions, NvtxExportTableCallbacks, GetModuleFunctionTable);
static_assert(sizeof(VersionInfo) == sizeof(NvtxExportTableVersionInfo));
SAME_PLACE(VersionInfo, version, NvtxExportTableVersionInfo, version);
SAME_PLACE(VersionInfo, setInjectionVersion, NvtxExportTableVersionInfo, SetInjectionNvtxVersion);

} // namespace
} // namespace tprt::nvtx
