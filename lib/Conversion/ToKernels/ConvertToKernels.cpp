//===- ConvertToKernels.cpp - Structured ops become kernel calls -----------===//

#include "tp/Conversion/ToKernels/Passes.h"

#include "Attention.h"
#include "Contraction.h"
#include "MatrixVector.h"
#include "RowNorm.h"
#include "Views.h"

#include "dialects/RT/RT.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/X86Vector/X86VectorDialect.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace mlir::tp;

namespace mlir::tp {
#define GEN_PASS_DEF_CONVERTTOKERNELSPASS
#include "tp/Conversion/ToKernels/Passes.h.inc"
} // namespace mlir::tp

/// Products with one A that one call computes: query, key and value; gate and up.
constexpr size_t maxProductsPerKernel = 4;

/// The buffer that `value` is a view of.
static Value rootOf(Value value) {
  while (auto view = value.getDefiningOp<ViewLikeOpInterface>())
    value = view.getViewSource();
  return value;
}

/// The fill with zero that gives `c` its value before `op`, where nothing in
/// between touches its buffer.
static linalg::FillOp findZeroFill(Operation *op, Value c) {
  Value root = rootOf(c);
  for (Operation *before = op->getPrevNode(); before; before = before->getPrevNode()) {
    auto fill = dyn_cast<linalg::FillOp>(before);
    if (fill && fill.getOutputs()[0] == c)
      return matchPattern(fill.getInputs()[0], m_AnyZeroFloat()) ? fill : nullptr;
    if (before->getNumRegions() != 0 && !isa<linalg::LinalgOp>(before))
      return nullptr;
    if (isa<ViewLikeOpInterface>(before))
      continue;
    for (Value operand : before->getOperands())
      if (rootOf(operand) == root)
        return nullptr;
  }
  return nullptr;
}

static Type elementOf(Value value) { return cast<MemRefType>(value.getType()).getElementType(); }

namespace {

/// A product that the kernel takes, and the fill that it takes over.
struct Product {
  linalg::LinalgOp op;
  Contraction operands;
  linalg::FillOp fill;

  Type getCompute() const { return computeTypeFor(elementOf(operands.c)); }
};

std::optional<Product> matchProduct(linalg::LinalgOp op) {
  std::optional<Contraction> found = matchContraction(op);
  if (!found || found->m > maxMatrixVectorRows || found->m == 0 || found->n == 0)
    return std::nullopt;
  unsigned widest = computeTypeFor(elementOf(found->c)).getIntOrFloatBitWidth();
  for (Value value : {found->a, found->w, found->c}) {
    unsigned width = elementOf(value).getIntOrFloatBitWidth();
    if (width < 16 || width > widest)
      return std::nullopt;
  }
  return Product{op, *found, findZeroFill(op, found->c)};
}

/// `first` and the products behind it that read the same rows of A, up to an op
/// that could see or change one of their buffers: none of them may wait for
/// another, so they can all run where the last one stands.
SmallVector<Product> collectGroup(const Product &first) {
  SmallVector<Product> group = {first};
  llvm::SmallDenseSet<Value> read = {rootOf(first.operands.a), rootOf(first.operands.w)};
  llvm::SmallDenseSet<Value> written = {rootOf(first.operands.c)};
  for (Operation *next = first.op->getNextNode(); next; next = next->getNextNode()) {
    if (auto fill = dyn_cast<linalg::FillOp>(next)) {
      Value root = rootOf(fill.output());
      if (read.contains(root) || written.contains(root))
        break;
      continue;
    }
    auto op = dyn_cast<linalg::LinalgOp>(next);
    std::optional<Product> product = op ? matchProduct(op) : std::nullopt;
    if (product) {
      const Contraction &c = product->operands;
      Value w = rootOf(c.w), result = rootOf(c.c);
      if (c.a != first.operands.a || c.m != first.operands.m || c.k != first.operands.k ||
          product->getCompute() != first.getCompute() || group.size() == maxProductsPerKernel ||
          written.contains(w) || written.contains(result) || read.contains(result))
        break;
      read.insert(w);
      written.insert(result);
      group.push_back(*product);
      continue;
    }
    if (!isa<memref::AllocOp>(next) && !isMemoryEffectFree(next))
      break;
  }
  return group;
}

struct ConvertToKernelsPass : tp::impl::ConvertToKernelsPassBase<ConvertToKernelsPass> {
  using Base::Base;

  void runOnOperation() override {
    sortDeclaredKernels();
    SmallVector<linalg::LinalgOp> ops;
    getOperation().walk([&](linalg::LinalgOp op) { ops.push_back(op); });
    for (linalg::LinalgOp op : ops)
      if (!erased.contains(op))
        convert(op);
    for (auto function : llvm::make_early_inc_range(getOperation().getOps<func::FuncOp>())) {
      if (defineAttentionKernel(function, vectorBits) || defineRowNormKernel(function, vectorBits))
        ++defined;
    }
  }

  /// Bufferization visits functions, and so declares kernels, in an order that
  /// changes from run to run.
  void sortDeclaredKernels() {
    SmallVector<func::FuncOp> kernels;
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (function.isDeclaration() && function->hasAttr(rt::kKernelAttr))
        kernels.push_back(function);
    llvm::sort(kernels, [](func::FuncOp a, func::FuncOp b) { return a.getName() < b.getName(); });
    Block *body = getOperation().getBody();
    for (func::FuncOp kernel : kernels)
      kernel->moveBefore(body, body->end());
  }

  /// Replaces `op` and the products behind it that can run together with it by
  /// one call.
  void convert(linalg::LinalgOp op) {
    std::optional<Product> first = matchProduct(op);
    if (!first)
      return;
    SmallVector<Product> group = collectGroup(*first);
    Operation *last = group.back().op;
    Location loc = op.getLoc();
    if (group.size() > 1) {
      SmallVector<Location> locations;
      for (Product &product : group)
        locations.push_back(product.op.getLoc());
      loc = FusedLoc::get(&getContext(), locations);
    }
    OpBuilder builder(last);
    MatrixVectorShape shape{first->operands.m, first->operands.k, elementOf(first->operands.a), {}};
    SmallVector<Value> buffers = {viewAs(builder, loc, first->operands.a, {shape.m, shape.k})};
    for (const Product &product : group) {
      const Contraction &c = product.operands;
      shape.parts.push_back({c.n, elementOf(c.w), elementOf(c.c), /*accumulate=*/!product.fill});
      buffers.push_back(viewAs(builder, loc, c.w, {c.n, c.k}));
      buffers.push_back(viewAs(builder, loc, c.c, {c.m, c.n}));
    }
    func::FuncOp kernel = getMatrixVectorKernel(getOperation(), loc, shape, vectorBits, bf16Dot);
    rt::ParallelForOp::create(builder, loc, kernel.getSymName(), getMatrixVectorRange(shape),
                              getMatrixVectorGrain(shape), buffers);
    for (Product &product : group) {
      erase(product.op);
      if (product.fill)
        erase(product.fill);
      ++matrixVector;
    }
  }

  void erase(Operation *op) {
    erased.insert(op);
    op->erase();
  }

  /// Ops that are gone; their addresses are not looked into.
  DenseSet<Operation *> erased;
};

} // namespace
