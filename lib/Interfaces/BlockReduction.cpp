//===- BlockReduction.cpp --------------------------------------------------===//

#include "BlockReduction.h"

#include "PaddingGuards.h"
#include "Windows.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::tp;

std::optional<unsigned> tp::getFirstReduction(linalg::LinalgOp op) {
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

llvm::DenseSet<Value> tp::getDependent(linalg::LinalgOp op) {
  llvm::DenseSet<Value> dependent;
  dependent.insert_range(op.getRegionOutputArgs());
  for (Operation &nested : op.getBlock()->without_terminator()) {
    bool depends = false;
    nested.walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        depends |= dependent.contains(operand);
    });
    if (depends)
      dependent.insert_range(nested.getResults());
  }
  return dependent;
}

SmallVector<Value> tp::cloneDependent(OpBuilder &builder, linalg::LinalgOp op, IRMapping &mapping,
                                      ValueRange accumulators) {
  llvm::DenseSet<Value> dependent = getDependent(op);
  mapping.map(op.getRegionOutputArgs(), accumulators);
  for (Operation &nested : op.getBlock()->without_terminator())
    if (llvm::any_of(nested.getResults(), [&](Value v) { return dependent.contains(v); }))
      builder.clone(nested, mapping);
  return llvm::map_to_vector(op.getBlock()->getTerminator()->getOperands(),
                             [&](Value value) { return mapping.lookupOrDefault(value); });
}

SmallVector<Value> tp::applyBody(OpBuilder &builder, linalg::LinalgOp op, ValueRange elements,
                                 ValueRange given, ValueRange accumulators) {
  IRMapping mapping;
  mapping.map(elements, given);
  mapping.map(op.getRegionOutputArgs(), accumulators);
  llvm::SmallPtrSet<Operation *, 8> needed;
  SmallVector<Value> open(op.getBlock()->getTerminator()->getOperands());
  while (!open.empty()) {
    Value value = open.pop_back_val();
    Operation *def = value.getDefiningOp();
    if (!mapping.contains(value) && def && def->getBlock() == op.getBlock() &&
        needed.insert(def).second)
      llvm::append_range(open, def->getOperands());
  }
  for (Operation &def : op.getBlock()->without_terminator())
    if (needed.contains(&def))
      builder.clone(def, mapping);
  return llvm::map_to_vector(op.getBlock()->getTerminator()->getOperands(),
                             [&](Value value) { return mapping.lookupOrDefault(value); });
}

static int64_t getBytes(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  Type element = tensor.getElementType();
  unsigned bits = element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 64;
  return tensor.getNumElements() * static_cast<int64_t>(llvm::divideCeil(bits, 8));
}

namespace {

/// Writes the two ops: that on blocks, and that which merges.
class Writer {
public:
  Writer(OpBuilder &builder, linalg::LinalgOp op, unsigned loop, int64_t count,
         const BlockReduction &reduction)
      : builder(builder), op(op), loop(loop), count(count), reduction(reduction), loc(op.getLoc()),
        context(op.getContext()), maps(op.getIndexingMapsArray()),
        n(op.getStaticLoopRanges()[loop]), rows(llvm::divideCeil(n, count)) {}

  bool isWorthIt();
  SmallVector<Value> write() { return merge(reduceBlocks()); }

private:
  bool isFull() const { return rows * count == n; }
  Value splitInput(Value value, unsigned dim);
  Value createInit(const BlockReduction::Part &part, unsigned number);
  ResultRange reduceBlocks();
  SmallVector<Value> merge(ValueRange parts);

  OpBuilder &builder;
  linalg::LinalgOp op;
  unsigned loop;
  int64_t count;
  const BlockReduction &reduction;
  Location loc;
  MLIRContext *context;
  SmallVector<AffineMap> maps;
  int64_t n, rows;
};

} // namespace

bool Writer::isWorthIt() {
  bool mayTrap = false;
  op.getBlock()->walk(
      [&](Operation *nested) { mayTrap |= getOperandThatMayTrap(nested).has_value(); });
  if (n == 0 || (!isFull() && mayTrap))
    return false;
  // As many parts as results is what the plan counted on.
  if (reduction.parts.size() == op->getNumResults())
    return true;
  int64_t whole = 0, parts = 0;
  for (OpOperand *operand : op.getDpsInputOperands()) {
    if (maps[operand->getOperandNumber()].isFunctionOfDim(loop) &&
        !matchPattern(operand->get(), m_Constant()))
      whole += getBytes(operand->get().getType());
  }
  for (const BlockReduction::Part &part : reduction.parts)
    parts += count * getBytes(op->getResult(part.result).getType());
  return parts < whole;
}

Value Writer::splitInput(Value value, unsigned dim) {
  if (!isFull()) {
    SmallVector<WindowSegment> segments;
    for (int64_t block = 0; block < count; ++block)
      segments.push_back({std::min(block * rows, n), rows});
    auto type = cast<RankedTensorType>(value.getType());
    WindowMap map(n, segments);
    SmallVector<int64_t> shape(type.getShape());
    shape[dim] = map.resultSize();
    value = WindowOp::create(builder, loc, type.clone(shape), value, dim, map.starts(), map.sizes(),
                             map.stride, map.repeat, TypedAttr(),
                             builder.getStringAttr("blocks of which each has a candidate"));
  }
  return createSplit(builder, loc, value, dim, count);
}

Value Writer::createInit(const BlockReduction::Part &part, unsigned number) {
  Value init = op.getDpsInits()[part.result];
  auto type = cast<RankedTensorType>(init.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape.push_back(count);
  Value empty = tensor::EmptyOp::create(builder, loc, shape, type.getElementType());
  auto fill = [&](Value scalar) {
    return linalg::FillOp::create(builder, loc, scalar, empty).getResult(0);
  };
  Value start = part.start ? arith::ConstantOp::create(builder, loc, part.start) : Value();
  if (start && (!reduction.firstHasInits || number >= op->getNumResults()))
    return fill(start);
  if (!start) {
    if (auto filled = init.getDefiningOp<linalg::FillOp>())
      return fill(filled.getInputs()[0]);
    return linalg::BroadcastOp::create(builder, loc, init, empty, ArrayRef<int64_t>{type.getRank()})
        ->getResult(0);
  }
  unsigned rank = shape.size();
  AffineMap all = builder.getMultiDimIdentityMap(rank);
  return linalg::GenericOp::create(
             builder, loc, empty.getType(), init, empty,
             ArrayRef<AffineMap>{all.dropResult(rank - 1), all},
             SmallVector<utils::IteratorType>(rank, utils::IteratorType::parallel),
             [&](OpBuilder &nested, Location at, ValueRange args) {
               Value block = linalg::IndexOp::create(nested, at, rank - 1);
               Value isFirst = arith::CmpIOp::create(nested, at, arith::CmpIPredicate::eq, block,
                                                     arith::ConstantIndexOp::create(nested, at, 0));
               Value value = arith::SelectOp::create(nested, at, isFirst, args[0], start);
               linalg::YieldOp::create(nested, at, value);
             })
      .getResult(0);
}

ResultRange Writer::reduceBlocks() {
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
      value = splitInput(value, dim);
      exprs.push_back(getAffineDimExpr(loop, context));
      exprs.push_back(getAffineDimExpr(loop + 1, context));
    }
    inputs.push_back(value);
    blockedMaps.push_back(AffineMap::get(numLoops, 0, exprs, context));
  }
  SmallVector<AffineExpr> made = llvm::map_to_vector(
      maps.back().getResults(), [&](AffineExpr e) { return e.replaceDims(moved); });
  made.push_back(getAffineDimExpr(loop, context));
  for (auto [number, part] : llvm::enumerate(reduction.parts)) {
    inits.push_back(createInit(part, number));
    blockedMaps.push_back(AffineMap::get(numLoops, 0, made, context));
  }
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  iterators.insert(iterators.begin() + loop, utils::IteratorType::parallel);
  llvm::DenseSet<Value> dependent = getDependent(op);
  auto body = [&](OpBuilder &nested, Location at, ValueRange args) {
    unsigned numInputs = op.getNumDpsInputs();
    IRMapping mapping;
    mapping.map(op.getRegionInputArgs(), args.take_front(numInputs));
    auto position = [&]() -> Value {
      Value block = linalg::IndexOp::create(nested, at, loop);
      Value size = arith::ConstantIndexOp::create(nested, at, rows);
      Value first = arith::MulIOp::create(nested, at, block, size);
      Value row = linalg::IndexOp::create(nested, at, loop + 1);
      return arith::AddIOp::create(nested, at, first, row);
    };
    for (Operation &old : op.getBlock()->without_terminator()) {
      auto index = dyn_cast<linalg::IndexOp>(old);
      if (llvm::any_of(old.getResults(), [&](Value v) { return dependent.contains(v); }))
        continue;
      if (!index)
        nested.clone(old, mapping);
      else if (unsigned i = index.getDim(); i == loop)
        mapping.map(index.getResult(), position());
      else
        mapping.map(index.getResult(),
                    linalg::IndexOp::create(nested, at, i < loop ? i : i + 1).getResult());
    }
    Value first;
    auto isFirst = [&] {
      for (auto [i, iterator] : llvm::enumerate(iterators)) {
        if (iterator != utils::IteratorType::reduction)
          continue;
        Value index = linalg::IndexOp::create(nested, at, i);
        Value zero = arith::ConstantIndexOp::create(nested, at, 0);
        Value here = arith::CmpIOp::create(nested, at, arith::CmpIPredicate::eq, index, zero);
        first = first ? arith::AndIOp::create(nested, at, first, here).getResult() : here;
      }
      return first;
    };
    ValueRange parts = args.drop_front(numInputs);
    auto isInFirstBlock = [&]() -> Value {
      return arith::CmpIOp::create(nested, at, arith::CmpIPredicate::eq,
                                   linalg::IndexOp::create(nested, at, loop),
                                   arith::ConstantIndexOp::create(nested, at, 0));
    };
    SmallVector<Value> yielded =
        reduction.step(nested, at, mapping, parts, {isFirst, isInFirstBlock});
    if (!isFull()) {
      Value inside = arith::CmpIOp::create(nested, at, arith::CmpIPredicate::slt, position(),
                                           arith::ConstantIndexOp::create(nested, at, n));
      for (auto [value, part] : llvm::zip_equal(yielded, parts))
        value = arith::SelectOp::create(nested, at, inside, value, part);
    }
    linalg::YieldOp::create(nested, at, yielded);
  };
  return linalg::GenericOp::create(builder, loc, ValueRange(inits).getTypes(), inputs, inits,
                                   blockedMaps, iterators, body)
      .getResults();
}

SmallVector<Value> Writer::merge(ValueRange parts) {
  unsigned rank = cast<RankedTensorType>(op->getResult(0).getType()).getRank() + 1;
  unsigned numResults = op->getNumResults();
  AffineMap all = builder.getMultiDimIdentityMap(rank);
  SmallVector<AffineMap> mergedMaps(parts.size(), all);
  mergedMaps.append(numResults, all.dropResult(rank - 1));
  SmallVector<utils::IteratorType> iterators(rank, utils::IteratorType::parallel);
  iterators.back() = utils::IteratorType::reduction;
  int64_t numFilled = llvm::divideCeil(n, rows);
  auto merged = linalg::GenericOp::create(
      builder, loc, op->getResultTypes(), parts, op.getDpsInits(), mergedMaps, iterators,
      [&](OpBuilder &nested, Location at, ValueRange args) {
        ValueRange parts = args.take_front(reduction.parts.size()),
                   results = args.take_back(numResults);
        SmallVector<Value> made = reduction.merge(nested, at, results, parts);
        auto where = [&](arith::CmpIPredicate predicate, int64_t block) -> Value {
          return arith::CmpIOp::create(nested, at, predicate,
                                       linalg::IndexOp::create(nested, at, rank - 1),
                                       arith::ConstantIndexOp::create(nested, at, block));
        };
        for (unsigned i = 0; i < numResults; ++i) {
          if (reduction.firstHasInits)
            made[i] = arith::SelectOp::create(nested, at, where(arith::CmpIPredicate::eq, 0),
                                              parts[i], made[i]);
          if (!reduction.mergesEmpty && numFilled < count)
            made[i] = arith::SelectOp::create(
                nested, at, where(arith::CmpIPredicate::slt, numFilled), made[i], results[i]);
        }
        linalg::YieldOp::create(nested, at, made);
      });
  return llvm::to_vector(ValueRange(merged.getResults()));
}

FailureOr<SmallVector<Value>> tp::createBlockReduction(OpBuilder &builder, linalg::LinalgOp op,
                                                       unsigned loop, int64_t count,
                                                       const BlockReduction &reduction) {
  Writer writer(builder, op, loop, count, reduction);
  if (!writer.isWorthIt())
    return failure();
  return writer.write();
}
