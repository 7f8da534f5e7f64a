//===- VerifyPlan.cpp ------------------------------------------------------===//

#include "VerifyFunctions.h"
#include "tp/Verify/Passes.h"

#include "dialects/TP/TP.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "tp/Analysis/RegionFlow.h"

namespace mlir::tp {
#define GEN_PASS_DEF_VERIFYPLANPASS
#include "tp/Verify/Passes.h.inc"
} // namespace mlir::tp

using namespace mlir;
using namespace mlir::tp;

namespace {

/// Fails unless the value of this type has a closed sharding.
LogicalResult checkSharding(Operation *op, Attribute attr, Type type, Twine what) {
  if (!isa<RankedTensorType>(type))
    return success();
  auto sharding = dyn_cast_or_null<ShardingAttr>(attr);
  if (!sharding)
    return op->emitError() << what << " has no sharding";
  if (llvm::any_of(sharding.getDims(), [](DimShardingAttr dim) { return dim.getOpen(); }))
    return op->emitError() << what << " has an open sharding: " << sharding;
  return success();
}

LogicalResult checkOp(Operation *op) {
  if (isa<func::CallOp>(op))
    return op->emitError("is a call: functions are inlined before propagation");
  auto array = op->getAttrOfType<ArrayAttr>(kShardingAttr);
  for (OpResult result : op->getResults())
    if (failed(checkSharding(op, array ? array[result.getResultNumber()] : Attribute(),
                             result.getType(),
                             "result " + Twine(result.getResultNumber()) + " of '" +
                                 op->getName().getStringRef() + "'")))
      return failure();
  if (!isRegionFlow(op))
    return success();
  array = op->getAttrOfType<ArrayAttr>(kArgShardingAttr);
  for (auto [i, argument] : llvm::enumerate(getRegionArguments(op)))
    if (failed(checkSharding(op, array ? array[i] : Attribute(), argument.getType(),
                             "block argument " + Twine(i) + " of '" + op->getName().getStringRef() +
                                 "'")))
      return failure();
  return success();
}

LogicalResult checkFunction(func::FuncOp function) {
  for (auto [i, type] : llvm::enumerate(function.getArgumentTypes()))
    if (failed(checkSharding(function, function.getArgAttr(i, kShardingAttr), type,
                             "argument " + Twine(i))))
      return failure();
  for (auto [i, type] : llvm::enumerate(function.getResultTypes()))
    if (failed(checkSharding(function, function.getResultAttr(i, kShardingAttr), type,
                             "result " + Twine(i))))
      return failure();
  bool isValid = true;
  walkFlow(function.getBody(), [&](Operation *op) { isValid = isValid && succeeded(checkOp(op)); });
  return success(isValid);
}

struct VerifyPlanPass : tp::impl::VerifyPlanPassBase<VerifyPlanPass> {
  void runOnOperation() override {
    if (failed(verifyFunctions(getOperation(), [](func::FuncOp function, const Mesh &) {
          return checkFunction(function);
        })))
      return signalPassFailure();
    markAllAnalysesPreserved();
  }
};

} // namespace
