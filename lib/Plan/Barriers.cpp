//===- Barriers.cpp - Where a plan keeps axes from spreading ---------------===//

#include "Matcher.h"
#include "tp/Plan/Plan.h"

using namespace mlir;
using namespace mlir::tp;

/// Puts the barrier between the value and all that reads it.
static void insertBarrier(Value value, BarrierDirection direction) {
  OpBuilder builder(value.getContext());
  builder.setInsertionPointAfterValue(value);
  auto barrier = BarrierOp::create(builder, value.getLoc(), value.getType(), value, direction);
  value.replaceAllUsesExcept(barrier, barrier);
}

static void insertBarrier(const ValuePlace &place, BarrierDirection direction) {
  if (place.kind == ValuePlace::Kind::OpResult)
    return insertBarrier(place.op->getResult(place.number), direction);
  auto function = cast<func::FuncOp>(place.op);
  if (place.kind == ValuePlace::Kind::Argument)
    return insertBarrier(function.getArgument(place.number), direction);
  function.walk([&](func::ReturnOp op) {
    Value value = op.getOperand(place.number);
    OpBuilder builder(op);
    op.setOperand(place.number,
                  BarrierOp::create(builder, op.getLoc(), value.getType(), value, direction));
  });
}

LogicalResult tp::applyBarriers(const Plan &plan, ArrayRef<PlanValue> values) {
  Matcher<PlanBarrier> matcher(plan.barrier, values);
  if (failed(matcher.checkAllUsed()))
    return failure();
  for (auto [i, value] : llvm::enumerate(values)) {
    SmallVector<const PlanBarrier *> entries(matcher.forValue(i));
    if (!value.hasDims())
      llvm::erase_if(entries,
                     [&](const PlanBarrier *entry) { return matcher.passesOverScalars(*entry); });
    if (entries.empty())
      continue;
    Type type = value.places.front().getType();
    if (!isa<RankedTensorType>(type))
      return emitError(entries.front()->keyLoc) << value.name() << " is no ranked tensor but "
                                                << type << ", axes do not spread through it";
    if (failed(checkAgree<PlanBarrier>(entries, value, "barriers", [](const PlanBarrier &entry) {
          return stringifyBarrierDirection(entry.direction);
        })))
      return failure();
    for (const ValuePlace &place : value.places)
      insertBarrier(place, entries.front()->direction);
  }
  return success();
}
