//===- Frames.cpp ----------------------------------------------------------===//

#include "Frames.h"

#include <cerrno>
#include <sys/socket.h>
#include <unistd.h>

using namespace mlir::tp::emulator;

namespace {

struct Header {
  FrameKind kind;
  int32_t rank;
  uint64_t bytes;
};

bool writeAll(int socket, const char *data, size_t bytes) {
  while (bytes > 0) {
    const ssize_t written = send(socket, data, bytes, MSG_NOSIGNAL);
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0)
      return false;
    data += written;
    bytes -= written;
  }
  return true;
}

bool readAll(int socket, char *data, size_t bytes) {
  while (bytes > 0) {
    const ssize_t got = ::read(socket, data, bytes);
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      return false;
    data += got;
    bytes -= got;
  }
  return true;
}

} // namespace

Socket::~Socket() { close(number); }

void Socket::shutDown() { shutdown(number, SHUT_RDWR); }

bool Socket::write(FrameKind kind, int rank, const std::string &bytes) {
  const Header header = {kind, rank, bytes.size()};
  return writeAll(number, reinterpret_cast<const char *>(&header), sizeof(header)) &&
         writeAll(number, bytes.data(), bytes.size());
}

bool Socket::read(Frame &frame) {
  Header header;
  if (!readAll(number, reinterpret_cast<char *>(&header), sizeof(header)))
    return false;
  frame.kind = header.kind;
  frame.rank = header.rank;
  frame.bytes.resize(header.bytes);
  return readAll(number, frame.bytes.data(), frame.bytes.size());
}
