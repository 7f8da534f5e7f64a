//===- Diagnostics.h - What a tool prints when something is wrong ---------===//
//
// A failure is exactly one `error:` line, the first that is reported; what MLIR
// reports after it becomes notes. Remarks and warnings are printed as they are,
// or are errors under --strict.
//
//===----------------------------------------------------------------------===//

#ifndef TP_DRIVER_DIAGNOSTICS_H
#define TP_DRIVER_DIAGNOSTICS_H

#include "mlir/IR/Diagnostics.h"
#include "tp/Support/ToolError.h"
#include "llvm/Support/raw_ostream.h"

namespace mlir {
namespace tp {

/// Prints the diagnostics of a context while it lives, on standard error if nothing
/// else is said.
class ToolDiagnostics {
public:
  ToolDiagnostics(MLIRContext *context, bool strict, llvm::raw_ostream &os = llvm::errs());

  bool hasError() const { return hadError; }
  /// Prints an error without MLIR location, or what is left to say when an error
  /// was printed already. Returns the status to exit with.
  ExitStatus report(llvm::Error error);

private:
  bool strict;
  llvm::raw_ostream &os;
  bool hadError = false;
  ScopedDiagnosticHandler handler;

  LogicalResult handle(Diagnostic &diagnostic);
};

/// What a function fails with when the reason was printed as a diagnostic; `status`
/// is what the tool exits with.
llvm::Error alreadyReported(ExitStatus status = ExitStatus::UserError);

/// From now on, what LLVM aborts the process for, no memory say, is one `error:` line and exit
/// status 3.
void reportFatalErrors();

} // namespace tp
} // namespace mlir

#endif // TP_DRIVER_DIAGNOSTICS_H
