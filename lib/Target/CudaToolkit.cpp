//===- CudaToolkit.cpp - Where CUDA's tools and files are ------------------===//

#include "CudaToolkit.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include <cstdlib>

using namespace mlir;
using namespace mlir::tp;

std::optional<std::string> tp::findInCudaToolkit(StringRef path) {
  namespace sys = llvm::sys;
  SmallVector<std::string> folders;
  if (const char *home = std::getenv("CUDA_HOME"))
    folders = {home};
  else {
    if (auto ptxas = sys::findProgramByName("ptxas")) {
      SmallString<128> real;
      if (!sys::fs::real_path(*ptxas, real))
        folders.push_back(sys::path::parent_path(sys::path::parent_path(real)).str());
    }
    folders.push_back("/usr/local/cuda");
  }
  for (const std::string &folder : folders) {
    SmallString<128> file(folder);
    sys::path::append(file, path);
    if (sys::fs::exists(file))
      return file.str().str();
  }
  return std::nullopt;
}
