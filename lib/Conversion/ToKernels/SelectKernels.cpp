//===- SelectKernels.cpp - nn ops that stay whole until bufferization ------===//

#include "tp/Conversion/ToKernels/BufferizeNN.h"
#include "tp/Conversion/ToKernels/Passes.h"

#include "dialects/NN/NN.h"
#include "dialects/TP/LinalgBuilder.h"

using namespace mlir;
using namespace mlir::tp;

namespace mlir::tp {
#define GEN_PASS_DEF_SELECTKERNELSPASS
#include "tp/Conversion/ToKernels/Passes.h.inc"
} // namespace mlir::tp

/// Kernels count steps from the rows that they have: a rank's first one is added to the
/// positions.
static void foldStepOffset(nn::AttentionOp op) {
  if (!op.getStepOffset())
    return;
  LinalgBuilder b(op.getLoc(), OpBuilder(op));
  if (!op.getBidirectional()) {
    Value offset = arith::IndexCastOp::create(b, b.getI64Type(), op.getStepOffset());
    Value empty = b.empty(shapeOf(op.getPos()), b.getI64Type());
    Value pos = b.generic(1, {}, op.getPos(), empty, {{0}, {0}},
                          [&](LinalgBuilder &n, ValueRange args) -> SmallVector<Value> {
                            return {arith::AddIOp::create(n, args[0], offset)};
                          })[0];
    op.getPosMutable().assign(pos);
  }
  op.getStepOffsetMutable().clear();
}

namespace {

struct SelectKernelsPass : tp::impl::SelectKernelsPassBase<SelectKernelsPass> {
  using Base::Base;

  void runOnOperation() override {
    Builder builder(&getContext());
    getOperation()->walk([&](Operation *op) {
      if (device) {
        if (!hasDeviceKernel(op))
          return;
        op->setAttr(nn::kKernelAttr, builder.getStringAttr(nn::kDeviceKernel));
        ++selected;
        return;
      }
      if (auto attention = dyn_cast<nn::AttentionOp>(op))
        foldStepOffset(attention);
      if (!hasKernel(op))
        return;
      op->setAttr(nn::kKernelAttr, builder.getUnitAttr());
      ++selected;
    });
  }
};

} // namespace
