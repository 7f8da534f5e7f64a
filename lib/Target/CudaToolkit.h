//===- CudaToolkit.h - Where CUDA's tools and files are --------*- C++ -*-===//

#ifndef TP_LIB_TARGET_CUDATOOLKIT_H
#define TP_LIB_TARGET_CUDATOOLKIT_H

#include "mlir/Support/LLVM.h"
#include <optional>
#include <string>

namespace mlir {
namespace tp {

/// A file of the CUDA toolkit, by its path in it: in the folder that the environment
/// variable CUDA_HOME names, else where ptxas on the PATH belongs to, else in
/// /usr/local/cuda.
std::optional<std::string> findInCudaToolkit(StringRef path);

} // namespace tp
} // namespace mlir

#endif // TP_LIB_TARGET_CUDATOOLKIT_H
