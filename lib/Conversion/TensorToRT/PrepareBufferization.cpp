//===- PrepareBufferization.cpp - One destination per user -----------------===//
//
// Bufferization finds what can be in place; it cannot find it where two users
// share an empty or filled tensor, where a loop carries a value that is
// computed elsewhere each time, or where the branches of a conditional end in
// different tensors. This gives each user its own destination, and loops and
// conditionals one destination per value.
//
//===----------------------------------------------------------------------===//

#include "Destinations.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
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

/// Whether `use` is done when `op`, which stands in a block of the function, begins.
bool isBefore(OpOperand &use, Operation *op) {
  Operation *ancestor = op->getBlock()->findAncestorOpInBlock(*use.getOwner());
  return ancestor && ancestor->isBeforeInBlock(op);
}

/// The destination in which a value will be materialized, if it is used for nothing else.
Value takeOwnDestination(Value value) {
  for (Operation *user : value.getUsers()) {
    auto op = dyn_cast<bufferization::MaterializeInDestinationOp>(user);
    Value tensor = op ? op.getDest() : Value();
    if (!op || op.getSource() != value || op->getBlock() != value.getParentBlock() ||
        !isa<BlockArgument>(tensor) || !tensor.hasOneUse())
      continue;
    op->replaceAllUsesWith(ValueRange(value));
    op->erase();
    return tensor;
  }
  return {};
}

/// A loop may start from a tensor in whose buffer some value is to be in the end.
/// It works in that buffer where the value is its own result and nothing reads the
/// old contents from then on, or else in a copy. One that starts from an empty tensor
/// works in the destination of its result.
void tieInits(LoopLikeOpInterface loop, bool copyFirst) {
  for (auto [init, result] : llvm::zip_equal(loop.getInitsMutable(), loop->getResults())) {
    Value tensor = init.get();
    if (copyFirst && isa<RankedTensorType>(tensor.getType())) {
      OpBuilder builder(loop);
      init.set(createCopy(builder, tensor));
      continue;
    }
    if (tensor.getDefiningOp<tensor::EmptyOp>()) {
      Value destination = takeOwnDestination(result);
      if (!destination) {
        OpBuilder builder(loop);
        destination = bufferization::AllocTensorOp::create(
            builder, loop.getLoc(), cast<RankedTensorType>(tensor.getType()), ValueRange());
      }
      init.set(destination);
      continue;
    }
    bufferization::MaterializeInDestinationOp end;
    for (Operation *user : tensor.getUsers())
      if (auto op = dyn_cast<bufferization::MaterializeInDestinationOp>(user);
          op && op.getDest() == tensor)
        end = op;
    if (!end)
      continue;
    bool inPlace = end.getSource() == result && end->getBlock() == loop->getBlock() &&
                   llvm::all_of(tensor.getUses(), [&, start = &init](OpOperand &use) {
                     return &use == start || use.getOwner() == end || isBefore(use, loop);
                   });
    if (inPlace) {
      end->replaceAllUsesWith(ValueRange(result));
      end->erase();
    } else {
      OpBuilder builder(loop);
      init.set(createCopy(builder, tensor));
    }
  }
}

/// What a loop hands on becomes values in the buffers of `carried`. Where one
/// takes the place of another, as in a swap, all go through temporaries: none of
/// the old values is gone before all have been read.
void tieCarried(MutableArrayRef<OpOperand> operands, ArrayRef<BlockArgument> carried,
                bool copyFirst) {
  bool changePlaces = false;
  SmallVector<Destination> destinations;
  for (auto [operand, argument] : llvm::zip_equal(operands, carried)) {
    if (!isa<RankedTensorType>(argument.getType()))
      continue;
    Value origin = getOrigin(operand.get());
    changePlaces |= origin != argument && llvm::is_contained(carried, origin);
    destinations.push_back({&operand, argument, /*isRead=*/true});
  }
  materializeInDestinations(destinations, changePlaces || copyFirst);
}

void tieFor(scf::ForOp loop, bool copyFirst) {
  tieInits(loop, copyFirst);
  tieCarried(loop.getBody()->getTerminator()->getOpOperands(), loop.getRegionIterArgs(), copyFirst);
}

/// What carries nothing yet.
Value createPlaceholder(OpBuilder &builder, Location loc, Type type) {
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return tensor::EmptyOp::create(builder, loc, tensor.getShape(), tensor.getElementType());
  return arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
}

/// A loop whose condition hands on other types than the loop carries, so that no
/// buffer serves both, carries both: what it carried, and what it hands on.
scf::WhileOp carryBoth(scf::WhileOp loop) {
  OpBuilder builder(loop);
  SmallVector<Value> inits(loop.getInits());
  for (Type type : loop.getResultTypes())
    inits.push_back(createPlaceholder(builder, loop.getLoc(), type));
  SmallVector<Type> types = llvm::map_to_vector(inits, [](Value init) { return init.getType(); });
  auto both = scf::WhileOp::create(builder, loop.getLoc(), types, inits);
  both.getBefore().takeBody(loop.getBefore());
  both.getAfter().takeBody(loop.getAfter());
  unsigned numCarried = loop.getInits().size();
  auto locations = [&](unsigned count) { return SmallVector<Location>(count, loop.getLoc()); };
  both.getBeforeBody()->addArguments(loop.getResultTypes(), locations(loop.getNumResults()));
  for (auto [i, type] : llvm::enumerate(ArrayRef(types).take_front(numCarried)))
    both.getAfterBody()->insertArgument(i, type, loop.getLoc());
  scf::ConditionOp condition = both.getConditionOp();
  SmallVector<Value> handed(both.getBeforeArguments().take_front(numCarried));
  llvm::append_range(handed, condition.getArgs());
  condition.getArgsMutable().assign(handed);
  both.getYieldOp().getResultsMutable().append(both.getAfterArguments().drop_front(numCarried));
  loop->replaceAllUsesWith(both->getResults().drop_front(numCarried));
  loop->erase();
  return both;
}

void tieWhile(scf::WhileOp loop, bool copyFirst) {
  if (loop.getConditionOp().getArgs().getTypes() != loop.getBeforeBody()->getArgumentTypes())
    loop = carryBoth(loop);
  tieInits(loop, copyFirst);
  // The first operand is the condition itself.
  tieCarried(loop.getConditionOp()->getOpOperands().drop_front(), loop.getBeforeArguments(),
             copyFirst);
  tieCarried(loop.getYieldOp()->getOpOperands(), loop.getAfterArguments(), copyFirst);
}

/// Whether a value that has its memory from `origin` has a whole buffer that can be
/// written.
bool isWritable(Value origin) {
  auto argument = dyn_cast<BlockArgument>(origin);
  if (!argument)
    return isa<tensor::EmptyOp, bufferization::AllocTensorOp>(origin.getDefiningOp());
  Operation *parent = argument.getOwner()->getParentOp();
  if (auto function = dyn_cast<func::FuncOp>(parent)) {
    auto writable =
        function.getArgAttrOfType<BoolAttr>(argument.getArgNumber(), "bufferization.writable");
    return !writable || writable.getValue();
  }
  auto loop = dyn_cast<scf::ForOp>(parent);
  return loop && argument != loop.getInductionVar() &&
         isWritable(getOrigin(loop.getTiedLoopInit(argument)->get()));
}

/// The one tensor from outside in which all branches end by updating it, so that no
/// copy is needed; null where there is none.
Value getUpdatedTensor(ArrayRef<OpOperand *> operands, Operation *conditional) {
  Value common;
  for (OpOperand *operand : operands) {
    Value origin = getOrigin(operand->get(), conditional);
    if ((common && origin != common) || origin.getType() != operand->get().getType() ||
        conditional->isAncestor(origin.getParentRegion()->getParentOp()))
      return {};
    common = origin;
  }
  // Each use of an empty or filled tensor gets one of its own.
  Operation *op = common ? common.getDefiningOp() : nullptr;
  if (isa_and_nonnull<tensor::EmptyOp, linalg::FillOp>(op))
    return {};
  bool isWhole = common && getOrigin(common).getType() == common.getType();
  return isWhole && isWritable(getOrigin(common)) ? common : Value();
}

/// Whether nothing reads what was in `tensor` once `conditional` is done.
bool isReadOnlyBefore(Value tensor, Operation *conditional) {
  return llvm::all_of(tensor.getUses(), [&](OpOperand &use) {
    Operation *op = use.getOwner();
    auto materialize = dyn_cast<bufferization::MaterializeInDestinationOp>(op);
    if (materialize && materialize.getSource() != tensor)
      return true;
    if (conditional->isProperAncestor(op))
      return true;
    // Its results are new values.
    auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
    return linalgOp && linalgOp.isDpsInput(&use) && op->getBlock() == conditional->getBlock() &&
           op->isBeforeInBlock(conditional);
  });
}

/// The destination in which a result of a conditional will be materialized behind
/// it, where nothing reads what is there until then: the branches can end in it.
/// The op that does so is gone. Null where there is none.
Value takeDestination(Operation *conditional, Value result) {
  for (Operation *user : result.getUsers()) {
    auto op = dyn_cast<bufferization::MaterializeInDestinationOp>(user);
    if (!op || op.getSource() != result || op->getBlock() != conditional->getBlock())
      continue;
    Value tensor = op.getDest();
    Operation *definition = tensor.getDefiningOp();
    bool isAlloc = isa_and_nonnull<bufferization::AllocTensorOp>(definition) &&
                   !conditional->isAncestor(definition);
    auto argument = dyn_cast<BlockArgument>(tensor);
    bool isArgument = argument && isa<func::FuncOp>(argument.getOwner()->getParentOp());
    if ((!isAlloc && !isArgument) || !isReadOnlyBefore(tensor, conditional))
      continue;
    op->replaceAllUsesWith(ValueRange(result));
    op->erase();
    return tensor;
  }
  return {};
}

/// The results of a conditional are in one destination, whatever branch is taken.
void tieBranches(RegionBranchOpInterface conditional, bool copyFirst) {
  SmallVector<Operation *> terminators;
  for (Region &region : conditional->getRegions())
    for (Block &block : region)
      if (isa<scf::YieldOp>(block.getTerminator()))
        terminators.push_back(block.getTerminator());
  llvm::SmallDenseSet<Value> read;
  for (Operation *terminator : terminators)
    for (Value operand : terminator->getOperands())
      read.insert(getOrigin(operand));
  SmallVector<SmallVector<Destination>> destinations(terminators.size());
  llvm::SmallDenseSet<Value> taken;
  // Whether the result gets a destination.
  auto place = [&](OpResult result) {
    SmallVector<OpOperand *> operands;
    for (Operation *terminator : terminators)
      operands.push_back(&terminator->getOpOperand(result.getResultNumber()));
    Value updated = copyFirst ? Value() : getUpdatedTensor(operands, conditional);
    if (updated && !taken.contains(getOrigin(updated)))
      return false;
    Value tensor = copyFirst ? Value() : takeDestination(conditional, result);
    if (!tensor) {
      OpBuilder builder(conditional);
      tensor = bufferization::AllocTensorOp::create(
          builder, conditional.getLoc(), cast<RankedTensorType>(result.getType()), ValueRange());
    }
    taken.insert(tensor);
    for (auto [operand, list] : llvm::zip_equal(operands, destinations))
      list.push_back({operand, tensor, /*isRead=*/read.contains(tensor)});
    return true;
  };
  SmallVector<OpResult> results(conditional->getResults());
  llvm::erase_if(results, [](OpResult result) { return !isa<RankedTensorType>(result.getType()); });
  // A tensor that is the destination of another result is not there to be updated.
  for (size_t before = 0; before != results.size();) {
    before = results.size();
    llvm::erase_if(results, place);
  }
  for (SmallVector<Destination> &list : destinations)
    materializeInDestinations(list, copyFirst);
}

/// A value that ends in a destination is computed there from its beginning, a tensor
/// that was empty. What is read once the computation has gone on is kept in a copy.
void keepReadValues(bufferization::MaterializeInDestinationOp end) {
  Value value = end.getSource();
  while (auto op = value.getDefiningOp<DestinationStyleOpInterface>()) {
    OpOperand &base = *op.getTiedOpOperand(cast<OpResult>(value));
    value = base.get();
    bool isRead = llvm::any_of(value.getUses(), [&](OpOperand &use) {
      return &use != &base && use.getOwner() != op && !isBefore(use, op);
    });
    if (!isRead)
      continue;
    if (isa_and_nonnull<tensor::EmptyOp>(getOrigin(value).getDefiningOp())) {
      OpBuilder builder(op);
      base.set(createCopy(builder, value));
    }
    return;
  }
}

LogicalResult decompose(Operation *root) {
  SmallVector<linalg::SoftmaxOp> softmaxes;
  root->walk([&](linalg::SoftmaxOp op) { softmaxes.push_back(op); });
  for (linalg::SoftmaxOp op : softmaxes) {
    IRRewriter rewriter(op);
    rewriter.replaceOp(op, *op.decomposeOperation(rewriter)); // Each softmax can be.
  }
  RewritePatternSet patterns(root->getContext());
  tensor::populateDecomposeTensorConcatPatterns(patterns);
  linalg::populateElementwiseToLinalgConversionPatterns(patterns);
  return applyPatternsGreedily(root, std::move(patterns));
}

/// One error that names the op for what has no meaning on buffers.
LogicalResult verifyBufferizable(Operation *root) {
  WalkResult result = root->walk([&](Operation *op) {
    auto isTensor = [](Type type) { return isa<TensorType>(type); };
    if (isa<bufferization::BufferizableOpInterface>(op) ||
        (llvm::none_of(op->getOperandTypes(), isTensor) &&
         llvm::none_of(op->getResultTypes(), isTensor)))
      return WalkResult::advance();
    op->emitError("'") << op->getName() << "' is not supported on the CPU";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

struct PrepareBufferizationPass : tp::impl::PrepareBufferizationPassBase<PrepareBufferizationPass> {
  using PrepareBufferizationPassBase::PrepareBufferizationPassBase;

  void runOnOperation() override {
    Operation *root = getOperation();
    if (failed(decompose(root)) || failed(verifyBufferizable(root)))
      return signalPassFailure();
    fillSplats(root);
    // From outside in: what a conditional yields may be the result of another one.
    SmallVector<Operation *> structured;
    root->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (isa<RegionBranchOpInterface>(op))
        structured.push_back(op);
    });
    for (Operation *op : structured) {
      if (auto loop = dyn_cast<scf::ForOp>(op))
        tieFor(loop, copyFirst);
      else if (isa<scf::IfOp, scf::IndexSwitchOp, scf::ExecuteRegionOp>(op))
        tieBranches(cast<RegionBranchOpInterface>(op), copyFirst);
      else if (auto loop = dyn_cast<scf::WhileOp>(op))
        tieWhile(loop, copyFirst);
    }
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
      clones += cloneForUses(op, [](OpOperand &) { return true; });
    root->walk([](bufferization::MaterializeInDestinationOp op) { keepReadValues(op); });
  }
};

} // namespace
