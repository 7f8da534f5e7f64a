//===- InputBuffer.h - a descriptor as the buffer of a stream ---*- C++ -*-===//
//
// Unlike the library's buffers it tells the end of the input from a failure.
//
//===----------------------------------------------------------------------===//

#ifndef TPRT_CORE_INPUTBUFFER_H
#define TPRT_CORE_INPUTBUFFER_H

#include "tprt/error.h"

#include <cerrno>
#include <cstring>
#include <streambuf>
#include <unistd.h>

namespace tprt {

/// Reads from a descriptor. Throws `Error` (exit code 3) that begins with `what`
/// when that fails.
class InputBuffer : public std::streambuf {
public:
  InputBuffer(int descriptor, std::string what) : descriptor(descriptor), what(std::move(what)) {}

private:
  int_type underflow() override {
    ssize_t count;
    do
      count = read(descriptor, bytes, sizeof bytes);
    while (count < 0 && errno == EINTR);
    if (count < 0)
      throw runFailure(what + " cannot be read: " + std::strerror(errno));
    if (count == 0)
      return traits_type::eof();
    setg(bytes, bytes, bytes + count);
    return traits_type::to_int_type(bytes[0]);
  }

  const int descriptor;
  const std::string what;
  char bytes[1 << 14];
};

} // namespace tprt

#endif // TPRT_CORE_INPUTBUFFER_H
