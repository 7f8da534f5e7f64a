//===- KernelsTest.cpp - Values of nn decompositions and of CPU kernels ----===//
//
// Every case computes its result in plain loops and compares with the
// decomposition and, where there is one, with the kernel.
//
//===----------------------------------------------------------------------===//

#include "KernelRunner.h"

#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <random>

using namespace mlir::tp::test;

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float nan = std::numeric_limits<float>::quiet_NaN();

std::vector<float> randomValues(size_t count, unsigned seed) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<float> distribution(-1, 1);
  std::vector<float> values(count);
  for (float &value : values)
    value = distribution(generator);
  return values;
}

uint16_t toBF16(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return static_cast<uint16_t>((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
}

float fromBF16(uint16_t value) {
  uint32_t bits = static_cast<uint32_t>(value) << 16;
  float result;
  std::memcpy(&result, &bits, sizeof(result));
  return result;
}

/// Values rounded to what an element type holds, and their storage.
struct Buffer {
  std::vector<float> values;
  std::vector<uint16_t> half;
  bool isHalf;

  Buffer(std::vector<float> init, bool isHalf) : values(std::move(init)), isHalf(isHalf) {
    if (isHalf)
      for (float &value : values) {
        half.push_back(toBF16(value));
        value = fromBF16(half.back());
      }
  }
  void *data() { return isHalf ? static_cast<void *>(half.data()) : values.data(); }
  /// The values after a call has written the storage.
  const std::vector<float> &read() {
    if (isHalf)
      for (size_t i = 0; i < half.size(); ++i)
        values[i] = fromBF16(half[i]);
    return values;
  }
};

void expectNear(const std::vector<float> &found, const std::vector<float> &expected,
                float tolerance) {
  ASSERT_EQ(found.size(), expected.size());
  float largest = 0;
  for (float value : expected)
    largest = std::max(largest, std::abs(value));
  for (size_t i = 0; i < found.size(); ++i)
    ASSERT_LE(std::abs(found[i] - expected[i]), tolerance * largest)
        << "at " << i << ": " << found[i] << ", expected " << expected[i];
}

std::string tensor(std::initializer_list<int64_t> shape, const char *element) {
  std::string text;
  for (int64_t size : shape)
    text += std::to_string(size) + "x";
  return text + element;
}

//===----------------------------------------------------------------------===//
// Products with few rows
//===----------------------------------------------------------------------===//

struct ProductCase {
  int64_t m, n, k;
  const char *weights = "f32";
  int64_t bits = 512;
  const char *rows = "f32";
};

class ProductTest : public ::testing::TestWithParam<ProductCase> {};

TEST_P(ProductTest, MatchesLoops) {
  auto [m, n, k, weights, bits, rows] = GetParam();
  bool isHalf = std::string(weights) == "bf16", halfRows = std::string(rows) == "bf16";
  std::string x = tensor({m, k}, rows), w = tensor({n, k}, weights), c = tensor({m, n}, "f32");
  for (bool accumulate : {false, true}) {
    std::string text =
        "#a = affine_map<(m, n, k) -> (m, k)>\n#w = affine_map<(m, n, k) -> (n, k)>\n"
        "#c = affine_map<(m, n, k) -> (m, n)>\n"
        "func.func @f(%x: tensor<" +
        x + ">, %w: tensor<" + w + ">, %i: tensor<" + c + ">, %out: memref<" + c +
        ">) attributes {llvm.emit_c_interface} {\n";
    if (!accumulate)
      text += "  %zero = arith.constant 0.0 : f32\n  %e = tensor.empty() : tensor<" + c +
              ">\n  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<" + c + ">) -> tensor<" +
              c + ">\n";
    text += "  %r = linalg.contract indexing_maps = [#a, #w, #c] ins(%x, %w : tensor<" + x +
            ">, tensor<" + w + ">) outs(" + (accumulate ? "%i" : "%init") + " : tensor<" + c +
            ">) -> tensor<" + c +
            ">\n  bufferization.materialize_in_destination %r in restrict "
            "writable %out : (tensor<" +
            c + ">, memref<" + c + ">) -> ()\n  return\n}\n";
    auto runner = KernelRunner::compile(text, Lowering::Kernels, bits);
    ASSERT_TRUE(runner);
    EXPECT_EQ(runner->getKernelCalls(), 1u);
    Buffer vx(randomValues(m * k, 1), halfRows), vw(randomValues(n * k, 2), isHalf),
        init(randomValues(m * n, 3), false);
    std::vector<float> expected(m * n), found(m * n, nan);
    for (int64_t i = 0; i < m; ++i)
      for (int64_t j = 0; j < n; ++j) {
        double sum = accumulate ? init.values[i * n + j] : 0;
        for (int64_t l = 0; l < k; ++l)
          sum += double(vx.values[i * k + l]) * vw.values[j * k + l];
        expected[i * n + j] = static_cast<float>(sum);
      }
    runner->run({vx.data(), vw.data(), init.data(), found.data()});
    expectNear(found, expected, 1e-5f);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, ProductTest,
    ::testing::Values(
        ProductCase{1, 4, 1}, ProductCase{1, 1, 7}, ProductCase{1, 5, 17}, ProductCase{1, 7, 33},
        ProductCase{1, 96, 576}, ProductCase{1, 43, 100}, ProductCase{2, 9, 33},
        ProductCase{3, 6, 64}, ProductCase{4, 33, 50}, ProductCase{1, 10, 577, "bf16"},
        ProductCase{4, 11, 40, "bf16"}, ProductCase{1, 10, 577, "bf16", 512, "bf16"},
        ProductCase{4, 11, 77, "bf16", 512, "bf16"}, ProductCase{1, 6, 64, "bf16", 512, "bf16"},
        ProductCase{1, 5, 31, "bf16", 512, "bf16"}, ProductCase{1, 13, 45, "bf16", 256, "bf16"},
        ProductCase{1, 13, 45, "f32", 256}, ProductCase{2, 13, 45, "f32", 128}));

/// Products of one x are one call, whatever their sizes.
TEST(Products, RunTogether) {
  const int64_t k = 37;
  const std::vector<int64_t> sizes = {9, 4, 18};
  std::string x = tensor({1, k}, "f32"), arguments = "%x: memref<" + x + ">", body;
  for (size_t i = 0; i < sizes.size(); ++i) {
    std::string w = tensor({sizes[i], k}, "f32"), c = tensor({1, sizes[i]}, "f32");
    std::string number = std::to_string(i);
    arguments += ", %w" + number + ": memref<" + w + ">, %c" + number + ": memref<" + c + ">";
    body += "  linalg.fill ins(%zero : f32) outs(%c" + number + " : memref<" + c +
            ">)\n  linalg.contract indexing_maps = [#a, #w, #c] ins(%x, %w" + number +
            " : memref<" + x + ">, memref<" + w + ">) outs(%c" + number + " : memref<" + c + ">)\n";
  }
  auto runner = KernelRunner::compile(
      "#a = affine_map<(m, n, k) -> (m, k)>\n#w = affine_map<(m, n, k) -> (n, k)>\n"
      "#c = affine_map<(m, n, k) -> (m, n)>\nfunc.func @f(" +
          arguments +
          ") attributes {llvm.emit_c_interface} {\n  %zero = arith.constant 0.0 : f32\n" + body +
          "  return\n}\n",
      Lowering::Kernels);
  ASSERT_TRUE(runner);
  EXPECT_EQ(runner->getKernelCalls(), 1u);
  std::vector<float> vx = randomValues(k, 1);
  std::vector<std::vector<float>> weights, found;
  std::vector<void *> buffers = {vx.data()};
  for (int64_t size : sizes) {
    weights.push_back(randomValues(size * k, size));
    found.emplace_back(size, nan);
    buffers.insert(buffers.end(), {weights.back().data(), found.back().data()});
  }
  runner->run(buffers);
  for (size_t i = 0; i < sizes.size(); ++i) {
    std::vector<float> expected(sizes[i]);
    for (int64_t j = 0; j < sizes[i]; ++j)
      for (int64_t l = 0; l < k; ++l)
        expected[j] += vx[l] * weights[i][j * k + l];
    expectNear(found[i], expected, 1e-5f);
  }
}

//===----------------------------------------------------------------------===//
// Attention
//===----------------------------------------------------------------------===//

struct AttentionCase {
  int64_t batch, steps, heads, group, capacity, depth;
  std::vector<int64_t> pos;
  const char *element = "f32";
  int64_t bits = 512;
  int64_t window = 0; ///< 0: all positions.
  bool bidirectional = false;
};

class AttentionTest : public ::testing::TestWithParam<AttentionCase> {};

TEST_P(AttentionTest, MatchesLoops) {
  const AttentionCase &c = GetParam();
  int64_t K = c.heads, G = c.group, T = c.capacity, D = c.depth;
  bool isHalf = std::string(c.element) == "bf16";
  size_t rows = c.batch * c.steps * K * G, cache = c.batch * K * T * D;
  Buffer q(randomValues(rows * D, 1), isHalf), out(std::vector<float>(rows * D, nan), isHalf);
  std::vector<float> keys = randomValues(cache, 2), values = randomValues(cache, 3);
  auto firstSeen = [&](int64_t position) {
    return c.window == 0 ? 0 : std::max<int64_t>(position - c.window + 1, 0);
  };
  auto endSeen = [&](int64_t b, int64_t step) {
    return c.bidirectional ? c.pos[b] : c.pos[b] + step + 1;
  };
  // What no query sees must not matter.
  for (int64_t b = 0; b < c.batch; ++b)
    for (int64_t k = 0; k < K; ++k)
      for (int64_t t = 0; t < T; ++t)
        for (int64_t d = 0;
             d < D && (t < firstSeen(endSeen(b, 0) - 1) || t >= endSeen(b, c.steps - 1)); ++d)
          keys[((b * K + k) * T + t) * D + d] = values[((b * K + k) * T + t) * D + d] = nan;
  Buffer kb(keys, isHalf), vb(values, isHalf);
  std::vector<int64_t> pos = c.pos;

  std::vector<float> expected(rows * D);
  const double scale = 0.3;
  size_t row = 0;
  for (int64_t b = 0; b < c.batch; ++b)
    for (int64_t s = 0; s < c.steps; ++s)
      for (int64_t k = 0; k < K; ++k)
        for (int64_t g = 0; g < G; ++g, ++row) {
          const float *head = &kb.values[(b * K + k) * T * D];
          const float *value = &vb.values[(b * K + k) * T * D];
          int64_t visible = endSeen(b, s), first = firstSeen(visible - 1);
          std::vector<double> weights(visible);
          double largest = -infinity, total = 0;
          for (int64_t t = first; t < visible; ++t) {
            for (int64_t d = 0; d < D; ++d)
              weights[t] += scale * q.values[row * D + d] * head[t * D + d];
            largest = std::max(largest, weights[t]);
          }
          for (int64_t t = first; t < visible; ++t)
            total += weights[t] = std::exp(weights[t] - largest);
          for (int64_t d = 0; d < D; ++d) {
            double sum = 0;
            for (int64_t t = first; t < visible; ++t)
              sum += weights[t] * value[t * D + d];
            expected[row * D + d] = static_cast<float>(sum / total);
          }
        }

  std::string qType = tensor({c.batch, c.steps, K, G, D}, c.element);
  std::string cType = tensor({c.batch, K, T, D}, c.element), pType = tensor({c.batch}, "i64");
  std::string text =
      "func.func @f(%q: tensor<" + qType + ">, %k: tensor<" + cType + ">, %v: tensor<" + cType +
      ">, %p: tensor<" + pType + ">, %out: memref<" + qType +
      ">) attributes {llvm.emit_c_interface} {\n  %r = nn.attention %q, %k, %v, %p " +
      (c.bidirectional ? "bidirectional " : "") + "scale 0.3 " +
      (c.window ? "window " + std::to_string(c.window) : "") + " : tensor<" + qType + ">, tensor<" +
      cType + ">, tensor<" + pType +
      ">\n  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<" +
      qType + ">, memref<" + qType + ">) -> ()\n  return\n}\n";
  for (Lowering lowering : {Lowering::Decomposed, Lowering::Kernels}) {
    auto runner = KernelRunner::compile(text, lowering, c.bits);
    ASSERT_TRUE(runner);
    EXPECT_EQ(runner->getKernelCalls(), lowering == Lowering::Kernels ? 1u : 0u);
    runner->run({q.data(), kb.data(), vb.data(), pos.data(), out.data()});
    expectNear(out.read(), expected, isHalf ? 1e-2f : 1e-5f);
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, AttentionTest,
                         ::testing::Values(AttentionCase{1, 1, 3, 3, 256, 64, {0}},
                                           AttentionCase{1, 1, 2, 1, 130, 64, {129}},
                                           AttentionCase{2, 1, 2, 3, 100, 80, {63, 64}},
                                           AttentionCase{1, 1, 1, 8, 40, 8, {17}},
                                           AttentionCase{2, 5, 2, 3, 90, 8, {0, 61}},
                                           AttentionCase{1, 70, 1, 1, 200, 20, {3}},
                                           AttentionCase{1, 16, 1, 3, 64, 64, {48}},
                                           AttentionCase{1, 9, 2, 2, 80, 7, {60}},
                                           AttentionCase{1, 6, 2, 3, 70, 64, {60}, "bf16"},
                                           AttentionCase{1, 6, 2, 3, 70, 24, {60}, "f32", 256},
                                           AttentionCase{1, 6, 1, 1, 70, 3, {60}, "f32", 128}));

INSTANTIATE_TEST_SUITE_P(
    Windows, AttentionTest,
    ::testing::Values(AttentionCase{1, 1, 2, 3, 256, 16, {200}, "f32", 512, 1},
                      AttentionCase{2, 1, 2, 1, 256, 16, {3, 200}, "f32", 512, 70},
                      AttentionCase{2, 7, 1, 3, 256, 8, {0, 190}, "f32", 512, 1},
                      AttentionCase{2, 7, 1, 3, 256, 8, {0, 190}, "f32", 512, 2},
                      AttentionCase{1, 9, 2, 2, 256, 24, {150}, "f32", 512, 5},
                      AttentionCase{1, 70, 1, 1, 200, 8, {3}, "f32", 512, 64},
                      AttentionCase{1, 70, 1, 1, 200, 8, {100}, "f32", 512, 65},
                      AttentionCase{1, 16, 1, 4, 140, 8, {120}, "f32", 512, 130},
                      AttentionCase{1, 6, 2, 3, 170, 20, {160}, "bf16", 512, 12},
                      AttentionCase{1, 6, 2, 3, 170, 20, {160}, "f32", 128, 100}));

INSTANTIATE_TEST_SUITE_P(
    Bidirectional, AttentionTest,
    ::testing::Values(AttentionCase{1, 5, 2, 1, 5, 16, {5}, "f32", 512, 0, true},
                      AttentionCase{3, 7, 3, 1, 7, 8, {1, 7, 4}, "f32", 512, 0, true},
                      AttentionCase{1, 130, 1, 1, 130, 32, {129}, "f32", 512, 0, true},
                      AttentionCase{1, 70, 2, 2, 90, 20, {64}, "f32", 128, 0, true},
                      AttentionCase{2, 9, 1, 3, 70, 12, {70, 65}, "bf16", 512, 0, true}));

//===----------------------------------------------------------------------===//
// Row norm
//===----------------------------------------------------------------------===//

struct NormCase {
  int64_t rows, size;
  const char *element = "f32";
  int64_t bits = 512;
  double weightOffset = 0;
  bool centred = false; ///< nn.layer_norm
};

class NormTest : public ::testing::TestWithParam<NormCase> {};

TEST_P(NormTest, MatchesLoops) {
  auto [rows, size, element, bits, offset, centred] = GetParam();
  bool isHalf = std::string(element) == "bf16";
  std::string xType = tensor({1, rows, size}, element), wType = tensor({size}, "f32");
  std::string text =
      "func.func @f(%x: tensor<" + xType + ">, %w: tensor<" + wType + ">, %b: tensor<" + wType +
      ">, %out: memref<" + xType + ">) attributes {llvm.emit_c_interface} {\n  %r = " +
      (centred ? "nn.layer_norm %x, %w, %b epsilon 0.01"
               : "nn.rms_norm %x, %w epsilon 0.01 weight_offset " + std::to_string(offset)) +
      " : tensor<" + xType + ">, tensor<" + wType +
      ">\n  bufferization.materialize_in_destination %r in restrict writable %out : "
      "(tensor<" +
      xType + ">, memref<" + xType + ">) -> ()\n  return\n}\n";
  std::vector<float> values = randomValues(rows * size, 1);
  // A mean that is large beside the differences from it.
  for (float &value : values)
    value += centred && !isHalf ? 30.0f : 0.0f;
  Buffer x(values, isHalf), w(randomValues(size, 2), false), b(randomValues(size, 3), false);
  std::vector<float> expected(rows * size);
  for (int64_t row = 0; row < rows; ++row) {
    double mean = 0, sum = 0;
    for (int64_t i = 0; i < size && centred; ++i)
      mean += x.values[row * size + i] / double(size);
    for (int64_t i = 0; i < size; ++i)
      sum += std::pow(x.values[row * size + i] - mean, 2);
    for (int64_t i = 0; i < size; ++i) {
      double normal = (x.values[row * size + i] - mean) / std::sqrt(sum / size + 0.01);
      expected[row * size + i] = static_cast<float>(centred ? normal * w.values[i] + b.values[i]
                                                            : normal * (w.values[i] + offset));
    }
  }
  for (Lowering lowering : {Lowering::Decomposed, Lowering::Kernels}) {
    auto runner = KernelRunner::compile(text, lowering, bits);
    ASSERT_TRUE(runner);
    EXPECT_EQ(runner->getKernelCalls(), lowering == Lowering::Kernels ? 1u : 0u);
    Buffer out(std::vector<float>(rows * size, nan), isHalf);
    runner->run({x.data(), w.data(), b.data(), out.data()});
    expectNear(out.read(), expected, isHalf ? 1e-2f : centred ? 1e-5f : 1e-6f);
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, NormTest,
                         ::testing::Values(NormCase{3, 1}, NormCase{1, 7}, NormCase{5, 33},
                                           NormCase{2, 576}, NormCase{70, 100},
                                           NormCase{4, 80, "bf16"}, NormCase{4, 43, "f32", 128},
                                           NormCase{5, 33, "f32", 512, 1.0},
                                           NormCase{3, 40, "bf16", 256, -0.5}));

INSTANTIATE_TEST_SUITE_P(Centred, NormTest,
                         ::testing::Values(NormCase{3, 1, "f32", 512, 0, true},
                                           NormCase{5, 33, "f32", 512, 0, true},
                                           NormCase{2, 576, "f32", 512, 0, true},
                                           NormCase{70, 100, "f32", 128, 0, true},
                                           NormCase{4, 80, "bf16", 512, 0, true}));

} // namespace
