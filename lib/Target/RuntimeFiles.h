//===- RuntimeFiles.h - Where the parts of the runtime are -----*- C++ -*-===//

#ifndef TP_LIB_TARGET_RUNTIMEFILES_H
#define TP_LIB_TARGET_RUNTIMEFILES_H

#include "mlir/IR/Diagnostics.h"

namespace mlir {
namespace tp {

/// Paths of files of the runtime in `directory`; where that is empty in ../lib beside the
/// running program, as in a build tree or an installation. Emits one error where one is
/// missing.
FailureOr<SmallVector<std::string>> findRuntimeFiles(ArrayRef<StringRef> names, StringRef directory,
                                                     function_ref<InFlightDiagnostic()> emitError);

} // namespace tp
} // namespace mlir

#endif // TP_LIB_TARGET_RUNTIMEFILES_H
