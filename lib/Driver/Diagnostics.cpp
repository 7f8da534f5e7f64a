//===- Diagnostics.cpp - What a tool prints when something is wrong --------===//

#include "tp/Driver/Diagnostics.h"

#include "tp/Support/LocationText.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>
#include <cstring>

using namespace mlir;
using namespace mlir::tp;

namespace {
/// Stands for a diagnostic that was printed.
class ReportedError : public llvm::ErrorInfo<ReportedError> {
public:
  static char ID;
  explicit ReportedError(ExitStatus status) : status(status) {}

  ExitStatus status;

  void log(llvm::raw_ostream &os) const override { os << "reported before"; }
  std::error_code convertToErrorCode() const override { return llvm::inconvertibleErrorCode(); }
};
} // namespace

char ReportedError::ID = 0;

llvm::Error tp::alreadyReported(ExitStatus status) {
  return llvm::make_error<ReportedError>(status);
}

void tp::reportFatalErrors() {
  llvm::install_bad_alloc_error_handler([](void *, const char *, bool) {
    llvm::errs() << "error: out of memory\n";
    llvm::sys::RunInterruptHandlers();
    std::_Exit(static_cast<int>(ExitStatus::RunFailure));
  });
  llvm::install_fatal_error_handler([](void *, const char *reason, bool) {
    llvm::errs() << "error: LLVM cannot go on: " << toOneLine(reason);
    llvm::errs() << '\n';
    llvm::sys::RunInterruptHandlers();
    std::_Exit(static_cast<int>(ExitStatus::RunFailure));
  });
}

/// A note can quote another program, a linker say, but there is one `error:`.
static std::string quote(std::string text) {
  for (size_t at = 0; (at = text.find("error:", at)) != std::string::npos;)
    text.erase(at + strlen("error"), 1);
  return text;
}

/// What MLIR says of a dialect that it does not know ends in advice for other tools.
static std::string withOurAdvice(std::string message) {
  StringRef text = message;
  size_t advice = text.find(". If this is intended, please");
  if (!text.contains("unregistered dialect") && !text.contains("not found for custom op"))
    return message;
  return text.take_front(advice).rtrim().str() +
         "; convert the program to linalg, tensor, arith, math, scf and func first";
}

static void printLine(llvm::raw_ostream &os, Location loc, StringRef severity,
                      const Twine &message) {
  std::string place = getLocationText(loc);
  if (!place.empty())
    os << place << ": ";
  os << severity << ": " << message << '\n';
}

ToolDiagnostics::ToolDiagnostics(MLIRContext *context, bool strict, llvm::raw_ostream &os)
    : strict(strict), os(os),
      handler(context, [this](Diagnostic &diagnostic) { return handle(diagnostic); }) {}

LogicalResult ToolDiagnostics::handle(Diagnostic &diagnostic) {
  bool isError = diagnostic.getSeverity() == DiagnosticSeverity::Error;
  std::string message = diagnostic.str();
  if (!isError && strict && diagnostic.getSeverity() == DiagnosticSeverity::Remark) {
    isError = true;
    message += ", and --strict is given";
  }
  StringRef severity = "note";
  if (isError && !hadError)
    severity = "error";
  else if (!isError && diagnostic.getSeverity() == DiagnosticSeverity::Remark)
    severity = "remark";
  else if (diagnostic.getSeverity() == DiagnosticSeverity::Warning)
    severity = "warning";
  hadError |= isError;
  printLine(os, diagnostic.getLocation(), severity, quote(withOurAdvice(std::move(message))));
  for (Diagnostic &note : diagnostic.getNotes())
    printLine(os, note.getLocation(), "note", quote(note.str()));
  return success();
}

ExitStatus ToolDiagnostics::report(llvm::Error error) {
  ExitStatus status = ExitStatus::Success;
  error = llvm::handleErrors(std::move(error),
                             [&](const ReportedError &reported) { status = reported.status; });
  if (!error)
    return status;
  if (!hadError)
    return printError(std::move(error), os);
  // The one error was printed, this is what followed from it.
  llvm::handleAllErrors(std::move(error), [&](const llvm::ErrorInfoBase &info) {
    os << "note: " << quote(info.message()) << '\n';
  });
  return ExitStatus::UserError;
}
