//===- Rules.cpp - Sharding rules of nn ops --------------------------------===//

#include "dialects/NN/NN.h"
#include "dialects/TP/LinalgBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::tp;
using namespace mlir::tp::nn;

namespace {

/// Builds a rule from one string of factor letters per operand and result, a
/// space where a dimension has no factor: "bsd,vd->bsd". Letters in upper case
/// are factors that are never cut.
class RuleBuilder {
public:
  explicit RuleBuilder(Operation *op) : op(op) {
    rule.inits.resize(op->getNumOperands());
    rule.ignored.resize(op->getNumOperands());
  }

  RuleBuilder &operand(StringRef letters) {
    Value value = op->getOperand(rule.operands.size());
    rule.operands.push_back(describe(letters, value.getType()));
    return *this;
  }
  RuleBuilder &result(StringRef letters) {
    Value value = op->getResult(rule.results.size());
    rule.results.push_back(describe(letters, value.getType()));
    return *this;
  }
  RuleBuilder &factor(char letter, FactorKind kind, ReductionKind reduction = ReductionKind::Sum) {
    Factor &f = rule.factors[letters.find(letter)];
    f.kind = kind;
    f.reduction = reduction;
    return *this;
  }
  RuleBuilder &pieces(char letter, int64_t pieces) {
    rule.factors[letters.find(letter)].pieces = pieces;
    return *this;
  }
  RuleBuilder &padding(unsigned operand, PaddingNeed need) {
    rule.operands[operand].padding = need;
    return *this;
  }
  /// Linear, for sums, in exactly this operand.
  RuleBuilder &linear(unsigned operand) {
    rule.linearIn = [operand](ReductionKind kind, const llvm::BitVector &set) {
      return kind == ReductionKind::Sum && set.count() == 1 && set.test(operand);
    };
    return *this;
  }
  ShardingRule take() { return std::move(rule); }

private:
  TensorRule describe(StringRef text, Type type) {
    TensorRule tensor;
    auto shaped = dyn_cast<RankedTensorType>(type);
    if (!shaped)
      return tensor;
    assert(text.size() == static_cast<size_t>(shaped.getRank()) && "one letter per dimension");
    for (auto [letter, size] : llvm::zip_equal(text, shaped.getShape())) {
      if (letter == ' ') {
        tensor.dims.push_back({});
        continue;
      }
      size_t position = letters.find(letter);
      if (position == std::string::npos) {
        position = letters.size();
        letters.push_back(letter);
        rule.addFactor(llvm::isUpper(letter) ? FactorKind::Replicated : FactorKind::Parallel, size);
      }
      tensor.dims.push_back({static_cast<unsigned>(position)});
    }
    return tensor;
  }

  Operation *op;
  ShardingRule rule;
  std::string letters;
};

/// Distinct lower-case letters for the leading dimensions of a value.
std::string leading(int64_t count) {
  std::string letters;
  for (int64_t i = 0; i < count; ++i)
    letters.push_back("fghijklm"[i]);
  return letters;
}

int64_t rankOf(Value value) { return cast<RankedTensorType>(value.getType()).getRank(); }

} // namespace

FailureOr<ShardingRule> EmbeddingOp::getShardingRule() {
  std::string ids = leading(rankOf(getIds()));
  RuleBuilder builder(*this);
  builder.operand(ids).operand("vd");
  if (getRowOffset())
    builder.operand("");
  // An id behind the last row falls into the padding of the last block.
  return builder.result(ids + "d")
      .factor('v', FactorKind::Reduction)
      .linear(/*operand=*/1)
      .padding(1, PaddingNeed::Zero)
      .take();
}

SmallVector<Value> EmbeddingOp::createLocal(OpBuilder &builder, IRMapping &, ValueRange operands,
                                            TypeRange resultTypes, const LocalFrame &frame) {
  unsigned rows = getShardingRule()->operands[1].dims[0].front();
  Value offset = frame.factorOffset(rows);
  if (operands.size() == 3) {
    offset = offset ? arith::AddIOp::create(builder, getLoc(), offset, operands[2]).getResult()
                    : operands[2];
  }
  return {EmbeddingOp::create(builder, getLoc(), resultTypes, operands[0], operands[1], offset)};
}

FailureOr<ShardingRule> PowerSumsOp::getShardingRule() {
  std::string rows = leading(rankOf(getInput()) - 1);
  return RuleBuilder(*this)
      .operand(rows + "d")
      .result(rows + " ")
      .factor('d', FactorKind::Reduction)
      .padding(0, PaddingNeed::Zero)
      .take();
}

/// A row that is cut is normalised by the sums of all of it.
template <typename OpTy> static ShardingRule getNormRule(OpTy op) {
  std::string rows = leading(rankOf(op.getInput()) - 1);
  RuleBuilder builder(op);
  builder.operand(rows + "d");
  for (unsigned i = 1, n = op->getNumOperands() - (op.getSums() ? 1 : 0); i < n; ++i)
    builder.operand("d");
  if (op.getSums())
    return builder.operand(rows + " ").result(rows + "d").take();
  return builder.result(rows + "d").factor('d', FactorKind::Window).take();
}

/// The norm by sums of whole rows where its result is wanted in parts of rows.
template <typename OpTy>
static FailureOr<SmallVector<Value>> normaliseBySums(OpTy op, OpBuilder &builder,
                                                     ArrayRef<int64_t> powers, Type wide,
                                                     const Sharding &result) {
  if (op.getSums() || result.dims.back().count() == 1)
    return failure();
  auto type = cast<RankedTensorType>(op.getInput().getType());
  SmallVector<int64_t> shape(type.getShape());
  int64_t size = shape.back();
  shape.back() = powers.size();
  Value sums = PowerSumsOp::create(builder, op.getLoc(), RankedTensorType::get(shape, wide),
                                   op.getInput(), powers);
  auto normalised = cast<OpTy>(builder.clone(*op));
  normalised.getSumsMutable().assign(sums);
  normalised.setSize(size);
  return SmallVector<Value>{normalised.getResult()};
}

FailureOr<ShardingRule> RmsNormOp::getShardingRule() { return getNormRule(*this); }

FailureOr<SmallVector<Value>> RmsNormOp::decomposeWindows(OpBuilder &builder, ArrayRef<Sharding>,
                                                          ArrayRef<Sharding> results) {
  Type element = getElementTypeOrSelf(getInput().getType());
  Type wide = element.isF64() ? element : builder.getF32Type();
  return normaliseBySums(*this, builder, {2}, wide, results[0]);
}

FailureOr<ShardingRule> LayerNormOp::getShardingRule() { return getNormRule(*this); }

/// Sums in f64: one reduction has all that the variance needs, and a large mean costs no
/// more digits than differences from it in f32 would.
FailureOr<SmallVector<Value>> LayerNormOp::decomposeWindows(OpBuilder &builder, ArrayRef<Sharding>,
                                                            ArrayRef<Sharding> results) {
  return normaliseBySums(*this, builder, {1, 2}, builder.getF64Type(), results[0]);
}

FailureOr<ShardingRule> RotaryTableOp::getShardingRule() {
  return RuleBuilder(*this).operand("b").result("bSD").result("bSD").take();
}

FailureOr<ShardingRule> RopeOp::getShardingRule() {
  std::string middle = leading(rankOf(getInput()) - 3);
  std::string x = "bs" + middle + "D";
  // The pairs of the head dimension have a factor of their own: another size.
  return RuleBuilder(*this).operand(x).operand("bsH").operand("bsH").result(x).linear(0).take();
}

/// `own` + `offset`, of which either may be null.
static Value addOffset(OpBuilder &builder, Location loc, Value own, Value offset) {
  if (!own || !offset)
    return own ? own : offset;
  return arith::AddIOp::create(builder, loc, own, offset);
}

FailureOr<ShardingRule> CacheUpdateOp::getShardingRule() {
  RuleBuilder builder(*this);
  builder.operand("bktd").operand("bSkd").operand("b");
  if (getPositionOffset())
    builder.operand("");
  // Rows of padding are written as well, to a place that is there.
  return builder.result("bktd").padding(2, PaddingNeed::First).take();
}

/// Each rank writes what is in its block of the positions.
SmallVector<Value> CacheUpdateOp::createLocal(OpBuilder &builder, IRMapping &, ValueRange operands,
                                              TypeRange resultTypes, const LocalFrame &frame) {
  unsigned positions = getShardingRule()->operands[0].dims[2].front();
  Value own = operands.size() == 4 ? operands[3] : Value();
  Value offset = addOffset(builder, getLoc(), own, frame.factorOffset(positions));
  IntegerAttr capacity = getCapacityAttr();
  if (offset && !capacity)
    capacity =
        builder.getI64IntegerAttr(cast<RankedTensorType>(getCache().getType()).getDimSize(2));
  return {CacheUpdateOp::create(builder, getLoc(), resultTypes, operands[0], operands[1],
                                operands[2], offset, capacity)};
}

FailureOr<ShardingRule> AttentionOp::getShardingRule() {
  RuleBuilder builder(*this);
  builder.operand("bskgD").operand("bktD").operand("bktD").operand("b");
  if (getStepOffset())
    builder.operand("");
  return builder.result("bskgD")
      .factor('t', FactorKind::Window)
      .padding(3, PaddingNeed::First)
      .take();
}

SmallVector<Value> AttentionOp::createLocal(OpBuilder &builder, IRMapping &, ValueRange operands,
                                            TypeRange resultTypes, const LocalFrame &frame) {
  unsigned steps = getShardingRule()->operands[0].dims[1].front();
  Value own = operands.size() == 5 ? operands[4] : Value();
  Value offset = addOffset(builder, getLoc(), own, frame.factorOffset(steps));
  return {AttentionOp::create(builder, getLoc(), resultTypes, operands[0], operands[1], operands[2],
                              operands[3], offset, getScaleAttr(), getWindowAttr(),
                              getBidirectionalAttr())};
}

/// Bytes that a rank sends of a value of this shape that is gathered, or scattered, over
/// `ranks` ranks.
static double getSentBytes(const Sharding &sharding, ArrayRef<int64_t> shape, unsigned bits,
                           int64_t ranks) {
  double elements = 1;
  for (int64_t size : sharding.localShape(shape))
    elements *= size;
  return elements * bits / 8 * (ranks - 1) / ranks;
}

/// Where the positions are cut: attention over each block, the largest score of all blocks,
/// their sums at its scale, and those over the sum of the weights; unless to gather the
/// keys and values is less.
FailureOr<SmallVector<Value>> AttentionOp::decomposeWindows(OpBuilder &builder,
                                                            ArrayRef<Sharding> operands,
                                                            ArrayRef<Sharding> results) {
  const Sharding &query = operands[0], &key = operands[1], &value = operands[2];
  const DimSharding &positions = key.dims[2].count() > 1 ? key.dims[2] : value.dims[2];
  int64_t blocks = positions.count();
  if (blocks == 1 || getStepOffset())
    return failure();
  // Axes that cut the positions cut no other dimension.
  auto withoutAxes = [&](Sharding sharding) {
    for (DimSharding &dim : sharding.dims)
      llvm::erase_if(dim.cuts, [&](const Cut &cut) {
        return llvm::any_of(positions.cuts,
                            [&](const Cut &own) { return own.part.overlaps(cut.part); });
      });
    return sharding;
  };
  auto queryType = cast<RankedTensorType>(getQuery().getType());
  auto keyType = cast<RankedTensorType>(getKey().getType());
  Type element = queryType.getElementType(),
       wide = element.isF64() ? element : builder.getF32Type();
  SmallVector<int64_t> shape(queryType.getShape());
  ++shape.back();
  unsigned bits = element.getIntOrFloatBitWidth(), wideBits = wide.getIntOrFloatBitWidth();
  Sharding rows = withoutAxes(results[0]);
  double gathered = 0, merged = getSentBytes(rows, shape, wideBits, blocks);
  for (const Sharding *one : {&key, &value})
    if (one->dims[2].count() > 1)
      gathered += getSentBytes(withoutAxes(*one), keyType.getShape(), bits, blocks);
  if (rows == results[0])
    merged *= 2; // A sum that is wanted whole.
  if (withoutAxes(query) != query)
    merged += getSentBytes(withoutAxes(query), queryType.getShape(), bits, blocks);
  if (gathered <= merged)
    return failure();

  Location loc = getLoc();
  SmallVector<int64_t> blocked = {blocks};
  llvm::append_range(blocked, shape);
  auto parts = AttentionBlocksOp::create(
      builder, loc, RankedTensorType::get(blocked, wide),
      RankedTensorType::get(ArrayRef(blocked).drop_back(), wide), getQuery(), getKey(), getValue(),
      getPos(), /*step_offset=*/Value(), /*position_offset=*/Value(), /*extent=*/Value(),
      getScaleAttr(), getWindowAttr(), getBidirectionalAttr());
  LinalgBuilder b(loc, builder);
  SmallVector<unsigned> all = loopRange(0, 5), each = loopRange(1, 5);
  Value limit =
      b.generic(5, {0}, parts.getLargest(), b.filled(ArrayRef(shape).drop_back(), b.lowest(wide)),
                {all, each}, [](LinalgBuilder &n, ValueRange args) -> SmallVector<Value> {
                  return {arith::MaximumFOp::create(n, args[0], args[1])};
                })[0];
  Value sums = AttentionMergeOp::create(builder, loc, RankedTensorType::get(shape, wide),
                                        parts.getSums(), parts.getLargest(), limit);
  Mesh mesh = getMesh(lookupMesh(*this));
  sums.getDefiningOp()->setAttr(kShardingAttr,
                                builder.getArrayAttr(getShardingAttr(
                                    getContext(), canonicalize(results[0], shape).closed(), mesh)));
  return SmallVector<Value>{AttentionFinishOp::create(builder, loc, queryType, sums)};
}

FailureOr<ShardingRule> AttentionBlocksOp::getShardingRule() {
  RuleBuilder builder(*this);
  builder.operand("bskgD").operand("bktD").operand("bktD").operand("b");
  for (Value offset : {getStepOffset(), getPositionOffset(), getExtent()})
    if (offset)
      builder.operand("");
  return builder.result("tbskg ")
      .result("tbskg")
      .pieces('t', cast<RankedTensorType>(getLargest().getType()).getDimSize(0))
      .padding(3, PaddingNeed::First)
      .take();
}

SmallVector<Value> AttentionBlocksOp::createLocal(OpBuilder &builder, IRMapping &mapping,
                                                  ValueRange operands, TypeRange resultTypes,
                                                  const LocalFrame &frame) {
  ShardingRule rule = *getShardingRule();
  unsigned steps = rule.operands[0].dims[1].front(), positions = rule.operands[1].dims[2].front();
  auto find = [&](Value offset) { return offset ? mapping.lookupOrDefault(offset) : Value(); };
  Value step = addOffset(builder, getLoc(), find(getStepOffset()), frame.factorOffset(steps));
  Value position =
      addOffset(builder, getLoc(), find(getPositionOffset()), frame.factorOffset(positions));
  Value extent = frame.factorExtent(positions);
  auto op = AttentionBlocksOp::create(builder, getLoc(), resultTypes[0], resultTypes[1],
                                      operands[0], operands[1], operands[2], operands[3], step,
                                      position, extent ? extent : find(getExtent()), getScaleAttr(),
                                      getWindowAttr(), getBidirectionalAttr());
  return {op.getSums(), op.getLargest()};
}

FailureOr<ShardingRule> AttentionMergeOp::getShardingRule() {
  return RuleBuilder(*this)
      .operand("cbskgd")
      .operand("cbskg")
      .operand("bskg")
      .result("bskgd")
      .factor('c', FactorKind::Reduction)
      .take();
}

FailureOr<ShardingRule> AttentionFinishOp::getShardingRule() {
  return RuleBuilder(*this).operand("bskg ").result("bskg ").take();
}

/// A row is sampled whole: what remains of it depends on all of its logits.
FailureOr<ShardingRule> SampleOp::getShardingRule() {
  return RuleBuilder(*this)
      .operand("bV")
      .operand("b")
      .operand("")
      .operand("")
      .operand("")
      .result("b")
      .take();
}

FailureOr<ShardingRule> ArgmaxOp::getShardingRule() {
  std::string rows = leading(rankOf(getInput()) - 1);
  int64_t blocks = cast<RankedTensorType>(getValues().getType()).getShape().back();
  // Input and results are cut alike where each rank has one block, whichever.
  bool cutAlike = blocks == 1 || getAnyBlocks();
  RuleBuilder builder(*this);
  builder.operand(rows + (cutAlike ? "n" : "N"));
  if (getIndexOffset())
    builder.operand("");
  std::string results = rows + (cutAlike ? "n" : "C");
  builder.result(results).result(results).padding(0, PaddingNeed::Lowest);
  if (blocks == 1)
    builder.factor('n', FactorKind::Candidate);
  else if (cutAlike)
    builder.pieces('n', blocks);
  return builder.take();
}

SmallVector<Value> ArgmaxOp::createLocal(OpBuilder &builder, IRMapping &, ValueRange operands,
                                         TypeRange resultTypes, const LocalFrame &frame) {
  unsigned n = getShardingRule()->operands[0].dims.back().front();
  Value offset = frame.factorOffset(n);
  if (operands.size() == 2)
    offset = offset ? arith::AddIOp::create(builder, getLoc(), offset, operands[1]).getResult()
                    : operands[1];
  auto op = ArgmaxOp::create(builder, getLoc(), resultTypes, operands[0], offset);
  return {op.getValues(), op.getIndices()};
}

/// One candidate (value, index) per block, then the best of them in block order.
FailureOr<SmallVector<Value>> ArgmaxOp::decompose(OpBuilder &builder, unsigned, int64_t count) {
  Location loc = getLoc();
  auto valuesType = cast<RankedTensorType>(getValues().getType());
  auto indicesType = cast<RankedTensorType>(getIndices().getType());
  if (valuesType.getShape().back() != 1)
    return failure();
  SmallVector<int64_t> blocks(valuesType.getShape());
  blocks.back() = count;
  auto candidates =
      ArgmaxOp::create(builder, loc, TypeRange{valuesType.clone(blocks), indicesType.clone(blocks)},
                       getInput(), getIndexOffset(), /*any_blocks=*/true);
  // Merge: strictly larger wins, so the lowest block keeps ties.
  ArrayRef<int64_t> rows = valuesType.getShape().drop_back();
  Type element = valuesType.getElementType();
  auto fill = [&](TypedAttr value) -> Value {
    Value scalar = arith::ConstantOp::create(builder, loc, value);
    Value empty = tensor::EmptyOp::create(builder, loc, rows, value.getType());
    return linalg::FillOp::create(builder, loc, scalar, empty).getResult(0);
  };
  auto lowest = APFloat::getInf(cast<FloatType>(element).getFloatSemantics(), /*Negative=*/true);
  Value init = fill(builder.getFloatAttr(element, lowest));
  Value initIndex = fill(builder.getI64IntegerAttr(0));
  unsigned rank = blocks.size();
  AffineMap all = builder.getMultiDimIdentityMap(rank);
  // Not getMajorSubMap, which has none where no dimension is left.
  AffineMap row = AffineMap::get(rank, 0, all.getResults().drop_back(), builder.getContext());
  SmallVector<utils::IteratorType> iterators(rank, utils::IteratorType::parallel);
  iterators.back() = utils::IteratorType::reduction;
  auto best = linalg::GenericOp::create(
      builder, loc, TypeRange{init.getType(), initIndex.getType()},
      ValueRange{candidates.getValues(), candidates.getIndices()}, ValueRange{init, initIndex},
      ArrayRef<AffineMap>{all, all, row, row}, iterators,
      [](OpBuilder &b, Location l, ValueRange args) {
        Value greater = arith::CmpFOp::create(b, l, arith::CmpFPredicate::OGT, args[0], args[2]);
        Value value = arith::SelectOp::create(b, l, greater, args[0], args[2]);
        Value index = arith::SelectOp::create(b, l, greater, args[1], args[3]);
        linalg::YieldOp::create(b, l, ValueRange{value, index});
      });
  SmallVector<ReassociationIndices> reassociation;
  for (unsigned i = 0; i + 1 < rank; ++i)
    reassociation.push_back({i});
  if (!reassociation.empty())
    reassociation.back().push_back(rank - 1);
  SmallVector<Value> results;
  for (auto [value, type] : llvm::zip(best.getResults(), getResultTypes()))
    results.push_back(tensor::ExpandShapeOp::create(builder, loc, type, value, reassociation));
  return results;
}
