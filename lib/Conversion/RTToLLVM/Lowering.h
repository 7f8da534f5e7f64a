//===- Lowering.h - What the parts of rt to LLVM share ---------*- C++ -*-===//

#ifndef TP_CONVERSION_RTTOLLVM_LOWERING_H
#define TP_CONVERSION_RTTOLLVM_LOWERING_H

#include "Manifest.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace mlir {
namespace tp {

// Names of functions; none is one of the C library.
inline std::string getKernelName(StringRef kernel) { return ("kernel." + kernel).str(); }
inline std::string getTaskName(StringRef kernel) { return ("task." + kernel).str(); }
inline std::string getEntryName(StringRef entry) { return ("entry." + entry).str(); }

/// Arguments of a kernel travel as slots of this many bytes.
constexpr int64_t kSlotBytes = 8;

/// The module that is converted, with the numbers of its operations and groups,
/// and how buffers and scalars become LLVM values.
class Lowering {
public:
  Lowering(ModuleOp module, const LLVMTypeConverter &types);

  ModuleOp getModule() const { return module; }
  const LLVMTypeConverter &getTypes() const { return types; }
  const OperationTable &getOperations() const { return operations; }
  /// Row of the manifest's groups table.
  int32_t getGroup(FlatSymbolRefAttr name) const { return groups.lookup(name.getAttr()); }

  /// Row of the manifest's kernels table.
  int32_t getDeviceKernel(FlatSymbolRefAttr name) const {
    return deviceKernels.lookup(name.getAttr());
  }

  MLIRContext *getContext() const { return types.getDialect()->getContext(); }
  Type getPointerType() const { return LLVM::LLVMPointerType::get(getContext()); }

  Value constant(OpBuilder &builder, Location loc, int64_t value, unsigned width) const;
  /// `value` as `type`; upstream's conversions make both ends meet.
  Value convert(OpBuilder &builder, Location loc, Type type, Value value) const;
  /// A memref of static layout over `pointer`.
  Value createMemRef(OpBuilder &builder, Location loc, MemRefType type, Value pointer) const;
  /// The address of the first element.
  Value getPointer(OpBuilder &builder, Location loc, Value memref) const;
  /// Scalars are buffers of one element; i1 takes a byte.
  Value loadScalar(OpBuilder &builder, Location loc, Type type, Value pointer) const;
  void storeScalar(OpBuilder &builder, Location loc, Value value, Value pointer) const;
  /// Address of slot `number` of an array of kSlotBytes each.
  Value getSlot(OpBuilder &builder, Location loc, Value base, unsigned number) const;

private:
  Type getStorageType(Type type) const;

  ModuleOp module;
  const LLVMTypeConverter &types;
  OperationTable operations;
  DenseMap<Attribute, int32_t> groups;        ///< by symbol name
  DenseMap<Attribute, int32_t> deviceKernels; ///< by symbol name
};

/// An internal function with one empty block, before `before`.
LLVM::LLVMFuncOp createFunction(Operation *before, StringRef name, Type result,
                                ArrayRef<Type> parameters);

/// Moves the body of `from` to the end of the first block of `to`: arguments
/// become `replacements`, returns what `createReturn` makes.
void moveBody(func::FuncOp from, LLVM::LLVMFuncOp to, ValueRange replacements,
              llvm::function_ref<void(OpBuilder &, Location)> createReturn);

/// Replaces a kernel by a function of its range, bare pointers and scalars, and a
/// task that unpacks them from slots.
void convertKernel(const Lowering &lowering, func::FuncOp kernel);

/// Replaces a kernel of a device by one of bare pointers and scalars for the device;
/// no launch has more than `threads` threads per block.
void convertDeviceKernel(const Lowering &lowering, func::FuncOp kernel, int32_t threads);

/// Replaces an entry by a function of context and buffers that returns a status.
LogicalResult convertEntry(const Lowering &lowering, func::FuncOp entry);

} // namespace tp
} // namespace mlir

#endif // TP_CONVERSION_RTTOLLVM_LOWERING_H
