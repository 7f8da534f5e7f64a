//===- OutputFile.cpp ------------------------------------------------------===//

#include "tp/Support/OutputFile.h"

#include "tp/Support/ToolError.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include <csignal>

using namespace mlir;
using namespace mlir::tp;
namespace fs = llvm::sys::fs;

namespace {

/// While it lives, a file that reaches the size limit is an error of the write
/// and no signal.
class FileSizeSignalIgnored {
public:
  FileSizeSignalIgnored() {
    struct sigaction ignore = {};
    ignore.sa_handler = SIG_IGN;
    sigaction(SIGXFSZ, &ignore, &previous);
  }
  ~FileSizeSignalIgnored() { sigaction(SIGXFSZ, &previous, nullptr); }

private:
  struct sigaction previous = {};
};

} // namespace

/// Writes and flushes; the stream's error is taken, as its destructor would abort.
static std::error_code writeAll(llvm::raw_fd_ostream &os, llvm::StringRef content) {
  FileSizeSignalIgnored ignored;
  os << content;
  os.flush();
  std::error_code error = os.error();
  os.clear_error();
  return error;
}

llvm::Error tp::writeOutputFile(llvm::StringRef path, llvm::StringRef content) {
  auto describe = [&](std::error_code error) {
    return ("cannot write output '" + path + "': " + error.message()).str();
  };
  auto written = [&](std::error_code error) {
    return error ? runFailure(describe(error)) : llvm::Error::success();
  };
  if (path == "-")
    return written(writeAll(llvm::outs(), content));
  // A link is followed: the file that it names is replaced, not the link.
  llvm::SmallString<128> target;
  if (fs::real_path(path, target))
    target = path;
  fs::file_status status;
  std::error_code error = fs::status(target, status);
  if (!error && fs::is_directory(status))
    return userError(describe(std::make_error_code(std::errc::is_a_directory)));
  if (!error && !fs::is_regular_file(status)) {
    llvm::raw_fd_ostream os(target, error, fs::OF_None);
    return error ? userError(describe(error)) : written(writeAll(os, content));
  }
  llvm::Expected<fs::TempFile> file = fs::TempFile::create(target + ".%%%%%%%%.tmp");
  if (!file)
    return userError(describe(llvm::errorToErrorCode(file.takeError())));
  {
    llvm::raw_fd_ostream os(file->FD, /*shouldClose=*/false);
    error = writeAll(os, content);
  }
  if (error)
    llvm::consumeError(file->discard());
  else if (llvm::Error rename = file->keep(target))
    error = llvm::errorToErrorCode(std::move(rename));
  return written(error);
}
