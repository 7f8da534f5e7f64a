//===- GemmTest.cpp - Matrix products on an emulated device ----------------===//

#include "runtime/cuda/Gemm.h"
#include "OnDevice.h"
#include "runtime/core/DType.h"
#include "tprt/error.h"
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <random>

using namespace tprt;
using namespace tprt::cuda;

namespace {

constexpr size_t workspaceBytes = 1 << 20;

/// What the runtime says; empty where it says nothing.
template <typename Body> std::string errorOf(Body body) {
  try {
    body();
  } catch (const Error &error) {
    return error.what();
  }
  return "";
}

/// Half the distance of neighbouring numbers around 1.
double roundoff(int32_t dtype) {
  return dtype == TPRT_F64   ? 0x1p-53
         : dtype == TPRT_F32 ? 0x1p-24
         : dtype == TPRT_F16 ? 0x1p-11
                             : 0x1p-8;
}

std::string stored(float value, int32_t dtype) {
  if (dtype == TPRT_F64) {
    const double wide = value;
    return std::string(reinterpret_cast<const char *>(&wide), 8);
  }
  if (dtype == TPRT_F32)
    return std::string(reinterpret_cast<const char *>(&value), 4);
  const uint16_t bits = dtype == TPRT_F16 ? toHalf(value).bits : toBFloat16(value).bits;
  return std::string(reinterpret_cast<const char *>(&bits), 2);
}

double loaded(const std::string &bytes, size_t i, int32_t dtype) {
  if (dtype == TPRT_F64) {
    double value;
    std::memcpy(&value, bytes.data() + 8 * i, 8);
    return value;
  }
  if (dtype == TPRT_F32) {
    float value;
    std::memcpy(&value, bytes.data() + 4 * i, 4);
    return value;
  }
  uint16_t bits;
  std::memcpy(&bits, bytes.data() + 2 * i, 2);
  return dtype == TPRT_F16 ? toFloat(Half{bits}) : toFloat(BFloat16{bits});
}

class EmulatedGemm : public OnDevice {
protected:
  EmulatedGemm() {
    EXPECT_EQ(CublasLt::get().problem(), "");
    gemm = std::make_unique<Gemm>(0, workspaceBytes);
    workspace = allocate(workspaceBytes);
  }

  /// Random numbers of a type in a new allocation.
  DevicePointer random(size_t count, int32_t dtype, std::string &content) {
    std::uniform_real_distribution<float> values(-1, 1);
    content.clear();
    for (size_t i = 0; i < count; ++i)
      content += stored(values(generator), dtype);
    return put(content);
  }

  /// Runs a product on random operands and compares with sums in f64.
  void compare(const GemmShape &shape, float alpha = 1, float beta = 1, bool inPlace = false);

  std::string run(const GemmShape &shape, const GemmOperands &operands, int stream = 0) {
    return errorOf([&] { gemm->run(shape, operands, workspace, streams[stream]); });
  }

  std::unique_ptr<Gemm> gemm;
  DevicePointer workspace = 0;
  std::minstd_rand generator;
};

/// Elements from the first to the last of rows [rows, columns] with these distances.
size_t extent(int64_t rows, int64_t columns, int64_t ld, int64_t batch, int64_t stride) {
  return (batch - 1) * stride + (rows - 1) * ld + columns;
}

double activated(double x, Activation activation) {
  if (activation == Activation::Relu)
    return std::max(x, 0.0);
  if (activation == Activation::GeluTanh)
    return 0.5 * x * (1 + std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x)));
  return x;
}

void EmulatedGemm::compare(const GemmShape &s, float alpha, float beta, bool inPlace) {
  SCOPED_TRACE(s.describe());
  const int64_t rowsA = s.transA ? s.k : s.m, columnsA = s.transA ? s.m : s.k;
  const int64_t rowsB = s.transB ? s.n : s.k, columnsB = s.transB ? s.k : s.n;
  std::string a, b, c, bias;
  GemmOperands operands;
  operands.alpha = alpha;
  operands.beta = beta;
  operands.a = random(extent(rowsA, columnsA, s.lda, s.batch, s.strideA), s.dtype, a);
  operands.b = random(extent(rowsB, columnsB, s.ldb, s.batch, s.strideB), s.dtype, b);
  const size_t count = extent(s.m, s.n, s.ldd, s.batch, s.strideD);
  if (s.hasC)
    operands.c = random(extent(s.m, s.n, s.ldc, s.batch, s.strideC), s.resultDType, c);
  if (s.hasBias)
    operands.bias = random(extent(1, s.n, 0, s.batch, s.strideBias), s.resultDType, bias);
  const std::string before(count * tprt_dtype_size(s.resultDType), 0x33);
  operands.d = inPlace ? operands.c : put(before);
  EXPECT_EQ(run(s, operands), "");
  const std::string d = get(operands.d, before.size());

  // Elements between rows and matrices stay as they were.
  std::string expected = inPlace ? c : before;
  for (int64_t i = 0; i < s.batch; ++i)
    for (int64_t row = 0; row < s.m; ++row)
      for (int64_t column = 0; column < s.n; ++column) {
        double sum = 0, magnitude = 1;
        for (int64_t p = 0; p < s.k; ++p) {
          const double x =
              loaded(a, i * s.strideA + (s.transA ? p * s.lda + row : row * s.lda + p), s.dtype);
          const double y = loaded(
              b, i * s.strideB + (s.transB ? column * s.ldb + p : p * s.ldb + column), s.dtype);
          sum += x * y;
          magnitude += std::abs(x * y);
        }
        double value = alpha * sum;
        if (s.hasC)
          value += beta * loaded(c, i * s.strideC + row * s.ldc + column, s.resultDType);
        if (s.hasBias)
          value += loaded(bias, i * s.strideBias + column, s.resultDType);
        value = activated(value, s.activation);
        const size_t at = i * s.strideD + row * s.ldd + column;
        const double found = loaded(d, at, s.resultDType);
        const double tolerance = std::abs(value) * roundoff(s.resultDType) * 1.001 +
                                 magnitude * (s.dtype == TPRT_F64 ? 0x1p-50
                                              : s.tf32            ? 0x1p-9
                                                                  : 0x1p-22);
        ASSERT_NEAR(found, value, tolerance) << row << ", " << column << " of matrix " << i;
        const size_t bytes = tprt_dtype_size(s.resultDType);
        expected.replace(at * bytes, bytes, d, at * bytes, bytes);
      }
  EXPECT_EQ(d, expected) << "bytes between rows were written";
  for (DevicePointer pointer : {operands.a, operands.b, operands.bias, operands.d})
    release(pointer);
  if (!inPlace)
    release(operands.c);
}

/// Rows without gaps, and one matrix behind the other.
GemmShape packed(int64_t m, int64_t n, int64_t k, int32_t dtype, int32_t resultDType,
                 bool transA = false, bool transB = false, int64_t batch = 1) {
  GemmShape s;
  s.m = m;
  s.n = n;
  s.k = k;
  s.dtype = dtype;
  s.resultDType = resultDType;
  s.transA = transA;
  s.transB = transB;
  s.lda = transA ? m : k;
  s.ldb = transB ? k : n;
  s.ldc = s.ldd = n;
  s.batch = batch;
  s.strideA = m * k;
  s.strideB = k * n;
  s.strideC = s.strideD = m * n;
  return s;
}

const std::pair<int32_t, int32_t> types[] = {{TPRT_F32, TPRT_F32},
                                             {TPRT_BF16, TPRT_BF16},
                                             {TPRT_BF16, TPRT_F32},
                                             {TPRT_F16, TPRT_F16},
                                             {TPRT_F16, TPRT_F32}};

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

TEST_F(EmulatedGemm, ShapesAndTypes) {
  std::uniform_int_distribution<int64_t> sizes(1, 67);
  for (int trial = 0; trial < 12; ++trial)
    for (auto [dtype, resultDType] : types)
      for (int transposed = 0; transposed < 4; ++transposed)
        compare(packed(sizes(generator), sizes(generator), sizes(generator), dtype, resultDType,
                       transposed & 1, transposed & 2));
  for (int64_t size : {1, 2, 64})
    for (auto [dtype, resultDType] : types)
      compare(packed(size, 1, 64, dtype, resultDType));
}

TEST_F(EmulatedGemm, Doubles) {
  std::uniform_int_distribution<int64_t> sizes(1, 300);
  for (int transposed = 0; transposed < 4; ++transposed) {
    GemmShape s = packed(sizes(generator), sizes(generator), sizes(generator), TPRT_F64, TPRT_F64,
                         transposed & 1, transposed & 2);
    compare(s, -0.5f);
    s.hasC = true;
    compare(s, 1, 2);
    compare(s, 1, 1, true);
    compare(packed(1, s.n, s.k, TPRT_F64, TPRT_F64, transposed & 1, transposed & 2));
    compare(packed(0x7, 5, 3, TPRT_F64, TPRT_F64, transposed & 1, transposed & 2, 3));
  }
  compare(packed(5, 7, 0, TPRT_F64, TPRT_F64));
}

/// More than one block of sums, one or two of them only, many parts.
TEST_F(EmulatedGemm, LargeProducts) {
  for (auto [dtype, resultDType] : types)
    for (auto [m, n, k] : {std::tuple(1, 200, 1100), {2, 70, 513}, {70, 1, 600}, {33, 130, 530}})
      for (int transposed = 0; transposed < 4; ++transposed)
        compare(packed(m, n, k, dtype, resultDType, transposed & 1, transposed & 2));
}

TEST_F(EmulatedGemm, Epilogues) {
  std::uniform_int_distribution<int64_t> sizes(1, 40);
  for (auto [dtype, resultDType] : types)
    for (Activation activation : {Activation::None, Activation::Relu, Activation::GeluTanh})
      for (bool hasBias : {false, true})
        for (bool hasC : {false, true}) {
          GemmShape s = packed(sizes(generator), sizes(generator), sizes(generator), dtype,
                               resultDType, false, true);
          s.activation = activation;
          s.hasBias = hasBias;
          s.hasC = hasC;
          compare(s, 0.5f, 2);
          compare(s, -1, 0);
          if (hasC)
            compare(s, 1, 1, true);
        }
}

TEST_F(EmulatedGemm, Batches) {
  for (auto [dtype, resultDType] : types)
    for (int transposed = 0; transposed < 4; ++transposed) {
      GemmShape s =
          packed(5, 7, 9, dtype, resultDType, transposed & 1, transposed & 2, /*batch=*/3);
      compare(s);
      // Gaps between rows and matrices.
      s.lda += 3;
      s.ldb += 1;
      s.ldd += 2;
      s.strideA = 100;
      s.strideB = 120;
      s.strideD = 51;
      compare(s);
      s.hasC = true;
      s.ldc = 8;
      s.strideC = 47;
      compare(s, 1, 0.5f);
      // One B, one C, one A for all.
      s.strideB = s.strideC = 0;
      compare(s);
      s.strideA = 0;
      compare(s);
    }
  // Rows of all matrices side by side, as heads are.
  GemmShape s = packed(6, 8, 16, TPRT_BF16, TPRT_BF16, false, true, 4);
  s.lda = s.ldb = 4 * 16;
  s.strideA = s.strideB = 16;
  s.ldd = 4 * 8;
  s.strideD = 8;
  compare(s);
  // A bias for each.
  s.hasBias = true;
  s.strideBias = 8;
  compare(s);
}

TEST_F(EmulatedGemm, OneProductForManyWithOneB) {
  GemmShape s = packed(5, 7, 9, TPRT_F32, TPRT_F32, false, false, 3);
  s.strideB = 0;
  const GemmShape n = s.normalized();
  EXPECT_EQ(n.describe(), "15x7x9 f32 rows 9 7 7 7");
  s.hasBias = true;
  compare(s);
  s.strideBias = 8;
  EXPECT_EQ(s.normalized().batch, 3);
  compare(s);
}

TEST_F(EmulatedGemm, EmptySums) {
  for (auto [dtype, resultDType] : types) {
    GemmShape s = packed(5, 7, 0, dtype, resultDType, false, false, 2);
    compare(s);
    s.hasC = s.hasBias = true;
    s.activation = Activation::GeluTanh;
    compare(s);
  }
  for (GemmShape s : {packed(0, 7, 3, TPRT_F32, TPRT_F32), packed(5, 0, 3, TPRT_F32, TPRT_F32),
                      packed(5, 7, 3, TPRT_F32, TPRT_F32, false, false, 0)})
    EXPECT_EQ(run(s, {}), "");
  gemm = std::make_unique<Gemm>(0, 256);
  EXPECT_EQ(run(packed(65, 64, 0, TPRT_F32, TPRT_F32), {}),
            "an empty sum needs 512 bytes of workspace, not 256: 65x64x0 f32 rows 0 64 64 64");
}

TEST_F(EmulatedGemm, PrecisionOfTF32) {
  GemmShape s = packed(1, 1, 1, TPRT_F32, TPRT_F32);
  GemmOperands operands;
  operands.a = put(stored(1 + 0x1p-12f, TPRT_F32));
  operands.b = put(stored(1, TPRT_F32));
  operands.d = allocate(4);
  EXPECT_EQ(run(s, operands), "");
  EXPECT_EQ(loaded(get(operands.d, 4), 0, TPRT_F32), 1 + 0x1p-12);
  s.tf32 = true;
  EXPECT_EQ(run(s, operands), "");
  EXPECT_EQ(loaded(get(operands.d, 4), 0, TPRT_F32), 1);
  s = packed(33, 21, 64, TPRT_F32, TPRT_F32, true, false);
  s.tf32 = true;
  compare(s);
}

TEST_F(EmulatedGemm, NaNAndInfinity) {
  const float inf = INFINITY;
  GemmOperands operands;
  operands.a = put(stored(inf, TPRT_BF16) + stored(1, TPRT_BF16));
  operands.b = put(stored(0, TPRT_BF16) + stored(2, TPRT_BF16));
  operands.d = allocate(8);
  // [2, 1] x [1, 2]: inf * 0 is none.
  EXPECT_EQ(run(packed(2, 2, 1, TPRT_BF16, TPRT_BF16), operands), "");
  const std::string d = get(operands.d, 8);
  EXPECT_TRUE(std::isnan(loaded(d, 0, TPRT_BF16)));
  EXPECT_EQ(loaded(d, 1, TPRT_BF16), inf);
  EXPECT_EQ(loaded(d, 2, TPRT_BF16), 0);
  EXPECT_EQ(loaded(d, 3, TPRT_BF16), 2);
}

TEST_F(EmulatedGemm, InGraphs) {
  GemmShape s = packed(2, 2, 2, TPRT_F32, TPRT_F32);
  s.hasC = true;
  std::string content;
  GemmOperands operands;
  operands.a =
      put(stored(1, TPRT_F32) + stored(0, TPRT_F32) + stored(0, TPRT_F32) + stored(1, TPRT_F32));
  operands.b = random(4, TPRT_F32, content);
  operands.c = operands.d = put(std::string(16, 0));
  gemm->prepare(s);
  check(driver.streamSynchronize(streams[0]));
  check(driver.streamBeginCapture(streams[0], captureThreadLocal));
  EXPECT_EQ(run(s, operands), "");
  Graph graph;
  check(driver.streamEndCapture(streams[0], &graph));
  EXPECT_EQ(get(operands.d, 16), std::string(16, 0));
  GraphExec exec;
  check(driver.graphInstantiate(&exec, graph, 0));
  for (int launch = 1; launch <= 2; ++launch) {
    check(driver.graphLaunch(exec, streams[0]));
    const std::string d = get(operands.d, 16);
    for (int i = 0; i < 4; ++i)
      EXPECT_EQ(loaded(d, i, TPRT_F32), launch * loaded(content, i, TPRT_F32));
  }
}

//===----------------------------------------------------------------------===//
// Algorithms
//===----------------------------------------------------------------------===//

/// A product that an algorithm with workspace is the first for.
class EmulatedGemmChoices : public EmulatedGemm {
protected:
  EmulatedGemmChoices() {
    std::string content;
    operands.a = random(3 * 256, TPRT_F32, content);
    operands.b = random(256 * 4, TPRT_F32, content);
    operands.d = allocate(3 * 4 * 4);
  }

  /// Whether a run uses workspace.
  bool usesWorkspace() {
    check(driver.memsetD8Async(workspace, 0, workspaceBytes, streams[0]));
    EXPECT_EQ(run(shape, operands), "");
    return get(workspace, 1024) != std::string(1024, 0);
  }

  /// Which algorithm is taken from a file with this.
  bool usesWorkspaceWith(const std::string &text) {
    auto choices = std::make_shared<GemmChoices>();
    choices->add(text, path);
    gemm = std::make_unique<Gemm>(0, workspaceBytes, choices);
    return usesWorkspace();
  }

  const std::string path = "products.json"; ///< what errors name
  const GemmShape shape = packed(3, 4, 256, TPRT_F32, TPRT_F32);
  GemmOperands operands;
};

TEST_F(EmulatedGemmChoices, WithinTheLimit) {
  EXPECT_TRUE(usesWorkspace());
  gemm = std::make_unique<Gemm>(0, 64);
  EXPECT_FALSE(usesWorkspace());
}

TEST_F(EmulatedGemmChoices, AreMeasuredWrittenAndRead) {
  auto choices = std::make_shared<GemmChoices>();
  choices->add("", path); // Nothing yet.
  gemm = std::make_unique<Gemm>(0, workspaceBytes, choices);
  const GemmTimes times = gemm->autotune(shape, operands, workspace, streams[0]);
  EXPECT_EQ(times.measured, 6);
  EXPECT_GT(times.bestMicroseconds, 0);
  EXPECT_GE(times.firstMicroseconds, times.bestMicroseconds);
  EXPECT_EQ(gemm->autotune(shape, operands, workspace, streams[0], 2).measured, 2);
  EXPECT_EQ(gemm->autotune(packed(0, 4, 3, TPRT_F32, TPRT_F32), {}, 0, streams[0]).measured, 0);
  EXPECT_TRUE(gemm->isChosen(shape));
  EXPECT_FALSE(gemm->isChosen(shape, 16));

  // The algorithm of the file is taken, whichever it is.
  nlohmann::json root = nlohmann::json::parse(choices->text());
  EXPECT_EQ(root[0]["device"], "emulated device");
  EXPECT_EQ(root[0]["cublasLt"], "13.1.0");
  nlohmann::json &product =
      root[0]["products"]["3x4x256 f32 rows 256 4 4 4 aligned 256 256 256 256"];
  ASSERT_EQ(product["algorithm"].size(), 8u);
  product["algorithm"][1] = 1;
  EXPECT_FALSE(usesWorkspaceWith(root.dump()));
  product["algorithm"][1] = 2;
  EXPECT_TRUE(usesWorkspaceWith(root.dump()));

  // What does not fit is not: an algorithm of something else, or with more workspace.
  product["algorithm"][1] = 1;
  product["algorithm"][0] = 5;
  EXPECT_TRUE(usesWorkspaceWith(root.dump()));
  choices = std::make_shared<GemmChoices>();
  choices->add(root.dump(), path);
  gemm = std::make_unique<Gemm>(0, 64, choices);
  EXPECT_FALSE(usesWorkspace());

  // Nor what was measured elsewhere, which is kept.
  nlohmann::json other = root;
  other[0]["cublasLt"] = "12.8.0";
  choices->add(other.dump(), path);
  EXPECT_EQ(nlohmann::json::parse(choices->text()).size(), 2u);
}

TEST_F(EmulatedGemmChoices, UnreadableFiles) {
  GemmChoices choices;
  auto errorOfText = [&](const std::string &text) {
    const std::string error = errorOf([&] { choices.add(text, path); });
    const std::string expected = path + ": has no algorithms of matrix products: ";
    EXPECT_EQ(error.substr(0, expected.size()), expected);
    return error.substr(std::min(expected.size(), error.size()));
  };
  EXPECT_NE(errorOfText("["), "");
  EXPECT_NE(errorOfText("[1]"), "");
  EXPECT_NE(errorOfText(R"([{"device": "d", "cublasLt": "1", "products": {"p": 1}}])"), "");
  EXPECT_NE(errorOfText(R"([{"device": "d", "cublasLt": "1",
                             "products": {"p": {"algorithm": [1], "microseconds": 1}}}])"),
            "");
  try {
    choices.add("[", path);
  } catch (const Error &error) {
    EXPECT_EQ(error.exitCode(), kExitBadInput);
    EXPECT_EQ(error.notes(), std::vector<std::string>{"without the file they are measured anew"});
  }
}

TEST_F(EmulatedGemmChoices, MeasuringCanFail) {
  EXPECT_EQ(errorOf([&] { gemm->autotune(shape, operands, workspace, nullptr); }),
            "none of cublasLt's algorithms does the product 3x4x256 f32 rows 256 4 4 4 aligned 256 "
            "256 256 256");
  check(driver.streamBeginCapture(streams[0], captureThreadLocal));
  EXPECT_EQ(errorOf([&] { gemm->autotune(shape, operands, workspace, streams[0]); }),
            "measuring a product: CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED: "
            "operation not permitted when stream is capturing");
}

//===----------------------------------------------------------------------===//
// What is refused
//===----------------------------------------------------------------------===//

TEST_F(EmulatedGemm, Refusals) {
  auto problem = [](GemmShape s, void (*change)(GemmShape &)) {
    change(s);
    return s.findProblem();
  };
  const GemmShape s = packed(5, 7, 9, TPRT_BF16, TPRT_BF16, true, false, 2);
  EXPECT_EQ(s.findProblem(), "");
  EXPECT_EQ(problem(s, [](GemmShape &s) { s.n = -1; }),
            "sizes of a product are from 0 to 2147483647: 5x-1x9 bf16 A^T rows 5 7 7 7 batch 2 "
            "strides 45 63 35 35");
  EXPECT_EQ(problem(s, [](GemmShape &s) { s.dtype = TPRT_I32; }),
            "products are of f64, f32, bf16 or f16, not of i32");
  EXPECT_EQ(problem(s, [](GemmShape &s) { s.dtype = TPRT_F64; }), "a product of f64 is not bf16");
  EXPECT_EQ(problem(s,
                    [](GemmShape &s) {
                      s.dtype = s.resultDType = TPRT_F64;
                      s.activation = Activation::Relu;
                    }),
            "a product of f64 has neither bias nor activation: 5x7x9 f64 A^T rows 5 7 7 7 batch 2 "
            "strides 45 63 35 35 relu");
  EXPECT_EQ(problem(s, [](GemmShape &s) { s.resultDType = TPRT_F16; }),
            "a product of bf16 is not f16");
  EXPECT_EQ(problem(s, [](GemmShape &s) { s.tf32 = true; }),
            "tf32 is a precision of f32, not of bf16");
  EXPECT_EQ(problem(s, [](GemmShape &s) { s.lda = 4; }),
            "a leading dimension is smaller than a row: 5x7x9 bf16 A^T rows 4 7 7 7 batch 2 "
            "strides 45 63 35 35");
  EXPECT_EQ(problem(s, [](GemmShape &s) { s.strideB = -1; }),
            "a stride is negative: 5x7x9 bf16 A^T rows 5 7 7 7 batch 2 strides 45 -1 35 35");
  EXPECT_EQ(problem(s,
                    [](GemmShape &s) {
                      s.hasBias = true;
                      s.strideBias = 7;
                    }),
            "each bias begins at a multiple of 16 bytes: 5x7x9 bf16 A^T rows 5 7 7 7 batch 2 "
            "strides 45 63 35 35 bias stride 7");
  EXPECT_EQ(problem(s, [](GemmShape &s) { s.strideD = 34; }),
            "results of a batch lie over each other: 5x7x9 bf16 A^T rows 5 7 7 7 batch 2 strides "
            "45 63 34 34");

  GemmShape bad = s;
  bad.dtype = TPRT_I8;
  EXPECT_EQ(run(bad, {}), "products are of f64, f32, bf16 or f16, not of i8");
  GemmShape biased = packed(5, 7, 9, TPRT_F32, TPRT_F32);
  biased.hasBias = true;
  biased.activation = Activation::Relu;
  GemmOperands operands;
  operands.bias = 8;
  EXPECT_EQ(run(biased, operands),
            "a bias begins at a multiple of 16 bytes: 5x7x9 f32 rows 9 7 7 7 bias relu");
  workspace += 16;
  EXPECT_EQ(run(packed(5, 7, 9, TPRT_F32, TPRT_F32), {}),
            "workspace begins at a multiple of 256 bytes: 5x7x9 f32 rows 9 7 7 7");
  workspace -= 16;
  EXPECT_EQ(run(packed(5, 7, 9, TPRT_F32, TPRT_F32), {}),
            "cublasLt cannot do the product 5x7x9 f32 rows 9 7 7 7 aligned 256 256 256 256: "
            "CUBLAS_STATUS_INVALID_VALUE: emulated cublasLt: an address is missing");
  // No kernel reads floats at odd addresses.
  operands.a = 1;
  EXPECT_EQ(run(packed(5, 7, 9, TPRT_F32, TPRT_F32), operands),
            "cublasLt has no algorithm for the product 5x7x9 f32 rows 9 7 7 7 aligned 1 256 256 "
            "256 with 1048576 bytes of workspace");
}

TEST_F(EmulatedGemm, ProblemsOfTheDevice) {
  EXPECT_EQ(errorOf([] { Gemm(99, 0); }),
            "device 99 has no name: CUDA_ERROR_INVALID_VALUE: invalid argument");
  check(driver.ctxSetCurrent(nullptr));
  EXPECT_EQ(errorOf([] { Gemm(0, 0); }),
            "cublasLt does not start on device 0 (emulated device): CUBLAS_STATUS_NOT_INITIALIZED: "
            "emulated cublasLt: the thread has no context");
}

TEST(EmulatedGemmLibrary, WithoutTheLibrary) {
  setenv("TPRT_CUBLASLT", "libm.so.6", 1);
  EXPECT_EQ(errorOf([] { Gemm(0, 0); }),
            "libm.so.6 has no function cublasLtGetVersion, so it is not cublasLt");
}

//===----------------------------------------------------------------------===//
// What a device hides
//===----------------------------------------------------------------------===//

class EmulatedGemmFaults : public EmulatedGemm {
protected:
  EmulatedGemmFaults() {
    operands.a = put(std::string(3 * 64 * 4, 1));
    operands.b = put(std::string(64 * 4 * 4, 1));
    operands.d = allocate(3 * 4 * 4);
    check(driver.streamSynchronize(streams[0]));
  }
  /// What the product on a stream is told to do wrong.
  std::string faultOfRun(int stream = 0) {
    const std::string text = run(shape, operands, stream);
    const std::string prefix = "cublasLt cannot do the product 3x4x64 f32 rows 64 4 4 4";
    const std::string mark = "CUBLAS_STATUS_EXECUTION_FAILED: emulated device: ";
    EXPECT_EQ(text.substr(0, prefix.size()), prefix);
    const size_t at = text.find(mark);
    EXPECT_EQ(fault().substr(0, 26), "CUDA_ERROR_ILLEGAL_ADDRESS");
    return at == std::string::npos ? text : text.substr(at + mark.size());
  }

  GemmShape shape = packed(3, 4, 64, TPRT_F32, TPRT_F32);
  GemmOperands operands;
};

TEST_F(EmulatedGemmFaults, Unwritten) {
  operands.b = allocate(64 * 4 * 4);
  EXPECT_EQ(faultOfRun(),
            "A of 4 x 64: cublasLt matmul 4 x 3 x 64 of f32 on stream 1 reads byte 0 of "
            "the allocation of 1024 bytes, which was never written");
}

TEST_F(EmulatedGemmFaults, UnwrittenBias) {
  shape.hasBias = true;
  operands.bias = allocate(16);
  EXPECT_EQ(faultOfRun(),
            "the bias of 4 x 1: cublasLt matmul 4 x 3 x 64 of f32 on stream 1 reads byte "
            "0 of the allocation of 16 bytes, which was never written");
}

TEST_F(EmulatedGemmFaults, UnwrittenC) {
  shape.hasC = true;
  operands.c = allocate(48);
  // It is not read where it has no effect.
  operands.beta = 0;
  EXPECT_EQ(run(shape, operands), "");
  operands.beta = 1;
  EXPECT_EQ(faultOfRun(),
            "C of 4 x 3: cublasLt matmul 4 x 3 x 64 of f32 on stream 1 reads byte 0 of "
            "the allocation of 48 bytes, which was never written");
}

TEST_F(EmulatedGemmFaults, OverTheEnd) {
  operands.a += 256;
  EXPECT_EQ(faultOfRun(),
            "B of 64 x 3: cublasLt matmul 4 x 3 x 64 of f32 on stream 1 reads 768 bytes, "
            "the last 255 bytes behind the allocation of 768 bytes");
}

TEST_F(EmulatedGemmFaults, Freed) {
  release(operands.d);
  EXPECT_EQ(faultOfRun(),
            "D of 4 x 3: cublasLt matmul 4 x 3 x 64 of f32 on stream 1 writes 48 bytes at "
            "an address in an allocation of 48 bytes that was freed");
}

TEST_F(EmulatedGemmFaults, MissingEvent) {
  check(driver.memsetD8Async(operands.a, 0, 768, streams[1]));
  EXPECT_EQ(faultOfRun(),
            "B of 64 x 3: cublasLt matmul 4 x 3 x 64 of f32 on stream 1 reads 768 bytes "
            "of the allocation of 768 bytes that a fill on stream 2 writes with nothing "
            "that orders the two");
}

TEST_F(EmulatedGemmFaults, WorkspaceOfTwoStreams) {
  EXPECT_EQ(run(shape, operands), "");
  operands.d = allocate(48);
  EXPECT_EQ(faultOfRun(1),
            "the workspace: cublasLt matmul 4 x 3 x 64 of f32 on stream 2 writes 192 bytes of the "
            "allocation of 1048576 bytes that cublasLt matmul 4 x 3 x 64 of f32 on stream 1 writes "
            "with nothing that orders the two");
}

TEST_F(EmulatedGemmFaults, EventOrders) {
  check(driver.memsetD8Async(operands.a, 0, 768, streams[1]));
  Event event;
  check(driver.eventCreate(&event, eventDisableTiming));
  check(driver.eventRecord(event, streams[1]));
  check(driver.streamWaitEvent(streams[0], event, 0));
  EXPECT_EQ(run(shape, operands), "");
  EXPECT_EQ(get(operands.d, 48), std::string(48, 0));
}

TEST_F(EmulatedGemmFaults, ResultOverOperand) {
  operands.d = operands.a + 256;
  EXPECT_EQ(faultOfRun(),
            "cublasLt matmul 4 x 3 x 64 of f32 on stream 1 writes D of 4 x 3 to memory of "
            "B of 64 x 3");
}

TEST_F(EmulatedGemmFaults, ResultOverPartOfC) {
  shape.hasC = true;
  operands.c = put(std::string(96, 0));
  operands.d = operands.c + 16;
  EXPECT_EQ(faultOfRun(),
            "cublasLt matmul 4 x 3 x 64 of f32 on stream 1 writes D of 4 x 3 to memory of "
            "C of 4 x 3");
}

TEST_F(EmulatedGemmFaults, WorkspaceOverOperand) {
  workspace = operands.a;
  EXPECT_EQ(faultOfRun(),
            "cublasLt matmul 4 x 3 x 64 of f32 on stream 1 writes the workspace to memory "
            "of B of 64 x 3");
}

TEST_F(EmulatedGemmFaults, WorkspaceOverResult) {
  operands.d = workspace;
  EXPECT_EQ(faultOfRun(),
            "cublasLt matmul 4 x 3 x 64 of f32 on stream 1 writes the workspace to memory "
            "of D of 4 x 3");
}

TEST_F(EmulatedGemmFaults, OfAGraph) {
  operands.b = allocate(1024);
  check(driver.streamBeginCapture(streams[0], captureThreadLocal));
  EXPECT_EQ(run(shape, operands), "");
  Graph graph;
  GraphExec exec;
  check(driver.streamEndCapture(streams[0], &graph));
  check(driver.graphInstantiate(&exec, graph, 0));
  driver.graphLaunch(exec, streams[0]);
  EXPECT_EQ(fault(),
            "CUDA_ERROR_ILLEGAL_ADDRESS: emulated device: A of 4 x 64: cublasLt matmul 4 x 3 x 64 "
            "of f32 of a graph on stream 1 reads byte 0 of the allocation of 1024 bytes, which was "
            "never written");
}

TEST_F(EmulatedGemmFaults, BeforeAnEmptySum) {
  operands.b = allocate(64 * 4 * 4);
  faultOfRun();
  GemmShape empty = shape;
  empty.k = 0;
  empty.lda = 0;
  EXPECT_EQ(run(empty, operands).substr(0, 47), "zeros of an empty sum: CUDA_ERROR_ILLEGAL_ADDRE");
}

/// Has the runtime find a cublasLt that can make nothing.
struct WithoutMemory {
  WithoutMemory() { setenv("TPRT_CUBLASLT", TP_BINARY_DIR "/Refusing.so", 1); }
};
class EmulatedGemmWithoutMemory : WithoutMemory, public EmulatedGemmFaults {};

TEST_F(EmulatedGemmWithoutMemory, HasNoDescription) {
  EXPECT_EQ(run(shape, operands), "cublasLt cannot describe a product: CUBLAS_STATUS_ALLOC_FAILED: "
                                  "CUBLAS_STATUS_ALLOC_FAILED");
}

} // namespace
