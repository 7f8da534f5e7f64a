//===- CompiledExecutor.cpp - Running compiled code ------------------------===//

#include "Executor.h"

#include "llvm/Support/FileSystem.h"

using namespace mlir;
using namespace mlir::tp;
using llvm::Error;
using llvm::Expected;

Expected<std::unique_ptr<SharedObject>> SharedObject::compile(ModuleOp module,
                                                              PhaseRunner &phases) {
  SmallString<128> path;
  if (std::error_code error = llvm::sys::fs::createTemporaryFile("tp-run", "so", path))
    return runFailure("cannot make a temporary file: " + error.message());
  std::unique_ptr<SharedObject> object(new SharedObject(path));
  OwningOpRef<ModuleOp> lowered = module.clone();
  if (Error error = phases.run(*lowered, Phase::RT, Phase::LLVM))
    return error;
  if (Error error = writeSharedObject(*lowered, phases.getTarget().cpu, path))
    return error;
  return object;
}

SharedObject::~SharedObject() { llvm::sys::fs::remove(path); }

namespace {
class CompiledExecutor : public Executor {
public:
  explicit CompiledExecutor(std::unique_ptr<CompiledProgram> program)
      : program(std::move(program)) {}

  Expected<CallResults> call(StringRef entry, ArrayRef<tprt::Array> inputs) override {
    return program->call(entry, inputs);
  }

private:
  std::unique_ptr<CompiledProgram> program;
};
} // namespace

Expected<std::unique_ptr<Executor>> SharedObject::load(const ExecutionOptions &options) const {
  Expected<std::unique_ptr<CompiledProgram>> program = CompiledProgram::load(path, options);
  if (!program)
    return program.takeError();
  return std::make_unique<CompiledExecutor>(std::move(*program));
}
