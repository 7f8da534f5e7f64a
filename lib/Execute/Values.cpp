//===- Values.cpp - Global values on their way in and out ------------------===//

#include "tp/Execute/Values.h"

#include "Guard.h"
#include "tprt/parameters.h"

#include <cmath>
#include <cstring>

using namespace mlir;
using namespace mlir::tp;
using tprt::Array;
using tprt::ValueInfo;

llvm::Expected<Array> tp::readInputValue(llvm::StringRef text, const ValueInfo &argument) {
  Array value;
  llvm::Error error = guarded([&] {
    std::string what = "input '" + argument.name + "'";
    value = tprt::readInput(text.str(), argument.dtype, argument.globalShape, what);
    if (value.shape != argument.globalShape)
      throw tprt::badInput(what + ": expected " + tprt_dtype_name(argument.dtype) + " " +
                           tprt::shapeText(argument.globalShape) + ", found " +
                           tprt_dtype_name(value.dtype) + " " + tprt::shapeText(value.shape) +
                           " in " + text.str());
    value = tprt::convertArray(value, argument.dtype, what + ", " + text.str());
  });
  if (error)
    return error;
  return value;
}

llvm::Expected<std::vector<int64_t>> tp::readInputShape(llvm::StringRef text,
                                                        llvm::StringRef name) {
  std::vector<int64_t> sizes;
  // Not the shape of a scalar: numbers are for these.
  if (llvm::Error error = guarded([&] {
        sizes = tprt::readInput(text.str(), TPRT_F32, {1}, "input '" + name.str() + "'").shape;
      }))
    return error;
  return sizes;
}

Array tp::makeRandomInput(const ValueInfo &argument) {
  return tprt::randomArray(argument.name, argument.dtype, argument.globalShape, tprt::RandomSpec());
}

llvm::Expected<std::vector<Array>> tp::loadParameters(const std::vector<ValueInfo> &parameters,
                                                      const std::optional<std::string> &weights) {
  std::vector<Array> values;
  if (llvm::Error error =
          guarded([&] { values = tprt::loadGlobalParameters(parameters, weights); }))
    return error;
  return values;
}

llvm::Error tp::writeValue(llvm::StringRef directory, llvm::StringRef name, const Array &value) {
  return guarded([&] { tprt::writeNpy((directory + "/" + name + ".npy").str(), value); });
}

//===----------------------------------------------------------------------===//
// Comparison
//===----------------------------------------------------------------------===//

static bool isFloat(int32_t dtype) {
  return dtype == TPRT_F64 || dtype == TPRT_F32 || dtype == TPRT_F16 || dtype == TPRT_BF16;
}

std::vector<double> tp::toDoubles(const Array &array) {
  std::vector<double> values(static_cast<size_t>(array.count()));
  if (array.dtype == TPRT_F64) {
    std::copy_n(array.as<double>(), values.size(), values.begin());
    return values;
  }
  Array wide = tprt::convertArray(array, TPRT_F32, "");
  std::copy_n(wide.as<float>(), values.size(), values.begin());
  return values;
}

/// Position of the first float that differs, or none.
static std::optional<int64_t> findFloatDifference(const Array &value, const Array &reference,
                                                  double tolerance, double rounding) {
  std::vector<double> a = toDoubles(value), b = toDoubles(reference);
  double largest = 0;
  for (double x : b)
    if (std::isfinite(x))
      largest = std::max(largest, std::fabs(x));
  double allowed = std::max(tolerance * largest, rounding);
  for (size_t i = 0; i < a.size(); ++i) {
    if (std::isnan(a[i]) && std::isnan(b[i]))
      continue;
    bool same = a[i] == b[i] && (tolerance > 0 || std::signbit(a[i]) == std::signbit(b[i]));
    // Written so that a NaN or an infinity on one side differs.
    if (!same && !(std::fabs(a[i] - b[i]) <= allowed && tolerance > 0))
      return static_cast<int64_t>(i);
  }
  return std::nullopt;
}

static std::optional<int64_t> findBitDifference(const Array &value, const Array &reference) {
  size_t bytes = tprt_dtype_size(value.dtype);
  for (int64_t i = 0, n = value.count(); i < n; ++i)
    if (std::memcmp(value.data.data() + i * bytes, reference.data.data() + i * bytes, bytes) != 0)
      return i;
  return std::nullopt;
}

std::optional<ValueDifference> tp::findDifference(const Array &value, const Array &reference,
                                                  double tolerance, double rounding) {
  std::optional<int64_t> at = isFloat(value.dtype)
                                  ? findFloatDifference(value, reference, tolerance, rounding)
                                  : findBitDifference(value, reference);
  if (!at)
    return std::nullopt;
  return ValueDifference{tprt::indexText(value.shape, *at),
                         tprt::elementText(value.dtype, value.data.data(), *at),
                         tprt::elementText(reference.dtype, reference.data.data(), *at)};
}

std::string tp::describeValue(const Array &value) {
  constexpr int64_t kShown = 8;
  std::string text =
      std::string(tprt_dtype_name(value.dtype)) + " " + tprt::shapeText(value.shape) + ":";
  for (int64_t i = 0, n = value.count(); i < n; ++i) {
    if (i == kShown)
      return text + ", ...";
    text +=
        (i ? ", " : " ") + tprt::elementText(value.dtype, value.data.data(), i, value.isUnsigned);
  }
  return text;
}
