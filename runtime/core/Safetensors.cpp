//===- Safetensors.cpp - checkpoints in the safetensors format ------------===//

#include "Safetensors.h"

#include "DType.h"
#include "JsonProblem.h"
#include "NearNames.h"
#include "tprt/error.h"
#include "tprt/manifest.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <set>
#include <sys/stat.h>
#include <tuple>
#include <unistd.h>

using namespace tprt;
using nlohmann::json;

namespace {

// The format's own limit of a header.
constexpr int64_t kMaxHeaderBytes = 100 << 20;

int32_t parseSafetensorsDType(const std::string &name) {
  static constexpr struct {
    const char *name;
    int32_t dtype;
  } kTypes[] = {{"F64", TPRT_F64},   {"F32", TPRT_F32}, {"F16", TPRT_F16},
                {"BF16", TPRT_BF16}, {"I64", TPRT_I64}, {"I32", TPRT_I32},
                {"I16", TPRT_I16},   {"I8", TPRT_I8},   {"BOOL", TPRT_I1}};
  for (const auto &type : kTypes)
    if (name == type.name)
      return type.dtype;
  return -1;
}

/// Reads up to `bytes` at `offset`; returns how many there were, -1 on error.
int64_t readAt(int descriptor, int64_t offset, void *to, int64_t bytes) {
  int64_t done = 0;
  while (done < bytes) {
    ssize_t count =
        pread(descriptor, static_cast<char *>(to) + done, size_t(bytes - done), offset + done);
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0)
      return -1;
    if (count == 0)
      break;
    done += count;
  }
  return done;
}

bool isFile(const std::string &path) {
  struct stat info;
  return stat(path.c_str(), &info) == 0 && !S_ISDIR(info.st_mode);
}

bool isDirectory(const std::string &path) {
  struct stat info;
  return stat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode);
}

/// An array of integers; json would take 72.5 for 72.
std::vector<int64_t> integersOf(const json &array, const std::string &where) {
  std::vector<int64_t> integers;
  if (!array.is_array())
    throw badInput(where + ": expected an array of integers, found " + array.dump());
  for (const json &element : array) {
    if (!element.is_number_integer())
      throw badInput(where + ": expected an array of integers, found " + array.dump());
    integers.push_back(element.get<int64_t>());
  }
  return integers;
}

/// Parses a text where a key may stand once in an object (json keeps one of several) and
/// values are nested no deeper than any checkpoint's. Messages begin with `where`.
json parseStrict(const std::string &text, const std::string &where) {
  std::vector<std::set<std::string>> keys; // of the objects around
  return json::parse(text, [&](int depth, json::parse_event_t event, json &value) {
    if (depth > 64)
      throw badInput(where + ": nested too deeply");
    if (event == json::parse_event_t::object_start)
      keys.emplace_back();
    else if (event == json::parse_event_t::object_end)
      keys.pop_back();
    else if (event == json::parse_event_t::key &&
             !keys.back().insert(value.get<std::string>()).second)
      throw badInput(where + ": duplicate key " + value.dump());
    return true;
  });
}

} // namespace

SafetensorsFile::SafetensorsFile(const std::string &path) : filePath(path) {
  descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0)
    throw badInput(path + ": cannot be read: " + std::strerror(errno));
  struct stat info;
  if (fstat(descriptor, &info) || S_ISDIR(info.st_mode)) {
    close(descriptor);
    throw badInput(path + ": is no regular file");
  }
  try {
    const int64_t fileSize = info.st_size;
    unsigned char prefix[8];
    if (readAt(descriptor, 0, prefix, 8) != 8)
      throw badInput(path + ": truncated: " + std::to_string(fileSize) +
                     " bytes are no safetensors file");
    uint64_t headerSize = 0;
    for (int i = 7; i >= 0; --i)
      headerSize = headerSize << 8 | prefix[i];
    if (headerSize > uint64_t(kMaxHeaderBytes))
      throw badInput(path + ": header is too long: " + std::to_string(headerSize) +
                     " bytes, at most " + std::to_string(kMaxHeaderBytes) +
                     " are allowed (is it a safetensors file?)");
    if (int64_t(headerSize) > fileSize - 8)
      throw badInput(path + ": truncated: the header has " + std::to_string(headerSize) +
                     " bytes, the file " + std::to_string(fileSize));
    std::string text(headerSize, '\0');
    if (readAt(descriptor, 8, text.data(), int64_t(headerSize)) != int64_t(headerSize))
      throw badInput(path + ": the header cannot be read");
    parseHeader(text, 8 + int64_t(headerSize), fileSize);
  } catch (...) {
    close(descriptor);
    throw;
  }
}

SafetensorsFile::~SafetensorsFile() { close(descriptor); }

void SafetensorsFile::parseHeader(const std::string &text, int64_t dataBegin, int64_t fileSize) {
  try {
    const json header = parseStrict(text, filePath + ": corrupt header");
    if (!header.is_object())
      throw badInput(filePath + ": corrupt header: it is no JSON object");
    for (const auto &[name, value] : header.items()) {
      if (name == "__metadata__")
        continue;
      const std::string where = filePath + ": tensor '" + name + "'";
      TensorEntry entry;
      entry.name = name;
      if (!value.is_object() || !value.contains("dtype") || !value["dtype"].is_string() ||
          !value.contains("shape") || !value.contains("data_offsets"))
        throw badInput(filePath + ": corrupt header: tensor '" + name +
                       "' needs \"dtype\", a text, \"shape\" and \"data_offsets\"");
      entry.dtypeName = value["dtype"].get<std::string>();
      entry.dtype = parseSafetensorsDType(entry.dtypeName);
      entry.shape = integersOf(value.at("shape"), where + ": shape");
      const auto offsets = integersOf(value.at("data_offsets"), where + ": data_offsets");
      if (offsets.size() != 2 || offsets[0] < 0 || offsets[1] < offsets[0])
        throw badInput(where + " has invalid data_offsets");
      const int64_t dataSize = fileSize - dataBegin;
      if (offsets[1] > dataSize)
        throw badInput(where + " ends at byte " + std::to_string(offsets[1]) +
                       " of the data, which has " + std::to_string(dataSize) +
                       " (truncated or corrupt file)");
      int64_t count = 1;
      for (int64_t size : entry.shape) {
        if (size < 0 || (size > 0 && count > (int64_t(1) << 48) / size))
          throw badInput(where + " has an impossible shape " + shapeText(entry.shape));
        count *= size;
      }
      if (entry.dtype >= 0 && count * tprt_dtype_size(entry.dtype) != offsets[1] - offsets[0])
        throw badInput(where + " of type " + entry.dtypeName + " and shape " +
                       shapeText(entry.shape) + " needs " +
                       std::to_string(count * tprt_dtype_size(entry.dtype)) +
                       " bytes, its data_offsets give " + std::to_string(offsets[1] - offsets[0]));
      entry.begin = dataBegin + offsets[0];
      entry.end = dataBegin + offsets[1];
      entries.emplace(name, std::move(entry));
    }
  } catch (const json::exception &exception) {
    throw badInput(filePath + ": corrupt header: " + jsonProblem(exception));
  }
  checkExtents(dataBegin, fileSize);
}

/// Tensors lie one after the other, without gap or overlap.
void SafetensorsFile::checkExtents(int64_t dataBegin, int64_t fileSize) const {
  std::vector<const TensorEntry *> sorted;
  for (const auto &[name, entry] : entries)
    sorted.push_back(&entry);
  std::sort(sorted.begin(), sorted.end(), [](const TensorEntry *a, const TensorEntry *b) {
    return std::tie(a->begin, a->end, a->name) < std::tie(b->begin, b->end, b->name);
  });
  int64_t position = dataBegin;
  for (const TensorEntry *entry : sorted) {
    if (entry->begin != position)
      throw badInput(filePath + ": tensor '" + entry->name + "' begins at byte " +
                     std::to_string(entry->begin - dataBegin) + " of the data, expected " +
                     std::to_string(position - dataBegin) + " (tensors have gaps or overlap)");
    position = entry->end;
  }
  if (position != fileSize)
    throw badInput(filePath + ": the tensors have " + std::to_string(position - dataBegin) +
                   " bytes of data, the file has " + std::to_string(fileSize - dataBegin));
}

void SafetensorsFile::read(const TensorEntry &tensor, int64_t offset, void *to,
                           int64_t bytes) const {
  int64_t done = readAt(descriptor, tensor.begin + offset, to, bytes);
  if (done == bytes)
    return;
  if (done < 0)
    throw badInput(filePath + ": tensor '" + tensor.name +
                   "' cannot be read: " + std::strerror(errno));
  throw badInput(filePath + ": truncated while it was read: tensor '" + tensor.name +
                 "' ends at byte " + std::to_string(tensor.end) + ", the file ended at byte " +
                 std::to_string(tensor.begin + offset + done));
}

Checkpoint::Checkpoint(const std::string &directory) {
  if (!isDirectory(directory))
    throw badInput(directory + ": no such directory");
  const std::string single = directory + "/model.safetensors";
  const std::string index = directory + "/model.safetensors.index.json";
  if (isFile(index)) {
    description = index;
    readIndex(directory, index);
  } else if (isFile(single)) {
    description = single;
    addFile(single);
    for (const auto &[name, entry] : files.back()->tensors())
      tensors[name] = {files.back().get(), &entry};
  } else {
    throw badInput(directory +
                   ": holds neither model.safetensors nor model.safetensors.index.json");
  }
}

void Checkpoint::addFile(const std::string &path) {
  files.push_back(std::make_unique<SafetensorsFile>(path));
}

void Checkpoint::readIndex(const std::string &directory, const std::string &indexPath) {
  std::map<std::string, std::string> weightMap;
  try {
    int descriptor = open(indexPath.c_str(), O_RDONLY | O_CLOEXEC);
    struct stat info;
    if (descriptor < 0 || fstat(descriptor, &info))
      throw badInput(indexPath + ": cannot be read: " + std::strerror(errno));
    std::string text(size_t(info.st_size), '\0');
    int64_t done = readAt(descriptor, 0, text.data(), info.st_size);
    close(descriptor);
    if (done != info.st_size)
      throw badInput(indexPath + ": cannot be read");
    const json content = parseStrict(text, indexPath + ": corrupt");
    const json map = content.is_object() ? content.value("weight_map", json()) : json();
    if (!map.is_object())
      throw badInput(indexPath + ": \"weight_map\" must be an object");
    for (const auto &[name, file] : map.items()) {
      // Files lie beside the index.
      if (!file.is_string() || file.get<std::string>().find('/') != std::string::npos)
        throw badInput(indexPath + ": tensor '" + name +
                       "': expected the name of a file in the same directory, found " +
                       file.dump());
      weightMap[name] = file.get<std::string>();
    }
  } catch (const json::exception &exception) {
    throw badInput(indexPath + ": corrupt: " + jsonProblem(exception));
  }
  std::map<std::string, const SafetensorsFile *> opened;
  for (const auto &[name, fileName] : weightMap) {
    const SafetensorsFile *&file = opened[fileName];
    if (!file) {
      addFile(directory + "/" + fileName);
      file = files.back().get();
    }
    auto it = file->tensors().find(name);
    if (it == file->tensors().end())
      throw badInput(file->path() + ": has no tensor '" + name + "', which " + indexPath +
                     " says is there");
    tensors[name] = {file, &it->second};
  }
}

Checkpoint::Tensor Checkpoint::find(const std::string &name, const std::string &wantedBy) const {
  auto it = tensors.find(name);
  if (it != tensors.end())
    return it->second;
  std::vector<std::string> names;
  for (const auto &[candidate, tensor] : tensors)
    names.push_back(candidate);
  throw badInput(description + ": no tensor '" + name + "' (wanted by parameter '" + wantedBy +
                     "')",
                 nearNotes(name, names));
}
