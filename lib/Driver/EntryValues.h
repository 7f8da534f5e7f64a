//===- EntryValues.h - An entry's arguments, as the runtime sees them ------===//

#ifndef LIB_DRIVER_ENTRYVALUES_H
#define LIB_DRIVER_ENTRYVALUES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "tprt/manifest.h"
#include "llvm/Support/Error.h"

namespace mlir {
namespace tp {

/// The public function of this name, or the only one where `name` is empty.
/// Fails, naming `file`, when there is none or a choice.
llvm::Expected<func::FuncOp> findEntry(ModuleOp module, StringRef name, StringRef file);

/// Makes the other public functions private, so that only what the entry calls is
/// compiled.
void keepOnlyEntry(func::FuncOp entry);

/// The runtime's number of an element type, or -1.
int32_t getRuntimeType(Type type);

/// The arguments of an unsharded function: names (`ENTRY.argN` where they have
/// none), kinds, types, global shapes and sources; no blocks. Fails with a
/// diagnostic at an argument of a type that cannot be given from outside.
llvm::Expected<std::vector<tprt::ValueInfo>> describeArguments(func::FuncOp entry);

/// Which argument a result is the new value of, or -1.
int64_t getAliasedArgument(func::FuncOp entry, unsigned result);

/// Takes the mesh and all annotations of shardings off a program.
void removeShardings(ModuleOp module);

/// Whether the function computes no floating-point number, so that its results
/// are the same bits however it is partitioned. Needs its calls inlined and its
/// shardings set.
bool onlyMovesData(func::FuncOp entry);

} // namespace tp
} // namespace mlir

#endif // LIB_DRIVER_ENTRYVALUES_H
