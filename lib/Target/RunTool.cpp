//===- RunTool.cpp - Programs that make files ------------------------------===//

#include "RunTool.h"

#include "tp/Support/TemporaryFile.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"

using namespace mlir;
using namespace mlir::tp;

LogicalResult tp::runTool(ArrayRef<std::string> command,
                          function_ref<InFlightDiagnostic()> emitError) {
  TemporaryFile messages;
  if (std::error_code error = messages.create("tp-tool", "txt")) {
    InFlightDiagnostic failed = emitError();
    failed.attachNote() << "cannot make a temporary file: " << error.message();
    return failed;
  }
  SmallVector<StringRef> arguments(command.begin(), command.end());
  std::optional<StringRef> redirects[] = {StringRef(""), messages.path(), messages.path()};
  std::string problem;
  int code = llvm::sys::ExecuteAndWait(command.front(), arguments, std::nullopt, redirects,
                                       /*SecondsToWait=*/0, /*MemoryLimit=*/0, &problem);
  if (code == 0)
    return success();
  InFlightDiagnostic error = emitError();
  if (auto text = llvm::MemoryBuffer::getFile(messages.path());
      text && !(*text)->getBuffer().empty())
    error.attachNote() << (*text)->getBuffer().rtrim();
  else
    error.attachNote() << command.front() << ": "
                       << (problem.empty() ? "exit code " + std::to_string(code) : problem);
  return error;
}
