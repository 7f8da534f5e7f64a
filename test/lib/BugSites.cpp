//===- BugSites.cpp --------------------------------------------------------===//

#include "BugSites.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::tp;
using namespace mlir::tp::test;

bool test::isCollective(Operation *op) {
  return comm::isCollective(op) && op->getNumResults() == 1;
}

bool test::onOneOf(SmallVector<Operation *> ops, Random &random,
                   llvm::function_ref<bool(Operation *, OpBuilder &)> change) {
  while (!ops.empty()) {
    size_t i = random() % ops.size();
    OpBuilder builder(ops[i]);
    if (change(ops[i], builder))
      return true;
    ops.erase(ops.begin() + i);
  }
  return false;
}

bool test::onCollective(ModuleOp module, Random &random,
                        llvm::function_ref<bool(Operation *, OpBuilder &)> change) {
  SmallVector<Operation *> ops;
  module.walk([&](Operation *op) {
    if (isCollective(op))
      ops.push_back(op);
  });
  return onOneOf(std::move(ops), random, change);
}

RankedTensorType test::typeOf(Value value) { return dyn_cast<RankedTensorType>(value.getType()); }

StringAttr test::getReason(Operation *op) { return StringAttr::get(op->getContext(), "seeded"); }

Mesh test::meshOf(Operation *op) { return getMesh(lookupMesh(op)); }

SmallVector<AxisPart> test::partsOf(Operation *op) {
  return comm::getAxisParts(op->getAttrOfType<ArrayAttr>("axes"), meshOf(op));
}

ArrayAttr test::axesOf(OpBuilder &builder, ArrayRef<AxisPart> parts, const Mesh &mesh) {
  SmallVector<Attribute> axes;
  for (const AxisPart &part : parts)
    axes.push_back(getAxisAttr(builder.getContext(), part, mesh));
  return builder.getArrayAttr(axes);
}

Value test::coordinate(OpBuilder &builder, Location loc, ArrayAttr axes) {
  return comm::CoordinateOp::create(builder, loc, builder.getIndexType(), axes);
}

Value test::constantIndex(OpBuilder &builder, Location loc, int64_t value) {
  return arith::ConstantIndexOp::create(builder, loc, value);
}

Value test::sliceOf(OpBuilder &builder, Location loc, Value value, unsigned dim,
                    OpFoldResult offset, int64_t size) {
  RankedTensorType type = typeOf(value);
  SmallVector<int64_t> shape(type.getShape());
  shape[dim] = size;
  SmallVector<OpFoldResult> offsets(shape.size(), builder.getIndexAttr(0));
  SmallVector<OpFoldResult> strides(shape.size(), builder.getIndexAttr(1));
  offsets[dim] = offset;
  return tensor::ExtractSliceOp::create(builder, loc, type.clone(shape), value, offsets,
                                        getAsIndexOpFoldResult(builder.getContext(), shape),
                                        strides);
}

bool test::replace(Operation *op, Value value) {
  op->getResult(0).replaceAllUsesWith(value);
  op->erase();
  return true;
}

bool test::insertAfter(Value value, llvm::function_ref<Value(OpBuilder &)> make) {
  OpBuilder builder(value.getContext());
  builder.setInsertionPointAfterValue(value);
  SmallPtrSet<Operation *, 8> users(value.getUsers().begin(), value.getUsers().end());
  Value made = make(builder);
  if (!made)
    return false;
  value.replaceUsesWithIf(made, [&](OpOperand &use) { return users.contains(use.getOwner()); });
  return true;
}

Value test::convert(OpBuilder &builder, Location loc, Value value, Type element) {
  Type type = typeOf(value).clone(element);
  if (element.getIntOrFloatBitWidth() < typeOf(value).getElementTypeBitWidth())
    return arith::TruncFOp::create(builder, loc, type, value);
  return arith::ExtFOp::create(builder, loc, type, value);
}

Value test::otherValue(Operation *op, Value value, Random &random) {
  SmallVector<Value> others;
  for (BlockArgument arg : op->getBlock()->getArguments())
    if (arg.getType() == value.getType() && arg != value)
      others.push_back(arg);
  for (Operation &before : *op->getBlock()) {
    if (&before == op)
      break;
    for (Value result : before.getResults())
      if (result.getType() == value.getType() && result != value &&
          !before.hasTrait<OpTrait::ConstantLike>() && !isa<tensor::EmptyOp>(before))
        others.push_back(result);
  }
  return others.empty() ? Value() : others[random() % others.size()];
}
