//===- OutputFile.cpp - a file that appears whole or not at all -----------===//

#include "OutputFile.h"

#include "tprt/error.h"

#include <atomic>
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

/// A name by which this process can give a file of `descriptor` another one.
std::string nameOf(int descriptor) { return "/proc/self/fd/" + std::to_string(descriptor); }

/// Of a file, with the slash.
std::string folderOf(const std::string &path) {
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? "./" : path.substr(0, slash + 1);
}

/// A file in the folder that has no name, so that nothing is left of it however the process
/// ends; -1 where the file system has none.
int openNameless(const std::string &folder) {
  const int descriptor = open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
  if (descriptor < 0 || access(nameOf(descriptor).c_str(), F_OK) == 0)
    return descriptor;
  close(descriptor);
  return -1;
}

} // namespace

void OutputFile::removeUnfinished() {
  std::lock_guard<std::mutex> lock(unfinished().mutex);
  for (const std::string &path : unfinished().paths)
    unlink(path.c_str());
}

OutputFile::OutputFile(const std::string &path) : path(path) {
  struct stat info;
  const bool exists = stat(path.c_str(), &info) == 0;
  if (!exists && errno != ENOENT)
    throw badInput(path + ": cannot be written: " + std::strerror(errno));
  if (exists && S_ISDIR(info.st_mode))
    throw badInput(path + ": cannot be written: it is a directory");
  if (exists && !S_ISREG(info.st_mode)) {
    descriptor = open(path.c_str(), O_WRONLY | O_CLOEXEC);
  } else {
    static std::atomic<int> count;
    const std::string folder = folderOf(path);
    temporary =
        folder + ".tprt" + std::to_string(getpid()) + "-" + std::to_string(++count) + ".tmp";
    descriptor = openNameless(folder);
    isNameless = descriptor >= 0;
    if (!isNameless)
      descriptor = open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  }
  if (descriptor < 0) {
    int error = errno;
    temporary.clear();
    throw badInput(path + ": cannot be written: " + std::strerror(error));
  }
  if (!temporary.empty() && !isNameless)
    remember();
}

void OutputFile::remember() {
  std::lock_guard<std::mutex> lock(unfinished().mutex);
  unfinished().paths.insert(temporary);
}

OutputFile::~OutputFile() {
  if (descriptor >= 0)
    close(descriptor);
  if (!temporary.empty() && !isNameless)
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
  if (isNameless) {
    isNameless = false;
    remember();
    unlink(temporary.c_str()); // of an earlier process of the same number
    if (linkat(AT_FDCWD, nameOf(descriptor).c_str(), AT_FDCWD, temporary.c_str(),
               AT_SYMLINK_FOLLOW))
      fail("renaming");
  }
  int closed = close(descriptor);
  descriptor = -1;
  if (closed)
    fail("writing");
  if (!temporary.empty() && rename(temporary.c_str(), path.c_str()))
    fail("renaming");
  forget();
}
