//===- CPUTest.cpp - Programs of the comm phase, compiled and run ----------===//
//
// Small programs are compiled to shared objects and run on threads that are the
// ranks, with the runtime of this executable. Expected values are computed here.
//
//===----------------------------------------------------------------------===//

#include "CompileModule.h"
#include "tprt/session.h"
#include "gtest/gtest.h"
#include <cmath>
#include <cstring>
#include <dlfcn.h>
#include <numeric>
#include <unistd.h>

using namespace tprt;

namespace {

template <typename T> constexpr int32_t kDType = TPRT_F32;
template <> constexpr int32_t kDType<int64_t> = TPRT_I64;

template <typename T> Array makeArray(std::vector<int64_t> shape, const std::vector<T> &values) {
  Array array(kDType<T>, std::move(shape));
  EXPECT_EQ(array.count(), int64_t(values.size()));
  std::memcpy(array.data.data(), values.data(), values.size() * sizeof(T));
  return array;
}

template <typename T> std::vector<T> valuesOf(const Array &array) {
  return std::vector<T>(array.as<T>(), array.as<T>() + array.count());
}

/// first, first + step, ...
std::vector<float> ramp(int64_t count, float first = 0, float step = 1) {
  std::vector<float> values(count);
  for (int64_t i = 0; i < count; ++i)
    values[i] = first + step * i;
  return values;
}

/// A compiled and loaded program.
class Program {
public:
  explicit Program(const std::string &text, SessionOptions options = {},
                   const std::string &cpu = "native") {
    static int number = 0;
    std::string path = testing::TempDir() + "cpu" + std::to_string(getpid()) + "." +
                       std::to_string(number++) + ".so";
    std::string problem = compileModule(text, path, cpu);
    if (!problem.empty())
      throw std::runtime_error(problem);
    handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle)
      throw std::runtime_error(dlerror());
    unlink(path.c_str());
    options.checkCollectives = true;
    auto *module = static_cast<const tprt_module_t *>(dlsym(handle, TPRT_MODULE_SYMBOL));
    session = std::make_unique<Session>(*module, options);
  }
  ~Program() {
    session.reset();
    if (handle)
      dlclose(handle);
  }

  Session *operator->() { return session.get(); }

  /// Runs the only entry on these inputs, in the order of its arguments.
  std::vector<Array> run(const std::vector<Array> &inputs) {
    for (size_t i = 0; i < inputs.size(); ++i)
      session->setInput(0, int(i), inputs[i]);
    session->call(0);
    std::vector<Array> results;
    for (size_t i = 0; i < session->manifest().entries[0].results.size(); ++i)
      results.push_back(session->result(0, int(i)));
    return results;
  }

private:
  void *handle = nullptr;
  std::unique_ptr<Session> session;
};

/// `text` with each first string replaced by the second of its pair.
template <typename... More>
std::string replace(std::string text, const std::string &from, const std::string &to,
                    const More &...more) {
  for (size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  if constexpr (sizeof...(more) > 0)
    return replace(text, more...);
  else
    return text;
}

std::string withRanks(int ranks, const std::string &text) {
  return "tp.mesh @m <\"tp\"=" + std::to_string(ranks) + ">\n" + text;
}

TEST(CPU, Elementwise) {
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
TEST(CPU, FeedForward) {
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

/// One collective on a value of which every rank holds 4 x 12 elements.
class Collective : public testing::TestWithParam<int> {
protected:
  /// Runs `op` on %x : tensor<4x12xi64>, the rows [4 r, 4 r + 4) of 0, 1, 2, ...
  /// on rank r; the result has the type `local` on each rank and is `global`
  /// under `sharding`.
  std::vector<int64_t> run(const std::string &op, const std::string &local,
                           const std::string &global, const std::string &sharding) {
    int ranks = GetParam();
    std::string rows = std::to_string(4 * ranks);
    Program program(withRanks(
        ranks, "func.func @f(%x: tensor<4x12xi64> {tp.sharding = #tp.sharding<[tp, _]>, "
               "tp.global_type = tensor<" +
                   rows + "x12xi64>}) -> (tensor<" + local + "xi64> {tp.sharding = #tp.sharding<" +
                   sharding + ">, tp.global_type = tensor<" + global + "xi64>}) {\n  %0 = " + op +
                   "\n  return %0 : tensor<" + local + "xi64>\n}"));
    std::vector<int64_t> values(48 * ranks);
    std::iota(values.begin(), values.end(), 0);
    return valuesOf<int64_t>(program.run({makeArray({4 * ranks, 12}, values)})[0]);
  }

  std::string times(int64_t n) { return std::to_string(n * GetParam()); }
};

TEST_P(Collective, AllReduce) {
  int k = GetParam();
  auto sum = run("comm.all_reduce sum %x over (tp) : tensor<4x12xi64>", "4x12", "4x12", "[]");
  auto largest = run("comm.all_reduce max %x over (tp) : tensor<4x12xi64>", "4x12", "4x12", "[]");
  auto bits = run("comm.all_reduce xor %x over (tp) : tensor<4x12xi64>", "4x12", "4x12", "[]");
  for (int i = 0; i < 48; ++i) {
    int64_t expected = 0, expectedBits = 0;
    for (int r = 0; r < k; ++r)
      expected += 48 * r + i, expectedBits ^= 48 * r + i;
    EXPECT_EQ(sum[i], expected);
    EXPECT_EQ(largest[i], 48 * (k - 1) + i);
    EXPECT_EQ(bits[i], expectedBits);
  }
}

TEST_P(Collective, AllGather) {
  int k = GetParam();
  auto columns = run("comm.all_gather %x dim 1 over (tp) : tensor<4x12xi64> -> tensor<4x" +
                         times(12) + "xi64>",
                     "4x" + times(12), "4x" + times(12), "[]");
  auto rows = run("comm.all_gather %x dim 0 over (tp) : tensor<4x12xi64> -> tensor<" + times(4) +
                      "x12xi64>",
                  times(4) + "x12", times(4) + "x12", "[]");
  for (int r = 0; r < k; ++r)
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 12; ++j) {
        EXPECT_EQ(columns[i * 12 * k + r * 12 + j], r * 48 + i * 12 + j);
        EXPECT_EQ(rows[(r * 4 + i) * 12 + j], r * 48 + i * 12 + j);
      }
}

TEST_P(Collective, ReduceScatter) {
  int k = GetParam();
  std::string local = "4x" + std::to_string(12 / k);
  auto result = run("comm.reduce_scatter sum %x dim 1 over (tp) : tensor<4x12xi64> -> tensor<" +
                        local + "xi64>",
                    local, "4x12", "[_, tp]");
  for (int i = 0; i < 48; ++i)
    EXPECT_EQ(result[i], 48 * k * (k - 1) / 2 + k * i);
}

/// Rows become columns: the global value stays the same.
TEST_P(Collective, AllToAll) {
  int k = GetParam();
  std::string local = times(4) + "x" + std::to_string(12 / k);
  auto result = run("comm.all_to_all %x split 1 concat 0 over (tp) : tensor<4x12xi64> -> tensor<" +
                        local + "xi64>",
                    local, times(4) + "x12", "[_, tp]");
  for (int i = 0; i < 48 * k; ++i)
    EXPECT_EQ(result[i], i);
}

/// Blocks of columns of one row block are exchanged among the ranks.
TEST_P(Collective, AllToAllAlongOneDimension) {
  int k = GetParam();
  auto result =
      run("comm.all_to_all %x split 1 concat 1 over (tp) : tensor<4x12xi64> -> tensor<4x12xi64>",
          "4x12", times(4) + "x12", "[tp, _]");
  int width = 12 / k;
  for (int r = 0; r < k; ++r)
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 12; ++j)
        EXPECT_EQ(result[(r * 4 + i) * 12 + j], (j / width) * 48 + i * 12 + r * width + j % width);
}

TEST_P(Collective, Permute) {
  int k = GetParam();
  std::string sources = "-1";
  for (int r = 1; r < k; ++r)
    sources += ", " + std::to_string(r - 1);
  auto result = run("comm.permute %x from [" + sources + "] over (tp) : tensor<4x12xi64>", "4x12",
                    times(4) + "x12", "[tp, _]");
  for (int i = 0; i < 48 * k; ++i)
    EXPECT_EQ(result[i], i < 48 ? 0 : i - 48);
}

INSTANTIATE_TEST_SUITE_P(Ranks, Collective, testing::Values(1, 2, 3, 4));

TEST(CPU, CoordinatesOfParts) {
  Program program(R"(
tp.mesh @m <"a"=2, "b"=4>
func.func @f(%x: tensor<1xi64>) -> (tensor<1xi64> {tp.sharding = #tp.sharding<[(a, b)]>, tp.global_type = tensor<8xi64>}) {
  %a = comm.coordinate (a)
  %high = comm.coordinate (b:(1)2)
  %low = comm.coordinate (b:(2)2)
  %c10 = arith.constant 10 : index
  %0 = arith.muli %a, %c10 : index
  %1 = arith.addi %0, %high : index
  %2 = arith.muli %1, %c10 : index
  %3 = arith.addi %2, %low : index
  %4 = arith.index_cast %3 : index to i64
  %5 = tensor.from_elements %4 : tensor<1xi64>
  return %5 : tensor<1xi64>
})");
  auto results = program.run({makeArray<int64_t>({1}, {0})});
  EXPECT_EQ(valuesOf<int64_t>(results[0]),
            (std::vector<int64_t>{0, 1, 10, 11, 100, 101, 110, 111}));
}

const char *cacheProgram = R"(
func.func @f(%cache: tensor<2x5x3xf32> {tp.kind = "state", tp.name = "cache"}, %row: tensor<2x1x3xf32>, %pos: tensor<1xi64>)
    -> (tensor<2x3xf32>, tensor<2x5x3xf32> {tp.alias = 0 : i64}) {
  %c0 = arith.constant 0 : index
  %p = tensor.extract %pos[%c0] : tensor<1xi64>
  %i = arith.index_cast %p : i64 to index
  %new = tensor.insert_slice %row into %cache[0, %i, 0] [2, 1, 3] [1, 1, 1] : tensor<2x1x3xf32> into tensor<2x5x3xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x3xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x3xf32>) -> tensor<2x3xf32>
  %sum = linalg.reduce {arith.addf} ins(%new : tensor<2x5x3xf32>) outs(%z : tensor<2x3xf32>) dimensions = [1]
  return %sum, %new : tensor<2x3xf32>, tensor<2x5x3xf32>
})";

TEST(CPU, StateIsKeptBetweenCalls) {
  Program program(withRanks(2, cacheProgram));
  std::vector<float> sums(6, 0);
  for (int64_t position : {0, 4, 2}) {
    std::vector<float> row = ramp(6, position);
    program->setInput(0, 1, makeArray({2, 1, 3}, row));
    program->setInput(0, 2, makeArray<int64_t>({1}, {position}));
    program->call(0);
    for (int i = 0; i < 6; ++i)
      sums[i] += row[i];
    EXPECT_EQ(valuesOf<float>(program->result(0, 0)), sums);
  }
  auto cache = valuesOf<float>(program->argument(0, 0));
  EXPECT_EQ(cache[4 * 3 + 1], 5.0f);
  EXPECT_EQ(cache[15 + 2 * 3], 5.0f);
}

TEST(CPU, OffsetOutsideIsAnError) {
  for (int64_t position : {-1, 5, 1 << 30}) {
    Program program(withRanks(1, cacheProgram));
    program->setInput(0, 1, makeArray({2, 1, 3}, ramp(6)));
    program->setInput(0, 2, makeArray<int64_t>({1}, {position}));
    try {
      program->call(0);
      FAIL() << "position " << position << " is accepted";
    } catch (const Error &error) {
      EXPECT_EQ(error.exitCode(), 3);
      EXPECT_NE(std::string(error.what()).find("test.mlir:8:"), std::string::npos) << error.what();
      EXPECT_NE(std::string(error.what()).find(std::to_string(position)), std::string::npos)
          << error.what();
    }
  }
}

const char *gatherProgram = R"(
func.func @f(%table: tensor<7x3xf32>, %ids: tensor<4xi64>) -> tensor<4x3xf32> {
  %e = tensor.empty() : tensor<4x3xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%ids : tensor<4xi64>) outs(%e : tensor<4x3xf32>) {
  ^bb0(%id: i64, %out: f32):
    %row = arith.index_cast %id : i64 to index
    %column = linalg.index 1 : index
    %v = tensor.extract %table[%row, %column] : tensor<7x3xf32>
    linalg.yield %v : f32
  } -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
})";

TEST(CPU, Gather) {
  Program program(withRanks(1, gatherProgram));
  auto results = program.run({makeArray({7, 3}, ramp(21)), makeArray<int64_t>({4}, {6, 0, 3, 3})});
  EXPECT_EQ(valuesOf<float>(results[0]),
            (std::vector<float>{18, 19, 20, 0, 1, 2, 9, 10, 11, 9, 10, 11}));
}

TEST(CPU, GatherOutsideIsAnError) {
  for (int64_t bad : {-1, 7}) {
    Program program(withRanks(1, gatherProgram));
    EXPECT_THROW(
        program.run({makeArray({7, 3}, ramp(21)), makeArray<int64_t>({4}, {6, bad, 3, 3})}), Error);
  }
}

TEST(CPU, ScalarsAndBits) {
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

/// A collective in a loop whose trip count is known at run time only.
TEST(CPU, LoopWithCollective) {
  for (int ranks : {1, 2, 3}) {
    Program program(withRanks(ranks, R"(
func.func @f(%x: tensor<3xf32>, %n: index) -> tensor<3xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%h = %x) -> (tensor<3xf32>) {
    %s = comm.all_reduce sum %h over (tp) : tensor<3xf32>
    %y = arith.addf %s, %x : tensor<3xf32>
    scf.yield %y : tensor<3xf32>
  }
  return %r : tensor<3xf32>
})"));
    for (int64_t n : {0, 1, 5}) {
      Array trips(TPRT_INDEX, {});
      trips.as<int64_t>()[0] = n;
      auto results = program.run({makeArray({3}, ramp(3, 1)), trips});
      for (int i = 0; i < 3; ++i) {
        float expected = i + 1;
        for (int64_t trip = 0; trip < n; ++trip)
          expected = expected * ranks + (i + 1);
        EXPECT_EQ(results[0].as<float>()[i], expected);
      }
    }
  }
}

/// Carried values that change places need a copy.
TEST(CPU, LoopThatSwaps) {
  Program program(withRanks(1, R"(
func.func @f(%a: tensor<2xf32>, %b: tensor<2xf32>, %n: index) -> (tensor<2xf32>, tensor<2xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b) -> (tensor<2xf32>, tensor<2xf32>) {
    %s = arith.addf %x, %y : tensor<2xf32>
    scf.yield %y, %s : tensor<2xf32>, tensor<2xf32>
  }
  return %r#0, %r#1 : tensor<2xf32>, tensor<2xf32>
})"));
  Array trips(TPRT_INDEX, {});
  trips.as<int64_t>()[0] = 6;
  auto results = program.run({makeArray<float>({2}, {0, 1}), makeArray<float>({2}, {1, 2}), trips});
  EXPECT_EQ(valuesOf<float>(results[0]), (std::vector<float>{8, 21}));
  EXPECT_EQ(valuesOf<float>(results[1]), (std::vector<float>{13, 34}));
}

TEST(CPU, WhileAndIf) {
  Program program(withRanks(2, R"(
func.func @f(%x: tensor<2xf32>, %limit: f32, %flag: i1) -> (tensor<2xf32>, tensor<2xf32>) {
  %c0 = arith.constant 0 : index
  %two = arith.constant dense<2.0> : tensor<2xf32>
  %r = scf.while (%h = %x) : (tensor<2xf32>) -> tensor<2xf32> {
    %v = tensor.extract %h[%c0] : tensor<2xf32>
    %more = arith.cmpf olt, %v, %limit : f32
    scf.condition(%more) %h : tensor<2xf32>
  } do {
  ^bb0(%h: tensor<2xf32>):
    %d = arith.mulf %h, %two : tensor<2xf32>
    scf.yield %d : tensor<2xf32>
  }
  %y = scf.if %flag -> (tensor<2xf32>) {
    %s = comm.all_reduce sum %r over (tp) : tensor<2xf32>
    scf.yield %s : tensor<2xf32>
  } else {
    scf.yield %x : tensor<2xf32>
  }
  return %r, %y : tensor<2xf32>, tensor<2xf32>
})"));
  for (int8_t on : {0, 1}) {
    Array flag(TPRT_I1, {});
    flag.as<int8_t>()[0] = on;
    auto results = program.run({makeArray<float>({2}, {1, 3}), makeArray<float>({}, {50}), flag});
    EXPECT_EQ(valuesOf<float>(results[0]), (std::vector<float>{64, 192}));
    EXPECT_EQ(valuesOf<float>(results[1]),
              on ? (std::vector<float>{128, 384}) : (std::vector<float>{1, 3}));
  }
}

/// Narrow floats, on this CPU and on one without instructions for them.
TEST(CPU, NarrowFloats) {
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
TEST(CPU, Contractions) {
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
TEST(CPU, SoftmaxKeepsInfinities) {
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
TEST(CPU, UnevenBlocksAndDataMovement) {
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

TEST(CPU, WorkersShareLoops) {
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

TEST(CPU, ErrorsAreLocated) {
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
