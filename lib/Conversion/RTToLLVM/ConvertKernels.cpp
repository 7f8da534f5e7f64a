//===- ConvertKernels.cpp - Kernels as LLVM functions ----------------------===//
//
// The body of a kernel has bare pointers as parameters, of which it can be said
// that they do not alias; workers call a task, which loads them from the slots
// where the entry has put them.
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace mlir::tp;

/// A function with the body of `kernel`, before it, whose parameters are bare pointers
/// and scalars.
static LLVM::LLVMFuncOp takeBody(const Lowering &lowering, func::FuncOp kernel, StringRef name) {
  MLIRContext *context = lowering.getContext();
  Type pointer = lowering.getPointerType();
  SmallVector<Type> parameters;
  for (Type type : kernel.getArgumentTypes())
    parameters.push_back(isa<MemRefType>(type) ? pointer : lowering.getTypes().convertType(type));
  auto body = createFunction(kernel, name, LLVM::LLVMVoidType::get(context), parameters);
  OpBuilder builder = OpBuilder::atBlockEnd(&body.getBody().front());
  Location loc = kernel.getLoc();
  SmallVector<Value> replacements;
  for (auto [i, type] : llvm::enumerate(kernel.getArgumentTypes())) {
    Value argument = body.getArgument(i);
    if (auto memref = dyn_cast<MemRefType>(type)) {
      replacements.push_back(lowering.createMemRef(builder, loc, memref, argument));
      for (StringRef known :
           {LLVM::LLVMDialect::getNoAliasAttrName(), LLVM::LLVMDialect::getAlignAttrName()})
        if (Attribute attribute = kernel.getArgAttr(i, known))
          body.setArgAttr(i, known, attribute);
    } else {
      replacements.push_back(lowering.convert(builder, loc, type, argument));
    }
  }
  moveBody(kernel, body, replacements,
           [](OpBuilder &b, Location at) { LLVM::ReturnOp::create(b, at, ValueRange()); });
  return body;
}

/// Calls of the library are calls with bare pointers; it is linked when code is made.
static void convertLibraryCalls(const Lowering &lowering, LLVM::LLVMFuncOp body) {
  SmallVector<rt::KernelCallOp> calls;
  body.walk([&](rt::KernelCallOp call) { calls.push_back(call); });
  for (rt::KernelCallOp call : calls) {
    OpBuilder builder(call);
    Location loc = call.getLoc();
    SmallVector<Value> arguments;
    for (Value argument : call.getArguments())
      arguments.push_back(
          isa<MemRefType>(argument.getType())
              ? lowering.getPointer(builder, loc, argument)
              : lowering.convert(builder, loc, lowering.getTypes().convertType(argument.getType()),
                                 argument));
    std::string name = (rt::kLibraryPrefix + call.getKernel()).str();
    auto function = lowering.getModule().lookupSymbol<LLVM::LLVMFuncOp>(name);
    if (!function) {
      OpBuilder atStart = OpBuilder::atBlockBegin(lowering.getModule().getBody());
      auto types = llvm::to_vector(ValueRange(arguments).getTypes());
      function = LLVM::LLVMFuncOp::create(
          atStart, lowering.getModule().getLoc(), name,
          LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(lowering.getContext()), types));
    }
    LLVM::CallOp::create(builder, loc, function, arguments);
    call.erase();
  }
}

void tp::convertDeviceKernel(const Lowering &lowering, func::FuncOp kernel, int32_t threads) {
  // What only the runtime launches says so itself.
  kernel.walk(
      [&](rt::KernelCallOp call) { threads = std::max(threads, int32_t(call.getThreads())); });
  LLVM::LLVMFuncOp body = takeBody(lowering, kernel, getDeviceKernelName(kernel.getName()));
  Builder builder(lowering.getContext());
  body.setLinkage(LLVM::Linkage::External);
  body->setAttr(NVVM::NVVMDialect::getKernelFuncAttrName(), builder.getUnitAttr());
  body->setAttr(NVVM::NVVMDialect::getMaxntidAttrName(), builder.getDenseI32ArrayAttr({threads}));
  // Else ptxas spills registers for the sake of blocks that would run beside it.
  body->setAttr(NVVM::NVVMDialect::getMinctasmAttrName(), builder.getI32IntegerAttr(1));
  convertLibraryCalls(lowering, body);
  kernel.erase();
}

void tp::convertKernel(const Lowering &lowering, func::FuncOp kernel) {
  MLIRContext *context = lowering.getContext();
  Type i64 = IntegerType::get(context, 64), pointer = lowering.getPointerType();
  Type none = LLVM::LLVMVoidType::get(context);
  StringRef name = kernel.getName();
  Location loc = kernel.getLoc();
  LLVM::LLVMFuncOp body = takeBody(lowering, kernel, getKernelName(name));
  body.setNoInline(true);

  ArrayRef<Type> kernelTypes = kernel.getArgumentTypes();
  auto task = createFunction(kernel, getTaskName(name), none, {pointer, i64, i64});
  OpBuilder builder = OpBuilder::atBlockEnd(&task.getBody().front());
  SmallVector<Value> arguments = {task.getArgument(1), task.getArgument(2)};
  for (auto [i, type] : llvm::enumerate(body.getArgumentTypes().drop_front(2))) {
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
