//===- FuseGemmEpilogues.cpp - What follows a product becomes a part of it --===//
//
// Libraries of devices add a bias and a matrix to a product, apply an activation and
// round to the result's type before anything is written. An elementwise op that is the
// only one to read a product, and does no more than that, is done there.
//
//===----------------------------------------------------------------------===//

#include "Activation.h"
#include "Buffers.h"
#include "dialects/RT/RT.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "tp/Conversion/Passes.h"

namespace mlir::tp {
#define GEN_PASS_DEF_FUSEGEMMEPILOGUESPASS
#include "tp/Conversion/Passes.h.inc"
} // namespace mlir::tp

using namespace mlir;
using namespace mlir::tp;

namespace {

/// What vectors of kernels read of a bias at once, in bytes.
constexpr int64_t kBiasAlignment = 16;

/// Strides of an operand along rows, columns and items of the batch of a product: 0
/// where it does not depend on them, or there is one.
struct Strides {
  int64_t row = 0, column = 0, item = 0;
};

/// An elementwise op whose loops are the rows, columns and items of a product.
class Loops {
public:
  /// Nothing where the loops do not go through all of the product once.
  static std::optional<Loops> match(linalg::LinalgOp op, OpOperand &product, rt::GemmOp gemm) {
    Loops loops(op);
    std::optional<SmallVector<int64_t>> steps = loops.getSteps(product);
    if (!steps)
      return std::nullopt;
    int64_t n = gemm.getN(), m = gemm.getM(), batch = gemm.getBatch();
    if (!loops.take(*steps, 1, n, loops.columns) ||
        !loops.take(*steps, gemm.getLdc(), m, loops.rows) ||
        !loops.take(*steps, gemm.getStrideC(), batch, loops.items))
      return std::nullopt;
    size_t taken = loops.columns.size() + loops.rows.size() + loops.items.size();
    size_t wanted = llvm::count_if(loops.sizes, [](int64_t size) { return size != 1; });
    return taken == wanted ? std::optional(std::move(loops)) : std::nullopt;
  }

  /// Nothing where the operand has no one stride along each.
  std::optional<Strides> getStrides(OpOperand &operand) {
    std::optional<SmallVector<int64_t>> steps = getSteps(operand);
    Strides strides;
    if (!steps || !combine(*steps, rows, strides.row) ||
        !combine(*steps, columns, strides.column) || !combine(*steps, items, strides.item))
      return std::nullopt;
    return strides;
  }

private:
  explicit Loops(linalg::LinalgOp op) : op(op), sizes(op.getStaticLoopRanges()) {}

  /// Elements from one trip of each loop to the next in the operand's memory.
  std::optional<SmallVector<int64_t>> getSteps(OpOperand &operand) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    SmallVector<int64_t> strides, steps(sizes.size(), 0);
    int64_t offset;
    auto type = dyn_cast<MemRefType>(operand.get().getType());
    if (!type || !map.isProjectedPermutation() ||
        failed(type.getStridesAndOffset(strides, offset)) ||
        llvm::is_contained(strides, ShapedType::kDynamic))
      return std::nullopt;
    for (auto [position, stride] : llvm::enumerate(strides))
      steps[map.getDimPosition(position)] = stride;
    return steps;
  }

  /// Takes the loops, innermost first, that go through `size` elements `step` apart.
  bool take(ArrayRef<int64_t> steps, int64_t step, int64_t size, SmallVector<unsigned> &group) {
    int64_t done = 1;
    while (done < size) {
      bool found = false;
      for (unsigned loop = 0; loop < sizes.size() && !found; ++loop) {
        if (sizes[loop] == 1 || steps[loop] != step * done || isTaken(loop))
          continue;
        group.push_back(loop);
        done *= sizes[loop];
        found = true;
      }
      if (!found)
        return false;
    }
    return done == size;
  }

  bool isTaken(unsigned loop) const {
    return llvm::is_contained(columns, loop) || llvm::is_contained(rows, loop) ||
           llvm::is_contained(items, loop);
  }

  bool combine(ArrayRef<int64_t> steps, ArrayRef<unsigned> group, int64_t &stride) const {
    int64_t done = 1;
    for (unsigned loop : group) {
      if (done == 1)
        stride = steps[loop];
      if (steps[loop] != stride * done)
        return false;
      done *= sizes[loop];
    }
    return true;
  }

  linalg::LinalgOp op;
  SmallVector<int64_t> sizes;
  SmallVector<unsigned> rows, columns, items;
};

/// What an elementwise op adds to a product, and does then.
struct Epilogue {
  SmallVector<OpOperand *> added;
  rt::Activation activation = rt::Activation::None;
};

/// Nothing where the body does more than a product can, or rounds to another type than
/// the result's in between.
std::optional<Epilogue> matchBody(linalg::LinalgOp op, OpOperand &product, Type type) {
  Block *body = op.getBlock();
  auto getOperand = [&](Value value) -> OpOperand * {
    auto argument = dyn_cast<BlockArgument>(getUnrounded(value, type));
    return argument && argument.getOwner() == body ? &op->getOpOperand(argument.getArgNumber())
                                                   : nullptr;
  };
  Epilogue epilogue;
  Value sum = op.getMatchingBlockArgument(&product);
  while (sum.hasOneUse()) {
    Operation *user = *sum.getUsers().begin();
    if (isa<arith::ExtFOp, arith::TruncFOp>(user)) {
      if (isa<arith::TruncFOp>(user) && user->getResult(0).getType() != type)
        return std::nullopt;
      sum = user->getResult(0);
      continue;
    }
    auto add = dyn_cast<arith::AddFOp>(user);
    if (!add)
      break;
    OpOperand *other = getOperand(add.getLhs() == sum ? add.getRhs() : add.getLhs());
    if (!other || other == &product)
      break;
    epilogue.added.push_back(other);
    sum = add.getResult();
  }
  std::optional<rt::Activation> activation =
      findActivation(sum, body->getTerminator()->getOperand(0), type);
  if (!activation)
    return std::nullopt;
  epilogue.activation = *activation;
  return epilogue;
}

/// The ops that use `memref` or a view of it.
SmallVector<OpOperand *> getUses(Value memref) {
  SmallVector<OpOperand *> uses;
  for (OpOperand &use : memref.getUses())
    if (auto view = dyn_cast<ViewLikeOpInterface>(use.getOwner()))
      llvm::append_range(uses, getUses(view->getResult(0)));
    else
      uses.push_back(&use);
  return uses;
}

/// The product that `operand` reads and nobody else does, and that nothing else writes.
rt::GemmOp getProduct(OpOperand &operand) {
  Value root = getBufferRoot(operand.get());
  if (!root || !root.getDefiningOp<memref::AllocOp>())
    return {};
  rt::GemmOp gemm;
  for (OpOperand *use : getUses(root)) {
    if (use == &operand)
      continue;
    auto user = dyn_cast<rt::GemmOp>(use->getOwner());
    if (gemm || !user || use->getOperandNumber() != user.getCMutable().getOperandNumber())
      return {};
    gemm = user;
  }
  if (!gemm || gemm.getAccumulate() || gemm->getBlock() != operand.getOwner()->getBlock())
    return {};
  // Views of the same elements from the same one on.
  SmallVector<int64_t> strides;
  int64_t written, read;
  if (failed(cast<MemRefType>(gemm.getC().getType()).getStridesAndOffset(strides, written)) ||
      failed(cast<MemRefType>(operand.get().getType()).getStridesAndOffset(strides, read)) ||
      written != read || ShapedType::isDynamic(read))
    return {};
  return gemm;
}

/// Whether `op` may write memory of `root`.
bool mayWrite(Operation *op, Value root) {
  return op
      ->walk([&](Operation *nested) {
        if (isa<ViewLikeOpInterface>(nested) || isMemoryEffectFree(nested))
          return WalkResult::advance();
        auto interface = dyn_cast<MemoryEffectOpInterface>(nested);
        SmallVector<MemoryEffects::EffectInstance> effects;
        if (interface)
          interface.getEffects(effects);
        else if (!nested->hasTrait<OpTrait::HasRecursiveMemoryEffects>())
          return WalkResult::interrupt();
        for (const MemoryEffects::EffectInstance &effect : effects)
          if (isa<MemoryEffects::Write>(effect.getEffect()) &&
              effect.getResource() != rt::OrderResource::get()) {
            Value other = effect.getValue() ? getBufferRoot(effect.getValue()) : Value();
            if (!other || other == root)
              return WalkResult::interrupt();
          }
        return WalkResult::advance();
      })
      .wasInterrupted();
}

class Fusion {
public:
  Fusion(linalg::LinalgOp op, OpOperand &product, rt::GemmOp gemm)
      : op(op), product(product), gemm(gemm) {}

  LogicalResult fuse() {
    OpOperand &result = op.getDpsInitsMutable()[0];
    Type type = getElementTypeOrSelf(result.get().getType());
    Type factor = getElementTypeOrSelf(gemm.getA().getType());
    Type sum = getElementTypeOrSelf(gemm.getC().getType());
    if (factor.isF64() || (type != factor && !type.isF32()) || (sum != type && !sum.isF32()))
      return failure();
    std::optional<Epilogue> epilogue = matchBody(op, product, type);
    std::optional<Loops> loops = epilogue ? Loops::match(op, product, gemm) : std::nullopt;
    std::optional<Strides> d = loops ? loops->getStrides(result) : std::nullopt;
    if (!d || !isMatrix(*d) || liesOverItself(*d))
      return failure();
    for (OpOperand *added : epilogue->added) {
      std::optional<Strides> strides = loops->getStrides(*added);
      if (!strides || getElementTypeOrSelf(added->get().getType()) != type ||
          !(take(*added, *strides, type) || takeMatrix(*added, *strides)))
        return failure();
    }
    if (!isSafe(result.get(), *d))
      return failure();
    create(result.get(), *d, epilogue->activation);
    return success();
  }

private:
  bool isMatrix(const Strides &s) {
    return (gemm.getN() == 1 || s.column == 1) &&
           (gemm.getM() == 1 || s.row >= int64_t(gemm.getN()));
  }

  /// Whether results of the batch would not be apart: neither one behind the other nor
  /// with rows side by side.
  bool liesOverItself(const Strides &s) {
    int64_t m = gemm.getM(), n = gemm.getN(), batch = gemm.getBatch();
    bool isApart = s.item >= (m - 1) * s.row + n ||
                   (s.item >= n && (m == 1 || s.row >= (batch - 1) * s.item + n));
    return batch > 1 && !isApart;
  }

  /// As the bias: the same for all rows, at multiples of 16 bytes.
  bool take(OpOperand &operand, const Strides &s, Type type) {
    SmallVector<int64_t> strides;
    int64_t offset, bytes = rt::getElementBytes(type);
    if (bias || s.row != 0 || (gemm.getN() > 1 && s.column != 1) ||
        failed(cast<MemRefType>(operand.get().getType()).getStridesAndOffset(strides, offset)) ||
        ShapedType::isDynamic(offset) || offset * bytes % kBiasAlignment ||
        s.item * bytes % kBiasAlignment)
      return false;
    bias = operand.get();
    biasStrides = s;
    return true;
  }

  /// As the other matrix.
  bool takeMatrix(OpOperand &operand, const Strides &s) {
    if (matrix || !isMatrix(s))
      return false;
    matrix = operand.get();
    matrixStrides = s;
    return true;
  }

  /// Whether the product can be where `op` is: its factors are as they were, and the
  /// result lies over nothing that is read, but as a whole over the matrix.
  bool isSafe(Value result, const Strides &d) {
    Value root = getBufferRoot(result);
    if (!root)
      return false;
    for (Value factor : {gemm.getA(), gemm.getB()}) {
      Value other = getBufferRoot(factor);
      if (!other || other == root)
        return false;
      for (Operation *between = gemm->getNextNode(); between != op;
           between = between->getNextNode())
        if (mayWrite(between, other))
          return false;
    }
    Value other = bias ? getBufferRoot(bias) : Value();
    if (bias && (!other || other == root))
      return false;
    if (!matrix)
      return true;
    other = getBufferRoot(matrix);
    bool isResult = matrix == result && d.row == matrixStrides.row && d.item == matrixStrides.item;
    return other && (other != root || isResult);
  }

  void create(Value result, const Strides &d, rt::Activation activation) {
    OpBuilder builder(op);
    int64_t n = gemm.getN(), m = gemm.getM();
    auto leading = [&](const Strides &s) { return m == 1 ? n : s.row; };
    if (!bias && !matrix && activation == rt::Activation::None) {
      rt::GemmOp::create(builder, gemm.getLoc(), gemm.getA(), gemm.getB(), result, m, n,
                         gemm.getK(), gemm.getLda(), gemm.getLdb(), leading(d), gemm.getStrideA(),
                         gemm.getStrideB(), d.item, gemm.getBatch(), gemm.getTransA(),
                         gemm.getTransB(), /*accumulate=*/false);
      return;
    }
    rt::GemmFusedOp::create(builder, gemm.getLoc(), activation, gemm.getA(), gemm.getB(), result,
                            matrix, bias, m, n, gemm.getK(), gemm.getLda(), gemm.getLdb(),
                            matrix ? leading(matrixStrides) : 0, leading(d), gemm.getStrideA(),
                            gemm.getStrideB(), matrixStrides.item, d.item, biasStrides.item,
                            gemm.getBatch(), gemm.getTransA(), gemm.getTransB());
  }

  linalg::LinalgOp op;
  OpOperand &product;
  rt::GemmOp gemm;
  Value bias, matrix;
  Strides biasStrides, matrixStrides;
};

struct FuseGemmEpiloguesPass : tp::impl::FuseGemmEpiloguesPassBase<FuseGemmEpiloguesPass> {
  void runOnOperation() override {
    SmallVector<linalg::LinalgOp> ops;
    getOperation().walk([&](linalg::LinalgOp op) { ops.push_back(op); });
    for (linalg::LinalgOp op : ops)
      if (fuse(op))
        ++fused;
  }

private:
  static bool fuse(linalg::LinalgOp op) {
    if (!op.hasPureBufferSemantics() || op.hasDynamicShape() || op.getNumDpsInits() != 1 ||
        op.getNumParallelLoops() != op.getNumLoops() || op.getBlock()->getOperations().size() < 2)
      return false;
    for (OpOperand *operand : op.getDpsInputOperands()) {
      rt::GemmOp gemm = isa<MemRefType>(operand->get().getType()) ? getProduct(*operand) : nullptr;
      if (!gemm || failed(Fusion(op, *operand, gemm).fuse()))
        continue;
      op.erase();
      gemm.erase();
      return true;
    }
    return false;
  }
};

} // namespace
