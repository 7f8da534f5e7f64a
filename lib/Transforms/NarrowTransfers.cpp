//===- NarrowTransfers.cpp - Send what a cast leaves -----------------------===//

#include "tp/Transforms/Passes.h"

#include "Collectives.h"
#include "dialects/TP/LinalgBuilder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "tp/Transforms/LocalOps.h"

namespace mlir::tp {
#define GEN_PASS_DEF_NARROWTRANSFERSPASS
#include "tp/Transforms/Passes.h.inc"
} // namespace mlir::tp

using namespace mlir;
using namespace mlir::tp;

namespace {

/// Whether the op computes each element of its result from the element of its
/// only tensor operand, of `source`, at the same place, and the result's elements
/// are narrower.
bool isNarrowing(Operation *op, OpOperand *&source) {
  if (op->getNumResults() != 1)
    return false;
  auto result = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (!result)
    return false;
  if (isa<arith::TruncFOp, arith::TruncIOp, arith::FPToSIOp, arith::FPToUIOp, arith::SIToFPOp,
          arith::UIToFPOp, arith::IndexCastOp>(op)) {
    source = &op->getOpOperand(0);
  } else {
    auto generic = dyn_cast<linalg::GenericOp>(op);
    if (!generic || generic.getNumDpsInputs() != 1 || generic.getNumDpsInits() != 1 ||
        generic.getNumLoops() != generic.getNumParallelLoops() ||
        !llvm::all_of(generic.getIndexingMapsArray(),
                      [](AffineMap map) { return map.isIdentity(); }) ||
        generic.payloadUsesValueFromOperand(generic.getDpsInitOperand(0)))
      return false;
    // A cast and nothing else: the rest of a body is computed where it was.
    Block *body = generic.getBlock();
    if (!llvm::hasNItems(*body, 2) || !isa<CastOpInterface>(body->front()) ||
        body->front().getOperand(0) != body->getArgument(0) ||
        body->getTerminator()->getOperands() != body->front().getResults())
      return false;
    source = generic.getDpsInputOperand(0);
  }
  auto type = dyn_cast<RankedTensorType>(source->get().getType());
  return type && getElementBytes(result.getElementType()) < getElementBytes(type.getElementType());
}

/// Whether the op moves elements of its first operand only, and none comes from elsewhere.
bool movesElements(Operation *op) {
  return isa<tensor::ExtractSliceOp, tensor::CollapseShapeOp, tensor::ExpandShapeOp,
             linalg::TransposeOp>(op);
}

/// The cast of another value to its element type.
Value emitCast(LinalgBuilder &builder, Operation *cast, Value value, Type element) {
  IRMapping mapping;
  auto generic = dyn_cast<linalg::GenericOp>(cast);
  if (!generic) {
    mapping.map(cast->getOperand(0), value);
    Value result = builder.clone(*cast, mapping)->getResult(0);
    result.setType(tensorTypeOf(value).clone(element));
    return result;
  }
  ArrayRef<int64_t> shape = shapeOf(value);
  SmallVector<unsigned> loops = loopRange(0, shape.size());
  return builder.generic(shape.size(), {}, value, builder.empty(shape, element), {loops, loops},
                         [&](LinalgBuilder &body, ValueRange in) -> SmallVector<Value> {
                           mapping.map(generic.getBlock()->getArgument(0), in[0]);
                           return {body.clone(generic.getBlock()->front(), mapping)->getResult(0)};
                         })[0];
}

struct NarrowTransfersPass : tp::impl::NarrowTransfersPassBase<NarrowTransfersPass> {
  void runOnOperation() override {
    SmallVector<Operation *> ops;
    getOperation().walk([&](Operation *op) { ops.push_back(op); });
    for (Operation *op : ops) {
      OpOperand *source;
      if (isNarrowing(op, source) && moveUp(op, *source))
        ++narrowed;
    }
  }

  /// Moves the cast before the collective that its operand comes from.
  bool moveUp(Operation *cast, OpOperand &source) {
    SmallVector<Operation *> between;
    Value value = source.get();
    Operation *collective = value.getDefiningOp();
    while (collective && value.hasOneUse() && movesElements(collective)) {
      between.push_back(collective);
      value = collective->getOperand(0);
      collective = value.getDefiningOp();
    }
    if (!collective || !value.hasOneUse() || collective->getNumResults() != 1 ||
        collective->getBlock() != cast->getBlock() ||
        !isa<comm::AllGatherOp, comm::AllToAllOp, comm::PermuteOp>(collective))
      return false;
    Type narrow = getElementTypeOrSelf(cast->getResult(0));
    auto retype = [&](Value v) { v.setType(tensorTypeOf(v).clone(narrow)); };
    LinalgBuilder builder(cast->getLoc(), collective);
    collective->setOperand(0, emitCast(builder, cast, collective->getOperand(0), narrow));
    retype(collective->getResult(0));
    for (Operation *op : between) {
      if (auto transpose = dyn_cast<linalg::TransposeOp>(op)) {
        builder.setInsertionPoint(op);
        transpose.getInitMutable().set(builder.empty(shapeOf(transpose.getInit()), narrow));
        // The body passes its argument on.
        for (BlockArgument arg : transpose.getBlock()->getArguments())
          arg.setType(narrow);
      }
      retype(op->getResult(0));
    }
    cast->getResult(0).replaceAllUsesWith(source.get());
    cast->erase();
    return true;
  }
};

} // namespace
