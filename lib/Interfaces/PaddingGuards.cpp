//===- PaddingGuards.cpp ---------------------------------------------------===//

#include "PaddingGuards.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::tp;

std::optional<unsigned> tp::getOperandThatMayTrap(Operation *op) {
  if (isa<arith::DivSIOp, arith::DivUIOp, arith::CeilDivSIOp, arith::CeilDivUIOp,
          arith::FloorDivSIOp, arith::RemSIOp, arith::RemUIOp>(op))
    return 1;
  // A negative power of zero divides by it.
  if (isa<math::IPowIOp>(op))
    return 0;
  return std::nullopt;
}

/// Whether this iteration of `local` is no padding, at the start of its body;
/// null where no loop is padded.
static Value emitIsInside(linalg::LinalgOp local, OpBuilder &builder, const LocalFrame &frame) {
  Location loc = local.getLoc();
  OpBuilder::InsertionGuard guard(builder);
  Value inside;
  for (unsigned loop = 0, n = local.getNumLoops(); loop < n; ++loop) {
    builder.setInsertionPoint(local);
    Value extent = frame.isPadded(loop) ? frame.factorExtent(loop) : Value();
    if (!extent)
      continue;
    if (inside)
      builder.setInsertionPointAfterValue(inside);
    else
      builder.setInsertionPointToStart(local.getBlock());
    Value index = linalg::IndexOp::create(builder, loc, loop);
    Value one = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, index, extent);
    inside = inside ? arith::AndIOp::create(builder, loc, inside, one).getResult() : one;
  }
  return inside;
}

linalg::LinalgOp tp::toGeneric(linalg::LinalgOp local, OpBuilder &builder) {
  if (isa<linalg::GenericOp>(local))
    return local;
  IRRewriter rewriter(builder);
  rewriter.setInsertionPoint(local);
  return *linalg::generalizeNamedOp(rewriter, local);
}

linalg::LinalgOp tp::guardPadding(linalg::LinalgOp local, OpBuilder &builder,
                                  const LocalFrame &frame) {
  auto mayTrap = [](Operation *op) {
    return isa<tensor::ExtractOp>(op) || getOperandThatMayTrap(op);
  };
  bool isPadded = false, traps = false;
  for (unsigned loop = 0, n = local.getNumLoops(); loop < n; ++loop)
    isPadded |= frame.isPadded(loop);
  if (isPadded)
    local.getBlock()->walk([&](Operation *op) { traps |= mayTrap(op); });
  if (!traps)
    return local;

  local = toGeneric(local, builder);
  Value inside = emitIsInside(local, builder, frame);
  if (!inside)
    return local;
  OpBuilder::InsertionGuard guard(builder);
  auto replace = [&](OpOperand &operand, int64_t harmless) {
    Location loc = operand.getOwner()->getLoc();
    Type type = operand.get().getType();
    builder.setInsertionPoint(operand.getOwner());
    Value value = arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(type, harmless));
    operand.set(arith::SelectOp::create(builder, loc, inside, operand.get(), value));
  };
  SmallVector<Operation *> ops;
  local.getBlock()->walk([&](Operation *op) {
    if (mayTrap(op) && op->getResult(0).getType().isIntOrIndexOrFloat())
      ops.push_back(op);
  });
  for (Operation *op : ops) {
    if (auto extract = dyn_cast<tensor::ExtractOp>(op))
      for (OpOperand &index : extract.getIndicesMutable())
        replace(index, 0);
    else
      replace(op->getOpOperand(*getOperandThatMayTrap(op)), 1);
  }
  return local;
}
