//===- ConvertKernels.cpp - Kernels as LLVM functions ----------------------===//
//
// The body of a kernel has bare pointers as parameters, of which it can be said
// that they do not alias; workers call a task, which loads them from the slots
// where the entry has put them.
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

using namespace mlir;
using namespace mlir::tp;

void tp::convertKernel(const Lowering &lowering, func::FuncOp kernel) {
  MLIRContext *context = lowering.getContext();
  Type i64 = IntegerType::get(context, 64), pointer = lowering.getPointerType();
  Type none = LLVM::LLVMVoidType::get(context);
  SmallVector<Type> parameters = {i64, i64};
  ArrayRef<Type> kernelTypes = kernel.getArgumentTypes();
  for (Type type : kernelTypes.drop_front(2))
    parameters.push_back(isa<MemRefType>(type) ? pointer : lowering.getTypes().convertType(type));
  StringRef name = kernel.getName();
  auto body = createFunction(kernel, getKernelName(name), none, parameters);
  body.setNoInline(true);
  OpBuilder builder = OpBuilder::atBlockEnd(&body.getBody().front());
  Location loc = kernel.getLoc();
  SmallVector<Value> replacements;
  for (auto [i, type] : llvm::enumerate(kernelTypes)) {
    Value argument = body.getArgument(i);
    if (auto memref = dyn_cast<MemRefType>(type)) {
      replacements.push_back(lowering.createMemRef(builder, loc, memref, argument));
      if (kernel.getArgAttr(i, LLVM::LLVMDialect::getNoAliasAttrName()))
        body.setArgAttr(i, LLVM::LLVMDialect::getNoAliasAttrName(), builder.getUnitAttr());
    } else {
      replacements.push_back(lowering.convert(builder, loc, type, argument));
    }
  }
  moveBody(kernel, body, replacements,
           [](OpBuilder &b, Location at) { LLVM::ReturnOp::create(b, at, ValueRange()); });

  auto task = createFunction(kernel, getTaskName(name), none, {pointer, i64, i64});
  builder.setInsertionPointToEnd(&task.getBody().front());
  SmallVector<Value> arguments = {task.getArgument(1), task.getArgument(2)};
  for (auto [i, type] : llvm::enumerate(ArrayRef(parameters).drop_front(2))) {
    Value slot = lowering.getSlot(builder, loc, task.getArgument(0), i);
    if (isa<MemRefType>(kernelTypes[i + 2]))
      arguments.push_back(LLVM::LoadOp::create(builder, loc, pointer, slot));
    else
      arguments.push_back(lowering.convert(
          builder, loc, type, lowering.loadScalar(builder, loc, kernelTypes[i + 2], slot)));
  }
  LLVM::CallOp::create(builder, loc, body, arguments);
  LLVM::ReturnOp::create(builder, loc, ValueRange());
  kernel.erase();
}
