//===- MakeSignless.cpp - Integers are bits --------------------------------===//

#include "tp/Transforms/MakeSignless.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "tp/Transforms/Passes.h"

namespace mlir::tp {
#define GEN_PASS_DEF_MAKESIGNLESSPASS
#include "tp/Transforms/Passes.h.inc"
} // namespace mlir::tp

using namespace mlir;
using namespace mlir::tp;

/// The type with signless integers.
static Type getSignless(Type type) {
  if (auto integer = dyn_cast<IntegerType>(type))
    return IntegerType::get(type.getContext(), integer.getWidth());
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    if (auto element = dyn_cast<IntegerType>(tensor.getElementType());
        element && !element.isSignless())
      return tensor.clone(getSignless(element));
  return type;
}

static void makeSignless(Value value) { value.setType(getSignless(value.getType())); }

static void makeSignless(func::FuncOp function) {
  auto signless = [](ArrayRef<Type> types) { return llvm::map_to_vector(types, getSignless); };
  function.setType(FunctionType::get(function.getContext(), signless(function.getArgumentTypes()),
                                     signless(function.getResultTypes())));
}

void tp::makeSignless(ModuleOp module) {
  module.walk([](Operation *op) {
    if (auto function = dyn_cast<func::FuncOp>(op))
      ::makeSignless(function);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        llvm::for_each(block.getArguments(), [](Value value) { ::makeSignless(value); });
    llvm::for_each(op->getResults(), [](Value value) { ::makeSignless(value); });
    if (auto constant = dyn_cast<arith::ConstantOp>(op))
      if (auto dense = dyn_cast<DenseElementsAttr>(constant.getValue());
          dense && dense.getType() != constant.getType())
        constant.setValueAttr(dense.bitcast(cast<ShapedType>(constant.getType()).getElementType()));
  });
  module.walk([](UnrealizedConversionCastOp cast) {
    if (cast->getOperandTypes() != cast->getResultTypes())
      return;
    cast->replaceAllUsesWith(cast->getOperands());
    cast->erase();
  });
}

namespace {
struct MakeSignlessPass : tp::impl::MakeSignlessPassBase<MakeSignlessPass> {
  using MakeSignlessPassBase::MakeSignlessPassBase;

  void runOnOperation() override { makeSignless(getOperation()); }
};
} // namespace
