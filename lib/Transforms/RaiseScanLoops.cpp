//===- RaiseScanLoops.cpp - Loops that carry a sum are running reductions ---===//
//
// A loop over all rows that combines each with what it carries, and notes that in the same
// row of a result:
//
//   acc = acc + x[i]        y[i] = acc
//
// with rows of any rank, from the last row to the first as well, and noted before the row is
// combined.
//
//===----------------------------------------------------------------------===//

#include "RaiseGenerics.h"

#include "dialects/TP/TP.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "tp/Interfaces/Linearity.h"
#include "tp/Interfaces/RunningReduction.h"

using namespace mlir;
using namespace mlir::tp;

namespace {

/// A row of a tensor, or an element of a vector, that a loop reads or writes.
struct Row {
  unsigned dim;
  bool isReverse;
  bool operator==(const Row &o) const { return dim == o.dim && isReverse == o.isReverse; }
};

/// What one carried value is: combined with the rows of `source`, or the rows that note what
/// carried value `noted` becomes.
struct Carried {
  Value source;
  Row row;
  Operation *combiner = nullptr; ///< of scalars or of rows
  std::optional<unsigned> noted;
  bool isStrict = false; ///< as it was before the row
};

/// A loop that counts rows from 0 to `rows`.
class RowLoop {
public:
  RowLoop(scf::ForOp loop, int64_t rows) : loop(loop), rows(rows) {}

  bool analyze();
  void raise(RewriterBase &rewriter);

private:
  std::optional<bool> getDirection(OpFoldResult index) const;
  std::optional<Row> getRow(RankedTensorType type, ArrayRef<OpFoldResult> offsets,
                            ArrayRef<OpFoldResult> sizes, ArrayRef<OpFoldResult> strides,
                            RankedTensorType rowType) const;
  std::optional<Carried> getAccumulated(unsigned number) const;
  std::optional<Carried> getNoted(unsigned number) const;
  Value createInit(RewriterBase &rewriter, const Carried &one, Value begin) const;
  Value createLast(RewriterBase &rewriter, const Carried &one, Value running, Type type) const;

  mutable scf::ForOp loop;
  int64_t rows;
  SmallVector<Carried> carried;
};

} // namespace

/// Whether the index runs from the last row to the first.
std::optional<bool> RowLoop::getDirection(OpFoldResult index) const {
  auto value = dyn_cast<Value>(index);
  if (!value)
    return std::nullopt;
  if (value == loop.getInductionVar())
    return false;
  auto sub = value.getDefiningOp<arith::SubIOp>();
  if (sub && sub.getRhs() == loop.getInductionVar() &&
      getConstantIntValue(sub.getLhs()) == rows - 1)
    return true;
  return std::nullopt;
}

std::optional<Row> RowLoop::getRow(RankedTensorType type, ArrayRef<OpFoldResult> offsets,
                                   ArrayRef<OpFoldResult> sizes, ArrayRef<OpFoldResult> strides,
                                   RankedTensorType rowType) const {
  std::optional<Row> row;
  SmallVector<int64_t> others;
  for (unsigned d = 0; d < type.getRank(); ++d) {
    if (getConstantIntValue(strides[d]) != 1)
      return std::nullopt;
    if (std::optional<bool> isReverse = getDirection(offsets[d])) {
      if (row || getConstantIntValue(sizes[d]) != 1 || type.getDimSize(d) != rows)
        return std::nullopt;
      row = Row{d, *isReverse};
      continue;
    }
    if (getConstantIntValue(offsets[d]) != 0 || getConstantIntValue(sizes[d]) != type.getDimSize(d))
      return std::nullopt;
    others.push_back(type.getDimSize(d));
  }
  return row && rowType.getShape() == ArrayRef(others) ? row : std::nullopt;
}

/// A carried value that is combined with a row in each trip.
std::optional<Carried> RowLoop::getAccumulated(unsigned number) const {
  Value accumulator = loop.getRegionIterArg(number), next = loop.getYieldedValues()[number];
  Operation *def = next.getDefiningOp();
  if (!def || def->getBlock() != loop.getBody() || isAnnotated(def))
    return std::nullopt;
  Carried one;
  one.combiner = def;
  SmallVector<Value, 2> operands(def->getOperands());
  if (auto op = dyn_cast<linalg::LinalgOp>(def)) {
    // Elementwise, by one op of the accumulator and the row.
    if (op.getNumLoops() != op.getNumParallelLoops() || op->getNumResults() != 1 ||
        llvm::any_of(op.getIndexingMapsArray(), [](AffineMap map) { return !map.isIdentity(); }))
      return std::nullopt;
    Block *body = op.getBlock();
    one.combiner = body->getTerminator()->getOperand(0).getDefiningOp();
    if (!one.combiner || one.combiner != &body->front() || one.combiner->getNumOperands() != 2)
      return std::nullopt;
    operands.clear();
    for (Value operand : one.combiner->getOperands()) {
      auto arg = dyn_cast<BlockArgument>(operand);
      if (!arg || arg.getOwner() != body)
        return std::nullopt;
      operands.push_back(op->getOperand(arg.getArgNumber()));
    }
  }
  if (one.combiner->getNumResults() != 1 || !getReductionKind(one.combiner) ||
      operands.size() != 2 || (operands[0] == accumulator) == (operands[1] == accumulator))
    return std::nullopt;
  Value element = operands[operands[0] == accumulator ? 1 : 0];
  std::optional<Row> row;
  if (auto slice = element.getDefiningOp<tensor::ExtractSliceOp>()) {
    one.source = slice.getSource();
    row = getRow(slice.getSourceType(), slice.getMixedOffsets(), slice.getMixedSizes(),
                 slice.getMixedStrides(), slice.getResultType());
  } else if (auto extract = element.getDefiningOp<tensor::ExtractOp>();
             extract && extract.getTensor().getType().getRank() == 1 &&
             extract.getTensor().getType().getDimSize(0) == rows) {
    one.source = extract.getTensor();
    if (std::optional<bool> isReverse = getDirection(extract.getIndices()[0]))
      row = Row{0, *isReverse};
  }
  if (!row || !loop.isDefinedOutsideOfLoop(one.source) || isAnnotated(element.getDefiningOp()))
    return std::nullopt;
  one.row = *row;
  return one;
}

/// A carried tensor whose row takes what a carried value becomes.
std::optional<Carried> RowLoop::getNoted(unsigned number) const {
  Value written = loop.getRegionIterArg(number), next = loop.getYieldedValues()[number];
  if (!written.hasOneUse())
    return std::nullopt;
  Carried one;
  Value row, destination;
  std::optional<Row> place;
  if (auto insert = next.getDefiningOp<tensor::InsertSliceOp>()) {
    row = insert.getSource();
    destination = insert.getDest();
    place = getRow(insert.getDestType(), insert.getMixedOffsets(), insert.getMixedSizes(),
                   insert.getMixedStrides(), insert.getSourceType());
  } else if (auto insert = next.getDefiningOp<tensor::InsertOp>();
             insert && insert.getIndices().size() == 1 &&
             cast<RankedTensorType>(insert.getDest().getType()).getDimSize(0) == rows) {
    row = insert.getScalar();
    destination = insert.getDest();
    if (std::optional<bool> isReverse = getDirection(insert.getIndices()[0]))
      place = Row{0, *isReverse};
  }
  if (!place || destination != written || isAnnotated(next.getDefiningOp()))
    return std::nullopt;
  one.row = *place;
  for (unsigned i = 0; i < loop.getNumResults() && !one.noted; ++i) {
    one.isStrict = row == loop.getRegionIterArg(i);
    if (one.isStrict || row == loop.getYieldedValues()[i])
      one.noted = i;
  }
  return one.noted ? std::optional(one) : std::nullopt;
}

bool RowLoop::analyze() {
  for (Operation &op : loop.getBody()->without_terminator())
    if (!isPure(&op) && !isa<linalg::LinalgOp>(op))
      return false;
  bool hasNotes = false;
  for (unsigned i = 0; i < loop.getNumResults(); ++i) {
    std::optional<Carried> one = getNoted(i);
    hasNotes |= one.has_value();
    if (!one)
      one = getAccumulated(i);
    if (!one)
      return false;
    carried.push_back(*one);
  }
  for (auto [i, one] : llvm::enumerate(carried)) {
    if (!one.noted)
      continue;
    const Carried &sum = carried[*one.noted];
    if (sum.noted || !(sum.row == one.row) || sum.source.getType() != loop.getResult(i).getType())
      return false;
  }
  return hasNotes;
}

/// What a running reduction begins with, in each row.
Value RowLoop::createInit(RewriterBase &rewriter, const Carried &one, Value begin) const {
  Location loc = loop.getLoc();
  auto type = cast<RankedTensorType>(one.source.getType());
  Value empty = tensor::EmptyOp::create(rewriter, loc, type.getShape(), type.getElementType());
  auto fill = begin.getDefiningOp<linalg::FillOp>();
  DenseElementsAttr elements;
  if (matchPattern(begin, m_Constant(&elements)) && elements.isSplat())
    begin = arith::ConstantOp::create(rewriter, loc,
                                      cast<TypedAttr>(elements.getSplatValue<Attribute>()));
  if (fill || !isa<ShapedType>(begin.getType()))
    return linalg::FillOp::create(rewriter, loc, fill ? fill.getInputs()[0] : begin, empty)
        .getResult(0);
  return linalg::BroadcastOp::create(rewriter, loc, begin, empty,
                                     ArrayRef<int64_t>{int64_t(one.row.dim)})
      ->getResult(0);
}

/// What the loop carries at its end: the row that was last.
Value RowLoop::createLast(RewriterBase &rewriter, const Carried &one, Value running,
                          Type type) const {
  Location loc = loop.getLoc();
  int64_t last = one.row.isReverse ? 0 : rows - 1;
  if (!isa<RankedTensorType>(type))
    return tensor::ExtractOp::create(
        rewriter, loc, running,
        ValueRange{arith::ConstantIndexOp::create(rewriter, loc, last).getResult()});
  auto whole = cast<RankedTensorType>(running.getType());
  SmallVector<OpFoldResult> offsets(whole.getRank(), rewriter.getIndexAttr(0)),
      ones(whole.getRank(), rewriter.getIndexAttr(1)),
      sizes = getAsIndexOpFoldResult(rewriter.getContext(), whole.getShape());
  offsets[one.row.dim] = rewriter.getIndexAttr(last);
  sizes[one.row.dim] = rewriter.getIndexAttr(1);
  return tensor::ExtractSliceOp::create(rewriter, loc, cast<RankedTensorType>(type), running,
                                        offsets, sizes, ones);
}

void RowLoop::raise(RewriterBase &rewriter) {
  rewriter.setInsertionPoint(loop);
  SmallVector<Value> results(carried.size());
  for (auto [i, one] : llvm::enumerate(carried)) {
    if (one.noted)
      continue;
    Value init = createInit(rewriter, one, loop.getInitArgs()[i]);
    // Ops on rows are the same ops on scalars.
    Block scalars;
    Operation *combiner = one.combiner;
    if (Type type = combiner->getResult(0).getType(); isa<ShapedType>(type)) {
      Type element = getElementTypeOrSelf(type);
      scalars.addArguments({element, element}, {loop.getLoc(), loop.getLoc()});
      OperationState state(loop.getLoc(), combiner->getName(), scalars.getArguments(), {element},
                           combiner->getAttrs());
      combiner = Operation::create(state);
      scalars.push_back(combiner);
    }
    auto create = [&, &sum = one](bool isStrict) {
      return createRunningReduction(rewriter, loop.getLoc(), sum.source, sum.row.dim,
                                    sum.row.isReverse, combiner, init, isStrict);
    };
    bool isNotedBefore = false, isNoted = !loop.getResult(i).use_empty();
    for (const Carried &other : carried)
      if (other.noted == unsigned(i))
        (other.isStrict ? isNotedBefore : isNoted) = true;
    Value running = isNoted ? create(/*isStrict=*/false) : Value(),
          before = isNotedBefore ? create(/*isStrict=*/true) : Value();
    results[i] = loop.getResult(i).use_empty()
                     ? loop.getInitArgs()[i]
                     : createLast(rewriter, one, running, loop.getResult(i).getType());
    for (auto [j, other] : llvm::enumerate(carried))
      if (other.noted == unsigned(i))
        results[j] = other.isStrict ? before : running;
  }
  rewriter.replaceOp(loop, results);
}

bool tp::raiseScanLoops(func::FuncOp function) {
  SmallVector<scf::ForOp> loops;
  function.walk([&](scf::ForOp loop) { loops.push_back(loop); });
  IRRewriter rewriter(function.getContext());
  bool changed = false;
  for (scf::ForOp loop : loops) {
    std::optional<int64_t> low = getConstantIntValue(loop.getLowerBound()),
                           high = getConstantIntValue(loop.getUpperBound()),
                           step = getConstantIntValue(loop.getStep());
    if (low != 0 || step != 1 || !high || *high < 1 || isAnnotated(loop))
      continue;
    RowLoop rows(loop, *high);
    if (!rows.analyze())
      continue;
    rows.raise(rewriter);
    changed = true;
  }
  return changed;
}
