//===- CompiledExecutor.cpp - Running compiled code ------------------------===//

#include "Executor.h"

using namespace mlir;
using namespace mlir::tp;
using llvm::Error;
using llvm::Expected;

Expected<std::unique_ptr<SharedObject>> SharedObject::compile(ModuleOp module,
                                                              PhaseRunner &phases) {
  std::unique_ptr<SharedObject> object(new SharedObject);
  if (std::error_code error = object->file.create("tp-run", "so"))
    return runFailure("cannot make a temporary file: " + error.message());
  OwningOpRef<ModuleOp> lowered = module.clone();
  if (Error error = phases.run(*lowered, Phase::RT, Phase::LLVM))
    return error;
  if (Error error = writeSharedObject(*lowered, phases.getTarget().cpu, object->file.path()))
    return error;
  return object;
}

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
  Expected<std::unique_ptr<CompiledProgram>> program = CompiledProgram::load(file.path(), options);
  if (!program)
    return program.takeError();
  return std::make_unique<CompiledExecutor>(std::move(*program));
}
