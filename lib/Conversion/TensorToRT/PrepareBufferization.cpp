//===- PrepareBufferization.cpp - One destination per user -----------------===//
//
// Bufferization finds what can be in place; it cannot find it where two users
// share an empty or filled tensor, where a loop carries a value that is
// computed elsewhere each time, or where the branches of a conditional end in
// different tensors. This gives each user its own destination, and loops and
// conditionals one destination per value.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "tp/Conversion/Passes.h"

namespace mlir::tp {
#define GEN_PASS_DEF_PREPAREBUFFERIZATIONPASS
#include "tp/Conversion/Passes.h.inc"
} // namespace mlir::tp

using namespace mlir;
using namespace mlir::tp;

namespace {

/// Splat constants up to this many elements stay constants.
constexpr int64_t kSmallConstant = 64;

/// Splat tensors become a fill: no data in the object file.
void fillSplats(Operation *root) {
  SmallVector<arith::ConstantOp> constants;
  root->walk([&](arith::ConstantOp constant) { constants.push_back(constant); });
  for (arith::ConstantOp constant : constants) {
    auto type = dyn_cast<RankedTensorType>(constant.getType());
    auto splat = dyn_cast<SplatElementsAttr>(constant.getValue());
    if (!type || !splat || type.getNumElements() <= kSmallConstant)
      continue;
    OpBuilder builder(constant);
    Location loc = constant.getLoc();
    Value scalar =
        arith::ConstantOp::create(builder, loc, cast<TypedAttr>(splat.getSplatValue<Attribute>()));
    Value empty = tensor::EmptyOp::create(builder, loc, type.getShape(), type.getElementType());
    constant->replaceAllUsesWith(linalg::FillOp::create(builder, loc, scalar, empty));
    constant->erase();
  }
}

bool isInit(OpOperand &use) {
  auto op = dyn_cast<DestinationStyleOpInterface>(use.getOwner());
  return op && op.isDpsInit(&use);
}

/// A clone of `op`, which has one result, right before each use that `select`
/// accepts.
template <typename Select> unsigned cloneForUses(Operation *op, Select select) {
  SmallVector<OpOperand *> uses;
  for (OpOperand &use : op->getResult(0).getUses())
    if (select(use))
      uses.push_back(&use);
  for (OpOperand *use : uses) {
    OpBuilder builder(use->getOwner());
    use->set(builder.clone(*op)->getResult(0));
  }
  if (op->use_empty())
    op->erase();
  return uses.size();
}

/// Where the memory of `value` comes from when everything is in place.
Value getOrigin(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (auto insert = dyn_cast<tensor::InsertSliceOp>(op))
      value = insert.getDest();
    else if (auto style = dyn_cast<DestinationStyleOpInterface>(op))
      value = style.getTiedOpOperand(cast<OpResult>(value))->get();
    else if (auto loop = dyn_cast<scf::ForOp>(op))
      value = loop.getTiedLoopInit(cast<OpResult>(value))->get();
    else
      break;
  }
  return value;
}

Value materialize(OpBuilder &builder, Value value, Value destination) {
  return bufferization::MaterializeInDestinationOp::create(
             builder, value.getLoc(), destination.getType(), value, destination)
      .getResult();
}

/// The operand becomes a value in the buffer of `destination`.
void tieOperand(OpOperand &operand, Value destination) {
  if (!isa<TensorType>(operand.get().getType()) || operand.get() == destination)
    return;
  OpBuilder builder(operand.getOwner());
  operand.set(materialize(builder, operand.get(), destination));
}

/// What a loop hands on becomes values in the buffers of `carried`. Where one
/// takes the place of another, as in a swap, all go through temporaries: none of
/// the old values is gone before all have been read.
void tieCarried(MutableArrayRef<OpOperand> operands, ArrayRef<BlockArgument> carried) {
  bool changePlaces = false;
  for (auto [operand, argument] : llvm::zip_equal(operands, carried)) {
    Value origin = getOrigin(operand.get());
    changePlaces |= isa<TensorType>(origin.getType()) && origin != argument &&
                    llvm::is_contained(carried, origin);
  }
  if (changePlaces)
    for (OpOperand &operand : operands) {
      auto type = dyn_cast<RankedTensorType>(operand.get().getType());
      if (!type)
        continue;
      OpBuilder builder(operand.getOwner());
      operand.set(bufferization::AllocTensorOp::create(builder, operand.get().getLoc(), type,
                                                       ValueRange(), operand.get()));
    }
  for (auto [operand, argument] : llvm::zip_equal(operands, carried))
    tieOperand(operand, argument);
}

void tieFor(scf::ForOp loop) {
  tieCarried(loop.getBody()->getTerminator()->getOpOperands(), loop.getRegionIterArgs());
}

LogicalResult tieWhile(scf::WhileOp loop) {
  scf::ConditionOp condition = loop.getConditionOp();
  TypeRange carried = loop.getBeforeBody()->getArgumentTypes();
  if (condition.getArgs().getTypes() != carried)
    return loop.emitError("a loop that carries tensors must hand on what it carries, found ")
           << condition.getArgs().getTypes() << " and " << carried;
  // The first operand is the condition itself.
  tieCarried(condition->getOpOperands().drop_front(), loop.getBeforeArguments());
  tieCarried(loop.getYieldOp()->getOpOperands(), loop.getAfterArguments());
  return success();
}

void tieIf(scf::IfOp conditional) {
  for (unsigned i = 0; i < conditional.getNumResults(); ++i) {
    auto type = dyn_cast<RankedTensorType>(conditional.getResult(i).getType());
    if (!type)
      continue;
    OpOperand &then = conditional.thenYield()->getOpOperand(i);
    OpOperand &otherwise = conditional.elseYield()->getOpOperand(i);
    // In place on one value from outside: no copy is needed.
    Value origin = getOrigin(then.get());
    if (origin == getOrigin(otherwise.get()) &&
        !conditional->isAncestor(origin.getParentRegion()->getParentOp()))
      continue;
    OpBuilder builder(conditional);
    Value destination = tensor::EmptyOp::create(builder, conditional.getLoc(), type.getShape(),
                                                type.getElementType());
    tieOperand(then, destination);
    tieOperand(otherwise, destination);
  }
}

LogicalResult decompose(Operation *root) {
  SmallVector<linalg::SoftmaxOp> softmaxes;
  root->walk([&](linalg::SoftmaxOp op) { softmaxes.push_back(op); });
  for (linalg::SoftmaxOp op : softmaxes) {
    IRRewriter rewriter(op);
    FailureOr<SmallVector<Value>> values = op.decomposeOperation(rewriter);
    if (failed(values))
      return op.emitError("cannot be decomposed");
    rewriter.replaceOp(op, *values);
  }
  RewritePatternSet patterns(root->getContext());
  tensor::populateDecomposeTensorConcatPatterns(patterns);
  linalg::populateElementwiseToLinalgConversionPatterns(patterns);
  return applyPatternsGreedily(root, std::move(patterns));
}

struct PrepareBufferizationPass : tp::impl::PrepareBufferizationPassBase<PrepareBufferizationPass> {
  void runOnOperation() override {
    Operation *root = getOperation();
    if (failed(decompose(root)))
      return signalPassFailure();
    fillSplats(root);
    WalkResult result = root->walk([&](Operation *op) {
      if (auto loop = dyn_cast<scf::ForOp>(op))
        tieFor(loop);
      else if (auto conditional = dyn_cast<scf::IfOp>(op))
        tieIf(conditional);
      else if (auto loop = dyn_cast<scf::WhileOp>(op))
        return WalkResult(tieWhile(loop));
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      return signalPassFailure();
    // Fills first: their clones are users of the empties.
    SmallVector<Operation *> fills, empties;
    root->walk([&](linalg::FillOp op) {
      if (op->getNumResults() == 1)
        fills.push_back(op);
    });
    for (Operation *op : fills)
      clones += cloneForUses(op, isInit);
    root->walk([&](tensor::EmptyOp op) { empties.push_back(op); });
    for (Operation *op : empties)
      clones += cloneForUses(op, [](OpOperand &use) { return !isDestinationOfBoth(use); });
  }

private:
  /// The common destination of the branches of a conditional is shared on
  /// purpose.
  static bool isDestinationOfBoth(OpOperand &use) {
    return isa<bufferization::MaterializeInDestinationOp>(use.getOwner());
  }
};

} // namespace
