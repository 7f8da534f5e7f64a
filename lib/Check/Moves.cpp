//===- Moves.cpp - Tensor ops ---------------------------------------------===//

#include "Evaluator.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::tp;
using namespace mlir::tp::check;

/// Letters for dimensions: small, or capital where `isWhole`.
static std::string lettersOf(unsigned rank, llvm::function_ref<bool(unsigned)> isWhole,
                             unsigned first = 0) {
  std::string letters;
  for (unsigned i = 0; i < rank; ++i)
    letters.push_back((isWhole(i) ? 'A' : 'a') + char(first + i));
  return letters;
}

std::optional<TermId> Evaluator::termOf(OpFoldResult value) {
  std::optional<SmallVector<int64_t>> constant = integersOf(value);
  if (constant && constant->size() == 1)
    return algebra.terms.constant(Builder(value.getContext()).getIndexAttr(constant->front()));
  return isa<Value>(value) ? termOf(scalarOf(cast<Value>(value))) : std::nullopt;
}

bool Evaluator::evaluateExtractSlice(Operation *op) {
  auto slice = cast<tensor::ExtractSliceOp>(op);
  auto sourceType = slice.getSourceType();
  SmallVector<OpFoldResult> offsets = slice.getMixedOffsets(), sizes = slice.getMixedSizes(),
                            strides = slice.getMixedStrides();
  llvm::SmallBitVector dropped = slice.getDroppedDims();
  SmallVector<SmallVector<int64_t>> starts;
  bool isStatic = true;
  for (unsigned d = 0; d < offsets.size(); ++d) {
    std::optional<SmallVector<int64_t>> start = integersOf(offsets[d]);
    isStatic &= start && getConstantIntValue(sizes[d]) && getConstantIntValue(strides[d]);
    starts.push_back(start.value_or(SmallVector<int64_t>{0}));
  }
  if (isStatic) {
    Relation relation = relationOf(slice.getSource());
    for (unsigned d = 0; d < offsets.size(); ++d)
      if (!algebra.slice(relation, d, starts[d], *getConstantIntValue(sizes[d]),
                         *getConstantIntValue(strides[d])))
        return fail(algebra.why);
    algebra.dropUnitDims(relation, [&](unsigned d) { return dropped.test(d); });
    define(slice, relation);
    return true;
  }
  if (sliceAtRunTime(op))
    return true;
  if (slice.getSizes().empty() && slice.getStrides().empty())
    return false;
  Dims dims;
  dims.isMove = true;
  dims.linear = {0};
  auto isWhole = [&](unsigned d) {
    return getConstantIntValue(offsets[d]) == 0 && getConstantIntValue(strides[d]) == 1 &&
           getConstantIntValue(sizes[d]) == sourceType.getDimSize(d);
  };
  std::string letters = lettersOf(offsets.size(), [&](unsigned d) { return !isWhole(d); });
  std::string result;
  for (unsigned d = 0; d < offsets.size(); ++d) {
    if (!dropped.test(d))
      result.push_back(isWhole(d) ? letters[d] : char('N' + d));
    if (isWhole(d))
      continue;
    dims.key.push_back(d);
    for (OpFoldResult value : {offsets[d], sizes[d], strides[d]}) {
      std::optional<TermId> term = termOf(value);
      if (!term)
        return fail("slices at a position that depends on the rank and on what is known at run "
                    "time only");
      dims.key.push_back(*term);
    }
  }
  dims.operands = {letters};
  dims.results = {result};
  return evaluateDims(op, slice.getSource(), dims);
}

/// A slice from run-time positions on is looked up, element by element.
bool Evaluator::sliceAtRunTime(Operation *op) {
  auto slice = cast<tensor::ExtractSliceOp>(op);
  SmallVector<OpFoldResult> offsets = slice.getMixedOffsets();
  if (ShapedType::isDynamicShape(slice.getStaticStrides()))
    return false;
  LoopNest nest;
  nest.op = op;
  nest.sizes.assign(slice.getStaticSizes().begin(), slice.getStaticSizes().end());
  nest.isReduction.resize(nest.sizes.size());
  BodyIndices indices(algebra.ranks.count(), nest.sizes,
                      [](Value) { return SmallVector<Attribute>(); });
  LoopOperand source;
  source.relation = relationOf(slice.getSource());
  source.type = slice.getSourceType();
  source.elements = {slice.getResult()};
  SmallVector<int, 4> loops;
  for (unsigned d = 0; d < offsets.size(); ++d) {
    loops.push_back(d);
    int64_t stride = slice.getStaticStrides()[d];
    if (std::optional<SmallVector<int64_t>> start = integersOf(offsets[d])) {
      BodyIndex index;
      index.terms = {{d, stride}};
      index.offsets = *start;
      if (!readAt(nest, source, d, index, indices))
        return false;
      continue;
    }
    if (stride != 1)
      return fail("takes elements " + Twine(stride) + " apart from a run-time position on");
    source.loops.push_back(-1);
    source.lookUps.push_back({d, Value(), d, scalarOf(cast<Value>(offsets[d]))});
  }
  nest.operands.push_back(source);
  nest.results = {loops};
  nest.yields = {slice.getResult()};
  if (!evaluateLoops(nest))
    return false;
  llvm::SmallBitVector dropped = slice.getDroppedDims();
  algebra.dropUnitDims(*values[slice.getResult()].relation,
                       [&](unsigned d) { return dropped.test(d); });
  return true;
}

/// One element is a slice without dimensions.
bool Evaluator::extractElement(Operation *op) {
  auto extract = cast<tensor::ExtractOp>(op);
  LoopNest nest;
  nest.op = op;
  BodyIndices indices(algebra.ranks.count(), nest.sizes,
                      [](Value) { return SmallVector<Attribute>(); });
  LoopOperand source;
  source.relation = relationOf(extract.getTensor());
  source.type = extract.getTensor().getType();
  source.elements = {extract.getResult()};
  for (auto [d, value] : llvm::enumerate(extract.getIndices())) {
    if (std::optional<SmallVector<int64_t>> start = integersOf(value)) {
      BodyIndex index;
      index.offsets = *start;
      if (!readAt(nest, source, d, index, indices))
        return false;
      continue;
    }
    source.loops.push_back(-1);
    source.lookUps.push_back({unsigned(d), Value(), 0, scalarOf(value)});
  }
  bool isStatic = source.lookUps.empty();
  Relation relation = source.relation;
  if (!isStatic) {
    nest.operands.push_back(source);
    nest.results = {{}};
    nest.yields = {extract.getResult()};
    std::optional<SmallVector<Relation>> found = relateLoops(nest);
    if (!found)
      return false;
    relation = found->front();
  }
  algebra.dropUnitDims(relation, [](unsigned) { return true; });
  Scalar scalar;
  scalar.term = algebra.asTerm(relation);
  if (!scalar.term)
    return failWith("takes an element that ");
  define(extract, scalar);
  return true;
}

bool Evaluator::evaluateInsertSlice(Operation *op) {
  auto slice = cast<tensor::InsertSliceOp>(op);
  auto destType = slice.getDestType();
  unsigned rank = destType.getRank();
  SmallVector<OpFoldResult> offsets = slice.getMixedOffsets(), sizes = slice.getMixedSizes(),
                            strides = slice.getMixedStrides();
  llvm::SmallBitVector dropped = slice.getDroppedDims();
  auto isWhole = [&](unsigned d) {
    return getConstantIntValue(offsets[d]) == 0 && getConstantIntValue(strides[d]) == 1 &&
           getConstantIntValue(sizes[d]) == destType.getDimSize(d);
  };
  bool destIsUndefined = relationOf(slice.getDest()).isUndefined;
  if (insertPiece(slice, isWhole))
    return true;
  std::string reason = why;
  Dims dims;
  dims.isMove = true;
  dims.linear = {0, 1};
  dims.onlyKnown = !isSource && destIsUndefined;
  std::string letters = lettersOf(rank, [&](unsigned d) { return !isWhole(d); });
  std::string source;
  for (unsigned d = 0; d < rank; ++d) {
    if (!dropped.test(d))
      source.push_back(isWhole(d) ? letters[d] : char('N' + d));
    if (isWhole(d))
      continue;
    dims.key.push_back(d);
    for (OpFoldResult value : {offsets[d], sizes[d], strides[d]}) {
      std::optional<TermId> term = termOf(value);
      if (!term)
        return fail(reason);
      dims.key.push_back(*term);
    }
  }
  dims.operands = {source, letters};
  dims.results = {letters};
  return evaluateDims(op, {slice.getSource(), slice.getDest()}, dims);
}

/// Elements of one value beside others, where it is known which.
bool Evaluator::insertPiece(Operation *op, llvm::function_ref<bool(unsigned)> isWhole) {
  auto slice = cast<tensor::InsertSliceOp>(op);
  auto destType = slice.getDestType();
  Relation relation = relationOf(slice.getSource());
  const Relation &dest = relationOf(slice.getDest());
  Attribute number = algebra.getSplat(dest);
  llvm::SmallBitVector dropped = slice.getDroppedDims();
  SmallVector<SmallVector<Atom, 1>, 4> layout;
  for (unsigned d = 0, next = 0, rank = destType.getRank(); d < rank; ++d)
    layout.push_back(dropped.test(d) ? SmallVector<Atom, 1>{Atom()} : relation.layout[next++]);
  relation.layout = layout;
  SmallVector<OpFoldResult> offsets = slice.getMixedOffsets(), sizes = slice.getMixedSizes(),
                            strides = slice.getMixedStrides();
  std::optional<unsigned> along;
  SmallVector<SmallVector<int64_t>, 0> isInside;
  for (unsigned d = 0; d < offsets.size(); ++d) {
    if (isWhole(d))
      continue;
    std::optional<SmallVector<int64_t>> start = integersOf(offsets[d]);
    std::optional<int64_t> size = getConstantIntValue(sizes[d]);
    std::optional<int64_t> stride = getConstantIntValue(strides[d]);
    if (!start || !size || !stride || *stride < 1)
      return fail("inserts at a position that is known at run time only");
    if (along && !dest.isUndefined && !number)
      return fail("inserts a part of several dimensions");
    along = d;
    SmallVector<int64_t> high;
    SmallVector<SmallVector<int64_t>> places;
    for (int64_t offset : *start) {
      int64_t rows = destType.getDimSize(d);
      high.push_back(rows - offset - *size);
      if (offset < 0 || (*size > 0 && offset + (*size - 1) * *stride >= rows))
        return fail("inserts past the end");
      isInside.emplace_back(rows, 0);
      places.emplace_back(rows, *size); // What is beside the value.
      for (int64_t i = 0; i < *size; ++i) {
        isInside.back()[offset + i * *stride] = 1;
        places.back()[offset + i * *stride] = i;
      }
    }
    bool done = *stride == 1 ? algebra.pad(relation, d, *start, high, number)
                             : algebra.pad(relation, d, {0}, {1}, number) &&
                                   algebra.pick(relation, d, places);
    if (!done)
      return fail(algebra.why);
  }
  if (along && !dest.isUndefined && !number) {
    std::optional<Relation> merged = algebra.merge(relation, dest, *along, isInside);
    if (!merged)
      return fail(algebra.why);
    relation = *merged;
  }
  define(slice, relation);
  return true;
}

bool Evaluator::evaluateTensorOp(Operation *op) {
  auto groupsOf = [](ArrayRef<ReassociationIndices> indices) {
    SmallVector<SmallVector<int64_t, 2>> groups;
    for (const ReassociationIndices &group : indices)
      groups.emplace_back(group.begin(), group.end());
    return groups;
  };
  if (auto empty = dyn_cast<tensor::EmptyOp>(op)) {
    defineUndefined(empty);
    return true;
  }
  if (auto splat = dyn_cast<tensor::SplatOp>(op)) {
    std::optional<TermId> term = termOf(scalarOf(splat.getInput()));
    if (!term)
      return fail("fills with a value that depends on the rank");
    define(splat, algebra.splat(*term, cast<RankedTensorType>(splat.getType()).getShape()));
    return true;
  }
  if (auto extract = dyn_cast<tensor::ExtractOp>(op)) {
    const Relation &relation = relationOf(extract.getTensor());
    if (relation.isUndefined || relation.partial || !relation.absent.empty() || relation.isRounded)
      return false;
    if (!relation.maps.empty())
      return extractElement(extract);
    // All elements are one.
    Scalar scalar;
    if (Attribute constant = algebra.terms.getConstant(relation.term);
        isa_and_nonnull<TypedAttr>(constant) && !isa<ElementsAttr>(constant))
      scalar.constants = {constant};
    else
      scalar.term = relation.term;
    define(extract, scalar);
    return true;
  }
  if (isa<tensor::FromElementsOp>(op) && op->getNumOperands() == 1) {
    std::optional<TermId> term = termOf(scalarOf(op->getOperand(0)));
    if (!term)
      return false;
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    define(op->getResult(0), algebra.splat(*term, type.getShape()));
    return true;
  }
  if (auto cast = dyn_cast<tensor::CastOp>(op)) {
    if (!values[cast.getSource()].relation)
      return false; // An argument without a rank.
    pass(cast.getSource(), cast);
    return true;
  }
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op)) {
    Relation relation = relationOf(expand.getSrc());
    if (!algebra.expand(relation, groupsOf(expand.getReassociationIndices()),
                        expand.getResultType().getShape()))
      return fail(algebra.why);
    define(expand, relation);
    return true;
  }
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op)) {
    Relation relation = relationOf(collapse.getSrc());
    algebra.collapse(relation, groupsOf(collapse.getReassociationIndices()));
    if (llvm::any_of(relation.layout, [](auto &atoms) { return atoms.empty(); }))
      for (auto &atoms : relation.layout)
        if (atoms.empty())
          atoms.push_back(Atom());
    define(collapse, relation);
    return true;
  }
  if (isa<tensor::ExtractSliceOp>(op))
    return evaluateExtractSlice(op);
  if (isa<tensor::InsertSliceOp>(op))
    return evaluateInsertSlice(op);
  if (auto concat = dyn_cast<tensor::ConcatOp>(op)) {
    unsigned along = concat.getDim();
    SmallVector<Relation> parts;
    for (Value input : concat.getInputs())
      parts.push_back(relationOf(input));
    if (std::optional<Relation> joined = algebra.concat(parts, along)) {
      define(concat, *joined);
      return true;
    }
    std::string reason = algebra.why;
    Dims dims;
    dims.isMove = true;
    dims.onlyKnown = !isSource;
    dims.key = {along};
    for (unsigned o = 0; o < concat.getInputs().size(); ++o) {
      std::string letters =
          lettersOf(concat.getResultType().getRank(), [&](unsigned d) { return d == along; });
      letters[along] = 'Z' - char(o % 8);
      dims.operands.push_back(letters);
      dims.linear.push_back(o);
    }
    dims.results = {
        lettersOf(concat.getResultType().getRank(), [&](unsigned d) { return d == along; })};
    return (concat.getInputs().size() <= 8 && evaluateDims(op, concat.getInputs(), dims)) ||
           fail(reason);
  }
  if (auto pad = dyn_cast<tensor::PadOp>(op)) {
    Value fill = pad.getConstantPaddingValue();
    if (!fill || !pad.getLow().empty() || !pad.getHigh().empty())
      return false;
    auto known = values.find(fill);
    Scalar scalar = known == values.end() ? Scalar() : known->second.scalar;
    // The value may be a constant within the region.
    if (Attribute constant; known == values.end() && matchPattern(fill, m_Constant(&constant)))
      scalar.constants = {constant};
    ArrayRef<int64_t> low = pad.getStaticLow(), high = pad.getStaticHigh();
    std::string reason;
    if (scalar.constants.size() == 1) {
      Relation relation = relationOf(pad.getSource());
      bool done = true;
      for (unsigned d = 0; d < low.size() && done; ++d)
        done = algebra.pad(relation, d, low[d], high[d], scalar.constants[0]);
      if (done) {
        define(pad, relation);
        return true;
      }
      reason = algebra.why;
    }
    std::optional<TermId> term = termOf(scalar);
    if (!term)
      return fail("pads with a value that depends on the rank");
    Dims dims;
    dims.key = {*term};
    auto isPadded = [&](unsigned d) { return low[d] != 0 || high[d] != 0; };
    dims.operands = {lettersOf(low.size(), isPadded)};
    dims.results = {dims.operands[0]};
    for (unsigned d = 0; d < low.size(); ++d) {
      if (isPadded(d))
        dims.results[0][d] = 'N' + d;
      dims.key.insert(dims.key.end(), {uint64_t(low[d]), uint64_t(high[d])});
    }
    dims.onlyKnown = !isSource;
    return evaluateDims(op, pad.getSource(), dims) || fail(reason.empty() ? why : reason);
  }
  return false;
}
