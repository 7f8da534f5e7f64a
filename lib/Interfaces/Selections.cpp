//===- Selections.cpp ------------------------------------------------------===//

#include "Selections.h"

#include "Combination.h"
#include "PaddingGuards.h"
#include "Windows.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::tp;

namespace {

/// The first loop that reduces, where all inits lack just the reductions and have the
/// other loops alike.
std::optional<unsigned> getFirstReduction(linalg::LinalgOp op) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  AffineMap result = maps.back();
  for (OpOperand &init : op.getDpsInitsMutable())
    if (maps[init.getOperandNumber()] != result || !isa<RankedTensorType>(init.get().getType()))
      return std::nullopt;
  if (!result.isProjectedPermutation())
    return std::nullopt;
  std::optional<unsigned> first;
  for (auto [loop, iterator] : llvm::enumerate(op.getIteratorTypesArray())) {
    bool reduces = iterator == utils::IteratorType::reduction;
    if (reduces == result.isFunctionOfDim(loop))
      return std::nullopt;
    if (reduces && !first)
      first = loop;
  }
  if (!first)
    return std::nullopt;
  // Every operand has the loop as a dimension of its own, or not at all.
  for (AffineMap map : maps)
    for (AffineExpr expr : map.getResults())
      if (!isa<AffineDimExpr>(expr) && expr.isFunctionOfDim(*first))
        return std::nullopt;
  return first;
}

} // namespace

std::optional<unsigned> tp::getSelectionLoop(linalg::LinalgOp op) {
  std::optional<unsigned> loop = getFirstReduction(op);
  if (!loop || op.getBlock()
                   ->walk([](tensor::ExtractOp) { return WalkResult::interrupt(); })
                   .wasInterrupted())
    return std::nullopt;
  return Combination::getGroupingFree(op) ? loop : std::nullopt;
}

FailureOr<SmallVector<Value>> tp::createCandidates(OpBuilder &builder, linalg::LinalgOp op,
                                                   unsigned loop, int64_t count) {
  Location loc = op.getLoc();
  MLIRContext *context = op.getContext();
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  int64_t n = op.getStaticLoopRanges()[loop], rows = llvm::divideCeil(n, count);
  bool isFull = rows * count == n;
  bool mayTrap = false;
  op.getBlock()->walk(
      [&](Operation *nested) { mayTrap |= getOperandThatMayTrap(nested).has_value(); });
  if (n == 0 || (!isFull && mayTrap))
    return failure();
  Combination combination = *Combination::getGroupingFree(op);
  unsigned numParts = combination.numParts(), numResults = op.getNumDpsInits();
  if (combination.witness) {
    // A part more than the op has results.
    int64_t most = 0, parts = 0;
    auto bytesOf = [](Type type) {
      auto tensor = cast<RankedTensorType>(type);
      Type element = tensor.getElementType();
      unsigned bits = element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 64;
      return tensor.getNumElements() * static_cast<int64_t>(llvm::divideCeil(bits, 8));
    };
    for (OpOperand *operand : op.getDpsInputOperands())
      if (maps[operand->getOperandNumber()].isFunctionOfDim(loop))
        most = std::max(most, bytesOf(operand->get().getType()));
    for (unsigned part = 0; part < numParts; ++part)
      parts += count * bytesOf(op->getResult(combination.resultOfPart(part)).getType());
    if (parts >= most)
      return failure();
  }

  // As in createBlocked: `loop` becomes the block, the next one the row in it.
  unsigned numLoops = op.getNumLoops() + 1;
  SmallVector<AffineExpr> moved;
  for (unsigned i = 0; i + 1 < numLoops; ++i)
    moved.push_back(getAffineDimExpr(i < loop ? i : i + 1, context));
  SmallVector<Value> inputs, inits;
  SmallVector<AffineMap> blockedMaps;
  for (OpOperand *operand : op.getDpsInputOperands()) {
    Value value = operand->get();
    SmallVector<AffineExpr> exprs;
    for (auto [dim, expr] : llvm::enumerate(maps[operand->getOperandNumber()].getResults())) {
      if (!expr.isFunctionOfDim(loop)) {
        exprs.push_back(expr.replaceDims(moved));
        continue;
      }
      if (!isFull) {
        SmallVector<WindowSegment> segments;
        for (int64_t block = 0; block < count; ++block)
          segments.push_back({std::min(block * rows, n), rows});
        auto type = cast<RankedTensorType>(value.getType());
        WindowMap map(n, segments);
        SmallVector<int64_t> shape(type.getShape());
        shape[dim] = map.resultSize();
        value = WindowOp::create(builder, loc, type.clone(shape), value, dim, map.starts(),
                                 map.sizes(), map.stride, map.repeat, TypedAttr(),
                                 builder.getStringAttr("blocks of which each has a candidate"));
      }
      value = createSplit(builder, loc, value, dim, count);
      exprs.push_back(getAffineDimExpr(loop, context));
      exprs.push_back(getAffineDimExpr(loop + 1, context));
    }
    inputs.push_back(value);
    blockedMaps.push_back(AffineMap::get(numLoops, 0, exprs, context));
  }
  SmallVector<AffineExpr> made = llvm::map_to_vector(
      maps.back().getResults(), [&](AffineExpr e) { return e.replaceDims(moved); });
  made.push_back(getAffineDimExpr(loop, context));
  unsigned rank = made.size();
  for (unsigned part = 0; part < numParts; ++part) {
    Value init = op.getDpsInits()[combination.resultOfPart(part)];
    auto type = cast<RankedTensorType>(init.getType());
    SmallVector<int64_t> shape(type.getShape());
    shape.push_back(count);
    Value empty = tensor::EmptyOp::create(builder, loc, shape, type.getElementType());
    if (auto fill = init.getDefiningOp<linalg::FillOp>())
      inits.push_back(
          linalg::FillOp::create(builder, loc, fill.getInputs()[0], empty).getResult(0));
    else
      inits.push_back(
          linalg::BroadcastOp::create(builder, loc, init, empty, ArrayRef<int64_t>{rank - 1})
              ->getResult(0));
    blockedMaps.push_back(AffineMap::get(numLoops, 0, made, context));
  }
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  iterators.insert(iterators.begin() + loop, utils::IteratorType::parallel);
  auto body = [&](OpBuilder &nested, Location at, ValueRange args) {
    IRMapping mapping;
    mapping.map(op.getBlock()->getArguments(), args);
    auto position = [&]() -> Value {
      Value block = linalg::IndexOp::create(nested, at, loop);
      Value size = arith::ConstantIndexOp::create(nested, at, rows);
      Value first = arith::MulIOp::create(nested, at, block, size);
      Value row = linalg::IndexOp::create(nested, at, loop + 1);
      return arith::AddIOp::create(nested, at, first, row);
    };
    for (Operation &old : op.getBlock()->without_terminator()) {
      auto index = dyn_cast<linalg::IndexOp>(old);
      if (!index)
        nested.clone(old, mapping);
      else if (unsigned i = index.getDim(); i == loop)
        mapping.map(index.getResult(), position());
      else
        mapping.map(index.getResult(),
                    linalg::IndexOp::create(nested, at, i < loop ? i : i + 1).getResult());
    }
    SmallVector<Value> yielded;
    Value inside;
    if (!isFull)
      inside = arith::CmpIOp::create(nested, at, arith::CmpIPredicate::slt, position(),
                                     arith::ConstantIndexOp::create(nested, at, n));
    for (Value value : op.getBlock()->getTerminator()->getOperands())
      yielded.push_back(mapping.lookupOrDefault(value));
    if (auto witness = combination.witness) {
      Value element = mapping.lookupOrDefault(combination.elements[witness->of]);
      Value kept = args.back();
      yielded.push_back(arith::SelectOp::create(
          nested, at, mapping.lookupOrDefault(witness->condition), witness->taken ? element : kept,
          witness->taken ? kept : element));
    }
    if (inside)
      for (auto [part, value] : llvm::enumerate(yielded))
        value =
            arith::SelectOp::create(nested, at, inside, value, args[op.getNumDpsInputs() + part]);
    linalg::YieldOp::create(nested, at, yielded);
  };
  auto candidates = linalg::GenericOp::create(builder, loc, ValueRange(inits).getTypes(), inputs,
                                              inits, blockedMaps, iterators, body);

  AffineMap all = builder.getMultiDimIdentityMap(rank);
  AffineMap row = AffineMap::get(rank, 0, all.getResults().drop_back(), context);
  SmallVector<AffineMap> chosenMaps(numParts, all);
  chosenMaps.append(numResults, row);
  SmallVector<utils::IteratorType> chosenIterators(rank, utils::IteratorType::parallel);
  chosenIterators.back() = utils::IteratorType::reduction;
  auto chosen = linalg::GenericOp::create(
      builder, loc, op->getResultTypes(), candidates.getResults(), op.getDpsInits(), chosenMaps,
      chosenIterators, [&](OpBuilder &nested, Location at, ValueRange args) {
        IRMapping mapping;
        for (unsigned i = 0; i < numResults; ++i) {
          mapping.map(combination.elements[i], args[i]);
          mapping.map(op.getRegionOutputArgs()[i], args[numParts + i]);
        }
        for (Operation *def : combination.ops) {
          Operation *made = nested.clone(*def, mapping);
          if (combination.witness && isa<arith::CmpFOp>(def))
            made->replaceUsesOfWith(args[combination.witness->of], args[numResults]);
        }
        linalg::YieldOp::create(
            nested, at,
            llvm::map_to_vector(op.getBlock()->getTerminator()->getOperands(),
                                [&](Value value) { return mapping.lookupOrDefault(value); }));
      });
  return llvm::to_vector(ValueRange(chosen.getResults()));
}
