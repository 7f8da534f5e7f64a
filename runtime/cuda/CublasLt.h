//===- CublasLt.h - cublasLt, found at run time ------------------*- C++ -*-===//

#ifndef TPRT_CUDA_CUBLASLT_H
#define TPRT_CUDA_CUBLASLT_H

#include "CublasLtApi.h"

#include <string>

namespace tprt::cuda {

/// The calls of CublasLtApi.def; those of one that is not available are null.
struct CublasLtCalls {
#define TPRT_CUBLASLT_CALL(result, name, symbol, parameters) result(*name) parameters = nullptr;
#include "CublasLtApi.def"
#undef TPRT_CUBLASLT_CALL
};

class CublasLt : public CublasLtCalls {
public:
  /// The library, opened at the first call: the file that the environment variable
  /// TPRT_CUBLASLT names, else a libcublasLt.so.13 or, which older drivers need,
  /// libcublasLt.so.12 of the system or of Python's packages.
  static const CublasLt &get();

  CublasLt();

  /// The lowest version that will do, as cublasLtGetVersion tells it: 12.0.
  static constexpr size_t minVersion = 120000;

  bool available() const { return problemText.empty(); }
  /// Why it is not available: what was looked for, what it lacks and what to do.
  const std::string &problem() const { return problemText; }
  size_t version() const { return versionNumber; }
  /// "13.1.0".
  std::string versionText() const;
  /// "CUBLAS_STATUS_NOT_SUPPORTED: the requested functionality is not supported".
  std::string describe(LtStatus status) const;

private:
  std::string open();

  size_t versionNumber = 0;
  std::string problemText;
};

} // namespace tprt::cuda

#endif // TPRT_CUDA_CUBLASLT_H
