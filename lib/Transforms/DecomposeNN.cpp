//===- DecomposeNN.cpp - nn ops in linalg, tensor, arith and math ----------===//

#include "dialects/NN/NN.h"
#include "tp/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::tp;

namespace mlir::tp {
#define GEN_PASS_DEF_DECOMPOSENNPASS
#include "tp/Transforms/Passes.h.inc"
} // namespace mlir::tp

namespace {

struct DecomposeNNPass : tp::impl::DecomposeNNPassBase<DecomposeNNPass> {
  using Base::Base;

  void runOnOperation() override {
    SmallVector<linalg::AggregatedOpInterface> ops;
    getOperation()->walk([&](linalg::AggregatedOpInterface op) {
      if (isa_and_nonnull<nn::NNDialect>(op->getDialect()) && !op->hasAttr(nn::kKernelAttr))
        ops.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (linalg::AggregatedOpInterface op : ops) {
      rewriter.setInsertionPoint(op);
      FailureOr<SmallVector<Value>> values = op.decomposeOperation(rewriter);
      assert(succeeded(values) && "every nn op has a definition");
      rewriter.replaceOp(op, *values);
      ++decomposed;
    }
  }
};

} // namespace
