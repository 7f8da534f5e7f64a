//===- Executor.h - Two ways to run entries --------------------*- C++ -*-===//

#ifndef LIB_DRIVER_EXECUTOR_H
#define LIB_DRIVER_EXECUTOR_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "tp/Driver/Program.h"
#include "tp/Execute/CompiledProgram.h"
#include "tp/Support/TemporaryFile.h"
#include "tprt/manifest.h"

namespace mlir {
namespace tp {

/// Runs entries of one module on global values; states are kept between calls, and
/// zero at the beginning.
class Executor {
public:
  virtual ~Executor() = default;
  /// `inputs` are the values of the arguments of kind input, in order.
  virtual llvm::Expected<CallResults> call(StringRef entry, ArrayRef<tprt::Array> inputs) = 0;
};

/// An entry for the reference interpreter. States of one name are one value.
struct InterpretedEntry {
  func::FuncOp function;
  std::vector<tprt::ValueInfo> arguments;
  /// The values of its parameters, in order.
  std::vector<tprt::Array> parameters;
};

/// By the reference interpreter. The functions are unsharded when `isPartitioned` is
/// false; they must outlive the executor.
std::unique_ptr<Executor> makeInterpreter(ArrayRef<InterpretedEntry> entries, bool isPartitioned,
                                          bool poison);

/// A program compiled to a temporary shared object, which goes when this does.
class SharedObject {
public:
  /// Takes a clone of a module of phase Comm down to machine code.
  static llvm::Expected<std::unique_ptr<SharedObject>> compile(ModuleOp module,
                                                               PhaseRunner &phases);
  SharedObject(const SharedObject &) = delete;
  SharedObject &operator=(const SharedObject &) = delete;

  /// A fresh run of the entries: rank threads, parameters, states of zero. Must end
  /// before this object does.
  llvm::Expected<std::unique_ptr<Executor>> load(const ExecutionOptions &options) const;

private:
  TemporaryFile file;

  SharedObject() = default;
};

} // namespace tp
} // namespace mlir

#endif // LIB_DRIVER_EXECUTOR_H
