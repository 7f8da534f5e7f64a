//===- GemmTest.cpp - matrix products against the definition --------------===//

#include "Backend.h"
#include "Reference.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace tprt;
using namespace tprt_test;

namespace {

struct Product {
  int32_t dtypeA = TPRT_F32, dtypeB = TPRT_F32, dtypeC = TPRT_F32;
  bool transA = false, transB = false;
  int64_t m = 1, n = 1, k = 1, batch = 1;
  int64_t padding = 0; ///< added to leading dimensions and strides
  bool sharedB = false;
  bool accumulate = false;
  int workers = 1;
};

bool isFloatType(int32_t dtype) { return dtype <= TPRT_BF16; }

/// Small numbers: sums of integers are exact, floats differ from each other.
Bytes makeMatrix(int32_t dtype, int64_t count, int seed) {
  Bytes data(size_t(count * tprt_dtype_size(dtype)));
  for (int64_t i = 0; i < count; ++i) {
    const int64_t value = (i * 7 + seed * 13 + i / 5) % 31 - 15;
    if (isFloatType(dtype))
      setFloat(dtype, data, i, double(value) / 8);
    else
      setInteger(dtype, data, i, value);
  }
  return data;
}

void check(const Product &p) {
  const int64_t lda = (p.transA ? p.m : p.k) + p.padding, rowsA = p.transA ? p.k : p.m;
  const int64_t ldb = (p.transB ? p.k : p.n) + p.padding, rowsB = p.transB ? p.n : p.k;
  const int64_t ldc = p.n + p.padding;
  const int64_t strideA = rowsA * lda + p.padding;
  const int64_t strideB = p.sharedB ? 0 : rowsB * ldb + p.padding;
  const int64_t strideC = p.m * ldc + p.padding;
  const Bytes a = makeMatrix(p.dtypeA, std::max<int64_t>(1, p.batch * strideA), 1);
  const Bytes b = makeMatrix(p.dtypeB, std::max<int64_t>(1, p.batch * strideB + rowsB * ldb), 2);
  Bytes c = makeMatrix(p.dtypeC, std::max<int64_t>(1, p.batch * strideC), 3);
  if (!p.accumulate && isFloatType(p.dtypeC))
    for (int64_t i = 0; i < p.batch * strideC; ++i)
      setFloat(p.dtypeC, c, i, NAN); // must be overwritten, not multiplied by zero
  const Bytes before = c;

  RunSpec spec;
  spec.mesh = {1};
  spec.options.workers = p.workers;
  const Failure failure = allBackends()[0].run(
      spec,
      [&](tprt_context &ctx) {
        return tprt_gemm(&ctx, 0, 0, p.dtypeA, p.dtypeB, p.dtypeC, p.transA, p.transB, p.m, p.n,
                         p.k, a.data(), lda, strideA, b.data(), ldb, strideB, c.data(), ldc,
                         strideC, p.batch, p.accumulate);
      },
      1);
  ASSERT_EQ(failure.status, TPRT_OK) << failure.message;

  // Relative error of the sum, and of rounding the result once.
  const double tolerance = p.dtypeC == TPRT_F64    ? 1e-13
                           : p.dtypeC == TPRT_F16  ? 1.1e-3
                           : p.dtypeC == TPRT_BF16 ? 8e-3
                                                   : 1e-5;
  int64_t written = 0;
  for (int64_t item = 0; item < p.batch; ++item)
    for (int64_t i = 0; i < p.m; ++i)
      for (int64_t j = 0; j < p.n; ++j, ++written) {
        const int64_t at = item * strideC + i * ldc + j;
        auto indexA = [&](int64_t l) {
          return item * strideA + (p.transA ? l * lda + i : i * lda + l);
        };
        auto indexB = [&](int64_t l) {
          return item * strideB + (p.transB ? j * ldb + l : l * ldb + j);
        };
        if (!isFloatType(p.dtypeC)) {
          int64_t sum = p.accumulate ? getInteger(p.dtypeC, before, at) : 0;
          for (int64_t l = 0; l < p.k; ++l)
            sum += getInteger(p.dtypeA, a, indexA(l)) * getInteger(p.dtypeB, b, indexB(l));
          Bytes expected = c;
          setInteger(p.dtypeC, expected, at, sum);
          ASSERT_EQ(getInteger(p.dtypeC, c, at), getInteger(p.dtypeC, expected, at))
              << "item " << item << " row " << i << " column " << j;
          continue;
        }
        double sum = p.accumulate ? getFloat(p.dtypeC, before, at) : 0, scale = 1;
        for (int64_t l = 0; l < p.k; ++l) {
          const double term = getFloat(p.dtypeA, a, indexA(l)) * getFloat(p.dtypeB, b, indexB(l));
          sum += term;
          scale = std::max(scale, std::fabs(sum));
        }
        ASSERT_NEAR(getFloat(p.dtypeC, c, at), sum, tolerance * scale)
            << "item " << item << " row " << i << " column " << j;
      }
  // Nothing between rows and items was touched.
  int64_t unchanged = 0;
  const size_t size = size_t(tprt_dtype_size(p.dtypeC));
  for (int64_t i = 0; i < p.batch * strideC; ++i)
    unchanged +=
        std::equal(&c[size_t(i) * size], &c[size_t(i) * size] + size, &before[size_t(i) * size]);
  if (p.padding && isFloatType(p.dtypeC) && !p.accumulate) {
    EXPECT_EQ(unchanged, p.batch * strideC - written);
  }
}

} // namespace

TEST(Gemm, SmallProductsOfEveryShape) {
  for (bool transA : {false, true})
    for (bool transB : {false, true})
      for (bool accumulate : {false, true})
        for (int64_t padding : {0, 3}) {
          Product p;
          p.transA = transA, p.transB = transB, p.accumulate = accumulate, p.padding = padding;
          p.m = 5, p.n = 7, p.k = 9, p.batch = 3;
          check(p);
          p.m = 1, p.n = 65, p.k = 129, p.batch = 1;
          check(p);
        }
}

TEST(Gemm, LargeProductsThroughOneDnn) {
  for (int32_t dtype : {TPRT_F32, TPRT_BF16, TPRT_F16})
    for (int workers : {1, 3})
      for (bool transA : {false, true})
        for (bool transB : {false, true})
          for (bool accumulate : {false, true}) {
            Product p;
            p.dtypeA = p.dtypeB = dtype;
            p.transA = transA, p.transB = transB, p.accumulate = accumulate;
            p.workers = workers, p.padding = 5;
            p.m = 33, p.n = 70, p.k = 41;
            check(p); // cut by columns
            p.m = 90, p.n = 20;
            check(p); // cut by rows
            p.batch = 4;
            check(p); // whole items
            p.batch = 2, p.sharedB = true;
            check(p);
            p.batch = 1, p.m = 10, p.n = 1600, p.k = 40;
            check(p); // several blocks of columns
          }
}

TEST(Gemm, EveryCombinationOfTypes) {
  const int32_t floats[] = {TPRT_F64, TPRT_F32, TPRT_F16, TPRT_BF16};
  const int32_t integers[] = {TPRT_I64, TPRT_I32, TPRT_I16, TPRT_I8, TPRT_INDEX};
  Product p;
  p.m = 4, p.n = 70, p.k = 131, p.accumulate = true, p.workers = 2;
  auto checkAll = [&](auto &types) {
    for (int32_t a : types)
      for (int32_t b : types)
        for (int32_t c : types) {
          p.dtypeA = a, p.dtypeB = b, p.dtypeC = c;
          check(p);
        }
  };
  checkAll(floats);
  checkAll(integers);
}

TEST(Gemm, EmptyExtents) {
  Product p;
  p.m = 3, p.n = 4, p.k = 0;
  check(p); // zeros
  p.accumulate = true;
  check(p); // unchanged
  for (int64_t Product::*extent : {&Product::m, &Product::n, &Product::batch}) {
    Product empty;
    empty.*extent = 0;
    check(empty);
  }
}

TEST(Gemm, Bf16IsSummedInF32AndRoundedOnce) {
  // 256 + 1 + 1 + ... in bf16 would stay 256.
  Bytes a(2 * 129), b(2 * 129), c(2);
  for (int64_t i = 0; i < 129; ++i) {
    setFloat(TPRT_BF16, a, i, i ? 1 : 256);
    setFloat(TPRT_BF16, b, i, 1);
  }
  RunSpec spec;
  spec.mesh = {1};
  allBackends()[0].run(
      spec,
      [&](tprt_context &ctx) {
        return tprt_gemm(&ctx, 0, 0, TPRT_BF16, TPRT_BF16, TPRT_BF16, 0, 1, 1, 1, 129, a.data(),
                         129, 0, b.data(), 129, 0, c.data(), 1, 0, 1, 0);
      },
      1);
  EXPECT_EQ(getFloat(TPRT_BF16, c, 0), 384);
}

TEST(Gemm, BadArgumentsAreNamed) {
  float data[64] = {};
  RunSpec spec;
  spec.mesh = {1};
  auto messageOf = [&](int32_t dtypeA, int32_t dtypeC, int64_t m, int64_t lda) {
    return allBackends()[0]
        .run(
            spec,
            [&](tprt_context &ctx) {
              return tprt_gemm(&ctx, 0, 0, dtypeA, dtypeA, dtypeC, 0, 0, m, 2, 2, data, lda, 0,
                               data, 2, 0, data, 2, 0, 1, 0);
            },
            1)
        .message;
  };
  auto expectPart = [](const std::string &message, const char *part) {
    EXPECT_NE(message.find(part), std::string::npos) << message;
  };
  expectPart(messageOf(TPRT_I1, TPRT_I1, 2, 2), "a matrix product has no elements of type i1");
  expectPart(messageOf(TPRT_I32, TPRT_F32, 2, 2),
             "a matrix product cannot mix floats and integers: i32, i32, f32");
  expectPart(messageOf(TPRT_F32, TPRT_F32, 2, 1),
             "a leading dimension is smaller than a row: 1, 2, 2 for 2 x 2 x 2");
  expectPart(messageOf(TPRT_F32, TPRT_F32, -1, 2),
             "a matrix product with a negative size: -1 x 2 x 2, 1 times");
  EXPECT_EQ(messageOf(TPRT_F32, TPRT_F32, 1, 0), ""); // one row: its distance means nothing
}

TEST(Gemm, EpiloguesAreForGpus) {
  float data[64] = {};
  RunSpec spec;
  spec.mesh = {1};
  auto messageOf = [&](int32_t activation) {
    return allBackends()[0]
        .run(
            spec,
            [&](tprt_context &ctx) {
              return tprt_gemm_fused(&ctx, 0, 0, TPRT_F32, TPRT_F32, 0, 0, 2, 2, 2, data, 2, 0,
                                     data, 2, 0, nullptr, 0, 0, data, 0, data, 2, 0, 1, activation);
            },
            1)
        .message;
  };
  EXPECT_NE(messageOf(TPRT_RELU).find("a product of a GPU, and the program was compiled for CPUs"),
            std::string::npos);
  EXPECT_NE(messageOf(3).find("there is no activation 3"), std::string::npos);
}
