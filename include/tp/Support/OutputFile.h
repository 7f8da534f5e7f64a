//===- OutputFile.h - Output that is whole or absent -----------*- C++ -*-===//

#ifndef TP_SUPPORT_OUTPUTFILE_H
#define TP_SUPPORT_OUTPUTFILE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace mlir {
namespace tp {

/// Writes `content` to `path`; "-" is standard output. A regular file is written
/// under a temporary name beside it and then renamed, so a reader sees the old
/// file or the whole new one, and a failure leaves nothing behind. A path that
/// names something else (a device, a pipe) is written directly. Fails with a
/// ToolError that names the path.
llvm::Error writeOutputFile(llvm::StringRef path, llvm::StringRef content);

} // namespace tp
} // namespace mlir

#endif // TP_SUPPORT_OUTPUTFILE_H
