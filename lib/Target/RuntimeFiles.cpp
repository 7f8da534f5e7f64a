//===- RuntimeFiles.cpp - Where the parts of the runtime are ---------------===//

#include "RuntimeFiles.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace mlir::tp;

/// ../lib of the running program.
static std::string getDefaultDirectory() {
  // Any address in the program serves; where it is a shared object, main's.
  std::string program =
      llvm::sys::fs::getMainExecutable(nullptr, reinterpret_cast<void *>(&findRuntimeFiles));
  StringRef prefix = llvm::sys::path::parent_path(llvm::sys::path::parent_path(program));
  SmallString<128> directory(prefix);
  llvm::sys::path::append(directory, "lib");
  return directory.str().str();
}

FailureOr<SmallVector<std::string>>
tp::findRuntimeFiles(ArrayRef<StringRef> names, StringRef directory,
                     function_ref<InFlightDiagnostic()> emitError) {
  std::string folder = directory.empty() ? getDefaultDirectory() : directory.str();
  SmallVector<std::string> paths;
  for (StringRef name : names) {
    SmallString<128> path(folder);
    llvm::sys::path::append(path, name);
    if (!llvm::sys::fs::exists(path))
      return (emitError() << "the runtime is missing: no " << path.str()).attachNote()
             << "it is built by: cmake --build build --target tp-tools";
    paths.push_back(path.str().str());
  }
  return paths;
}
