//===- array.h - dense host arrays and .npy files ---------------*- C++ -*-===//
//
// Global values on their way into and out of a session.
//
//===----------------------------------------------------------------------===//

#ifndef TPRT_ARRAY_H
#define TPRT_ARRAY_H

#include "tprt/tprt.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tprt {

/// A dense row-major array; `shape` is empty for a scalar.
struct Array {
  int32_t dtype = TPRT_F32;
  std::vector<int64_t> shape;
  std::vector<char> data;
  bool isUnsigned = false; ///< how integers are printed and written

  Array() = default;
  /// Zeros.
  Array(int32_t dtype, std::vector<int64_t> shape);

  int64_t count() const;
  template <typename T> T *as() { return reinterpret_cast<T *>(data.data()); }
  template <typename T> const T *as() const { return reinterpret_cast<const T *>(data.data()); }
};

/// Reads a NumPy file: little-endian f8 f4 f2 i8 i4 i2 i1 u8 u4 u2 u1 (as integers of
/// these bits) and bool (as i1), in C or Fortran order. Throws `Error` (exit code 2) that names the
/// file.
Array readNpy(const std::string &path);

/// The value of an input as a user writes it: the path of a .npy file, or a
/// number where the argument is a scalar. Throws `Error` that starts with
/// `what` when it is neither.
Array readInput(const std::string &text, int32_t dtype, const std::vector<int64_t> &shape,
                const std::string &what);

/// Writes a NumPy file; bf16 and f16 travel as f32, index as int64, i1 as int8.
/// The file appears whole or not at all. Throws `Error`.
void writeNpy(const std::string &path, const Array &array);

/// `array` with its elements converted for an argument of type `dtype`:
/// f32 to bf16 or f16 (rounded), f16 and bf16 to f32, i64 and index, i8 and i1
/// (which must be 0 or 1). Throws `Error` that starts with `what` where no
/// conversion without loss, other than that rounding, exists.
Array convertArray(const Array &array, int32_t dtype, const std::string &what);

/// Values that depend on `name`, `seed` and the index only: floats uniform in
/// [centre - scale, centre + scale), integers uniform in [0, bound), i1 0 or 1.
struct RandomSpec {
  uint64_t seed = 0;
  double centre = 0.0;
  double scale = 1.0;
  int64_t bound = 8;
};
Array randomArray(const std::string &name, int32_t dtype, const std::vector<int64_t> &shape,
                  const RandomSpec &spec);

/// "[1, 0, 3]" for a flat index.
std::string indexText(const std::vector<int64_t> &shape, int64_t flat);
/// The element at a flat index, printed so that reading it back gives the same
/// value.
std::string elementText(int32_t dtype, const void *data, int64_t flat, bool isUnsigned = false);

} // namespace tprt

#endif // TPRT_ARRAY_H
