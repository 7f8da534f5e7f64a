//===- Safetensors.h - checkpoints in the safetensors format ----*- C++ -*-===//
//
// A file is the length of its header (8 bytes, little-endian), a JSON header
// that maps names to dtype, shape and byte range, and the data. Data is read
// with pread by the ranges that are wanted, never as a whole: a file that
// shrinks while it is open gives a short read and an error, not a signal, and
// pages of the file do not count as this process's memory.
//
//===----------------------------------------------------------------------===//

#ifndef TPRT_CORE_SAFETENSORS_H
#define TPRT_CORE_SAFETENSORS_H

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace tprt {

struct TensorEntry {
  std::string name;
  std::string dtypeName; ///< as written in the file
  int32_t dtype = -1;    ///< -1 for a type that the runtime does not have
  std::vector<int64_t> shape;
  int64_t begin = 0; ///< bytes from the start of the file
  int64_t end = 0;
};

class SafetensorsFile {
public:
  /// Reads and checks the header. Throws `Error` (exit code 2) naming the file.
  explicit SafetensorsFile(const std::string &path);
  ~SafetensorsFile();
  SafetensorsFile(const SafetensorsFile &) = delete;
  SafetensorsFile &operator=(const SafetensorsFile &) = delete;

  const std::string &path() const { return filePath; }
  const std::map<std::string, TensorEntry> &tensors() const { return entries; }

  /// Reads bytes of `tensor` from `offset` within it; any thread. Throws
  /// `Error` when the file has become shorter.
  void read(const TensorEntry &tensor, int64_t offset, void *to, int64_t bytes) const;

private:
  void parseHeader(const std::string &text, int64_t dataBegin, int64_t fileSize);
  void checkExtents(int64_t dataBegin, int64_t fileSize) const;

  std::string filePath;
  int descriptor = -1;
  std::map<std::string, TensorEntry> entries;
};

/// The tensors of a directory: model.safetensors, or the files that
/// model.safetensors.index.json names.
class Checkpoint {
public:
  explicit Checkpoint(const std::string &directory);

  struct Tensor {
    const SafetensorsFile *file;
    const TensorEntry *entry;
  };

  /// Throws `Error` with near names as a note when there is no such tensor.
  Tensor find(const std::string &name, const std::string &wantedBy) const;

private:
  void addFile(const std::string &path);
  void readIndex(const std::string &directory, const std::string &indexPath);

  std::string description; ///< the file, or the index, for messages
  std::vector<std::unique_ptr<SafetensorsFile>> files;
  std::map<std::string, Tensor> tensors;
};

} // namespace tprt

#endif // TPRT_CORE_SAFETENSORS_H
