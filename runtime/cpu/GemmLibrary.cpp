//===- GemmLibrary.cpp - products of matrices by oneDNN -------------------===//

#include "../core/DType.h"
#include "GemmKernels.h"
#include "OneDnn.h"

#include <algorithm>
#include <atomic>
#include <new>
#include <string>
#include <vector>

using namespace tprt;

namespace {

/// A matrix as it is stored: `rows` contiguous runs of `columns` elements.
struct Stored {
  const char *data;
  int64_t rows, columns, leading;
};

/// Widens f16 or bf16 to a packed f32 matrix.
std::vector<float> widen(int32_t dtype, const Stored &matrix) {
  std::vector<float> wide(size_t(matrix.rows * matrix.columns));
  const int64_t size = tprt_dtype_size(dtype);
  for (int64_t row = 0; row < matrix.rows; ++row)
    convertFloats(dtype, matrix.data + row * matrix.leading * size, TPRT_F32,
                  &wide[size_t(row * matrix.columns)], matrix.columns);
  return wide;
}

/// One piece of one item of a batch: some rows or some columns of the result.
struct Piece {
  int64_t m, n;
  const char *a;
  const char *b;
  float *c;
};

/// Calls oneDNN for pieces [begin, end) of the work.
struct LibraryJob {
  const Gemm *gemm;
  bool splitColumns;
  std::atomic<bool> failed{false}, outOfMemory{false};

  void run(int64_t begin, int64_t end) {
    const Gemm &g = *gemm;
    const int64_t size = tprt_dtype_size(g.dtypeA);
    const int64_t extent = splitColumns ? g.n : g.m;
    while (begin < end) {
      const int64_t item = begin / extent, first = begin % extent;
      const int64_t count = std::min(extent - first, end - begin);
      Piece piece{g.m, g.n, static_cast<const char *>(g.a) + item * g.strideA * size,
                  static_cast<const char *>(g.b) + item * g.strideB * size,
                  static_cast<float *>(g.c) + item * g.strideC};
      if (splitColumns) {
        piece.n = count;
        piece.b += first * (g.transB ? g.ldb : 1) * size;
        piece.c += first;
      } else {
        piece.m = count;
        piece.a += first * (g.transA ? 1 : g.lda) * size;
        piece.c += first * g.ldc;
      }
      if (!multiply(piece))
        failed = true;
      begin += count;
    }
  }

  bool multiply(const Piece &p) const {
    const Gemm &g = *gemm;
    const OneDnn &library = OneDnn::get();
    if (g.dtypeA == TPRT_F32)
      return multiplyFloats(p);
    if (g.dtypeA == TPRT_BF16 && library.bf16gemm(g.transA, g.transB, p.m, p.n, g.k, p.a, g.lda,
                                                  p.b, g.ldb, g.accumulate, p.c, g.ldc))
      return true;
    return multiplyWidened(p);
  }

  /// In blocks of columns: of a B that is stored by columns, as weights are, oneDNN takes
  /// some widths, 1536 or 2048, a fifth slower whole, and none in blocks.
  bool multiplyFloats(const Piece &p) const {
    const Gemm &g = *gemm;
    constexpr int64_t kColumns = 768;
    const auto *a = reinterpret_cast<const float *>(p.a), *b = reinterpret_cast<const float *>(p.b);
    for (int64_t first = 0; first < p.n; first += kColumns)
      if (!OneDnn::get().sgemm(g.transA, g.transB, p.m, std::min(kColumns, p.n - first), g.k, a,
                               g.lda, b + first * (g.transB ? g.ldb : 1), g.ldb, g.accumulate,
                               p.c + first, g.ldc))
        return false;
    return true;
  }

  /// A whole and blocks of columns of B in f32: as much scratch as stays in cache.
  bool multiplyWidened(const Piece &p) const {
    const Gemm &g = *gemm;
    constexpr int64_t kColumns = 256;
    const int64_t size = tprt_dtype_size(g.dtypeA);
    const std::vector<float> a =
        widen(g.dtypeA, {p.a, g.transA ? g.k : p.m, g.transA ? p.m : g.k, g.lda});
    for (int64_t first = 0; first < p.n; first += kColumns) {
      const int64_t count = std::min(kColumns, p.n - first);
      const char *data = p.b + first * (g.transB ? g.ldb : 1) * size;
      const std::vector<float> b =
          widen(g.dtypeB, {data, g.transB ? count : g.k, g.transB ? g.k : count, g.ldb});
      if (!OneDnn::get().sgemm(g.transA, g.transB, p.m, count, g.k, a.data(), g.transA ? p.m : g.k,
                               b.data(), g.transB ? g.k : count, g.accumulate, p.c + first, g.ldc))
        return false;
    }
    return true;
  }

  static void runPieces(void *args, int64_t begin, int64_t end) {
    LibraryJob &job = *static_cast<LibraryJob *>(args);
    try {
      job.run(begin, end);
    } catch (const std::bad_alloc &) { // may be on a helper's thread
      job.outOfMemory = true;
    }
  }
};

} // namespace

bool tprt::isLibraryProduct(const Gemm &g) {
  return g.dtypeA == g.dtypeB && g.dtypeC == TPRT_F32 &&
         (g.dtypeA == TPRT_F32 || g.dtypeA == TPRT_F16 || g.dtypeA == TPRT_BF16);
}

tprt_status_t tprt::runLibrary(tprt_context &ctx, const Gemm &g, int32_t op) {
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
  ctx.workers.run(LibraryJob::runPieces, &job, total, chunk);
  if (job.outOfMemory)
    return ctx.fail(TPRT_OUT_OF_MEMORY, op, "out of memory");
  if (job.failed)
    return ctx.fail(TPRT_INTERNAL, op,
                    "oneDNN refused a product of " + std::to_string(g.m) + " x " +
                        std::to_string(g.n) + " x " + std::to_string(g.k));
  return TPRT_OK;
}
