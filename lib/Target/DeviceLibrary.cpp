//===- DeviceLibrary.cpp - Functions of the library of kernels -------------===//

#include "DeviceLibrary.h"

#include "RuntimeFiles.h"

#include "dialects/RT/RT.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace mlir::tp;

void tp::linkInternally(llvm::Module &code, std::unique_ptr<llvm::Module> library) {
  library->setDataLayout(code.getDataLayout());
  library->setTargetTriple(code.getTargetTriple());
  bool failed =
      llvm::Linker::linkModules(code, std::move(library), llvm::Linker::LinkOnlyNeeded,
                                [](llvm::Module &linked, const llvm::StringSet<> &names) {
                                  for (llvm::StringRef name : names.keys()) {
                                    llvm::GlobalValue *value = linked.getNamedValue(name);
                                    if (value && !value->isDeclaration())
                                      value->setLinkage(llvm::GlobalValue::InternalLinkage);
                                  }
                                });
  assert(!failed && "names of libraries are their own");
  (void)failed;
}

LogicalResult tp::linkDeviceLibrary(llvm::Module &code,
                                    function_ref<InFlightDiagnostic()> emitError) {
  SmallVector<StringRef> names;
  for (llvm::Function &function : code)
    if (function.isDeclaration() && function.getName().starts_with(rt::kLibraryPrefix))
      names.push_back(function.getName());
  if (names.empty())
    return success();
  FailureOr<SmallVector<std::string>> files =
      findRuntimeFiles({"tprt_kernels.bc"}, /*directory=*/"", emitError);
  if (failed(files))
    return failure();
  const std::string &path = files->front();
  llvm::SMDiagnostic problem;
  std::unique_ptr<llvm::Module> library = llvm::parseIRFile(path, problem, code.getContext());
  if (!library)
    return emitError() << "cannot read " << path << ": " << problem.getMessage();
  for (StringRef name : names) {
    llvm::Function *function = library->getFunction(name);
    if (!function || function->getFunctionType() != code.getFunction(name)->getFunctionType())
      return (emitError() << path << " has no " << name << " as this compiler calls it")
                 .attachNote()
             << "it is of another version; build it again: cmake --build build --target tp-tools";
  }
  linkInternally(code, std::move(library));
  return success();
}
