//===- TemporaryFile.h - A file that does not stay -------------*- C++ -*-===//

#ifndef TP_SUPPORT_TEMPORARYFILE_H
#define TP_SUPPORT_TEMPORARYFILE_H

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringRef.h"
#include <system_error>

namespace mlir {
namespace tp {

/// An empty file in the system's folder for temporary files (TMPDIR), which is removed
/// with this object, or when a signal ends the process.
class TemporaryFile {
public:
  TemporaryFile() = default;
  ~TemporaryFile();
  TemporaryFile(const TemporaryFile &) = delete;
  TemporaryFile &operator=(const TemporaryFile &) = delete;

  /// Makes it, once, as PREFIX-123abc.SUFFIX.
  std::error_code create(llvm::StringRef prefix, llvm::StringRef suffix);
  /// Empty before it is made.
  llvm::StringRef path() const { return name; }

private:
  llvm::SmallString<128> name;
};

} // namespace tp
} // namespace mlir

#endif // TP_SUPPORT_TEMPORARYFILE_H
