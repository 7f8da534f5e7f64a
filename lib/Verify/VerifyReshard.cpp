//===- VerifyReshard.cpp ---------------------------------------------------===//

#include "VerifyFunctions.h"
#include "tp/Verify/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Transforms/RegionUtils.h"
#include "tp/Analysis/RegionFlow.h"
#include "tp/Analysis/Strategy.h"

namespace mlir::tp {
#define GEN_PASS_DEF_VERIFYRESHARDPASS
#include "tp/Verify/Passes.h.inc"
} // namespace mlir::tp

using namespace mlir;
using namespace mlir::tp;

namespace {

class Verifier {
public:
  Verifier(func::FuncOp function, const Mesh &mesh) : function(function), mesh(mesh) {}

  LogicalResult run() {
    bool isValid = true;
    walkFlow(function.getBody(), [&](Operation *op) { isValid = isValid && succeeded(check(op)); });
    return success(isValid);
  }

private:
  LogicalResult check(Operation *op);
  LogicalResult checkReturn(func::ReturnOp op);
  LogicalResult checkRegionOp(Operation *op);
  LogicalResult checkWindow(WindowOp op);
  LogicalResult checkWithoutRule(Operation *op);
  LogicalResult checkWithRule(Operation *op, const ShardingRule &rule);
  LogicalResult expect(Operation *op, Value value, const Sharding &expected, Twine what);

  func::FuncOp function;
  Mesh mesh;
};

LogicalResult Verifier::expect(Operation *op, Value value, const Sharding &expected, Twine what) {
  Sharding found = getValueSharding(value, mesh);
  if (equivalent(found, expected, cast<RankedTensorType>(value.getType()).getShape()))
    return success();
  return op->emitError() << "'" << op->getName() << "' " << what << " must be "
                         << toString(expected, mesh) << ", found " << toString(found, mesh);
}

LogicalResult Verifier::check(Operation *op) {
  if (auto ret = dyn_cast<func::ReturnOp>(op))
    return checkReturn(ret);
  if (auto reshard = dyn_cast<ReshardOp>(op))
    return expect(op, reshard.getInput(),
                  tp::getSharding(reshard.getFrom(), mesh, reshard.getType().getRank()), "input");
  if (auto constraint = dyn_cast<ConstraintOp>(op))
    return expect(op, constraint.getInput(),
                  tp::getSharding(constraint.getSharding(), mesh, constraint.getType().getRank()),
                  "input");
  if (isRegionFlow(op))
    return checkRegionOp(op);
  if (op->hasTrait<OpTrait::IsTerminator>())
    return success(); // Checked with the op whose values it passes on.
  if (auto window = dyn_cast<WindowOp>(op))
    return checkWindow(window);
  FailureOr<ShardingRule> rule = getRule(op);
  return succeeded(rule) ? checkWithRule(op, *rule) : checkWithoutRule(op);
}

LogicalResult Verifier::checkReturn(func::ReturnOp op) {
  for (auto [i, value] : llvm::enumerate(op.getOperands())) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    auto attr = function.getResultAttrOfType<ShardingAttr>(i, kShardingAttr);
    if (!type || !attr)
      continue;
    Sharding slot = tp::getSharding(attr, mesh, type.getRank());
    auto alias = function.getResultAttrOfType<IntegerAttr>(i, kAliasAttr);
    if (auto attr = alias ? function.getArgAttrOfType<ShardingAttr>(alias.getInt(), kShardingAttr)
                          : ShardingAttr()) {
      Sharding state = tp::getSharding(attr, mesh, type.getRank());
      if (!equivalent(state, slot, type.getShape()))
        return function.emitError() << "result " << i << ", " << toString(slot, mesh)
                                    << ", is the new value of argument " << alias.getInt()
                                    << ", which has another sharding, " << toString(state, mesh);
    }
    if (slot.isPartial() && !alias)
      return function.emitError() << "result " << i
                                  << " is still partial: " << toString(slot, mesh);
    if (failed(expect(op, value, slot, "operand " + Twine(i))))
      return failure();
  }
  return success();
}

/// What the op carries has one sharding, and so has what flows into it.
LogicalResult Verifier::checkRegionOp(Operation *op) {
  for (const FlowValue &value : getFlowValues(op)) {
    if (!isa<RankedTensorType>(value.inputs.front().getType()))
      continue;
    Sharding sharding = getValueSharding(value.inputs.front(), mesh);
    for (Value input : value.inputs)
      if (failed(expect(op, input, sharding, "carries one value, which")))
        return failure();
    for (OpOperand *source : value.sources)
      if (failed(expect(source->getOwner(), source->get(), sharding,
                        "operand " + Twine(source->getOperandNumber()))))
        return failure();
  }
  return success();
}

/// Cut alike but for the dimension of the window, and not partial.
LogicalResult Verifier::checkWindow(WindowOp op) {
  Sharding from = getValueSharding(op.getInput(), mesh);
  Sharding expected = from.withoutPartial();
  expected.dims[op.getDim()] = getValueSharding(op.getResult(), mesh).dims[op.getDim()];
  if (failed(expect(op, op.getResult(), expected, "result")))
    return failure();
  if (!from.isPartial())
    return success();
  return op.emitError() << "'" << op->getName()
                        << "' input is still partial: " << toString(from, mesh);
}

LogicalResult Verifier::checkWithoutRule(Operation *op) {
  SetVector<Value> values(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), values);
  values.insert(op->result_begin(), op->result_end());
  for (Value value : values)
    if (auto type = dyn_cast<RankedTensorType>(value.getType()))
      if (failed(expect(op, value, Sharding(type.getRank()),
                        "has no sharding rule, so what it uses and yields")))
        return failure();
  return success();
}

LogicalResult Verifier::checkWithRule(Operation *op, const ShardingRule &rule) {
  SmallVector<Sharding, 2> operands, results;
  for (unsigned i = 0, n = rule.numOperands(); i < n; ++i)
    operands.push_back(getValueSharding(getRuleOperand(op, rule, i), mesh));
  for (Value result : op->getResults())
    results.push_back(getValueSharding(result, mesh));
  // What is neutral everywhere may stand for a partial value.
  if (isFree(op)) {
    for (const PartialAxis &axis : results[0].partial)
      if (!isNeutral(op, axis.kind))
        return op->emitError() << "'" << op->getName() << "' is no neutral element of a "
                               << stringifyReductionKind(axis.kind)
                               << ", so it cannot stand for a partial value";
    results[0] = results[0].withoutPartial();
  }
  std::string error;
  if (failed(inferStrategy(rule, OpShapes(op, rule), operands, results, error)))
    return op->emitError() << "'" << op->getName() << "' " << error;
  return success();
}

struct VerifyReshardPass : tp::impl::VerifyReshardPassBase<VerifyReshardPass> {
  void runOnOperation() override {
    if (failed(verifyFunctions(getOperation(), [](func::FuncOp function, const Mesh &mesh) {
          return Verifier(function, mesh).run();
        })))
      return signalPassFailure();
    markAllAnalysesPreserved();
  }
};

} // namespace
