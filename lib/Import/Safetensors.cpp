//===- Safetensors.cpp -----------------------------------------------------===//

#include "tp/Import/Safetensors.h"

#include "Json.h"
#include "tp/Support/ToolError.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include <algorithm>
#include <optional>
#include <vector>

using namespace mlir;
using namespace mlir::tp;

namespace {

constexpr uint64_t kLengthBytes = 8;
/// The format's own limit of a header.
constexpr uint64_t kMaxHeaderBytes = 100'000'000;

/// Bytes of an element, or 0 for an unknown dtype.
int64_t elementBytes(llvm::StringRef dtype) {
  return llvm::StringSwitch<int64_t>(dtype)
      .Cases({"F64", "I64", "U64", "C64"}, 8)
      .Cases({"F32", "I32", "U32"}, 4)
      .Cases({"F16", "BF16", "I16", "U16"}, 2)
      .Cases({"I8", "U8", "BOOL", "F8_E4M3", "F8_E5M2", "F8_E8M0"}, 1)
      .Default(0);
}

/// A tensor's bytes within the data.
struct Extent {
  int64_t begin, end;
  std::string name;
};

/// Reads one header, entry by entry.
class HeaderReader {
public:
  explicit HeaderReader(llvm::StringRef path) : path(path) {}

  llvm::Expected<TensorTable> read();

private:
  llvm::Error readText();
  llvm::Error readEntry(llvm::StringRef name, const llvm::json::Value &value);
  llvm::Error checkExtents();
  llvm::Error error(const llvm::Twine &message) const {
    return userError(path + ": is not a valid safetensors file: " + message);
  }

  llvm::StringRef path;
  std::string text;
  int64_t dataBytes = 0;
  TensorTable table;
  std::vector<Extent> extents;
};

} // namespace

/// An array of non-negative integers, or nothing.
static std::optional<llvm::SmallVector<int64_t>> readSizes(const llvm::json::Array *array) {
  if (!array)
    return std::nullopt;
  llvm::SmallVector<int64_t> sizes;
  for (const llvm::json::Value &value : *array) {
    std::optional<int64_t> size = value.getAsInteger();
    if (!size || *size < 0)
      return std::nullopt;
    sizes.push_back(*size);
  }
  return sizes;
}

llvm::Error HeaderReader::readText() {
  llvm::sys::fs::file_status status;
  if (std::error_code code = llvm::sys::fs::status(path, status))
    return userError(path + ": cannot be read: " + code.message());
  if (!llvm::sys::fs::is_regular_file(status))
    return userError(path + ": is not a file");
  uint64_t fileBytes = status.getSize();
  if (fileBytes < kLengthBytes)
    return error("it has " + llvm::Twine(fileBytes) + " bytes, its header's length needs " +
                 llvm::Twine(kLengthBytes));
  auto length = llvm::MemoryBuffer::getFileSlice(path, kLengthBytes, 0);
  if (!length)
    return userError(path + ": cannot be read: " + length.getError().message());
  uint64_t headerBytes = llvm::support::endian::read64le((*length)->getBufferStart());
  if (headerBytes > kMaxHeaderBytes || headerBytes > fileBytes - kLengthBytes)
    return error("its header is said to have " + llvm::Twine(headerBytes) +
                 " bytes, but the file has " + llvm::Twine(fileBytes));
  auto header = llvm::MemoryBuffer::getFileSlice(path, headerBytes, kLengthBytes);
  if (!header)
    return userError(path + ": cannot be read: " + header.getError().message());
  text = (*header)->getBuffer().str();
  dataBytes = fileBytes - kLengthBytes - headerBytes;
  return llvm::Error::success();
}

llvm::Error HeaderReader::readEntry(llvm::StringRef name, const llvm::json::Value &value) {
  auto fault = [&](const llvm::Twine &message) {
    return error("tensor '" + name + "': " + message);
  };
  const llvm::json::Object *entry = value.getAsObject();
  if (!entry)
    return fault("expected an object, found " + describe(value));
  std::optional<llvm::StringRef> dtype = entry->getString("dtype");
  if (!dtype)
    return fault("dtype is missing");
  int64_t bytes = elementBytes(*dtype);
  if (bytes == 0)
    return fault("unknown dtype '" + *dtype + "'");
  auto shape = readSizes(entry->getArray("shape"));
  if (!shape)
    return fault("shape must be an array of sizes");
  auto offsets = readSizes(entry->getArray("data_offsets"));
  if (!offsets || offsets->size() != 2 || (*offsets)[0] > (*offsets)[1])
    return fault("data_offsets must be a begin and an end");
  int64_t begin = (*offsets)[0], end = (*offsets)[1];
  for (int64_t size : *shape)
    if (llvm::MulOverflow(bytes, size, bytes))
      return fault("its size does not fit into 64 bits");
  if (end - begin != bytes)
    return fault("dtype and shape need " + llvm::Twine(bytes) + " bytes, data_offsets give " +
                 llvm::Twine(end - begin));
  if (end > dataBytes)
    return fault("its data end at byte " + llvm::Twine(end) + ", but the file has " +
                 llvm::Twine(dataBytes) + " bytes of data");
  extents.push_back({begin, end, name.str()});
  table.emplace(name.str(), TensorInfo{dtype->str(), std::move(*shape), path.str()});
  return llvm::Error::success();
}

/// Tensors lie one after the other, without gap or overlap.
llvm::Error HeaderReader::checkExtents() {
  llvm::sort(extents, [](const Extent &a, const Extent &b) {
    return std::tie(a.begin, a.end, a.name) < std::tie(b.begin, b.end, b.name);
  });
  int64_t position = 0;
  for (const Extent &extent : extents) {
    if (extent.begin != position)
      return error("tensor '" + extent.name + "': its data begin at byte " +
                   llvm::Twine(extent.begin) + ", expected " + llvm::Twine(position));
    position = extent.end;
  }
  if (position != dataBytes)
    return error("the tensors have " + llvm::Twine(position) + " bytes of data, the file has " +
                 llvm::Twine(dataBytes));
  return llvm::Error::success();
}

llvm::Expected<TensorTable> HeaderReader::read() {
  if (llvm::Error error = readText())
    return error;
  auto object = parseStrictJsonObject(text, (path + ": header").str());
  if (!object)
    return object.takeError();
  if (llvm::StringRef number = findFraction(text); !number.empty())
    return error("its header has the number " + number + ", expected integers");
  // In the order of names, so that equal files give equal errors.
  std::map<llvm::StringRef, const llvm::json::Value *> entries;
  for (const auto &[key, value] : *object)
    if (llvm::StringRef(key) != "__metadata__")
      entries.emplace(key, &value);
  for (const auto &[name, value] : entries)
    if (llvm::Error error = readEntry(name, *value))
      return error;
  if (llvm::Error error = checkExtents())
    return error;
  return std::move(table);
}

llvm::Expected<TensorTable> tp::readSafetensorsHeader(llvm::StringRef path) {
  return HeaderReader(path).read();
}
