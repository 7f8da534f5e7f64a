//===- RefusingLibrary.cpp - A cublasLt without memory ---------------------===//
//
// Linked to the emulated one, which has all that is not here.
//
//===----------------------------------------------------------------------===//

#include "runtime/cuda/CublasLtApi.h"

using namespace tprt::cuda;

extern "C" LtStatus cublasLtMatrixLayoutCreate(LtMatrixLayout *, LtType, uint64_t, uint64_t,
                                               int64_t) {
  return ltAllocFailed;
}
