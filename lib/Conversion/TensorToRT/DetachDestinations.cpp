//===- DetachDestinations.cpp - Destinations that are not read -------------===//
//
// A linalg op may name any tensor of the right type as its destination, and
// front ends and conversions name one of the operands. The op then seems to need
// it: what computes it is kept alive, and it cannot be overwritten elsewhere.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "tp/Conversion/Passes.h"

namespace mlir::tp {
#define GEN_PASS_DEF_DETACHDESTINATIONSPASS
#include "tp/Conversion/Passes.h.inc"
} // namespace mlir::tp

using namespace mlir;
using namespace mlir::tp;

namespace {

struct DetachDestinationsPass : tp::impl::DetachDestinationsPassBase<DetachDestinationsPass> {
  void runOnOperation() override {
    getOperation()->walk([&](linalg::LinalgOp op) {
      for (OpOperand &init : op.getDpsInitsMutable()) {
        auto type = dyn_cast<RankedTensorType>(init.get().getType());
        // A slice is where the result is to go in a larger tensor.
        if (!type || !type.hasStaticShape() || op.payloadUsesValueFromOperand(&init) ||
            isa_and_nonnull<tensor::EmptyOp, tensor::ExtractSliceOp>(init.get().getDefiningOp()))
          continue;
        OpBuilder builder(op);
        init.set(tensor::EmptyOp::create(builder, op.getLoc(), type.getShape(),
                                         type.getElementType(), type.getEncoding()));
        ++detached;
      }
    });
  }
};

} // namespace
