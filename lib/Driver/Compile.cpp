//===- Compile.cpp - tp-compile --------------------------------------------===//

#include "tp/Driver/Program.h"
#include "tp/Driver/Progress.h"
#include "tp/Driver/Registration.h"
#include "tp/Driver/Tools.h"
#include "tp/Plan/Plan.h"
#include "tp/Plan/PlanValues.h"
#include "tp/Support/OutputFile.h"

#include "mlir/IR/AsmState.h"

using namespace mlir;
using namespace mlir::tp;
using llvm::Error;
using llvm::Expected;

static Error writeModule(ModuleOp module, StringRef path) {
  std::string text;
  llvm::raw_string_ostream os(text);
  module.print(os);
  return writeOutputFile(path, text);
}

static Error writeResolvedPlan(ModuleOp module, StringRef path) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (failed(writePlan(module, os)))
    return alreadyReported();
  return writeOutputFile(path, text);
}

/// What becomes visible with a phase beside its module.
static Error explainPhase(ModuleOp module, Phase phase, const CompileOptions &options) {
  bool toStderr = options.output == "-";
  if (phase == Phase::Comm)
    return explainProgram(module, options, toStderr);
  if (phase != Phase::Plan)
    return Error::success();
  remarkUnevenBlocks(module);
  if (!options.writePlanFile.empty())
    if (Error error = writeResolvedPlan(module, options.writePlanFile))
      return error;
  return explainValues(module, options, toStderr);
}

static Error compile(const CompileOptions &options, MLIRContext *context,
                     const ToolDiagnostics &diagnostics) {
  Progress progress("tp-compile");
  progress.step("reading " + options.file);
  Expected<OwningOpRef<ModuleOp>> program = parseProgram(options.file, context, diagnostics);
  if (!program)
    return program.takeError();
  ModuleOp module = **program;
  if (getEntries(module).empty())
    return userError(options.file + ": no public function with a body");
  if (failed(applyRequestedPlan(module, options.plan, options.mesh)))
    return alreadyReported();
  PhaseOptions phaseOptions;
  phaseOptions.explain = !options.explainValues.empty();
  phaseOptions.reduceDtype = options.reduceDtype;
  PhaseRunner phases(diagnostics, phaseOptions, options.cpu);
  progress.step("partitioning and lowering");
  for (Phase phase :
       {Phase::Plan, Phase::Reshard, Phase::Partition, Phase::Comm, Phase::RT, Phase::LLVM}) {
    if (Error error = phases.run(module, phase))
      return error;
    if (Error error = explainPhase(module, phase, options))
      return error;
    if (diagnostics.hasError())
      return alreadyReported();
    if (phase == options.emit)
      break;
  }
  progress.step("making machine code");
  if (options.emit == Phase::Object)
    return writeObject(module, options.cpu, options.output);
  if (options.emit == Phase::Executable)
    return writeExecutable(module, options.cpu, options.output);
  return writeModule(module, options.output);
}

int tp::compileMain(int argc, char **argv) {
  Expected<std::optional<CompileOptions>> options = parseCompileCommandLine(argc, argv);
  if (!options)
    return static_cast<int>(printError(options.takeError(), llvm::errs()));
  if (!*options)
    return 0;
  DialectRegistry registry;
  registerEverything(registry);
  MLIRContext context(registry);
  context.printOpOnDiagnostic(false);
  ToolDiagnostics diagnostics(&context, (*options)->strict);
  return static_cast<int>(diagnostics.report(compile(**options, &context, diagnostics)));
}
