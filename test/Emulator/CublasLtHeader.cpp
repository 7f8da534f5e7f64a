//===- CublasLtHeader.cpp - CublasLtApi.h against cublasLt.h ---------------===//
//
// Compiles where both say the same.
//
//===----------------------------------------------------------------------===//

#include "runtime/cuda/CublasLt.h"
#include <cublasLt.h>
#include <type_traits>

namespace tprt::cuda {
namespace {

/// Enumerations as the integers that they are passed as, opaque structures by ours.
template <typename T> struct Passed {
  using Type = std::conditional_t<std::is_enum_v<T>, int, T>;
};
#define STANDS_FOR(ours, theirs)                                                                   \
  template <> struct Passed<theirs> {                                                              \
    using Type = ours;                                                                             \
  }
STANDS_FOR(LtMatmulDescState, cublasLtMatmulDescOpaque_t);
STANDS_FOR(LtMatrixLayoutState, cublasLtMatrixLayoutOpaque_t);
STANDS_FOR(LtPreferenceState, cublasLtMatmulPreferenceOpaque_t);
STANDS_FOR(LtAlgo, cublasLtMatmulAlgo_t);
STANDS_FOR(LtHeuristicResult, cublasLtMatmulHeuristicResult_t);
template <typename T> struct Passed<const T> {
  using Type = const typename Passed<T>::Type;
};
template <typename T> struct Passed<T *> {
  using Type = typename Passed<T>::Type *;
};
template <typename R, typename... P> struct Passed<R (*)(P...)> {
  using Type = typename Passed<R>::Type (*)(typename Passed<P>::Type...);
};

#define TPRT_CUBLASLT_CALL(result, name, symbol, parameters)                                       \
  static_assert(std::is_same_v<Passed<decltype(CublasLtCalls::name)>::Type,                        \
                               Passed<decltype(&::symbol)>::Type>,                                 \
                #symbol);
#include "runtime/cuda/CublasLtApi.def"
#undef TPRT_CUBLASLT_CALL

static_assert(sizeof(LtAlgo) == sizeof(cublasLtMatmulAlgo_t));
static_assert(sizeof(LtHeuristicResult) == sizeof(cublasLtMatmulHeuristicResult_t));
#define SAME_PLACE(ours, theirs)                                                                   \
  static_assert(                                                                                   \
      offsetof(LtHeuristicResult, ours) == offsetof(cublasLtMatmulHeuristicResult_t, theirs) &&    \
      sizeof(LtHeuristicResult::ours) == sizeof(cublasLtMatmulHeuristicResult_t::theirs))
SAME_PLACE(algo, algo);
SAME_PLACE(workspaceBytes, workspaceSize);
SAME_PLACE(status, state);
SAME_PLACE(waves, wavesCount);

#define SAME(ours, theirs) static_assert(int(ours) == int(theirs), #theirs)
SAME(ltOk, CUBLAS_STATUS_SUCCESS);
SAME(ltNotInitialized, CUBLAS_STATUS_NOT_INITIALIZED);
SAME(ltAllocFailed, CUBLAS_STATUS_ALLOC_FAILED);
SAME(ltInvalidValue, CUBLAS_STATUS_INVALID_VALUE);
SAME(ltArchMismatch, CUBLAS_STATUS_ARCH_MISMATCH);
SAME(ltMappingError, CUBLAS_STATUS_MAPPING_ERROR);
SAME(ltExecutionFailed, CUBLAS_STATUS_EXECUTION_FAILED);
SAME(ltInternalError, CUBLAS_STATUS_INTERNAL_ERROR);
SAME(ltNotSupported, CUBLAS_STATUS_NOT_SUPPORTED);
SAME(ltLicenseError, CUBLAS_STATUS_LICENSE_ERROR);
SAME(ltFloat32, CUDA_R_32F);
SAME(ltFloat64, CUDA_R_64F);
SAME(ltFloat16, CUDA_R_16F);
SAME(ltBfloat16, CUDA_R_16BF);
SAME(ltCompute32, CUBLAS_COMPUTE_32F);
SAME(ltCompute64, CUBLAS_COMPUTE_64F);
SAME(ltComputeTf32, CUBLAS_COMPUTE_32F_FAST_TF32);
SAME(ltPlain, CUBLAS_OP_N);
SAME(ltTransposed, CUBLAS_OP_T);
SAME(ltColumnMajor, CUBLASLT_ORDER_COL);
SAME(ltScalarsOnHost, CUBLASLT_POINTER_MODE_HOST);
SAME(ltNoEpilogue, CUBLASLT_EPILOGUE_DEFAULT);
SAME(ltRelu, CUBLASLT_EPILOGUE_RELU);
SAME(ltBias, CUBLASLT_EPILOGUE_BIAS);
SAME(ltRelu | ltBias, CUBLASLT_EPILOGUE_RELU_BIAS);
SAME(ltGelu, CUBLASLT_EPILOGUE_GELU);
SAME(ltGelu | ltBias, CUBLASLT_EPILOGUE_GELU_BIAS);
SAME(ltPointerMode, CUBLASLT_MATMUL_DESC_POINTER_MODE);
SAME(ltTransposeA, CUBLASLT_MATMUL_DESC_TRANSA);
SAME(ltTransposeB, CUBLASLT_MATMUL_DESC_TRANSB);
SAME(ltEpilogue, CUBLASLT_MATMUL_DESC_EPILOGUE);
SAME(ltBiasPointer, CUBLASLT_MATMUL_DESC_BIAS_POINTER);
SAME(ltBiasBatchStride, CUBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE);
SAME(ltBiasType, CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE);
SAME(ltOrder, CUBLASLT_MATRIX_LAYOUT_ORDER);
SAME(ltBatchCount, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT);
SAME(ltBatchStride, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET);
SAME(ltMaxWorkspaceBytes, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES);
SAME(ltMinAlignmentA, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES);
SAME(ltMinAlignmentB, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES);
SAME(ltMinAlignmentC, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES);
SAME(ltMinAlignmentD, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES);

} // namespace
} // namespace tprt::cuda
