//===- OutlineKernels.cpp - Loops become functions -------------------------===//
//
// What is left of an entry after collectives and library calls is loops. Each
// becomes a function over a part of one loop's range, which the rank's workers
// share. Equal functions are one: the layers of a model are compiled once, and
// an entry is a straight line of calls.
//
//===----------------------------------------------------------------------===//

#include "KernelFunctions.h"
#include "dialects/RT/RT.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/Transforms/RegionUtils.h"
#include "tp/Conversion/Passes.h"

namespace mlir::tp {
#define GEN_PASS_DEF_OUTLINEKERNELSPASS
#include "tp/Conversion/Passes.h.inc"
} // namespace mlir::tp

using namespace mlir;
using namespace mlir::tp;

namespace {

/// Work, in scalar operations, below which a chunk costs more to hand out than
/// to compute.
constexpr int64_t kMinChunkWork = 32768;
/// Iterations from which outer loops are worth sharing out.
constexpr int64_t kEnoughChunks = 16;
/// Elements of a chunk of an innermost loop: whole vectors and cache lines.
constexpr int64_t kInnermostGrain = 64;
/// Iterations below which an innermost loop is unrolled whole.
constexpr int64_t kShortLoop = 64;

/// Which loops of a nest are shared out: [first, last), all parallel. Empty: one
/// chunk runs all.
struct Split {
  unsigned first = 0, last = 0;
  int64_t range = 1;
  int64_t grain = 1;
};

/// Scalar operations of one iteration of the innermost body.
int64_t getBodyWork(Block &body) {
  int64_t work = 1;
  body.walk([&](Operation *op) { work += isa<math::MathDialect>(op->getDialect()) ? 10 : 1; });
  return work;
}

Split chooseSplit(linalg::LinalgOp op) {
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  int64_t total = getBodyWork(*op.getBlock());
  for (int64_t size : sizes)
    total *= size;
  Split split;
  if (sizes.empty() || total == 0)
    return split;
  auto isParallel = [&](unsigned i) { return isIndependentLoop(op, i); };
  // Leading parallel loops, without the innermost one, until there are enough.
  unsigned last = 0;
  int64_t range = 1;
  while (last + 1 < sizes.size() && isParallel(last) && range < kEnoughChunks)
    range *= sizes[last++];
  split.last = last;
  split.range = range;
  if (range < kEnoughChunks) {
    // Else the longest parallel loop, wherever it is.
    for (unsigned i = 0; i < sizes.size(); ++i)
      if (isParallel(i) && sizes[i] > split.range)
        split = Split{i, i + 1, sizes[i], 1};
  }
  if (split.range <= 1)
    return Split();
  int64_t work = std::max<int64_t>(total / split.range, 1);
  int64_t grain = llvm::divideCeil(kMinChunkWork, work);
  if (split.last == sizes.size())
    grain = llvm::alignTo(grain, kInnermostGrain);
  split.grain = std::min(grain, split.range);
  return split;
}

/// Whether the operands can be seen with the dimensions of `loops` as one.
bool canJoin(linalg::LinalgOp op, ReassociationIndicesRef loops) {
  SmallVector<ReassociationIndices> sequence = {ReassociationIndices(loops)};
  if (!linalg::areDimSequencesPreserved(op.getIndexingMapsArray(), sequence))
    return false;
  return llvm::all_of(op->getOpOperands(), [&](OpOperand &operand) {
    auto type = dyn_cast<MemRefType>(operand.get().getType());
    if (!type)
      return true;
    SmallVector<ReassociationIndices> groups;
    bool inSequence = false;
    for (auto [i, result] : llvm::enumerate(op.getMatchingIndexingMap(&operand).getResults())) {
      auto dim = dyn_cast<AffineDimExpr>(result);
      bool isPart = dim && llvm::is_contained(loops, int64_t(dim.getPosition()));
      if (!isPart || !inSequence)
        groups.emplace_back();
      groups.back().push_back(i);
      inSequence = isPart;
    }
    return memref::CollapseShapeOp::isGuaranteedCollapsible(type, groups);
  });
}

/// Joins a short innermost loop with those around it that go on through the same
/// memory in all operands: short loops are unrolled whole, and vectors then made of
/// the loop around, from elements that lie apart.
linalg::LinalgOp joinShortLoops(linalg::LinalgOp op, IRRewriter &rewriter) {
  auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  SmallVector<utils::IteratorType> kinds = op.getIteratorTypesArray();
  // Indices that are sums or constants say nothing of what is joined.
  auto isPlain = [](AffineMap map) { return map.isProjectedPermutation(); };
  if (!generic || generic.hasIndexSemantics() || sizes.size() < 2 ||
      kinds.back() != utils::IteratorType::parallel ||
      !llvm::all_of(op.getIndexingMapsArray(), isPlain))
    return op;
  ReassociationIndices joined, loops = {int64_t(sizes.size()) - 1};
  int64_t size = sizes.back();
  while (size < kShortLoop && loops.front() > 0) {
    int64_t next = loops.front() - 1;
    loops.insert(loops.begin(), next);
    if (kinds[next] != utils::IteratorType::parallel || !canJoin(op, loops))
      break;
    joined = loops;
    size *= sizes[next];
  }
  if (joined.empty())
    return op;
  FailureOr<linalg::CollapseResult> result =
      linalg::collapseOpIterationDims(op, {joined}, rewriter);
  if (failed(result))
    return op;
  rewriter.eraseOp(op);
  return result->collapsedOp;
}

/// The loops [split.first, split.last) of the nest run over [begin, end) of the
/// product of their ranges, row-major.
void restrictLoops(ArrayRef<Operation *> nest, const Split &split, Value begin, Value end) {
  if (split.first == split.last)
    return;
  auto outer = cast<scf::ForOp>(nest[split.first]);
  OpBuilder builder(outer);
  Location loc = outer.getLoc();
  SmallVector<int64_t> sizes;
  for (unsigned i = split.first; i < split.last; ++i)
    sizes.push_back(*getConstantIntValue(cast<scf::ForOp>(nest[i]).getUpperBound()));
  outer.setLowerBound(begin);
  outer.setUpperBound(end);
  if (sizes.size() == 1)
    return;
  // One iteration of each inner loop, at the coordinate that belongs to it.
  builder.setInsertionPointToStart(outer.getBody());
  Value rest = outer.getInductionVar();
  SmallVector<Value> coordinates(sizes.size());
  Operation *divisions = nullptr;
  for (unsigned i = sizes.size(); i-- > 0;) {
    if (i == 0) {
      coordinates[0] = rest;
      break;
    }
    Value size = arith::ConstantIndexOp::create(builder, loc, sizes[i]);
    coordinates[i] = arith::RemUIOp::create(builder, loc, rest, size);
    rest = arith::DivUIOp::create(builder, loc, rest, size);
    divisions = rest.getDefiningOp();
  }
  // The induction variable is the position only for the divisions.
  for (OpOperand &use : llvm::make_early_inc_range(outer.getInductionVar().getUses())) {
    Operation *user = use.getOwner();
    bool isDivision = user->getBlock() == outer.getBody() && !divisions->isBeforeInBlock(user);
    if (!isDivision)
      use.set(coordinates[0]);
  }
  for (unsigned i = split.last - 1; i > split.first; --i) {
    auto loop = cast<scf::ForOp>(nest[i]);
    loop.getInductionVar().replaceAllUsesWith(coordinates[i - split.first]);
    Block *body = loop.getBody();
    body->getTerminator()->erase();
    loop->getBlock()->getOperations().splice(loop->getIterator(), body->getOperations());
    loop.erase();
  }
}

/// Turns one linalg op on memrefs into a kernel and its call.
class Outliner {
public:
  Outliner(KernelTable &kernels, linalg::LinalgOp op) : kernels(kernels), op(op) {}

  LogicalResult outline() {
    if (!op.hasPureBufferSemantics() || op.hasDynamicShape())
      return op.emitError("cannot become a kernel: not on static memrefs");
    if (failed(collectArguments()))
      return failure();
    FailureOr<func::FuncOp> kernel = build();
    if (failed(kernel))
      return failure();
    OpBuilder builder(op);
    rt::ParallelForOp::create(builder, op.getLoc(), kernels.share(*kernel).getSymName(),
                              split.range, split.grain, arguments.getArrayRef());
    op.erase();
    return success();
  }

private:
  /// Operands and what the body uses from outside; constants go along instead.
  LogicalResult collectArguments() {
    llvm::SetVector<Value> used(op->operand_begin(), op->operand_end());
    getUsedValuesDefinedAbove(op->getRegions(), used);
    for (Value value : used) {
      Operation *def = value.getDefiningOp();
      if (def && def->hasTrait<OpTrait::ConstantLike>()) {
        constants.push_back(def);
        continue;
      }
      if (failed(checkKernelArgument(op, value.getType())))
        return failure();
      arguments.insert(value);
    }
    return success();
  }

  FailureOr<func::FuncOp> build() {
    OpBuilder builder(op.getContext());
    Location loc = op.getLoc();
    Type index = builder.getIndexType();
    func::FuncOp kernel = createKernelFunction(
        loc, op->getName().stripDialect(), {index, index}, arguments.getArrayRef(),
        [&](Value value) { return llvm::is_contained(op.getDpsInits(), value); });
    Block *entry = &kernel.getBody().front();
    builder.setInsertionPointToStart(entry);
    IRMapping mapping;
    for (auto [i, argument] : llvm::enumerate(arguments))
      mapping.map(argument, entry->getArgument(i + 2));
    for (Operation *constant : constants)
      builder.clone(*constant, mapping);
    auto inner = cast<linalg::LinalgOp>(builder.clone(*op, mapping));
    func::ReturnOp::create(builder, loc);

    IRRewriter rewriter(inner);
    inner = joinShortLoops(inner, rewriter);
    rewriter.setInsertionPoint(inner);
    split = chooseSplit(inner);
    setKernelFastMath(inner);
    // It takes all that is on buffers.
    FailureOr<linalg::LinalgLoops> nest = linalg::linalgOpToLoops(rewriter, inner);
    inner.erase();
    restrictLoops(*nest, split, entry->getArgument(0), entry->getArgument(1));
    return kernel;
  }

  KernelTable &kernels;
  linalg::LinalgOp op;
  llvm::SetVector<Value> arguments;
  SmallVector<Operation *> constants;
  Split split;
};

struct OutlineKernelsPass : tp::impl::OutlineKernelsPassBase<OutlineKernelsPass> {
  void runOnOperation() override {
    KernelTable kernels(getOperation());
    SmallVector<linalg::LinalgOp> ops;
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      if (!function->hasAttr(rt::kEntryAttr))
        continue;
      replaceCopies(function);
      function.walk([&](linalg::LinalgOp op) { ops.push_back(op); });
    }
    for (linalg::LinalgOp op : ops) {
      if (failed(Outliner(kernels, op).outline()))
        return signalPassFailure();
      ++outlined;
    }
  }

private:
  static void replaceCopies(func::FuncOp function) {
    SmallVector<memref::CopyOp> copies;
    function.walk([&](memref::CopyOp copy) { copies.push_back(copy); });
    for (memref::CopyOp copy : copies) {
      OpBuilder builder(copy);
      // An update in place, once equal views are one value.
      if (copy.getSource() != copy.getTarget())
        linalg::CopyOp::create(builder, copy.getLoc(), copy.getSource(), copy.getTarget());
      copy.erase();
    }
  }
};

} // namespace
