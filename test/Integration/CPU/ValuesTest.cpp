//===- ValuesTest.cpp - What programs compute, by type and layout ---------===//

#include "TestProgram.h"

using namespace tprt;

namespace {

TEST(Values, Elementwise) {
  Program program(withRanks(1, R"(
func.func @f(%x: tensor<4x5xf32>, %y: tensor<4x5xf32>) -> tensor<4x5xf32> {
  %0 = arith.mulf %x, %y : tensor<4x5xf32>
  %1 = arith.addf %0, %x : tensor<4x5xf32>
  return %1 : tensor<4x5xf32>
})"));
  auto results = program.run({makeArray({4, 5}, ramp(20)), makeArray({4, 5}, ramp(20, 3))});
  for (int i = 0; i < 20; ++i)
    EXPECT_EQ(results[0].as<float>()[i], float(i * (i + 3) + i));
}

/// y = tanh(x @ w1) @ w2 + x, the hidden dimension cut over the ranks.
TEST(Values, FeedForward) {
  const int n = 6, d = 40, f = 96;
  std::vector<float> x = ramp(n * d, -1, 0.01), w1 = ramp(d * f, -0.2, 0.0001),
                     w2 = ramp(f * d, 0.3, -0.0002);
  for (int ranks : {1, 2, 3, 4}) {
    Program program(withRanks(ranks, replace(R"(
func.func @ffn(%x: tensor<6x40xf32>,
    %w1: tensor<40xLxf32> {tp.sharding = #tp.sharding<[_, tp]>, tp.global_type = tensor<40x96xf32>},
    %w2: tensor<Lx40xf32> {tp.sharding = #tp.sharding<[tp, _]>, tp.global_type = tensor<96x40xf32>})
    -> tensor<6x40xf32> {
  %zero = arith.constant 0.0 : f32
  %e1 = tensor.empty() : tensor<6xLxf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<6xLxf32>) -> tensor<6xLxf32>
  %h = linalg.matmul ins(%x, %w1 : tensor<6x40xf32>, tensor<40xLxf32>)
    outs(%z1 : tensor<6xLxf32>) -> tensor<6xLxf32>
  %a = math.tanh %h : tensor<6xLxf32>
  %e2 = tensor.empty() : tensor<6x40xf32>
  %z2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<6x40xf32>) -> tensor<6x40xf32>
  %y = linalg.matmul ins(%a, %w2 : tensor<6xLxf32>, tensor<Lx40xf32>)
    outs(%z2 : tensor<6x40xf32>) -> tensor<6x40xf32>
  %s = comm.all_reduce sum %y over (tp) because "sum over tp" : tensor<6x40xf32>
  %r = arith.addf %s, %x : tensor<6x40xf32>
  return %r : tensor<6x40xf32>
})",
                                             "xLx", "x" + std::to_string(f / ranks) + "x", "<Lx",
                                             "<" + std::to_string(f / ranks) + "x")));
    auto results =
        program.run({makeArray({n, d}, x), makeArray({d, f}, w1), makeArray({f, d}, w2)});
    for (int i = 0; i < n; ++i) {
      std::vector<double> hidden(f);
      for (int k = 0; k < f; ++k) {
        for (int j = 0; j < d; ++j)
          hidden[k] += double(x[i * d + j]) * w1[j * f + k];
        hidden[k] = std::tanh(hidden[k]);
      }
      for (int j = 0; j < d; ++j) {
        double sum = x[i * d + j];
        for (int k = 0; k < f; ++k)
          sum += hidden[k] * w2[k * d + j];
        EXPECT_NEAR(results[0].as<float>()[i * d + j], sum, 2e-5) << ranks << " ranks";
      }
    }
  }
}

TEST(Values, ScalarsAndBits) {
  Program program(withRanks(1, R"(
func.func @f(%n: index, %scale: f32, %flag: i1, %mask: tensor<4xi1>, %x: tensor<4xf32>)
    -> (f32, index, tensor<4xf32>, tensor<4xi1>) {
  %c2 = arith.constant 2 : index
  %m = arith.muli %n, %c2 : index
  %s = arith.select %flag, %scale, %scale : f32
  %t = arith.addf %s, %scale : f32
  %splat = tensor.splat %scale : tensor<4xf32>
  %y = arith.mulf %x, %splat : tensor<4xf32>
  %z = arith.select %mask, %x, %y : tensor<4xi1>, tensor<4xf32>
  %true = arith.constant dense<true> : tensor<4xi1>
  %inverse = arith.xori %mask, %true : tensor<4xi1>
  return %t, %m, %z, %inverse : f32, index, tensor<4xf32>, tensor<4xi1>
})"));
  Array n(TPRT_INDEX, {}), flag(TPRT_I1, {}), mask(TPRT_I1, {4});
  n.as<int64_t>()[0] = 21;
  flag.as<int8_t>()[0] = 1;
  mask.as<int8_t>()[1] = 1;
  auto results =
      program.run({n, makeArray<float>({}, {1.5f}), flag, mask, makeArray({4}, ramp(4, 1))});
  EXPECT_EQ(results[0].as<float>()[0], 3.0f);
  EXPECT_EQ(results[1].as<int64_t>()[0], 42);
  EXPECT_EQ(valuesOf<float>(results[2]), (std::vector<float>{1.5, 2, 4.5, 6}));
  EXPECT_EQ(valuesOf<int8_t>(results[3]), (std::vector<int8_t>{1, 0, 1, 1}));
}

/// Narrow floats, on this CPU and on one without instructions for them.
TEST(Values, NarrowFloats) {
  for (std::string type : {"bf16", "f16"})
    for (std::string cpu : {"native", "x86-64"}) {
      Program program(withRanks(2, replace(R"(
func.func @f(%x: tensor<4x8xT>, %w: tensor<8x4xT>) -> (tensor<4x4xT>, tensor<4x8xT>, tensor<4xf32>) {
  %zero = arith.constant 0.0 : T
  %e = tensor.empty() : tensor<4x4xT>
  %z = linalg.fill ins(%zero : T) outs(%e : tensor<4x4xT>) -> tensor<4x4xT>
  %y = linalg.matmul ins(%x, %w : tensor<4x8xT>, tensor<8x4xT>) outs(%z : tensor<4x4xT>) -> tensor<4x4xT>
  %a = math.exp %x : tensor<4x8xT>
  %zf = arith.constant 0.0 : f32
  %ef = tensor.empty() : tensor<4xf32>
  %fill = linalg.fill ins(%zf : f32) outs(%ef : tensor<4xf32>) -> tensor<4xf32>
  %wide = arith.extf %x : tensor<4x8xT> to tensor<4x8xf32>
  %sum = linalg.reduce {arith.addf} ins(%wide : tensor<4x8xf32>) outs(%fill : tensor<4xf32>) dimensions = [1]
  %both = comm.all_reduce sum %sum over (tp) : tensor<4xf32>
  return %y, %a, %both : tensor<4x4xT>, tensor<4x8xT>, tensor<4xf32>
})",
                                           "xT>", "x" + type + ">", ": T", ": " + type)),
                      {}, cpu);
      std::vector<float> x(32), w(32);
      for (int i = 0; i < 32; ++i)
        x[i] = float(i % 5) / 4 - 0.5f, w[i] = float(i % 3) / 2;
      auto results = program.run({makeArray({4, 8}, x), makeArray({8, 4}, w)});
      Array product = convertArray(results[0], TPRT_F32, "y");
      Array powers = convertArray(results[1], TPRT_F32, "a");
      double unit = type == "bf16" ? 1.0 / 128 : 1.0 / 1024;
      for (int i = 0; i < 4; ++i) {
        double total = 0;
        for (int k = 0; k < 8; ++k) {
          total += x[i * 8 + k];
          double power = std::exp(double(x[i * 8 + k]));
          EXPECT_NEAR(powers.as<float>()[i * 8 + k], power, power * unit);
        }
        EXPECT_EQ(results[2].as<float>()[i], float(2 * total));
        for (int j = 0; j < 4; ++j) {
          double sum = 0;
          for (int k = 0; k < 8; ++k)
            sum += double(x[i * 8 + k]) * w[k * 4 + j];
          EXPECT_NEAR(product.as<float>()[i * 4 + j], sum, 8 * unit);
        }
      }
    }
}

/// Contractions in the layouts of decoder layers, large enough for the library.
TEST(Values, Contractions) {
  Program program(withRanks(1, R"(
#x = affine_map<(b, s, k, g, h, d) -> (b, s, d)>
#wq = affine_map<(b, s, k, g, h, d) -> (k, g, h, d)>
#q = affine_map<(b, s, k, g, h, d) -> (b, s, k, g, h)>
#t = affine_map<(b, s, k, g, h, d) -> (k, b, s, g, h)>
#o = affine_map<(b, s, d, k, g, h) -> (b, s, k, g, h)>
#wo = affine_map<(b, s, d, k, g, h) -> (d, k, g, h)>
#y = affine_map<(b, s, d, k, g, h) -> (b, s, d)>
func.func @f(%x: tensor<2x5x24xf32>, %wq: tensor<3x2x8x24xf32>, %wo: tensor<24x3x2x8xf32>, %bias: tensor<2x5x24xf32>)
    -> (tensor<2x5x3x2x8xf32>, tensor<3x2x5x2x8xf32>, tensor<2x5x24xf32>) {
  %zero = arith.constant 0.0 : f32
  %eq = tensor.empty() : tensor<2x5x3x2x8xf32>
  %zq = linalg.fill ins(%zero : f32) outs(%eq : tensor<2x5x3x2x8xf32>) -> tensor<2x5x3x2x8xf32>
  %q = linalg.contract indexing_maps = [#x, #wq, #q] ins(%x, %wq : tensor<2x5x24xf32>, tensor<3x2x8x24xf32>)
    outs(%zq : tensor<2x5x3x2x8xf32>) -> tensor<2x5x3x2x8xf32>
  %et = tensor.empty() : tensor<3x2x5x2x8xf32>
  %zt = linalg.fill ins(%zero : f32) outs(%et : tensor<3x2x5x2x8xf32>) -> tensor<3x2x5x2x8xf32>
  %t = linalg.contract indexing_maps = [#x, #wq, #t] ins(%x, %wq : tensor<2x5x24xf32>, tensor<3x2x8x24xf32>)
    outs(%zt : tensor<3x2x5x2x8xf32>) -> tensor<3x2x5x2x8xf32>
  %y = linalg.contract indexing_maps = [#o, #wo, #y] ins(%q, %wo : tensor<2x5x3x2x8xf32>, tensor<24x3x2x8xf32>)
    outs(%bias : tensor<2x5x24xf32>) -> tensor<2x5x24xf32>
  return %q, %t, %y : tensor<2x5x3x2x8xf32>, tensor<3x2x5x2x8xf32>, tensor<2x5x24xf32>
})"));
  std::vector<float> x = ramp(240, -1, 0.01), wq = ramp(1152, 0.5, -0.001),
                     wo = ramp(1152, -0.4, 0.0007), bias = ramp(240, 3, 0.1);
  auto results = program.run({makeArray({2, 5, 24}, x), makeArray({3, 2, 8, 24}, wq),
                              makeArray({24, 3, 2, 8}, wo), makeArray({2, 5, 24}, bias)});
  for (int row = 0; row < 10; ++row) {
    std::vector<double> q(48);
    for (int n = 0; n < 48; ++n) {
      for (int d = 0; d < 24; ++d)
        q[n] += double(x[row * 24 + d]) * wq[n * 24 + d];
      EXPECT_NEAR(results[0].as<float>()[row * 48 + n], q[n], 1e-5);
      EXPECT_NEAR(results[1].as<float>()[(n / 16) * 160 + row * 16 + n % 16], q[n], 1e-5);
    }
    for (int d = 0; d < 24; ++d) {
      double y = bias[row * 24 + d];
      for (int n = 0; n < 48; ++n)
        y += q[n] * wo[d * 48 + n];
      EXPECT_NEAR(results[2].as<float>()[row * 24 + d], y, 1e-4);
    }
  }
}

/// Infinities and NaN go through a softmax as they do in plain C.
TEST(Values, SoftmaxKeepsInfinities) {
  Program program(withRanks(1, R"(
func.func @f(%x: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %e = tensor.empty() : tensor<3x4xf32>
  %0 = linalg.softmax dimension(1) ins(%x : tensor<3x4xf32>) outs(%e : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
})"));
  float inf = INFINITY;
  auto y = valuesOf<float>(
      program.run({makeArray<float>({3, 4}, {1, 2, 3, -inf, 90, -90, 0, 1, 0, NAN, 1, 2})})[0]);
  double sum = std::exp(-2.0) + std::exp(-1.0) + 1;
  EXPECT_NEAR(y[2], 1 / sum, 1e-6);
  EXPECT_EQ(y[3], 0);
  EXPECT_EQ(y[4], 1);
  for (int j = 8; j < 12; ++j)
    EXPECT_TRUE(std::isnan(y[j]));
}

/// Two entries that share a parameter, a value with padding, a pad, a concat.
TEST(Values, UnevenBlocksAndDataMovement) {
  Program program(withRanks(2, R"(
func.func @f(%x: tensor<3x2xf32> {tp.sharding = #tp.sharding<[tp, _]>, tp.global_type = tensor<5x2xf32>}) -> tensor<14x2xf32> {
  %g = comm.all_gather %x dim 0 over (tp) : tensor<3x2xf32> -> tensor<6x2xf32>
  %zero = arith.constant -1.0 : f32
  %p = tensor.pad %g low[1, 0] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<6x2xf32> to tensor<8x2xf32>
  %c = tensor.concat dim(0) %p, %g : (tensor<8x2xf32>, tensor<6x2xf32>) -> tensor<14x2xf32>
  return %c : tensor<14x2xf32>
})"));
  auto y = valuesOf<float>(program.run({makeArray({5, 2}, ramp(10, 1))})[0]);
  std::vector<float> expected = {-1, -1};
  for (int i = 1; i <= 10; ++i)
    expected.push_back(i);
  expected.insert(expected.end(), {0, 0, -1, -1});
  for (int i = 1; i <= 10; ++i)
    expected.push_back(i);
  expected.insert(expected.end(), {0, 0});
  EXPECT_EQ(y, expected);
}

TEST(Values, WorkersShareLoops) {
  SessionOptions options;
  options.workers = 3;
  Program program(withRanks(2, R"(
func.func @f(%x: tensor<300x700xf32>) -> (tensor<300x700xf32>, tensor<300xf32>) {
  %y = arith.mulf %x, %x : tensor<300x700xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<300xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<300xf32>) -> tensor<300xf32>
  %s = linalg.reduce {arith.addf} ins(%x : tensor<300x700xf32>) outs(%z : tensor<300xf32>) dimensions = [1]
  return %y, %s : tensor<300x700xf32>, tensor<300xf32>
})"),
                  options);
  std::vector<float> x(210000);
  for (size_t i = 0; i < x.size(); ++i)
    x[i] = float(i % 97);
  auto results = program.run({makeArray({300, 700}, x)});
  for (size_t i = 0; i < x.size(); ++i)
    ASSERT_EQ(results[0].as<float>()[i], x[i] * x[i]);
  for (int i = 0; i < 300; ++i)
    EXPECT_EQ(results[1].as<float>()[i],
              std::accumulate(x.begin() + i * 700, x.begin() + (i + 1) * 700, 0.0f));
}

TEST(Values, ErrorsAreLocated) {
  auto problem = [](const std::string &text, const std::string &cpu = "native") {
    return compileModule(text, testing::TempDir() + "never.so", cpu);
  };
  EXPECT_NE(
      problem("func.func @f(%x: tensor<?xf32>) -> tensor<?xf32> {\n  return %x : tensor<?xf32>\n}")
          .find("static shapes"),
      std::string::npos);
  EXPECT_NE(
      problem("func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> {\n  return %x : tensor<2xf32>\n}",
              "no-such-cpu")
          .find("unknown CPU 'no-such-cpu'"),
      std::string::npos);
}

} // namespace
