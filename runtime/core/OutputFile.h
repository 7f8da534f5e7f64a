//===- OutputFile.h - a file that appears whole or not at all ---*- C++ -*-===//

#ifndef TPRT_CORE_OUTPUTFILE_H
#define TPRT_CORE_OUTPUTFILE_H

#include <cstddef>
#include <string>

namespace tprt {

/// Opened for writing under a temporary name beside the target, renamed by
/// `commit`; the destructor removes what was not committed. A target that
/// exists and is no regular file (a device, a pipe) is written directly.
class OutputFile {
public:
  /// Throws `Error` with exit code 2 when the file cannot be written there.
  explicit OutputFile(const std::string &path);
  ~OutputFile();
  OutputFile(const OutputFile &) = delete;
  OutputFile &operator=(const OutputFile &) = delete;

  /// Both throw `Error` with exit code 3 (disk full, ...).
  void write(const void *data, size_t bytes);
  void commit();

  /// Removes all that was not committed, where the process ends without
  /// destructors.
  static void removeUnfinished();

private:
  void fail(const char *what);
  void forget(); ///< the temporary file

  std::string path;
  std::string temporary; ///< empty when written directly or committed
  int descriptor = -1;
};

} // namespace tprt

#endif // TPRT_CORE_OUTPUTFILE_H
