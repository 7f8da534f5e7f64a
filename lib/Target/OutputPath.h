//===- OutputPath.h - Files that appear complete or not at all -*- C++ -*-===//

#ifndef TP_TARGET_OUTPUTPATH_H
#define TP_TARGET_OUTPUTPATH_H

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Process.h"
#include <string>

namespace mlir {
namespace tp {

/// A path beside `path` under which a file is made before it gets its name. The
/// file is removed at the end unless it was kept.
class OutputPath {
public:
  explicit OutputPath(llvm::StringRef path)
      : final(path),
        temporary((path + ".tmp" + llvm::Twine(llvm::sys::Process::getProcessId())).str()) {}
  ~OutputPath() {
    if (!kept)
      llvm::sys::fs::remove(temporary);
  }
  OutputPath(const OutputPath &) = delete;
  OutputPath &operator=(const OutputPath &) = delete;

  llvm::StringRef get() const { return temporary; }

  /// Gives the file its name. What is there and no file, a device say, is written
  /// to instead of being replaced.
  std::error_code keep() {
    llvm::sys::fs::file_status status;
    if (!llvm::sys::fs::status(final, status) && !llvm::sys::fs::is_regular_file(status))
      return llvm::sys::fs::copy_file(temporary, final);
    std::error_code error = llvm::sys::fs::rename(temporary, final);
    kept = !error;
    return error;
  }

private:
  std::string final, temporary;
  bool kept = false;
};

} // namespace tp
} // namespace mlir

#endif // TP_TARGET_OUTPUTPATH_H
