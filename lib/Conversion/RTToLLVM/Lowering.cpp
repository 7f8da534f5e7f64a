//===- Lowering.cpp - What the parts of rt to LLVM share ------------------===//

#include "Lowering.h"

#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"

using namespace mlir;
using namespace mlir::tp;

Lowering::Lowering(ModuleOp module, const LLVMTypeConverter &types)
    : module(module), types(types), operations(module) {
  for (auto [number, group] : llvm::enumerate(module.getOps<rt::GroupOp>()))
    groups[group.getSymNameAttr()] = number;
  for (auto [number, kernel] : llvm::enumerate(rt::getDeviceKernels(module)))
    deviceKernels[kernel.getSymNameAttr()] = number;
}

Value Lowering::constant(OpBuilder &builder, Location loc, int64_t value, unsigned width) const {
  return LLVM::ConstantOp::create(builder, loc, builder.getIntegerType(width), value);
}

Value Lowering::convert(OpBuilder &builder, Location loc, Type type, Value value) const {
  if (value.getType() == type)
    return value;
  return UnrealizedConversionCastOp::create(builder, loc, type, value).getResult(0);
}

Value Lowering::createMemRef(OpBuilder &builder, Location loc, MemRefType type,
                             Value pointer) const {
  Value descriptor = MemRefDescriptor::fromStaticShape(builder, loc, types, type, pointer);
  return convert(builder, loc, type, descriptor);
}

Value Lowering::getPointer(OpBuilder &builder, Location loc, Value memref) const {
  auto type = cast<MemRefType>(memref.getType());
  MemRefDescriptor descriptor(convert(builder, loc, types.convertType(type), memref));
  return descriptor.bufferPtr(builder, loc, types, type);
}

Type Lowering::getStorageType(Type type) const {
  Type converted = types.convertType(type);
  return converted.isInteger(1) ? IntegerType::get(getContext(), 8) : converted;
}

Value Lowering::loadScalar(OpBuilder &builder, Location loc, Type type, Value pointer) const {
  Type storage = getStorageType(type), converted = types.convertType(type);
  Value value = LLVM::LoadOp::create(builder, loc, storage, pointer);
  if (storage != converted)
    value = LLVM::TruncOp::create(builder, loc, converted, value);
  return convert(builder, loc, type, value);
}

void Lowering::storeScalar(OpBuilder &builder, Location loc, Value value, Value pointer) const {
  Type storage = getStorageType(value.getType());
  Value converted = convert(builder, loc, types.convertType(value.getType()), value);
  if (converted.getType() != storage)
    converted = LLVM::ZExtOp::create(builder, loc, storage, converted);
  LLVM::StoreOp::create(builder, loc, converted, pointer);
}

Value Lowering::getSlot(OpBuilder &builder, Location loc, Value base, unsigned number) const {
  if (number == 0)
    return base;
  return LLVM::GEPOp::create(builder, loc, getPointerType(), builder.getI64Type(), base,
                             ArrayRef<LLVM::GEPArg>{int32_t(number)});
}

LLVM::LLVMFuncOp tp::createFunction(Operation *before, StringRef name, Type result,
                                    ArrayRef<Type> parameters) {
  OpBuilder builder(before);
  auto function = LLVM::LLVMFuncOp::create(builder, before->getLoc(), name,
                                           LLVM::LLVMFunctionType::get(result, parameters),
                                           LLVM::Linkage::Internal, /*dsoLocal=*/true);
  function.addEntryBlock(builder);
  return function;
}

void tp::moveBody(func::FuncOp from, LLVM::LLVMFuncOp to, ValueRange replacements,
                  llvm::function_ref<void(OpBuilder &, Location)> createReturn) {
  Block &first = from.getBody().front();
  for (auto [argument, replacement] : llvm::zip_equal(first.getArguments(), replacements))
    argument.replaceAllUsesWith(replacement);
  Block &target = to.getBody().front();
  target.getOperations().splice(target.end(), first.getOperations());
  to.getBody().getBlocks().splice(to.getBody().end(), from.getBody().getBlocks(),
                                  std::next(from.getBody().begin()), from.getBody().end());
  SmallVector<func::ReturnOp> returns;
  to.walk([&](func::ReturnOp op) { returns.push_back(op); });
  for (func::ReturnOp op : returns) {
    OpBuilder builder(op);
    createReturn(builder, op.getLoc());
    op.erase();
  }
}
