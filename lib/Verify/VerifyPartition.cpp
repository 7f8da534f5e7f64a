//===- VerifyPartition.cpp -------------------------------------------------===//

#include "VerifyFunctions.h"
#include "tp/Verify/Passes.h"

#include "dialects/Comm/Comm.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::tp {
#define GEN_PASS_DEF_VERIFYPARTITIONPASS
#include "tp/Verify/Passes.h.inc"
} // namespace mlir::tp

using namespace mlir;
using namespace mlir::tp;

namespace {

/// Fails unless `type` is the local type that the attributes say.
LogicalResult checkValue(Operation *op, DictionaryAttr attrs, Type type, const Mesh &mesh,
                         Twine what) {
  if (!isa<RankedTensorType>(type))
    return success();
  auto sharding = attrs ? attrs.getAs<ShardingAttr>(kShardingAttr) : ShardingAttr();
  auto global = attrs ? attrs.getAs<TypeAttr>(kGlobalTypeAttr) : TypeAttr();
  auto globalType = global ? dyn_cast<RankedTensorType>(global.getValue()) : RankedTensorType();
  if (!sharding || !globalType)
    return op->emitError() << what << " needs " << kShardingAttr << " and " << kGlobalTypeAttr;
  FailureOr<Sharding> plain = tp::getSharding(sharding, mesh, globalType.getRank(),
                                              [&] { return op->emitError() << what << ": "; });
  if (failed(plain))
    return failure();
  auto local = globalType.clone(plain->localShape(globalType.getShape()));
  if (local != type)
    return op->emitError() << what << ": " << toString(*plain, mesh) << " of " << globalType
                           << " is " << local << " on a rank, found " << type;
  return success();
}

LogicalResult checkFunction(func::FuncOp function, const Mesh &mesh) {
  for (auto [i, type] : llvm::enumerate(function.getArgumentTypes()))
    if (failed(
            checkValue(function, function.getArgAttrDict(i), type, mesh, "argument " + Twine(i))))
      return failure();
  for (auto [i, type] : llvm::enumerate(function.getResultTypes()))
    if (failed(
            checkValue(function, function.getResultAttrDict(i), type, mesh, "result " + Twine(i))))
      return failure();
  WalkResult result = function.walk([](Operation *op) {
    if (isa_and_nonnull<TPDialect>(op->getDialect())) {
      op->emitError() << "'" << op->getName() << "' is left after partition";
      return WalkResult::interrupt();
    }
    if (comm::isCollective(op) && !op->getAttrOfType<StringAttr>("reason")) {
      op->emitError() << "'" << op->getName() << "' has no reason";
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

struct VerifyPartitionPass : tp::impl::VerifyPartitionPassBase<VerifyPartitionPass> {
  void runOnOperation() override {
    if (failed(verifyFunctions(getOperation(), [](func::FuncOp function, const Mesh &mesh) {
          return checkFunction(function, mesh);
        })))
      return signalPassFailure();
    markAllAnalysesPreserved();
  }
};

} // namespace
