//===- Guard.h - From the runtime's exceptions to llvm::Error --*- C++ -*-===//

#ifndef LIB_EXECUTE_GUARD_H
#define LIB_EXECUTE_GUARD_H

#include "tp/Support/ToolError.h"
#include "tprt/error.h"
#include <new>

namespace mlir {
namespace tp {

inline llvm::Error toError(const tprt::Error &error) {
  return llvm::make_error<ToolError>(static_cast<ExitStatus>(error.exitCode()), error.what(),
                                     error.notes());
}

/// Runs `body`, which may throw what the runtime throws.
template <typename Body> llvm::Error guarded(Body body) {
  try {
    body();
  } catch (const tprt::Error &error) {
    return toError(error);
  } catch (const std::bad_alloc &) {
    return runFailure("out of memory");
  }
  return llvm::Error::success();
}

} // namespace tp
} // namespace mlir

#endif // LIB_EXECUTE_GUARD_H
