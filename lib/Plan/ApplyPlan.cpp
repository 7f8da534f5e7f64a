//===- ApplyPlan.cpp - Write a plan into the module ------------------------===//

#include "tp/Plan/Passes.h"
#include "tp/Plan/Plan.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"

namespace mlir::tp {
#define GEN_PASS_DEF_APPLYPLANPASS
#include "tp/Plan/Passes.h.inc"
} // namespace mlir::tp

using namespace mlir;
using namespace mlir::tp;

static FailureOr<Plan> readPlan(StringRef path, MLIRContext *context) {
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> file =
      llvm::MemoryBuffer::getFile(path, /*IsText=*/true);
  if (file)
    return parsePlan((*file)->getBuffer(), path, context);
  Location loc = NameLoc::get(StringAttr::get(context, path));
  InFlightDiagnostic diag = emitError(loc) << "cannot read the plan: " << file.getError().message();
  diag.attachNote(loc) << "built-in plans: " << llvm::join(getBuiltinPlans(), ", ");
  return diag;
}

LogicalResult tp::completeMesh(Plan &plan, ModuleOp module, StringRef meshText) {
  if (MeshOp own = lookupMesh(module); own && !plan.mesh) {
    plan.mesh = getMesh(own);
    plan.meshLoc = own.getLoc();
  }
  if (meshText.empty())
    return success();
  FailureOr<Mesh> given = parseMeshOption(meshText, module.getContext());
  if (failed(given))
    return failure();
  plan.mesh = overrideMesh(plan.mesh, *given);
  plan.meshLoc = NameLoc::get(StringAttr::get(module.getContext(), "--mesh"));
  return success();
}

LogicalResult tp::applyRequestedPlan(ModuleOp module, StringRef planName, StringRef meshText,
                                     bool explain) {
  MLIRContext *context = module.getContext();
  bool isBuiltin = llvm::is_contained(getBuiltinPlans(), planName);
  FailureOr<Plan> plan = Plan();
  if (!planName.empty() && !isBuiltin)
    plan = readPlan(planName, context);
  if (failed(plan))
    return failure();
  if (failed(completeMesh(*plan, module, meshText)))
    return failure();
  if (isBuiltin) {
    if (!plan->mesh)
      return emitError(NameLoc::get(StringAttr::get(context, planName)))
             << "the built-in plan \"" << planName << "\" needs --mesh, for example --mesh tp=2";
    std::optional<Location> meshLoc = plan->meshLoc;
    plan = makeBuiltinPlan(planName, module, *plan->mesh);
    if (failed(plan))
      return failure();
    plan->meshLoc = meshLoc;
    plan->name = planName;
  }
  return applyPlan(module, *plan, explain);
}

namespace {
struct ApplyPlanPass : tp::impl::ApplyPlanPassBase<ApplyPlanPass> {
  using ApplyPlanPassBase::ApplyPlanPassBase;

  void runOnOperation() override {
    if (failed(applyRequestedPlan(getOperation(), plan, mesh, explain)))
      signalPassFailure();
  }
};
} // namespace
