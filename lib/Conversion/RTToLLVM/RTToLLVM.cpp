//===- RTToLLVM.cpp - Calls of the runtime ---------------------------------===//
//
// Converts entries and kernels and adds the table by which the runtime finds
// them. Everything else in them (loads, stores, arithmetic) is left to upstream's
// conversions.
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"
#include "dialects/TP/TP.h"
#include "tp/Conversion/Passes.h"
#include "tprt/tprt.h"

namespace mlir::tp {
#define GEN_PASS_DEF_CONVERTRTTOLLVMPASS
#include "tp/Conversion/Passes.h.inc"
} // namespace mlir::tp

using namespace mlir;
using namespace mlir::tp;

namespace {

/// A zero-terminated constant string.
LLVM::GlobalOp createString(OpBuilder &builder, Location loc, StringRef name, StringRef text) {
  std::string terminated = text.str();
  terminated.push_back('\0');
  auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), terminated.size());
  return LLVM::GlobalOp::create(builder, loc, type, /*isConstant=*/true, LLVM::Linkage::Internal,
                                name, builder.getStringAttr(terminated));
}

/// A constant whose value is built by `build`.
LLVM::GlobalOp createGlobal(OpBuilder &builder, Location loc, Type type, LLVM::Linkage linkage,
                            StringRef name, llvm::function_ref<Value(OpBuilder &)> build) {
  auto global =
      LLVM::GlobalOp::create(builder, loc, type, /*isConstant=*/true, linkage, name, Attribute());
  OpBuilder::InsertionGuard guard(builder);
  builder.createBlock(&global.getInitializerRegion());
  LLVM::ReturnOp::create(builder, loc, build(builder));
  return global;
}

/// The symbol `tprt_module` with its table of entries and the manifest.
void createModuleTable(const Lowering &lowering, ArrayRef<std::string> entries,
                       StringRef manifest) {
  MLIRContext *context = lowering.getContext();
  OpBuilder builder = OpBuilder::atBlockEnd(lowering.getModule().getBody());
  Location loc = lowering.getModule().getLoc();
  Type pointer = lowering.getPointerType(), i32 = builder.getI32Type();
  auto entryType = LLVM::LLVMStructType::getLiteral(context, {pointer, pointer});
  auto tableType = LLVM::LLVMArrayType::get(entryType, entries.size());
  auto moduleType =
      LLVM::LLVMStructType::getLiteral(context, {i32, i32, pointer, pointer, i32, pointer});
  SmallVector<LLVM::GlobalOp> names;
  for (const std::string &entry : entries)
    names.push_back(createString(builder, loc, "tprt.name." + entry, entry));
  LLVM::GlobalOp text = createString(builder, loc, "tprt.manifest", manifest);
  auto insert = [&](OpBuilder &b, Value into, Value value, ArrayRef<int64_t> position) {
    return LLVM::InsertValueOp::create(b, loc, into, value, position);
  };
  LLVM::GlobalOp table = createGlobal(
      builder, loc, tableType, LLVM::Linkage::Internal, "tprt.entries", [&](OpBuilder &b) -> Value {
        Value value = LLVM::UndefOp::create(b, loc, tableType);
        for (auto [i, entry] : llvm::enumerate(entries)) {
          Value name = LLVM::AddressOfOp::create(b, loc, names[i]);
          Value function = LLVM::AddressOfOp::create(b, loc, pointer, getEntryName(entry));
          value = insert(b, value, name, {int64_t(i), 0});
          value = insert(b, value, function, {int64_t(i), 1});
        }
        return value;
      });
  // What is made of the kernels is known when machine code is.
  auto images = lowering.getModule()->getAttrOfType<ArrayAttr>(rt::kImagesAttr);
  size_t numImages = images ? images.size() : 0;
  if (numImages)
    LLVM::GlobalOp::create(builder, loc, pointer, /*isConstant=*/true, LLVM::Linkage::External,
                           rt::kImageTable, Attribute());
  createGlobal(builder, loc, moduleType, LLVM::Linkage::External, TPRT_MODULE_SYMBOL,
               [&](OpBuilder &b) -> Value {
                 Value value = LLVM::UndefOp::create(b, loc, moduleType);
                 value = insert(b, value, lowering.constant(b, loc, TPRT_ABI_VERSION, 32), {0});
                 value = insert(b, value, lowering.constant(b, loc, entries.size(), 32), {1});
                 value = insert(b, value, LLVM::AddressOfOp::create(b, loc, table), {2});
                 value = insert(b, value, LLVM::AddressOfOp::create(b, loc, text), {3});
                 value = insert(b, value, lowering.constant(b, loc, numImages, 32), {4});
                 Value images = numImages
                                    ? LLVM::AddressOfOp::create(b, loc, pointer, rt::kImageTable)
                                    : LLVM::ZeroOp::create(b, loc, pointer).getResult();
                 return insert(b, value, images, {5});
               });
}

/// Fails where the type cannot be a bare pointer or a scalar.
LogicalResult verifyParameter(func::FuncOp function, Type type) {
  if (isa<IntegerType, IndexType, FloatType>(type))
    return success();
  SmallVector<int64_t> strides;
  int64_t offset;
  auto memref = dyn_cast<MemRefType>(type);
  // A memref without elements has no strides.
  if (memref && memref.hasStaticShape() && memref.getLayout().isIdentity())
    return success();
  if (memref && memref.hasStaticShape() && succeeded(memref.getStridesAndOffset(strides, offset)) &&
      !ShapedType::isDynamic(offset) && llvm::none_of(strides, ShapedType::isDynamic))
    return success();
  return function.emitError("takes scalars and memrefs of static shape and layout, found ") << type;
}

/// What tp-results-to-destinations writes.
LogicalResult verifyEntry(func::FuncOp entry) {
  if (entry.isExternal() || entry.getNumResults() != 0)
    return entry.emitError("an entry has a body and returns nothing");
  auto results = entry->getAttrOfType<ArrayAttr>(rt::kResultsAttr);
  if (!results)
    return entry.emitError("an entry describes its results in ") << rt::kResultsAttr;
  for (Attribute result : results) {
    auto description = dyn_cast<DictionaryAttr>(result);
    if (!description || !description.getAs<TypeAttr>("type"))
      return entry.emitError() << rt::kResultsAttr << " needs the type of each result, found "
                               << result;
  }
  for (auto [i, type] : llvm::enumerate(entry.getArgumentTypes())) {
    Attribute number = entry.getArgAttr(i, rt::kResultAttr);
    auto integer = dyn_cast_or_null<IntegerAttr>(number);
    if (number && (!integer || integer.getInt() < 0 || integer.getInt() >= int64_t(results.size())))
      return entry.emitError("argument ") << i << ": " << rt::kResultAttr << " must be one of "
                                          << results.size() << " results, found " << number;
    if (failed(verifyParameter(entry, type)))
      return failure();
  }
  return success();
}

LogicalResult verifyKernel(func::FuncOp kernel) {
  ArrayRef<Type> types = kernel.getArgumentTypes();
  if (kernel->hasAttr(rt::kDeviceAttr)) {
    if (kernel.isExternal() || kernel.getNumResults() != 0)
      return kernel.emitError("a kernel of a device has a body and returns nothing");
  } else if (kernel.isExternal() || kernel.getNumResults() != 0 || types.size() < 2 ||
             !types[0].isIndex() || !types[1].isIndex())
    return kernel.emitError("a kernel has a body, takes (index, index, ...) and returns nothing");
  for (Type type : types)
    if (failed(verifyParameter(kernel, type)))
      return failure();
  return success();
}

struct ConvertRTToLLVMPass : tp::impl::ConvertRTToLLVMPassBase<ConvertRTToLLVMPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    SmallVector<func::FuncOp> kernels, entries;
    for (auto function : module.getOps<func::FuncOp>()) {
      if (function->hasAttr(rt::kEntryAttr))
        entries.push_back(function);
      else if (function->hasAttr(rt::kKernelAttr))
        kernels.push_back(function);
    }
    for (func::FuncOp entry : entries)
      if (failed(verifyEntry(entry)))
        return signalPassFailure();
    for (func::FuncOp kernel : kernels)
      if (failed(verifyKernel(kernel)))
        return signalPassFailure();
    LowerToLLVMOptions options(&getContext());
    LLVMTypeConverter types(&getContext(), options);
    Lowering lowering(module, types);
    FailureOr<std::string> manifest = buildManifest(module, lowering.getOperations());
    if (failed(manifest))
      return signalPassFailure();
    SmallVector<std::string> names;
    for (func::FuncOp entry : entries)
      names.push_back(entry.getName().str());
    llvm::StringMap<int32_t> threads;
    module.walk([&](rt::LaunchOp launch) {
      int32_t &most = threads[launch.getKernel()];
      most = std::max<int32_t>(most, launch.getThreads());
    });
    for (func::FuncOp kernel : kernels) {
      if (kernel->hasAttr(rt::kDeviceAttr))
        convertDeviceKernel(lowering, kernel, std::max(threads.lookup(kernel.getName()), 1));
      else
        convertKernel(lowering, kernel);
    }
    for (func::FuncOp entry : entries)
      if (failed(convertEntry(lowering, entry)))
        return signalPassFailure();
    for (Operation &op : llvm::make_early_inc_range(*module.getBody()))
      if (isa<rt::GroupOp, MeshOp>(op))
        op.erase();
    SmallVector<StringAttr> used;
    for (NamedAttribute attribute : module->getDiscardableAttrs())
      if (isa_and_nonnull<TPDialect>(attribute.getNameDialect()))
        used.push_back(attribute.getName());
    for (StringAttr name : used)
      module->removeDiscardableAttr(name);
    createModuleTable(lowering, names, *manifest);
  }
};

} // namespace
