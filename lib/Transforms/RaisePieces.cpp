//===- RaisePieces.cpp - Conditionals on loop indices become concatenations ===//

#include "IndexExpressions.h"
#include "RaiseGenerics.h"

using namespace mlir;
using namespace mlir::tp;

namespace {

/// A loop and the iteration from which a comparison has another outcome.
struct Split {
  unsigned loop;
  int64_t at;
};

} // namespace

/// Longest loop whose iterations are tried one by one.
constexpr int64_t kMaxIterations = 1 << 22;

/// Where the comparison, of numbers linear in one loop, changes first.
static std::optional<Split> findSplit(IndexExpressions &indices, arith::CmpIOp compare) {
  std::optional<AffineExpr> left = indices.get(compare.getLhs());
  std::optional<AffineExpr> right = indices.get(compare.getRhs());
  if (!left || !right)
    return std::nullopt;
  std::optional<LinearIndex> a = indices.getLinear(*left), b = indices.getLinear(*right);
  if (!a || !b || (a->loop && b->loop && *a->loop != *b->loop) || (!a->loop && !b->loop))
    return std::nullopt;
  unsigned loop = a->loop ? *a->loop : *b->loop;
  int64_t size = indices.getLoopSizes()[loop];
  auto outcome = [&](int64_t i) {
    return holds(compare.getPredicate(), a->scale * i + a->offset, b->scale * i + b->offset);
  };
  if (size > kMaxIterations)
    return std::nullopt;
  for (int64_t i = 1; i < size; ++i)
    if (outcome(i) != outcome(0))
      return Split{loop, i};
  return std::nullopt;
}

/// The first split by a comparison that a condition is made of.
static std::optional<Split> findSplit(IndexExpressions &indices, Value condition) {
  Operation *def = condition.getDefiningOp();
  if (auto compare = dyn_cast_or_null<arith::CmpIOp>(def))
    return findSplit(indices, compare);
  if (!isa_and_nonnull<arith::AndIOp, arith::OrIOp, arith::XOrIOp>(def))
    return std::nullopt;
  for (Value operand : def->getOperands())
    if (std::optional<Split> split = findSplit(indices, operand))
      return split;
  return std::nullopt;
}

static bool readsElements(scf::IfOp branch) {
  return branch->walk([](tensor::ExtractOp) { return WalkResult::interrupt(); }).wasInterrupted();
}

/// The dimension of a value that has exactly this loop; none where it has no part in
/// the value. Fails where the loop is a part of a dimension.
static FailureOr<std::optional<unsigned>> getDimOfLoop(AffineMap map, unsigned loop) {
  std::optional<unsigned> found;
  for (auto [i, expr] : llvm::enumerate(map.getResults())) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (dim && dim.getPosition() == loop) {
      if (found)
        return failure();
      found = i;
    } else if (expr.isFunctionOfDim(loop)) {
      return failure();
    }
  }
  return found;
}

static bool canSplit(linalg::GenericOp op, unsigned loop) {
  if (op.getIteratorTypesArray()[loop] != utils::IteratorType::parallel)
    return false;
  for (OpOperand &operand : op->getOpOperands()) {
    auto dim = getDimOfLoop(op.getMatchingIndexingMap(&operand), loop);
    if (failed(dim) || (op.isDpsInit(&operand) && !*dim))
      return false;
  }
  return true;
}

/// `op` on iterations [first, end) of the loop.
static linalg::GenericOp createPart(RewriterBase &rewriter, linalg::GenericOp op, unsigned loop,
                                    int64_t first, int64_t end) {
  Location loc = op.getLoc();
  SmallVector<Value> operands;
  SmallVector<Type> resultTypes;
  for (OpOperand &operand : op->getOpOperands()) {
    Value value = operand.get();
    std::optional<unsigned> dim = *getDimOfLoop(op.getMatchingIndexingMap(&operand), loop);
    if (dim) {
      auto type = cast<RankedTensorType>(value.getType());
      SmallVector<OpFoldResult> offsets(type.getRank(), rewriter.getIndexAttr(0)), sizes;
      SmallVector<OpFoldResult> strides(type.getRank(), rewriter.getIndexAttr(1));
      for (int64_t size : type.getShape())
        sizes.push_back(rewriter.getIndexAttr(size));
      offsets[*dim] = rewriter.getIndexAttr(first);
      sizes[*dim] = rewriter.getIndexAttr(end - first);
      if (op.isDpsInit(&operand) && !op.payloadUsesValueFromOperand(&operand))
        value = tensor::EmptyOp::create(rewriter, loc, sizes, type.getElementType());
      else
        value = tensor::ExtractSliceOp::create(rewriter, loc, value, offsets, sizes, strides);
    }
    if (op.isDpsInit(&operand))
      resultTypes.push_back(value.getType());
    operands.push_back(value);
  }
  unsigned numInputs = op.getNumDpsInputs();
  auto part = linalg::GenericOp::create(rewriter, loc, resultTypes,
                                        ArrayRef(operands).take_front(numInputs),
                                        ArrayRef(operands).drop_front(numInputs),
                                        op.getIndexingMapsArray(), op.getIteratorTypesArray());
  rewriter.cloneRegionBefore(op.getRegion(), part.getRegion(), part.getRegion().begin());
  if (first == 0)
    return part;
  SmallVector<linalg::IndexOp> indices;
  part.getBody()->walk([&](linalg::IndexOp index) {
    if (index.getDim() == loop)
      indices.push_back(index);
  });
  for (linalg::IndexOp index : indices) {
    rewriter.setInsertionPointAfter(index);
    Value offset = arith::ConstantIndexOp::create(rewriter, loc, first);
    auto whole = arith::AddIOp::create(rewriter, loc, index, offset);
    rewriter.replaceAllUsesExcept(index, whole, whole);
  }
  rewriter.setInsertionPointAfter(part);
  return part;
}

bool tp::splitPieces(RewriterBase &rewriter, linalg::GenericOp op,
                     SmallVectorImpl<linalg::GenericOp> &parts) {
  if (op->getNumResults() != 1 && isAnnotated(op))
    return false;
  IndexExpressions indices(op);
  std::optional<Split> split;
  op.getBody()->walk<WalkOrder::PreOrder>([&](scf::IfOp branch) {
    if (::readsElements(branch))
      split = findSplit(indices, branch.getCondition());
    return split ? WalkResult::interrupt() : WalkResult::advance();
  });
  if (!split || !canSplit(op, split->loop))
    return false;
  rewriter.setInsertionPoint(op);
  auto first = createPart(rewriter, op, split->loop, 0, split->at);
  auto second =
      createPart(rewriter, op, split->loop, split->at, indices.getLoopSizes()[split->loop]);
  SmallVector<Value> results;
  for (auto [i, init] : llvm::enumerate(op.getDpsInitsMutable())) {
    unsigned dim = **getDimOfLoop(op.getMatchingIndexingMap(&init), split->loop);
    results.push_back(tensor::ConcatOp::create(
        rewriter, op.getLoc(), dim, ValueRange{first->getResult(i), second->getResult(i)}));
  }
  replaceWithAnnotations(rewriter, op, results);
  parts.append({first, second});
  return true;
}
