//===- Gemm.cpp - matrix products on the CPU ------------------------------===//
//
// Large f32 products go to oneDNN, cut into one piece per worker. Everything
// else, small f32 products included, uses a loop that is correct for every
// type: operands are converted tile by tile to the type of the sum (f32 for
// f32, f16 and bf16, f64 when one of the three is f64, i64 for integers, which
// wrap), each element is summed in the order of k, and rounded once.
//
//===----------------------------------------------------------------------===//

#include "../core/Context.h"
#include "../core/DType.h"
#include "OneDnn.h"

#include <algorithm>
#include <atomic>

using namespace tprt;

namespace {

// Products with fewer multiplications than this cost less than a library call
// and need no library.
constexpr int64_t kSmallProduct = 16384;
// Tile of the loop: tileN sums per row stay in registers and first-level cache.
constexpr int64_t kTileN = 64;
constexpr int64_t kTileK = 128;

struct Gemm {
  int32_t dtypeA, dtypeB, dtypeC;
  bool transA, transB;
  int64_t m, n, k;
  const void *a;
  int64_t lda, strideA;
  const void *b;
  int64_t ldb, strideB;
  void *c;
  int64_t ldc, strideC;
  int64_t batch;
  bool accumulate;
};

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

template <typename Acc> tprt_status_t runLoop(tprt_context &ctx, const Gemm &g, int32_t op) {
  const int64_t rows = g.batch * g.m;
  const int64_t workers = ctx.workers.count();
  const bool small = rows * g.n * std::max<int64_t>(g.k, 1) < kSmallProduct;
  LoopJob<Acc> job;
  job.gemm = &g;
  ctx.workers.run(LoopJob<Acc>::run, &job, rows, small ? rows : (rows + workers - 1) / workers);
  return job.outOfMemory ? ctx.fail(TPRT_OUT_OF_MEMORY, op, "out of memory")
                         : tprt_status_t(TPRT_OK);
}

/// One call of oneDNN for pieces [begin, end) of the work.
struct LibraryJob {
  const Gemm *gemm;
  bool splitColumns;
  std::atomic<bool> failed{false};

  void run(int64_t begin, int64_t end) {
    const Gemm &g = *gemm;
    const int64_t extent = splitColumns ? g.n : g.m;
    while (begin < end) {
      const int64_t item = begin / extent, first = begin % extent;
      const int64_t count = std::min(extent - first, end - begin);
      const float *a = static_cast<const float *>(g.a) + item * g.strideA;
      const float *b = static_cast<const float *>(g.b) + item * g.strideB;
      float *c = static_cast<float *>(g.c) + item * g.strideC;
      if (splitColumns)
        b += first * (g.transB ? g.ldb : 1), c += first;
      else
        a += first * (g.transA ? 1 : g.lda), c += first * g.ldc;
      if (!OneDnn::get().sgemm(g.transA, g.transB, splitColumns ? g.m : count,
                               splitColumns ? count : g.n, g.k, a, g.lda, b, g.ldb, g.accumulate, c,
                               g.ldc))
        failed = true;
      begin += count;
    }
  }
};

tprt_status_t runLibrary(tprt_context &ctx, const Gemm &g, int32_t op) {
  const OneDnn &library = OneDnn::get();
  if (!library.available())
    return ctx.fail(TPRT_UNAVAILABLE, op, library.problem());
  // Cut along the longer side of the result: less of the operands is read by
  // several workers. Whole items where there are enough of them.
  LibraryJob job;
  job.gemm = &g;
  job.splitColumns = g.n >= g.m;
  const int64_t extent = job.splitColumns ? g.n : g.m;
  const int64_t workers = ctx.workers.count();
  const int64_t total = g.batch * extent;
  constexpr int64_t kGrain = 16;
  int64_t chunk = (total + workers - 1) / workers;
  chunk = g.batch >= workers ? (g.batch + workers - 1) / workers * extent
                             : (chunk + kGrain - 1) / kGrain * kGrain;
  ctx.workers.run([](void *args, int64_t begin,
                     int64_t end) { static_cast<LibraryJob *>(args)->run(begin, end); },
                  &job, total, chunk);
  if (job.failed)
    return ctx.fail(TPRT_INTERNAL, op,
                    "oneDNN refused a product of " + std::to_string(g.m) + " x " +
                        std::to_string(g.n) + " x " + std::to_string(g.k));
  return TPRT_OK;
}

/// Empty when the arguments are possible, else what is wrong.
std::string findProblem(const Gemm &g) {
  for (int32_t dtype : {g.dtypeA, g.dtypeB, g.dtypeC})
    if (!isDType(dtype) || dtype == TPRT_I1)
      return std::string("a matrix product has no elements of type ") + tprt_dtype_name(dtype);
  if (isFloat(g.dtypeA) != isFloat(g.dtypeC) || isFloat(g.dtypeB) != isFloat(g.dtypeC))
    return std::string("a matrix product cannot mix floats and integers: ") +
           tprt_dtype_name(g.dtypeA) + ", " + tprt_dtype_name(g.dtypeB) + ", " +
           tprt_dtype_name(g.dtypeC);
  if (g.m < 0 || g.n < 0 || g.k < 0 || g.batch < 0)
    return "a matrix product with a negative size";
  if (g.lda < (g.transA ? g.m : g.k) || g.ldb < (g.transB ? g.k : g.n) || g.ldc < g.n)
    return "a leading dimension is smaller than a row: " + std::to_string(g.lda) + ", " +
           std::to_string(g.ldb) + ", " + std::to_string(g.ldc) + " for " + std::to_string(g.m) +
           " x " + std::to_string(g.n) + " x " + std::to_string(g.k);
  return "";
}

tprt_status_t runGemm(tprt_context &ctx, const Gemm &g, int32_t op) {
  const std::string problem = findProblem(g);
  if (!problem.empty())
    return ctx.fail(TPRT_INVALID_ARGUMENT, op, problem);
  if (g.m == 0 || g.n == 0 || g.batch == 0 || (g.k == 0 && g.accumulate))
    return TPRT_OK;
  const bool allF32 = g.dtypeA == TPRT_F32 && g.dtypeB == TPRT_F32 && g.dtypeC == TPRT_F32;
  if (allF32 && g.k > 0 && g.m * g.n * g.k >= kSmallProduct)
    return runLibrary(ctx, g, op);
  if (!isFloat(g.dtypeC))
    return runLoop<int64_t>(ctx, g, op);
  if (g.dtypeA == TPRT_F64 || g.dtypeB == TPRT_F64 || g.dtypeC == TPRT_F64)
    return runLoop<double>(ctx, g, op);
  return runLoop<float>(ctx, g, op);
}

} // namespace

tprt_status_t tprt_gemm(tprt_context_t *ctx, int32_t, int32_t op, int32_t dtype_a, int32_t dtype_b,
                        int32_t dtype_c, int32_t trans_a, int32_t trans_b, int64_t m, int64_t n,
                        int64_t k, const void *a, int64_t lda, int64_t stride_a, const void *b,
                        int64_t ldb, int64_t stride_b, void *c, int64_t ldc, int64_t stride_c,
                        int64_t batch, int32_t accumulate) {
  Gemm g{dtype_a,
         dtype_b,
         dtype_c,
         trans_a != 0,
         trans_b != 0,
         m,
         n,
         k,
         a,
         lda,
         stride_a,
         b,
         ldb,
         stride_b,
         c,
         ldc,
         stride_c,
         batch,
         accumulate != 0};
  // The distance of rows means nothing where there is one.
  if ((g.transA ? k : m) <= 1)
    g.lda = std::max(lda, g.transA ? m : k);
  if ((g.transB ? n : k) <= 1)
    g.ldb = std::max(ldb, g.transB ? k : n);
  if (m <= 1)
    g.ldc = std::max(ldc, n);
  return guardCall(*ctx, op, [&] { return runGemm(*ctx, g, op); });
}
