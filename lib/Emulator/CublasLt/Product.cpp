//===- Product.cpp - Sums of products on the host --------------------------===//
//
// By tiles that stay in registers, with vectors of the processor that it runs on. Where
// one factor has a column or two and the other is stored along the sum, as when tokens
// are decoded, it is read as it is.
//
//===----------------------------------------------------------------------===//

#include "Product.h"

#include "../NarrowFloats.h"
#include <algorithm>
#include <cstring>
#include <vector>

using namespace mlir::tp::emulator;
using namespace tprt::cuda;

#ifdef __x86_64__
#define TP_FOR_EACH_PROCESSOR                                                                      \
  __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define TP_FOR_EACH_PROCESSOR
#endif
#define TP_INLINE __attribute__((always_inline)) inline

namespace {

constexpr uint64_t vectorBytes = 64;
template <typename T> struct Lanes {
  static constexpr uint64_t count = vectorBytes / sizeof(T);
  using Vector __attribute__((vector_size(vectorBytes))) = T;
};

// Of a tile: a vector of sums of one factor by a few of the other, over a part of the sum
// that the caches hold.
constexpr uint64_t columns = 4, depth = 512;

template <typename T> TP_INLINE typename Lanes<T>::Vector vectorAt(const T *from) {
  typename Lanes<T>::Vector vector;
  std::memcpy(&vector, from, sizeof(vector));
  return vector;
}

/// sums[column][lane] of a[k][lane] and b[k][column].
template <typename T> TP_INLINE void multiply(const T *a, const T *b, uint64_t count, T *sums) {
  typename Lanes<T>::Vector total[columns] = {};
  for (uint64_t k = 0; k < count; ++k) {
    const auto left = vectorAt(a + k * Lanes<T>::count);
    for (uint64_t column = 0; column < columns; ++column)
      total[column] += left * b[k * columns + column];
  }
  std::memcpy(sums, total, sizeof(total));
}

template <typename T> TP_INLINE T dot(const T *a, const T *b, uint64_t count) {
  constexpr uint64_t lanes = Lanes<T>::count, chains = 4;
  typename Lanes<T>::Vector total[chains] = {};
  uint64_t k = 0;
  for (; k + chains * lanes <= count; k += chains * lanes)
    for (uint64_t chain = 0; chain < chains; ++chain)
      total[chain] += vectorAt(a + k + chain * lanes) * vectorAt(b + k + chain * lanes);
  T sum = 0;
  for (const auto &vector : total)
    for (uint64_t lane = 0; lane < lanes; ++lane)
      sum += vector[lane];
  for (; k < count; ++k)
    sum += a[k] * b[k];
  return sum;
}

TP_FOR_EACH_PROCESSOR void multiplyTile(const float *a, const float *b, uint64_t count,
                                        float *sums) {
  multiply(a, b, count, sums);
}
TP_FOR_EACH_PROCESSOR void multiplyTile(const double *a, const double *b, uint64_t count,
                                        double *sums) {
  multiply(a, b, count, sums);
}
TP_FOR_EACH_PROCESSOR float dotOf(const float *a, const float *b, uint64_t count) {
  return dot(a, b, count);
}
TP_FOR_EACH_PROCESSOR double dotOf(const double *a, const double *b, uint64_t count) {
  return dot(a, b, count);
}

template <typename Bits, typename Convert>
TP_INLINE void convert(const char *from, uint64_t count, float *to, Convert one) {
  for (uint64_t i = 0; i < count; ++i) {
    Bits bits;
    std::memcpy(&bits, from + i * sizeof(bits), sizeof(bits));
    to[i] = one(bits);
  }
}

TP_FOR_EACH_PROCESSOR void loadRun(const char *from, LtType type, bool tf32, uint64_t count,
                                   float *to) {
  if (tf32)
    convert<uint32_t>(from, count, to, fromTF32);
  else if (type == ltFloat32)
    std::memcpy(to, from, count * sizeof(float));
  else if (type == ltFloat16)
    convert<uint16_t>(from, count, to, fromF16);
  else
    convert<uint16_t>(from, count, to, fromBF16);
}

void loadRun(const char *from, LtType, bool, uint64_t count, double *to) {
  std::memcpy(to, from, count * sizeof(double));
}

/// Elements [begin, end) of sums [first, first + width), as to[k][width]; zeros where there
/// are fewer sums.
template <typename T>
void pack(const Factor &factor, uint64_t first, uint64_t width, uint64_t begin, uint64_t end,
          T *to) {
  const uint64_t sums = std::min(width, factor.sums - first);
  const size_t bytes = bytesOf(factor.type);
  auto at = [&](uint64_t sum, uint64_t k) {
    return factor.data + (sum * factor.sumStep + k * factor.step) * bytes;
  };
  if (sums < width)
    std::fill(to, to + width * (end - begin), T(0));
  if (factor.step != 1) {
    for (uint64_t k = begin; k < end; ++k)
      loadRun(at(first, k), factor.type, factor.tf32, sums, to + (k - begin) * width);
    return;
  }
  T run[depth];
  for (uint64_t sum = 0; sum < sums; ++sum) {
    loadRun(at(first + sum, begin), factor.type, factor.tf32, end - begin, run);
    for (uint64_t k = 0; k < end - begin; ++k)
      to[k * width + sum] = run[k];
  }
}

/// For `few` with so few sums, that each of `many`, which has its elements one behind the
/// other, is read once.
template <typename T>
void addDots(const Factor &many, const Factor &few, uint64_t begin, uint64_t end, T *sum,
             uint64_t manyStep, uint64_t fewStep) {
  std::vector<T> right((end - begin) * few.sums), left(end - begin);
  for (uint64_t column = 0; column < few.sums; ++column)
    for (uint64_t k = begin; k < end; ++k)
      loadRun(few.data + (column * few.sumStep + k * few.step) * bytesOf(few.type), few.type,
              few.tf32, 1, &right[column * (end - begin) + k - begin]);
  for (uint64_t row = 0; row < many.sums; ++row) {
    loadRun(many.data + (row * many.sumStep + begin) * bytesOf(many.type), many.type, many.tf32,
            end - begin, left.data());
    for (uint64_t column = 0; column < few.sums; ++column)
      sum[row * manyStep + column * fewStep] +=
          dotOf(left.data(), &right[column * (end - begin)], end - begin);
  }
}

/// As addProducts, with what the sums of each factor are apart in `sum`.
template <typename T>
void addTiles(const Factor &a, const Factor &b, uint64_t begin, uint64_t end, T *sum,
              uint64_t aStep, uint64_t bStep) {
  constexpr uint64_t lanes = Lanes<T>::count;
  const uint64_t panels = (b.sums + columns - 1) / columns;
  std::vector<T> right(panels * columns * depth), left(lanes * depth);
  T tile[columns * lanes];
  for (uint64_t k = begin; k < end; k += depth) {
    const uint64_t stop = std::min(k + depth, end), count = stop - k;
    for (uint64_t panel = 0; panel < panels; ++panel)
      pack(b, panel * columns, columns, k, stop, &right[panel * columns * depth]);
    for (uint64_t row = 0; row < a.sums; row += lanes) {
      pack(a, row, lanes, k, stop, left.data());
      for (uint64_t panel = 0; panel < panels; ++panel) {
        multiplyTile(left.data(), &right[panel * columns * depth], count, tile);
        const uint64_t first = panel * columns;
        for (uint64_t j = 0; j < std::min(columns, b.sums - first); ++j)
          for (uint64_t i = 0; i < std::min(lanes, a.sums - row); ++i)
            sum[(row + i) * aStep + (first + j) * bStep] += tile[j * lanes + i];
      }
    }
  }
}

} // namespace

template <typename T>
void mlir::tp::emulator::addProducts(const Factor &a, const Factor &b, uint64_t begin, uint64_t end,
                                     T *sum) {
  // The larger one is taken by vectors, and once.
  const bool swap = a.sums < b.sums;
  const Factor &many = swap ? b : a, &few = swap ? a : b;
  const uint64_t manyStep = swap ? a.sums : 1, fewStep = swap ? 1 : a.sums;
  if (few.sums <= 2 && many.step == 1)
    addDots(many, few, begin, end, sum, manyStep, fewStep);
  else
    addTiles(many, few, begin, end, sum, manyStep, fewStep);
}

template void mlir::tp::emulator::addProducts(const Factor &, const Factor &, uint64_t, uint64_t,
                                              float *);
template void mlir::tp::emulator::addProducts(const Factor &, const Factor &, uint64_t, uint64_t,
                                              double *);
