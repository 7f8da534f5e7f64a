//===- RunTool.cpp - Programs that make files ------------------------------===//

#include "RunTool.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"

using namespace mlir;
using namespace mlir::tp;

LogicalResult tp::runTool(ArrayRef<std::string> command,
                          function_ref<InFlightDiagnostic()> emitError) {
  SmallString<128> messages;
  if (std::error_code error = llvm::sys::fs::createTemporaryFile("tp-tool", "txt", messages)) {
    InFlightDiagnostic failed = emitError();
    failed.attachNote() << "cannot make a temporary file: " << error.message();
    return failed;
  }
  llvm::scope_exit cleanUp([&] { llvm::sys::fs::remove(messages); });
  SmallVector<StringRef> arguments(command.begin(), command.end());
  std::optional<StringRef> redirects[] = {StringRef(""), messages.str(), messages.str()};
  std::string problem;
  int code = llvm::sys::ExecuteAndWait(command.front(), arguments, std::nullopt, redirects,
                                       /*SecondsToWait=*/0, /*MemoryLimit=*/0, &problem);
  if (code == 0)
    return success();
  InFlightDiagnostic error = emitError();
  if (auto text = llvm::MemoryBuffer::getFile(messages); text && !(*text)->getBuffer().empty())
    error.attachNote() << (*text)->getBuffer().rtrim();
  else
    error.attachNote() << command.front() << ": "
                       << (problem.empty() ? "exit code " + std::to_string(code) : problem);
  return error;
}
