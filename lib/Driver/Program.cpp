//===- Program.cpp - From a file to the phases of its compilation ----------===//

#include "tp/Driver/Program.h"

#include "dialects/TP/TP.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "tp/Explain/Explain.h"
#include "tp/Pipelines/CPU.h"
#include "tp/Pipelines/CUDA.h"
#include "tp/Support/Nesting.h"
#include "tp/Support/OutputFile.h"
#include "tp/Target/CPU.h"
#include "tp/Transforms/MakeSignless.h"
#include "tp/Transforms/Passes.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include <cstdlib>

using namespace mlir;
using namespace mlir::tp;
using llvm::Error;
using llvm::Expected;

/// Ends the process: the state of the parser, locks included, is not to be used.
[[noreturn]] static void leaveAfterCrash(StringRef file, const ToolDiagnostics &diagnostics) {
  if (!diagnostics.hasError())
    llvm::errs() << "error: " << file << ": the parser of MLIR crashed on this text\n";
  llvm::errs().flush();
  std::_Exit(static_cast<int>(ExitStatus::UserError));
}

/// Names end up in JSON and in checkpoints, which have no other text. Emits an error.
static LogicalResult checkText(ModuleOp module) {
  AttrTypeWalker walker;
  walker.addWalk([](StringAttr string) {
    return llvm::json::isUTF8(string.getValue()) ? WalkResult::advance() : WalkResult::interrupt();
  });
  WalkResult result = module.walk([&](Operation *op) -> WalkResult {
    for (NamedAttribute attribute : op->getAttrs())
      if (walker.walk(attribute.getValue()).wasInterrupted())
        return op->emitError() << "attribute " << attribute.getName()
                               << " has text that is not UTF-8";
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

/// MLIR's parser, verifier and passes recurse over regions, attributes and types.
static constexpr unsigned kMaxDepth = 256;

Expected<OwningOpRef<ModuleOp>> tp::parseProgram(StringRef file, MLIRContext *context,
                                                 const ToolDiagnostics &diagnostics) {
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> buffer =
      llvm::MemoryBuffer::getFileOrSTDIN(file, /*IsText=*/true);
  if (!buffer)
    return userError("cannot read " + file + ": " + buffer.getError().message());
  if (std::optional<TextPosition> at = findTooDeep((*buffer)->getBuffer(), kMaxDepth)) {
    emitError(FileLineColLoc::get(context, (*buffer)->getBufferIdentifier(), at->line, at->column))
        << "nested deeper than " << kMaxDepth << " brackets";
    return alreadyReported();
  }
  auto sources = std::make_shared<llvm::SourceMgr>();
  sources->AddNewSourceBuffer(std::move(*buffer), llvm::SMLoc());
  // Parsers of upstream's ops can crash on text that they have just rejected.
  OwningOpRef<ModuleOp> module;
  llvm::CrashRecoveryContext::Enable();
  llvm::CrashRecoveryContext recovery;
  bool survived = recovery.RunSafely([&] {
    module = parseSourceFile<ModuleOp>(sources, ParserConfig(context, /*verifyAfterParse=*/true));
  });
  llvm::CrashRecoveryContext::Disable();
  if (!survived)
    leaveAfterCrash(file, diagnostics);
  if (!module || failed(checkText(*module)))
    return alreadyReported();
  return module;
}

PhaseRunner::PhaseRunner(const ToolDiagnostics &diagnostics, const PhaseOptions &options,
                         CodeTarget target)
    : diagnostics(diagnostics), options(options), target(std::move(target)) {
  applyDefaultTimingManagerCLOptions(timingManager);
  timing = timingManager.getRootScope();
}

Error PhaseRunner::run(ModuleOp module, StringRef name,
                       llvm::function_ref<void(PassManager &)> addPasses) {
  PassManager manager(module->getName());
  if (failed(applyPassManagerCLOptions(manager)))
    return alreadyReported();
  TimingScope scope = timing.nest(name);
  manager.enableTiming(scope);
  addPasses(manager);
  if (failed(manager.run(module)) || diagnostics.hasError())
    return alreadyReported();
  return Error::success();
}

Error PhaseRunner::addSampling(ModuleOp module) {
  return run(module, "sampling",
             [](PassManager &manager) { manager.addPass(createAddSamplingPass()); });
}

Error PhaseRunner::bindShapes(ModuleOp module, ArrayRef<std::string> shapes) {
  return run(module, "sizes", [&](PassManager &manager) {
    BindShapesPassOptions bind;
    bind.shapes.assign(shapes.begin(), shapes.end());
    manager.addPass(createBindShapesPass(bind));
  });
}

static void buildPhase(PassManager &manager, Phase phase, const PhaseOptions &options,
                       const CodeTarget &target) {
  switch (phase) {
  case Phase::Plan:
    buildPlanPipeline(manager, options);
    break;
  case Phase::Reshard:
    buildReshardPipeline(manager, options);
    break;
  case Phase::Partition:
    buildPartitionPipeline(manager, options);
    break;
  case Phase::Comm:
    buildOptimizeCommPipeline(manager, options);
    break;
  case Phase::RT: {
    if (target.hasDevices()) {
      CommToDeviceOptions lowering;
      lowering.images = ArrayRef<std::string>(target.images);
      lowering.tf32 = target.tf32;
      buildCommToDevicePipeline(manager, lowering);
      break;
    }
    CommToRTOptions lowering;
    CPUVectors vectors = getCPUVectors({target.cpu});
    lowering.vectorBits = vectors.bits;
    lowering.bf16Dot = vectors.bf16Dot;
    buildCommToRTPipeline(manager, lowering);
    break;
  }
  case Phase::LLVM:
    buildRTToLLVMPipeline(manager);
    break;
  case Phase::Device:
  case Phase::Object:
  case Phase::Executable:
    llvm_unreachable("files are no phases of a module");
  }
}

Error PhaseRunner::run(ModuleOp module, Phase phase) {
  static constexpr StringRef names[] = {"plan", "reshard", "partition", "comm", "rt", "llvm"};
  return run(module, names[static_cast<unsigned>(phase)],
             [&](PassManager &manager) { buildPhase(manager, phase, options, target); });
}

Error PhaseRunner::run(ModuleOp module, Phase first, Phase last) {
  for (Phase phase :
       {Phase::Plan, Phase::Reshard, Phase::Partition, Phase::Comm, Phase::RT, Phase::LLVM})
    if (phase >= first && phase <= last)
      if (Error error = run(module, phase))
        return error;
  return Error::success();
}

std::vector<std::string> tp::getShapesOf(ModuleOp partitioned, ModuleOp original) {
  std::vector<std::string> shapes;
  for (auto function : original.getOps<func::FuncOp>()) {
    auto local = partitioned.lookupSymbol<func::FuncOp>(function.getName());
    if (!local || function.getNumArguments() != local.getNumArguments())
      continue;
    for (auto [i, type] : llvm::enumerate(function.getArgumentTypes())) {
      auto open = dyn_cast<RankedTensorType>(type);
      auto global = local.getArgAttrOfType<TypeAttr>(i, kGlobalTypeAttr);
      auto given = global ? dyn_cast<RankedTensorType>(global.getValue()) : RankedTensorType();
      if (!open || open.hasStaticShape() || !given || !given.hasStaticShape())
        continue;
      std::string text;
      llvm::raw_string_ostream os(text);
      os << function.getName() << ".arg" << i << '=';
      llvm::interleave(given.getShape(), os, "x");
      shapes.push_back(text);
    }
  }
  return shapes;
}

OwningOpRef<ModuleOp> tp::keepSource(ModuleOp module, const ProgramOptions &options) {
  return options.check ? module.clone() : OwningOpRef<ModuleOp>();
}

FailureOr<std::vector<CheckedResult>> tp::proveProgram(ModuleOp source, ModuleOp partitioned,
                                                       const CheckOptions &options) {
  makeSignless(source);
  FailureOr<std::vector<CheckedResult>> results = checkPartitioned(source, partitioned, options);
  if (failed(results) || llvm::all_of(*results, std::mem_fn(&CheckedResult::isProved)))
    return results;
  PassManager pm(source.getContext());
  buildSourcePipeline(pm);
  pm.enableVerifier(false);
  if (failed(pm.run(source)))
    return failure();
  auto again = checkPartitioned(source, partitioned, options);
  if (failed(again))
    return failure();
  for (auto [result, second] : llvm::zip_equal(*results, *again))
    if (!result.isProved())
      result = second;
  return results;
}

Error tp::checkAgainst(ModuleOp source, ModuleOp partitioned, const ProgramOptions &options) {
  if (!source)
    return Error::success();
  FailureOr<std::vector<CheckedResult>> results =
      proveProgram(source, partitioned, {options.reduceDtype});
  if (failed(results))
    return alreadyReported();
  reportUnproved(*results, DiagnosticSeverity::Remark);
  return Error::success();
}

/// Writes to standard output or standard error.
static Error print(StringRef text, bool toStderr) {
  if (!toStderr)
    return writeOutputFile("-", text);
  llvm::errs() << text;
  return Error::success();
}

Error tp::explainProgram(ModuleOp module, const ProgramOptions &options, bool toStderr) {
  if (!options.explainText && options.explainFile.empty())
    return Error::success();
  std::vector<EntryExplanation> entries = explainCollectives(module, Hardware());
  std::string text;
  llvm::raw_string_ostream os(text);
  if (options.explainText) {
    printExplanationText(entries, os);
    if (Error error = print(text, toStderr))
      return error;
    text.clear();
  }
  if (options.explainFile.empty())
    return Error::success();
  printExplanationJson(entries, os);
  return writeOutputFile(options.explainFile, text);
}

Error tp::explainValues(ModuleOp module, const ProgramOptions &options, bool toStderr) {
  std::string text;
  llvm::raw_string_ostream os(text);
  for (const std::string &name : options.explainValues)
    if (failed(explainValue(module, name, os)))
      return alreadyReported();
  return text.empty() ? Error::success() : print(text, toStderr);
}
