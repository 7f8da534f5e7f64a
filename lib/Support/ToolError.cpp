//===- ToolError.cpp -------------------------------------------------------===//

#include "tp/Support/ToolError.h"

#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::tp;

char ToolError::ID = 0;

void ToolError::log(llvm::raw_ostream &os) const {
  os << message;
  for (const std::string &note : notes)
    os << "\nnote: " << note;
}

llvm::Error tp::userError(const llvm::Twine &message, std::vector<std::string> notes) {
  return llvm::make_error<ToolError>(ExitStatus::UserError, message.str(), std::move(notes));
}

llvm::Error tp::runFailure(const llvm::Twine &message) {
  return llvm::make_error<ToolError>(ExitStatus::RunFailure, message.str(),
                                     std::vector<std::string>());
}

ExitStatus tp::printError(llvm::Error error, llvm::raw_ostream &os) {
  ExitStatus status = ExitStatus::Success;
  llvm::handleAllErrors(std::move(error), [&](const llvm::ErrorInfoBase &info) {
    os << (status == ExitStatus::Success ? "error: " : "note: ");
    info.log(os);
    os << '\n';
    if (status == ExitStatus::Success)
      status = info.isA<ToolError>() ? static_cast<const ToolError &>(info).getStatus()
                                     : ExitStatus::UserError;
  });
  return status;
}

llvm::StringRef tp::nearestName(llvm::StringRef name, llvm::ArrayRef<llvm::StringRef> candidates) {
  unsigned best = name.size() / 3 + 1;
  llvm::StringRef nearest;
  for (llvm::StringRef candidate : candidates) {
    unsigned distance = name.edit_distance(candidate, /*AllowReplacements=*/true, best);
    if (distance < best) {
      best = distance;
      nearest = candidate;
    }
  }
  return nearest;
}
