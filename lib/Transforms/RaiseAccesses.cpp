//===- RaiseAccesses.cpp - Elements that loops choose become operands ------===//

#include "IndexExpressions.h"
#include "RaiseGenerics.h"

using namespace mlir;
using namespace mlir::tp;

namespace {

/// Longest loop whose iterations are tried one by one.
constexpr int64_t kMaxIterations = 1 << 20;

bool isFirst(AffineExpr expr) {
  auto constant = dyn_cast<AffineConstantExpr>(expr);
  return constant && constant.getValue() == 0;
}

/// The reading of a tensor at an index per dimension.
class Access {
public:
  Access(RewriterBase &rewriter, Location loc, IndexExpressions &indices, Value tensor)
      : rewriter(rewriter), loc(loc), indices(indices), tensor(tensor) {}

  /// Adds the index of the next dimension: `expr`, or one that data choose.
  void addIndex(std::optional<AffineExpr> expr, Value opaque = Value()) {
    index.push_back({expr, opaque});
  }

  /// Whether each index is inside the tensor in all iterations, but where data or
  /// scalars from outside choose.
  bool isInBounds() const {
    for (auto [dim, entry] : llvm::enumerate(index))
      if (std::optional<IndexInterval> range =
              entry.expr ? indices.getRange(*entry.expr) : std::nullopt;
          range && !range->isWithin(0, shape()[dim] - 1))
        return false;
    return true;
  }
  bool hasOpaque() const {
    return llvm::any_of(index, [](const Entry &entry) { return !entry.expr; });
  }
  /// Whether scalars from outside have a part in an index.
  bool hasSymbols() const {
    return llvm::any_of(
        index, [&](const Entry &entry) { return entry.expr && !indices.getRange(*entry.expr); });
  }

  /// Puts an equal access of another tensor in its place: one whose indices are
  /// whole dimensions, of the size of their loop, and those that data choose. Fails,
  /// with nothing changed, where there is none.
  LogicalResult simplify(bool allowSymbols);

  /// After that: the map to the operand.
  AffineMap getMap() const {
    SmallVector<AffineExpr> exprs;
    for (const Entry &entry : index)
      exprs.push_back(*entry.expr);
    return AffineMap::get(indices.getLoopSizes().size(), 0, exprs, rewriter.getContext());
  }
  /// The indices as values of the body.
  SmallVector<Value> createIndices() {
    SmallVector<Value> values;
    for (const Entry &entry : index) {
      if (!entry.expr)
        values.push_back(entry.opaque);
      else if (auto loop = dyn_cast<AffineDimExpr>(*entry.expr))
        values.push_back(linalg::IndexOp::create(rewriter, loc, loop.getPosition()));
      else
        values.push_back(arith::ConstantIndexOp::create(rewriter, loc, 0));
    }
    return values;
  }
  Value getTensor() const { return tensor; }

private:
  struct Entry {
    std::optional<AffineExpr> expr;
    Value opaque;
  };
  /// What to take of one dimension: a slice, which loops then run over.
  struct Part {
    Value symbol; ///< added to the offset; null: nothing
    int64_t offset = 0, size = 1, stride = 1;
    SmallVector<unsigned, 2> loops; ///< major to minor; none: the dimension goes away
    bool isOpaque = false;
  };

  ArrayRef<int64_t> shape() const { return cast<RankedTensorType>(tensor.getType()).getShape(); }
  /// Whether the index runs over all of the dimension, by one loop or as the only one.
  bool isWhole(unsigned dim) const {
    if (isFirst(*index[dim].expr))
      return shape()[dim] == 1;
    auto loop = dyn_cast<AffineDimExpr>(*index[dim].expr);
    return loop && indices.getLoopSizes()[loop.getPosition()] == shape()[dim];
  }
  std::optional<std::pair<unsigned, unsigned>> findCollapse() const;
  std::optional<Part> describe(unsigned dim, bool allowSymbols) const;
  void collapse(unsigned first, unsigned last);
  void take(ArrayRef<Part> parts);

  RewriterBase &rewriter;
  Location loc;
  IndexExpressions &indices;
  Value tensor;
  SmallVector<Entry> index;
};

/// Dimensions whose indices are the digits of one loop index.
std::optional<std::pair<unsigned, unsigned>> Access::findCollapse() const {
  for (unsigned first = 0, n = index.size(); first < n; ++first) {
    int64_t size = shape()[first];
    for (unsigned last = first + 1; last < n; ++last) {
      size *= shape()[last];
      std::optional<unsigned> loop;
      bool isOne = true;
      for (unsigned dim = first; dim <= last; ++dim)
        for (unsigned i = 0; i < indices.getLoopSizes().size() && index[dim].expr; ++i)
          if (index[dim].expr->isFunctionOfDim(i)) {
            isOne &= !loop || *loop == i;
            loop = i;
          }
      if (!loop || !isOne || size != indices.getLoopSizes()[*loop] || size > kMaxIterations)
        continue;
      auto isDigits = [&](int64_t i) {
        SmallVector<AffineExpr> dims(indices.getLoopSizes().size(),
                                     getAffineConstantExpr(i, rewriter.getContext()));
        int64_t number = 0;
        for (unsigned dim = first; dim <= last; ++dim) {
          if (!index[dim].expr)
            return false;
          auto digit = dyn_cast<AffineConstantExpr>(index[dim].expr->replaceDims(dims));
          if (!digit || digit.getValue() < 0 || digit.getValue() >= shape()[dim])
            return false;
          number = number * shape()[dim] + digit.getValue();
        }
        return number == i;
      };
      if (llvm::all_of(llvm::seq<int64_t>(0, size), isDigits))
        return std::pair(first, last);
    }
  }
  return std::nullopt;
}

void Access::collapse(unsigned first, unsigned last) {
  SmallVector<ReassociationIndices> groups;
  SmallVector<Entry> left;
  for (unsigned dim = 0, n = index.size(); dim < n; ++dim) {
    if (dim > first && dim <= last) {
      groups.back().push_back(dim);
      continue;
    }
    groups.push_back({dim});
    left.push_back(index[dim]);
  }
  for (unsigned i = 0; i < indices.getLoopSizes().size(); ++i)
    for (unsigned dim = first; dim <= last; ++dim)
      if (index[dim].expr->isFunctionOfDim(i))
        left[first] = {getAffineDimExpr(i, rewriter.getContext()), Value()};
  tensor = tensor::CollapseShapeOp::create(rewriter, loc, tensor, groups);
  index = std::move(left);
}

/// The terms of a sum.
static void getTerms(AffineExpr expr, SmallVectorImpl<AffineExpr> &terms) {
  auto sum = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!sum || sum.getKind() != AffineExprKind::Add) {
    terms.push_back(expr);
    return;
  }
  getTerms(sum.getLHS(), terms);
  getTerms(sum.getRHS(), terms);
}

std::optional<Access::Part> Access::describe(unsigned dim, bool allowSymbols) const {
  Part part;
  if (!index[dim].expr) {
    part.isOpaque = true;
    part.size = shape()[dim];
    return part;
  }
  SmallVector<AffineExpr> terms;
  getTerms(*index[dim].expr, terms);
  SmallVector<LinearIndex> loops;
  for (AffineExpr term : terms) {
    if (auto symbol = dyn_cast<AffineSymbolExpr>(term)) {
      if (part.symbol || !allowSymbols)
        return std::nullopt;
      part.symbol = indices.getSymbols()[symbol.getPosition()];
      continue;
    }
    std::optional<LinearIndex> linear = indices.getLinear(term);
    if (!linear)
      return std::nullopt;
    part.offset += linear->offset;
    if (!linear->loop)
      continue;
    if (linear->scale < 1)
      return std::nullopt;
    loops.push_back(*linear);
  }
  // The loops are digits of a number, major to minor, times the stride.
  llvm::sort(loops, [](const LinearIndex &a, const LinearIndex &b) { return a.scale > b.scale; });
  for (const LinearIndex &linear : llvm::reverse(loops)) {
    int64_t size = indices.getLoopSizes()[*linear.loop];
    if (part.loops.empty())
      part.stride = linear.scale;
    else if (linear.scale != part.stride * part.size)
      return std::nullopt;
    part.loops.insert(part.loops.begin(), *linear.loop);
    part.size *= size;
  }
  return part;
}

/// Takes the slice of each dimension; splits dimensions that several loops index.
void Access::take(ArrayRef<Part> parts) {
  bool isSlice = false, isSplit = false;
  SmallVector<OpFoldResult> offsets, sizes, strides;
  SmallVector<int64_t> reduced, expanded;
  SmallVector<ReassociationIndices> groups;
  SmallVector<Entry> left;
  for (auto [dim, part] : llvm::enumerate(parts)) {
    isSlice |= part.symbol || part.offset != 0 || part.size != shape()[dim] || part.stride != 1 ||
               (part.loops.empty() && !part.isOpaque);
    OpFoldResult offset = rewriter.getIndexAttr(part.offset);
    if (part.symbol) {
      Value value = part.symbol;
      if (!value.getType().isIndex())
        value = arith::IndexCastOp::create(rewriter, loc, rewriter.getIndexType(), value);
      if (part.offset != 0)
        value = arith::AddIOp::create(rewriter, loc, value,
                                      arith::ConstantIndexOp::create(rewriter, loc, part.offset));
      offset = value;
    }
    offsets.push_back(offset);
    sizes.push_back(rewriter.getIndexAttr(part.size));
    strides.push_back(rewriter.getIndexAttr(part.stride));
    if (part.loops.empty() && !part.isOpaque)
      continue;
    reduced.push_back(part.size);
    groups.emplace_back();
    isSplit |= part.loops.size() > 1;
    if (part.isOpaque) {
      groups.back().push_back(expanded.size());
      expanded.push_back(part.size);
      left.push_back(index[dim]);
    }
    for (unsigned loop : part.loops) {
      groups.back().push_back(expanded.size());
      expanded.push_back(indices.getLoopSizes()[loop]);
      left.push_back({getAffineDimExpr(loop, rewriter.getContext()), Value()});
    }
  }
  auto type = cast<RankedTensorType>(tensor.getType());
  if (isSlice)
    tensor = tensor::ExtractSliceOp::create(rewriter, loc, type.clone(reduced), tensor, offsets,
                                            sizes, strides);
  if (isSplit)
    tensor = tensor::ExpandShapeOp::create(rewriter, loc, type.clone(expanded), tensor, groups);
  index = std::move(left);
}

LogicalResult Access::simplify(bool allowSymbols) {
  auto isSimple = [&](unsigned dim) { return !index[dim].expr || isWhole(dim); };
  while (!llvm::all_of(llvm::seq<unsigned>(0, index.size()), isSimple)) {
    if (auto group = findCollapse()) {
      collapse(group->first, group->second);
      continue;
    }
    SmallVector<Part> parts;
    for (unsigned dim = 0; dim < index.size(); ++dim) {
      std::optional<Part> part = describe(dim, allowSymbols);
      if (!part)
        return failure();
      parts.push_back(*part);
    }
    take(parts);
  }
  return success();
}

/// Whether the op has iterations.
bool runs(IndexExpressions &indices) { return !llvm::is_contained(indices.getLoopSizes(), 0); }

} // namespace

namespace {

/// An input to add, for a scalar of the body that its elements are.
struct Input {
  Value tensor;
  AffineMap map;
  Value element;
};

} // namespace

/// Adds inputs, each with its map, and replaces what they stand for by their elements.
static linalg::GenericOp addInputs(RewriterBase &rewriter, linalg::GenericOp op,
                                   ArrayRef<Input> added) {
  if (added.empty())
    return op;
  SmallVector<Value> inputs(op.getInputs());
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  unsigned numInputs = inputs.size();
  for (auto [i, input] : llvm::enumerate(added)) {
    inputs.push_back(input.tensor);
    maps.insert(maps.begin() + numInputs + i, input.map);
  }
  rewriter.setInsertionPoint(op);
  auto next = linalg::GenericOp::create(rewriter, op.getLoc(), op.getResultTypes(), inputs,
                                        op.getOutputs(), maps, op.getIteratorTypesArray());
  Block *body = op.getBody();
  for (auto [i, input] : llvm::enumerate(added)) {
    Value element = input.element;
    BlockArgument argument =
        body->insertArgument(numInputs + i, element.getType(), element.getLoc());
    rewriter.replaceAllUsesWith(element, argument);
    if (Operation *def = element.getDefiningOp(); def && isa<tensor::ExtractOp>(def))
      rewriter.eraseOp(def);
  }
  rewriter.inlineRegionBefore(op.getRegion(), next.getRegion(), next.getRegion().begin());
  replaceWithAnnotations(rewriter, op, next->getResults());
  return next;
}

/// Inputs whose map is a slice or a reshape are that slice or reshape; what is
/// reversed is read by its index.
static void simplifyInputs(RewriterBase &rewriter, linalg::GenericOp op) {
  IndexExpressions indices(op);
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  bool changed = false;
  for (OpOperand *input : op.getDpsInputOperands()) {
    unsigned number = input->getOperandNumber();
    AffineMap map = maps[number];
    auto type = dyn_cast<RankedTensorType>(input->get().getType());
    auto isPlain = [&](auto pair) {
      auto [expr, size] = pair;
      return isa<AffineDimExpr>(expr) || (isFirst(expr) && size == 1);
    };
    if (!type || llvm::all_of(llvm::zip_equal(map.getResults(), type.getShape()), isPlain))
      continue;
    rewriter.setInsertionPoint(op);
    Access access(rewriter, op.getLoc(), indices, input->get());
    for (AffineExpr expr : map.getResults())
      access.addIndex(expr);
    if (!access.isInBounds() || failed(access.simplify(/*allowSymbols=*/false)))
      continue;
    input->set(access.getTensor());
    maps[number] = access.getMap();
    changed = true;
  }
  if (changed)
    op.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps));
}

linalg::GenericOp tp::raiseAccesses(RewriterBase &rewriter, linalg::GenericOp op) {
  simplifyInputs(rewriter, op);
  IndexExpressions indices(op);
  SmallVector<tensor::ExtractOp> extracts;
  op.getBody()->walk([&](tensor::ExtractOp extract) { extracts.push_back(extract); });
  SmallVector<Input> added;
  for (tensor::ExtractOp extract : extracts) {
    Value tensor = extract.getTensor();
    if (op->isAncestor(tensor.getParentBlock()->getParentOp()) ||
        !extract.getTensor().getType().hasStaticShape())
      continue;
    rewriter.setInsertionPoint(op);
    Access access(rewriter, extract.getLoc(), indices, tensor);
    for (Value index : extract.getIndices()) {
      std::optional<AffineExpr> expr = indices.get(index);
      access.addIndex(expr, index);
    }
    // A scalar from outside may be wrong where it is not used.
    bool isUnconditional = extract->getBlock() == op.getBody() && runs(indices);
    if (!access.isInBounds() || failed(access.simplify(isUnconditional)))
      continue;
    if (!access.hasOpaque()) {
      added.push_back({access.getTensor(), access.getMap(), extract.getResult()});
      continue;
    }
    if (access.getTensor() == tensor)
      continue;
    rewriter.setInsertionPoint(extract);
    rewriter.replaceOpWithNewOp<tensor::ExtractOp>(extract, access.getTensor(),
                                                   access.createIndices());
  }
  return addInputs(rewriter, op, added);
}

//===----------------------------------------------------------------------===//
// Look-ups
//===----------------------------------------------------------------------===//

namespace {

/// What the indices of a look-up are computed from.
struct IndexSlice {
  SetVector<Operation *> ops;   ///< of the body, in order
  SmallVector<unsigned> inputs; ///< operands of the linalg op that are read, sorted
  SmallVector<unsigned> loops;  ///< on which the indices depend, sorted
};

} // namespace

static std::optional<IndexSlice> getIndexSlice(linalg::GenericOp op, tensor::ExtractOp extract) {
  llvm::SmallSetVector<unsigned, 4> inputs, loops;
  llvm::SmallPtrSet<Operation *, 8> seen;
  SmallVector<Value> work(extract.getIndices());
  while (!work.empty()) {
    Value value = work.pop_back_val();
    if (!op->isAncestor(value.getParentBlock()->getParentOp()))
      continue;
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      if (argument.getOwner() != op.getBody() || argument.getArgNumber() >= op.getNumDpsInputs())
        return std::nullopt;
      inputs.insert(argument.getArgNumber());
      for (unsigned loop = 0, n = op.getNumLoops(); loop < n; ++loop)
        if (op.getIndexingMapsArray()[argument.getArgNumber()].isFunctionOfDim(loop))
          loops.insert(loop);
      continue;
    }
    Operation *def = value.getDefiningOp();
    // What may trap stays where it is.
    if (def->getNumRegions() != 0 || !isPure(def) || isa<tensor::ExtractOp>(def))
      return std::nullopt;
    if (auto index = dyn_cast<linalg::IndexOp>(def))
      loops.insert(index.getDim());
    if (seen.insert(def).second)
      llvm::append_range(work, def->getOperands());
  }
  IndexSlice slice;
  op.getBody()->walk([&](Operation *nested) {
    if (seen.contains(nested))
      slice.ops.insert(nested);
  });
  slice.inputs = inputs.takeVector();
  slice.loops = loops.takeVector();
  llvm::sort(slice.inputs);
  llvm::sort(slice.loops);
  return slice;
}

/// Whether the op does nothing but look up.
static bool isLookup(linalg::GenericOp op, tensor::ExtractOp extract) {
  return op->getNumResults() == 1 && op.getNumReductionLoops() == 0 &&
         op.getBody()->getTerminator()->getOperand(0) == extract.getResult();
}

linalg::GenericOp tp::splitLookups(RewriterBase &rewriter, linalg::GenericOp op) {
  IndexExpressions indices(op);
  if (!runs(indices))
    return op;
  SmallVector<Input> added;
  for (auto extract : op.getBody()->getOps<tensor::ExtractOp>()) {
    Value tensor = extract.getTensor();
    if (op->isAncestor(tensor.getParentBlock()->getParentOp()) || isLookup(op, extract))
      continue;
    std::optional<IndexSlice> slice = getIndexSlice(op, extract);
    // What only loops choose is no look-up.
    if (!slice || slice->loops.empty() || slice->inputs.empty())
      continue;
    rewriter.setInsertionPoint(op);
    Location loc = extract.getLoc();
    unsigned numLoops = slice->loops.size();
    SmallVector<AffineExpr> newDims(op.getNumLoops(), rewriter.getAffineConstantExpr(0));
    SmallVector<AffineExpr> oldDims;
    SmallVector<int64_t> shape;
    for (auto [position, loop] : llvm::enumerate(slice->loops)) {
      newDims[loop] = rewriter.getAffineDimExpr(position);
      oldDims.push_back(rewriter.getAffineDimExpr(loop));
      shape.push_back(indices.getLoopSizes()[loop]);
    }
    SmallVector<Value> inputs;
    SmallVector<AffineMap> maps;
    for (unsigned input : slice->inputs) {
      inputs.push_back(op.getInputs()[input]);
      maps.push_back(
          op.getIndexingMapsArray()[input].replaceDimsAndSymbols(newDims, {}, numLoops, 0));
    }
    maps.push_back(rewriter.getMultiDimIdentityMap(numLoops));
    Value empty = tensor::EmptyOp::create(rewriter, loc, shape, extract.getType());
    SmallVector<utils::IteratorType> iterators(numLoops, utils::IteratorType::parallel);
    auto lookup = linalg::GenericOp::create(
        rewriter, loc, TypeRange{empty.getType()}, inputs, ValueRange{empty}, maps, iterators,
        [&](OpBuilder &builder, Location, ValueRange args) {
          IRMapping mapping;
          for (auto [position, input] : llvm::enumerate(slice->inputs))
            mapping.map(op.getBody()->getArgument(input), args[position]);
          for (Operation *nested : slice->ops) {
            auto index = dyn_cast<linalg::IndexOp>(nested);
            if (!index) {
              builder.clone(*nested, mapping);
              continue;
            }
            unsigned position = llvm::find(slice->loops, index.getDim()) - slice->loops.begin();
            mapping.map(index.getResult(),
                        linalg::IndexOp::create(builder, loc, position).getResult());
          }
          Value element = builder.clone(*extract, mapping)->getResult(0);
          linalg::YieldOp::create(builder, loc, element);
        });
    added.push_back({lookup->getResult(0),
                     AffineMap::get(op.getNumLoops(), 0, oldDims, rewriter.getContext()),
                     extract.getResult()});
  }
  linalg::GenericOp next = addInputs(rewriter, op, added);
  if (!added.empty())
    foldBody(rewriter, next);
  return next;
}
