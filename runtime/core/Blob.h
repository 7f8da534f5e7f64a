//===- Blob.h - values packed into bytes ------------------------*- C++ -*-===//
//
// What processes of one program send each other: the same executable on both
// sides, so values travel as they lie in memory.
//
//===----------------------------------------------------------------------===//

#ifndef TPRT_CORE_BLOB_H
#define TPRT_CORE_BLOB_H

#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace tprt {

class BlobWriter {
public:
  template <typename T> void put(const T &value) {
    static_assert(std::is_trivially_copyable_v<T>, "not plain bytes");
    bytes.append(reinterpret_cast<const char *>(&value), sizeof value);
  }
  void putBytes(const void *data, size_t size) {
    put(uint64_t(size));
    bytes.append(static_cast<const char *>(data), size);
  }
  void putText(const std::string &text) { putBytes(text.data(), text.size()); }
  template <typename T> void putList(const std::vector<T> &values) {
    static_assert(std::is_trivially_copyable_v<T>, "not plain bytes");
    putBytes(values.data(), values.size() * sizeof(T));
  }
  void putTexts(const std::vector<std::string> &texts) {
    put(uint64_t(texts.size()));
    for (const std::string &text : texts)
      putText(text);
  }

  std::string bytes;
};

/// Reads in the order of writing; throws std::runtime_error where bytes are
/// missing.
class BlobReader {
public:
  explicit BlobReader(const std::string &bytes) : bytes(bytes) {}

  bool atEnd() const { return position == bytes.size(); }
  template <typename T> T get() {
    T value;
    std::memcpy(&value, take(sizeof value), sizeof value);
    return value;
  }
  std::string getText() {
    const size_t size = size_t(get<uint64_t>());
    return std::string(take(size), size);
  }
  void getBytes(void *target, size_t size) {
    if (get<uint64_t>() != size)
      throw std::runtime_error("a message of another size than expected");
    std::memcpy(target, take(size), size);
  }
  template <typename T> std::vector<T> getList() {
    const size_t size = size_t(get<uint64_t>());
    std::vector<T> values(size / sizeof(T));
    std::memcpy(values.data(), take(size), values.size() * sizeof(T));
    return values;
  }
  std::vector<std::string> getTexts() {
    std::vector<std::string> texts(size_t(get<uint64_t>()));
    for (std::string &text : texts)
      text = getText();
    return texts;
  }

private:
  const char *take(size_t size) {
    if (size > bytes.size() - position)
      throw std::runtime_error("a message that is too short");
    position += size;
    return bytes.data() + position - size;
  }

  const std::string &bytes;
  size_t position = 0;
};

} // namespace tprt

#endif // TPRT_CORE_BLOB_H
