//===- Array.cpp - dense host arrays --------------------------------------===//

#include "tprt/array.h"

#include "DType.h"
#include "Random.h"
#include "tprt/error.h"
#include "tprt/manifest.h"

#include <cinttypes>
#include <cstdio>

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

Array tprt::randomArray(const std::string &name, int32_t dtype, const std::vector<int64_t> &shape,
                        const RandomSpec &spec) {
  Array result(dtype, shape);
  RandomStream stream(name, spec.seed);
  int64_t count = result.count();
  if (isFloat(dtype)) {
    std::vector<double> values((size_t(count)));
    for (int64_t i = 0; i < count; ++i)
      values[size_t(i)] = stream.symmetric(i) * spec.scale;
    convertFloats(TPRT_F64, values.data(), dtype, result.data.data(), count);
    return result;
  }
  dispatchDType(dtype, [&](auto tag) {
    using T = decltype(tag);
    if constexpr (std::is_same_v<T, Bit>) {
      for (int64_t i = 0; i < count; ++i)
        result.as<Bit>()[i].value = uint8_t(stream.below(i, 2));
    } else if constexpr (std::is_integral_v<T>) {
      for (int64_t i = 0; i < count; ++i)
        result.as<T>()[i] = T(stream.below(i, spec.bound));
    }
  });
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

std::string tprt::elementText(int32_t dtype, const void *data, int64_t flat) {
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
  std::snprintf(text, sizeof(text), "%" PRId64, value);
  return text;
}
