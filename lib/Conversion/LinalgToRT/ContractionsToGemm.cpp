//===- ContractionsToGemm.cpp - Large contractions become library calls ----===//
//
// A contraction over memrefs is a matrix product when each of its groups of
// loops (batch, rows m, columns n, contracted k) steps through every operand
// with one stride. Weights with several dimensions per group, [K, G, D, d],
// are so as long as the group is contiguous.
//
//===----------------------------------------------------------------------===//

#include "Buffers.h"
#include "dialects/RT/RT.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Matchers.h"
#include "tp/Conversion/Passes.h"

namespace mlir::tp {
#define GEN_PASS_DEF_CONVERTCONTRACTIONSTORTPASS
#include "tp/Conversion/Passes.h.inc"
} // namespace mlir::tp

using namespace mlir;
using namespace mlir::tp;

namespace {

enum Operand { A = 0, B = 1, C = 2 };

/// Loops that count as one: `size` iterations, `stride` elements apart in each
/// operand (0 where the operand does not depend on them).
struct Group {
  int64_t size = 1;
  std::array<int64_t, 3> stride = {0, 0, 0};
};

struct Loop {
  int64_t size;
  std::array<int64_t, 3> stride; ///< 0: the operand does not depend on it
};

/// The argument that `value` is, possibly extended to a wider float, or null.
BlockArgument getFactor(Value value) {
  if (auto extend = value.getDefiningOp<arith::ExtFOp>())
    value = extend.getIn();
  return dyn_cast<BlockArgument>(value);
}

/// Whether the body is `c + a * b`, in the type of c.
bool isMultiplyAdd(linalg::LinalgOp op) {
  Block *body = op.getBlock();
  auto add = body->getTerminator()->getOperand(0).getDefiningOp<arith::AddFOp>();
  if (!add)
    return false;
  Value product = add.getLhs() == body->getArgument(C) ? add.getRhs() : add.getLhs();
  if (product == add.getLhs() && add.getRhs() != body->getArgument(C))
    return false;
  auto multiply = product.getDefiningOp<arith::MulFOp>();
  if (!multiply)
    return false;
  BlockArgument left = getFactor(multiply.getLhs()), right = getFactor(multiply.getRhs());
  return left && right && left.getOwner() == body && right.getOwner() == body &&
         left.getArgNumber() + right.getArgNumber() == A + B &&
         left.getArgNumber() != right.getArgNumber();
}

/// One group of loops in which all operands step with one stride: outermost
/// first. Nothing where the loops do not combine.
std::optional<Group> combine(SmallVector<Loop> loops) {
  if (loops.empty())
    return Group();
  llvm::sort(loops, [](const Loop &x, const Loop &y) { return x.stride > y.stride; });
  for (auto [outer, inner] : llvm::zip(ArrayRef(loops).drop_back(), ArrayRef(loops).drop_front()))
    for (Operand operand : {A, B, C})
      if (outer.stride[operand] != inner.stride[operand] * inner.size)
        return std::nullopt;
  Group group;
  group.stride = loops.back().stride;
  for (const Loop &loop : loops)
    group.size *= loop.size;
  return group;
}

/// Combines what combines and takes the outer loops of `loops` as the batch
/// where that is free. Fails where neither gives one stride.
LogicalResult combineOrPeel(SmallVector<Loop> loops, Group &group, SmallVector<Loop> &batch) {
  if (std::optional<Group> whole = combine(loops)) {
    group = *whole;
    return success();
  }
  if (!batch.empty())
    return failure();
  // Inner loops first: those with small strides in the result.
  llvm::sort(loops, [](const Loop &x, const Loop &y) { return x.stride[C] > y.stride[C]; });
  for (unsigned outer = 1; outer < loops.size(); ++outer) {
    std::optional<Group> inner = combine(llvm::to_vector(llvm::drop_begin(loops, outer)));
    SmallVector<Loop> peeled(loops.begin(), loops.begin() + outer);
    if (!inner || !combine(peeled))
      continue;
    group = *inner;
    batch = std::move(peeled);
    return success();
  }
  return failure();
}

/// How a matrix of `rows` x `columns` with these strides is stored.
struct Layout {
  bool isTransposed = false;
  int64_t leading = 1;
};

std::optional<Layout> getLayout(int64_t rows, int64_t rowStride, int64_t columns,
                                int64_t columnStride) {
  if (columns == 1 || columnStride == 1) {
    int64_t leading = rows == 1 ? columns : rowStride;
    if (leading >= columns)
      return Layout{false, leading};
  }
  if (rows == 1 || rowStride == 1) {
    int64_t leading = columns == 1 ? rows : columnStride;
    if (leading >= rows)
      return Layout{true, leading};
  }
  return std::nullopt;
}

/// A contraction in the terms of rt.gemm.
struct Product {
  Group batch, m, n, k;
  std::array<Value, 3> operands;

  int64_t multiplications() const { return batch.size * m.size * n.size * k.size; }
};

FailureOr<Product> matchProduct(linalg::LinalgOp op) {
  if (op.getNumDpsInputs() != 2 || op.getNumDpsInits() != 1 || op.hasDynamicShape() ||
      !op.hasPureBufferSemantics() || !isMultiplyAdd(op))
    return failure();
  Product product;
  std::array<SmallVector<int64_t>, 3> strides;
  std::array<AffineMap, 3> maps;
  for (Operand operand : {A, B, C}) {
    OpOperand &use = op->getOpOperand(operand);
    product.operands[operand] = use.get();
    maps[operand] = op.getMatchingIndexingMap(&use);
    int64_t offset;
    auto type = dyn_cast<MemRefType>(use.get().getType());
    if (!type || failed(type.getStridesAndOffset(strides[operand], offset)) ||
        llvm::is_contained(strides[operand], ShapedType::kDynamic) ||
        !maps[operand].isProjectedPermutation())
      return failure();
  }
  // rt.gemm takes these types only.
  auto element = [&](Operand i) { return getElementTypeOrSelf(product.operands[i].getType()); };
  if (element(A) != element(B) || (element(C) != element(A) && !element(C).isF32()) ||
      !(element(A).isF64() || element(A).isF32() || element(A).isF16() || element(A).isBF16()))
    return failure();

  SmallVector<Loop> batch, m, n, k;
  for (auto [dim, size] : llvm::enumerate(op.getStaticLoopRanges())) {
    if (size < 1)
      return failure();
    Loop loop{size, {0, 0, 0}};
    std::array<bool, 3> uses;
    for (Operand operand : {A, B, C}) {
      std::optional<unsigned> position =
          maps[operand].getResultPosition(getAffineDimExpr(dim, op.getContext()));
      uses[operand] = position.has_value();
      if (position)
        loop.stride[operand] = strides[operand][*position];
    }
    if (size == 1)
      continue;
    if (uses[A] && uses[B] && uses[C])
      batch.push_back(loop);
    else if (uses[A] && uses[C])
      m.push_back(loop);
    else if (uses[B] && uses[C])
      n.push_back(loop);
    else if (uses[A] && uses[B])
      k.push_back(loop);
    else
      return failure();
  }
  std::optional<Group> contracted = combine(k);
  if (!contracted || failed(combineOrPeel(m, product.m, batch)) ||
      failed(combineOrPeel(n, product.n, batch)))
    return failure();
  std::optional<Group> batches = combine(batch);
  if (!batches)
    return failure();
  product.batch = *batches;
  product.k = *contracted;
  return product;
}

/// Erases the fill with zeros that gave `buffer` its contents before `op`, where
/// nothing in between uses the buffer. Returns whether there was one.
bool takeZeroFill(Operation *op, Value buffer) {
  Value root = getBufferRoot(buffer);
  if (!root)
    return false;
  for (Operation *before = op->getPrevNode(); before; before = before->getPrevNode()) {
    if (auto fill = dyn_cast<linalg::FillOp>(before); fill && fill.output() == buffer) {
      if (!matchPattern(fill.value(), m_AnyZeroFloat()))
        return false;
      fill.erase();
      return true;
    }
    if (isa<ViewLikeOpInterface>(before))
      continue;
    WalkResult result = before->walk([&](Operation *nested) {
      for (Value operand : nested->getOperands())
        if (isa<MemRefType>(operand.getType())) {
          Value other = getBufferRoot(operand);
          if (!other || other == root)
            return WalkResult::interrupt();
        }
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      return false;
  }
  return false;
}

/// Replaces `op` by a call. Fails where the operands are not stored as rows or
/// columns.
LogicalResult convert(linalg::LinalgOp op, Product product) {
  // A result stored by columns is the transposed product.
  if (!getLayout(product.m.size, product.m.stride[C], product.n.size, product.n.stride[C]))
    return failure();
  if (getLayout(product.m.size, product.m.stride[C], product.n.size, product.n.stride[C])
          ->isTransposed) {
    std::swap(product.m, product.n);
    std::swap(product.operands[A], product.operands[B]);
    for (Group *group : {&product.batch, &product.m, &product.n, &product.k})
      std::swap(group->stride[A], group->stride[B]);
  }
  const Group &m = product.m, &n = product.n, &k = product.k, &batch = product.batch;
  std::optional<Layout> a = getLayout(m.size, m.stride[A], k.size, k.stride[A]);
  std::optional<Layout> b = getLayout(k.size, k.stride[B], n.size, n.stride[B]);
  std::optional<Layout> c = getLayout(m.size, m.stride[C], n.size, n.stride[C]);
  if (!a || !b || !c || c->isTransposed)
    return failure();
  bool accumulate = !takeZeroFill(op, product.operands[C]);
  OpBuilder builder(op);
  rt::GemmOp::create(builder, op.getLoc(), product.operands[A], product.operands[B],
                     product.operands[C], m.size, n.size, k.size, a->leading, b->leading,
                     c->leading, batch.stride[A], batch.stride[B], batch.stride[C], batch.size,
                     a->isTransposed, b->isTransposed, accumulate);
  op.erase();
  return success();
}

struct ConvertContractionsToRTPass
    : tp::impl::ConvertContractionsToRTPassBase<ConvertContractionsToRTPass> {
  using ConvertContractionsToRTPassBase::ConvertContractionsToRTPassBase;

  void runOnOperation() override {
    if (tf32)
      getOperation()->setAttr(rt::kTF32Attr, UnitAttr::get(&getContext()));
    SmallVector<linalg::LinalgOp> ops;
    getOperation().walk([&](linalg::LinalgOp op) { ops.push_back(op); });
    for (linalg::LinalgOp op : ops) {
      FailureOr<Product> product = matchProduct(op);
      if (succeeded(product) && product->multiplications() >= minMultiplications &&
          succeeded(convert(op, *product)))
        ++converted;
    }
  }
};

} // namespace
