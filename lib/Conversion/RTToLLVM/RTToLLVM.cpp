//===- RTToLLVM.cpp - Calls of the runtime ---------------------------------===//
//
// Entries become functions of (context, buffers) that test the status of every
// call and leave with it at the first failure; kernels become functions of bare
// pointers, each behind one that unpacks its arguments. Everything else in them
// (loads, stores, arithmetic) is left to upstream's conversions.
//
//===----------------------------------------------------------------------===//

#include "Manifest.h"
#include "RuntimeABI.h"
#include "dialects/TP/TP.h"
#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "tp/Conversion/Passes.h"
#include "tprt/tprt.h"
#include "llvm/ADT/TypeSwitch.h"

namespace mlir::tp {
#define GEN_PASS_DEF_CONVERTRTTOLLVMPASS
#include "tp/Conversion/Passes.h.inc"
} // namespace mlir::tp

using namespace mlir;
using namespace mlir::tp;

namespace {

/// Arguments of a kernel travel as slots of this many bytes.
constexpr int64_t kSlotBytes = 8;

// Names that no function of the C library has.
std::string getKernelName(StringRef kernel) { return ("kernel." + kernel).str(); }
std::string getTaskName(StringRef kernel) { return ("task." + kernel).str(); }
std::string getEntryName(StringRef entry) { return ("entry." + entry).str(); }

/// What all parts of the conversion need.
struct Lowering {
  mutable ModuleOp module;
  const LLVMTypeConverter &types;
  OperationTable operations;
  DenseMap<Attribute, int32_t> groups; ///< by symbol name

  Lowering(ModuleOp module, const LLVMTypeConverter &types)
      : module(module), types(types), operations(module) {
    for (auto [number, group] : llvm::enumerate(module.getOps<rt::GroupOp>()))
      groups[group.getSymNameAttr()] = number;
  }

  MLIRContext *context() const { return module.getContext(); }
  Type pointerType() const { return LLVM::LLVMPointerType::get(context()); }

  Value constant(OpBuilder &builder, Location loc, int64_t value, unsigned width) const {
    return LLVM::ConstantOp::create(builder, loc, builder.getIntegerType(width), value);
  }

  Value cast(OpBuilder &builder, Location loc, Type type, Value value) const {
    if (value.getType() == type)
      return value;
    return UnrealizedConversionCastOp::create(builder, loc, type, value).getResult(0);
  }

  /// A memref over `pointer`.
  Value createMemRef(OpBuilder &builder, Location loc, MemRefType type, Value pointer) const {
    Value descriptor = MemRefDescriptor::fromStaticShape(builder, loc, types, type, pointer);
    return cast(builder, loc, type, descriptor);
  }

  /// The address of the first element.
  Value getPointer(OpBuilder &builder, Location loc, Value memref) const {
    auto type = mlir::cast<MemRefType>(memref.getType());
    MemRefDescriptor descriptor(cast(builder, loc, types.convertType(type), memref));
    return descriptor.bufferPtr(builder, loc, types, type);
  }

  /// The type in memory of a scalar that is passed as a buffer of one element.
  Type getStorageType(Type type) const {
    Type converted = types.convertType(type);
    return converted.isInteger(1) ? IntegerType::get(context(), 8) : converted;
  }

  Value loadScalar(OpBuilder &builder, Location loc, Type type, Value pointer) const {
    Type storage = getStorageType(type), converted = types.convertType(type);
    Value value = LLVM::LoadOp::create(builder, loc, storage, pointer);
    if (storage != converted)
      value = LLVM::TruncOp::create(builder, loc, converted, value);
    return cast(builder, loc, type, value);
  }

  void storeScalar(OpBuilder &builder, Location loc, Value value, Value pointer) const {
    Type storage = getStorageType(value.getType());
    Value converted = cast(builder, loc, types.convertType(value.getType()), value);
    if (converted.getType() != storage)
      converted = LLVM::ZExtOp::create(builder, loc, storage, converted);
    LLVM::StoreOp::create(builder, loc, converted, pointer);
  }

  Value getSlot(OpBuilder &builder, Location loc, Value base, unsigned number) const {
    if (number == 0)
      return base;
    return LLVM::GEPOp::create(builder, loc, pointerType(), builder.getI64Type(), base,
                               ArrayRef<LLVM::GEPArg>{int32_t(number)});
  }
};

/// An internal function with one empty block.
LLVM::LLVMFuncOp createFunction(Operation *before, StringRef name, Type result,
                                ArrayRef<Type> parameters) {
  OpBuilder builder(before);
  auto function = LLVM::LLVMFuncOp::create(builder, before->getLoc(), name,
                                           LLVM::LLVMFunctionType::get(result, parameters),
                                           LLVM::Linkage::Internal, /*dsoLocal=*/true);
  function.addEntryBlock(builder);
  return function;
}

/// Moves the body of `from` into `to`, whose first block has the replacements of
/// the arguments, and replaces returns with `createReturn`.
void moveBody(func::FuncOp from, LLVM::LLVMFuncOp to, ValueRange replacements,
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

/// @kernel(begin, end, pointers and scalars) and @kernel.task(slots, begin, end).
void convertKernel(const Lowering &lowering, func::FuncOp kernel) {
  MLIRContext *context = lowering.context();
  Type i64 = IntegerType::get(context, 64), pointer = lowering.pointerType();
  Type none = LLVM::LLVMVoidType::get(context);
  SmallVector<Type> parameters = {i64, i64};
  ArrayRef<Type> kernelTypes = kernel.getArgumentTypes();
  for (Type type : kernelTypes.drop_front(2))
    parameters.push_back(isa<MemRefType>(type) ? pointer : lowering.types.convertType(type));
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
      replacements.push_back(lowering.cast(builder, loc, type, argument));
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
      arguments.push_back(lowering.cast(
          builder, loc, type, lowering.loadScalar(builder, loc, kernelTypes[i + 2], slot)));
  }
  LLVM::CallOp::create(builder, loc, body, arguments);
  LLVM::ReturnOp::create(builder, loc, ValueRange());
  kernel.erase();
}

/// Replaces the rt operations of one entry by calls.
class EntryConverter {
public:
  EntryConverter(Lowering &lowering, LLVM::LLVMFuncOp function)
      : lowering(lowering), function(function), context(function.getArgument(0)) {}

  LogicalResult convert() {
    SmallVector<Operation *> ops;
    function.walk([&](Operation *op) {
      if (isa<rt::RTDialect>(op->getDialect()))
        ops.push_back(op);
    });
    for (Operation *op : ops)
      if (failed(convert(op)))
        return failure();
    return success();
  }

private:
  using Arguments = SmallVector<Value>;

  LogicalResult convert(Operation *op) {
    OpBuilder builder(op);
    Location loc = op->getLoc();
    auto i32 = [&](int64_t value) { return lowering.constant(builder, loc, value, 32); };
    auto i64 = [&](int64_t value) { return lowering.constant(builder, loc, value, 64); };
    auto pointer = [&](Value memref) { return lowering.getPointer(builder, loc, memref); };
    auto stream = [&] { return i32(0); };
    auto number = [&] { return i32(lowering.operations.getNumber(op)); };
    auto group = [&](FlatSymbolRefAttr name) {
      return i32(lowering.groups.lookup(name.getAttr()));
    };
    auto dtype = [&](Value memref) {
      return i32(*rt::getDType(getElementTypeOrSelf(memref.getType())));
    };
    return llvm::TypeSwitch<Operation *, LogicalResult>(op)
        .Case([&](rt::CoordinateOp o) {
          return query(op, "coordinate", {context, i32(o.getAxis())});
        })
        .Case([&](rt::ArenaOp o) {
          Value base = emitCall(builder, loc, "arena", {context});
          o.replaceAllUsesWith(
              lowering.createMemRef(builder, loc, cast<MemRefType>(o.getType()), base));
          o.erase();
          return success();
        })
        .Case([&](rt::AllReduceOp o) {
          Value buffer = pointer(o.getBuffer());
          return call(op, "all_reduce",
                      {context, stream(), number(), group(o.getGroupAttr()),
                       i32(int64_t(o.getKind())), dtype(o.getBuffer()), buffer, buffer,
                       i64(count(o.getBuffer()))});
        })
        .Case([&](rt::AllGatherOp o) {
          auto [outer, inner] = splitAt(o.getSrc(), o.getDim());
          return call(op, "all_gather",
                      {context, stream(), number(), group(o.getGroupAttr()), dtype(o.getSrc()),
                       pointer(o.getSrc()), pointer(o.getDst()), i64(outer), i64(inner)});
        })
        .Case([&](rt::ReduceScatterOp o) {
          auto [outer, inner] = splitAt(o.getDst(), o.getDim());
          return call(op, "reduce_scatter",
                      {context, stream(), number(), group(o.getGroupAttr()),
                       i32(int64_t(o.getKind())), dtype(o.getSrc()), pointer(o.getSrc()),
                       pointer(o.getDst()), i64(outer), i64(inner)});
        })
        .Case([&](rt::AllToAllOp o) {
          int64_t k = cast<MemRefType>(o.getSrc().getType()).getDimSize(0);
          return call(op, "all_to_all",
                      {context, stream(), number(), group(o.getGroupAttr()), dtype(o.getSrc()),
                       pointer(o.getSrc()), pointer(o.getDst()), i64(count(o.getSrc()) / k)});
        })
        .Case([&](rt::PermuteOp o) {
          Value sources = createTable(builder, loc, o.getSources());
          return call(op, "permute",
                      {context, stream(), number(), group(o.getGroupAttr()), dtype(o.getSrc()),
                       pointer(o.getSrc()), pointer(o.getDst()), i64(count(o.getSrc())), sources});
        })
        .Case([&](rt::GemmOp o) {
          return call(op, "gemm",
                      {context,
                       stream(),
                       number(),
                       dtype(o.getA()),
                       dtype(o.getB()),
                       dtype(o.getC()),
                       i32(o.getTransA()),
                       i32(o.getTransB()),
                       i64(o.getM()),
                       i64(o.getN()),
                       i64(o.getK()),
                       pointer(o.getA()),
                       i64(o.getLda()),
                       i64(o.getStrideA()),
                       pointer(o.getB()),
                       i64(o.getLdb()),
                       i64(o.getStrideB()),
                       pointer(o.getC()),
                       i64(o.getLdc()),
                       i64(o.getStrideC()),
                       i64(o.getBatch()),
                       i32(o.getAccumulate())});
        })
        .Case([&](rt::ParallelForOp o) {
          Value task = LLVM::AddressOfOp::create(builder, loc, lowering.pointerType(),
                                                 getTaskName(o.getKernel()));
          Value slots = packArguments(builder, o);
          return call(op, "parallel_for",
                      {context, stream(), task, slots, i64(o.getRange()), i64(o.getGrain())});
        })
        .Case([&](rt::CheckIndexOp o) {
          Value value = lowering.cast(builder, loc, builder.getI64Type(), o.getValue());
          return call(op, "check_index",
                      {context, number(), value, i64(o.getLower()), i64(o.getUpper())});
        })
        .Default([](Operation *other) { return other->emitError("has no lowering to LLVM"); });
  }

  static int64_t count(Value memref) { return cast<MemRefType>(memref.getType()).getNumElements(); }

  /// Elements before and from dimension `dim` on.
  static std::pair<int64_t, int64_t> splitAt(Value memref, int64_t dim) {
    int64_t outer = 1, inner = 1;
    for (auto [i, size] : llvm::enumerate(cast<MemRefType>(memref.getType()).getShape()))
      (int64_t(i) < dim ? outer : inner) *= size;
    return {outer, inner};
  }

  Value emitCall(OpBuilder &builder, Location loc, StringRef name, const Arguments &arguments) {
    LLVM::LLVMFuncOp callee = declareRuntimeFunction(lowering.module, name);
    return LLVM::CallOp::create(builder, loc, callee, arguments).getResult();
  }

  LogicalResult query(Operation *op, StringRef name, const Arguments &arguments) {
    OpBuilder builder(op);
    Value result = emitCall(builder, op->getLoc(), name, arguments);
    op->getResult(0).replaceAllUsesWith(
        lowering.cast(builder, op->getLoc(), op->getResult(0).getType(), result));
    op->erase();
    return success();
  }

  /// The call in place of `op`; the function goes on only when it succeeds.
  LogicalResult call(Operation *op, StringRef name, const Arguments &arguments) {
    OpBuilder builder(op);
    Location loc = op->getLoc();
    Value status = emitCall(builder, loc, name, arguments);
    Block *block = op->getBlock();
    Block *rest = block->splitBlock(op);
    builder.setInsertionPointToEnd(block);
    Value isFailure = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne, status,
                                           lowering.constant(builder, loc, 0, 32));
    LLVM::CondBrOp::create(builder, loc, isFailure, getExit(), ValueRange(status), rest,
                           ValueRange());
    op->erase();
    return success();
  }

  /// The block that returns the status it gets.
  Block *getExit() {
    if (exit)
      return exit;
    OpBuilder builder(lowering.context());
    Location loc = function.getLoc();
    exit = builder.createBlock(&function.getBody(), function.getBody().end(), builder.getI32Type(),
                               loc);
    LLVM::ReturnOp::create(builder, loc, exit->getArgument(0));
    return exit;
  }

  /// One block of slots at the start of the entry serves all calls: each is done
  /// with it when it returns.
  Value packArguments(OpBuilder &builder, rt::ParallelForOp op) {
    Location loc = op.getLoc();
    if (!slots) {
      unsigned most = 1;
      function.walk([&](rt::ParallelForOp other) {
        most = std::max<unsigned>(most, other.getArguments().size());
      });
      OpBuilder start = OpBuilder::atBlockBegin(&function.getBody().front());
      slots = LLVM::AllocaOp::create(start, loc, lowering.pointerType(), start.getI64Type(),
                                     lowering.constant(start, loc, most, 64), kSlotBytes);
    }
    for (auto [i, argument] : llvm::enumerate(op.getArguments())) {
      Value slot = lowering.getSlot(builder, loc, slots, i);
      if (isa<MemRefType>(argument.getType()))
        LLVM::StoreOp::create(builder, loc, lowering.getPointer(builder, loc, argument), slot);
      else
        lowering.storeScalar(builder, loc, argument, slot);
    }
    return slots;
  }

  /// A constant I32 array.
  Value createTable(OpBuilder &builder, Location loc, ArrayRef<int32_t> values) {
    OpBuilder atModule = OpBuilder::atBlockBegin(lowering.module.getBody());
    auto type = LLVM::LLVMArrayType::get(builder.getI32Type(), values.size());
    std::string name;
    for (unsigned i = 0; name.empty() || lowering.module.lookupSymbol(name); ++i)
      name = "tprt.permutation." + std::to_string(i);
    auto data = DenseElementsAttr::get(
        RankedTensorType::get({int64_t(values.size())}, builder.getI32Type()), values);
    auto global = LLVM::GlobalOp::create(atModule, loc, type, /*isConstant=*/true,
                                         LLVM::Linkage::Internal, name, data);
    return LLVM::AddressOfOp::create(builder, loc, global);
  }

  Lowering &lowering;
  LLVM::LLVMFuncOp function;
  Value context;
  Value slots;
  Block *exit = nullptr;
};

/// tprt_status_t entry(tprt_context_t *ctx, void *const *buffers).
LogicalResult convertEntry(Lowering &lowering, func::FuncOp entry) {
  MLIRContext *context = lowering.context();
  Type pointer = lowering.pointerType(), i32 = IntegerType::get(context, 32);
  auto function = createFunction(entry, getEntryName(entry.getName()), i32, {pointer, pointer});
  OpBuilder builder = OpBuilder::atBlockEnd(&function.getBody().front());
  Location loc = entry.getLoc();
  // Destinations of results follow the arguments; a result without one has an
  // empty slot there.
  int64_t numArguments = 0;
  for (unsigned i = 0; i < entry.getNumArguments(); ++i)
    numArguments += !entry.getArgAttr(i, rt::kResultAttr);
  SmallVector<Value> replacements;
  for (auto [i, type] : llvm::enumerate(entry.getArgumentTypes())) {
    auto result = entry.getArgAttrOfType<IntegerAttr>(i, rt::kResultAttr);
    Value slot = lowering.getSlot(builder, loc, function.getArgument(1),
                                  result ? numArguments + result.getInt() : i);
    Value buffer = LLVM::LoadOp::create(builder, loc, pointer, slot);
    if (auto memref = dyn_cast<MemRefType>(type))
      replacements.push_back(lowering.createMemRef(builder, loc, memref, buffer));
    else
      replacements.push_back(lowering.loadScalar(builder, loc, type, buffer));
  }
  moveBody(entry, function, replacements, [&](OpBuilder &b, Location at) {
    LLVM::ReturnOp::create(b, at, lowering.constant(b, at, TPRT_OK, 32));
  });
  entry.erase();
  return EntryConverter(lowering, function).convert();
}

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
  MLIRContext *context = lowering.context();
  OpBuilder builder = OpBuilder::atBlockEnd(lowering.module.getBody());
  Location loc = lowering.module.getLoc();
  Type pointer = lowering.pointerType(), i32 = builder.getI32Type();
  auto entryType = LLVM::LLVMStructType::getLiteral(context, {pointer, pointer});
  auto tableType = LLVM::LLVMArrayType::get(entryType, entries.size());
  auto moduleType = LLVM::LLVMStructType::getLiteral(context, {i32, i32, pointer, pointer});
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
  createGlobal(builder, loc, moduleType, LLVM::Linkage::External, TPRT_MODULE_SYMBOL,
               [&](OpBuilder &b) -> Value {
                 Value value = LLVM::UndefOp::create(b, loc, moduleType);
                 value = insert(b, value, lowering.constant(b, loc, TPRT_ABI_VERSION, 32), {0});
                 value = insert(b, value, lowering.constant(b, loc, entries.size(), 32), {1});
                 value = insert(b, value, LLVM::AddressOfOp::create(b, loc, table), {2});
                 return insert(b, value, LLVM::AddressOfOp::create(b, loc, text), {3});
               });
}

struct ConvertRTToLLVMPass : tp::impl::ConvertRTToLLVMPassBase<ConvertRTToLLVMPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    LowerToLLVMOptions options(&getContext());
    LLVMTypeConverter types(&getContext(), options);
    Lowering lowering(module, types);
    FailureOr<std::string> manifest = buildManifest(module, lowering.operations);
    if (failed(manifest))
      return signalPassFailure();
    SmallVector<func::FuncOp> kernels, entries;
    for (auto function : module.getOps<func::FuncOp>()) {
      if (function->hasAttr(rt::kEntryAttr))
        entries.push_back(function);
      else if (function->hasAttr(rt::kKernelAttr))
        kernels.push_back(function);
    }
    SmallVector<std::string> names;
    for (func::FuncOp entry : entries)
      names.push_back(entry.getName().str());
    for (func::FuncOp kernel : kernels)
      convertKernel(lowering, kernel);
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
