//===- CublasLtApi.h - types and numbers of cublasLt -------------*- C++ -*-===//
//
// As DriverApi.h: what is used, without cublasLt's own header.
//
//===----------------------------------------------------------------------===//

#ifndef TPRT_CUDA_CUBLASLTAPI_H
#define TPRT_CUDA_CUBLASLTAPI_H

#include "DriverApi.h"

#include <cstdint>

struct cublasLtContext;

namespace tprt::cuda {

/// cublasStatus_t.
enum LtStatus : int {
  ltOk = 0,
  ltNotInitialized = 1,
  ltAllocFailed = 3,
  ltInvalidValue = 7,
  ltArchMismatch = 8,
  ltMappingError = 11,
  ltExecutionFailed = 13,
  ltInternalError = 14,
  ltNotSupported = 15,
  ltLicenseError = 16,
};

/// cudaDataType_t.
enum LtType : int { ltFloat32 = 0, ltFloat64 = 1, ltFloat16 = 2, ltBfloat16 = 14 };
/// cublasComputeType_t: sums in f32, with f32 operands as they are or rounded to tf32, or
/// in f64.
enum LtCompute : int { ltCompute32 = 68, ltCompute64 = 70, ltComputeTf32 = 77 };
/// cublasOperation_t.
enum LtTranspose : int { ltPlain = 0, ltTransposed = 1 };
/// cublasLtOrder_t.
enum LtOrder : int { ltColumnMajor = 0 };
/// cublasLtPointerMode_t: where alpha and beta are.
enum LtPointerMode : int { ltScalarsOnHost = 0 };
/// cublasLtEpilogue_t; their union where several are wanted, but ltNoEpilogue.
enum LtEpilogue : uint32_t {
  ltNoEpilogue = 1,
  ltRelu = 2,
  ltBias = 4,
  /// In its tanh form.
  ltGelu = 32,
};

/// cublasLtMatmulDescAttributes_t, with the type of each value.
enum LtMatmulAttribute : int {
  ltPointerMode = 2,      // int32_t
  ltTransposeA = 3,       // int32_t
  ltTransposeB = 4,       // int32_t
  ltEpilogue = 7,         // uint32_t
  ltBiasPointer = 8,      // const void *
  ltBiasBatchStride = 10, // int64_t, in elements
  ltBiasType = 26,        // int32_t; of D where it is not set
};
/// cublasLtMatrixLayoutAttribute_t.
enum LtLayoutAttribute : int {
  ltOrder = 1,       // int32_t
  ltBatchCount = 5,  // int32_t
  ltBatchStride = 6, // int64_t, in elements
};
/// cublasLtMatmulPreferenceAttributes_t.
enum LtPreferenceAttribute : int {
  ltMaxWorkspaceBytes = 1, // uint64_t
  // uint32_t, in bytes: 256 where they are not set.
  ltMinAlignmentA = 5,
  ltMinAlignmentB = 6,
  ltMinAlignmentC = 7,
  ltMinAlignmentD = 8,
};

using LtHandle = cublasLtContext *;
using LtMatmulDesc = struct LtMatmulDescState *;
using LtMatrixLayout = struct LtMatrixLayoutState *;
using LtPreference = struct LtPreferenceState *;

/// cublasLtMatmulAlgo_t. Bytes that mean the same to each process with the same version
/// of the library.
struct LtAlgo {
  uint64_t data[8];
};

/// cublasLtMatmulHeuristicResult_t.
struct LtHeuristicResult {
  LtAlgo algo;
  size_t workspaceBytes;
  LtStatus status;
  float waves;
  int reserved[4];
};

} // namespace tprt::cuda

#endif // TPRT_CUDA_CUBLASLTAPI_H
