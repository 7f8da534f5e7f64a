//===- DropEmptyValues.cpp - Nothing is computed of no elements ------------===//
//
// A tensor that has a dimension of size 0 has no contents. Upstream's lowerings do
// not all get along with one: the view of a buffer into which no row is copied
// begins behind the buffer's end, which its verifier rejects.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "tp/Conversion/Passes.h"

namespace mlir::tp {
#define GEN_PASS_DEF_DROPEMPTYVALUESPASS
#include "tp/Conversion/Passes.h.inc"
} // namespace mlir::tp

using namespace mlir;
using namespace mlir::tp;

namespace {

bool isEmptyValue(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && llvm::is_contained(type.getShape(), 0);
}

/// Padding alone: what the pad yields, everywhere.
Value createPadding(OpBuilder &builder, tensor::PadOp pad) {
  RankedTensorType type = pad.getResultType();
  if (Value constant = pad.getConstantPaddingValue()) {
    Value empty =
        tensor::EmptyOp::create(builder, pad.getLoc(), type.getShape(), type.getElementType());
    return linalg::FillOp::create(builder, pad.getLoc(), constant, empty).getResult(0);
  }
  auto generate = tensor::GenerateOp::create(builder, pad.getLoc(), type, ValueRange());
  generate.getRegion().takeBody(pad.getRegion());
  return generate;
}

/// Whether nothing is combined with what the op begins with.
bool reducesNothing(linalg::LinalgOp op) {
  if (!op.hasPureTensorSemantics() || op.hasDynamicShape())
    return false;
  return llvm::any_of(llvm::zip_equal(op.getIteratorTypesArray(), op.getStaticLoopRanges()),
                      [](auto loop) {
                        auto [iterator, size] = loop;
                        return iterator == utils::IteratorType::reduction && size == 0;
                      });
}

/// What `op` yields, where an operand without elements has no part in it; null
/// where it is to stay.
Value replace(Operation *op) {
  OpBuilder builder(op);
  if (auto insert = dyn_cast<tensor::InsertSliceOp>(op))
    return isEmptyValue(insert.getSource()) ? insert.getDest() : Value();
  if (auto pad = dyn_cast<tensor::PadOp>(op))
    return isEmptyValue(pad.getSource()) && pad.getResultType().hasStaticShape()
               ? createPadding(builder, pad)
               : Value();
  if (auto concat = dyn_cast<tensor::ConcatOp>(op)) {
    SmallVector<Value> parts(concat.getInputs());
    llvm::erase_if(parts, isEmptyValue);
    if (parts.size() == concat.getInputs().size())
      return {};
    if (parts.size() == 1)
      return parts.front();
    return tensor::ConcatOp::create(builder, op->getLoc(), concat.getDim(), parts);
  }
  return {};
}

struct DropEmptyValuesPass : tp::impl::DropEmptyValuesPassBase<DropEmptyValuesPass> {
  void runOnOperation() override {
    getOperation()->walk([&](Operation *op) {
      if (isa<tensor::EmptyOp>(op))
        return;
      for (Value result : op->getResults()) {
        if (result.use_empty() || !isEmptyValue(result))
          continue;
        auto type = cast<RankedTensorType>(result.getType());
        if (!type.hasStaticShape())
          continue;
        OpBuilder builder(op);
        result.replaceAllUsesWith(tensor::EmptyOp::create(
            builder, op->getLoc(), type.getShape(), type.getElementType(), type.getEncoding()));
        ++dropped;
      }
      if (op->use_empty() || llvm::none_of(op->getOperands(), isEmptyValue))
        return;
      if (auto loops = dyn_cast<linalg::LinalgOp>(op); loops && reducesNothing(loops)) {
        op->replaceAllUsesWith(llvm::to_vector(loops.getDpsInits()));
        op->erase();
        ++dropped;
        return;
      }
      if (Value other = replace(op)) {
        op->getResult(0).replaceAllUsesWith(other);
        op->erase();
        ++dropped;
      }
    });
  }
};

} // namespace
