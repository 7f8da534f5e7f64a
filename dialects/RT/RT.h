//===- RT.h - The rt dialect -----------------------------------*- C++ -*-===//

#ifndef DIALECTS_RT_RT_H
#define DIALECTS_RT_RT_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/InferIntRangeInterface.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "dialects/RT/RTDialect.h.inc"
#include "dialects/RT/RTEnums.h.inc"
#define GET_TYPEDEF_CLASSES
#include "dialects/RT/RTTypes.h.inc"
#define GET_OP_CLASSES
#include "dialects/RT/RTOps.h.inc"

namespace mlir {
namespace tp {
namespace rt {

/// Names of the discardable attributes, see RTDialect.td.
constexpr llvm::StringLiteral kEntryAttr = "rt.entry";
/// Attribute of the LLVM function that an entry becomes.
inline constexpr llvm::StringLiteral kEntryFunctionAttr = "tp-entry";
constexpr llvm::StringLiteral kResultAttr = "rt.result";
constexpr llvm::StringLiteral kResultsAttr = "rt.results";
constexpr llvm::StringLiteral kKernelAttr = "rt.kernel";
constexpr llvm::StringLiteral kDeviceAttr = "rt.device";
/// Of an scf.execute_region whose ops one launch runs, the number of their rows.
constexpr llvm::StringLiteral kRowsAttr = "rt.rows";
constexpr llvm::StringLiteral kImagesAttr = "rt.images";
constexpr llvm::StringLiteral kTF32Attr = "rt.tf32";
/// Symbol, in the LLVM dialect, of the table of what was made of the kernels: declared
/// when entries are lowered, defined with the machine code.
inline constexpr llvm::StringLiteral kImageTable = "tprt_images";
constexpr llvm::StringLiteral kArenaBytesAttr = "rt.arena_bytes";
constexpr llvm::StringLiteral kArenaLiveBytesAttr = "rt.arena_live_bytes";
constexpr llvm::StringLiteral kSymmetricBytesAttr = "rt.symmetric_bytes";

/// What all operations that may fail or that talk write: their order.
struct OrderResource : public SideEffects::Resource::Base<OrderResource> {
  StringRef getName() final { return "rt.order"; }
};

/// The number of `type` in the runtime ABI (tprt_dtype_t), or nothing where it
/// has none.
std::optional<int32_t> getDType(Type type);
/// Bytes that one element takes in a buffer.
int64_t getElementBytes(Type type);
/// Whether the elements lie one after another in row-major order, at any offset.
bool isContiguous(MemRefType type);

/// Kinds of parameters in the library of kernels: a buffer that is read, one that is
/// written, numbers.
enum class KernelParameter { Input, Output, I32, I64, F32 };
/// The parameters of the library's kernel `name` (TPRT_KERNEL of tprt/abi.def); nothing
/// where it has none of that name.
std::optional<ArrayRef<KernelParameter>> getLibraryKernel(StringRef name);
/// Before the name of a kernel: the name of its function.
inline constexpr llvm::StringLiteral kLibraryPrefix = "tprtk_";

/// The kernels of a device, in the order in which they stand in the module.
SmallVector<func::FuncOp> getDeviceKernels(ModuleOp module);

/// What a kernel of rt.launch_check gets before the arguments: the rank's status words,
/// the row of the operation, and the limits.
SmallVector<Type> getCheckParameters(MLIRContext *context);

/// Whether `op` is a collective of this dialect.
bool isCollective(Operation *op);
/// Whether `op` gets a row of the manifest's operations table: collectives,
/// gemm, gemm_fused, parallel_for, launch, read, copy and checks.
bool isNamedOperation(Operation *op);

} // namespace rt
} // namespace tp
} // namespace mlir

#endif // DIALECTS_RT_RT_H
