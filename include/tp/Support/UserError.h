//===- UserError.h - A mistake of the user, as a message -------*- C++ -*-===//
//
// What a library reports when the input is wrong and no MLIR location exists:
// files, options, configurations. One message that names the file or option,
// what was expected and what was found; what else helps goes into notes.
//
//===----------------------------------------------------------------------===//

#ifndef TP_SUPPORT_USERERROR_H
#define TP_SUPPORT_USERERROR_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace mlir {
namespace tp {

/// A message and its notes. Logged as `message`, then one `note: ...` per line.
class UserError : public llvm::ErrorInfo<UserError> {
public:
  static char ID;

  UserError(std::string message, std::vector<std::string> notes)
      : message(std::move(message)), notes(std::move(notes)) {}

  void log(llvm::raw_ostream &os) const override;
  std::error_code convertToErrorCode() const override { return llvm::inconvertibleErrorCode(); }

private:
  std::string message;
  std::vector<std::string> notes;
};

/// An error with this message, e.g. `userError(file + ": is not JSON")`.
llvm::Error userError(const llvm::Twine &message, std::vector<std::string> notes = {});

/// Prints `error: ` and the error on `os`; several errors become one, the rest notes.
void printError(llvm::Error error, llvm::raw_ostream &os);

/// Of `candidates` the one that `name` may be a misspelling of, or an empty
/// string when none is near (more than a third of the letters differ).
llvm::StringRef nearestName(llvm::StringRef name, llvm::ArrayRef<llvm::StringRef> candidates);

} // namespace tp
} // namespace mlir

#endif // TP_SUPPORT_USERERROR_H
