//===- OutputFile.h - a file that appears whole or not at all ---*- C++ -*-===//

#ifndef TPRT_CORE_OUTPUTFILE_H
#define TPRT_CORE_OUTPUTFILE_H

#include <cstddef>
#include <string>

namespace tprt {

/// Written without a name, or under a temporary one where the file system has no such
/// files, and given the target's by `commit`; the destructor removes what was not
/// committed. A target that exists and is no regular file (a device, a pipe) is written
/// directly.
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
  void remember(); ///< the temporary file
  void forget();

  std::string path;
  std::string temporary;   ///< empty when written directly or committed
  bool isNameless = false; ///< so far
  int descriptor = -1;
};

} // namespace tprt

#endif // TPRT_CORE_OUTPUTFILE_H
