//===- tp-import.cpp - Hugging Face directory to model IR -----------------===//

#include "Options.h"
#include "tp/Support/OutputFile.h"
#include "tp/Support/ToolError.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/InitLLVM.h"

using namespace mlir;

static llvm::Error run(int argc, char **argv) {
  auto commandLine = tp::parseCommandLine(argc, argv);
  if (!commandLine)
    return commandLine.takeError();
  if (!*commandLine)
    return llvm::Error::success();
  DialectRegistry registry;
  tp::registerImportDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  ScopedDiagnosticHandler remarks(&context, [](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() != DiagnosticSeverity::Remark)
      return failure();
    llvm::errs() << "remark: " << diagnostic.str() << '\n';
    return success();
  });
  llvm::Expected<OwningOpRef<ModuleOp>> module = tp::importModel((*commandLine)->import, &context);
  if (!module)
    return module.takeError();
  return tp::writeOutputFile((*commandLine)->output, tp::printModel(**module));
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  return static_cast<int>(tp::printError(run(argc, argv), llvm::errs()));
}
