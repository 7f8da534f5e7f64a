//===- error.h - the exception that reports a failure -----------*- C++ -*-===//
//
// Every C++ function of the runtime that can fail throws `tprt::Error`. It
// carries what a command-line tool needs: the one message for `error:`, notes,
// and the exit code. Files that catch it must be compiled with exceptions.
//
//===----------------------------------------------------------------------===//

#ifndef TPRT_ERROR_H
#define TPRT_ERROR_H

#include "tprt/status.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

namespace tprt {

/// Exit codes of every tool of the project.
enum ExitCode {
  kExitDone = 0,
  kExitDiffers = 1,  ///< values or runs differ
  kExitBadInput = 2, ///< the user's input or usage is wrong
  kExitFailed = 3    ///< failure at run time
};

class Error : public std::runtime_error {
public:
  /// Texts go on as C strings: of a zero byte in one, from a name in a file or a
  /// request, a question mark is left.
  Error(int exitCode, const std::string &message, std::vector<std::string> notes = {},
        tprt_status_t status = TPRT_FAILED)
      : std::runtime_error(withoutZeros(message)), code(exitCode),
        statusCode(exitCode == kExitBadInput ? TPRT_INVALID_ARGUMENT : status),
        noteLines(std::move(notes)) {
    for (std::string &note : noteLines)
      note = withoutZeros(std::move(note));
  }

  int exitCode() const { return code; }
  /// The same for callers of the C interface.
  tprt_status_t status() const { return statusCode; }
  const std::vector<std::string> &notes() const { return noteLines; }

private:
  static std::string withoutZeros(std::string text) {
    std::replace(text.begin(), text.end(), '\0', '?');
    return text;
  }

  int code;
  tprt_status_t statusCode;
  std::vector<std::string> noteLines;
};

/// Error of the user's input: exit code 2.
inline Error badInput(const std::string &message, std::vector<std::string> notes = {}) {
  return Error(kExitBadInput, message, std::move(notes));
}

/// Failure at run time: exit code 3.
inline Error runFailure(const std::string &message, std::vector<std::string> notes = {},
                        tprt_status_t status = TPRT_FAILED) {
  return Error(kExitFailed, message, std::move(notes), status);
}

/// Prints `error: MESSAGE` and `note: ...` lines to stderr and returns the exit
/// code.
int reportError(const Error &error);

} // namespace tprt

#endif // TPRT_ERROR_H
