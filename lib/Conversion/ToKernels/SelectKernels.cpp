//===- SelectKernels.cpp - nn ops that stay whole until bufferization ------===//

#include "tp/Conversion/ToKernels/BufferizeNN.h"
#include "tp/Conversion/ToKernels/Passes.h"

#include "dialects/NN/NN.h"

using namespace mlir;
using namespace mlir::tp;

namespace mlir::tp {
#define GEN_PASS_DEF_SELECTKERNELSPASS
#include "tp/Conversion/ToKernels/Passes.h.inc"
} // namespace mlir::tp

namespace {

struct SelectKernelsPass : tp::impl::SelectKernelsPassBase<SelectKernelsPass> {
  using Base::Base;

  void runOnOperation() override {
    getOperation()->walk([&](Operation *op) {
      if (!hasKernel(op))
        return;
      op->setAttr(nn::kKernelAttr, UnitAttr::get(&getContext()));
      ++selected;
    });
  }
};

} // namespace
