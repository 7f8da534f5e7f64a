//===- ToolError.h - What a tool ends with, as a message -------*- C++ -*-===//
//
// How a library reports a failure where no MLIR location exists: files,
// options, configurations. One message that names the file or option, what was
// expected and what was found; what else helps goes into notes. A tool prints it
// and exits with its status: 1 when values or runs differ that should not, 2 when
// the user's input or usage is wrong, 3 when the run fails otherwise (a full
// disk).
//
//===----------------------------------------------------------------------===//

#ifndef TP_SUPPORT_TOOLERROR_H
#define TP_SUPPORT_TOOLERROR_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace mlir {
namespace tp {

enum class ExitStatus { Success = 0, Different = 1, UserError = 2, RunFailure = 3 };

/// A message, its notes and the exit status that it means. Logged as `message`,
/// then one `note: ...` per line.
class ToolError : public llvm::ErrorInfo<ToolError> {
public:
  static char ID;

  ToolError(ExitStatus status, std::string message, std::vector<std::string> notes)
      : status(status), message(std::move(message)), notes(std::move(notes)) {}

  ExitStatus getStatus() const { return status; }
  void log(llvm::raw_ostream &os) const override;
  std::error_code convertToErrorCode() const override { return llvm::inconvertibleErrorCode(); }

private:
  ExitStatus status;
  std::string message;
  std::vector<std::string> notes;
};

/// The user's input is wrong, e.g. `userError(file + ": is not JSON")`.
llvm::Error userError(const llvm::Twine &message, std::vector<std::string> notes = {});
/// The input is right and the run fails nevertheless.
llvm::Error runFailure(const llvm::Twine &message);

/// Prints `error: ` and the error on `os`; where it holds several, the first is
/// printed so and the others as notes. Returns the first's status, UserError for
/// an error that is no ToolError and Success (nothing is printed) for success.
ExitStatus printError(llvm::Error error, llvm::raw_ostream &os);

/// Of `candidates` the one that `name` may be a misspelling of, or an empty
/// string when none is near (more than a third of the letters differ).
llvm::StringRef nearestName(llvm::StringRef name, llvm::ArrayRef<llvm::StringRef> candidates);

} // namespace tp
} // namespace mlir

#endif // TP_SUPPORT_TOOLERROR_H
