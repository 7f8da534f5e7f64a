//===- RaiseGenerics.cpp - What bodies hide becomes ops --------------------===//
//
// Front ends write slices, concatenations, broadcasts and look-ups as linalg.generic
// with captured tensors, and indices as tensors without dimensions. Here they become
// what they are, so that the rules of those ops apply.
//
//===----------------------------------------------------------------------===//

#include "RaiseGenerics.h"

#include "dialects/NN/NN.h"
#include "dialects/TP/TP.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/IR/Matchers.h"
#include "tp/Analysis/Propagation.h"
#include "tp/Analysis/RegionFlow.h"
#include "tp/Interfaces/Expand.h"
#include "tp/Transforms/Passes.h"

namespace mlir::tp {
#define GEN_PASS_DEF_RAISEGENERICSPASS
#include "tp/Transforms/Passes.h.inc"
} // namespace mlir::tp

using namespace mlir;
using namespace mlir::tp;

bool tp::isAnnotated(Operation *op) {
  return llvm::any_of(op->getDiscardableAttrs(), [](NamedAttribute attr) {
    return attr.getName().getValue().starts_with(TPDialect::getDialectNamespace());
  });
}

void tp::replaceWithAnnotations(RewriterBase &rewriter, Operation *old, ValueRange results) {
  if (Operation *def = results.empty() ? nullptr : results.front().getDefiningOp();
      def && def->getNumResults() == old->getNumResults() && isAnnotated(old))
    for (NamedAttribute attr : old->getDiscardableAttrs())
      def->setDiscardableAttr(attr.getName(), attr.getValue());
  rewriter.replaceOp(old, results);
}

namespace {

/// The value that the op yields in each iteration, where it has one element per
/// iteration; else null.
Value getOnlyYielded(linalg::GenericOp op) {
  if (op->getNumResults() != 1 || op.getNumReductionLoops() != 0 ||
      !op.getIndexingMapsArray().back().isPermutation())
    return Value();
  return op.getBody()->getTerminator()->getOperand(0);
}

/// Makes offsets, sizes and strides that are constants a part of the op.
template <typename OpTy> void makeStatic(RewriterBase &rewriter, OpTy slice) {
  SmallVector<OpFoldResult> offsets = slice.getMixedOffsets(), sizes = slice.getMixedSizes(),
                            strides = slice.getMixedStrides();
  bool changed = succeeded(foldDynamicIndexList(offsets, /*onlyNonNegative=*/true));
  changed |= succeeded(foldDynamicIndexList(sizes, /*onlyNonNegative=*/true));
  changed |= succeeded(foldDynamicIndexList(strides));
  if (!changed)
    return;
  rewriter.setInsertionPoint(slice);
  OpTy made;
  if constexpr (std::is_same_v<OpTy, tensor::InsertSliceOp>)
    made = OpTy::create(rewriter, slice.getLoc(), slice.getSource(), slice.getDest(), offsets,
                        sizes, strides);
  else
    made = OpTy::create(rewriter, slice.getLoc(), slice.getType(), slice.getSource(), offsets,
                        sizes, strides);
  replaceWithAnnotations(rewriter, slice, made->getResults());
}

class Raiser {
public:
  Raiser(MLIRContext *context) : rewriter(context) {}

  /// Returns whether something changed; fails with one error where annotations disagree.
  FailureOr<bool> run(func::FuncOp function);

private:
  LogicalResult expand(Operation *op);
  void visit(linalg::GenericOp op);
  void visitCopy(linalg::GenericOp op);
  /// The element of a tensor without dimensions as a scalar, where it is made of
  /// scalars; else null.
  Value getScalar(Value tensor);
  Value computeScalar(Value tensor);
  /// The same, or the element as it is read.
  Value getElement(Value tensor);
  Value getSplat(Operation *op, Value tensor);

  IRRewriter rewriter;
  DenseMap<Value, Value> scalars; ///< of tensors without dimensions; null: none
};

/// Ops on integers that other ops take as scalars are computed as scalars.
Value Raiser::getScalar(Value tensor) {
  auto type = dyn_cast<RankedTensorType>(tensor.getType());
  if (!type || type.getRank() != 0)
    return Value();
  auto it = scalars.find(tensor);
  if (it != scalars.end())
    return it->second;
  Value scalar = computeScalar(tensor);
  scalars[tensor] = scalar;
  return scalar;
}

Value Raiser::getElement(Value tensor) {
  if (Value scalar = getScalar(tensor))
    return scalar;
  rewriter.setInsertionPointAfterValue(tensor);
  return scalars[tensor] =
             tensor::ExtractOp::create(rewriter, tensor.getLoc(), tensor, ValueRange());
}

Value Raiser::computeScalar(Value tensor) {
  Operation *def = tensor.getDefiningOp();
  if (!def)
    return Value();
  if (auto elements = dyn_cast<tensor::FromElementsOp>(def))
    return elements.getElements().front();
  if (Value scalar = getSplat(def, tensor))
    return scalar;
  auto generic = dyn_cast<linalg::GenericOp>(def);
  unsigned result = cast<OpResult>(tensor).getResultNumber();
  if (generic && generic.getNumLoops() == 0) {
    // A copy, whatever its type.
    auto copied = dyn_cast<BlockArgument>(generic.getBody()->getTerminator()->getOperand(result));
    if (copied && copied.getOwner() == generic.getBody()) {
      Value source = generic->getOperand(copied.getArgNumber());
      return isa<RankedTensorType>(source.getType()) ? getScalar(source) : source;
    }
  }
  auto isInteger = [](Type type) { return getElementTypeOrSelf(type).isIntOrIndex(); };
  if (!generic || generic.getNumLoops() != 0 || !llvm::all_of(generic.getOperandTypes(), isInteger))
    return Value();
  IRMapping mapping;
  for (OpOperand &operand : generic->getOpOperands()) {
    BlockArgument argument = generic.getMatchingBlockArgument(&operand);
    if (argument.use_empty())
      continue;
    Value value = operand.get();
    mapping.map(argument, isa<RankedTensorType>(value.getType()) ? getElement(value) : value);
  }
  rewriter.setInsertionPoint(generic);
  for (Operation &nested : generic.getBody()->without_terminator()) {
    Operation *clone = rewriter.clone(nested, mapping);
    if (Value folded = foldScalarOp(rewriter, clone))
      mapping.map(nested.getResult(0), folded);
  }
  return mapping.lookupOrDefault(generic.getBody()->getTerminator()->getOperand(result));
}

/// The scalar that all elements of a tensor are, made before `op`; else null.
Value Raiser::getSplat(Operation *op, Value tensor) {
  if (auto fill = tensor.getDefiningOp<linalg::FillOp>())
    return fill.value();
  SplatElementsAttr splat;
  if (!matchPattern(tensor, m_Constant(&splat)))
    return Value();
  rewriter.setInsertionPoint(op);
  return arith::ConstantOp::create(rewriter, op->getLoc(),
                                   cast<TypedAttr>(splat.getSplatValue<Attribute>()));
}

/// A copy in which nothing moves is the value; one scalar everywhere is a fill.
void Raiser::visitCopy(linalg::GenericOp op) {
  Value yielded = getOnlyYielded(op), scalar, copied;
  if (!yielded)
    return;
  OpOperand *input = nullptr;
  auto argument = dyn_cast<BlockArgument>(yielded);
  if (argument && argument.getOwner() == op.getBody()) {
    if (argument.getArgNumber() >= op.getNumDpsInputs())
      return;
    input = &op->getOpOperand(argument.getArgNumber());
    copied = input->get();
    scalar = isa<RankedTensorType>(copied.getType()) ? getSplat(op, copied) : copied;
  } else if (!op->isAncestor(yielded.getParentBlock()->getParentOp())) {
    scalar = yielded;
  } else if (TypedAttr constant; matchPattern(yielded, m_Constant(&constant))) {
    rewriter.setInsertionPoint(op);
    scalar = arith::ConstantOp::create(rewriter, op.getLoc(), constant);
  }
  if (scalar) {
    rewriter.setInsertionPoint(op);
    auto fill = linalg::FillOp::create(rewriter, op.getLoc(), scalar, op.getOutputs());
    replaceWithAnnotations(rewriter, op, fill->getResults());
    return;
  }
  if (copied && op.getMatchingIndexingMap(input) == op.getIndexingMapsArray().back() &&
      copied.getType() == op->getResult(0).getType() && !isAnnotated(op))
    rewriter.replaceOp(op, copied);
}

void Raiser::visit(linalg::GenericOp op) {
  if (!op.hasPureTensorSemantics() || op.hasDynamicShape())
    return;
  foldBody(rewriter, op);
  SmallVector<linalg::GenericOp> parts;
  if (splitPieces(rewriter, op, parts)) {
    for (linalg::GenericOp part : parts)
      visit(part);
    return;
  }
  op = raiseAccesses(rewriter, op);
  selectBranches(rewriter, op);
  foldBody(rewriter, op);
  op = splitLookups(rewriter, op);
  visitCopy(op);
}

/// What is said of result `number` of the op, as attributes of an op that makes nothing
/// else. What scf.forall says of the destination is said of the result.
FailureOr<NamedAttrList> getAnnotations(Operation *op, unsigned number) {
  NamedAttrList list;
  for (NamedAttribute attr : op->getDiscardableAttrs()) {
    auto array = dyn_cast<ArrayAttr>(attr.getValue());
    if (array && array.size() == op->getNumResults() && attr.getName() != kArgShardingAttr)
      list.set(attr.getName(), ArrayAttr::get(op->getContext(), {array[number]}));
    else if (op->getNumResults() == 1 && attr.getName() != kArgShardingAttr)
      list.set(attr.getName(), attr.getValue());
  }
  if (auto forall = dyn_cast<scf::ForallOp>(op)) {
    FlowValue carried;
    carried.inputs = {forall.getRegionOutArgs()[number], op->getResult(number)};
    FailureOr<Annotation> found = findAnnotation(op, carried);
    if (failed(found))
      return failure();
    if (found->sharding)
      list.set(kShardingAttr, ArrayAttr::get(op->getContext(), {found->sharding}));
  }
  return list;
}

/// Puts what the op is made of in its place, with its annotations.
LogicalResult Raiser::expand(Operation *op) {
  SmallVector<NamedAttrList> annotations;
  for (unsigned i = 0, n = op->getNumResults(); i < n; ++i) {
    FailureOr<NamedAttrList> list = getAnnotations(op, i);
    if (failed(list))
      return failure();
    annotations.push_back(*list);
  }
  SmallVector<Value> operands(op->getOperands());
  // The only use of the results shows what takes their place.
  rewriter.setInsertionPointAfter(op);
  auto uses = UnrealizedConversionCastOp::create(rewriter, op->getLoc(), op->getResultTypes(),
                                                 op->getResults());
  for (auto [result, use] : llvm::zip_equal(op->getResults(), uses.getResults()))
    rewriter.replaceAllUsesExcept(result, use, uses);
  bool isExpanded = succeeded(expandOp(rewriter, op));
  SmallVector<Value> made(uses.getOperands());
  for (auto [value, list] : llvm::zip(made, annotations)) {
    Operation *def = value.getDefiningOp();
    bool isOwn = def && def->getNumResults() == 1 && !llvm::is_contained(operands, value);
    auto shardings = dyn_cast_or_null<ArrayAttr>(list.get(kShardingAttr));
    if (!isExpanded || list.empty() || (!isOwn && !shardings))
      continue;
    if (!isOwn) {
      // A value that is more than this result, or one of several of a loop.
      rewriter.setInsertionPoint(uses);
      def = ConstraintOp::create(rewriter, uses.getLoc(), value, cast<ShardingAttr>(shardings[0]),
                                 /*reason=*/StringAttr());
      list.erase(kShardingAttr);
      value = def->getResult(0);
    }
    for (NamedAttribute attr : list)
      def->setDiscardableAttr(attr.getName(), attr.getValue());
  }
  rewriter.replaceOp(uses, made);
  return success();
}

FailureOr<bool> Raiser::run(func::FuncOp function) {
  SmallVector<Operation *> expandable;
  function.walk([&](Operation *op) {
    if (isExpandable(op))
      expandable.push_back(op);
  });
  for (Operation *op : expandable)
    if (failed(expand(op)))
      return failure();
  SmallVector<tensor::ExtractOp> extracts;
  SmallVector<linalg::LinalgOp> ops;
  SmallVector<Operation *> slices;
  function.walk([&](Operation *op) {
    if (auto extract = dyn_cast<tensor::ExtractOp>(op))
      extracts.push_back(extract);
    else if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
      ops.push_back(linalgOp);
    else if (isa<tensor::ExtractSliceOp, tensor::InsertSliceOp>(op))
      slices.push_back(op);
  });
  for (tensor::ExtractOp extract : extracts) {
    // Tensors that are made inside a body fold with it.
    Operation *maker = extract.getTensor().getParentBlock()->getParentOp();
    if (isa<linalg::LinalgOp>(maker) || maker->getParentOfType<linalg::LinalgOp>())
      continue;
    if (Value scalar = getScalar(extract.getTensor()))
      rewriter.replaceOp(extract, scalar);
  }
  for (linalg::LinalgOp op : ops) {
    auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
    if (!generic && readsElements(op)) {
      rewriter.setInsertionPoint(op);
      if (auto made = linalg::generalizeNamedOp(rewriter, op); succeeded(made))
        generic = *made;
    }
    if (generic)
      visit(generic);
  }
  // Indices of slices that are constants after all.
  if (!extracts.empty())
    function.walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (isa<linalg::LinalgOp>(op))
        return WalkResult::skip();
      // One that is gone has no regions to walk.
      return foldScalarOp(rewriter, op) ? WalkResult::skip() : WalkResult::advance();
    });
  for (Operation *slice : slices) {
    if (auto extract = dyn_cast<tensor::ExtractSliceOp>(slice))
      makeStatic(rewriter, extract);
    else
      makeStatic(rewriter, cast<tensor::InsertSliceOp>(slice));
  }
  bool changed = raiseTopK(function);
  changed |= raiseScans(function);
  changed |= raiseScanLoops(function);
  return changed || !extracts.empty() || !expandable.empty();
}

struct RaiseGenericsPass : tp::impl::RaiseGenericsPassBase<RaiseGenericsPass> {
  using RaiseGenericsPassBase::RaiseGenericsPassBase;

  void runOnOperation() override {
    func::FuncOp function = getOperation();
    FailureOr<bool> changed = Raiser(&getContext()).run(function);
    if (failed(changed))
      return signalPassFailure();
    if (*changed)
      eraseDeadOps(function.getBody());
  }
};

} // namespace
