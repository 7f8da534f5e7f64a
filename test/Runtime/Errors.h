//===- Errors.h - What code that fails says --------------------*- C++ -*-===//

#ifndef TEST_RUNTIME_ERRORS_H
#define TEST_RUNTIME_ERRORS_H

#include "tprt/error.h"

#include <functional>
#include <gtest/gtest.h>
#include <string>

namespace tprt_test {

/// The message of the error that `function` throws, with its notes, a line each; the test
/// fails where it throws none, or one with another exit code.
inline std::string errorOf(int exitCode, const std::function<void()> &function) {
  try {
    function();
  } catch (const tprt::Error &error) {
    EXPECT_EQ(error.exitCode(), exitCode) << error.what();
    std::string text = error.what();
    for (const std::string &note : error.notes())
      text += "\n" + note;
    return text;
  }
  ADD_FAILURE() << "no error";
  return "";
}

/// The same of code that is given something wrong.
inline std::string errorOf(const std::function<void()> &function) {
  return errorOf(tprt::kExitBadInput, function);
}

} // namespace tprt_test

/// Expects that a text has a part, and shows it where it does not.
#define EXPECT_PART(text, part)                                                                    \
  do {                                                                                             \
    const std::string value = (text);                                                              \
    EXPECT_NE(value.find(part), std::string::npos) << value;                                       \
  } while (0)

#endif // TEST_RUNTIME_ERRORS_H
