//===- Buffer.h - a rank's memory -------------------------------*- C++ -*-===//

#ifndef TPRT_CORE_BUFFER_H
#define TPRT_CORE_BUFFER_H

#include <cstdint>
#include <functional>
#include <string>

namespace tprt {

/// Memory of the host or of another device, aligned to 64 bytes. The host's is zeroed;
/// large buffers ask for huge pages, which a matrix-vector product over a large weight
/// notices.
class Buffer {
public:
  static constexpr int64_t kAlignment = 64;
  /// Buffers of this many bytes and more ask for huge pages.
  static constexpr int64_t kLarge = 1 << 20;

  Buffer() = default;
  /// Throws `Error` (exit code 3) that names `what` when there is no memory.
  Buffer(int64_t bytes, const std::string &what);
  /// Memory that `release` gives back.
  Buffer(void *memory, int64_t bytes, std::function<void(void *)> release);
  /// The bytes from `offset`, a multiple of kAlignment, of `whole`, which outlives
  /// the buffer: many buffers that share huge pages.
  Buffer(const Buffer &whole, int64_t offset, int64_t bytes);
  ~Buffer();
  Buffer(Buffer &&other) noexcept;
  Buffer &operator=(Buffer &&other) noexcept;

  void *data() const { return memory; }
  /// As asked for.
  int64_t bytes() const { return size; }

private:
  void *memory = nullptr;
  int64_t size = 0;
  int64_t mapped = 0; ///< bytes of the mapping, 0 for memory from malloc
  bool isPart = false;
  std::function<void(void *)> release; ///< of memory that is not the host's
};

} // namespace tprt

#endif // TPRT_CORE_BUFFER_H
