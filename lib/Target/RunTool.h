//===- RunTool.h - Programs that make files ---------------------*- C++ -*-===//

#ifndef TP_LIB_TARGET_RUNTOOL_H
#define TP_LIB_TARGET_RUNTOOL_H

#include "mlir/IR/Diagnostics.h"

namespace mlir {
namespace tp {

/// Runs a program with its arguments. Where it fails, what it prints is one note to the
/// error of `emitError`.
LogicalResult runTool(ArrayRef<std::string> command, function_ref<InFlightDiagnostic()> emitError);

} // namespace tp
} // namespace mlir

#endif // TP_LIB_TARGET_RUNTOOL_H
