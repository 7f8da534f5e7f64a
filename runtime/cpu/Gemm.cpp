//===- Gemm.cpp - matrix products on the CPU ------------------------------===//
//
// Large products of floats go to oneDNN, cut into one piece per worker.
// Everything else, small products included, uses a loop that is correct for
// every type. Sums are f32 for f32, f16 and bf16, f64 when one of the three is
// f64, i64 for integers, which wrap; each element is rounded once.
//
//===----------------------------------------------------------------------===//

#include "../core/DType.h"
#include "GemmKernels.h"

#include <algorithm>
#include <string>

using namespace tprt;

namespace {

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
    return "a matrix product with a negative size: " + std::to_string(g.m) + " x " +
           std::to_string(g.n) + " x " + std::to_string(g.k) + ", " + std::to_string(g.batch) +
           " times";
  if (g.lda < (g.transA ? g.m : g.k) || g.ldb < (g.transB ? g.k : g.n) || g.ldc < g.n)
    return "a leading dimension is smaller than a row: " + std::to_string(g.lda) + ", " +
           std::to_string(g.ldb) + ", " + std::to_string(g.ldc) + " for " + std::to_string(g.m) +
           " x " + std::to_string(g.n) + " x " + std::to_string(g.k);
  if (g.epilogue &&
      (g.epilogue->activation < TPRT_NO_ACTIVATION || g.epilogue->activation > TPRT_GELU_TANH))
    return "there is no activation " + std::to_string(g.epilogue->activation);
  return "";
}

tprt_status_t runGemm(tprt_context &ctx, int32_t stream, int32_t op, const Gemm &g) {
  const std::string problem = findProblem(g);
  if (!problem.empty())
    return ctx.fail(TPRT_INVALID_ARGUMENT, op, problem);
  if (g.m == 0 || g.n == 0 || g.batch == 0 || (g.k == 0 && g.accumulate))
    return TPRT_OK;
  return ctx.device->gemm(ctx, stream, op, g);
}

tprt_status_t runTimed(tprt_context &ctx, int32_t stream, int32_t op, Gemm g) {
  // The distance of rows means nothing where there is one.
  if ((g.transA ? g.k : g.m) <= 1)
    g.lda = std::max(g.lda, g.transA ? g.m : g.k);
  if ((g.transB ? g.n : g.k) <= 1)
    g.ldb = std::max(g.ldb, g.transB ? g.k : g.n);
  if (g.m <= 1)
    g.ldc = std::max(g.ldc, g.n);
  return guardTimed(ctx, stream, op, SpanKind::Gemm, [&] { return runGemm(ctx, stream, op, g); });
}

} // namespace

tprt_status_t HostDevice::gemm(tprt_context &ctx, int32_t, int32_t op, const Gemm &g) {
  if (g.epilogue)
    throw runFailure("a product of a GPU, and the program was compiled for CPUs", {},
                     TPRT_INVALID_ARGUMENT);
  if (isLibraryProduct(g) && g.k > 0 && g.m * g.n * g.k >= kSmallProduct)
    return runLibrary(ctx, g, op);
  if (!isFloat(g.dtypeC))
    return runLoop<int64_t>(ctx, g, op);
  if (g.dtypeA == TPRT_F64 || g.dtypeB == TPRT_F64 || g.dtypeC == TPRT_F64)
    return runLoop<double>(ctx, g, op);
  return runLoop<float>(ctx, g, op);
}

tprt_status_t tprt_gemm(tprt_context_t *ctx, int32_t stream, int32_t op, int32_t dtype_a,
                        int32_t dtype_b, int32_t dtype_c, int32_t trans_a, int32_t trans_b,
                        int64_t m, int64_t n, int64_t k, const void *a, int64_t lda,
                        int64_t stride_a, const void *b, int64_t ldb, int64_t stride_b, void *c,
                        int64_t ldc, int64_t stride_c, int64_t batch, int32_t accumulate) {
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
  return runTimed(*ctx, stream, op, g);
}

tprt_status_t tprt_gemm_fused(tprt_context_t *ctx, int32_t stream, int32_t op, int32_t dtype,
                              int32_t dtype_d, int32_t trans_a, int32_t trans_b, int64_t m,
                              int64_t n, int64_t k, const void *a, int64_t lda, int64_t stride_a,
                              const void *b, int64_t ldb, int64_t stride_b, const void *c,
                              int64_t ldc, int64_t stride_c, const void *bias, int64_t stride_bias,
                              void *d, int64_t ldd, int64_t stride_d, int64_t batch,
                              int32_t activation) {
  const GemmEpilogue epilogue{c, ldc, stride_c, bias, stride_bias, activation};
  return runTimed(*ctx, stream, op,
                  {dtype,
                   dtype,
                   dtype_d,
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
                   d,
                   ldd,
                   stride_d,
                   batch,
                   /*accumulate=*/false,
                   &epilogue});
}
