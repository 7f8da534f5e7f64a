//===- OutlineKernels.cpp - Loops become functions -------------------------===//
//
// What is left of an entry after collectives and library calls is loops. Each
// becomes a function over a part of one loop's range, which the rank's workers
// share. Equal functions are one: the layers of a model are compiled once, and
// an entry is a straight line of calls.
//
//===----------------------------------------------------------------------===//

#include "Buffers.h"
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

constexpr StringLiteral kNoAliasAttr = "llvm.noalias";
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
  SmallVector<utils::IteratorType> kinds = op.getIteratorTypesArray();
  int64_t total = getBodyWork(*op.getBlock());
  for (int64_t size : sizes)
    total *= size;
  Split split;
  if (sizes.empty() || total == 0)
    return split;
  // Chunks may only write different elements: a loop that is called parallel but
  // on which a result does not depend would make the last writer a matter of luck.
  auto isParallel = [&](unsigned i) {
    return kinds[i] == utils::IteratorType::parallel &&
           llvm::all_of(op.getDpsInitsMutable(), [&](OpOperand &init) {
             AffineMap map = op.getMatchingIndexingMap(&init);
             return map.isProjectedPermutation() && map.isFunctionOfDim(i);
           });
  };
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

/// Sums may be reassociated, and products fused into them.
void setFastMath(linalg::LinalgOp op) {
  auto add = [](Operation *target, arith::FastMathFlags flags) {
    auto interface = dyn_cast<arith::ArithFastMathInterface>(target);
    if (!interface)
      return;
    flags = flags | interface.getFastMathFlagsAttr().getValue();
    target->setAttr(interface.getFastMathAttrName(),
                    arith::FastMathFlagsAttr::get(target->getContext(), flags));
  };
  Block *body = op.getBlock();
  body->walk([&](Operation *nested) {
    if (isa<arith::AddFOp, arith::SubFOp, arith::MulFOp>(nested))
      add(nested, arith::FastMathFlags::contract);
  });
  if (op.getNumReductionLoops() == 0)
    return;
  for (BlockArgument accumulator : op.getRegionOutputArgs())
    for (Operation *user : accumulator.getUsers())
      if (isa<arith::AddFOp, arith::MulFOp>(user))
        add(user, arith::FastMathFlags::reassoc | arith::FastMathFlags::contract);
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

/// All kernels of the module; equal ones are shared.
class Kernels {
public:
  explicit Kernels(ModuleOp module) : table(module) {
    for (auto function : module.getOps<func::FuncOp>())
      if (function->hasAttr(rt::kKernelAttr) && !function.isExternal())
        byHash[hash(function)].push_back(function);
  }

  /// The function to use instead of `kernel`, which gets a name and a place in
  /// the module unless it is there already.
  func::FuncOp share(func::FuncOp kernel) {
    SmallVector<func::FuncOp> &candidates = byHash[hash(kernel)];
    for (func::FuncOp candidate : candidates)
      if (areEqual(candidate, kernel)) {
        kernel.erase();
        return candidate;
      }
    table.insert(kernel);
    candidates.push_back(kernel);
    return kernel;
  }

private:
  static llvm::hash_code hash(func::FuncOp function) {
    llvm::hash_code code = hash_value(Type(function.getFunctionType()));
    function.getBody().walk([&](Operation *op) {
      code = llvm::hash_combine(
          code, OperationEquivalence::computeHash(op, OperationEquivalence::ignoreHashValue,
                                                  OperationEquivalence::ignoreHashValue,
                                                  OperationEquivalence::IgnoreLocations));
    });
    return code;
  }

  static bool areEqual(func::FuncOp a, func::FuncOp b) {
    return a.getFunctionType() == b.getFunctionType() &&
           a.getArgAttrsAttr() == b.getArgAttrsAttr() &&
           OperationEquivalence::isRegionEquivalentTo(&a.getBody(), &b.getBody(),
                                                      OperationEquivalence::IgnoreLocations);
  }

  SymbolTable table;
  DenseMap<size_t, SmallVector<func::FuncOp>> byHash;
};

/// Turns one linalg op on memrefs into a kernel and its call.
class Outliner {
public:
  Outliner(Kernels &kernels, linalg::LinalgOp op) : kernels(kernels), op(op) {}

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
      if (auto type = dyn_cast<MemRefType>(value.getType())) {
        SmallVector<int64_t> strides;
        int64_t offset;
        if (failed(type.getStridesAndOffset(strides, offset)) ||
            llvm::is_contained(strides, ShapedType::kDynamic))
          return op.emitError("cannot become a kernel: strides of ") << type << " are not static";
      }
      arguments.insert(value);
    }
    return success();
  }

  /// The type of the parameter: the kernel sees memrefs without their offset.
  static Type getParameterType(Type type) {
    auto memref = dyn_cast<MemRefType>(type);
    if (!memref || memref.getLayout().isIdentity())
      return type;
    SmallVector<int64_t> strides;
    int64_t offset;
    (void)memref.getStridesAndOffset(strides, offset);
    if (rt::isContiguous(memref) &&
        llvm::all_of(memref.getShape(), [](int64_t n) { return n != 1; }))
      return MemRefType::get(memref.getShape(), memref.getElementType());
    return MemRefType::get(memref.getShape(), memref.getElementType(),
                           StridedLayoutAttr::get(type.getContext(), 0, strides));
  }

  /// Whether what is written through `argument` or read through it is written
  /// through no other argument.
  bool isIndependent(Value argument) {
    auto isWritten = [&](Value value) { return llvm::is_contained(op.getDpsInits(), value); };
    Value root = getBufferRoot(argument);
    for (Value other : arguments) {
      if (other == argument || !isa<MemRefType>(other.getType()) ||
          (!isWritten(argument) && !isWritten(other)))
        continue;
      Value otherRoot = getBufferRoot(other);
      if (!root || !otherRoot || otherRoot == root)
        return false;
    }
    return true;
  }

  FailureOr<func::FuncOp> build() {
    OpBuilder builder(op.getContext());
    Location loc = op.getLoc();
    SmallVector<Type> types(2, builder.getIndexType());
    for (Value argument : arguments)
      types.push_back(getParameterType(argument.getType()));
    std::string name = op->getName().stripDialect().str();
    auto kernel = func::FuncOp::create(loc, name, builder.getFunctionType(types, {}));
    kernel.setPrivate();
    kernel->setAttr(rt::kKernelAttr, builder.getUnitAttr());
    for (auto [i, argument] : llvm::enumerate(arguments))
      if (isa<MemRefType>(argument.getType()) && isIndependent(argument))
        kernel.setArgAttr(i + 2, kNoAliasAttr, builder.getUnitAttr());
    Block *entry = kernel.addEntryBlock();
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
    setFastMath(inner);
    // It takes all that is on buffers.
    FailureOr<linalg::LinalgLoops> nest = linalg::linalgOpToLoops(rewriter, inner);
    inner.erase();
    restrictLoops(*nest, split, entry->getArgument(0), entry->getArgument(1));
    return kernel;
  }

  Kernels &kernels;
  linalg::LinalgOp op;
  llvm::SetVector<Value> arguments;
  SmallVector<Operation *> constants;
  Split split;
};

struct OutlineKernelsPass : tp::impl::OutlineKernelsPassBase<OutlineKernelsPass> {
  void runOnOperation() override {
    Kernels kernels(getOperation());
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
