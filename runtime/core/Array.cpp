//===- Array.cpp - dense host arrays --------------------------------------===//

#include "tprt/array.h"

#include "DType.h"
#include "Random.h"
#include "tprt/error.h"
#include "tprt/manifest.h"

#include <algorithm>
#include <cerrno>
#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <cstdlib>

using namespace tprt;

Array::Array(int32_t dtype, std::vector<int64_t> shape)
    : dtype(dtype), shape(std::move(shape)),
      data(size_t(elementCount(this->shape) * tprt_dtype_size(dtype))) {}

int64_t Array::count() const { return elementCount(shape); }

Array tprt::convertArray(const Array &array, int32_t dtype, const std::string &what) {
  if (array.dtype == dtype)
    return array;
  auto isWord = [](int32_t type) { return type == TPRT_I64 || type == TPRT_INDEX; };
  auto isByte = [](int32_t type) { return type == TPRT_I8 || type == TPRT_I1; };
  auto isShort = [](int32_t type) { return type == TPRT_F16 || type == TPRT_BF16; };

  bool toShort = array.dtype == TPRT_F32 && isShort(dtype);
  bool toWide = isShort(array.dtype) && dtype == TPRT_F32;
  if (toShort || toWide) {
    Array result(dtype, array.shape);
    convertFloats(array.dtype, array.data.data(), dtype, result.data.data(), array.count());
    return result;
  }
  if ((isWord(array.dtype) && isWord(dtype)) || (isByte(array.dtype) && isByte(dtype))) {
    Array result = array;
    result.dtype = dtype;
    if (dtype == TPRT_I1)
      for (int64_t i = 0, n = array.count(); i < n; ++i)
        if (array.data[size_t(i)] != 0 && array.data[size_t(i)] != 1)
          throw badInput(what + ": an i1 element must be 0 or 1, found " +
                         elementText(TPRT_I8, array.data.data(), i) + " at " +
                         indexText(array.shape, i));
    return result;
  }
  throw badInput(what + ": expected elements of type " + tprt_dtype_name(dtype) +
                 (isShort(dtype) ? " (given as f32)" : "") + ", found " +
                 tprt_dtype_name(array.dtype));
}

Array tprt::readInput(const std::string &text, int32_t dtype, const std::vector<int64_t> &shape,
                      const std::string &what) {
  const std::string extension = ".npy";
  if (text.size() > extension.size() &&
      text.compare(text.size() - extension.size(), extension.size(), extension) == 0)
    return readNpy(text);
  if (!shape.empty())
    throw badInput(what + ": expected a .npy file, found '" + text + "'");
  char *end = nullptr;
  errno = 0;
  Array array(isFloat(dtype) ? int32_t(TPRT_F64) : int32_t(TPRT_I64), {});
  if (isFloat(dtype))
    *array.as<double>() = std::strtod(text.c_str(), &end);
  else
    *array.as<int64_t>() = std::strtoll(text.c_str(), &end, 10);
  if (text.empty() || *end || errno == ERANGE)
    throw badInput(what + ": expected a .npy file or a number, found '" + text + "'");
  Array result(dtype, {});
  if (isFloat(dtype)) {
    convertFloats(TPRT_F64, array.data.data(), dtype, result.data.data(), 1);
    double rounded;
    convertFloats(dtype, result.data.data(), TPRT_F64, &rounded, 1);
    if (std::isinf(rounded) && !std::isinf(*array.as<double>()))
      throw badInput(what + ": " + text + " does not fit " + tprt_dtype_name(dtype));
    return result;
  }
  const int64_t value = *array.as<int64_t>();
  const int64_t bits = dtype == TPRT_I1 ? 1 : 8 * tprt_dtype_size(dtype);
  const int64_t limit = bits == 64         ? INT64_MAX
                        : dtype == TPRT_I1 ? 1
                                           : (int64_t(1) << (bits - 1)) - 1;
  if (value > limit || value < (dtype == TPRT_I1 ? 0 : -limit - 1))
    throw badInput(what + ": " + text + " does not fit " + tprt_dtype_name(dtype));
  std::memcpy(result.data.data(), &value, result.data.size()); // little-endian
  return result;
}

void tprt::fillRandom(const RandomStream &stream, int32_t dtype, const RandomSpec &spec,
                      int64_t first, int64_t count, void *to) {
  if (isFloat(dtype)) {
    constexpr int64_t kStep = 256;
    double values[kStep];
    for (int64_t begin = 0; begin < count; begin += kStep) {
      const int64_t size = std::min(kStep, count - begin);
      for (int64_t i = 0; i < size; ++i)
        values[i] = spec.centre + stream.symmetric(first + begin + i) * spec.scale;
      convertFloats(TPRT_F64, values, dtype,
                    static_cast<char *>(to) + begin * tprt_dtype_size(dtype), size);
    }
    return;
  }
  dispatchDType(dtype, [&](auto tag) {
    using T = decltype(tag);
    if constexpr (std::is_same_v<T, Bit> || std::is_integral_v<T>)
      for (int64_t i = 0; i < count; ++i) {
        if constexpr (std::is_same_v<T, Bit>)
          static_cast<T *>(to)[i] = {uint8_t(stream.below(first + i, 2))};
        else
          static_cast<T *>(to)[i] = T(stream.below(first + i, spec.bound));
      }
  });
}

Array tprt::randomArray(const std::string &name, int32_t dtype, const std::vector<int64_t> &shape,
                        const RandomSpec &spec) {
  Array result(dtype, shape);
  fillRandom(RandomStream(name, spec.seed), dtype, spec, 0, result.count(), result.data.data());
  return result;
}

std::string tprt::indexText(const std::vector<int64_t> &shape, int64_t flat) {
  std::vector<int64_t> index(shape.size());
  for (size_t i = shape.size(); i-- > 0;) {
    index[i] = flat % shape[i];
    flat /= shape[i];
  }
  return shapeText(index);
}

std::string tprt::elementText(int32_t dtype, const void *data, int64_t flat, bool isUnsigned) {
  char text[64];
  if (isFloat(dtype)) {
    const char *element = static_cast<const char *>(data) + flat * tprt_dtype_size(dtype);
    double value;
    convertFloats(dtype, element, TPRT_F64, &value, 1);
    std::snprintf(text, sizeof(text), dtype == TPRT_F64 ? "%.17g" : "%.9g", value);
    return text;
  }
  int64_t value = dispatchDType(dtype, [&](auto tag) -> int64_t {
    using T = decltype(tag);
    if constexpr (std::is_same_v<T, Bit>)
      return static_cast<const Bit *>(data)[flat].value;
    else if constexpr (std::is_integral_v<T>)
      return static_cast<const T *>(data)[flat];
    else
      return 0;
  });
  if (!isUnsigned) {
    std::snprintf(text, sizeof(text), "%" PRId64, value);
    return text;
  }
  const int unusedBits = 64 - 8 * int(tprt_dtype_size(dtype));
  std::snprintf(text, sizeof(text), "%" PRIu64, uint64_t(value) << unusedBits >> unusedBits);
  return text;
}
