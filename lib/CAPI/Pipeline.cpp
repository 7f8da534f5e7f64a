//===- Pipeline.cpp - The partition pipeline for C -------------------------===//

#include "tp-c/Pipeline.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/CAPI/Utils.h"
#include "mlir/Pass/PassManager.h"
#include "tp/Driver/Registration.h"
#include "tp/Explain/Explain.h"
#include "tp/Pipelines/Pipelines.h"
#include "tp/Plan/Plan.h"

using namespace mlir;
using namespace mlir::tp;

static LogicalResult applyPlanText(ModuleOp module, StringRef text, StringRef mesh) {
  FailureOr<Plan> plan = Plan();
  if (!text.empty())
    plan = parsePlan(text, "plan", module.getContext());
  if (failed(plan) || failed(completeMesh(*plan, module, mesh)))
    return failure();
  return applyPlan(module, *plan);
}

static LogicalResult applyBuiltinPlan(ModuleOp module, StringRef name, StringRef mesh) {
  if (!llvm::is_contained(getBuiltinPlans(), name))
    return module.emitError() << "\"" << name << "\" is no built-in plan";
  return applyRequestedPlan(module, name, mesh);
}

static LogicalResult runPhases(ModuleOp module, TpPhase from, TpPhase to,
                               const TpPhaseOptions *given) {
  PhaseOptions options;
  if (given) {
    options.explain = given->explain;
    options.poison = given->poison;
    options.verify = !given->noVerify;
    options.reduceDtype = unwrap(given->reduceDtype).str();
  }
  using Build = void (*)(OpPassManager &, const PhaseOptions &);
  constexpr Build kSteps[] = {buildPlanPipeline, buildReshardPipeline, buildPartitionPipeline,
                              buildOptimizeCommPipeline};
  if (from < TP_PHASE_SOURCE || to > TP_PHASE_COMM || from >= to)
    return module.emitError() << "no phases lead from " << static_cast<int>(from) << " to "
                              << static_cast<int>(to);
  PassManager pm(module.getContext());
  for (Build step : ArrayRef(kSteps).slice(from, to - from))
    step(pm, options);
  return pm.run(module);
}

void tpRegisterDialects(MlirDialectRegistry registry) { registerDialects(*unwrap(registry)); }

void tpRegisterPasses() {
  DialectRegistry unused;
  registerEverything(unused);
}

MlirLogicalResult tpApplyPlan(MlirModule module, MlirStringRef plan, MlirStringRef mesh) {
  return wrap(applyPlanText(unwrap(module), unwrap(plan), unwrap(mesh)));
}

MlirLogicalResult tpApplyBuiltinPlan(MlirModule module, MlirStringRef name, MlirStringRef mesh) {
  return wrap(applyBuiltinPlan(unwrap(module), unwrap(name), unwrap(mesh)));
}

MlirLogicalResult tpRunPhases(MlirModule module, TpPhase from, TpPhase to,
                              const TpPhaseOptions *options) {
  return wrap(runPhases(unwrap(module), from, to, options));
}

void tpPrintExplanation(MlirModule module, MlirStringCallback callback, void *userData) {
  mlir::detail::CallbackOstream os(callback, userData);
  printExplanationJson(explainCollectives(unwrap(module), Hardware()), os);
}
