//===- Retarget.cpp --------------------------------------------------------===//

#include "Retarget.h"

#include "dialects/TP/TP.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::tp;

std::optional<Strategy> tp::inferStrategy(Operation *op, const ShardingRule &rule,
                                          const Mesh &mesh) {
  SmallVector<Sharding, 2> operands, results;
  for (unsigned i = 0, n = rule.numOperands(); i < n; ++i)
    operands.push_back(getValueSharding(getRuleOperand(op, rule, i), mesh));
  for (Value result : op->getResults())
    results.push_back(getValueSharding(result, mesh));
  std::string error;
  FailureOr<Strategy> strategy = inferStrategy(rule, OpShapes(op, rule), operands, results, error);
  if (failed(strategy))
    return std::nullopt;
  return *strategy;
}

void tp::joinReshards(ReshardOp first, ReshardOp second) {
  second.getInputMutable().set(first.getInput());
  second.setFromAttr(first.getFrom());
  first.erase();
}

/// Whether the value is made of nothing for this use alone.
static bool isOwnFree(Value value) {
  Operation *def = value.getDefiningOp();
  return def && value.hasOneUse() && isFree(def);
}

/// Its destinations that are not read are cut as it is.
static void setFree(Operation *op, ShardingAttr sharding) {
  op->setAttr(kShardingAttr, ArrayAttr::get(op->getContext(), {sharding}));
  for (Value operand : op->getOperands())
    if (isa<RankedTensorType>(operand.getType()) && isOwnFree(operand))
      setFree(operand.getDefiningOp(), sharding);
}

void tp::retarget(Operation *op, const ShardingRule &rule, const Strategy &strategy,
                  MutableArrayRef<Value> operands, StringRef reason, const Mesh &mesh) {
  OpShapes shapes(op, rule);
  OpBuilder builder(op);
  for (auto [i, value] : llvm::enumerate(operands)) {
    Value old = getRuleOperand(op, rule, i);
    if (!isa<RankedTensorType>(old.getType()))
      continue;
    Sharding needed = *getOperandSharding(rule, strategy, i, shapes.operands[i]);
    ShardingAttr attr = getShardingAttr(op->getContext(), needed, mesh);
    builder.setInsertionPoint(op);
    if (rule.ignored.test(i)) {
      auto type = cast<RankedTensorType>(old.getType());
      value =
          tensor::EmptyOp::create(builder, op->getLoc(), type.getShape(), type.getElementType());
      setFree(value.getDefiningOp(), attr);
    } else if (isOwnFree(value) && !needed.isPartial()) {
      setFree(value.getDefiningOp(), attr);
    } else if (Sharding from = getValueSharding(value, mesh);
               !equivalent(from, needed, shapes.operands[i])) {
      std::string why =
          "needed as " + toString(needed, mesh) + " by " + op->getName().getStringRef().str();
      if (value.getParentBlock() != op->getBlock())
        builder.setInsertionPointAfterValue(value); // Once, not in every trip.
      value = ReshardOp::create(builder, op->getLoc(), value,
                                getShardingAttr(op->getContext(), from, mesh), attr,
                                builder.getStringAttr(why));
    }
    if (i < op->getNumOperands())
      op->setOperand(i, value);
    else
      old.replaceUsesWithIf(value, [&](OpOperand &use) {
        return use.getOwner() != op && op->isAncestor(use.getOwner());
      });
  }
  SmallVector<Attribute> made;
  builder.setInsertionPointAfter(op);
  for (auto [i, result] : llvm::enumerate(op->getResults())) {
    Sharding before = getValueSharding(result, mesh);
    Sharding now = *getResultSharding(rule, strategy, i, shapes.results[i]);
    made.push_back(getShardingAttr(op->getContext(), now, mesh));
    if (equivalent(before, now, shapes.results[i]))
      continue;
    auto reshard = ReshardOp::create(builder, op->getLoc(), result, cast<ShardingAttr>(made.back()),
                                     getShardingAttr(op->getContext(), before, mesh),
                                     builder.getStringAttr(reason));
    result.replaceAllUsesExcept(reshard, reshard);
    if (reshard->hasOneUse())
      if (auto next = dyn_cast<ReshardOp>(*reshard->user_begin()))
        joinReshards(reshard, next);
  }
  op->setAttr(kShardingAttr, builder.getArrayAttr(made));
}
