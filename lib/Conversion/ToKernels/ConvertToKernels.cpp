//===- ConvertToKernels.cpp - Structured ops become kernel calls -----------===//

#include "tp/Conversion/ToKernels/Passes.h"

#include "Attention.h"
#include "Contraction.h"
#include "MatrixVector.h"
#include "RmsNorm.h"
#include "Views.h"

#include "dialects/RT/RT.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace mlir::tp;

namespace mlir::tp {
#define GEN_PASS_DEF_CONVERTTOKERNELSPASS
#include "tp/Conversion/ToKernels/Passes.h.inc"
} // namespace mlir::tp

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

namespace {

struct ConvertToKernelsPass : tp::impl::ConvertToKernelsPassBase<ConvertToKernelsPass> {
  using Base::Base;

  void runOnOperation() override {
    sortDeclaredKernels();
    SmallVector<linalg::LinalgOp> ops;
    getOperation().walk([&](linalg::LinalgOp op) { ops.push_back(op); });
    for (linalg::LinalgOp op : ops)
      convert(op);
    for (auto function : llvm::make_early_inc_range(getOperation().getOps<func::FuncOp>())) {
      if (defineAttentionKernel(function, vectorBits) || defineRmsNormKernel(function, vectorBits))
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

  void convert(linalg::LinalgOp op) {
    std::optional<Contraction> product = matchContraction(op);
    if (!product || product->m > maxMatrixVectorRows || product->n == 0 || product->m == 0)
      return;
    auto element = [](Value value) { return cast<MemRefType>(value.getType()).getElementType(); };
    linalg::FillOp fill = findZeroFill(op, product->c);
    MatrixVectorShape shape{product->m,          product->n,          product->k,
                            element(product->a), element(product->w), element(product->c),
                            /*accumulate=*/!fill};
    Type compute = computeTypeFor(shape.c);
    for (Type type : {shape.a, shape.w, shape.c})
      if (type.getIntOrFloatBitWidth() > compute.getIntOrFloatBitWidth() ||
          type.getIntOrFloatBitWidth() < 16)
        return;
    Location loc = op.getLoc();
    OpBuilder builder(op);
    Value a = viewAs(builder, loc, product->a, {shape.m, shape.k});
    Value w = viewAs(builder, loc, product->w, {shape.n, shape.k});
    Value c = viewAs(builder, loc, product->c, {shape.m, shape.n});
    func::FuncOp kernel = getMatrixVectorKernel(getOperation(), loc, shape, vectorBits);
    rt::ParallelForOp::create(builder, loc, kernel.getSymName(), getMatrixVectorRange(shape),
                              getMatrixVectorGrain(shape), ValueRange{a, w, c});
    op.erase();
    if (fill)
      fill.erase();
    ++matrixVector;
  }
};

} // namespace
