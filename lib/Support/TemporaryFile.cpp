//===- TemporaryFile.cpp ---------------------------------------------------===//

#include "tp/Support/TemporaryFile.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Signals.h"

using namespace mlir::tp;

namespace fs = llvm::sys::fs;

std::error_code TemporaryFile::create(llvm::StringRef prefix, llvm::StringRef suffix) {
  constexpr int kAttempts = 128;
  std::error_code error;
  for (int i = 0; i < kAttempts; ++i) {
    fs::createUniquePath(prefix + "-%%%%%%." + suffix, name, /*MakeAbsolute=*/true);
    // Before it is there: a signal may come at any time.
    llvm::sys::RemoveFileOnSignal(name);
    int descriptor;
    error = fs::openFileForWrite(name, descriptor, fs::CD_CreateNew, fs::OF_None,
                                 fs::owner_read | fs::owner_write);
    if (!error)
      return llvm::sys::Process::SafelyCloseFileDescriptor(descriptor);
    llvm::sys::DontRemoveFileOnSignal(name);
    name.clear();
    if (error != std::errc::file_exists)
      break;
  }
  return error;
}

TemporaryFile::~TemporaryFile() {
  if (name.empty())
    return;
  fs::remove(name);
  llvm::sys::DontRemoveFileOnSignal(name);
}
