//===- CompileModule.cpp - Text to a loaded module -------------------------===//

#include "CompileModule.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "tp/Driver/Registration.h"
#include "tp/Pipelines/CPU.h"
#include "tp/Support/OutputFile.h"
#include "tp/Target/CPU.h"
#include "llvm/Support/FileSystem.h"

using namespace mlir;

std::string compileModule(const std::string &text, const std::string &path,
                          const std::string &cpu) {
  DialectRegistry registry;
  tp::registerDialects(registry);
  MLIRContext context(registry);
  context.loadAllAvailableDialects();
  std::string messages;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    llvm::raw_string_ostream(messages) << diagnostic.getLocation() << ": " << diagnostic << "\n";
    return success();
  });
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context, "test.mlir");
  if (!module)
    return "does not parse: " + messages;
  PassManager pm(&context);
  tp::buildCommToRTPipeline(pm, {});
  tp::buildRTToLLVMPipeline(pm);
  std::string object = path + ".o";
  auto emitError = [&] { return module->emitError(); };
  if (failed(pm.run(*module)))
    return "failed: " + messages;
  auto code = tp::emitObject(*module, {cpu});
  if (failed(code))
    return "failed: " + messages;
  if (llvm::Error error = tp::writeOutputFile(object, StringRef(code->data(), code->size())))
    return llvm::toString(std::move(error));
  bool done = succeeded(tp::linkSharedObject(object, path, emitError));
  llvm::sys::fs::remove(object);
  return done ? "" : "failed: " + messages;
}
