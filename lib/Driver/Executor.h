//===- Executor.h - Two ways to run an entry -------------------*- C++ -*-===//

#ifndef LIB_DRIVER_EXECUTOR_H
#define LIB_DRIVER_EXECUTOR_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "tp/Driver/Program.h"
#include "tp/Execute/CompiledProgram.h"
#include "tprt/manifest.h"

namespace mlir {
namespace tp {

/// Runs one entry on global values; states are kept between calls, and zero at
/// the beginning.
class Executor {
public:
  virtual ~Executor() = default;
  /// `inputs` are the values of the arguments of kind input, in order.
  virtual llvm::Expected<CallResults> call(ArrayRef<tprt::Array> inputs) = 0;
};

/// By the reference interpreter. `function` is unsharded when `isPartitioned` is
/// false; `parameters` are the values of its parameters, in order. `function` must
/// outlive the executor.
std::unique_ptr<Executor> makeInterpreter(func::FuncOp function, bool isPartitioned,
                                          ArrayRef<tprt::ValueInfo> arguments,
                                          ArrayRef<tprt::Array> parameters, bool poison);

/// A program compiled to a temporary shared object, which goes when this does.
class SharedObject {
public:
  /// Takes a clone of a module of phase Comm down to machine code.
  static llvm::Expected<std::unique_ptr<SharedObject>> compile(ModuleOp module,
                                                               PhaseRunner &phases);
  ~SharedObject();
  SharedObject(const SharedObject &) = delete;
  SharedObject &operator=(const SharedObject &) = delete;

  /// A fresh run of the entry: rank threads, parameters, states of zero. Must end
  /// before this object does.
  llvm::Expected<std::unique_ptr<Executor>> load(StringRef entry,
                                                 const ExecutionOptions &options) const;

private:
  std::string path;

  explicit SharedObject(StringRef path) : path(path) {}
};

} // namespace tp
} // namespace mlir

#endif // LIB_DRIVER_EXECUTOR_H
