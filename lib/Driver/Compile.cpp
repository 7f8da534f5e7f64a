//===- Compile.cpp - tp-compile --------------------------------------------===//

#include "OptionTable.h"

#include "tp/Driver/Program.h"
#include "tp/Driver/Progress.h"
#include "tp/Driver/Tools.h"
#include "tp/Plan/Plan.h"
#include "tp/Plan/PlanValues.h"
#include "tp/Report/Report.h"
#include "tp/Support/LocationText.h"
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

namespace {

/// What is told about a program while it goes through the phases.
class Reporter {
public:
  explicit Reporter(const CompileOptions &options) : options(options) {}

  /// What becomes visible with a phase beside its module.
  Error visit(ModuleOp module, Phase phase, const PlanRequest &request) {
    bool toStderr = options.output == "-";
    switch (phase) {
    case Phase::Plan:
      remarkUnevenBlocks(module);
      if (request.plan != "replicated")
        remarkIdleAxes(module);
      if (!options.writePlanFile.empty())
        if (Error error = writeResolvedPlan(module, options.writePlanFile))
          return error;
      return explainValues(module, options, toStderr);
    case Phase::Comm:
      if (options.report.isWanted())
        collectives = explainCollectives(module, Hardware());
      return explainProgram(module, options, toStderr);
    case Phase::RT:
      return options.report.isWanted() ? addPlan(module, request) : Error::success();
    default:
      return Error::success();
    }
  }

  /// Writes what --report asks for; one plan after the other was visited.
  Error finish(MLIRContext *context) {
    if (!options.report.isWanted())
      return Error::success();
    if (report.plans.size() == 2)
      alignLayers(report.plans.front(), report.plans.back());
    if (Error error = writeReport(report, options.report, options.output == "-"))
      return error;
    for (const PlanReport &plan : report.plans)
      if (plan.limit && !*plan.fits())
        emitRemark(UnknownLoc::get(context))
            << "under " << toOneLine(plan.getTitle()) << " a rank takes " << plan.memory.peak()
            << " bytes, the limit is " << *plan.limit;
    return Error::success();
  }

private:
  const CompileOptions &options;
  std::vector<EntryExplanation> collectives;
  Report report;

  Error addPlan(ModuleOp module, const PlanRequest &request) {
    FailureOr<PlanReport> plan = buildPlanReport(module, std::move(collectives));
    if (failed(plan))
      return alreadyReported();
    plan->plan = toOneLine(request.plan);
    report.program = toOneLine(options.file);
    if (options.report.memory) {
      plan->limit = *options.report.memory;
      report.limitSource = "--memory";
    } else if (plan->isForGPUs) {
      report.limitSource = "none, --memory tells what a GPU has";
    } else {
      int64_t machine = getMachineMemory();
      plan->limit = machine / int64_t(plan->ranks.size());
      report.limitSource =
          "this machine's memory, " + std::to_string(machine) + " bytes, divided by the ranks";
    }
    report.plans.push_back(std::move(*plan));
    return Error::success();
  }
};

} // namespace

/// Takes a program under one plan through the phases, to that of --emit.
static Error runPhases(ModuleOp module, const CompileOptions &options, const PlanRequest &request,
                       const ToolDiagnostics &diagnostics, Reporter &reporter) {
  PhaseOptions phaseOptions;
  phaseOptions.explain = !options.explainValues.empty();
  phaseOptions.reduceDtype = options.reduceDtype;
  PhaseRunner phases(diagnostics, phaseOptions, options.target);
  if (Error error = phases.bindShapes(module, options.shapes))
    return error;
  if (failed(
          applyRequestedPlan(module, request.plan, request.mesh, !options.explainValues.empty())))
    return alreadyReported();
  // Behind the plan, which is one for all targets. On processors the runtime samples.
  if (options.target.hasDevices())
    if (Error error = phases.addSampling(module))
      return error;
  OwningOpRef<ModuleOp> source =
      options.emit >= Phase::Comm ? keepSource(module, options) : OwningOpRef<ModuleOp>();
  for (Phase phase :
       {Phase::Plan, Phase::Reshard, Phase::Partition, Phase::Comm, Phase::RT, Phase::LLVM}) {
    if (Error error = phases.run(module, phase))
      return error;
    if (phase == Phase::Comm) {
      TimingScope timing = phases.time("check");
      if (Error error = checkAgainst(source.get(), module, options))
        return error;
    }
    if (Error error = reporter.visit(module, phase, request))
      return error;
    if (diagnostics.hasError())
      return alreadyReported();
    if (phase == options.emit)
      break;
  }
  return Error::success();
}

/// The other plan, for the report; diagnostics say that they are about it.
static Error runOtherPlan(ModuleOp module, const CompileOptions &options,
                          const ToolDiagnostics &diagnostics, Reporter &reporter) {
  const PlanRequest &request = *options.otherPlan;
  std::string about = "this is about the second plan";
  if (!request.plan.empty())
    about += ", " + request.plan;
  if (!request.mesh.empty())
    about += ", --mesh " + request.mesh;
  ScopedDiagnosticHandler handler(module.getContext(), [&](Diagnostic &diagnostic) {
    diagnostic.attachNote() << about;
    return failure();
  });
  return runPhases(module, options, request, diagnostics, reporter);
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
  OwningOpRef<ModuleOp> other = options.otherPlan ? module.clone() : OwningOpRef<ModuleOp>();
  progress.step("partitioning and lowering");
  Reporter reporter(options);
  if (Error error = runPhases(module, options, {options.plan, options.mesh}, diagnostics, reporter))
    return error;
  if (other)
    if (Error error = runOtherPlan(*other, options, diagnostics, reporter))
      return error;
  if (Error error = reporter.finish(context))
    return error;
  if (diagnostics.hasError())
    return alreadyReported();
  if (options.output.empty())
    return Error::success();
  progress.step("making machine code");
  if (options.emit == Phase::Device)
    return writeDeviceText(module, options.output);
  if (options.emit == Phase::Object)
    return writeObject(module, options.target.cpu, options.output);
  if (options.shared)
    return writeLibrary(module, options.target.cpu, options.output);
  if (options.emit == Phase::Executable)
    return writeExecutable(module, options.target.cpu, options.output);
  return writeModule(module, options.output);
}

int tp::compileMain(int argc, char **argv) {
  return runTool<CompileOptions>(parseCompileCommandLine(argc, argv), &CompileOptions::strict,
                                 compile);
}
