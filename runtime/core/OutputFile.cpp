//===- OutputFile.cpp - a file that appears whole or not at all -----------===//

#include "OutputFile.h"

#include "tprt/error.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <mutex>
#include <set>
#include <sys/stat.h>
#include <unistd.h>

using namespace tprt;

namespace {

/// Temporary files that are there.
struct Unfinished {
  std::mutex mutex;
  std::set<std::string> paths;
};

Unfinished &unfinished() {
  static Unfinished files;
  return files;
}

} // namespace

void OutputFile::removeUnfinished() {
  std::lock_guard<std::mutex> lock(unfinished().mutex);
  for (const std::string &path : unfinished().paths)
    unlink(path.c_str());
}

OutputFile::OutputFile(const std::string &path) : path(path) {
  struct stat info;
  bool exists = stat(path.c_str(), &info) == 0;
  if (exists && S_ISDIR(info.st_mode))
    throw badInput(path + ": cannot be written: it is a directory");
  if (exists && !S_ISREG(info.st_mode)) {
    descriptor = open(path.c_str(), O_WRONLY | O_CLOEXEC);
  } else {
    temporary = path + ".tmp" + std::to_string(getpid());
    descriptor = open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  }
  if (descriptor < 0) {
    int error = errno;
    temporary.clear();
    throw badInput(path + ": cannot be written: " + std::strerror(error));
  }
  if (!temporary.empty()) {
    std::lock_guard<std::mutex> lock(unfinished().mutex);
    unfinished().paths.insert(temporary);
  }
}

OutputFile::~OutputFile() {
  if (descriptor >= 0)
    close(descriptor);
  if (!temporary.empty())
    unlink(temporary.c_str());
  forget();
}

void OutputFile::forget() {
  std::lock_guard<std::mutex> lock(unfinished().mutex);
  unfinished().paths.erase(temporary);
  temporary.clear();
}

void OutputFile::fail(const char *what) {
  throw runFailure(path + ": " + what + " failed: " + std::strerror(errno));
}

void OutputFile::write(const void *data, size_t bytes) {
  const char *next = static_cast<const char *>(data);
  while (bytes) {
    ssize_t done = ::write(descriptor, next, bytes);
    if (done < 0 && errno == EINTR)
      continue;
    if (done < 0)
      fail("writing");
    next += done;
    bytes -= size_t(done);
  }
}

void OutputFile::commit() {
  int closed = close(descriptor);
  descriptor = -1;
  if (closed)
    fail("writing");
  if (!temporary.empty() && rename(temporary.c_str(), path.c_str()))
    fail("renaming");
  forget();
}
