//===- OutputFile.cpp ------------------------------------------------------===//

#include "tp/Support/OutputFile.h"

#include "tp/Support/UserError.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::tp;
namespace fs = llvm::sys::fs;

/// Writes and flushes; the stream's error is taken, as its destructor would abort.
static std::error_code writeAll(llvm::raw_fd_ostream &os, llvm::StringRef content) {
  os << content;
  os.flush();
  std::error_code error = os.error();
  os.clear_error();
  return error;
}

llvm::Error tp::writeOutputFile(llvm::StringRef path, llvm::StringRef content) {
  auto failure = [&](std::error_code error) {
    return userError("cannot write output '" + path + "': " + error.message());
  };
  if (path == "-") {
    std::error_code error = writeAll(llvm::outs(), content);
    return error ? failure(error) : llvm::Error::success();
  }
  // A link is followed: the file that it names is replaced, not the link.
  llvm::SmallString<128> target;
  if (fs::real_path(path, target))
    target = path;
  fs::file_status status;
  std::error_code error = fs::status(target, status);
  if (!error && fs::is_directory(status))
    return failure(std::make_error_code(std::errc::is_a_directory));
  if (!error && !fs::is_regular_file(status)) {
    llvm::raw_fd_ostream os(target, error, fs::OF_None);
    if (!error)
      error = writeAll(os, content);
    return error ? failure(error) : llvm::Error::success();
  }
  llvm::Expected<fs::TempFile> file = fs::TempFile::create(target + ".%%%%%%%%.tmp");
  if (!file)
    return failure(llvm::errorToErrorCode(file.takeError()));
  {
    llvm::raw_fd_ostream os(file->FD, /*shouldClose=*/false);
    error = writeAll(os, content);
  }
  if (error) {
    llvm::consumeError(file->discard());
    return failure(error);
  }
  if (llvm::Error rename = file->keep(target))
    return failure(llvm::errorToErrorCode(std::move(rename)));
  return llvm::Error::success();
}
