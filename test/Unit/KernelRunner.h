//===- KernelRunner.h - Compiles and calls one function ----------*- C++ -*-===//
//
// For numeric tests of decompositions and kernels: takes a module whose public
// function @f has tensor operands and memref results to write, lowers it with or
// without kernels and runs it in this process. rt.parallel_for runs its kernel
// in uneven chunks, last chunk first.
//
//===----------------------------------------------------------------------===//

#ifndef TP_TEST_UNIT_KERNELRUNNER_H
#define TP_TEST_UNIT_KERNELRUNNER_H

#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/StringRef.h"

#include <memory>
#include <vector>

namespace mlir::tp::test {

enum class Lowering {
  Decomposed, ///< every nn op through its decomposition
  Kernels     ///< nn ops and products through kernels where there is one
};

class KernelRunner {
public:
  /// `kernelCalls` becomes the number of rt.parallel_for that kernels gave. Vectors
  /// of 512 bits come with the products of bf16 that this machine has.
  static std::unique_ptr<KernelRunner> compile(llvm::StringRef module, Lowering lowering,
                                               int64_t vectorBits = 512);
  /// Calls @f with the addresses of its buffers.
  void run(std::vector<void *> buffers);
  unsigned getKernelCalls() const { return kernelCalls; }

private:
  KernelRunner() = default;

  std::unique_ptr<MLIRContext> context;
  std::unique_ptr<ExecutionEngine> engine;
  unsigned kernelCalls = 0;
};

} // namespace mlir::tp::test

#endif // TP_TEST_UNIT_KERNELRUNNER_H
