//===- TopK.cpp - nn.top_k -------------------------------------------------===//
//
// The best elements of a dimension that is cut are among the best ones of each block:
// a rank gives those of its block with their indices, and the best of the candidates
// of all blocks are taken, in the order of the blocks. Equal elements stay in order,
// as those of a block do.
//
//===----------------------------------------------------------------------===//

#include "dialects/NN/NN.h"
#include "dialects/TP/LinalgBuilder.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::tp;
using namespace mlir::tp::nn;

LogicalResult TopKOp::verify() {
  auto input = tensorTypeOf(getInput());
  int64_t dim = getDim(), blocks = getBlocks();
  if (dim < 0 || dim >= input.getRank())
    return emitOpError("dim ") << dim << " is none of the " << input.getRank() << " of " << input;
  if (blocks < 1 || (blocks != 1 && getInputIndices()))
    return emitOpError("blocks must be at least 1, and 1 of candidates with indices, found ")
           << blocks;
  if (getBound().getType() != input.getElementType())
    return emitOpError("bound must be of the input's element type ")
           << input.getElementType() << ", found " << getBound().getType();
  auto real = dyn_cast<FloatAttr>(getBound());
  if (real ? real.getValue().isNaN() : getNanFirst())
    return emitOpError("bound must be a number, and nan_first is of floats, found ") << getBound();
  SmallVector<int64_t> shape(input.getShape());
  ArrayRef<int64_t> made = shapeOf(getValues());
  shape[dim] = made.size() == shape.size() ? made[dim] : 0;
  if (shape[dim] < blocks || shape[dim] % blocks != 0)
    return emitOpError("needs the same number of values, at least one, from each of ")
           << blocks << " blocks, found " << getValues().getType();
  auto expect = [&](Value value, Type element, ArrayRef<int64_t> shape, StringRef what) {
    auto expected = RankedTensorType::get(shape, element);
    if (value.getType() != expected)
      return LogicalResult(emitOpError()
                           << what << " must be " << expected << ", found " << value.getType());
    return success();
  };
  if (getInputIndices() &&
      failed(expect(getInputIndices(), elementOf(getIndices()), input.getShape(), "indices")))
    return failure();
  if (failed(expect(getValues(), input.getElementType(), shape, "values")))
    return failure();
  return expect(getIndices(), elementOf(getIndices()), shape, "indices");
}

//===----------------------------------------------------------------------===//
// How it is cut
//===----------------------------------------------------------------------===//

/// One factor per dimension. Along `dim`, results have the elements' factor where each
/// block gives its own.
FailureOr<ShardingRule> TopKOp::getShardingRule() {
  ShardingRule rule;
  TensorRule input, result;
  unsigned line = getDim();
  for (auto [d, size] : llvm::enumerate(shapeOf(getInput()))) {
    FactorKind kind = FactorKind::Parallel;
    if (d == line && getBlocks() == 1)
      kind = getInputIndices() ? FactorKind::Replicated : FactorKind::Candidate;
    unsigned factor = rule.addFactor(kind, size);
    if (d == line && getBlocks() != 1)
      rule.factors[factor].pieces = getBlocks();
    input.dims.push_back({factor});
    bool isPlain = d == line && getBlocks() == 1;
    result.dims.push_back(
        {isPlain ? rule.addFactor(FactorKind::Replicated, shapeOf(getValues())[d]) : factor});
  }
  rule.operands.push_back(input);
  if (getInputIndices())
    rule.operands.push_back(input);
  if (getIndexOffset())
    rule.operands.emplace_back();
  rule.results = {result, result};
  rule.inits.resize(rule.operands.size());
  rule.ignored.resize(rule.operands.size());
  return rule;
}

/// A rank's block, in which nothing behind its end is taken.
SmallVector<Value> TopKOp::createLocal(OpBuilder &builder, IRMapping &, ValueRange operands,
                                       TypeRange resultTypes, const LocalFrame &frame) {
  LinalgBuilder b(getLoc(), builder);
  unsigned line = getShardingRule()->operands[0].dims[getDim()].front();
  Value input = operands[0], offset = getIndexOffset() ? operands.back() : Value();
  if (Value extent = frame.factorExtent(line)) {
    auto type = tensorTypeOf(input);
    SmallVector<unsigned> all = loopRange(0, type.getRank());
    input = b.generic(type.getRank(), {}, input, b.empty(type.getShape(), type.getElementType()),
                      {all, all}, [&](LinalgBuilder &n, ValueRange args) -> SmallVector<Value> {
                        Value row = linalg::IndexOp::create(n, getDim());
                        Value inside =
                            arith::CmpIOp::create(n, arith::CmpIPredicate::slt, row, extent);
                        Value bound = arith::ConstantOp::create(n, getBound());
                        return {arith::SelectOp::create(n, inside, args[0], bound)};
                      })[0];
  }
  if (Value first = frame.factorOffset(line))
    offset = offset ? arith::AddIOp::create(b, first, offset).getResult() : first;
  int64_t k = shapeOf(getValues())[getDim()] / static_cast<int64_t>(getBlocks());
  int64_t blocks = cast<RankedTensorType>(resultTypes[0]).getDimSize(getDim()) / k;
  auto op =
      TopKOp::create(b, resultTypes, input, getInputIndices() ? operands[1] : Value(), offset,
                     getDim(), blocks, getSmallest(), getNanFirst(), getBound(), getMissingIndex());
  return {op.getValues(), op.getIndices()};
}

FailureOr<SmallVector<Value>> TopKOp::decompose(OpBuilder &builder, unsigned, int64_t count) {
  int64_t n = shapeOf(getInput())[getDim()], k = shapeOf(getValues())[getDim()];
  if (getBlocks() != 1 || getInputIndices() || n == 0)
    return failure();
  SmallVector<int64_t> shape(shapeOf(getValues()));
  shape[getDim()] = count * std::min<int64_t>(k, llvm::divideCeil(n, count));
  auto candidates = TopKOp::create(
      builder, getLoc(),
      TypeRange{tensorTypeOf(getValues()).clone(shape), tensorTypeOf(getIndices()).clone(shape)},
      getInput(), Value(), getIndexOffset(), getDim(), count, getSmallest(), getNanFirst(),
      getBound(), getMissingIndex());
  auto best = TopKOp::create(builder, getLoc(), getResultTypes(), candidates.getValues(),
                             candidates.getIndices(), Value(), getDim(), /*blocks=*/1,
                             getSmallest(), getNanFirst(), getBound(), getMissingIndex());
  return SmallVector<Value>{best.getValues(), best.getIndices()};
}

//===----------------------------------------------------------------------===//
// What it is in linalg
//===----------------------------------------------------------------------===//

/// Whether `a` comes before `b`, neither being the same element.
static Value createBetter(LinalgBuilder &b, TopKOp op, Value x, Value y) {
  if (!isa<FloatType>(x.getType()))
    return arith::CmpIOp::create(
        b, op.getSmallest() ? arith::CmpIPredicate::slt : arith::CmpIPredicate::sgt, x, y);
  using P = arith::CmpFPredicate;
  Value better = arith::CmpFOp::create(b, op.getSmallest() ? P::OLT : P::OGT, x, y);
  if (!op.getNanFirst())
    return better;
  Value isNaN = arith::CmpFOp::create(b, P::UNO, x, x);
  Value isNumber = arith::CmpFOp::create(b, P::ORD, y, y);
  return arith::OrIOp::create(b, better, arith::AndIOp::create(b, isNaN, isNumber));
}

/// One after the other: the best of the elements that come behind the last one.
FailureOr<SmallVector<Value>> TopKOp::decomposeOperation(OpBuilder &builder) {
  LinalgBuilder b(getLoc(), builder);
  unsigned dim = getDim();
  int64_t blocks = getBlocks();
  Value input = getInput(), bound = arith::ConstantOp::create(b, getBound());
  SmallVector<int64_t> shape(shapeOf(input));
  unsigned rank = shape.size(), line = dim;
  Type element = elementOf(input), i64 = b.getI64Type();
  int64_t size = llvm::divideCeil(shape[dim], blocks);
  SmallVector<ReassociationIndices> groups;
  if (blocks != 1) {
    SmallVector<OpFoldResult> low(rank, b.getIndexAttr(0)), high(rank, b.getIndexAttr(0));
    high[dim] = b.getIndexAttr(blocks * size - shape[dim]);
    shape[dim] = blocks * size;
    input =
        tensor::PadOp::create(b, RankedTensorType::get(shape, element), input, low, high, bound);
    for (unsigned d = 0; d < rank; ++d)
      groups.push_back(d < dim    ? ReassociationIndices{d}
                       : d == dim ? ReassociationIndices{d, d + 1}
                                  : ReassociationIndices{d + 1});
    shape[dim] = blocks;
    shape.insert(shape.begin() + dim + 1, size);
    input = tensor::ExpandShapeOp::create(b, RankedTensorType::get(shape, element), input, groups);
    line = dim + 1;
    ++rank;
  }
  SmallVector<int64_t> rows(shape), all(shape);
  rows.erase(rows.begin() + line);
  int64_t k = shapeOf(getValues())[dim] / blocks;
  all[line] = k;
  Value zero = arith::ConstantIntOp::create(b, i64, 0);
  Value missing = arith::ConstantIntOp::create(b, i64, getMissingIndex());
  SmallVector<Value> inits = {b.filled(rows, bound), b.filled(rows, zero), b.filled(rows, missing)};
  SmallVector<Value> carried = {inits[0], inits[1], b.empty(all, element), b.empty(all, i64)};
  SmallVector<unsigned> loops = loopRange(0, rank), others(loops);
  others.erase(others.begin() + line);

  auto round = scf::ForOp::create(b, b.index(0), b.index(k), b.index(1), carried);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(round.getBody());
    ValueRange last = round.getRegionIterArgs();
    Value at = round.getInductionVar();
    Value isFirst = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, at, b.index(0));
    SmallVector<Value> inputs = {input, last[0], last[1]};
    SmallVector<SmallVector<unsigned>> maps = {loops, others, others};
    if (getInputIndices()) {
      inputs.push_back(getInputIndices());
      maps.push_back(loops);
    }
    maps.append(3, others);
    ResultRange best = b.generic(
        rank, {line}, inputs, inits, maps,
        [&](LinalgBuilder &n, ValueRange args) -> SmallVector<Value> {
          ValueRange found = args.take_back(3);
          Value x = args[0], row = linalg::IndexOp::create(n, line);
          Value position = arith::IndexCastOp::create(n, i64, row);
          Value behind = arith::CmpIOp::create(n, arith::CmpIPredicate::sgt, position, args[2]);
          Value notBefore =
              arith::CmpIOp::create(n, arith::CmpIPredicate::eq, createBetter(n, *this, x, args[1]),
                                    arith::ConstantIntOp::create(n, 0, 1));
          Value isLeft = arith::OrIOp::create(
              n, isFirst,
              arith::OrIOp::create(n, createBetter(n, *this, args[1], x),
                                   arith::AndIOp::create(n, notBefore, behind)));
          Value taken = arith::AndIOp::create(n, isLeft, createBetter(n, *this, x, found[0]));
          Value index = position;
          if (getInputIndices()) {
            index = args[3];
          } else if (blocks != 1 || getIndexOffset()) {
            if (blocks != 1)
              row = arith::AddIOp::create(
                  n, row, arith::MulIOp::create(n, linalg::IndexOp::create(n, dim), n.index(size)));
            if (getIndexOffset())
              row = arith::AddIOp::create(n, row, getIndexOffset());
            index = arith::IndexCastOp::create(n, i64, row);
          }
          return {arith::SelectOp::create(n, taken, x, found[0]),
                  arith::SelectOp::create(n, taken, position, found[1]),
                  arith::SelectOp::create(n, taken, index, found[2])};
        });
    SmallVector<OpFoldResult> offsets(rank, b.getIndexAttr(0)), ones(rank, b.getIndexAttr(1)),
        sizes = getAsIndexOpFoldResult(b.getContext(), all);
    offsets[line] = at;
    sizes[line] = b.getIndexAttr(1);
    auto put = [&](Value value, Value into) -> Value {
      return tensor::InsertSliceOp::create(b, value, into, offsets, sizes, ones);
    };
    scf::YieldOp::create(
        b, ValueRange{best[0], best[1], put(best[0], last[2]), put(best[2], last[3])});
  }
  SmallVector<Value> results;
  for (Value made : round.getResults().drop_front(2)) {
    if (blocks != 1)
      made = tensor::CollapseShapeOp::create(b, made, groups);
    results.push_back(made);
  }
  return results;
}
