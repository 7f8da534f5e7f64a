//===- UserError.cpp -------------------------------------------------------===//

#include "tp/Support/UserError.h"

#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::tp;

char UserError::ID = 0;

void UserError::log(llvm::raw_ostream &os) const {
  os << message;
  for (const std::string &note : notes)
    os << "\nnote: " << note;
}

llvm::Error tp::userError(const llvm::Twine &message, std::vector<std::string> notes) {
  return llvm::make_error<UserError>(message.str(), std::move(notes));
}

void tp::printError(llvm::Error error, llvm::raw_ostream &os) {
  const char *prefix = "error: ";
  llvm::handleAllErrors(std::move(error), [&](const llvm::ErrorInfoBase &info) {
    os << prefix;
    info.log(os);
    os << '\n';
    prefix = "note: ";
  });
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
