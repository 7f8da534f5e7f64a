//===- Npy.cpp - NumPy files ----------------------------------------------===//
//
// Format: NEP 1. Magic, version, header length (2 bytes in version 1, 4 in 2
// and 3), a Python dictionary with descr, fortran_order and shape, the data.
//
//===----------------------------------------------------------------------===//

#include "Npy.h"

#include "DType.h"
#include "tprt/array.h"
#include "tprt/error.h"
#include "tprt/manifest.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <fstream>

using namespace tprt;

namespace {

constexpr char kMagic[] = "\x93NUMPY";
constexpr size_t kMagicSize = 6;
constexpr int64_t kMaxElements = int64_t(1) << 40;

class NpyHeader {
public:
  NpyHeader(const std::string &path, std::string text) : path(path), text(std::move(text)) {}

  int32_t dtype() const {
    size_t at = valueOf("descr");
    char quote = text[at];
    size_t end = text.find(quote, at + 1);
    if ((quote != '\'' && quote != '"') || end == std::string::npos)
      fail("descr is no string");
    std::string descr = text.substr(at + 1, end - at - 1);
    static constexpr struct {
      const char *descr;
      int32_t dtype;
    } kTypes[] = {{"<f8", TPRT_F64}, {"<f4", TPRT_F32}, {"<f2", TPRT_F16}, {"<i8", TPRT_I64},
                  {"<i4", TPRT_I32}, {"<i2", TPRT_I16}, {"|i1", TPRT_I8},  {"<u8", TPRT_I64},
                  {"<u4", TPRT_I32}, {"<u2", TPRT_I16}, {"|u1", TPRT_I8},  {"|b1", TPRT_I1}};
    for (const auto &type : kTypes)
      if (descr == type.descr)
        return type.dtype;
    throw badInput(
        path + ": element type '" + descr +
        "' is not supported, expected one of <f8 <f4 <f2 <i8 <i4 <i2 |i1 <u8 <u4 <u2 |u1 |b1");
  }

  bool fortranOrder() const { return text.compare(valueOf("fortran_order"), 4, "True") == 0; }

  std::vector<int64_t> shape() const {
    size_t at = valueOf("shape");
    if (text[at] != '(')
      fail("shape is no tuple");
    std::vector<int64_t> shape;
    int64_t count = 1;
    for (++at; at < text.size() && text[at] != ')';) {
      if (!std::isdigit(static_cast<unsigned char>(text[at]))) {
        // Python 2 wrote (3L,).
        if (!std::strchr(", L", text[at]))
          fail("shape is no tuple of sizes");
        ++at;
        continue;
      }
      int64_t size = 0;
      for (; at < text.size() && std::isdigit(static_cast<unsigned char>(text[at])); ++at) {
        size = size * 10 + (text[at] - '0');
        if (size > kMaxElements)
          fail("shape is too large");
      }
      if (size && count > kMaxElements / size)
        fail("shape is too large");
      count *= size;
      shape.push_back(size);
    }
    return shape;
  }

private:
  [[noreturn]] void fail(const char *what) const {
    throw badInput(path + ": not a valid NumPy file: " + what);
  }

  size_t valueOf(const char *key) const {
    size_t at = text.find("'" + std::string(key) + "'");
    if (at == std::string::npos)
      fail((std::string("no ") + key).c_str());
    at = text.find(':', at);
    at = at == std::string::npos ? at : text.find_first_not_of(' ', at + 1);
    if (at == std::string::npos)
      fail((std::string("no value for ") + key).c_str());
    return at;
  }

  const std::string &path;
  std::string text;
};

/// Column-major to row-major.
Array transposeOrder(const Array &array) {
  Array result(array.dtype, array.shape);
  size_t elementSize = size_t(tprt_dtype_size(array.dtype));
  std::vector<int64_t> index(array.shape.size(), 0);
  for (int64_t flat = 0, n = array.count(); flat < n; ++flat) {
    int64_t source = 0;
    for (size_t i = array.shape.size(); i-- > 0;)
      source = source * array.shape[i] + index[i];
    std::memcpy(&result.data[size_t(flat) * elementSize], &array.data[size_t(source) * elementSize],
                elementSize);
    for (size_t i = array.shape.size(); i-- > 0;) {
      if (++index[i] < array.shape[i])
        break;
      index[i] = 0;
    }
  }
  return result;
}

} // namespace

Array tprt::readNpy(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  if (!file)
    throw badInput(path + ": cannot be read: " + std::strerror(errno));
  unsigned char prefix[12] = {};
  file.read(reinterpret_cast<char *>(prefix), 10);
  if (!file || std::memcmp(prefix, kMagic, kMagicSize) || prefix[6] < 1 || prefix[6] > 3)
    throw badInput(path + ": not a NumPy file");
  uint32_t headerSize = prefix[8] | uint32_t(prefix[9]) << 8;
  if (prefix[6] > 1) {
    file.read(reinterpret_cast<char *>(prefix + 10), 2);
    headerSize |= uint32_t(prefix[10]) << 16 | uint32_t(prefix[11]) << 24;
  }
  if (!file || headerSize > (1u << 20))
    throw badInput(path + ": not a valid NumPy file: header of " + std::to_string(headerSize) +
                   " bytes");
  std::string text(headerSize, '\0');
  file.read(text.data(), std::streamsize(headerSize));
  if (!file)
    throw badInput(path + ": truncated NumPy file");

  NpyHeader header(path, std::move(text));
  int32_t dtype = header.dtype();
  std::vector<int64_t> shape = header.shape();
  auto begin = file.tellg();
  file.seekg(0, std::ios::end);
  int64_t available = int64_t(file.tellg() - begin);
  int64_t needed = elementCount(shape) * tprt_dtype_size(dtype);
  if (available < needed)
    throw badInput(path + ": truncated NumPy file: " + shapeText(shape) + " needs " +
                   std::to_string(needed) + " bytes, found " + std::to_string(available));
  file.seekg(begin);
  Array array(dtype, std::move(shape));
  file.read(array.data.data(), std::streamsize(needed));
  if (!file)
    throw badInput(path + ": cannot be read: " + std::strerror(errno));
  if (dtype == TPRT_I1)
    for (char &element : array.data)
      element = element != 0;
  return header.fortranOrder() && array.shape.size() > 1 ? transposeOrder(array) : array;
}

void tprt::writeNpy(const std::string &path, const Array &array) {
  OutputFile file(path);
  writeNpy(file, array);
}

void tprt::writeNpy(OutputFile &file, const Array &array) {
  if (array.dtype == TPRT_F16 || array.dtype == TPRT_BF16)
    return writeNpy(file, convertArray(array, TPRT_F32, "result"));
  const char *descr = "<f4";
  switch (array.dtype) {
  case TPRT_F64:
    descr = "<f8";
    break;
  case TPRT_I64:
  case TPRT_INDEX:
    descr = "<i8";
    break;
  case TPRT_I32:
    descr = "<i4";
    break;
  case TPRT_I16:
    descr = "<i2";
    break;
  case TPRT_I8:
  case TPRT_I1:
    descr = "|i1";
    break;
  }
  std::string type = descr;
  if (array.isUnsigned)
    std::replace(type.begin(), type.end(), 'i', 'u');
  std::string shape = "(";
  for (int64_t size : array.shape)
    shape += std::to_string(size) + ",";
  std::string text = "{'descr': '" + type + "', 'fortran_order': False, 'shape': " + shape + "), }";
  // The data starts at a multiple of 64 bytes; the header ends with a newline.
  size_t prefixSize = kMagicSize + 4;
  text.append((64 - (prefixSize + text.size() + 1) % 64) % 64, ' ');
  text += '\n';
  std::string prefix(kMagic, kMagicSize);
  prefix += {'\1', '\0', char(text.size() & 0xff), char(text.size() >> 8)};

  file.write(prefix.data(), prefix.size());
  file.write(text.data(), text.size());
  file.write(array.data.data(), array.data.size());
  file.commit();
}
