//===- GemmLoop.cpp - a product of matrices of any type -------------------===//
//
// Operands are converted tile by tile to the type of the sum.
//
//===----------------------------------------------------------------------===//

#include "../core/DType.h"
#include "GemmKernels.h"

#include <algorithm>
#include <atomic>
#include <new>
#include <vector>

using namespace tprt;

namespace {

// Tile of the loop: tileN sums per row stay in registers and first-level cache.
constexpr int64_t kTileN = 64;
constexpr int64_t kTileK = 128;

float widen(float value) { return value; }
float widen(Half value) { return toFloat(value); }
float widen(BFloat16 value) { return toFloat(value); }
double widen(double value) { return value; }
template <typename T, typename = std::enable_if_t<std::is_integral_v<T>>> int64_t widen(T value) {
  return value;
}
int64_t widen(Bit value) { return value.value; }

/// Copies element (row, column) -> out[row * width + column] of a matrix whose
/// element (i, j) lies at i * rowStride + j * columnStride.
template <typename Acc>
void loadTile(int32_t dtype, const void *base, int64_t offset, int64_t rowStride,
              int64_t columnStride, int64_t rows, int64_t columns, int64_t width, Acc *out) {
  dispatchDType(dtype, [&](auto tag) {
    const auto *from = static_cast<const decltype(tag) *>(base) + offset;
    for (int64_t row = 0; row < rows; ++row)
      for (int64_t column = 0; column < columns; ++column)
        out[row * width + column] = Acc(widen(from[row * rowStride + column * columnStride]));
  });
}

template <typename Acc>
void storeRow(int32_t dtype, void *base, int64_t offset, const Acc *row, int64_t count) {
  dispatchDType(dtype, [&](auto tag) {
    using T = decltype(tag);
    T *to = static_cast<T *>(base) + offset;
    for (int64_t i = 0; i < count; ++i) {
      if constexpr (std::is_same_v<T, Half>)
        to[i] = toHalf(float(row[i]));
      else if constexpr (std::is_same_v<T, BFloat16>)
        to[i] = toBFloat16(float(row[i]));
      else if constexpr (!std::is_same_v<T, Bit>)
        to[i] = T(row[i]);
    }
  });
}

/// a + b * c; integers wrap.
template <typename Acc> Acc multiplyAdd(Acc a, Acc b, Acc c) {
  if constexpr (std::is_integral_v<Acc>)
    return Acc(uint64_t(a) + uint64_t(b) * uint64_t(c));
  else
    return a + b * c;
}

/// Rows [beginM, endM) of batch item `item`.
template <typename Acc>
void multiplyRows(const Gemm &g, int64_t item, int64_t beginM, int64_t endM) {
  const int64_t rowsA = g.transA ? 1 : g.lda, columnsA = g.transA ? g.lda : 1;
  const int64_t rowsB = g.transB ? 1 : g.ldb, columnsB = g.transB ? g.ldb : 1;
  std::vector<Acc> tile(size_t(kTileK * kTileN));
  std::vector<Acc> sums(size_t((endM - beginM) * kTileN));
  for (int64_t beginN = 0; beginN < g.n; beginN += kTileN) {
    const int64_t width = std::min(kTileN, g.n - beginN);
    std::fill(sums.begin(), sums.end(), Acc(0));
    if (g.accumulate)
      loadTile(g.dtypeC, g.c, item * g.strideC + beginM * g.ldc + beginN, g.ldc, 1, endM - beginM,
               width, kTileN, sums.data());
    for (int64_t beginK = 0; beginK < g.k; beginK += kTileK) {
      const int64_t depth = std::min(kTileK, g.k - beginK);
      loadTile(g.dtypeB, g.b, item * g.strideB + beginK * rowsB + beginN * columnsB, rowsB,
               columnsB, depth, width, kTileN, tile.data());
      Acc left[kTileK];
      for (int64_t row = beginM; row < endM; ++row) {
        loadTile(g.dtypeA, g.a, item * g.strideA + row * rowsA + beginK * columnsA, rowsA, columnsA,
                 1, depth, depth, left);
        Acc *sum = &sums[size_t((row - beginM) * kTileN)];
        for (int64_t i = 0; i < depth; ++i)
          for (int64_t column = 0; column < kTileN; ++column)
            sum[column] = multiplyAdd(sum[column], left[i], tile[size_t(i * kTileN + column)]);
      }
    }
    for (int64_t row = beginM; row < endM; ++row)
      storeRow(g.dtypeC, g.c, item * g.strideC + row * g.ldc + beginN,
               &sums[size_t((row - beginM) * kTileN)], width);
  }
}

/// Rows of all batch items, numbered through.
template <typename Acc> void multiplyRange(const Gemm &g, int64_t begin, int64_t end) {
  while (begin < end) {
    const int64_t item = begin / g.m, row = begin % g.m;
    const int64_t count = std::min(g.m - row, end - begin);
    multiplyRows<Acc>(g, item, row, row + count);
    begin += count;
  }
}

template <typename Acc> struct LoopJob {
  const Gemm *gemm;
  std::atomic<bool> outOfMemory{false};

  static void run(void *args, int64_t begin, int64_t end) {
    LoopJob &job = *static_cast<LoopJob *>(args);
    try {
      multiplyRange<Acc>(*job.gemm, begin, end);
    } catch (const std::bad_alloc &) { // may be on a helper's thread
      job.outOfMemory = true;
    }
  }
};

} // namespace

template <typename Acc> tprt_status_t tprt::runLoop(tprt_context &ctx, const Gemm &g, int32_t op) {
  const int64_t rows = g.batch * g.m;
  const int64_t workers = ctx.workers.count();
  const bool small = rows * g.n * std::max<int64_t>(g.k, 1) < kSmallProduct;
  LoopJob<Acc> job;
  job.gemm = &g;
  ctx.workers.run(LoopJob<Acc>::run, &job, rows, small ? rows : (rows + workers - 1) / workers);
  return job.outOfMemory ? ctx.fail(TPRT_OUT_OF_MEMORY, op, "out of memory")
                         : tprt_status_t(TPRT_OK);
}

template tprt_status_t tprt::runLoop<float>(tprt_context &, const Gemm &, int32_t);
template tprt_status_t tprt::runLoop<double>(tprt_context &, const Gemm &, int32_t);
template tprt_status_t tprt::runLoop<int64_t>(tprt_context &, const Gemm &, int32_t);
