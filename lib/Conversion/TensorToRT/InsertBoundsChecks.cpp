//===- InsertBoundsChecks.cpp - Indices are checked before they are used ---===//
//
// An index that may lie outside its tensor is an error at run time, with the
// place in the source, and never an access outside the tensor. Offsets and
// indices between kernels are checked one by one; those inside the body of a
// linalg op by a reduction over the indices that the op will use, which runs
// before it.
//
// Where a check is deferred, which a device tells later, what is behind it uses a clamped
// index: it stays inside the tensor whatever the index is.
//
//===----------------------------------------------------------------------===//

#include "IndexRange.h"
#include "dialects/NN/NN.h"
#include "dialects/RT/RT.h"
#include "dialects/TP/TP.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "tp/Conversion/Passes.h"

namespace mlir::tp {
#define GEN_PASS_DEF_INSERTBOUNDSCHECKSPASS
#include "tp/Conversion/Passes.h.inc"
} // namespace mlir::tp

using namespace mlir;
using namespace mlir::tp;

namespace {

/// An index and the half-open range in which it must lie.
struct Bound {
  Value value;
  int64_t upper;
  std::string reason;
  int64_t lower = 0;
  int64_t whole = 0; ///< `upper` in the source, where the tensor is a block of a table
};

/// Whether the bound holds wherever `op` runs.
bool isProved(Operation *op, const Bound &bound) {
  return getIndexRange(bound.value, getGuards(op)).isWithin(bound.lower, bound.upper);
}

std::string describe(StringRef what, Operation *op, unsigned dim) {
  return (what + " of " + op->getName().getStringRef() + " along dimension " + Twine(dim)).str();
}

/// The bounds of a tensor.extract or tensor.insert.
SmallVector<Bound> getElementBounds(Operation *op, ShapedType type, ValueRange indices) {
  SmallVector<Bound> bounds;
  auto whole = op->getAttrOfType<TypeAttr>(kGlobalTypeAttr);
  for (auto [dim, index] : llvm::enumerate(indices)) {
    Bound bound = {index, type.getDimSize(dim), describe("index", op, dim)};
    if (whole) {
      bound.whole = cast<RankedTensorType>(whole.getValue()).getDimSize(dim);
      bound.upper = std::min(bound.upper, bound.whole);
    }
    bounds.push_back(bound);
  }
  return bounds;
}

/// The bounds of the dynamic offsets of a slice of a tensor of type `type`.
FailureOr<SmallVector<Bound>> getSliceBounds(OffsetSizeAndStrideOpInterface slice,
                                             ShapedType type) {
  SmallVector<Bound> bounds;
  for (auto [dim, offset] : llvm::enumerate(slice.getMixedOffsets())) {
    std::optional<int64_t> size = getConstantIntValue(slice.getMixedSizes()[dim]);
    std::optional<int64_t> stride = getConstantIntValue(slice.getMixedStrides()[dim]);
    if (!size || !stride || *stride < 1)
      return slice->emitError("needs a static size and a positive stride along dimension ") << dim;
    auto value = dyn_cast<Value>(offset);
    if (!value)
      continue;
    int64_t last = *size == 0 ? 0 : (*size - 1) * *stride + 1;
    bounds.push_back({value, type.getDimSize(dim) - last + 1, describe("offset", slice, dim)});
  }
  return bounds;
}

/// `value` where that lies in [lower, upper), a limit where it does not.
Value clamp(OpBuilder &builder, Location loc, Value value, int64_t lower, int64_t upper) {
  Value low = arith::ConstantIndexOp::create(builder, loc, lower);
  Value clamped = arith::MaxSIOp::create(builder, loc, value, low);
  if (upper == INT64_MAX)
    return clamped;
  Value last = arith::ConstantIndexOp::create(builder, loc, upper - 1);
  return arith::MinSIOp::create(builder, loc, clamped, last);
}

/// Makes a check deferred: what is behind it uses a value within the limits. Where there
/// is none, the check stays what it is. Returns what stands for the checked value.
Value defer(rt::CheckIndexOp check) {
  Value value = check.getValue();
  int64_t lower = check.getLower(), upper = check.getUpper();
  if (lower == upper)
    return value;
  check.setDeferred(true);
  OpBuilder builder(check->getContext());
  builder.setInsertionPointAfter(check);
  Value clamped = clamp(builder, check.getLoc(), value, lower, upper);
  Operation *last = clamped.getDefiningOp();
  Block *block = check->getBlock();
  value.replaceUsesWithIf(clamped, [&](OpOperand &use) {
    Operation *user = block->findAncestorOpInBlock(*use.getOwner());
    return user && last->isBeforeInBlock(user);
  });
  return clamped;
}

/// Emits a check of every bound before `op` unless it is proved or one of the
/// same value was just made in the block.
class Checker {
public:
  unsigned check(Operation *op, SmallVector<Bound> bounds, bool isDeferred) {
    OpBuilder builder(op);
    unsigned made = 0;
    for (const Bound &bound : bounds) {
      // Whatever the value is, an empty range has none.
      int64_t upper = std::max(bound.upper, bound.lower);
      if (isProved(op, bound) || !done.insert({op->getBlock(), bound.value, upper}).second)
        continue;
      auto check = rt::CheckIndexOp::create(builder, op->getLoc(), bound.value, bound.lower, upper,
                                            builder.getStringAttr(bound.reason));
      ++made;
      if (!isDeferred)
        continue;
      Value before = bound.value, clamped = defer(check);
      for (Bound &other : bounds)
        if (other.value == before)
          other.value = clamped;
    }
    return made;
  }

private:
  llvm::DenseSet<std::tuple<Block *, Value, int64_t>> done;
};

/// What an index in a body is computed from.
struct IndexSlice {
  SetVector<Operation *> ops;   ///< in order
  SmallVector<unsigned> inputs; ///< operands of the linalg op that are read
  SmallVector<unsigned> loops;  ///< of the linalg op, sorted
};

/// Checks indices inside the body of a linalg op: a reduction over the loops on
/// which an index depends yields an index that is out of range, or 0. Where the
/// index is used under conditions, they are computed too.
class BodyChecker {
public:
  BodyChecker(linalg::LinalgOp op, bool isDeferred)
      : op(op), body(op.getBlock()), isDeferred(isDeferred) {}

  /// The index along `dim` of an extract in the body.
  LogicalResult check(tensor::ExtractOp extract, unsigned dim, const Bound &bound) {
    guards = getGuards(extract);
    FailureOr<IndexSlice> slice = getSlice(extract, bound.value);
    if (failed(slice))
      return failure();
    Value worst = createReduction(extract.getLoc(), *slice, bound);
    OpBuilder builder(op);
    Location loc = extract.getLoc();
    Value number = tensor::ExtractOp::create(builder, loc, worst, ValueRange());
    Value index = arith::IndexCastOp::create(builder, loc, builder.getIndexType(), number);
    // Without an iteration there is nothing to check, and 0 stands for that. An index that
    // is in no block of a table is out of the whole's bound, which the user knows.
    int64_t upper = std::max<int64_t>(bound.upper, 1);
    StringAttr reason = builder.getStringAttr(bound.reason);
    SmallVector<rt::CheckIndexOp> checks;
    if (bound.whole > upper)
      checks.push_back(rt::CheckIndexOp::create(builder, loc, index, 0, bound.whole, reason));
    checks.push_back(rt::CheckIndexOp::create(builder, loc, index, 0, upper, reason));
    if (!isDeferred || bound.upper < 1)
      return success();
    for (rt::CheckIndexOp check : checks)
      check.setDeferred(true);
    OpBuilder inside(extract);
    extract.getIndicesMutable()[dim].set(clamp(inside, loc, bound.value, 0, bound.upper));
    return success();
  }

private:
  FailureOr<IndexSlice> getSlice(tensor::ExtractOp extract, Value index) {
    IndexSlice slice;
    llvm::SmallSetVector<unsigned, 4> inputs, loops;
    SmallVector<Value> work = {index};
    for (const Guard &guard : guards)
      work.push_back(guard.condition);
    DenseSet<Operation *> seen;
    while (!work.empty()) {
      Value value = work.pop_back_val();
      // Values from outside the op are used as they are.
      if (!op->isAncestor(value.getParentBlock()->getParentOp()))
        continue;
      auto argument = dyn_cast<BlockArgument>(value);
      if (argument && argument.getOwner() == body) {
        OpOperand &operand = op->getOpOperand(argument.getArgNumber());
        if (op.isDpsInit(&operand))
          return extract.emitError("cannot check an index that depends on the result of its op");
        inputs.insert(argument.getArgNumber());
        for (unsigned loop = 0; loop < op.getNumLoops(); ++loop)
          if (op.getMatchingIndexingMap(&operand).isFunctionOfDim(loop))
            loops.insert(loop);
        continue;
      }
      Operation *def = value.getDefiningOp();
      if (!def || def->getNumRegions() != 0)
        return extract.emitError("cannot check an index that a loop or conditional computes");
      // What runs under a condition is to run without it.
      if (def->getBlock() != body && (!isPure(def) || isa<tensor::ExtractOp>(def)))
        return extract.emitError("cannot check an index that is read under a condition");
      if (!seen.insert(def).second)
        continue;
      if (auto indexOp = dyn_cast<linalg::IndexOp>(def))
        loops.insert(indexOp.getDim());
      llvm::append_range(work, def->getOperands());
    }
    body->walk([&](Operation *def) {
      if (seen.contains(def))
        slice.ops.insert(def);
    });
    slice.inputs = inputs.takeVector();
    slice.loops = loops.takeVector();
    llvm::sort(slice.inputs);
    llvm::sort(slice.loops);
    return slice;
  }

  Value createReduction(Location loc, const IndexSlice &slice, const Bound &bound) {
    OpBuilder builder(op);
    MLIRContext *context = op.getContext();
    unsigned numLoops = slice.loops.size();
    SmallVector<AffineExpr> replacement(op.getNumLoops(), builder.getAffineConstantExpr(0));
    SmallVector<int64_t> sizes;
    for (auto [position, loop] : llvm::enumerate(slice.loops)) {
      replacement[loop] = builder.getAffineDimExpr(position);
      sizes.push_back(op.getStaticLoopRanges()[loop]);
    }
    SmallVector<Value> inputs;
    SmallVector<AffineMap> maps;
    for (unsigned input : slice.inputs) {
      OpOperand &operand = op->getOpOperand(input);
      inputs.push_back(operand.get());
      maps.push_back(
          op.getMatchingIndexingMap(&operand).replaceDimsAndSymbols(replacement, {}, numLoops, 0));
    }
    // Gives the loops their sizes where no input does.
    inputs.push_back(tensor::EmptyOp::create(builder, loc, sizes, builder.getI1Type()));
    maps.push_back(builder.getMultiDimIdentityMap(numLoops));
    maps.push_back(AffineMap::get(numLoops, 0, context));

    Value zero = arith::ConstantIntOp::create(builder, loc, builder.getI64Type(), 0);
    auto type = RankedTensorType::get({}, builder.getI64Type());
    Value empty = tensor::EmptyOp::create(builder, loc, type.getShape(), type.getElementType());
    Value init = linalg::FillOp::create(builder, loc, zero, empty).getResult(0);
    SmallVector<utils::IteratorType> iterators(numLoops, utils::IteratorType::reduction);
    auto build = [&](OpBuilder &b, Location, ValueRange args) {
      IRMapping mapping;
      for (auto [position, input] : llvm::enumerate(slice.inputs))
        mapping.map(body->getArgument(input), args[position]);
      for (Operation *def : slice.ops) {
        if (auto index = dyn_cast<linalg::IndexOp>(def)) {
          unsigned position = llvm::find(slice.loops, index.getDim()) - slice.loops.begin();
          mapping.map(index.getResult(), linalg::IndexOp::create(b, loc, position).getResult());
          continue;
        }
        b.clone(*def, mapping);
      }
      Value value = mapping.lookupOrDefault(bound.value);
      value = arith::IndexCastOp::create(b, loc, b.getI64Type(), value);
      Value upper = arith::ConstantIntOp::create(b, loc, b.getI64Type(), bound.upper);
      Value isGood = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, value, upper);
      // Where a condition does not let the index be used, any is good.
      for (const Guard &guard : guards) {
        Value condition = mapping.lookupOrDefault(guard.condition);
        Value wanted = arith::ConstantIntOp::create(b, loc, guard.holds, 1);
        Value isOff = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, condition, wanted);
        isGood = arith::OrIOp::create(b, loc, isGood, isOff);
      }
      Value kept = arith::SelectOp::create(b, loc, isGood, args.back(), value);
      linalg::YieldOp::create(b, loc, kept);
    };
    return linalg::GenericOp::create(builder, loc, TypeRange(type), inputs, init, maps, iterators,
                                     build)
        .getResult(0);
  }

  linalg::LinalgOp op;
  Block *body;
  const bool isDeferred;
  SmallVector<Guard> guards; ///< under which the index is used
};

/// Whether the op runs once for a rank, not once for each element of a kernel.
bool isBetweenKernels(Operation *op) {
  Operation *parent = op->getParentOp();
  return !op->getParentOfType<linalg::LinalgOp>() &&
         (isa<FunctionOpInterface>(parent) || isa<scf::SCFDialect>(parent->getDialect()));
}

bool isScalarDivision(Operation *op) {
  return isa<arith::DivSIOp, arith::DivUIOp, arith::CeilDivSIOp, arith::CeilDivUIOp,
             arith::FloorDivSIOp, arith::RemSIOp, arith::RemUIOp>(op) &&
         op->getResult(0).getType().isIntOrIndex();
}

struct InsertBoundsChecksPass : tp::impl::InsertBoundsChecksPassBase<InsertBoundsChecksPass> {
  using InsertBoundsChecksPassBase::InsertBoundsChecksPassBase;

  void runOnOperation() override {
    SmallVector<Operation *> ops;
    getOperation()->walk([&](Operation *op) {
      if (auto check = dyn_cast<rt::CheckIndexOp>(op); check && deferred)
        defer(check);
      if (isa<tensor::ExtractOp, tensor::InsertOp, tensor::ExtractSliceOp, tensor::InsertSliceOp,
              scf::ForOp, nn::CacheUpdateOp>(op) ||
          isScalarDivision(op) || op->hasAttr(nn::kIndexBoundAttr))
        ops.push_back(op);
    });
    for (Operation *op : ops)
      if (failed(checkOp(op)))
        return signalPassFailure();
  }

private:
  /// A loop whose step is not positive never ends.
  unsigned checkStep(scf::ForOp loop) {
    Value step = loop.getStep();
    if (!isBetweenKernels(loop) || isProved(loop, {step, INT64_MAX, "", 1}))
      return 0;
    OpBuilder builder(loop);
    if (!step.getType().isIndex())
      step = arith::IndexCastOp::create(builder, loop.getLoc(), builder.getIndexType(), step);
    return checker.check(loop, {Bound{step, INT64_MAX, "step of scf.for", 1}},
                         /*isDeferred=*/false);
  }

  /// What stands for its magnitude is 0 where that is, else 1.
  unsigned checkDivisor(Operation *op) {
    Value divisor = op->getOperand(1);
    IndexRange range = getIndexRange(divisor, getGuards(op));
    if (!isBetweenKernels(op) || range.low > 0 || range.high < 0)
      return 0;
    OpBuilder builder(op);
    Location loc = op->getLoc();
    Value zero = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(divisor.getType()));
    Value isZero = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, divisor, zero);
    Value bad = arith::ConstantIndexOp::create(builder, loc, 0);
    Value good = arith::ConstantIndexOp::create(builder, loc, 1);
    Value flag = arith::SelectOp::create(builder, loc, isZero, bad, good);
    std::string what = "magnitude of the divisor of " + op->getName().getStringRef().str();
    if (deferred) {
      Value one =
          arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(divisor.getType(), 1));
      op->setOperand(1, arith::SelectOp::create(builder, loc, isZero, one, divisor));
    }
    return checker.check(op, {Bound{flag, INT64_MAX, what, 1}}, deferred);
  }

  /// The position of each row of the batch, of an update that is a kernel.
  void checkPositions(nn::CacheUpdateOp op) {
    int64_t steps = cast<RankedTensorType>(op.getUpdate().getType()).getDimSize(1);
    int64_t capacity = cast<RankedTensorType>(op.getCache().getType()).getDimSize(2);
    int64_t upper = static_cast<int64_t>(op.getCapacity().value_or(capacity)) - steps + 1;
    if (!positions.insert({op->getBlock(), op.getPos(), upper}).second)
      return;
    OpBuilder builder(op);
    Location loc = op.getLoc();
    auto check = [&](Value row) {
      Value number = tensor::ExtractOp::create(builder, loc, op.getPos(), row);
      Value index = arith::IndexCastOp::create(builder, loc, builder.getIndexType(), number);
      Bound bound = {index, upper, "position of new keys or values in a cache"};
      checks += checker.check(&*builder.getInsertionPoint(), {bound}, deferred);
    };
    Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
    int64_t rows = cast<RankedTensorType>(op.getPos().getType()).getDimSize(0);
    if (rows == 1)
      return check(zero);
    Value end = arith::ConstantIndexOp::create(builder, loc, rows);
    Value one = arith::ConstantIndexOp::create(builder, loc, 1);
    auto loop = scf::ForOp::create(builder, loc, zero, end, one);
    builder.setInsertionPoint(loop.getBody()->getTerminator());
    check(loop.getInductionVar());
  }

  LogicalResult checkOp(Operation *op) {
    SmallVector<Bound> bounds;
    if (auto update = dyn_cast<nn::CacheUpdateOp>(op)) {
      checkPositions(update);
      return success();
    }
    if (auto bound = op->getAttrOfType<IntegerAttr>(nn::kIndexBoundAttr)) {
      Bound own = {op->getResult(0), bound.getInt(), "position of new keys or values in a cache"};
      checks += checker.check(op->getNextNode(), {own}, deferred);
      op->removeAttr(nn::kIndexBoundAttr);
      return success();
    }
    if (auto extract = dyn_cast<tensor::ExtractOp>(op)) {
      bounds = getElementBounds(op, extract.getTensor().getType(), extract.getIndices());
      if (auto parent = op->getParentOfType<linalg::LinalgOp>()) {
        for (auto [dim, bound] : llvm::enumerate(bounds)) {
          if (isProved(op, bound))
            continue;
          if (failed(BodyChecker(parent, deferred).check(extract, dim, bound)))
            return failure();
          ++checks;
        }
        return success();
      }
    } else if (auto loop = dyn_cast<scf::ForOp>(op)) {
      checks += checkStep(loop);
      return success();
    } else if (isScalarDivision(op)) {
      checks += checkDivisor(op);
      return success();
    } else if (auto insert = dyn_cast<tensor::InsertOp>(op)) {
      bounds = getElementBounds(op, insert.getDest().getType(), insert.getIndices());
    } else {
      auto slice = cast<OffsetSizeAndStrideOpInterface>(op);
      bool isInsert = isa<tensor::InsertSliceOp>(op);
      auto type = cast<ShapedType>(op->getOperand(isInsert ? 1 : 0).getType());
      FailureOr<SmallVector<Bound>> found = getSliceBounds(slice, type);
      if (failed(found))
        return failure();
      bounds = std::move(*found);
    }
    if (!isBetweenKernels(op) &&
        !llvm::all_of(bounds, [&](const Bound &bound) { return isProved(op, bound); }))
      return op->emitError("cannot check the bounds of an index inside ")
             << op->getParentOp()->getName();
    checks += checker.check(op, bounds, deferred);
    return success();
  }

  Checker checker;
  /// Of batches, and their bounds, that are checked in a block.
  llvm::DenseSet<std::tuple<Block *, Value, int64_t>> positions;
};

} // namespace
