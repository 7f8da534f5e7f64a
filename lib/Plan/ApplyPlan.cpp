//===- ApplyPlan.cpp - Write a plan into the module ------------------------===//

#include "tp/Plan/Passes.h"
#include "tp/Plan/Plan.h"

#include "mlir/IR/Diagnostics.h"
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

static FailureOr<Plan> makeBuiltin(StringRef name, ModuleOp module, std::optional<Mesh> mesh) {
  if (!mesh)
    if (MeshOp op = lookupMesh(module))
      mesh = getMesh(op);
  if (!mesh)
    return emitError(NameLoc::get(StringAttr::get(module.getContext(), name)))
           << "the built-in plan \"" << name << "\" needs --mesh, for example --mesh tp=2";
  return makeBuiltinPlan(name, module, *mesh);
}

LogicalResult tp::applyRequestedPlan(ModuleOp module, StringRef planName, StringRef meshText) {
  MLIRContext *context = module.getContext();
  std::optional<Mesh> given;
  if (!meshText.empty()) {
    FailureOr<Mesh> mesh = parseMeshOption(meshText, context);
    if (failed(mesh))
      return failure();
    given = *mesh;
  }
  if (llvm::is_contained(getBuiltinPlans(), planName)) {
    FailureOr<Plan> plan = makeBuiltin(planName, module, given);
    return failed(plan) ? failure() : applyPlan(module, *plan);
  }
  FailureOr<Plan> plan = Plan();
  if (!planName.empty())
    plan = readPlan(planName, context);
  if (failed(plan))
    return failure();
  if (given)
    plan->mesh = overrideMesh(plan->mesh, *given);
  return applyPlan(module, *plan);
}

namespace {
struct ApplyPlanPass : tp::impl::ApplyPlanPassBase<ApplyPlanPass> {
  using ApplyPlanPassBase::ApplyPlanPassBase;

  void runOnOperation() override {
    if (failed(applyRequestedPlan(getOperation(), plan, mesh)))
      signalPassFailure();
  }
};
} // namespace
