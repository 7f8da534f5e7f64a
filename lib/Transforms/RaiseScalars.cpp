//===- RaiseScalars.cpp - Scalars of a body in their simplest form ---------===//

#include "IndexExpressions.h"
#include "RaiseGenerics.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::tp;

Value tp::foldScalarOp(RewriterBase &rewriter, Operation *op) {
  if (op->getNumResults() != 1 || op->getNumRegions() != 0 ||
      op->hasTrait<OpTrait::ConstantLike>() || !op->getResult(0).getType().isIntOrIndexOrFloat())
    return Value();
  SmallVector<OpFoldResult, 1> folded;
  if (failed(op->fold(folded)) || folded.empty())
    return Value();
  auto value = dyn_cast<Value>(folded.front());
  if (!value) {
    Type type = op->getResult(0).getType();
    auto constant = dyn_cast<TypedAttr>(cast<Attribute>(folded.front()));
    bool isComputed = !type.isIntOrIndex() && !isa<tensor::ExtractOp>(op);
    if (!constant || constant.getType() != type || isComputed)
      return Value();
    rewriter.setInsertionPoint(op);
    value = arith::ConstantOp::create(rewriter, op->getLoc(), constant);
  }
  rewriter.replaceOp(op, value);
  return value;
}

/// Moves the ops of the block that a decided conditional runs before it.
static void inlineBranch(RewriterBase &rewriter, scf::IfOp branch, bool condition) {
  Block *block = condition ? branch.thenBlock() : branch.elseBlock();
  if (!block) {
    rewriter.eraseOp(branch);
    return;
  }
  SmallVector<Value> results(block->getTerminator()->getOperands());
  rewriter.eraseOp(block->getTerminator());
  rewriter.inlineBlockBefore(block, branch);
  rewriter.replaceOp(branch, results);
}

/// One pass over the body, in order; returns whether something changed.
static bool foldOnce(RewriterBase &rewriter, linalg::GenericOp op) {
  SmallVector<Operation *> ops;
  op.getBody()->walk<WalkOrder::PreOrder>([&](Operation *nested) { ops.push_back(nested); });
  IndexExpressions indices(op);
  for (Operation *nested : ops) {
    if (auto branch = dyn_cast<scf::IfOp>(nested)) {
      if (std::optional<int64_t> condition = getConstantIntValue(branch.getCondition())) {
        inlineBranch(rewriter, branch, *condition != 0);
        return true;
      }
      continue;
    }
    if (nested->getNumResults() != 1 || nested->hasTrait<OpTrait::ConstantLike>())
      continue;
    Value value = nested->getResult(0);
    Type type = value.getType();
    rewriter.setInsertionPoint(nested);
    if (auto compare = dyn_cast<arith::CmpIOp>(nested)) {
      if (std::optional<bool> outcome = indices.decide(compare)) {
        rewriter.replaceOpWithNewOp<arith::ConstantOp>(nested, rewriter.getBoolAttr(*outcome));
        return true;
      }
    } else if (type.isIntOrIndex()) {
      std::optional<AffineExpr> expr = indices.get(value);
      if (auto constant = dyn_cast_or_null<AffineConstantExpr>(expr.value_or(AffineExpr()))) {
        rewriter.replaceOpWithNewOp<arith::ConstantOp>(
            nested, rewriter.getIntegerAttr(type, constant.getValue()));
        return true;
      }
      auto dim = dyn_cast_or_null<AffineDimExpr>(expr.value_or(AffineExpr()));
      if (dim && type.isIndex() && !isa<linalg::IndexOp>(nested)) {
        rewriter.replaceOpWithNewOp<linalg::IndexOp>(nested, dim.getPosition());
        return true;
      }
    }
    if (foldScalarOp(rewriter, nested))
      return true;
  }
  return false;
}

void tp::foldBody(RewriterBase &rewriter, linalg::GenericOp op) {
  auto isPlain = [](Operation &nested) {
    return nested.getNumRegions() == 0 && !isa<tensor::TensorDialect>(nested.getDialect()) &&
           !isa<linalg::IndexOp>(nested);
  };
  if (llvm::all_of(op.getBody()->without_terminator(), isPlain))
    return;
  while (foldOnce(rewriter, op)) {
  }
  SmallVector<Operation *> ops;
  op.getBody()->walk([&](Operation *nested) { ops.push_back(nested); });
  for (Operation *nested : llvm::reverse(ops))
    if (isOpTriviallyDead(nested))
      rewriter.eraseOp(nested);
}

bool tp::readsElements(linalg::LinalgOp op) {
  return op->getRegion(0)
      .walk([&](tensor::ExtractOp extract) {
        return extract.getTensor().getParentRegion()->isProperAncestor(&op->getRegion(0))
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

//===----------------------------------------------------------------------===//
// Conditionals
//===----------------------------------------------------------------------===//

/// Whether the op may run where its condition does not hold: it traps never, or is
/// the reading of an element, which can be made to read one that is there.
static bool canRunAlways(Operation &nested) {
  if (auto extract = dyn_cast<tensor::ExtractOp>(nested))
    return extract.getTensor().getType().getNumElements() > 0;
  return nested.getNumRegions() == 0 && isPure(&nested);
}

static void selectBranch(RewriterBase &rewriter, scf::IfOp branch, IndexExpressions &indices) {
  Location loc = branch.getLoc();
  Value condition = branch.getCondition();
  SmallVector<SmallVector<Value>, 2> yielded;
  for (Region *region : {&branch.getThenRegion(), &branch.getElseRegion()}) {
    if (region->empty())
      continue;
    Block &block = region->front();
    bool whenTrue = region == &branch.getThenRegion();
    for (auto extract : block.getOps<tensor::ExtractOp>())
      for (auto [dim, index] : llvm::enumerate(extract.getIndicesMutable())) {
        std::optional<AffineExpr> expr = indices.get(index.get());
        std::optional<IndexInterval> range = expr ? indices.getRange(*expr) : std::nullopt;
        if (range && range->isWithin(0, extract.getTensor().getType().getDimSize(dim) - 1))
          continue;
        rewriter.setInsertionPoint(extract);
        Value zero = arith::ConstantIndexOp::create(rewriter, loc, 0);
        Value used = whenTrue ? index.get() : zero, other = whenTrue ? zero : index.get();
        index.set(arith::SelectOp::create(rewriter, loc, condition, used, other));
      }
    yielded.emplace_back(block.getTerminator()->getOperands());
    rewriter.eraseOp(block.getTerminator());
    rewriter.inlineBlockBefore(&block, branch);
  }
  SmallVector<Value> results;
  rewriter.setInsertionPoint(branch);
  if (branch.getNumResults() != 0)
    for (auto [a, b] : llvm::zip_equal(yielded[0], yielded[1]))
      results.push_back(arith::SelectOp::create(rewriter, loc, condition, a, b));
  rewriter.replaceOp(branch, results);
}

void tp::selectBranches(RewriterBase &rewriter, linalg::GenericOp op) {
  SmallVector<scf::IfOp> branches;
  op.getBody()->walk([&](scf::IfOp branch) { branches.push_back(branch); });
  for (scf::IfOp branch : branches) {
    auto canRun = [](Region &region) {
      return region.empty() || llvm::all_of(region.front().without_terminator(), canRunAlways);
    };
    IndexExpressions indices(op);
    if (canRun(branch.getThenRegion()) && canRun(branch.getElseRegion()))
      selectBranch(rewriter, branch, indices);
  }
}
