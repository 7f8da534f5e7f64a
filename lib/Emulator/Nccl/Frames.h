//===- Frames.h - Messages on a socket --------------------------*- C++ -*-===//

#ifndef TP_EMULATOR_NCCL_FRAMES_H
#define TP_EMULATOR_NCCL_FRAMES_H

#include <cstdint>
#include <string>

namespace mlir::tp::emulator {

/// What ranks tell each other.
enum class FrameKind : uint32_t {
  /// A rank begins; the bytes are the size of its communicator.
  Hello,
  /// Its part of an exchange between all.
  Exchange,
  /// For this rank only.
  Message,
  /// It leaves in order.
  Leave,
};

struct Frame {
  FrameKind kind;
  /// Who it is of.
  int rank = 0;
  std::string bytes;
};

/// Closed when nobody has it any more.
class Socket {
public:
  explicit Socket(int number) : number(number) {}
  Socket(const Socket &) = delete;
  Socket &operator=(const Socket &) = delete;
  ~Socket();

  /// Ends reading and writing of all that have it.
  void shutDown();
  /// Both: false where the other end is closed.
  bool write(FrameKind kind, int rank, const std::string &bytes);
  bool read(Frame &frame);

  const int number;
};

} // namespace mlir::tp::emulator

#endif // TP_EMULATOR_NCCL_FRAMES_H
