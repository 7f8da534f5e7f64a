//===- DecomposeNN.cpp - nn ops in linalg, tensor, arith and math ----------===//

#include "tp/Transforms/DecomposeNN.h"

#include "DecomposeNNOps.h"
#include "tp/Transforms/Passes.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tp;

namespace mlir::tp {
#define GEN_PASS_DEF_DECOMPOSENNPASS
#include "tp/Transforms/Passes.h.inc"
} // namespace mlir::tp

FailureOr<SmallVector<Value>> mlir::tp::decomposeNNOp(OpBuilder &builder, Operation *op) {
  NNBuilder b(op->getLoc(), builder);
  return llvm::TypeSwitch<Operation *, FailureOr<SmallVector<Value>>>(op)
      .Case<nn::EmbeddingOp, nn::RmsNormOp, nn::LayerNormOp, nn::RotaryTableOp, nn::RopeOp,
            nn::CacheUpdateOp, nn::AttentionOp, nn::ArgmaxOp>(
          [&](auto typed) { return decompose(b, typed); })
      .Default([](Operation *) { return failure(); });
}

namespace {

struct DecomposeNNPass : tp::impl::DecomposeNNPassBase<DecomposeNNPass> {
  using Base::Base;

  void runOnOperation() override {
    SmallVector<Operation *> ops;
    getOperation()->walk([&](Operation *op) {
      if (isa_and_nonnull<nn::NNDialect>(op->getDialect()) && !op->hasAttr(nn::kKernelAttr))
        ops.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (Operation *op : ops) {
      rewriter.setInsertionPoint(op);
      FailureOr<SmallVector<Value>> values = decomposeNNOp(rewriter, op);
      if (failed(values)) {
        op->emitOpError("has no decomposition");
        return signalPassFailure();
      }
      rewriter.replaceOp(op, *values);
      ++decomposed;
    }
  }
};

} // namespace
