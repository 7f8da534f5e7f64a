//===- BugSites.h - Places of a program that a fault can be put at ---------===//

#ifndef TEST_LIB_BUGSITES_H
#define TEST_LIB_BUGSITES_H

#include "SeededBugs.h"

#include "dialects/Comm/Comm.h"
#include "mlir/IR/Builders.h"

namespace mlir {
namespace tp {
namespace test {

using Random = std::mt19937_64;

/// Tries `change` on the ops in random order, until one takes it.
bool onOneOf(SmallVector<Operation *> ops, Random &random,
             llvm::function_ref<bool(Operation *, OpBuilder &)> change);

/// The same on the ops of type OpTy.
template <typename OpTy>
bool onOne(ModuleOp module, Random &random, llvm::function_ref<bool(OpTy, OpBuilder &)> change) {
  SmallVector<Operation *> ops;
  // Bugs are put where one value meets.
  module.walk([&](OpTy op) {
    if (!comm::isCollective(op) || op->getNumResults() == 1)
      ops.push_back(op);
  });
  return onOneOf(std::move(ops), random, [&](Operation *op, OpBuilder &builder) {
    return change(cast<OpTy>(op), builder);
  });
}

bool isCollective(Operation *op);
bool onCollective(ModuleOp module, Random &random,
                  llvm::function_ref<bool(Operation *, OpBuilder &)> change);
RankedTensorType typeOf(Value value);
/// What collectives give as their reason.
StringAttr getReason(Operation *op);
Mesh meshOf(Operation *op);
SmallVector<AxisPart> partsOf(Operation *op);
ArrayAttr axesOf(OpBuilder &builder, ArrayRef<AxisPart> parts, const Mesh &mesh);
Value coordinate(OpBuilder &builder, Location loc, ArrayAttr axes);
Value constantIndex(OpBuilder &builder, Location loc, int64_t value);
/// `size` positions of `dim` from `offset`.
Value sliceOf(OpBuilder &builder, Location loc, Value value, unsigned dim, OpFoldResult offset,
              int64_t size);
bool replace(Operation *op, Value value);
/// Makes the value's users, but for `made` itself, use what `make` makes of it.
bool insertAfter(Value value, llvm::function_ref<Value(OpBuilder &)> make);
Value convert(OpBuilder &builder, Location loc, Value value, Type element);
/// Another value of the type that is made before `op`.
Value otherValue(Operation *op, Value value, Random &random);

} // namespace test
} // namespace tp
} // namespace mlir

#endif // TEST_LIB_BUGSITES_H
